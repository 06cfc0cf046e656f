"""WebAssembly modules: node runs them, with the results of this machine and of other programs."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import onnx.parser
import pytest
from onnx import ModelProto

import tilewright
from tilewright import te
from tilewright.codegen import webassembly
from tilewright.codegen.elf import LinkError
from tilewright.runtime.abi.library import LoadError
from tilewright.runtime.errors import ArgumentError
from tilewright.support.diagnostics import TargetError, TilewrightError
from tilewright.testing.models import encoder_model, softmax_model, with_weights
from tilewright.tools.cli import main

from ....peer import peer_results
from .web_module import RELAXED, TARGET, in_node, needs_web, random_inputs, script

CNN = with_weights(
    """<ir_version: 8, opset_import: ["": 18]> cnn (float[1, 3, 20, 20] x) => (float[1, 10] y) {
      a = Conv <pads = [1, 1, 1, 1], strides = [2, 2]> (x, w0)
      b = Relu (a)
      c = Conv <pads = [1, 1, 1, 1]> (b, w1)
      d = Relu (c)
      e = MaxPool <kernel_shape = [2, 2], strides = [2, 2]> (d)
      f = GlobalAveragePool (e)
      g = Flatten (f)
      h = Gemm (g, w2)
      y = Softmax (h)
    }""",
    w0=(16, 3, 3, 3),
    w1=(24, 16, 3, 3),
    w2=(24, 10),
)
BYTES = onnx.parser.parse_model(
    """<ir_version: 8, opset_import: ["": 18]>
    bytes (uint8[13, 40] x, int8[40, 21] w) => (int32[13, 21] y) { y = MatMulInteger (x, w) }"""
)
MODELS = {
    "product": with_weights(
        """<ir_version: 8, opset_import: ["": 18]>
        product (float[37, 65] x) => (float[37, 50] y) { y = MatMul (x, w) }""",
        w=(65, 50),
    ),
    "softmax": softmax_model(shape=(3, 5, 33)),
    "cnn": CNN,
    "transformer": encoder_model(layers=1, hidden=32, heads=4, ffn=64, seq=11),
    "int8 product": BYTES,
}


def reference(model: ModelProto, inputs: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Return the outputs of a model by onnxruntime."""
    names = [output.name for output in model.graph.output]
    return dict(zip(names, peer_results(model, inputs), strict=True))


@pytest.mark.one_in(2)
@needs_web
@pytest.mark.parametrize("name", MODELS)
def test_outputs_in_node_equal_those_of_onnxruntime(name: str, tmp_path: Path) -> None:
    module = tilewright.compile(MODELS[name], target=TARGET)
    inputs = random_inputs(module)
    made = in_node(module, inputs, tmp_path)
    for output, wanted in reference(MODELS[name], inputs).items():
        assert made[output].dtype == wanted.dtype
        exact = wanted.dtype.kind in "iu"
        np.testing.assert_allclose(
            made[output], wanted, rtol=0 if exact else 2e-5, atol=0 if exact else 1e-5
        )
    assert ("i32x4.dot_i16x8_s" in module.get_source("asm")) == (name == "int8 product")


@needs_web
def test_code_without_vectors_runs_in_engines_without_them(tmp_path: Path) -> None:
    scalar = f"{TARGET.partition(' -mattr')[0]} -mattr=-simd128"
    module = tilewright.compile(MODELS["product"], target=scalar)
    inputs = random_inputs(module)
    made, wanted = in_node(module, inputs, tmp_path), reference(MODELS["product"], inputs)
    np.testing.assert_allclose(made["y"], wanted["y"], rtol=2e-5, atol=1e-5)
    assert "const FEATURES = [];" in (tmp_path / "model.mjs").read_text()
    assert "f32x4" not in module.get_source("asm")


@needs_web
def test_tensor_expressions_with_open_sizes_run_in_node(tmp_path: Path) -> None:
    n = te.var("n")
    a, b = te.placeholder((n,), name="A"), te.placeholder((n,), name="B")
    module = tilewright.build(
        [a, b, te.compute((n,), lambda i: a[i] + b[i], name="C")], target=TARGET
    )
    for size in (1, 1003):
        inputs = {name: np.arange(size, dtype=np.float32) + k for k, name in enumerate("AB")}
        made = in_node(module, inputs, tmp_path)
        np.testing.assert_array_equal(made["C"], inputs["A"] + inputs["B"])


@needs_web
def test_strict_outputs_are_those_of_this_machine_bit_by_bit(tmp_path: Path) -> None:
    here, there = (
        tilewright.compile(CNN, target=target, precision="strict") for target in ("native", TARGET)
    )
    inputs = random_inputs(here)
    made = in_node(there, inputs, tmp_path)["y"]
    assert made.tobytes() == here.run(inputs)[0].numpy().tobytes()


@needs_web
def test_an_engine_with_relaxed_simd_runs_one_instruction_per_multiply_add(tmp_path: Path) -> None:
    module = tilewright.compile(MODELS["product"], target=RELAXED)
    inputs = random_inputs(module)
    made = in_node(module, inputs, tmp_path, "--experimental-wasm-relaxed-simd")
    wanted = reference(MODELS["product"], inputs)
    np.testing.assert_allclose(made["y"], wanted["y"], rtol=2e-5, atol=1e-5)
    strict = tilewright.compile(MODELS["product"], target=RELAXED, precision="strict")
    assert "relaxed_madd" in module.get_source("asm")
    assert "relaxed_madd" not in strict.get_source("asm")


SCRIPT = """
import { load, supports, tensor, TilewrightError } from "./m.mjs";
import { readFile } from "node:fs/promises";
const model = await load();
const bytes = await readFile("m.wasm");
const again = await load(await WebAssembly.compile(bytes));
const said = [];
for (const inputs of %s) {
  try {
    const { y } = model.run(inputs);
    said.push([...y, "shape", ...y.shape]);
  } catch (error) {
    said.push([error instanceof TilewrightError, error.message]);
  }
}
const rest = [...again.run({ x: tensor(new Float32Array(8), [2, 4]) }).y.shape];
const imports = WebAssembly.Module.imports(await WebAssembly.compile(bytes)).length;
const facts = model.inputs.map(({ name, dtype, shape }) => [name, dtype, shape]);
console.log(JSON.stringify({ said, rest, imports, facts, other: supports("no such feature") }));
"""


@needs_web
def test_the_es_module_has_names_sizes_and_errors(tmp_path: Path) -> None:
    model = with_weights(
        """<ir_version: 8, opset_import: ["": 18]>
        rows (float[rows, 4] x) => (float[rows, 1] y) { y = MatMul (x, w) }""",
        w=(4, 1),
    )
    tilewright.compile(model, target=TARGET).export_library(tmp_path / "m.wasm")
    calls = """[
      { x: Float32Array.of(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0) },
      { x: new Float32Array(0) },
      { x: new Float32Array(6) },
      { x: tensor(new Float32Array(10), [2, 5]) },
      { x: tensor(new Float32Array(10), [2, 4]) },
      { x: tensor(new Float32Array(4), [4]) },
      { x: new Float64Array(4) },
      { z: new Float32Array(4) },
      {},
    ]"""
    found = json.loads(script(SCRIPT % calls, tmp_path))
    first, empty, *errors = found["said"]
    assert first == [0, 0, 0, "shape", 3, 1]
    assert empty[:1] + empty[-2:] in (["shape", 0, 1], [True, *empty[-1:]])
    expected = (
        "the shape of input x does not follow from its length",
        "argument 0 (x) has the wrong shape",
        "input x has the wrong number of elements",
        "argument 0 (x) has the wrong number of dimensions",
        "input x has the wrong type",
        "unknown input z",
        "input x has the wrong type",
    )
    for (is_ours, message), text in zip(errors, expected, strict=True):
        assert is_ours
        assert text in message
    assert "size 5 in dimension 1" in errors[1][1]
    assert found["rest"] == [2, 1]
    assert found["imports"] == 0
    assert found["facts"] == [["x", "float32", ["rows", 4]]]
    assert not found["other"]
    types = (tmp_path / "m.d.ts").read_text()
    assert '"x": Tensor<Float32Array> /* float32[rows, 4] */;' in types
    assert '"y": Tensor<Float32Array>' in types


@needs_web
def test_sizes_that_data_decides_are_those_of_the_outputs(tmp_path: Path) -> None:
    model = onnx.parser.parse_model(
        """<ir_version: 8, opset_import: ["": 18]>
        where (float[7] x) => (int64[1, n] y) { y = NonZero (x) }"""
    )
    module = tilewright.compile(model, target=TARGET)
    given = np.float32([0, 1, 0, 0, 2, 3, 0])
    np.testing.assert_array_equal(in_node(module, {"x": given}, tmp_path)["y"], [[1, 4, 5]])


@needs_web
def test_an_index_out_of_range_is_an_error_with_its_place(tmp_path: Path) -> None:
    model = onnx.parser.parse_model(
        """<ir_version: 8, opset_import: ["": 18]>
        g (float[2, 8] x, int64[1] i) => (float[1, 8] y) { y = Gather (x, i) }"""
    )
    module = tilewright.compile(model, target=TARGET)
    inputs = {"x": np.zeros((2, 8), np.float32), "i": np.array([9])}
    with pytest.raises(TilewrightError, match="an index is out of range") as caught:
        in_node(module, inputs, tmp_path)
    assert "expected: -2..1" in str(caught.value)


@needs_web
def test_the_commands_compile_and_compare(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "m.onnx"
    onnx.save(MODELS["product"], file)
    assert main(["compile", str(file), "--target", "wasm", "-o", str(tmp_path / "net.wasm")]) == 0
    assert sorted(path.name for path in tmp_path.glob("net.*")) == [
        "net.d.ts",
        "net.mjs",
        "net.wasm",
    ]
    assert main(["run", str(file), "--target", "wasm32"]) == 0
    said = capsys.readouterr().out
    assert "ran in node; instructions of the program: not counted: node has no counter" in said
    assert "equal to the outputs of this machine" in said
    # A kernel that subtracts each product is not taken for the right one.
    right = webassembly.link_module
    wrong = bytes([0xFD, 0xE5, 0x01])  # f32x4.sub
    monkeypatch.setattr(
        "tilewright.targets.cpu.emit.web.link_module",
        lambda *args, **options: right(*args, **options).replace(bytes([0xFD, 0xE4, 0x01]), wrong),
    )
    assert main(["run", str(file), "--target", "wasm32"]) == 1
    assert "the output differs" in capsys.readouterr().err


def test_a_missing_engine_or_linker_is_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    module = tilewright.compile(MODELS["product"], target=TARGET)
    with monkeypatch.context() as patch:
        patch.setattr(webassembly, "find_wasm_linker", lambda: None)
        with pytest.raises(LinkError) as caught:
            module.export_library(tmp_path / "m.wasm")
        assert str(caught.value).startswith("WebAssembly modules cannot be linked")
        assert "pip install tilewright[cross]" in str(caught.value)
    onnx.save(MODELS["product"], tmp_path / "m.onnx")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert main(["run", str(tmp_path / "m.onnx"), "--target", "wasm32"]) == 1
    said = capsys.readouterr().err
    assert "the emulator of the target is not installed" in said
    assert "apt-get install nodejs" in said


def test_this_process_does_not_run_webassembly(tmp_path: Path) -> None:
    module = tilewright.compile(MODELS["product"], target=TARGET)
    with pytest.raises(LoadError, match="this process cannot run WebAssembly"):
        module(np.zeros((37, 65), np.float32))
    with pytest.raises(ArgumentError, match="names no format of compiled models"):
        module.export_library(tmp_path / "m.so")
    with pytest.raises(TargetError, match="unknown system"):
        tilewright.Target("llvm -mtriple=wasm32-linux-gnu")


@needs_web
def test_two_exports_are_equal_and_hold_the_manifest(tmp_path: Path) -> None:
    module = tilewright.compile(MODELS["product"], target=TARGET)
    files: list[bytes] = []
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        module.export_library(tmp_path / name / "m.wasm")
        files.append((tmp_path / name / "m.wasm").read_bytes())
    assert files[0] == files[1]
    manifest = json.loads(webassembly.section_of(files[0], "tilewright") or b"{}")
    assert [each["name"] for each in manifest["inputs"]] == ["x"]
    assert manifest["kernels"]
    assert manifest["max_threads"] == 1
    module.export_library(tmp_path / "m.wasm", debug_info=True)
    described = (tmp_path / "m.wasm").read_bytes()
    assert webassembly.section_of(described, ".debug_line")
    assert not webassembly.section_of(files[0], ".debug_line")
    assert "packed.call @" in (tmp_path / "m.mlir").read_text()

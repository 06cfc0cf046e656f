"""Models as C source: results, warnings of two compilers, names, errors, limits of memory."""

from __future__ import annotations

import re
import subprocess
import sys
import tarfile
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import onnx
import onnx.parser
import pytest
from onnx import numpy_helper

import tilewright
from tilewright import TargetError, te
from tilewright.runtime.errors import OutOfRangeError
from tilewright.targets.c import loading
from tilewright.testing import models
from tilewright.tools.cli import main

from ...driver.export.test_export import c_compiler
from ...lowering.test_main_in_c import BRANCH, CNN, CONCAT, IMAGE, X, parsed
from ...peer import peer_results

rng = np.random.default_rng(0)
STRICT = ("-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic", "-c")
CLANG = [sys.executable, "-m", "ziglang", "cc"]


@pytest.fixture(autouse=True)
def _with_compiler() -> None:
    if loading.c_compiler() is None:
        pytest.skip("no C compiler")


def compiled(model: onnx.ModelProto, **options: object) -> tilewright.CompiledModule:
    return tilewright.compile(model, target="c", cache=False, strict_plan=True, **options)


def run(model: onnx.ModelProto, *inputs: np.ndarray, **options: object) -> list[np.ndarray]:
    made = compiled(model, **options)
    return [np.asarray(each) for each in made.run(inputs)]


def quantized_cnn() -> onnx.ModelProto:
    """Return a CNN of bytes, in the form that quantizers write (QDQ)."""
    rng = np.random.default_rng(1)
    arrays = {
        "w": rng.integers(-127, 128, (6, 3, 3, 3), np.int8),
        "v": rng.integers(-127, 128, (6, 4), np.int8),
        "xs": np.float32(0.03), "xz": np.uint8(120), "ws": np.float32(0.01), "z": np.int8(0),
        "ys": np.float32(0.02), "yz": np.uint8(0),
    }  # fmt: skip
    model = parsed("""quantized (float[1, 3, 9, 9] image) => (float[1, 4] scores) {
      qx = QuantizeLinear (image, xs, xz)
      x = DequantizeLinear (qx, xs, xz)
      dw = DequantizeLinear (w, ws, z)
      wide = Conv <pads = [1, 1, 1, 1], strides = [2, 2]> (x, dw)
      warm = Relu (wide)
      qy = QuantizeLinear (warm, ys, yz)
      y = DequantizeLinear (qy, ys, yz)
      mean = GlobalAveragePool (y)
      qm = QuantizeLinear (mean, ys, yz)
      m = DequantizeLinear (qm, ys, yz)
      row = Flatten (m)
      dv = DequantizeLinear (v, ws, z)
      scores = MatMul (row, dv)
    }""")
    tensors = (numpy_helper.from_array(np.asarray(a), name) for name, a in arrays.items())
    model.graph.initializer.extend(tensors)
    return model


QUANTIZED = np.random.default_rng(2).standard_normal((1, 3, 9, 9)).astype(np.float32)
NETWORKS = {
    "cnn": (lambda: parsed(CNN), [IMAGE]),
    "quantized": (quantized_cnn, [QUANTIZED]),
    "branch": (lambda: parsed(BRANCH), [X, np.array(True)]),
    "concat": (lambda: parsed(CONCAT.replace("[n, 2]", "[4, 2]")), [X[:, :2], X[:2, :3]]),
}


@pytest.mark.parametrize("name", NETWORKS)
def test_a_network_gives_what_onnxruntime_gives(name: str) -> None:
    make, inputs = NETWORKS[name]
    model = make()
    for got, want in zip(run(model, *inputs), peer_results(model, inputs), strict=True):
        np.testing.assert_allclose(got, want, rtol=1e-5, atol=1e-6)


def test_a_transformer_gives_what_onnxruntime_gives() -> None:
    model = models.encoder_model(layers=1, hidden=32, heads=2, ffn=64, seq=8)
    inputs = models.inputs_for(model)
    for got, want in zip(run(model, *inputs), peer_results(model, inputs), strict=True):
        np.testing.assert_allclose(got, want, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("name", ["cnn", "quantized"])
def test_strict_results_have_the_bits_of_machine_code(name: str) -> None:
    make, inputs = NETWORKS[name]
    strict = {"precision": "strict", "cache": False}
    wanted = tilewright.compile(make(), **strict).run(inputs)
    made = tilewright.compile(make(), target="c", **strict).run(inputs)
    for got, want in zip(made, wanted, strict=True):
        np.testing.assert_array_equal(np.asarray(got), np.asarray(want))


def test_a_wrong_kernel_has_other_results(monkeypatch: pytest.MonkeyPatch) -> None:
    texts_of = loading.texts_of

    def wrong(*arguments: object) -> tuple[str, str]:
        source, header = texts_of(*arguments)
        assert "sum +=" in source
        return source.replace("sum +=", "sum -=", 1), header

    monkeypatch.setattr(loading, "texts_of", wrong)
    (got,), (want,) = run(parsed(CNN), IMAGE), peer_results(parsed(CNN), [IMAGE])
    assert not np.allclose(got, want, atol=1e-3)


# ---- the files


@pytest.mark.parametrize("name", NETWORKS)
def test_two_compilers_have_no_warning(name: str, tmp_path: Path) -> None:
    compiled(NETWORKS[name][0]()).export_library(tmp_path / "my-model.c")
    commands = [c_compiler(), *([CLANG] if find_spec("ziglang") else [])]
    for command in commands:
        made = tmp_path / "my-model.o"
        subprocess.run([*command, *STRICT, "-o", made, tmp_path / "my-model.c"], check=True)
    header = (tmp_path / "my_model.h").read_text()
    assert "int my_model_run(" in header
    assert "#define MY_MODEL_ARENA_BYTES" in header


def test_the_source_has_the_names_of_the_model() -> None:
    source = compiled(parsed(CNN)).get_source("c")
    assert "static void conv_warm(" in source
    assert "conv_warm(image, w, warm);" in source
    assert "for (int32_t h = 0; h < 12; h++) {" in source
    assert re.search(r"sum \+= \w+ \* w\[", source)
    assert "static const float w[216] = { /* [8][3][3][3] */" in source


def test_one_kernel_is_one_function() -> None:
    made = compiled(parsed(CNN))
    assert made.get_source("c", kernel="matmul").startswith("static void matmul_scores(")
    with pytest.raises(LookupError, match=r"no kernel 'relu'(?s:.*)conv, reduce_sum, matmul"):
        made.get_source("c", kernel="relu")


def test_tensor_expressions_become_source() -> None:
    a, b = (te.placeholder((5, 6), name=name) for name in "ab")
    k = te.reduce_axis((0, 5), name="k")
    total = te.compute((5, 6), lambda i, j: a[i, j] + b[i, j], name="total")
    c = te.compute((6, 6), lambda i, j: te.sum(a[k, i] * total[k, j], axis=k), name="c")
    made = tilewright.build([a, b, c], target="c -mcpu=cortex-m4", cache=False)
    x, y = np.random.default_rng(4).standard_normal((2, 5, 6)).astype(np.float32)
    np.testing.assert_allclose(np.asarray(made(x, y)), x.T @ (x + y), rtol=1e-5, atol=1e-6)
    assert made.get_source().startswith("/* The model")


NAMES = {"a": "memory", "b": "int", "c": "exp_f32", "d": "copy_bytes", "e": "add_y", "y": "arena"}
"""Names of tensors that are words of C or names in the source."""


def test_names_of_tensors_may_be_those_of_the_source() -> None:
    model = parsed("""names (float[4] a, float[4] b, float[4] c) => (float[4] y) {
      d = Exp (a)
      e = Add (b, c)
      f = Softmax <axis = 0> (e)
      y = Add (d, f)
    }""")
    for node in model.graph.node:
        node.input[:] = [NAMES.get(name, name) for name in node.input]
        node.output[:] = [NAMES.get(name, name) for name in node.output]
    for value in (*model.graph.input, *model.graph.output):
        value.name = NAMES[value.name]
    inputs = np.random.default_rng(3).standard_normal((3, 4)).astype(np.float32)
    (got,), (want,) = run(model, *inputs), peer_results(model, inputs)
    np.testing.assert_allclose(got, want, rtol=1e-6)


def test_the_source_is_freestanding_without_recursion() -> None:
    model = models.encoder_model(layers=1, hidden=32, heads=2, ffn=64, seq=8)
    source = compiled(model).get_source("c")
    included = set(re.findall(r"#include <(.*)>", source))
    assert included <= {"math.h", "stdbool.h", "stddef.h", "stdint.h"}
    assert "malloc" not in source
    defined: set[str] = set()
    for found in re.finditer(
        r"^(?:static )?\w+ \**(\w+)\([^;{]*\)\n\{\n(.*?)^\}", source, re.M | re.S
    ):
        calls = set(re.findall(r"\b([a-z]\w+)\(", found[2])) - {"if", "for", "while", "switch"}
        library = {"sqrtf", "fabsf", "copysignf"}
        assert calls - library <= defined, f"{found[1]} calls {calls - defined}"
        defined.add(found[1])
    assert {"exp_f32", "main_run"} <= defined


def test_constants_read_back_exactly() -> None:
    values = np.float32([0.1, -1e-45, 3.4028235e38, np.inf, np.nan, 16777217, -0.0])
    model = parsed("constants (float[7] x) => (float[7] y) { y = Add (x, w) }")
    model.graph.initializer.append(numpy_helper.from_array(values, "w"))
    (got,) = run(model, np.zeros(7, np.float32))
    np.testing.assert_array_equal(got.view(np.uint32)[:4], values.view(np.uint32)[:4])
    assert np.isnan(got[4])
    np.testing.assert_array_equal(got[5:], values[5:] + np.float32(0))


def test_an_archive_holds_both_files(tmp_path: Path) -> None:
    compiled(parsed(CNN)).export_library(tmp_path / "net.tar")
    with tarfile.open(tmp_path / "net.tar") as archive:
        assert sorted(archive.getnames()) == ["net.c", "net.h"]


# ---- errors and limits


def test_an_index_out_of_range_is_an_error_that_names_the_node() -> None:
    model = parsed("""indices (float[9, 4] table, int64[2] words) => (float[2, 4] rows) {
      rows = Gather <axis = 0> (table, words)
    }""")
    table = np.random.default_rng(0).random((9, 4), np.float32)
    (got,) = run(model, table, np.int64([8, -9]))
    np.testing.assert_array_equal(got, table[[8, -9]])
    with pytest.raises(OutOfRangeError, match=r"Gather.*: an index is out of range"):
        run(model, table, np.int64([0, 9]))


def test_a_model_above_the_limit_of_memory_is_refused() -> None:
    model = parsed(CNN)
    # A channel of the convolution, behind the means of all channels.
    needed = 4 * 12 * 12 + 64
    tilewright.compile(model, target=f"c -max-ram={needed}", cache=False)
    with pytest.raises(TargetError) as caught:
        tilewright.compile(model, target=f"c -max-ram={needed - 1}", cache=False)
    message = str(caught.value)
    assert f"at most {needed - 1} bytes" in message
    assert "mean (32), buffers of the step (576)" in message
    assert "conv of Conv_0, Relu_1, GlobalAveragePool_2" in message


def test_the_command_writes_source_within_a_limit(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    model, file = tmp_path / "cnn.onnx", tmp_path / "cnn.c"
    onnx.save(parsed(CNN), model)
    command = ["compile", str(model), "--target", "c", "-o", str(file), "--max-ram"]
    assert main([*command, "600"]) == 1
    assert "at most 600 bytes (-max-ram=600)" in capsys.readouterr().err
    assert not file.exists()
    assert main([*command, "1K"]) == 0
    assert "int cnn_run(" in file.read_text()
    assert main([*command, "few"]) == 1
    assert "such as 64K" in capsys.readouterr().err


def test_symbolic_sizes_are_refused_or_bound() -> None:
    model = parsed("rows (float[n, 4] x) => (float[n, 4] y) { y = Relu (x) }")
    (got,) = run(model, X[:, :4], shapes={"n": 4})
    np.testing.assert_array_equal(got, np.maximum(X[:, :4], 0))


@pytest.mark.parametrize("target", ["c", "hls"])
@pytest.mark.parametrize("extent", [16, 18])
def test_a_schedule_with_vectors_computes_every_lane(target: str, extent: int) -> None:
    x, y = te.placeholder((6, 10), name="x"), te.placeholder((10, extent), name="y")
    k = te.reduce_axis((0, 10), name="k")
    z = te.compute((6, extent), lambda i, j: te.sum(x[i, k] * y[k, j], axis=k), name="z")
    schedule = te.create_schedule(z.op)
    schedule[z].reorder("i", "k", "j")
    _, inner = schedule[z].split("j", 8)
    schedule[z].vectorize(inner)
    mod = tilewright.build(schedule, [x, y, z], target=target)
    a, b = (rng.standard_normal(shape, np.float32) for shape in ((6, 10), (10, extent)))
    np.testing.assert_allclose(mod(a, b).numpy(), a @ b, rtol=1e-5, atol=1e-5)

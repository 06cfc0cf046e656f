"""compile: determinism, arguments, sources and the disk cache; models are small."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import ml_dtypes
import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper
from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser

import tilewright
from tilewright.analysis.verify import check_level
from tilewright.codegen import worker
from tilewright.codegen.objects import PROCESS_PARTS
from tilewright.dialects.graph import MulOp
from tilewright.driver.compile_module import compile_module
from tilewright.driver.module.compiled_module import CompiledModule
from tilewright.runtime.errors import ArgumentError
from tilewright.support.cache import DiskCache
from tilewright.support.config import read_config
from tilewright.support.diagnostics import (
    LoweringError,
    ModelError,
    TargetError,
    TilewrightError,
)
from tilewright.support.registry import new_context
from tilewright.targets.cpu.backend import CPU
from tilewright.testing import models

from ..onnx_models import onnx_model
from ..ops.case import OpCase, float_input

MODELS = {
    "conv": lambda: models.conv_model(channels=8, size=12, filters=24),
    "depthwise": lambda: models.conv_model(channels=16, size=9, filters=16, groups=16),
    "encoder": lambda: models.encoder_model(layers=1, hidden=64, heads=4, ffn=128, seq=24),
    "ffn": lambda: models.ffn_model(m=33, k=70, n=129),
    "layernorm": lambda: models.layernorm_model(shape=(37, 130)),
    "residual": lambda: models.residual_model(channels=16, size=14),
    "softmax": lambda: models.softmax_model(shape=(5, 17, 33), axis=1),
}


@pytest.fixture(scope="module")
def ffn() -> onnx.ModelProto:
    return models.ffn_model(m=4, k=8, n=12)


@pytest.fixture(scope="module")
def compiled(ffn: onnx.ModelProto) -> CompiledModule:
    return tilewright.compile(ffn)


def ffn_reference(model: onnx.ModelProto, x: np.ndarray) -> np.ndarray:
    from onnx.reference import ReferenceEvaluator

    return ReferenceEvaluator(model).run(None, {"x": x})[0]


# -- contents of the module ----------------------------------------------------------------------


def test_it_is_a_compiled_module_with_kernels(compiled: CompiledModule) -> None:
    assert not compiled.reason
    assert sum(kernel.calls for kernel in compiled.kernels) > 0
    assert sum(kernel.flops for kernel in compiled.kernels) >= 2 * 4 * 8 * 12


def test_a_graph_module_compiles_and_stays_as_it_is() -> None:
    case = OpCase("mul", MulOp, (float_input(3, 5), float_input(3, 5)), np.multiply)
    module, _ = case.function()
    before = str(module)
    compiled = compile_module(module, threads=1)
    assert str(module) == before
    assert [spec.name for spec in (*compiled.inputs, *compiled.outputs)] == ["x0", "x1", "y0"]
    a, b = case.arrays()
    np.testing.assert_array_equal(np.asarray(compiled(a, b)), a * b)


def test_inputs_and_outputs_have_their_names_in_the_text() -> None:
    text = """
    func.func @main(%left: tensor<4xf32>, %right: tensor<4xf32>) -> tensor<4xf32> {
      %sum = graph.add %left, %right : tensor<4xf32>
      func.return %sum : tensor<4xf32>
    }"""
    compiled = compile_module(text, threads=1)
    assert compiled.manifest.signature.startswith("main(left: float32[4], right: ")
    (x,) = compiled.run({"right": np.ones(4, np.float32), "left": np.zeros(4, np.float32)})
    assert [spec.name for spec in compiled.outputs] == ["sum"]
    np.testing.assert_array_equal(x.numpy(), 1)
    recorded = text.replace("-> tensor<4xf32> {", '-> tensor<4xf32> attributes {A = ["a", "b"]} {')
    again = compile_module(recorded.replace("A =", "tw.arg_names ="), threads=1)
    assert [spec.name for spec in (*again.inputs, *again.outputs)] == ["a", "b", "sum"]
    unnamed = compile_module(text.replace("%left", "%0"), threads=1)
    assert [spec.name for spec in (*unnamed.inputs, *unnamed.outputs)] == ["x0", "x1", "sum"]


def test_a_module_without_main_is_refused() -> None:
    with pytest.raises(ModelError, match=r"no function to compile\n    expected: func.func @main"):
        compile_module(ModuleOp([]))


# -- equal input, equal output -------------------------------------------------------------------

CODE_OF_ENCODER = """
import hashlib, tilewright
from tilewright.support.ir_parser import IrParser
from tilewright.support.registry import new_context
from tilewright.testing.models import encoder_model
model = encoder_model(layers=1, hidden=32, heads=2, ffn=64, seq=8)
compiled = tilewright.compile(model)
print(hashlib.sha256(compiled.code).hexdigest())
for level in ("graph", "te", "sched", "scheduled", "loop", "packed"):
    module = IrParser(new_context(), compiled.get_source(level)).parse_module()
    print(tilewright.ir.structural_hash(module))
"""


@pytest.mark.slow
def test_equal_models_give_equal_bytes_in_any_process(tmp_path: Path) -> None:
    model = models.encoder_model(layers=1, hidden=32, heads=2, ffn=64, seq=8)
    first, second = (tilewright.compile(model).code for _ in range(2))
    assert first == second
    outputs: set[str] = set()
    for seed in ("1", "2"):
        # A separate cache, so that nothing is reused.
        environment = os.environ | {
            "PYTHONHASHSEED": seed,
            "TILEWRIGHT_CACHE_DIR": str(tmp_path / seed),
        }
        run = subprocess.run(
            [sys.executable, "-c", CODE_OF_ENCODER],
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        )
        assert run.stdout.split()[0] == hashlib.sha256(first).hexdigest()
        outputs.add(run.stdout)
    assert len(outputs) == 1


@pytest.mark.slow
@pytest.mark.parametrize("name", MODELS)
def test_the_number_of_threads_does_not_change_a_bit(name: str) -> None:
    model = MODELS[name]()
    compiled = tilewright.compile(model)
    inputs = models.inputs_for(model)
    one, two = (compiled.run(inputs, threads=n) for n in (1, 2))
    for a, b in zip(one, two, strict=True):
        np.testing.assert_array_equal(np.asarray(a), np.asarray(b))


# -- symbolic sizes ------------------------------------------------------------------------------


def test_strict_functions_are_rounded_once() -> None:
    node = helper.make_node("Tanh", ["x"], ["y"])
    values = [helper.make_tensor_value_info(n, TensorProto.FLOAT, [4096]) for n in "xy"]
    graph = helper.make_graph([node], "tanh", values[:1], values[1:])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=10)
    x = np.linspace(-9, 9, 4096, dtype=np.float32)
    exact = np.tanh(x.astype(np.float64)).astype(np.float32)
    strict = tilewright.compile(model, precision="strict")(x).numpy()
    np.testing.assert_array_equal(strict, exact)
    assert (tilewright.compile(model)(x).numpy() != exact).any()


def product_model(m: int, n: int, k: int, dtype: type[np.generic]) -> onnx.ModelProto:
    weights = np.random.default_rng(0).random((k, n)).astype(dtype)
    type_ = helper.np_dtype_to_tensor_dtype(weights.dtype)
    x, y = (helper.make_tensor_value_info(v, type_, d) for v, d in (("x", [m, k]), ("y", [m, n])))
    node = helper.make_node("MatMul", ["x", "w"], ["y"])
    graph = helper.make_graph([node], "product", [x], [y], [numpy_helper.from_array(weights, "w")])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=10)


@pytest.mark.parametrize("m", [1, 8])
@pytest.mark.parametrize(("dtype", "error"), [(np.float32, 3e-7), (np.float16, 4e-4)])
def test_long_sums_are_made_in_blocks(m: int, dtype: type[np.generic], error: float) -> None:
    model = product_model(m, 32, 16384, dtype)
    x = (np.random.default_rng(1).random((m, 16384)) / 64).astype(dtype)
    weights = numpy_helper.to_array(model.graph.initializer[0])
    expected = x.astype(np.float64) @ weights.astype(np.float64)
    got = tilewright.compile(model)(x).numpy()
    # Sequential sums: 1.7e-6. Halves are summed in f32 and have no buffer for blocks.
    assert np.linalg.norm(got - expected) < error * np.linalg.norm(expected)


def symbolic_encoder() -> onnx.ModelProto:
    return models.encoder_model(layers=1, hidden=16, heads=2, ffn=32, seq="seq", batch="batch")


@pytest.mark.slow
def test_shapes_bind_symbolic_sizes() -> None:
    model = symbolic_encoder()
    for batch, seq in ((1, 5), (2, 8)):
        compiled = tilewright.compile(model, shapes={"hidden_states": (batch, seq, 16)})
        assert compiled.inputs[0].shape == compiled.outputs[0].shape == (batch, seq, 16)
        x = np.random.default_rng(0).standard_normal((batch, seq, 16), np.float32)
        assert np.isfinite(np.asarray(compiled(x))).all()


def test_an_unbound_size_is_named_with_what_to_write() -> None:
    nodes = [
        helper.make_node("Shape", ["x"], ["k"], start=0, end=1),
        helper.make_node("TopK", ["x", "k"], ["y", ""], axis=1),
    ]
    model = onnx_model(nodes, {"x": ["batch", "seq", 3]})
    module = tilewright.compile(model)
    assert module.reason
    assert str(module.unbound()) == (
        "input 'x' has a size that is not a number\n"
        "    expected: every size bound\n"
        "    got: float32[batch, seq, 3]\n"
        '    hint: pass e.g. shapes={"x": (1, 1, 3)}, or --shapes x=1x1x3'
    )


def test_a_named_size_that_the_weights_decide_is_this_number() -> None:
    model = symbolic_encoder()
    model.graph.input[0].type.tensor_type.shape.dim[2].dim_param = "hidden"
    assert tilewright.compile(model).inputs[0].shape == ("batch", "seq", 16)


@pytest.mark.parametrize(
    ("shapes", "parts"),
    [
        ({"hidden_states": (1, 16)}, ["wrong rank", "(batch, seq, 16)", "(1, 16)"]),
        ({"hidden_states": (1, 5, 17)}, ["axis 2", "expected: 16", "got: 17"]),
        ({"hidden": (1, 5, 16)}, ["names no input", "expected: hidden_states", "got: hidden"]),
        ({"hidden_states": (1, -5, 16)}, ["negative size", "got: -5"]),
        ({"hidden_states": (1, 5.0, 16)}, ["no whole number", "got: 5.0"]),
        ({"hidden_states": 5}, ["no shape", "expected: a tuple of sizes", "got: 5"]),
    ],
)
def test_shapes_that_contradict_the_model_are_refused(shapes, parts) -> None:
    with pytest.raises(ModelError) as caught:
        tilewright.compile(symbolic_encoder(), shapes=shapes)
    assert all(part in str(caught.value) for part in parts), caught.value


def test_an_unknown_target_is_refused(ffn: onnx.ModelProto) -> None:
    with pytest.raises(TilewrightError, match="did you mean x86-64"):
        tilewright.compile(ffn, target="llvm -mcpu=x86-65")


@pytest.mark.parametrize("target", [3, "", "llvm -mattr='"])
def test_what_is_no_target_is_refused(target, ffn: onnx.ModelProto) -> None:
    with pytest.raises(TargetError, match="target"):
        tilewright.compile(ffn, target=target)


@pytest.mark.parametrize("threads", [0, -1, "2", 2.5, True])
def test_what_is_no_number_of_threads_is_refused(threads, ffn, compiled) -> None:
    with pytest.raises(ArgumentError, match="from 1 on"):
        tilewright.compile(ffn, threads=threads)
    with pytest.raises(ArgumentError, match="from 1 on"):
        compiled.run({"x": np.zeros((4, 8), np.float32)}, threads=threads)


@pytest.mark.parametrize("model", [None, 3, [b""], onnx.GraphProto()], ids=repr)
def test_what_is_no_model_is_refused(model) -> None:
    with pytest.raises(ModelError) as caught:
        tilewright.compile(model)
    assert f"got: {type(model).__name__}" in str(caught.value)
    assert "a path, bytes or an onnx.ModelProto" in str(caught.value)


def cast_model(source: int, target: int) -> onnx.ModelProto:
    x, y = (
        helper.make_tensor_value_info(name, dtype, [4])
        for name, dtype in (("x", source), ("y", target))
    )
    node = helper.make_node("Cast", ["x"], ["y"], to=target)
    opsets = [helper.make_opsetid("", 23)]
    return helper.make_model(helper.make_graph([node], "cast", [x], [y]), opset_imports=opsets)


@pytest.mark.parametrize("dtype", ["int4", "uint4", "float4_e2m1fn", "float8_e4m3fn"])
def test_types_of_a_byte_and_less_are_converted_in_both_directions(dtype) -> None:
    x = np.array([0, 1, 1, 0], getattr(ml_dtypes, dtype))
    narrow, wide = helper.np_dtype_to_tensor_dtype(x.dtype), TensorProto.FLOAT
    np.testing.assert_array_equal(
        tilewright.compile(cast_model(narrow, wide))(x).numpy(), x.astype(np.float32)
    )
    back = tilewright.compile(cast_model(wide, narrow))(x.astype(np.float32)).numpy()
    assert back.dtype == x.dtype
    np.testing.assert_array_equal(back, x)


def test_a_type_without_machine_code_is_reported_with_its_kernel() -> None:
    x, y = (helper.make_tensor_value_info(n, TensorProto.COMPLEX64, [2, 2]) for n in "xy")
    graph = helper.make_graph([helper.make_node("Transpose", ["x"], ["y"])], "t", [x], [y])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21)])
    with pytest.raises(LoweringError, match=r"^kernel 'transpose': no machine code"):
        tilewright.compile(model)


# -- sources -------------------------------------------------------------------------------------


@pytest.mark.parametrize("level", CPU.levels)
def test_the_text_of_a_level_parses_and_holds_its_dialects_only(level, compiled) -> None:
    text = compiled.get_source(level)
    module = Parser(new_context(), text).parse_module()
    module.verify()
    check_level(module, level, CPU.levels[level])
    assert str(module) == text


def test_the_graph_level_is_the_optimized_graph(compiled) -> None:
    assert "graph.matmul" in compiled.get_source("graph")
    assert "te.compute" in compiled.get_source("te")


def test_below_the_levels_there_are_llvm_ir_and_assembly(compiled) -> None:
    assert "; kernel 'matmul': " in compiled.get_source()
    assert compiled.get_source() == compiled.get_source("ll")
    assert "# kernel 'matmul': " in compiled.get_source("asm")


def test_an_unknown_kind_of_source_is_refused(compiled) -> None:
    with pytest.raises(LookupError, match=r"no text of kind 'ptx'\n    expected: graph, te, .*asm"):
        compiled.get_source("ptx")


# -- calls ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", ["proto", "bytes", "path", "text path"])
def test_a_model_comes_in_any_form(form: str, ffn: onnx.ModelProto, tmp_path: Path) -> None:
    path = tmp_path / "ffn.onnx"
    onnx.save(ffn, path)
    given = {"proto": ffn, "bytes": ffn.SerializeToString(), "path": path, "text path": str(path)}
    before = ffn.SerializeToString(deterministic=True)
    x = models.inputs_for(ffn)[0]
    out = np.asarray(tilewright.compile(given[form])(x))
    np.testing.assert_allclose(out, ffn_reference(ffn, x), rtol=1e-5, atol=1e-6)
    assert ffn.SerializeToString(deterministic=True) == before


def test_inputs_by_name_and_outputs_given(ffn, compiled) -> None:
    x = models.inputs_for(ffn)[0]
    want = np.asarray(compiled(x))
    np.testing.assert_array_equal(np.asarray(compiled(x=x)), want)
    np.testing.assert_array_equal(np.asarray(compiled.run({"x": x})[0]), want)
    out = np.full_like(want, np.nan)
    assert compiled(x, out) is None
    np.testing.assert_array_equal(out, want)


@pytest.mark.parametrize(
    ("arguments", "parts"),
    [
        ((np.zeros((4, 9), np.float32),), ["x", "expected: float32[4, 8]", "got: float32[4, 9]"]),
        ((np.zeros((4, 8)),), ["x", "dtype", "expected: float32[4, 8]", "got: float64[4, 8]"]),
        (
            (np.zeros((4, 8), np.float32), np.zeros((4, 11), np.float32)),
            ["Gelu", "expected: float32[4, 12]", "got: float32[4, 11]"],
        ),
        ((), ["number of arguments", "expected: 1 (inputs) or 2", "got: 0"]),
    ],
)
def test_a_wrong_argument_is_named_with_what_was_expected(arguments, parts, compiled) -> None:
    with pytest.raises(ArgumentError) as caught:
        compiled(*arguments)
    text = str(caught.value)
    assert all(part in text for part in parts), text
    assert "main(x: float32[4, 8]) -> (Gelu: float32[4, 12])" in text


# -- the disk cache ------------------------------------------------------------------------------


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> DiskCache:
    monkeypatch.setenv("TILEWRIGHT_CACHE_DIR", str(tmp_path / "cache"))
    return DiskCache(read_config().cache_dir)


@pytest.fixture
def compilations(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the texts that were compiled, not read from the cache."""
    texts: list[str] = []
    original = worker.compile_ir

    def counted(text: str, *arguments, **options):
        texts.append(text)
        return original(text, *arguments, **options)

    monkeypatch.setattr(worker, "compile_ir", counted)
    return texts


def test_the_second_compilation_takes_everything_from_the_cache(ffn, cache, compilations) -> None:
    first = tilewright.compile(ffn)
    count = len(compilations)
    assert count >= 3  # a kernel, main, the entry; the pool may be loaded already
    assert cache.folder.is_dir()
    assert tilewright.compile(ffn).code == first.code
    assert len(compilations) == count


def test_another_target_does_not_share_entries(ffn, cache, compilations) -> None:
    tilewright.compile(ffn, target="llvm -mcpu=x86-64")
    count = len(compilations)
    tilewright.compile(ffn, target="llvm -mcpu=x86-64-v2")
    assert len(compilations) > count


def test_a_damaged_entry_is_compiled_again(ffn, cache, compilations) -> None:
    first = tilewright.compile(ffn)
    count = len(compilations)
    for path in cache.folder.rglob("*.*"):
        path.write_bytes(path.read_bytes()[:-1] + b"?")
    assert tilewright.compile(ffn).code == first.code
    shared = len((*PROCESS_PARTS, "weights"))  # the objects that all models share are in memory
    assert len(compilations) == 2 * count - shared


@pytest.mark.slow
def test_threads_compile_at_once(cache) -> None:
    names = ["ffn", "softmax", "ffn", "layernorm", "softmax", "ffn"]
    expected = {name: tilewright.compile(MODELS[name]()).code for name in set(names)}
    for path in cache.folder.rglob("*.*"):
        path.unlink()
    with ThreadPoolExecutor(2) as pool:
        made = list(pool.map(lambda name: tilewright.compile(MODELS[name]()).code, names))
    assert made == [expected[name] for name in names]

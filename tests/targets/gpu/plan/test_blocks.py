"""Enough blocks: strips of columns, sums in parts, and products along k, for sm_90a."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import replace
from math import prod

import numpy as np
import onnx
import pytest
from xdsl.dialects.builtin import ModuleOp

import tilewright
from tilewright.analysis.verify import verify_module
from tilewright.dialects.simt import launch_of
from tilewright.driver.passes.pipeline import run_pipeline
from tilewright.frontend.onnx.importer import import_model
from tilewright.interp import packed
from tilewright.machines.gpu_numbers import NUMBERS, GpuNumbers
from tilewright.machines.target import Target
from tilewright.support.entry import kernel_functions
from tilewright.support.precision import Precision
from tilewright.support.registry import new_context
from tilewright.targets.gpu.plan import splits, streams, sums, tensor_product

H100, OPENCL = Target("cuda -arch=sm_90a"), Target("opencl")
TYPES = {"float": np.dtype("f4"), "float16": np.dtype("f2")}
RNG = np.random.default_rng(0)


def matmul(m: int, k: int, n: int, dtype: str = "float") -> onnx.ModelProto:
    return model(f"{dtype}[{m},{k}] a, {dtype}[{k},{n}] b", f"{dtype}[{m},{n}]", "MatMul(a, b)")


def transposed(m: int, k: int, n: int, dtype: str = "float") -> onnx.ModelProto:
    inputs = f"{dtype}[{m},{k}] a, {dtype}[{n},{k}] b"
    return model(inputs, f"{dtype}[{m},{n}]", "Gemm <transB = 1> (a, b)")


def reduce(op: str, shape: tuple[int, int], axis: int, dtype: str = "float") -> onnx.ModelProto:
    out, sizes = shape[1 - axis], f"{shape[0]},{shape[1]}"
    head = f"a = Constant <value = int64[1] {{{axis}}}> () y = "
    return model(f"{dtype}[{sizes}] x", f"{dtype}[{out}]", f"{op} <keepdims = 0> (x, a)", head)


def model(inputs: str, result: str, body: str, head: str = "y = ") -> onnx.ModelProto:
    text = f'<ir_version: 10, opset_import: ["": 18]> g ({inputs}) => ({result} y)'
    return onnx.parser.parse_model(f"{text} {{ {head}{body} }}")


def lowered(
    given: onnx.ModelProto, target: Target = H100, precision: Precision = Precision.DEFAULT
) -> ModuleOp:
    module = import_model(given)
    run_pipeline(module, new_context(), target, to="simt", precision=precision)
    verify_module(module)
    return module


def blocks_of(module: ModuleOp) -> list[int]:
    """Return the number of blocks of each launch."""
    launches = [launch_of(kernel) for kernel in kernel_functions(module)]
    return [prod(size.value or 0 for size in launch.grid) for launch in launches if launch]


@pytest.fixture
def slow_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """Model a GPU without launch costs and with slow memory, so that short sums have parts."""
    use(monkeypatch, replace(NUMBERS["sm_90a"], memory_bandwidth=1e9))


@pytest.fixture
def slow_units(monkeypatch: pytest.MonkeyPatch) -> None:
    """Model a GPU without launch costs and with few multiply-adds, for products in parts."""
    use(monkeypatch, replace(NUMBERS["sm_90a"], memory_bandwidth=1e15, multiplies=16, lanes=4))


def use(monkeypatch: pytest.MonkeyPatch, numbers: GpuNumbers) -> None:
    monkeypatch.setattr(streams, "LAUNCH_SECONDS", 0)
    for module in (sums, splits):
        monkeypatch.setattr(module, "numbers_of", lambda _: numbers)


def check(given: onnx.ModelProto, launches: int, target: Target = H100) -> None:
    """Run a model on the interpreter, which reports races, twice, and compare with numpy."""
    module = lowered(given, target)
    shapes = [[d.dim_value for d in i.type.tensor_type.shape.dim] for i in given.graph.input]
    dtype = TYPES["float16" if given.graph.input[0].type.tensor_type.elem_type == 10 else "float"]
    arrays = [RNG.standard_normal(shape).astype(dtype) for shape in shapes]
    (got,) = packed.run(module, *arrays)
    (again,) = packed.run(module, *arrays)
    np.testing.assert_array_equal(got, again)
    wide = [array.astype(np.float64) for array in arrays]
    node = given.graph.node[-1]
    if node.op_type in ("MatMul", "Gemm"):
        want = wide[0] @ (wide[1] if node.op_type == "MatMul" else wide[1].T)
    else:
        axis = int(onnx.numpy_helper.to_array(given.graph.node[0].attribute[0].t)[0])
        want = {"ReduceSum": np.sum, "ReduceMax": np.max}[node.op_type](wide[0], axis=axis)
    error = 2e-5 if dtype == np.float32 else 2e-3
    scale = np.abs(want).max()
    np.testing.assert_allclose(got.astype(np.float64), want, rtol=error, atol=error * scale)
    assert len(blocks_of(module)) == launches


@pytest.mark.parametrize("target", [H100, OPENCL, Target("webgpu")], ids=str)
def test_strips_of_columns_equal_numpy(target: Target) -> None:
    """Ragged columns, sums that groups do not divide, and several rows for each element."""
    check(reduce("ReduceSum", (77, 50), 0), 1, target)
    check(reduce("ReduceMax", (100, 72), 0), 1, target)
    check(reduce("ReduceSum", (40, 37), 0), 1, target)
    check(matmul(1, 64, 128), 1, target)
    check(matmul(3, 70, 40), 1, target)
    check(matmul(5, 64, 66), 1, target)
    check(matmul(7, 96, 72, "float16"), 1, target)
    check(matmul(11, 128, 64), 1, target)


@pytest.mark.parametrize("filters", [48, 37])
@pytest.mark.parametrize("target", [H100, OPENCL], ids=str)
def test_strips_of_more_rows_than_registers_equal_numpy(target: Target, filters: int) -> None:
    """A block has up to 16 of the rows of a 1 x 1 convolution; 37 rows have a block each."""
    sizes = f"float[1,96,5,6] x, float[{filters},96,1,1] w"
    module = lowered(model(sizes, f"float[1,{filters},5,6]", "Conv(x, w)"), target)
    x, w = (RNG.standard_normal(s).astype("f4") for s in ((1, 96, 5, 6), (filters, 96, 1, 1)))
    (got,) = packed.run(module, x, w)
    want = np.einsum("oi,nihw->nohw", w[:, :, 0, 0].astype("f8"), x)
    np.testing.assert_allclose(got, want, rtol=2e-5, atol=1e-4)
    (blocks,) = blocks_of(module)
    assert blocks % (filters // (16 if filters % 16 == 0 else 1)) == 0


@pytest.mark.parametrize("target", [H100, OPENCL, Target("webgpu")], ids=str)
def test_thin_products_of_contiguous_columns_equal_numpy(target: Target) -> None:
    check(transposed(3, 100, 8), 1, target)
    check(transposed(2, 64, 5, "float16"), 1, target)
    check(transposed(5, 70, 3), 1, target)


@pytest.mark.usefixtures("slow_memory")
def test_sums_in_parts_equal_numpy() -> None:
    check(reduce("ReduceSum", (256, 64), 0), 2)
    check(reduce("ReduceMax", (1, 3072), 1), 2)
    check(reduce("ReduceSum", (3, 2048), 1), 2)
    check(reduce("ReduceSum", (2048, 67), 0), 2)
    check(matmul(3, 128, 40), 2)
    check(transposed(2, 2048, 4), 2)


def test_weights_by_columns_need_no_parts() -> None:
    """A constant matrix is stored by columns, of which each has a block."""
    given, columns = matmul(1, 2048, 64, "float16"), 64
    weights = RNG.standard_normal((2048, columns)).astype("f2")
    given.graph.initializer.append(onnx.numpy_helper.from_array(weights, "b"))
    module = lowered(given)
    x = RNG.standard_normal((1, 2048)).astype("f2")
    (got,) = packed.run(module, x)
    want = x.astype("f8") @ weights.astype("f8")
    np.testing.assert_allclose(got.astype("f8"), want, rtol=2e-3, atol=2e-3 * np.abs(want).max())
    assert blocks_of(module) == [columns]
    assert len(blocks_of(lowered(matmul(1, 2048, columns, "float16")))) == 2


@pytest.mark.parametrize("dtype", ["float", "float16", "bfloat16"])
def test_threads_load_sixteen_bytes_of_a_matrix(dtype: str) -> None:
    module = tilewright.compile(matmul(1, 4096, 14336, dtype), target=str(H100), cache=False)
    assert re.search(r"ld\.global(\.nc)?\.v(4\.[bf]32|2\.[bf]64)", module.get_source("ptx"))


@pytest.mark.usefixtures("slow_units")
@pytest.mark.parametrize("dtype", [pytest.param("float", marks=pytest.mark.nightly), "float16"])
def test_products_in_parts_equal_numpy(dtype: str) -> None:
    check(matmul(17, 128, 20, dtype), 2)
    check(matmul(16, 128, 32, dtype), 2)


@pytest.mark.parametrize("made", [matmul, pytest.param(transposed, marks=pytest.mark.nightly)])
def test_tiles_of_48_columns_equal_numpy(
    made: Callable[..., onnx.ModelProto], monkeypatch: pytest.MonkeyPatch
) -> None:
    """One multiprocessor computes all columns in one block."""
    numbers = replace(NUMBERS["sm_90a"], multiprocessors=1)
    for module in (splits, tensor_product):
        monkeypatch.setattr(module, "numbers_of", lambda _: numbers)
    given = made(40, 72, 48, "float16")
    check(given, 1)
    assert blocks_of(lowered(given)) == [1]


@pytest.mark.parametrize("dtype", TYPES)
def test_a_sum_over_heads_is_a_product_with_tiles(dtype: str) -> None:
    """The projection after attention sums over the heads and their features."""
    text = f"""<ir_version: 10, opset_import: ["": 18]>
        g ({dtype}[1,2,17,64] x, {dtype}[128,24] w) => ({dtype}[1,17,24] y) {{
            shape = Constant <value = int64[3] {{1, 17, 128}}> ()
            rows = Transpose <perm = [0, 2, 1, 3]> (x)
            merged = Reshape (rows, shape)
            y = MatMul (merged, w)
        }}"""
    module = lowered(onnx.parser.parse_model(text))
    x, w = (RNG.standard_normal(s).astype(TYPES[dtype]) for s in ((1, 2, 17, 64), (128, 24)))
    (got,) = packed.run(module, x, w)
    want = x.astype("f8").transpose(0, 2, 1, 3).reshape(1, 17, 128) @ w.astype("f8")
    error = 1e-4 if dtype == "float" else 1e-2
    np.testing.assert_allclose(got.astype("f8"), want, rtol=error, atol=20 * error)
    (kernel,) = kernel_functions(module)
    launch = launch_of(kernel)
    assert launch is not None
    assert launch.shared_bytes > 0


def test_a_softmax_of_scores_is_one_launch() -> None:
    """Attention of features without vectors: scores, softmax, and the weighted sum of values."""
    body, sizes = "Attention (q, k, v)", ("1,4,3,18", "1,4,3000,18", "1,4,3000,18")
    inputs = ", ".join(f"float[{s}] {n}" for s, n in zip(sizes, "qkv", strict=True))
    text = f'<ir_version: 10, opset_import: ["": 23]> g ({inputs}) => (float[1,4,3,18] y)'
    module = lowered(onnx.parser.parse_model(f"{text} {{ y = {body} }}"))
    q, k, v = (RNG.standard_normal(tuple(map(int, s.split(",")))).astype("f4") for s in sizes)
    (got,) = packed.run(module, q, k, v)
    weights = np.exp(q.astype("f8") @ k.transpose(0, 1, 3, 2) / 18**0.5)
    want = weights / weights.sum(-1, keepdims=True) @ v
    np.testing.assert_allclose(got, want, rtol=1e-4, atol=1e-5)
    # The weighted sum is computed in parts, which a fourth launch adds.
    assert len(blocks_of(module)) == 4
    assert blocks_of(module)[1] == 4 * 3


@pytest.mark.usefixtures("slow_memory")
def test_strict_sums_have_one_order_for_all_targets() -> None:
    """Parts depend on the numbers of a GPU, so the strict precision has none."""
    text = reduce("ReduceSum", (512, 128), 0)
    assert len(blocks_of(lowered(text, precision=Precision.STRICT))) == 1


def test_strict_scans_and_attentions_have_one_order_for_all_targets() -> None:
    head = '<ir_version: 10, opset_import: ["": 23]> g '
    scan = f"{head}(float[2, 65536] x) => (float[2, 65536] y) {{"
    scan += " c = Constant <value = int64 {1}> () y = CumSum (x, c) }"
    text = f"{head}(float[1,4,1,16] q, float[1,4,9000,16] k, float[1,4,9000,16] v)"
    text += " => (float[1,4,1,16] y) { y = Attention (q, k, v) }"
    for model, counts in ((scan, (3, 1)), (text, (2, 6))):
        module = onnx.parser.parse_model(model)
        found = (lowered(module, precision=p) for p in (Precision.DEFAULT, Precision.STRICT))
        assert tuple(len(blocks_of(each)) for each in found) == counts


PROCESSORS = NUMBERS["sm_90a"].multiprocessors


@pytest.mark.parametrize("dtype", TYPES)
def test_named_shapes_fill_the_gpu(dtype: str) -> None:
    """Products of one row and of four, sums of columns, and sums of all elements."""
    for given in (
        matmul(1, 4096, 14336, dtype),
        matmul(4, 4096, 14336, dtype),
        reduce("ReduceSum", (16384, 4096), 0, dtype),
        reduce("ReduceSum", (1, 1 << 24), 1, dtype),
    ):
        assert blocks_of(lowered(given))[0] >= 0.7 * PROCESSORS


BERT = (128, 768, 768), (128, 768, 2304), (128, 768, 3072), (128, 3072, 768)
"""The products of BERT-base: rows, terms and columns."""


@pytest.mark.parametrize(
    "architecture", ["sm_90a", pytest.param("sm_80", marks=pytest.mark.nightly)]
)
def test_products_of_bert_have_a_block_per_multiprocessor(architecture: str) -> None:
    """With f16 one turn of blocks is faster than two, so an H100 has 128 blocks."""
    target, processors = Target(f"cuda -arch={architecture}"), NUMBERS[architecture].multiprocessors
    for shape in BERT:
        assert blocks_of(lowered(matmul(*shape), target))[0] >= processors
    if architecture == "sm_90a":
        assert blocks_of(lowered(matmul(*BERT[0], "float16"), target)) == [128]
        assert blocks_of(lowered(matmul(*BERT[2], "float16"), target)) == [128]


def test_drawn_shapes_fill_the_gpu() -> None:
    """Every sum over at least 16 MB of a matrix has a block for nearly each multiprocessor."""
    draw = random.Random(0)
    for _ in range(8):
        columns = 8 * draw.randint(16, 1024)
        rows = 64 * (-(-(1 << 22) // columns // 64))
        for given in (
            reduce("ReduceSum", (rows, columns), 0),
            reduce("ReduceSum", (rows, columns + 1), 0),
            transposed(draw.randint(1, 8), rows, columns),
            matmul(draw.randint(1, 8), rows, columns),
        ):
            assert blocks_of(lowered(given))[0] >= 0.7 * PROCESSORS, (rows, columns)

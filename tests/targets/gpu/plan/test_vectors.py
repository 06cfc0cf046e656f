"""Threads that access vectors of up to 16 bytes, in elementwise kernels and in rows."""

from __future__ import annotations

import re
from pathlib import Path

import ml_dtypes
import numpy as np
import onnx
import pytest

import tilewright
from tilewright.driver.module.compiled_module import CompiledModule
from tilewright.driver.passes.pipeline import run_pipeline
from tilewright.frontend.onnx.importer import import_model
from tilewright.interp import packed
from tilewright.machines.target import Target
from tilewright.support.registry import new_context
from tilewright.targets.gpu.plan import thread_per_point

from ....sweeps import NIGHTLY, in_turn, sampled
from ..test_shims import shim_of

NUMPY = {
    "float": np.float32,
    "float16": np.float16,
    "bfloat16": ml_dtypes.bfloat16,
    "int8": np.int8,
    "double": np.float64,
}
RNG = np.random.default_rng(0)


def model(signature: str, body: str) -> onnx.ModelProto:
    head = '<ir_version: 11, opset_import: ["": 23]> vectors ('
    return onnx.parser.parse_model(f"{head}{signature} {{ {body} }}")


def compiled(signature: str, body: str, target: str = "cuda") -> CompiledModule:
    return tilewright.compile(model(signature, body), target=target, cache=False, strict_plan=True)


def reversed_by(first: int, last: int = -1000) -> str:
    """Return nodes that read columns backwards, from the first one to that after the last one."""
    return (
        f"s = Constant <value_ints = [{first}]> () e = Constant <value_ints = [{last}]> () "
        "a = Constant <value_ints = [1]> () t = Constant <value_ints = [-1]> () "
        "y = Slice (x, s, e, a, t)"
    )


def widths(mod: CompiledModule) -> tuple[set[int], set[int]]:
    """Return the bytes of the loads and of the stores of global memory."""
    text = mod.get_source("ptx")
    found: list[set[int]] = []
    for op in ("ld", "st"):
        each = re.findall(rf"\b{op}\.global(?:\.nc)?(?:\.v(\d))?\.[bfus](\d+)", text)
        found.append({int(count or 1) * int(bits) // 8 for count, bits in each})
    return found[0], found[1]


@pytest.mark.parametrize(
    ("dtype", "size"),
    [("float", 16), ("float16", 16), ("bfloat16", 16), ("int8", 16), ("double", 16)],
)
def test_elementwise_kernels_access_sixteen_bytes(dtype: str, size: int) -> None:
    body = "y = Add (a, b)" if dtype != "int8" else "y = BitwiseAnd (a, b)"
    shape = f"{dtype}[2048, 1024]"
    mod = compiled(f"{shape} a, {shape} b) => ({shape} y)", body)
    assert widths(mod) == ({size}, {size})


def test_the_widest_element_has_sixteen_bytes() -> None:
    mod = compiled("float16[2048, 512] x) => (float[2048, 512] y)", "y = Cast <to = 1> (x)")
    assert widths(mod) == ({8}, {16})


def test_an_operand_may_be_constant_along_the_vector() -> None:
    signature = "float16[2048, 512] a, float16[512] b, float16[2048, 1] c) => (float16[2048,512] y)"
    mod = compiled(signature, "s = Add (a, b) y = Mul (s, c)")
    assert widths(mod) == ({16, 2}, {16})


@pytest.mark.parametrize(
    "signature",
    [
        "float16[2048, 513] a, float16[513] b) => (float16[2048, 513] y)",
        "float16[n, m] a, float16[n, m] b) => (float16[n, m] y)",
    ],
)
def test_rows_that_are_not_aligned_have_single_elements(signature: str) -> None:
    assert widths(compiled(signature, "y = Add (a, b)")) == ({2}, {2})


@pytest.mark.parametrize(("columns", "most"), [(520, 2), (513, 8)])
def test_shifted_rows_of_whole_vectors_are_read_by_vectors(columns: int, most: int) -> None:
    body = "s = Constant <value_ints = [0, 1]> () e = Constant <value_ints = [2048, 513]> ()"
    signature = f"float16[2048, {columns}] x) => (float16[2048, 512] y)"
    mod = compiled(signature, f"{body} y = Slice (x, s, e)")
    assert widths(mod)[1] == {16}
    assert len(re.findall(r"ld\.global", mod.get_source("ptx"))) == most


READS = {
    "rows of a table": ("T[1000, 1024] t, int64[2048] i", "T[2048, 1024]", 1,
                        "y = Gather <axis = 0> (t, i)"),
    "lanes of a table": ("T[2048, 1024] t, int64[1024] i", "T[2048, 1024]", 1,
                         "y = Gather <axis = 1> (t, i)"),
    "border of vectors": ("T[2048, 1024] x", "T[2048, 1040]", 1,
                          "p = Constant <value_ints = [0, 8, 0, 8]> () y = Pad (x, p)"),
    "copies": ("T[2048, 128] x", "T[2048, 1024]", 1,
               "r = Constant <value_ints = [1, 8]> () y = Tile (x, r)"),
    "halves": ("T[4096, 512] x, T[512] c, T[512] s", "T[4096, 512]", 1,
               "l, h = Split <axis = -1, num_outputs = 2> (x) n = Neg (h) "
               "r = Concat <axis = -1> (n, l) u = Mul (x, c) v = Mul (r, s) y = Add (u, v)"),
    "pixels twice": ("T[2048, 1, 1024] x", "T[2048, 1, 2048]", 1,
                     "s = Constant <value_floats = [1., 1., 2.]> () y = Resize <mode = "
                     "\"nearest\", coordinate_transformation_mode = \"asymmetric\", "
                     "nearest_mode = \"floor\"> (x, , s)"),
    "pixels of blocks": ("T[8, 16, 128, 128] x", "T[8, 64, 64, 64]", 2,
                         "y = SpaceToDepth <blocksize = 2> (x)"),
    "pixels of large blocks": ("T[8, 16, 256, 256] x", "T[8, 1024, 32, 32]", 8,
                               "y = SpaceToDepth <blocksize = 8> (x)"),
    "large blocks of pixels": ("T[8, 1024, 32, 32] x", "T[8, 16, 256, 256]", 8,
                               "y = DepthToSpace <blocksize = 8> (x)"),
    "few columns": ("T[512, 512, 8] x", "T[512, 8, 512]", 8,
                    "y = Transpose <perm = [0, 2, 1]> (x)"),
    "triangle": ("T[8, 512, 512] x", "T[8, 512, 512]", 1,
                 "k = Constant <value = int64 {0}> () y = Trilu <upper = 0> (x, k)"),
    "four filters": ("T[8, 128, 56, 56] x, T[128, 4, 3, 3] w", "T[8, 128, 56, 56]", 4,
                     "y = Conv <group = 32, pads = [1, 1, 1, 1]> (x, w)"),
}  # fmt: skip
"""Signature, type of the result, number of stores, and nodes."""


@pytest.mark.parametrize("name", sampled(READS, str, one_in=3, each_family=False))
def test_threads_store_vectors_of_gathered_and_shifted_elements(name: str) -> None:
    signature, result, stores, body = READS[name]
    mod = compiled(f"{signature}) => ({result} y)".replace("T[", "float16["), body)
    assert widths(mod)[1] == {16}
    assert stores < 8 or widths(mod)[0] == {16}
    assert len(re.findall(r"st\.global", mod.get_source("ptx"))) == stores


def test_reversed_rows_are_read_by_vectors() -> None:
    mod = compiled("float16[2048, 512] x) => (float16[2048, 512] y)", reversed_by(511))
    assert widths(mod) == ({16}, {16})


def test_a_slice_of_aligned_columns_has_vectors() -> None:
    body = "s = Constant <value_ints = [0, 8]> () e = Constant <value_ints = [2048, 520]> ()"
    mod = compiled("float16[2048, 520] x) => (float16[2048, 512] y)", f"{body} y = Slice (x, s, e)")
    assert widths(mod) == ({16}, {16})


def test_few_points_have_shorter_vectors() -> None:
    mod = compiled("float16[128, 512] x) => (float16[128, 512] y)", "y = Relu (x)")
    assert widths(mod) == ({4}, {4})


ROWS = {
    "softmax": "y = Softmax <axis = -1> (x)",
    "normalization": "y = LayerNormalization <axis = -1> (x, g, b)",
}


@pytest.mark.parametrize("name", ROWS)
@pytest.mark.parametrize("dtype", ["float", "float16", "bfloat16"])
def test_rows_are_read_once(name: str, dtype: str) -> None:
    rest = f", {dtype}[1024] g, {dtype}[1024] b" if name == "normalization" else ""
    mod = compiled(f"{dtype}[512, 1024] x{rest}) => ({dtype}[512, 1024] y)", ROWS[name])
    text = mod.get_source("ptx")
    assert widths(mod) == ({16}, {16})
    vectors = 2 if dtype == "float" else 1
    assert len(re.findall(r"ld\.global\.nc\.v", text)) == vectors * (3 if rest else 1)
    assert len(re.findall(r"ex2\.approx", text)) == (0 if rest else 8)


@pytest.mark.parametrize(
    ("signature", "axis"),
    [
        ("float16[512, 1024] x) => (int64[512] y)", 1),
        ("float[512, 1024] x) => (int64[512] y)", 1),
        ("float16[1024, 4096] x) => (int64[4096] y)", 0),
        ("bfloat16[64, 8, 128, 128] x) => (int64[64, 128, 128] y)", 1),
    ],
)
def test_the_first_maximum_is_found_by_vectors(signature: str, axis: int) -> None:
    """By a block per row, by strips of columns, and by a thread per vector of results."""
    body = f"y = ArgMax <axis = {axis}, keepdims = 0> (x)"
    assert widths(compiled(signature, body, "cuda -arch=sm_90a"))[0] == {16}


def test_scans_access_vectors_along_their_axis() -> None:
    body = "a = Constant <value = int64 {1}> () y = CumSum (x, a)"
    mod = compiled("float16[4096, 1024] x) => (float16[4096, 1024] y)", body)
    assert widths(mod) == ({16}, {16})


@pytest.mark.parametrize(("columns", "most"), [(200, 16), (40, 4), (2056, 8)])
def test_rows_have_vectors_that_occupy_most_threads(columns: int, most: int) -> None:
    shape = f"float16[4096, {columns}]"
    assert widths(compiled(f"{shape} x) => ({shape} y)", ROWS["softmax"])) == ({most}, {most})


@pytest.mark.parametrize("dtype", ["float", "float16", "bfloat16"])
def test_default_kernels_have_no_slow_division(dtype: str) -> None:
    mod = compiled(f"{dtype}[2048, 1024] x) => ({dtype}[2048, 1024] y)", "y = Gelu (x)")
    text = mod.get_source("ptx")
    assert not re.findall(r"div\.rn", text)
    assert len(re.findall(r"ex2\.approx\.ftz", text)) == (4 if dtype == "float" else 8)


def test_strict_kernels_have_no_approximations() -> None:
    parsed = model("float[64, 1024] x) => (float[64, 1024] y)", "y = Softmax <axis = -1> (x)")
    mod = tilewright.compile(parsed, target="cuda", precision="strict", cache=False)
    assert not re.findall(r"ex2|rcp\.approx", mod.get_source("ptx"))


CASES = {
    "broadcast": (
        "T[12, 48] a, T[48] b, T[12, 1] c) => (T[12, 48] y)",
        "s = Add (a, b) y = Mul (s, c)",
    ),
    "flat": ("T[6, 5, 8] x) => (T[6, 5, 8] y)", "y = Gelu (x)"),
    "divided": ("T[12, 40] a, T[12, 40] b) => (T[12, 40] y)", "y = Div (a, b)"),
    "softmax": ("T[6, 256] x) => (T[6, 256] y)", "y = Softmax <axis = -1> (x)"),
    "several": ("T[2, 1, 8, 64] x) => (T[2, 1, 8, 64] y)", "y = Softmax <axis = -1> (x)"),
    "long": ("T[3, 1024] x) => (T[3, 1024] y)", "y = Softmax <axis = -1> (x)"),
    "turns": ("T[2, 4096] x) => (T[2, 4096] y)", "y = Softmax <axis = -1> (x)"),
    "odd": ("T[2, 1000] x) => (T[2, 1000] y)", "y = Softmax <axis = -1> (x)"),
    "short odd": ("T[3, 200] x) => (T[3, 200] y)", "y = Softmax <axis = -1> (x)"),
    "one vector more": ("T[2, 1032] x) => (T[2, 1032] y)", "y = Softmax <axis = -1> (x)"),
    "norm": (
        "T[8, 768] x, T[768] g, T[768] b) => (T[8, 768] y)",
        "y = LayerNormalization <axis = -1> (x, g, b)",
    ),
    "sum": ("T[8, 512] x) => (T[8] y)", "c = Constant <value_ints = [1]> () "
            "y = ReduceSum <keepdims = 0> (x, c)"),
    "shifted": ("T[4, 32] x) => (T[4, 24] y)", "s = Constant <value_ints = [0, 3]> () "
                "e = Constant <value_ints = [4, 27]> () y = Slice (x, s, e)"),
    "reversed": ("T[4, 32] x) => (T[4, 32] y)", reversed_by(31)),
    "reversed part": ("T[4, 32] x) => (T[4, 24] y)", reversed_by(27, 3)),
    "padded": ("T[3, 16] x) => (T[5, 40] y)",
               "p = Constant <value_ints = [1, 8, 1, 16]> () y = Pad (x, p)"),
    "halves": ("T[4, 32] x) => (T[4, 32] y)",
               "l, h = Split <axis = -1, num_outputs = 2> (x) n = Neg (h) "
               "y = Concat <axis = -1> (n, l)"),
    "triangle": ("T[2, 16, 16] x) => (T[2, 16, 16] y)",
                 "k = Constant <value = int64 {0}> () y = Trilu <upper = 0> (x, k)"),
    "filters": ("T[1, 8, 8, 16] x, T[8, 4, 3, 3] w) => (T[1, 8, 8, 16] y)",
                "y = Conv <group = 2, pads = [1, 1, 1, 1]> (x, w)"),
    "pixels of blocks": ("T[1, 2, 8, 32] x) => (T[1, 8, 4, 16] y)",
                         "y = SpaceToDepth <blocksize = 2> (x)"),
    "pixels of large blocks": ("T[1, 2, 16, 64] x) => (T[1, 128, 2, 8] y)",
                               "y = SpaceToDepth <blocksize = 8> (x)"),
    "large blocks of pixels": ("T[1, 128, 2, 8] x) => (T[1, 2, 16, 64] y)",
                               "y = DepthToSpace <blocksize = 8> (x)"),
    "few columns": ("T[3, 16, 8] x, T[8, 16] b) => (T[3, 8, 16] y)",
                    "t = Transpose <perm = [0, 2, 1]> (x) y = Add (t, b)"),
    "first of a row": ("T[3, 1000] x) => (int64[3] y)",
                       "y = ArgMax <axis = 1, keepdims = 0> (x)"),
    "first of a short row": ("T[2, 264] x) => (int64[2] y)",
                             "y = ArgMin <axis = 1, keepdims = 0> (x)"),
    "first of a column": ("T[100, 72] x) => (int64[72] y)",
                          "y = ArgMax <axis = 0, keepdims = 0> (x)"),
    "running sums": ("T[70, 64] x) => (T[70, 64] y)",
                     "a = Constant <value = int64 {1}> () y = CumSum (x, a)"),
    "sums before": ("T[2, 3, 40] x) => (T[2, 3, 40] y)", "a = Constant <value = int64 {2}> () "
                    "y = CumSum <exclusive = 1> (x, a)"),
    "every second": ("T[1, 4, 8, 16] x, T[4, 2, 3, 3] w) => (T[1, 4, 4, 8] y)",
                     "y = Conv <group = 2, pads = [1, 1, 1, 1], strides = [2, 2]> (x, w)"),
}  # fmt: skip

THREADED = (
    "broadcast",
    "first of a row",
    "running sums",
    "softmax",
    "turns",
    "short odd",
    "norm",
    "shifted",
    "filters",
)
"""The cases whose code runs in threads by day: each way to map rows to threads."""


def operands(parsed: onnx.ModelProto, dtype: str) -> list[np.ndarray]:
    shapes = [[d.dim_value for d in x.type.tensor_type.shape.dim] for x in parsed.graph.input]
    return [RNG.uniform(0.5, 3, shape).astype(NUMPY[dtype]) for shape in shapes]


def expected(parsed: onnx.ModelProto, inputs: list[np.ndarray]) -> np.ndarray:
    return np.asarray(tilewright.compile(parsed, precision="strict", cache=False)(*inputs))


def close(got: np.ndarray, want: np.ndarray, dtype: str) -> None:
    tolerance = {"float": 1e-5, "float16": 2e-3, "bfloat16": 2e-2}[dtype]
    np.testing.assert_allclose(
        got.astype(np.float32), want.astype(np.float32), rtol=tolerance, atol=tolerance
    )


@pytest.fixture
def _few_points(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(thread_per_point, "LEAST_BLOCKS", 0)


@pytest.mark.usefixtures("_few_points")
@pytest.mark.parametrize(("name", "dtype"), in_turn(CASES, [("float",), ("float16",)]))
def test_the_interpreter_finds_no_races(name: str, dtype: str) -> None:
    signature, body = CASES[name]
    parsed = model(signature.replace("T[", f"{dtype}["), body)
    inputs = operands(parsed, dtype)
    module = import_model(parsed)
    run_pipeline(module, new_context(), Target("cuda"))
    close(packed.run(module, *inputs)[0], expected(parsed, inputs), dtype)


@pytest.mark.usefixtures("_few_points")
@pytest.mark.parametrize(
    ("language", "dtype"),
    [("ll", "float16"),
     *(pytest.param(*each, marks=pytest.mark.nightly)
       for each in [("ll", "float"), ("ll", "bfloat16"), ("cuda", "float16"),
                    ("cuda", "bfloat16"), ("metal", "float")])],
)  # fmt: skip
def test_vectors_have_the_results_of_the_cpu(language: str, dtype: str, tmp_path: Path) -> None:
    for name in CASES if NIGHTLY else THREADED:
        signature, body = CASES[name]
        parsed = model(signature.replace("T[", f"{dtype}["), body)
        inputs = operands(parsed, dtype)
        kind = "metal" if language == "metal" else "cuda"
        mod = tilewright.compile(parsed, target=kind, cache=False, strict_plan=True)
        folder = tmp_path / name
        folder.mkdir()
        run = shim_of(mod, language, folder)
        close(run(*inputs)[0], expected(parsed, inputs), dtype)


TRANSPOSES = {
    "matrix": ("T[64, 96] x) => (T[96, 64] y)", "y = Transpose <perm = [1, 0]> (x)"),
    "channels": ("T[2, 48, 6, 8] x) => (T[2, 6, 8, 48] y)", "y = Transpose <perm = [0,2,3,1]> (x)"),
    "heads": ("T[32, 3, 64] x) => (T[64, 3, 32] y)", "y = Transpose <perm = [2, 1, 0]> (x)"),
    "fused": (
        "T[64, 32] x, T[32, 64] b, T[64] c) => (T[32, 64] y)",
        "t = Transpose <perm = [1, 0]> (x) s = Add (t, b) y = Mul (s, c)",
    ),
}


@pytest.mark.parametrize("dtype", ["float", "float16", "int8"])
def test_transposes_access_vectors_on_both_sides(dtype: str) -> None:
    signature = f"{dtype}[1024, 2048] x) => ({dtype}[2048, 1024] y)"
    mod = compiled(signature, "y = Transpose <perm = [1, 0]> (x)")
    assert widths(mod) == ({16}, {16})
    assert len(re.findall(r"bar(?:rier)?(?:\.cta)?\.sync", mod.get_source("ptx"))) == 1


def test_transposes_without_whole_tiles_store_vectors() -> None:
    """Adjacent threads load adjacent elements."""
    signature = "float[1000, 1001] x) => (float[1001, 1000] y)"
    assert widths(compiled(signature, "y = Transpose <perm = [1, 0]> (x)")) == ({4}, {16})


def test_transposes_of_dynamic_sizes_have_single_elements() -> None:
    signature = "float[n, m] x) => (float[m, n] y)"
    assert widths(compiled(signature, "y = Transpose <perm = [1, 0]> (x)")) == ({4}, {4})


@pytest.mark.parametrize("name", TRANSPOSES)
@pytest.mark.parametrize("dtype", ["float", "float16"])
def test_tiles_of_transposes_are_free_of_races(name: str, dtype: str) -> None:
    signature, body = TRANSPOSES[name]
    parsed = model(signature.replace("T[", f"{dtype}["), body)
    inputs = operands(parsed, dtype)
    module = import_model(parsed)
    run_pipeline(module, new_context(), Target("cuda"))
    assert "shared" in str(module)
    np.testing.assert_array_equal(packed.run(module, *inputs)[0], expected(parsed, inputs))


@pytest.mark.parametrize(
    "language", ["ll", *(pytest.param(n, marks=pytest.mark.nightly) for n in ("cuda", "metal"))]
)
def test_transposes_have_the_results_of_the_cpu(language: str, tmp_path: Path) -> None:
    for name in TRANSPOSES if NIGHTLY else ("channels", "fused"):
        signature, body = TRANSPOSES[name]
        parsed = model(signature.replace("T[", "float["), body)
        inputs = operands(parsed, "float")
        kind = "metal" if language == "metal" else "cuda"
        mod = tilewright.compile(parsed, target=kind, cache=False, strict_plan=True)
        folder = tmp_path / name
        folder.mkdir()
        run = shim_of(mod, language, folder)
        np.testing.assert_array_equal(run(*inputs)[0], expected(parsed, inputs))

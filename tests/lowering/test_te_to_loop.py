"""te-to-loop against numpy: kernels as text, run at the loop level before and after printing."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation

from tilewright.dialects import loop
from tilewright.dialects.te import kernels_of
from tilewright.interp import te as te_interp
from tilewright.interp.loop import run_function
from tilewright.lowering.te_to_loop import TeToLoop
from tilewright.support.accuracy import FLOAT_EPSILONS
from tilewright.support.diagnostics import LoweringError
from tilewright.support.registry import new_context
from tilewright.testing.pass_case import parsed as parse

from ..sweeps import examples

MUL = "body(%a: f32, %b: f32) { %p = arith.mulf %a, %b : f32 te.yield %p : f32 }"
COPY = "body(%a: f32) { te.yield %a : f32 }"


def lower(text: str) -> FuncOp:
    """Lower a module of one kernel; check that it verifies and that its text parses back."""
    module = parse(text)
    TeToLoop().apply(new_context(), module)
    module.verify()
    assert str(parse(str(module))) == str(module)
    (function,) = module.body.block.ops
    assert isinstance(function, FuncOp)
    return function


def kernel(arguments: str, *statements: str) -> str:
    inner = "\n".join(statements)
    return f"te.kernel @k({arguments}) {{\n{inner}\n te.return\n}}"


def run(text: str, *arrays: np.ndarray) -> FuncOp:
    """Run a lowered kernel on arrays, in place; the te interpreter must agree."""
    function = lower(text)
    reference = [a.copy() for a in arrays]
    run_function(function, *arrays)
    (source,) = kernels_of(parse(text))
    te_interp.run_kernel(source, *reference)
    for got, expected in zip(arrays, reference, strict=True):
        if got.dtype.kind == "f":
            np.testing.assert_allclose(got, expected, rtol=2e-5, atol=2e-5)
        else:
            np.testing.assert_array_equal(got, expected)
    return function


def values(*shape: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float32)


def empty(*shape: int, dtype: type = np.float32) -> np.ndarray:
    return np.full(shape, 99, dtype)


def ops_of(function: FuncOp, kind: type[Operation]) -> list[Operation]:
    return [op for op in function.walk() if isinstance(op, kind)]


def close(got: np.ndarray, expected: np.ndarray) -> None:
    np.testing.assert_allclose(got, expected, rtol=2e-5, atol=2e-5)


def matmul_text(m: int, n: int, k: int, tile: str) -> str:
    return kernel(
        f"%A: memref<{m}x{k}xf32>, %B: memref<{k}x{n}xf32>, %z: memref<{n}xf32>, "
        f"%C: memref<{m}x{n}xf32>",
        f"te.compute @mm [m: {m}, n: {n}, k: {k} red]",
        f"ins(%A[m, k] : memref<{m}x{k}xf32>, %B[k, n] : memref<{k}x{n}xf32>)",
        f"post(%z[n] : memref<{n}xf32>) outs(%C[m, n] add 0.0 : f32 : memref<{m}x{n}xf32>)",
        f"{tile} {MUL} then(%s: f32, %c: f32) {{",
        "%zero = arith.constant 0.0 : f32",
        "%t = arith.addf %s, %c : f32",
        "%r = arith.maximumf %t, %zero : f32",
        "te.yield %r : f32 }",
    )


@given(
    st.integers(1, 5),
    st.integers(1, 19),
    st.integers(1, 11),
    st.sampled_from([1, 4, 8]),
    st.integers(0, 5),
)
@examples(25)
def test_matmul_with_epilogue(m: int, n: int, k: int, lanes: int, unroll: int):
    a, b, z, c = values(m, k), values(k, n, seed=1), values(n, seed=2), empty(m, n)
    run(matmul_text(m, n, k, f"tile(vec = n, lanes = {lanes}, k = {unroll})"), a, b, z, c)
    close(c, np.maximum(a @ b + z, 0))


def test_matmul_without_a_tile_is_scalar_loops():
    a, b, z, c = values(3, 4), values(4, 5, seed=1), values(5, seed=2), empty(3, 5)
    function = run(matmul_text(3, 4 + 1, 4, ""), a, b, z, c)
    close(c, np.maximum(a @ b + z, 0))
    assert len(ops_of(function, loop.ForOp)) == 3


def test_a_tile_shares_loads_and_fuses_products():
    function = lower(matmul_text(6, 16, 64, "tile(vec = n, lanes = 8, k = 4)"))
    (reduction,) = ops_of(function, loop.ForOp)
    assert isinstance(reduction, loop.ForOp)
    assert reduction.unroll_factor == 4
    names = [op.name for op in reduction.body.block.ops]
    assert names.count("loop.load") == 6 + 2
    assert names.count("math.fma") == 12
    assert "arith.mulf" not in names


def test_unroll_factor_that_does_not_divide_leaves_a_remainder_loop():
    function = lower(matmul_text(1, 8, 11, "tile(vec = n, lanes = 8, k = 4)"))
    loops = ops_of(function, loop.ForOp)
    assert [(f.static_bounds, f.unroll_factor) for f in loops] == [((0, 8), 4), ((8, 11), 3)]
    function = lower(matmul_text(1, 8, 9, "tile(vec = n, lanes = 8, k = 4)"))
    loops = ops_of(function, loop.ForOp)
    assert [(f.static_bounds, f.unroll_factor) for f in loops] == [((0, 9), 3)]


@pytest.mark.parametrize("terms", [2048, 4608])
def test_a_long_sum_of_equal_terms_in_a_thread_does_not_drift(terms: int):
    a, b, c = np.full((1, terms), 0.3), np.full((terms, 1), 0.7), empty(1, 1)
    a, b = (each.astype(np.float32) for each in (a, b))
    text = kernel(
        f"%A: memref<1x{terms}xf32>, %B: memref<{terms}x1xf32>, %C: memref<1x1xf32>",
        "loop.for bind threadIdx.x %t = 0 to 1 {",
        f"te.compute @mm [m: 1, n: 1, k: {terms} red]",
        f"ins(%A[%t + m, k] : memref<1x{terms}xf32>, %B[k, n] : memref<{terms}x1xf32>)",
        f"outs(%C[%t + m, n] add 0.0 : f32 : memref<1x1xf32>) {MUL}",
        "}",
    )
    function = run(text, a, b, c)
    exact = terms * float(a[0, 0]) * float(b[0, 0])
    assert abs(c[0, 0] / exact - 1) < FLOAT_EPSILONS * np.finfo(np.float32).eps / 4
    assert len(ops_of(function, loop.ForOp)) == 3


def test_tiles_inside_scheduled_loops():
    text = kernel(
        "%A: memref<12x7xf32>, %B: memref<7x32xf32>, %C: memref<12x32xf32>",
        "loop.for parallel %j = 0 to 2 { loop.for %i = 0 to 2 {",
        "te.compute @mm [m: 6, n: 16, k: 7 red]",
        "ins(%A[%i * 6 + m, k] : memref<12x7xf32>, %B[k, %j * 16 + n] : memref<7x32xf32>)",
        "outs(%C[%i * 6 + m, %j * 16 + n] add 0.0 : f32 : memref<12x32xf32>)",
        f"tile(vec = n, lanes = 8, k = 4, prefetch_operand = 1, prefetch = 64) {MUL}",
        "} }",
    )
    a, b, c = values(12, 7), values(7, 32, seed=1), empty(12, 32)
    function = run(text, a, b, c)
    close(c, a @ b)
    assert ops_of(function, loop.PrefetchOp)


def test_split_reduction_continues_from_memory():
    def piece(start: int, out: str, then: str = "") -> str:
        return (
            f"te.compute @mm [m: 2, n: 9, k: 3 red] ins(%A[m, k + {start}] : memref<2x9xf32>, "
            f"%B[k + {start}, n] : memref<9x9xf32>) outs(%C[m, n] add {out} : memref<2x9xf32>) "
            f"tile(vec = n, lanes = 4) {MUL} {then}"
        )

    then = "then(%v: f32) { %n = arith.negf %v : f32 te.yield %n : f32 }"
    text = kernel(
        "%A: memref<2x9xf32>, %B: memref<9x9xf32>, %C: memref<2x9xf32>",
        piece(0, "0.0 : f32"), piece(3, "acc"), piece(6, "acc", then),
    )  # fmt: skip
    a, b, c = values(2, 9), values(9, 9, seed=1), empty(2, 9)
    run(text, a, b, c)
    close(c, -(a @ b))


@pytest.mark.parametrize("tile", ["", "tile(vec = n, lanes = 4)", "tile(vec = k, lanes = 4)"])
def test_a_sum_that_continues_from_memory_is_summed_apart(tile: str) -> None:
    text = kernel(
        "%A: memref<2x8xf32>, %B: memref<8x4xf32>, %C: memref<2x4xf32>",
        "te.compute @mm [m: 2, n: 4, k: 8 red] ins(%A[m, k] : memref<2x8xf32>,",
        f"%B[k, n] : memref<8x4xf32>) outs(%C[m, n] add acc : memref<2x4xf32>) {tile} {MUL}",
    )
    # Adding ones one by one would lose them: 2 ** 24 + 1 rounds to 2 ** 24.
    c = np.full((2, 4), 2.0**24, np.float32)
    run(text, np.ones((2, 8), np.float32), np.ones((8, 4), np.float32), c)
    np.testing.assert_array_equal(c, 2.0**24 + 8)


def conv_text(tile: str, *, size: int, stride: int, pad: int, taps: int, dilation: int = 1) -> str:
    out = (size + 2 * pad - dilation * (taps - 1) - 1) // stride + 1
    return kernel(
        f"%X: memref<2x{size}x{size}xf32>, %W: memref<2x{taps}x{taps}x8xf32>, "
        f"%Y: memref<{out}x{out}x8xf32>",
        f"te.compute @conv [h: {out}, w: {out}, o: 8, i: 2 red, r: {taps} red, s: {taps} red]",
        f"ins(%X[i, h * {stride} + r * {dilation} - {pad}, w * {stride} + s * {dilation} - {pad}]",
        f"pad 0.0 : memref<2x{size}x{size}xf32>, %W[i, r, s, o] : memref<2x{taps}x{taps}x8xf32>)",
        f"outs(%Y[h, w, o] add 0.0 : f32 : memref<{out}x{out}x8xf32>) {tile} {MUL}",
    )


def conv_numpy(x: np.ndarray, w: np.ndarray, stride: int, pad: int, dilation: int) -> np.ndarray:
    taps, size = w.shape[1], x.shape[1]
    out = (size + 2 * pad - dilation * (taps - 1) - 1) // stride + 1
    x = np.pad(x, ((0, 0), (pad, pad), (pad, pad)))
    y = np.zeros((out, out, w.shape[3]), np.float32)
    for h in range(out):
        for v in range(out):
            rows = slice(h * stride, h * stride + dilation * (taps - 1) + 1, dilation)
            columns = slice(v * stride, v * stride + dilation * (taps - 1) + 1, dilation)
            y[h, v] = np.einsum("irs,irso->o", x[:, rows, columns], w)
    return y


@pytest.mark.parametrize(
    "tile", ["", "tile(vec = o, lanes = 8)", "tile(vec = o, lanes = 4, s = 0)"]
)
@pytest.mark.parametrize(
    ("size", "stride", "pad", "taps", "dilation"),
    [(4, 1, 1, 3, 1), (5, 2, 1, 3, 1), (6, 1, 2, 3, 2), (3, 1, 2, 2, 1)],
)
def test_padded_convolution(tile: str, size: int, stride: int, pad: int, taps: int, dilation: int):
    text = conv_text(tile, size=size, stride=stride, pad=pad, taps=taps, dilation=dilation)
    x, w = values(2, size, size), values(2, taps, taps, 8, seed=1)
    expected = conv_numpy(x, w, stride, pad, dilation)
    y = empty(*expected.shape)
    run(text, x, w, y)
    close(y, expected)


def test_convolution_tile_at_a_dynamic_position_guards_only_its_edge():
    text = kernel(
        "%X: memref<12xf32>, %W: memref<3x8xf32>, %Y: memref<12x8xf32>",
        "loop.for %j = 0 to 3 {",
        "te.compute @conv [w: 4, o: 8, s: 3 red]",
        "ins(%X[%j * 4 + w + s - 1] pad 0.0 : memref<12xf32>, %W[s, o] : memref<3x8xf32>)",
        f"outs(%Y[%j * 4 + w, o] add 0.0 : f32 : memref<12x8xf32>) tile(vec = o, lanes = 8) {MUL}",
        "}",
    )
    x, w, y = values(12), values(3, 8, seed=1), empty(12, 8)
    function = run(text, x, w, y)
    padded = np.pad(x, 1)
    close(y, sum(padded[s : s + 12, None] * w[s] for s in range(3)))
    loads = [op for op in ops_of(function, loop.LoadOp) if isinstance(op, loop.LoadOp)]
    assert sum(op.pad is not None for op in loads) == 2
    # Six distinct positions of X and three vectors of W: unrolled taps share their reads.
    assert len(loads) == 6 + 3


def test_clipped_reduction_loop_needs_no_guard():
    text = kernel(
        "%X: memref<9xf32>, %W: memref<3x8xf32>, %Y: memref<9x8xf32>",
        "loop.for %j = 0 to 9 {",
        "te.compute @conv [w: 1, o: 8, s: 3 red]",
        "ins(%X[%j + w + s - 1] pad 0.0 : memref<9xf32>, %W[s, o] : memref<3x8xf32>)",
        f"outs(%Y[%j + w, o] add 0.0 : f32 : memref<9x8xf32>) tile(vec = o, lanes = 8) {MUL}",
        "}",
    )
    x, w, y = values(9), values(3, 8, seed=1), empty(9, 8)
    function = run(text, x, w, y)
    padded = np.pad(x, 1)
    close(y, sum(padded[s : s + 9, None] * w[s] for s in range(3)))
    loads = [op for op in ops_of(function, loop.LoadOp) if isinstance(op, loop.LoadOp)]
    assert all(op.pad is None for op in loads)


def test_pad_value_that_does_not_annihilate_is_a_constant():
    text = kernel(
        "%X: memref<3xf32>, %Y: memref<4x8xf32>",
        "te.compute @sum [w: 4, o: 8, s: 2 red] ins(%X[w + s - 1] pad 2.0 : memref<3xf32>)",
        f"outs(%Y[w, o] add 0.0 : f32 : memref<4x8xf32>) tile(vec = o, lanes = 8) {COPY}",
    )
    x, y = values(3), empty(4, 8)
    run(text, x, y)
    padded = np.pad(x, 1, constant_values=2)
    close(y, np.repeat((padded[:-1] + padded[1:])[:, None], 8, axis=1))


@pytest.mark.parametrize("tile", ["", "tile(vec = w, lanes = 4)"])
def test_max_pool_with_vectors_along_the_padded_axis(tile: str):
    text = kernel(
        "%X: memref<3x10xf32>, %Y: memref<3x10xf32>",
        "te.compute @pool [h: 3, w: 10, s: 3 red]",
        "ins(%X[h, w + s - 1] pad -inf : memref<3x10xf32>)",
        f"outs(%Y[h, w] max -inf : f32 : memref<3x10xf32>) {tile} {COPY}",
    )
    x, y = values(3, 10), empty(3, 10)
    run(text, x, y)
    padded = np.pad(x, ((0, 0), (1, 1)), constant_values=-np.inf)
    close(y, np.max([padded[:, s : s + 10] for s in range(3)], axis=0))


@pytest.mark.parametrize("columns", [3, 8, 21, 64, 77])
@pytest.mark.parametrize(
    "tile", ["", "tile(vec = j, lanes = 8, j = 4)", "tile(vec = j, lanes = 4)"]
)
def test_softmax_rows(columns: int, tile: str):
    x_type, row = f"memref<3x{columns}xf32>", "memref<3xf32>"
    text = kernel(
        f"%X: {x_type}, %Y: {x_type}",
        f'%m = loop.alloc "local" : {row}',
        f'%s = loop.alloc "local" : {row}',
        f"te.compute @max [i: 3, j: {columns} red] ins(%X[i, j] : {x_type})",
        f"outs(%m[i] max -inf : f32 : {row}) {tile} {COPY}",
        f"te.compute @sum [i: 3, j: {columns} red] ins(%X[i, j] : {x_type}, %m[i] : {row})",
        f"outs(%s[i] add 0.0 : f32 : {row}) {tile} body(%a: f32, %b: f32) {{",
        "%d = arith.subf %a, %b : f32 %e = math.exp %d : f32 te.yield %e : f32 }",
        "then(%v: f32) { %one = arith.constant 1.0 : f32 %r = arith.divf %one, %v : f32",
        "te.yield %r : f32 }",
        f"te.compute @out [i: 3, j: {columns}]",
        f"ins(%X[i, j] : {x_type}, %m[i] : {row}, %s[i] : {row}) outs(%Y[i, j] : {x_type}) {tile}",
        "body(%a: f32, %b: f32, %c: f32) { %d = arith.subf %a, %b : f32",
        "%e = math.exp %d : f32 %r = arith.mulf %e, %c : f32 te.yield %r : f32 }",
    )
    x, y = values(3, columns), empty(3, columns)
    run(text, x, y)
    e = np.exp(x - x.max(axis=1, keepdims=True))
    close(y, e / e.sum(axis=1, keepdims=True))


ARGMAX = """body(%x: f32, %p: index) { te.yield %x, %p : f32, index }
  combine(%v0: f32, %i0: index, %v1: f32, %i1: index) {
    %gt = arith.cmpf ogt, %v0, %v1 : f32
    %eq = arith.cmpf oeq, %v0, %v1 : f32
    %lt = arith.cmpi slt, %i0, %i1 : index
    %tie = arith.andi %eq, %lt : i1
    %first = arith.ori %gt, %tie : i1
    %v = arith.select %first, %v0, %v1 : f32
    %i = arith.select %first, %i0, %i1 : index
    te.yield %v, %i : f32, index
  }"""


@pytest.mark.parametrize("columns", [5, 8, 37])
@pytest.mark.parametrize(
    "tile", ["", "tile(vec = j, lanes = 4, j = 2)", "tile(vec = i, lanes = 4)"]
)
def test_argmax_gives_the_first_index(columns: int, tile: str):
    text = kernel(
        f"%X: memref<3x{columns}xf32>, %V: memref<3xf32>, %I: memref<3xindex>",
        f"te.compute @am [i: 3, j: {columns} red]",
        f"ins(%X[i, j] : memref<3x{columns}xf32>, index[j])",
        "outs(%V[i] by -inf : f32 : memref<3xf32>, "
        f"%I[i] by {columns} : index : memref<3xindex>) {tile} {ARGMAX}",
    )
    x = np.random.default_rng(0).integers(0, 4, (3, columns)).astype(np.float32)
    v, i = empty(3), empty(3, dtype=np.int64)
    run(text, x, v, i)
    np.testing.assert_array_equal(i, x.argmax(axis=1))


@pytest.mark.parametrize("tile", ["", "tile(vec = k, lanes = 4, k = 2, j = 2)"])
def test_argmax_over_two_axes_continues_from_memory(tile: str):
    def piece(start: int, first: str, second: str) -> str:
        return (
            f"te.compute @am [i: 3, j: 4 red, k: 9 red] "
            f"ins(%X[i, j + {start}, k] : memref<3x8x9xf32>, index[(j + {start}) * 9 + k]) "
            f"outs(%V[i] by {first} : memref<3xf32>, %I[i] by {second} : memref<3xindex>) "
            f"{tile} {ARGMAX}"
        )

    text = kernel(
        "%X: memref<3x8x9xf32>, %V: memref<3xf32>, %I: memref<3xindex>",
        piece(0, "-inf : f32", "99 : index"),
        piece(4, "acc", "acc"),
    )
    x = np.random.default_rng(0).integers(0, 30, (3, 8, 9)).astype(np.float32)
    v, i = empty(3), empty(3, dtype=np.int64)
    run(text, x, v, i)
    np.testing.assert_array_equal(i, x.reshape(3, -1).argmax(axis=1))


@pytest.mark.parametrize("tile", ["", "tile(vec = k, lanes = 4, k = 2, j = 2)"])
def test_horizontal_reduction_of_several_rows_and_axes(tile: str):
    text = kernel(
        "%X: memref<3x5x14xf32>, %m: memref<3x1xf32>, %S: memref<3xf32>, %Q: memref<3xf32>",
        "te.compute @s [i: 3, j: 5 red, k: 14 red]",
        "ins(%X[i, j, k] : memref<3x5x14xf32>, %m[i, 0] : memref<3x1xf32>)",
        "outs(%S[i] add 1.0 : f32 : memref<3xf32>, %Q[i] add acc : memref<3xf32>)",
        f"{tile} body(%a: f32, %b: f32) {{ %d = arith.subf %a, %b : f32",
        "%q = arith.mulf %d, %d : f32 te.yield %d, %q : f32, f32 }",
    )
    x, m, s, q = values(3, 5, 14), values(3, 1, seed=1), empty(3), np.ones(3, np.float32)
    run(text, x, m, s, q)
    d = x - m[:, :, None]
    close(s, 1 + d.sum(axis=(1, 2)))
    close(q, 1 + (d * d).sum(axis=(1, 2)))


@pytest.mark.parametrize("tile", ["", "tile(vec = w, lanes = 4)"])
def test_average_pool_divides_by_a_count_of_positions(tile: str):
    text = kernel(
        "%X: memref<9xf32>, %Y: memref<9xf32>",
        "te.compute @avg [w: 9, s: 3 red] ins(%X[w + s - 1] pad 0.0 : memref<9xf32>)",
        f"post(index[w]) outs(%Y[w] add 0.0 : f32 : memref<9xf32>) {tile} {COPY}",
        "then(%v: f32, %p: index) { %zero = arith.constant 0 : index",
        "%last = arith.constant 8 : index %two = arith.constant 2.0 : f32",
        "%three = arith.constant 3.0 : f32 %a = arith.cmpi eq, %p, %zero : index",
        "%b = arith.cmpi eq, %p, %last : index %e = arith.ori %a, %b : i1",
        "%n = arith.select %e, %two, %three : f32 %r = arith.divf %v, %n : f32",
        "te.yield %r : f32 }",
    )
    x, y = values(9), empty(9)
    run(text, x, y)
    close(y, np.convolve(x, np.ones(3), "same") / np.array([2] + [3] * 7 + [2]))


def test_bf16_widens_and_rounds():
    import ml_dtypes

    text = kernel(
        "%X: memref<11xbf16>, %Y: memref<11xbf16>",
        "te.compute @s [i: 11] ins(%X[i] : memref<11xbf16>) outs(%Y[i] : memref<11xbf16>)",
        "tile(vec = i, lanes = 8) body(%a: bf16) { %x = arith.extf %a : bf16 to f32",
        "%y = arith.mulf %x, %x : f32 %r = arith.truncf %y : f32 to bf16 te.yield %r : bf16 }",
    )
    x = values(11).astype(ml_dtypes.bfloat16)
    y = np.zeros(11, ml_dtypes.bfloat16)
    run_function(lower(text), x, y)
    np.testing.assert_array_equal(y, (x.astype(np.float32) ** 2).astype(ml_dtypes.bfloat16))


@pytest.mark.parametrize("tile", ["tile(vec = j, lanes = 4)", "tile(vec = i, lanes = 4)"])
def test_transposed_access_is_strided_or_scalar(tile: str):
    text = kernel(
        "%X: memref<5x6xf32>, %Y: memref<6x5xf32>",
        "te.compute @t [i: 6, j: 5] ins(%X[j, i] : memref<5x6xf32>)",
        f"outs(%Y[i, j] : memref<6x5xf32>) {tile} {COPY}",
    )
    x, y = values(5, 6), empty(6, 5)
    run(text, x, y)
    close(y, x.T)


@pytest.mark.parametrize(("rows", "turned"), [(4, True), (16, False)])
def test_only_axes_that_the_tile_unrolls_make_squares(rows: int, turned: bool):
    text = kernel(
        f"%X: memref<{rows}x8x8xf32>, %Y: memref<8x{rows}x8xf32>",
        f"te.compute @t [i: 8, j: {rows}, n: 8] ins(%X[j, n, i] : memref<{rows}x8x8xf32>)",
        f"outs(%Y[i, j, n] : memref<8x{rows}x8xf32>) tile(vec = n, lanes = 8) {COPY}",
    )
    x, y = values(rows, 8, 8), empty(8, rows, 8)
    function = run(text, x, y)
    close(y, x.transpose(2, 0, 1))
    assert bool(ops_of(function, loop.TransposeOp)) == turned


@pytest.mark.parametrize("step", [2, -1])
def test_strided_and_reversed_reads(step: int):
    index = "j * 2 + 1" if step == 2 else "10 - j"
    text = kernel(
        "%X: memref<24xf32>, %Y: memref<11xf32>",
        f"te.compute @s [j: 11] ins(%X[{index}] : memref<24xf32>)",
        f"outs(%Y[j] : memref<11xf32>) tile(vec = j, lanes = 4) {COPY}",
    )
    x, y = values(24), empty(11)
    run(text, x, y)
    close(y, x[1:23:2] if step == 2 else x[10::-1])


@pytest.mark.parametrize(("lanes", "packed"), [(4, False), (8, False), (16, True), (3, True)])
def test_blocked_layout(lanes: int, packed: bool):
    text = kernel(
        "%X: memref<3x5x8xf32>, %Y: memref<5x24xf32>",
        "te.compute @u [p: 5, c: 24] ins(%X[c floordiv 8, p, c mod 8] : memref<3x5x8xf32>)",
        f"outs(%Y[p, c] : memref<5x24xf32>) tile(vec = c, lanes = {lanes}) {COPY}",
    )
    x, y = values(3, 5, 8), empty(5, 24)
    function = run(text, x, y)
    close(y, x.transpose(1, 0, 2).reshape(5, 24))
    assert bool(ops_of(function, loop.PackOp)) == packed


def test_blocked_output_is_stored_lane_by_lane():
    text = kernel(
        "%X: memref<2x8xf32>, %Y: memref<2x2x4xf32>",
        "te.compute @p [p: 2, c: 8] ins(%X[p, c] : memref<2x8xf32>)",
        f"outs(%Y[c floordiv 4, p, c mod 4] : memref<2x2x4xf32>) tile(vec = c, lanes = 8) {COPY}",
    )
    x, y = values(2, 8), empty(2, 2, 4)
    run(text, x, y)
    close(y, x.reshape(2, 2, 4).transpose(1, 0, 2))


def test_reshaped_rows_merge_to_vector_loads():
    text = kernel(
        "%X: memref<6x4xf32>, %Y: memref<24xf32>",
        "te.compute @r [j: 24] ins(%X[j floordiv 4, j mod 4] : memref<6x4xf32>)",
        f"outs(%Y[j] : memref<24xf32>) tile(vec = j, lanes = 8) {COPY}",
    )
    x, y = values(6, 4), empty(24)
    function = run(text, x, y)
    close(y, x.reshape(-1))
    assert not ops_of(function, loop.PackOp)


def test_integers_accumulate_in_wider_type():
    text = kernel(
        "%A: memref<3x9xi8>, %B: memref<9x10xi8>, %C: memref<3x10xi32>",
        "te.compute @mm [m: 3, n: 10, k: 9 red] ins(%A[m, k] : memref<3x9xi8>,",
        "%B[k, n] : memref<9x10xi8>) outs(%C[m, n] add 0 : i32 : memref<3x10xi32>)",
        "tile(vec = n, lanes = 8) body(%a: i8, %b: i8) {",
        "%x = arith.extsi %a : i8 to i32 %y = arith.extsi %b : i8 to i32",
        "%p = arith.muli %x, %y : i32 te.yield %p : i32 }",
    )
    rng = np.random.default_rng(0)
    a, b = rng.integers(-128, 128, (3, 9), np.int8), rng.integers(-128, 128, (9, 10), np.int8)
    c = empty(3, 10, dtype=np.int32)
    function = run(text, a, b, c)
    np.testing.assert_array_equal(c, a.astype(np.int32) @ b.astype(np.int32))
    assert ops_of(function, loop.CastOp)


def test_half_precision_accumulates_in_f32():
    text = kernel(
        "%A: memref<2x9xf16>, %B: memref<9x8xf16>, %C: memref<2x8xf16>",
        "te.compute @mm [m: 2, n: 8, k: 9 red] ins(%A[m, k] : memref<2x9xf16>,",
        "%B[k, n] : memref<9x8xf16>) outs(%C[m, n] add 0.0 : f32 : memref<2x8xf16>)",
        "tile(vec = n, lanes = 8) body(%a: f16, %b: f16) {",
        "%x = arith.extf %a : f16 to f32 %y = arith.extf %b : f16 to f32",
        "%p = arith.mulf %x, %y : f32 te.yield %p : f32 }",
        "then(%v: f32) { %t = arith.truncf %v : f32 to f16 te.yield %t : f16 }",
    )
    a, b = values(2, 9).astype(np.float16), values(9, 8, seed=1).astype(np.float16)
    c = empty(2, 8, dtype=np.float16)
    function = lower(text)
    run_function(function, a, b, c)
    expected = a.astype(np.float32) @ b.astype(np.float32)
    np.testing.assert_allclose(c, expected, rtol=2e-3, atol=2e-3)


@pytest.mark.parametrize("combiner", ["mul", "max", "min", "umax", "umin", "and", "or", "xor"])
@pytest.mark.parametrize("tile", ["", "tile(vec = j, lanes = 4)", "tile(vec = i, lanes = 4)"])
def test_integer_combiners(combiner: str, tile: str):
    start = {"mul": 1, "max": -9, "min": 9, "umax": 0, "umin": -1, "and": -1}.get(combiner, 0)
    text = kernel(
        "%X: memref<5x11xi32>, %Y: memref<5xi32>",
        "te.compute @r [i: 5, j: 11 red] ins(%X[i, j] : memref<5x11xi32>)",
        f"outs(%Y[i] {combiner} {start} : i32 : memref<5xi32>) {tile}",
        "body(%a: i32) { te.yield %a : i32 }",
    )
    x = np.random.default_rng(3).integers(-7, 8, (5, 11), np.int32)
    y = empty(5, dtype=np.int32)
    run(text, x, y)


@pytest.mark.parametrize("tile", ["", "tile(vec = i, lanes = 4)", "tile(vec = t, lanes = 4)"])
def test_scan_stores_every_partial_result(tile: str):
    text = kernel(
        "%X: memref<3x7xf32>, %Y: memref<3x7xf32>",
        "te.compute @cumsum [i: 3, t: 7 scan] ins(%X[i, t] : memref<3x7xf32>)",
        f"outs(%Y[i, t] add 0.0 : f32 : memref<3x7xf32>) {tile} {COPY}",
    )
    x, y = values(3, 7), empty(3, 7)
    run(text, x, y)
    close(y, np.cumsum(x, axis=1))


def test_scan_continues_from_the_partial_result_before():
    def piece(start: int, size: int, init: str) -> str:
        return (
            f"te.compute @c [i: 2, t: {size} scan] ins(%X[i, t + {start}] : memref<2x7xf32>) "
            f"outs(%Y[i, t + {start}] add {init} : memref<2x7xf32>) {COPY}"
        )

    text = kernel(
        "%X: memref<2x7xf32>, %Y: memref<2x7xf32>", piece(0, 3, "0.0 : f32"), piece(3, 4, "acc")
    )
    x, y = values(2, 7), empty(2, 7)
    run_function(lower(text), x, y)
    close(y, np.cumsum(x, axis=1))


@pytest.mark.parametrize("tile", ["", "tile(vec = j, lanes = 4)", "tile(vec = i, lanes = 4)"])
def test_then_finishes_several_outputs(tile: str):
    text = kernel(
        "%X: memref<3x9xf32>, %S: memref<3xf32>, %M: memref<3xf32>",
        "te.compute @sm [i: 3, j: 9 red] ins(%X[i, j] : memref<3x9xf32>)",
        "outs(%S[i] add 0.0 : f32 : memref<3xf32>, %M[i] max -inf : f32 : memref<3xf32>)",
        f"{tile} body(%a: f32) {{ te.yield %a, %a : f32, f32 }}",
        "then(%s: f32, %m: f32) { %d = arith.subf %s, %m : f32 %n = arith.negf %m : f32",
        "te.yield %d, %n : f32, f32 }",
    )
    x, s, m = values(3, 9), empty(3), empty(3)
    run(text, x, s, m)
    close(s, x.sum(axis=1) - x.max(axis=1))
    close(m, -x.max(axis=1))


@pytest.mark.parametrize("tile", ["", "tile(vec = j, lanes = 4)"])
def test_rows_gathered_at_computed_positions(tile: str):
    text = kernel(
        "%T: memref<6x9xf32>, %ids: memref<4xi64>, %Y: memref<4x9xf32>",
        "te.compute @g [i: 4, j: 9] ins(%T : memref<6x9xf32>, %ids[i] : memref<4xi64>, index[j])",
        f"outs(%Y[i, j] : memref<4x9xf32>) {tile}",
        "body(%t: memref<6x9xf32>, %k: i64, %j: index) {",
        "%r = arith.index_cast %k : i64 to index",
        "%v = te.at %t[%r, %j] : memref<6x9xf32> -> f32",
        "te.yield %v : f32 }",
    )
    t, y = values(6, 9), empty(4, 9)
    ids = np.array([5, 0, 3, 3], np.int64)
    function = run(text, t, ids, y)
    close(y, t[ids])
    # The lane number is the last index, so rows are vector loads.
    assert not ops_of(function, loop.PackOp)
    assert not ops_of(function, loop.IndexOp) or not tile


@pytest.mark.parametrize("tile", ["", "tile(vec = i, lanes = 4)"])
def test_elements_gathered_lane_by_lane_with_else(tile: str):
    text = kernel(
        "%T: memref<6xf32>, %ids: memref<7xi64>, %Y: memref<7xf32>",
        "te.compute @g [i: 7] ins(%T : memref<6xf32>, %ids[i] : memref<7xi64>)",
        f"outs(%Y[i] : memref<7xf32>) {tile} body(%t: memref<6xf32>, %k: i64) {{",
        "%r = arith.index_cast %k : i64 to index",
        "%v = te.at %t[%r] else -1.0 : f32 : memref<6xf32> -> f32",
        "te.yield %v : f32 }",
    )
    t, y = values(6), empty(7)
    ids = np.array([5, 0, -1, 3, 6, 100, 2], np.int64)
    run(text, t, ids, y)
    close(y, np.array([t[i] if 0 <= i < 6 else -1 for i in ids], np.float32))


@pytest.mark.parametrize("tile", ["", "tile(vec = j, lanes = 4)"])
def test_index_input_masks_a_triangle(tile: str):
    text = kernel(
        "%X: memref<5x6xf32>, %Y: memref<5x6xf32>",
        "te.compute @tri [i: 5, j: 6] ins(%X[i, j] : memref<5x6xf32>, index[j - i])",
        f"outs(%Y[i, j] : memref<5x6xf32>) {tile} body(%x: f32, %d: index) {{",
        "%zero = arith.constant 0.0 : f32 %one = arith.constant 1 : index",
        "%below = arith.cmpi slt, %d, %one : index",
        "%v = arith.select %below, %x, %zero : f32",
        "%n = arith.index_cast %d : index to i32 %f = arith.sitofp %n : i32 to f32",
        "%r = arith.addf %v, %f : f32",
        "te.yield %r : f32 }",
    )
    x, y = values(5, 6), empty(5, 6)
    run(text, x, y)
    difference = np.arange(6)[None] - np.arange(5)[:, None]
    close(y, np.tril(x) + difference)


@pytest.mark.parametrize("tile", ["", "tile(vec = j, lanes = 4)"])
def test_outputs_with_different_axes_are_swept_apart(tile: str):
    text = kernel(
        "%X: memref<3x9xf32>, %E: memref<3x9xf32>, %S: memref<3xf32>",
        "te.compute @es [i: 3, j: 9] ins(%X[i, j] : memref<3x9xf32>)",
        f"outs(%E[i, j] : memref<3x9xf32>, %S[i] add 0.0 : f32 : memref<3xf32>) {tile}",
        "body(%a: f32) { %e = math.exp %a : f32 te.yield %e, %e : f32, f32 }",
        "then(%s: f32) { %n = arith.negf %s : f32 te.yield %n : f32 }",
    )
    x, e, s = values(3, 9), empty(3, 9), empty(3)
    function = lower(text)
    run_function(function, x, e, s)
    close(e, np.exp(x))
    close(s, -np.exp(x).sum(axis=1))


def test_large_elementwise_leaf_runs_in_loops():
    text = kernel(
        "%X: memref<40x500xf32>, %Y: memref<40x500xf32>",
        "te.compute @neg [i: 40, j: 500] ins(%X[i, j] : memref<40x500xf32>)",
        "outs(%Y[i, j] : memref<40x500xf32>) tile(vec = j, lanes = 8)",
        "body(%a: f32) { %n = arith.negf %a : f32 te.yield %n : f32 }",
    )
    function = lower(text)
    assert len(list(function.walk())) < 200
    x, y = values(40, 500), empty(40, 500)
    run_function(function, x, y)
    np.testing.assert_array_equal(y, -x)


def test_only_the_second_compute_needs_a_constant():
    # The constant is inserted at the entry, before the first compute.
    x, y = values(2), empty(4)
    run(
        kernel(
            "%x: memref<2xf32>, %y: memref<4xf32>",
            f"te.compute @copy [i: 2] ins(%x[i] : memref<2xf32>) "
            f"outs(%y[i] : memref<4xf32>) {COPY}",
            "te.compute @fill [i: 2] outs(%y[i + 2] : memref<4xf32>)",
            "body() { %c = arith.constant 7.0 : f32 te.yield %c : f32 }",
        ),
        x,
        y,
    )
    np.testing.assert_array_equal(y, [*x, 7, 7])


def test_location_is_kept():
    module = parse(matmul_text(2, 8, 4, "tile(vec = n, lanes = 8)"))
    (source,) = kernels_of(module)
    from xdsl.dialects.builtin import FileLineColLoc, IntAttr, StringAttr

    where = FileLineColLoc(StringAttr("model"), IntAttr(1), IntAttr(2))
    (compute,) = [op for op in source.walk() if op.name == "te.compute"]
    compute.location = where
    TeToLoop().apply(new_context(), module)
    made = [op for op in module.walk() if op.name in ("loop.for", "loop.store")]
    assert made
    assert all(op.location == where for op in made)


def test_value_form_is_refused():
    text = (
        "te.kernel @k(%x: tensor<4xf32>) -> tensor<4xf32> {\n"
        "%y = te.compute @c [i: 4] ins(%x[i] : tensor<4xf32>) outs([i] : tensor<4xf32>) "
        f"{COPY}\n te.return %y : tensor<4xf32>\n}}"
    )
    with pytest.raises(LoweringError, match="value form"):
        TeToLoop().apply(new_context(), parse(text))


@given(st.data())
@examples(40)
def test_random_padded_windows(data: st.DataObject):
    width, taps = data.draw(st.integers(1, 9)), data.draw(st.integers(1, 4))
    stride, pad = data.draw(st.integers(1, 3)), data.draw(st.integers(0, 3))
    out = data.draw(st.integers(1, 9))
    lanes = data.draw(st.sampled_from([2, 4, 8]))
    vec = data.draw(st.sampled_from(["w", "s", "o"]))
    tile = data.draw(st.sampled_from(["", f"tile(vec = {vec}, lanes = {lanes}, s = 2)"]))
    x_type = f"memref<{width}x3xf32>"
    text = kernel(
        f"%X: {x_type}, %W: memref<{taps}x3xf32>, %Y: memref<{out}x3xf32>",
        f"te.compute @c [w: {out}, o: 3, s: {taps} red]",
        f"ins(%X[w * {stride} + s - {pad}, o] pad 0.0 : {x_type}, %W[s, o] : memref<{taps}x3xf32>)",
        f"outs(%Y[w, o] add 0.0 : f32 : memref<{out}x3xf32>) {tile} {MUL}",
    )
    run(text, values(width, 3), values(taps, 3, seed=1), empty(out, 3))

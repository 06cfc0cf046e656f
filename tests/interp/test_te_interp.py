"""The te interpreter against numpy: value form, buffer form, loops, every combiner."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser

from tilewright.dialects import loop
from tilewright.dialects.te import kernels_of
from tilewright.interp import compute, te
from tilewright.interp.te import run_kernel
from tilewright.interp.thread_nests import thread_nest
from tilewright.support.diagnostics import TilewrightError
from tilewright.support.registry import new_context
from tilewright.testing.pass_case import parsed as parse

MUL = "body(%u: f32, %v: f32) { %p = arith.mulf %u, %v : f32 te.yield %p : f32 }"
COPY = "body(%u: f32) { te.yield %u : f32 }"
RNG = np.random.default_rng(0)
X = RNG.standard_normal((4, 6)).astype(np.float32)


def kernel(text: str, *arrays: np.ndarray) -> tuple[np.ndarray, ...]:
    (found,) = kernels_of(parse(text))
    return run_kernel(found, *arrays)


def rows(combiner: str, init: str, body: str = COPY, then: str = "") -> np.ndarray:
    """Reduce the rows of X."""
    (made,) = kernel(
        f"""te.kernel @k(%x: tensor<4x6xf32>) -> tensor<4xf32> {{
          %y = te.compute @y [i: 4, j: 6 red] ins(%x[i, j] : tensor<4x6xf32>)
            outs([i] {combiner} {init} : f32 : tensor<4xf32>) {body} {then}
          te.return %y : tensor<4xf32>
        }}""",
        X,
    )
    return made


def test_combiners_of_floats() -> None:
    exact = X.astype(np.float64)
    np.testing.assert_array_equal(rows("add", "0.0"), exact.sum(1).astype(np.float32))
    np.testing.assert_array_equal(rows("add", "1.0"), (exact.sum(1) + 1).astype(np.float32))
    np.testing.assert_array_equal(rows("mul", "1.0"), exact.prod(1).astype(np.float32))
    np.testing.assert_array_equal(rows("max", "-inf"), X.max(1))
    np.testing.assert_array_equal(rows("min", "inf"), X.min(1))


def test_then_runs_once_after_the_reduction() -> None:
    then = "then(%v: f32) { %w = arith.addf %v, %v : f32 te.yield %w : f32 }"
    np.testing.assert_array_equal(rows("max", "-inf", then=then), 2 * X.max(1))


def test_integer_combiners_wrap_and_know_their_sign() -> None:
    x = np.array([[100, 100, -1], [5, 6, 7]], np.int8)
    for combiner, init, expected in (
        ("add", "0", x.sum(1, dtype=np.int8)),
        ("umax", "0", x.view(np.uint8).max(1).view(np.int8)),
        ("umin", "-1", x.view(np.uint8).min(1).view(np.int8)),
        ("xor", "0", np.bitwise_xor.reduce(x, 1)),
        ("and", "-1", np.bitwise_and.reduce(x, 1)),
        ("or", "0", np.bitwise_or.reduce(x, 1)),
    ):
        (made,) = kernel(
            f"""te.kernel @k(%x: tensor<2x3xi8>) -> tensor<2xi8> {{
              %y = te.compute @y [i: 2, j: 3 red] ins(%x[i, j] : tensor<2x3xi8>)
                outs([i] {combiner} {init} : i8 : tensor<2xi8>)
                body(%a: i8) {{ te.yield %a : i8 }}
              te.return %y : tensor<2xi8>
            }}""",
            x,
        )
        np.testing.assert_array_equal(made, expected, combiner)


MATMUL = f"""te.kernel @k(%a: memref<4x6xf32>, %b: memref<6x5xf32>, %c: memref<4x5xf32>) {{
  loop.for %i = 0 to 2 {{
    te.compute @first [m: 2, n: 5, k: 4 red]
      ins(%a[%i * 2 + m, k] : memref<4x6xf32>, %b[k, n] : memref<6x5xf32>)
      outs(%c[%i * 2 + m, n] add 0.0 : f32 : memref<4x5xf32>) {MUL}
    te.compute @last [m: 2, n: 5, k: 2 red]
      ins(%a[%i * 2 + m, k + 4] : memref<4x6xf32>, %b[k + 4, n] : memref<6x5xf32>)
      outs(%c[%i * 2 + m, n] add acc : memref<4x5xf32>) {MUL}
  }}
  te.return
}}"""


def test_loops_and_split_reductions_change_buffers_in_place() -> None:
    b = RNG.standard_normal((6, 5)).astype(np.float32)
    out = np.full((4, 5), np.nan, np.float32)
    assert kernel(MATMUL, X, b, out) == ()
    np.testing.assert_allclose(out, X @ b, rtol=1e-5, atol=1e-6)


THREADS = """te.kernel @k(%x: memref<8x6xf32>, %out: memref<8x6xf32>) {{
  loop.for bind blockIdx.x %block = 0 to 2 {{
{alloc}
    loop.for bind threadIdx.y %ty = 0 to 4 {{
      loop.for bind threadIdx.x %tx = 0 to 3 {{
        te.compute @double [i: 2]
          ins(%x[%block * 4 + %ty, %tx * 2 + i] : memref<8x6xf32>)
          outs(%out[%block * 4 + %ty, %tx * 2 + i] : memref<8x6xf32>) body(%a: f32) {{
          %sum = arith.addf %a, %a : f32
          te.yield %sum : f32
        }}
      }}
    }}
  }}
  te.return
}}"""


@pytest.mark.parametrize(
    ("alloc", "loops"), [("", 3), ('%s = loop.alloc "local" : memref<8x6xf32>', 2)]
)
def test_threads_around_one_compute_run_at_once(alloc: str, loops: int) -> None:
    (parsed,) = kernels_of(parse(THREADS.format(alloc=alloc)))
    nests = [thread_nest(op) for op in parsed.walk() if isinstance(op, loop.ForOp)]
    assert max(len(nest.loops) for nest in nests if nest is not None) == loops
    x, result = RNG.standard_normal((8, 6)).astype(np.float32), np.zeros((8, 6), np.float32)
    run_kernel(parsed, x, result)
    np.testing.assert_array_equal(result, 2 * x)


def test_some_threads_run_at_once() -> None:
    (parsed,) = kernels_of(parse(THREADS.format(alloc="")))
    rows = next(op for op in parsed.walk() if isinstance(op, loop.ForOp) and "y" in str(op.thread))
    x, result = np.ones((8, 6), np.float32), np.zeros((8, 6), np.float32)
    run_kernel(parsed, x, result, iterations={rows: np.array([1, 3])})
    np.testing.assert_array_equal(result[:, 0], [0, 2, 0, 2, 0, 2, 0, 2])


@given(st.data())
def test_contraction_equals_stepping(data: st.DataObject) -> None:
    """The matrix product path and the general path give the same sums of products."""
    sizes = {a: data.draw(st.integers(1, 4), a) for a in "bmnkl"}
    lhs_axes = data.draw(st.lists(st.sampled_from("bmkl"), unique=True))
    rhs_axes = data.draw(st.lists(st.sampled_from("bnkl"), unique=True))
    stored = data.draw(st.permutations("bmn"))

    def tensor(axes: list[str]) -> str:
        return f"tensor<{''.join(f'{sizes[a]}x' for a in axes)}f32>"

    order = data.draw(st.permutations("bmnkl"))
    axes = ", ".join(f"{a}: {sizes[a]}{' red' if a in 'kl' else ''}" for a in order)
    text = f"""te.kernel @k(%x: {tensor(lhs_axes)}, %y: {tensor(rhs_axes)}) -> {tensor(stored)} {{
      %z = te.compute @z [{axes}]
        ins(%x[{", ".join(lhs_axes)}] : {tensor(lhs_axes)},
            %y[{", ".join(rhs_axes)}] : {tensor(rhs_axes)})
        outs([{", ".join(stored)}] add 0.0 : f32 : {tensor(stored)}) {MUL}
      te.return %z : {tensor(stored)}
    }}"""
    x = RNG.standard_normal([sizes[a] for a in lhs_axes]).astype(np.float32)
    y = RNG.standard_normal([sizes[a] for a in rhs_axes]).astype(np.float32)
    (got,) = kernel(text, x, y)
    wide = np.ones([sizes[a] for a in "bmnkl"])
    spec = f"{''.join(lhs_axes)},{''.join(rhs_axes)},bmnkl->{''.join(stored)}"
    expected = np.einsum(spec, x.astype(np.float64), y.astype(np.float64), wide)
    np.testing.assert_allclose(got, expected, rtol=1e-6, atol=1e-6)


def test_large_reductions_are_stepped(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = rows("max", "-inf")
    monkeypatch.setattr(compute, "MAX_POINTS", 4)
    np.testing.assert_array_equal(rows("max", "-inf"), whole)


def test_padding_layout_and_index_inputs() -> None:
    (made,) = kernel(
        """te.kernel @k(%x: tensor<2x3x4xf32>) -> tensor<8x3xf32> {
          %y = te.compute @y [c: 8, w: 3]
            ins(%x[c floordiv 4, w - 1, c mod 4] pad 9.0 : tensor<2x3x4xf32>, index[w * 2])
            outs([c, w] : tensor<8x3xf32>)
            body(%a: f32, %p: index) {
              %q = arith.index_cast %p : index to i32
              %r = arith.sitofp %q : i32 to f32
              %s = arith.addf %a, %r : f32
              te.yield %s : f32
            }
          te.return %y : tensor<8x3xf32>
        }""",
        X.reshape(2, 3, 4),
    )
    plain = X.reshape(2, 3, 4).transpose(0, 2, 1).reshape(8, 3)
    padded = np.pad(plain, ((0, 0), (1, 0)), constant_values=9.0)[:, :3]
    np.testing.assert_array_equal(made, padded + np.arange(3, dtype=np.float32) * 2)


SCAN = """te.kernel @k(%x: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %y = te.compute @y [i: 4, t: 6 scan] ins(%x[i, t] : tensor<4x6xf32>)
    outs([i, t] add 0.5 : f32 : tensor<4x6xf32>)
    body(%a: f32) { te.yield %a : f32 }
  te.return %y : tensor<4x6xf32>
}"""


def test_scan_stores_every_partial_result() -> None:
    (made,) = kernel(SCAN, X)
    expected = (0.5 + np.cumsum(X.astype(np.float64), 1)).astype(np.float32)
    np.testing.assert_array_equal(made, expected)


def test_scan_with_a_combine_region() -> None:
    region = "combine(%u: f32, %v: f32) { %s = arith.addf %u, %v : f32 te.yield %s : f32 }"
    text = SCAN.replace("add 0.5", "by 0.5").replace(
        "te.yield %a : f32 }", "te.yield %a : f32 } " + region
    )
    np.testing.assert_allclose(kernel(text, X)[0], 0.5 + np.cumsum(X, 1), rtol=1e-6)


def at(other: str) -> str:
    return f"""te.kernel @k(%x: tensor<6xf32>, %i: tensor<3xi64>) -> tensor<3xf32> {{
      %y = te.compute @pick [i: 3] ins(%x : tensor<6xf32>, %i[i] : tensor<3xi64>)
        outs([i] : tensor<3xf32>)
        body(%t: tensor<6xf32>, %n: i64) {{
          %p = arith.index_cast %n : i64 to index
          %v = te.at %t[%p] {other} : tensor<6xf32> -> f32
          te.yield %v : f32
        }}
      te.return %y : tensor<3xf32>
    }}"""


def test_computed_reads() -> None:
    (made,) = kernel(at("else 7.0 : f32"), X[0], np.array([2, -1, 6]))
    np.testing.assert_array_equal(made, np.array([X[0, 2], 7, 7], np.float32))
    with pytest.raises(TilewrightError, match=r"te.compute @pick: te.at of tensor<6xf32> outside"):
        kernel(at(""), X[0], np.array([2, -1, 6]))


def test_accesses_outside_a_buffer_name_the_compute() -> None:
    text = f"""te.kernel @k(%a: memref<4xf32>, %c: memref<4xf32>) {{
      loop.for %i = 0 to 3 {{
        te.compute @copy [m: 2] ins(%a[READ] : memref<4xf32>)
          outs(%c[WRITE] : memref<4xf32>) {COPY}
      }}
      te.return
    }}"""
    buffers = np.zeros(4, np.float32), np.zeros(4, np.float32)
    (found,) = kernels_of(unverified(text, "%i * 2 + m", "m"))
    with pytest.raises(TilewrightError, match="@copy: read of memref<4xf32> outside"):
        run_kernel(found, *buffers)
    (found,) = kernels_of(unverified(text, "m", "%i * 2 + m"))
    with pytest.raises(TilewrightError, match="@copy: write leaves memref<4xf32>"):
        run_kernel(found, *buffers)


def unverified(text: str, read: str, write: str) -> ModuleOp:
    text = text.replace("READ", read).replace("WRITE", write)
    return Parser(new_context(), text).parse_module()


def test_arguments_are_checked() -> None:
    with pytest.raises(TilewrightError, match="argument 0 of @k has the wrong type"):
        kernel(SCAN, X.astype(np.float64))


def test_main_calls_kernels_of_its_module() -> None:
    module = parse(
        SCAN
        + """func.func @main(%x: tensor<4x6xf32>) -> tensor<4x6xf32> {
          %y = packed.call @k(%x) : (tensor<4x6xf32>) -> tensor<4x6xf32>
          func.return %y : tensor<4x6xf32>
        }"""
    )
    np.testing.assert_array_equal(te.run(module, X)[0], kernel(SCAN, X)[0])
    with pytest.raises(TilewrightError, match="no function to compile"):
        te.run(parse(SCAN), X)

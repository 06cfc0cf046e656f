"""sched.online_softmax: attention by blocks of keys, with online softmax."""

from __future__ import annotations

import numpy as np
import pytest

from tilewright.dialects.loop import ForOp
from tilewright.interp.te import run_kernel
from tilewright.support.diagnostics import ScheduleError

from ..kernels import schedule

PARTS = ("s", "mx", "e", "l", "o")
MATCH = "\n".join(f"%{name}0 = sched.match {{name = {name}}}" for name in PARTS)
HANDLES = ", ".join(f"%{name}0" for name in PARTS)
ADDED = ("start", "zero", "factor", "total", "finish")
RESULTS = ", ".join(f"%{name}1" for name in (*PARTS, "b", *ADDED))
STEP = f"{RESULTS} = sched.online_softmax {HANDLES}"


INFINITE = "0xff800000"


def online_softmax(size: int, axis: str = "k", step: str = STEP) -> str:
    """Return a script that matches the five computes and blocks them by keys."""
    return f"{MATCH}\n{step} {{{axis} = {size}}}"


def attention(m: int, n: int, d: int, mask: str = "", dtype: str = "f32") -> str:
    """Return attention of one head; mask: ops that compute %t from score %v, positions %m, %n."""
    q, k, v, o = (f"memref<{rows}x{d}x{dtype}>" for rows in (m, n, n, m))
    s, r = f"memref<{m}x{n}x{dtype}>", f"memref<{m}x{dtype}>"
    post = "post(index[m], index[n])" if mask else ""
    finish = (
        f"then(%v: {dtype}, %m: index, %n: index) {{\n{mask}\n te.yield %t : {dtype}\n }}"
        if mask
        else ""
    )
    product = f"%p = arith.mulf %x, %y : {dtype}\n te.yield %p : {dtype}"
    return f"""
te.kernel @k(%Q: {q}, %K: {k}, %V: {v}, %O: {o}) {{
  %s = loop.alloc "local" : {s}
  te.compute @s [m: {m}, n: {n}, c: {d} red] ins(%Q[m, c] : {q}, %K[n, c] : {k}) {post}
    outs(%s[m, n] add 0.0 : {dtype} : {s}) body(%x: {dtype}, %y: {dtype}) {{ {product} }} {finish}
  %mx = loop.alloc "local" : {r}
  te.compute @mx [m: {m}, n: {n} red] ins(%s[m, n] : {s})
    outs(%mx[m] maxnum -inf : {dtype} : {r}) body(%x: {dtype}) {{ te.yield %x : {dtype} }}
  %e = loop.alloc "local" : {s}
  te.compute @e [m: {m}, n: {n}] ins(%s[m, n] : {s}, %mx[m] : {r}) outs(%e[m, n] : {s})
    body(%x: {dtype}, %y: {dtype}) {{
      %z = arith.subf %x, %y : {dtype}
      %w = math.exp %z : {dtype}
      te.yield %w : {dtype}
    }}
  %l = loop.alloc "local" : {r}
  te.compute @l [m: {m}, n: {n} red] ins(%e[m, n] : {s}) outs(%l[m] add 0.0 : {dtype} : {r})
    body(%x: {dtype}) {{ te.yield %x : {dtype} }} then(%x: {dtype}) {{
      %one = arith.constant 1.0 : {dtype}
      %w = arith.divf %one, %x : {dtype}
      te.yield %w : {dtype}
    }}
  te.compute @o [m: {m}, n: {d}, k: {n} red] ins(%e[m, k] : {s}, %V[k, n] : {v})
    post(%l[m] : {r}) outs(%O[m, n] add 0.0 : {dtype} : {o})
    body(%x: {dtype}, %y: {dtype}) {{ {product} }} then(%x: {dtype}, %y: {dtype}) {{ {product} }}
  te.return
}}
"""


def causal(hidden: str, distance: int = 0) -> str:
    """Return ops that add a number to the scores of keys more than a distance after the query."""
    return f"""
      %d = arith.constant {distance} : index
      %r = arith.addi %m, %d : index
      %c = arith.cmpi sle, %n, %r : index
      %a = arith.constant 0.0 : f32
      %h = arith.constant {hidden} : f32
      %w = arith.select %c, %a, %h : f32
      %t = arith.addf %v, %w : f32"""


def expected(q: np.ndarray, k: np.ndarray, v: np.ndarray, seen: np.ndarray) -> np.ndarray:
    scores = np.where(seen, q.astype(np.float64) @ k.T, -np.inf)
    with np.errstate(invalid="ignore"):
        weights = np.exp(scores - scores.max(1, keepdims=True))
        return weights / weights.sum(1, keepdims=True) @ v


def run(text: str, script: str, m: int, n: int, d: int) -> tuple[object, np.ndarray, list]:
    done = schedule(text, script)
    rng = np.random.default_rng(3)
    arrays = [rng.standard_normal((rows, d)).astype(np.float32) for rows in (m, n, n)]
    result = np.full((m, d), np.nan, np.float32)
    run_kernel(done.kernel, *arrays, result)
    return done, result, arrays


@pytest.mark.parametrize(("keys", "size"), [(12, 4), (14, 4), (13, 12), (9, 1)])
def test_blocks_of_keys_give_the_same(keys: int, size: int) -> None:
    done, result, arrays = run(attention(6, keys, 3), online_softmax(size), 6, keys, 3)
    assert len(done.computes("s")) == (1 if keys % size == 0 else 2)
    wanted = expected(*arrays, np.ones((6, keys), np.bool_))
    np.testing.assert_allclose(result, wanted, rtol=0, atol=1e-6)


@pytest.mark.parametrize("hidden", [INFINITE, "-3.4e38"])
@pytest.mark.parametrize(("queries", "keys", "distance"), [(12, 12, 0), (8, 16, 8), (8, 18, 3)])
def test_blocks_that_no_query_of_a_task_sees_are_left_out(
    hidden: str, queries: int, keys: int, distance: int
) -> None:
    tasks = "%t0 = sched.match {name = o}\n%t, %i = sched.tile %t0 {m = 4}\n" + "\n".join(
        f"%{n}m = sched.match {{name = {n}}}\n%{n}f = sched.fuse_into %{n}m, %i"
        for n in ("l", "e", "mx", "s")
    )
    text = attention(queries, keys, 3, causal(hidden, distance))
    done, result, arrays = run(text, f"{tasks}\n{online_softmax(4)}", queries, keys, 3)
    loops = [op for op in done.kernel.walk() if isinstance(op, ForOp) and op.static_bounds is None]
    assert loops, "the loop over blocks ends where the task's last query does"
    seen = np.tri(queries, keys, distance, dtype=np.bool_)
    np.testing.assert_allclose(result, expected(*arrays, seen), rtol=0, atol=1e-6)


def test_queries_without_keys_give_nan_where_the_mask_is_infinite() -> None:
    text = attention(6, 8, 3, causal(INFINITE, -2))
    _, result, arrays = run(text, online_softmax(4), 6, 8, 3)
    seen = np.tri(6, 8, -2, dtype=np.bool_)
    np.testing.assert_allclose(result, expected(*arrays, seen), rtol=0, atol=1e-6)
    assert np.isnan(result[:2]).all()


def test_queries_without_keys_see_all_where_the_mask_is_finite() -> None:
    text = attention(6, 8, 3, causal("-3.4028234663852886e38", -2))
    done, result, arrays = run(text, online_softmax(4), 6, 8, 3)
    np.testing.assert_allclose(result[:2], np.broadcast_to(arrays[2].mean(0), (2, 3)), atol=1e-6)
    assert all(op.static_bounds for op in done.kernel.walk() if isinstance(op, ForOp))


@pytest.mark.parametrize(
    ("text", "script", "message"),
    [
        (attention(4, 8, 3), online_softmax(8), "a block is smaller than all keys"),
        (attention(4, 8, 3), online_softmax(4)[:-1] + ", lanes = 3}", "lanes divide a block"),
        (attention(4, 8, 3), online_softmax(4, axis="n"), "does not run through keys"),
        (
            attention(4, 8, 3),
            online_softmax(4, step=STEP.replace("%s0, %mx0", "%mx0, %s0")),
            "the five computes are no attention",
        ),
        (attention(4, 8, 3, dtype="f16"), online_softmax(4), "running sums are f32 or f64"),
    ],
)
def test_errors(text: str, script: str, message: str) -> None:
    with pytest.raises(ScheduleError, match=message):
        schedule(text, script)

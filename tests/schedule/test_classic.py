"""Programs of the classic TVM tutorials that combine many primitives, in our spelling."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np
import pytest

import tilewright
from tilewright import te
from tilewright.support.diagnostics import ScheduleError

RNG = np.random.default_rng(0)


def run(what: Any, args: list[te.Tensor], expected: Callable[..., Any], rtol: float = 0) -> None:
    """Compile for one and two threads and compare with numpy, on small integers."""
    arrays = [RNG.integers(-3, 4, t.shape).astype("f4") for t in args if t.op.ir is None]
    for threads in (1, 2):
        got = np.asarray(tilewright.build(what, args, threads=threads)(*arrays))
        np.testing.assert_allclose(got, expected(*arrays), rtol=rtol, atol=rtol)


def test_a_convolution_by_levels_of_memory() -> None:
    """Inline padding into a shared copy, read registers from it, keep results in a local block."""
    channels, size, filters = 6, 8, 8
    x = te.placeholder((2, channels, size, size), name="X")
    w = te.placeholder((filters, channels, 3, 3), name="W")
    padded = te.compute(
        (2, channels, size + 2, size + 2),
        lambda n, c, i, j: te.if_then_else(
            te.all(i >= 1, i - 1 < size, j >= 1, j - 1 < size), x[n, c, i - 1, j - 1], 0.0
        ),
        name="padded",
    )
    rc, ry, rx = (te.reduce_axis((0, n), name=k) for n, k in ((channels, "rc"), (3, "a"), (3, "b")))
    y = te.compute(
        (2, filters, size, size),
        lambda n, f, i, j: te.sum(
            padded[n, rc, i + ry, j + rx] * w[f, rc, ry, rx], axis=[rc, ry, rx]
        ),
        name="Y",
    )
    s = te.create_schedule(y.op)
    s[padded].compute_inline()
    block = s.cache_write(y, "local")
    shared = [s.cache_read(t, "shared", [block]) for t in (padded, w)]
    local = [s.cache_read(t, "local", [block]) for t in shared]
    n, f, i, j = s[y].op.axis
    fo, fi = s[y].split(f, 4)
    io, ii = s[y].split(i, 3)
    s[y].reorder(n, fo, io, fi, ii, j)
    s[block].compute_at(s[y], io)
    rco, rci = s[block].split(rc, factor=4)
    s[block].reorder(rco, ry, rx, rci, *s[block].op.axis[1:])
    for copy in shared:
        copy.compute_at(s[block], rx)
    for copy in local:
        copy.compute_at(s[block], rci)
    s[y].parallel(s[y].fuse(n, fo))
    s[block].vectorize(s[block].op.axis[3])

    def expected(image: Any, weights: Any) -> Any:
        wide = np.pad(image, ((0, 0), (0, 0), (1, 1), (1, 1)))
        taps = product(range(3), range(3))
        parts = (
            np.einsum("nchw,fc->nfhw", wide[..., a : a + size, b : b + size], weights[..., a, b])
            for a, b in taps
        )
        return sum(parts)

    run(s, [x, w, y], expected)


def test_winograd_by_stages() -> None:
    """Compute F(2x2, 3x3): transforms, a batch of products, the inverse, the output tiles."""
    channels, filters, size = 3, 4, 8
    rows = size // 2
    to_tile = [[1, 0, -1, 0], [0, 1, 1, 0], [0, -1, 1, 0], [0, 1, 0, -1]]
    to_weights = [[1, 0, 0], [0.5, 0.5, 0.5], [0.5, -0.5, 0.5], [0, 0, 1]]
    to_output = [[1, 1, 1, 0], [0, 1, -1, -1]]
    bt, g, at = (te.constant(np.array(m, "f4")) for m in (to_tile, to_weights, to_output))
    x = te.placeholder((channels, size + 2, size + 2), name="X")
    w = te.placeholder((filters, channels, 3, 3), name="W")
    a, b = te.reduce_axis((0, 3), name="a"), te.reduce_axis((0, 3), name="b")
    u = te.compute(
        (4, 4, filters, channels),
        lambda e, n, k, c: te.sum(w[k, c, a, b] * g[e, a] * g[n, b], axis=[a, b]),
        name="U",
    )
    r, q = te.reduce_axis((0, 4), name="r"), te.reduce_axis((0, 4), name="q")
    v = te.compute(
        (4, 4, channels, rows * rows),
        lambda e, n, c, p: te.sum(
            x[c, p // rows * 2 + r, p % rows * 2 + q] * bt[e, r] * bt[n, q], axis=[r, q]
        ),
        name="V",
    )
    rc = te.reduce_axis((0, channels), name="rc")
    m = te.compute(
        (4, 4, filters, rows * rows),
        lambda e, n, k, p: te.sum(u[e, n, k, rc] * v[e, n, rc, p], axis=rc),
        name="M",
    )
    re, rn = te.reduce_axis((0, 4), name="re"), te.reduce_axis((0, 4), name="rn")
    tiles = te.compute(
        (filters, rows * rows, 2, 2),
        lambda k, p, i, j: te.sum(m[re, rn, k, p] * at[i, re] * at[j, rn], axis=[re, rn]),
        name="tiles",
    )
    y = te.compute(
        (filters, size, size),
        lambda k, i, j: tiles[k, i // 2 * rows + j // 2, i % 2, j % 2],
        name="Y",
    )
    s = te.create_schedule(y.op)
    s[u].unroll(a)
    s[u].unroll(b)
    s[m].vectorize(m.op.axis[3])
    s[m].parallel(s[m].fuse(*m.op.axis[:2]))
    s[tiles].compute_at(s[y], y.op.axis[0])

    def expected(image: Any, weights: Any) -> Any:
        return sum(
            np.einsum("chw,kc->khw", image[:, i : i + size, j : j + size], weights[..., i, j])
            for i, j in product(range(3), range(3))
        )

    run(s, [x, w, y], expected, rtol=1e-5)


def test_a_depthwise_convolution_with_its_epilogue() -> None:
    """Inline scale, shift and relu; compute the convolution in rows, then arrange its loops."""
    channels, size = 6, 9
    x = te.placeholder((1, channels, size + 2, size + 2), name="X")
    w, scale, shift = (
        te.placeholder(shape, name=name)
        for shape, name in (((channels, 3, 3), "W"), ((channels,), "scale"), ((channels,), "shift"))
    )
    a, b = te.reduce_axis((0, 3), name="a"), te.reduce_axis((0, 3), name="b")
    depthwise = te.compute(
        (1, channels, size, size),
        lambda n, c, i, j: te.sum(x[n, c, i + a, j + b] * w[c, a, b], axis=[a, b]),
        name="depthwise",
    )
    scaled = te.compute(
        depthwise.shape,
        lambda n, c, i, j: depthwise[n, c, i, j] * scale[c] + shift[c],
        name="scaled",
    )
    y = te.compute(depthwise.shape, lambda *i: te.maximum(scaled(*i), 0.0), name="Y")
    s = te.create_schedule(y.op)
    s[scaled].compute_inline()
    outer, _ = s[y].split(y.op.axis[2], 4)
    s[depthwise].compute_at(s[y], outer)
    s[y].parallel(s[y].fuse(*y.op.axis[:2]))
    s[y].vectorize(y.op.axis[3])

    def expected(image: Any, weights: Any, factor: Any, offset: Any) -> Any:
        taps = product(range(3), range(3))
        found = sum(
            image[:, :, i : i + size, j : j + size] * weights[None, :, i, j, None, None]
            for i, j in taps
        )
        wide = (None, slice(None), None, None)
        return np.maximum(found * factor[wide] + offset[wide], 0)

    run(s, [x, w, scale, shift, y], expected)


def test_loops_are_bound_to_thread_axes() -> None:
    a = te.placeholder((100,), name="A")
    b = te.compute((100,), lambda i: a[i] + 1.0, name="B")
    s = te.create_schedule(b.op)
    block, thread = s[b].split(b.op.axis[0], factor=32)
    s[b].bind(block, te.thread_axis("blockIdx.x"))
    with pytest.raises(ScheduleError, match="not as many iterations as threadIdx") as caught:
        s[b].bind(thread, te.thread_axis((0, 64), "threadIdx.x"))
    for line in ("expected: 64 iterations", "got: 32", f"hint: split {thread} with nparts=64"):
        assert line in str(caught.value)
    s[b].bind(thread, te.thread_axis((0, 32), "threadIdx.x"))
    assert "bind threadIdx.x" in str(s)
    with pytest.raises(tilewright.Error, match=r'bound to "blockIdx.x", and a CPU') as refused:
        tilewright.build(s, [a, b])
    assert 'target="opencl"' in str(refused.value)


@pytest.mark.parametrize(
    ("dom", "thread", "rule"),
    [
        ((1, 8), "threadIdx.x", "count from 0"),
        (8, "", "needs the name of a thread"),
        (None, "", "needs the name of a thread"),
    ],
)
def test_a_thread_axis_is_named_and_counts_from_0(dom: Any, thread: str, rule: str) -> None:
    with pytest.raises(ScheduleError, match=rule):
        te.thread_axis(dom, thread)

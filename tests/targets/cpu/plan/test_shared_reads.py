"""Register tiles have the shape in which adjacent results share the most operands."""

from __future__ import annotations

import numpy as np

import tilewright
from tilewright import te
from tilewright.driver.module.compiled_module import CompiledModule

TARGET = "llvm -mcpu=x86-64-v3"


def blur(rows: int, columns: int) -> tuple[te.Tensor, te.Tensor]:
    """Return an image with a border, and the means of its 3 x 3 windows."""
    x = te.placeholder((rows + 2, columns + 2), name="x")
    taps = [(r, s) for r in range(3) for s in range(3)]

    y = te.compute(
        (rows, columns),
        lambda i, j: sum((x[i + r, j + s] for r, s in taps[1:]), x[i, j]) / 9.0,
        name="y",
    )
    return x, y


def weighted(rows: int, columns: int, terms: int) -> tuple[te.Tensor, ...]:
    """Return two matrices, the weights of the terms of their scalar products, and the products."""
    a, b = (te.placeholder((n, terms), name=s) for n, s in ((rows, "a"), (columns, "b")))
    d, k = te.placeholder((terms,), name="d"), te.reduce_axis((0, terms), name="k")
    return (
        a,
        d,
        b,
        te.compute(
            (rows, columns), lambda i, j: te.sum(a[i, k] * d[k] * b[j, k], axis=k), name="y"
        ),
    )


def schedule(module: CompiledModule) -> str:
    return module.get_source("sched").partition("sched.script")[2]


def test_rows_of_a_stencil_share_their_taps() -> None:
    module = tilewright.build([*blur(45, 70)], target=TARGET)
    assert "{i = 8, j = 8, even = [i]}" in schedule(module)
    x = np.random.default_rng(0).standard_normal((47, 72)).astype(np.float32)
    y = np.empty((45, 70), np.float32)
    module(x, y)
    wanted = np.lib.stride_tricks.sliding_window_view(x, (3, 3)).mean((2, 3))
    np.testing.assert_allclose(y, wanted, rtol=1e-5, atol=1e-6)


def test_rows_of_a_reduction_share_what_depends_on_no_row() -> None:
    module = tilewright.build([*weighted(9, 21, 70)], target=TARGET)
    assert "j = 4, even = [j]}" in schedule(module)
    rng = np.random.default_rng(0)
    a, d, b = (rng.standard_normal(n).astype(np.float32) for n in ((9, 70), (70,), (21, 70)))
    y = np.empty((9, 21), np.float32)
    module(a, d, b, y)
    np.testing.assert_allclose(y, (a * d) @ b.T, rtol=1e-4, atol=1e-4)

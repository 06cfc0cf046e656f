"""Families of random tensor expressions: operators, and stages that share tensors."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from ... import ops, te
from .draw import Draw, functions_of

Tensors: TypeAlias = Sequence[Any]


def size(d: Draw, most: int = 24) -> int:
    """Draw the size of an axis: small ones, primes and powers of two.

    most: about the largest size.
    """
    return d.one(*(1, 2, 3, 5, 7, 8, 12, 13, 16, 17, 24, 31, 32, 48, 64)[: 4 + most // 4])


def _dtype(d: Draw) -> str:
    """Draw the type of a program's numbers: float32 or int32."""
    return d.one("float32", "int32")


def elementwise(d: Draw) -> Tensors:
    """Define the square of the sum of a matrix and a row, minus the row."""
    m, n, dtype = size(d, 44), size(d, 44), _dtype(d)
    a, b = te.placeholder((m, n), dtype, name="A"), te.placeholder((n,), dtype, name="B")
    t = te.compute((m, n), lambda i, j: a[i, j] + b[j], name="T")
    return [te.compute((m, n), lambda x, y: t[x, y] * t[x, y] - b[y], name="O")]


def matmul(d: Draw) -> Tensors:
    """Define a matrix product with bias, followed by a maximum with 0."""
    m, n, k, dtype = size(d), size(d), size(d), _dtype(d)
    a, b = te.placeholder((m, k), dtype, name="A"), te.placeholder((k, n), dtype, name="B")
    bias = te.placeholder((n,), dtype, name="bias")
    r = te.reduce_axis((0, k), name="k")
    c = te.compute((m, n), lambda i, j: te.sum(a[i, r] * b[r, j], axis=r) + bias[j], name="T")
    return [te.compute((m, n), lambda x, y: te.maximum(c[x, y], te.const(0, dtype)), name="O")]


def conv(d: Draw) -> Tensors:
    """Define a 3x3 convolution with or without padding."""
    c, o, h, w, dtype = (
        size(d, 4),
        size(d, 8),
        size(d, 12) + 2,
        size(d, 12) + 2,
        _dtype(d),
    )
    pad, stride = d.one(0, 1), d.one(1, 2)
    x = te.placeholder((c, h, w), dtype, name="X")
    f = te.placeholder((o, c, 3, 3), dtype, name="W")
    oh, ow = (h + 2 * pad - 3) // stride + 1, (w + 2 * pad - 3) // stride + 1
    zero = te.const(0, dtype)

    def at(i: Any, p: Any, q: Any) -> Any:
        if not pad:
            return x[i, p, q]
        inside = te.all(p >= pad, p < h + pad, q >= pad, q < w + pad)
        return te.if_then_else(inside, x[i, p - pad, q - pad], zero)

    t = te.compute((c, h + 2 * pad, w + 2 * pad), at, name="T")
    rc, ry, rx = (te.reduce_axis((0, n), name=a) for n, a in ((c, "rc"), (3, "ry"), (3, "rx")))
    return [
        te.compute(
            (o, oh, ow),
            lambda i, p, q: te.sum(
                t[rc, p * stride + ry, q * stride + rx] * f[i, rc, ry, rx], axis=[rc, ry, rx]
            ),
            name="O",
        )
    ]


def pooling(d: Draw) -> Tensors:
    """Define the maximum of each window."""
    c, h, w, dtype = size(d, 8), size(d, 16) + 3, size(d, 16) + 3, _dtype(d)
    x = te.placeholder((c, h, w), dtype, name="X")
    t = te.compute((c, h, w), lambda i, p, q: x[i, p, q] + x[i, p, q], name="T")
    ry, rx = te.reduce_axis((0, 2), name="ry"), te.reduce_axis((0, 3), name="rx")
    oh, ow = (h - 2) // 2 + 1, w - 2
    return [
        te.compute(
            (c, oh, ow),
            lambda i, p, q: te.max(t[i, p * 2 + ry, q + rx], axis=[ry, rx]),
            name="O",
        )
    ]


def softmax(d: Draw) -> Tensors:
    """Define Softmax in four stages."""
    m, n = size(d), size(d, 44)
    x = te.placeholder((m, n), "float32", name="X")
    k, r = te.reduce_axis((0, n), name="k"), te.reduce_axis((0, n), name="r")
    top = te.compute((m,), lambda i: te.max(x[i, k], axis=k), name="M")
    e = te.compute((m, n), lambda i, j: te.exp(x[i, j] - top[i]), name="E")
    s = te.compute((m,), lambda i: te.sum(e[i, r], axis=r), name="S")
    return [te.compute((m, n), lambda i, j: e[i, j] / s[i], name="O")]


def reduction(d: Draw) -> Tensors:
    """Define sums or extremes over two axes."""
    m, n, k, dtype = size(d), size(d, 12), size(d), _dtype(d)
    x = te.placeholder((m, n, k), dtype, name="X")
    a, b = te.reduce_axis((0, n), name="a"), te.reduce_axis((0, k), name="b")
    combine = d.one(te.sum, te.max, te.min)
    t = te.compute((m,), lambda i: combine(x[i, a, b], axis=[a, b]), name="T")
    return [te.compute((m,), lambda j: t[j] + t[j], name="O")]


def argmax(d: Draw) -> Tensors:
    """Define the position of the largest element."""
    m, n = size(d), size(d, 44)
    x = te.placeholder((m, n), _dtype(d), name="X")
    k = te.reduce_axis((0, n), name="k")
    return [te.compute((m,), lambda i: te.argmax(x[i, k], axis=k), name="O")]


def scan(d: Draw) -> Tensors:
    """Define running sums along the middle axis of twice the input."""
    shape, dtype = (size(d), size(d), size(d, 12)), _dtype(d)
    x = te.placeholder(shape, dtype, name="X")
    t = te.compute(shape, lambda i, j, k: x[i, j, k] + x[i, j, k], name="T")
    return [ops.cumulative(t, kind="sum", axis=1, name="O")]


# ---- stages that share tensors


def diamond(d: Draw) -> Tensors:
    """Define two computes that read one tensor, and a compute that reads both."""
    m, n, dtype = size(d), size(d), _dtype(d)
    a = te.placeholder((m, n), dtype, name="A")
    t = te.compute((m, n), lambda i, j: a[i, j] + te.const(1, dtype), name="T")
    u = te.compute((m, n), lambda i, j: t[i, j] * te.const(2, dtype), name="U")
    v = te.compute((m, n), lambda i, j: t[i, j] - a[i, j] * te.const(3, dtype), name="V")
    o = te.compute((m, n), lambda i, j: u[i, j] + v[i, j], name="O")
    k = te.reduce_axis((0, n), name="k")
    p = te.compute((m,), lambda i: te.sum(v[i, k], axis=k), name="P")
    return d.one([o], [o, p])


def shared(d: Draw) -> Tensors:
    """Define several results that read the same tensors transposed, shifted or backwards."""
    m, dtype = size(d) + 2, _dtype(d)
    a = te.placeholder((m, m), dtype, name="A")
    t = te.compute((m, m), lambda i, j: a[i, j] * te.const(2, dtype), name="T")
    o = d.one(
        lambda: te.compute((m, m), lambda i, j: t[j, i] + t[i, j], name="O"),
        lambda: te.compute((m - 1, m), lambda i, j: t[i + 1, j] + t[i, j], name="O"),
        lambda: te.compute((m, m), lambda i, j: t[m - 1 - i, j] - a[i, j], name="O"),
    )()
    p = te.compute((m, m - 2), lambda i, j: t[i, j] + t[i, j + 1] + t[i, j + 2], name="P")
    q = te.compute((m, m - 2), lambda i, j: p[i, j] - t[i, j + 1], name="Q")
    return d.one([o, q], [t, o], [p, o, q], [q])


def blur(d: Draw) -> Tensors:
    """Define three stencils in a chain."""
    h, w, dtype = size(d) + 4, size(d) + 4, _dtype(d)
    a = te.placeholder((h, w), dtype, name="A")
    t = te.compute((h, w - 2), lambda i, j: a[i, j] + a[i, j + 1] + a[i, j + 2], name="T")
    u = te.compute((h - 2, w - 2), lambda i, j: t[i, j] + t[i + 1, j] + t[i + 2, j], name="U")
    o = te.compute((h - 4, w - 2), lambda i, j: u[i, j] - u[i + 2, j], name="O")
    return d.one([o], [o], [o, t])


def pairs(d: Draw) -> Tensors:
    """Define a compute with two results."""
    m, n, dtype = size(d), size(d), _dtype(d)
    a = te.placeholder((m, n), dtype, name="A")
    t, u = te.compute(
        (m, n), lambda i, j: (a[i, j] + te.const(1, dtype), a[i, j] * a[i, j]), name="T"
    )
    o = te.compute((m, n), lambda i, j: t[i, j] - u[i, j], name="O")
    return d.one([o], [o, u], [t, o])


def wide(d: Draw) -> Tensors:
    """Define a matrix product of bytes that accumulates in a wider type."""
    m, n, k = size(d), size(d), size(d)
    a, b = te.placeholder((m, k), "int8", name="A"), te.placeholder((k, n), "int8", name="B")
    r = te.reduce_axis((0, k), name="k")
    c = te.compute(
        (m, n),
        lambda i, j: te.sum(a[i, r].astype("int32") * b[r, j].astype("int32"), axis=r),
        name="T",
    )
    return [te.compute((m, n), lambda i, j: te.maximum(c[i, j], te.const(0, "int32")), name="O")]


def products(d: Draw) -> Tensors:
    """Define a matrix product whose left operand is another matrix product."""
    m, n, k, z, dtype = size(d), size(d), size(d), size(d, 8), _dtype(d)
    a, b = te.placeholder((m, k), dtype, name="A"), te.placeholder((k, n), dtype, name="B")
    e = te.placeholder((n, z), dtype, name="E")
    r, q = te.reduce_axis((0, k), name="k"), te.reduce_axis((0, n), name="q")
    t = te.compute((m, n), lambda i, j: te.sum(a[i, r] * b[r, j], axis=r), name="T")
    o = te.compute((m, z), lambda i, j: te.sum(t[i, q] * e[q, j], axis=q), name="O")
    return d.one([o], [o], [o, t])


def recurrence(d: Draw) -> Tensors:
    """Define a te.scan whose step has three computes, one of which reads a row in reverse order."""
    n, w, dtype = size(d, 8) + 2, size(d), _dtype(d)
    x, s = te.placeholder((n, w), dtype, name="X"), te.state((n, w), dtype)
    first = te.compute((1, w), lambda t, i: x[0, i], name="F")
    h = te.compute((n, w), lambda t, i: s[t - 1, i] - x[t, i], name="H")
    g = te.compute(
        (n, w), lambda t, i: te.maximum(h[t, i], te.const(-2, dtype)) + h[t, w - 1 - i], name="G"
    )
    last = te.compute((n, w), lambda t, i: te.minimum(g[t, i], te.const(3, dtype)), name="L")
    scanned = te.scan(first, last, s, name="S")
    o = te.compute((n, w), lambda t, i: scanned[t, i] + x[t, i], name="O")
    return d.one([scanned], [o])


def padded(d: Draw) -> Tensors:
    """Define sums over windows of a zero-padded tensor, minus the maximum of each row."""
    n, dtype = size(d) + 6, _dtype(d)
    a, zero = te.placeholder((n, n), dtype, name="A"), te.const(0, dtype)
    t = te.compute(
        (n + 2, n),
        lambda i, j: te.if_then_else(te.all(i >= 1, i < n + 1), a[i - 1, j], zero),
        name="T",
    )
    k, r = te.reduce_axis((0, 3), name="k"), te.reduce_axis((0, n), name="r")
    u = te.compute((n, n), lambda i, j: te.sum(t[i + k, j], axis=k), name="U")
    v = te.compute((n,), lambda i: te.max(u[i, r], axis=r), name="V")
    return [te.compute((n, n), lambda i, j: u[i, j] - v[i], name="O")]


TE_PROGRAMS: Mapping[str, Callable[[Draw], Tensors]] = functions_of(sys.modules[__name__], "d")
"""The families of this file by name."""

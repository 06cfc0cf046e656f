"""Transposes, slices, pads, concats; gathers, scatters, sorting."""

from __future__ import annotations

from math import prod

import numpy as np

from ..graph_builder import GraphBuilder, GraphTensor
from .layers import WORK, layer_norm, linear, reshape, rolled, transpose

_ELEMENTS = WORK / 400
MOVES = (
    "transpose", "transpose", "slice", "reverse", "pad", "concat", "roll", "split", "tile",
    "reshape", "blocks", "unary", "expand",
)  # fmt: skip


def movement(g: GraphBuilder) -> None:
    """Draw one to four ops that move elements."""
    d = g.draw
    x = y = g.input(*d.shape(d.integer(2, 5), _ELEMENTS))
    for _ in range(d.integer(1, 4)):
        y = move(g, y, d.one(*MOVES))
    g.output(g.op("Neg", y) if y is x else y)


def move(g: GraphBuilder, x: GraphTensor, kind: str) -> GraphTensor:
    """Apply one kind of data movement; return the value itself if its shape does not allow it.

    kind: one of `MOVES`.
    """
    d = g.draw
    axis = d.integer(0, x.rank - 1)
    size = x.shape[axis]
    if kind == "transpose":
        return transpose(g, x, *d.permutation(x.rank))
    if kind in ("slice", "reverse"):
        return _sliced(g, x, axis, -1 if kind == "reverse" else d.one(1, 1, 2, 3, -2))
    if kind == "pad":
        return _padded(g, x)
    if kind == "concat" and x.elements < _ELEMENTS:
        other = list(x.shape)
        other[axis] = d.size(max(1, min(40, int(_ELEMENTS / max(1, x.elements // size)))))
        parts = [x, g.input(*other)]
        return g.op("Concat", *(parts if d.chance(0.5) else parts[::-1]), axis=axis)
    if kind == "roll" and size > 1:
        return rolled(g, x, axis, d.integer(1, size - 1))
    if kind == "split" and size > 1:
        return _split(g, x, axis)
    if kind == "tile":
        times = [d.one(1, 1, 2, 3) for _ in x.shape]
        return g.op("Tile", x, g.ints(*times)) if prod(times) * x.elements < 2e6 else x
    if kind == "expand" and x.elements < _ELEMENTS / 8:
        return g.op("Expand", g.op("Unsqueeze", x, g.ints(axis)), _wider(g, x, axis))
    if kind == "reshape":
        return _reshaped(g, x)
    if kind == "blocks" and x.rank == 4 and x.shape[1] % 4 == 0:
        return g.op("DepthToSpace", x, blocksize=2, mode=d.one("DCR", "CRD"))
    return g.op(d.one("Relu", "Neg", "Abs", "Tanh"), x)


def _sliced(g: GraphBuilder, x: GraphTensor, axis: int, step: int) -> GraphTensor:
    size = x.shape[axis]
    start, end = sorted((g.draw.integer(0, size), g.draw.integer(0, size)))
    start, end = (0, size) if start == end else (start, end)
    if step < 0:
        start, end = end - 1, start - 1 if start else -(2**31)
    return g.op("Slice", x, g.ints(start), g.ints(end), g.ints(axis), g.ints(step))


def _padded(g: GraphBuilder, x: GraphTensor) -> GraphTensor:
    d = g.draw
    mode = d.one("constant", "constant", "edge", "reflect")
    low, high = ([d.integer(0, 3) if d.chance(0.5) else 0 for _ in x.shape] for _ in range(2))
    if mode == "reflect":
        low, high = ([min(p, n - 1) for p, n in zip(s, x.shape, strict=True)] for s in (low, high))
    return g.op("Pad", x, g.ints(*low, *high), mode=mode)


def _split(g: GraphBuilder, x: GraphTensor, axis: int) -> GraphTensor:
    size = x.shape[axis]
    at = size // 2 if g.draw.chance(0.5) else g.draw.integer(1, size - 1)
    first, second = g.ops("Split", x, g.ints(at, size - at), axis=axis, count=2)
    if 2 * at == size:
        return g.op("Mul", first, g.op("Sigmoid", second))
    g.output(g.op("Tanh", first))
    return second


def _wider(g: GraphBuilder, x: GraphTensor, axis: int) -> GraphTensor:
    ones = [1] * x.rank
    return g.ints(*ones[:axis], g.draw.integer(1, 8), *ones[axis:])


def _reshaped(g: GraphBuilder, x: GraphTensor) -> GraphTensor:
    """Merge two axes of a value, or split the first axis."""
    d, shape = g.draw, x.shape
    if x.rank > 2 and d.chance(0.7):
        at = d.integer(0, x.rank - 2)
        return reshape(g, x, *shape[:at], shape[at] * shape[at + 1], *shape[at + 2 :])
    by = next((p for p in (7, 5, 3, 2) if shape[0] % p == 0), 1)
    return reshape(g, x, by, shape[0] // by, *shape[1:])


def embedding(g: GraphBuilder) -> None:
    """Draw a lookup of table rows by indices, then a sum, a norm or a product."""
    d = g.draw
    table, batch, rows = d.fitting(
        lambda: ([d.size(5000), d.size(800)], d.size(16), d.size(200)),
        lambda s: float(max(prod(s[0]), s[1] * s[2] * s[0][1])),
        _ELEMENTS * 2,
    )
    indices = g.feed(d.integers((batch, rows), 0, table[0] - 1))
    y = g.op("Gather", g.weight(*table, fan_in=table[1]), indices, axis=0)
    kind = d.one("plain", "bag", "position", "position")
    if kind == "bag":
        y = g.op(d.one("ReduceSum", "ReduceMean"), y, g.ints(1), keepdims=0)
        y = linear(g, y, d.size(100))
    if kind == "position":
        y = layer_norm(g, g.op("Add", y, g.weight(rows, table[1])))
    g.output(y)


def gather(g: GraphBuilder) -> None:
    """Draw Gather, GatherElements and GatherND with indices in range."""
    d = g.draw
    x = g.input(*d.shape(d.integer(1, 4), _ELEMENTS))
    axis = d.integer(0, x.rank - 1)
    size, rest = x.shape[axis], x.elements // x.shape[axis]
    many = max(1, min(d.size(300), int(2 * _ELEMENTS / rest)))
    kind = d.one("Gather", "Gather", "GatherElements", "GatherND")
    low = -size if d.chance(0.2) else 0
    if kind == "Gather":
        chosen = d.integers(d.one((many,), (1, many), ()), low, size - 1)
        indices = g.feed(chosen) if d.chance(0.7) else g.constant(chosen)
        g.output(g.op(kind, x, indices, axis=axis))
    elif kind == "GatherElements":
        part = [*x.shape[:axis], many, *x.shape[axis + 1 :]]
        g.output(g.op(kind, x, g.feed(d.integers(part, low, size - 1)), axis=axis))
    else:
        depth = d.integer(1, x.rank)
        each = [d.integers((many,), 0, n - 1) for n in x.shape[:depth]]
        g.output(g.op(kind, x, g.feed(np.stack(each, -1))))


def scatter(g: GraphBuilder) -> None:
    """Draw ScatterND and ScatterElements; without a reduction no element is written twice."""
    d = g.draw
    x = g.input(*d.shape(d.integer(1, 4), _ELEMENTS / 2))
    mode = d.one("none", "add", "mul", "max", "min")
    if d.chance(0.5):
        many = d.size(x.shape[0]) if mode == "none" else d.size(500)
        many = min(many, max(1, int(_ELEMENTS / (x.elements // x.shape[0]))))
        rows = d.integers((many,), 0, x.shape[0] - 1)
        if mode == "none":
            rows = np.array(d.permutation(x.shape[0])[:many], np.int64)
        updates = g.input(len(rows), *x.shape[1:])
        g.output(g.op("ScatterND", x, g.feed(rows[:, None]), updates, reduction=mode))
        return
    axis = d.integer(0, x.rank - 1)
    part = list(x.shape)
    part[axis] = d.integer(1, x.shape[axis])
    order = np.argsort(d.uniform(x.shape), axis, kind="stable")
    indices = np.take(order, range(part[axis]), axis).astype(np.int64)
    updates = g.input(*part)
    g.output(g.op("ScatterElements", x, g.feed(indices), updates, axis=axis, reduction=mode))


def sort(g: GraphBuilder) -> None:
    """Draw TopK and running sums."""
    d = g.draw
    x = g.input(*d.shape(d.integer(1, 4), _ELEMENTS / 4))
    axis = d.integer(0, x.rank - 1)
    if d.chance(0.5):
        many = g.ints(d.integer(1, x.shape[axis]))
        g.output(*g.ops("TopK", x, many, axis=axis, largest=d.integer(0, 1), count=2))
        return
    y = g.op("CumSum", x, g.index(axis), exclusive=d.integer(0, 1), reverse=d.integer(0, 1))
    g.output(g.op("Mul", y, g.number(0.5)) if d.chance(0.4) else y)

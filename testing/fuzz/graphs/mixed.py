"""Random DAGs of 12 to 40 nodes of all kinds."""

from __future__ import annotations

from collections.abc import Callable
from math import prod

from ..graph_builder import GraphBuilder, GraphTensor
from .elementwise import BINARY, UNARY, binary, unary
from .layers import (
    WORK,
    activation,
    batch_norm,
    conv,
    conv_work,
    layer_norm,
    linear,
    reshape,
    turned,
)
from .movement import MOVES, move

_MOST = WORK / 2000
"""Most elements of a value."""

Maker = Callable[[GraphBuilder, GraphTensor, list[GraphTensor]], GraphTensor]


def dag(g: GraphBuilder) -> None:
    """Draw nodes that read any earlier values; unread values are outputs."""
    d = g.draw
    values = [g.input(*d.shape(d.integer(2, 4), _MOST / 4)) for _ in range(d.integer(1, 3))]
    read: set[GraphTensor] = set()
    for _ in range(d.integer(12, 40)):
        recent = values[-6:]
        x = d.one(*recent) if d.chance(0.7) else d.one(*values)
        made = d.one(*_MAKERS)(g, x, values)
        if made is not x and made.elements <= 4 * _MOST:
            read.add(x)
            values.append(made)
    g.output(*[v for v in values if v not in read][-4:])


def _moved(g: GraphBuilder, x: GraphTensor, _: list[GraphTensor]) -> GraphTensor:
    return move(g, x, g.draw.one(*MOVES)) if x.rank > 1 else x


def _computed(g: GraphBuilder, x: GraphTensor, _: list[GraphTensor]) -> GraphTensor:
    return unary(g, x, g.draw.one(*UNARY))


def _combined(g: GraphBuilder, x: GraphTensor, values: list[GraphTensor]) -> GraphTensor:
    """Combine a value with one of ``values`` that broadcasts to it, or with a constant."""
    fitting = [v for v in values if v is not x and _broadcasts(v, x)]
    other = g.draw.one(*fitting) if fitting else g.weight(x.shape[-1] if x.rank else 1)
    return binary(g, g.draw.one(*BINARY[:6]), x, other)


def _broadcasts(small: GraphTensor, large: GraphTensor) -> bool:
    if small.rank > large.rank:
        return False
    pairs = zip(small.shape[::-1], large.shape[::-1], strict=False)
    return all(a in (1, b) for a, b in pairs)


def _multiplied(g: GraphBuilder, x: GraphTensor, values: list[GraphTensor]) -> GraphTensor:
    """Multiply a value by weights, or by one of ``values`` that is transposed."""
    d = g.draw
    if x.rank < 2:
        return x
    others = [v for v in values if v.rank == 2 and v.shape[-1] == x.shape[-1]]
    if others and d.chance(0.4):
        return g.op("MatMul", x, turned(g, d.one(*others)))
    columns = d.size(256)
    return linear(g, x, columns) if 2 * x.elements * columns < WORK / 20 else x


def _convolved(g: GraphBuilder, x: GraphTensor, _: list[GraphTensor]) -> GraphTensor:
    d = g.draw
    if x.rank != 4:
        return _as_map(g, x)
    channels, kernel = d.one(8, 16, 24, 7, x.shape[1]), d.one(1, 3, 3, 5)
    group = x.shape[1] if d.chance(0.3) else 1
    channels = x.shape[1] if group > 1 else channels
    if conv_work(x.shape, channels, (kernel, kernel), group) > WORK / 20:
        return x
    y = conv(g, x, channels, kernel, stride=d.one(1, 1, 2), group=group)
    return batch_norm(g, y) if d.chance(0.3) else y


def _as_map(g: GraphBuilder, x: GraphTensor) -> GraphTensor:
    """Add leading axes of size 1, or merge the last ones, so that a value has rank four."""
    if x.rank > 4:
        return reshape(g, x, *x.shape[:3], prod(x.shape[3:]))
    missing = 4 - x.rank
    return g.op("Unsqueeze", x, g.ints(*range(missing))) if missing else x


def _reduced(g: GraphBuilder, x: GraphTensor, _: list[GraphTensor]) -> GraphTensor:
    d = g.draw
    if x.rank < 2:
        return x
    kind = d.one("ReduceSum", "ReduceMean", "ReduceMax", "ReduceL2")
    axes = d.some(range(x.rank), 0.3)
    keep = 1 if len(axes) == x.rank else d.integer(0, 1)
    return g.op(kind, x, g.ints(*axes), keepdims=keep)


def _normalized(g: GraphBuilder, x: GraphTensor, _: list[GraphTensor]) -> GraphTensor:
    if x.rank < 2:
        return x
    if g.draw.chance(0.5):
        return layer_norm(g, x)
    return g.op("Softmax", x, axis=g.draw.integer(0, x.rank - 1))


def _activated(g: GraphBuilder, x: GraphTensor, _: list[GraphTensor]) -> GraphTensor:
    return activation(g, x)


def _gathered(g: GraphBuilder, x: GraphTensor, _: list[GraphTensor]) -> GraphTensor:
    d = g.draw
    if x.rank < 2:
        return x
    axis = d.integer(0, x.rank - 1)
    many = d.integer(1, min(40, 2 * x.shape[axis]))
    indices = d.integers((many,), 0, x.shape[axis] - 1)
    return g.op("Gather", x, g.constant(indices) if d.chance(0.5) else g.feed(indices), axis=axis)


def _selected(g: GraphBuilder, x: GraphTensor, _: list[GraphTensor]) -> GraphTensor:
    return g.op("Where", g.op("Less", x, g.number(0.0)), g.number(0.1), x)


_MAKERS: tuple[Maker, ...] = (
    _moved, _moved, _moved, _computed, _combined, _combined, _combined, _multiplied, _multiplied,
    _convolved, _convolved, _reduced, _normalized, _activated, _gathered, _selected,
)  # fmt: skip

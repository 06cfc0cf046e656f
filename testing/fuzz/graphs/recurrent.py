"""LSTM, GRU, RNN; Scan, Loop and If."""

from __future__ import annotations

import numpy as np

from ..graph_builder import GraphBuilder, GraphTensor
from .layers import WORK, linear, reshape, transpose


def recurrent(g: GraphBuilder) -> None:
    """Draw LSTM, GRU or RNN, in one or both directions."""
    d = g.draw
    kind = d.one("LSTM", "LSTM", "GRU", "GRU", "RNN")
    gates = {"LSTM": 4, "GRU": 3, "RNN": 1}[kind]
    both = d.one(1, 1, 2)

    def cost(sizes: tuple[int, int, int, int]) -> float:
        steps, batch, into, hidden = sizes
        weights = gates * hidden * (hidden + into) * both
        return max(2.0 * steps * batch * weights, 60.0 * weights)

    steps, batch, into, hidden = d.fitting(
        lambda: (d.size(200), d.one(1, 1, 2, 3, 7, 16, 32), d.size(600), d.size(600)),
        cost,
        WORK / 4,
    )
    x = g.input(steps, batch, into)
    operands: list[GraphTensor | None] = [
        x,
        g.weight(both, gates * hidden, into, fan_in=into),
        g.weight(both, gates * hidden, hidden, fan_in=hidden),
        g.weight(both, 2 * gates * hidden, fan_in=100) if d.chance(0.7) else None,
    ]
    lengths = d.integers((batch,), 1, steps).astype(np.int32)
    operands.append(g.constant(lengths) if d.chance(0.15) else None)
    operands.append(g.input(both, batch, hidden) if d.chance(0.4) else None)
    more = {"linear_before_reset": d.integer(0, 1)} if kind == "GRU" else {}
    direction = "bidirectional" if both == 2 else d.one("forward", "forward", "reverse")
    count = 3 if kind == "LSTM" else 2
    y, *last = g.ops(kind, *operands, hidden_size=hidden, direction=direction, count=count, **more)
    if d.chance(0.5):
        y = reshape(g, transpose(g, y, 0, 2, 1, 3), steps, batch, both * hidden)
        y = linear(g, y, d.size(200)) if d.chance(0.5) else y
    g.output(y, *last)


def loop(g: GraphBuilder) -> None:
    """Draw a recurrence as Scan or as Loop."""
    d = g.draw
    steps, width, batch = d.size(60), d.size(300), d.one(1, 1, 2, 5)
    state, x = g.input(batch, width), g.input(steps, batch, width, scale=0.5)
    body = g.body()
    if d.chance(0.5):
        new, shown = _step(body, body.declare(state.shape), body.declare(state.shape))
        body.output(new, shown)
        more, given = {"num_scan_inputs": 1}, (state, x)
    else:
        at, going = body.declare((), np.dtype(np.int64)), body.declare((), np.dtype(bool))
        old = body.declare(state.shape)
        new, shown = _step(body, old, body.op("Gather", x, at, axis=0))
        body.output(body.op("Identity", going), new, shown)
        more, given = {}, (g.index(steps), g.constant(np.array(True)), state)
    rows = GraphTensor("", (steps, *shown.shape), shown.dtype)
    kind = "Scan" if more else "Loop"
    g.output(*g.control(kind, *given, results=[state, rows], body=body, **more))


def _step(
    body: GraphBuilder, old: GraphTensor, row: GraphTensor
) -> tuple[GraphTensor, GraphTensor]:
    d = body.draw
    new = body.op("Add", body.op("Mul", old, body.number(0.5)), row)
    if d.chance(0.4) and old.shape[-1] <= 128:
        new = body.op("Tanh", linear(body, new, old.shape[-1]))
    shown = body.op(d.one("Relu", "Tanh", "Neg"), new)
    return new, body.op("ReduceSum", shown, body.ints(-1)) if d.chance(0.3) else shown


def branch(g: GraphBuilder) -> None:
    """Draw an If whose condition depends on an input value."""
    d = g.draw
    x = g.input(*d.shape(d.integer(1, 3), WORK / 2000))
    bodies = g.body(), g.body()
    for body in bodies:
        y = body.op(d.one("Relu", "Neg", "Tanh"), x)
        y = body.op("Add", y, body.number(1.0)) if d.chance(0.5) else y
        body.output(body.op("Softmax", y, axis=-1) if d.chance(0.4) else y)
    is_first = g.feed(np.array(d.chance(0.5)))
    (y,) = g.control("If", is_first, results=[x], then_branch=bodies[0], else_branch=bodies[1])
    g.output(g.op("Mul", y, g.number(2.0)))

"""Op cases of control flow: regions with captured values, nested, with trip count 0."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
from xdsl.dialects.builtin import TensorType, f32
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from tilewright.dialects.graph import (
    AddOp,
    CheckpointOp,
    ConcatOp,
    CustomGradientOp,
    DefinedOp,
    HoldOp,
    IfOp,
    LoopOp,
    LtOp,
    MatmulOp,
    MulOp,
    ReduceOp,
    ScanOp,
    StopGradientOp,
    TanhOp,
    WhileOp,
    YieldOp,
)
from tilewright.dialects.graph.control import ITERATION
from tilewright.dialects.shape import Dim, dims_of, extent_of, tensor_type, type_of
from tilewright.dialects.te.build import ComputeResult, compute, read

from .case import Array, Input, OpCase, float_input

Body = Callable[..., tuple[Sequence[Operation], Sequence[SSAValue]]]
"""A function from a region's arguments to its ops in order and its yielded values."""


def region(types: Sequence[Attribute], body: Body) -> Region:
    """Return a region of one block."""
    block = Block(arg_types=types)
    ops, values = body(*block.args)
    block.add_ops([*ops, YieldOp(values)])
    return Region(block)


def choose(c: SSAValue, x: SSAValue, y: SSAValue) -> Operation:
    """Return ``c ? (x + y, x) : (y, x * y)``; each branch also forwards an operand."""
    total, product = AddOp(x, y), MulOp(x, y)
    then = region([], lambda: ([total], [total.out, x]))
    return IfOp(c, then, region([], lambda: ([product], [y, product.out])))


def defined(x: SSAValue, y: SSAValue) -> Operation:
    """Return the sums of the rows of x, times the elements of y, plus 1, and y."""
    block = Block(arg_types=[x.type, y.type])
    a, b = block.args
    rows, depth = map(extent_of, dims_of(type_of(x)))
    (columns,) = map(extent_of, dims_of(type_of(y)))
    made = compute(
        "product",
        {"i": rows, "j": columns, "k": depth},
        [read(a, ["i", "k"]), read(b, ["j"])],
        [ComputeResult(("i", "j"), f32, "add", 0)],
        lambda s, p, q: s.mul(p, q),
        then=lambda s, total: s.add(total, s.like(1, total)),
    )
    block.add_ops([made, YieldOp([made.results[0], b])])
    return DefinedOp([x, y], Region(block))


def defined_in_numpy(x: Array, y: Array) -> tuple[Array, Array]:
    """Return the results of `defined`."""
    sums = x.astype(np.float64).sum(1, keepdims=True)
    return (sums * y + 1).astype(np.float32), y


def squared_again(x: SSAValue, y: SSAValue) -> Operation:
    """Return ``x · x · y``, which the gradient computes again."""

    def body(a: SSAValue, b: SSAValue):
        square = MulOp(a, a)
        product = MulOp(square.out, b)
        return [square, product], [product.out]

    return CheckpointOp([x, y], region([x.type, y.type], body))


def square_with_gradient(x: SSAValue, c: SSAValue) -> Operation:
    """Return ``x · x``, whose gradient a region defines; c has no gradient."""

    def backward(a: SSAValue, _c: SSAValue, _y: SSAValue, g: SSAValue):
        double = AddOp(a, a)
        product = MulOp(g, double.out)
        return [double, product], [product.out]

    def body(a: SSAValue, _c: SSAValue):
        square = MulOp(a, a)
        return [square], [square.out]

    types = [x.type, c.type]
    regions = region(types, body), region([*types, x.type, x.type], backward)
    return CustomGradientOp([x], [c], *regions)


def power(n: SSAValue, x: SSAValue, w: SSAValue) -> Operation:
    """Return ``x · wⁿ``, and the carried value of the previous iteration."""

    def body(_: SSAValue, h: SSAValue, _before: SSAValue):
        product = MatmulOp(h, w)
        return [product], [product.out, h]

    return LoopOp(n, None, [x, x], region([ITERATION, x.type, x.type], body))


def double_below(c: SSAValue, n: SSAValue, limit: SSAValue, x: SSAValue) -> Operation:
    """Double x up to n times, while c holds and then while its largest element is below a limit."""

    def body(_: SSAValue, h: SSAValue):
        twice = AddOp(h, h)
        largest = ReduceOp(twice.out, kind="max", axes=[0], keep=False)
        goes_on = LtOp(largest.out, limit)
        return [twice, largest, goes_on], [goes_on.out, twice.out]

    return LoopOp(n, c, [x], region([ITERATION, x.type], body))


def grow_below(c: SSAValue, limit: SSAValue, x: SSAValue) -> Operation:
    """Append twice the largest elements to x, at most five times, while they are below a limit."""

    def body(h: SSAValue):
        top = ReduceOp(h, kind="max", axes=[0], keep=True)
        row = AddOp(top.out, top.out)
        longer = ConcatOp([h, row.out], 0)
        largest = ReduceOp(row.out, kind="max", axes=[0, 1], keep=False)
        goes_on = LtOp(largest.out, limit)
        ops = [top, row, longer, largest, goes_on]
        return ops, [goes_on.out, longer.out, row.out]

    rows, columns = as_tensor(x).get_shape()
    types = [tensor_type(f32, (Dim.sym("i.0") + rows, columns))]
    return WhileOp(c, Dim.const(5), [x], region(types, body), number="i.0", symbol="u0")


def recurrence(*, reverse: bool = False) -> Callable[..., Operation]:
    """Return a builder of ``h = tanh(h · w + x[t])``, stacked before and after tanh."""

    def build(h: SSAValue, xs: SSAValue, w: SSAValue) -> Operation:
        def body(before: SSAValue, x: SSAValue):
            product = MatmulOp(before, w)
            total = AddOp(product.out, x)
            after = TanhOp(total.out)
            return [product, total, after], [after.out, total.out, after.out]

        steps, *sizes = as_tensor(xs).get_shape()
        body_types = [h.type, tensor_type(f32, sizes)]
        return ScanOp(steps, [h], [xs], region(body_types, body), reverse=reverse)

    return build


def exchange(x: SSAValue, y: SSAValue, z: SSAValue) -> Operation:
    """Return ``x, y, z = y, x, z`` repeated three times, and the y of each iteration."""

    def body(a: SSAValue, b: SSAValue, c: SSAValue):
        return [], [b, a, c, b, z]

    return ScanOp(3, [x, y, z], [], region([x.type, y.type, z.type], body))


def nested(c: SSAValue, h: SSAValue, xs: SSAValue) -> Operation:
    """Return a scan whose body branches on c, with a scan over the same xs in one branch."""

    def body(before: SSAValue, x: SSAValue):
        def add(a: SSAValue, b: SSAValue):
            total = AddOp(a, b)
            return [total], [total.out, a]

        inner = ScanOp(as_tensor(xs).get_shape()[0], [x], [xs], region([h.type, x.type], add))
        product = MulOp(before, x)
        then = region([], lambda: ([inner], [inner.results[0]]))
        chosen = IfOp(c, then, region([], lambda: ([product], [product.out])))
        total = AddOp(chosen.results[0], before)
        return [chosen, total], [total.out, chosen.results[0]]

    return ScanOp(as_tensor(xs).get_shape()[0], [h], [xs], region([h.type, h.type], body))


def as_tensor(x: SSAValue) -> TensorType:
    """Return the type of a tensor value."""
    assert isinstance(x.type, TensorType)
    return x.type


def powers(n, x, w):
    """Return the results of ``power``."""
    before = x
    for _ in range(n.item()):
        before, x = x, (x.astype(np.float64) @ w).astype(np.float32)
    return x, before


def doubled(c, n, limit, x):
    """Return the results of ``double_below``."""
    for _ in range(n.item()):
        if not c:
            break
        x = x + x
        c = x.max() < limit
    return x


def grown(c, limit, x):
    """Return the results of ``grow_below``."""
    rows = []
    while c and len(rows) < 5:
        rows.append(2 * x.max(0, keepdims=True))
        x = np.concatenate([x, rows[-1]])
        c = rows[-1].max() < limit
    return np.array(len(rows)), x, np.array(rows, np.float32).reshape(-1, 1, x.shape[1])


def recurred(h, xs, w, *, reverse: bool = False):
    """Return the results of ``recurrence``."""
    totals, states = np.empty_like(xs), np.empty_like(xs)
    for t in reversed(range(len(xs))) if reverse else range(len(xs)):
        totals[t] = h.astype(np.float64) @ w + xs[t]
        states[t] = h = np.tanh(totals[t].astype(np.float64)).astype(np.float32)
    return h, totals, states


def exchanged(x, y, z):
    """Return the results of ``exchange``."""
    return y, x, z, np.stack([y, x, y]), np.stack([z] * 3)


def nested_in_numpy(c, h, xs):
    """Return the results of ``nested``."""
    chosen = []
    for x in xs:
        part = x
        for one in xs if c else ():
            part = part + one
        chosen.append(part if c else h * x)
        h = chosen[-1] + h
    return h, np.array(chosen).reshape(xs.shape)


FLAG = Input("bool", ())
STEPS, AGAIN = Input("int64", (), 0, 5), Input("int64", (1,), 2, 6)


def control_cases() -> list[OpCase]:
    """Return the rows."""
    row, square = float_input(3, 5), float_input(5, 5)
    small, stack = float_input(6), float_input(4, 6)
    return [
        OpCase(
            "if",
            choose,
            (Input("bool", (1, 1)), row, row),
            lambda c, x, y: (x + y, x) if c else (y, x * y),
        ),
        OpCase(
            "defined",
            defined,
            (float_input(3, 4), float_input(5)),
            defined_in_numpy,
            64,
        ),
        OpCase("hold", HoldOp, (row,), lambda x: x),
        OpCase("stop_gradient", StopGradientOp, (row,), lambda x: x),
        OpCase("checkpoint", squared_again, (row, row), lambda x, y: x * x * y),
        OpCase("custom_gradient", square_with_gradient, (row, FLAG), lambda x, _c: x * x),
        OpCase("loop", power, (STEPS, row, square), powers, 64),
        OpCase(
            "loop_while", double_below, (FLAG, AGAIN, Input("float32", (), 9, 20), small), doubled
        ),
        OpCase("while", grow_below, (FLAG, Input("float32", (), 3, 9), float_input(2, 4)), grown),
        OpCase("scan", recurrence(), (row, float_input(4, 3, 5), square), recurred, 64),
        OpCase(
            "scan_reverse",
            recurrence(reverse=True),
            (row, float_input(4, 3, 5), square),
            partial(recurred, reverse=True),
            64,
        ),
        OpCase("scan_none", recurrence(), (row, float_input(0, 3, 5), square), recurred),
        OpCase("scan_exchange", exchange, (small, small, small), exchanged),
        OpCase("scan_nested", nested, (FLAG, small, stack), nested_in_numpy, 16),
    ]

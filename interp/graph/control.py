"""Reference semantics of control flow: each region runs once per iteration or taken branch."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count

import numpy as np
from xdsl.ir import SSAValue

from ...dialects.graph import IfOp, LoopOp, ScanOp, WhileOp
from ...dialects.graph.control import element_of_stack
from ...dialects.shape import type_of
from ..scalar import Array
from .context import RegionEvaluator, RunRegion, Sizes, element_dtype, evaluated, evaluated_shape


def if_(op: IfOp, args: tuple[Array, ...], run: RunRegion, sizes: Sizes) -> tuple[Array, ...]:
    """Evaluate graph.if on the arrays of its operands; return the results.

    run: runs a region on arrays.
    """
    return run(op.then if args[0].item() else op.otherwise, ())


def loop(op: LoopOp, args: tuple[Array, ...], run: RunRegion, sizes: Sizes) -> tuple[Array, ...]:
    """Evaluate graph.loop on the arrays of its operands; return the results.

    run: runs a region on arrays.
    """
    given = list(args)
    steps = count() if op.trip is None else range(given.pop(0).item())
    tested = op.condition is not None
    goes_on = bool(given.pop(0).item()) if tested else True
    for step in steps:
        if not goes_on:
            break
        given = list(run(op.body, (np.array(step, np.int64), *given)))
        goes_on = bool(given.pop(0).item()) if tested else True
    return tuple(given)


def scan(op: ScanOp, args: tuple[Array, ...], run: RunRegion, sizes: Sizes) -> tuple[Array, ...]:
    """Evaluate graph.scan on the arrays of its operands; return the results.

    run: runs a region on arrays.
    """
    carried, over = args[: len(op.inits)], args[len(op.inits) :]
    (steps,) = evaluated((op.steps,), sizes)
    parts: list[tuple[Array, ...]] = []
    for number, step in enumerate(reversed(range(steps)) if op.reverse else range(steps)):
        bound = {} if op.symbol is None else {op.symbol: number}
        given = run(op.body, (*carried, *(x[step] for x in over)), bound)
        carried = given[: len(carried)]
        parts.append(given[len(carried) :])
    if op.reverse:
        parts.reverse()
    return (*carried, *_stacks(op.stacked_results, parts, sizes))


def _stacks(
    results: Sequence[SSAValue], parts: Sequence[Sequence[Array]], sizes: Sizes
) -> Iterator[Array]:
    for n, result in enumerate(results):
        part = element_of_stack(type_of(result))
        stack = np.empty((len(parts), *evaluated_shape(part, sizes)), element_dtype(part))
        for step, given in enumerate(parts):
            stack[step] = given[n]
        yield stack


def while_(op: WhileOp, args: tuple[Array, ...], run: RunRegion, sizes: Sizes) -> tuple[Array, ...]:
    """Evaluate graph.while on the arrays of its operands; return the results.

    run: runs a region on arrays.
    """
    condition, *carried = args
    (most,) = evaluated((op.bound,), sizes)
    parts: list[Sequence[Array]] = []
    while len(parts) < most and condition.item():
        given = run(op.body, tuple(carried), {op.number: len(parts)})
        condition, carried = given[0], list(given[1 : 1 + len(carried)])
        parts.append(given[1 + len(carried) :])
    stacks = _stacks(op.results[1 + len(carried) :], parts, sizes)
    return (np.array(len(parts), np.int64), *carried, *stacks)


REGION_EVALUATORS: dict[type, RegionEvaluator] = {
    IfOp: if_,
    LoopOp: loop,
    ScanOp: scan,
    WhileOp: while_,
}

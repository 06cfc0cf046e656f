"""Emit the loops over reduced axes, with loop-carried accumulators.

A sum along a symbolic axis may be long, and some plans give a thread of a GPU a long sum along a
constant axis.  The blocks of such a sum are summed separately and then added, so that the error
grows only as the square root of a block's length and of the number of blocks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import cycle
from math import isqrt, prod
from typing import TypeAlias

from xdsl.ir import SSAValue

from ...dialects.dtypes import is_float
from ...dialects.loop import ForOp, lanes_of
from ...dialects.shape import Dim, extent_of
from ...dialects.te.view import positions_of
from ...support.accuracy import FLOAT_EPSILONS
from ...support.affine import ZERO, Index, Key, constant
from ...support.blocks import enclosing
from .context import Leaf, busy_bounds, clipped_bounds
from .emitter import EVERY, combine

BLOCK_TERMS = 1024
"""Terms of a block of a sum along a symbolic axis (1 M terms: 5e-5 -> 1e-7)."""

MOST_TERMS = 4 * FLOAT_EPSILONS
"""The most terms that one accumulator of a GPU's thread adds, if their number is constant and the
loop not unrolled.

n equal terms drift by up to n / 4 epsilons, because all terms of a binade round in one direction;
the documented bound is FLOAT_EPSILONS.  A longer sum has about as many blocks as a block has terms:
4,608 equal terms 2.3e-5 -> 1.2e-6."""

FEW_ACCUMULATORS = 4
"""Blocks of constant length are for at most this many accumulators of a thread: registers hold no
second set for more.  Plans of CPUs divide long sums themselves: with precision "strict",
sums must not depend on the size of a register tile."""


Inside: TypeAlias = frozenset[tuple[int, int]]
"""Pairs of an input and a dimension that need no bounds check."""


@dataclass(frozen=True, slots=True)
class Walk:
    """The current point of the loops over reduced axes during emission.

    values: the positions along the axes that are fixed so far.
    inside: (input, dimension) pairs: this index of this input is known to be in bounds.
    """

    values: Mapping[Key, Index] = field(default_factory=dict[Key, Index])
    inside: Inside = frozenset()

    def at(self, axis: str, index: Index) -> Walk:
        """Return the point inside a loop over a further axis, at position ``index``."""
        return Walk({**self.values, axis: index}, self.inside)


Accumulators: TypeAlias = list[SSAValue]
Step: TypeAlias = Callable[[Walk, Accumulators], Accumulators]
LoopStep: TypeAlias = Callable[[Index, Accumulators, Inside], Accumulators]
Prepare: TypeAlias = Callable[[Walk, Sequence[str]], None]
"""Hoists reads out of the loops over the given axes."""


def reduce_over(
    leaf: Leaf,
    axes: Sequence[str],
    walk: Walk,
    accumulators: Accumulators,
    step: Step,
    prepare: Prepare,
) -> Accumulators:
    """Emit the loops over some reduced axes, outermost first; return the final accumulators.

    walk: the point outside of these loops.
    accumulators: the first values of the accumulators.
    step: emits the body of the innermost loop; it takes the point and the accumulators, and returns
    the new accumulators.
    prepare: emits reads before a loop; it takes the point and the axes of the loops to come.
    """
    if not axes:
        return step(walk, accumulators)
    axis, *inner = axes
    extent, unroll = leaf.axes[axis], leaf.unrolls.get(axis, 1)

    def body(index: Index, carried: Accumulators, inside: Inside) -> Accumulators:
        deeper = Walk({**walk.values, axis: index}, walk.inside | inside)
        return reduce_over(leaf, inner, deeper, carried, step, prepare)

    if isinstance(extent, int) and (extent == 1 or unroll == 0):
        for position in range(extent):
            accumulators = body(constant(position), accumulators, frozenset())
        return accumulators
    prepare(walk, axes)
    lower, upper, inside = clipped_bounds(leaf, axis, walk.values)
    if not inside and unroll == 1:
        lower, upper = busy_bounds(leaf, axis, walk.values)
    is_whole = len(lower) == len(upper) == 1
    is_few = len(accumulators) <= FEW_ACCUMULATORS and unroll == 1 and _is_in_thread(leaf)
    block = _block_of(leaf, axis, inner) if is_few or not isinstance(extent, int) else 0
    if not block and not inside and is_whole and isinstance(extent, int):
        return _unrolled(leaf, axis, unroll, accumulators, body)

    def loop(first: Sequence[Index], ends: Sequence[Index], start: Accumulators) -> Accumulators:
        whole = positions_of(extent)
        return leaf.emitter.loop(
            first, ends, whole, start, lambda i, own: body(i, own, inside), name=axis
        )

    if not block:
        return loop(lower, upper, accumulators)

    def add_block(number: Index, carried: Accumulators) -> Accumulators:
        first = number * block
        starts = [first, *(e for e in lower if e != ZERO)]
        sums = loop(starts, [*upper, first + block], _neutral(leaf, carried))
        return _combined(leaf, carried, sums)

    blocks = leaf.emitter.extent(extent_of(Dim.of(extent).ceildiv(block)))
    return leaf.emitter.loop([ZERO], [blocks], EVERY, accumulators, add_block)


def _unrolled(
    leaf: Leaf, axis: str, unroll: int, accumulators: Accumulators, body: LoopStep
) -> Accumulators:
    """Emit an unrolled loop over an axis of static extent, and a remainder loop if necessary.

    unroll: the desired number of copies of the body per iteration.
    body: emits the body; it takes the position along the axis, the accumulators, and the indices
    that are known to be in bounds.
    Returns the final accumulators.
    """
    for start, stop, copies in unrolled_pieces(leaf.extents[axis], unroll):
        accumulators = leaf.emitter.loop(
            start,
            stop,
            (start, stop - 1),
            accumulators,
            lambda i, carried: body(i, carried, frozenset()),
            copies,
            name=axis,
        )
    return accumulators


def _is_in_thread(leaf: Leaf) -> bool:
    """Return whether loops around a compute are bound to the threads of a GPU."""
    around = () if leaf.op is None else enclosing(leaf.op)
    return any(isinstance(op, ForOp) and op.thread for op in around)


def _block_of(leaf: Leaf, axis: str, inner: Sequence[str]) -> int:
    """Return the length of the blocks of a long sum along an axis; 0 for no blocks.

    inner: the reduced axes of the loops inside.
    """
    extent = leaf.axes[axis]
    is_rounded = any(o.combiner == "add" for o in leaf.outputs) and all(
        is_float(value.type) for value in leaf.group.yielded()
    )
    if not is_rounded or leaf.custom or leaf.instruction is not None:
        return 0
    inside = prod(n for a in inner if isinstance(n := leaf.axes[a], int))
    if isinstance(extent, int):
        terms = extent * inside
        return max(1, isqrt(terms) // inside) if terms > MOST_TERMS >= inside else 0
    block = max(1, BLOCK_TERMS // inside)
    return 0 if Dim.const(2 * block).is_at_least(extent) else block


def _neutral(leaf: Leaf, accumulators: Accumulators) -> Accumulators:
    """Return the first accumulators of a separate block: the identity of each output's combiner."""
    outputs = cycle(leaf.combined())
    return [leaf.neutral(i, lanes_of(a.type)) for i, a in zip(outputs, accumulators, strict=False)]


def _combined(leaf: Leaf, lhs: Accumulators, rhs: Accumulators) -> Accumulators:
    combiners = cycle(leaf.outputs[i].combiner for i in leaf.combined())
    return [combine(leaf.emitter, c, a, b) for c, a, b in zip(combiners, lhs, rhs, strict=False)]


def unrolled_pieces(extent: int, unroll: int) -> Iterator[tuple[int, int, int]]:
    """Divide a loop of ``extent`` iterations into unrolled loops: one, or one and a remainder.

    If the extent has a divisor near ``unroll``, there is one loop, unrolled by this divisor. Yields
    the start, the end and the number of copies of the body of each loop.
    """
    near = [*range(unroll, (unroll - 1) // 2, -1), *range(unroll + 1, 2 * unroll)]
    for copies in near:
        if extent % copies == 0:
            yield 0, extent, copies
            return
    rest = extent % unroll
    if rest < extent:
        yield 0, extent - rest, unroll
    yield extent - rest, extent, rest

"""Emit loops over reduced axes with loop-carried accumulators."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from xdsl.ir import SSAValue

from ...dialects.shape import Dim
from ...dialects.te.view import positions_of
from ...support.affine import Index, Key, constant
from .context import Leaf, clipped_bounds


@dataclass(frozen=True, slots=True)
class Walk:
    """One point of the reduction: values of its axes, and input dimensions known in bounds."""

    values: Mapping[Key, Index] = field(default_factory=dict[Key, Index])
    inside: frozenset[tuple[int, int]] = frozenset()

    def at(self, axis: str, index: Index) -> Walk:
        """Return the point with one more axis fixed."""
        return Walk({**self.values, axis: index}, self.inside)


Accumulators: TypeAlias = list[SSAValue]
Step: TypeAlias = Callable[[Walk, Accumulators], Accumulators]
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
    """Emit the loops over some reduced axes, outermost first, around ``step``."""
    if not axes:
        return step(walk, accumulators)
    axis, *inner = axes
    extent, unroll = leaf.axes[axis], leaf.unrolls.get(axis, 1)

    def body(
        index: Index, carried: Accumulators, inside: frozenset[tuple[int, int]]
    ) -> Accumulators:
        deeper = Walk({**walk.values, axis: index}, walk.inside | inside)
        return reduce_over(leaf, inner, deeper, carried, step, prepare)

    if isinstance(extent, int) and (extent == 1 or unroll == 0):
        for position in range(extent):
            accumulators = body(constant(position), accumulators, frozenset())
        return accumulators
    prepare(walk, axes)
    emitter, whole = leaf.emitter, positions_of(extent)
    lower, upper, inside = clipped_bounds(leaf, axis, walk.values)
    if inside or isinstance(extent, Dim):
        return emitter.loop(
            lower, upper, whole, accumulators, lambda i, carried: body(i, carried, inside)
        )
    for start, stop, copies in unrolled_pieces(extent, unroll):
        accumulators = emitter.loop(
            start,
            stop,
            (start, stop - 1),
            accumulators,
            lambda i, carried: body(i, carried, frozenset()),
            copies,
        )
    return accumulators


def unrolled_pieces(extent: int, unroll: int) -> Iterator[tuple[int, int, int]]:
    """Yield (start, stop, copies of the body) of the loops that cover an extent.

    A divisor near the requested number of copies gives one loop; else a remainder loop follows.
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

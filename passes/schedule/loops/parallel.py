"""sched.parallel: run the iterations of a loop as independent tasks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import gcd

from xdsl.ir import SSAValue

from ....dialects.loop import AllocOp, ForOp, str_attr
from ....dialects.loop.size import size_of_index
from ....dialects.te import Access, ComputeOp, ComputeView, KernelOp
from ....support.affine import (
    INFINITY,
    Atom,
    Index,
    Key,
    Range,
    RangeOf,
    constant,
    divide,
    key_range,
    unknown_range,
    variable,
)
from ....support.diagnostics import ScheduleError
from ..engine.placement import (
    append_to,
    computes_in,
    insert_loop,
    is_inside,
    loops_in,
    set_bounds,
)
from ..engine.step import Handles, Step


def parallel(step: Step) -> Handles:
    """Run the iterations of a loop as independent tasks.

        loop.for %i = 0 to 8 { .. }
        %p = sched.parallel %i
    ==>
        loop.for parallel %i = 0 to 8 { .. }

    ``chunk`` is the number of iterations of a task, for loops of symbolic bounds; the handle then
    holds the loops over tasks:

        loop.for %i = 0 to %n { .. }
        %p = sched.parallel %i {chunk = 16}
    ==>
        loop.for parallel %c = 0 to (%n + 15) floordiv 16 {
          loop.for %i = %c * 16 to min(%n, %c * 16 + 16) { .. } }
    Before: each iteration writes different elements, or buffers allocated in the loop.
    Errors: ScheduleError naming the compute whose writes overlap (a loop of split_reduction).
    """
    chunk = step.number("chunk", 1)
    loops = [_in_chunks(loop, chunk) if chunk > 1 else loop for loop in step.loops()]
    for loop in loops:
        if found := overlapping_write(loop):
            raise step.error(
                f"iterations write the same elements of @{found.label}",
                hint="parallelize a loop that tile made",
            )
        loop.properties["kind"] = str_attr("parallel")
    return [loops]


def _in_chunks(loop: ForOp, chunk: int) -> ForOp:
    """Put a loop of symbolic bounds from 0 into one over chunks of its iterations."""
    lows, highs = loop.bounds()
    if loop.is_static or lows != [constant(0)]:
        return loop
    counts = [divide("floordiv", high + (chunk - 1), chunk, unknown_range) for high in highs]
    outer = insert_loop(loop, lows, counts)
    append_to(outer, loop)
    first = Index({outer.variable: chunk})
    set_bounds(loop, [first], [*highs, first + chunk])
    return outer


def check_parallel_loops(kernel: KernelOp, where: str = "") -> None:
    """Raise ScheduleError if a later step made the iterations of a parallel or bound loop overlap.

    where: the step at fault, if known.
    """
    for loop in loops_in(kernel):
        if (loop.is_parallel or loop.thread) and (found := overlapping_write(loop)):
            raise ScheduleError(
                f"iterations of a parallel loop write the same elements of @{found.label}",
                expected=f"@{found.label} outside of the loop, or a serial loop",
                hint="keep what other loops read out of the parallel loop, or make it serial",
                where=where or f"@{kernel.label}",
            )


def overlapping_write(loop: ForOp) -> ComputeOp | None:
    """Return a compute that may write an element in two iterations of a loop, None without one."""
    if _runs_once(loop):
        return None
    iterations = _Iterations.of(loop)
    return next((op for op in computes_in(loop) if iterations.write_twice(op)), None)


def writes_twice(op: ComputeOp, loop: ForOp) -> bool:
    """Return False only if a compute provably writes different elements in each iteration."""
    return not _runs_once(loop) and _Iterations.of(loop).write_twice(op)


def _runs_once(loop: ForOp) -> bool:
    """Return whether a loop provably has at most one trip."""
    lows, highs = loop.bounds()
    trips = (size_of_index(high - low) for low in lows for high in highs)
    return any(count is not None and (1 - count).is_at_least(0) for count in trips)


def _is_own(buffer: SSAValue, loop: ForOp) -> bool:
    """Return whether every iteration allocates its own copy of a buffer."""
    owner = buffer.owner
    return isinstance(owner, AllocOp) and is_inside(owner, loop)


@dataclass(frozen=True)
class _Iterations:
    """A loop, and what its iterations share.

    trips: the number of iterations.  inner: the ranges of the variables of the loops inside.
    values, spans: the positions of loops over a chunk per iteration, and the ranges of their steps.
    """

    loop: ForOp
    trips: int
    inner: Mapping[Key, Range]
    values: Mapping[Key, Index]
    spans: Mapping[Key, Range]

    @staticmethod
    def of(loop: ForOp) -> _Iterations:
        """Return the iterations of a loop."""
        bounds = loop.static_bounds
        trips = bounds[1] - bounds[0] if bounds is not None else INFINITY
        loops = loops_in(loop)
        ranges: dict[Key, Range] = {inner.variable: _range_of(inner) for inner in loops}
        return _Iterations(loop, trips, ranges, *_chunks(loop, loops))

    def write_twice(self, op: ComputeOp) -> bool:
        """Return False only if a compute provably writes different elements in each iteration."""
        if all(_is_own(v, self.loop) for v in op.outs):
            return False
        view = op.view()
        for output in view.outputs:
            assert output.value is not None, "scheduled kernels are in buffer form"
            if not _is_own(output.value, self.loop) and self._overlap(view, output):
                return True
        return False

    def _overlap(self, view: ComputeView, output: Access) -> bool:
        """Return False only if iterations provably write different elements."""
        position, spans = self.loop.variable, self.spans

        def range_of(key: Key) -> Range:
            if key in spans:
                return spans[key]
            return view.range_of(key) if isinstance(key, str) else self.inner.get(key, (0, 0))

        def any_range(key: Key) -> Range:
            return spans[key] if key in spans else view.range_of(key)

        def moving_range(key: Key) -> Range:
            return (0, self.trips - 1) if key == position else range_of(key)

        known = [e.substitute(self.values, any_range) for e in output.indices or []]
        while known:
            if any(_separates(index, position, self.trips, range_of) for index in known):
                return False
            known = [*known, *found] if (found := _decided(known, moving_range)) else []
        return True


def _range_of(loop: ForOp) -> Range:
    bounds = loop.known_bounds
    return unknown_range(loop.variable) if bounds is None else (bounds[0], bounds[1] - 1)


def _chunks(loop: ForOp, inside: Iterable[ForOp]) -> tuple[dict[Key, Index], dict[Key, Range]]:
    """Return the variables of loops over a chunk per iteration, and the ranges of their steps.

    inside: the loops inside the loop.
    A chunk is ``for i = c * 16 to min(.., c * 16 + 16)``: its positions are in no other chunk.
    """
    values: dict[Key, Index] = {}
    spans: dict[Key, Range] = {}
    for inner in inside:
        lows, highs = inner.bounds()
        size = lows[0].coefficient(loop.variable)
        if size > 0 and lows == [Index({loop.variable: size})] and lows[0] + size in highs:
            step: Key = ("step", inner.variable)
            values[inner.variable] = lows[0] + variable(step)
            spans[step] = (0, size - 1)
    return values, spans


def _separates(index: Index, position: Key, trips: int, range_of: RangeOf) -> bool:
    """Return whether an index differs in every iteration, for all values of its other variables.

    The stride of the loop exceeds the range of all terms with smaller strides, and the larger
    strides exceed the range of all iterations.
    """
    stride, rest = abs(index.coefficient(position)), index.without(position)
    if not stride:
        return False
    moving = {k: c for k, c in rest.terms.items() if len(set(key_range(k, range_of))) > 1}
    low, high = Index({k: c for k, c in moving.items() if abs(c) < stride}).range(range_of)
    larger = gcd(*(c for c in moving.values() if abs(c) >= stride))
    reach = stride * (trips - 1) + high - low
    return stride > high - low and (not larger or larger > reach)


@dataclass(frozen=True)
class _Digits:
    """The value ``(whole mod high) floordiv low``; high: 0 for no remainder."""

    whole: Index
    low: int
    high: int

    @staticmethod
    def of(atom: Atom) -> _Digits:
        """Return the digits that a quotient or remainder is, of the innermost expression."""
        inner = _Digits(atom.operand, 1, 0)
        terms = list(atom.operand.terms.items())
        if not atom.operand.const and len(terms) == 1 and terms[0][1] == 1:
            ((key, _),) = terms
            inner = _Digits.of(key) if isinstance(key, Atom) else inner
        low = inner.low * atom.divisor
        if atom.kind == "floordiv":
            return _Digits(inner.whole, low, inner.high)
        return _Digits(inner.whole, inner.low, min(low, inner.high) if inner.high else low)


def _decided(indices: Sequence[Index], range_of: RangeOf) -> list[Index]:
    """Return the other expressions whose values follow from quotients and remainders in indices.

    ``p`` follows from ``p floordiv 14`` and ``p mod 14``.  range_of: of all that may move.
    """
    wholes: list[Index] = []
    digits: dict[Index, list[_Digits]] = {}
    for index in indices:
        for key in index.terms:
            if isinstance(key, Atom):
                low, high = key_range(key, range_of)
                if _separates(index, key, high - low + 1, range_of):
                    found = _Digits.of(key)
                    digits.setdefault(found.whole, []).append(found)
    for whole, known in digits.items():
        low, high = whole.range(range_of)
        # The remainder of the whole by this number is known.
        modulus = 1
        for part in sorted(known, key=lambda part: (part.low, part.high)):
            if modulus % part.low == 0:
                modulus = max(modulus, part.high or high + 1)
        if low >= 0 and modulus > high and whole not in indices:
            wholes.append(whole)
    return wholes

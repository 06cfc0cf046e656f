"""Accesses of the threads of a block: which thread touches which elements of a buffer.

In: the accesses of a fork-join kernel, or of a kernel of the simt level.  Out: whether two accesses
of different threads may touch one element, and the part of a buffer that each thread uses alone.

The position of an access is an expression over thread names (``threadIdx.x``) and other variables.
Thread ``t`` may be the only one to use the elements ``c * t .. c * t + c - 1`` of a dimension, or
the elements ``t + n * k``, if ``n`` threads take turns.  In general, thread indices are some digits
of the position (in a mixed radix), and the other digits vary within a thread, as ``i`` does in
``32 * ty + 8 * i + tx floordiv 4``.
If all accesses have one position over blocks and threads, a thread uses a single element.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from math import gcd, prod
from typing import TypeAlias, cast

from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType
from xdsl.ir import Block, Operation, SSAValue

from ...dialects.loop import AllocOp, CompareOp, ForOp, IfOp, IndexOp, LoadOp, StoreOp
from ...dialects.simt import BlockIdOp
from ...support.affine import (
    INFINITY,
    ZERO,
    Atom,
    Index,
    Key,
    Range,
    RangeOf,
    constant,
    key_range,
    variable,
)
from ..bounds.loop_ranges import loop_range
from ..strides import flat_address
from .fork_join import BLOCK, THREAD, is_bound, thread_of

Names: TypeAlias = Mapping[Key, Index]
"""A map from SSA values to expressions.

The variable of a bound loop, or a thread id, maps to a thread name; the variable of a loop with a
single iteration maps to its value.
"""


@dataclass(frozen=True)
class ThreadAccess:
    """One load or store of a thread.

    indices: the position, over thread names and variables.  span: the distance of the last lane
    from the first one along the dimension ``lane_dimension``.  first: thread names; along each of
    them, only the first thread makes the access (in a fork-join kernel).
    """

    op: LoadOp | StoreOp
    indices: tuple[Index, ...]
    span: int
    first: frozenset[str] = frozenset()
    lane_dimension: int = 0

    @property
    def flat_span(self) -> int:
        """The distance of the last lane from the first one in memory."""
        return self.span * _pitch(self.buffer, self.lane_dimension) if self.span else 0

    @property
    def buffer(self) -> SSAValue:
        """The buffer that is accessed."""
        return self.op.mem

    @property
    def is_write(self) -> bool:
        """Whether the access is a store."""
        return isinstance(self.op, StoreOp)


@dataclass(frozen=True)
class Share:
    """The part of one dimension of a buffer that only one thread uses.

    Thread t may keep this part in a buffer of its own, with ``extent`` elements.
    divisor: the distance in the dimension between adjacent elements of the part.  base: the
    position of the first element of thread 0.
    """

    extent: int
    divisor: int = 1
    base: int = 0

    def place(self, index: Index) -> Index:
        """Map an index in the whole dimension to the index in the thread's part."""
        rest = {k: c // self.divisor for k, c in index.terms.items() if not _names_in(k)}
        return Index(rest, (index.const - self.base) // self.divisor)


@dataclass(frozen=True)
class DigitShare(Share):
    """The part of a dimension that one thread uses, if thread indices are digits of the position.

    A position is a number in a mixed radix: some digits are thread indices, the others, the *gaps*,
    vary within a thread and number the elements of its part.
    gaps: for each of these digits, lowest first: its place value in the dimension, the place value
    of the next higher digit there, and its place value in the part.
    """

    gaps: tuple[tuple[int, int, int], ...] = ()

    def place(self, index: Index) -> Index:
        terms: dict[Key, int] = {}
        for key, factor in index.terms.items():
            if not _names_in(key):
                gap = next((g for g in reversed(self.gaps) if g[0] <= factor), None)
                if gap is not None:  # otherwise the digit is that of a thread: the variable is 0
                    start, _, weight = gap
                    terms[key] = factor // start * weight
        digits = ((index.const % end // start, weight) for start, end, weight in self.gaps)
        return Index(terms, sum(digit * weight for digit, weight in digits))


@dataclass(frozen=True)
class SingleElement(Share):
    """The single element that a thread uses in one dimension of a buffer."""

    extent: int = 1

    def place(self, index: Index) -> Index:
        return constant(0)


@dataclass(frozen=True)
class Earlier:
    """The variable that stands for a serial loop's variable in some earlier iteration."""

    variable: SSAValue


class Accesses:
    """All accesses of a kernel, with positions as expressions over thread names.

    sizes: the number of threads along each thread name.  buffers: the buffers whose accesses count;
    None for all buffers.
    """

    def __init__(
        self, sizes: Mapping[str, int], buffers: AbstractSet[SSAValue] | None = None
    ) -> None:
        self.sizes = {name: size for name, size in sizes.items() if size > 1}
        self.buffers = buffers
        self._moved: dict[tuple[ThreadAccess, Key, Index], ThreadAccess] = {}
        self._ranges: dict[Key, Range] = {name: (0, n - 1) for name, n in self.sizes.items()}
        self._are_same: dict[tuple[object, ...], bool] = {}
        self._known_parts: dict[tuple[Index, int], _DimensionTerms] = {}

    def range_of(self, key: Key) -> Range:
        """Return the range of a variable or of a thread name."""
        if isinstance(key, str):
            return self._ranges.get(key, (0, 0))
        return self._ranges.get(key, (-INFINITY, INFINITY))

    def enter(self, op: ForOp) -> None:
        """Record the range of a loop variable."""
        low, high = loop_range(op, lambda e: e.range(self.range_of))
        self._set_range(op.variable, (low, max(low, high)))

    def _set_range(self, key: Key, range_: Range) -> None:
        """Record the range of a variable; drop cached results that used another range."""
        if self._ranges.get(key, range_) != range_:
            self._are_same.clear()
            self._known_parts.clear()
            self._moved.clear()
        self._ranges[key] = range_

    def of(
        self, ops: Iterable[Operation], names: Names, threads: frozenset[str] = frozenset()
    ) -> list[ThreadAccess]:
        """Return the accesses to the chosen buffers in some ops and in their regions.

        names: for each variable of an outer loop, its expression over thread names.  threads: the
        thread names of those outer loops that are bound to several threads.
        """
        found: list[ThreadAccess] = []
        for op in ops:
            if isinstance(op, LoadOp | StoreOp):
                if self.buffers is not None and op.mem not in self.buffers:
                    continue
                first = frozenset(self.sizes.keys() - threads)
                found.append(replace(self._access(op, names), first=first))
                continue
            inner = self.inside(op, names) if isinstance(op, ForOp) else names
            several = (threads | _threads_of(op)) - self._first_only(op, names)
            for block in (b for region in op.regions for b in region.blocks):
                found += self.of(block.ops, inner, several)
        return found

    def _first_only(self, op: Operation, names: Names) -> frozenset[str]:
        """Return the thread names along which only the first thread takes a branch, ``t == 0``.

        names: for each variable of an outer loop, its expression over thread names.
        """
        test = op.condition.owner if isinstance(op, IfOp) else None
        if not isinstance(test, CompareOp) or test.predicate.data != "eq":
            return frozenset()
        owners = (value.owner for value in (test.lhs, test.rhs))
        ends = [
            o.index().substitute(names, self.range_of) for o in owners if isinstance(o, IndexOp)
        ]
        key = ends[0].variable() if len(ends) == 2 and ends[1] == ZERO else None
        return frozenset([key]) if isinstance(key, str) else frozenset()

    def inside(self, op: ForOp, names: Names) -> Names:
        """Return the expressions of variables inside a loop, given those outside of it.

        The variable of a loop bound to threads maps to the thread name; the variable of a loop with
        one iteration maps to its value.
        """
        self.enter(op)
        if is_bound(op, THREAD):
            return {**names, op.variable: variable(thread_of(op))}
        lows, highs = op.bounds()
        if len(lows) == 1 and any((e - lows[0]).range(self.range_of)[1] <= 1 for e in highs):
            return {**names, op.variable: lows[0].substitute(names, self.range_of)}
        return names

    def shifted(self, access: ThreadAccess, variable_: SSAValue, index: Index) -> ThreadAccess:
        """Return an access with an expression in place of a variable of its position.

        variable_: the variable.  index: the expression.
        """
        key = (access, variable_, index)
        if key not in self._moved:
            names = {variable_: index}
            moved = tuple(e.substitute(names, self.range_of) for e in access.indices)
            self._moved[key] = replace(access, indices=moved)
        return self._moved[key]

    def earlier(self, variable_: SSAValue) -> Index:
        """Return an expression for the value that a loop variable has in some earlier iteration."""
        key = Earlier(variable_)
        self._set_range(key, self.range_of(variable_))
        return variable(key)

    def _access(self, op: LoadOp | StoreOp, names: Names) -> ThreadAccess:
        indices = tuple(e.substitute(names, self.range_of) for e in op.indices())
        lanes, stride = op.width, op.step
        dimension = lane_dimension(op.mem, lanes, stride)
        return ThreadAccess(
            op, indices, (lanes - 1) * stride // _pitch(op.mem, dimension), lane_dimension=dimension
        )

    # ---- one thread alone

    def shares(self, accesses: Sequence[ThreadAccess]) -> list[Share] | None:
        """Return, for each dimension of a buffer, the part that each thread uses alone.

        Return None if threads exchange data.

        accesses: all accesses to the buffer.

        Before: the iterations of bound loops are independent, so that no two threads write one
        element in one statement (``independence.py`` proves this for every bound loop). Without
        independence, equal positions would not be enough: threads could exchange data through ``t
        floordiv 4``.
        """
        if self._has_one_position(accesses):
            return [SingleElement() for _ in accesses[0].indices]
        parts = [self._parts(access) for access in accesses]
        shares: list[Share] = []
        owners: set[str] = set()
        for column in zip(*parts, strict=True):
            share = self._share(column)
            if share is None:
                return None
            owners |= column[0].names
            shares.append(share)
        return shares if owners >= self.sizes.keys() else None

    def _has_one_position(self, accesses: Sequence[ThreadAccess]) -> bool:
        """Return whether all accesses have the same position, in terms of blocks and threads only.

        The position must depend on every thread name.  Different threads then use different
        elements, because the iterations of bound loops do not write the same element.
        """
        first, *others = accesses
        keys = {key for index in first.indices for key in index.variables()}
        names = {key for key in keys if isinstance(key, str)}
        return (
            all(access.indices == first.indices for access in others)
            and not any(access.span for access in accesses)
            and names >= self.sizes.keys()
            and all(isinstance(key, str) or _is_block(key) for key in keys)
        )

    def is_same_thread(self, one: ThreadAccess, other: ThreadAccess) -> bool:
        """Return whether only one thread touches an element that both accesses touch.

        This holds in either of two cases:
        - Along each thread name, only the first thread makes both accesses, or the index in a
          dimension of the buffer determines the index of the thread.
        - Both positions have the same terms of threads, in all dimensions or as linear addresses,
          and an element determines these terms.  Two threads that touch one element then have equal
          terms, so both would write it, which the independence of bound loops excludes.
        """
        key = (one.buffer, *((a.indices, a.span, a.first) for a in (one, other)))
        if key not in self._are_same:
            self._are_same[key] = self._is_same_thread(*_lifted(one, other))
        return self._are_same[key]

    def _is_same_thread(self, one: ThreadAccess, other: ThreadAccess) -> bool:
        if self.shares([one, other]) is not None or self._is_same_in_memory(one, other):
            return True
        owners = set(one.first & other.first)
        for column in zip(self._parts(one), self._parts(other), strict=True):
            is_linear = len(column[0].threads) == 1 and not column[0].is_hidden
            if is_linear and (self._share(column) is not None or self._repeats(column)):
                owners |= column[0].names
        return owners >= self.sizes.keys()

    def _repeats(self, rows: Sequence[_DimensionTerms]) -> bool:
        """Return whether positions in one dimension, modulo N, determine the thread.

        N is the number of threads times the factor of the thread name.  The positions determine the
        thread if their other terms are multiples of N.  rows: the positions of several accesses.
        """
        threads = {row.threads for row in rows}
        if len(threads) > 1 or any(row.is_mixed for row in rows):
            return False
        (((name, factor),),) = threads
        whole = self.sizes.get(name, 0) * factor if isinstance(name, str) else 0
        return whole > 0 and all(row.step % whole == 0 for row in rows)

    def _is_same_in_memory(self, one: ThreadAccess, other: ThreadAccess) -> bool:
        """Return whether the address of an element that both accesses touch determines the thread.

        It does if the addresses, modulo the common divisor of the terms that do not depend on the
        thread, differ from thread to thread.
        """
        shape = cast(MemRefType, one.buffer.type).get_shape()
        if DYNAMIC_INDEX in shape:
            return False
        mine, theirs = (
            self._part(flat_address(access.indices, shape), 0) for access in (one, other)
        )
        if mine.threads != theirs.threads or mine.is_mixed or not mine.threads:
            return False
        low, high = Index(dict(mine.threads)).range(self.range_of)
        span, step = max(one.flat_span, other.flat_span), gcd(mine.step, theirs.step)
        is_apart = span < gcd(*(factor for _, factor in mine.threads))
        fits = step == 0 or high - low + span < step
        return is_apart and fits and mine.names >= self.sizes.keys()

    def _share(self, rows: Sequence[_DimensionTerms]) -> Share | None:
        threads = {row.threads for row in rows}
        low, high = min(row.low for row in rows), max(row.high for row in rows)
        if len(threads) > 1 or any(row.is_mixed for row in rows):
            return None
        (terms,) = threads
        if not terms:
            return Share(high + 1) if low >= 0 else None
        if high - low < gcd(*(factor for _, factor in terms)):
            return Share(high - low + 1, 1, low)
        ((name, factor), *others) = terms
        whole = self.sizes.get(name, 1) if isinstance(name, str) else 0
        is_single = whole > 0 and not others and factor == 1 and low >= 0
        if is_single and all(row.step % whole == 0 for row in rows):
            return Share(high // whole + 1, whole)
        return self._digits(terms, rows)

    def _digits(
        self, threads: frozenset[tuple[Key, int]], rows: Sequence[_DimensionTerms]
    ) -> DigitShare | None:
        """Return a thread's part of a dimension if thread indices are digits of the positions.

        threads: the terms of thread names.  rows: the positions of all accesses in this dimension.
        None if digits that vary within a thread overlap the digits of threads.
        """
        starts, ends = [1], list[int]()
        for key, factor in sorted(threads, key=lambda term: term[1]):
            low, high = key_range(key, self.range_of)
            if low != 0 or factor < starts[-1] or factor % starts[-1]:
                return None
            ends.append(factor)
            starts.append(factor * (high + 1))
        ends.append(INFINITY)
        sizes = [row.digits(starts, ends, self.range_of) for row in rows]
        found = [size for size in sizes if size is not None]
        if len(found) < len(sizes):
            return None
        gaps: list[tuple[int, int, int]] = []
        weight = 1
        for start, end, *extents in zip(starts, ends, *found, strict=True):
            if end > start:
                gaps.append((start, end, weight))
                weight *= max(extents)
        return DigitShare(weight, gaps=tuple(gaps))

    def _parts(self, access: ThreadAccess) -> list[_DimensionTerms]:
        """Return an access's position per dimension, divided into thread terms and other terms."""
        return [
            self._part(index, access.span if dimension == access.lane_dimension else 0)
            for dimension, index in enumerate(access.indices)
        ]

    def _part(self, index: Index, span: int) -> _DimensionTerms:
        key = (index, span)
        if key not in self._known_parts:
            self._known_parts[key] = self._divided(index, span)
        return self._known_parts[key]

    def _divided(self, index: Index, span: int) -> _DimensionTerms:
        names = {key: _names_in(key) for key in index.terms}
        rest = Index({k: c for k, c in index.terms.items() if not names[k]}, index.const)
        low, high = rest.range(self.range_of)
        return _DimensionTerms(
            frozenset((k, c) for k, c in index.terms.items() if names[k]),
            low,
            high + span,
            gcd(min(span, 1), rest.const, *rest.terms.values()),
            rest=rest,
            span=span,
            is_mixed=any(found and _has_others(k) for k, found in names.items()),
        )

    # ---- two accesses

    def are_apart(
        self, one: ThreadAccess, other: ThreadAccess, uniform: Iterable[SSAValue]
    ) -> bool:
        """Return whether two accesses provably touch different elements.

        uniform: the variables that have the same value in both accesses.
        """
        pairs = zip(one.indices, other.indices, strict=True)
        known = set(uniform)
        return any(
            _differ(a, b, (_span_along(one, n), _span_along(other, n)), known, self.range_of)
            for n, (a, b) in enumerate(pairs)
        )


def lane_dimension(buffer: SSAValue, lanes: int, stride: int) -> int:
    """Return the dimension of a buffer along which the lanes of an access lie.

    It is the dimension whose elements are ``stride`` apart in memory, if it has enough elements for
    the lanes; otherwise the last one, along which the lanes then reach beyond its end.
    """
    shape = cast(MemRefType, buffer.type).get_shape()
    last = len(shape) - 1
    for dimension in range(last, -1, -1):
        if DYNAMIC_INDEX in shape[dimension + 1 :]:
            break
        if shape[dimension] >= lanes > 1 and _pitch(buffer, dimension) == stride:
            return dimension
    return last


def _pitch(buffer: SSAValue, dimension: int) -> int:
    """Return the distance in memory, in elements, between neighbors along a dimension."""
    return prod(cast(MemRefType, buffer.type).get_shape()[dimension + 1 :])


def _span_along(access: ThreadAccess, dimension: int) -> int:
    return access.span if dimension == access.lane_dimension else 0


@dataclass(frozen=True)
class _DimensionTerms:
    """The position of an access in one dimension: terms of thread indices, and the rest.

    threads: the terms with thread names, as pairs (key, factor).  rest: the other terms.  low,
    high: the range of the rest, including all lanes.  step: a common divisor of the rest.  span:
    the offset of the last lane from the first one in this dimension.  is_mixed: whether a quotient
    or remainder contains a thread name and another variable.
    """

    threads: frozenset[tuple[Key, int]]
    low: int
    high: int
    step: int
    rest: Index
    span: int
    is_mixed: bool

    def digits(
        self, starts: Sequence[int], ends: Sequence[int], range_of: RangeOf
    ) -> list[int] | None:
        """Return the number of values of each digit of the rest (the terms without thread names).

        starts: the place value of each digit.  ends: the place value of the next digit above it.
        Return None if a term does not fit one of these digits, or if its values exceed the digit.
        """
        const = self.rest.const
        most = [const % end // start * start for start, end in zip(starts, ends, strict=True)]
        if const < 0 or sum(most) != const:
            return None
        most[0] += self.span
        for key, factor in self.rest.terms.items():
            low, high = key_range(key, range_of)
            gap = next((n for n in reversed(range(len(starts))) if starts[n] <= factor), None)
            if low < 0 or gap is None or factor % starts[gap]:
                return None
            most[gap] += factor * high
        bounds = zip(most, starts, ends, strict=True)
        if any(top and top + start > end for top, start, end in bounds):
            return None
        return [top // start + 1 for top, start in zip(most, starts, strict=True)]

    @property
    def names(self) -> set[str]:
        """The thread names in the position."""
        return {name for key, _ in self.threads for name in _names_in(key)}

    @property
    def is_hidden(self) -> bool:
        """Whether a thread name occurs inside a quotient or remainder."""
        return any(isinstance(key, Atom) for key, _ in self.threads)


def _is_block(key: Key) -> bool:
    if not isinstance(key, SSAValue):
        return False
    owner = key.owner
    loop = owner.parent_op() if isinstance(owner, Block) else None
    return isinstance(owner, BlockIdOp) or (loop is not None and is_bound(loop, BLOCK))


def _threads_of(op: Operation) -> frozenset[str]:
    """Return the thread name to which a loop with several iterations is bound, as a set.

    The set is empty for any other op.
    """
    if not isinstance(op, ForOp) or not is_bound(op, THREAD):
        return frozenset()
    is_single = any(high == constant(1) for high in op.bounds()[1])
    return frozenset() if is_single else frozenset((thread_of(op),))


def _names_in(key: Key) -> set[str]:
    keys = key.operand.variables() if isinstance(key, Atom) else (key,)
    return {each for each in keys if isinstance(each, str)}


def _has_others(key: Key) -> bool:
    """Return whether a term is a quotient or remainder with a variable that is no thread index."""
    return isinstance(key, Atom) and not all(isinstance(k, str) for k in key.operand.variables())


def _differ(
    one: Index,
    other: Index,
    spans: tuple[int, int],
    uniform: set[SSAValue],
    range_of: RangeOf,
) -> bool:
    """Return whether two positions in one dimension provably differ.

    The proof requires a constant distance between the positions, or between their dividends if both
    are remainders with the same divisor; or ranges without a common position.
    spans: for each access, the offset of the last lane from the first one.
    uniform: the variables that have the same value in both accesses.
    """
    if not all(key in uniform for e in (one, other) for key in e.variables()):
        return _are_disjoint(one, other, spans, uniform, range_of)
    distance = one - other
    if distance.is_constant:
        return distance.const + spans[0] < 0 or distance.const - spans[1] > 0
    keys = [next(iter(e.terms.items()), (None, 0)) for e in (one, other)]
    if any(len(e.terms) != 1 for e in (one, other)) or one.const != other.const or any(spans):
        return False
    (a, factor), (b, other_factor) = keys
    if not isinstance(a, Atom) or not isinstance(b, Atom) or factor != other_factor:
        return False
    if a.kind != "mod" or b.kind != "mod" or a.divisor != b.divisor:
        return False
    turn = a.operand - b.operand
    return turn.is_constant and turn.const % a.divisor != 0


def _are_disjoint(
    one: Index,
    other: Index,
    spans: tuple[int, int],
    uniform: set[SSAValue],
    range_of: RangeOf,
) -> bool:
    """Return whether the ranges of two positions have no common element.

    The terms of uniform variables must be equal in both positions, and cancel.
    """
    ranges: list[Range] = []
    fixed: list[Index] = []
    for e, span in zip((one, other), spans, strict=True):
        common = {k: f for k, f in e.terms.items() if set(Index({k: 1}).variables()) <= uniform}
        fixed.append(Index(common))
        low, high = (e - fixed[-1]).range(range_of)
        ranges.append((low, high + span))
    (a, b), (c, d) = ranges
    return fixed[0] == fixed[1] and (b < c or d < a)


def _lifted(one: ThreadAccess, other: ThreadAccess) -> tuple[ThreadAccess, ThreadAccess]:
    """Add the same constants to both positions, so that no constant in them is negative.

    The position of an earlier iteration may contain a negative constant, such as ``i - 1``.
    """
    pairs = list(zip(one.indices, other.indices, strict=True))
    lows = [min(a.const, b.const, 0) for a, b in pairs]
    moved = [[e - low for e, low in zip(x.indices, lows, strict=True)] for x in (one, other)]
    return replace(one, indices=tuple(moved[0])), replace(other, indices=tuple(moved[1]))


def by_buffer(accesses: Iterable[ThreadAccess]) -> dict[SSAValue, list[ThreadAccess]]:
    """Return the accesses to each buffer, in order."""
    found: dict[SSAValue, list[ThreadAccess]] = {}
    for access in accesses:
        found.setdefault(access.buffer, []).append(access)
    return found


def is_local(buffer: SSAValue) -> bool:
    """Return whether a buffer is private to one thread, or lies in the registers of one warp."""
    return isinstance(buffer.owner, AllocOp) and buffer.owner.scope.data in ("local", "warp")

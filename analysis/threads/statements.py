"""The top-level statements of a loop-level kernel, and the dependences between them.

In: the block of a kernel function.  Out: its statements in order, and the ops that they share.

    %c = arith.constant 2.0 : f32                 shared: any task may recompute it
    loop.for parallel %i = 0 to 8 { .. }          a statement
    %s = loop.for %k = 0 to 8 iter_args(..) ..    a statement: it includes the uses of a value
    loop.store %s, %y[0] : ..                     that is not shared

Two statements depend on each other if one writes an element that the other accesses.  The test
compares ranges of indices and is conservative: it may report dependences that do not exist.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import product
from typing import TypeAlias, cast

from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType
from xdsl.dialects.func import ReturnOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.traits import is_side_effect_free

from ...dialects.loop import AllocOp, ForOp, IfOp, LoadOp, StoreOp
from ...support.affine import INFINITY, Index, Key, Range, RangeOf
from ..bounds.loop_ranges import LoopRanges, loop_range
from ..bounds.value_ranges import joined
from ..effects import Effect
from ..strides import flat_address, row_major_strides

Accesses: TypeAlias = dict[SSAValue, list[LoadOp | StoreOp]]
Span: TypeAlias = tuple[Index, Index]
"""The first and the last index that a group of accesses touches in one dimension."""

_ANYWHERE: Range = (-INFINITY, INFINITY)


def statements_of(block: Block) -> tuple[list[Operation], list[Statement]]:
    """Return the ops that statements may share, and the statements, both in order.

    Shared ops are allocations, and pure ops whose operands are all shared.
    """
    shared: list[Operation] = []
    rest: list[Operation] = []
    varying: set[SSAValue] = set()
    for op in block.ops:
        if isinstance(op, ReturnOp):
            continue
        if _is_repeatable(op) and varying.isdisjoint(op.operands):
            shared.append(op)
        else:
            rest.append(op)
            varying.update(op.results)
    ranges = LoopRanges()
    return shared, [Statement(ops, ranges) for ops in _kept_together(rest)]


def _is_repeatable(op: Operation) -> bool:
    return isinstance(op, AllocOp) or (not op.regions and is_side_effect_free(op))


def _kept_together(ops: Sequence[Operation]) -> list[list[Operation]]:
    """Split ops into consecutive parts, so that no value of one part is used in another part.

    Each part contains a loop, a condition or a store.
    """
    positions = {op: number for number, op in enumerate(ops)}
    parts: list[list[Operation]] = []
    part: list[Operation] = []
    reach = 0
    for number, op in enumerate(ops):
        part.append(op)
        reach = max([reach, *(positions[user] for user in _users(op))])
        if number >= reach and any(isinstance(each, ForOp | IfOp | StoreOp) for each in part):
            parts.append(part)
            part = []
    if part:
        parts = [*parts[:-1], [*(parts[-1] if parts else ()), *part]]
    return parts


def _users(op: Operation) -> Iterator[Operation]:
    """Yield the ops of the same block that use an op's results, directly or in their regions."""
    block = op.parent
    assert block is not None, "statements stand in a block"
    for use in (use for result in op.results for use in result.uses):
        user = block.find_ancestor_op_in_block(use.operation)
        assert user is not None, "a use stands in the block of the value, or inside of it"
        yield user


class Statement:
    """Top-level ops that belong together, and the elements of each buffer that they may access.

    ranges: the ranges of the loop variables of the whole function.
    """

    def __init__(self, ops: Iterable[Operation], ranges: LoopRanges) -> None:
        self.ops, self._loop_ranges = tuple(ops), ranges
        self._hulls: dict[SSAValue, Effect] = {}
        self._effects: dict[SSAValue, list[Effect]] = {}
        self._spans: dict[tuple[SSAValue, int, bool], list[Span]] = {}

    @cached_property
    def _survey(self) -> tuple[Accesses, dict[Key, Range]]:
        """The accesses of the statement by buffer, and the ranges of the loop variables."""
        accesses: Accesses = {}
        ranges: dict[Key, Range] = {}

        def known(key: Key) -> Range:
            return ranges.get(key, _ANYWHERE)

        waiting: list[Iterator[Operation]] = [iter(self.ops)]
        while waiting:
            for op in waiting[-1]:
                # Compare exact types: isinstance takes five times as long for other ops.
                if type(op) is LoadOp or type(op) is StoreOp:
                    accesses.setdefault(op.mem, []).append(op)
                elif op.regions:
                    if type(op) is ForOp:
                        self._loop_ranges.enter(op)
                        ranges[op.variable] = loop_range(op, lambda e: e.range(known))
                    waiting.append(inner for r in op.regions for b in r.blocks for inner in b.ops)
                    break
            else:
                waiting.pop()
        return accesses, ranges

    @property
    def accesses(self) -> Accesses:
        """The loads and stores of the statement, by buffer."""
        return self._survey[0]

    @property
    def is_parallel(self) -> bool:
        """Whether one of the ops is a parallel loop."""
        return any(isinstance(op, ForOp) and op.is_parallel for op in self.ops)

    def has_known_work(self) -> bool:
        """Return whether the trip count of each loop has a limit that does not depend on data."""
        loops = (inner for op in self.ops for inner in op.walk() if isinstance(inner, ForOp))
        return not any(self._is_unlimited(op) for op in loops)

    def _is_unlimited(self, op: ForOp) -> bool:
        low, high = self._range_of(op.variable)
        return max(-low, high) >= INFINITY

    def trips(self, op: ForOp) -> int:
        """Return the largest trip count of a loop in the statement; 1 if it depends on data.

        A pair of a lower and an upper bound may limit it more than the range of the variable: the
        loop from max(i, ..) to min(i + 1, ..) has at most one trip.
        """
        if self._is_unlimited(op):
            return 1
        low, high = self._range_of(op.variable)
        pairs = product(*op.bounds())
        trips = ((end - start).range(self._range_of)[1] for start, end in pairs)
        return max(0, min(high - low + 1, *trips))

    def conflict(self, others: Sequence[Statement]) -> tuple[SSAValue, Effect] | None:
        """Return a buffer, and this statement's effect on it that conflicts with other statements.

        An effect conflicts if it may overlap an access of another statement, and at least one of
        the two is a write. Return None if there is no conflict.
        """
        for buffer in self.accesses:
            users = [other for other in others if buffer in other.accesses]
            if not any(self.writes(buffer) or other.writes(buffer) for other in users):
                continue
            if DYNAMIC_INDEX in cast(MemRefType, buffer.type).get_shape():
                effect = self._symbolic_conflict(users, buffer)
            else:
                effect = self._conflict(users, buffer)
            if effect is not None:
                return buffer, effect
        return None

    def _conflict(self, users: Sequence[Statement], buffer: SSAValue) -> Effect | None:
        """Return this statement's effect on a buffer that may conflict with other users, or None.

        Compare the bounding boxes of all accesses first, which is cheap.
        """
        near = [other for other in users if self.hull(buffer).conflicts(other.hull(buffer))]
        theirs = [effect for other in near for effect in other.effects(buffer)]
        mine = self.effects(buffer) if theirs else []
        return next((e for e in mine if any(e.conflicts(other) for other in theirs)), None)

    def _symbolic_conflict(self, users: Sequence[Statement], buffer: SSAValue) -> Effect | None:
        """Return this statement's effect on a buffer of symbolic sizes that may conflict, or None.

        Compare the positions of this statement's accesses with those of each user, pair by pair.
        """
        for other in users:
            for stores in (True, False):
                if any(self._is_apart(other, buffer, d, stores) for d in _dimensions(buffer)):
                    continue
                others = [op for op in other.accesses[buffer] if _is_store(op) or stores]
                for access in (op for op in self.accesses[buffer] if _is_store(op) == stores):
                    if not all(_are_apart(access, each, self._loop_ranges) for each in others):
                        return Effect(stores, None)
        return None

    def _is_apart(self, other: Statement, buffer: SSAValue, dimension: int, stores: bool) -> bool:
        """Return whether the accesses of two statements provably differ in one dimension.

        stores: true to compare this statement's stores with all accesses of ``other``; false to
        compare this statement's loads with the stores of ``other``.
        """
        theirs = other.spans(buffer, dimension, True)
        if stores:
            theirs = [*theirs, *other.spans(buffer, dimension, False)]
        ranges, mine = self._loop_ranges, self.spans(buffer, dimension, stores)
        if any(span in theirs for span in mine):
            return False
        return all(
            ranges.upper(end - low) < 0 or ranges.upper(high - start) < 0
            for start, end in mine
            for low, high in theirs
        )

    def spans(self, buffer: SSAValue, dimension: int, stores: bool) -> list[Span]:
        """Return the range of indices of each group of accesses to a buffer, in one dimension.

        Accesses that differ only by constants form a group, because a tile has many accesses and
        few groups.
        stores: whether to return the ranges of the statement's stores; if false, of its loads.
        """
        key = buffer, dimension, stores
        if key not in self._spans:
            accesses = [op for op in self.accesses[buffer] if _is_store(op) == stores]
            self._spans[key] = _spans(accesses, dimension, self._loop_ranges)
        return self._spans[key]

    def writes(self, buffer: SSAValue) -> bool:
        """Return whether the statement writes a buffer."""
        return any(map(_is_store, self.accesses[buffer]))

    def hull(self, buffer: SSAValue) -> Effect:
        """Return the bounding box of the accesses to a buffer, as one effect."""
        if buffer not in self._hulls:
            boxes = [
                _box(op, _indices(op, self._range_of), self._range_of)
                for op in self.accesses[buffer]
            ]
            ranges = tuple(joined(*column) for column in zip(*boxes, strict=True))
            self._hulls[buffer] = Effect(self.writes(buffer), ranges)
        return self._hulls[buffer]

    def effects(self, buffer: SSAValue) -> list[Effect]:
        """Return the distinct effects of the statement on a buffer.

        The ``lines`` of an effect are ranges of linearized positions: in the whole buffer, and for
        each dimension in the product of this dimension and the innermost one. So a blocked axis
        ``(c floordiv 16, …, c mod 16)`` has a single range.
        """
        if buffer not in self._effects:
            found = dict.fromkeys(_effect(op, self._range_of) for op in self.accesses[buffer])
            self._effects[buffer] = list(found)
        return self._effects[buffer]

    def _range_of(self, key: Key) -> Range:
        return self._survey[1].get(key, _ANYWHERE)


def _indices(op: LoadOp | StoreOp, range_of: RangeOf) -> list[Index]:
    return [e.simplify(range_of) for e in op.indices()]


def _box(op: LoadOp | StoreOp, indices: Sequence[Index], range_of: RangeOf) -> list[Range]:
    """Return, per dimension, the range of positions that an access touches with all lanes."""
    box = [e.range(range_of) for e in indices]
    if isinstance(op, LoadOp) and op.pad is not None:
        shape = cast(MemRefType, op.mem.type).get_shape()
        box = [(max(low, 0), min(high, n - 1)) for (low, high), n in zip(box, shape, strict=True)]
    elif isinstance(op, StoreOp) and (clip := op.clip_ranges()) is not None:
        spans = zip(box, clip, strict=True)
        box = [(max(low, first), min(high, end - 1)) for (low, high), (first, end) in spans]
    rows = op.tile_rows()
    if rows is not None:
        box[rows[0]] = _extended(box[rows[0]], rows[1])
    return [*box[:-1], *(_reached(op, line) for line in box[-1:])]


def _reached(op: LoadOp | StoreOp, line: Range) -> Range:
    """Extend the position range of the first lane so that it covers all lanes of the access."""
    return _extended(line, (op.active_lanes - 1) * (op.step if op.rows is None else 1))


def _extended(line: Range, reach: int) -> Range:
    return line[0] + min(reach, 0), line[1] + max(reach, 0)


def _reach_in(op: LoadOp | StoreOp, dimension: int) -> Range:
    """Return the smallest and largest offset of an access's lanes and rows in a dimension."""
    rows = op.tile_rows()
    if rows is not None and rows[0] == dimension:
        return _extended((0, 0), rows[1])
    return _reached(op, (0, 0)) if dimension == len(op.map.data.results) - 1 else (0, 0)


def _is_store(op: LoadOp | StoreOp) -> bool:
    return type(op) is StoreOp


def _dimensions(buffer: SSAValue) -> range:
    return range(len(cast(MemRefType, buffer.type).get_shape()))


def _spans(accesses: Sequence[LoadOp | StoreOp], dimension: int, ranges: LoopRanges) -> list[Span]:
    """Return the first and the last index in one dimension for each group of accesses.

    The accesses of a group differ only by constants.
    """
    found: dict[Index, Range] = {}
    for op in accesses:
        index = ranges.expand(op.index(dimension))
        low, high = _reach_in(op, dimension)
        base = index - index.const
        first, last = found.get(base, (INFINITY, -INFINITY))
        found[base] = min(first, index.const + low), max(last, index.const + high)
    return [(base + first, base + last) for base, (first, last) in found.items()]


def _are_apart(mine: LoadOp | StoreOp, theirs: LoadOp | StoreOp, ranges: LoopRanges) -> bool:
    """Return whether two accesses provably differ in a dimension, for all iterations and sizes."""
    positions = [[ranges.expand(e) for e in op.indices()] for op in (mine, theirs)]
    for number, (a, b) in enumerate(zip(*positions, strict=True)):
        (low_a, high_a), (low_b, high_b) = _reach_in(mine, number), _reach_in(theirs, number)
        if ranges.upper(a - b) + high_a - low_b < 0 or ranges.upper(b - a) + high_b - low_a < 0:
            return True
    return False


def _effect(op: LoadOp | StoreOp, range_of: RangeOf) -> Effect:
    indices = _indices(op, range_of)
    shape = cast(MemRefType, op.mem.type).get_shape()
    pairs = [
        flat_address([index, indices[-1]], (size, shape[-1]))
        for index, size in zip(indices[:-1], shape[:-1], strict=True)
    ]
    lines = [e.simplify(range_of).range(range_of) for e in (flat_address(indices, shape), *pairs)]
    reached = [_reached(op, line) for line in lines]
    if (rows := op.tile_rows()) is not None:
        # The lines: the whole buffer, then each dimension joined with the innermost dimension.
        dimension, reach = rows
        strides = {0: row_major_strides(shape)[dimension], 1 + dimension: shape[-1]}
        for line, stride in strides.items():
            reached[line] = _extended(reached[line], reach * stride)
    box = tuple(_box(op, indices, range_of))
    return Effect(isinstance(op, StoreOp), box, tuple(reached))

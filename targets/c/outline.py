"""c-outline: te-outline, with one kernel for a producer and its reader where memory is short.

    %a = te.compute @conv ..        %b = te.compute @depthwise ins(%a[o, h + r, w + s] pad 0.0) ..
==>
    te.kernel @conv { @conv, @depthwise }     c-plan computes a channel of both, then the next one

Without ``-max-ram`` the kernels are those of te-outline. With this limit, the step of main that has
the most live bytes is made smaller until the arena fits: of the pairs of a kernel and its only
reader that have loops in common (analysis/patterns/sharing.py), the pair that leaves the fewest
bytes becomes one kernel. Of the value between the two, this kernel stores only the slice for one
iteration of the common loops. Such a kernel is slower, because c-plan computes one result at a time
in it; nothing is computed twice.

Before: as te-outline.  After: as te-outline; the last pass checks the limit, because more kernels
need memory for buffers of their own.  Exact.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import pairwise
from typing import TypeAlias, cast

from xdsl.dialects.builtin import ShapedType, TensorType
from xdsl.dialects.func import ReturnOp
from xdsl.ir import Block, Operation, SSAValue

from ...analysis.patterns.sharing import SharingGroup, element_bytes
from ...dialects.packed.arena import Life, aligned, assign_offsets
from ...dialects.te import ComputeOp, TensorOp
from ...dialects.te.role import Concat, JoinsReader
from ...machines.target_passes import TargetedPass
from ...passes.te.outline import MOST_MEMBERS, Outline
from .memory import ram_limit
from .workspace import STACK_BYTES

Group: TypeAlias = list[TensorOp]


@dataclass(frozen=True)
class COutline(Outline, TargetedPass):
    """Group computes into kernels whose intermediate results fit into the memory of the target."""

    name = "c-outline"

    def groups(self, block: Block) -> list[Group]:
        groups, limit = super().groups(block), ram_limit(self.target)
        if limit is None or not _is_static(block):
            return groups
        while _arena_bytes(groups) > limit:
            sizes = _live_bytes(groups)
            merged = [_merged(groups, *pair) for pair in _pairs(groups, sizes.index(max(sizes)))]
            smaller = [each for each in merged if _need(each) < _need(groups)]
            if not smaller:
                break
            groups = min(smaller, key=_need)
        return groups


def _is_static(block: Block) -> bool:
    types = [result.type for op in block.ops for result in op.results]
    return all(t.has_static_shape() for t in types if isinstance(t, TensorType))


def _merged(groups: Sequence[Group], producer: int, reader: int) -> list[Group]:
    """Return the groups after a producer is merged into its reader.

    producer, reader: the indices of the two groups; the merged group takes the reader's position.
    """
    whole = [*groups[producer], *groups[reader]]
    places = [whole if n == reader else group for n, group in enumerate(groups)]
    return [group for n, group in enumerate(places) if n != producer]


def _need(groups: Sequence[Group]) -> list[int]:
    """Return the live bytes of all steps in descending order.

    Of two groupings, the one whose list is lexicographically smaller needs less memory.
    """
    return sorted(_live_bytes(groups), reverse=True)


def _live_bytes(groups: Sequence[Group]) -> list[int]:
    sizes = [_inner_bytes(group) for group in groups]
    for life in _lives(groups):
        for step in range(life.first, life.last + 1):
            sizes[step] += life.size_bytes
    return sizes


def _arena_bytes(groups: Sequence[Group]) -> int:
    """Return the bytes of the arena that packed-plan-memory will plan.

    The buffers inside of a group lie in the arena after the results that are live while the group
    runs.
    """
    lives = [*_lives(groups)]
    offsets, most = assign_offsets(lives)
    for step, group in enumerate(groups):
        ends = [
            aligned(offset + life.size_bytes)
            for life, offset in zip(lives, offsets, strict=True)
            if life.first <= step <= life.last
        ]
        most = max(most, max(ends, default=0) + _inner_bytes(group))
    return most


def _lives(groups: Sequence[Group]) -> Iterator[Life]:
    """Yield the size of each result that main stores, and the first and last group that use it."""
    place: dict[Operation, int] = {op: n for n, group in enumerate(groups) for op in group}
    for n, group in enumerate(groups):
        for value in _results(group):
            users = [use.operation for use in value.uses]
            if not any(isinstance(user, ReturnOp) for user in users):  # the caller's array
                last = max((place.get(user, len(groups) - 1) for user in users), default=n)
                yield Life(_stored_bytes(value), n, last)


def _results(group: Group) -> Iterator[SSAValue]:
    inside = set[Operation](group)
    for op in group:
        yield from (r for r in op.results if any(u.operation not in inside for u in r.uses))


def _stored_bytes(value: SSAValue) -> int:
    """Return the bytes of a value with the border that padded reads of other kernels need."""
    shape = cast("ShapedType", value.type).get_shape()
    lows, highs = [0] * len(shape), [*shape]
    for use in value.uses:
        if not isinstance(use.operation, ComputeOp):
            continue
        view = use.operation.view()
        reads = [read for read in view.reads if read.value is value and read.pad is not None]
        for dim, index in ((d, e) for read in reads for d, e in enumerate(read.indices or [])):
            low, high = index.range(view.range_of)
            lows[dim], highs[dim] = min(lows[dim], low), max(highs[dim], high + 1)
    sizes = [high - low for low, high in zip(lows, highs, strict=True)]
    return reduce(int.__mul__, sizes, element_bytes(value.type))


def _inner_bytes(group: Group) -> int:
    """Return the bytes of the values inside of a group, for one iteration of its shared loops."""
    if len(group) == 1:
        return 0
    sharing = _sharing(cast("list[ComputeOp]", group))
    inner = (each.bytes_per_iteration(sharing.shared) or 0 for each in sharing.members[1:])
    return sum(size for size in inner if size > STACK_BYTES)


def _sharing(ops: Sequence[ComputeOp]) -> SharingGroup:
    made = SharingGroup(ops[-1])
    for op in reversed(ops[:-1]):
        made.add(made.member(op))
    return made


def _pairs(groups: Sequence[Group], step: int) -> Iterator[tuple[int, int]]:
    """Yield pairs of a producer and its only reader, as indices of groups.

    The producer is computed at ``step`` or before, and read at ``step`` or later.
    """
    place: dict[Operation, int] = {op: n for n, group in enumerate(groups) for op in group}
    for n, group in enumerate(groups[: step + 1]):
        values = [*_results(group)]
        users = {use.operation for value in values for use in value.uses}
        readers = {place.get(user) for user in users}
        reader = readers.pop() if len(readers) == 1 else None
        if reader is not None and reader >= step and _may_merge(group, groups[reader]):
            yield n, reader


def _may_merge(producer: Group, reader: Group) -> bool:
    ops = [*producer, *reader]
    if len(ops) > MOST_MEMBERS or not all(isinstance(op, ComputeOp) for op in ops):
        return False
    computes = cast("list[ComputeOp]", ops)
    if any(op.has_role(Concat) or op.has_role(JoinsReader) for op in computes):
        return False
    if any(len(op.results) != 1 or op.view().scan is not None for op in computes):
        return False
    is_chain = all(
        any(use.operation is after for use in op.results[0].uses)
        for op, after in pairwise(computes)
    )
    layouts = {output.layout for op in computes for output in op.view().outputs}
    return is_chain and len(layouts) == 1 and bool(_sharing(computes).shared)

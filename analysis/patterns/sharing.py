"""Outer axes that several computes can share as loops.

Computes of one kernel share axis ``a`` of the last compute (the root) if every intermediate, along
every chain of reads, is read at exactly ``a`` in one dimension, and ``a`` occurs in no other
dimension: then one iteration of a loop over ``a`` needs one slice of every intermediate.

In: computes of a kernel, in order, in value or buffer form.  Out: for each compute, the axis that
corresponds to each shared axis of the root.  Schedules turn shared axes into loops (fuse_into).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import prod

from xdsl.dialects.builtin import AffineMapAttr, MemRefType, TensorType
from xdsl.ir import Attribute, SSAValue

from ...dialects.dtypes import storage_bytes
from ...dialects.shape import likely
from ...dialects.te import Access, ComputeOp, ComputeView
from ...dialects.te.layout import block_sizes


@dataclass(frozen=True)
class Sharing:
    """The axes that computes share with the last one, the root.

    root_axes: the shared axes of the root.  axis_of: for each compute in order, a map from these
    axes to the axes of the compute.
    """

    root_axes: tuple[str, ...]
    axis_of: tuple[dict[str, str], ...]
    """For each compute, a map from the shared axes of the root to its own axes."""


def results_of(op: ComputeOp) -> list[SSAValue]:
    """Return the values that a compute defines: its results, or the buffers that it writes."""
    return [*op.results, *op.outs]


def share_axes(ops: Sequence[ComputeOp]) -> Sharing:
    """Return the axes that all computes share with the last compute; there may be none."""
    group = SharingGroup(ops[-1])
    for op in reversed(ops[:-1]):
        group.add(group.member(op))
    root_axes = tuple(group.shared)
    kept = ({a: m.axes[a] for a in m.axes if a in group.shared} for m in reversed(group.members))
    return Sharing(root_axes, tuple(kept))


@dataclass(frozen=True)
class Member:
    """A compute that shares axes with the last compute (the root) of a group.

    op, view: the compute.  axes: for each shared axis of the root, the compute's own axis.  points:
    the number of points of its iteration space, with likely values for symbolic sizes.
    """

    op: ComputeOp
    view: ComputeView
    axes: dict[str, str]
    points: int

    def bytes_per_iteration(self, shared: Sequence[str]) -> int | None:
        """Return the bytes of the compute's results in one iteration of the shared loops.

        shared: the root's axes of these loops.  Return None if the bytes are known only at run
        time.
        """
        total, own = 0, {self.axes[a] for a in shared}
        for value, output in zip(results_of(self.op), self.view.outputs, strict=True):
            axes = self.view.axes
            free = [axes[str(k)] for k in output.axes() if k in axes and k not in own]
            static = [extent for extent in free if isinstance(extent, int)]
            if len(static) < len(free):
                return None
            total += prod(static) * element_bytes(value.type)
        return total

    def splits_blocks(self, shared: Sequence[str]) -> bool:
        """Return whether a shared axis runs through the innermost blocks of an operand.

        The operand is the result of another compute, before it is stored in a buffer; the loop over
        the axis would read single elements of its blocks.  shared: the root's axes of these loops.
        """
        outer = {self.axes[a] for a in shared}
        for access in self.view.reads:
            made = access.value.owner if access.value is not None else None
            if not isinstance(made, ComputeOp) or not made.layouts or access.indices is None:
                continue
            layout = made.layouts.data[made.results.index(access.value)]
            blocks = block_sizes(layout) if isinstance(layout, AffineMapAttr) else ()
            if any(access.indices[dim].variable() in outer for dim in blocks):
                return True
        return False


class SharingGroup:
    """Computes that may become one kernel, because they share outer axes.

    A group starts with its last compute, the root; `add` adds producers from the last to the first.
    members: the computes, the root first.  shared: the axes of the root that all members share.
    Cost: the time to add a producer is proportional to the number of its readers; if the group then
    shares fewer axes, also to the number of members.
    """

    def __init__(self, root: ComputeOp) -> None:
        view = root.view()
        axes = [a for a in view.parallel_axes() if view.axes[a] != 1 and a != view.scan]
        self.shared, self.members = axes, list[Member]()
        self._reads: dict[SSAValue, list[tuple[Access, dict[str, str]]]] = {}
        self._points = 0
        self._bytes: int | None = 0
        self._append(_member(root, view, {a: a for a in axes}))

    def member(self, op: ComputeOp) -> Member:
        """Return a compute as a possible member of the group, which does not change.

        op: a producer whose readers are all members.  The result has the axes that all readers
        share.
        """
        view = op.view()
        agreed: dict[str, str] | None = None
        for value, output in zip(results_of(op), view.outputs, strict=True):
            for access, reader_axes in self._reads.get(value, ()):
                through = _through_read(access, output, reader_axes)
                found = {k: v for k, v in through.items() if v != view.scan}
                if agreed is not None:
                    found = {k: v for k, v in agreed.items() if found.get(k) == v}
                agreed = found
        return _member(op, view, agreed or {})

    def add(self, member: Member) -> None:
        """Add a producer, which `member` made, to the group; the shared axes may become fewer."""
        self.shared, self._bytes = self._with(member)
        self._append(member)

    def fits(self, member: Member, budget_bytes: int) -> bool:
        """Return whether the intermediates of the group fit a budget if a producer joins it.

        member: the producer.  budget_bytes: the budget for one iteration of the shared loops.
        Intermediates whose size is known only at run time do not fit.
        """
        shared, total = self._with(member)
        if not shared and self._points + member.points > SMALL_POINTS:
            return False
        return total is not None and total <= budget_bytes

    def shared_with(self, member: Member) -> list[str]:
        """Return the axes of the root that all members would share with a further one."""
        return [a for a in self.shared if a in member.axes]

    def _with(self, member: Member) -> tuple[list[str], int | None]:
        """Return the shared axes and the bytes of intermediates of the group with one more member.

        The bytes are None if they are known only at run time.
        """
        shared = self.shared_with(member)
        if shared == self.shared:
            sizes = [self._bytes, member.bytes_per_iteration(shared)]
        else:
            others = self.members[1:]
            sizes = [each.bytes_per_iteration(shared) for each in (*others, member)]
        known = [size for size in sizes if size is not None]
        return shared, sum(known) if len(known) == len(sizes) else None

    def _append(self, member: Member) -> None:
        self.members.append(member)
        self._points += member.points
        for access in (*member.view.inputs, *member.view.post):
            if access.value is not None:
                self._reads.setdefault(access.value, []).append((access, member.axes))


def _member(op: ComputeOp, view: ComputeView, axes: dict[str, str]) -> Member:
    return Member(op, view, axes, prod(map(likely, view.axes.values())))


def _through_read(access: Access, output: Access, reader_axes: dict[str, str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for root_axis, axis in reader_axes.items():
        at = [d for d, e in enumerate(access.indices or []) if axis in set(e.variables())]
        if len(at) != 1 or (access.indices or [])[at[0]].variable() != axis:
            continue
        own = (output.indices or [])[at[0]].variable()
        if isinstance(own, str) and output.extents[at[0]] != 1:
            found[root_axis] = own
    return found


def element_bytes(type_: Attribute) -> int:
    """Return the size in memory of one element of a tensor or memref."""
    assert isinstance(type_, TensorType | MemRefType)
    return storage_bytes(type_.get_element_type())


SMALL_POINTS = 1 << 15
"""Computes with at most this many points in total may form one task even without shared axes."""


def lane_bits(accesses: Iterable[Access]) -> int:
    """Return the width of a lane of the vectors for some accesses, in bits.

    It is the width of the widest type that is accessed, except as an index, and at least 32.
    """
    return 8 * max([4, *(element_bytes(a.type) for a in accesses if not a.is_index)])


def are_independent(views: Sequence[ComputeView]) -> bool:
    """Return whether no compute reads the result of another one, as in the copies of a concat."""
    written = {o.value for view in views for o in view.outputs}
    return not any(a.value in written for view in views for a in view.reads)

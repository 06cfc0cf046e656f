"""Outer axes that several computes can share as loops.

Computes of one kernel share axis ``a`` of the last one (the root) if, along every chain of reads,
each intermediate is read at exactly ``a`` in one dimension and ``a`` occurs in no other: then one
iteration of a loop over ``a`` needs one slice of every intermediate.

In: computes of a kernel, in order, in value or buffer form.  Out: per compute, its axis for every
shared axis of the root.  Owned by the te level; schedules turn sharing into loops (fuse_into).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

from xdsl.dialects.builtin import MemRefType, TensorType
from xdsl.ir import Attribute, SSAValue

from ..dialects.dtypes import storage_bytes
from ..dialects.shape import likely
from ..dialects.te import Access, ComputeOp, ComputeView


@dataclass(frozen=True)
class Sharing:
    """Shared axes of a group: the root's axes, and each compute's own name for them."""

    root_axes: tuple[str, ...]
    axis_of: tuple[dict[str, str], ...]
    """Per compute, its axis by root axis."""


def results_of(op: ComputeOp) -> list[SSAValue]:
    """Return the values that a compute defines: results, or the buffers it writes."""
    return [*op.results, *op.outs]


def share_axes(ops: Sequence[ComputeOp]) -> Sharing:
    """Return the axes that the computes share with the last one, possibly none."""
    views = [op.view() for op in ops]
    root = views[-1]
    shared = [a for a in root.parallel_axes() if root.axes[a] != 1 and a != root.scan]
    mapping: list[dict[str, str]] = [{} for _ in ops]
    mapping[-1] = {a: a for a in shared}
    for position in reversed(range(len(ops) - 1)):
        found = _axes_of_producer(ops, views, mapping, position)
        mapping[position] = found
        shared = [a for a in shared if a in found]
    kept = tuple({k: v for k, v in m.items() if k in shared} for m in mapping)
    return Sharing(tuple(shared), kept)


def _axes_of_producer(
    ops: Sequence[ComputeOp],
    views: Sequence[ComputeView],
    mapping: Sequence[dict[str, str]],
    position: int,
) -> dict[str, str]:
    """Return the producer's axis for each root axis along which all its readers agree."""
    values = results_of(ops[position])
    agreed: dict[str, str] | None = None
    for reader in range(position + 1, len(ops)):
        for access in (*views[reader].inputs, *views[reader].post):
            if access.value is None or access.value not in values:
                continue
            output = views[position].outputs[values.index(access.value)]
            through = _through_read(access, output, mapping[reader])
            found = {k: v for k, v in through.items() if v != views[position].scan}
            agreed = (
                found if agreed is None else {k: v for k, v in agreed.items() if found.get(k) == v}
            )
    return agreed or {}


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
"""Computes with at most this many points in total may run in one task without shared axes."""


def fits_together(ops: Sequence[ComputeOp], budget_bytes: int) -> bool:
    """True if the intermediates of one iteration of the shared loops fit the budget.

    Intermediates whose size is known only at run time do not.
    """
    sharing = share_axes(ops)
    points = sum(prod(map(likely, op.view().axes.values())) for op in ops)
    if not sharing.root_axes and points > SMALL_POINTS:
        return False
    shared = set(sharing.root_axes)
    total = 0
    for op, axes in zip(ops[:-1], sharing.axis_of, strict=False):
        view = op.view()
        own = {axes[a] for a in shared}
        for value, output in zip(results_of(op), view.outputs, strict=True):
            free = [view.axes[str(k)] for k in output.axes() if k in view.axes and k not in own]
            static = [extent for extent in free if isinstance(extent, int)]
            if len(static) < len(free):
                return False
            total += prod(static) * element_bytes(value.type)
    return total <= budget_bytes


def are_independent(views: Sequence[ComputeView]) -> bool:
    """True if no compute reads another one's result, for example the copies of a concat."""
    written = {o.value for view in views for o in view.outputs}
    return not any(a.value in written for view in views for a in view.reads)

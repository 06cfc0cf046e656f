"""sched.set_store_predicate: store only the elements of an output in a range of positions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise, product
from typing import TypeAlias

from xdsl.ir import Operation, SSAValue

from ....dialects.loop import AllocOp
from ....dialects.spans import ranges_of
from ....dialects.te import Access, ComputeOp, ComputeView
from ....dialects.te.loop_nest import Split
from ....support.affine import Range
from ..engine.nest import is_reduced, nest_of
from ..engine.placement import comes_before, users, writers
from ..engine.step import Handles, Step
from .local_buffers import output_of, shown

Box: TypeAlias = tuple[Range, ...]
"""First and end position per dimension."""


def set_store_predicate(step: Step) -> Handles:
    """Store an output only at positions in given ranges of axes.

        te.compute @late [i: 8] ins(%X[i] : ..) outs(%Y[i] : memref<8xf32>) ..
        %p = sched.set_store_predicate %c {i = [2, 8]}
    ==>
        te.compute @late [i: 8] ins(%X[i] : ..) outs(%Y[i] clip [2 to 8] : memref<8xf32>) ..

    All points are still computed.
    <axis>: the range [first, end) of this axis, or of an outer loop that ``split`` made from an
    axis. A range of a reduced loop has no effect, because a reduction stores its result once.
    out: the number of the output, by default 0.
    Before: the output starts from an initial value; each axis is, up to an offset, one index of the
    output (use the step before tiling).  The omitted elements are not needed: a later compute
    stores them, or the buffer is local and no compute reads them.
    Errors: ScheduleError otherwise, naming the missing part or its reader.
    """
    out = step.number("out", 0)
    for op in step.computes():
        view = op.view()
        output = output_of(step, view, out)
        step.require_initialized(view, [output])
        clip = _clip(step, view, output)
        _require_not_needed(step, op, output, clip)
        output.clip = clip
        op.update(view)
    return [step.computes()]


def _clip(step: Step, view: ComputeView, output: Access) -> Box:
    """Return for each dimension of an output the range of positions to store, given by the step."""
    spans = list(ranges_of(output.clip or [(0, n) for n in output.shape]))
    indices = output.indices or []
    for name, wanted in _ranges(step).items():
        span = _checked(step, view, name, wanted)
        if is_reduced(view, name):
            continue
        axis, (first, end) = _of_axis(step, view, name, span)
        used = [dim for dim, index in enumerate(indices) if axis in index.variables()]
        if len(used) != 1 or indices[used[0]].terms != {axis: 1}:
            legal = [a for a in view.axes if [e.terms for e in indices].count({a: 1}) == 1]
            raise step.error(
                f"axis {axis} is no index of the output of @{view.name}",
                expected=f"one of {', '.join(legal) or 'none'}",
                got=f"[{', '.join(map(shown, indices))}]",
                hint="set the predicate before tile and relayout",
            )
        (dim,) = used
        start = indices[dim].const
        spans[dim] = max(first + start, spans[dim][0]), min(end + start, spans[dim][1])
    return tuple(spans)


def _checked(step: Step, view: ComputeView, name: str, span: Range) -> Range:
    """Return the range ``span``, which the step gives for the loop or axis ``name``, after checks.

    Errors: ScheduleError for an unknown name, and for a range that exceeds the extent.
    """
    extents = _integer_extents(step, view)
    if name not in extents:
        raise step.error(
            f"@{view.name} has no loop or axis {name}", expected=f"one of {', '.join(extents)}"
        )
    first, end = span
    if not 0 <= first < end <= extents[name]:
        raise step.error(
            f"no positions of {name} of @{view.name}",
            expected=f"[first, end] in 0..{extents[name]}, first before end",
            got=f"[{first}, {end}]",
        )
    return span


def _integer_extents(step: Step, view: ComputeView) -> dict[str, int]:
    extents = nest_of(view).extents(view.axes)
    found = {name: extent for name, extent in extents.items() if isinstance(extent, int)}
    if symbolic := [name for name in extents if name not in found]:
        raise step.error(
            f"loop {symbolic[0]} of @{view.name} has a symbolic extent",
            expected="integers as extents",
            got=extents[symbolic[0]],
        )
    return found


def _of_axis(step: Step, view: ComputeView, name: str, span: Range) -> tuple[str, Range]:
    """Return the axis to which a range of a loop belongs, and the range of positions on this axis.

    name, span: the loop and its range. The loop is the axis itself, or an outer loop that ``split``
    made from the axis: a range of blocks is then a range of the axis.
    Errors: ScheduleError if the positions on the axis are not contiguous, as for an inner loop.
    """
    nest = nest_of(view)
    extents = _integer_extents(step, view)
    first, end = span
    while (relation := nest.maker(name)) is not None:
        is_outer = isinstance(relation, Split) and name == relation.outer
        if not isinstance(relation, Split) or (not is_outer and extents[relation.outer] > 1):
            outer = [r.outer for r in nest.relations if isinstance(r, Split)]
            raise step.error(
                f"positions {first}..{end - 1} of loop {name} of @{view.name} are no range of an "
                "axis",
                expected=f"one of {', '.join([*view.axes, *outer])}",
            )
        name = relation.axis
        if is_outer:
            first, end = first * relation.factor, min(end * relation.factor, extents[name])
    return name, (first, end)


def _ranges(step: Step) -> dict[str, Range]:
    ranges: dict[str, Range] = {}
    for axis, value in step.by_axis.items():
        ends = [n for n in value if isinstance(n, int)] if isinstance(value, list) else []
        if not isinstance(value, list) or len(value) != 2 or len(ends) != 2:
            raise step.error(
                f"the range of axis {axis} is not a pair of integers",
                expected="[first, end]",
                got=value,
            )
        ranges[axis] = ends[0], ends[1]
    if not ranges:
        raise step.error("a predicate has a condition", expected="axis = [first, end]", got="none")
    return ranges


def _require_not_needed(step: Step, op: ComputeOp, output: Access, clip: Box) -> None:
    """Check that no op needs the elements of an output that a clip omits.

    They are not needed if a later compute stores them, or if no op reads them.
    output: the output of ``op``.
    clip: the positions that are stored.
    Errors: ScheduleError otherwise.
    """
    buffer = output.value
    assert buffer is not None, "scheduled kernels are in buffer form"
    later = [u for u in writers(buffer) if u is not op and comes_before(op, u)]
    missing = uncovered(output.shape, [clip, *_filled(buffer, later)])
    if missing is not None and not isinstance(buffer.owner, AllocOp):
        raise step.error(
            f"no other compute stores the remaining elements of @{op.label}",
            expected="a later compute that stores them, or a local buffer without readers there",
            got=f"positions {_text(missing)} of the output",
        )
    for reader, box in _read_boxes(buffer):
        if missing is None and all(comes_before(u, reader) for u in later):
            continue
        if box is None or any(a < c or b > d for (a, b), (c, d) in zip(box, clip, strict=True)):
            raise step.error(
                f"@{getattr(reader, 'label', reader.name)} reads what @{op.label} would not store",
                expected=f"a predicate that holds at {_text(box) if box else 'all positions'}",
                got=_text(clip),
            )


def _filled(buffer: SSAValue, computes: Sequence[ComputeOp]) -> Iterator[Box]:
    """Yield boxes of positions of a buffer, each filled without gaps by one compute."""
    for op in computes:
        view = op.view()
        for output in view.outputs:
            if output.value is buffer and (box := _dense_box(view, output)):
                yield box


def _dense_box(view: ComputeView, output: Access) -> Box | None:
    """Return the box of positions that an output fills, or None if it may leave gaps."""
    box: list[Range] = []
    seen: set[object] = set()
    for dim, index in enumerate(output.indices or []):
        keys = list(index.terms)
        if len(keys) > 1 or any(index.terms[k] != 1 or k in seen for k in keys):
            return None
        if any(not isinstance(k, str) for k in keys):
            return None
        seen |= set(keys)
        low, high = index.range(view.range_of)
        first, end = ranges_of(output.clip)[dim] if output.clip else (0, output.shape[dim])
        box.append((max(low, first), min(high + 1, end)))
    return tuple(box)


def _read_boxes(buffer: SSAValue) -> Iterator[tuple[Operation, Box | None]]:
    """Yield the ops that read a buffer, each with a box that contains all positions it reads.

    The box is None if the positions are unknown.
    """
    for user in users(buffer):
        if not isinstance(user, ComputeOp):
            yield user, None
            continue
        view = user.view()
        accesses = [*view.reads, *(o for o in view.outputs if o.reduces and o.init is None)]
        for access in accesses:
            if access.value is not buffer:
                continue
            if access.indices is None:
                yield user, None
                continue
            ranges = [e.range(view.range_of) for e in access.indices]
            inside = [
                (max(low, 0), min(high + 1, n))
                for (low, high), n in zip(ranges, access.shape, strict=True)
            ]
            yield user, tuple(inside)


def uncovered(shape: Sequence[int], boxes: Sequence[Box]) -> Box | None:
    """Return a box of positions of a buffer that no box in ``boxes`` covers; None if there is none.

    shape: the sizes of the buffer.
    """
    cuts = [
        sorted({0, size, *(edge for box in boxes for edge in box[dim])})
        for dim, size in enumerate(shape)
    ]
    for cell in product(*(list(pairwise(edges)) for edges in cuts)):
        if not any(
            all(a <= low and high <= b for (low, high), (a, b) in zip(cell, box, strict=True))
            for box in boxes
        ):
            return cell
    return None


def _text(box: Box) -> str:
    return "[" + ", ".join(f"{first}..{end - 1}" for first, end in box) + "]"

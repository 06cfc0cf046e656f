"""Clip the stores of a padded compute, so that the points added to its axes store nothing.

Input: an output, and the extents of the axes before they became longer. Output: the output with a
range per dimension, outside of which nothing is stored. This is correct only if each added point
lies outside of the buffer. A counterexample is ``%Y[group * 29 + o]``, where filter 29 of a group
is filter 0 of the next group.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from ....dialects.shape import Dim, Extent
from ....dialects.te import Access
from ....support.affine import Atom, Index
from ..engine.step import Step


def leaves_buffer(access: Access, axis: str, extent: Extent) -> bool:
    """Return whether an access is provably outside of its buffer wherever ``axis >= extent``."""
    for index, size in zip(access.indices or (), access.extents, strict=False):
        rest = [c for key, c in index.terms.items() if axis not in _axes(key)]
        own = [c for key, c in index.terms.items() if axis in _axes(key)]
        if own and min([*own, *rest]) > 0 and _grows(index, axis):
            first = _value(index, axis, Dim.of(extent))
            if first.is_at_least(Dim.of(size)):
                return True
    return False


def clipped(
    step: Step, out: Access, extents: Mapping[str, Extent], longer: Iterable[str]
) -> Access:
    """Return an output that stores only inside its buffer, if one of its axes became longer.

    An output without such an axis is returned unchanged.
    out: the output.
    extents: the extents of all axes before some became longer.
    longer: the axes that became longer.
    Errors: ScheduleError if an added point may be another element of the buffer.
    """
    used = [axis for axis in longer if axis in out.axes()]
    for axis in used:
        if not leaves_buffer(out, axis, extents[axis]):
            raise step.error(
                f"beyond the end of axis {axis}, stores go to elements of other points",
                expected=f"a divisor of {extents[axis]}",
                got=str(step.sizes().get(axis, "a longer axis")),
            )
    return clip_to_buffer(out) if used else out


def clip_to_buffer(out: Access) -> Access:
    """Return the output ``out`` so that it stores nothing outside of its buffer."""
    return replace(out, clip=out.clip or tuple((0, extent) for extent in out.extents))


def _axes(key: object) -> set[object]:
    return set(key.operand.variables()) if isinstance(key, Atom) else {key}


def _grows(index: Index, axis: str) -> bool:
    """Return whether an index never decreases in an axis: no remainder contains the axis."""
    return not any(a.kind == "mod" and axis in a.operand.variables() for a in index.atoms())


def _value(index: Index, axis: str, value: Dim) -> Dim:
    """Return the value of an index at ``axis = value`` and 0 for all other axes."""
    zero = Dim.const(0)
    return zero + index.evaluate(lambda key: value if key == axis else zero)

"""Sums of cotangents of disjoint slices of a value, as one concatenation.

    %a = graph.pad %da low [0] high [4]                    %g = graph.concat %da, %db
    %b = graph.pad %db low [2] high [0]          →
    %g = graph.add %a, %b

A sum of padded slices would read and write the whole value once per slice.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.ir import SSAValue

from ..dialects.graph import ConcatOp, PadOp
from ..dialects.shape import Dim, dims_of, tensor_type, type_of
from .builder import GradientBuilder


@dataclass(frozen=True)
class _Slice:
    """A tensor of zeros, except for a slice along one axis.

    start, end: the positions of the slice.  value: its elements.
    """

    axis: int
    start: int
    end: int
    value: SSAValue


def joined_slices(parts: Sequence[SSAValue], b: GradientBuilder) -> list[SSAValue]:
    """Return parts of a cotangent that have the same sum as ``parts``.

    If several parts are disjoint slices along one axis, padded with zeros, one concatenation
    replaces them; otherwise, the parts are returned unchanged.
    """
    slices = [_slice_of(part) for part in parts]
    axes = {each.axis for each in slices if each is not None}
    chosen = sorted((each for each in slices if each is not None), key=lambda each: each.start)
    ends = [0, *(each.end for each in chosen)]
    disjoint = all(each.start >= end for each, end in zip(chosen, ends, strict=False))
    if len(chosen) < 2 or len(axes) > 1 or not disjoint:
        return list(parts)
    rest = [part for part, each in zip(parts, slices, strict=True) if each is None]
    return [_concatenated(chosen, parts[0], b), *rest]


def is_slice(part: SSAValue) -> bool:
    """Return whether a part of a cotangent is a slice along one axis, padded with zeros."""
    return _slice_of(part) is not None


def _slice_of(part: SSAValue) -> _Slice | None:
    op = part.owner
    if not isinstance(op, PadOp) or op.mode != "constant" or op.value != 0:
        return None
    padded = [n for n, ends in enumerate(zip(op.low, op.high, strict=True)) if any(ends)]
    if len(padded) != 1 or min(*op.low, *op.high) < 0:
        return None
    (axis,) = padded
    size = dims_of(type_of(op.x))[axis].value
    return None if size is None else _Slice(axis, op.low[axis], op.low[axis] + size, op.x)


def _concatenated(slices: Sequence[_Slice], like: SSAValue, b: GradientBuilder) -> SSAValue:
    """Append the concatenation of slices, with zeros between them.

    like: a value of the type of the result.
    """
    type_, axis = type_of(like), slices[0].axis
    dims = list(dims_of(type_))
    total = dims[axis].value
    assert total is not None, "a padded static size is static"
    pieces: list[SSAValue] = []
    for before, each in zip([0, *(s.end for s in slices)], [*slices, None], strict=True):
        start = total if each is None else each.start
        if start > before:
            dims[axis] = Dim.const(start - before)
            pieces.append(b.number(0, tensor_type(type_.element_type, dims)))
        if each is not None:
            pieces.append(each.value)
    return b.value(ConcatOp(pieces, axis))

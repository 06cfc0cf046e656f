"""Matching of a te.compute against a tile intrinsic: a te.intrinsic with two parallel axes.

In: an intrinsic and the view of an innermost compute.  Out: the axes along which the compute is a
whole number of tiles, or the first difference.  A row of a tile is contiguous in memory; rows may
be any distance apart, along one dimension of the buffer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ...dialects.te import Access, ComputeView, IntrinsicOp
from ...support.names import Names
from ..strides import axis_stride, lane_stride
from .intrinsics import Inputs, PatternMismatch, match_sums, users_of


@dataclass(frozen=True)
class TileMatch:
    """The mapping of an intrinsic's definition to a compute.

    view: the compute, whose innermost reduction axes are as long as the reduction axes of the
    definition. inputs: for each input number of the definition, the input number of the compute.
    axes: for each axis of the definition, the axis of the compute; for rows and lanes, the extent
    in the compute is a multiple of the extent in the definition.
    """

    view: ComputeView
    inputs: Inputs
    axes: Mapping[str, str]


def match_tile(
    intrinsic: IntrinsicOp, view: ComputeView, lane_axis: str | None = None
) -> TileMatch | PatternMismatch:
    """Match the definition of a tile intrinsic to a compute; return a match or a difference.

    The definition has two reduction axes.  They match the last two of the compute if the lengths
    are equal; otherwise, the compute's innermost reduction axis is split into two such axes.
    lane_axis: the axis of the compute along which the lanes must run; None for any axis.
    """
    definition = intrinsic.compute.view()
    inputs = match_sums(definition, view)
    if isinstance(inputs, PatternMismatch):
        return inputs
    split = _with_groups(definition, view)
    if isinstance(split, PatternMismatch):
        return split
    view, reduced = split
    axes = dict(zip(definition.reduced_axes(), reduced, strict=True))
    for name in definition.parallel_axes():
        users = users_of(definition, name, {n: n for n in inputs})
        wanted = [a for a in view.parallel_axes() if users_of(view, a, inputs) == users]
        if name == intrinsic.lane_axis and lane_axis is not None:
            wanted = [a for a in wanted if a == lane_axis]
        size = definition.extents[name]
        found = [a for a in wanted if view.extents[a] % size == 0]
        if not found:
            shown = ", ".join(f"{a}: {view.extents[a]}" for a in view.parallel_axes()) or "none"
            return PatternMismatch(
                f"an axis is a multiple of {name}", f"a multiple of {size}", shown
            )
        axes[name] = found[-1]
    match = TileMatch(view, inputs, axes)
    return _wrong_rows(intrinsic, match) or match


def _with_groups(
    definition: ComputeView, view: ComputeView
) -> tuple[ComputeView, Sequence[str]] | PatternMismatch:
    """Split the innermost reduction axis of a compute into two, as the definition of a tile has.

    Return the compute's view and the names of both axes.  If the last two axes already have these
    lengths, nothing is split.  Return a `PatternMismatch` if the length of the axis is not a
    multiple of the product of both lengths.
    """
    depth, terms = (definition.extents[a] for a in definition.reduced_axes())
    reduced = view.reduced_axes()
    if [view.extents[a] for a in reduced[-2:]] == [depth, terms]:
        return view, reduced[-2:]
    if not reduced or view.extents[reduced[-1]] % (depth * terms):
        shown = ", ".join(f"{a}: {view.extents[a]}" for a in reduced) or "none"
        rule = "the innermost reduced axis has whole tiles"
        return PatternMismatch(rule, f"a multiple of {depth * terms}", shown)
    axis, names = reduced[-1], Names(view.axes)
    if view.extents[axis] != depth * terms:
        outer, inner = names.fresh(f"{axis}o"), names.fresh(f"{axis}t")
        view, axis = view.split(axis, depth * terms, outer, inner), inner
    groups, within = names.fresh(f"{reduced[-1]}g"), names.fresh(f"{reduced[-1]}i")
    return view.split(axis, terms, groups, within), (groups, within)


def _wrong_rows(intrinsic: IntrinsicOp, match: TileMatch) -> PatternMismatch | None:
    """Return a difference for the first operand whose tile rows do not fit; None if all fit.

    A row must be contiguous, and the rows must follow each other along one dimension.
    """
    definition, view = intrinsic.compute.view(), match.view
    pairs = [(a, view.inputs[match.inputs[n]]) for n, a in enumerate(definition.inputs)]
    for access, own in [*pairs, (definition.outputs[0], view.outputs[0])]:
        rows, *row = (name for name in definition.axes if name in access.axes())
        row = [name for name in row if definition.extents[name] > 1]
        expected = {match.axes[a]: axis_stride(access, a) for a in row}
        got = {match.axes[a]: _stride(intrinsic, match, own, a) for a in row}
        if got != expected:
            rule = f"a row of the tile is contiguous in {own.type}"
            return PatternMismatch(rule, _shown(expected), _shown(got))
        if row_step(own, match.axes[rows]) is None:
            rule = f"the rows of the tile follow along one dimension of {own.type}"
            return PatternMismatch(rule, match.axes[rows], ", ".join(map(str, own.indices or ())))
    return None


def _stride(intrinsic: IntrinsicOp, match: TileMatch, own: Access, axis: str) -> int | None:
    """Return the stride, in elements of memory, of an operand along an axis of the definition.

    match: the match of the definition with the compute. own: the operand's access in the compute.
    """
    found = match.axes[axis]
    if axis == intrinsic.lane_axis:
        return lane_stride(match.view, own, found, intrinsic.lanes)
    return axis_stride(own, found)


def row_step(access: Access, axis: str) -> tuple[int, int] | None:
    """Return the only dimension that an axis indexes, and the axis's coefficient in its index.

    Return None if the axis indexes several dimensions, none, or the last one.
    """
    indices = access.indices or []
    found = [d for d, e in enumerate(indices) if axis in set(e.variables())]
    if len(found) != 1 or found[0] == len(indices) - 1:
        return None
    index = indices[found[0]]
    is_plain = not any(axis in set(atom.operand.variables()) for atom in index.atoms())
    return (found[0], index.coefficient(axis)) if is_plain and index.coefficient(axis) else None


def _shown(strides: Mapping[str, int | None]) -> str:
    return ", ".join(f"{s if s is not None else '?'} along {a}" for a, s in strides.items())

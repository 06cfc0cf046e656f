"""Store a buffer through a layout map: compute its new shape and rewrite every access.

A layout map takes logical positions to stored positions. Each result is a dimension, or a block or
position in a block of a dimension (``floordiv``, ``mod``), in any order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import AffineMapAttr, MemRefType
from xdsl.ir import SSAValue
from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
    AffineMap,
)
from xdsl.rewriter import Rewriter

from ....dialects.shape import Dim, dims_of, extent_of, memref_type
from ....dialects.spans import Span
from ....dialects.te import Access, AtOp, ComputeView
from ....dialects.te.layout import layout_indices, layout_shape
from ..engine.step import Step
from .local_buffers import computes_using, redirect_access

_UNBOUNDED = 1 << 60


@dataclass(frozen=True)
class Digit:
    """The part of a logical dimension that one dimension of the stored buffer holds.

    This part is ``d floordiv low mod (high / low)``, where d is the position along the logical
    dimension.
    dim: the number of the logical dimension.
    low: the block size by which d is divided; 1 if the part has the single positions.
    high: the number of adjacent positions after which the values of the part repeat.
    """

    dim: int
    low: int
    high: int


def _digit(expr: AffineExpr) -> Digit | None:
    """Return the part of a logical dimension that a result of a layout map computes.

    expr: the result: a dimension, to which floordiv and mod by constants are applied.
    Returns None for other expressions.
    """
    if isinstance(expr, AffineDimExpr):
        return Digit(expr.position, 1, _UNBOUNDED)
    if not isinstance(expr, AffineBinaryOpExpr) or not isinstance(expr.rhs, AffineConstantExpr):
        return None
    inner, block = _digit(expr.lhs), expr.rhs.value
    if inner is None or block <= 0:
        return None
    if expr.kind is AffineBinaryOpKind.FloorDiv:
        return Digit(inner.dim, inner.low * block, inner.high)
    if expr.kind is AffineBinaryOpKind.Mod:
        return Digit(inner.dim, inner.low, min(inner.high, inner.low * block))
    return None


def require_blocked(step: Step, shape: Sequence[int], layout: AffineMap) -> list[Digit]:
    """Check that a layout map only divides dimensions into blocks, and keeps elements apart.

    Returns the parts of dimensions that the map computes. shape: the sizes of the buffer.
    Errors: ScheduleError if the map has another number of dimensions than the buffer, if a result
    is neither d, d floordiv c nor d mod c for a dimension d, or if two elements share a position.
    """
    if layout.num_dims != len(shape):
        raise step.error(
            "the layout map does not fit the buffer",
            expected=f"{len(shape)} dimensions",
            got=layout,
        )
    digits: list[Digit] = []
    for expr in layout.results:
        digit = _digit(expr)
        if digit is None and not isinstance(expr, AffineConstantExpr):
            raise step.error(
                "a layout keeps dimensions or cuts them into blocks",
                expected="d, d floordiv c or d mod c",
                got=expr,
            )
        digits += [digit] if digit else []
    for dim, size in enumerate(shape):
        known = 1
        for digit in sorted((g for g in digits if g.dim == dim), key=lambda g: g.low):
            known = max(known, digit.high) if digit.low <= known else known
        if known < size:
            raise step.error(
                f"the layout gives several positions of dimension {dim} one place",
                expected=f"all of 0..{size - 1} apart",
                got=layout,
            )
    return digits


def store_through(step: Step, buffer: SSAValue, layout: AffineMapAttr) -> None:
    """Give a buffer the shape to which a layout map leads, and rewrite all accesses to it.

    Errors: ScheduleError if another op than a compute uses the buffer, for a map that is not
    blocked (`require_blocked`), or for an access that the map cannot rewrite.
    """
    type_ = buffer.type
    assert isinstance(type_, MemRefType)
    extents = [extent_of(dim) for dim in dims_of(type_)]
    # A symbolic size has no bound: only the dimension itself, or its blocks, keep it.
    shape = [_UNBOUNDED if isinstance(n, Dim) else n for n in extents]
    digits = require_blocked(step, shape, layout.data)
    computes = computes_using(step, buffer)
    views = [op.view() for op in computes]
    for view in views:
        for access in view.accesses():
            if access.value is buffer:
                _require_simple(step, view, access, digits, layout.data)
    stored = memref_type(type_.element_type, layout_shape(layout, extents))
    replaced = Rewriter.replace_value_with_new_type(buffer, stored)
    for op, view in zip(computes, views, strict=True):
        for position, access in enumerate(view.inputs):
            if access.value is buffer and access.indices is None:
                access.value = replaced
                _permute_positions(view.body.block.args[position], layout.data, stored)
        for access in view.accesses():
            if access.value is buffer:
                indices = layout_indices(layout, access.indices or [], view.range_of)
                redirect_access(access, replaced, indices, _moved_clip(access, layout.data))
        op.update(view)


def _permute_positions(operand: SSAValue, layout: AffineMap, stored: MemRefType) -> None:
    """Permute the indices with which te.at ops read an operand, and give the operand its new type.

    operand: the argument of a body.  layout: a permutation of the dimensions.  stored: the new
    type.
    """
    for use in list(operand.uses):
        at = use.operation
        assert isinstance(at, AtOp), f"a whole operand is read by te.at, not by {at.name}"
        positions = [at.indices[dim] for dim in _kept_dimensions(layout)]
        at.operands = [at.x, *positions]
    Rewriter.replace_value_with_new_type(operand, stored)


def _kept_dimensions(layout: AffineMap) -> list[int]:
    """Return the logical dimension that each dimension of the stored buffer holds.

    The list is empty unless the layout only permutes dimensions.
    """
    kept = [e.position for e in layout.results if isinstance(e, AffineDimExpr)]
    return kept if sorted(kept) == list(range(len(layout.results))) else []


def _moved_clip(access: Access, layout: AffineMap) -> list[Span | None]:
    """Return the stored positions to which a store is clipped, per dimension of the new layout.

    None for a dimension that holds blocks, or positions in a block, and for one without a clip.
    """
    kept = access.clip or [None] * layout.num_dims
    return [kept[e.position] if isinstance(e, AffineDimExpr) else None for e in layout.results]


def _require_simple(
    step: Step, view: ComputeView, access: Access, digits: Sequence[Digit], layout: AffineMap
) -> None:
    """Check that a layout is legal for an access.

    An operand read as a whole, at computed positions, allows only a permutation of dimensions. A
    padded read must stay outside of the buffer wherever it was outside.
    digits: the parts of dimensions that the layout computes.
    """
    if access.indices is None:
        if _kept_dimensions(layout) and access in view.inputs:
            return
        raise step.error(
            f"@{view.name} reads the whole operand at computed positions",
            hint="permute the dimensions of this buffer, without blocks",
        )
    if access.pad is None:
        return
    for dim, (index, size) in enumerate(zip(access.indices, access.shape, strict=True)):
        low, high = index.range(view.range_of)
        top = max((g for g in digits if g.dim == dim), key=lambda g: g.low, default=None)
        keeps_outside = top is not None and top.high == _UNBOUNDED and size % top.low == 0
        if (low < 0 or high >= size) and not keeps_outside:
            raise step.error(
                f"@{view.name} pads dimension {dim}, whose last block is not full",
                expected=f"a block size that divides {size}",
            )

"""Conversion of 16-bit values to f32 after views: convert the view's result, not its operand.

    %w = te.compute @cast ins(%x[i, j] : f16) … body { extf(x) }      %v = packed.view %w
==>
    %u = packed.view %x      %v = te.compute @cast ins(%u[a, b, c] : f16) … body { extf(u) }

A reader can then read the 16-bit view and convert elements itself.  Used by
gpu-form-attention, for the values (V) of grouped heads.  Exact.
"""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp, f32
from xdsl.ir import SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from ...analysis.patterns.bodies import is_widening
from ...dialects.packed import ViewOp
from ...dialects.shape import extent_of, tensor_type
from ...dialects.te import Access, ComputeOp, identity_indices
from ...dialects.te.build import ComputeResult, compute


def widen_after_views(module: ModuleOp) -> None:
    """Move conversions of 16-bit values to f32 from the operands of views to their results."""
    for op in list(module.walk()):
        if isinstance(op, ViewOp):
            _swap(op)


def _swap(view: ViewOp) -> None:
    source = view.x.owner
    if not isinstance(source, ComputeOp) or not view.x.has_one_use():
        return
    narrow = _narrow_value(source)
    if narrow is None:
        return
    read = Access(view.res, None)
    element = Access(narrow, None).element_type
    moved = ViewOp(narrow, tensor_type(element, read.dims))
    axes = {f"d{n}": extent_of(dim) for n, dim in enumerate(read.dims)}
    wide = compute(
        "cast",
        axes,
        [Access(moved.res, identity_indices(axes))],
        [ComputeResult(list(axes), f32)],
        lambda s, x: s.cast(x, element, f32),
    )
    for op in (moved, wide):
        op.location = view.location
        Rewriter.insert_op(op, InsertPoint.before(view))
    view.res.replace_all_uses_with(wide.results[0])
    for op in (view, source):
        Rewriter.erase_op(op)


def _narrow_value(source: ComputeOp) -> SSAValue | None:
    view = source.view()
    if not is_widening(view):
        return None
    (read,), (written,) = view.inputs, view.outputs
    return read.value if read.pad is None and read.indices == written.indices else None

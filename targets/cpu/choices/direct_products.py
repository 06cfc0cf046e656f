"""Test whether an instruction multiplies narrow operands without conversions, before buffers exist.

In: a compute in value form.  Out: the body of a product of narrow operands, and the instruction
that cpu-plan (instruction.py) finds for the compute once te-bufferize has given its operands their
layouts and halos.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from xdsl.dialects import arith
from xdsl.dialects.builtin import AffineMapAttr, AnyFloat, IntegerType
from xdsl.ir import Attribute, Block, Region, SSAValue

from ....dialects.dtypes import is_unsigned
from ....dialects.packed import ConstantOp
from ....dialects.shape import Dim, tensor_type
from ....dialects.te import Access, ComputeOp, ComputeView, IntrinsicOp, YieldOp
from ....dialects.te.layout import layout_indices, layout_shape
from ....machines.target import Target
from ....passes.te.insert_boundary_copies import layout_for
from ..plan.contraction import TiledContraction
from ..plan.instruction import with_instruction
from ..plan.one_compute import direct_contraction
from ..plan.tile_convolution import plan_pixel_tiles
from ..plan.transposed_result import find_transposed_result

TILE_FEATURE = "amx-tile"

MOST_WINOGRAD_GAIN = 4.0
"""Largest gain of Winograd: a tile of 4 x 4 pixels and 3 x 3 taps takes a quarter of the products,
in f32; Intel's servers multiply vectors of bf16 no faster than f32."""


def product_body(stored: Sequence[Attribute], product: AnyFloat | IntegerType) -> Region:
    """Return the body of a compute that extends two numbers to a type, and multiplies them.

    stored: the types of both numbers, with signedness.  product: the float or integer type.
    """
    signless = [IntegerType(t.width.data) if isinstance(t, IntegerType) else t for t in stored]
    block = Block(arg_types=signless)
    left, right = (_extended(block, *o, product) for o in zip(block.args, stored, strict=True))
    multiply = arith.MuliOp if isinstance(product, IntegerType) else arith.MulfOp
    result = multiply(left, right)
    block.add_ops([result, YieldOp([result.result])])
    return Region(block)


def _extended(
    block: Block, value: SSAValue, stored: Attribute, product: AnyFloat | IntegerType
) -> SSAValue:
    if stored == product:
        return value
    if not isinstance(product, IntegerType):
        made: arith.ExtFOp | arith.ExtSIOp | arith.ExtUIOp = arith.ExtFOp(value, product)
    elif isinstance(stored, IntegerType) and is_unsigned(stored):
        made = arith.ExtUIOp(value, product)
    else:
        made = arith.ExtSIOp(value, product)
    block.add_op(made)
    return made.result


def multiplies_directly(
    view: ComputeView, target: Target, element: Attribute | None = None
) -> bool:
    """Return whether an instruction multiplies and adds a compute's operands as they are stored.

    element: the type to which the operands will be converted before; None if they keep their types.
    """
    return instruction_for(view, target, element) is not None


def instruction_for(
    view: ComputeView, target: Target, element: Attribute | None = None
) -> IntrinsicOp | None:
    """Return the instruction that multiplies and adds the operands of a compute as they are stored.

    None if the target has no such instruction.  element: the type to which the operands will be
    converted before; None if they keep their types.
    """
    c = _direct(view, target, element)
    return c.instruction if c is not None else None


def multiplies_pixels_by_tiles(
    view: ComputeView, target: Target, element: Attribute | None = None
) -> bool:
    """Return whether tile instructions (AMX) compute a convolution faster than Winograd in f32.

    view: the convolution.  element: the type to which the operands will be converted before; None
    if they keep their types.
    """
    if not target.has(TILE_FEATURE) or len(view.inputs) != 2:
        return False
    c = _direct(view, target, element)
    tiles = plan_pixel_tiles(c) if c is not None and c.has_pixels else None
    return tiles is not None and tiles.gain >= MOST_WINOGRAD_GAIN


def _direct(
    view: ComputeView, target: Target, element: Attribute | None
) -> TiledContraction | None:
    """Return a compute as a contraction of operands as stored, with the instruction for its sums.

    None if the compute is no contraction, or if no instruction computes its sums.
    """
    sums = [view.axes[axis] for axis in view.reduced_axes()]
    if any(isinstance(extent, Dim) for extent in sums):
        return None
    stored, weights = _stored(view, element)
    c = direct_contraction(stored, weights, target)
    if c is None or _has_transposed_result(stored, c, weights, target):
        return None
    # Reads beyond the borders of an image read its halo; weights are never read with padding.
    inputs = [replace(access, pad=None) for access in stored.inputs]
    return with_instruction(replace(c, view=replace(stored, inputs=inputs)))


def _has_transposed_result(
    view: ComputeView, c: TiledContraction, weights: set[SSAValue], target: Target
) -> bool:
    """Return whether cpu-plan would compute a transposed result (transposed_result.py).

    Vectors then run along the channels, not along the axis of the contraction ``c``.  weights:
    constant operands.
    """
    is_static = not any(isinstance(extent, Dim) for extent in view.axes.values())
    return is_static and find_transposed_result(view, c, weights, target) is not None


def stored_layout(access: Access, view: ComputeView) -> AffineMapAttr | None:
    """Return the layout in which te-bufferize will store an operand; None: row-major.

    view: the compute that reads the operand.  An argument of main is copied into the layout of this
    compute's result, if its sizes are multiples of the layout's blocks.
    """
    made = access.value.owner if access.value is not None else None
    if isinstance(made, ComputeOp):
        return made.view().outputs[made.results.index(access.value)].layout
    return None if isinstance(made, ConstantOp) else layout_for(access, view)


def _stored(view: ComputeView, element: Attribute | None) -> tuple[ComputeView, set[SSAValue]]:
    """Return a compute that reads operands in their stored layouts, and the values of its weights.

    element: the type to which the operands will be converted; None if they keep their types.
    """
    inputs = [_stored_access(view, a, stored_layout(a, view), element) for a in view.inputs]
    outputs = [_stored_access(view, a, a.layout) for a in view.outputs]
    pairs = zip(view.inputs, inputs, strict=True)
    weights = {new.value for old, new in pairs if _is_weight(old) and new.value is not None}
    return replace(view, inputs=inputs, outputs=outputs), weights


def _is_weight(access: Access) -> bool:
    return access.value is not None and isinstance(access.value.owner, ConstantOp)


def _stored_access(
    view: ComputeView,
    access: Access,
    layout: AffineMapAttr | None,
    element: Attribute | None = None,
) -> Access:
    """Return an access to a placeholder value in the stored layout of an operand.

    access: the access to the operand in value form.  layout: the stored layout; None: row-major.
    element: the type to which the operand will be converted; None if it keeps its type.  The
    indices of the returned access are those of the stored layout.
    """
    if access.indices is None or access.is_index:
        return access
    indices, extents = access.indices, access.extents
    if layout is not None:
        indices = layout_indices(layout, indices, view.range_of)
        extents = layout_shape(layout, extents)
    type_ = tensor_type(element or access.element_type, extents)
    if access.value is None:
        return replace(access, indices=indices, result_type=type_, layout=None)
    return replace(access, indices=indices, value=Block(arg_types=[type_]).args[0])

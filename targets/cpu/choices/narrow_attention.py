"""Attention in bf16: two products of rounded operands, with a softmax of f32 between them.

    %q = te.compute @narrow [h, m, k] ins(%x[0, m, h * 64 + k] : f32) body { truncf %0 }
    %s = te.compute @attention_scores ins(%q[h, m, k], %k[h, n, k] : bf16) …      f32
    %e = … exp(%s - max) …      %w = te.compute @narrow ins(%e[h, m, n]) …        bf16
    %y = te.compute @attention ins(%w[h, m, n], %v[h, n, k] : bf16) …

In f32 an attention is one kernel whose scores stay in local buffers.  Instructions that multiply
pairs of bf16 numbers need the terms of a pair side by side in memory, so here the two matrix
products are separate kernels, and scores are stored in memory.  The products take half the time of
f32.  Rounding pays if the features are many and the scores fit into the caches.  A sum over an odd
number of keys gets one more term, of zeros.

In: an attention in value form.  Out: the reason why it stays one kernel of f32, or the rounded
copies of its operands, with one matrix per head.
"""

from __future__ import annotations

from dataclasses import replace
from math import prod

from xdsl.dialects.builtin import bf16, f32
from xdsl.ir import Attribute, Block

from ....analysis.patterns.attention import Attention
from ....analysis.patterns.attention_mask import visible_end
from ....dialects.packed import ConstantOp
from ....dialects.shape import Dim, tensor_type
from ....dialects.te import Access, ComputeOp, ComputeView
from ....dialects.te.build import ComputeResult, compute
from ....dialects.te.scalars import scalar_attr
from ....machines.cpu_numbers import TO_BF16, numbers_of
from ....machines.target import Target
from ....support.affine import variable
from .converted_copies import insert_after
from .direct_products import multiplies_directly, product_body

BYTES_PER_SCORE = 8
"""A score and its exponential."""


def kept_reason(attention: Attention, target: Target) -> str:
    """Return why the products of an attention stay f32; empty if their operands are rounded."""
    scores, out = attention.scores.view(), attention.out.view()
    sizes = [*scores.axes.values(), *out.axes.values()]
    if any(isinstance(extent, Dim) for extent in sizes):
        return "part of an attention of symbolic sizes"
    key = attention.keys_of(0)
    if key is None or visible_end(scores, key) is not None:
        return "part of an attention that skips hidden keys"
    if target.has("amx-bf16"):
        # Intel's servers: vdpbf16ps multiplies no faster than an FMA.
        return "part of an attention"
    count = prod(scores.extents[axis] for axis in scores.parallel_axes())
    if count * BYTES_PER_SCORE > target.l3_bytes:
        return "part of an attention whose scores exceed the caches"
    if not all(_is_read_often(v, a) for v in (scores, out) for a in v.inputs):
        return f"part of an attention with less than {TO_BF16.computed} queries or keys"
    terms = prod(scores.extents[axis] for axis in scores.reduced_axes())
    features = prod(out.extents[axis] for axis in _columns(attention, out))
    # In f32 a vector of terms takes a cycle, in bf16 half of one.
    if (terms + features) / (2 * target.lanes(32)) <= numbers_of(target).score_cycles:
        return "part of an attention of few features"
    if not all(_is_direct(v, target) or with_copies(v, target) for v in (scores, out)):
        return "part of an attention whose sums no instruction fits"
    return ""


def _is_read_often(view: ComputeView, access: Access) -> bool:
    reads = prod(view.extents[axis] for axis in view.axes)
    return reads >= TO_BF16.computed * _elements(view, access)


def _columns(attention: Attention, out: ComputeView) -> list[str]:
    shared = {*attention.sharing.axis_of[-1].values()}
    return [axis for axis in out.parallel_axes() if axis not in shared]


def _is_direct(view: ComputeView, target: Target) -> bool:
    return multiplies_directly(replace(view, body=product_body((bf16, bf16), f32)), target, bf16)


def with_copies(view: ComputeView, target: Target) -> ComputeView | None:
    """Return a matrix product of an attention that reads copies of its operands.

    With the copies, an instruction can multiply pairs of bf16 numbers.  The copies do not exist
    yet: placeholder values stand for them in the returned view.  A copy has one dimension per axis;
    a sum of an odd number of terms gets one more term, of zeros.

    None if the instruction can multiply the operands as they are, or if no copy makes that
    possible.
    """
    if _is_direct(view, target) or not all(map(_is_static, view.inputs)):
        return None
    wide = _with_even_sum(view)
    inputs = [
        _placed(wide, access) if wide is not view or is_turned(view, access) else access
        for access in view.inputs
    ]
    made = replace(wide, inputs=inputs)
    return made if _is_direct(made, target) else None


def _is_static(access: Access) -> bool:
    return not any(isinstance(size, Dim) for size in access.extents)


def _with_even_sum(view: ComputeView) -> ComputeView:
    reduced = [axis for axis in view.reduced_axes() if view.axes[axis] != 1]
    if prod(view.extents[axis] for axis in reduced) % 2 == 0:
        return view
    last = reduced[-1]
    return replace(view, axes={**view.axes, last: view.extents[last] + 1})


def is_turned(view: ComputeView, access: Access) -> bool:
    """Return whether to copy an operand into a layout with one dimension per axis.

    True if several axes index one dimension of the operand, as heads and features do, and the copy
    is no larger than the operand.  False for padded operands, and for weights, which are repacked
    at compile time.
    """
    if access.indices is None or access.pad is not None or access.value is None:
        return False
    if isinstance(access.value.owner, ConstantOp):
        return False
    shares = any(len(set(e.variables())) > 1 for e in access.indices)
    return shares and _elements(view, access) <= prod(access.shape)


def _elements(view: ComputeView, access: Access) -> int:
    return prod(view.extents[axis] for axis in _axes(view, access))


def _axes(view: ComputeView, access: Access) -> list[str]:
    used = access.axes()
    return [axis for axis in view.axes if axis in used]


def _placed(view: ComputeView, access: Access) -> Access:
    axes = _axes(view, access)
    type_ = tensor_type(f32, [view.axes[axis] for axis in axes])
    value = Block(arg_types=[type_]).args[0]
    return replace(access, value=value, indices=[variable(axis) for axis in axes], pad=None)


def insert_copy(view: ComputeView, access: Access, made: ComputeView) -> Access:
    """Insert a copy of an operand in bf16 after its producer; return an access to the copy.

    made: the product that `with_copies` returned, whose sum may have one more term.
    """
    assert access.value is not None, "an operand of a product"
    if made.axes == view.axes:
        return _copy(view, access, bf16)
    if is_turned(view, access) or not isinstance(access.value.owner, ComputeOp):
        # The extra term reads zeros from the halo, which only a computed value has.
        access = _copy(view, access, f32)
    return _copy(made, replace(access, pad=scalar_attr(0.0, f32)), bf16)


def _copy(view: ComputeView, access: Access, element: Attribute) -> Access:
    value, axes = access.value, _axes(view, access)
    assert value is not None, "an operand of a product"
    copy = compute(
        "narrow",
        {axis: view.axes[axis] for axis in axes},
        [Access(value, access.indices, pad=access.pad)],
        [ComputeResult(axes, element)],
        lambda s, x: s.cast(x, f32, element),
    )
    return Access(insert_after(value, copy), [variable(axis) for axis in axes])

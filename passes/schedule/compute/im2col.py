"""sched.im2col: rewrite a convolution as a product of two matrices, which are copies."""

from __future__ import annotations

from dataclasses import replace

from xdsl.dialects.arith import MulfOp, MuliOp
from xdsl.dialects.builtin import AnyFloat
from xdsl.ir import Block, Operation, Region

from ....analysis.patterns.combiners import annihilates
from ....analysis.patterns.convolution import (
    Convolution,
    ImplicitProduct,
    find_convolution,
    implicit_product,
    vanishes_beyond,
)
from ....dialects.index_syntax import typed_scalar
from ....dialects.shape import Dim, Extent, extent_of
from ....dialects.te import Access, ComputeView, identity_indices
from ....support.affine import variable
from ....support.blocks import returned
from ...rewrite.compose import copy_body, finish_body
from ...rewrite.stores import copy_compute
from ..buffers.clip_stores import clip_to_buffer, clipped
from ..buffers.local_buffers import make_buffer
from ..buffers.pad_einsum import read_zeros
from ..engine.placement import block_of
from ..engine.step import Handles, Step


def im2col(step: Step) -> Handles:
    """Merge the pixel axes into one axis p, and the reduced axes into k; copy both operands.

        te.compute @conv [n: 2, o: 32, h: 14, w: 14, i: 16 red, r: 3 red, s: 3 red]
            ins(%X[n, i, h + r - 1, w + s - 1] pad 0.0 : .., %F[o, i, r, s] : ..)
            outs(%Y[n, o, h, w] add 0.0 : ..) body { x * f }
        %p = sched.im2col %c {p = 64}
    ==>
        te.compute @conv_lhs [c0: 32, c1: 144]
            ins(%F[c0, c1 floordiv 9, (c1 mod 9) floordiv 3, c1 mod 3] : ..) outs(%f[c0, c1] : ..)
        te.compute @conv_rhs [c0: 2, c1: 144, c2: 256]
            ins(%X[c0, c1 floordiv 9, c2 floordiv 14 + (c1 mod 9) floordiv 3 - 1, ..] pad 0.0 : ..)
            outs(%x[c0, c1, c2] : ..)
        te.compute @conv [n: 2, o: 32, p: 256, k: 144 red]
            ins(%f[o, k] : .., %x[n, k, p] : ..)
            outs(%Y[n, o, p floordiv 14, p mod 14] clip [..] add 0.0 : ..) body { f * x }

    The pixels become the axis p, the reduced axes become k, and the axis of the filters, here o, is
    the axis of rows m. If the filters are the last axis of the output, they are the columns, and
    the pixels are the rows. Each group of a convolution has its own rows (axis ``group``). Both
    operands are read through copies: ``<name>_lhs`` of the filters and ``<name>_rhs`` of the image.
    A copy of the whole image has each pixel as often as a filter has elements; so match the copies
    by their names, and move them by ``compute_at`` into a loop over tiles of the product.
    m, p, k: multiples to which the extents of these axes are rounded up. The copies read zeros at
    the added positions, and no result is stored there.
    merged: axes before the rows, such as the batch, that become part of p.
    pixels, blocks: pixel axes to divide into blocks, and the sizes of the blocks. With ``pixels =
    [h, w], blocks = [8, 8]``, the axis p runs over the pixels of one block, and new axes
    ``h_blocks`` and ``w_blocks`` run over the blocks. A pixel axis of a symbolic extent needs a
    block size, unless it is the first part of p.
    lhs, rhs: the order of the copies' last two dimensions, by default [m, k] and [k, p].
    Handles: the product.
    Before: one compute, not tiled, that adds products of two operands to 0. One operand, the
    filters, has a single axis as the index of each dimension.
    Exact: the terms of a sum keep their order.
    Errors: ScheduleError otherwise; if k is rounded up although an operand may be nonzero at the
    added positions; if the rows of a group are rounded up although the next rows belong to another
    group.
    """
    op = step.only_compute()
    view = op.view()
    step.require_initialized(view, view.outputs)
    found = find_convolution(view)
    if found is None:
        raise step.error(
            f"@{view.name} is no convolution",
            expected="a sum of products of filters, with one axis of the output, and an image",
        )
    made = implicit_product(
        view, found, merged=step.words("merged"), blocks=_blocks(step, view, found)
    )
    wide = _rounded(step, view, found, made)
    copies = _copies(step, found, made, wide)
    for copy in copies:
        copy.location = op.location
    block_of(op).insert_ops_before(copies, op)
    op.become(rows_first(wide, found))
    return [[op]]


def _blocks(step: Step, view: ComputeView, found: Convolution) -> dict[str, int]:
    """Return the block size of each pixel axis that the step's option ``pixels`` lists.

    found: the roles of the convolution's operands and axes.
    Errors: ScheduleError if ``blocks`` does not give one size per listed axis, if ``merged`` names
    an axis that is no batch axis, or if another merged axis has a symbolic extent.
    """
    axes, sizes = step.words("pixels"), step.params.get("blocks", [])
    sizes = [n for n in sizes if isinstance(n, int)] if isinstance(sizes, list) else []
    columns = [*step.words("merged"), *found.pixels]
    if len(sizes) != len(axes) or not set(axes) <= set(found.pixels):
        raise step.error(
            "blocks are sizes of pixels",
            expected=f"pixels = some of {', '.join(found.pixels)}, and a size for each",
            got=", ".join(axes) or "none",
        )
    if not set(step.words("merged")) <= set(found.batch):
        raise step.error(
            "axes of the batch become part of the columns",
            expected=f"some of {', '.join(found.batch) or 'none'}",
            got=", ".join(step.words("merged")),
        )
    for axis in columns[1:]:
        if isinstance(view.axes[axis], Dim) and axis not in axes:
            raise step.error(
                f"no index divides by the extent of axis {axis}, which is known only at run time",
                hint=f"pixels = [{axis}], blocks = [8]",
            )
    return dict(zip(axes, sizes, strict=True))


def _rounded(
    step: Step, view: ComputeView, found: Convolution, made: ImplicitProduct
) -> ComputeView:
    """Return the matrix product with rounded-up axes; accesses outside of operands are guarded.

    view, found: the convolution, and the roles of its operands and axes.  made: the matrix product
    before rounding.
    """
    product, longer = made.view, dict[str, Extent]()
    multiples = step.sizes()
    for axis, multiple in multiples.items():
        if axis not in (made.rows, made.columns, made.sum):
            raise step.error(
                f"axis {axis} is no axis of the product",
                expected=f"one of {made.rows}, {made.columns}, {made.sum}",
            )
        size = extent_of(Dim.of(product.axes[axis]).ceildiv(multiple) * multiple)
        if size != product.axes[axis]:
            longer[axis] = size
    if made.sum in longer and not is_zero_beyond(view, found, made):
        raise step.error(
            f"what @{view.name} sums does not vanish beyond the end of axis {made.sum}",
            expected=f"a divisor of {product.axes[made.sum]}",
            got=multiples[made.sum],
        )
    guarded = {**longer, **{axis: product.axes[axis] for axis in made.blocks}}
    (out,) = product.outputs
    out = clipped(step, out, product.axes, longer)
    if out.axes() & set(made.blocks):
        out = clip_to_buffer(out)
    return replace(
        product,
        axes={**product.axes, **longer},
        inputs=[read_zeros(a, guarded) for a in product.inputs],
        post=[read_zeros(a, guarded) for a in product.post],
        outputs=[out],
    )


def is_zero_beyond(view: ComputeView, found: Convolution, made: ImplicitProduct) -> bool:
    """Return whether the terms that rounding up the reduced axis adds are certain to be 0.

    The copy of the filters is 0 at the added positions, but 0 times infinity or NaN is not 0. So
    the elements of the image that are read there must be finite.
    view: the convolution.
    found: the roles of its operands and axes.
    made: the convolution as a matrix product.
    """
    image, filters = view.inputs[found.image], view.inputs[found.filters]
    zeros = replace(filters, pad=typed_scalar(0, filters.element_type))
    argument = view.body.block.args[found.filters]
    if not annihilates(zeros, argument, view.outputs, list(returned(view.body.block))):
        return False
    if not isinstance(image.element_type, AnyFloat):
        return True
    is_finite = image.pad is None or image.pad == typed_scalar(0, image.element_type)
    return is_finite and not found.group and vanishes_beyond(view, found, made)


def _copies(
    step: Step, found: Convolution, made: ImplicitProduct, wide: ComputeView
) -> list[Operation]:
    """Let the matrix product read copies of both operands; return the new ops.

    found: the roles of the convolution's operands and axes.  made: the matrix product.  wide: its
    view after rounding, which is changed.
    """
    ops: list[Operation] = []
    second = found.filters if found.is_last else found.image
    orders = {"lhs": (found.first, made.rows), "rhs": (second, made.columns)}
    for word, (operand, axis) in orders.items():
        default = [axis, made.sum] if word == "lhs" else [made.sum, axis]
        last = step.words(word) or default
        if sorted(last) != sorted(default):
            raise step.error(
                f"{word} is an order of two axes", expected=", ".join(default), got=", ".join(last)
            )
        access = wide.inputs[operand]
        used = [*(a for a in made.batch if a in access.axes()), *last]
        names = {name: f"c{number}" for number, name in enumerate(used)}
        axes = {names[a]: wide.axes[a] for a in used}
        both = replace(wide, axes={**wide.axes, **axes}, outputs=[], post=[])
        source = both.substitute({a: variable(c) for a, c in names.items()}).inputs[operand]
        alloc = make_buffer(access.element_type, list(axes.values()))
        target = Access(alloc.res, identity_indices(axes))
        label = step.fresh_label(f"{wide.name}_{word}")
        ops += [alloc, copy_compute(label, axes, source, target)]
        wide.inputs[operand] = Access(alloc.res, [variable(a) for a in used])
    return ops


def rows_first(view: ComputeView, found: Convolution) -> ComputeView:
    """Return a convolution whose first input is the operand with the rows of the product.

    The operand is then also the first factor of each multiplication.
    found: the roles of the convolution's operands and axes.
    """
    if found.first == 0:
        return view
    first, second = view.body.block.args
    body = Block(arg_types=[second.type, first.type])
    values = copy_body(body, view.body.block, [body.args[1], body.args[0]])
    finish_body(body, values)
    for op in body.ops:
        if isinstance(op, MulfOp | MuliOp):
            op.operands = [op.rhs, op.lhs]
    return replace(view, inputs=view.inputs[::-1], body=Region(body))

"""te-insert-boundary-copies: copy the program's arguments and results that need another storage.

    %y = te.compute @conv ins(%arg[n, i, h + r - 1, w + s - 1] pad 0.0 …) outs(… layout NCHW8c …)
    func.return %y
==>
    %x = te.compute @copy [d0, …] ins(%arg[d0, …]) outs([d0, …]) …
    %y = te.compute @conv ins(%x[n, i, h + r - 1, w + s - 1] pad 0.0 …) outs(… layout NCHW8c …)
    %z = te.compute @copy [d0, …] ins(%y[d0, …]) outs([d0, …]) …
    func.return %z

The caller owns arguments and results, so they have neither halo nor blocks.  The pass copies
- an argument that a reduction reads with padding (te-bufferize gives the copy a halo);
- an operand or result of control flow that a reduction reads with padding, in the reading block;
- an argument that a blocked reduction reads in its body or epilogue, if the blocks divide its size
  (the copy gets the layout; filters get blocks of the dimension of the result's channels), or if it
  has more than a few channels of bytes, which are summed (the copy has one block of all channels);
- an argument that a depthwise window operation reads if its result has channels last (the copy has
  channels last);
- a value with blocked channels that a grouped convolution reads along rows, if no block fits in a
  group;
- a returned value with a blocked layout.
A copy of an operand has only the elements that the reader reads, if these are evenly spaced: with
stride 3 and dilation 6, every third element of a row.  3 x 3 x 3 such strides on 8 x 7 x 28 x 8 x
25 elements: 151 -> 19 us (Zen 4).

A returned reshape of a value without other readers becomes a packed.view, without a copy.

Before: main on tensors, after te-fuse-elementwise.  After: reductions read no argument with
padding, and no returned value has a layout.  Exact.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import gcd, prod
from typing import TypeAlias, cast

from xdsl.context import Context
from xdsl.dialects.builtin import (
    AffineMapAttr,
    IntegerType,
    ModuleOp,
    Signedness,
    TensorType,
    i8,
)
from xdsl.dialects.func import ReturnOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from ...dialects.packed import ConstantOp, ViewOp, host_blocks
from ...dialects.shape import Dim, Extent, dims_of, extent_of, likely, tensor_type, type_of
from ...dialects.te import Access, ComputeOp, ComputeView, identity_indices
from ...dialects.te.layout import (
    FEW_CHANNELS,
    block_sizes,
    blocked_layout,
    innermost_layout,
)
from ...support.affine import Index, constant
from ...support.blocks import terminator
from ...support.entry import find_entry
from ...support.passes import ExactPass
from ...support.rewriting import swap_op
from ..rewrite.compose import is_movement
from ..rewrite.stores import copy_compute

_U8 = IntegerType(8, Signedness.UNSIGNED)


@dataclass(frozen=True)
class Positions:
    """Evenly spaced positions along a dimension: ``first``, ``first + step`` and so on."""

    first: int = 0
    step: int = 1

    def count(self, size: Extent) -> Extent:
        """Return the number of positions in a dimension; its size, if these are all positions."""
        return size if self.step == 1 else -(-(cast(int, size) - self.first) // self.step)

    def number(self, index: Index) -> Index:
        """Return how many positions are before the one at an index, which may be outside."""
        if self.step == 1:
            return index
        terms = {key: c // self.step for key, c in index.terms.items()}
        return Index(terms, (index.const - self.first) // self.step)


Copied: TypeAlias = tuple[SSAValue, AffineMapAttr | None, tuple[Positions, ...]]
"""A copy: the copied value, the layout, and the copied positions of each dimension."""


@dataclass(frozen=True)
class InsertBoundaryCopies(ExactPass):
    """Copy arguments and results of the main function that kernels need in another storage."""

    name = "te-insert-boundary-copies"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        main = find_entry(op)
        if main is not None:
            for block in list(host_blocks(main.body.block)):
                _copy_arguments(block)
            _copy_results(main.body.block)


def _copy_arguments(block: Block) -> None:
    copied: dict[Copied, SSAValue] = {}
    for op in [o for o in block.ops if isinstance(o, ComputeOp)]:
        view = op.view()
        if all(view.axes[a] == 1 for a in view.reduced_axes()):
            continue

        def copy(access: Access, layout: AffineMapAttr | None, view: ComputeView) -> Access:
            assert access.value is not None
            positions = _positions(access, view)
            key = (access.value, layout, positions)
            if key not in copied:
                copied[key] = insert_copy(_first_user(block, access.value), *key)
            pairs = zip(access.indices or (), positions, strict=True)
            return replace(access, value=copied[key], indices=[p.number(i) for i, p in pairs])

        inputs, post = list(view.inputs), list(view.post)
        for reads in (inputs, post):
            for position, access in enumerate(reads):
                if access.value is None:
                    continue
                layout = layout_for(access, view) or _channels_last(access, view)
                wanted = layout is not None or access.pad is not None
                if _reads_groups_along_rows(view, access):
                    reads[position] = copy(access, None, view)
                elif wanted and _is_row_major(access.value):
                    reads[position] = copy(access, layout, view)
        if inputs != view.inputs or post != view.post:
            swap_op(op, ComputeOp.from_view(replace(view, inputs=inputs, post=post)))
    for op in [o for o in block.ops if isinstance(o, ComputeOp)]:
        _read_copies(op, copied)


def _positions(access: Access, view: ComputeView) -> tuple[Positions, ...]:
    """Return the positions of each dimension of an operand that an access reads."""
    return tuple(map(partial(_positions_along, view), access.indices or (), access.extents))


def _positions_along(view: ComputeView, index: Index, size: Extent) -> Positions:
    """Return the positions of a dimension that an index reads; all unless evenly spaced ones."""
    axes = [view.axes.get(key) if isinstance(key, str) else None for key in index.terms]
    if not isinstance(size, int) or not all(isinstance(extent, int) for extent in axes):
        return Positions()
    step = gcd(*(c for c, n in zip(index.terms.values(), axes, strict=True) if n != 1))
    first = index.const % step if step else 0
    return Positions(first, step) if step > 1 and first < size else Positions()


def _read_copies(op: ComputeOp, copied: Mapping[Copied, SSAValue]) -> None:
    """Let a product without a sum read the copies that have the layout of its result.

    It gets no copies of its own, but reads those of others: the phase of one tap of a strided
    depthwise convolution's input gradient, 96 channels, 3x3, on 16 images of 28x28: 136 -> 40 us.
    copied: the copies by argument and layout.
    """
    view = op.view()
    inputs = [
        replace(access, value=copied.get(_whole(access.value, layout), access.value))
        if access.value is not None and (layout := layout_for(access, view)) is not None
        else access
        for access in view.inputs
    ]
    if view.reduced_axes() and inputs != view.inputs:
        swap_op(op, ComputeOp.from_view(replace(view, inputs=inputs)))


def _reads_groups_along_rows(view: ComputeView, access: Access) -> bool:
    """Return whether a grouped convolution with a row-major result reads blocked channels.

    The vectors of the result run along a row, and a block holds channels of several groups. So each
    group would transpose all channels of the row again: with 32 groups of 4 channels, 56x56, this
    takes 11.3 ms, with a copy 0.8 ms.
    """
    maker = access.value.owner if access.value is not None else None
    if not isinstance(maker, ComputeOp) or view.outputs[0].layout is not None:
        return False
    blocked = {dim for o in maker.view().outputs if o.layout for dim in block_sizes(o.layout)}
    channels = [index for dim, index in enumerate(access.indices or ()) if dim in blocked]
    return any(atom.kind == "floordiv" for index in channels for atom in index.atoms())


def _is_row_major(value: SSAValue) -> bool:
    return not isinstance(value.owner, ComputeOp | ConstantOp)


def _first_user(block: Block, value: SSAValue) -> Operation:
    """Return the first op of a block before which a copy of a value can be inserted.

    This is the op after the definition of the value, or the first op of the block for a value that
    is defined outside of the block.
    """
    following = block.first_op
    if isinstance(value.owner, Operation) and value.owner.parent is block:
        following = value.owner.next_op
    assert following is not None, "a block ends with a terminator"
    return following


def layout_for(access: Access, view: ComputeView) -> AffineMapAttr | None:
    """Return the layout of a compute's result if it suits the operand of ``access``, too.

    This requires as many dimensions, and sizes that are multiples of the layout's blocks. None
    otherwise, and if the result has no layout.  Filters have blocks of the dimension that is the
    channel of the result, so that a vector of channels is one load.
    """
    layout = view.outputs[0].layout
    if layout is None or access.is_index or len(access.dims) != layout.data.num_dims:
        return None
    blocks = block_sizes(layout)
    for dim, size in list(blocks.items()):
        filters = _dimension_of_channels(access, view, dim)
        if len(blocks) == 1 and filters not in (None, dim):
            layout, blocks = blocked_layout(len(access.dims), filters, size), {filters: size}
    if all(_divides(n, access.extents[dim]) for dim, n in blocks.items()):
        return layout
    return _one_block(access, view, list(blocks))


def _one_block(access: Access, view: ComputeView, dims: Sequence[int]) -> AffineMapAttr | None:
    """Return the layout that stores all summed channels of bytes together; None if it has no use.

    Dot products then read adjacent bytes.  100 -> 50 channels of an argument, 3x3 on 14 x 14: 223
    -> 54 us; 1x1 on 20 x 20: 48 -> 17 us (Zen 4).
    dims: the dimensions of the operand that the layout of the result stores in blocks.
    """
    if len(dims) != 1 or access.element_type not in (i8, _U8):
        return None
    size, index = access.extents[dims[0]], (access.indices or [])[dims[0]]
    if not isinstance(size, int) or size <= FEW_CHANNELS:
        return None
    if index.variable() not in view.reduced_axes():
        return None
    return blocked_layout(len(access.dims), dims[0], size)


def _dimension_of_channels(access: Access, view: ComputeView, dim: int) -> int | None:
    """Return the dimension of an operand whose index is that of a dimension of the result.

    dim: the dimension of the result.  None if there is no such dimension of the operand.
    """
    out = view.outputs[0].indices or []
    channel = out[dim].variable() if out else None
    found = (d for d, index in enumerate(access.indices or ()) if index.variable() == channel)
    return None if channel is None else next(found, None)


def _divides(block: int, size: Extent) -> bool:
    return isinstance(size, int) and size % block == 0


def _channels_last(access: Access, view: ComputeView) -> AffineMapAttr | None:
    """Return the layout with channels last for an operand of depthwise windows, or None.

    The result must have channels last. A vector of channels is then one load; with 100 channels of
    7x7 windows on 8x8 pixels, copy and sums take 17 us instead of 43 us. Windows overlap, which
    distinguishes them from heads of a fused matrix, ``32 * h + d``.
    """
    out = view.outputs[0]
    if out.layout is not None or access.indices is None or not out.indices:
        return None
    if not any(_has_windows(index, view) for index in access.indices):
        return None
    channels = out.indices[-1].variable()
    rank = len(access.dims)
    at = [d for d, index in enumerate(access.indices) if index.variable() == channels]
    if channels is None or len(at) != 1 or at[0] == rank - 1:
        return None
    return innermost_layout(rank, *at)


def _has_windows(index: Index, view: ComputeView) -> bool:
    """Return whether adjacent positions of an axis read overlapping ranges of an operand."""
    reduced = view.reduced_axes()
    steps = [abs(index.coefficient(a)) for a in view.axes if a not in reduced]
    reach = sum(abs(index.coefficient(a)) * (likely(view.axes[a]) - 1) for a in reduced)
    return any(0 < step <= reach for step in steps)


def _copy_results(block: Block) -> None:
    last = terminator(block, ReturnOp)
    for position, value in enumerate(last.operands):
        if isinstance(value.owner, ComputeOp):
            outputs = value.owner.view().outputs
            if any(o.layout is not None for o in outputs):
                last.operands[position] = insert_copy(last, value, None)
            elif value.has_one_use():
                _view_reshape(value.owner)


def _view_reshape(op: ComputeOp) -> None:
    """Replace a reshape of a row-major value without other readers by a packed.view."""
    view = op.view()
    if not is_movement(view) or len(view.inputs) != 1 or not _is_reshape(view):
        return
    source = view.inputs[0].value
    made = source.owner if source is not None and source.has_one_use() else None
    if not isinstance(made, ComputeOp) or made.parent is not op.parent:
        return
    if source is not None and all(o.layout is None for o in made.view().outputs):
        swap_op(op, ViewOp(source, op.results[0].type))


def _is_reshape(view: ComputeView) -> bool:
    """Return whether a data movement copies all elements of its operand in row-major order."""
    (access,), (output,) = view.inputs, view.outputs
    if access.indices is None or access.is_index or access.pad is not None:
        return False
    if any(isinstance(extent, Dim) for extent in (*view.axes.values(), *access.extents)):
        return False
    shape = cast(TensorType, output.result_type).get_shape()
    read, written = _number(access.indices, access.shape), _number(output.indices or [], shape)
    for axis in (a for a, extent in view.extents.items() if extent == 1):
        read, written = read.without(axis), written.without(axis)
    return prod(access.shape) == prod(shape) and read == written


def _number(indices: Sequence[Index], shape: Sequence[int]) -> Index:
    """Return the row-major number of the element at the given indices, as an index."""
    number = constant(0)
    for index, size in zip(indices, shape, strict=True):
        number = number * size + index
    return number.merge_atoms()


def _whole(value: SSAValue, layout: AffineMapAttr | None) -> Copied:
    return value, layout, (Positions(),) * len(dims_of(type_of(value)))


def insert_copy(
    before: Operation,
    value: SSAValue,
    layout: AffineMapAttr | None,
    positions: Sequence[Positions] = (),
) -> SSAValue:
    """Insert a compute before an op that copies a value to a layout; return the copy.

    layout: the layout of the copy; None: row-major.  positions: for each dimension, the positions
    to copy; empty: all.
    """
    type_ = value.type
    assert isinstance(type_, TensorType)
    dims = [extent_of(dim) for dim in dims_of(type_)]
    pairs = [*zip(dims, positions or (Positions(),) * len(dims), strict=True)]
    axes = {f"d{i}": p.count(n) for i, (n, p) in enumerate(pairs)}
    indices = identity_indices(axes)
    made = tensor_type(type_.element_type, map(Dim.of, axes.values()))
    result = Access(None, indices, result_type=made, layout=layout)
    read = [i * p.step + p.first for i, (_, p) in zip(indices, pairs, strict=True)]
    copy = copy_compute("copy", axes, Access(value, read), result)
    copy.location = before.location
    Rewriter.insert_op(copy, InsertPoint.before(before))
    return copy.results[0]

"""Gradients of matrix products and convolutions: products and convolutions again.

y = x w              dx = dy wᵀ                         dw = xᵀ dy
y = conv(x, w)       dx = conv_transpose(dy, w)         dw = one product per tap of the filters,
                                                        or a conv of x with dy as filters
"""

from __future__ import annotations

from itertools import product
from math import prod

from xdsl.ir import SSAValue

from ...dialects.graph import (
    ConcatOp,
    ConvOp,
    ConvTransposeOp,
    GatherOp,
    MatmulOp,
    PadOp,
    ScatterNdOp,
    SliceOp,
)
from ...dialects.shape import Dim, dims_of, element_count, type_of
from ..builder import GradientBuilder
from ..rule import Cotangents, Gradient, only


def _turned(b: GradientBuilder, x: SSAValue) -> SSAValue:
    """Transpose the last two dimensions of x."""
    rank = len(dims_of(type_of(x)))
    return b.transpose(x, [*range(rank - 2), rank - 1, rank - 2])


def _rows(b: GradientBuilder, x: SSAValue) -> SSAValue:
    """Reshape x to a matrix: all dimensions but the last are merged into the rows."""
    dims = dims_of(type_of(x))
    return b.reshape(x, [element_count(dims[:-1]), dims[-1]])


def matmul(op: MatmulOp, gs: Cotangents, b: GradientBuilder) -> Cotangents | None:
    """Return the cotangents of both operands of a matrix product.

    The cotangent of a right operand that all batches share is summed over the batches.  Return
    None, so that the te definition is differentiated, for other batches, for vectors and for mixed
    types.
    gs: the cotangents of the results of ``op``.
    b: appends the ops that compute the cotangents.
    """
    g, x, w = only(gs), op.lhs, op.rhs
    types = {type_of(value).element_type for value in (x, w, g)}
    ranks = [len(dims_of(type_of(value))) for value in (x, w)]
    if len(types) > 1 or min(ranks) < 2 or (ranks[1] != ranks[0] and ranks[1] != 2):
        return None
    turned_x, turned_w = op.transpose_lhs, op.transpose_rhs
    if ranks[0] == ranks[1]:
        dims = [dims_of(type_of(value))[:-2] for value in (x, w)]
        if dims[0] != dims[1]:
            return None
        dx = (
            b.matmul(w, g, turn_x=turned_w, turn_y=True)
            if turned_x
            else b.matmul(g, w, turn_y=not turned_w)
        )
        dw = (
            b.matmul(g, x, turn_x=True, turn_y=turned_x)
            if turned_w
            else b.matmul(x, g, turn_x=not turned_x)
        )
        return [dx, dw]
    dx = b.matmul(g, w, turn_y=not turned_w)
    dx = _turned(b, dx) if turned_x else dx
    rows, heads = _rows(b, _turned(b, x) if turned_x else x), _rows(b, g)
    if turned_w:
        return [dx, b.matmul(heads, rows, turn_x=True)]
    return [dx, b.matmul(rows, heads, turn_x=True)]


def conv(op: ConvOp, gs: Cotangents, b: GradientBuilder) -> Cotangents | None:
    """Return the cotangents of image, filters and bias.

    gs: the cotangents of the results of ``op``.
    b: appends the ops that compute the cotangents.
    Return None, so that the te definition is differentiated, if another size than the batch is
    symbolic, or the batch of a convolution in groups, for operands of several types, and for
    padding with another value than 0.
    """
    g = only(gs)
    values = (op.x, op.w, op.out)
    batch = dims_of(type_of(op.x))[0]
    shapes = [[dim.value for dim in dims_of(type_of(value))[1:]] for value in values]
    types = {type_of(value).element_type for value in values}
    if any(None in shape for shape in shapes) or (op.groups > 1 and batch.value is None):
        return None
    if len(types) > 1 or op.pad_value:
        return None
    image, filters, out = ([int(size or 0) for size in shape] for shape in shapes)
    rank, low = len(op.strides), list(op.pads[: len(op.strides)])
    windows = list(zip(op.strides, op.dilations, filters[1:], strict=True))
    reach = [(n - 1) * s + d * (k - 1) + 1 for n, (s, d, k) in zip(out[1:], windows, strict=True)]
    high = [full - start - size for full, start, size in zip(reach, low, image[1:], strict=True)]
    pads = [*low, *high]
    back = ConvTransposeOp(
        g, op.w, strides=op.strides, dilations=op.dilations, pads=pads, groups=op.groups
    )
    dx = b.value(back)
    taps = prod(filters[1:])
    if op.groups == 1 and image[0] >= LEAST_CHANNELS and taps <= MOST_TAPS:
        dw = _by_taps(op, g, b, batch, out, pads)
    else:
        dw = _filters(op, g, b, batch, image, pads)
    parts: list[SSAValue | None] = [dx, dw]
    if op.b is not None:
        parts.append(b.sum(g, [0, *range(2, 2 + rank)]))
    return parts


LEAST_CHANNELS = 8
"""The channels of the image from which on the products per tap are faster than a convolution.

A product with fewer columns has mostly empty vectors.
"""

MOST_TAPS = 25
"""The largest number of taps of which each has a product of its own."""


def _by_taps(
    op: ConvOp, g: SSAValue, b: GradientBuilder, batch: Dim, out: list[int], pads: list[int]
) -> SSAValue:
    """Return the cotangent of a convolution's filters, as one matrix product per tap.

    The operands of a product are the cotangent as a matrix (filters, positions), and the elements
    of the image that the tap reads as a matrix (positions, channels).

    g: the cotangent of the result. out: the sizes of the result without the batch. pads: the
    padding of x; a negative one cuts rows that the convolution does not read.
    """
    rank = len(op.strides)
    filters, *places = out
    axes = [0, *range(2, 2 + rank)]
    x = b.transpose(op.x, [*axes, 1])
    channels = dims_of(type_of(x))[-1]
    low, high = pads[:rank], [max(0, end) for end in pads[rank:]]
    x = b.value(PadOp(x, [0, *low, 0], [0, *high, 0]))
    rows = batch * prod(places)
    heads = b.reshape(b.transpose(g, [1, *axes]), [Dim.const(filters), rows])
    sizes, steps = [batch, *map(Dim.const, places)], [1, *op.strides, 1]
    kernel = [int(dim.value or 0) for dim in dims_of(type_of(op.w))[2:]]
    parts: list[SSAValue] = []
    for tap in product(*map(range, kernel)):
        starts = [n * dilation for n, dilation in zip(tap, op.dilations, strict=True)]
        zero = Dim.const(0)
        read = SliceOp(x, [zero, *map(Dim.const, starts), zero], [*sizes, channels], steps)
        part = b.matmul(heads, b.reshape(b.value(read), [rows, channels]))
        parts.append(b.reshape(part, [Dim.const(1), Dim.const(filters), channels]))
    dims = [*map(Dim.const, kernel), Dim.const(filters), channels]
    joined = b.value(ConcatOp(parts, 0)) if len(parts) > 1 else parts[0]
    return b.transpose(b.reshape(joined, dims), [rank, rank + 1, *range(rank)])


def _filters(
    op: ConvOp, g: SSAValue, b: GradientBuilder, batch: Dim, image: list[int], pads: list[int]
) -> SSAValue:
    """Return the cotangent of a convolution's filters, itself computed by a convolution.

    In this convolution, the batch takes the place of the channels.

    g: the cotangent of the result. image: the sizes of x without the batch. pads: see `_by_taps`.
    """
    rank, groups = len(op.strides), op.groups
    space = list(range(2, 2 + rank))
    x = op.x
    if groups > 1:
        channels, *space_sizes = image
        x = b.reshape(x, [batch, *map(Dim.const, (groups, channels // groups, *space_sizes))])
        x = b.transpose(x, [2, 1, 0, *(axis + 1 for axis in space)])
        merged = [Dim.const(channels // groups), batch * groups, *map(Dim.const, space_sizes)]
        x = b.reshape(x, merged)
    else:
        x = b.transpose(x, [1, 0, *space])
    high = pads[rank:]
    if any(end < 0 for end in high):
        # The last rows of the image are not read by the convolution.
        dims = dims_of(type_of(x))
        cut = [size + min(0, end) for size, end in zip(dims[2:], high, strict=True)]
        zeros = [Dim.const(0)] * len(dims)
        x = b.value(SliceOp(x, zeros, [*dims[:2], *cut], [1] * len(dims)))
    made = ConvOp(
        x,
        b.transpose(g, [1, 0, *space]),
        strides=op.dilations,
        dilations=op.strides,
        pads=[*pads[:rank], *(max(0, end) for end in high)],
        groups=groups,
    )
    return b.transpose(b.value(made), [1, 0, *space])


def gather(op: GatherOp, gs: Cotangents, b: GradientBuilder) -> Cotangents | None:
    """Return the cotangent of x: the rows of the result's cotangent, added at their indices.

    gs: the cotangents of the results of ``op``.
    b: appends the ops that compute the cotangents.
    Return None for another axis than the first; the te definition is then differentiated.
    """
    g = only(gs)
    if op.axis != 0:
        return None
    rows = b.reshape(op.indices, [*dims_of(type_of(op.indices)), Dim.const(1)])
    return [b.value(ScatterNdOp(b.zeros(op.x), rows, g, kind="add")), None]


GRADIENTS: dict[type, Gradient] = {MatmulOp: matmul, ConvOp: conv, GatherOp: gather}
"""The gradients of products and of table look-ups, by class."""

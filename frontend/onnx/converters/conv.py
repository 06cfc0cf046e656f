"""Convert convolutions, and compute the pads that ``auto_pad`` requests (for pooling, too)."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import TypedDict

from ....dialects.graph import ConvOp, ConvTransposeOp, DeformColumnsOp, FoldOp
from ....dialects.shape import Dim, extent_of
from ....support.diagnostics import ModelError, UnequalSizes, UnsupportedOp
from ..builder import Builder, Tensor
from ..node import Node, OpConverter, static
from .matmul import without_zero_point


class WindowAttributes(TypedDict):
    """The strides, dilations and pads of a window, one number per spatial axis.

    pads: the pads at the low end of each axis, then those at the high ends.
    """

    strides: tuple[int, ...]
    dilations: tuple[int, ...]
    pads: tuple[int, ...]


def window(node: Node, spatial: Sequence[Dim], kernel: Sequence[Dim | int]) -> WindowAttributes:
    """Read the window attributes of a convolution or pool; compute the pads of ``auto_pad``.

    spatial: the spatial sizes of the input.  kernel: the sizes of the kernel.
    Errors: NeedsBinding if ``auto_pad`` depends on a symbolic size.
    """
    rank = len(spatial)
    strides = node.ints("strides", (1,) * rank)
    dilations = node.ints("dilations", (1,) * rank)
    pads = node.ints("pads", (0,) * 2 * rank)
    for name, values, count in (
        ("kernel_shape", kernel, rank),
        ("strides", strides, rank),
        ("dilations", dilations, rank),
        ("pads", pads, 2 * rank),
    ):
        if len(values) != count:
            got = tuple(extent_of(Dim.of(value)) for value in values)
            raise ModelError(f"{name} has a wrong length", expected=f"{count} integers", got=got)
    mode = node.text("auto_pad", "NOTSET")
    if mode == "VALID":
        pads = (0,) * 2 * rank
    elif mode in ("SAME_UPPER", "SAME_LOWER"):
        taps = [static(Dim.of(k), "auto_pad of a kernel") for k in kernel]
        reach = [d * (k - 1) + 1 for d, k in zip(dilations, taps, strict=True)]
        pads = _same(spatial, reach, strides, mode)
    elif mode != "NOTSET":
        raise UnsupportedOp("unknown auto_pad", got=mode)
    return WindowAttributes(strides=strides, dilations=dilations, pads=pads)


def padded_to_same(
    node: Node, b: Builder, x: Tensor, kernel: Sequence[Dim | int], value: float
) -> tuple[Tensor, WindowAttributes]:
    """Return the input of a convolution or pool, and its window attributes.

    With ``auto_pad`` and a stride, the pads depend on the remainder of the size modulo the stride.
    If this size is symbolic, the returned input is padded by an op, and the attributes have no
    pads.
    kernel: the sizes of the kernel.  value: the value of the padding elements.
    """
    rank = x.rank - 2
    strides = node.ints("strides", (1,) * rank)
    dilations = node.ints("dilations", (1,) * rank)
    mode = node.text("auto_pad", "NOTSET")
    ranks = {len(strides), len(dilations), len(kernel)}
    are_dynamic = [s > 1 and d.value is None for s, d in zip(strides, x.dims[2:], strict=False)]
    if not mode.startswith("SAME") or not any(are_dynamic) or ranks != {rank}:
        return x, window(node, x.dims[2:], kernel)
    taps = [static(Dim.of(k), "auto_pad of a kernel") for k in kernel]
    pads = [0] * 2 * rank
    for axis, (stride, dilation, k) in enumerate(zip(strides, dilations, taps, strict=True)):
        reach = dilation * (k - 1) + 1
        if not are_dynamic[axis]:
            ends = _same(x.dims[2 + axis : 3 + axis], [reach], [stride], mode)
            pads[axis], pads[axis + rank] = ends
            continue
        size = x.dims[2 + axis]
        total = (size.ceildiv(stride) - 1) * stride + reach - size
        if reach < stride:  # otherwise the total is never negative
            total = Dim.const(0) if reach == 1 else total.max(0)
        small = total // 2
        low, high = (small, total - small) if mode == "SAME_UPPER" else (total - small, small)
        x = b.padded(x, 2 + axis, low, high, value)
    return x, WindowAttributes(strides=strides, dilations=dilations, pads=tuple(pads))


def _same(
    spatial: Sequence[Dim], reach: Sequence[int], strides: Sequence[int], mode: str
) -> tuple[int, ...]:
    """Return the pads of ``auto_pad``, for which the result has ``ceil(size / stride)`` positions.

    The pads at the low ends of all axes come first, then those at the high ends.
    spatial: the sizes of the input.  reach: the sizes of the dilated kernel.  mode: SAME_UPPER or
    SAME_LOWER; if the sum of both pads is odd, the larger pad is at the high or at the low end.
    """
    low: list[int] = []
    high: list[int] = []
    for size, extent, stride in zip(spatial, reach, strides, strict=True):
        if stride == 1:
            total = extent - 1
        else:
            number = static(size, "auto_pad with a stride")
            total = max((-(-number // stride) - 1) * stride + extent - number, 0)
        small, large = total // 2, total - total // 2
        low.append(small if mode == "SAME_UPPER" else large)
        high.append(large if mode == "SAME_UPPER" else small)
    return (*low, *high)


def _kernel_shape(node: Node, w: Tensor) -> tuple[Dim, ...]:
    """Return the spatial sizes of the weights, which may be symbolic.

    Errors: UnequalSizes if the weights have symbolic sizes but the attribute kernel_shape has
    numbers; then the import starts again with these numbers.
    """
    dims = w.dims[2:]
    given = node.ints("kernel_shape") if node.has("kernel_shape") else ()
    if len(given) == len(dims) and any(dim.value is None for dim in dims):
        raise UnequalSizes(
            "the weights do not have the shape of the kernel",
            expected=given,
            got=dims,
            sizes=[(dim, Dim.const(size)) for dim, size in zip(dims, given, strict=True)],
        )
    return dims


def conv(node: Node, b: Builder) -> Tensor:
    """Convert a convolution over any number of spatial axes."""
    return convolved(node, b, node[0], node[1], node.get(2))


def conv_integer(node: Node, b: Builder) -> Tensor:
    """Convolve 8-bit integers minus their zero points, accumulating in i32."""
    x = without_zero_point(b, node[0], node.get(2), 1)
    return convolved(node, b, x, without_zero_point(b, node[1], node.get(3), 0), None)


def convolved(node: Node, b: Builder, x: Tensor, w: Tensor, bias: Tensor | None) -> Tensor:
    """Convolve x with w by the node's attributes, over any number of spatial axes."""
    kernel = _kernel_shape(node, w)
    if node.has("kernel_shape") and node.ints("kernel_shape") != tuple(d.value for d in kernel):
        raise ModelError(
            "kernel_shape contradicts the weights",
            expected=tuple(map(extent_of, kernel)),
            got=node.ints("kernel_shape"),
        )
    x, shape = padded_to_same(node, b, x, kernel, 0)
    op = ConvOp(
        b.ssa(x),
        b.ssa(w),
        None if bias is None else b.ssa(bias),
        **shape,
        groups=node.integer("group", 1),
    )
    return b.emit(op)


def conv_transpose(node: Node, b: Builder) -> Tensor:
    """Convert a transposed convolution; output_shape and output_padding are converted to pads."""
    x, w, bias = node[0], node[1], node.get(2)
    kernel = _kernel_shape(node, w)
    rank = len(kernel)
    strides = node.ints("strides", (1,) * rank)
    dilations = node.ints("dilations", (1,) * rank)
    extra = node.ints("output_padding", (0,) * rank)
    if {len(strides), len(dilations), len(extra), x.rank - 2} != {rank}:
        raise ModelError(
            "strides, dilations or output_padding have a wrong length",
            expected=f"{rank} integers",
            got=(strides, dilations, extra),
        )
    op = ConvTransposeOp(
        b.ssa(x),
        b.ssa(w),
        None if bias is None else b.ssa(bias),
        strides=strides,
        dilations=dilations,
        pads=_transposed_pads(node, x.dims[2:], kernel, strides, dilations, extra),
        groups=node.integer("group", 1),
    )
    return b.emit(op)


def _transposed_pads(
    node: Node,
    spatial: Sequence[Dim],
    kernel: Sequence[Dim],
    strides: Sequence[int],
    dilations: Sequence[int],
    extra: Sequence[int],
) -> tuple[int, ...]:
    """Return the numbers of elements to crop from a transposed convolution.

    The numbers for the low ends of all axes come first, then those for the high ends. The node's
    attributes pads, auto_pad or output_shape determine them.
    spatial: the sizes of the input.  extra: the attribute output_padding, which is subtracted from
    the numbers for the high ends.
    """
    rank, mode = len(kernel), node.text("auto_pad", "NOTSET")
    if mode not in ("NOTSET", "VALID", "SAME_UPPER", "SAME_LOWER"):
        raise UnsupportedOp("unknown auto_pad", got=mode)
    same = mode.startswith("SAME")
    if not same and not node.has("output_shape"):
        pads = node.ints("pads", (0,) * 2 * rank) if mode == "NOTSET" else (0,) * 2 * rank
        if len(pads) != 2 * rank:
            raise ModelError("pads has a wrong length", expected=2 * rank, got=pads)
        return (*pads[:rank], *(pads[rank + i] - extra[i] for i in range(rank)))
    low: list[int] = []
    high: list[int] = []
    wanted = node.ints("output_shape")[-rank:] if node.has("output_shape") else None
    for i, (size, stride) in enumerate(zip(spatial, strides, strict=True)):
        number = static(size, "auto_pad or output_shape of ConvTranspose")
        taps = static(kernel[i], "auto_pad or output_shape of ConvTranspose")
        full = (number - 1) * stride + (taps - 1) * dilations[i] + 1
        out = number * stride if wanted is None else wanted[i]
        total = max(full + extra[i] - out, 0)
        low.append(total // 2 if mode == "SAME_UPPER" else total - total // 2)
        high.append(full - out - low[-1])
    return (*low, *high)


def deform_conv(node: Node, b: Builder) -> Tensor:
    """Convert a deformable convolution of images.

    The pixels at the offset positions are gathered to columns, and a convolution with a 1x1 kernel
    multiplies the columns by the weights.
    """
    x, w, offset, bias, mask = node[0], node[1], node[2], node.get(3), node.get(4)
    if x.rank != 4:
        raise UnsupportedOp("DeformConv needs two spatial dimensions", got=x.rank - 2)
    kernel = [static(dim, "kernel shape") for dim in _kernel_shape(node, w)]
    shape = window(node, x.dims[2:], kernel)
    columns = b.emit(
        DeformColumnsOp(
            b.ssa(x),
            b.ssa(offset),
            None if mask is None else b.ssa(mask),
            kernel=kernel,
            **shape,
            offset_groups=node.integer("offset_group", 1),
        )
    )
    taps = kernel[0] * kernel[1]
    op = ConvOp(
        b.ssa(columns),
        b.ssa(b.reshape(w, (w.dims[0], w.dims[1] * taps, 1, 1))),
        None if bias is None else b.ssa(bias),
        strides=(1, 1),
        dilations=(1, 1),
        pads=(0,) * 4,
        groups=node.integer("group", 1),
    )
    return b.emit(op)


def col2im(node: Node, b: Builder) -> Tensor:
    """Add columns of shape (N, C * kernel, windows) to an image at the positions of the windows."""
    image, block = node.ints_at(1, "image_shape"), node.ints_at(2, "block_shape")
    if not image or not block or len(image) != len(block):
        raise ModelError("Col2Im needs an image_shape and a block_shape", got=(image, block))
    x, rank = node[0], len(image)
    strides = node.ints("strides", (1,) * rank)
    dilations = node.ints("dilations", (1,) * rank)
    pads = node.ints("pads", (0,) * 2 * rank)
    if (len(strides), len(dilations), len(pads)) != (rank, rank, 2 * rank):
        raise ModelError("strides, dilations or pads have a wrong length", expected=rank)
    windows = [
        (image[i] + pads[i] + pads[rank + i] - dilations[i] * (block[i] - 1) - 1) // strides[i] + 1
        for i in range(rank)
    ]
    dims = (x.dims[0], x.dims[1] // prod(block), *block, *windows)
    split = b.reshape(x, dims)
    op = FoldOp(b.ssa(split), image=image, strides=strides, dilations=dilations, pads=pads)
    return b.emit(op)


CONVERTERS = (
    OpConverter("Conv", conv),
    OpConverter("ConvInteger", conv_integer, since=10),
    OpConverter("ConvTranspose", conv_transpose),
    OpConverter("DeformConv", deform_conv, since=19),
    OpConverter("Col2Im", col2im, since=18),
)

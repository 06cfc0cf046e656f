"""The number of positions of a window that slides over an axis, for convolutions and pools."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from .shape import Dim


def window_dims(
    size_of: Callable[..., Dim],
    sizes: Sequence[Dim],
    kernel: Sequence[Dim | int],
    strides: Sequence[int],
    dilations: Sequence[int],
    pads: Sequence[int],
    **options: bool,
) -> list[Dim]:
    """Return the number of window positions, or the output size, for each spatial dimension.

    size_of: one of the functions `conv_output_dim`, `conv_transpose_output_dim` and
    `pool_output_dim`, which computes it for one dimension.
    pads: the padding before each dimension, then the padding after each dimension.  options:
    further arguments of ``size_of``.
    """
    rank = len(kernel)
    rows = zip(sizes, kernel, strides, dilations, pads[:rank], pads[rank:], strict=True)
    return [
        size_of(size, window, stride=stride, dilation=dilation, low=low, high=high, **options)
        for size, window, stride, dilation, low, high in rows
    ]


def window_reach(kernel: Dim | int, dilation: int) -> Dim:
    """Return the number of elements from the first to the last element of a dilated window."""
    return (Dim.of(kernel) - 1) * dilation + 1


def conv_output_dim(
    size: Dim, kernel: Dim | int, *, stride: int, dilation: int, low: int, high: int
) -> Dim:
    """Return the number of window positions along an axis.

    This is ``(size + low + high - reach) floordiv stride + 1``, where reach is the number of
    elements from the first to the last element of a window.
    low, high: the padding before and after the axis.
    """
    return (size + low + high - window_reach(kernel, dilation)).quotient(stride) + 1


def conv_transpose_output_dim(
    size: Dim, kernel: Dim | int, *, stride: int, dilation: int, low: int, high: int
) -> Dim:
    """Return the output size of a transposed convolution along an axis.

    low, high: the numbers of elements that are cropped at the start and at the end; a negative
    number adds elements.
    """
    return (size - 1) * stride + window_reach(kernel, dilation) - low - high


def pool_output_dim(
    size: Dim, kernel: int, *, stride: int, dilation: int, low: int, high: int, ceil: bool
) -> Dim:
    """Return the number of positions of a pooling window along an axis.

    low, high: the padding before and after the axis.  ceil: whether a last partial window is
    counted; it must start inside the input or its low padding.
    """
    if not ceil:
        return conv_output_dim(size, kernel, stride=stride, dilation=dilation, low=low, high=high)
    positions = (size + low + high - window_reach(kernel, dilation) + stride - 1).quotient(stride)
    return (positions + 1).min((size + low - 1).quotient(stride) + 1)

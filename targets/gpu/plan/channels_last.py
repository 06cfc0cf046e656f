"""Convolutions on operands with adjacent channels: packed copies in a launch of their own.

    y[n, o, h, w] += x'[n, 2 * h + r, 2 * w + s, i] * f'[o, r, s, i]

In: a kernel and the target.  Out: steps that pack the operands of convolutions, and a copy of the
kernel after these steps, whose computes get schedules of their own.

A launch before a convolution by matrix instructions copies the image with its border, channels
last, and the filters in the same order; constant filters are packed at compile time.  The channels
of a tap are a multiple of a step, with zeros at the end.  Then a thread copies 16 adjacent bytes of
either operand at once, asynchronously, as in a product (async_stages.py); the pixel of a vector
stays the same for all steps, and the border needs no test.  The rule applies if the modelled time
is less, including the time of the copies.

In a convolution of f32 with tiles, the channels are the innermost axis of the sum, and only the
filters are packed, in this order.  All elements of a step then belong to one tap, so that a thread
computes the position in the image, and the test for its border, once per step.  Otherwise it would
divide by the size of the window for each element.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, prod

from xdsl.dialects.builtin import f32

from ....analysis.patterns.bodies import is_narrow
from ....analysis.patterns.convolution import Convolution, find_convolution
from ....dialects.dtypes import bit_width
from ....dialects.shape import Dim
from ....dialects.te import Access, ComputeView, KernelOp
from ....machines.gpu_numbers import GpuNumbers, numbers_of
from ....machines.target import Target
from .convolution import assumed, convolution_forms
from .product import Product, convolution_of
from .rewrites import after_steps, changed_views, named_computes
from .script import Script
from .streams import LAUNCH_SECONDS
from .tensor_product import TensorProduct, product_seconds, tensor_product_of
from .vectors import VECTOR_BYTES

_LEAST_CHANNELS = 8
"""The shortest step along the sum, which all belongs to one tap if it divides the channels."""
_SHARE, _COPY_SHARE = 0.45, 0.66
"""The share of the modelled speed that products of packed operands, and launches that pack, reach.
Source: 42 of modelled 19 us, and 15 of 10, for 3 x 3 filters, 64 channels, batch 32 on an H200."""


@dataclass(frozen=True)
class Packing:
    """How to pack the operands of a convolution with adjacent channels.

    found: the convolution.
    channel: the reduced axis over channels.
    multiple: the number of channels is padded to a multiple of this number.
    copies_image: whether the image is packed, too.
    """

    found: Convolution
    channel: str
    multiple: int
    copies_image: bool = True


def pack_convolutions(script: Script, kernel: KernelOp, target: Target) -> KernelOp:
    """Write the steps that pack the operands of convolutions; return the kernel after these steps.

    Convolutions are packed where that saves modelled time.  The returned kernel is a copy, which
    also has the packing computes; without a convolution to pack, it is the kernel itself.
    """
    for op in named_computes(kernel):
        view = op.view()
        packing = _best(kernel, view, target) or _filters_only(kernel, view, target)
        if packing is not None:
            _write(script, view, packing)
            kernel = _packed(kernel, view, packing)
    return kernel


def _best(kernel: KernelOp, view: ComputeView, target: Target) -> Packing | None:
    choices = _packings(view)
    if not choices:
        return None
    numbers, best, least = numbers_of(target), None, inf
    plain = tensor_product_of(view, target)
    if isinstance(plain, TensorProduct) and (plain.form or _ends_with_axes(view)):
        least = product_seconds(view, plain, numbers)
    elif not isinstance(plain, TensorProduct) and not choices[0].found.is_last:
        return None
    for packing in choices:
        own, copies = changed_views(kernel, _packed(kernel, view, packing), view.name)
        tiles = tensor_product_of(own, target)
        if not isinstance(tiles, TensorProduct) or (tiles.form and not tiles.is_by_channel):
            continue
        seconds = product_seconds(own, tiles, numbers) / _SHARE
        seconds += sum(copy_seconds(each, numbers) for each in copies)
        if seconds < least:
            best, least = packing, seconds
    return best


def _filters_only(kernel: KernelOp, view: ComputeView, target: Target) -> Packing | None:
    """Return the packing of the filters of an f32 convolution; None for others."""
    found = find_convolution(view)
    channel = _channel(view, found) if found is not None and not found.group else None
    if found is None or channel is None or found.is_last:
        return None
    if any(access.element_type != f32 for access in view.inputs):
        return None
    if isinstance(tensor_product_of(view, target), TensorProduct):
        return None
    taps = [axis for axis in found.sums if axis != channel and view.axes[axis] != 1]
    count = view.axes[channel]
    if not taps or not isinstance(count, int) or count % _LEAST_CHANNELS:
        return None
    packing = Packing(found, channel, 1, copies_image=False)
    own, _ = changed_views(kernel, _packed(kernel, view, packing), view.name)
    has_tiles = isinstance(convolution_of(own, target), Product)
    return packing if has_tiles else None


def _ends_with_axes(view: ComputeView) -> bool:
    """Return whether no operand has a constant index in its last dimension.

    A product copies the rows of an operand with a constant last index, such as the filters of a 1x1
    convolution, element by element.
    """
    lasts = (list(access.indices or ())[-1:] for access in view.inputs)
    return not any(index.is_constant for last in lasts for index in last)


def copy_seconds(view: ComputeView, numbers: GpuNumbers) -> float:
    """Return the modelled time of a launch that packs an operand, in seconds.

    view: the compute that packs.
    """
    size = prod(map(assumed, view.axes.values())) * bit_width(view.outputs[0].element_type) / 8
    return LAUNCH_SECONDS + 2 * size / (_COPY_SHARE * numbers.memory_bandwidth)


def _packings(view: ComputeView) -> list[Packing]:
    """Return the packings of a convolution; none for other computes, and for symbolic images."""
    found = find_convolution(view)
    if found is None or not all(is_narrow(access.element_type) for access in view.inputs):
        return []
    inner = (*found.batch[1:], found.rows, *found.pixels, *found.sums)
    if any(isinstance(view.axes[axis], Dim) for axis in inner):
        return []
    if any(form.is_by_channel for form in convolution_forms(view)):
        return []
    channel = _channel(view, found)
    if channel is None or any(len(view.inputs[n].dims) < 2 for n in (found.image, found.filters)):
        return []
    if found.group:
        return [Packing(found, channel, 1)]
    lanes = 8 * VECTOR_BYTES // max(bit_width(access.element_type) for access in view.inputs)
    extents = {
        -(-view.extents[channel] // n) * n: n for n in (8 * lanes, 4 * lanes, 2 * lanes, lanes)
    }
    channels = view.extents[channel]
    return [Packing(found, channel, n) for size, n in extents.items() if size < 2 * channels]


def _channel(view: ComputeView, found: Convolution) -> str | None:
    """Return the reduced axis over channels, which indexes an image dimension without pixels.

    None if there is not exactly one such axis.
    """
    image = view.inputs[found.image]
    channels = [axis for axis in found.sums if _dimension(image, axis) is not None]
    inside = [a for a in channels if _dimension(view.inputs[found.filters], a) is not None]
    return inside[0] if len(inside) == 1 else None


def _dimension(access: Access, axis: str) -> int | None:
    """Return the only dimension of an operand that an axis indexes; None without one.

    The index may also contain the axis over filters, but no other axis.  None if the axis indexes
    several dimensions, or has a stride.
    """
    own = [n for n, index in enumerate(access.indices or ()) if axis in index.variables()]
    if len(own) != 1:
        return None
    index = list(access.indices or ())[own[0]]
    plain = [key for key in index.terms if isinstance(key, str)]
    return own[0] if plain == [axis] and index.terms[axis] == 1 and not index.const else None


def _write(script: Script, view: ComputeView, packing: Packing) -> None:
    found, channel = packing.found, packing.channel
    handle = script.match(view.name)
    if view.extents[channel] % packing.multiple:
        handle = script.pad(handle, {channel: packing.multiple})
    axes = [axis for axis in view.axes if axis != channel]
    if [*axes, channel] != list(view.axes):
        handle = script.order(handle, [*axes, channel])
    image = view.inputs[found.image]
    is_last = _dimension(image, channel) == len(image.dims) - 1
    if packing.copies_image and image.pad is not None and not is_last:
        _, handle = script.copy_window(handle, found.image)
    operands = (found.image, found.filters) if packing.copies_image else (found.filters,)
    for operand in operands:
        dimension = _dimension(view.inputs[operand], channel)
        rank = len(view.inputs[operand].dims)
        assert dimension is not None, "the channels are a dimension of each operand"
        if dimension < rank - 1:
            handle = script.store_innermost(handle, operand, rank, dimension)


def _packed(kernel: KernelOp, view: ComputeView, packing: Packing) -> KernelOp:
    """Return a copy of a kernel in which the operands of a convolution are packed."""
    return after_steps(kernel, lambda steps: _write(steps, view, packing))

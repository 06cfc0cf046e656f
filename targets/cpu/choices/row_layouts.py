"""Convolutions that are faster with vectors along rows than along blocks of channels, or slower.

In: a graph.conv, and a target.  Out: whether a result that main returns should be row-major,
whether a depthwise convolution of a row-major argument should have blocks, and whether one block
should hold all channels of a result.
"""

from __future__ import annotations

from math import prod

from xdsl.dialects.builtin import f32

from ....dialects.dtypes import bit_width
from ....dialects.graph import ConvOp
from ....dialects.shape import dims_of, type_of
from ....machines.cpu_numbers import numbers_of
from ....machines.target import Target
from ..cost.cycles import ROW_CYCLES
from ..plan.points.product import FEW_REGISTERS, FEW_STEPS
from ..plan.pointwise import widths_from
from ..plan.winograd import LEAST_GAIN, Layer, fewest_cycles, product_cycles

WIDE_ROWS = 2
"""Vectors per row from which on a partial last vector costs little."""


def returns_rows(op: ConvOp, target: Target) -> bool:
    """Return whether a convolution of f32 should write row-major a result that main returns.

    It should if the result has wide rows, and direct sums so short that a copy from blocks takes a
    large part of the time.  Whole vectors then run along the rows, and no copy follows: 2 to 320
    channels, 3 taps, 8 x 254 pixels: 229 -> 117 us; 1x1 of 16 to 64 channels on 56 x 56: 110 -> 93
    us (Zen 4).  Eight times 256 to 16 channels, 3 taps, 1000 pixels would take 1.6 times as long.
    """
    types = type_of(op.x).element_type, type_of(op.out).element_type
    sizes = [dim.value for v in (op.w, op.out) for dim in dims_of(type_of(v))]
    if op.groups > 1 or {*types} != {f32} or None in sizes or target.kind != "llvm":
        return False
    _, *terms = (dim.value or 1 for dim in dims_of(type_of(op.w)))
    lanes, width = target.lanes(bit_width(f32)), sizes[-1] or 0
    if prod(terms) > FEW_STEPS or width < WIDE_ROWS * lanes or op.strides[-1] > 1:
        return False
    # With few registers, masks take vector registers, and loads and stores with masks are slow.
    empty = -width % lanes
    if empty and (target.registers <= FEW_REGISTERS or 8 * empty > width + empty):
        return False
    return not _has_winograd(op, lanes, target)


def fills_block(op: ConvOp, block: int | None, copied: int, target: Target) -> bool:
    """Return whether a convolution of f32 should store all channels of its result in one block.

    It should if it then takes fewer modelled cycles.  Vectors along narrow rows, or of a quarter of
    the lanes, have idle lanes or do not allow Winograd: 58 to 58 channels, 3x3 on 28 x 28 pixels:
    461 -> 150 us; twice 112 to 255 channels, 3x3 on 20 x 6 pixels: 1082 -> 430 us (Zen 4).
    block: the channels of the block that the result has otherwise; None: it is row-major.
    copied: the elements that are copied from blocks to rows.
    """
    types = type_of(op.x).element_type, type_of(op.out).element_type
    sizes = [dim.value for v in (op.w, op.out) for dim in dims_of(type_of(v))]
    if op.groups > 1 or {*types} != {f32} or None in sizes or target.kind != "llvm":
        return False
    features, *terms = (dim.value or 1 for dim in dims_of(type_of(op.w)))
    images, _, *pixels = (dim.value or 1 for dim in dims_of(type_of(op.out)))
    if {*terms[1:], *op.strides} == {1} and not any(op.pads):
        pixels = [prod(pixels)]  # The rows are one product.
    *outer, width = pixels
    steps, count = prod(terms), images * prod(outer)
    lanes, copy = target.lanes(bit_width(f32)), numbers_of(target).copy_cycles

    def in_blocks(lanes: int) -> float:
        direct = product_cycles(count, width, steps, features, lanes, target)
        return min(direct, _winograd_cycles(op, lanes, target) or direct)

    # A local buffer may have the channels innermost, as in plan/transposed_result.py.
    turned = product_cycles(count, width, steps, features, lanes, target)
    results = copy * count * width * features
    others = [turned + results]
    if block is not None:
        others = [turned + results / 4 + copy * copied, in_blocks(block) + copy * copied]
    elif op.strides[-1] == 1:
        others += [
            product_cycles(count, features, steps, width, part, target)
            for part in widths_from(lanes)
        ]
    return LEAST_GAIN * (in_blocks(lanes) + copy * copied) < min(others)


def _has_winograd(op: ConvOp, lanes: int, target: Target) -> bool:
    """Return whether the pass cpu-choose-algorithms may choose Winograd for a convolution."""
    return _winograd_cycles(op, lanes, target) is not None


def _winograd_cycles(op: ConvOp, lanes: int, target: Target) -> float | None:
    """Return the modelled cycles of a convolution by Winograd; None if direct sums are faster."""
    weights, results = ([dim.value or 0 for dim in dims_of(type_of(v))] for v in (op.w, op.out))
    if weights[2:] != [3, 3] or {*op.strides, *op.dilations} != {1}:
        return None
    (features, channels), (images, _, height, width) = weights[:2], results
    return fewest_cycles(Layer(images, height, width, channels, features), lanes, target)


def has_narrow_rows(op: ConvOp, block: int, target: Target) -> bool:
    """Return whether a depthwise convolution of an argument is faster in blocks of channels.

    Its rows are then so short that the partial vectors of each row, and the starts of the rows of a
    padded copy, take more modelled cycles than the copies to and from blocks: 3x3 of 672 channels
    on 8 x 2 pixels takes 0.54 of the time, on 7 x 7 pixels 0.76; 2x2 of 64 channels on 12 x 7
    pixels without padding would take 1.6 (Zen 4).
    """
    sizes = [[dim.value for dim in dims_of(type_of(v))[2:]] for v in (op.x, op.w, op.out)]
    if any(None in shape for shape in sizes):
        return False
    image, kernel, result = ([n or 1 for n in shape] for shape in sizes)
    *_, width = result
    if width > block:
        return False
    taps, pixels, bits = prod(kernel), prod(result), bit_width(f32)
    lanes = next(n for n in (block // 4, block // 2, block) if width <= n or n == block)
    along_row = taps * op.strides[-1] / target.for_vectors(lanes * bits).fma_ports + 1
    cycles = pixels / width * along_row
    if any(op.pads):
        rank = len(image)
        sides = zip(image, op.pads[:rank], op.pads[rank:], strict=True)
        *padded, _ = (low + size + high for size, low, high in sides)
        cycles += ROW_CYCLES * prod(padded)
    sums = pixels * taps / (block * target.for_vectors(block * bits).fma_ports)
    copies = numbers_of(target).copy_cycles * (prod(image) + pixels)
    return sums + copies < cycles

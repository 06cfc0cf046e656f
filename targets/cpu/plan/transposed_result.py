"""Convolutions with a transposed result: vectors of channels in a local buffer, then a copy.

    te.compute @conv [o: 454, h: 48, w: 3, i: 2 red, r: 7 red, s: 7 red] .. outs(%y[o, h, w])
==>
    loop.for parallel .. {
      te.compute @conv_local [o: 96, h: 24, w: 3, ..] .. outs(%b[h, w, o])         vectors along o
      te.compute @conv [o: 96, h: 24, w: 3] ins(%b[h, w, o]) outs(%y[o, h, w])
    }

A schedule without the buffer has vectors along the rows of a row-major result, or of four lanes if
channels are in blocks of four.  With narrow rows or short blocks, most lanes are idle.
Weights are constants, which can be packed for whole vectors of channels; the copy costs at most
about a cycle per element.
One AVX-512 thread: 2 -> 454 channels 7x7 onto 48x3 604 -> 130 us, 1 -> 460 11x11 onto 10x10,
in blocks of four, 413 -> 119 us.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from math import ceil, prod

from xdsl.dialects.builtin import AffineMapAttr, MemRefType
from xdsl.ir import Block, Region, SSAValue

from ....analysis.patterns.sharing import lane_bits
from ....analysis.strides import axis_stride
from ....dialects.loop import AllocOp
from ....dialects.shape import Dim
from ....dialects.te import Access, ComputeView, YieldOp, identity_indices
from ....dialects.te.layout import innermost_layout, layout_indices, layout_shape
from ....machines.cpu_numbers import numbers_of
from ....machines.target import Target
from ....passes.schedule.buffers.local_buffers import axes_in
from ....support.affine import Key, Range
from .contraction import TiledContraction, analyse, pack_weights, split_blocks, vectorize
from .pointwise import merge_short_rows, plan_leaf
from .script import Script
from .tiles import (
    block_of_sum,
    choose_register_tile,
    divisor_at_most,
    tile_cycles,
    time_on_cores,
)

UNPACKED_LOSS = 1.05
"""The largest allowed ratio of modelled cycles with and without the copy.

The model ignores that a schedule without the buffer reads the weights unpacked, one element per
row.  Of 85 drawn convolutions of odd channels, 50 with AVX-512 and 35 with AVX2, none is more than
4 % slower with the copy where the modelled ratio is at most 1.05 (Zen 4).
"""

BLOCK_PIXELS, REST_PIXELS = 16, 4
"""Pixels of a block of a symbolic row, and the most pixels of a block of its remainder; the last
block overlaps.  Only shorter rows run pixel by pixel, and each pixel loads all weights.  With a
remainder of 16 pixels, 37 to 51 channels, 5x5, on 9 x 9 took 136 us instead of 104, on 20 x 20 632
instead of 398, on 31 x 31 1007 instead of 1016 (Zen 4)."""


@dataclass(frozen=True)
class TransposedResult:
    """A convolution as a contraction that writes a local buffer with channels innermost.

    view: the convolution.
    contraction: the sums in the buffer.
    layout: the layout of the buffer.
    """

    view: ComputeView
    contraction: TiledContraction
    layout: AffineMapAttr


def find_transposed_result(
    view: ComputeView,
    direct: TiledContraction | None,
    constants: Collection[SSAValue],
    target: Target,
) -> TransposedResult | None:
    """Return a convolution with vectors along channels, if a local buffer makes that faster.

    None if the result is no faster than ``direct``, or if the compute is no convolution.
    direct: the contraction without the buffer; None if there is none.
    constants: the arguments of the kernel that are weights.
    """
    transposed = _along_channels(view, set(constants), target)
    if transposed is None:
        return None
    c = transposed.contraction
    if direct is not None and direct.vector_axis == c.vector_axis and direct.lanes == c.lanes:
        return None
    copies = prod(view.extents[a] for a in view.parallel_axes()) * _copy_cycles(view, c)
    if direct is not None and _cycles(c) + copies > UNPACKED_LOSS * _cycles(direct):
        return None
    return transposed


def _along_channels(
    view: ComputeView, constants: set[SSAValue], target: Target
) -> TransposedResult | None:
    """Return a convolution as a contraction with vectors along its channels, or None.

    The axis of the channels is the one that only the weights have.
    """
    if len(view.outputs) != 1 or len(view.inputs) != 2 or view.scan:
        return None
    if any(a.indices is None for a in view.reads):
        return None
    weights = [a for a in view.inputs if a.value in constants]
    others = [a for a in view.inputs if a.value not in constants]
    if len(weights) != 1 or len(others) != 1:
        return None
    free = [a for a in view.parallel_axes() if view.extents[a] > 1]
    channels = [a for a in free if a in weights[0].axes() and a not in others[0].axes()]
    if len(channels) != 1 or any(access.axes() - {channels[0]} for access in view.post):
        return None
    out = view.outputs[0]
    axes = _stored_axes(view)
    layout = innermost_layout(len(axes), [*axes].index(channels[0]))
    type_ = MemRefType(out.element_type, layout_shape(layout, list(axes.values())))
    indices = layout_indices(layout, identity_indices(axes), view.range_of)
    stored = replace(out, value=AllocOp.make(type_).res, indices=indices)
    lanes = target.lanes(lane_bits(view.accesses()))
    found = analyse(replace(view, outputs=[stored]), constants, target, lanes)
    if found is None or not found.packs or not found.rows or not found.reduced:
        return None
    if found.vector_axis != channels[0]:
        return None
    return TransposedResult(view, found, layout)


def _stored_axes(view: ComputeView) -> dict[str, int]:
    return {a: view.extents[a] for a in axes_in(view, view.outputs[0].indices or [])}


def _cycles(c: TiledContraction) -> float:
    *outer, row = (*c.batch, *c.rows)
    rows = 1 if not c.rows else c.extent(row)
    inside = tile_cycles(rows, c.group, c.lanes, c.target) * (c.columns // c.group)
    return inside * prod(c.extent(a) for a in (*outer, *c.reduced))


def _copy_cycles(view: ComputeView, c: TiledContraction) -> float:
    """Return the cycles per element of the copy from the local buffer to the result."""
    block = axis_stride(view.outputs[0], c.vector_axis)
    cycles = numbers_of(c.target).copy_cycles
    return cycles if block is not None else cycles / 4


def plan_transposed_result(script: Script, leaf: SSAValue, transposed: TransposedResult) -> None:
    """Write the schedule of the sums in a local buffer, and of the copy from it to the result."""
    c, view = transposed.contraction, transposed.view
    tile = choose_register_tile(c.extent(c.rows[-1]), c.columns, c.lanes, c.target)
    width = tile.vectors * c.lanes
    leaf = pack_weights(script, leaf, c, width, 0)
    conv, copy = script.cache_write(leaf)
    sizes = _task(c, width)
    copy, loops = script.tile(copy, sizes)
    task = script.parallel_each(loops)[-1]
    conv = script.relayout(script.fuse_into(conv, task), transposed.layout)
    _plan_sums(script, conv, c, tile.rows)
    axes = {a: min(sizes.get(a, n), n) for a, n in _stored_axes(view).items()}
    _plan_copy(script, copy, transposed, axes)


def _task(c: TiledContraction, width: int) -> dict[str, int]:
    """Return the tile sizes of a task: rows of one panel of channels.

    The sums of these rows fit in a quarter of L2. width: the columns of a panel.
    """
    *outer, row = c.rows[: max(1, len(c.rows) - 1)]
    outer = [*c.batch, *outer]
    extent, inside = c.extent(row), prod(c.extent(a) for a in c.rows[len(c.rows) - 1 :] if a != row)
    fewest = ceil(extent * inside * width * c.element_bytes / (c.target.l2_bytes // 4))
    cycles = inside * width * prod(c.extent(a) for a in c.reduced) / c.lanes / c.target.fma_ports
    groups = prod(c.extent(a) for a in outer) * ceil(c.columns / width)

    def time(rows: int) -> float:
        tasks, total = groups * ceil(extent / rows), groups * extent * cycles
        return time_on_cores(tasks, rows * cycles, total, c.target)

    rows = {ceil(extent / n) for n in range(min(fewest, extent), extent + 1)}
    return {**dict.fromkeys(outer, 1), c.vector_axis: width, row: min(rows, key=time)}


def _plan_sums(script: Script, leaf: SSAValue, c: TiledContraction, rows: int) -> None:
    leaf = split_blocks(script, leaf, c)
    first, *others = c.reduced
    block = block_of_sum(c.extent(first), prod(c.extent(a) for a in others))
    if block and c.sums_in_memory:
        leaf = script.split_reduction(leaf, first, block)
    *outer, column = c.rows
    leaf, _ = script.tile(leaf, {**dict.fromkeys(outer[-1:], 1), column: rows}, even=[column])
    inner = c.reduced[-1]
    # Unrolled steps that read pixels again would need a register for each pixel.
    again = any({column, inner} <= {*e.variables()} for a in c.view.inputs for e in a.indices or ())
    vectorize(script, leaf, c, {inner: 1 if again else divisor_at_most(c.extent(inner), 4)}, 0)


def _plan_copy(
    script: Script, leaf: SSAValue, transposed: TransposedResult, axes: dict[str, int]
) -> None:
    view, out = transposed.view, transposed.view.outputs[0]

    def range_of(key: Key) -> Range:
        return 0, axes[str(key)] - 1

    shape = layout_shape(transposed.layout, list(axes.values()))
    buffer = AllocOp.make(MemRefType(out.element_type, shape))
    indices = layout_indices(transposed.layout, identity_indices(axes), range_of)
    read, write = Access(buffer.res, indices), Access(out.value, out.indices)
    body = Block(arg_types=[read.argument_type])
    body.add_op(YieldOp(body.args))
    copy = ComputeView(view.name, axes, [read], [], [write], Region(body))
    free = [a for a, n in axes.items() if n > 1]
    lanes = transposed.contraction.lanes
    leaf, copy, free = merge_short_rows(script, leaf, copy, lanes, free)
    plan_leaf(script, leaf, copy, lanes, free, transposed.contraction.target)


def plan_dynamic_channels(
    script: Script, view: ComputeView, constants: Collection[SSAValue], target: Target
) -> bool:
    """Plan a row-major result of few channels and symbolic rows; return False for other computes.

    constants: the arguments of the kernel that are weights.  Each task computes a block of pixels
    of a row, of constant size, in a local buffer.
    """
    symbolic = [a for a in view.parallel_axes() if isinstance(view.axes[a], Dim)]
    if not symbolic or not view.reduced_axes():
        return False
    *outer, column = symbolic
    task = replace(view, axes={**view.axes, **dict.fromkeys(outer, 1), column: BLOCK_PIXELS})
    if any(isinstance(extent, Dim) for extent in task.axes.values()):
        return False
    transposed = _along_channels(task, set(constants), target)
    if transposed is None or transposed.contraction.rows != (column,):
        return False
    c = transposed.contraction
    tile = choose_register_tile(BLOCK_PIXELS, c.columns, c.lanes, c.target)
    leaf = pack_weights(script, script.match(view.name), c, tile.vectors * c.lanes, 0)
    conv, copy = script.cache_write(leaf)
    sizes = {**dict.fromkeys(outer, 1), column: BLOCK_PIXELS}
    copy, loops = script.tile(copy, sizes, rest=divisor_at_most(REST_PIXELS, tile.rows))
    script.parallel_each(loops[:-1])
    conv = script.relayout(script.fuse_into(conv, loops[-1]), transposed.layout)
    conv, _ = script.tile(conv, {c.vector_axis: tile.vectors * c.lanes})
    _plan_sums(script, conv, c, tile.rows)
    _plan_copy(script, copy, transposed, _stored_axes(task))
    return True

"""Schedules of a 1x1 convolution and the depthwise convolution that reads it, as one kernel.

    te.compute @conv [n: 1, o: 96, h: 112, w: 112, i: 16 red] .. outs(%t[n, o, h, w] ..)
    te.compute @conv_1 [n: 1, o: 96, h: 56, w: 56, r: 3 red, s: 3 red] ..
        ins(%t[n, o, h * 2 + r - 1, w * 2 + s - 1] pad 0.0, ..)

A task covers some channels of some rows.  It first computes the input of its
depthwise part into a buffer that stays in L2.  The intermediate is large (six times the channels)
and each value is read only a few times; with separate kernels it would come from beyond L2.  The
number of images may be dynamic (symbolic; see batch_tasks.py).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from math import prod

from xdsl.dialects.builtin import AffineMapAttr, MemRefType, TensorType, f32
from xdsl.ir import SSAValue

from ....analysis.patterns.contraction import sums_products
from ....analysis.strides import divisors_of_axis
from ....dialects.dtypes import buffer_bytes
from ....dialects.loop import AllocOp
from ....dialects.packed import ConstantOp
from ....dialects.shape import Dim, dims_of, tensor_type
from ....dialects.te import ComputeOp, ComputeView
from ....dialects.te.layout import blocked_layout, layout_indices, layout_shape
from ....dialects.te.role import Concat
from ....machines.target import Target
from ..layouts import CHANNELS, channel_block
from .contraction import TiledContraction, analyse, pack_weights, split_blocks, vectorize
from .pointwise import pack_constants, plan_leaf
from .script import Script
from .tiles import (
    MOST_VECTORS,
    RegisterTile,
    divisor_at_most,
    tile_and_cycles,
    time_on_cores,
)

IMAGES = 8
"""The number of images at which sizes and costs are estimated, if it is symbolic."""

LEAST_L2_PART = 1 / 8
"""Smallest intermediate, as a part of L2.  MobileNetV2, one AVX-512 thread, 2 MiB of L2, both
convolutions: 4.8 MB 562 -> 428 us, 1.8 MB 323 -> 266, 0.6 MB 115 -> 101, 0.3 MB 90 -> 87, but
0.19 MB 130 -> 134."""


def joins_reader(op: ComputeOp, target: Target) -> bool:
    """Return whether to compute a 1x1 convolution in the kernel of its depthwise reader."""
    view = op.view()
    if len(op.results) != 1 or not op.results[0].has_one_use():
        return False
    image = op.results[0]
    assert isinstance(image.type, TensorType)
    if any(dim.value is None for dim in dims_of(image.type)[1:]) or not _is_pointwise(view):
        return False
    reader = next(iter(image.uses)).operation
    if not isinstance(reader, ComputeOp) or not _is_depthwise(reader.view(), image):
        return False
    if _block(view) != _block(reader.view()) or _block(view) > target.lanes(32):
        return False
    return _stays_blocked(reader) and _bytes(image.type) >= target.l2_bytes * LEAST_L2_PART


def _bytes(image: TensorType) -> int:
    """Return the bytes of an intermediate image; a symbolic number of images counts as `IMAGES`."""
    images, *sizes = dims_of(image)
    number = IMAGES if images.value is None else images.value
    element = image.get_element_type()
    return buffer_bytes(tensor_type(element, (Dim.const(number), *sizes)))


def _block(view: ComputeView) -> int:
    layout = view.outputs[0].layout
    block = channel_block(layout)
    assert block is not None, "the result is stored in blocks"
    return block


def _is_pointwise(view: ComputeView) -> bool:
    data = view.inputs
    if not _is_blocked_sum(view, reduced=1) or any(a.pad is not None for a in data):
        return False
    if min(view.extents[a] for a in (*view.parallel_axes()[CHANNELS:], *view.reduced_axes())) < 2:
        return False
    return all(e.is_constant or e.variable() is not None for a in data for e in a.indices or [])


def _is_depthwise(view: ComputeView, image: SSAValue) -> bool:
    if not _is_blocked_sum(view, reduced=2) or view.inputs[0].value is not image:
        return False
    return all(
        set(index.variables()) - set(view.reduced_axes())
        == ({axis} if view.axes[axis] != 1 else set())
        for index, axis in zip(view.inputs[0].indices or [], view.parallel_axes(), strict=True)
    )


def _is_blocked_sum(view: ComputeView, *, reduced: int) -> bool:
    """Return whether a compute with blocked channels sums products with constant weights.

    reduced: the number of axes over which it must sum.
    """
    if not sums_products(view):
        return False
    out, (image, weights) = view.outputs[0], view.inputs
    parallel = view.parallel_axes()
    if channel_block(out.layout) is None or len(parallel) != 4:
        return False
    if [e.variable() for e in out.indices or []] != parallel:
        return False
    if len(view.reduced_axes()) != reduced or image.indices is None:
        return False
    if not isinstance(image.type, TensorType) or image.type.element_type != f32:
        return False
    return weights.value is not None and isinstance(weights.value.owner, ConstantOp)


def _stays_blocked(op: ComputeOp) -> bool:
    """Return whether te-bufferize may store a result in blocks of channels.

    All of its readers must be te.compute ops; none of them may be a concatenation, or read the
    result as a whole, as gathers do.
    """
    users = [use.operation for use in op.results[0].uses]
    return bool(users) and all(
        isinstance(u, ComputeOp)
        and not u.has_role(Concat)
        and not any(a.is_whole for a in u.view().inputs if a.value is op.results[0])
        for u in users
    )


def plan_expansion(
    script: Script, views: Sequence[ComputeView], constants: Collection[SSAValue], target: Target
) -> None:
    """Write the schedule of a 1x1 convolution and of the depthwise convolution that reads it.

    views: the two computes in this order.  A task computes some rows of the second one, and before
    that the part of the first one that these rows read.  constants: the arguments of the kernel
    that are weights.
    """
    first, second = views
    batch, channel, row, column = second.parallel_axes()
    # If no index divides the channels, one block holds all of them.
    lanes = min(divisors_of_axis(second, channel), default=second.extents[channel])
    layout = blocked_layout(len(first.outputs[0].indices or []), CHANNELS, lanes)
    c = _contraction(first, layout, set(constants), target, lanes)
    height, width = c.rows[-2:]
    tile, rows = _choose_task(second, first, c.columns, lanes, target)
    group = tile.vectors * lanes
    conv = pack_weights(script, script.match(first.name), c, group, 0)
    conv = split_blocks(script, conv, c)
    leaf = script.match(second.name)
    leaf = pack_constants(script, leaf, second, channel, lanes, constants)
    sizes = {batch: 1, channel: group, row: rows}
    leaf, loops = script.tile(leaf, sizes)
    *_, task = script.parallel_each(loops)
    rank = len(first.outputs[0].shape)
    conv, border = script.fuse_with_halo(conv, task, rank)
    conv = script.relayout(conv, layout)
    conv, _ = script.tile(conv, {height: 1, width: tile.rows}, even=[width])
    inner = c.reduced[-1]
    steps = prod(c.extent(a) for a in c.reduced)
    unroll = divisor_at_most(c.extent(inner), 4)
    vectorize(script, conv, c, {inner: unroll}, steps * group, spread=True)
    plan_leaf(script, leaf, second, lanes, [channel, row, column], target)
    if _reads_borders(second):
        channels = border.axes[CHANNELS]
        sizes = {a: lanes if a == channels else 1 for a in border.axes}
        fill, _ = script.tile(border.handle, sizes)
        script.vectorize(fill, channels, lanes)


def _reads_borders(view: ComputeView) -> bool:
    image = view.inputs[0]
    spans = [e.range(view.range_of) for e in image.indices or []]
    return any(low < 0 or high >= n for (low, high), n in zip(spans, image.shape, strict=True))


def _contraction(
    view: ComputeView,
    layout: AffineMapAttr,
    constants: set[SSAValue],
    target: Target,
    lanes: int,
) -> TiledContraction:
    out = view.outputs[0]
    assert out.indices is not None
    assert isinstance(out.type, MemRefType)
    shape = layout_shape(layout, out.shape)
    buffer = AllocOp.make(MemRefType(out.type.element_type, shape))
    indices = layout_indices(layout, out.indices, view.range_of)
    stored = replace(out, value=buffer.res, indices=indices)
    found = analyse(replace(view, outputs=[stored]), constants, target, lanes)
    assert found is not None, "a 1x1 convolution has a register tile"
    return found


def _choose_task(
    second: ComputeView, first: ComputeView, columns: int, lanes: int, target: Target
) -> tuple[RegisterTile, int]:
    """Return the register tile of the first convolution, and the rows of the second in a task.

    A task computes the channels of one register tile.  The choice takes the fewest modelled cycles,
    as a mean over several numbers of cores.
    second: the depthwise convolution.
    first: the 1x1 convolution that it reads.
    columns: the channels of both.
    lanes: lanes of a vector.
    """
    width, height = (view.extents[view.parallel_axes()[n]] for view, n in ((first, 3), (second, 2)))
    found: list[tuple[float, RegisterTile, int]] = []
    for vectors in (n for n in range(1, MOST_VECTORS + 1) if columns % (n * lanes) == 0):
        tile, step = tile_and_cycles(width, vectors * lanes, lanes, target)
        if tile.vectors == vectors:
            cycles, parts = _task_time(second, first, vectors * lanes, step, target)
            found.append((cycles, tile, height // parts))
    _, tile, rows = min(found, key=lambda choice: choice[0])
    return tile, rows


def _task_time(
    second: ComputeView, first: ComputeView, group: int, step: float, target: Target
) -> tuple[float, int]:
    """Return the fewest modelled cycles, and the parts of the rows with which they are reached.

    The tasks of adjacent parts compute the rows of the first convolution at their border twice.
    second: the depthwise convolution.
    first: the 1x1 convolution that it reads.
    group: the channels that a task computes.
    step: the cycles of one step of the sums of a row of the first convolution.
    """
    batch, channel, row, column = second.parallel_axes()
    height = second.extents[row]
    groups = second.extents[batch] * second.extents[channel] // group
    _, _, source_row, width = first.parallel_axes()
    row_bytes = 4 * group * first.extents[width] * first.extents[source_row] / height
    room = target.l2_bytes // 4
    counts = [n for n in range(1, height + 1) if height % n == 0]
    fit = [n for n in counts if height // n * row_bytes <= room] or [height]
    (index,) = (e for e in second.inputs[0].indices or [] if row in set(e.variables()))
    reach = 1 + sum(index.coefficient(a) * (second.extents[a] - 1) for a in second.reduced_axes())
    again = max(0, reach - index.coefficient(row))
    source_rows = first.extents[source_row]
    terms = prod(first.extents[a] for a in first.reduced_axes())
    first_row = step * terms
    taps = prod(second.extents[a] for a in second.reduced_axes())
    products = group * second.extents[column] * taps
    second_row = products / (target.lanes(32) * target.fma_ports)

    def time(n: int) -> float:
        cycles = (source_rows + (n - 1) * again) * first_row + height * second_row
        return time_on_cores(groups * n, cycles / n, groups * cycles, target)

    return min((time(n), n) for n in fit)

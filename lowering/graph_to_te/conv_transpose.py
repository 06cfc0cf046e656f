"""Lower transposed convolutions to ordinary convolutions, one per phase of the output.

With stride s, output position y (counted from the start of the uncropped result) is in phase ``f =
y mod s`` of block ``b = y floordiv s``. Only the taps ``k = f + s * t`` contribute to it, with
position ``b - t`` of x:

    out[n, o, y] = sum over i, t of x[n, i, b - t] * w[i, o, f + s * t]

This is a convolution over blocks with ceil(K / s) taps, where K is the size of the window. All
phases are channels of one convolution, whose weights this module rearranges. If most of the
rearranged weights are then zeros (odd windows at stride 2), each phase is a separate convolution
with its own taps; a phase without taps is the bias. One compute interleaves the phases. Stride 1
has one phase, which needs no interleaving.
Weights with symbolic output channels or taps are not divided into phases: one compute sums all taps
(divided_windows.py).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, product
from math import prod
from typing import Any

import numpy as np
from xdsl.dialects.builtin import AffineMapAttr
from xdsl.ir import SSAValue

from ...dialects.graph import ConstantOp, ConvTransposeOp
from ...dialects.shape import Extent, dims_of, extent_of, likely, type_of
from ...dialects.te.build import ComputeResult, position, read
from ...dialects.te.layout import innermost_layout
from ...dialects.te.scalars import Scalars, signless
from ...dialects.te.view import axis_ranges
from ...support.affine import ZERO, Index, divide, variable
from .builder import Rule, TeBuilder, axes_of, element_of, is_empty, numbers_of, sizes_of
from .conv import TeConvolution, convolve, lower_empty_sum
from .divided_windows import lower_dynamic_weights
from .move import concatenate

_MOST_PADDED = 1.25
"""Phases share one convolution up to this ratio of its taps to the taps of separate convolutions,
each divided by its vector utilization."""

_MOST_CONVOLUTIONS, _MOST_PHASES = 16, 64
"""Most convolutions, and most phases, for a separate convolution per phase."""

_MANY_COLUMNS = 16
"""Number of channels (all phases of a group) that fills vectors."""


@dataclass(frozen=True)
class _Phases:
    """Some phases of one spatial dimension, which one convolution computes.

    The phases are numbered ``first`` to ``first + count - 1``.
    stride: the stride of the op, which is the number of all phases.
    kernel: the number of taps of the window.  If the stride is not 1, the taps are counted as in a
    window without dilation, whose additional taps are zero.
    holes: the distance between two nonzero taps in such a window: the dilation of the op, or 1 if
    the stride is 1.
    dilation: the distance in x between adjacent taps, if no tap is left out.
    """

    stride: int
    kernel: int
    holes: int
    dilation: int
    first: int
    count: int

    @property
    def positions(self) -> range:
        """The taps, counted within a phase, that the convolution computes.

        It leaves out taps that are zero in all phases: those at both ends, and those between evenly
        spaced ones.  A phase of a dilated window is thus a dilated convolution.  At least one tap.
        """
        last = max(1, -(-(self.kernel - self.first) // self.stride))
        taps = self.first + np.arange(self.count)[:, None] + self.stride * np.arange(last)
        exists = (taps < self.kernel) & (taps % self.holes == 0)
        (used,) = np.nonzero(exists.any(axis=0))
        if not used.size:
            return range(1)
        step = int(np.gcd.reduce(np.diff(used))) or 1
        return range(int(used[0]), int(used[-1]) + 1, step)

    @property
    def taps(self) -> int:
        """The number of taps of the convolution."""
        return len(self.positions)

    @property
    def distance(self) -> int:
        """The distance in x between adjacent taps of the convolution."""
        return self.positions.step * self.dilation

    @property
    def reach(self) -> int:
        """The distance in x from the position of a block to the farthest one that it reads."""
        return self.positions[-1] * self.dilation

    def kernel_taps(self) -> np.ndarray[Any, np.dtype[np.int64]]:
        """Return the tap of the op's window that each phase uses for each tap of the convolution.

        The array is indexed by phase and by tap of the convolution; -1 means that no tap
        contributes.
        """
        phases = self.first + np.arange(self.count)[:, None]
        at = phases + self.stride * np.array(self.positions)[::-1]
        exists = (at < self.kernel) & (at % self.holes == 0)
        return np.where(exists, at // self.holes, -1)

    @property
    def is_empty(self) -> bool:
        """Whether no tap of the window contributes to any of these phases."""
        return bool((self.kernel_taps() < 0).all())


def lower_conv_transpose(op: ConvTransposeOp, builder: TeBuilder) -> SSAValue:
    """Lower to convolutions of phases, or for symbolic weights to a sum over windows."""
    if is_empty(op.x) or is_empty(op.w):
        return lower_empty_sum(op, builder)
    if not all(isinstance(size, int) for size in sizes_of(op.w)[1:]):
        return lower_dynamic_weights(op, builder)
    parts = list(_parts(op))
    layout = op.layout or _layout_of_phases(op, parts)
    made: list[SSAValue] = []
    for empty, run in groupby(parts, key=lambda part: any(phases.is_empty for phases in part)):
        if empty:
            made.append(_bias_alone(op, len(list(run)), builder, layout))
        else:
            made += [_convolution(op, part, builder, layout) for part in run]
    if max(op.strides) == 1:
        return made[0]
    phases = concatenate(made, 1, builder, layout)
    return _interleave(op, phases, builder, merged=len(parts) == 1)


def _layout_of_phases(
    op: ConvTransposeOp, parts: Sequence[Sequence[_Phases]]
) -> AffineMapAttr | None:
    """Return the layout in which convolutions store their phases; None for row-major.

    It is channels-last if vectors should run along the channels of all phases, row-major if they
    should run along the rows.
    parts: the phases of each convolution, as `_parts` yields them.
    """
    if max(op.strides) == 1:
        return None
    rank = len(sizes_of(op.out))
    width = likely(_blocks(op, rank - 3)[1])
    columns = _outputs(op) * max(prod(phases.count for phases in part) for part in parts)
    if columns < min(_MANY_COLUMNS, width) and sizes_of(op.w)[0] != op.groups:
        return None
    return innermost_layout(rank, 1)


def _parts(op: ConvTransposeOp) -> Iterator[tuple[_Phases, ...]]:
    """Divide the phases of the op among convolutions; yield the phases of each convolution.

    An item is a tuple of phases, one per spatial dimension.  Either one convolution computes all
    phases, or each combination of phases has its own, and the phase of the last dimension changes
    fastest.
    """
    whole: list[_Phases] = []
    for stride, kernel, dilation in zip(
        op.strides, numbers_of(sizes_of(op.w)[2:], "taps"), op.dilations, strict=True
    ):
        inflates = stride > 1
        size = (kernel - 1) * dilation + 1 if inflates else kernel
        holes = dilation if inflates else 1
        whole.append(_Phases(stride, size, holes, 1 if inflates else dilation, 0, stride))
    if prod(op.strides) > _MOST_PHASES:
        yield tuple(whole)
        return
    each = [[replace(p, first=f, count=1) for f in range(p.stride)] for p in whole]
    used = [[phases.taps for phases in alone if not phases.is_empty] for alone in each]
    together = prod(phases.taps * phases.stride for phases in whole) / _filled(op, prod(op.strides))
    apart = prod(map(sum, used)) / _filled(op, 1)
    if prod(map(len, used)) <= _MOST_CONVOLUTIONS and together > _MOST_PADDED * apart:
        yield from product(*each)
    else:
        yield tuple(whole)


def _filled(op: ConvTransposeOp, phases: int) -> float:
    """Return the fraction of the vector lanes that hold results, from 0 to 1.

    Vectors may run along the output channels of adjacent phases, or along the rows; the larger of
    the two fractions is returned.
    phases: the number of phases whose channels are adjacent in the result.
    """
    counts = (phases * _outputs(op), likely(_blocks(op, len(op.strides) - 1)[1]))
    return max(count / (-(-count // _MANY_COLUMNS) * _MANY_COLUMNS) for count in counts)


def _bias_alone(
    op: ConvTransposeOp, count: int, builder: TeBuilder, layout: AffineMapAttr | None
) -> SSAValue:
    """Append a compute of phases to which no tap contributes; return its result.

    The result is the repeated bias, or 0 if the op has no bias.  It has the shape that a
    convolution of ``count`` phases would have.
    layout: the layout of the result; None for row-major.
    """
    n, *spatial = (a for i, a in enumerate(axes_of(op.out)) if i != 1)
    channels = _channels(op)
    axes: dict[str, Extent] = {n: sizes_of(op.out)[0], "o": count * channels}
    axes |= {a: _blocks(op, i)[1] for i, a in enumerate(spatial)}
    result = ComputeResult(tuple(axes), signless(element_of(op.out)), layout=layout)
    if op.b is None:
        return builder.compute(
            "bias", axes, [], result, lambda s: s.constant(0, result.element_type)
        )
    channel = divide("mod", variable("o"), channels, axis_ranges(axes))
    inputs = [read(builder.value(op.b), [channel])]
    return builder.compute("bias", axes, inputs, result, lambda _, b: b)


def _convolution(
    op: ConvTransposeOp,
    part: Sequence[_Phases],
    builder: TeBuilder,
    layout: AffineMapAttr | None,
) -> SSAValue:
    weights = _weights(op, part, builder)
    count = prod(phases.count for phases in part)
    blocks = [_blocks(op, i) for i in range(len(part))]
    return convolve(
        TeConvolution(
            x=builder.value(op.x),
            w=weights,
            b=_bias(op, count, builder),
            shape=(sizes_of(op.out)[0], count * _channels(op), *(number for _, number in blocks)),
            strides=(1,) * len(part),
            dilations=[phases.distance for phases in part],
            low=[phases.reach - first for phases, (first, _) in zip(part, blocks, strict=True)],
            groups=op.groups,
            elements=(element_of(op.x), element_of(op.w), element_of(op.out)),
            layout=layout,
        ),
        builder,
    )


def _blocks(op: ConvTransposeOp, i: int) -> tuple[int, Extent]:
    """Return the first block that the cropped output needs, and the number of blocks.

    A block is a run of ``stride`` adjacent output positions.
    i: the spatial dimension.
    """
    low, size, stride = op.pads[i], dims_of(type_of(op.out))[2 + i], op.strides[i]
    first = low // stride
    return first, extent_of((size + (low - 1)) // stride - first + 1)


def _outputs(op: ConvTransposeOp) -> int:
    """Return the number of output channels per group."""
    (outputs,) = numbers_of(sizes_of(op.w)[1:2], "output channels")
    return outputs


def _channels(op: ConvTransposeOp) -> int:
    return _outputs(op) * op.groups


def _weights(op: ConvTransposeOp, part: Sequence[_Phases], builder: TeBuilder) -> SSAValue:
    """Return the weights of the convolution that computes the phases ``part``.

    Their axes are ``[(group, phases…, channel), i, taps…]``, where the parentheses enclose merged
    axes.
    part: the phases, per spatial dimension.
    """
    if isinstance(op.w.owner, ConstantOp):
        return builder.constant(_rearranged(op.w.owner.array, op.groups, part))
    return _computed_weights(op, part, builder)


def _rearranged(
    w: np.ndarray[Any, Any], groups: int, part: Sequence[_Phases]
) -> np.ndarray[Any, Any]:
    rank = len(part)
    for i, phases in enumerate(part):
        # The dimension becomes (phase, tap); each dimension before it already became two.
        axis = 2 + 2 * i
        taps = phases.kernel_taps()
        taken = w.take(taps.clip(0), axis)
        exists = (taps >= 0).reshape(*taps.shape, *(1,) * (taken.ndim - axis - 2))
        w = np.where(exists, taken, np.zeros((), w.dtype))
    w = w.reshape(groups, -1, *w.shape[1:])
    order = (0, *range(3, 3 + 2 * rank, 2), 2, 1, *range(4, 4 + 2 * rank, 2))
    w = w.transpose(order)
    return np.ascontiguousarray(w).reshape(prod(w.shape[: 2 + rank]), *w.shape[2 + rank :])


def _computed_weights(op: ConvTransposeOp, part: Sequence[_Phases], builder: TeBuilder) -> SSAValue:
    """Append a compute that rearranges weights that are not constant; return its result.

    The result is the same as for constant weights in `_weights`.  part: the phases, per spatial
    dimension.
    """
    inputs, outputs = sizes_of(op.w)[0], _outputs(op)
    if op.groups > 1:
        inputs = numbers_of([inputs], "channels of a transposed convolution in groups")[0]
        inputs //= op.groups
    count = prod(phases.count for phases in part)
    names = [f"t{i}" for i in range(len(part))]
    axes: dict[str, Extent] = {"o": op.groups * count * outputs, "i": inputs}
    axes |= {a: phases.taps for a, phases in zip(names, part, strict=True)}
    range_of = axis_ranges(axes)
    group = divide("floordiv", variable("o"), count * outputs, range_of)
    left = divide("floordiv", variable("o"), outputs, range_of)
    first = group * inputs if isinstance(inputs, int) else ZERO
    positions = [first + variable("i"), divide("mod", variable("o"), outputs, range_of)]
    taps: list[Index] = []
    for name, phases in reversed(list(zip(names, part, strict=True))):
        phase = divide("mod", left, phases.count, range_of) + phases.first
        left = divide("floordiv", left, phases.count, range_of)
        tap = variable(name) * -phases.positions.step + phases.positions[-1]
        taps.insert(0, phase + tap * phases.stride)
    rests: list[Index] = []
    for tap, phases in zip(taps, part, strict=True):
        positions.append(divide("floordiv", tap, phases.holes, range_of))
        rests.append(divide("mod", tap, phases.holes, range_of))

    def body(s: Scalars, w: SSAValue, *rest: SSAValue) -> SSAValue:
        for r in rest:
            w = s.select(s.compare("eq", r, s.like(0, r)), w, s.like(0, w))
        return w

    reads = [read(builder.value(op.w), positions, 0)]
    reads += [position(r) for r in rests if r != ZERO]
    return builder.pointwise("phase_weights", axes, reads, element_of(op.w), body)


def _bias(op: ConvTransposeOp, count: int, builder: TeBuilder) -> SSAValue | None:
    """Return the bias of the convolution of ``count`` phases; None if the op has no bias.

    Each phase has a copy of the bias of each channel.  Phases are inside the groups of channels.
    """
    if op.b is None or count == 1:
        return None if op.b is None else builder.value(op.b)
    outputs, channels = _outputs(op), count * _channels(op)
    if isinstance(op.b.owner, ConstantOp):
        grouped = op.b.owner.array.reshape(op.groups, 1, outputs)
        return builder.constant(np.repeat(grouped, count, axis=1).reshape(-1))
    axes = {"o": channels}
    range_of = axis_ranges(axes)
    group = divide("floordiv", variable("o"), count * outputs, range_of)
    channel = group * outputs + divide("mod", variable("o"), outputs, range_of)
    result = ComputeResult(("o",), signless(element_of(op.b)))
    inputs = [read(builder.value(op.b), [channel])]
    return builder.compute("phase_bias", axes, inputs, result, lambda _, b: b)


def _interleave(
    op: ConvTransposeOp, phases: SSAValue, builder: TeBuilder, *, merged: bool
) -> SSAValue:
    """Append the compute that interleaves phases; return the result of the transposed convolution.

    phases: the result of the convolutions, in which the phases are blocks of channels.  merged:
    whether the phases are inside each group of channels, as one convolution of all phases stores
    them; otherwise, the phases are outermost.
    """
    axes = axes_of(op.out)
    batch, channel, *spatial = axes
    range_of = axis_ranges(axes)
    phase = ZERO
    blocks: list[Index] = []
    for i, axis in enumerate(spatial):
        y = variable(axis) + op.pads[i]
        phase = phase * op.strides[i] + divide("mod", y, op.strides[i], range_of)
        blocks.append(divide("floordiv", y, op.strides[i], range_of) - _blocks(op, i)[0])
    outputs = _outputs(op) if merged else _channels(op)
    group = divide("floordiv", variable(channel), outputs, range_of)
    within = divide("mod", variable(channel), outputs, range_of)
    at = group * (outputs * prod(op.strides)) + phase * outputs + within
    inputs = [read(phases, [variable(batch), at, *blocks])]
    return builder.pointwise("interleave", axes, inputs, element_of(op.out), lambda _, x: x)


RULES: dict[type, Rule] = {ConvTransposeOp: lower_conv_transpose}

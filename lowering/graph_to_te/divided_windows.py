"""Lower sums over all windows that contain a position: folds and transposed convolutions.

    out[n, o, y] = sum over i, k of x[n, i, (y + low - k * dilation) / stride] * w[i, o, k]

A term exists only if the stride divides ``y + low - k * dilation``; the compute adds 0 for the
other terms. The window may have a symbolic size; the lowering for static sizes (conv_transpose.py)
omits the terms that do not exist.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from xdsl.ir import SSAValue

from ...dialects.graph import ConvTransposeOp, FoldOp
from ...dialects.shape import Extent
from ...dialects.te.build import ComputeResult, position, read
from ...dialects.te.scalars import Scalars, signless, wide_type
from ...dialects.te.view import Access, axis_ranges
from ...support.affine import ZERO, Index, Key, Range, divide, variable
from .builder import Rule, TeBuilder, element_of, is_empty, numbers_of, sizes_of
from .conv import spatial_names


@dataclass(frozen=True)
class DividedWindows:
    """The positions of x that a sum over windows reads, as index expressions per spatial dimension.

    The position is ``(y + low - k * dilation) / stride``; a term of the sum exists only if the
    division has no remainder.
    places: the quotients, rounded down.  rests: the remainders.
    """

    places: list[Index]
    rests: list[Index]

    @staticmethod
    def of(
        outer: Sequence[str],
        inner: Sequence[str],
        steps: Sequence[tuple[int, int, int]],
        range_of: Callable[[Key], Range],
    ) -> DividedWindows:
        """Return the positions of x for the axes of a compute.

        outer: the axes over output positions (y).  inner: the axes over taps (k).  steps: stride,
        dilation and low padding per spatial dimension.  range_of: returns the range of an axis, by
        which the index expressions are simplified.
        """
        made = DividedWindows([], [])
        for y, k, (stride, dilation, low) in zip(outer, inner, steps, strict=True):
            at = variable(y) + low - variable(k) * dilation
            made.places.append(divide("floordiv", at, stride, range_of))
            made.rests.append(divide("mod", at, stride, range_of))
        return made

    def reads(self) -> list[Access]:
        """Return the remainders that are not always 0 as index inputs of a compute, for `term`."""
        return [position(rest) for rest in self.rests if rest != ZERO]

    @staticmethod
    def term(s: Scalars, x: SSAValue, rests: Sequence[SSAValue]) -> SSAValue:
        """Return the term for element x in a compute's body: x, or 0 if a remainder is not 0.

        rests: the arguments of the body for the inputs that `reads` returns.
        """
        for rest in rests:
            x = s.select(s.compare("eq", rest, s.like(0, rest)), x, s.like(0, x))
        return x


def lower_fold(op: FoldOp, builder: TeBuilder) -> SSAValue:
    """Lower to the sum over k of ``x[n, c, k, (y + low - k * dilation) / stride]``.

    Only terms in which the stride divides the numerator count.
    """
    if is_empty(op.x):
        return builder.full(op.inferred_types()[0], 0)
    rank = len(op.image)
    outer, inner = spatial_names(rank)
    stored = dict(zip(("n", "c", *outer), sizes_of(op.out), strict=True))
    axes = {**stored, **dict(zip(inner, sizes_of(op.x)[2 : 2 + rank], strict=True))}
    steps = list(zip(op.strides, op.dilations, op.pads, strict=False))
    windows = DividedWindows.of(outer, inner, steps, axis_ranges(axes))

    def body(s: Scalars, x: SSAValue, *rests: SSAValue) -> SSAValue:
        return windows.term(s, s.widen(x), rests)

    reads = [read(builder.value(op.x), ["n", "c", *inner, *windows.places], 0), *windows.reads()]
    element = element_of(op.x)
    result = ComputeResult(tuple(stored), signless(element), "add", 0, wide_type(element))
    return builder.compute("fold", axes, reads, result, body)


def lower_dynamic_weights(op: ConvTransposeOp, builder: TeBuilder) -> SSAValue:
    """Lower a transposed convolution whose weights have symbolic output channels or taps."""
    inputs, _, *taps = sizes_of(op.w)
    outer, inner = spatial_names(len(taps))
    stored = dict(zip(("n", "o", *outer), sizes_of(op.out), strict=True))
    kernel: dict[str, Extent] = {"i": inputs, **dict(zip(inner, taps, strict=True))}
    first, within = ZERO, variable("o")
    if op.groups > 1:
        first, within = _in_group(op, stored)
        kernel["i"] = numbers_of([inputs], _CHANNELS)[0] // op.groups
    axes = {**stored, **kernel}
    steps = list(zip(op.strides, op.dilations, op.pads, strict=False))
    windows = DividedWindows.of(outer, inner, steps, axis_ranges(axes))
    left, right, target = (element_of(v) for v in (op.x, op.w, op.out))
    wide = wide_type(target)

    def body(s: Scalars, x: SSAValue, w: SSAValue, *rests: SSAValue) -> SSAValue:
        product = s.mul(s.cast(x, left, wide), s.cast(w, right, wide))
        return windows.term(s, product, rests)

    def finish(s: Scalars, total: SSAValue, *bias: SSAValue) -> SSAValue:
        for b in bias:
            total = s.add(total, s.cast(b, target, wide))
        return s.cast(total, wide, target)

    reads = [
        read(builder.value(op.x), ["n", first + variable("i"), *windows.places], 0),
        read(builder.value(op.w), [first + variable("i"), within, *inner]),
        *windows.reads(),
    ]
    post = [] if op.b is None else [read(builder.value(op.b), ("o",))]
    result = ComputeResult(tuple(stored), signless(target), "add", 0, wide)
    return builder.compute("conv_transpose", axes, reads, result, body, post=post, then=finish)


_CHANNELS = "channels of a transposed convolution in groups"


def _in_group(op: ConvTransposeOp, stored: Mapping[str, Extent]) -> tuple[Index, Index]:
    """Return the first input channel of output channel o's group, and the index of o in it.

    stored: the extents of the axes.
    """
    inputs, outputs = numbers_of(sizes_of(op.w)[:2], _CHANNELS)
    range_of = axis_ranges(stored)
    group = divide("floordiv", variable("o"), outputs, range_of)
    within = divide("mod", variable("o"), outputs, range_of)
    return group * (inputs // op.groups), within


RULES: dict[type, Rule] = {FoldOp: lower_fold}

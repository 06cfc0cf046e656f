"""Recognition of convolutions: sums of products of an image's window with a kernel of weights.

    te.compute @conv [n: 1, o: 64, h: 56, w: 56, i: 64 red, r: 3 red, s: 3 red]
        ins(%x[n, i, h + r - 1, w + s - 1] pad 0.0, %w[o, i, r, s]) outs([n, o, h, w] add 0.0 ..)
        body(%x, %w) { mulf }

In: a compute in value or buffer form, with channels of the image in any layout.  Out: its Window.
None if the stride or the dilation is not 1, channels are in groups, there are not two spatial axes,
or the compute is no sum of products in f32.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects.builtin import FloatAttr, f32

from ...dialects.te import ComputeView
from ...support.affine import variable
from .contraction import contraction_of, sliding_axes


@dataclass(frozen=True)
class Window:
    """Axes of a convolution over two spatial dimensions with stride 1.

    rows, columns: axes of the output's pixels.  taps: axes of the kernel's rows and columns.
    channel, feature: axes of input and output channels.  batch: all other axes.
    image, weights: positions in ``view.inputs``.
    """

    rows: str
    columns: str
    taps: tuple[str, str]
    channel: str
    feature: str
    batch: tuple[str, ...]
    image: int
    weights: int


def find_window(view: ComputeView) -> Window | None:
    """Return the axes of a convolution with stride 1, or None for any other compute."""
    found = contraction_of(view)
    if found is None or not (found.multiplies_floats() and _is_plain_f32(view)):
        return None
    for image in (0, 1):
        steps, weights = sliding_axes(view, view.inputs[image]), view.inputs[1 - image]
        axes = {axis for step in steps for axis in (step.pixels, step.taps)}
        if len(steps) != 2 or len(axes) != 4 or any({s.stride, s.dilation} != {1} for s in steps):
            continue
        rows, columns = (step.pixels for step in steps)
        taps = steps[0].taps, steps[1].taps
        channels = [axis for axis in found.sums if axis not in taps]
        features = found.only_of(1 - image)
        places = [e.variable() for e in weights.indices or ()]
        if len(channels) != 1 or sorted(map(str, places)) != sorted((*found.sums, *features)):
            continue
        are_stored = all(_is_stored_plainly(view, axis) for axis in (rows, columns))
        if len(features) == 1 and view.axes[features[0]] != 1 and are_stored:
            own = (rows, columns, features[0])
            batch = tuple(a for a in view.parallel_axes() if a not in own)
            return Window(rows, columns, taps, channels[0], features[0], batch, image, 1 - image)
    return None


def _is_stored_plainly(view: ComputeView, axis: str) -> bool:
    """Return whether an axis indexes one dimension of the result, plus at most a constant."""
    at = [e for e in view.outputs[0].indices or [] if axis in set(e.variables())]
    return len(at) == 1 and at[0] == variable(axis) + at[0].const


def _is_plain_f32(view: ComputeView) -> bool:
    """Return whether an untiled compute reads and stores f32, and starts its sums at 0."""
    output = view.outputs[0]
    starts_at_zero = isinstance(output.init, FloatAttr) and output.init.value.data == 0.0
    accesses = (*view.inputs, output)
    all_f32 = all(a.indices is not None and a.argument_type == f32 for a in accesses)
    return starts_at_zero and all_f32 and not view.tile

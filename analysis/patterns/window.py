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

from ...dialects.te import Access, ComputeView
from ...support.affine import Key, variable
from .bodies import is_sum_of_products


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


def slides(view: ComputeView, access: Access) -> bool:
    """Return whether an index of an access contains both a reduction axis and a parallel axis."""
    reduced = {a for a in view.reduced_axes() if view.axes[a] != 1}
    keys = [set(index.terms) for index in access.indices or []]
    return any(k & reduced and k - reduced for k in keys)


def find_window(view: ComputeView) -> Window | None:
    """Return the axes of a convolution with stride 1, or None for any other compute."""
    if not (is_sum_of_products(view) and _is_plain_f32(view)):
        return None
    reduced = set(view.reduced_axes())
    for image, weights in ((0, 1), (1, 0)):
        plain = _plain_axes(view.inputs[weights])
        if plain is None or not reduced <= plain or len(reduced) != 3:
            continue
        found = _with_image(view, image, weights, plain)
        if found is not None:
            return found
    return None


def _with_image(view: ComputeView, image: int, weights: int, plain: set[str]) -> Window | None:
    access, output = view.inputs[image], view.outputs[0]
    features = plain - set(view.reduced_axes())
    slides = [pair for e in access.indices or [] if (pair := _slide(view, dict(e.terms)))]
    if len(features) != 1 or len(slides) != 2 or len({a for pair in slides for a in pair}) != 4:
        return None
    (rows, r), (columns, s) = slides
    (feature,) = features
    channels = [a for a in view.reduced_axes() if a not in (r, s)]
    if feature in access.axes() or len(channels) != 1 or view.axes[feature] == 1:
        return None
    for axis in (rows, columns):
        at = [e for e in output.indices or [] if axis in set(e.variables())]
        if len(at) != 1 or at[0] != variable(axis) + at[0].const:
            return None
    own = (rows, columns, feature)
    batch = tuple(a for a in view.parallel_axes() if a not in own)
    return Window(rows, columns, (r, s), channels[0], feature, batch, image, weights)


def _is_plain_f32(view: ComputeView) -> bool:
    """Return whether an untiled compute reads and stores f32, and starts its sums at 0."""
    output = view.outputs[0]
    starts_at_zero = isinstance(output.init, FloatAttr) and output.init.value.data == 0.0
    accesses = (*view.inputs, output)
    all_f32 = all(a.indices is not None and a.argument_type == f32 for a in accesses)
    return starts_at_zero and all_f32 and not view.tile


def _plain_axes(access: Access) -> set[str] | None:
    """Return the axes of an operand if each dimension is indexed by one axis; else None."""
    axes = [e.variable() for e in access.indices or []]
    if not all(isinstance(a, str) for a in axes) or len(set(axes)) != len(axes):
        return None
    return {str(a) for a in axes}


def _slide(view: ComputeView, terms: dict[Key, int]) -> tuple[str, str] | None:
    """Return the pixel axis and the tap axis whose sum, plus a constant, is the index; or None."""
    if len(terms) != 2 or set(terms.values()) != {1}:
        return None
    reduced = set(view.reduced_axes())
    taps = [k for k in terms if isinstance(k, str) and k in reduced]
    pixels = [k for k in terms if isinstance(k, str) and k not in reduced]
    return (pixels[0], taps[0]) if len(taps) == len(pixels) == 1 else None

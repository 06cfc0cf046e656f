"""cpu-choose-algorithms: mark convolutions that later passes compute by another algorithm.

    %y = te.compute @conv [.., r: 3 red, s: 3 red] ..
==>
    %y = te.compute @conv [.., r: 3 red, s: 3 red] .. role(winograd 4 2) ..

te-winograd computes the marked convolutions by tiles; targets/cpu/plan/winograd.py
chooses them, none with ``precision`` "strict".  te-outline puts a convolution with
``role(joins_reader)`` into the kernel of the depthwise convolution that reads it;
targets/cpu/plan/fused_depthwise.py chooses these.  The option ``choices`` has the algorithms of
convolutions by node: ``conv1=direct``, or ``conv1=winograd4`` for tiles of 4 x 4 pixels.

Before: main holds value-form te ops and packed.constant.  After: marked computes are convolutions
with constant weights.
Exact: only roles are set.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import prod
from types import MappingProxyType

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from ....analysis.patterns.combiners import is_zero
from ....analysis.patterns.window import Window, find_window
from ....dialects.packed import ConstantOp
from ....dialects.shape import Dim, element_count, extent_of, likely
from ....dialects.te import ComputeOp, ComputeView
from ....dialects.te.role import JoinsReader, WinogradTiles
from ....machines.target import Target
from ....machines.target_passes import TargetedPass
from ....passes.te.storage import outside
from ....support.passes import ChoosingPass
from ....support.precision import Precision, parse_precision
from ..layouts import channel_block
from ..plan.fused_depthwise import IMAGES, joins_reader
from ..plan.winograd import (
    TILES,
    DynamicImages,
    Layer,
    WinogradPlan,
    choose_dynamic_winograd,
    choose_winograd,
)
from .direct_products import multiplies_pixels_by_tiles

PIXELS = 128
"""The largest height and width at which costs are estimated, if they are symbolic."""


DIRECT = "direct"

TILED: Mapping[str, int] = MappingProxyType({f"winograd{tile}": tile for tile in TILES})
"""The words of Winograd algorithms, and the height and width of their tiles."""


@dataclass(frozen=True)
class CpuChooseAlgorithms(ChoosingPass, TargetedPass):
    """Mark convolutions for Winograd, or for the kernel of their reader.

    precision: default or strict; "strict" allows no Winograd.
    """

    name = "cpu-choose-algorithms"

    precision: str = "default"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        self.check_nodes(op)
        computes = [each for each in op.walk() if isinstance(each, ComputeOp)]
        for compute in computes:
            if _joins_reader(compute, self.target) and self.chosen(compute) != DIRECT:
                compute.take_role(JoinsReader())
        for compute in computes:
            word = self.chosen(compute)
            if word != DIRECT and self._allows_winograd(compute):
                plan = _winograd(compute, self.target, TILED.get(word))
                if plan is not None:
                    numbers = plan.tile, plan.rows, plan.columns
                    compute.take_role(WinogradTiles(*numbers, plan.when, plan.other))

    def _allows_winograd(self, op: ComputeOp) -> bool:
        is_strict = parse_precision(self.precision) is Precision.STRICT
        return not is_strict and not multiplies_pixels_by_tiles(op.view(), self.target)

    def words(self, op: Operation) -> tuple[str, ...]:
        if not isinstance(op, ComputeOp):
            return ()
        if _joins_reader(op, self.target):
            return (DIRECT,)
        has_symbols = any(isinstance(extent, Dim) for extent in op.view().axes.values())
        if has_symbols or not self._allows_winograd(op):
            return ()
        return (DIRECT, *TILED) if _winograd(op, self.target, min(TILED.values())) else ()


def has_faster_algorithm(op: ComputeOp, target: Target) -> bool:
    """Return whether another algorithm is faster for a convolution than a direct kernel.

    The other algorithms are Winograd, and computing the convolution in the kernel of its reader.
    """
    if multiplies_pixels_by_tiles(op.view(), target):
        return False
    return joins_reader(op, target) or _winograd(op, target) is not None


def _joins_reader(op: ComputeOp, target: Target) -> bool:
    return not multiplies_pixels_by_tiles(op.view(), target) and joins_reader(op, target)


def _winograd(op: ComputeOp, target: Target, tile: int | None = None) -> WinogradPlan | None:
    """Return the parameters of Winograd for a convolution; None for another algorithm.

    tile: the height and width of a tile of pixels; None: the cost model chooses.
    """
    view = op.view()
    window = find_window(view)
    layout = view.outputs[0].layout
    if window is None or not _has_tiles(view, window):
        return None
    if [view.extents[a] for a in window.taps] != [3, 3]:
        return None
    block = channel_block(layout)
    if block is None:
        return None
    weights = view.inputs[window.weights].value
    if weights is None or not isinstance(weights.owner, ConstantOp):
        return None
    pixels = [view.axes[a] for a in (window.rows, window.columns)]
    height, width = (n if isinstance(n, int) else min(likely(n), PIXELS) for n in pixels)
    layer = Layer(
        images=prod(e if isinstance(e := view.axes[a], int) else IMAGES for a in window.batch),
        height=height,
        width=width,
        channels=view.extents[window.channel],
        features=view.extents[window.feature],
    )
    lanes = min(block, target.lanes(32))
    if all(isinstance(n, int) for n in pixels):
        return choose_winograd(layer, lanes, target, tile)
    images = extent_of(element_count(Dim.of(view.axes[a]) for a in window.batch))
    before, after = _zeros(view, window)
    shape = DynamicImages(images, (pixels[0], pixels[1]), before, after)
    return choose_dynamic_winograd(layer, shape, lanes, target)


def _zeros(view: ComputeView, window: Window) -> tuple[tuple[int, int], tuple[int, int]]:
    """Return the rows and columns of zeros around an image that a convolution's window reads.

    The first pair (rows, columns) is before the image, the second one after it.
    """
    image = view.inputs[window.image]
    if not is_zero(image.pad):
        return (0, 0), (0, 0)
    found: list[tuple[int, int]] = []
    for axis in (window.rows, window.columns):
        places = zip(image.indices or (), image.extents, strict=True)
        reaches = (outside(index, size, view) for index, size in places if axis in index.terms)
        found.append(next(reaches, None) or (0, 0))
    (top, bottom), (left, right) = found
    return (top, left), (bottom, right)


def _has_tiles(view: ComputeView, window: Window) -> bool:
    """Return whether Winograd can apply: only height, width and batch may be symbolic.

    A symbolic batch must be the whole index of a dimension in every access.
    """
    symbolic = {axis for axis, extent in view.axes.items() if isinstance(extent, Dim)}
    symbolic -= {window.rows, window.columns}
    indices = [index for access in view.accesses() for index in access.indices or ()]
    plain = all(
        index.variable() in symbolic for index in indices if symbolic & {*index.variables()}
    )
    return symbolic <= {*window.batch[:1]} and plain

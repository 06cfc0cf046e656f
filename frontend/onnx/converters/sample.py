"""Convert sampling on grids and regions: GridSample, AffineGrid, RoiAlign, MaxRoiPool."""

from __future__ import annotations

from functools import partial

import numpy as np
from xdsl.dialects.builtin import i64

from ....dialects.dtypes import numpy_dtype
from ....dialects.graph import GridSampleOp, MatmulOp, RoiAlignOp, RoiPoolOp
from ....dialects.shape import Dim
from ....support.diagnostics import ModelError, UnsupportedOp
from ..builder import Builder, Tensor
from ..node import Node, OpConverter
from ..sizes.equal_sizes import check_elements
from .index import check_indices

_MODES = {"bilinear": "linear", "bicubic": "cubic"}


def grid_sample(node: Node, b: Builder) -> Tensor:
    """Sample images at the positions of a grid."""
    for axis, size in enumerate(node[0].dims[2:], 2):
        check_elements(size, axis, b.facts)
    mode = node.text("mode", "bilinear" if node.opset < 20 else "linear")
    op = GridSampleOp(
        b.ssa(node[0]),
        b.ssa(node[1]),
        mode=_MODES.get(mode, mode),
        padding=node.text("padding_mode", "zeros"),
        align=bool(node.integer("align_corners", 0)),
    )
    return b.emit(op)


def affine_grid(node: Node, b: Builder) -> Tensor:
    """Transform a constant grid of positions by a matrix per image."""
    theta, size = node[0], node.ints_at(1, "size")
    if size is None or len(size) not in (4, 5):
        raise ModelError("AffineGrid needs a size of 4 or 5 numbers", got=size)
    spatial, aligned = size[2:], bool(node.integer("align_corners", 0))
    steps = [_steps(n, aligned=aligned) for n in spatial]
    # Innermost coordinate first, then 1.
    planes = [*np.meshgrid(*steps, indexing="ij")[::-1], np.ones(spatial)]
    plain = np.stack(planes, axis=-1).reshape(1, -1, len(planes))
    dtype = numpy_dtype(theta.dtype)
    shape = (theta.dims[0], *map(Dim.const, plain.shape[1:]))
    grid = b.broadcast_to(Tensor.of_array(plain.astype(dtype)), shape)
    made = b.emit(MatmulOp(b.ssa(grid), b.ssa(theta), transpose_rhs=True))
    return b.reshape(made, (theta.dims[0], *spatial, len(spatial)))


def _steps(count: int, *, aligned: bool) -> np.ndarray:
    if aligned:
        return np.linspace(-1, 1, count) if count > 1 else np.zeros(1) - 1
    return (np.arange(count) * 2 + 1) / count - 1


def roi_align(node: Node, b: Builder, *, default: str) -> Tensor:
    """Compute means or maxima of samples in regions of images.

    default: the coordinate mode if the attribute is absent; before opset 16, a mode without the
    shift by half a pixel.
    """
    coordinates = node.text("coordinate_transformation_mode", default)
    if coordinates not in ("half_pixel", "output_half_pixel"):
        raise UnsupportedOp("unknown coordinate_transformation_mode", got=coordinates)
    images = b.cast(node[2], i64)
    check_indices(node, b, images, node[0].dims[:1], wraps=False)
    op = RoiAlignOp(
        b.ssa(node[0]),
        b.ssa(node[1]),
        b.ssa(images),
        mode=node.text("mode", "avg"),
        size=(node.integer("output_height", 1), node.integer("output_width", 1)),
        sampling=node.integer("sampling_ratio", 0),
        scale=node.number("spatial_scale", 1.0),
        half_pixel=coordinates == "half_pixel",
    )
    return b.emit(op)


def max_roi_pool(node: Node, b: Builder) -> Tensor:
    """Divide regions with integer corners into parts, and compute the maximum of each part."""
    images = b.cast(b.slice(node[1], 1, 0, 1), i64)
    check_indices(node, b, images, node[0].dims[:1], wraps=False)
    size = node.ints("pooled_shape")
    op = RoiPoolOp(
        b.ssa(node[0]), b.ssa(node[1]), size=size, scale=node.number("spatial_scale", 1.0)
    )
    return b.emit(op)


CONVERTERS = (
    OpConverter("GridSample", grid_sample, since=16),
    OpConverter("AffineGrid", affine_grid, since=20),
    OpConverter("RoiAlign", partial(roi_align, default="half_pixel"), since=16),
    OpConverter("RoiAlign", partial(roi_align, default="output_half_pixel"), since=10, until=15),
    OpConverter("MaxRoiPool", max_roi_pool),
)

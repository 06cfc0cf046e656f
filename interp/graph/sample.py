"""Reference semantics of sampling: resample, grid_sample, roi_align and roi_pool."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass

import numpy as np

from ...dialects.graph import GridSampleOp, ResampleOp, RoiAlignOp, RoiPoolOp
from ..scalar import Array, accumulator, rounded, widened
from .context import Evaluator, Sizes, result_dtype, result_shape
from .index import check_inside


def resample(op: ResampleOp, args: tuple[Array, ...], sizes: Sizes) -> tuple[Array]:
    """Evaluate graph.resample, one term of the weighted sums after the other."""
    x, indices = args[:2]
    size = x.shape[op.axis]
    if op.step is not None:
        rows = np.arange(size * len(indices) // op.step)
        period, row = rows // len(indices), rows % len(indices)
        indices = (indices[row] + period[:, None] * op.step).clip(0, max(size - 1, 0))
        args = (x, indices, *(weights[row] for weights in args[2:]))
    check_inside(op, indices, size)
    if len(args) == 2:
        return (np.take(x, indices[:, 0], axis=op.axis),)
    along = (-1, *(1,) * (x.ndim - op.axis - 1))
    total = np.zeros(result_shape(op.out, sizes), accumulator(x).dtype)
    for index, weight in zip(indices.T, args[2].T, strict=True):
        total = total + accumulator(np.take(x, index, axis=op.axis)) * weight.reshape(along)
    return (rounded(total, result_dtype(op.out)),)


def grid_sample(op: GridSampleOp, args: tuple[Array, ...], sizes: Sizes) -> tuple[Array]:
    """Evaluate graph.grid_sample; positions have the precision of the grid, at least f32."""
    x, grid = args[0], widened(args[1])
    spatial = x.shape[2:]
    taps = {"nearest": (0,), "linear": (0, 1), "cubic": (-1, 0, 1, 2)}[op.mode]
    axes = [
        _GridAxis(op, size).taps(grid[..., len(spatial) - 1 - i], taps)
        for i, size in enumerate(spatial)
    ]
    total: Array = np.zeros((), accumulator(x).dtype)
    for chosen in itertools.product(*axes):
        weight = math.prod((w for _, w, _ in chosen), start=np.ones((), total.dtype))
        inside = np.all([i for _, _, i in chosen], axis=0)
        picked = np.zeros((*x.shape[:2], *grid.shape[1:-1]), total.dtype)
        for n, image in enumerate(x):
            picked[n] = accumulator(image[(slice(None), *(at[n] for at, _, _ in chosen))])
        total = total + np.where(inside[:, None], picked * weight[:, None], 0)
    return (rounded(np.asarray(total), x.dtype),)


@dataclass(frozen=True)
class _GridAxis:
    """The sampling of one dimension of x at the coordinates of a grid."""

    op: GridSampleOp
    size: int

    def taps(self, grid: Array, taps: tuple[int, ...]) -> list[tuple[Array, Array, Array]]:
        """Return the elements from which each sample is interpolated along this dimension.

        grid: the normalized coordinates of the samples.  taps: the distances of the elements from
        the sample's floor, such as 0 and 1.  The result has for each tap the indices, the weights,
        and a mask of the indices inside x.
        """
        size, op = self.size, self.op
        at = (grid + 1) / 2 * (size - 1) if op.align else ((grid + 1) * size - 1) / 2
        at = at.astype(grid.dtype)
        if op.mode == "nearest":
            at = np.round(at)
        low, high = (0.0, size - 1.0) if op.align else (-0.5, size - 0.5)
        beyond = ((at < low) | (at > high)) & (op.mode != "cubic")
        at = np.where(beyond, self._moved(at), at)
        floor = np.floor(at)
        fraction = at - floor
        found: list[tuple[Array, Array, Array]] = []
        for tap in taps:
            position = self._moved(floor + tap)
            index = np.clip(np.nan_to_num(position), 0, size - 1).astype(np.int64)
            inside = (position >= 0) & (position < size)
            found.append((index, self._weight(tap, fraction), inside))
        return found

    def _moved(self, at: Array) -> Array:
        """Move positions into the axis, as padding mode "border" or "reflection" requires."""
        if self.op.padding == "border":
            return np.clip(at, 0, self.size - 1)
        if self.op.padding == "zeros":
            return at
        low, high = (0.0, self.size - 1.0) if self.op.align else (-0.5, self.size - 0.5)
        if high == low:
            return at * 0
        turns = np.floor(np.abs(at - low) / (high - low))
        rest = np.abs(at - low) - turns * (high - low)
        return np.where(turns % 2 == 0, low + rest, high - rest)

    def _weight(self, tap: int, fraction: Array) -> Array:
        if self.op.mode == "nearest":
            return np.ones_like(fraction)
        distance = np.abs(tap - fraction)
        if self.op.mode == "linear":
            return 1 - distance
        near = (1.25 * distance - 2.25) * distance**2 + 1
        far = ((-0.75 * distance + 3.75) * distance - 6) * distance + 3
        return np.where(distance <= 1, near, far)


def roi_align(op: RoiAlignOp, args: tuple[Array, ...], sizes: Sizes) -> tuple[Array]:
    """Evaluate graph.roi_align, by loops over regions and bins."""
    x, rois, batch = accumulator(args[0]), accumulator(args[1]), args[2]
    out: Array = np.zeros(result_shape(op.out, sizes))
    for r, region in enumerate(rois):
        image = x[batch[r]]
        rows = _bins(op, region[1], region[3], x.shape[2], op.size[0])
        columns = _bins(op, region[0], region[2], x.shape[3], op.size[1])
        for i, row in enumerate(rows):
            for j, column in enumerate(columns):
                out[r, :, i, j] = _bin_value(op, image, row, column)
    return (rounded(out, args[0].dtype),)


def _bins(op: RoiAlignOp, start: float, end: float, size: int, count: int) -> list[list[float]]:
    """Return the sample positions of each bin of a region along one dimension.

    start, end: the corners of the region, not scaled yet.  size: the size of the feature map.
    count: the number of bins.
    """
    shift = 0.5 if op.half_pixel else 0.0
    start, end = start * op.scale - shift, end * op.scale - shift
    length = end - start if op.half_pixel else max(end - start, 1.0)
    width = length / count
    samples = op.sampling or min(math.ceil(width), -(-size // count))
    return [
        [start + i * width + (s + 0.5) * width / samples for s in range(samples)]
        for i in range(count)
    ]


def _bin_value(op: RoiAlignOp, image: Array, rows: list[float], columns: list[float]) -> Array:
    values = [_neighbours(image, y, x) for y in rows for x in columns]
    if not values:
        return np.zeros(image.shape[0])
    if op.mode == "max":
        return np.max([np.max(v, axis=0) for v in values], axis=0)
    return np.sum([np.sum(v, axis=0) for v in values], axis=0) / len(values)


def _neighbours(image: Array, y: float, x: float) -> list[Array]:
    """Return the four elements around position (y, x), times their weights; 0 outside the image."""
    along: list[list[tuple[int, float]]] = []
    for at, size in ((y, image.shape[1]), (x, image.shape[2])):
        if at < -1 or at > size:
            return [np.zeros(image.shape[0])] * 4
        at = max(at, 0.0)
        low = min(int(at), size - 1)
        fraction = at - low if low < size - 1 else 0.0
        along.append([(low, 1 - fraction), (min(low + 1, size - 1), fraction)])
    return [image[:, i, j] * (v * w) for i, v in along[0] for j, w in along[1]]


def roi_pool(op: RoiPoolOp, args: tuple[Array, ...], sizes: Sizes) -> tuple[Array]:
    """Evaluate graph.roi_pool, by loops over regions and bins."""
    x, rois = args[0], widened(args[1])
    out: Array = np.zeros(result_shape(op.out, sizes), x.dtype)
    for r, region in enumerate(rois):
        x1, y1, x2, y2 = (_round_away(c * rois.dtype.type(op.scale)) for c in region[1:])
        image = x[int(region[0])]
        for i in range(op.size[0]):
            rows = _pooled(y1, y2, i, op.size[0], x.shape[2])
            for j in range(op.size[1]):
                part = image[:, rows, _pooled(x1, x2, j, op.size[1], x.shape[3])]
                if part.size:
                    out[r, :, i, j] = part.max(axis=(1, 2))
    return (out,)


def _round_away(x: float) -> int:
    return int(math.floor(abs(x) + 0.5) * math.copysign(1, x))


def _pooled(start: int, end: int, i: int, count: int, size: int) -> slice:
    """Return the elements of a bin of a region along one axis, as a slice of the feature map.

    start, end: the first and last element of the region.  i, count: the number of the bin, and the
    number of bins.  size: the size of the feature map.
    """
    length = max(end - start + 1, 1)
    first, last = start + i * length // count, start - (-(i + 1) * length // count)
    return slice(min(max(first, 0), size), min(max(last, 0), size))


EVALUATORS: dict[type, Evaluator] = {
    ResampleOp: resample,
    GridSampleOp: grid_sample,
    RoiAlignOp: roi_align,
    RoiPoolOp: roi_pool,
}

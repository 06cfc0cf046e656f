"""Operators on boxes: overlaps, anchors, non-maximum suppression, crops of images.

A box is a row of two corners (x, y, x, y), unless stated otherwise.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..frontend.te.tensor import Tensor
from ..support.diagnostics import TypeMismatch
from ..tracing.control import scan
from .activations import clip
from .arrangement import expand_dims, stack
from .arrays import current_trace
from .composed import argmax, greater_equal
from .converted import converted
from .layout import unstack
from .positions import argsort, full, take
from .table import TensorLike, call


def box_iou(x: Tensor, y: Tensor) -> Tensor:
    """Return the intersection over the union of each pair of boxes; 0 for two empty boxes.

    Shapes: x (…, N, 4), y (…, M, 4); the result (…, N, M).
    """
    first, second = expand_dims(x, -2), expand_dims(y, -3)
    left, right = unstack(first, -1), unstack(second, -1)
    sides = [
        call("max", call("sub", call("min", left[n + 2], right[n + 2]),
                         call("max", left[n], right[n])), 0)
        for n in range(2)
    ]  # fmt: skip
    shared = call("mul", *sides)
    union = call("sub", call("add", _area(left), _area(right)), shared)
    is_empty = call("eq", union, 0)
    return call("select", is_empty, 0, call("div", shared, call("select", is_empty, 1, union)))


def _area(corners: Sequence[Tensor]) -> Tensor:
    sides = [call("max", call("sub", corners[n + 2], corners[n]), 0) for n in range(2)]
    return call("mul", *sides)


def all_class_non_max_suppression(
    boxes: Tensor,
    scores: Tensor,
    limit: int,
    iou: float = 0.5,
    above: float | None = None,
    *,
    center: bool = False,
) -> Tensor:
    """Return, per class, the boxes that no better one overlaps, best first, as int64.

    limit: the largest number of boxes per batch entry and class.  iou: the intersection over union
    above which boxes overlap.  above: the least score, excluded.
    center: whether a box is (x, y, width, height) with its center, not two corners (y, x, y, x).
    Shapes: boxes (B, N, 4), scores (B, C, N); the result (n, 3): batch, class, box. n depends on
    the data, so the operands are arrays of a traced function.
    Errors: TypeMismatch for te tensors.
    Source: ONNX NonMaxSuppression-11.
    """
    threshold = None if above is None else np.float32(above)
    return converted(
        "all_class_non_max_suppression", "NonMaxSuppression", boxes, scores, np.int64(limit),
        np.float32(iou), threshold, center_point_box=int(center),
    )  # fmt: skip


def get_valid_counts(
    x: Tensor, threshold: float = 0.0, *, score: int = 1, label: int = 0
) -> tuple[Tensor, Tensor, Tensor]:
    """Move the detections whose score exceeds a threshold to the front.

    score, label: the columns of the score and of the class, which is at least 0 if it counts; a
    negative column of the class: all classes count.
    Shapes: x (B, N, K); the results: numbers of detections (B) of int32; the moved rows (B, N, K),
    -1 behind them; the original positions (B, N) of int32, -1 behind them.
    """
    is_valid = call("lt", threshold, _column(x, score))
    if label >= 0:
        is_valid = call("and_", is_valid, greater_equal(_column(x, label), 0))
    counts = call("reduce", call("cast", is_valid, "int32"), kind="sum", axes=[1])
    order = argsort(call("cast", is_valid, "int32"), 1, descending=True)
    rows, kept = _front(x, order, counts)
    return counts, rows, call("cast", call("select", kept, order, -1), "int32")


def _column(x: Tensor, number: int) -> Tensor:
    part = call("slice", x, [0, 0, number], [*x.shape[:2], 1], [1] * 3)
    return call("reshape", part, list(x.shape[:2]))


def _front(x: Tensor, order: Tensor, counts: Tensor) -> tuple[Tensor, Tensor]:
    """Return the rows of x in an order, -1 after the first ``counts``, and which rows are these."""
    places = call("broadcast", order, list(x.shape), [0, 1])
    kept = call("lt", call("iota", list(x.shape[:2]), 1, "int32"), expand_dims(counts, 1))
    rows = call("gather_elements", x, places, 1)
    return call("select", expand_dims(kept, 2), rows, -1), kept


def non_max_suppression(
    x: Tensor,
    counts: Tensor,
    *,
    limit: int = -1,
    iou: float = 0.5,
    top_k: int = -1,
    across_classes: bool = False,
    label: int = 0,
    score: int = 1,
    corners: int = 2,
) -> Tensor:
    """Keep the detections of each batch entry that no better one overlaps.

    The kept rows come first, by descending score; the other rows are -1.
    counts: how many of the first rows count.  limit, top_k: the largest number of results, and of
    best rows that are compared; negative: all.  iou: the intersection over union from which on
    boxes overlap.  across_classes: whether boxes of different classes suppress each other.
    label, score, corners: the columns of the class, of the score, and of the first corner.
    Shapes: x (B, N, K), counts (B) of int32; the result (B, N, K).
    """
    size = x.shape[1]
    lowest = full([1], float("-inf"), x.dtype)
    counted = call("lt", call("iota", list(x.shape[:2]), 1, "int32"), expand_dims(counts, 1))
    scores = call("select", counted, _column(x, score), lowest)
    order = argsort(scores, 1, descending=True)
    best = call("min", counts, top_k if top_k >= 0 else size)
    rows, candidates = _front(x, order, best)
    boxes = call("slice", rows, [0, 0, corners], [*x.shape[:2], 4], [1] * 3)
    clash = greater_equal(box_iou(boxes, boxes), iou)
    if not across_classes and label >= 0:
        classes = _column(rows, label)
        same = call("eq", expand_dims(classes, 1), expand_dims(classes, 2))
        clash = call("and_", clash, same)
    kept = _independent(clash, candidates)
    number = call("cumulative", call("cast", kept, "int32"), kind="sum", axis=1)
    if limit >= 0:
        kept = call("and_", kept, call("le", number, limit))
    flags = call("cast", kept, "int32")
    total = call("reduce", flags, kind="sum", axes=[1])
    return _front(rows, argsort(flags, 1, descending=True), total)[0]


def _independent(clash: Tensor, candidates: Tensor) -> Tensor:
    """Return the rows that no earlier row of the result clashes with.

    Shapes: clash (B, N, N), candidates (B, N) of bool; the result (B, N).
    """
    if current_trace() is None:
        raise TypeMismatch("ops.non_max_suppression: each box depends on all better ones",
                           expected="arrays of a traced function", got=repr(candidates),
                           hint="call the operator in a tilewright.function")  # fmt: skip
    places = call("iota", list(candidates.shape), 1, "int64")

    def step(kept: Any, row: Any) -> tuple[Any, None]:
        place, pairs, is_candidate = row
        beaten = call("reduce", call("cast", call("and_", pairs, kept), "int32"), kind="max",
                      axes=[1], keep=True)  # fmt: skip
        is_kept = call("and_", expand_dims(is_candidate, 1), call("eq", beaten, 0))
        here = call("and_", call("eq", places, place), is_kept)
        return call("or_", kept, here), None

    rows = (
        call("iota", [candidates.shape[1]], 0, "int64"),
        call("transpose", clash, [1, 0, 2]),
        call("transpose", candidates, [1, 0]),
    )
    none: Any = call("lt", places, 0)
    return scan(step, none, rows)[0]


def multibox_prior(
    x: Tensor,
    sizes: Sequence[float] = (1.0,),
    ratios: Sequence[float] = (1.0,),
    *,
    steps: tuple[float, float] | None = None,
    offsets: tuple[float, float] = (0.5, 0.5),
    clipped: bool = False,
) -> Tensor:
    """Return anchor boxes around each pixel of a feature map, relative to the size of the image.

    A pixel has an anchor of each size with the first ratio, then one of the first size with each
    other ratio; a ratio is width / height of the anchor in a square image.
    steps: distances of pixels (y, x); by default 1 / H and 1 / W.  offsets: positions of the
    centers, in steps.
    clipped: whether corners are limited to 0..1.
    Shapes: x (N, C, H, W) with known H and W; the result (1, H · W · (sizes + ratios - 1), 4).
    Errors: TypeMismatch for a symbolic H or W.
    Source: Liu et al., SSD: Single Shot MultiBox Detector (ECCV 2016).
    """
    height, width = _known_sizes("multibox_prior", x)
    step = (1 / height, 1 / width) if steps is None else steps
    shapes = [(s * height / width * ratios[0] ** 0.5, s / ratios[0] ** 0.5) for s in sizes]
    shapes += [(sizes[0] * height / width * r**0.5, sizes[0] / r**0.5) for r in ratios[1:]]
    half = np.array(shapes) / 2
    y = (np.arange(height) + offsets[0]) * step[0]
    z = (np.arange(width) + offsets[1]) * step[1]
    centers = np.stack(np.broadcast_arrays(z[None, :], y[:, None]), -1)[:, :, None]
    corners = np.concatenate([centers - half, centers + half], -1).reshape(1, -1, 4)
    made = corners.clip(0, 1) if clipped else corners
    return call("reshape", np.ascontiguousarray(made, x.dtype), list(made.shape))


def _known_sizes(name: str, x: Tensor) -> tuple[int, int]:
    height, width = x.shape[2:]
    if not isinstance(height, int) or not isinstance(width, int):
        raise TypeMismatch(f"ops.{name}: height and width are numbers", got=repr(x))
    return height, width


def multibox_transform_loc(
    chances: Tensor,
    moves: Tensor,
    anchors: TensorLike,
    *,
    threshold: float = 0.01,
    variances: Sequence[float] = (0.1, 0.1, 0.2, 0.2),
    clipped: bool = True,
) -> tuple[Tensor, Tensor]:
    """Return the detections (class, score, corners) of a network with anchors, and their numbers.

    The class of an anchor is its most probable one but class 0, the background, minus 1. Anchors
    with a smaller score than the threshold do not count; the others come first, and -1 after them.
    moves: shifts of the center in sizes of the anchor, and logarithms of factors of its sizes (x,
    y, width, height), each divided by its variance.  clipped: whether corners are limited to 0..1.
    Shapes: chances (B, C, N), moves (B, N · 4), anchors (1, N, 4); the results (B, N, 6), and (B)
    of int32.
    """
    batch, classes, count = chances.shape
    scores = call("slice", chances, [0, 1, 0], [batch, classes - 1, count], [1] * 3)
    best = call("reduce", scores, kind="max", axes=[1])
    label = call("cast", argmax(scores, 1), chances.dtype)
    boxes = _moved(call("reshape", moves, [batch, count, 4]), anchors, variances)
    boxes = clip(boxes, 0, 1) if clipped else boxes
    rows = call("concat", [stack([label, best], -1), boxes], 2)
    is_valid = call("cast", greater_equal(best, threshold), "int32")
    total = call("reduce", is_valid, kind="sum", axes=[1])
    return _front(rows, argsort(is_valid, 1, descending=True), total)[0], total


def _moved(moves: Tensor, anchors: TensorLike, variances: Sequence[float]) -> Tensor:
    """Return boxes (…, 4): anchors whose centers and sizes are moved."""
    corners: Any = call("reshape", anchors, list(anchors.shape))
    rank = len(anchors.shape)
    low = call("slice", corners, [0] * rank, [*anchors.shape[:-1], 2], [1] * rank)
    high = call("slice", corners, [0] * (rank - 1) + [2], [*anchors.shape[:-1], 2], [1] * rank)
    size, center = call("sub", high, low), call("mul", call("add", low, high), 0.5)
    scaled = call("mul", moves, np.array(variances, moves.dtype))
    outer = list(moves.shape[:-1])
    shift = call("slice", scaled, [0] * moves.ndim, [*outer, 2], [1] * moves.ndim)
    grow = call("slice", scaled, [0] * (moves.ndim - 1) + [2], [*outer, 2], [1] * moves.ndim)
    middle = call("add", call("mul", shift, size), center)
    half = call("mul", call("mul", call("exp", grow), size), 0.5)
    return call("concat", [call("sub", middle, half), call("add", middle, half)], moves.ndim - 1)


def proposal(
    chances: Tensor,
    moves: Tensor,
    images: Tensor,
    *,
    scales: Sequence[float] = (4, 8, 16, 32),
    ratios: Sequence[float] = (0.5, 1, 2),
    stride: int = 16,
    iou: float = 0.7,
    before: int = 6000,
    count: int = 300,
    least: int = 16,
) -> Tensor:
    """Return regions of interest: the best boxes of a region proposal network, with their images.

    before, count: the number of best boxes that are compared, and of results. If fewer boxes are
    left, they are repeated.  least: the least width and height of a box, in pixels of the input.
    stride: pixels per element of the feature map.  ratios: height / width of the anchors.
    Shapes: chances (B, 2 · A, H, W), of which the second half are those of objects; moves
    (B, 4 · A, H, W), as in `multibox_transform_loc` without variances; images (B, 3): height, width
    and scale; the result (B · count, 5): image, corners. A is the number of ratios times that of
    scales.
    Errors: TypeMismatch for a symbolic H or W.
    Source: Ren et al., Faster R-CNN (NIPS 2015).
    """
    batch, (height, width) = chances.shape[0], _known_sizes("proposal", chances)
    kinds = len(scales) * len(ratios)
    places = np.stack(np.meshgrid(np.arange(width), np.arange(height)), -1) * stride
    anchors = np.tile(places, 2)[:, :, None] + _anchors(stride, scales, ratios)
    flat = np.ascontiguousarray(anchors.reshape(1, -1, 4), chances.dtype)
    total = flat.shape[1]
    apart = call("reshape", moves, [batch, kinds, 4, height, width])
    apart = call("reshape", call("transpose", apart, [0, 3, 4, 1, 2]), [batch, total, 4])
    # Anchors and boxes include their last pixel.
    wide = flat + np.array([0, 0, 1, 1], flat.dtype)
    corners = call("sub", _moved(apart, wide, (1, 1, 1, 1)), np.array([0, 0, 1, 1], flat.dtype))
    limits = stack([_column_of(images, n) for n in (1, 0, 1, 0)], -1)
    boxes = call("max", call("min", corners, call("sub", expand_dims(limits, 1), 1)), 0)
    scores = call("slice", chances, [0, kinds, 0, 0], [batch, kinds, height, width], [1] * 4)
    scores = call("reshape", call("transpose", scores, [0, 2, 3, 1]), [batch, total])
    left, top, right, bottom = unstack(boxes, -1)
    smallest = call("mul", _column_of(images, 2), float(least))
    sides = [call("add", call("sub", b, a), 1) for a, b in ((left, right), (top, bottom))]
    is_small = call("lt", call("min", *sides), expand_dims(smallest, 1))
    scores = call("select", is_small, -1, scores)
    rows = call("concat", [expand_dims(scores, 2), boxes], 2)
    every = call("broadcast", np.int32(total), [batch], [])
    ends = np.array([0, 0, 0, 1, 1], chances.dtype)
    kept = non_max_suppression(
        call("add", rows, ends), every, limit=count, iou=iou, top_k=before, across_classes=True,
        label=-1, score=0, corners=1,
    )  # fmt: skip
    found = call("slice", kept, [0, 0, 0], [batch, min(count, total), 5], [1] * 3)
    return _regions(found, ends, count)


def _column_of(x: Tensor, number: int) -> Tensor:
    part = call("slice", x, [0, number], [x.shape[0], 1], [1] * 2)
    return call("reshape", part, [x.shape[0]])


def _anchors(stride: int, scales: Sequence[float], ratios: Sequence[float]) -> Any:
    """Return the anchors (kinds, 4) of the first pixel, whose last pixels are included."""
    center, made = (stride - 1) / 2, list[list[float]]()
    for ratio in ratios:
        width = round((stride * stride / ratio) ** 0.5)
        height = round(width * ratio)
        for scale in scales:
            half = (width * scale - 1) / 2, (height * scale - 1) / 2
            made.append([center - half[0], center - half[1], center + half[0], center + half[1]])
    return np.array(made)


def _regions(rows: Tensor, ends: Any, count: int) -> Tensor:
    """Return ``count`` rows (image, corners) per image; valid rows are repeated in place of -1."""
    batch = rows.shape[0]
    is_valid = greater_equal(_column(rows, 3), 0)
    number = call("reduce", call("cast", is_valid, "int64"), kind="sum", axes=[1], keep=True)
    places = call("mod", call("iota", [batch, count], 1, "int64"), call("max", number, 1))
    chosen = call("gather_elements", rows, call("broadcast", places, [batch, count, 5], [0, 1]), 1)
    boxes = call("slice", call("sub", chosen, ends), [0, 0, 1], [batch, count, 4], [1] * 3)
    image = call("iota", [batch, count, 1], 0, rows.dtype)
    return call("reshape", call("concat", [image, boxes], 2), [batch * count, 5])


def crop_and_resize(
    x: Tensor,
    boxes: Tensor,
    images: TensorLike,
    size: tuple[int, int],
    *,
    method: str = "bilinear",
    outside: float = 0.0,
) -> Tensor:
    """Cut boxes out of images, and resize them; the corners are the centers of the outer samples.

    images: the number of the image of each box.  method: "bilinear" or "nearest".
    outside: the value of samples outside of the image.
    Shapes: x (N, C, H, W), boxes (R, 4): (y, x, y, x) in which 1 is the last row or column, images
    (R) of integers; the result (R, C, *size).
    Errors: TypeMismatch for another method.
    """
    if method not in ("bilinear", "nearest"):
        raise TypeMismatch("ops.crop_and_resize: unknown method",
                           expected="bilinear or nearest", got=method)  # fmt: skip
    corners, planes = unstack(boxes, -1), list[Tensor]()
    inside: Any = None
    for axis, count in enumerate(size):
        low, high = (expand_dims(corners[n], 1) for n in (axis, axis + 2))
        steps = np.linspace(0, 1, count) if count > 1 else np.array([0.5])
        place = call("add", low, call("mul", call("sub", high, low), steps.astype(boxes.dtype)))
        known = call("and_", greater_equal(place, 0), call("le", place, 1))
        shape = [boxes.shape[0], *size]
        wide, is_known = (call("broadcast", part, shape, [0, axis + 1]) for part in (place, known))
        if method == "nearest":
            last = max(x.shape[2 + axis] - 1, 1)
            wide = call("div", call("floor", call("add", call("mul", wide, last), 0.5)), last)
        planes.append(call("sub", call("mul", wide, 2.0), 1.0))
        inside = is_known if inside is None else call("and_", inside, is_known)
    grid = stack(planes[::-1], -1)
    mode = "linear" if method == "bilinear" else "nearest"
    made = call("grid_sample", take(x, images, 0), grid, mode=mode, padding="border", align=True)
    return call("select", expand_dims(inside, 1), made, outside)


def yolo_reorg(x: Tensor, stride: int) -> Tensor:
    """Move blocks of an image to channels, in the order of the Darknet framework.

    Shapes: x (N, C, H, W), in which C is a multiple of stride² and H and W of stride; the result
    (N, C · stride², H / stride, W / stride).
    """
    n, c, h, w = x.shape
    parts = call("reshape", x, [n, c // stride**2, h, stride, w, stride])
    moved = call("transpose", parts, [0, 3, 5, 1, 2, 4])
    return call("reshape", moved, [n, c * stride**2, h // stride, w // stride])


__all__ = [
    "all_class_non_max_suppression", "box_iou", "crop_and_resize", "get_valid_counts",
    "multibox_prior", "multibox_transform_loc", "non_max_suppression", "proposal", "yolo_reorg",
]  # fmt: skip

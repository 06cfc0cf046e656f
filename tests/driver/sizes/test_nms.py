"""Compiled non-maximum suppression against onnxruntime: many boxes, equal scores, dynamic sizes."""

from __future__ import annotations

import numpy as np
import onnxruntime
import pytest
from onnx import helper

import tilewright

from ...onnx_models import onnx_model


def model(sizes, *, limit, iou=0.5, above=None, center=False):
    """Return a model of one NonMaxSuppression; sizes: batches, classes, boxes."""
    batches, classes, boxes = sizes
    given = {"limit": np.int64([limit]), "iou": np.float32([iou])}
    if above is not None:
        given["above"] = np.float32([above])
    node = helper.make_node(
        "NonMaxSuppression", ["boxes", "scores", *given], ["kept"], center_point_box=int(center)
    )
    return onnx_model(
        [node],
        {"boxes": [batches, boxes, 4], "scores": [batches, classes, boxes]},
        ["kept"],
        weights=given,
        opset=18,
    )


def found(sizes, seed=0, levels=0):
    """Return random boxes and scores; levels: of how many different scores, 0: any."""
    batches, classes, boxes = sizes
    rng = np.random.default_rng(seed)
    centers = rng.uniform(0, 100, (batches, boxes, 2))
    halves = rng.uniform(1, 20, (batches, boxes, 2))
    scores = rng.uniform(-1, 1, (batches, classes, boxes))
    if levels:
        scores = np.round(scores * levels) / levels  # also 0.0 and -0.0
    corners = np.concatenate([centers - halves, centers + halves], 2)
    return {"boxes": corners.astype(np.float32), "scores": scores.astype(np.float32)}


def check(module, peer, feeds):
    """Check that results equal onnxruntime's, with 1 and 2 threads."""
    (wanted,) = peer.run(None, feeds)
    for threads in (1, 2):
        (kept,) = module.run(feeds, threads=threads)
        np.testing.assert_array_equal(kept.numpy(), wanted)


OPTIONS = {
    "some": {"limit": 20, "above": 0.2},
    "all": {"limit": 10_000},
    "center": {"limit": 100, "center": True, "above": -0.5},
    "none": {"limit": 5, "above": 2.0},
    "no_overlap": {"limit": 30, "iou": 0.0},
}


@pytest.mark.parametrize("options", OPTIONS.values(), ids=OPTIONS)
def test_boxes_of_open_sizes_are_those_of_onnxruntime(options):
    opened = model(("batch", "classes", "boxes"), **options)
    module = tilewright.compile(opened)
    assert not module.reason
    peer = onnxruntime.InferenceSession(opened.SerializeToString())
    sizes = [(1, 1, 1), (2, 3, 63), (1, 2, 64), (1, 1, 65), (3, 1, 16), (1, 2, 1025), (1, 1, 2500)]
    for seed, size in enumerate(sizes):
        for levels in (0, 5):
            check(module, peer, found(size, seed, levels))


@pytest.mark.parametrize("options", OPTIONS.values(), ids=OPTIONS)
def test_boxes_of_known_sizes_are_those_of_onnxruntime(options):
    sizes = (2, 3, 1100)
    known = model(sizes, **options)
    peer = onnxruntime.InferenceSession(known.SerializeToString())
    check(tilewright.compile(known), peer, found(sizes, levels=50))


def test_a_score_that_is_no_number_is_not_kept():
    module = tilewright.compile(model((1, 1, 4), limit=4))
    boxes = np.float32([[[n, n, n + 1, n + 1] for n in range(4)]])
    scores = np.float32([[[np.nan, -np.inf, 3.0, np.nan]]])
    (kept,) = module.run([boxes, scores])
    assert kept.numpy()[:, 2].tolist() == [2, 1]


def test_a_limit_of_zero_keeps_nothing():
    module = tilewright.compile(model((1, 2, 9), limit=0))
    (kept,) = module.run(found((1, 2, 9)))
    assert kept.shape == (0, 3)

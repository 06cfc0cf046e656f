"""Op cases of results whose size depends on data."""

from __future__ import annotations

import numpy as np

from tilewright.dialects.graph import NmsOp, NonZeroOp

from .case import Input, OpCase, Reference, onnx_reference


def selection_cases() -> list[OpCase]:
    """Return positions of non-zero elements."""
    return [
        OpCase(
            f"non_zero_{dtype}",
            lambda x: NonZeroOp(x, "u0"),
            (Input(dtype, shape, -1, 1),),
            onnx_reference("NonZero"),
        )
        for dtype, shape in (("int8", (3, 5, 2)), ("bool", (17,)), ("float32", ()))
    ] + [
        OpCase(
            "non_zero_of_nothing",
            lambda x: NonZeroOp(x, "u0"),
            (Input("float32", (4, 0)),),
            lambda x: np.zeros((2, 0), np.int64),
        ),
        *(
            OpCase(
                f"nms_{name}",
                lambda b, s, options=options: NmsOp(b, s, "u0", limit=3, iou=0.25, **options),
                (Input("float32", (2, 7, 4), 0, 4), Input("float32", (2, 2, 7), 0, 1)),
                suppression(**options),
            )
            for name, options in {
                "corners": {},
                "center": {"center": True},
                "above": {"above": 0.5},
                "none": {"above": 2.0},
            }.items()
        ),
    ]


def suppression(above: float | None = None, center: bool = False) -> Reference:
    """Return what onnx keeps of at most 3 boxes of a class that overlap by at most a quarter."""
    reference = onnx_reference("NonMaxSuppression", center_point_box=int(center))
    thresholds = [np.int64([3]), np.float32([0.25])]
    if above is not None:
        thresholds.append(np.float32([above]))
    return lambda boxes, scores: reference(boxes, scores, *thresholds)

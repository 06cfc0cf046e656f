"""Op cases of results with data-dependent shapes."""

from __future__ import annotations

import numpy as np

from tilewright.dialects.graph import NmsOp, NonZeroOp, UniqueOp

from .case import Array, Input, OpCase, Reference, onnx_reference


def selection_cases() -> list[OpCase]:
    """Return cases of non-zero positions, kept boxes, unique elements."""
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
        *unique_cases(),
    ]


def unique_cases() -> list[OpCase]:
    """Return cases of unique elements, and slices along every axis, with few different values."""
    rows: list[tuple[Input, int | None, bool]] = [
        (Input("float32", (3, 5, 4), -1, 1), None, False),
        (Input("int64", (17,), -3, 3), None, True),
        (Input("int8", (), -3, 3), None, False),
        (Input("uint8", (33,), 125, 131), None, False),
        (Input("bool", (9,)), None, True),
        (Input("uint64", (11, 2), 0, 1), 0, True),
        (Input("int32", (2, 9, 2), 0, 1), 1, False),
        (Input("int16", (3, 8), 0, 1), 1, True),
        (Input("float64", (3, 0), 0, 1), 0, False),
        (Input("float16", (0, 3), 0, 1), 0, False),
    ]
    return [
        OpCase(
            f"unique_{x.dtype}_{len(x.shape)}_{axis}_{'unsorted' if unsorted else 'sorted'}",
            lambda x, axis=axis, unsorted=unsorted: UniqueOp(x, "u0", axis=axis, unsorted=unsorted),
            (x,),
            unique_reference(axis, unsorted),
        )
        for x, axis, unsorted in rows
    ]


def suppression(above: float | None = None, center: bool = False) -> Reference:
    """Return onnx's selection of at most 3 boxes per class with an overlap of at most a quarter."""
    reference = onnx_reference("NonMaxSuppression", center_point_box=int(center))
    thresholds = [np.int64([3]), np.float32([0.25])]
    if above is not None:
        thresholds.append(np.float32([above]))
    return lambda boxes, scores: reference(boxes, scores, *thresholds)


def unique_reference(axis: int | None, unsorted: bool) -> Reference:
    """Return onnx's result; for unsorted slices numpy's, because onnx uses a wrong axis."""
    if axis is not None and unsorted:
        return lambda x: first_seen(x, axis)
    attrs = {} if axis is None else {"axis": axis}
    return onnx_reference("Unique", outputs=4, sorted=int(not unsorted), **attrs)


def first_seen(x: Array, axis: int) -> list[Array]:
    """Return numpy's unique slices, counts and positions, in order of first occurrence."""
    found = np.unique(x, True, True, True, axis)
    values, first, inverse, counts = (np.asarray(part) for part in found)
    order = np.argsort(first)
    ranks = np.argsort(order)
    return [values.take(order, axis), first[order], ranks[inverse.reshape(-1)], counts[order]]

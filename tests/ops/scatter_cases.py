"""Op cases of writes at computed positions, sorting along an axis, and determinants."""

from __future__ import annotations

import numpy as np

from tilewright.dialects.graph import (
    DetOp,
    ScatterElementsOp,
    ScatterNdOp,
    TopKOp,
    UpdateSliceOp,
)

from .case import Array, Input, OpCase, float_input, onnx_reference


def added_at(x: Array, indices: Array, updates: Array) -> Array:
    """Add elements along the last axis; out-of-bounds elements are dropped."""
    out = x.copy()
    rows = np.broadcast_to(np.arange(len(indices))[:, None], indices.shape)
    inside = (indices >= 0) & (indices < x.shape[1])
    np.add.at(out, (rows[inside], indices[inside]), updates[inside])
    return out


def slices_put(x: Array, updates: Array, starts: Array, axis: int = 1) -> Array:
    """Write a slice per batch; out-of-bounds elements are dropped."""
    out = np.moveaxis(x.copy(), axis, 1)
    for rows, part, start in zip(out, np.moveaxis(updates, axis, 1), starts, strict=True):
        for n, row in enumerate(part, start):
            if 0 <= n < len(rows):
                rows[n] = row
    return np.moveaxis(out, 1, axis)


def circular_slices(x: Array, updates: Array, starts: Array) -> Array:
    """Write a slice per batch, which wraps around at the end."""
    out = x.copy()
    for b, start in enumerate(starts):
        places = (start + np.arange(updates.shape[2])) % x.shape[2]
        out[b][:, places] = updates[b]
    return out


def ordered(x: Array, k: int, axis: int, *, largest: bool) -> tuple[Array, Array]:
    """Return the first k of numpy's stable sort, for elements without NaN."""
    wide = x.astype(np.int64 if x.dtype.kind in "iu" else np.float64)
    order = np.argsort(-wide if largest else wide, axis, kind="stable")
    order = np.take(order, np.arange(k), axis)
    return np.take_along_axis(x, order, axis), order


def scatter_cases() -> list[OpCase]:
    """Return scatters of every kind and form, with duplicate and out-of-bounds indices."""
    x = float_input(4, 5)
    return [
        OpCase(
            "scatter_elements_duplicates",
            lambda x, i, u: ScatterElementsOp(x, i, u, 1),
            (x, Input("int64", (3, 9), 0, 4), float_input(3, 9)),
            onnx_reference("ScatterElements", axis=1),
        ),
        OpCase(
            "scatter_elements_add_outside",
            lambda x, i, u: ScatterElementsOp(x, i, u, 1, "add"),
            (x, Input("int32", (4, 9), -3, 8), float_input(4, 9)),
            added_at,
        ),
        OpCase(
            "scatter_elements_rows_f16",
            lambda x, i, u: ScatterElementsOp(x, i, u, 0, "mul"),
            (Input("float16", (4, 21)), Input("int64", (6, 21), 0, 3), Input("float16", (6, 21))),
            onnx_reference("ScatterElements", axis=0, reduction="mul"),
            1,
        ),
        OpCase(
            "scatter_nd_rows",
            lambda x, i, u: ScatterNdOp(x, i, u, "add"),
            (float_input(3, 4, 19), Input("int64", (5, 2), 0, 2), float_input(5, 19)),
            onnx_reference("ScatterND", reduction="add"),
        ),
        OpCase(
            "scatter_nd_max_uint8",
            lambda x, i, u: ScatterNdOp(x, i, u, "max"),
            (
                Input("uint8", (6,), 0, 255),
                Input("int32", (9, 1), 0, 5),
                Input("uint8", (9,), 0, 255),
            ),
            lambda x, i, u: (out := x.copy(), np.maximum.at(out, i[:, 0], u))[0],
        ),
        OpCase(
            "update_slice_outside",
            lambda x, u, s: UpdateSliceOp(x, u, s, 1),
            (float_input(3, 6, 5), float_input(3, 4, 5), Input("int64", (3,), -2, 7)),
            slices_put,
        ),
        OpCase(
            "update_slice_circular",
            lambda x, u, s: UpdateSliceOp(x, u, s, 2, circular=True),
            (float_input(2, 3, 6, 4), float_input(2, 3, 5, 4), Input("int32", (2,), -7, 9)),
            circular_slices,
        ),
    ]


def sort_cases() -> list[OpCase]:
    """Return sorts by insertion and by merging, ascending and descending, with ties."""
    return [
        OpCase(
            "top_k_of_ties",
            lambda x: TopKOp(x, 3, 1),
            (Input("int32", (3, 40, 2), -5, 5),),
            lambda x: ordered(x, 3, 1, largest=True),
        ),
        OpCase(
            "top_k_merged",
            lambda x: TopKOp(x, 50, 0, largest=False),
            (Input("float16", (67, 3), -9, 9),),
            lambda x: ordered(x, 50, 0, largest=False),
        ),
        OpCase(
            "top_k_of_all_uint8",
            lambda x: TopKOp(x, 9, 1),
            (Input("uint8", (2, 9), 0, 255),),
            lambda x: ordered(x, 9, 1, largest=True),
        ),
    ]


def det_cases() -> list[OpCase]:
    """Return determinants of one matrix and of a batch."""
    return [
        OpCase("det", DetOp, (float_input(2, 3, 4, 4),), onnx_reference("Det"), 16),
        OpCase("det_of_one_f64", DetOp, (Input("float64", (5, 5)),), onnx_reference("Det"), 64),
    ]

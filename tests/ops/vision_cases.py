"""Op cases of reads between elements."""

from __future__ import annotations

import numpy as np

from tilewright.dialects.graph import ResampleOp

from .case import Array, Input, OpCase, float_input


def resampled(x: Array, indices: Array, weights: Array) -> Array:
    """Return the weighted elements of axis 1."""
    taken = x[:, indices].astype(np.float64)
    return (taken * weights[..., None]).sum(2).astype(x.dtype)


def vision_cases() -> list[OpCase]:
    """Return resampling by tables that are known at run time only."""
    table = Input("int64", (4, 3), 0, 5)
    weights = float_input(4, 3)
    return [
        OpCase(
            "resample",
            lambda x, i, w: ResampleOp(x, i, w, axis=1),
            (float_input(2, 6, 5), table, weights),
            resampled,
            8,
        ),
        OpCase(
            "resample_f16",
            lambda x, i, w: ResampleOp(x, i, w, axis=1),
            (Input("float16", (2, 6, 5)), table, weights),
            resampled,
            2,
        ),
        OpCase(
            "resample_nearest",
            lambda x, i: ResampleOp(x, i, axis=0),
            (Input("uint8", (6, 5), 0, 255), Input("int64", (4, 1), 0, 5)),
            lambda x, i: x[i[:, 0]],
        ),
    ]

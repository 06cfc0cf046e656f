"""Op cases of results whose size depends on data."""

from __future__ import annotations

import numpy as np

from tilewright.dialects.graph import NonZeroOp

from .case import Input, OpCase, onnx_reference


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
    ]

"""Op cases of reads at computed positions."""

from __future__ import annotations

import numpy as np

from tilewright.dialects.graph import GatherElementsOp, GatherNdOp, GatherOp

from .case import Input, OpCase, float_input, onnx_reference


def index_cases() -> list[OpCase]:
    """Return gathers along one axis, of elements, and by index tuples."""
    x = float_input(2, 5, 3)
    return [
        OpCase(
            "gather",
            lambda x, i: GatherOp(x, i, 1),
            (x, Input("int64", (2, 2), 0, 4)),
            lambda x, i: x.take(i, 1),
        ),
        OpCase(
            "gather_elements",
            lambda x, i: GatherElementsOp(x, i, 1),
            (x, Input("int64", (2, 7, 3), 0, 4)),
            lambda x, i: np.take_along_axis(x, i, 1),
        ),
        OpCase(
            "gather_elements_of_fewer_rows",
            lambda x, i: GatherElementsOp(x, i, 2),
            (Input("uint8", (2, 5, 3), 0, 255), Input("int32", (1, 4, 2), 0, 2)),
            lambda x, i: np.take_along_axis(x[:1, :4], i, 2),
        ),
        OpCase(
            "gather_nd",
            lambda x, i: GatherNdOp(x, i),
            (x, Input("int64", (4, 2), 0, 1)),
            onnx_reference("GatherND"),
        ),
        OpCase(
            "gather_nd_batch",
            lambda x, i: GatherNdOp(x, i, 1),
            (float_input(2, 5, 3, 4), Input("int32", (2, 3, 2), 0, 2)),
            lambda x, i: np.stack([x[b][i[b, :, 0], i[b, :, 1]] for b in range(2)]),
        ),
        OpCase(
            "gather_nd_of_nothing",
            lambda x, i: GatherNdOp(x, i),
            (float_input(2, 3), Input("int64", (4, 0))),
            lambda x, i: np.stack([x] * 4),
        ),
    ]

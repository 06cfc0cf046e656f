"""Op cases of interpolated reads."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from tilewright.dialects.graph import (
    DeformColumnsOp,
    FoldOp,
    GridSampleOp,
    MaxPoolIndicesOp,
    ResampleOp,
    RoiAlignOp,
    RoiPoolOp,
)

from .case import Array, Input, OpCase, float_input, onnx_reference


def max_pool_reference(order: int, *, in_channel: bool) -> Callable[..., tuple[Array, Array]]:
    """Return onnxruntime's maximum pool; positions count from each channel if ``in_channel``."""
    reference = onnx_reference(
        "MaxPool",
        outputs=2,
        kernel_shape=[2, 3],
        strides=[2, 1],
        pads=[1, 0, 0, 1],
        storage_order=order,
    )

    def pooled(x: Array) -> tuple[Array, Array]:
        out, at = reference(x)
        return out, at % x[0, 0].size if in_channel else at

    return pooled


def resampled(x: Array, indices: Array, weights: Array) -> Array:
    """Return the weighted elements of axis 1."""
    taken = x[:, indices].astype(np.float64)
    return (taken * weights[..., None]).sum(2).astype(x.dtype)


def periods(indices: Array, weights: Array, size: int, step: int) -> tuple[Array, Array]:
    """Return the tables of an axis of ``size`` elements that repeat those of one period."""
    rows = np.arange(size * len(indices) // step)
    moved = indices[rows % len(indices)] + rows[:, None] // len(indices) * step
    return np.clip(moved, 0, size - 1), weights[rows % len(indices)]


def sample_cases() -> list[OpCase]:
    """Return reads at data-dependent positions, compared with ONNX."""
    regions = Input("float32", (3, 4), 0, 6)
    return [
        *(
            OpCase(
                f"grid_sample_{mode}_{padding}",
                lambda x, g, mode=mode, padding=padding, align=align: GridSampleOp(
                    x, g, mode=mode, padding=padding, align=align
                ),
                (float_input(2, 2, 4, 5), Input("float32", (2, 3, 4, 2), -1.5, 1.5)),
                onnx_reference("GridSample", mode=mode, padding_mode=padding, align_corners=align),
                64,
            )
            for mode, padding, align in (
                ("nearest", "border", True),
                ("linear", "reflection", False),
                ("cubic", "zeros", True),
            )
        ),
        OpCase(
            "grid_sample_3d",
            lambda x, g: GridSampleOp(x, g, mode="linear"),
            (float_input(1, 2, 3, 4, 3), Input("float32", (1, 2, 2, 3, 3), -1.2, 1.2)),
            onnx_reference("GridSample", mode="linear"),
            64,
        ),
        *(
            OpCase(
                f"roi_align_{mode}_{sampling}",
                lambda x, r, b, mode=mode, sampling=sampling: RoiAlignOp(
                    x, r, b, mode=mode, size=(2, 3), sampling=sampling, scale=0.5, half_pixel=False
                ),
                (float_input(2, 2, 6, 7), regions, Input("int64", (3,), 0, 1)),
                onnx_reference(
                    "RoiAlign",
                    mode=mode,
                    output_height=2,
                    output_width=3,
                    sampling_ratio=sampling,
                    spatial_scale=0.5,
                    coordinate_transformation_mode="output_half_pixel",
                ),
                64,
            )
            for mode, sampling in (("avg", 2), ("avg", 0), ("max", 1))
        ),
        OpCase(
            "roi_pool",
            lambda x, r: RoiPoolOp(x, r, size=(1, 1), scale=1.0),
            (float_input(1, 2, 6, 7), Input("float32", (3, 5), 0, 0.49)),
            lambda x, r: np.broadcast_to(x[:, :, :1, :1], (3, 2, 1, 1)),
        ),
    ]


def window_cases() -> list[OpCase]:
    """Return windows with data-dependent offsets, folds of columns and positions of maxima."""
    return [
        OpCase(
            "deform_columns",
            lambda x, o, m: DeformColumnsOp(
                x, o, m, kernel=(1, 1), strides=(2, 1), dilations=(1, 1), pads=(0,) * 4
            ),
            (float_input(1, 1, 5, 4), float_input(1, 2, 3, 4), float_input(1, 1, 3, 4)),
            lambda x, o, m: onnx_reference("DeformConv", strides=[2, 1])(
                x, np.ones((1, 1, 1, 1), np.float32), o, np.zeros(1, np.float32), m
            ),
            64,
        ),
        OpCase(
            "deform_columns_of_many_channels",
            lambda x, o: DeformColumnsOp(
                x,
                o,
                kernel=(2, 2),
                strides=(1, 1),
                dilations=(1, 1),
                pads=(0,) * 4,
                offset_groups=2,
            ),
            (float_input(2, 10, 4, 5), float_input(2, 16, 3, 4)),
            # The filters of each channel alone select its elements: ten times fewer products.
            lambda x, o: onnx_reference("DeformConv", group=10, offset_group=2)(
                x, np.tile(np.eye(4, dtype=np.float32).reshape(4, 1, 2, 2), (10, 1, 1, 1)), o
            ),
            64,
        ),
        OpCase(
            "fold",
            lambda x: FoldOp(x, image=(4, 5), strides=(2, 1), dilations=(1, 2), pads=(1, 0, 0, 1)),
            (float_input(1, 2, 2, 2, 2, 4),),
            lambda x: onnx_reference("Col2Im", strides=[2, 1], dilations=[1, 2], pads=[1, 0, 0, 1])(
                x.reshape(1, 8, 8), np.array([4, 5]), np.array([2, 2])
            ),
            4,
        ),
        *(
            OpCase(
                f"max_pool_indices_{order}{'_in_channel' * in_channel}",
                lambda x, order=order, in_channel=in_channel: MaxPoolIndicesOp(
                    x,
                    kernel=(2, 3),
                    strides=(2, 1),
                    dilations=(1, 1),
                    pads=(1, 0, 0, 1),
                    column_major=bool(order),
                    in_channel=in_channel,
                ),
                (Input("float32", (2, 2, 5, 6)),),
                max_pool_reference(order, in_channel=in_channel),
            )
            for order, in_channel in ((0, False), (1, False), (1, True))
        ),
    ]


def vision_cases() -> list[OpCase]:
    """Return all cases; resampling uses tables that are known only at run time."""
    table = Input("int64", (4, 3), 0, 5)
    weights = float_input(4, 3)
    return [
        *sample_cases(),
        *window_cases(),
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
            "resample_periods",
            lambda x, i, w: ResampleOp(x, i, w, axis=1, step=2),
            (float_input(2, 7, 5), Input("int64", (3, 2), -2, 4), float_input(3, 2)),
            lambda x, i, w: resampled(x, *periods(i, w, x.shape[1], 2)),
            8,
        ),
        OpCase(
            "resample_periods_nearest",
            lambda x, i: ResampleOp(x, i, axis=0, step=1),
            (float_input(6, 5), Input("int64", (2, 1), -2, 3)),
            lambda x, i: x[periods(i, i, len(x), 1)[0][:, 0]],
        ),
        OpCase(
            "resample_nearest",
            lambda x, i: ResampleOp(x, i, axis=0),
            (Input("uint8", (6, 5), 0, 255), Input("int64", (4, 1), 0, 5)),
            lambda x, i: x[i[:, 0]],
        ),
    ]

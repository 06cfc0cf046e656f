"""Result rows whose inputs are read element by element are vectorized."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import onnx
import pytest
from onnx import helper

from tilewright.driver.report.texts import source_at

from ....onnx_models import onnx_model
from ..threads import check_threads

AVX2, AVX512 = "llvm -mcpu=x86-64-v3", "llvm -mcpu=x86-64-v4"
NEON = "llvm -mcpu=cortex-a72"


def upscaling(
    image: tuple[int, ...], outputs: int, kernel: Sequence[int], strides: Sequence[int], groups: int
) -> onnx.ModelProto:
    """Make a transposed convolution with an expensive activation."""
    rng = np.random.default_rng(0)
    w = rng.standard_normal((image[1], outputs // groups, *kernel)).astype(np.float32)
    b = rng.standard_normal(outputs).astype(np.float32)
    return onnx_model(
        [
            helper.make_node(
                "ConvTranspose", ["x", "w", "b"], ["t"], strides=list(strides), group=groups
            ),
            helper.make_node("Gelu", ["t"], ["y"]),
        ],
        {"x": image},
        weights={"w": w, "b": b},
    )


def shuffle(image: tuple[int, ...], size: int, mode: str) -> onnx.ModelProto:
    """Make a pixel shuffle with an activation."""
    return onnx_model(
        [
            helper.make_node("DepthToSpace", ["x"], ["t"], blocksize=size, mode=mode),
            helper.make_node("Sigmoid", ["t"], ["y"]),
        ],
        {"x": image},
    )


UPSCALINGS = (
    upscaling((1, 7, 16, 5), 21, (2, 2), (2, 2), 7),
    upscaling((1, 3, 9, 3), 12, (6, 6), (2, 2), 3),
    upscaling((2, 6, 5, 4), 10, (3, 2), (3, 2), 2),
    upscaling((1, 5, 4, 7), 9, (5, 7), (4, 7), 1),
    upscaling((1, 4, 33), 6, (3,), (3,), 2),
    upscaling((2, 3, 1, 3), 5, (1, 5), (1, 5), 1),
)


def test_activations_of_phases_run_in_vectors() -> None:
    for model in UPSCALINGS:
        for target in (AVX2, AVX512, NEON):
            script = source_at(model, "sched", target=target, strict_plan=True)
            assert "sched.vectorize" in script.split("sched.script")[-1]


@pytest.mark.parametrize("number", range(len(UPSCALINGS)))
def test_phases_are_right_with_any_number_of_threads(number: int) -> None:
    model = UPSCALINGS[number]
    image = tuple(d.dim_value for d in model.graph.input[0].type.tensor_type.shape.dim)
    check_threads(model, image)


@pytest.mark.parametrize(
    ("image", "size", "mode"),
    [((1, 12, 5, 9), 2, "DCR"), ((2, 18, 4, 11), 3, "CRD"), ((1, 50, 1, 3), 5, "DCR")],
)
def test_pixel_shuffles_are_right_with_any_number_of_threads(
    image: tuple[int, ...], size: int, mode: str
) -> None:
    check_threads(shuffle(image, size, mode), image)

"""Products that stream their result, and windows with a stride along vectors."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import onnx
import pytest
from onnx import helper

import tilewright
from tilewright.driver.report.texts import source_at

from ....onnx_models import onnx_model
from ..threads import check_threads

AVX2, AVX512 = "llvm -mcpu=x86-64-v3", "llvm -mcpu=x86-64-v4"


def transposed_product(batch: int, rows: int, steps: int, columns: int) -> onnx.ModelProto:
    """Make the product of a transposed matrix with another."""
    return onnx_model(
        [
            helper.make_node("Transpose", ["a"], ["t"], perm=[0, 2, 1]),
            helper.make_node("MatMul", ["t", "b"], ["y"]),
        ],
        {"a": [batch, steps, rows], "b": [batch, steps, columns]},
    )


def test_short_sums_write_rows_first() -> None:
    script = source_at(transposed_product(2, 224, 16, 960), "sched", target=AVX512)
    assert "cache_read" not in script
    assert script.index("{m = ") < script.index("{n = ")


def test_conflicting_rows_of_long_sums_are_copied() -> None:
    assert "cache_read" in source_at(transposed_product(2, 512, 256, 1024), "sched", target=AVX512)


@pytest.mark.parametrize("shape", [(2, 225, 15, 961), (1, 131, 3, 1500), (3, 97, 32, 1003)])
def test_short_sums_are_right_with_any_number_of_threads(shape: tuple[int, ...]) -> None:
    batch, rows, steps, columns = shape
    rng = np.random.default_rng(0)
    a = rng.standard_normal((batch, steps, rows)).astype(np.float32)
    b = rng.standard_normal((batch, steps, columns)).astype(np.float32)
    module = tilewright.compile(transposed_product(*shape), threads=3, strict_plan=True)
    results = [np.array(module.run([a, b], threads=n)[0].numpy()) for n in (1, 2, 3)]
    expected = np.einsum("bkm,bkn->bmn", a.astype(np.float64), b.astype(np.float64))
    np.testing.assert_allclose(results[0], expected, rtol=1e-4, atol=1e-4)
    assert len({result.tobytes() for result in results}) == 1, "all threads agree"


def strided(
    image: tuple[int, ...], outputs: int, kernel: Sequence[int], stride: int, dilation: int
) -> onnx.ModelProto:
    """Make a strided convolution with channels that no block divides."""
    rng = np.random.default_rng(0)
    w = rng.standard_normal((outputs, image[1], *kernel)).astype(np.float32)
    node = helper.make_node(
        "Conv",
        ["x", "w"],
        ["y"],
        strides=[stride] * len(kernel),
        dilations=[dilation] * len(kernel),
        pads=[k // 2 * dilation for k in kernel] * 2,
    )
    return onnx_model([node], {"x": image}, weights={"w": w})


@pytest.mark.parametrize("target", [AVX2, AVX512])
def test_copies_of_strided_windows_keep_what_a_tap_reads_together(target: str) -> None:
    script = source_at(strided((1, 5, 571), 1017, (4,), 2, 3), "sched", target=target)
    assert "(d2 mod 2), (d2 floordiv 2)" in script


@pytest.mark.parametrize(
    ("image", "outputs", "kernel", "stride", "dilation"),
    [
        ((1, 5, 101), 517, (4,), 2, 3),
        ((2, 3, 333), 99, (3,), 3, 1),
        ((1, 7, 41, 150), 37, (3, 3), 2, 1),
        ((2, 9, 5, 4, 71), 19, (1, 3, 2), 2, 2),
        ((1, 3, 90), 401, (1,), 4, 1),
        ((1, 11, 260), 45, (5,), 5, 1),
    ],
)
def test_strided_windows_are_right_with_any_number_of_threads(
    image: tuple[int, ...], outputs: int, kernel: tuple[int, ...], stride: int, dilation: int
) -> None:
    check_threads(strided(image, outputs, kernel, stride, dilation), image)

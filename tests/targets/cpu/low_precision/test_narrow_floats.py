"""Products of narrow floats read f32 copies of reused operands, and round as before."""

from __future__ import annotations

import re

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper

from tilewright.driver.report.texts import source_at

from ....onnx_models import onnx_model
from ..threads import check_threads

AVX2, AVX512 = "llvm -mcpu=x86-64-v3", "llvm -mcpu=skylake-avx512"
HALF_ERROR = 2e-3
"""The error of two roundings to f16."""


def model(channels: int, size: int, columns: int) -> onnx.ModelProto:
    """Return a convolution with two consumers, one depthwise, and a product of their sum."""
    rng = np.random.default_rng(0)
    shapes = {
        "a": (channels, channels, 1, 1),
        "b": (channels, channels, 3, 3),
        "c": (channels, 1, 3, 3),
        "d": (size, columns),
    }
    weights = {
        name: (rng.standard_normal(shape) / np.sqrt(np.prod(shape[1:]))).astype(np.float16)
        for name, shape in shapes.items()
    }
    nodes = [
        helper.make_node("Cast", ["x"], ["h"], to=TensorProto.FLOAT16),
        helper.make_node("Conv", ["h", "a"], ["t"]),
        helper.make_node("Relu", ["t"], ["r"]),
        helper.make_node("Conv", ["r", "b"], ["p"], pads=[1] * 4),
        helper.make_node("Conv", ["r", "c"], ["q"], pads=[1] * 4, group=channels),
        helper.make_node("Add", ["p", "q"], ["s"]),
        helper.make_node("MatMul", ["s", "d"], ["m"]),
        helper.make_node("Cast", ["m"], ["y"], to=TensorProto.FLOAT),
    ]
    return onnx_model(nodes, {"x": [2, channels, size, size]}, weights=weights)


@pytest.mark.parametrize(("channels", "size", "columns"), [(16, 9, 5), (13, 7, 2), (32, 16, 33)])
def test_chains_are_right(channels: int, size: int, columns: int) -> None:
    check_threads(model(channels, size, columns), (2, channels, size, size), HALF_ERROR)


def test_no_product_converts_its_operands() -> None:
    text = source_at(model(16, 9, 5), "sched", target=AVX2)
    kernels = [k for k in text.split("te.kernel ") if "red]" in k]
    assert len(kernels) == 4
    for kernel in kernels:
        body = kernel[kernel.index("body(") : kernel.index("then(")]
        assert "arith.mulf" in body
        assert "arith.extf" not in body, kernel


@pytest.mark.parametrize(
    ("target", "converts", "adds"),
    [
        (AVX2, r"vcvtph2psx?\t", r"vfmadd\d+ps\t"),
        ("llvm -mcpu=sapphirerapids", r"vcvtph2psx?\t", r"vfmadd\d+ps\t"),
        ("llvm -mcpu=neoverse-v1", r"fcvtl\t", r"fmla\tv\d+\.4s"),
    ],
)
def test_weights_larger_than_a_cache_are_converted_in_registers(
    target: str, converts: str, adds: str
) -> None:
    weight = np.random.default_rng(0).standard_normal((512, 192)).astype(np.float16)
    nodes = [helper.make_node("MatMul", ["x", "w"], ["y"])]
    made = onnx_model(nodes, {"x": (TensorProto.FLOAT16, [4, 512])}, weights={"w": weight})
    text = source_at(made, "asm", target=f"{target} -l2-kib=128")
    assert re.search(converts, text)
    assert re.search(adds, text)
    # Sums are f32 in every precision: no arithmetic of f16, and no call that converts.
    assert not re.search(r"vf?\w*madd\w*ph\t|vmulph\t|fml[as]l?2?\tv\d+\.8h|hfsf2", text)


@pytest.mark.parametrize(("channels", "kernel"), [(20, 3), (300, 3)])
def test_narrow_rows_of_halves_sum_along_channels(channels: int, kernel: int) -> None:
    """Also sum 2,700 terms, whose partial sums an f16 buffer could not hold."""
    shape = (37, channels, kernel, kernel)
    rng = np.random.default_rng(0)
    weights = (rng.standard_normal(shape) / np.sqrt(channels * kernel**2)).astype(np.float16)
    nodes = [
        helper.make_node("Cast", ["x"], ["h"], to=TensorProto.FLOAT16),
        helper.make_node("Conv", ["h", "w"], ["c"], pads=[kernel // 2] * 4),
        helper.make_node("Transpose", ["c"], ["t"], perm=[1, 0, 2, 3]),
        helper.make_node("Cast", ["t"], ["y"], to=TensorProto.FLOAT),
    ]
    made = onnx_model(nodes, {"x": [2, channels, 6, 6]}, ["y", "c"], weights={"w": weights})
    check_threads(made, (2, channels, 6, 6), HALF_ERROR)
    assert "sched.cache_write" in source_at(made, "sched", target=AVX512)

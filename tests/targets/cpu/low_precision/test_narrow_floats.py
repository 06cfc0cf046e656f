"""Products of narrow floats read f32 copies of reused operands, and round as before."""

from __future__ import annotations

import re

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

from tilewright.driver.report.texts import source_at

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
    weights = [
        numpy_helper.from_array(
            (rng.standard_normal(shape) / np.sqrt(np.prod(shape[1:]))).astype(np.float16), name
        )
        for name, shape in shapes.items()
    ]
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
    x = helper.make_tensor_value_info("x", TensorProto.FLOAT, [2, channels, size, size])
    y = helper.make_tensor_value_info("y", TensorProto.FLOAT, None)
    graph = helper.make_graph(nodes, "half", [x], [y], weights)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=9)


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
    x = helper.make_tensor_value_info("x", TensorProto.FLOAT16, [4, 512])
    y = helper.make_tensor_value_info("y", TensorProto.FLOAT16, None)
    nodes = [helper.make_node("MatMul", ["x", "w"], ["y"])]
    graph = helper.make_graph(nodes, "far", [x], [y], [numpy_helper.from_array(weight, "w")])
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=9)
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
    x = helper.make_tensor_value_info("x", TensorProto.FLOAT, [2, channels, 6, 6])
    y = helper.make_tensor_value_info("y", TensorProto.FLOAT, None)
    c = helper.make_tensor_value_info("c", TensorProto.FLOAT16, None)
    graph = helper.make_graph(nodes, "narrow", [x], [y, c], [numpy_helper.from_array(weights, "w")])
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=9)
    check_threads(made, (2, channels, 6, 6), HALF_ERROR)
    assert "sched.cache_write" in source_at(made, "sched", target=AVX512)

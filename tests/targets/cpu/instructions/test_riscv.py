"""Code for RISC-V with vectors: the plan's kernels, in assembly and run by QEMU."""

from __future__ import annotations

import re

import numpy as np
import onnx
import pytest
from onnx import helper, numpy_helper
from onnx.reference import ReferenceEvaluator

import tilewright
from tilewright.driver.report.texts import source_at
from tilewright.machines.target import Target
from tilewright.tools.emulation import run_emulated

from ..machine_models import emulated

P670 = "llvm -mcpu=sifive-p670"


def model_of(
    nodes: list[onnx.NodeProto], x: np.ndarray, result: type, **weights: np.ndarray
) -> onnx.ModelProto:
    types = (("x", x.dtype, x.shape), ("y", np.dtype(result), None))
    x_, y = (
        helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(dtype), shape)
        for name, dtype, shape in types
    )
    constants = [numpy_helper.from_array(array, name) for name, array in weights.items()]
    graph = helper.make_graph(nodes, "model", [x_], [y], constants)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21)], ir_version=10)


def layers() -> tuple[onnx.ModelProto, np.ndarray]:
    """Return a convolution, a depthwise one, a mean, a product and a softmax in f32."""
    rng = np.random.default_rng(1)
    x = rng.standard_normal((1, 5, 7, 6), np.float32)
    weights = {
        "w": rng.standard_normal((12, 5, 3, 3), np.float32) / 6,
        "b": rng.standard_normal(12, np.float32),
        "d": rng.standard_normal((12, 1, 3, 3), np.float32) / 3,
        "u": rng.standard_normal((12, 9), np.float32) / 3,
    }
    nodes = [
        helper.make_node("Conv", ["x", "w", "b"], ["c"], pads=[1] * 4),
        helper.make_node("Relu", ["c"], ["r"]),
        helper.make_node("Conv", ["r", "d"], ["e"], group=12, pads=[1] * 4),
        helper.make_node("GlobalAveragePool", ["e"], ["g"]),
        helper.make_node("Flatten", ["g"], ["f"]),
        helper.make_node("MatMul", ["f", "u"], ["p"]),
        helper.make_node("Softmax", ["p"], ["y"], axis=1),
    ]
    return model_of(nodes, x, np.float32, **weights), x


def bytes_product(left: type, right: type) -> tuple[onnx.ModelProto, np.ndarray, np.ndarray]:
    """Return a product of bytes with extremes, its input and its weights."""
    rng = np.random.default_rng(2)
    x, w = (
        rng.integers(np.iinfo(t).min, np.iinfo(t).max, shape, t, endpoint=True)
        for t, shape in ((left, (13, 24)), (right, (24, 21)))
    )
    x[0], w[:, 0] = np.iinfo(left).max, np.iinfo(right).min
    node = helper.make_node("MatMulInteger", ["x", "w"], ["y"])
    return model_of([node], x, np.int32, w=w), x, w


def ran(model: onnx.ModelProto, x: np.ndarray, target: str, bits: int = 0) -> np.ndarray:
    """Return the output of a model in QEMU; bits: the length of vectors, 0: that of the target."""
    assert emulated(target)
    module = tilewright.compile(model, target=target)
    return run_emulated(module, {"x": x}, {}, target, bits).outputs["y"]


def test_products_and_convolutions_use_vectors() -> None:
    text = source_at(layers()[0], "asm", target=P670, strict_plan=True)
    assert len(re.findall(r"\tvfm(acc|add)\.vf\t", text)) > 30
    assert "e32, m1" in text
    assert not re.search(r"\tfmadd\.s\t", text), "no sum of products is scalar"


@pytest.mark.parametrize(("left", "right"), [(np.int8, np.int8), (np.uint8, np.int8)])
def test_products_of_bytes_multiply_and_add_in_one_instruction(left: type, right: type) -> None:
    text = source_at(bytes_product(left, right)[0], "asm", target=P670, strict_plan=True)
    assert re.search(r"\tvwmacc(su|u|us)?\.vx\t", text)
    assert not re.search(r"\tvmul\.|\tvmacc\.", text), "no product has operands of 32 bits"


@pytest.mark.nightly
@pytest.mark.parametrize("bits", [128, 256])
def test_models_give_what_the_reference_gives(bits: int) -> None:
    model, x = layers()
    (expected,) = ReferenceEvaluator(model).run(None, {"x": x})
    np.testing.assert_allclose(ran(model, x, P670, bits), expected, rtol=2e-5, atol=2e-6)


def test_a_processor_without_vectors_gives_what_the_reference_gives() -> None:
    model, x = layers()
    (expected,) = ReferenceEvaluator(model).run(None, {"x": x})
    got = ran(model, x, "riscv64")
    np.testing.assert_allclose(got, expected, rtol=2e-5, atol=2e-6)
    text = source_at(model, "asm", target="riscv64")
    assert re.search(r"\tfmadd\.s\t", text)
    assert not re.search(r"\tvset|\tcall\tfmaf", text)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (np.uint8, np.int8),
        pytest.param(np.int8, np.int8, marks=pytest.mark.nightly),
        pytest.param(np.uint8, np.uint8, marks=pytest.mark.nightly),
    ],
)
def test_products_of_bytes_are_exact(left: type, right: type) -> None:
    model, x, w = bytes_product(left, right)
    expected = x.astype(np.int32) @ w.astype(np.int32)
    np.testing.assert_array_equal(ran(model, x, P670), expected)


def test_the_target_has_vectors() -> None:
    target = Target(P670)
    assert target.architecture == "riscv64"
    assert (target.vector_bits, target.vector_registers, target.has_fma) == (128, 32, True)

"""Code for AArch64, run by an emulator: schedules with sdot, and planned models."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import helper, numpy_helper
from onnx.reference import ReferenceEvaluator

from tilewright import te
from tilewright.driver.expressions import build_kernels
from tilewright.driver.module.kernels import compile_kernels
from tilewright.driver.report.texts import source_at
from tilewright.schedule.schedule import Schedule, create_schedule
from tilewright.targets.cpu.instructions.intrinsics import make_intrinsic
from tilewright.testing.emulator import EmulatedProgram

DOT, PLAIN = "llvm -mcpu=neoverse-n1", "llvm -mcpu=cortex-a72"
LANES = 4


def integers(rng: np.random.Generator, *shape: int) -> np.ndarray:
    return rng.integers(-128, 128, shape).astype(np.int8)


def product(m: int, n: int, k: int) -> tuple[te.Tensor, te.Tensor, te.Tensor]:
    """Return a product of signed bytes with the second operand in the layout of sdot."""
    a = te.placeholder((m, k), "int8", name="a")
    b = te.placeholder((-(-n // LANES), k // 4, LANES, 4), "int8", name="b")
    r = te.reduce_axis((0, k), name="k")

    def element(i: te.Axis, j: te.Axis) -> te.Scalar:
        right = b[j // LANES, r // 4, j % LANES, r % 4]
        return te.sum(a[i, r].astype("int32") * right.astype("int32"), axis=r)

    return a, b, te.compute((m, n), element, name="c")


def with_sdot(c: te.Tensor) -> Schedule:
    s = create_schedule(c.op, target=DOT, validate=True)
    i, j = c.op.axis
    io, ii = s[c].split(i, factor=4)
    jo, ji = s[c].split(j, factor=8)
    s[c].reorder(io, jo, c.op.reduce_axis[0], ii, ji)
    s[c].unroll(ii)
    s[c].parallel(io)
    s[c].tensorize(ji, te.Intrinsic(make_intrinsic("sdot")))
    return s


@pytest.mark.parametrize(("m", "n", "k"), [(8, 16, 32), (1, 4, 4), (10, 20, 12), (7, 30, 24)])
def test_sdot_in_a_schedule_of_a_person_is_exact(m: int, n: int, k: int) -> None:
    arguments = product(m, n, k)
    code = build_kernels(with_sdot(arguments[-1]), arguments)
    rng = np.random.default_rng(m)
    a, b = integers(rng, m, k), integers(rng, -(-n // LANES), k // 4, LANES, 4)
    plain = b.transpose(1, 3, 0, 2).reshape(k, -1).astype(np.int32)[:, :n]
    (got,) = EmulatedProgram(code)(a, b)
    np.testing.assert_array_equal(got, a.astype(np.int32) @ plain)


SDOT = """
sched.script @matmul {
  %c = sched.match {name = matmul}
  %t, %n = sched.tile %c {n = 8}
  %np = sched.parallel %n
  %u, %m = sched.tile %t {m = 3, even = [m]}
  %v = sched.tensorize %u {intrinsic = sdot}
}
"""


@pytest.mark.parametrize(("m", "n", "k"), [(16, 32, 64), (13, 28, 20)])
def test_sdot_in_a_model_is_exact(tmp_path: Path, m: int, n: int, k: int) -> None:
    rng = np.random.default_rng(k)
    x, weight = integers(rng, m, k), integers(rng, k, n)
    model = onnx_model(
        [helper.make_node("MatMulInteger", ["x", "w"], ["y"])], x, (m, n), np.int32, w=weight
    )
    file = tmp_path / "sdot.mlir"
    file.write_text(str(make_intrinsic("sdot")) + SDOT)
    text = source_at(model, "asm", target=DOT, plan=file)
    assert re.search(r"\bsdot\tv", text)
    assert re.search(r"\bld1r\t", text), "four bytes are repeated by the load"
    assert not re.search(r"\buzp1\t", text)
    (got,) = EmulatedProgram(compile_kernels(model, target=DOT, plan=file))(x)
    np.testing.assert_array_equal(got, x.astype(np.int32) @ weight)


def onnx_model(
    nodes: list[onnx.NodeProto], x: np.ndarray, shape: tuple[int, ...], dtype: type, **weights
) -> onnx.ModelProto:
    inputs, outputs = (
        helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(np.dtype(t)), dims)
        for name, t, dims in (("x", x.dtype, x.shape), ("y", dtype, shape))
    )
    constants = [numpy_helper.from_array(array, name) for name, array in weights.items()]
    graph = helper.make_graph(nodes, "model", [inputs], [outputs], constants)
    opset = helper.make_opsetid("", 21)
    return helper.make_model(graph, opset_imports=[opset], ir_version=10)


def convolution() -> tuple[onnx.ModelProto, np.ndarray]:
    """Return a convolution and a depthwise one with bias, Relu6 and a residual, then a pool."""
    rng = np.random.default_rng(1)
    x = rng.standard_normal((1, 19, 15, 13), np.float32)
    weights = {
        "w": rng.standard_normal((35, 19, 3, 3), np.float32) / 10,
        "b": rng.standard_normal(35, np.float32),
        "d": rng.standard_normal((35, 1, 3, 3), np.float32) / 3,
        "low": np.float32(0),
        "high": np.float32(6),
    }
    nodes = [
        helper.make_node("Conv", ["x", "w", "b"], ["c"], pads=[1] * 4),
        helper.make_node("Clip", ["c", "low", "high"], ["r"]),
        helper.make_node("Conv", ["r", "d"], ["e"], group=35, pads=[1] * 4),
        helper.make_node("Add", ["e", "r"], ["s"]),
        helper.make_node("MaxPool", ["s"], ["y"], kernel_shape=[3, 3], strides=[2, 2]),
    ]
    return onnx_model(nodes, x, (1, 35, 7, 6), np.float32, **weights), x


def classifier() -> tuple[onnx.ModelProto, np.ndarray]:
    """Return two products with gelu between them, layer norm and softmax."""
    rng = np.random.default_rng(2)
    x = rng.standard_normal((11, 70), np.float32)
    weights = {
        "w": rng.standard_normal((70, 50), np.float32) / 8,
        "b": rng.standard_normal(50, np.float32),
        "v": rng.standard_normal((50, 33), np.float32) / 7,
        "g": rng.standard_normal(33, np.float32),
    }
    nodes = [
        helper.make_node("MatMul", ["x", "w"], ["p"]),
        helper.make_node("Add", ["p", "b"], ["q"]),
        helper.make_node("Gelu", ["q"], ["h"]),
        helper.make_node("MatMul", ["h", "v"], ["o"]),
        helper.make_node("LayerNormalization", ["o", "g"], ["n"]),
        helper.make_node("Softmax", ["n"], ["y"], axis=1),
    ]
    return onnx_model(nodes, x, (11, 33), np.float32, **weights), x


@pytest.mark.parametrize("make", [convolution, classifier])
@pytest.mark.parametrize("target", [DOT, PLAIN])
def test_models_give_what_the_reference_gives(make, target: str) -> None:
    model, x = make()
    (expected,) = ReferenceEvaluator(model).run(None, {"x": x})
    (got,) = EmulatedProgram(compile_kernels(model, target=target))(x)
    np.testing.assert_allclose(got, expected, rtol=2e-5, atol=2e-6)


def test_the_plan_uses_vectors_and_fused_multiply_adds_of_neon() -> None:
    model, _ = classifier()
    text = source_at(model, "asm", target=PLAIN)
    assert re.search(r"\bfmla\tv\d+\.4s", text)
    assert not re.search(r"\b(xmm|ymm)\d", text)

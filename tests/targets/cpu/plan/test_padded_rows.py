"""Computes that pad along their vectors mask the out-of-bounds lanes."""

from __future__ import annotations

from typing import Any

import numpy as np
import onnx
import pytest
from onnx import helper

import tilewright
from tilewright.driver.report.texts import source_at
from tilewright.machines.target import Target

from ....onnx_models import onnx_model
from ..threads import check_threads

TARGETS = ["llvm -mcpu=x86-64", "llvm -mcpu=x86-64-v3", str(Target.native())]
SHAPE = (2, 3, 9, 21)
PADS = (0, 0, 1, 2, 0, 1, 0, 3)


def model(dtype: Any, pads: tuple[int, ...] = PADS, *kinds: str) -> onnx.ModelProto:
    """Return a zero padding followed by elementwise operators."""
    element = helper.np_dtype_to_tensor_dtype(np.dtype(dtype))
    names = [f"t{n}" for n in range(len(kinds))] + ["y"]
    nodes = [helper.make_node("Pad", ["x", "p"], names[:1])]
    nodes += [helper.make_node(k, [names[n]], [names[n + 1]]) for n, k in enumerate(kinds)]
    constants = {"p": np.array(pads)}
    return onnx_model(nodes, {"x": (element, SHAPE)}, weights=constants)


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("dtype", ["float32", "float16", "uint8", "float64"])
def test_pads_are_exact(target: str, dtype: str) -> None:
    x = (np.random.default_rng(0).standard_normal(SHAPE) * 9).astype(dtype)
    module = tilewright.compile(model(dtype), strict_plan=True, target=target)
    assert not module.reason
    (got,) = module.run([x])
    np.testing.assert_array_equal(
        got.numpy(), np.pad(x, list(zip(PADS[:4], PADS[4:], strict=True)))
    )


@pytest.mark.parametrize("pads", [PADS, (0, 0, 0, 40, 0, 0, 0, 0), (0, 0, 0, 0, 0, 0, 0, 17)])
def test_what_follows_a_pad_is_right(pads: tuple[int, ...]) -> None:
    check_threads(model("float32", pads, "Tanh"), SHAPE)


@pytest.mark.parametrize("stride", [1, 2, 3])
def test_windows_of_one_element_are_right(stride: int) -> None:
    """Read x with padding, and with a stride along the row."""
    weights = np.random.default_rng(0).standard_normal((3, 1, 1, 1)).astype(np.float32)
    node = helper.make_node(
        "Conv", ["x", "w"], ["y"], group=3, strides=[1, stride], pads=[0, 2, 1, 5]
    )
    made = onnx_model([node], {"x": SHAPE}, weights={"w": weights})
    check_threads(made, SHAPE)
    assert "sched.vectorize" in source_at(made, "sched")


def test_padded_rows_have_vectors() -> None:
    assert "sched.vectorize" in source_at(model("float32", PADS, "Tanh"), "sched")

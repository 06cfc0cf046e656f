"""Products whose passes run over groups of panels, against numpy."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

import tilewright
from tilewright.machines.cpu_numbers import GENERIC, NUMBERS
from tilewright.machines.target import Target

TARGET = "llvm -mcpu=x86-64-v3 -l1-kib=4 -l2-kib=64"
"""Small caches, so that the rules for large products fire on small ones."""

M = 24


def product(k: int, n: int, heads: int, *, residual: bool) -> onnx.ModelProto:
    """Return x @ w + b, with x contiguous or with an axis of heads before the rows."""
    rng = np.random.default_rng(0)
    arrays = {
        "w": (rng.standard_normal((k, n)) / k**0.5).astype(np.float32),
        "b": rng.standard_normal(n).astype(np.float32),
    }
    shape = (heads, M, k // heads) if heads else (M, k)
    nodes = []
    name = "x"
    if heads:
        arrays["rows"] = np.array([M, k], np.int64)
        nodes.append(helper.make_node("Transpose", ["x"], ["t"], perm=[1, 0, 2]))
        nodes.append(helper.make_node("Reshape", ["t", "rows"], ["flat"]))
        name = "flat"
    nodes.append(helper.make_node("MatMul", [name, "w"], ["mm"]))
    nodes.append(helper.make_node("Add", ["mm", "b"], ["sum" if residual else "y"]))
    inputs = [helper.make_tensor_value_info("x", TensorProto.FLOAT, shape)]
    if residual:
        nodes.append(helper.make_node("Add", ["sum", "r"], ["y"]))
        inputs.append(helper.make_tensor_value_info("r", TensorProto.FLOAT, (M, n)))
    weights = [numpy_helper.from_array(array, name) for name, array in arrays.items()]
    output = helper.make_tensor_value_info("y", TensorProto.FLOAT, (M, n))
    graph = helper.make_graph(nodes, "product", inputs, [output], weights)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=9)


@pytest.mark.parametrize(
    ("k", "n", "heads", "residual"),
    [
        (704, 256, 0, False),
        # A partial last pass.
        (1072, 256, 0, True),
        # Passes of some heads each; the reduction of one head runs in blocks.
        (720, 256, 15, True),
    ],
)
def test_groups_of_panels(
    k: int, n: int, heads: int, residual: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    one_core = replace(GENERIC, cores=(1,))
    monkeypatch.setitem(NUMBERS, Target(TARGET).cpu, one_core)  # pyright: ignore
    model = product(k, n, heads, residual=residual)
    module = tilewright.compile(model, target=TARGET)
    weights = re.search(r"memref<(\d+x){5}16xf32>", module.get_source("scheduled"))
    assert weights, "groups of panels, passes, panels, and blocks of steps"
    rng = np.random.default_rng(1)
    x = rng.standard_normal((heads, M, k // heads) if heads else (M, k), dtype=np.float32)
    inputs = [x, rng.standard_normal((M, n), dtype=np.float32)][: 1 + residual]
    w, b = (numpy_helper.to_array(t).astype(np.float64) for t in model.graph.initializer[:2])
    flat = x.transpose(1, 0, 2).reshape(M, k) if heads else x
    expected = flat.astype(np.float64) @ w + b + (inputs[1] if residual else 0)
    (serial,) = module.run(inputs, threads=1)
    (parallel,) = module.run(inputs, threads=2)
    np.testing.assert_allclose(np.asarray(serial), expected, rtol=1e-4, atol=1e-4)
    np.testing.assert_array_equal(np.asarray(serial), np.asarray(parallel))

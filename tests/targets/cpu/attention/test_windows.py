"""Attention with windows of a map as queries: rows and columns of a window are one query axis."""

from __future__ import annotations

from typing import Any

import numpy as np
import onnx
import pytest
from onnx import helper, numpy_helper

from tilewright.driver.report.texts import source_at

from ....onnx_models import onnx_model
from ..threads import check_threads

AVX2, AVX512 = "llvm -mcpu=x86-64-v3", "llvm -mcpu=x86-64-v4"

SHAPES = ((2, 16, 16, 8), (1, 8, 21, 7), (3, 12, 16, 4))
"""Heads, features per head, size of the map, size of a window."""


def windows(heads: int, features: int, size: int, window: int) -> onnx.ModelProto:
    """Make attention from the windows of an image to 36 keys, as in HaloNet."""
    rng = np.random.default_rng(0)
    parts, queries = size // window, window * window
    nodes: list[onnx.NodeProto] = []
    weights: list[onnx.TensorProto] = []

    def op(kind: str, *inputs: str, **attributes: Any) -> str:
        nodes.append(helper.make_node(kind, inputs, [f"v{len(nodes)}"], **attributes))
        return f"v{len(nodes) - 1}"

    def weight(*shape: int) -> str:
        array = rng.standard_normal(shape).astype(np.float32)
        weights.append(numpy_helper.from_array(array, f"w{len(weights)}"))
        return weights[-1].name

    def shape(*sizes: int) -> str:
        weights.append(numpy_helper.from_array(np.array(sizes), f"w{len(weights)}"))
        return weights[-1].name

    q = op("Reshape", "x", shape(heads, features, parts, window, parts, window))
    q = op("Transpose", q, perm=[0, 2, 4, 3, 5, 1])
    q = op("Reshape", q, shape(heads, parts * parts, queries, features))
    scores = op("MatMul", q, weight(heads, parts * parts, features, 36))
    scores = op("Add", scores, weight(heads, 1, queries, 36))
    exps = op("Softmax", scores, axis=-1)
    y = op("MatMul", exps, weight(heads, parts * parts, 36, 32))
    return onnx_model(nodes, {"x": (1, heads * features, size, size)}, [y], weights=weights)


@pytest.mark.parametrize("target", [AVX2, AVX512])
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_queries_of_a_window_run_along_the_lanes(
    shape: tuple[int, int, int, int], target: str
) -> None:
    text = source_at(windows(*shape), "sched", target=target, strict_plan=True)
    script = text[text.index("sched.script @attention") :]
    assert "sched.vectorize" in script
    assert "{axis = m, lanes" in script


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_windows_are_right_with_any_number_of_threads(shape: tuple[int, int, int, int]) -> None:
    heads, features, size, _ = shape
    check_threads(windows(*shape), (1, heads * features, size, size))

"""Concats of many operands, which the host copies, against numpy."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import numpy as np
import onnx
import pytest
from onnx import helper

import tilewright

Array = np.ndarray[Any, np.dtype[Any]]


def model_of(shapes: list[list[int]], axis: int, dtype: Any) -> onnx.ModelProto:
    """Return a Concat of the inputs, with every third negated, and the sum of two negated ones."""
    kind = helper.np_dtype_to_tensor_dtype(np.dtype(dtype))
    inputs = [helper.make_tensor_value_info(f"x{i}", kind, s) for i, s in enumerate(shapes)]
    names = [f"n{i}" if i % 3 == 1 else f"x{i}" for i in range(len(shapes))]
    nodes = [helper.make_node("Neg", [f"x{i}"], [f"n{i}"]) for i in range(1, len(shapes), 3)]
    nodes += [
        helper.make_node("Concat", names, ["all"], axis=axis),
        helper.make_node("Concat", names[::-1], ["back"], axis=axis),
        helper.make_node("Add", ["all", "back"], ["sum"]),
    ]
    outputs = [helper.make_tensor_value_info(name, kind, None) for name in ("all", "sum")]
    graph = helper.make_graph(nodes, "many", inputs, outputs)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)])


@pytest.mark.parametrize(
    ("axis", "dtype", "sizes"),
    [
        (0, np.float32, 7),
        (1, np.float16, 7),
        (2, np.int8, 7),
        (1, np.float64, 400),
        (2, np.int64, 2),
    ],
    ids=str,
)
def test_many_operands_stand_one_after_another(axis: int, dtype: Any, sizes: int) -> None:
    rng = np.random.default_rng(axis)
    shapes = [[3, 4, 5] for _ in range(150)]
    for shape in shapes:
        shape[axis] = int(rng.integers(0, sizes))
    arrays = [rng.integers(-60, 60, shape).astype(dtype) for shape in shapes]
    used = [-x if i % 3 == 1 else x for i, x in enumerate(arrays)]
    whole, back = (np.concatenate(parts, axis) for parts in (used, used[::-1]))
    for threads in (1, 2):
        module = tilewright.compile(model_of(shapes, axis, dtype), cache=False, threads=threads)
        got, total = cast("Sequence[Array]", module(*arrays))
        np.testing.assert_array_equal(got, whole)
        np.testing.assert_array_equal(total, whole + back)


def test_a_loop_joins_many_operands() -> None:
    model = onnx.parser.parse_model(f"""
        <ir_version: 10, opset_import: ["": 20]> g (float[1,4] x) => (float[140,4] y)
        <int64 n = {{3}}, bool on = {{1}}, float[140,4] zero = {{{", ".join(["0"] * 560)}}}> {{
            y = Loop (n, on, zero) <body = step (int64 i, bool c, float[140,4] h)
                => (bool again, float[140,4] next) {{
                again = Identity(c)
                row = Add(x, x)
                all = Concat<axis = 0>({", ".join(["row", "x"] * 70)})
                next = Add(all, h) }}> }}""")
    x = np.arange(4, dtype=np.float32)[None]
    expected = 3 * np.concatenate([2 * x, x] * 70)
    np.testing.assert_array_equal(tilewright.compile(model, cache=False)(x), expected)

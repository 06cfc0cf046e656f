"""Products of a few rows that share an epilogue: each streams its own weights, in vectors."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

import tilewright

Array: TypeAlias = np.ndarray[Any, Any]
K, N = 72, 150


@dataclass
class Model:
    """A model under construction, with the values of its nodes in numpy."""

    dynamic: bool
    transposed: bool
    nodes: list[onnx.NodeProto] = field(default_factory=list)
    inputs: dict[str, Array] = field(default_factory=dict)
    constants: dict[str, Array] = field(default_factory=dict)
    rng: np.random.Generator = field(default_factory=lambda: np.random.default_rng(0))

    def op(self, kind: str, *operands: str) -> str:
        name = f"t{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, operands, [name]))
        return name

    def product(self, rows: str) -> tuple[str, Array]:
        """Multiply an input with new weights."""
        x = self.inputs[rows]
        weights = self.rng.standard_normal((x.shape[1], N)).astype(np.float32) / 8
        name = f"w{len(self.nodes)}"
        held = self.inputs if self.dynamic else self.constants
        held[name] = np.ascontiguousarray(weights.T) if self.transposed else weights
        by = self.op("Transpose", name) if self.transposed else name
        return self.op("MatMul", rows, by), x.astype(np.float64) @ weights

    def rows(self, name: str, count: int, size: int) -> str:
        self.inputs[name] = self.rng.standard_normal((count, size)).astype(np.float32)
        return name

    def compile(self, out: str, rows: int) -> tilewright.CompiledModule:
        infos = [
            helper.make_tensor_value_info(name, TensorProto.FLOAT, array.shape)
            for name, array in self.inputs.items()
        ]
        result = helper.make_tensor_value_info(out, TensorProto.FLOAT, (rows, N))
        weights = [numpy_helper.from_array(array, name) for name, array in self.constants.items()]
        graph = helper.make_graph(self.nodes, "rows", infos, [result], weights)
        opset = [helper.make_opsetid("", 20)]
        made = tilewright.compile(helper.make_model(graph, opset_imports=opset, ir_version=9))
        assert not made.reason
        return made


def sigmoid(x: Array) -> Array:
    return 1 / (1 + np.exp(-x))


def swiglu(model: Model, rows: int) -> tuple[str, Array]:
    x = model.rows("x", rows, K)
    (gate, a), (up, b) = model.product(x), model.product(x)
    silu = model.op("Mul", gate, model.op("Sigmoid", gate))
    return model.op("Mul", silu, up), a * sigmoid(a) * b


def gates(model: Model, rows: int) -> tuple[str, Array]:
    x = model.rows("x", rows, K)
    parts = [model.product(x) for _ in range(4)]
    kinds = ("Sigmoid", "Tanh", "Sigmoid", "Tanh")
    (first, *others) = [model.op(kind, name) for kind, (name, _) in zip(kinds, parts, strict=True)]
    for other in others:
        first = model.op("Mul", first, other)
    (a, b, c, d) = (value for _, value in parts)
    return first, sigmoid(a) * np.tanh(b) * sigmoid(c) * np.tanh(d)


def cell(model: Model, rows: int) -> tuple[str, Array]:
    x, h = model.rows("x", rows, K), model.rows("h", rows, 2 * K)
    (first, a), (second, b) = model.product(x), model.product(h)
    return model.op("Tanh", model.op("Add", first, second)), np.tanh(a + b)


Form: TypeAlias = Callable[[Model, int], tuple[str, Array]]


@pytest.mark.one_in(4)
@pytest.mark.parametrize("form", [swiglu, gates, cell])
@pytest.mark.parametrize("rows", [1, 3])
@pytest.mark.parametrize("weights", ["constant", "transposed", "dynamic", "dynamic transposed"])
def test_products_with_a_common_tail(form: Form, rows: int, weights: str) -> None:
    model = Model(weights.startswith("dynamic"), weights.endswith("transposed"))
    out, expected = form(model, rows)
    compiled = model.compile(out, rows)
    results: Sequence[Array] = [
        np.array(compiled.run(model.inputs, threads=threads)[0].numpy()) for threads in (1, 2, 3)
    ]
    np.testing.assert_allclose(results[0], expected, rtol=0, atol=2e-5)
    assert len({result.tobytes() for result in results}) == 1, "all threads agree"
    scripts = compiled.get_source("sched").split("sched.script")[1:]
    assert all("sched.vectorize" in script for script in scripts), "weights are read in vectors"
    if rows == 1 and not model.dynamic:
        assert all("sched.pack " in script for script in scripts)


@pytest.mark.parametrize("columns", [150, 7])
def test_rows_of_a_dynamic_matrix_are_read_along_the_sum(columns: int) -> None:
    matrix = helper.make_tensor_value_info("m", TensorProto.FLOAT, (columns, 64))
    x = helper.make_tensor_value_info("x", TensorProto.FLOAT, (1, 64))
    y = helper.make_tensor_value_info("y", TensorProto.FLOAT, (1, columns))
    nodes = [
        helper.make_node("Transpose", ["m"], ["t"], perm=[1, 0]),
        helper.make_node("MatMul", ["x", "t"], ["y"]),
    ]
    graph = helper.make_graph(nodes, "rows", [x, matrix], [y])
    opset = [helper.make_opsetid("", 20)]
    compiled = tilewright.compile(helper.make_model(graph, opset_imports=opset, ir_version=9))
    assert "sched.vectorize" in (script := compiled.get_source("sched"))
    assert "{axis = k, " in script
    rng = np.random.default_rng(0)
    inputs = {"x": rng.standard_normal((1, 64), np.float32)}
    inputs["m"] = rng.standard_normal((columns, 64), np.float32)
    expected = inputs["x"].astype(np.float64) @ inputs["m"].T
    np.testing.assert_allclose(compiled.run(inputs)[0].numpy(), expected, rtol=0, atol=2e-5)

"""Optimizer steps against the standard's reference, at the first and at a later step."""

from __future__ import annotations

import numpy as np
import onnx
import pytest
from onnx import helper
from onnx.reference import ReferenceEvaluator
from xdsl.dialects.func import FuncOp

from tilewright.frontend.onnx.converters.training import DOMAIN
from tilewright.frontend.onnx.importer import import_model
from tilewright.interp.graph import run_graph
from tilewright.support.diagnostics import ModelError, UnsupportedOp

ADAM = {"alpha": 0.8, "beta": 0.95, "norm_coefficient": 0.1, "norm_coefficient_post": 0.2}
MOMENTUM = {"alpha": 0.8, "beta": 0.9, "norm_coefficient": 0.1}
STEPS = [
    ("Adagrad", 3, {"decay_factor": 0.1, "norm_coefficient": 0.1, "epsilon": 1e-3}),
    ("Adam", 4, {**ADAM, "epsilon": 1e-3}),
    ("Momentum", 3, {**MOMENTUM, "mode": "standard"}),
    ("Momentum", 3, {**MOMENTUM, "mode": "nesterov"}),
]


def model_of(op, inputs, outputs, attributes):
    names = [f"x{i}" for i in range(len(inputs))]
    infos = [
        helper.make_tensor_value_info(n, helper.np_dtype_to_tensor_dtype(x.dtype), x.shape)
        for n, x in zip(names, inputs, strict=True)
    ]
    outs = [f"y{i}" for i in range(outputs)]
    node = helper.make_node(op, names, outs, domain=DOMAIN, **attributes)
    floats = [onnx.TypeProto(tensor_type=onnx.TypeProto.Tensor(elem_type=1))] * outputs
    values = [onnx.ValueInfoProto(name=n, type=t) for n, t in zip(outs, floats, strict=True)]
    graph = helper.make_graph([node], "g", infos, values)
    opsets = [helper.make_opsetid(DOMAIN, 1), helper.make_opsetid("", 20)]
    return helper.make_model(graph, opset_imports=opsets, ir_version=8)


def tensors(count):
    rng = np.random.default_rng(0)
    return [rng.random((2, 3), np.float32) + np.float32(0.1) for _ in range(count)]


@pytest.mark.parametrize("step", [0, 1, 5])
@pytest.mark.parametrize(("op", "kinds", "attributes"), STEPS)
def test_steps_are_those_of_the_reference(op, kinds, attributes, step):
    inputs = [np.float32(0.1), np.int64(step), *tensors(kinds)]
    model = model_of(op, inputs, kinds - 1, attributes)
    func = import_model(model).body.ops.first
    assert isinstance(func, FuncOp)
    expected = ReferenceEvaluator(model).run(None, {f"x{i}": x for i, x in enumerate(inputs)})
    for got, wanted in zip(run_graph(func, *inputs), expected, strict=True):
        np.testing.assert_allclose(got, wanted, rtol=2e-6)


def test_tensors_without_a_state_are_refused():
    inputs = [np.float32(0.1), np.int64(0), *tensors(2)]
    with pytest.raises(ModelError, match="tensors, gradients and states differ in number"):
        import_model(model_of("Adagrad", inputs, 2, {}))


def test_unknown_modes_are_refused():
    inputs = [np.float32(0.1), np.int64(0), *tensors(3)]
    with pytest.raises(ModelError, match="unknown mode"):
        import_model(model_of("Momentum", inputs, 2, {**MOMENTUM, "mode": "other"}))


def test_gradients_are_refused():
    inputs = [np.float32(0.1)]
    with pytest.raises(UnsupportedOp, match="no converter"):
        import_model(model_of("Gradient", inputs, 1, {"xs": ["x0"], "y": "y0"}))

"""Expert weights read through a Gather: stored so that vectors of outputs are contiguous."""

from __future__ import annotations

import numpy as np
import pytest
from onnx import TensorProto, helper, numpy_helper

import tilewright

EXPERTS, OUT, IN = 3, 37, 29


@pytest.mark.parametrize("tokens", [1, 6])
@pytest.mark.parametrize("outputs_first", [True, False])
def test_experts_of_tokens(tokens: int, outputs_first: bool) -> None:
    rng = np.random.default_rng(0)
    weights = rng.standard_normal((EXPERTS, OUT, IN), np.float32)
    stored = weights if outputs_first else np.ascontiguousarray(weights.transpose(0, 2, 1))
    experts = rng.integers(-EXPERTS, EXPERTS, tokens)
    x = rng.standard_normal((tokens, IN), np.float32)
    column, row = (tokens, IN, 1), (tokens, 1, IN)
    inputs = {"x": x.reshape(column if outputs_first else row), "e": experts}
    shape = (tokens, OUT, 1) if outputs_first else (tokens, 1, OUT)
    nodes = [
        helper.make_node("Gather", ["w", "e"], ["g"], axis=0),
        helper.make_node("MatMul", ["g", "x"] if outputs_first else ["x", "g"], ["y"]),
    ]
    infos = [
        helper.make_tensor_value_info("x", TensorProto.FLOAT, inputs["x"].shape),
        helper.make_tensor_value_info("e", TensorProto.INT64, inputs["e"].shape),
    ]
    result = helper.make_tensor_value_info("y", TensorProto.FLOAT, shape)
    graph = helper.make_graph(
        nodes, "experts", infos, [result], [numpy_helper.from_array(stored, "w")]
    )
    opset = [helper.make_opsetid("", 20)]
    made = tilewright.compile(helper.make_model(graph, opset_imports=opset, ir_version=9))
    assert not made.reason
    assert made.get_source("sched").count("sched.pack ") == outputs_first
    results = [np.array(made.run(inputs, threads=threads)[0].numpy()) for threads in (1, 2, 3)]
    chosen = weights[experts].astype(np.float64)
    expected = np.einsum("tok,tk->to", chosen, x).reshape(shape)
    np.testing.assert_allclose(results[0], expected, rtol=0, atol=1e-4)
    assert len({result.tobytes() for result in results}) == 1, "all threads agree"

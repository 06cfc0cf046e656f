"""ONNX models from lists of nodes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import onnx
from numpy.typing import ArrayLike
from onnx import TensorProto, helper, numpy_helper

Weights = Mapping[str, ArrayLike] | Sequence[TensorProto]


def onnx_model(
    nodes: Sequence[onnx.NodeProto],
    inputs: Mapping[str, Any],
    outputs: Iterable[str] = ("y",),
    *,
    weights: Weights = (),
    opset: int = 20,
) -> onnx.ModelProto:
    """Return a model; the types of its outputs follow from its nodes.

    inputs: by name, a shape, whose elements are floats, or an element type and a shape.
    """
    infos: list[onnx.ValueInfoProto] = []
    for name, spec in inputs.items():
        is_typed = isinstance(spec, tuple) and spec and not isinstance(spec[-1], int | str)
        element, shape = spec if is_typed else (TensorProto.FLOAT, spec)
        infos.append(helper.make_tensor_value_info(name, element, shape))
    outs = [onnx.ValueInfoProto(name=name) for name in outputs]
    if isinstance(weights, Mapping):
        weights = [numpy_helper.from_array(np.asarray(a), n) for n, a in weights.items()]
    graph = helper.make_graph(nodes, "g", infos, outs, weights)
    opsets = [helper.make_opsetid("", opset), helper.make_opsetid("com.acme", 1)]
    return helper.make_model(graph, opset_imports=opsets, ir_version=10)


def node(
    op: str,
    inputs: Iterable[str],
    outputs: Iterable[str] = ("y",),
    name: str = "",
    **attributes: Any,
) -> onnx.NodeProto:
    """Return a node with one output, ``y``, by default; texts are lists of names of one letter."""
    return helper.make_node(op, list(inputs), list(outputs), name=name, **attributes)

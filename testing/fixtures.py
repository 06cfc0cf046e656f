"""Models stored as graphs without weights, which get seeded random weights and inputs.

In such a file a weight is a ConstantOfShape node whose value is the mean of the weight, and whose
metadata entry ``deviation`` is the spread of the weight around the mean. The metadata of the model
hold ``sizes``, which bind the symbolic sizes, and ``range.<input>``, the bounds of an integer
input. Needs the package ``onnx``, which is imported when a file is read.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import sqrt
from os import PathLike
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from onnx import ModelProto, NodeProto

_DEVIATION = "deviation"


def fixture_model(path: str | PathLike[str], *, seed: int = 0) -> ModelProto:
    """Read a model of the test fixtures, and give it random weights.

    The weights are uniform, with the mean and deviation that the file states.
    """
    import onnx

    model = onnx.load(path)
    graph, rng = model.graph, np.random.default_rng(seed)
    shapes = {t.name: t for t in graph.initializer}
    stand_ins = [node for node in graph.node if _deviation(node) is not None]
    for node in stand_ins:
        shape = onnx.numpy_helper.to_array(shapes[node.input[0]])
        mean = onnx.numpy_helper.to_array(node.attribute[0].t)
        reach = np.float32((_deviation(node) or 0.0) * sqrt(3))
        array = mean + reach * (2 * rng.random(shape, np.float32) - 1)
        graph.initializer.append(onnx.numpy_helper.from_array(array, node.output[0]))
        graph.node.remove(node)
    for name in {node.input[0] for node in stand_ins}:
        graph.initializer.remove(shapes[name])
    return model


def _deviation(node: NodeProto) -> float | None:
    """Return the deviation of a node that represents a weight, None for other nodes."""
    return next((float(e.value) for e in node.metadata_props if e.key == _DEVIATION), None)


def fixture_sizes(model: ModelProto) -> dict[str, int]:
    """Return the sizes that the file of a model suggests for its symbolic dimensions, by name."""
    words = (word.partition("=") for word in _metadata(model).get("sizes", "").split())
    return {name: int(size) for name, _, size in words}


def fixture_inputs(
    model: ModelProto, *, sizes: Mapping[str, int] | None = None, seed: int = 0
) -> dict[str, np.ndarray]:
    """Return random inputs of a model, by name: normal floats, and integers within their bounds.

    sizes: sizes of symbolic dimensions, if they differ from the sizes that the file suggests.
    """
    import onnx

    rng, metadata = np.random.default_rng(seed), _metadata(model)
    bound = {**fixture_sizes(model), **(sizes or {})}
    weights = {t.name for t in model.graph.initializer}
    inputs: dict[str, np.ndarray] = {}
    for value in (v for v in model.graph.input if v.name not in weights):
        tensor = value.type.tensor_type
        shape = [bound[d.dim_param] if d.dim_param else d.dim_value for d in tensor.shape.dim]
        dtype = onnx.helper.tensor_dtype_to_np_dtype(tensor.elem_type)
        words = metadata.get(f"range.{value.name}")
        if words is None:
            inputs[value.name] = rng.standard_normal(shape, np.float32).astype(dtype)
        else:
            low, high = map(int, words.split())
            inputs[value.name] = rng.integers(low, high, shape, dtype)
    return inputs


def _metadata(model: ModelProto) -> dict[str, str]:
    return {entry.key: entry.value for entry in model.metadata_props}

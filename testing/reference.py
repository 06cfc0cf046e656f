"""The results of a model in double precision, by the evaluator of the package ``onnx``.

In: a model and its inputs.  Out: the results of the same model with every float a double, against
which the rounding errors of any engine are measured. Results are cached on disk by content.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from ..support.cache import DiskCache, content_key

if TYPE_CHECKING:
    from onnx import AttributeProto, GraphProto, ModelProto, NodeProto, TensorProto, ValueInfoProto
    from onnx.reference.op_run import OpRun

Array = np.ndarray

# Attributes that name an element type; the evaluator does not use stash_type.
_TYPE_ATTRIBUTES = frozenset({"to", "dtype", "softmax_precision"})


# Part of the cache key; change it together with the evaluator.
_EVALUATOR = "repaired GatherElements, LRN, BatchNormalization, Softmax"


def reference_results(
    model: ModelProto, inputs: Mapping[str, Array], *, cache: DiskCache | None = None
) -> list[Array]:
    """Evaluate a model in double precision; return its results.

    cache: where results are stored, so that a model is evaluated once; None stores nothing.
    """
    import onnx

    data = model.SerializeToString(deterministic=True)
    parts = [part for name, x in inputs.items() for part in (name, str(x.dtype), x.tobytes())]
    key = content_key("reference", _EVALUATOR, onnx.__version__, data, *parts)
    kept = cache.read(key) if cache is not None else None
    if kept is not None:
        with np.load(io.BytesIO(kept)) as stored:
            return [stored[name] for name in stored.files]
    results = _evaluated(model, inputs)
    if cache is not None:
        file = io.BytesIO()
        np.savez(file, *results)
        cache.write(key, file.getvalue())
    return results


def results_as_typed(model: ModelProto, inputs: Mapping[str, Array]) -> list[Array]:
    """Evaluate a model in its own types with numpy, as another engine that rounds."""
    from onnx.reference import ReferenceEvaluator

    evaluator = ReferenceEvaluator(model, new_ops=_repaired_operators())
    with np.errstate(all="ignore"):
        return [np.asarray(x) for x in evaluator.run(None, dict(inputs))]


def _evaluated(model: ModelProto, inputs: Mapping[str, Array]) -> list[Array]:
    feeds = {
        name: x.astype(np.float64) if x.dtype == np.float32 else x for name, x in inputs.items()
    }
    return results_as_typed(in_double(model), feeds)


def _repaired_operators() -> list[type[OpRun]]:
    """Return replacements for operators that the evaluator of onnx computes wrongly.

    Their docstrings name the defect.
    """
    from onnx.reference.op_run import OpRun

    class GatherElements(OpRun):
        """GatherElements, corrected: onnx's evaluator handles at most 64 rows (numpy.choose)."""

        op_domain = ""

        def _run(self, data: Array, indices: Array, axis: int = 0) -> tuple[Array]:
            return (np.take_along_axis(data, indices, axis),)

    class LRN(OpRun):
        """LRN, corrected: onnx's evaluator takes the batch size for the number of channels."""

        op_domain = ""

        def _run(self, x: Array, alpha: float, beta: float, bias: float, size: int) -> tuple[Array]:
            low = (size - 1) // 2
            pads = [(0, 0), (low, size - 1 - low), *[(0, 0)] * (x.ndim - 2)]
            squares = np.pad(x * x, pads)
            sums = sum(squares[:, i : i + x.shape[1]] for i in range(size))
            return (x / (bias + alpha / size * sums) ** beta,)

    class BatchNormalization(OpRun):
        """BatchNormalization in inference mode, corrected: onnx's evaluator trains before opset 14.

        In those opsets, a node with a single output is in inference mode.
        """

        op_domain = ""

        def _run(
            self,
            x: Array,
            scale: Array,
            bias: Array,
            mean: Array,
            var: Array,
            epsilon: float,
            **_: int,
        ) -> tuple[Array]:
            ones = (1,) * (x.ndim - 2)
            scale, bias, mean, var = (v.reshape(-1, *ones) for v in (scale, bias, mean, var))
            return (scale * (x - mean) / np.sqrt(var + epsilon) + bias,)

    class Softmax(OpRun):
        """Softmax, corrected: before opset 13, all axes from ``axis`` (default 1) form one."""

        op_domain = ""

        def _run(self, x: Array, axis: int = -1) -> tuple[Array]:
            axes: tuple[int, ...] = (axis,)
            if self.run_params["opsets"][""] < 13:
                given = [a.i for a in self.onnx_node.attribute if a.name == "axis"]
                axes = tuple(range((given or [1])[0] % x.ndim, x.ndim))
            weights = np.exp(x - x.max(axes, keepdims=True))
            return (weights / weights.sum(axes, keepdims=True),)

    return [GatherElements, LRN, BatchNormalization, Softmax]


def in_double(model: ModelProto) -> ModelProto:
    """Return a copy of a model in which every float is a double."""
    import onnx

    copy = onnx.ModelProto()
    copy.CopyFrom(model)
    _convert_graph(copy.graph)
    for function in copy.functions:
        _convert_nodes(function.node)
    return copy


def _convert_graph(graph: GraphProto) -> None:
    for weight in graph.initializer:
        _convert_tensor(weight)
    for value in (*graph.input, *graph.output, *graph.value_info):
        _convert_value(value)
    _convert_nodes(graph.node)


def _convert_nodes(nodes: Iterable[NodeProto]) -> None:
    from onnx import AttributeProto, TensorProto

    for node in nodes:
        for attribute in node.attribute:
            if attribute.type == AttributeProto.GRAPH:
                _convert_graph(attribute.g)
            elif attribute.type == AttributeProto.TENSOR:
                _convert_tensor(attribute.t)
            elif attribute.name in _TYPE_ATTRIBUTES and attribute.i == TensorProto.FLOAT:
                attribute.i = TensorProto.DOUBLE
            elif node.op_type == "Constant" and attribute.name in ("value_float", "value_floats"):
                _make_tensor_attribute(attribute)


def _make_tensor_attribute(attribute: AttributeProto) -> None:
    """Convert the number or numbers of a Constant to a tensor of doubles."""
    from onnx import AttributeProto, numpy_helper

    is_list = attribute.type == AttributeProto.FLOATS
    values: Sequence[float] | float = list(attribute.floats) if is_list else attribute.f
    tensor = numpy_helper.from_array(np.array(values, np.float64))
    attribute.Clear()
    attribute.name, attribute.type = "value", AttributeProto.TENSOR
    attribute.t.CopyFrom(tensor)


def _convert_tensor(tensor: TensorProto) -> None:
    from onnx import TensorProto, numpy_helper

    if tensor.data_type == TensorProto.FLOAT:
        array = numpy_helper.to_array(tensor).astype(np.float64)
        tensor.CopyFrom(numpy_helper.from_array(array, tensor.name))


def _convert_value(value: ValueInfoProto) -> None:
    from onnx import TensorProto

    if value.type.tensor_type.elem_type == TensorProto.FLOAT:
        value.type.tensor_type.elem_type = TensorProto.DOUBLE


def relative_error(got: Array, expected: Array) -> float:
    """Return the L2 norm of the error over the L2 norm of the expected value.

    For integers, the result is 0 or 1. An element that is NaN in both arrays has no error; an
    element that is NaN in one of them makes the error NaN.
    """
    if expected.dtype.kind != "f":
        return float(not np.array_equal(got, expected))
    same = np.isnan(got) & np.isnan(expected)
    got, expected = np.where(same, 0, got), np.where(same, 0, expected)
    norm = float(np.linalg.norm(expected))
    return float(np.linalg.norm(got - expected)) / (norm or 1.0)


def tolerance(peer: Array, expected: Array) -> float:
    """Return the allowed relative error: four times the error of another engine.

    peer: the results of the other engine. The result is at least 2e-6, the rounding error to expect
    in single precision, even if the error of the other engine is NaN.
    """
    return max(2e-6, 4 * relative_error(peer, expected))

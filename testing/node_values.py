"""The results of all nodes of a model, from our code and from a reference runtime.

They show the first node whose results differ.
The nodes of the main graph become outputs of a copy of the model, which is compiled and run as any
other model.  More outputs keep some nodes from sharing a kernel, so a defect of a fused kernel may
show only in an output of the whole model; outputs of the model come last.  Needs the package
``onnx``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import onnx
from onnx import shape_inference

from ..support.diagnostics import TilewrightError
from .fuzz.references import onnxruntime_call
from .reference import Array, relative_error, results_as_typed

Runner = Callable[[onnx.ModelProto, Mapping[str, Array]], Sequence[Array]]


def with_node_outputs(model: onnx.ModelProto) -> onnx.ModelProto:
    """Return a copy of a model whose outputs are all tensors that nodes of its main graph compute.

    The outputs are in the order of the nodes.  A result that is no tensor is left out.
    """
    made = shape_inference.infer_shapes(model)
    known = {info.name: info for info in (*made.graph.value_info, *made.graph.output)}
    names = dict.fromkeys(name for node in made.graph.node for name in node.output if name)
    outputs = [known[name] for name in names if name in known]
    tensors = [info for info in outputs if info.type.HasField("tensor_type")]
    copy = onnx.ModelProto()
    copy.CopyFrom(model)
    del copy.graph.output[:]
    copy.graph.output.extend(tensors)
    return copy


def save_with_node_outputs(file: Path, folder: Path) -> tuple[onnx.ModelProto, Path]:
    """Write the model of `with_node_outputs` to a folder; return the model and its file."""
    model, path = with_node_outputs(onnx.load(file)), folder / file.name
    onnx.save(model, path)
    return model, path


@dataclass(frozen=True)
class NodeDifference:
    """An output of a node whose values differ by more than the bound.

    node, operator, output: the names of the node, its operator and the output.  position: the
    element with the largest difference.
    ours, theirs: the values of this element.  error: the relative L2 error of the output; 1 for
    integers, NaN if one side has NaN.
    """

    node: str
    operator: str
    output: str
    shape: tuple[int, ...]
    position: tuple[int, ...]
    ours: str
    theirs: str
    error: float


def differences(
    model: onnx.ModelProto, ours: Mapping[str, Array], theirs: Mapping[str, Array], *, bound: float
) -> Iterator[NodeDifference]:
    """Yield the outputs of nodes whose relative L2 error exceeds a bound, in order of the nodes.

    model: the model of `with_node_outputs`.  ours, theirs: the outputs by name.
    """
    for node in model.graph.node:
        for name in node.output:
            if name in ours and name in theirs:
                found = _difference(node, name, ours[name], theirs[name], bound)
                if found is not None:
                    yield found


def _difference(
    node: onnx.NodeProto, name: str, got: Array, expected: Array, bound: float
) -> NodeDifference | None:
    label = node.name or name
    if (got.shape, got.dtype) != (expected.shape, expected.dtype):
        mine, other = (f"{x.dtype}{list(x.shape)}" for x in (got, expected))
        return NodeDifference(
            label, node.op_type, name, got.shape, (), mine, other, error=float("nan")
        )
    a, b = (_numbers(x) for x in (got, expected))
    error = relative_error(a, b)
    if error <= bound:
        return None
    a, b = a.astype(np.float64), b.astype(np.float64)
    with np.errstate(all="ignore"):
        distance = np.where((a == b) | (np.isnan(a) & np.isnan(b)), 0, np.abs(a - b))
    flat = int(np.argmax(np.where(np.isnan(distance), np.inf, distance)))
    position = tuple(int(n) for n in np.unravel_index(flat, got.shape))
    mine, other = (str(x[position]) for x in (got, expected))
    return NodeDifference(label, node.op_type, name, got.shape, position, mine, other, error)


def _numbers(array: Array) -> Array:
    """Return an array of a type that numpy computes with; narrow floats become f32."""
    is_wide = array.dtype.kind == "f" and array.dtype.itemsize > 2
    return array if is_wide or array.dtype.kind in "iub" else array.astype(np.float32)


def run_onnxruntime(model: onnx.ModelProto, inputs: Mapping[str, Array]) -> Sequence[Array]:
    """Return the outputs of a model from onnxruntime.

    Errors: TilewrightError if onnxruntime is missing, or rejects the model.
    """
    call = onnxruntime_call(model.SerializeToString(), dict(inputs))
    if call is None:
        raise TilewrightError(
            "onnxruntime does not run the model",
            hint="pip install onnxruntime, or compare with numpy (--with numpy)",
        )
    return call()


RUNNERS: Mapping[str, Runner] = {"onnxruntime": run_onnxruntime, "numpy": results_as_typed}
"""The reference runtimes: onnxruntime, and the evaluator of onnx in numpy."""

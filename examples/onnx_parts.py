"""Backends that give parts of a model to onnxruntime, or to OpenVINO, as ONNX models.

    import onnx_parts
    extension = tilewright.Extension(backends=[onnx_parts.OnnxRuntime()])
    mod = tilewright.compile("model.onnx", placement="onnxruntime", extensions=[extension])

A part is written as an ONNX model, which the other runtime loads; `models` has the models by the
name of the function that runs them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import count
from typing import Any, ClassVar

import numpy as np
import onnx
from onnx import helper, numpy_helper
from xdsl.dialects.builtin import ModuleOp, TensorType
from xdsl.ir import Operation, SSAValue

import tilewright
from tilewright.dialects import graph
from tilewright.dialects.dtypes import numpy_dtype
from tilewright.dialects.graph.elementwise import ELEMENTWISE
from tilewright.support.entry import entry_of
from tilewright.targets.external import ExternalBackend

NAMES = ("add", "sub", "mul", "div", "max", "min", "neg", "exp", "erf", "sqrt", "tanh", "sigmoid")
SAME = {ELEMENTWISE[name]: name.capitalize() for name in NAMES}
"""For each elementwise graph op, the ONNX operator that computes the same."""
OTHERS = (graph.MatmulOp, graph.SoftmaxOp, graph.ReshapeOp, graph.TransposeOp, graph.BroadcastOp)

Run = Callable[[Sequence[np.ndarray]], Sequence[np.ndarray]]


def shape_of(value: SSAValue) -> tuple[int, ...]:
    """Return the shape of a tensor; a dynamic size is a negative integer."""
    assert isinstance(value.type, TensorType), "graph ops have tensors"
    return value.type.get_shape()


def nodes_of(op: Operation, inputs: list[str], output: str) -> list[onnx.NodeProto]:
    """Return the ONNX nodes that compute the same result as a graph op."""
    if (name := SAME.get(type(op))) is not None:
        return [helper.make_node(name, inputs, [output])]
    if isinstance(op, graph.SoftmaxOp):
        return [helper.make_node("Softmax", inputs, [output], axis=op.axis)]
    if isinstance(op, graph.TransposeOp):
        return [helper.make_node("Transpose", inputs, [output], perm=list(op.perm))]
    if isinstance(op, graph.MatmulOp):
        return [helper.make_node("MatMul", inputs, [output])]
    shape = shape_of(op.results[0])
    if isinstance(op, graph.ReshapeOp):
        return resized("Reshape", inputs[0], output, shape)
    assert isinstance(op, graph.BroadcastOp), f"{op.name} is not supported"
    aligned = [1] * len(shape)
    for axis, size in zip(op.axes, shape_of(op.x), strict=True):
        aligned[axis] = size
    first = resized("Reshape", inputs[0], f"{output}_aligned", aligned)
    return [*first, *resized("Expand", f"{output}_aligned", output, shape)]


def resized(kind: str, x: str, output: str, shape: Sequence[int]) -> list[onnx.NodeProto]:
    """Return the ONNX nodes that reshape or expand (``kind``) a tensor to a static shape."""
    sizes = numpy_helper.from_array(np.array(shape, np.int64))
    constant = helper.make_node("Constant", [], [f"{output}_shape"], value=sizes)
    return [constant, helper.make_node(kind, [x, f"{output}_shape"], [output])]


def onnx_model(module: ModuleOp) -> onnx.ModelProto:
    """Return an ONNX model that computes the same as a part of a graph."""
    main, numbers = entry_of(module), count()
    names: dict[SSAValue, str] = {arg: f"x{arg.index}" for arg in main.body.block.args}
    nodes: list[onnx.NodeProto] = []
    weights: list[onnx.TensorProto] = []
    for op in main.body.block.ops:
        names |= {result: f"v{next(numbers)}" for result in op.results}
        if isinstance(op, graph.ConstantOp):
            weights.append(numpy_helper.from_array(np.asarray(op.array), names[op.out]))
        elif op.results:
            nodes += nodes_of(op, [names[v] for v in op.operands], names[op.results[0]])
    end = main.body.block.last_op
    assert end is not None, "main returns"
    made = helper.make_graph(
        nodes,
        "part",
        [_info(names[value], value) for value in main.body.block.args],
        [_info(names[value], value) for value in end.operands],
        weights,
    )
    return helper.make_model(made, opset_imports=[helper.make_opsetid("", 18)], ir_version=9)


def _info(name: str, value: SSAValue) -> onnx.ValueInfoProto:
    assert isinstance(value.type, TensorType), "graph ops have tensors"
    kind = helper.np_dtype_to_tensor_dtype(numpy_dtype(value.type.element_type))
    return helper.make_tensor_value_info(name, kind, shape_of(value))


class OnnxParts(ExternalBackend):
    """Base class of backends that run parts as ONNX models; a subclass chooses the runtime."""

    numbers: ClassVar[Any] = count()

    def __init__(self) -> None:
        self.models: dict[str, onnx.ModelProto] = {}

    def supports(self, op: Operation) -> bool:
        """Return whether this backend can run an op: it has a rule, and its sizes are static."""
        tensors = [*op.operands, *op.results]
        is_known = type(op) in SAME or isinstance(op, OTHERS)
        is_plain = not isinstance(op, graph.MatmulOp) or not (op.transpose_lhs or op.transpose_rhs)
        return is_known and is_plain and all(min(shape_of(v), default=1) > 0 for v in tensors)

    def function(self, module: ModuleOp) -> str:
        """Register a packed function that runs a part of a graph; return the function's name."""
        name = f"{self.kind}.part{next(OnnxParts.numbers)}"
        self.models[name] = onnx_model(module)
        run, inputs = self.runner(self.models[name]), len(entry_of(module).body.block.args)

        def part(*tensors: object) -> None:
            arrays = [np.asarray(tensor) for tensor in tensors]
            for output, result in zip(arrays[inputs:], run(arrays[:inputs]), strict=True):
                output[...] = result

        tilewright.register_func(name, part)
        return name

    def runner(self, model: onnx.ModelProto) -> Run:
        """Return a function that maps the inputs of a model to its outputs."""
        raise NotImplementedError


class OnnxRuntime(OnnxParts):
    """The backend of the target ``onnxruntime``, which runs its parts in onnxruntime."""

    kind = "onnxruntime"

    def runner(self, model: onnx.ModelProto) -> Run:
        """Return a function that runs a model in onnxruntime."""
        import onnxruntime

        session = onnxruntime.InferenceSession(model.SerializeToString())
        names = [spec.name for spec in session.get_inputs()]
        return lambda arrays: session.run(None, dict(zip(names, arrays, strict=True)))


class OpenVino(OnnxParts):
    """The backend of the target ``openvino``, which runs its parts in OpenVINO."""

    kind = "openvino"

    def runner(self, model: onnx.ModelProto) -> Run:
        """Return a function that runs a model in OpenVINO."""
        import openvino

        core = openvino.Core()
        read = core.read_model(model.SerializeToString())
        network = core.compile_model(read, "CPU", {"INFERENCE_PRECISION_HINT": "f32"})
        return lambda arrays: [*network([*arrays]).values()]

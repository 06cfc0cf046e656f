"""GraphBuilder: an ONNX model under construction, with the shape of every value.

Shapes and types come from onnx's inference of each node, so a family of random graphs reads like
the network that it represents. Needs the package ``onnx``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import prod, sqrt
from typing import Any, TypeAlias

import ml_dtypes
import numpy as np
import onnx
from onnx import helper, numpy_helper, shape_inference

from .draw import Array, Draw

OPSET, IR_VERSION = 23, 11
_ROOT_3 = 1.7320508075688772


@dataclass(frozen=True)
class GraphTensor:
    """A tensor of a graph under construction, with known shape and dtype."""

    name: str
    shape: tuple[int, ...]
    dtype: np.dtype[Any]

    @property
    def rank(self) -> int:
        """Return the number of dimensions."""
        return len(self.shape)

    @property
    def elements(self) -> int:
        """Return the number of elements."""
        return prod(self.shape)


Operand: TypeAlias = GraphTensor | None
"""None: an optional input that is omitted."""


class NotInStandard(Exception):
    """The error for an operator that does not support the type of its operands."""


class GraphBuilder:
    """An ONNX graph under construction, with random weights and inputs.

    draw: the random choices.  dtype: the type of floats.  prefix: the start of all names.
    feeds: the value of each input.
    """

    def __init__(
        self, draw: Draw, *, dtype: str = "float32", opset: int = OPSET, prefix: str = ""
    ) -> None:
        self.draw, self.opset, self._prefix = draw, opset, prefix
        self.set_dtype(dtype)
        self.feeds: dict[str, Array] = {}
        self._nodes: list[onnx.NodeProto] = []
        self._inputs: list[GraphTensor] = []
        self._constants: dict[str, onnx.TensorProto] = {}
        self._outputs: list[GraphTensor] = []
        self._count = 0

    def set_dtype(self, name: str) -> None:
        """Choose the type of the floats that are added from now on."""
        self.dtype: np.dtype[Any] = np.dtype(getattr(ml_dtypes, name, name))

    def input(self, *shape: int, scale: float = 1.0) -> GraphTensor:
        """Declare an input of random floats with a standard deviation of about ``scale``."""
        reach = scale * _ROOT_3
        return self.feed(self.draw.uniform(shape, -reach, reach).astype(self.dtype))

    def feed(self, array: Array) -> GraphTensor:
        """Declare an input with the type and the values of an array."""
        array = np.asarray(array)  # arithmetic turns an array of rank 0 into a number
        value = GraphTensor(self._fresh("x"), array.shape, array.dtype)
        self._inputs.append(value)
        self.feeds[value.name] = array
        return value

    def declare(self, shape: Sequence[int], dtype: np.dtype[Any] | None = None) -> GraphTensor:
        """Declare an input of the body of a control-flow node, which sets its value at run time.

        dtype: None is the builder's type of floats.
        """
        value = GraphTensor(self._fresh("x"), tuple(shape), self.dtype if dtype is None else dtype)
        self._inputs.append(value)
        return value

    def body(self) -> GraphBuilder:
        """Return a builder of a graph inside a node; it may use the values of this graph."""
        self._count += 1
        prefix = f"{self._prefix}body{self._count}_"
        return GraphBuilder(self.draw, dtype=self.dtype.name, opset=self.opset, prefix=prefix)

    def constant(self, array: Array) -> GraphTensor:
        """Add an initializer with the type and the values of an array."""
        value = GraphTensor(self._fresh("c"), array.shape, array.dtype)
        self._constants[value.name] = numpy_helper.from_array(array, value.name)
        return value

    def number(self, value: float) -> GraphTensor:
        """Add a constant scalar of the builder's type of floats."""
        return self.constant(np.array(value).astype(self.dtype))

    def ints(self, *values: int) -> GraphTensor:
        """Add a constant vector of int64."""
        return self.constant(np.array(values, np.int64))

    def index(self, value: int) -> GraphTensor:
        """Add a constant scalar of int64."""
        return self.constant(np.array(value, np.int64))

    def weight(self, *shape: int, fan_in: int | None = None, around: float = 0.0) -> GraphTensor:
        """Add random weights that keep the scale of the activations that they multiply.

        fan_in: the number of products in one sum (default: by the shape).
        around: the mean of the weights.
        """
        fan = fan_in or (shape[-2] if len(shape) > 1 else 30)
        reach = _ROOT_3 / sqrt(fan)
        drawn = self.draw.uniform(shape, around - reach, around + reach)
        return self.constant(drawn.astype(self.dtype))

    def operand(self, *shape: int, fan_in: int = 1, constant: float = 0.5) -> GraphTensor:
        """Add a constant weight with probability ``constant``, else an input of the model.

        fan_in: the number of products in one sum, from which the scale of the values follows.
        """
        if self.draw.chance(constant):
            return self.weight(*shape, fan_in=fan_in)
        return self.input(*shape, scale=1 / sqrt(fan_in))

    def op(self, op_type: str, *inputs: Operand, **attributes: Any) -> GraphTensor:
        """Add a node with one output, and return the output."""
        return self.ops(op_type, *inputs, count=1, **attributes)[0]

    def ops(
        self, op_type: str, *inputs: Operand, count: int, **attributes: Any
    ) -> list[GraphTensor]:
        """Add a node with several outputs, and return the outputs.

        Errors: NotInStandard for a type that the operator does not support; errors of onnx's
        inference for operands that break a rule of the operator.
        """
        node = self._made(op_type, inputs, count, attributes)
        types = _inferred(node, inputs, self._constants, self.opset)
        self._nodes.append(node)
        return [_value(name, types[name]) for name in node.output]

    def same(self, op_type: str, *inputs: Operand, **attributes: Any) -> GraphTensor:
        """Add a node whose output has the shape and type of its first input, and return the output.

        onnx may fail to infer the type of such an output.
        """
        first = inputs[0]
        assert first is not None, op_type
        return self.shaped(op_type, first.shape, first, *inputs[1:], **attributes)

    def shaped(
        self,
        op_type: str,
        shape: Sequence[int],
        first: GraphTensor,
        *more: Operand,
        **attributes: Any,
    ) -> GraphTensor:
        """Add a node with this output shape and the type of its first input; return the output."""
        self._nodes.append(self._made(op_type, (first, *more), 1, attributes))
        return GraphTensor(self._nodes[-1].name, tuple(shape), first.dtype)

    def control(
        self, op_type: str, *inputs: Operand, results: Sequence[GraphTensor], **attributes: Any
    ) -> list[GraphTensor]:
        """Add a node with bodies, such as Loop, and return its outputs.

        results: values with the shapes and types of the outputs.  attributes: the bodies as
        builders, and other attributes.
        """
        graphs: dict[str, Any] = {
            key: value.graph(key) if isinstance(value, GraphBuilder) else value
            for key, value in attributes.items()
        }
        self._nodes.append(self._made(op_type, inputs, len(results), graphs))
        pairs = zip(self._nodes[-1].output, results, strict=True)
        return [GraphTensor(name, like.shape, like.dtype) for name, like in pairs]

    def _made(
        self, op_type: str, inputs: Sequence[Operand], count: int, attributes: Mapping[str, Any]
    ) -> onnx.NodeProto:
        names = [self._fresh(op_type.lower()) for _ in range(count)]
        given = ["" if value is None else value.name for value in inputs]
        return helper.make_node(op_type, given, names, name=names[0], **attributes)

    def output(self, *values: GraphTensor) -> None:
        """Make values outputs of the model."""
        self._outputs += [value for value in values if value not in self._outputs]

    def graph(self, name: str = "fuzz") -> onnx.GraphProto:
        """Return the graph, for a model or for a body of control flow."""
        return helper.make_graph(
            self._nodes,
            name,
            [_info(value) for value in self._inputs],
            [_info(value) for value in self._outputs],
            list(self._constants.values()),
        )

    def model(self) -> onnx.ModelProto:
        """Return the model."""
        opset = helper.make_opsetid("", self.opset)
        return helper.make_model(self.graph(), opset_imports=[opset], ir_version=IR_VERSION)

    def _fresh(self, prefix: str) -> str:
        self._count += 1
        return f"{self._prefix}{prefix}{self._count}"


def parsed_model(data: bytes) -> onnx.ModelProto:
    """Return a model from its bytes."""
    return onnx.load_from_string(data)


def with_sizes(data: bytes, shapes: Mapping[str, Sequence[str | int]]) -> bytes:
    """Return a model with other shapes of its inputs; the sizes of its outputs are unknown.

    data: the model.  shapes: the shape of each input, in which a text is a symbolic size.
    """
    model = parsed_model(data)
    for value in model.graph.input:
        for dim, size in zip(value.type.tensor_type.shape.dim, shapes[value.name], strict=True):
            if isinstance(size, str):
                dim.dim_param = size
            else:
                dim.dim_value = size
    for value in model.graph.output:
        for dim in value.type.tensor_type.shape.dim:
            dim.Clear()
    return model.SerializeToString()


def _inferred(
    node: onnx.NodeProto,
    inputs: Sequence[Operand],
    constants: dict[str, onnx.TensorProto],
    opset: int,
) -> dict[str, onnx.TypeProto]:
    try:
        return shape_inference.infer_node_outputs(
            onnx.defs.get_schema(node.op_type, opset, ""),
            node,
            {value.name: _type(value) for value in inputs if value is not None},
            {name: constants[name] for name in node.input if name in constants},
            opset_imports=[helper.make_opsetid("", opset)],
            ir_version=IR_VERSION,
        )
    except onnx.checker.ValidationError as err:
        raise NotInStandard(f"{node.op_type}: {err}") from err


def _type(value: GraphTensor) -> onnx.TypeProto:
    kind = helper.np_dtype_to_tensor_dtype(value.dtype)
    return helper.make_tensor_type_proto(kind, value.shape)


def _info(value: GraphTensor) -> onnx.ValueInfoProto:
    return helper.make_value_info(value.name, _type(value))


def _value(name: str, type_: onnx.TypeProto) -> GraphTensor:
    tensor = type_.tensor_type
    assert tensor.HasField("shape"), f"onnx does not know the shape of {name}"
    shape = tuple(dim.dim_value for dim in tensor.shape.dim)
    return GraphTensor(name, shape, np.dtype(helper.tensor_dtype_to_np_dtype(tensor.elem_type)))

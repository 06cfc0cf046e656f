"""Write quantized models: QuantizeLinear and DequantizeLinear nodes around product operands.

    MatMul(x, w)  ==>  MatMul(DequantizeLinear(QuantizeLinear(x)), DequantizeLinear(w8)) + b

Activations are u8 with a scale and a zero point per tensor; weights are i8 with a scale per channel
of the result and no zero point; a bias is i32 with the product of both scales.  onnxruntime's
quantizer writes the same form, and the pass `graph-quantize` converts it to products of integers.
Nodes other than products still read the f32 activations.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field, replace
from os import PathLike
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import helper, numpy_helper

from ...support.diagnostics import ModelError
from .file.proto import read_proto

Array: TypeAlias = NDArray[Any]

LEAST_OPSET = 13
"""The first opset whose DequantizeLinear allows a scale per channel."""

_RESULT_AXIS = {"Conv": 0, "MatMul": -1, "Gemm": -1}
"""By operator, the axis of the weights that is the channel axis of the result."""


@dataclass(frozen=True)
class QuantizableProduct:
    """A MatMul, Gemm or Conv node that can be quantized.

    axis: the axis of the weights that becomes the channel axis of the result.  has_bias: whether
    the node has a bias that can be quantized to i32, too.
    """

    node: onnx.NodeProto
    axis: int
    has_bias: bool

    @property
    def activation(self) -> str:
        """The name of the operand that the model computes."""
        return self.node.input[0]

    @property
    def weights(self) -> str:
        """The name of the operand that is constant."""
        return self.node.input[1]


def read(model: str | PathLike[str] | bytes | onnx.ModelProto) -> onnx.ModelProto:
    """Read a model with its external weights; return a copy of it.

    Errors: ModelError if ``model`` is no ONNX model, or its opset is too old.
    """
    given, folder = read_proto(model)
    proto = deepcopy(given)
    if folder is not None:
        onnx.load_external_data_for_model(proto, str(folder))
    opset = next((o.version for o in proto.opset_import if o.domain in ("", "ai.onnx")), 0)
    if opset < LEAST_OPSET:
        raise ModelError(
            "the opset has no scales per channel",
            expected=f"opset {LEAST_OPSET} or newer",
            got=opset,
            hint="onnx.version_converter.convert_version converts models",
        )
    return proto


def write(proto: onnx.ModelProto, file: str | PathLike[str]) -> None:
    """Write a model; if it is too large for a protobuf message, write its weights next to it."""
    is_large = proto.ByteSize() >= onnx.checker.MAXIMUM_PROTOBUF
    location = f"{Path(file).name}.data"
    onnx.save(proto, str(file), save_as_external_data=is_large, location=location)


def products_of(proto: onnx.ModelProto, kept: Collection[str] = ()) -> list[QuantizableProduct]:
    """Return the products and convolutions of a computed f32 tensor and a constant f32 tensor.

    kept: names of nodes, or of their results, that must stay f32.
    Errors: ModelError if a name is not in the model.
    """
    known = {name for node in proto.graph.node for name in (node.name, *node.output)}
    if unknown := sorted({*kept} - known):
        raise ModelError("no such node", expected="a node or a result", got=", ".join(unknown))
    stored = {t.name: t for t in proto.graph.initializer}
    found = (_product(node, stored) for node in proto.graph.node)
    return [p for p in found if p is not None and not {p.node.name, *p.node.output} & {*kept}]


def _product(
    node: onnx.NodeProto, stored: Mapping[str, onnx.TensorProto]
) -> QuantizableProduct | None:
    axis = _RESULT_AXIS.get(node.op_type) if node.domain in ("", "ai.onnx") else None
    if axis is None or node.input[0] in stored or node.input[1] not in stored:
        return None
    weights = stored[node.input[1]]
    if weights.data_type != onnx.TensorProto.FLOAT or len(weights.dims) < 2 or 0 in weights.dims:
        return None
    if node.op_type == "MatMul" and len(weights.dims) != 2:
        return None
    given = {a.name: helper.get_attribute_value(a) for a in node.attribute}
    if given.get("transB"):
        axis = 0
    is_plain = given.get("alpha", 1) == given.get("beta", 1) == 1
    bias = stored.get(node.input[2]) if len(node.input) > 2 else None
    channels = weights.dims[axis]
    has_bias = bias is not None and is_plain and [*bias.dims] == [channels]
    return QuantizableProduct(node, axis % len(weights.dims), has_bias)


def with_results(proto: onnx.ModelProto, names: Sequence[str]) -> onnx.ModelProto:
    """Return a copy of a model whose only results are the f32 tensors with these names."""
    made = deepcopy(proto)
    values = [helper.make_tensor_value_info(n, onnx.TensorProto.FLOAT, None) for n in names]
    del made.graph.output[:]
    made.graph.output.extend(values)
    return made


def with_names(proto: onnx.ModelProto, products: Sequence[QuantizableProduct]) -> None:
    """Rename each product whose name is empty or not unique, after the name of its result."""
    taken = {node.name for node in proto.graph.node}
    counts = Counter(node.name for node in proto.graph.node)
    for product in products:
        if not product.node.name or counts[product.node.name] > 1:
            product.node.name = fresh_name(product.node.output[0], taken)


def copied(
    proto: onnx.ModelProto, products: Sequence[QuantizableProduct]
) -> tuple[onnx.ModelProto, list[QuantizableProduct]]:
    """Return a copy of a model, and its products, whose nodes belong to the copy."""
    made = deepcopy(proto)
    nodes = {node.output[0]: node for node in made.graph.node if node.output}
    return made, [replace(p, node=nodes[p.node.output[0]]) for p in products]


def nodes_of(proto: onnx.ModelProto, names: Sequence[str]) -> dict[str, list[str]]:
    """Return, for each product, the names of its node and of the nodes that quantize its operands.

    names: the names of the products' nodes; they are the keys of the result.
    """
    producers = {name: node for node in proto.graph.node for name in node.output}
    products = {node.name: node for node in proto.graph.node}
    found: dict[str, list[str]] = {}
    for name in names:
        found[name] = [name]
        pending = [*products[name].input]
        while pending:
            node = producers.get(pending.pop())
            if node is not None and node.op_type in ("QuantizeLinear", "DequantizeLinear"):
                found[name].append(node.name)
                pending.append(node.input[0])
    return found


def with_twins(
    proto: onnx.ModelProto,
    products: Sequence[QuantizableProduct],
    ranges: Mapping[str, tuple[float, float]],
) -> tuple[onnx.ModelProto, list[str]]:
    """Add to each product a copy with quantized operands, so that both results can be compared.

    The model is changed in place.  Return the model, and the names of the copies' results.
    products: nodes of the model.  ranges: the smallest and largest value of each activation, by
    name.
    """
    writer = _Writer(proto, ranges)
    chosen = {id(p.node): p for p in products}
    nodes: list[onnx.NodeProto] = []
    results: list[str] = []
    for node in list(proto.graph.node):
        nodes.append(node)
        product = chosen.get(id(node))
        if product is not None:
            twin = deepcopy(node)
            twin.name = twin.output[0] = writer.fresh(f"{node.output[0]}_rounded")
            nodes.extend(writer.operands(replace(product, node=twin)))
            nodes.append(twin)
            results.append(twin.output[0])
    _set_graph(proto, nodes, [*proto.graph.initializer, *writer.tensors])
    return proto, results


def quantized(
    proto: onnx.ModelProto,
    products: Sequence[QuantizableProduct],
    ranges: Mapping[str, tuple[float, float]],
) -> onnx.ModelProto:
    """Quantize products of a model in place; return the model.

    products: nodes of the model.  ranges: the smallest and largest value of each activation, by
    name.
    """
    chosen = {id(p.node): p for p in products}
    writer = _Writer(proto, ranges)
    nodes: list[onnx.NodeProto] = []
    for node in list(proto.graph.node):
        product = chosen.get(id(node))
        if product is not None:
            nodes.extend(writer.operands(product))
        nodes.append(node)
    used = {name for node in nodes for name in read_names(node)}
    used |= {value.name for value in proto.graph.output}
    tensors = [t for t in (*proto.graph.initializer, *writer.tensors) if t.name in used]
    _set_graph(proto, nodes, tensors)
    return proto


def _set_graph(
    proto: onnx.ModelProto, nodes: Sequence[onnx.NodeProto], tensors: Sequence[onnx.TensorProto]
) -> None:
    """Replace the nodes and constants of a model; the new ones may belong to the model already."""
    copies, kept = deepcopy([*nodes]), deepcopy([*tensors])
    del proto.graph.node[:], proto.graph.initializer[:]
    proto.graph.node.extend(copies)
    proto.graph.initializer.extend(kept)


def read_names(node: onnx.NodeProto) -> Iterator[str]:
    """Yield the names of the tensors that a node and its subgraphs read."""
    yield from node.input
    for attribute in node.attribute:
        for graph in (attribute.g, *attribute.graphs):
            yield from (value.name for value in graph.output)
            for inner in graph.node:
                yield from read_names(inner)


def names_in(proto: onnx.ModelProto) -> set[str]:
    """Return the names of all tensors in the top-level graph of a model."""
    graph = proto.graph
    names = {name for node in graph.node for name in (*node.input, *node.output)}
    return names | {each.name for each in (*graph.initializer, *graph.input)}


def constants_of(proto: onnx.ModelProto) -> dict[str, Array]:
    """Return the constants of the top-level graph by name."""
    return {t.name: numpy_helper.to_array(t) for t in proto.graph.initializer}


def add_constant(proto: onnx.ModelProto, name: str, array: Array) -> None:
    """Add a constant to the top-level graph of a model."""
    proto.graph.initializer.append(numpy_helper.from_array(array, name))


def insert_after(
    proto: onnx.ModelProto, name: str, operator: str, inputs: Sequence[str], result: str
) -> None:
    """Insert a node after the node that computes a tensor.

    name: the name of this tensor.  operator, inputs, result: the operator of the inserted node and
    the names of its operands and its result.
    """
    places = (at for at, node in enumerate(proto.graph.node) if name in node.output)
    node = helper.make_node(operator, inputs, [result], name=result)
    proto.graph.node.insert(next(places) + 1, node)


def fresh_name(name: str, names: set[str]) -> str:
    """Return an unused name, derived from ``name``, and add it to the used names."""
    while name in names:
        name += "_"
    names.add(name)
    return name


@dataclass
class _Writer:
    """A writer of the nodes and constants that quantize a model; each tensor is quantized once.

    ranges: the smallest and largest value of each activation.  tensors: the constants to add.
    made: by the name of the original tensor and the axis of its scales (-1 for activations), the
    name of the dequantized tensor.
    scales: by tensor name, the scale or the scales per channel.
    """

    proto: onnx.ModelProto
    ranges: Mapping[str, tuple[float, float]]
    tensors: list[onnx.TensorProto] = field(default_factory=list[onnx.TensorProto])
    made: dict[tuple[str, int], str] = field(default_factory=dict[tuple[str, int], str])
    scales: dict[str, Array] = field(default_factory=dict[str, Array])

    def __post_init__(self) -> None:
        self._stored = {t.name: t for t in self.proto.graph.initializer}
        self._names = names_in(self.proto)

    def fresh(self, name: str) -> str:
        return fresh_name(name, self._names)

    def operands(self, product: QuantizableProduct) -> Iterator[onnx.NodeProto]:
        """Yield the nodes that quantize a product's operands; make the product read them."""
        node, x, w = product.node, product.activation, product.weights
        if (x, -1) not in self.made:
            yield from self._activation(x)
        if (w, product.axis) not in self.made:
            yield self._weights(w, product.axis)
        sums = self.scales[x] * self.scales[self.made[w, product.axis]]
        node.input[0], node.input[1] = self.made[x, -1], self.made[w, product.axis]
        if product.has_bias:
            values = numpy_helper.to_array(self._stored[node.input[2]]).astype(np.float64)
            numbers = np.rint(values / sums.astype(np.float64))
            if (np.abs(numbers) < 2**31 - 1).all():
                name, stored = node.input[2], numbers.astype(np.int32)
                node.input[2] = self.fresh(f"{name}_dequantized")
                yield self._dequantize(name, stored, sums, 0, node.input[2])

    def _activation(self, x: str) -> Iterator[onnx.NodeProto]:
        low, high = min(self.ranges[x][0], 0.0), max(self.ranges[x][1], 0.0)
        scale = np.float32((high - low) / 255) or np.float32(1)
        zero = np.uint8(np.clip(np.rint(-low / scale), 0, 255))
        self.scales[x] = np.asarray(scale)
        scales = self._constant(f"{x}_scale", np.asarray(scale))
        zeros = self._constant(f"{x}_zero_point", np.asarray(zero))
        stored, result = self.fresh(f"{x}_quantized"), self.fresh(f"{x}_dequantized")
        yield helper.make_node("QuantizeLinear", [x, scales, zeros], [stored], name=stored)
        yield helper.make_node("DequantizeLinear", [stored, scales, zeros], [result], name=result)
        self.made[x, -1] = result

    def _weights(self, w: str, axis: int) -> onnx.NodeProto:
        values = numpy_helper.to_array(self._stored[w])
        others = tuple(d for d in range(values.ndim) if d != axis)
        largest = np.abs(values).max(axis=others)
        scale = np.where(largest > 0, largest / np.float32(127), 1).astype(np.float32)
        shape = [-1 if d == axis else 1 for d in range(values.ndim)]
        numbers = np.rint(values / scale.reshape(shape)).clip(-127, 127).astype(np.int8)
        result = self.fresh(f"{w}_dequantized")
        self.made[w, axis], self.scales[result] = result, scale
        return self._dequantize(w, numbers, scale, axis, result)

    def _dequantize(
        self, name: str, numbers: Array, scale: Array, axis: int, result: str
    ) -> onnx.NodeProto:
        stored = self._constant(f"{name}_quantized", numbers)
        scales = self._constant(f"{name}_scale", scale)
        zeros = self._constant(f"{name}_zero_point", np.zeros(scale.shape, numbers.dtype))
        operands = [stored, scales, zeros]
        return helper.make_node("DequantizeLinear", operands, [result], name=result, axis=axis)

    def _constant(self, name: str, array: Array) -> str:
        name = self.fresh(name)
        self.tensors.append(numpy_helper.from_array(array, name))
        return name

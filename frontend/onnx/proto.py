"""ONNX files as plain Python.

``load`` returns a `Model`: dataclasses, numpy arrays and strings. What it promises: every name that
a node reads is defined, nodes are in dependency order, no value is defined twice, and every
initializer has as many bytes as its shape needs. Whether an operator is supported is not its topic.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from heapq import heapify, heappop, heappush
from math import prod
from os import PathLike
from pathlib import Path

import numpy as np
import onnx
from google.protobuf.message import DecodeError
from onnx import AttributeProto, TensorProto, numpy_helper
from onnx.helper import tensor_dtype_to_np_dtype

from ...support.diagnostics import ModelError
from .definitions import (
    AttributeRef,
    AttributeValue,
    FunctionDef,
    FunctionKey,
    Model,
    NodeDef,
    Opaque,
    ValueDef,
    shown,
)
from .external import map_bytes
from .functions import check_calls

# Element types stored several to a byte in raw data; numpy holds one per byte.
_PACKED_BITS = {"UINT4": 4, "INT4": 4, "FLOAT4E2M1": 4, "UINT2": 2, "INT2": 2} | {
    "FLOAT6E2M3": 6,
    "FLOAT6E3M2": 6,
}


def load(source: str | PathLike[str] | bytes | onnx.ModelProto) -> Model:
    """Read a model from a path, serialized bytes or a ModelProto, and check it.

    Errors: ModelError when the file or the graph in it is malformed.
    """
    proto, folder = _read(source)
    graph = proto.graph
    if not proto.opset_import or not proto.HasField("graph"):
        raise ModelError("not an ONNX model: it has no graph or no opset")
    initializers = {_required(t.name, "initializer"): _array(t, folder) for t in graph.initializer}
    if graph.sparse_initializer:
        raise ModelError("sparse initializers are not supported", hint="store them dense")
    inputs = tuple(_value(v) for v in graph.input if v.name not in initializers)
    nodes = [_node(n, index, folder) for index, n in enumerate(graph.node)]
    outputs = tuple(_required(v.name, "graph output") for v in graph.output)
    known = [*initializers, *(v.name for v in inputs)]
    _check_unique(known, nodes)
    ordered = _sorted(nodes, set(known), outputs)
    opsets = _opsets(proto.opset_import)
    functions = _functions(proto, folder)
    check_calls(ordered, functions)
    return Model(graph.name, opsets, inputs, outputs, initializers, ordered, functions)


def _functions(proto: onnx.ModelProto, folder: Path | None) -> dict[FunctionKey, FunctionDef]:
    functions: dict[FunctionKey, FunctionDef] = {}
    for definition in (function_def(f, folder) for f in proto.functions):
        if definition.key in functions:
            raise ModelError(f"function {shown(definition.key)} is defined twice")
        functions[definition.key] = definition
    return functions


def function_def(
    function: onnx.FunctionProto, folder: Path | None = None, key: FunctionKey | None = None
) -> FunctionDef:
    """Read a function of a model, or a standard body, which may leave outputs undefined.

    key: replaces the body's own name.
    Errors: ModelError where values are undefined, defined twice or form a cycle.
    """
    outputs = function.output if key is None else ()
    key = key or (_domain(function.domain), function.name, function.overload)
    defaults = {a.name: attribute_value(a, function.name, folder) for a in function.attribute_proto}
    nodes = [_node(n, index, folder) for index, n in enumerate(function.node)]
    try:
        _check_unique(function.input, nodes)
        ordered = _sorted(nodes, set(function.input), outputs)
    except ModelError as err:
        raise err.named(f"function {shown(key)}") from None
    return FunctionDef(
        key,
        tuple(function.input),
        tuple(function.output),
        ordered,
        _opsets(function.opset_import),
        (*function.attribute, *defaults),
        defaults,
    )


def _opsets(imports: Iterable[onnx.OperatorSetIdProto]) -> dict[str, int]:
    return {_domain(o.domain): o.version for o in imports}


def _read(
    source: str | PathLike[str] | bytes | onnx.ModelProto,
) -> tuple[onnx.ModelProto, Path | None]:
    if isinstance(source, onnx.ModelProto):
        return source, None
    if isinstance(source, (bytes, bytearray, memoryview)):
        return _parse(bytes(source), "the given data"), None
    if not isinstance(source, (str, PathLike)):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise ModelError(
            "not an ONNX model",
            expected="a path, bytes or an onnx.ModelProto",
            got=type(source).__name__,
        )
    path = Path(source)
    if not path.is_file():
        rule = "model file is a folder" if path.is_dir() else "model file does not exist"
        raise ModelError(rule, got=repr(str(source)))
    return _parse(path.read_bytes(), str(path)), path.parent


def _parse(data: bytes, where: str) -> onnx.ModelProto:
    proto = onnx.ModelProto()
    try:
        proto.ParseFromString(data)
    except DecodeError as err:
        raise ModelError(f"not an ONNX model: {where} does not parse as protobuf") from err
    return proto


def _domain(name: str) -> str:
    return "" if name == "ai.onnx" else name


def _required(name: str, what: str) -> str:
    if not name:
        raise ModelError(f"{what} has no name")
    return name


def _value(value: onnx.ValueInfoProto) -> ValueDef:
    name = _required(value.name, "graph input")
    if not value.type.HasField("tensor_type"):
        return ValueDef(name, None, None)
    tensor = value.type.tensor_type
    dtype = numpy_type(tensor.elem_type, f"graph input {name!r}")
    if not tensor.HasField("shape"):
        return ValueDef(name, dtype, None)
    return ValueDef(name, dtype, tuple(_dim(d) for d in tensor.shape.dim))


def _dim(dim: onnx.TensorShapeProto.Dimension) -> int | str | None:
    if dim.HasField("dim_value"):
        return dim.dim_value if dim.dim_value >= 0 else None
    return dim.dim_param or None


def numpy_type(code: int, where: str = "attribute") -> np.dtype:
    """The numpy dtype of an ONNX element type code."""
    try:
        return np.dtype(tensor_dtype_to_np_dtype(code))
    except (KeyError, TypeError) as err:
        raise ModelError(f"{where} has an unknown element type", got=code) from err


def _node(node: onnx.NodeProto, index: int, folder: Path | None) -> NodeDef:
    name = node.name or f"{node.op_type}_{index}"
    if not node.op_type:
        raise ModelError(f"node {name!r} has no operator type")
    attributes = {a.name: attribute_value(a, name, folder) for a in node.attribute}
    domain = _domain(node.domain)
    inputs, outputs = tuple(node.input), tuple(node.output)
    return NodeDef(name, node.op_type, domain, inputs, outputs, attributes, node.overload)


def attribute_value(attr: onnx.AttributeProto, node: str, folder: Path | None) -> AttributeValue:
    """Convert an attribute; kinds that no converter reads become `Opaque`."""
    if attr.ref_attr_name:
        return AttributeRef(attr.ref_attr_name)
    match attr.type:
        case AttributeProto.INT:
            return attr.i
        case AttributeProto.FLOAT:
            return attr.f
        case AttributeProto.STRING:
            return attr.s.decode("utf-8", "replace")
        case AttributeProto.TENSOR:
            return _array(attr.t, folder, f"attribute {attr.name!r} of node {node!r}")
        case AttributeProto.INTS:
            return tuple(attr.ints)
        case AttributeProto.FLOATS:
            return tuple(attr.floats)
        case AttributeProto.STRINGS:
            return tuple(s.decode("utf-8", "replace") for s in attr.strings)
        case _:
            return Opaque(AttributeProto.AttributeType.Name(attr.type))


def _array(tensor: onnx.TensorProto, folder: Path | None, where: str = "") -> np.ndarray:
    """Convert a tensor, without a copy where it is stored raw or externally."""
    where = where or f"initializer {tensor.name!r}"
    shape, dtype = tuple(tensor.dims), numpy_type(tensor.data_type, where)
    if any(size < 0 for size in shape):
        raise ModelError(f"{where} has a negative size", got=shape)
    if tensor.data_location == TensorProto.EXTERNAL:
        return _external(tensor, dtype, folder, where)
    if tensor.HasField("raw_data"):
        _check_length(tensor, len(tensor.raw_data), dtype, where)
    try:
        return numpy_helper.to_array(tensor)
    except (ValueError, TypeError) as err:
        raise ModelError(
            f"{where} does not hold the values that its shape needs", expected=f"shape {shape}"
        ) from err


def _external(
    tensor: onnx.TensorProto, dtype: np.dtype, folder: Path | None, where: str
) -> np.ndarray:
    entries = {e.key: e.value for e in tensor.external_data}
    try:
        offset = int(entries.get("offset", 0))
        length = int(entries.get("length", _byte_count(tensor, dtype)))
    except ValueError as err:
        raise ModelError(f"{where} has a malformed offset or length", got=entries) from err
    _check_length(tensor, length, dtype, where)
    try:
        data = map_bytes(folder, entries.get("location", ""), offset, length)
    except ModelError as err:
        raise err.named(where) from None
    if _type_name(tensor) in _PACKED_BITS:
        plain = TensorProto(data_type=tensor.data_type, dims=tensor.dims, raw_data=data.tobytes())
        return numpy_helper.to_array(plain)
    return np.require(data.view(dtype).reshape(tuple(tensor.dims)), requirements="A")


def _type_name(tensor: onnx.TensorProto) -> str:
    return TensorProto.DataType.Name(tensor.data_type)


def _byte_count(tensor: onnx.TensorProto, dtype: np.dtype) -> int:
    bits = _PACKED_BITS.get(_type_name(tensor), dtype.itemsize * 8)
    return (prod(tensor.dims) * bits + 7) // 8


def _check_length(tensor: onnx.TensorProto, length: int, dtype: np.dtype, where: str) -> None:
    expected = _byte_count(tensor, dtype)
    if length != expected:
        raise ModelError(
            f"{where} does not hold the values that its shape needs",
            expected=f"{expected} bytes for shape {tuple(tensor.dims)} of {dtype}",
            got=f"{length} bytes",
        )


def _check_unique(known: Iterable[str], nodes: Iterable[NodeDef]) -> None:
    producers: dict[str, str] = {}
    definitions = [(name, "the graph's inputs") for name in known]
    definitions += [(out, f"node {n.name!r}") for n in nodes for out in n.outputs if out]
    for name, producer in definitions:
        if name in producers:
            raise ModelError(
                f"value {name!r} is defined twice", got=f"{producers[name]} and {producer}"
            )
        producers[name] = producer


def _sorted(
    nodes: Sequence[NodeDef], known: set[str], outputs: Sequence[str]
) -> tuple[NodeDef, ...]:
    """Return the nodes in dependency order: of those that are ready, the first of the file."""
    defined = known | {out for node in nodes for out in node.outputs}
    readers = [(f"node {n.name!r}", i) for n in nodes for i in n.inputs if i]
    for reader, name in [*readers, *(("the graph's outputs", o) for o in outputs)]:
        if name not in defined:
            raise ModelError(f"{reader} uses the undefined value {name!r}")
    waits_for = [{name for name in node.inputs if name and name not in known} for node in nodes]
    readers_of: defaultdict[str, list[int]] = defaultdict(list)
    for index, names in enumerate(waits_for):
        for name in names:
            readers_of[name].append(index)
    ready = [index for index, names in enumerate(waits_for) if not names]
    heapify(ready)
    ordered: list[NodeDef] = []
    while ready:
        node = nodes[heappop(ready)]
        ordered.append(node)
        for name in filter(None, node.outputs):
            for reader in readers_of[name]:
                waits_for[reader].discard(name)
                if not waits_for[reader]:
                    heappush(ready, reader)
    if len(ordered) < len(nodes):
        cycle = [node.name for node, names in zip(nodes, waits_for, strict=True) if names]
        raise ModelError("nodes form a cycle", got=", ".join(cycle[:8]))
    return tuple(ordered)

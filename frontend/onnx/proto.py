"""ONNX files as plain Python: the only module that imports ``onnx``.

``load`` returns a `Model`: dataclasses, numpy arrays and strings. What it promises: every name that
a node reads is defined, nodes are in dependency order, no value is defined twice, and every
initializer has as many bytes as its shape needs. Whether an operator is supported is not its topic.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import prod
from os import PathLike
from pathlib import Path
from typing import TypeAlias

import numpy as np
import onnx
from google.protobuf.message import DecodeError
from onnx import AttributeProto, TensorProto, numpy_helper
from onnx.helper import tensor_dtype_to_np_dtype

from ...support.diagnostics import ModelError
from .external import map_bytes

# Element types stored several to a byte in raw data; numpy holds one per byte.
_PACKED_BITS = {"UINT4": 4, "INT4": 4, "FLOAT4E2M1": 4, "UINT2": 2, "INT2": 2} | {
    "FLOAT6E2M3": 6,
    "FLOAT6E3M2": 6,
}


@dataclass(frozen=True)
class Opaque:
    """An attribute that no converter reads: a subgraph, a sparse tensor, a type."""

    kind: str


AttributeValue: TypeAlias = (
    int | float | str | np.ndarray | tuple[int, ...] | tuple[float, ...] | tuple[str, ...] | Opaque
)


@dataclass(frozen=True)
class NodeDef:
    """One node: names of values (empty: absent) and attributes."""

    name: str
    op_type: str
    domain: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    attributes: Mapping[str, AttributeValue]


@dataclass(frozen=True)
class ValueDef:
    """A graph input: dtype (None: no tensor) and shape (None: no rank).

    A size is fixed, named, or None if it is unknown.
    """

    name: str
    dtype: np.dtype | None
    shape: tuple[int | str | None, ...] | None


@dataclass(frozen=True)
class Model:
    """A checked model: inputs without initializers, nodes in dependency order, result names."""

    name: str
    opsets: Mapping[str, int]
    inputs: tuple[ValueDef, ...]
    outputs: tuple[str, ...]
    initializers: Mapping[str, np.ndarray]
    nodes: tuple[NodeDef, ...]


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
    opsets = {_domain(o.domain): o.version for o in proto.opset_import}
    return Model(graph.name, opsets, inputs, outputs, initializers, ordered)


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
    attributes = {a.name: _attribute(a, name, folder) for a in node.attribute}
    domain = _domain(node.domain)
    return NodeDef(name, node.op_type, domain, tuple(node.input), tuple(node.output), attributes)


def _attribute(attr: onnx.AttributeProto, node: str, folder: Path | None) -> AttributeValue:
    """Convert an attribute; kinds that no converter reads become `Opaque`."""
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


def _sorted(nodes: list[NodeDef], known: set[str], outputs: tuple[str, ...]) -> tuple[NodeDef, ...]:
    """Return the nodes in dependency order: the file's order wherever that is legal."""
    defined = known | {out for node in nodes for out in node.outputs}
    readers = [(f"node {n.name!r}", i) for n in nodes for i in n.inputs if i]
    for reader, name in [*readers, *(("the graph's outputs", o) for o in outputs)]:
        if name not in defined:
            raise ModelError(f"{reader} uses the undefined value {name!r}")
    ready, ordered, left = set(known), [], nodes
    while left:
        waiting: list[NodeDef] = []
        for node in left:
            if all(not name or name in ready for name in node.inputs):
                ordered.append(node)
                ready.update(node.outputs)
            else:
                waiting.append(node)
        if len(waiting) == len(left):
            raise ModelError("nodes form a cycle", got=", ".join(n.name for n in waiting[:8]))
        left = waiting
    return tuple(ordered)

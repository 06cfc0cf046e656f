"""Read ONNX files as plain Python data.

``load`` returns a `Model`: dataclasses, numpy arrays and strings. It guarantees that every name
that a node reads is defined, that nodes are in dependency order, that no value is defined twice,
and that every initializer has as many bytes as its shape needs. It does not check that operators
are supported.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from io import BytesIO
from os import PathLike
from pathlib import Path

import numpy as np
import onnx
from google.protobuf.message import DecodeError
from onnx import AttributeProto

from ....support.diagnostics import ModelError, TilewrightError, UnsupportedOp
from ...formats import EXPORTED_PROGRAM, contents_of, recognize, refuse_foreign
from ...torch.exported import read_program
from .definitions import (
    AttributeRef,
    AttributeValue,
    FunctionDef,
    FunctionKey,
    GraphDef,
    Model,
    NodeDef,
    Opaque,
    ValueDef,
    shown,
)
from .functions import check_calls
from .order import check_unique, in_order
from .tensors import array_of, numpy_type

# The field of AttributeProto for each type of value.
_FIELDS: dict[int, str] = {
    AttributeProto.FLOAT: "f",
    AttributeProto.INT: "i",
    AttributeProto.STRING: "s",
    AttributeProto.TENSOR: "t",
    AttributeProto.GRAPH: "g",
    AttributeProto.SPARSE_TENSOR: "sparse_tensor",
    AttributeProto.TYPE_PROTO: "tp",
    AttributeProto.FLOATS: "floats",
    AttributeProto.INTS: "ints",
    AttributeProto.STRINGS: "strings",
    AttributeProto.TENSORS: "tensors",
    AttributeProto.GRAPHS: "graphs",
    AttributeProto.SPARSE_TENSORS: "sparse_tensors",
    AttributeProto.TYPE_PROTOS: "type_protos",
}
MAX_NESTING = 32
"""Maximum nesting depth of graphs; protobuf has a similar limit."""
MAX_FILE_BYTES = 2**31 - 1
"""The size limit of protobuf; larger models store their weights in external data."""


def load(
    source: str | PathLike[str] | bytes | onnx.ModelProto, *, data: bytes | None = None
) -> Model:
    """Read a model from a path, serialized bytes or a ModelProto, and check it.

    data: the bytes of the file at the path, if they are already read.
    Errors: ModelError if the file or the graph in it is malformed.
    """
    file = str(source) if isinstance(source, str | PathLike) else ""
    try:
        proto, folder = read_proto(source, data)
        del data
        producer = f"{proto.producer_name} {proto.producer_version}".strip()
        return replace(
            _model(proto, folder),
            file=file,
            ir_version=proto.ir_version,
            producer=producer,
            data_files=tuple(sorted(set(_data_files(proto)))),
        )
    except TilewrightError as err:
        raise err.in_file(file) from err.__cause__


def with_ir_version(path: Path, ir_version: int) -> bytes:
    """Return the bytes of a model file with another IR version, for readers that require it.

    Errors: ModelError if the file cannot be read or parsed.
    """
    proto, _ = read_proto(path)
    proto.ir_version = ir_version
    return proto.SerializeToString()


def _model(proto: onnx.ModelProto, folder: Path | None) -> Model:
    graph = proto.graph
    if not proto.opset_import or not proto.HasField("graph"):
        raise ModelError(
            "not an ONNX model: it has no graph or no opset", hint="is this an .onnx file?"
        )
    _check_format(proto)
    initializers = _initializers(graph, folder)
    values = [_value(v) for v in graph.input]
    inputs = tuple(v for v in values if v.name not in initializers)
    nodes = [_node(n, index, folder) for index, n in enumerate(graph.node)]
    results = [_value(v, "graph output") for v in graph.output]
    _check_no_references(nodes)
    known = [*initializers, *(v.name for v in inputs)]
    check_unique(known, nodes)
    _check_results(results)
    outputs = tuple(v.name for v in results)
    ordered = in_order(nodes, set(known), outputs)
    functions = _functions(proto, folder)
    check_calls(ordered, functions)
    declared = {v.name: v for v in [*values, *results]}
    opsets = _opsets(proto.opset_import)
    return Model(graph.name, opsets, inputs, outputs, initializers, ordered, functions, declared)


def _data_files(proto: onnx.ModelProto) -> Iterator[str]:
    """Yield the location of each tensor that is stored outside of the model file."""
    defaults = (a for function in proto.functions for a in function.attribute_proto)
    inner = (n for function in proto.functions for n in function.node)
    for tensor in (*_graph_tensors(proto.graph), *_tensors(defaults), *_node_tensors(inner)):
        if tensor.data_location == onnx.TensorProto.EXTERNAL:
            yield from (e.value for e in tensor.external_data if e.key == "location")


def _graph_tensors(graph: onnx.GraphProto) -> Iterator[onnx.TensorProto]:
    yield from graph.initializer
    yield from _node_tensors(graph.node)


def _node_tensors(nodes: Iterable[onnx.NodeProto]) -> Iterator[onnx.TensorProto]:
    for node in nodes:
        yield from _tensors(node.attribute)


def _tensors(attributes: Iterable[onnx.AttributeProto]) -> Iterator[onnx.TensorProto]:
    for attr in attributes:
        match attr.type:
            case AttributeProto.TENSOR:
                yield attr.t
            case AttributeProto.TENSORS:
                yield from attr.tensors
            case AttributeProto.GRAPH:
                yield from _graph_tensors(attr.g)
            case AttributeProto.GRAPHS:
                for graph in attr.graphs:
                    yield from _graph_tensors(graph)
            case _:
                pass


def _check_format(proto: onnx.ModelProto) -> None:
    if proto.ir_version > onnx.IR_VERSION:
        raise ModelError(
            "the file's format is newer than the installed onnx",
            expected=f"IR version {onnx.IR_VERSION} at most",
            got=proto.ir_version,
            hint="export with an older IR version, or install a newer onnx",
        )
    if proto.graph.sparse_initializer:
        raise UnsupportedOp("sparse initializers are not supported", hint="store them dense")


def _initializers(graph: onnx.GraphProto, folder: Path | None) -> dict[str, np.ndarray]:
    arrays: dict[str, np.ndarray] = {}
    for tensor in graph.initializer:
        name = _required(tensor.name, "initializer")
        if name in arrays:
            raise ModelError(f"initializer {name!r} is defined twice", hint="rename one of them")
        arrays[name] = array_of(tensor, folder, f"initializer {name!r}")
    return arrays


def _check_no_references(nodes: Iterable[NodeDef]) -> None:
    for node in nodes:
        for name, value in node.attributes.items():
            if isinstance(value, AttributeRef):
                raise ModelError(
                    f"attribute {name!r} of node {node.name!r} refers to a function's attribute",
                    got=repr(value.name),
                    hint="give its value: the node is not inside of a function",
                )


def _check_results(results: Sequence[ValueDef]) -> None:
    names = [value.name for value in results]
    if not names:
        raise ModelError("the graph has no outputs", hint="declare at least one")
    name, count = Counter(names).most_common(1)[0]
    if count > 1:
        raise ModelError(
            f"output {name!r} is listed twice", hint="add an Identity to give it two names"
        )


def _functions(proto: onnx.ModelProto, folder: Path | None) -> dict[FunctionKey, FunctionDef]:
    functions: dict[FunctionKey, FunctionDef] = {}
    for definition in (function_def(f, folder) for f in proto.functions):
        if definition.key in functions:
            raise ModelError(
                f"function {shown(definition.key)} is defined twice",
                hint="rename one of them or give it an overload",
            )
        functions[definition.key] = definition
    return functions


def function_def(
    function: onnx.FunctionProto, folder: Path | None = None, key: FunctionKey | None = None
) -> FunctionDef:
    """Convert a function of a model, or a function body of the standard.

    A body of the standard may leave outputs undefined.
    folder: the model's folder, for external data.  key: for a body of the standard, the key to use
    instead of the body's name.
    Errors: ModelError if values are undefined, defined twice or form a cycle.
    """
    outputs = function.output if key is None else ()
    key = key or (_domain(function.domain), function.name, function.overload)
    defaults = {a.name: attribute_value(a, function.name, folder) for a in function.attribute_proto}
    nodes = [_node(n, index, folder) for index, n in enumerate(function.node)]
    try:
        check_unique(function.input, nodes)
        ordered = in_order(nodes, set(function.input), outputs)
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
    opsets: dict[str, int] = {}
    for entry in imports:
        domain = _domain(entry.domain)
        if entry.version < 1 or opsets.setdefault(domain, entry.version) != entry.version:
            raise ModelError(
                f"the opset of domain {domain or 'ai.onnx'!r} is not one positive number",
                got=[o.version for o in imports if _domain(o.domain) == domain],
                hint="import each domain once",
            )
    return opsets


def read_proto(
    source: str | PathLike[str] | bytes | onnx.ModelProto, data: bytes | None = None
) -> tuple[onnx.ModelProto, Path | None]:
    """Read a model; return the proto and the folder of its external data, or None in memory.

    A program that torch.export.save wrote is converted.
    data: the bytes of the file at the path, if they are already read.
    Errors: ModelError if the source is no model.
    """
    if isinstance(source, onnx.ModelProto):
        return source, None
    if isinstance(source, (bytes, bytearray, memoryview)):
        given = bytes(source)
        if recognize(contents_of(None, given)) is EXPORTED_PROGRAM:
            return read_program(BytesIO(given)), None
        refuse_foreign(None, given)
        return _parse(given, "the given data"), None
    if not isinstance(source, (str, PathLike)):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise ModelError(
            "not an ONNX model",
            expected="a path, bytes or an onnx.ModelProto",
            got=type(source).__name__,
        )
    path = Path(source)
    if recognize(contents_of(path, data)) is EXPORTED_PROGRAM:
        return read_program(str(path) if data is None else BytesIO(data)), None
    refuse_foreign(path, data)
    return _parse(_file_bytes(path) if data is None else data, str(path)), path.parent


def _file_bytes(path: Path) -> bytes:
    try:
        if path.is_file() and path.stat().st_size > MAX_FILE_BYTES:
            raise ModelError(
                "model file is larger than protobuf can hold",
                expected=f"at most {MAX_FILE_BYTES} bytes",
                got=path.stat().st_size,
                hint="save the weights as external data: onnx.save(…, save_as_external_data=True)",
            )
        return path.read_bytes()
    except FileNotFoundError as err:
        raise ModelError("model file does not exist", got=repr(str(path))) from err
    except IsADirectoryError as err:
        raise ModelError("model file is a folder", got=repr(str(path))) from err
    except (OSError, ValueError) as err:
        raise ModelError("model file cannot be read", got=f"{err} ({str(path)!r})") from err


_DAMAGED = "the file is truncated or no .onnx file, or nests subgraphs too deeply"


def _parse(data: bytes, where: str) -> onnx.ModelProto:
    proto = onnx.ModelProto()
    try:
        proto.ParseFromString(data)
    except DecodeError as err:
        rule = f"not an ONNX model: {where} does not parse as protobuf"
        raise ModelError(rule, hint=_DAMAGED) from err
    return proto


def _domain(name: str) -> str:
    return "" if name == "ai.onnx" else name


def _required(name: str, what: str) -> str:
    if not name:
        raise ModelError(f"{what} has no name", hint="every value needs a name of its own")
    return name


def _value(value: onnx.ValueInfoProto, what: str = "graph input") -> ValueDef:
    name = _required(value.name, what)
    held, is_optional, is_list = value.type, False, False
    if held.HasField("optional_type"):
        held, is_optional = held.optional_type.elem_type, True
    if held.HasField("sequence_type"):
        held, is_list = held.sequence_type.elem_type, True
    if held.HasField("map_type") and what == "graph output":
        # The values of maps are the columns of a tensor; see `features.zip_map`.
        return ValueDef(name, None, None)
    if not held.HasField("tensor_type"):
        return ValueDef(name, None, None, is_list, is_optional)
    tensor = held.tensor_type
    if not tensor.elem_type and what == "graph output":
        return ValueDef(name, None, None, is_list, is_optional)
    dtype = numpy_type(tensor.elem_type, f"{what} {name!r}")
    shape = tuple(_dim(d) for d in tensor.shape.dim) if tensor.HasField("shape") else None
    if dtype != np.object_ or is_list or is_optional:
        return ValueDef(name, dtype, shape, is_list, is_optional)
    sizes = None if shape is None else (*shape, f"{name}_bytes")
    return ValueDef(name, np.dtype(np.uint8), sizes, is_text=True)


def _dim(dim: onnx.TensorShapeProto.Dimension) -> int | str | None:
    if dim.HasField("dim_value"):
        return dim.dim_value if dim.dim_value >= 0 else None
    return dim.dim_param or None


def _graph(graph: onnx.GraphProto, folder: Path | None, where: str, depth: int) -> GraphDef:
    """Convert a graph in an attribute; names that it reads but does not define are its captures.

    where: a name for the graph in messages. depth: the number of enclosing graphs.
    """
    if depth > MAX_NESTING:
        raise ModelError(
            "graphs are nested too deeply",
            expected=f"at most {MAX_NESTING} inside each other",
            hint="export the model with fewer nested If, Loop and Scan",
        )
    if graph.sparse_initializer:
        raise UnsupportedOp("sparse initializers are not supported", hint="store them dense")
    try:
        initializers = _initializers(graph, folder)
        # Types are optional here.
        values = [_value(v, "graph output") for v in graph.input]
        nodes = [_node(n, index, folder, depth) for index, n in enumerate(graph.node)]
        known = {*initializers, *(v.name for v in values)}
        inputs = tuple(v for v in values if v.name not in initializers)
        outputs = tuple(_required(v.name, "graph output") for v in graph.output)
        check_unique([*initializers, *(v.name for v in inputs)], nodes)
        own = known.union(out for node in nodes for out in node.outputs if out)
        captures = frozenset({*outputs, *(name for node in nodes for name in node.reads)} - own)
        ordered = in_order(nodes, known | captures, outputs)
    except ModelError as err:
        raise err.named(where) from None
    return GraphDef(inputs, outputs, initializers, ordered, captures)


def _node(node: onnx.NodeProto, index: int, folder: Path | None, depth: int = 0) -> NodeDef:
    name = node.name or f"{node.op_type}_{index}"
    if not node.op_type:
        raise ModelError(f"node {name!r} has no operator type", hint="set op_type")
    attributes = _attributes(node, name, folder, depth)
    domain = _domain(node.domain)
    inputs, outputs = tuple(node.input), tuple(node.output)
    return NodeDef(name, node.op_type, domain, inputs, outputs, attributes, node.overload)


def _attributes(
    node: onnx.NodeProto, name: str, folder: Path | None, depth: int
) -> dict[str, AttributeValue]:
    attributes: dict[str, AttributeValue] = {}
    for attr in node.attribute:
        if not attr.name or attr.name in attributes:
            raise ModelError(
                f"node {name!r} has two attributes of one name, or one without a name",
                got=repr(attr.name),
                hint="keep one of them",
            )
        attributes[attr.name] = attribute_value(attr, name, folder, depth)
    return attributes


def _check_stored(attr: onnx.AttributeProto, node: str) -> None:
    stored = {field.name for field, _ in attr.ListFields()} - {"name", "type", "doc_string"}
    if attr.type not in _FIELDS or stored - {_FIELDS[attr.type]}:
        raise ModelError(
            f"attribute {attr.name!r} of node {node!r} does not match its declared type",
            expected=_FIELDS.get(attr.type, "a type"),
            got=", ".join(sorted(stored)) or "nothing",
            hint="write it with onnx.helper.make_attribute",
        )


def attribute_value(
    attr: onnx.AttributeProto, node: str, folder: Path | None, depth: int = 0
) -> AttributeValue:
    """Convert an attribute of a node; values that no converter reads become `Opaque`.

    node: the name of the node.  folder: the model's folder, for external data.  depth: the number
    of graphs that enclose the node.
    """
    if attr.ref_attr_name:
        return AttributeRef(attr.ref_attr_name)
    _check_stored(attr, node)
    match attr.type:
        case AttributeProto.INT:
            return attr.i
        case AttributeProto.FLOAT:
            return attr.f
        case AttributeProto.STRING:
            return attr.s.decode("utf-8", "replace")
        case AttributeProto.TENSOR:
            return array_of(attr.t, folder, f"attribute {attr.name!r} of node {node!r}")
        case AttributeProto.GRAPH:
            return _graph(attr.g, folder, f"graph {attr.name!r} of node {node!r}", depth + 1)
        case AttributeProto.INTS:
            return tuple(attr.ints)
        case AttributeProto.FLOATS:
            return tuple(attr.floats)
        case AttributeProto.STRINGS:
            return tuple(s.decode("utf-8", "replace") for s in attr.strings)
        case _:
            return Opaque(AttributeProto.AttributeType.Name(attr.type))

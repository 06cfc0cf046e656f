"""Smaller ONNX models: removal of nodes, outputs, optional inputs and sizes not needed to fail.

A value whose node is removed becomes an input of the model, with the type that onnx infers; if
onnx infers none, the node stays. Needs the package ``onnx``.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from functools import partial
from typing import Any

import numpy as np
import onnx
from onnx import numpy_helper, shape_inference

from .shrink import Candidate, chunks

Types = Mapping[str, onnx.TypeProto]


def smaller_models(data: bytes) -> list[Candidate[bytes]]:
    """Return candidates for models with fewer nodes, outputs or inputs, large steps first."""
    model = onnx.load_from_string(data)
    types = _types(model)
    count = len(model.graph.node)
    some = (chosen for chosen in chunks(count) if len(chosen) < count)
    makers = (
        *(partial(_without_nodes, model, chosen, types) for chosen in some),
        *(partial(_with_output, model, n) for n in range(len(model.graph.output))),
        *(partial(_bypassed, model, n, types) for n in range(count)),
        *(partial(_without_last_input, model, n) for n in range(count)),
    )
    return [partial(_serialized, maker) for maker in makers]


def narrower_models(data: bytes) -> list[Candidate[bytes]]:
    """Return candidates in which one size is smaller, at every place where it occurs."""
    model = onnx.load_from_string(data)
    return [
        partial(_serialized, partial(_resized, model, size, smaller))
        for size in sorted(_sizes(model), reverse=True)
        for smaller in dict.fromkeys((1, 2, size // 2, size - 1))
        if 0 < smaller < size
    ]


def _serialized(make: Candidate[onnx.ModelProto]) -> bytes | None:
    model = make()
    return None if model is None else model.SerializeToString()


def node_count(data: bytes) -> int:
    """Return the number of nodes of a model."""
    return len(onnx.load_from_string(data).graph.node)


def _types(model: onnx.ModelProto) -> Types:
    known = shape_inference.infer_shapes(model, strict_mode=True, data_prop=True).graph
    types = {v.name: v.type for v in (*known.input, *known.value_info, *known.output)}
    return {name: type_ for name, type_ in types.items() if _is_static(type_)}


def _is_static(type_: onnx.TypeProto) -> bool:
    tensor = type_.tensor_type
    return tensor.HasField("shape") and all(d.HasField("dim_value") for d in tensor.shape.dim)


def _copy(model: onnx.ModelProto) -> onnx.ModelProto:
    copy = onnx.ModelProto()
    copy.CopyFrom(model)
    del copy.graph.value_info[:]
    return copy


def _without_nodes(
    model: onnx.ModelProto, chosen: Collection[int], types: Types
) -> onnx.ModelProto | None:
    """Return a model without some nodes.

    The results of these nodes become inputs, and values that only these nodes read become outputs.
    chosen: the positions of the nodes.  Return None if no output would be left, or if a new input
    or an output would have no known type.
    """
    copy = _copy(model)
    graph = copy.graph
    kept = [node for n, node in enumerate(model.graph.node) if n not in chosen]
    gone = {name for n in chosen for name in model.graph.node[n].output}
    freed = {name for n in chosen for name in _read(model.graph.node[n])}
    del graph.node[:]
    graph.node.extend(kept)
    read = {name for node in kept for name in _read(node)}
    outputs = [v.name for v in model.graph.output if v.name not in gone]
    made = {name for node in kept for name in node.output}
    outputs += [name for name in sorted(freed & made - read) if name not in outputs]
    missing = sorted(gone & read)
    if not outputs or not {*missing, *outputs} <= types.keys():
        return None
    graph.input.extend(onnx.helper.make_value_info(name, types[name]) for name in missing)
    _set_outputs(graph, outputs, types)
    return _cleaned(copy)


def _set_outputs(graph: onnx.GraphProto, names: list[str], types: Types) -> None:
    del graph.output[:]
    graph.output.extend(onnx.helper.make_value_info(name, types[name]) for name in names)


def _with_output(model: onnx.ModelProto, index: int) -> onnx.ModelProto | None:
    """Return a model with one of the outputs, and with the nodes that it needs.

    index: the position of the output.  Return None if the model has only one output.
    """
    if len(model.graph.output) < 2:
        return None
    copy = _copy(model)
    del copy.graph.output[:]
    copy.graph.output.append(model.graph.output[index])
    needed = {model.graph.output[index].name}
    nodes: list[onnx.NodeProto] = []
    for node in reversed(model.graph.node):
        if needed & set(node.output):
            nodes.append(node)
            needed |= set(_read(node))
    del copy.graph.node[:]
    copy.graph.node.extend(reversed(nodes))
    return _cleaned(copy)


def _bypassed(model: onnx.ModelProto, index: int, types: Types) -> onnx.ModelProto | None:
    """Remove a node; readers of its first result read an input of the same type instead.

    index: the position of the node.  Return None if no input has this type, or if the result is an
    output of the model.
    """
    node = model.graph.node[index]
    result = node.output[0]
    if result in {v.name for v in model.graph.output} or result not in types:
        return None
    same = [n for n in node.input if n in types and types[n] == types[result]]
    if not same:
        return None
    copy = _copy(model)
    for other in copy.graph.node:
        for n, name in enumerate(other.input):
            if name == result:
                other.input[n] = same[0]
    del copy.graph.node[index]
    return _cleaned(copy)


def _without_last_input(model: onnx.ModelProto, index: int) -> onnx.ModelProto | None:
    if len(model.graph.node[index].input) < 2:
        return None
    copy = _copy(model)
    inputs = copy.graph.node[index].input
    del inputs[-1]
    while inputs and not inputs[-1]:
        del inputs[-1]
    return _cleaned(copy)


def _cleaned(model: onnx.ModelProto) -> onnx.ModelProto:
    """Remove the inputs and initializers that no node reads; return the model."""
    graph = model.graph
    used = {name for node in graph.node for name in _read(node)} | {v.name for v in graph.output}
    for values in (graph.input, graph.initializer):
        kept: list[Any] = [value for value in values if value.name in used]
        del values[:]
        values.extend(kept)
    return model


def _read(node: onnx.NodeProto) -> Iterator[str]:
    """Yield the names of the values that a node reads, including those that its bodies capture."""
    yield from filter(None, node.input)
    for attribute in node.attribute:
        bodies = [attribute.g] if attribute.type == onnx.AttributeProto.GRAPH else attribute.graphs
        for body in bodies:
            for inner in body.node:
                yield from _read(inner)
            yield from (value.name for value in body.output)


def _sizes(model: onnx.ModelProto) -> set[int]:
    """Return the sizes above 1 of inputs and constants."""
    graph = model.graph
    sizes = {n for tensor in graph.initializer for n in tensor.dims}
    for value in graph.input:
        sizes |= {d.dim_value for d in value.type.tensor_type.shape.dim}
    return {size for size in sizes if size > 1}


def _resized(model: onnx.ModelProto, old: int, new: int) -> onnx.ModelProto | None:
    """Return a model with the size ``new`` in place of ``old`` in its inputs and constants.

    This includes constant vectors of sizes and ``group`` attributes. Return None if the nodes then
    do not fit, or if the shape of a result is not static.
    """
    copy = _copy(model)
    graph = copy.graph
    for value in graph.input:
        for dim in value.type.tensor_type.shape.dim:
            if dim.dim_value == old:
                dim.dim_value = new
    for tensor in graph.initializer:
        tensor.CopyFrom(_resized_constant(tensor, old, new))
    for attribute in (a for node in graph.node for a in node.attribute if a.name == "group"):
        attribute.i = new if attribute.i == old else attribute.i
    names = [value.name for value in graph.output]
    for value in graph.output:
        value.type.tensor_type.ClearField("shape")
    try:
        types = _types(copy)
    except shape_inference.InferenceError:
        return None
    if not set(names) <= types.keys():
        return None
    _set_outputs(graph, names, types)
    return copy


def _resized_constant(tensor: onnx.TensorProto, old: int, new: int) -> onnx.TensorProto:
    array = numpy_helper.to_array(tensor)
    if array.dtype == np.int64 and array.ndim == 1 and array.size <= 8:
        array = np.where(array == old, new, array)
    else:
        array = array[tuple(slice(new) if n == old else slice(None) for n in array.shape)]
    return numpy_helper.from_array(np.ascontiguousarray(array), tensor.name)

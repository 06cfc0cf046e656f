"""Expand operators without a converter into the function bodies that the ONNX standard defines.

The standard defines a body per operator and opset. For some operators, the body also depends on the
node: on its present inputs and their types. A body is expanded like a function of the model.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import onnx
from onnx import helper, numpy_helper

from ...dialects.dtypes import numpy_dtype
from ...support.diagnostics import ModelError, UnsupportedOp
from .builder import Tensor
from .file.definitions import AttributeValue, FunctionDef, GraphDef, NodeDef, Opaque
from .file.proto import attribute_value, function_def
from .file.schema import find_schema

# Operators that need a converter, because the body is inaccurate or far more expensive.
PRIMITIVE = frozenset(
    {"AffineGrid", "Attention", "Celu", "Elu", "LayerNormalization", "Range", "Selu", "Softplus"}
)


def has_body(node: NodeDef, opset: int) -> bool:
    """Return whether a node is expanded into the function body that the standard defines."""
    schema = find_schema(node, opset)
    return (
        schema is not None
        and node.op_type not in PRIMITIVE
        and (schema.has_function or schema.has_context_dependent_function)
    )


def standard_body(node: NodeDef, opset: int, inputs: Sequence[Tensor | None]) -> FunctionDef:
    """Return the standard's function body for a node.

    opset: the version of the operator set that the node's domain has in the model.  inputs: the
    node's input tensors, with None for an omitted one.
    Before: `has_body` holds for the node.
    Errors: ModelError if the node does not fit the operator; UnsupportedOp if the standard has no
    body for such a node.
    """
    schema = find_schema(node, opset)
    assert schema is not None, "see has_body"
    try:
        body = _body(schema, node, opset, inputs)
    except (RuntimeError, ValueError, TypeError) as err:
        raise ModelError(
            f"the standard's definition of {node.op_type} does not apply",
            got=str(err).splitlines()[0],
            hint="check the node's inputs and attributes against the operator's documentation",
        ) from err
    if not body:
        raise UnsupportedOp("the standard defines no function body for this form")
    function = function_def(onnx.FunctionProto.FromString(body), key=node.key)
    _check_outputs(node, function)
    defaults = {
        name: attribute_value(attribute.default_value, node.name, None)
        for name, attribute in schema.attributes.items()
        if attribute.default_value.name
    }
    return replace(function, attributes=tuple(schema.attributes), defaults=defaults)


def _check_outputs(node: NodeDef, function: FunctionDef) -> None:
    defined = {out for inner in function.nodes for out in inner.outputs}.union(function.inputs)
    for position, (name, formal) in enumerate(zip(node.outputs, function.outputs, strict=False)):
        if name and formal not in defined:
            raise UnsupportedOp(f"the standard's function body defines no output {position}")


def _body(schema: Any, node: NodeDef, opset: int, inputs: Sequence[Tensor | None]) -> bytes:
    if schema.has_function:
        version = _version(schema.function_opset_versions, opset)
        return schema.get_function_with_opset_version(version)
    version = _version(schema.context_dependent_function_opset_versions, opset)
    types = [_type(x).SerializeToString() for x in inputs]
    return schema.get_context_dependent_function_with_opset_version(
        version, _proto(node).SerializeToString(), types
    )


def _version(versions: Sequence[int], opset: int) -> int:
    """Return the newest version of a function body that is not newer than the opset.

    If all versions are newer, return the oldest of them.
    """
    return max((v for v in versions if v <= opset), default=min(versions))


def _proto(node: NodeDef) -> onnx.NodeProto:
    proto = helper.make_node(node.op_type, node.inputs, node.outputs, node.name, domain=node.domain)
    proto.attribute.extend(_attribute(name, value) for name, value in node.attributes.items())
    return proto


def _attribute(name: str, value: AttributeValue) -> onnx.AttributeProto:
    if isinstance(value, Opaque | GraphDef):
        kind = value.kind if isinstance(value, Opaque) else "GRAPH"
        raise UnsupportedOp(f"attribute {name!r} of kind {kind} is not supported")
    if isinstance(value, np.ndarray):
        return helper.make_attribute(name, numpy_helper.from_array(value))
    # An empty list does not reveal its element type.
    return helper.make_attribute(
        name, value, attr_type=onnx.AttributeProto.INTS if value == () else None
    )


def _type(x: Tensor | None) -> onnx.TypeProto:
    if x is None:
        return onnx.TypeProto()
    code = helper.np_dtype_to_tensor_dtype(numpy_dtype(x.dtype))
    dims = [str(dim) if dim.value is None else dim.value for dim in x.dims]
    return helper.make_tensor_type_proto(code, dims)

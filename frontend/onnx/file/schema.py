"""Check a node against the standard's schema of its operator, before conversion.

The check covers the number of inputs and outputs, input types, and attribute names and kinds.
Converters check sizes and values. Operators that the standard does not define are not checked.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from onnx import TensorProto, defs, helper
from xdsl.ir import Attribute

from ....dialects.dtypes import numpy_dtype
from ....support.diagnostics import ModelError, UnsupportedOp
from ..values import StringTensor, TensorList, Value
from .definitions import AttributeValue, GraphDef, NodeDef, Opaque


@dataclass(frozen=True)
class FormalInput:
    """A formal input of an operator in the standard.

    kind: ``Single``, ``Optional`` or ``Variadic``. variable: the type variable of the input; inputs
    with the same type variable have equal types.  types: the names of the allowed types.
    homogeneous: whether all tensors of a variadic input have one type.
    """

    name: str
    kind: str
    variable: str
    types: frozenset[str]
    homogeneous: bool


@dataclass(frozen=True)
class NodeSignature:
    """The inputs, outputs and attributes that the standard allows for an operator.

    attributes: by name, the kind of the attribute, and whether it is required.
    """

    inputs: tuple[FormalInput, ...]
    least_inputs: int
    most_inputs: int
    most_outputs: int
    attributes: Mapping[str, tuple[str, bool]]

    def input(self, position: int) -> FormalInput:
        """Return the formal input for a position; a variadic one covers all later positions."""
        return self.inputs[min(position, len(self.inputs) - 1)]


def find_schema(node: NodeDef, opset: int) -> Any:
    """Return the operator's `OpSchema`, or None if the standard lacks the operator.

    The result is typed as Any, because the type stub of onnx is incomplete.
    """
    try:
        return defs.get_schema(node.op_type, opset, node.domain)
    except (defs.SchemaError, TypeError):
        # TypeError: the opset is no 32-bit integer.
        return None


def check_node(node: NodeDef, opset: int, inputs: Sequence[Value]) -> None:
    """Check the numbers of inputs and outputs, the input types and the attributes of a node.

    inputs: the values of the node's inputs.
    Errors: ModelError for the first violation; UnsupportedOp for an operator that is newer than the
    opset.
    """
    signature = _signature(node.domain, node.op_type, opset)
    if signature is None:
        if not node.domain and defs.has(node.op_type) and find_schema(node, opset) is None:
            raise UnsupportedOp(f"the operator is not part of opset {opset}")
        return
    if len(inputs) < signature.least_inputs:
        raise ModelError(
            "node has too few inputs",
            expected=f"at least {signature.least_inputs}",
            got=len(inputs),
            hint="add those that the operator needs",
        )
    _check_count("inputs", len(inputs), signature.most_inputs)
    _check_count("outputs", len(node.outputs), signature.most_outputs)
    given = [x is not None or _may_be_empty(node, signature, n) for n, x in enumerate(inputs)]
    _check_present(signature, given)
    _check_types(signature, inputs)
    for name, value in node.attributes.items():
        _check_attribute(signature, name, value)
    for name, (_, required) in signature.attributes.items():
        if required and name not in node.attributes:
            raise ModelError(f"attribute {name!r} is missing", hint="set it on the node")


@lru_cache(4096)
def _signature(domain: str, op_type: str, opset: int) -> NodeSignature | None:
    schema = find_schema(NodeDef("", op_type, domain, (), (), {}), opset)
    if schema is None or schema.deprecated:
        return None
    return NodeSignature(
        tuple(
            FormalInput(p.name, p.option.name, p.type_str, frozenset(p.types), p.is_homogeneous)
            for p in schema.inputs
        ),
        schema.min_input,
        schema.max_input,
        schema.max_output,
        {name: (a.type.name, a.required) for name, a in schema.attributes.items()},
    )


def _check_count(what: str, count: int, most: int) -> None:
    if count > most:
        raise ModelError(
            f"node has too many {what}",
            expected=f"at most {most}",
            got=count,
            hint="remove those that the operator does not have",
        )


def _may_be_empty(node: NodeDef, signature: NodeSignature, position: int) -> bool:
    """Return whether None at an input of a node may stand for an empty optional.

    It may if the input has a name and its type allows optionals. None at an input without a name
    means that the input is omitted.
    position: the number of the input.
    """
    types = signature.input(position).types
    return bool(node.inputs[position]) and any(t.startswith("optional(") for t in types)


def _check_present(signature: NodeSignature, given: Sequence[bool]) -> None:
    for position, parameter in enumerate(signature.inputs):
        if parameter.kind == "Single" and not (position < len(given) and given[position]):
            raise ModelError(
                f"input {position} ({parameter.name!r}) is missing", hint="the operator needs it"
            )
    variadic = signature.inputs and signature.inputs[-1].kind == "Variadic"
    if variadic and not all(given[len(signature.inputs) - 1 :]):
        raise ModelError(
            f"one of the inputs {signature.inputs[-1].name!r} is missing",
            hint="leave it out of the list instead of giving it an empty name",
        )


def _check_types(signature: NodeSignature, inputs: Sequence[Value]) -> None:
    seen: dict[str, tuple[int, str]] = {}
    for position, x in enumerate(inputs):
        found = _value_type(x)
        if found is None:
            continue
        parameter = signature.input(position)
        if parameter.types.isdisjoint((found, f"optional({found})")):
            raise ModelError(
                f"input {position} ({parameter.name!r}) has a type that the operator does not take",
                expected=", ".join(sorted(parameter.types)),
                got=found,
                hint="insert a Cast",
            )
        if not parameter.homogeneous:
            continue
        first, wanted = seen.setdefault(parameter.variable, (position, found))
        if found != wanted:
            raise ModelError(
                f"inputs {first} and {position} have different types",
                expected=wanted,
                got=found,
                hint="insert a Cast",
            )


def _value_type(x: Value) -> str | None:
    """Return the name of a value's type; None for an absent value or an empty sequence."""
    if isinstance(x, TensorList):
        return f"seq({_type_text(x.items[0].dtype)})" if x.items else None
    if isinstance(x, StringTensor):
        return "tensor(string)"
    return None if x is None else _type_text(x.dtype)


@lru_cache(256)
def _type_text(dtype: Attribute) -> str:
    code = helper.np_dtype_to_tensor_dtype(numpy_dtype(dtype))
    return f"tensor({TensorProto.DataType.Name(code).lower()})"


def _check_attribute(signature: NodeSignature, name: str, value: AttributeValue) -> None:
    if name not in signature.attributes:
        raise ModelError(
            f"attribute {name!r} does not exist",
            expected=", ".join(sorted(signature.attributes)) or "no attribute",
            hint="remove it, or use an opset that has it",
        )
    wanted, found = signature.attributes[name][0], _kind(value)
    # An empty list has no type.
    empty = isinstance(value, tuple) and not value
    if found != wanted and not (empty and wanted in ("INTS", "FLOATS", "STRINGS")):
        raise ModelError(
            f"attribute {name!r} has a wrong type",
            expected=wanted,
            got=found,
            hint="write the attribute with the type that the operator defines",
        )


def _kind(value: AttributeValue) -> str:
    match value:
        case Opaque(kind):
            return kind
        case GraphDef():
            return "GRAPH"
        case np.ndarray():
            return "TENSOR"
        case tuple():
            return f"{_kind(value[0])}S" if value else "INTS"
        case int():
            return "INT"
        case float():
            return "FLOAT"
        case _:
            return "STRING"

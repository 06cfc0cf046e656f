"""Scopes of value names: one for the main graph, and one for each subgraph and function call."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

import numpy as np

from ...dialects.params import ParamTable
from ...support.diagnostics import ModelError, TypeMismatch, UnsupportedOp
from .builder import Tensor
from .file.definitions import AttributeRef, AttributeValue, FunctionDef, GraphDef, NodeDef, shown
from .values import StringTensor, Value


class Scope:
    """The names that are visible in a graph or function body, with their values.

    values: the value of each name; None is an absent optional or an omitted argument of a function.
    opsets: the version of the operator set for each domain.  initializers: constants by name, which
    become values on first use.  path: the prefix of node names in this scope.
    attributes: in a function, the attributes of the calling node, to which attributes of the body
    may refer.  outer: for a graph in an attribute, the enclosing scope, whose names are visible.
    params: if present, records the initializers as parameters of the model.
    """

    def __init__(
        self,
        opsets: Mapping[str, int],
        initializers: Mapping[str, np.ndarray] | None = None,
        *,
        path: str = "",
        attributes: Mapping[str, AttributeValue] | None = None,
        outer: Scope | None = None,
        params: ParamTable | None = None,
    ):
        self.opsets, self.params = opsets, params
        self.initializers = initializers or {}
        self.path = path
        self.attributes = attributes
        self.outer = outer
        self.values: dict[str, Value] = {}

    def knows(self, name: str) -> bool:
        """Return whether a name has a value; the results of unsupported nodes have none."""
        if name in self.values or name in self.initializers:
            return True
        return self.outer is not None and self.outer.knows(name)

    def value(self, name: str) -> Value:
        """Return the value of a name; an initializer is converted on first use.

        Before: `knows` holds for the name.
        """
        if name not in self.values and name not in self.initializers and self.outer is not None:
            return self.outer.value(name)
        if name not in self.values:
            array = self.initializers[name]
            is_text = array.dtype == np.object_
            made = (
                StringTensor.of_array(array) if is_text else initializer(array, name, self.params)
            )
            self.values[name] = made
        return self.values[name]

    def resolved(self, node: NodeDef) -> NodeDef:
        """Return a copy of a node with its full name, and values for attribute references."""
        if self.attributes is None:
            return replace(node, name=self.path + node.name) if self.path else node
        given: dict[str, AttributeValue] = {}
        for name, value in node.attributes.items():
            if not isinstance(value, AttributeRef):
                given[name] = value
            elif value.name in self.attributes:
                given[name] = self.attributes[value.name]
        return replace(node, name=self.path + node.name, attributes=given)


def graph_scope(node: NodeDef, graph: GraphDef, inputs: Iterable[Value], outer: Scope) -> Scope:
    """Return a new scope for a graph in an attribute of a node.

    inputs: the values of the graph's inputs.  outer: the scope of the node.
    """
    scope = Scope(
        outer.opsets,
        graph.initializers,
        path=f"{node.name}/",
        attributes=outer.attributes,
        outer=outer,
    )
    scope.values.update(zip((v.name for v in graph.inputs), inputs, strict=True))
    return scope


def call_scope(
    node: NodeDef, function: FunctionDef, inputs: Iterable[Value], outer: Scope
) -> Scope:
    """Return a new scope for the body of a function at a call.

    node: the calling node.  inputs: its operands.  outer: its scope.
    Errors: ModelError if the call does not fit the function's parameters.
    """
    counts = (("inputs", node.inputs, function.inputs), ("outputs", node.outputs, function.outputs))
    for what, given, declared in counts:
        if len(given) > len(declared):
            raise ModelError(
                f"call of function {shown(function.key)} has too many {what}",
                expected=f"at most {len(declared)}",
                got=len(given),
                hint="make the node fit the function's parameters",
            )
    for name in node.attributes:
        if name not in function.attributes:
            raise ModelError(
                f"function {shown(function.key)} has no attribute {name!r}",
                expected=", ".join(function.attributes) or "none",
                hint="remove the attribute or declare it in the function",
            )
    scope = Scope(
        {**outer.opsets, **function.opsets},
        path=f"{node.name}/",
        attributes={**function.defaults, **node.attributes},
    )
    scope.values.update(dict.fromkeys(function.inputs))
    scope.values.update(zip(function.inputs, inputs, strict=False))
    return scope


def initializer(array: np.ndarray, name: str, params: ParamTable | None = None) -> Tensor:
    """Return an initializer as a tensor.

    params: if present, records the initializer as a parameter of the model.
    Errors: UnsupportedOp for an element type that the graph dialect lacks.
    """
    try:
        weight = None if params is None else params.weight(name, array)
        return Tensor.of_array(array, name) if weight is None else Tensor.of_weight(weight, name)
    except TypeMismatch as err:
        raise UnsupportedOp(
            f"initializer {name!r} has a data type without an element type in graph",
            got=array.dtype,
            hint="convert the initializer to a float, integer or bool type",
        ) from err

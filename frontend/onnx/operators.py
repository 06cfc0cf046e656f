"""Append the graph ops of one ONNX operator to a builder, for frontends and tilewright.ops."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .builder import Builder, Tensor
from .conversion import convert_node
from .file.definitions import NodeDef
from .importer import converters
from .node import MAX_OPSET, Node


def append_operator(
    b: Builder,
    op_type: str,
    inputs: Sequence[Tensor | None],
    attributes: Mapping[str, Any],
    *,
    outputs: int = 1,
    domain: str = "",
    place: str = "",
) -> list[Tensor]:
    """Append the graph ops to which the newest form of an ONNX operator is converted.

    op_type, domain: the operator.  inputs: the operands, with None for an omitted one.
    outputs: the number of results to return.  place: the name of the node, for messages.
    Errors: those of the operator's converter.
    """
    row = next(r for r in converters()[(domain, op_type)] if r.until >= MAX_OPSET)
    names = tuple("" if x is None else f"x{n}" for n, x in enumerate(inputs))
    results = tuple(f"y{n}" for n in range(outputs))
    definition = NodeDef(place, op_type, domain, names, results, attributes)
    made = convert_node(row, Node(definition, MAX_OPSET, tuple(inputs)), b)
    return [x for x in made[:outputs] if isinstance(x, Tensor)]

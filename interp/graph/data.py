"""Reference semantics of algebraic data types: a value is a row of a table."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, cast

import numpy as np

from ...dialects.data_type import NodeType
from ...dialects.graph import (
    ConstructOp,
    DataOp,
    DataValueOp,
    MatchOp,
    NodeAtOp,
    NodeNumberOp,
    TableOp,
)
from ...dialects.graph.data import data_of
from ...dialects.shape import Dim
from ..scalar import Array
from .context import EvaluationError, Evaluator, RegionEvaluator, RunRegion, Sizes, element_dtype


@dataclass(frozen=True)
class NodeValue:
    """A node of a table: its number, and the tags and columns of the table."""

    number: int
    tags: Array
    columns: tuple[Array, ...]

    def as_arrays(self) -> tuple[Array, ...]:
        """Return the node as the only result of an op; evaluators return tuples of arrays."""
        return (cast(Any, self),)


def _declared(op: DataValueOp | MatchOp) -> DataOp:
    data = data_of(op, op.data if isinstance(op, DataValueOp) else op.node_type.data)
    assert data is not None, "the op stands in a module"
    return data


def table(op: TableOp, args: tuple[Array, ...], sizes: Sizes) -> tuple[Array, ...]:
    """Evaluate graph.table on the arrays of its operands; return a `NodeValue`."""
    number, tags, *columns = args
    data = _declared(op)
    _check(op, "tag", tags, len(data.names))
    _check(op, "number of the node", number, len(tags))
    rows = np.arange(len(tags))
    for constructor in range(len(data.names)):
        types, first = data.field_types(constructor, Dim.const(1)), data.first_column(constructor)
        for type_, column in zip(types, columns[first:], strict=False):
            if isinstance(type_, NodeType):
                own = tags == constructor
                _check(op, "number of a field's row", column[own], rows[own])
    return NodeValue(int(number), tags, tuple(columns)).as_arrays()


def _check(op: TableOp, what: str, numbers: Array, below: Array | int) -> None:
    if np.any((numbers < 0) | (numbers >= below)):
        raise EvaluationError(
            f"the {what} is outside of the table, or not before the row",
            got=numbers,
            hint="number the nodes such that fields come before the nodes that have them",
        ).at(op)


def construct(op: ConstructOp, args: tuple[Array, ...], sizes: Sizes) -> tuple[Array, ...]:
    """Evaluate graph.construct: join the tables of the fields, append a row; return its node."""
    data = _declared(op)
    tag = data.names.index(op.constructor)
    types = data.column_types(Dim.const(1))
    first = data.first_column(tag)
    row = [np.zeros(t.get_shape(), element_dtype(t)) for t in types]
    tags: list[Array] = []
    parts: list[list[Array]] = [[] for _ in types]
    for number, given in enumerate(args):
        node = cast(Any, given)
        if not isinstance(node, NodeValue):
            row[first + number] = given[np.newaxis]
            continue
        offset = sum(map(len, tags))
        row[first + number] = np.array([offset + node.number])
        tags.append(node.tags)
        for part, column, is_node in zip(parts, node.columns, _are_nodes(data), strict=True):
            part.append(column + offset if is_node else column)
    count = sum(map(len, tags))
    columns = (np.concatenate([*part, last]) for part, last in zip(parts, row, strict=True))
    return NodeValue(count, np.concatenate([*tags, [tag]]), tuple(columns)).as_arrays()


def _are_nodes(data: DataOp) -> list[bool]:
    """Return, for each column, whether it holds numbers of rows."""
    types = (t for n in range(len(data.names)) for t in data.field_types(n, Dim.const(1)))
    return [isinstance(type_, NodeType) for type_ in types]


def match(op: MatchOp, args: tuple[Array, ...], run: RunRegion, sizes: Sizes) -> tuple[Array, ...]:
    """Evaluate graph.match on its operand, a `NodeValue`; return the results.

    run: runs a region on arrays.
    """
    node, data = cast(NodeValue, args[0]), _declared(op)
    tag = int(node.tags[node.number])
    types, first = data.field_types(tag, Dim.const(1)), data.first_column(tag)
    fields: list[Array] = []
    for type_, column in zip(types, node.columns[first:], strict=False):
        value = np.asarray(column[node.number])
        is_node = isinstance(type_, NodeType)
        fields += replace(node, number=int(value)).as_arrays() if is_node else [value]
    return run(op.cases[tag], tuple(fields))


def node_at(op: NodeAtOp, args: tuple[Array, ...], sizes: Sizes) -> tuple[Array, ...]:
    """Evaluate graph.node_at: return node number ``args[1]`` of the table of ``args[0]``."""
    return replace(cast(Any, args[0]), number=int(args[1])).as_arrays()


def node_number(op: NodeNumberOp, args: tuple[Array, ...], sizes: Sizes) -> tuple[Array, ...]:
    """Evaluate graph.node_number on a `NodeValue`; return its number."""
    return (np.array(cast(NodeValue, args[0]).number, np.int64),)


EVALUATORS: dict[type, Evaluator] = {
    ConstructOp: construct,
    NodeAtOp: node_at,
    NodeNumberOp: node_number,
    TableOp: table,
}
REGION_EVALUATORS: dict[type, RegionEvaluator] = {MatchOp: match}

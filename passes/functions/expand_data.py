"""graph-expand-data: replace values of data types by the columns of their tables.

    %t = graph.table @tree(%n, %tags, %a, %b, %l, %r)
    %y = graph.match %t { ^bb0(%x):  graph.yield %x } { ^bb0(%x, %p, %q):  … %p … }
==>
    %tag = graph.gather %tags, %n axis 0
    %leaf = graph.eq %tag, %zero
    %y = graph.if %leaf {
      %x = graph.gather %a, %n axis 0    graph.yield %x
    } else {
      %x = graph.gather %b, %n axis 0    %i = graph.gather %l, %n axis 0
      %p = graph.table @tree(%i, %tags, %a, %b, %l, %r)   … %p …
    }

A graph.construct of known tables becomes a table: the concat of these tables and a row.
Before: nothing.  After: no graph.match, node_at, node_number and construct has known tables.
Exact: the same results.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, cast

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, SymbolRefAttr, TensorType, i64
from xdsl.ir import Block, Operation, Region, SSAValue

from ...dialects.data_type import NodeType
from ...dialects.graph import (
    CheckIndicesOp,
    ConcatOp,
    ConstructOp,
    DataOp,
    IfOp,
    IotaOp,
    MatchOp,
    NodeAtOp,
    NodeNumberOp,
    ReshapeOp,
    SelectOp,
    SizeOp,
    TableOp,
    YieldOp,
)
from ...dialects.graph.control import element_of_stack
from ...dialects.graph.data import data_of
from ...dialects.shape import Dim, dims_of, type_of
from ...support.passes import ExactPass
from ...support.rewriting import erase_dead_ops
from .block_ops import BlockOps
from .calls import replace_results


@dataclass(frozen=True)
class ExpandData(ExactPass):
    """Replace values of data types by the columns of their tables."""

    name = "graph-expand-data"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        if expand_data(op):
            erase_dead_ops(op)


def expand_data(root: Operation) -> bool:
    """Replace the ops nested in ``root`` whose tables are known; return whether there were any."""
    changed = False
    # An expanded match makes the tables of its fields known.
    while found := [op for op in root.walk() if type(op) in _RULES and _is_known(op)]:
        for op in found:
            if op.parent is not None:
                _RULES[type(op)](op)
                changed = True
    return changed


def _is_known(op: Operation) -> bool:
    nodes = (x for x in op.operands if isinstance(x.type, NodeType))
    return all(isinstance(node.owner, TableOp) for node in nodes)


def _expand_match(op: MatchOp) -> None:
    table = cast(TableOp, op.node.owner)
    number, tags, *_ = table.args
    home = BlockOps.ahead_of(op)
    tag = home.row(tags, number)

    def chosen(case: int, home: BlockOps) -> list[SSAValue]:
        if case == len(op.cases) - 1:
            return taken(case, home)
        condition = home.elementwise("eq", tag, home.count(case))
        branches = [Block(), Block()]
        ends = taken(case, BlockOps(branches[0])), chosen(case + 1, BlockOps(branches[1]))
        for block, values in zip(branches, ends, strict=True):
            block.add_op(YieldOp(values))
        made = IfOp(condition, *map(Region, branches))
        made.location = op.location
        home.append(made)
        return list(made.results)

    def taken(case: int, home: BlockOps) -> list[SSAValue]:
        block = op.cases[case].block
        fields = _fields(table, case, home)
        return home.copies(block, dict(zip(block.args, fields, strict=True)))

    replace_results(op, chosen(0, home))


def _fields(table: TableOp, constructor: int, home: BlockOps) -> list[SSAValue]:
    """Add the ops that read the fields of a node, and return the fields in order.

    table: the op that makes the node.
    constructor: the number of the node's constructor.
    home: the builder that adds the ops.
    """
    data = _declared(table)
    number, tags, *columns = table.args
    first = data.first_column(constructor)
    made: list[SSAValue] = []
    for n, type_ in enumerate(data.field_types(constructor, table.node_type.nodes)):
        value = home.row(columns[first + n], number)
        if isinstance(type_, NodeType):
            value = home.value(TableOp(table.data, [value, tags, *columns], type_))
        made.append(value)
    return made


def _declared(op: TableOp | ConstructOp) -> DataOp:
    data = data_of(op, op.data)
    assert data is not None, "the op stands in a module"
    return data


def _expand_node_at(op: NodeAtOp) -> None:
    table = cast(TableOp, op.node.owner)
    args = [op.number, *table.args[1:]]
    new = TableOp(table.data, args, op.out.type)
    replace_results(op, [BlockOps.ahead_of(op).value(new)])


def _expand_node_number(op: NodeNumberOp) -> None:
    replace_results(op, [cast(TableOp, op.node.owner).args[0]])


def _expand_construct(op: ConstructOp) -> None:
    data, home = _declared(op), BlockOps.ahead_of(op)
    tag = data.names.index(op.constructor)
    tables = [x.owner for x in op.args if isinstance(x.owner, TableOp)]
    nodes = [table.node_type.nodes for table in tables]
    # The rows of a table follow those of the tables before it.
    starts = [_size(sum(nodes[:n], Dim.const(0)), home) for n in range(len(nodes) + 1)]
    numbers = [
        home.elementwise("add", table.args[0], start)
        for table, start in zip(tables, starts, strict=False)
    ]
    rest = iter(numbers)
    fields = [next(rest) if isinstance(x.owner, TableOp) else x for x in op.args]
    first = data.first_column(tag)
    columns: list[SSAValue] = []
    for n, type_ in enumerate(data.column_types(Dim.const(1))):
        parts = [table.args[2 + n] for table in tables]
        if _holds_numbers(data, n):
            pairs = zip(parts, starts, strict=False)
            parts = [home.elementwise("add", x, home.repeated(s, type_of(x))) for x, s in pairs]
        is_own = first <= n < first + len(fields)
        row = fields[n - first] if is_own else home.number(0, element_of_stack(type_))
        columns.append(_appended(parts, row, home))
    tags = _appended([table.args[1] for table in tables], home.count(tag), home)
    symbol = SymbolRefAttr(op.data_name)
    new = TableOp(symbol, [starts[-1], tags, *columns], op.out.type)
    replace_results(op, [home.value(new)])


def _appended(parts: Sequence[SSAValue], row: SSAValue, home: BlockOps) -> SSAValue:
    """Return a column with ``row`` as one more row at its end.

    parts: the tensors whose concat is the column; may be empty.
    home: the builder that adds the ops.
    """
    last = home.value(ReshapeOp(row, [Dim.const(1), *dims_of(type_of(row))]))
    return home.value(ConcatOp([*parts, last], 0)) if parts else last


def _holds_numbers(data: DataOp, column: int) -> bool:
    fields = [field for fields in data.fields for field in fields]
    return not isinstance(fields[column], TensorType)


def _size(size: Dim, home: BlockOps) -> SSAValue:
    if size.value is not None:
        return home.count(size.value)
    return home.value(ReshapeOp(home.value(SizeOp([size])), []))


def check_tables(module: ModuleOp) -> None:
    """Insert the run-time checks of all graph.table ops.

    The checks are that each tag is the number of a constructor, and that the rows of the fields of
    a node stand before the row of the node.
    """
    for op in [each for each in module.walk() if isinstance(each, TableOp)]:
        data, home, nodes = _declared(op), BlockOps.ahead_of(op), op.node_type.nodes
        number, tags, *columns = op.args
        place = f"graph.table @{data.sym_name.data}"
        home.append(CheckIndicesOp(home.value(ReshapeOp(number, [1])), [nodes], place))
        home.append(CheckIndicesOp(tags, [len(data.names)], place))
        rows = home.value(IotaOp([nodes], 0, i64))
        zeros, ones = (home.number(n, type_of(tags)) for n in range(2))
        for constructor in range(len(data.names)):
            case = home.number(constructor, type_of(tags))
            first, own = data.first_column(constructor), home.elementwise("eq", tags, case)
            for n in range(first, first + len(data.fields.data[constructor])):
                if not _holds_numbers(data, n):
                    continue
                gap = home.elementwise("sub", home.elementwise("sub", rows, columns[n]), ones)
                for checked in (columns[n], gap):
                    kept = home.value(SelectOp(own, checked, zeros))
                    home.append(CheckIndicesOp(kept, [nodes], place))


_RULES: dict[type[Operation], Callable[[Any], None]] = {
    ConstructOp: _expand_construct,
    MatchOp: _expand_match,
    NodeAtOp: _expand_node_at,
    NodeNumberOp: _expand_node_number,
}

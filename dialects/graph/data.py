"""Algebraic data types as tables of nodes: graph.data, table, construct, match, node_at, number.

    graph.data @tree {leaf(tensor<f64>), node(tensor<f64>, @tree, @tree)}

    %t = graph.table @tree(%root, %tags, %a, %b, %l, %r) : (…) -> !graph.data<@tree, n>
    %t = graph.construct @tree::@leaf(%x) : (tensor<f64>) -> !graph.data<@tree, 1>
    %y = graph.match %t {
    ^bb0(%x: tensor<f64>):  …  graph.yield %a : tensor<f64>
    } {
    ^bb0(%x: tensor<f64>, %l: !graph.data<@tree, n>, %r: !graph.data<@tree, n>):  …
    } : !graph.data<@tree, n> -> tensor<f64>

A value is a node of a table.  The table has a row per node: a tag, which is the number of the
node's constructor, and a column for each field of each constructor.  A field of the data type
itself is the number of another row, which stands before the row.  graph-remove-functions removes
these ops.
Not representable: fields of another data type, and fields of functions.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, cast

from xdsl.dialects.builtin import (
    ArrayAttr,
    ModuleOp,
    StringAttr,
    SymbolRefAttr,
    TensorType,
    i64,
)
from xdsl.ir import Attribute, Operation, Region, SSAValue
from xdsl.irdl import (
    BaseAttr,
    VarConstraint,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
    var_region_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import Pure, RecursiveMemoryEffect, SymbolOpInterface

from ...support.diagnostics import TypeMismatch
from ..data_type import VALUE, NodeType
from ..shape import Dim, Tensor, dims_of, tensor_type
from .base import GraphOp
from .control import check_region_arguments, yielded_types
from .function import check_types

NUMBER = tensor_type(i64, ())
"""The type of tags, and of numbers of rows."""


@irdl_op_definition
class DataOp(GraphOp):
    """An algebraic data type: its constructors, and the types of their fields.

    The type of a field is a tensor, or the symbol of the data type itself.
    Errors: TypeMismatch for a field of another type, and for two constructors of one name.
    """

    name = "graph.data"

    sym_name = prop_def(StringAttr)
    constructors = prop_def(ArrayAttr[StringAttr])
    fields = prop_def(ArrayAttr[ArrayAttr[Attribute]])

    traits = traits_def(SymbolOpInterface())

    def __init__(self, name: str, constructors: dict[str, Sequence[Attribute]]) -> None:
        super().__init__(
            properties={
                "sym_name": StringAttr(name),
                "constructors": ArrayAttr(map(StringAttr, constructors)),
                "fields": ArrayAttr(map(ArrayAttr, constructors.values())),
            }
        )

    def inferred_types(self) -> tuple[()]:
        names = self.names
        if len(set(names)) != len(names) or len(names) != len(self.fields) or not names:
            raise TypeMismatch(
                "a data type has constructors with names of their own",
                got=", ".join(names) or "none",
                hint="give each constructor another name",
            )
        for field in (field for fields in self.fields for field in fields):
            if field != SymbolRefAttr(self.sym_name) and not isinstance(field, TensorType):
                raise TypeMismatch(
                    "a field is neither a tensor nor a value of the same data type",
                    expected=f"a tensor, or @{self.sym_name.data}",
                    got=field,
                    hint="store a tensor in the field",
                )
        return ()

    @property
    def names(self) -> list[str]:
        """The names of the constructors."""
        return [name.data for name in self.constructors]

    def field_types(self, constructor: int, nodes: Dim) -> list[Attribute]:
        """Return the types of the fields of a constructor.

        constructor: the number of the constructor.  nodes: the number of nodes of the table.
        """
        node = NodeType.of(self.sym_name.data, nodes)
        return [f if isinstance(f, TensorType) else node for f in self.fields.data[constructor]]

    def column_types(self, nodes: Dim) -> list[Tensor]:
        """Return the types of all columns of a table except the tags.

        ``nodes`` is the number of rows.
        """
        types: list[Tensor] = []
        for field in (field for fields in self.fields for field in fields):
            element = cast(Tensor, field) if isinstance(field, TensorType) else NUMBER
            types.append(tensor_type(element.element_type, (nodes, *dims_of(element))))
        return types

    def first_column(self, constructor: int) -> int:
        """Return the index of the column that holds the first field of a constructor."""
        return sum(len(fields) for fields in self.fields.data[:constructor])

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_symbol_name(self.sym_name.data)
        printer.print_string(" {")
        for number, (name, fields) in enumerate(zip(self.names, self.fields, strict=True)):
            printer.print_string(f"{', ' if number else ''}{name}(")
            printer.print_list(fields, printer.print_attribute)
            printer.print_string(")")
        printer.print_string("}")
        printer.print_op_attributes(self.attributes)

    @classmethod
    def parse(cls, parser: Parser) -> DataOp:
        name = parser.parse_symbol_name().data
        made: dict[str, Sequence[Attribute]] = {}

        def constructor() -> None:
            own = parser.parse_identifier()
            made[own] = parser.parse_comma_separated_list(
                parser.Delimiter.PAREN, parser.parse_attribute
            )

        parser.parse_comma_separated_list(parser.Delimiter.BRACES, constructor)
        op = cls(name, made)
        op.attributes = parser.parse_optional_attr_dict()
        return op


class DataValueOp(GraphOp):
    """Base of the ops whose result is a value of a data type.

    The operands are the fields of the value (graph.construct), or the columns of a table
    (graph.table).
    data: the symbol of the data type, or of one of its constructors.
    """

    data = prop_def(SymbolRefAttr)
    args = var_operand_def(VALUE)
    out = result_def(NodeType)

    traits = traits_def(Pure())
    assembly_format = "$data `(` $args `)` `:` functional-type($args, $out) attr-dict"

    def __init__(self, data: SymbolRefAttr, args: Sequence[SSAValue], type_: Attribute) -> None:
        super().__init__(operands=[list(args)], result_types=[type_], properties={"data": data})

    @property
    def node_type(self) -> NodeType:
        """The type of the value."""
        return self.out.type


@irdl_op_definition
class TableOp(DataValueOp):
    """A node of a table whose columns are operands.

    Operands: the number of the node, the tags, and the columns of the fields of all constructors.
    Errors: TypeMismatch for columns of other types.  A tag that is no number of a constructor, and
    a row that does not stand after the rows of its fields, are run-time errors.
    """

    name = "graph.table"
    INFERS_FROM_OPERANDS: ClassVar[bool] = False

    def inferred_types(self) -> Sequence[Attribute]:
        data, type_ = data_of(self, self.data), self.node_type
        if data is not None:
            tags = tensor_type(i64, (type_.nodes,))
            expected = [NUMBER, tags, *data.column_types(type_.nodes)]
            check_types("columns", expected, [a.type for a in self.args])
        return [NodeType(self.data, type_.sizes)]


@irdl_op_definition
class ConstructOp(DataValueOp):
    """A new node: a constructor of a data type, applied to its fields.

    The table of the result consists of the tables of the fields that are nodes, followed by one row
    for the new node.
    Errors: TypeMismatch unless the operands are the fields of the constructor.
    """

    name = "graph.construct"

    @property
    def data_name(self) -> str:
        """The name of the data type."""
        return self.data.root_reference.data

    @property
    def constructor(self) -> str:
        """The name of the constructor."""
        return ".".join(name.data for name in self.data.nested_references)

    def inferred_types(self) -> Sequence[Attribute]:
        data = data_of(self, self.data)
        own = [a.type for a in self.args if isinstance(a.type, NodeType)]
        if data is not None:
            if self.constructor not in data.names:
                raise TypeMismatch(
                    "the data type has no constructor of this name",
                    expected=", ".join(data.names),
                    got=self.constructor,
                    hint="name a constructor of the graph.data",
                )
            number = data.names.index(self.constructor)
            nodes = iter(own)
            expected = [
                t if isinstance(t, TensorType) else next(nodes, t)
                for t in data.field_types(number, Dim.const(1))
            ]
            check_types("fields", expected, [a.type for a in self.args])
        total = sum((type_.nodes for type_ in own), Dim.const(1))
        return [NodeType.of(self.data_name, total)]


@irdl_op_definition
class MatchOp(GraphOp):
    """A case distinction by the constructor of a node.

    The region of the node's constructor runs; the results are the values that it yields.
    Regions: one per constructor, in the order of graph.data; each takes the fields of its
    constructor.
    Errors: TypeMismatch for another number of regions, for regions that take other fields, and for
    regions that yield different types.
    """

    name = "graph.match"

    node = operand_def(NodeType)
    out = var_result_def(VALUE)
    cases = var_region_def("single_block")

    traits = traits_def(RecursiveMemoryEffect())
    assembly_format = "$node $cases attr-dict `:` type($node) `->` type($out)"

    def __init__(self, node: SSAValue, cases: Sequence[Region]) -> None:
        super().__init__(
            operands=[node], result_types=[yielded_types(cases[0])], regions=[list(cases)]
        )

    @property
    def node_type(self) -> NodeType:
        """The type of the node."""
        return cast(NodeType, self.node.type)

    def inferred_types(self) -> Sequence[Attribute]:
        data = data_of(self, self.node_type.data)
        types = yielded_types(self.cases[0])
        for number, case in enumerate(self.cases):
            check_types("yielded values of a case", types, yielded_types(case))
            if data is not None and number < len(data.names):
                check_region_arguments(case, data.field_types(number, self.node_type.nodes))
        if data is not None and len(self.cases) != len(data.names):
            raise TypeMismatch(
                "a match has one region per constructor",
                expected=", ".join(data.names),
                got=f"{len(self.cases)} regions",
                hint="write a region for each constructor, in their order",
            )
        return types


@irdl_op_definition
class NodeAtOp(GraphOp):
    """The node that has a given number in the table of another node."""

    name = "graph.node_at"

    T: ClassVar = VarConstraint("T", BaseAttr(NodeType))

    node = operand_def(T)
    number = operand_def(TensorType)
    out = result_def(T)

    traits = traits_def(Pure())
    assembly_format = "$node `,` $number attr-dict `:` type($node) `,` type($number)"

    def __init__(self, node: SSAValue, number: SSAValue) -> None:
        super().__init__(operands=[node, number], result_types=[node.type])

    def inferred_types(self) -> Sequence[Attribute]:
        check_types("numbers", [NUMBER], [self.number.type])
        return [self.node.type]


@irdl_op_definition
class NodeNumberOp(GraphOp):
    """The number of a node in its table, as an i64 tensor of rank 0."""

    name = "graph.node_number"

    node = operand_def(NodeType)
    out = result_def(TensorType)

    traits = traits_def(Pure())
    assembly_format = "$node attr-dict `:` type($node) `->` type($out)"

    def __init__(self, node: SSAValue) -> None:
        super().__init__(operands=[node], result_types=[NUMBER])

    def inferred_types(self) -> Sequence[Attribute]:
        return [NUMBER]


def data_of(op: Operation, symbol: SymbolRefAttr) -> DataOp | None:
    """Return the data type that a symbol names; None if the op is not in a module.

    Errors: TypeMismatch if the module declares no such data type.
    """
    module = op.get_toplevel_object()
    if not isinstance(module, ModuleOp):
        return None
    name = symbol.root_reference.data
    known = {each.sym_name.data: each for each in module.ops if isinstance(each, DataOp)}
    if name not in known:
        raise TypeMismatch(
            "the module has no data type of this name",
            expected=", ".join(f"@{each}" for each in known) or "a graph.data",
            got=f"@{name}",
            hint="declare the data type with graph.data",
        )
    return known[name]

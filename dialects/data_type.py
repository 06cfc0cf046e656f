"""The types of values that are no tensors: nodes of algebraic data types, and references.

    !graph.data<@tree, 7>     a node in a table of 7 nodes; graph.data @tree defines the data type
    !graph.data<@tree, n>     a node in a table whose number of nodes is the symbol n
    !graph.ref<tensor<4xf32>> a reference to a tensor

A table stores the values of a data type, one per row; a value is a row, also called a node.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import FunctionType, SymbolRefAttr, TensorType
from xdsl.ir import Attribute, ParametrizedAttribute, TypeAttribute
from xdsl.irdl import BaseAttr, irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer

from .shape import Dim, DimsAttr, Tensor, parse_dim


@irdl_attr_definition
class NodeType(ParametrizedAttribute, TypeAttribute):
    """A value of an algebraic data type: a row (node) of a table of values.

    data: the symbol of the graph.data op that lists the constructors.  sizes: the number of nodes
    in the table, as the only element.
    """

    name = "graph.data"

    data: SymbolRefAttr
    sizes: DimsAttr

    @classmethod
    def of(cls, data: str, nodes: Dim | int | str) -> NodeType:
        """Return the type of a node.

        ``data`` names the data type, ``nodes`` is the size of the table.
        """
        return cls(SymbolRefAttr(data), DimsAttr.of([nodes]))

    @property
    def nodes(self) -> Dim:
        """The number of nodes in the table."""
        return self.sizes.data[0]

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        with parser.in_angle_brackets():
            data = parser.parse_symbol_name()
            parser.parse_punctuation(",")
            return [SymbolRefAttr(data), DimsAttr.of([parse_dim(parser)])]

    def print_parameters(self, printer: Printer) -> None:
        printer.print_string(f"<@{self.data.root_reference.data}, {self.nodes}>")


@irdl_attr_definition
class RefType(ParametrizedAttribute, TypeAttribute):
    """A reference (mutable cell) that contains a tensor.

    tensor: the type of the tensor.
    """

    name = "graph.ref"

    tensor: Tensor


VALUE = BaseAttr(TensorType) | BaseAttr(FunctionType) | BaseAttr(NodeType) | BaseAttr(RefType)
"""The types of values of the graph level: tensors, functions, data, and references."""

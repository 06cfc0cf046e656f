"""Indices of the running thread: its index in the block, and the index of its block.

    %tx = simt.thread_id x below 128
    %bx = simt.block_id x below floordiv(s, 64)

The range is a part of the op, so analyses do not need to read the launch of the function.
"""

from __future__ import annotations

from xdsl.dialects.builtin import StringAttr
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import Pure

from ...support.diagnostics import TypeMismatch
from ..index_syntax import INDEX
from ..shape import Dim, DimsAttr, parse_dim
from .launch import LaunchSizes, launch_of

DIMENSIONS = ("x", "y", "z")
"""The dimensions of grids and blocks; x varies fastest."""


def check_dimension(op: IRDLOperation, dimension: str) -> None:
    """Raise TypeMismatch, which names the op, unless a dimension is x, y or z."""
    if dimension not in DIMENSIONS:
        raise TypeMismatch(
            "a thread has no such dimension",
            expected=", ".join(DIMENSIONS),
            got=dimension,
            hint="use one of these dimensions",
        ).at(op)


class IdOp(IRDLOperation):
    """Base of the ops that return an index of a thread or block, which lies in 0..bound-1."""

    dimension = prop_def(StringAttr)
    bound_attr = prop_def(DimsAttr, prop_name="bound")
    res = result_def(INDEX)
    traits = traits_def(Pure())

    def __init__(self, dimension: str, bound: Dim | int) -> None:
        super().__init__(
            properties={"dimension": StringAttr(dimension), "bound": DimsAttr((Dim.of(bound),))},
            result_types=[INDEX],
        )

    @property
    def bound(self) -> Dim:
        """The number of threads or blocks along the dimension."""
        return self.bound_attr.data[0]

    @property
    def position(self) -> int:
        """The position of the dimension: 0 for x, 1 for y, 2 for z."""
        return DIMENSIONS.index(self.dimension.data)

    @staticmethod
    def extents(launch: LaunchSizes) -> tuple[Dim | int, ...]:
        """Return the sizes of a launch along x, y and z: its threads per block, or its blocks.

        A subclass returns the sizes that bound its index.
        """
        raise NotImplementedError

    def verify_(self) -> None:
        check_dimension(self, self.dimension.data)
        launch = launch_of(self)
        if launch is None:
            return
        expected = Dim.of(self.extents(launch)[self.position])
        if expected != self.bound:
            raise TypeMismatch(
                "the bound is not the size of the launch",
                expected=expected,
                got=self.bound,
                hint="use the size that the attribute tw.launch of the function states",
            ).at(self)

    def print(self, printer: Printer) -> None:
        printer.print_string(f" {self.dimension.data} below {self.bound}")

    @classmethod
    def parse(cls, parser: Parser) -> IdOp:
        dimension = parser.parse_identifier("a dimension")
        parser.parse_keyword("below")
        return cls(dimension, parse_dim(parser))


@irdl_op_definition
class ThreadIdOp(IdOp):
    """The index of the thread in its block, along one dimension.

    Errors: TypeMismatch for an unknown dimension, or a bound other than the block's size.
    """

    name = "simt.thread_id"

    @staticmethod
    def extents(launch: LaunchSizes) -> tuple[Dim | int, ...]:
        return launch.block


@irdl_op_definition
class BlockIdOp(IdOp):
    """The index of the block in the grid, along one dimension.

    Errors: TypeMismatch for an unknown dimension, or a bound other than the grid's size.
    """

    name = "simt.block_id"

    @staticmethod
    def extents(launch: LaunchSizes) -> tuple[Dim | int, ...]:
        return launch.grid

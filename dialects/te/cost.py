"""Costs of kernels: the work of one call, and the computes that do it.

    te.kernel @relu(..) attributes {cost = #te.cost<flops = 512, computes = [matmul, relu]>} { .. }
    te.kernel @exp(..) attributes {cost = #te.cost<flops = 512, work = 8 * b, computes = [exp]>} ..
    func.func @relu(..) attributes {tw.cost = #te.cost<flops = 512, computes = [matmul]>} { .. }

te-record-costs sets the cost of each te.kernel before a schedule changes the kernel.  te-to-loop
moves the cost to the function of the kernel; loop-split-phases sets the cost of each phase.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.ir import Data
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer

from ...support.diagnostics import TypeMismatch
from ..names import name_text, parse_name
from ..shape import Dim, parse_dim


@dataclass(frozen=True)
class Cost:
    """The work of one call: scalar operations, and the names of the computes that execute them.

    flops: the number of operations, with likely values for symbolic sizes.  work: the number as an
    expression over the size parameters of the kernel; None if the kernel has no such parameters, or
    if the number is unknown.
    """

    flops: int
    computes: tuple[str, ...]
    work: Dim | None = None

    def __str__(self) -> str:
        work = "" if self.work is None else f"work = {self.work}, "
        names = ", ".join(map(name_text, self.computes))
        return f"flops = {self.flops}, {work}computes = [{names}]"


@irdl_attr_definition
class CostAttr(Data[Cost]):
    """The attribute of a cost.

    Errors: TypeMismatch for a negative number of operations.
    """

    name = "te.cost"

    def verify(self) -> None:
        if self.data.flops < 0:
            raise TypeMismatch(
                "a kernel cannot have a negative number of operations",
                expected="0 or more",
                got=self.data.flops,
                hint="remove the cost; te-record-costs counts the operations",
                where=self.name,
            )

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> Cost:
        with parser.in_angle_brackets():
            _parse_key(parser, "flops")
            flops = parser.parse_integer(allow_boolean=False)
            parser.parse_punctuation(",")
            work = None
            if parser.parse_optional_keyword("work"):
                parser.parse_punctuation("=")
                work = parse_dim(parser)
                parser.parse_punctuation(",")
            _parse_key(parser, "computes")
            names = parser.parse_comma_separated_list(
                parser.Delimiter.SQUARE, lambda: parse_name(parser, "name of a compute")
            )
            return Cost(flops, tuple(names), work)

    def print_parameter(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_string(str(self.data))


def _parse_key(parser: AttrParser, key: str) -> None:
    parser.parse_keyword(key)
    parser.parse_punctuation("=")

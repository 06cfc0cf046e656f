"""What a te.compute is for, where passes and plans treat it by that.

    te.compute @join [i: 4, j: 9] ins(..) outs([i, j] : tensor<4x9xf32>) role(concat 1) body(..) ..

    border                 writes the pad value around the elements of a buffer
    concat <axis>          joins its operands along an axis; they may become slices of its result
    joins_reader           a contraction that is computed in the kernel of its only reader
    transform              one side of a convolution by tiles: several values of each tile
    winograd <tile> <rows> a convolution to compute by tiles of so many outputs per dimension, so
                           many rows of tiles per task (0: phase by phase)

A role is in the compute's view: a pass that rebuilds a compute keeps it, one that makes something
else of it says so.  The verifier checks that the compute is what its role says.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from xdsl.ir import Data
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer


@dataclass(frozen=True)
class Border:
    """Writes the pad value around the elements of a buffer."""

    def __str__(self) -> str:
        return "border"


@dataclass(frozen=True)
class Concat:
    """Joins its operands along an axis."""

    axis: int

    def __str__(self) -> str:
        return f"concat {self.axis}"


@dataclass(frozen=True)
class JoinsReader:
    """A contraction that is computed in the kernel of its only reader."""

    def __str__(self) -> str:
        return "joins_reader"


@dataclass(frozen=True)
class Transform:
    """Several values of each tile of a convolution by tiles."""

    def __str__(self) -> str:
        return "transform"


@dataclass(frozen=True)
class Winograd:
    """A convolution to compute by tiles; rows: of tiles per task, 0 for phase by phase."""

    tile: int
    rows: int

    def __str__(self) -> str:
        return f"winograd {self.tile} {self.rows}"


Role: TypeAlias = Border | Concat | JoinsReader | Transform | Winograd

_KINDS: dict[str, tuple[type[Role], int]] = {
    "border": (Border, 0),
    "concat": (Concat, 1),
    "joins_reader": (JoinsReader, 0),
    "transform": (Transform, 0),
    "winograd": (Winograd, 2),
}
"""The roles by their words, with how many numbers follow."""


@irdl_attr_definition
class RoleAttr(Data[Role]):
    """A role as an attribute; its text is that of the role."""

    name = "te.role"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> Role:
        with parser.in_angle_brackets():
            return parse_role(parser)

    def print_parameter(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_string(str(self.data))


def parse_role(parser: AttrParser) -> Role:
    """Parse a role's word and its numbers."""
    word = parser.parse_optional_keyword_in(set(_KINDS))
    if word is None:
        parser.raise_error(f"a role is one of {', '.join(_KINDS)}")
    kind, numbers = _KINDS[word]
    return kind(*(parser.parse_integer(allow_boolean=False) for _ in range(numbers)))


__all__ = [
    "Border", "Concat", "JoinsReader", "Role", "RoleAttr", "Transform", "Winograd", "parse_role",
]  # fmt: skip

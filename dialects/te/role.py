"""Roles of te.compute ops: purposes that passes and plans must know.

    te.compute @join [i: 4, j: 9] ins(..) outs([i, j] : tensor<4x9xf32>) role(concat 1) body(..) ..

    border                 writes the pad value around the elements of a buffer
    concat <axis>          concatenates its operands along an axis; they may become slices of the
                           result
    joins_reader           a contraction that is computed in the kernel of its only consumer
    transform              a Winograd transform: each point of its axes is a tile, and each output
                           stores one element of every tile
    winograd <tile> <rows> a convolution to compute by Winograd tiles of <tile> outputs per
                           dimension, with <rows> rows of tiles per task (0: one kernel per phase);
                           with ``when <size>``, calls in which this size is 0 compute the
                           convolution directly, or by smaller tiles with ``when <size> else 2``

The role is part of the compute's view, so a pass that rebuilds a compute preserves the role; a pass
that changes the purpose sets another role.  The verifier checks that the compute fits its role.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from xdsl.ir import Data
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer

from ..shape import Dim, parse_dim


@dataclass(frozen=True)
class Border:
    """Role of a compute that writes the pad value around the elements of a buffer."""

    def __str__(self) -> str:
        return "border"


@dataclass(frozen=True)
class Concat:
    """Role of a compute that concatenates its operands along an axis."""

    axis: int

    def __str__(self) -> str:
        return f"concat {self.axis}"


@dataclass(frozen=True)
class JoinsReader:
    """Role of a contraction that is computed in the kernel of its only consumer."""

    def __str__(self) -> str:
        return "joins_reader"


@dataclass(frozen=True)
class Transform:
    """Role of a compute that transforms tiles for a Winograd convolution.

    Each point of its axes is a tile; each of its outputs holds one element of every tile.
    """

    def __str__(self) -> str:
        return "transform"


@dataclass(frozen=True)
class WinogradTiles:
    """Role of a convolution that is computed by Winograd tiles.

    tile: the number of outputs of a tile per dimension.
    rows: the number of rows of tiles per task; 0: input transform, products and output transform
    are separate kernels.
    columns: the number of tiles of a row per block; 0: all.
    when: a size expression, 1 in calls that use these tiles and 0 in other calls; None: all calls
    use them.
    other: the tile size in other calls; 0: direct convolution.
    """

    tile: int
    rows: int
    columns: int = 0
    when: Dim | None = None
    other: int = 0

    def __str__(self) -> str:
        columns = f" {self.columns}" if self.columns else ""
        when = "" if self.when is None else f" when {self.when}"
        other = f" else {self.other}" if self.other else ""
        return f"winograd {self.tile} {self.rows}{columns}{when}{other}"


Role: TypeAlias = Border | Concat | JoinsReader | Transform | WinogradTiles

_KINDS: dict[str, tuple[type[Border | Concat | JoinsReader | Transform], int]] = {
    "border": (Border, 0),
    "concat": (Concat, 1),
    "joins_reader": (JoinsReader, 0),
    "transform": (Transform, 0),
}
"""Role classes by keyword, with the number of integers after the keyword; all but ``winograd``."""


@irdl_attr_definition
class RoleAttr(Data[Role]):
    """The attribute of a role, in the syntax of the role."""

    name = "te.role"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> Role:
        with parser.in_angle_brackets():
            return parse_role(parser)

    def print_parameter(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_string(str(self.data))


def parse_role(parser: AttrParser) -> Role:
    """Parse the keyword of a role and its parameters."""
    word = parser.parse_optional_keyword_in({*_KINDS, "winograd"})
    if word is None:
        parser.raise_error(f"a role is one of {', '.join([*_KINDS, 'winograd'])}")
    if word == "winograd":
        return _winograd(parser)
    kind, numbers = _KINDS[word]
    return kind(*(parser.parse_integer(allow_boolean=False) for _ in range(numbers)))


def _winograd(parser: AttrParser) -> WinogradTiles:
    tile, rows = (parser.parse_integer(allow_boolean=False) for _ in range(2))
    columns = parser.parse_optional_integer(allow_boolean=False) or 0
    if parser.parse_optional_keyword("when") is None:
        return WinogradTiles(tile, rows, columns)
    when = parse_dim(parser)
    has_other = parser.parse_optional_keyword("else") is not None
    return WinogradTiles(tile, rows, columns, when, parser.parse_integer() if has_other else 0)

"""The launch configuration of a kernel function: its attribute ``tw.launch``.

    #simt.launch<grid [floordiv(s, 64), 12], block [16, 16], shared 8192>

simt-map-threads writes the attribute; the code that launches the kernel reads it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

from xdsl.dialects.func import FuncOp
from xdsl.ir import Data, Operation
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer

from ...support.blocks import enclosing
from ...support.diagnostics import TypeMismatch
from ...support.size_names import shown_size
from ..shape import Dim, parse_dim

LAUNCH = "tw.launch"
"""The name of the kernel attribute with the launch configuration; see dialects/functions.py."""

_RANK = 3


@dataclass(frozen=True)
class LaunchSizes:
    """The numbers of blocks and threads of one call of a kernel, along x, y and z.

    grid: numbers of blocks, as expressions over the size parameters of the kernel.  block: numbers
    of threads.  shared_bytes: the size of all shared allocations of a block.
    """

    grid: tuple[Dim, Dim, Dim]
    block: tuple[int, int, int]
    shared_bytes: int = 0

    @staticmethod
    def of(
        grid: Sequence[Dim | int | str], block: Sequence[int], shared_bytes: int = 0
    ) -> LaunchSizes:
        """Return the sizes of a launch; sizes that ``grid`` and ``block`` leave out are 1."""
        blocks = [Dim.of(n) for n in (*grid, *[1] * (_RANK - len(grid)))]
        threads = [*block, *[1] * (_RANK - len(block))]
        (bx, by, bz), (tx, ty, tz) = blocks, threads
        return LaunchSizes((bx, by, bz), (tx, ty, tz), shared_bytes)

    @property
    def threads(self) -> int:
        """The number of threads of a block."""
        return prod(self.block)

    @property
    def shown_blocks(self) -> int | str:
        """The number of blocks; if it is symbolic, the text of the expression."""
        x, y, z = self.grid
        total = x * y * z
        return shown_size(total) if total.value is None else total.value

    def __str__(self) -> str:
        grid, block = (", ".join(map(str, _without_ones(n))) for n in (self.grid, self.block))
        return f"grid [{grid}], block [{block}], shared {self.shared_bytes}"


def _without_ones(sizes: Sequence[Dim | int]) -> list[Dim | int]:
    kept = list(sizes)
    while len(kept) > 1 and kept[-1] in (1, Dim.const(1)):
        kept.pop()
    return kept


@irdl_attr_definition
class LaunchAttr(Data[LaunchSizes]):
    """The attribute of a launch configuration.

    Errors: TypeMismatch for a negative number of blocks or bytes, or a block without threads.
    """

    name = "simt.launch"

    def verify(self) -> None:
        blocks = [n.value for n in self.data.grid if n.value is not None]
        if min(self.data.block) < 1 or min([*blocks, 0]) < 0 or self.data.shared_bytes < 0:
            raise TypeMismatch(
                "a launch has an impossible size",
                expected="at least 1 thread, 0 blocks and 0 bytes",
                got=self.data,
                hint="remove the launch, and run simt-map-threads",
                where=self.name,
            )

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> LaunchSizes:
        with parser.in_angle_brackets():
            parser.parse_keyword("grid")
            grid = parser.parse_comma_separated_list(
                parser.Delimiter.SQUARE, lambda: parse_dim(parser)
            )
            parser.parse_punctuation(",")
            parser.parse_keyword("block")
            block = parser.parse_comma_separated_list(
                parser.Delimiter.SQUARE, lambda: parser.parse_integer(allow_boolean=False)
            )
            parser.parse_punctuation(",")
            parser.parse_keyword("shared")
            if max(len(grid), len(block)) > _RANK:
                parser.raise_error("a launch has at most three sizes per list")
            return LaunchSizes.of(grid, block, parser.parse_integer(allow_boolean=False))

    def print_parameter(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_string(str(self.data))


def launch_of(op: Operation) -> LaunchSizes | None:
    """Return the launch of the function that is or contains an op; None if it has none."""
    function = next((each for each in (op, *enclosing(op)) if isinstance(each, FuncOp)), None)
    found = None if function is None else function.attributes.get(LAUNCH)
    return found.data if isinstance(found, LaunchAttr) else None

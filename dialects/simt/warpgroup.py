"""Products that the four warps of a warpgroup compute together, of operands in shared memory.

    %a = simt.matrix_descriptor %s[%k mod 4, 0, 0, 0] : memref<4x1x64x64xf16>
    %b = simt.matrix_descriptor %u[%k mod 4, 0, 0, 0] : memref<4x2x64x64xf16>
    %p:16 = simt.warpgroup_mma f16 [%a], [%b] rows, %c..
    %q:16 = simt.warpgroup_wait 0 %p..

A warpgroup is 128 consecutive threads of a block.  Warp w of it computes rows 16 w .. 16 w + 15 of
a product of 64 x 16 by 16 x N elements: value j of a thread is the fragment of columns 8 j .. 8 j +
7 as simt.mma has it.

**Swizzled tiles.**  An operand is a part of a tile of R rows and C columns, which is stored as
``C / 64 x R x 64`` elements: rows of 128 bytes, in which the part of 16 bytes with number p of row
r is at position ``p xor r mod 8``.  Eight rows of one part are then in different banks.  Memory is
contiguous along the columns of a tile: by default along the axis that is summed.  With ``rows``
after an operand, the rows of the tile are summed.

**Time.**  The instruction runs while its threads continue.  No thread uses its results, except as
accumulators of the next one, and no thread writes its operands, until a wait of the warpgroup.
simt.warpgroup_wait n waits until all instructions of the warpgroup but the last n have finished.
Stores and copies of a thread to a tile are visible to the instruction after ``simt.barrier async``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import cast

from xdsl.dialects.builtin import (
    IntAttr,
    MemRefType,
    UnitAttr,
    VectorType,
    bf16,
    f16,
    f32,
    i64,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    irdl_op_definition,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect

from ...support.affine import Index
from ...support.diagnostics import TypeMismatch
from ..dtypes import bit_width
from ..index_syntax import parse_index_list, print_index_list
from ..loop import AccessOp, AllocOp, ForOp, YieldOp, encode_indices
from .mma import verify_reached_together

WARPGROUP = 128
"""The number of threads of a warpgroup."""
GROUP_ROWS, GROUP_STEP, GROUP_COLUMNS = 64, 16, 256
"""Rows of the result, extent of the contraction, and most columns of an instruction."""
SWIZZLED_ROW, SWIZZLED_ROWS, SWIZZLED_PART = 64, 8, 8
"""Elements per row of a swizzled tile, rows after which the swizzle repeats, elements per part.

Source: PTX ISA 8.8, section 9.7.15.5.1, 128-byte swizzling.
"""
UNIT_BYTES, ADDRESS_BITS, LEADING_BIT, STRIDE_BIT, SWIZZLE_BIT = 16, 14, 16, 32, 62
"""The encoding of a matrix descriptor.

The unit in bytes of addresses and distances; the number of bits of each; and the first bit of three
fields: the distance between panels of 64 columns, the distance between groups of eight rows, and
the swizzle mode (1: 128 bytes).
Source: PTX ISA 8.8, section 9.7.15.5.1.2.2, matrix descriptor.
"""
_SUMS = VectorType(f32, [4])


@irdl_op_definition
class MatrixDescriptorOp(AccessOp):
    """The 64-bit descriptor of an operand in shared memory: its address and the form of its tile.

    The operand is a part of a swizzled tile; the indices are positions before swizzling.
    Errors: TypeMismatch for a buffer that is not shared, or that has no rows of 128 bytes.
    """

    name = "simt.matrix_descriptor"
    res = result_def(i64)
    traits = traits_def(MemoryReadEffect())

    @staticmethod
    def make(mem: SSAValue, indices: Sequence[Index]) -> MatrixDescriptorOp:
        """Return the descriptor of the operand that starts at position ``indices`` of a buffer."""
        syms, map_ = encode_indices(indices)
        return MatrixDescriptorOp.create(
            operands=[mem, *syms], result_types=[i64], properties={"map": map_}
        )

    @property
    def fields(self) -> int:
        """The bits of the descriptor other than the address."""
        rows, row_bytes = cast(MemRefType, self.mem.type).get_shape()[-2], SWIZZLED_ROW * 2
        leading, stride = rows * row_bytes // UNIT_BYTES, SWIZZLED_ROWS * row_bytes // UNIT_BYTES
        return leading << LEADING_BIT | stride << STRIDE_BIT | 1 << SWIZZLE_BIT

    def verify_(self) -> None:
        super().verify_()
        type_ = cast(MemRefType, self.mem.type)
        rows, columns = type_.get_shape()[-2:] if len(type_.get_shape()) > 1 else (0, 0)
        is_shared = isinstance(self.mem.owner, AllocOp) and self.mem.owner.scope.data == "shared"
        is_swizzled = columns == SWIZZLED_ROW and rows % SWIZZLED_ROWS == 0
        if not is_shared or not is_swizzled or bit_width(type_.element_type) != 16:
            raise TypeMismatch(
                "no warpgroup reads operands from such a buffer",
                expected=f'loop.alloc "shared" of {SWIZZLED_ROW} elements of 16 bits per row, and '
                f"a multiple of {SWIZZLED_ROWS} rows",
                got=type_,
                hint="simt-form-warpgroups stores tiles in this form",
            ).at(self)

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.mem)
        print_index_list(printer, self.indices())
        printer.print_string(f" : {self.mem.type}")

    @classmethod
    def parse(cls, parser: Parser) -> MatrixDescriptorOp:
        mem = parser.parse_unresolved_operand()
        indices = parse_index_list(parser)
        parser.parse_punctuation(":")
        return cls.make(parser.resolve_operand(mem, parser.parse_type()), indices)


@irdl_op_definition
class WarpgroupMmaOp(IRDLOperation):
    """Product of 64 x (16 * s) by (16 * s) x N elements, added to accumulators, in s steps.

    lhs, rhs: descriptors of the operands, one per step.  lhs_rows, rhs_rows: the contraction runs
    along the rows of this operand's tile, not along its columns.
    Errors: TypeMismatch for other numbers or types of operands, for results that another op uses
    before a wait, or for a block that is not a whole number of warpgroups, as for simt.mma.
    """

    name = "simt.warpgroup_mma"
    lhs = var_operand_def(i64)
    rhs = var_operand_def(i64)
    acc = var_operand_def(VectorType)
    element = prop_def()
    lhs_rows = opt_prop_def(UnitAttr)
    rhs_rows = opt_prop_def(UnitAttr)
    res = var_result_def(VectorType)
    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())
    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    @staticmethod
    def make(
        element: Attribute,
        lhs: Sequence[SSAValue],
        rhs: Sequence[SSAValue],
        acc: Sequence[SSAValue],
        *,
        lhs_rows: bool = False,
        rhs_rows: bool = False,
    ) -> WarpgroupMmaOp:
        """Return a product of matrices in shared memory, added to ``acc``.

        element: the element type of the operands.  lhs, rhs: one descriptor per step.
        lhs_rows, rhs_rows: the contraction runs along the rows of this operand's tile.
        """
        flags = {"lhs_rows": lhs_rows, "rhs_rows": rhs_rows}
        set_ = {name: UnitAttr() for name, is_set in flags.items() if is_set}
        return WarpgroupMmaOp(
            operands=[lhs, rhs, acc],
            result_types=[[value.type for value in acc]],
            properties={"element": element, **set_},
        )

    @property
    def columns(self) -> int:
        """The number of columns of the result."""
        return SWIZZLED_PART * len(self.acc)

    def verify_(self) -> None:
        most = GROUP_COLUMNS // SWIZZLED_PART
        types = [value.type for value in (*self.acc, *self.res)]
        is_whole = len(self.lhs) == len(self.rhs) > 0 and len(self.acc) == len(self.res)
        has_types = all(t == _SUMS for t in types) and self.element in (f16, bf16)
        if not is_whole or not has_types or not 0 < len(self.acc) <= most:
            raise TypeMismatch(
                "no warpgroup computes such a product",
                expected=f"as many descriptors of both operands of f16 or bf16, and 1 to {most} "
                f"accumulators of {_SUMS}",
                got=f"{len(self.lhs)} and {len(self.rhs)} descriptors of {self.element}, "
                f"{len(self.acc)} accumulators",
                hint="schedule the product by simt.mma; simt-form-warpgroups joins the warps",
            ).at(self)
        verify_reached_together(self, WARPGROUP)
        for user, position in _uses(self.res):
            if not _keeps_in_flight(user, position):
                raise TypeMismatch(
                    f"{user.name} uses a result before the warpgroup has waited for it",
                    expected=f"{WarpgroupWaitOp.name} 0 in between, or another product",
                    got=user.name,
                    hint="let the values pass through the wait",
                ).at(user)

    def print(self, printer: Printer) -> None:
        printer.print_string(f" {self.element}")
        for values, rows in ((self.lhs, self.lhs_rows), (self.rhs, self.rhs_rows)):
            printer.print_string(" [")
            printer.print_list(values, printer.print_ssa_value)
            printer.print_string("] rows," if rows else "],")
        printer.print_string(" ")
        printer.print_list(self.acc, printer.print_ssa_value)

    @classmethod
    def parse(cls, parser: Parser) -> WarpgroupMmaOp:
        element = parser.parse_type()
        sides: list[Sequence[SSAValue]] = []
        flags: list[bool] = []
        for _ in range(2):
            names = parser.parse_comma_separated_list(
                parser.Delimiter.SQUARE, parser.parse_unresolved_operand
            )
            sides.append([parser.resolve_operand(name, i64) for name in names])
            flags.append(parser.parse_optional_keyword("rows") is not None)
            parser.parse_punctuation(",")
        acc = _parse_sums(parser)
        lhs, rhs = sides
        return cls.make(element, lhs, rhs, acc, lhs_rows=flags[0], rhs_rows=flags[1])


@irdl_op_definition
class WarpgroupWaitOp(IRDLOperation):
    """Wait until all products of the warpgroup, except for the last ``pending``, have finished.

    The operands are results of products; the op returns them for later use. Only a wait for all
    products (``pending`` 0) may have operands, because otherwise they may be unfinished.
    Errors: TypeMismatch for a negative ``pending``, for operands with another ``pending`` than 0,
    or as for simt.mma.
    """

    name = "simt.warpgroup_wait"
    values = var_operand_def(VectorType)
    pending = prop_def(IntAttr)
    res = var_result_def(VectorType)
    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())

    def __init__(self, pending: int, values: Sequence[SSAValue] = ()) -> None:
        super().__init__(
            operands=[values],
            properties={"pending": IntAttr(pending)},
            result_types=[[value.type for value in values]],
        )

    def verify_(self) -> None:
        if self.pending.data < 0 or (self.pending.data and self.values):
            raise TypeMismatch(
                "a warpgroup waits for no such products",
                expected="wait 0, or another number without values",
                got=f"wait {self.pending.data} with {len(self.values)} values",
                hint="wait 0 before the results are used",
            ).at(self)
        verify_reached_together(self, WARPGROUP)

    def print(self, printer: Printer) -> None:
        printer.print_string(f" {self.pending.data}")
        if self.values:
            printer.print_string(" ")
            printer.print_list(self.values, printer.print_ssa_value)

    @classmethod
    def parse(cls, parser: Parser) -> WarpgroupWaitOp:
        return cls(parser.parse_integer(), _parse_sums(parser))


def _parse_sums(parser: Parser) -> list[SSAValue]:
    first = parser.parse_optional_unresolved_operand()
    names = [] if first is None else [first]
    while names and parser.parse_optional_punctuation(","):
        names.append(parser.parse_unresolved_operand())
    return [parser.resolve_operand(name, _SUMS) for name in names]


def _uses(values: Sequence[SSAValue]) -> Iterator[tuple[Operation, int]]:
    """Yield the uses of results of unfinished products, following values that loops carry."""
    waiting, seen = list(values), set(values)
    while waiting:
        for use in waiting.pop().uses:
            user = use.operation
            yield user, use.index
            passed: list[SSAValue] = []
            if isinstance(user, ForOp):
                passed = [user.body.block.args[use.index + 1]]
            elif isinstance(user, YieldOp) and isinstance(loop := user.parent_op(), ForOp):
                passed = [loop.results[use.index], loop.body.block.args[use.index + 1]]
            new = [value for value in passed if value not in seen]
            seen.update(new)
            waiting += new


def _keeps_in_flight(user: Operation, position: int) -> bool:
    # A product may take an unfinished result as an accumulator, not as a descriptor.
    if isinstance(user, WarpgroupMmaOp):
        return position >= len(user.lhs) + len(user.rhs)
    return isinstance(user, WarpgroupWaitOp | ForOp | YieldOp)

"""Loads of matrix fragments from shared memory by all threads of a warp together.

    %a = simt.load_matrix %s[%tx mod 16, %tx floordiv 16 * 8] : memref<16x16xf16>, vector<8xf16>
    %b = simt.load_matrix transposed %s[%tx mod 16, 0] : memref<16x8xf16>, vector<4xf16>

Thread ``l`` of a warp provides the address of row ``l mod 8`` of matrix ``l floordiv 8``: eight
elements that are contiguous in memory.  The thread receives two elements of each matrix of 8 x 8:
the elements of row ``l floordiv 4`` in columns ``l mod 4 * 2`` and ``l mod 4 * 2 + 1``, of the
matrix or of its transpose.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from xdsl.dialects.builtin import MemRefType, UnitAttr, VectorType
from xdsl.ir import SSAValue
from xdsl.irdl import (
    irdl_op_definition,
    opt_prop_def,
    result_def,
    traits_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import MemoryReadEffect

from ...support.affine import Index
from ...support.diagnostics import TypeMismatch
from ..dtypes import bit_width
from ..index_syntax import parse_index_list, print_index_list
from ..loop import AccessOp, AllocOp, encode_indices
from .mma import verify_reached_together

ROW = 8
"""The number of rows of a matrix, which is also its number of columns."""

_MOST = 4
"""The largest number of matrices of one load."""


@irdl_op_definition
class LoadMatrixOp(AccessOp):
    """Load of one, two or four matrices of 8 x 8 elements of 16 bits from a shared buffer.

    Threads that provide no row of a matrix (l floordiv 8 is too large) only receive elements.
    Errors: TypeMismatch for a buffer that is not shared, for a vector of another type, or as for
    simt.mma.
    """

    name = "simt.load_matrix"
    transposed = opt_prop_def(UnitAttr)
    res = result_def(VectorType)
    traits = traits_def(MemoryReadEffect())

    @staticmethod
    def make(
        mem: SSAValue, indices: Sequence[Index], type_: VectorType, *, transposed: bool
    ) -> LoadMatrixOp:
        """Return a load of matrices from ``mem`` into a vector of type ``type_``.

        indices: the position of the first element of the row that a thread addresses.
        """
        syms, map_ = encode_indices(indices)
        return LoadMatrixOp.create(
            operands=[mem, *syms],
            result_types=[type_],
            properties={"map": map_, **({"transposed": UnitAttr()} if transposed else {})},
        )

    @property
    def matrices(self) -> int:
        """The number of matrices of the load."""
        return self.res.type.get_shape()[0] // 2

    def verify_(self) -> None:
        super().verify_()
        element = cast(MemRefType, self.mem.type).element_type
        counts = [2 * n for n in (1, 2, _MOST)]
        if bit_width(element) != 16 or self.res.type not in [
            VectorType(element, [n]) for n in counts
        ]:
            raise TypeMismatch(
                "a warp loads no such matrices",
                expected=f"a vector of {', '.join(map(str, counts))} elements of 16 bits",
                got=f"{self.res.type} of {self.mem.type}",
                hint="load one, two or four matrices of 8 x 8",
            ).at(self)
        if not isinstance(self.mem.owner, AllocOp) or self.mem.owner.scope.data != "shared":
            raise TypeMismatch(
                "matrices are loaded from shared memory",
                expected='loop.alloc "shared"',
                got=self.mem.type,
                hint="copy the matrices to a shared buffer first",
            ).at(self)
        verify_reached_together(self)

    def print(self, printer: Printer) -> None:
        printer.print_string(" transposed " if self.transposed else " ")
        printer.print_ssa_value(self.mem)
        print_index_list(printer, self.indices())
        printer.print_string(f" : {self.mem.type}, {self.res.type}")

    @classmethod
    def parse(cls, parser: Parser) -> LoadMatrixOp:
        transposed = parser.parse_optional_keyword("transposed") is not None
        mem = parser.parse_unresolved_operand()
        indices = parse_index_list(parser)
        parser.parse_punctuation(":")
        mem_type = parser.parse_type()
        parser.parse_punctuation(",")
        type_ = cast(VectorType, parser.parse_type())
        return cls.make(
            parser.resolve_operand(mem, mem_type), indices, type_, transposed=transposed
        )

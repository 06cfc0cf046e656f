"""Scalar ops of the regions of te ops: the terminator, and reads at computed positions."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import IndexType, MemRefType, TensorType
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.traits import IsTerminator, Pure

from ...support.diagnostics import TypeMismatch


@irdl_op_definition
class YieldOp(IRDLOperation):
    """Terminator of a body, combine or then region, with the values at one point of the axes."""

    name = "te.yield"
    values = var_operand_def()
    traits = traits_def(IsTerminator(), Pure())
    assembly_format = "($values^ `:` type($values))? attr-dict"

    def __init__(self, values: Sequence[SSAValue]) -> None:
        super().__init__(operands=[values])


@irdl_op_definition
class AtOp(IRDLOperation):
    """An element of a whole operand at computed positions; ``else`` is the value outside of it.

    Without ``else``, the result of a read outside the operand is undefined; the lowering clamps the
    position, so that the memory access is in bounds.
    """

    name = "te.at"
    x = operand_def()
    indices = var_operand_def(IndexType)
    other = opt_prop_def()
    out = result_def()
    traits = traits_def(Pure())
    assembly_format = "$x `[` $indices `]` (`else` $other^)? attr-dict `:` type($x) `->` type($out)"

    def __init__(
        self, x: SSAValue, indices: Sequence[SSAValue], other: Attribute | None = None
    ) -> None:
        assert isinstance(x.type, TensorType | MemRefType), f"not a tensor: {x.type}"
        super().__init__(
            operands=[x, list(indices)],
            result_types=[x.type.get_element_type()],
            properties={"other": other},
        )

    def verify_(self) -> None:
        if not isinstance(self.x.type, TensorType | MemRefType):
            raise TypeMismatch(
                "the operand of te.at is not a tensor or buffer",
                got=self.x.type,
                hint="pass a whole operand of the compute",
            ).at(self)
        if len(self.indices) != self.x.type.get_num_dims():
            raise TypeMismatch(
                "the number of positions of te.at is not the rank",
                expected=self.x.type.get_num_dims(),
                got=len(self.indices),
                hint="give one position per dimension",
            ).at(self)

"""Machine instructions at the loop level: calls of te.intrinsic, and the ops that implement them.

    %r = loop.intrinsic @vpdpbusd (%c, %a, %b) : (vector<16xi32>, ..) -> vector<16xi32>
    %r = loop.call_llvm "llvm.x86.avx512.vpdpbusd.512" (%c, %a, %b) : (..) -> vector<16xi32>
    %v = loop.repeat %x : vector<4xi8> to vector<64xi8>
    %s = loop.slice %v 8 : vector<64xi8> to vector<4xi8>
    %j = loop.join %x, %y : vector<8xi8> to vector<16xi8>

A kernel calls a te.intrinsic by name; loop.call_llvm occurs only in the emission region of a
te.intrinsic.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import (
    FlatSymbolRefAttrConstr,
    IntAttr,
    StringAttr,
    SymbolRefAttr,
    VectorType,
)
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    BaseAttr,
    IRDLOperation,
    VarConstraint,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.traits import Pure

from ...support.diagnostics import TypeMismatch
from .vectors import Number


@irdl_op_definition
class IntrinsicOp(IRDLOperation):
    """Call of a te.intrinsic, which takes one vector per buffer of its definition.

    The result is the new value of the output buffer.
    """

    name = "loop.intrinsic"
    callee = prop_def(FlatSymbolRefAttrConstr)
    arguments = var_operand_def(VectorType)
    res = result_def(VectorType)
    traits = traits_def(Pure())
    assembly_format = "$callee `(` $arguments `)` attr-dict `:` functional-type($arguments, $res)"

    @staticmethod
    def make(callee: str, arguments: Sequence[SSAValue], result: Attribute) -> IntrinsicOp:
        """Return a call of the intrinsic ``callee`` with a result of type ``result``."""
        return IntrinsicOp.create(
            operands=list(arguments),
            result_types=[result],
            properties={"callee": SymbolRefAttr(callee)},
        )


@irdl_op_definition
class CallLlvmOp(IRDLOperation):
    """Call of an LLVM intrinsic by name; occurs only in the emission region of a te.intrinsic."""

    name = "loop.call_llvm"
    function = prop_def(StringAttr)
    arguments = var_operand_def()
    res = result_def()
    traits = traits_def(Pure())
    assembly_format = "$function `(` $arguments `)` attr-dict `:` functional-type($arguments, $res)"

    @staticmethod
    def make(function: str, arguments: Sequence[SSAValue], result: Attribute) -> CallLlvmOp:
        """Return a call of the LLVM intrinsic ``function`` with a result of type ``result``."""
        return CallLlvmOp.create(
            operands=list(arguments),
            result_types=[result],
            properties={"function": StringAttr(function)},
        )

    def verify_(self) -> None:
        if not self.function.data.startswith("llvm."):
            raise TypeMismatch(
                "only LLVM intrinsics can be called", expected="llvm. ..",
                got=self.function.data, hint="call functions of the process with packed.extern",
            ).at(self)  # fmt: skip


@irdl_op_definition
class RepeatOp(IRDLOperation):
    """A vector that consists of several copies of a shorter vector."""

    name = "loop.repeat"
    value = operand_def(VectorType)
    res = result_def(VectorType)
    traits = traits_def(Pure())
    assembly_format = "$value attr-dict `:` type($value) `to` type($res)"

    def verify_(self) -> None:
        short, wide = self.value.type, self.res.type
        assert isinstance(short, VectorType)
        assert isinstance(wide, VectorType)
        is_multiple = wide.get_shape()[0] % short.get_shape()[0] == 0
        if short.element_type != wide.element_type or not is_multiple:
            raise TypeMismatch(
                "the result is not a whole number of copies of the vector",
                expected=f"a multiple of {short}",
                got=wide,
                hint="choose a result of a whole number of repetitions",
            ).at(self)


@irdl_op_definition
class SliceOp(IRDLOperation):
    """Consecutive lanes of a vector, starting at lane ``first``."""

    name = "loop.slice"
    value = operand_def(VectorType)
    first = prop_def(IntAttr)
    res = result_def(VectorType)
    traits = traits_def(Pure())
    custom_directives = (Number,)
    assembly_format = "$value custom<Number>($first) attr-dict `:` type($value) `to` type($res)"

    @staticmethod
    def make(value: SSAValue, first: int, lanes: int) -> SliceOp:
        """Return an op that extracts ``lanes`` lanes of a vector, starting at lane ``first``."""
        assert isinstance(value.type, VectorType), value.type
        return SliceOp.create(
            operands=[value],
            result_types=[VectorType(value.type.element_type, [lanes])],
            properties={"first": IntAttr(first)},
        )

    def verify_(self) -> None:
        whole, part = self.value.type, self.res.type
        assert isinstance(whole, VectorType)
        assert isinstance(part, VectorType)
        end = self.first.data + part.get_shape()[0]
        if whole.element_type != part.element_type or end > whole.get_shape()[0]:
            raise TypeMismatch(
                "the result is not a part of the vector",
                expected=f"lanes of {whole} from {self.first.data} on",
                got=part,
                hint="choose a shorter result or an earlier lane",
            ).at(self)


@irdl_op_definition
class JoinOp(IRDLOperation):
    """Concatenation of the lanes of two vectors of the same type."""

    name = "loop.join"
    T: ClassVar = VarConstraint("T", BaseAttr(VectorType))
    lhs = operand_def(T)
    rhs = operand_def(T)
    res = result_def(VectorType)
    traits = traits_def(Pure())
    assembly_format = "$lhs `,` $rhs attr-dict `:` type($lhs) `to` type($res)"

    @staticmethod
    def make(lhs: SSAValue, rhs: SSAValue) -> JoinOp:
        """Return an op that joins two vectors of the same type."""
        assert isinstance(lhs.type, VectorType), lhs.type
        type_ = VectorType(lhs.type.element_type, [2 * lhs.type.get_shape()[0]])
        return JoinOp.create(operands=[lhs, rhs], result_types=[type_])

    def verify_(self) -> None:
        half, whole = self.lhs.type, self.res.type
        assert isinstance(half, VectorType)
        expected = VectorType(half.element_type, [2 * half.get_shape()[0]])
        if whole != expected:
            raise TypeMismatch(
                "the result does not have the lanes of both vectors",
                expected=expected,
                got=whole,
                hint="choose a result of twice as many lanes",
            ).at(self)

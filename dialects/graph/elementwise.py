"""Elementwise operators ``out[i] = f(operands[i])``; one table defines most of them.

All operands of an op have the same type; broadcasts and casts are separate ops. A result has the
type of the operands, or elements ``i1`` for comparisons. Integer arithmetic wraps; integer division
and remainder by zero give 0. NaN propagates through max and min, where −0 < +0. Ops on floats
narrower than f32 compute in f32.
Not representable: comparisons ``gt ge ne`` (swap the operands, or negate the result).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, TypeVar, cast

from xdsl.dialects.builtin import TensorType, i1
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import (
    BaseAttr,
    VarConstraint,
    irdl_op_definition,
    operand_def,
    result_def,
    traits_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import Pure

from ...support.diagnostics import TypeMismatch
from ..dtypes import bit_width, is_bool, is_float, is_integer, is_number
from ..shape import Tensor, dims_of, tensor_type, type_of
from .base import GraphOp, check_element, flag

OpT = TypeVar("OpT", bound=Operation)


def _is_bits(element: Attribute) -> bool:
    return is_bool(element) or is_integer(element)


def _is_any(element: Attribute) -> bool:
    return is_number(element) or is_bool(element)


KINDS: dict[str, tuple[Callable[[Attribute], bool], str]] = {
    "float": (is_float, "a float type"),
    "integer": (is_integer, "an integer type"),
    "number": (is_number, "a float or integer type"),
    "bits": (_is_bits, "i1 or an integer type"),
    "any": (_is_any, "a float or integer type, or i1"),
}
"""Sets of element types by name; each is a predicate, with a description for errors."""


class ElementwiseOp(GraphOp):
    """``out[i] = f(operands[i])``.

    MNEMONIC: the name of the op without its dialect.  KIND: the key in ``KINDS`` of the element
    types that ``f`` accepts.  IS_TEST: whether the elements of the result are i1.
    Errors: TypeMismatch if the operand types differ or the element type is not accepted.
    """

    MNEMONIC: ClassVar[str] = ""
    KIND: ClassVar[str] = ""
    IS_TEST: ClassVar[bool] = False

    @classmethod
    def infer(cls, *types: Tensor) -> Tensor:
        """Return the result type: the operands' type, or i1 in their shape if ``IS_TEST``."""
        first = types[0]
        for other in types[1:]:
            if other != first:
                raise TypeMismatch(
                    "operand types differ",
                    expected=first,
                    got=other,
                    hint="insert graph.broadcast or graph.cast",
                )
        accepts, expected = KINDS[cls.KIND]
        check_element(cls.MNEMONIC, first, accepts(first.element_type), expected)
        return tensor_type(i1, dims_of(first)) if cls.IS_TEST else first

    def inferred_types(self) -> tuple[Tensor]:
        return (self.infer(*map(type_of, self.operands)),)

    @classmethod
    def parse(cls: type[OpT], parser: Parser) -> OpT:
        unresolved = parser.parse_comma_separated_list(
            parser.Delimiter.NONE, parser.parse_unresolved_operand
        )
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        type_ = parser.parse_type()
        operands = [parser.resolve_operand(operand, type_) for operand in unresolved]
        inferred = cast(type[ElementwiseOp], cls).infer(*map(type_of, operands))
        return cls.create(operands=operands, result_types=[inferred], attributes=attributes)

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_list(self.operands, printer.print_ssa_value)
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.operands[0].type)


class UnaryOp(ElementwiseOp):
    """An elementwise op of one operand."""

    x = operand_def(TensorType)
    out = result_def(TensorType)
    traits = traits_def(Pure())

    def __init__(self, x: SSAValue) -> None:
        super().__init__(operands=(x,), result_types=(self.infer(type_of(x)),))


class BinaryOp(ElementwiseOp):
    """An elementwise op of two operands of one type."""

    lhs = operand_def(TensorType)
    rhs = operand_def(TensorType)
    out = result_def(TensorType)
    traits = traits_def(Pure())

    def __init__(self, lhs: SSAValue, rhs: SSAValue) -> None:
        super().__init__(
            operands=(lhs, rhs), result_types=(self.infer(type_of(lhs), type_of(rhs)),)
        )


ELEMENTWISE: dict[str, type[ElementwiseOp]] = {}
"""The op classes of the table by mnemonic."""


def _row(base: type[OpT], mnemonic: str, kind: str, formula: str, is_test: bool) -> type[OpT]:
    words = "".join(word.capitalize() for word in mnemonic.split("_"))
    fields = {
        "name": f"graph.{mnemonic}",
        "__doc__": formula,
        "__module__": __name__,
        "__annotations__": {
            "MNEMONIC": ClassVar[str],
            "KIND": ClassVar[str],
            "IS_TEST": ClassVar[bool],
        },
        "MNEMONIC": mnemonic,
        "KIND": kind,
        "IS_TEST": is_test,
    }
    cls = cast(Any, irdl_op_definition)(type(f"{words}Op", (base,), fields))
    ELEMENTWISE[mnemonic] = cls
    return cls


def _unary(mnemonic: str, kind: str, formula: str, *, is_test: bool = False) -> type[UnaryOp]:
    return _row(UnaryOp, mnemonic, kind, formula, is_test)


def _binary(mnemonic: str, kind: str, formula: str, *, is_test: bool = False) -> type[BinaryOp]:
    return _row(BinaryOp, mnemonic, kind, formula, is_test)


AbsOp = _unary("abs", "number", "|x|; the smallest integer stays itself.")
NegOp = _unary("neg", "number", "-x; integers wrap.")
SignOp = _unary("sign", "number", "-1, 0 or 1; NaN and zeros stay themselves.")
CeilOp = _unary("ceil", "float", "The smallest integer not below x.")
FloorOp = _unary("floor", "float", "The largest integer not above x.")
RoundEvenOp = _unary("round_even", "float", "The nearest integer, halves to even.")
SqrtOp = _unary("sqrt", "float", "The square root; NaN below zero.")
ExpOp = _unary("exp", "float", "e to the x.")
Expm1Op = _unary("expm1", "float", "exp(x) - 1, exact near zero.")
LogOp = _unary("log", "float", "The natural logarithm; NaN below zero.")
Log1pOp = _unary("log1p", "float", "log(1 + x), exact near zero.")
SinOp = _unary("sin", "float", "The sine.")
CosOp = _unary("cos", "float", "The cosine.")
TanOp = _unary("tan", "float", "The tangent.")
AsinOp = _unary("asin", "float", "The inverse sine.")
AcosOp = _unary("acos", "float", "The inverse cosine.")
AtanOp = _unary("atan", "float", "The inverse tangent.")
SinhOp = _unary("sinh", "float", "The hyperbolic sine.")
CoshOp = _unary("cosh", "float", "The hyperbolic cosine.")
TanhOp = _unary("tanh", "float", "The hyperbolic tangent.")
AsinhOp = _unary("asinh", "float", "The inverse hyperbolic sine.")
AcoshOp = _unary("acosh", "float", "The inverse hyperbolic cosine.")
AtanhOp = _unary("atanh", "float", "The inverse hyperbolic tangent.")
ErfOp = _unary("erf", "float", "The error function.")
SigmoidOp = _unary("sigmoid", "float", "1 / (1 + exp(-x)), without overflow.")
NotOp = _unary("not", "bits", "All bits inverted.")
IsNanOp = _unary("is_nan", "float", "Whether x is NaN.", is_test=True)

AddOp = _binary("add", "number", "lhs + rhs; integers wrap.")
SubOp = _binary("sub", "number", "lhs - rhs; integers wrap.")
MulOp = _binary("mul", "number", "lhs * rhs; integers wrap.")
DivOp = _binary("div", "number", "lhs / rhs; integers truncate, by zero 0.")
ModOp = _binary("mod", "number", "The remainder with the sign of rhs; integers by zero 0.")
FmodOp = _binary("fmod", "number", "The remainder with the sign of lhs; integers by zero 0.")
PowOp = _binary("pow", "number", "lhs to the rhs; integers wrap, negative exponents truncate.")
MaxOp = _binary("max", "number", "The larger one; NaN if one is NaN.")
MinOp = _binary("min", "number", "The smaller one; NaN if one is NaN.")
AndOp = _binary("and", "bits", "Bits set in both.")
OrOp = _binary("or", "bits", "Bits set in one or both.")
XorOp = _binary("xor", "bits", "Bits set in exactly one.")
ShlOp = _binary("shl", "integer", "Shift left; 0 if rhs is outside 0..width-1.")
ShrOp = _binary("shr", "integer", "Shift right, signed: keeps the sign; outside as far as can be.")
EqOp = _binary("eq", "any", "Whether both are equal; NaN is not.", is_test=True)
LtOp = _binary("lt", "number", "Whether lhs is smaller; never with NaN.", is_test=True)
LeOp = _binary("le", "number", "Whether lhs is not larger; never with NaN.", is_test=True)


@irdl_op_definition
class SelectOp(GraphOp):
    """Elementwise choice: ``out[i] = lhs[i] if condition[i] else rhs[i]``.

    Shapes: condition S of i1; lhs, rhs, out S of any type.
    Errors: TypeMismatch if lhs and rhs differ in type, or condition is not i1 of their shape.
    """

    name = "graph.select"

    T: ClassVar = VarConstraint("T", BaseAttr(TensorType))

    condition = operand_def(TensorType)
    lhs = operand_def(T)
    rhs = operand_def(T)
    out = result_def(T)

    traits = traits_def(Pure())
    assembly_format = "$condition `,` $lhs `,` $rhs attr-dict `:` type($condition) `,` type($lhs)"

    def __init__(self, condition: SSAValue, lhs: SSAValue, rhs: SSAValue) -> None:
        self.initialize((condition, lhs, rhs))

    @staticmethod
    def infer(condition: Tensor, lhs: Tensor, rhs: Tensor) -> Tensor:
        """Return the type of lhs and rhs, which is the type of the result."""
        if lhs != rhs:
            raise TypeMismatch(
                "lhs and rhs differ in type",
                expected=lhs,
                got=rhs,
                hint="broadcast or cast one operand",
            )
        expected = tensor_type(i1, dims_of(lhs))
        if condition != expected:
            raise TypeMismatch(
                "wrong type of condition",
                expected=expected,
                got=condition,
                hint="compare first, so that the condition is a tensor of i1 of this shape",
            )
        return lhs


class ConversionOp(GraphOp):
    """Base of the ops that convert a tensor to another element type."""

    x = operand_def(TensorType)
    out = result_def(TensorType)

    traits = traits_def(Pure())

    @property
    def to(self) -> Attribute:
        """The element type of the result."""
        return type_of(self.out).element_type


@irdl_op_definition
class CastOp(ConversionOp):
    """Conversion of every element to another type, by value.

    Float to integer truncates, saturates, and maps NaN to 0; integer to narrower integer drops high
    bits; a cast to i1 is ``x != 0``. Float to narrower float rounds to nearest, ties to even; a
    value beyond the range of a float8 or narrower type becomes the largest finite value, or with
    ``saturate=False`` (property ``overflow``) NaN or inf.
    Errors: TypeMismatch if one of the types is not a number or i1.
    """

    name = "graph.cast"
    INFERS_FROM_OPERANDS: ClassVar[bool] = False

    overflow = flag("overflow")

    assembly_format = "$x (`overflow` $overflow^)? attr-dict `:` type($x) `->` type($out)"

    def __init__(self, x: SSAValue, to: Attribute, saturate: bool = True) -> None:
        self.initialize((x,), to=to, overflow=not saturate)

    @staticmethod
    def infer(x: Tensor, to: Attribute) -> Tensor:
        """Return the type with the shape of x and elements of type ``to``."""
        check_element("cast", x, _is_any(x.element_type), KINDS["any"][1])
        if not _is_any(to):
            raise TypeMismatch(
                "cast to this type is undefined",
                expected=KINDS["any"][1],
                got=to,
                hint="cast to a float or integer type",
            )
        return tensor_type(to, dims_of(x))

    @property
    def saturate(self) -> bool:
        """Whether values beyond the range of a narrow float become its largest finite value."""
        return not self.overflow


@irdl_op_definition
class BitcastOp(ConversionOp):
    """The bits of x as elements of another type.

    If its width differs, the last axis changes its size.
    Errors: TypeMismatch if the bits of the last axis do not divide into elements of ``to``.
    """

    name = "graph.bitcast"
    INFERS_FROM_OPERANDS: ClassVar[bool] = False

    assembly_format = "$x attr-dict `:` type($x) `->` type($out)"

    def __init__(self, x: SSAValue, to: Attribute) -> None:
        self.initialize((x,), to=to)

    @staticmethod
    def infer(x: Tensor, to: Attribute) -> Tensor:
        """Return the type of the bits of x, read as elements of type ``to``."""
        dims, old, new = dims_of(x), bit_width(x.element_type), bit_width(to)
        if old == new:
            return tensor_type(to, dims)
        if not dims or (dims[-1] * old % new).value != 0:
            raise TypeMismatch(
                "last axis does not divide into elements of the new type",
                expected=f"a multiple of {new} bits",
                got=f"{dims[-1] * old if dims else old} bits ({x})",
                hint="pad the last axis, or choose another type",
            )
        return tensor_type(to, (*dims[:-1], dims[-1] * old // new))

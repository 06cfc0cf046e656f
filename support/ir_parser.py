"""The parser of textual IR: hexadecimal literals of floats are bit patterns, as in MLIR.

    0x7F800000 : f32, dense<0xFF800000> : vector<4xf32>      inf, -inf

xDSL reads hexadecimal literals in tensors as integers. A decimal literal beyond the largest value
of its type is infinite.
"""

from __future__ import annotations

import math
import re
from typing import Any

from xdsl.context import Context
from xdsl.dialects.builtin import (
    AnyFloat,
    BFloat16Type,
    Float16Type,
    Float32Type,
    Float64Type,
    FloatAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    ModuleOp,
    ReducedPrecisionFloatType,
    f64,
    i64,
)
from xdsl.ir import Attribute, AttributeInvT, Operation, SSAValue, TypeAttribute
from xdsl.parser import AttrParser, Parser, UnresolvedOperand
from xdsl.parser.generic_parser import ParserState
from xdsl.utils.exceptions import ParseError
from xdsl.utils.lexer import Input, Span
from xdsl.utils.mlir_lexer import MLIRLexer, MLIRTokenKind

from ..runtime.spelling import nearest

_WORDS = {
    # Ops of other dialects, and the ops that replace them here.
    "graph.relu": "graph.max, with a constant 0",
    "graph.maximum": "graph.max",
    "graph.minimum": "graph.min",
    "graph.rsqrt": "graph.sqrt and graph.div",
    "graph.batch_matmul": "graph.matmul, which takes batches",
}
_HEXADECIMAL = re.compile(r"-?\s*0x")
_HEXADECIMAL_BYTES = re.compile(rb"-?\s*0x")
_PLAIN_TYPE = re.compile(
    r"(?:(?:memref|vector|tensor)<[\w?]+>|index|bf16|f\d+|[su]?i\d+)(?![\w$.])"
)
"""The types that most values have; texts repeat them."""


_ENCODED = (Float16Type, BFloat16Type, Float32Type, Float64Type, ReducedPrecisionFloatType)
"""The float types whose values xDSL can convert to bits."""


class BitPattern(int):
    """An integer in hexadecimal notation, which as a float is the bit pattern of the float."""


def parse_number(parser: AttrParser) -> int | float:
    """Parse a number at the position of a parser; a hexadecimal literal becomes a `BitPattern`."""
    is_pattern = _is_hexadecimal(parser)
    number = parser.parse_number()
    return BitPattern(number) if is_pattern else number


def _is_hexadecimal(parser: AttrParser, position: int | None = None) -> bool:
    """Return whether the number at a position in the text is hexadecimal.

    position: None: the position of the parser.
    """
    content: str | bytes = parser.lexer.input.content
    at = parser.pos if position is None else position
    if isinstance(content, bytes):
        return _HEXADECIMAL_BYTES.match(content, at) is not None
    return _HEXADECIMAL.match(content, at) is not None


def float_of(number: int | float, element_type: AnyFloat) -> float:
    """Return a number as a value of a float type; a number that is too large becomes infinite.

    A bit pattern is decoded.
    Errors: ValueError for a bit pattern with a sign, or of more bits than the type has, and for a
    type without an encoding, such as f80.
    """
    if not isinstance(element_type, _ENCODED):
        raise ValueError(f"numbers of {element_type} are not supported")
    if isinstance(number, BitPattern):
        size = element_type.compile_time_size
        if number < 0 or number.bit_length() > 8 * size:
            raise ValueError(f"{number:#x} is no bit pattern of {element_type}")
        return next(iter(element_type.iter_unpack(number.to_bytes(size, "little"))))
    wide = wide_float(number)
    try:
        return element_type.unpack(element_type.pack((wide,)), 1)[0]
    except OverflowError:
        return math.copysign(math.inf, wide)


def wide_float(number: int | float) -> float:
    """Convert a number to a Python float; a number that is too large becomes infinite."""
    try:
        return float(number)
    except OverflowError:
        return math.inf if number > 0 else -math.inf


class _DenseElement(AttrParser._TensorLiteralElement):  # pyright: ignore[reportPrivateUsage]
    """An element of a dense literal, which as a float may be a hexadecimal bit pattern."""

    def to_type(self, parser: AttrParser, type: Attribute) -> Any:
        if not isinstance(type, AnyFloat) or isinstance(self.value, tuple):
            return super().to_type(parser, type)  # pyright: ignore[reportArgumentType]
        is_pattern = _is_hexadecimal(parser, self.span.start)
        return _located_float(parser, self.value, type, is_pattern=is_pattern)


def _located_float(
    parser: AttrParser, number: int | float, type_: AnyFloat, *, is_pattern: bool
) -> float:
    try:
        return float_of(BitPattern(number) if is_pattern else number, type_)
    except ValueError as err:
        parser.raise_error(str(err))


class _Lexer(MLIRLexer):
    """A lexer that needs linear time for a string literal without an end.

    The pattern of xDSL needs exponential time, since its groups are not possessive.
    """

    _unescaped_characters_regex = re.compile(r'"(?:[^"\\\n\v\f]++|\\(?:["nt\\]|[0-9A-Fa-f]{2}))*+"')


def similar_ops(ctx: Context, name: str) -> str:
    """Return a hint for the error about an unknown op: similar names of ops or dialects.

    Return "" if no name is similar.

    ctx: the context, which knows the dialects.  name: the unknown name, with its dialect.
    """
    if name in _WORDS:
        return f"did you mean {_WORDS[name]}?"
    dialect_name = name.partition(".")[0]
    dialect = ctx.get_optional_dialect(dialect_name)
    known = (
        [each.name for each in dialect.operations]
        if dialect is not None
        else sorted(ctx.registered_dialect_names)
    )
    near = nearest(name if dialect is not None else dialect_name, known, cutoff=0.7)
    kind = "" if dialect is not None else "the dialect "
    return f"did you mean {kind}{' or '.join(near)}?" if near else ""


class IrParser(Parser):
    """A parser of modules and attributes, with better errors than the parser of xDSL."""

    def __init__(self, ctx: Context, input: str | bytes, name: str = "<unknown>") -> None:
        super().__init__(ctx, "", name)
        text = input.decode() if isinstance(input, bytes) else input
        self._parser_state = ParserState(_Lexer(Input(text, name)))
        self._first_uses: dict[str, Span] = {}
        """The position of the first use of each value that is used before its definition."""
        self._types: dict[str, TypeAttribute] = {}
        """The types of the text so far, by their spelling."""

    def parse_module(self, allow_implicit_module: bool = True) -> ModuleOp:
        """Parse a module; the error for an undefined value gives the position of its first use."""
        try:
            return super().parse_module(allow_implicit_module)
        except ParseError as err:
            undefined = next(iter(self.forward_ssa_references), None)
            is_at_end = self._current_token.kind == MLIRTokenKind.EOF
            if undefined is None or not is_at_end:
                raise
            message = f"value %{undefined} is used but not defined"
            raise ParseError(self._first_uses[undefined], message) from err
        except RecursionError as err:  # the parser of xDSL is recursive
            message = "too many nested parentheses, types, attributes or regions"
            raise ParseError(self._current_token.span, message) from err

    def resolve_operand(
        self, operand: UnresolvedOperand, type: AttributeInvT
    ) -> SSAValue[AttributeInvT]:
        if operand.operand_name not in self.ssa_values:
            self._first_uses.setdefault(operand.operand_name, operand.span)
        return super().resolve_operand(operand, type)

    def _get_op_by_name(self, name: str) -> type[Operation]:
        stack = self._parser_state.dialect_stack
        if found := self.ctx.get_optional_op(name, dialect_stack=stack):
            return found
        hint = similar_ops(self.ctx, name)
        self.raise_error(f"Operation {name} is not registered{hint and '; '}{hint}")

    def _parse_optional_builtin_type(self) -> TypeAttribute | None:
        found = _PLAIN_TYPE.match(self.lexer.input.content, self.pos)
        if found is None:
            return super()._parse_optional_builtin_type()
        known = self._types.get(found[0])
        if known is not None:
            self._resume_from(found.end())
            return known
        made = super()._parse_optional_builtin_type()
        if made is not None:
            self._types[found[0]] = made
        return made

    def _parse_tensor_literal_element(self) -> _DenseElement:
        made = super()._parse_tensor_literal_element()
        return _DenseElement(made.is_negative, made.value, made.span)

    def parse_optional_builtin_int_or_float_attr(self) -> IntegerAttr | FloatAttr | None:
        flag = self.try_parse_builtin_boolean_attr()
        if flag is not None:
            return flag
        is_pattern = _is_hexadecimal(self)
        number = self.parse_optional_number()
        if number is None:
            return None
        if self.parse_optional_punctuation(":") is None:
            return FloatAttr(number, f64) if isinstance(number, float) else IntegerAttr(number, i64)
        type_ = self.parse_type()
        if isinstance(type_, AnyFloat):
            return FloatAttr(_located_float(self, number, type_, is_pattern=is_pattern), type_)
        if not isinstance(type_, IntegerType | IndexType):
            self.raise_error("a number has the type of a float, an integer or index")
        if isinstance(number, float):
            self.raise_error("a floating-point number is no integer")
        return IntegerAttr(number, type_)

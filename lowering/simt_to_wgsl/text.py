"""Write the instructions of `LaneCode` as WGSL, one variable per lane of each result.

    let t7: f32 = fma(t4, t5, t6);

Integers are ``u32``; an integer of 64 bits is a pair of them (long.py).  Integers of 8 and 16 bits
are truncated to their width after each sum, difference, product and left shift; signed instructions
extend the sign first.  WGSL lets a device round quotients, square roots and fused products less
exactly than IEEE 754, so results can differ from those of a CPU.
"""

from __future__ import annotations

from ..loop_to_llvm.types import LlvmType
from ..source_text import (
    COMPARISONS,
    OPERATORS,
    SIGNED_OPERATORS,
    SourceText,
)
from . import long
from .types import type_name

_TYPES = ("i32", "u32", "f16", "f32")
"""The names of types that consist of a letter and a number."""
_GROWING = ("add", "sub", "mul", "shl")
# WGSL has no arithmetic on bool; these operators compute modulo 2.
_BOOL_OPERATORS = {"add": "!=", "sub": "!=", "xor": "!=", "mul": "&", "and": "&", "or": "|"}
_IS_NAN = "((bitcast<u32>({}) & 0x7fffffffu) > 0x7f800000u)"
_NAN = f"({_IS_NAN.replace('{}', '{0}')} || {_IS_NAN.replace('{}', '{1}')})"
# A device may assume that compared floats are not NaN, so NaN is detected by its bits.
_FLOAT_COMPARISONS = {
    "oeq": "{0} == {1}", "ogt": "{0} > {1}", "oge": "{0} >= {1}", "olt": "{0} < {1}",
    "ole": "{0} <= {1}", "one": "({0} < {1}) || ({0} > {1})", "ord": f"!{_NAN}",
    "uno": _NAN, "ueq": f"({{0}} == {{1}}) || {_NAN}", "ugt": "!({0} <= {1})",
    "uge": "!({0} < {1})", "ult": "!({0} >= {1})", "ule": "!({0} > {1})", "une": "{0} != {1}",
    "true": "true", "false": "false",
}  # fmt: skip
_FUNCTIONS = {
    "fabs": "abs", "sqrt": "sqrt", "fma": "fma", "floor": "floor", "ceil": "ceil",
    "trunc": "trunc", "roundeven": "round", "ctpop": "countOneBits",
}  # fmt: skip
_COPYSIGN = "bitcast<f32>((bitcast<u32>({0}) & 0x7fffffffu) | (bitcast<u32>({1}) & 0x80000000u))"
_MAXIMUM = (
    "select(select(b, a, (a > b) || (a != a)), bitcast<f32>(bitcast<u32>(a) & bitcast<u32>(b)), "
    "a == b)"
)


def signed(type_: LlvmType, x: str) -> str:
    """Return the code that reads an unsigned integer of at most 32 bits as a signed i32.

    type_: the type of the integer, whose sign bit is extended.
    """
    if type_.bits == 32:
        return f"bitcast<i32>({x})"
    shift = 32 - type_.bits
    return f"(bitcast<i32>({x} << {shift}u) >> {shift}u)"


def cut(type_: LlvmType, x: str) -> str:
    """Return the code that clears the bits of a u32 above the width of a type."""
    return x if type_.bits == 32 else f"({x}) & {(1 << type_.bits) - 1}u"


class WgslText(SourceText):
    """The statements of one WGSL function under construction."""

    float_comparisons = _FLOAT_COMPARISONS
    selection = "select({2}, {1}, {0})"

    def name(self, letter: str = "t") -> str:
        """Return a fresh name that begins with ``letter`` and is not the name of a type."""
        found = super().name(letter)
        return super().name(letter) if found in _TYPES else found

    @property
    def keeps_sums(self) -> bool:
        return False

    @property
    def has_f64(self) -> bool:
        return False

    @property
    def fuses_products(self) -> bool:
        return False

    def round_to_integer(self, x: str, source: LlvmType, target: LlvmType) -> str:
        return self._each(target, "bitcast<u32>(i32(round({0})))", x)

    def declaration(
        self, type_: LlvmType, name: str, expression: str, *, changes: bool = False
    ) -> str:
        word = "var" if changes else "let"
        return f"{word} {name}: {type_name(type_)} = {expression};"

    def _each(self, type_: LlvmType, pattern: str, *operands: str) -> str:
        self.helpers |= long.functions_of(pattern)
        return super()._each(type_, pattern, *operands)

    # ---- LaneCode

    def _comparison(self, type_: LlvmType, predicate: str) -> str:
        if type_.bits == 64:
            return long.comparison(predicate)
        operator, sides = COMPARISONS[predicate], ("{0}", "{1}")
        if type_.bits == 1 and predicate not in ("eq", "ne"):
            sides = ("u32({0})", "u32({1})")
        elif predicate.startswith("s"):
            sides = (signed(type_, "{0}"), signed(type_, "{1}"))
        return f"{sides[0]} {operator} {sides[1]}"

    def _integer_pattern(self, opcode: str, type_: LlvmType) -> str:
        if type_.bits == 64:
            return long.BINARY[opcode]
        if type_.bits == 1:
            return f"{{0}} {_BOOL_OPERATORS[opcode]} {{1}}"
        if opcode in SIGNED_OPERATORS:
            divisor = "{1}" if opcode == "ashr" else signed(type_, "{1}")
            pattern = f"{signed(type_, '{0}')} {SIGNED_OPERATORS[opcode]} {divisor}"
            return cut(type_, f"bitcast<u32>({pattern})")
        pattern = f"{{0}} {OPERATORS[opcode]} {{1}}"
        return cut(type_, pattern) if opcode in _GROWING else pattern

    def _cast_pattern(self, opcode: str, source: LlvmType, target: LlvmType) -> str:
        name = type_name(target)
        if source.format == "i64" and target.is_float:
            return long.TO_FLOAT[opcode]
        if target.format == "i64" and source.is_float:
            return long.OF_FLOAT[opcode]
        if opcode == "bitcast":
            return f"bitcast<{name}>({{0}})"
        if opcode == "trunc":
            x = "{0}.x" if source.bits == 64 else "{0}"
            return f"({x} & 1u) != 0u" if target.bits == 1 else cut(target, x)
        if source.format == "i1":
            ones = target.const(-1) if opcode[0] == "s" else target.const(1)
            return f"select({target.scalar.const(0)}, {ones}, {{0}})"
        if opcode == "sitofp":
            return f"f32({signed(source, '{0}')})"
        if target.bits == 64 and opcode == "sext":
            return f"{name}(bitcast<u32>({signed(source, '{0}')}), " + (
                f"bitcast<u32>({signed(source, '{0}')} >> 31u))"
            )
        if target.bits == 64:
            return f"{name}({{0}}, 0u)"
        if opcode == "sext":
            return cut(target, f"bitcast<u32>({signed(source, '{0}')})")
        if opcode == "fptosi":
            return cut(target, "bitcast<u32>(i32({0}))")
        return f"{name}({{0}})" if opcode != "zext" else "{0}"

    def intrinsic(self, name: str, type_: LlvmType, *operands: str) -> str:
        if name == "ctpop" and type_.bits == 64:
            return self._each(type_, long.COUNT_ONES, *operands)
        if name == "copysign":
            return self._each(type_, _COPYSIGN, *operands)
        return super().intrinsic(name, type_, *operands)

    def _function(self, name: str, type_: LlvmType) -> str:
        if name == "maximum":
            return self.helper("maximum_f32", "f32", "a: f32, b: f32", _MAXIMUM)
        return _FUNCTIONS[name]

    def helper(self, name: str, result: str, parameters: str, body: str) -> str:
        """Add a helper function to the program; return its name.

        result: the result type.
        parameters: the declarations of the parameters.
        body: the expression that the function returns.
        """
        self.helpers[name] = f"fn {name}({parameters}) -> {result} {{\n    return {body};\n}}"
        return name

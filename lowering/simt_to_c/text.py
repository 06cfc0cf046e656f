"""The instructions of `LaneCode` as C statements, with one variable per lane of each result.

    float t7 = fma(t4, t5, t6);

Integers are unsigned, so that additions and multiplications wrap; signed instructions convert their
operands.
"""

from __future__ import annotations

from ...support.diagnostics import LoweringError
from ..loop_to_llvm.types import LlvmType
from ..source_text import (
    COMPARISONS,
    OPERATORS,
    SIGNED_OPERATORS,
    SourceText,
)
from .dialect import CDialect

# A comparison with NaN is false in C, so the unordered ones are negations.
_FLOAT_COMPARISONS = {
    "oeq": "{0} == {1}", "ogt": "{0} > {1}", "oge": "{0} >= {1}", "olt": "{0} < {1}",
    "ole": "{0} <= {1}", "one": "{0} < {1} || {0} > {1}", "ord": "{0} == {0} && {1} == {1}",
    "uno": "{0} != {0} || {1} != {1}", "ueq": "!({0} < {1} || {0} > {1})",
    "ugt": "!({0} <= {1})", "uge": "!({0} < {1})", "ult": "!({0} >= {1})", "ule": "!({0} > {1})",
    "une": "{0} != {1}", "true": "true", "false": "false",
}  # fmt: skip
_FUNCTIONS = {
    "fabs": "fabs", "copysign": "copysign", "sqrt": "sqrt", "fma": "fma", "floor": "floor",
    "ceil": "ceil", "trunc": "trunc", "roundeven": "rint",
}  # fmt: skip


class CText(SourceText):
    """The C statements of one function under construction."""

    float_comparisons = _FLOAT_COMPARISONS
    selection = "{0} ? {1} : {2}"

    def __init__(self, dialect: CDialect) -> None:
        super().__init__()
        self.dialect = dialect

    def round_to_integer(self, x: str, source: LlvmType, target: LlvmType) -> str:
        signed = self.dialect.signed[target.element]
        return self._each(target, f"({self.type_name(target)})({signed})rint({{0}})", x)

    def type_name(self, type_: LlvmType) -> str:
        """Return the C name of the type of one lane.

        Errors: LoweringError for a type that the language does not have.
        """
        found = self.dialect.types.get(type_.element)
        if found is None:
            raise LoweringError(
                f"{self.dialect.name} has no such type",
                expected=", ".join(self.dialect.types),
                got=type_.format,
                hint="convert the values to another type",
            )
        return found

    def declaration(
        self, type_: LlvmType, name: str, expression: str, *, changes: bool = False
    ) -> str:
        return f"{self.type_name(type_)} {name} = {expression};"

    # ---- LaneCode

    def _comparison(self, type_: LlvmType, predicate: str) -> str:
        operator = COMPARISONS[predicate]
        if not predicate.startswith("s") or type_.bits == 1:
            return f"{{0}} {operator} {{1}}"
        signed = self.dialect.signed[type_.element]
        return f"({signed}){{0}} {operator} ({signed}){{1}}"

    def _integer_pattern(self, opcode: str, type_: LlvmType) -> str:
        if opcode in SIGNED_OPERATORS:
            signed = self.dialect.signed[type_.element]
            divisor = "{1}" if opcode == "ashr" else f"({signed}){{1}}"
            return f"({signed}){{0}} {SIGNED_OPERATORS[opcode]} {divisor}"
        if opcode == "mul" and type_.bits < 32:
            # C computes short operands as int, whose products overflow.
            return f"{{0}} * ({self.dialect.types['i32']}){{1}}"
        return f"{{0}} {OPERATORS[opcode]} {{1}}"

    def _cast_pattern(self, opcode: str, source: LlvmType, target: LlvmType) -> str:
        name = self.type_name(target)
        if opcode == "bitcast":
            return f"{self.dialect.bits[source.element, target.element]}({{0}})"
        if target.format == "i1":
            return "({0} & 1) != 0"
        if source.format == "i1":
            return f"{{0}} ? ({name})-1 : ({name})0" if opcode[0] == "s" else f"({name}){{0}}"
        if opcode in ("sext", "sitofp"):
            return f"({name})({self.dialect.signed[source.element]}){{0}}"
        if opcode == "fptosi":
            return f"({name})({self.dialect.signed[target.element]}){{0}}"
        return f"({name}){{0}}"

    def _function(self, name: str, type_: LlvmType) -> str:
        if name == "maximum":
            return self._maximum(type_)
        if name == "ctpop":
            return self.dialect.population
        return _FUNCTIONS[name] + (self.dialect.float_suffix if type_.format == "f32" else "")

    def helper(self, name: str, result: str, parameters: str, body: str) -> str:
        """Add a helper function to the program; return its name.

        result: the result type.
        parameters: the declarations of the parameters.
        body: the expression that the function returns.
        """
        head = f"{self.dialect.helper}{result} {name}({parameters})"
        self.helpers[name] = f"{head} {{\n    return {body};\n}}"
        return name

    def _maximum(self, type_: LlvmType) -> str:
        """Add a helper function that returns the maximum of two floats of a type; return its name.

        The maximum is NaN if an operand is NaN, and -0 is below +0.
        """
        name, integer = self.type_name(type_), type_.integer.element
        to, back = (
            self.dialect.bits[pair] for pair in ((type_.element, integer), (integer, type_.element))
        )
        body = f"a == b ? {back}({to}(a) & {to}(b)) : a > b || a != a ? a : b"
        return self.helper(f"maximum_{type_.format}", name, f"{name} a, {name} b", body)

"""Write the instructions of `LaneCode` as SPIR-V, one per lane of each result.

    %t7 = OpFAdd %f32 %t4 %t5

Each float instruction is decorated with NoContraction, so that a driver neither fuses nor
reassociates: sums, differences and products are those of IEEE 754. Vulkan lets a device round
quotients and square roots less exactly, so results can differ from those of a CPU.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..lane_lists import EXTREMA, LaneLists, joined, lanes_of
from ..loop_to_llvm.types import LlvmType
from .types import SpirvType, lane_name, spirv_type

_FLOAT = {"fadd": "OpFAdd", "fsub": "OpFSub", "fmul": "OpFMul", "fdiv": "OpFDiv"}
_INTEGER = {
    "add": "OpIAdd", "sub": "OpISub", "mul": "OpIMul", "and": "OpBitwiseAnd",
    "or": "OpBitwiseOr", "xor": "OpBitwiseXor", "shl": "OpShiftLeftLogical",
    "lshr": "OpShiftRightLogical", "ashr": "OpShiftRightArithmetic", "udiv": "OpUDiv",
    "urem": "OpUMod", "sdiv": "OpSDiv",
}  # fmt: skip
# Booleans are numbers modulo 2.
_BOOL = {
    "add": "OpLogicalNotEqual", "sub": "OpLogicalNotEqual", "xor": "OpLogicalNotEqual",
    "mul": "OpLogicalAnd", "and": "OpLogicalAnd", "or": "OpLogicalOr", "eq": "OpLogicalEqual",
    "ne": "OpLogicalNotEqual",
}  # fmt: skip
_COMPARISONS = {
    "eq": "OpIEqual", "ne": "OpINotEqual", "ugt": "OpUGreaterThan", "uge": "OpUGreaterThanEqual",
    "ult": "OpULessThan", "ule": "OpULessThanEqual", "sgt": "OpSGreaterThan",
    "sge": "OpSGreaterThanEqual", "slt": "OpSLessThan", "sle": "OpSLessThanEqual",
}  # fmt: skip
_RELATIONS = {
    "eq": "Equal", "ne": "NotEqual", "gt": "GreaterThan", "ge": "GreaterThanEqual",
    "lt": "LessThan", "le": "LessThanEqual",
}  # fmt: skip
_CASTS = {
    "bitcast": "OpBitcast", "trunc": "OpUConvert", "zext": "OpUConvert", "sext": "OpSConvert",
    "sitofp": "OpConvertSToF", "uitofp": "OpConvertUToF", "fptosi": "OpConvertFToS",
    "fptoui": "OpConvertFToU", "fpext": "OpFConvert", "fptrunc": "OpFConvert",
}  # fmt: skip
_FUNCTIONS = {
    "fabs": "FAbs", "sqrt": "Sqrt", "floor": "Floor", "ceil": "Ceil", "trunc": "Trunc",
    "roundeven": "RoundEven",
}  # fmt: skip


class SpirvText(LaneLists):
    """The SPIR-V instructions of one function under construction.

    symbol: the name of the function, with which the name of each result ends.
    decorations: the decorations of results.
    label: the label of the current basic block.
    """

    selection = "OpSelect {0} {1} {2}"

    def __init__(self, symbol: str) -> None:
        super().__init__()
        self.symbol = symbol
        self.decorations: list[str] = []
        self.label = f"%entry_{symbol}"

    @property
    def fuses_products(self) -> bool:
        return False

    def name(self, letter: str = "t") -> str:
        return f"%{super().name(letter)}_{self.symbol}"

    def emit(self, type_: str, instruction: str) -> str:
        """Append an instruction; return the name of its result.

        type_: the name of the result type.  instruction: the opcode and the operands, separated by
        spaces.
        """
        name = self.name()
        opcode, _, operands = instruction.partition(" ")
        self.lines.append(f"{name} = {opcode} {type_} {operands}")
        return name

    def _each(self, type_: LlvmType, pattern: str, *operands: str) -> str:
        lanes = zip(*map(lanes_of, operands), strict=True)
        return joined([self.emit(lane_name(type_), pattern.format(*lane)) for lane in lanes])

    def _exact(self, type_: LlvmType, pattern: str, *operands: str) -> str:
        """Append one float instruction per lane that the driver must neither fuse nor reassociate.

        type_: the type of the result.
        pattern: the instruction, with placeholders for the operands of the lane.
        operands: the printed operands, as vectors of lanes.
        """
        results = self._each(type_, pattern, *operands)
        self.decorations += [f"OpDecorate {name} NoContraction" for name in lanes_of(results)]
        return results

    # ---- control flow

    def start(self, label: str) -> None:
        """Begin the basic block with this label."""
        self.lines.append(f"{label} = OpLabel")
        self.label = label

    def jump(self, label: str) -> None:
        """End the current basic block with a branch to a label."""
        self.lines.append(f"OpBranch {label}")

    def skip_unless(self, condition: str) -> str:
        """Begin code that runs only if a condition holds; return the label of the code after it.

        The caller ends the conditional code by `jump` to this label and `start` of it.
        """
        inside, after = self.name("b"), self.name("b")
        self.lines.append(f"OpSelectionMerge {after} None")
        self.lines.append(f"OpBranchConditional {condition} {inside} {after}")
        self.start(inside)
        return after

    def all_of(self, conditions: Sequence[str]) -> str:
        """Append the conjunction of at least one condition; return its value."""
        return self.reduce_mask("and", spirv_type("i1"), joined(conditions))

    def loop(
        self,
        types: Sequence[SpirvType],
        values: Sequence[str],
        condition: Callable[[list[str]], str],
        step: Callable[[list[str]], list[str]],
    ) -> list[str]:
        """Append a loop that replaces values as long as a condition holds; return the final values.

        types: the type of each value.
        values: the initial values.
        condition: appends the condition on the current values, a bool.
        step: appends the computation of the next values.
        """
        head, test, body, next_, after = (self.name("b") for _ in range(5))
        before = self.label
        self.jump(head)
        self.start(head)
        at = len(self.lines)
        names = [joined([self.name() for _ in lanes_of(value)]) for value in values]
        self.lines.append(f"OpLoopMerge {after} {next_} None")
        self.jump(test)
        self.start(test)
        self.lines.append(f"OpBranchConditional {condition(names)} {body} {after}")
        self.start(body)
        following = step(names)
        self.jump(next_)
        self.start(next_)
        self.jump(head)
        self.lines[at:at] = [
            f"{name} = OpPhi {type_.lane} {first} {before} {last} {next_}"
            for type_, *texts in zip(types, names, values, following, strict=True)
            for name, first, last in zip(*map(lanes_of, texts), strict=True)
        ]
        self.start(after)
        return names

    def repeat(
        self,
        type_: LlvmType,
        values: Sequence[str],
        condition: Callable[[list[str]], str],
        step: Callable[[list[str]], list[str]],
    ) -> list[str]:
        def some(names: list[str]) -> str:
            return self.reduce_mask("or", type_, condition(names))

        types = [spirv_type(type_.format, type_.lanes)] * len(values)
        return self.loop(types, values, some, step)

    # ---- LaneCode

    def reduce_mask(self, kind: str, type_: LlvmType, x: str) -> str:
        opcode = "OpLogicalAnd" if kind == "and" else "OpLogicalOr"
        first, *others = lanes_of(x)
        for other in others:
            first = self.emit("%bool", f"{opcode} {first} {other}")
        return first

    def round_to_integer(self, x: str, source: LlvmType, target: LlvmType) -> str:
        return self.cast("fptosi", self.intrinsic("roundeven", source, x), source, target)

    def binary(self, opcode: str, type_: LlvmType, lhs: str, rhs: str) -> str:
        kind, _, predicate = opcode.partition(" ")
        if kind == "fcmp":
            return self._float_comparison(predicate, type_, lhs, rhs)
        if kind == "icmp":
            table = _BOOL if type_.bits == 1 and predicate in _BOOL else _COMPARISONS
            if type_.bits == 1 and table is _COMPARISONS:
                assert predicate.startswith("u"), "booleans are compared as 0 and 1"
                byte = type_.of("i8")
                lhs, rhs = (self.cast("zext", x, type_, byte) for x in (lhs, rhs))
            return self._each(type_.mask, f"{table[predicate]} {{0}} {{1}}", lhs, rhs)
        if opcode in _FLOAT:
            return self._exact(type_, f"{_FLOAT[opcode]} {{0}} {{1}}", lhs, rhs)
        if opcode == "srem":
            # OpSRem of negative numbers is undefined in Vulkan.
            product = self.binary("mul", type_, self.binary("sdiv", type_, lhs, rhs), rhs)
            return self.binary("sub", type_, lhs, product)
        table = _BOOL if type_.bits == 1 else _INTEGER
        return self._each(type_, f"{table[opcode]} {{0}} {{1}}", lhs, rhs)

    def _float_comparison(self, predicate: str, type_: LlvmType, lhs: str, rhs: str) -> str:
        if predicate in ("true", "false"):
            return type_.mask.const(predicate == "true")
        if predicate in ("ord", "uno"):
            either = self.binary("or", type_.mask, self.is_nan(type_, lhs), self.is_nan(type_, rhs))
            return either if predicate == "uno" else self._not(type_.mask, either)
        order = "Ord" if predicate[0] == "o" else "Unord"
        opcode = f"OpF{order}{_RELATIONS[predicate[1:]]}"
        return self._each(type_.mask, f"{opcode} {{0}} {{1}}", lhs, rhs)

    def is_nan(self, type_: LlvmType, x: str) -> str:
        """Append a test whether a float is NaN, by its bits; return the result.

        Comparisons of floats may ignore NaN.
        """
        bits = type_.integer
        magnitude, top = (
            (1 << (type_.bits - 1)) - 1,
            0x7F800000 if type_.bits == 32 else 0x7FF << 52,
        )
        held = self.cast("bitcast", x, type_, bits)
        held = self.binary("and", bits, held, bits.const(magnitude))
        return self.binary("icmp ugt", bits, held, bits.const(top))

    def _not(self, type_: LlvmType, x: str) -> str:
        return self._each(type_, "OpLogicalNot {0}", x)

    def cast(self, opcode: str, x: str, source: LlvmType, target: LlvmType) -> str:
        if lane_name(source) == lane_name(target):
            return x
        if target.format == "i1" and opcode == "trunc":
            one = source.const(1)
            return self.binary(
                "icmp ne", source, self.binary("and", source, x, one), source.const(0)
            )
        if source.format == "i1":
            one = target.const(-1 if opcode[0] == "s" else 1)
            return self.select(x, target, one, target.const(0))
        return self._each(target, f"{_CASTS[opcode]} {{0}}", x)

    def neg(self, type_: LlvmType, x: str) -> str:
        return self._exact(type_, "OpFNegate {0}", x)

    def fma(self, type_: LlvmType, a: str, b: str, c: str) -> str:
        return self.binary("fadd", type_, self.binary("fmul", type_, a, b), c)

    def intrinsic(self, name: str, type_: LlvmType, *operands: str) -> str:
        if name in EXTREMA:
            chosen = self.binary(f"icmp {EXTREMA[name]}", type_, *operands)
            return self.select(chosen, type_, *operands)
        if name == "ctpop":
            return self._count_ones(type_, *operands)
        if name == "copysign":
            return self._copysign(type_, *operands)
        if name == "maximum":
            return self._maximum(type_, *operands)
        return self._exact(type_, f"OpExtInst %glsl {_FUNCTIONS[name]} {{0}}", *operands)

    def _count_ones(self, type_: LlvmType, x: str) -> str:
        """Append the number of bits that are 1; return it.

        Vulkan counts the bits of 32-bit words only.
        """
        word = type_.of("i32")
        count = self._each(word, "OpBitCount {0}", self.cast("trunc", x, type_, word))
        if type_.bits == 64:
            high = self.binary("lshr", type_, x, type_.const(32))
            more = self._each(word, "OpBitCount {0}", self.cast("trunc", high, type_, word))
            count = self.binary("add", word, count, more)
        return self.cast("zext", count, word, type_)

    def _copysign(self, type_: LlvmType, magnitude: str, sign: str) -> str:
        bits, top = type_.integer, 1 << (type_.bits - 1)
        a, b = (self.cast("bitcast", x, type_, bits) for x in (magnitude, sign))
        a, b = (
            self.binary("and", bits, a, bits.const(top - 1)),
            self.binary("and", bits, b, bits.const(top)),
        )
        return self.cast("bitcast", self.binary("or", bits, a, b), bits, type_)

    def _maximum(self, type_: LlvmType, a: str, b: str) -> str:
        """Append the larger operand, or NaN if one operand is NaN; return it.

        0.0 is larger than -0.0.
        """
        bits = type_.integer
        held = [self.cast("bitcast", x, type_, bits) for x in (a, b)]
        both = self.cast("bitcast", self.binary("and", bits, *held), bits, type_)
        first = self.binary(
            "or", type_.mask, self.binary("fcmp ogt", type_, a, b), self.is_nan(type_, a)
        )
        larger = self.select(first, type_, a, b)
        return self.select(self.binary("fcmp oeq", type_, a, b), type_, both, larger)

"""LLVM IR under construction in printed form: numbered values, and declarations of intrinsics."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ...machines.target import Target
from .lane_code import LaneCode
from .types import LlvmType, llvm_type


class LlvmLines:
    """LLVM instructions and labels under construction.

    lines: instructions and labels.  declarations: the declarations of the functions that the
    instructions call.  label: the label of the current block.
    """

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.declarations: set[str] = set()
        self.label = "entry"
        self._count = 0

    def number(self) -> int:
        """Return a fresh number, which makes the name of a value or label unique."""
        self._count += 1
        return self._count

    def emit(self, instruction: str) -> str:
        """Append an instruction that has a result; return the name of the result."""
        self._count += 1
        name = f"%t{self._count}"
        self.lines.append(f" {name} = {instruction}")
        return name

    def jump(self, label: str) -> None:
        """End the block with an unconditional branch."""
        self.lines.append(f" br label %{label}")

    def branch(self, condition: str, yes: str, no: str) -> None:
        """End the block with a conditional branch.

        yes, no: the labels of the blocks that follow if the condition holds, and if it does not.
        """
        self.lines.append(f" br i1 {condition}, label %{yes}, label %{no}")

    def start(self, label: str) -> None:
        """Start the basic block with this label."""
        self.lines.append(f"{label}:")
        self.label = label


class Text(LlvmLines, LaneCode):
    """The printed LLVM instructions of one function body.

    entry: the allocas, which come before all other instructions.
    """

    def __init__(self, target: Target) -> None:
        super().__init__()
        self.target = target
        self.entry: list[str] = []

    def name(self) -> str:
        """Return a fresh name for a value."""
        return f"%t{self.number()}"

    def stack_array(self, array: str) -> str:
        """Append the allocation of an array on the stack at the function's entry.

        array: the LLVM type of the array, such as ``[8 x float]``.
        Returns the address.
        """
        name = self.name()
        self.entry.append(f" {name} = alloca {array}, align 64")
        return name

    def binary(self, opcode: str, type_: LlvmType, lhs: str, rhs: str) -> str:
        return self.emit(f"{opcode} {type_.text} {lhs}, {rhs}")

    def cast(self, opcode: str, x: str, source: LlvmType, target: LlvmType) -> str:
        if source.text == target.text:
            return x
        return self.emit(f"{opcode} {source.text} {x} to {target.text}")

    def select(
        self, condition: str, type_: LlvmType, lhs: str, rhs: str, *, mask: LlvmType | None = None
    ) -> str:
        t, c = type_.text, (mask or type_.mask).text
        return self.emit(f"select {c} {condition}, {t} {lhs}, {t} {rhs}")

    def neg(self, type_: LlvmType, x: str) -> str:
        return self.emit(f"fneg {type_.text} {x}")

    def intrinsic(self, name: str, type_: LlvmType, *operands: str, flags: str = "") -> str:
        """Append a call of an intrinsic of LLVM; return its result.

        type_: the type of the result and of all operands.
        flags: fast-math flags, each followed by a space.
        """
        t = type_.text
        function = f"@llvm.{name}.{type_.suffix}"
        self.declarations.add(f"declare {t} {function}({', '.join([t] * len(operands))})")
        return self.emit(f"call {flags}{t} {function}({', '.join(f'{t} {x}' for x in operands)})")

    def repeat(
        self,
        type_: LlvmType,
        values: Sequence[str],
        condition: Callable[[list[str]], str],
        step: Callable[[list[str]], list[str]],
    ) -> list[str]:
        number, before = self.number(), self.label
        head, body, after = (f"{letter}{number}" for letter in "HBX")
        self.jump(head)
        self.start(head)
        phis = len(self.lines)
        names = [self.name() for _ in values]
        mask = condition(names)
        some = mask if type_.lanes == 1 else self.reduce_mask("or", type_.mask, mask)
        self.branch(some, body, after)
        self.start(body)
        following = step(names)
        end = self.label
        self.jump(head)
        self.lines[phis:phis] = [
            f" {name} = phi {type_.text} [{first}, %{before}], [{next_}, %{end}]"
            for name, first, next_ in zip(names, values, following, strict=True)
        ]
        self.start(after)
        return names

    def reduce_mask(self, kind: str, type_: LlvmType, x: str) -> str:
        function = f"@llvm.vector.reduce.{kind}.{type_.suffix}"
        self.declarations.add(f"declare i1 {function}({type_.text})")
        return self.emit(f"call i1 {function}({type_.text} {x})")

    def fma(self, type_: LlvmType, a: str, b: str, c: str) -> str:
        """Append a * b + c, with one rounding if `fuses_products`, else with two; return it.

        If `may_fuse_products`, the number of roundings depends on the machine that runs the code.
        """
        if self.fuses_products:
            return self.intrinsic("fma", type_, a, b, c)
        if self.may_fuse_products and type_.lanes > 1:
            return self.intrinsic("fmuladd", type_, a, b, c, flags="contract ")
        return self.binary("fadd", type_, self.binary("fmul", type_, a, b), c)

    def splat(self, type_: LlvmType, x: str) -> str:
        if type_.lanes == 1:
            return x
        t = type_.text
        first = self.emit(f"insertelement {t} poison, {type_.element} {x}, i64 0")
        zeros = f"<{type_.lanes} x i32> zeroinitializer"
        return self.emit(f"shufflevector {t} {first}, {t} poison, {zeros}")

    def pack(self, type_: LlvmType, scalars: Sequence[str]) -> str:
        out = "poison"
        for lane, x in enumerate(scalars):
            scalar = f"{type_.element} {x}"
            out = self.emit(f"insertelement {type_.text} {out}, {scalar}, i64 {lane}")
        return out

    def extract(self, type_: LlvmType, x: str, lane: int) -> str:
        return self.emit(f"extractelement {type_.text} {x}, i64 {lane}")

    def part(self, type_: LlvmType, x: str, start: int, count: int) -> str:
        t, picked = type_.text, ", ".join(f"i32 {start + lane}" for lane in range(count))
        return self.emit(f"shufflevector {t} {x}, {t} poison, <{count} x i32> <{picked}>")

    @property
    def has_rounding(self) -> bool:
        return self.target.has_rounding

    @property
    def fuses_products(self) -> bool:
        return self.target.has_fma

    @property
    def may_fuse_products(self) -> bool:
        """Whether the machine may compute a product and a sum by one fused instruction (FMA).

        FMA rounds once; separate instructions round twice.
        """
        return self.target.has("relaxed-simd")

    @property
    def rounds_to_integer(self) -> bool:
        return self.target.architecture == "x86_64"

    def round_to_integer(self, x: str, source: LlvmType, target: LlvmType) -> str:
        function = f"@llvm.lrint.{target.suffix}.{source.suffix}"
        self.declarations.add(f"declare {target.text} {function}({source.text})")
        return self.emit(f"call {target.text} {function}({source.text} {x})")

    @property
    def converts_half(self) -> bool:
        return self.target.has_half_conversion

    def from_half(self, source: LlvmType, x: str) -> str:
        half = source.half_text
        held = self.emit(f"bitcast {source.text} {x} to {half}")
        return self.emit(f"fpext {half} {held} to {source.of('f32').text}")

    def to_half(self, target: LlvmType, x: str) -> str:
        half = target.half_text
        rounded = self.emit(f"fptrunc {target.of('f32').text} {x} to {half}")
        return self.emit(f"bitcast {half} {rounded} to {target.text}")

    def shuffle(self, type_: LlvmType, a: str, b: str, lanes: Sequence[int]) -> str:
        t, picked = type_.text, ", ".join(f"i32 {lane}" for lane in lanes)
        return self.emit(f"shufflevector {t} {a}, {t} {b}, <{len(lanes)} x i32> <{picked}>")


I64 = llvm_type("i64")
"""Type of index values."""

"""The LLVM IR text under construction: numbered values, declarations of intrinsics."""

from __future__ import annotations

from collections.abc import Sequence

from ...support.target import Target
from .types import LlvmType, llvm_type


class Text:
    """LLVM instructions of one function body.

    lines: instructions and labels.  entry: allocas, emitted first.  declarations: intrinsics used.
    """

    def __init__(self, target: Target) -> None:
        self.target = target
        self.lines: list[str] = []
        self.entry: list[str] = []
        self.declarations: set[str] = set()
        self.label = "entry"
        self._count = 0

    def name(self) -> str:
        """Return a fresh value name."""
        self._count += 1
        return f"%t{self._count}"

    def number(self) -> int:
        """Return a fresh number for labels."""
        self._count += 1
        return self._count

    def emit(self, instruction: str) -> str:
        """Append an instruction and return the name of its result."""
        self._count += 1
        name = f"%t{self._count}"
        self.lines.append(f" {name} = {instruction}")
        return name

    def binary(self, opcode: str, type_: LlvmType, lhs: str, rhs: str) -> str:
        """Append a two-operand instruction."""
        return self.emit(f"{opcode} {type_.text} {lhs}, {rhs}")

    def cast(self, opcode: str, x: str, source: LlvmType, target: LlvmType) -> str:
        """Append a conversion; none between equal types."""
        if source.text == target.text:
            return x
        return self.emit(f"{opcode} {source.text} {x} to {target.text}")

    def select(self, condition: str, type_: LlvmType, lhs: str, rhs: str) -> str:
        """Append a lane-wise select."""
        t = type_.text
        return self.emit(f"select {type_.mask.text} {condition}, {t} {lhs}, {t} {rhs}")

    def intrinsic(self, name: str, type_: LlvmType, *operands: str) -> str:
        """Append a call of an intrinsic whose operands have the result type."""
        t = type_.text
        function = f"@llvm.{name}.{type_.suffix}"
        self.declarations.add(f"declare {t} {function}({', '.join([t] * len(operands))})")
        return self.emit(f"call {t} {function}({', '.join(f'{t} {x}' for x in operands)})")

    def reduce_mask(self, kind: str, type_: LlvmType, x: str) -> str:
        """Append ``and`` or ``or`` of all lanes of a vector of i1."""
        function = f"@llvm.vector.reduce.{kind}.{type_.suffix}"
        self.declarations.add(f"declare i1 {function}({type_.text})")
        return self.emit(f"call i1 {function}({type_.text} {x})")

    def fma(self, type_: LlvmType, a: str, b: str, c: str) -> str:
        """Append a * b + c, fused if the target has FMA."""
        if self.target.has_fma:
            return self.intrinsic("fma", type_, a, b, c)
        return self.binary("fadd", type_, self.binary("fmul", type_, a, b), c)

    def splat(self, type_: LlvmType, x: str) -> str:
        """Append a broadcast of a scalar."""
        if type_.lanes == 1:
            return x
        t = type_.text
        first = self.emit(f"insertelement {t} poison, {type_.element} {x}, i64 0")
        zeros = f"<{type_.lanes} x i32> zeroinitializer"
        return self.emit(f"shufflevector {t} {first}, {t} poison, {zeros}")

    def shuffle(self, type_: LlvmType, a: str, b: str, lanes: Sequence[int]) -> str:
        """Append a shuffle of two vectors; lane numbers of b start after the lanes of a."""
        t, picked = type_.text, ", ".join(f"i32 {lane}" for lane in lanes)
        return self.emit(f"shufflevector {t} {a}, {t} {b}, <{len(lanes)} x i32> <{picked}>")

    def jump(self, label: str) -> None:
        """End the block with an unconditional branch."""
        self.lines.append(f" br label %{label}")

    def branch(self, condition: str, yes: str, no: str) -> None:
        """End the block with a conditional branch."""
        self.lines.append(f" br i1 {condition}, label %{yes}, label %{no}")

    def start(self, label: str) -> None:
        """Start a block."""
        self.lines.append(f"{label}:")
        self.label = label


I64 = llvm_type("i64")
"""Type of index values."""

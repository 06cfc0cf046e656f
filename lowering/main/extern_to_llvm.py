"""Lower packed.extern to LLVM IR: calls by the packed-function ABI through a table of functions.

``@__tw_externs`` has a slot with a code address and a handle for each function. The module's loader
fills the slots; a call through an empty slot reports the missing name. Tensors are passed as DLPack
tensors, strings, integers and floats as values. The result of the function is dropped. A status
other than 0 ends the run: -1 means that the callee has reported the error.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import Protocol

from xdsl.dialects.builtin import (
    FloatAttr,
    IntAttr,
    IntegerAttr,
    MemRefType,
    StringAttr,
    i1,
)
from xdsl.ir import Attribute, SSAValue

from ...dialects.packed import ExternOp
from ...dialects.shape import DimsAttr, Extent, dims_of, extent_of, symbols_of
from ...runtime.abi.constants import DTYPES, SYMBOL_EXTERNS, DeviceType, TypeIndex
from ...support.diagnostics import LoweringError

_MISSING = "tw_missing_function"
"""The function of entry.c that is called if a slot is empty; its handle is the missing name."""


class Emitter(Protocol):
    """The interface of the emitter of main's LLVM IR that extern calls use."""

    lines: list[str]

    def emit(self, instruction: str) -> str:
        """Append an instruction and return the name of its result."""
        ...

    def name(self, value: SSAValue) -> str:
        """Return the name of a value in LLVM."""
        ...

    def sizes(self, sizes: Sequence[Extent]) -> str:
        """Return a pointer to consecutive sizes in the table of sizes."""
        ...

    def end_if(self, condition: str, status: str) -> None:
        """Emit a return of ``status`` from main if a condition holds."""
        ...


class Externs:
    """The functions that main calls, in the order of their slots, and the calls' constants."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self._globals: list[str] = []
        self._values = self._tensors = 0

    def call(self, op: ExternOp, emitter: Emitter) -> None:
        """Emit a call.

        Errors: LoweringError for a dtype without a DLPack code.
        """
        name = op.function_name
        if name not in self.names:
            self.names.append(name)
        for number, (value, dtype) in enumerate(zip(op.arguments, op.dtype_names, strict=True)):
            if dtype not in DTYPES:
                raise LoweringError("a dtype cannot be passed to a function", got=dtype).at(op)
            self._tensor(number, value, dtype, emitter)
        for number, attribute in enumerate(op.pattern):
            self._value(number, *self._argument(attribute, emitter), emitter)
        self._tensors = max(self._tensors, len(op.arguments))
        self._values = max(self._values, len(op.pattern))
        self._store("%value", "%extern_result", 0, ("i32 0", "i32 0", "i64 0"), emitter)
        slot = 2 * self.names.index(name)
        code, handle = (
            emitter.emit(f"load ptr, ptr {self._slot(n, emitter)}, align 8")
            for n in (slot, slot + 1)
        )
        is_missing = emitter.emit(f"icmp eq ptr {code}, null")
        function = emitter.emit(f"select i1 {is_missing}, ptr @{_MISSING}, ptr {code}")
        handle = emitter.emit(f"select i1 {is_missing}, ptr {self._text(name)}, ptr {handle}")
        status = emitter.emit(
            f"call i32 {function}(ptr {handle}, ptr %extern_values, i32 {len(op.pattern)}, "
            "ptr %extern_result)"
        )
        emitter.lines.append(" call void @tw_drop(ptr %extern_result)")
        emitter.end_if(emitter.emit(f"icmp ne i32 {status}, 0"), status)

    def _slot(self, number: int, emitter: Emitter) -> str:
        return emitter.emit(f"getelementptr ptr, ptr @{SYMBOL_EXTERNS}, i64 {number}")

    def _tensor(self, number: int, value: SSAValue, dtype: str, emitter: Emitter) -> None:
        assert isinstance(value.type, MemRefType), f"main is not bufferized: {value.type}"
        shape = value.type.get_shape()
        code, bits = DTYPES[dtype]
        sizes = ", ".join(f"i64 {size}" for size in shape)
        if symbols_of(value.type):
            at = emitter.sizes(dims_of(value.type))
        else:
            at = self._global(f"[{len(shape)} x i64] [{sizes}]")
        fields = (
            f"ptr {emitter.name(value)}", f"i32 {int(DeviceType.CPU)}", "i32 0",
            f"i32 {len(shape)}", f"i32 {code | bits << 8 | 1 << 16}", f"ptr {at}", "ptr null",
            "i64 0",
        )  # fmt: skip
        self._store("%tensor", "%extern_tensors", number, fields, emitter)

    def _argument(self, attribute: Attribute, emitter: Emitter) -> tuple[TypeIndex, str]:
        """Return an argument's type index and its eight payload bytes as a typed LLVM value."""
        match attribute:
            case IntAttr():
                pointer = emitter.emit(
                    f"getelementptr %tensor, ptr %extern_tensors, i64 {attribute.data}"
                )
                return TypeIndex.TENSOR_PTR, f"ptr {pointer}"
            case DimsAttr():
                at = emitter.sizes([extent_of(attribute.data[0])])
                number = emitter.emit(f"load i64, ptr {at}, align 8")
                return TypeIndex.INT, f"i64 {number}"
            case IntegerAttr():
                kind = TypeIndex.BOOL if attribute.type == i1 else TypeIndex.INT
                number = attribute.value.data
                return kind, f"i64 {abs(number) if kind is TypeIndex.BOOL else number}"
            case FloatAttr():
                (bits,) = struct.unpack("<q", struct.pack("<d", attribute.value.data))
                return TypeIndex.FLOAT, f"i64 {bits}"
            case StringAttr():
                return TypeIndex.RAW_STR, f"ptr {self._text(attribute.data)}"
            case _:
                raise LoweringError("a function is not called with this", got=attribute)

    def _value(self, number: int, kind: TypeIndex, payload: str, emitter: Emitter) -> None:
        fields = (f"i32 {int(kind)}", "i32 0", payload)
        self._store("%value", "%extern_values", number, fields, emitter)

    def _store(
        self, type_: str, base: str, number: int, fields: Sequence[str], emitter: Emitter
    ) -> None:
        for position, value in enumerate(fields):
            at = emitter.emit(f"getelementptr {type_}, ptr {base}, i64 {number}, i32 {position}")
            emitter.lines.append(f" store {value}, ptr {at}")

    def _text(self, text: str) -> str:
        """Return the symbol of a global constant with a zero-terminated string."""
        data = text.encode() + b"\0"
        escaped = "".join(f"\\{byte:02X}" for byte in data)
        return self._global(f'[{len(data)} x i8] c"{escaped}"')

    def _global(self, constant: str) -> str:
        self._globals.append(constant)
        return f"@tw_extern_{len(self._globals) - 1}"

    def definitions(self) -> list[str]:
        """Return the global definitions that precede main."""
        if not self.names:
            return []
        made = [f"@tw_extern_{n} = internal constant {c}" for n, c in enumerate(self._globals)]
        slots = f"@{SYMBOL_EXTERNS} = global [{2 * len(self.names)} x ptr] zeroinitializer"
        return [slots, *made, f"declare hidden i32 @{_MISSING}(ptr, ptr, i32, ptr)", _DROP]

    def allocations(self) -> list[str]:
        """Return the alloca instructions that calls need at the start of main."""
        if not self.names:
            return []
        return [
            f" %extern_values = alloca [{max(1, self._values)} x %value], align 16",
            f" %extern_tensors = alloca [{max(1, self._tensors)} x %tensor], align 16",
            " %extern_result = alloca %value, align 16",
        ]


_DROP = """
%value = type { i32, i32, i64 }
%tensor = type { ptr, i32, i32, i32, i32, ptr, ptr, i64 }
define internal void @tw_drop(ptr %value) nounwind {
entry:
 %kind = load i32, ptr %value, align 8
 %counted = icmp sge i32 %kind, 64
 br i1 %counted, label %object, label %done
object:
 %object_at = getelementptr %value, ptr %value, i64 0, i32 2
 %header = load ptr, ptr %object_at, align 8
 %before = atomicrmw sub ptr %header, i64 1 acq_rel
 %strong = and i64 %before, 4294967295
 %last = icmp eq i64 %strong, 1
 br i1 %last, label %delete, label %done
delete:
 %delete_at = getelementptr i8, ptr %header, i64 16
 %deleter = load ptr, ptr %delete_at, align 8
 %has_deleter = icmp ne ptr %deleter, null
 br i1 %has_deleter, label %call, label %done
call:
 %only = icmp eq i64 %before, 4294967297
 %flags = select i1 %only, i32 3, i32 1
 call void %deleter(ptr %header, i32 %flags)
 br i1 %only, label %done, label %weak
weak:
 %weak_before = atomicrmw sub ptr %header, i64 4294967296 acq_rel
 %last_weak = icmp ult i64 %weak_before, 8589934592
 br i1 %last_weak, label %free, label %done
free:
 call void %deleter(ptr %header, i32 2)
 br label %done
done:
 ret void
}
"""

__all__ = ["Emitter", "Externs"]

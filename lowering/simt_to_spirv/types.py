"""Types and constants of SPIR-V by name: a name describes what it declares.

    %f32                 a type of values; %bool, %i8 to %i64 and %f64 are the others
    %c_i32_m8            a constant of i32, -8;  %c_f32_3f800000: one of f32, by its bits
    %arr_f32_128         an array;  %buf_f32: a structure that holds an array without a fixed size
    %ptr_psb_buf_f32     a pointer to device memory; other storage classes: `_CLASSES`

`Declarations` collects the declarations of the names that a text uses, in a valid order. Integers
have no sign: an instruction chooses it. f16, bf16 and smaller floats are integers with their bits.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterable, Mapping
from types import MappingProxyType

import numpy as np

from ..lane_lists import LaneType
from ..loop_to_llvm.types import LlvmType

_CLASSES: Mapping[str, str] = MappingProxyType(
    {
        "psb": "PhysicalStorageBuffer", "shared": "Workgroup", "private": "Function",
        "push": "PushConstant", "in": "Input",
    }
)  # fmt: skip
"""The storage class of each kind of pointer."""
_TYPES: Mapping[str, str] = MappingProxyType(
    {
        "bool": "OpTypeBool",
        "f32": "OpTypeFloat 32",
        "f64": "OpTypeFloat 64",
        **{f"i{bits}": f"OpTypeInt {bits} 0" for bits in (8, 16, 32, 64)},
        "v3": "OpTypeVector %i32 3",
        "void": "OpTypeVoid",
        "fn": "OpTypeFunction %void",
        "true": "OpConstantTrue %bool",
        "false": "OpConstantFalse %bool",
    }
)
_CAPABILITIES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {"i8": ("Int8",), "i16": ("Int16",), "i64": ("Int64",), "f64": ("Float64",),
     "buf_i8": ("StorageBuffer8BitAccess",), "buf_i16": ("StorageBuffer16BitAccess",)}
)  # fmt: skip
"""The capabilities that the use of a type requires."""
_USED = re.compile(r"%(\w+)")
_NAME = re.compile(r"(c|arr|buf|run|ptr)_(.+)")


class SpirvType(LaneType):
    """A scalar or vector type of SPIR-V; its constants are names that describe their value."""

    __slots__ = ()

    @property
    def lane(self) -> str:
        """The name of the type of one lane."""
        if self.format == "i1":
            return "%bool"
        return f"%{self.format if self.is_float else f'i{self.bits}'}"

    def scalar_const(self, value: float) -> str:
        if self.format == "i1":
            return "%true" if value else "%false"
        if self.is_float:
            format_, integer = ("<f", "<I") if self.bits == 32 else ("<d", "<Q")
            (bits,) = struct.unpack(integer, struct.pack(format_, _rounded(value, self.bits)))
            if value != value:
                bits = 0x7FC00000 if self.bits == 32 else 0x7FF8 << 48
            return f"%c_{self.format}_{bits:x}"
        bits = int(super().scalar_const(value)) % (1 << self.bits)
        is_negative = bits >> (self.bits - 1)
        number = f"m{(1 << self.bits) - bits}" if is_negative else str(bits)
        return f"%c_i{self.bits}_{number}"


def _rounded(value: float, bits: int) -> float:
    return value if bits == 64 else float(np.float32(value))


_EXPONENTS = {32: 128, 64: 1024}
"""The exponent of the constants that stand for infinity and NaN, by the bits of the type."""


def float_constant(bits: int, width: int) -> str:
    """Return a constant of f32 or f64 as a hexadecimal float, as spirv-as prints it.

    An exponent above the largest one means infinity (``0x1p+128`` for f32) or NaN (``0x1.8p+128``).
    bits: the bits of the constant.  width: 32 or 64.
    """
    format_, integer = ("<f", "<I") if width == 32 else ("<d", "<Q")
    (value,) = struct.unpack(format_, struct.pack(integer, bits))
    sign = "-" if bits >> (width - 1) else ""
    if value != value:
        fraction = 23 if width == 32 else 52
        # A quiet NaN; the lower bits of its fraction are lost.
        assert bits >> (fraction - 1) & 1, "constants are quiet NaNs"
        return f"{sign}0x1.8p+{_EXPONENTS[width]}"
    if value in (float("inf"), float("-inf")):
        return f"{sign}0x1p+{_EXPONENTS[width]}"
    return value.hex()


def spirv_type(format_: str, lanes: int = 1) -> SpirvType:
    """Return the SPIR-V type of values with this format (such as f32) and number of lanes."""
    return SpirvType.made(format_, lanes)


def position(value: int) -> str:
    """Return the name of the i32 constant with this value."""
    return spirv_type("i32").scalar_const(value)


def lane_name(type_: LlvmType) -> str:
    """Return the name of the type of one lane, which must be a `SpirvType`."""
    assert isinstance(type_, SpirvType), "types of this emitter"
    return type_.lane


class Declarations:
    """The declarations of the names that a SPIR-V module uses.

    own: the declarations of names that do not describe what they declare, such as a kernel's own
    variables, by name.
    lines: the declarations of types and constants, in a valid order.
    decorations: the layouts of types.
    capabilities: the capabilities that the types require, as the keys of a dict.
    """

    def __init__(self, own: Mapping[str, str]) -> None:
        self.lines: list[str] = []
        self.decorations: list[str] = []
        self.capabilities: dict[str, None] = {}
        self._own, self._known = own, set[str]()

    def add(self, texts: Iterable[str]) -> None:
        """Declare the names that occur in some lines and that these lines do not define."""
        for text in texts:
            for name in _USED.findall(text):
                self._declare(name)

    def _declare(self, name: str) -> None:
        if name in self._known:
            return
        text = self._own.get(name) or _TYPES.get(name) or self._derived(name)
        if text is None:
            return
        self._known.add(name)
        self.add([text])
        self.capabilities.update(dict.fromkeys(_CAPABILITIES.get(name, ())))
        self.lines.append(f"%{name} = {text}")

    def _derived(self, name: str) -> str | None:
        """Return the declaration that a name describes, such as that of the array ``%arr_f32_128``.

        Returns None for a name of another form.
        """
        found = _NAME.fullmatch(name)
        if found is None:
            return None
        kind, rest = found.groups()
        first, _, last = rest.rpartition("_")
        if kind == "c":
            return _constant(first, last)
        if kind == "arr":
            return f"OpTypeArray %{first} %c_i32_{last}"
        if kind == "run":
            self.decorations.append(f"OpDecorate %{name} ArrayStride {_bytes(rest)}")
            return f"OpTypeRuntimeArray %{rest}"
        if kind == "buf":
            self.decorations.append(f"OpDecorate %{name} Block")
            self.decorations.append(f"OpMemberDecorate %{name} 0 Offset 0")
            return f"OpTypeStruct %run_{rest}"
        class_, _, pointee = rest.partition("_")
        return f"OpTypePointer {_CLASSES[class_]} %{pointee}"


def _constant(type_: str, text: str) -> str:
    bits = int(type_[1:])
    if type_.startswith("f"):
        return f"OpConstant %{type_} {float_constant(int(text, 16), bits)}"
    number = (1 << bits) - int(text[1:]) if text.startswith("m") else int(text)
    return f"OpConstant %{type_} {number}"


def _bytes(type_: str) -> int:
    return int(type_[1:]) // 8

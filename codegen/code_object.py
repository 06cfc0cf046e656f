"""Compile LLVM IR to code objects (HSACO) for AMD GPUs, and read the kernel metadata in them.

    code = make_code_object(text, "gfx942")
    resources_in(code)["tw_k0"].registers

The linker is LLD, whose command is `ld.lld`; `pip install tilewright[rocm]` installs one.
Source: LLVM, User Guide for AMDGPU Backend: Code Object V5 Metadata; MessagePack specification.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping
from typing import Any, cast

from .external_tool import OLDEST_LLD, find_linker, run_tool
from .isolated import compile_isolated
from .llvm import CodegenError, Machine
from .resources import Resources
from .worker import CompileOptions

_TRIPLE = "amdgcn-amd-amdhsa"
_PASSES, _LEVEL = ("O3",), 3
_NOTE_SEGMENT, _METADATA_NOTE = 4, 32
_REGISTER_BYTES = 4


class MissingLinker(CodegenError):
    """The error raised if LLD is not installed on this machine."""


def emit_amdgcn(text: str, processor: str) -> str:
    """Compile an LLVM IR module to assembly for an AMD GPU; return the text.

    processor: LLVM's name of the GPU, such as ``gfx942``.
    Errors: CodegenError if LLVM refuses the text.
    """
    options = CompileOptions(Machine(_TRIPLE, processor), _PASSES, _LEVEL, is_assembly=True)
    return compile_isolated(text, options).decode()


def make_code_object(text: str, processor: str) -> bytes:
    """Compile and link an LLVM IR module to a code object that AMD's driver loads.

    processor: LLVM's name of the GPU, such as ``gfx942``.
    Errors: MissingLinker; CodegenError if LLVM or the linker refuses the text.
    """
    linker = find_lld()
    if linker is None:
        raise MissingLinker(
            "code for AMD's GPUs cannot be linked",
            got=f"no ld.lld of version {OLDEST_LLD} or newer",
            hint="pip install tilewright[rocm]",
        )
    data = compile_isolated(text, CompileOptions(Machine(_TRIPLE, processor), _PASSES, _LEVEL))
    command = [*linker, "-shared", "--no-undefined"]
    made, _ = run_tool(command, data, name="ld.lld", listing="amdgcn")
    return made


def find_lld() -> list[str] | None:
    """Return the command of the LLD linker; None if it is not installed."""
    return find_linker("ld.lld")


def resources_in(code: bytes) -> dict[str, Resources]:
    """Return the registers and the memory that each kernel of a code object uses.

    The result is indexed by the kernel's symbol.
    code: the bytes of the code object.
    Errors: CodegenError for a file without metadata.
    """
    return {kernel[".name"]: _resources(kernel) for kernel in kernels_in(code)}


def kernels_in(code: bytes) -> list[Mapping[str, Any]]:
    """Return the metadata of each kernel of a code object.

    Errors: CodegenError for a file without metadata.
    """
    for kind, content in _notes(code):
        if kind == _METADATA_NOTE:
            found, _ = _unpacked(content, 0)
            return cast("list[Mapping[str, Any]]", found["amdhsa.kernels"])
    raise CodegenError("a code object has metadata", got="a file without", hint="link it with LLD")


def _resources(kernel: Mapping[str, Any]) -> Resources:
    return Resources(
        registers=kernel[".vgpr_count"],
        spill_bytes=kernel[".vgpr_spill_count"] * _REGISTER_BYTES,
        stack_bytes=kernel[".private_segment_fixed_size"],
        shared_bytes=kernel[".group_segment_fixed_size"],
    )


def _notes(code: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield the type and the content of each ELF note in a code object."""
    (table,) = struct.unpack_from("<Q", code, 32)
    (count,) = struct.unpack_from("<H", code, 56)
    for number in range(count):
        kind, _, at, _, _, size = struct.unpack_from("<IIQQQQ", code, table + 56 * number)
        end = at + size
        while kind == _NOTE_SEGMENT and at < end:
            name_bytes, content_bytes, note = struct.unpack_from("<III", code, at)
            at += 12 + _padded(name_bytes)
            yield note, code[at : at + content_bytes]
            at += _padded(content_bytes)


def _padded(size: int) -> int:
    return -(-size // 4) * 4


_FIXED = {
    0xCC: ">B", 0xCD: ">H", 0xCE: ">I", 0xCF: ">Q", 0xD0: ">b", 0xD1: ">h", 0xD2: ">i",
    0xD3: ">q", 0xCA: ">f", 0xCB: ">d",
}  # fmt: skip
_CONSTANTS = {0xC0: None, 0xC2: False, 0xC3: True}
_TEXTS = {0xD9: ">B", 0xDA: ">H", 0xDB: ">I"}
_ARRAYS = {0xDC: ">H", 0xDD: ">I"}
_MAPS = {0xDE: ">H", 0xDF: ">I"}


def _unpacked(data: bytes, at: int) -> tuple[Any, int]:
    """Decode the MessagePack value at a position; return the value and the position after it."""
    first, at = data[at], at + 1
    if first < 0x80 or first >= 0xE0:
        return first if first < 0x80 else first - 0x100, at
    if first in _CONSTANTS:
        return _CONSTANTS[first], at
    if first in _FIXED:
        return _number(data, at, _FIXED[first])
    if first < 0x90:
        return _unpacked_map(data, at, first & 0x0F)
    if first < 0xA0:
        return _unpacked_array(data, at, first & 0x0F)
    if first < 0xC0:
        return _text(data, at, first & 0x1F)
    for formats, read in ((_TEXTS, _text), (_ARRAYS, _unpacked_array), (_MAPS, _unpacked_map)):
        if first in formats:
            count, at = _number(data, at, formats[first])
            return read(data, at, count)
    raise CodegenError("metadata are MessagePack", got=hex(first), hint="link the file with LLD")


def _number(data: bytes, at: int, layout: str) -> tuple[Any, int]:
    (value,) = struct.unpack_from(layout, data, at)
    return value, at + struct.calcsize(layout)


def _text(data: bytes, at: int, size: int) -> tuple[str, int]:
    return data[at : at + size].decode(), at + size


def _unpacked_array(data: bytes, at: int, count: int) -> tuple[list[Any], int]:
    values: list[Any] = []
    for _ in range(count):
        value, at = _unpacked(data, at)
        values.append(value)
    return values, at


def _unpacked_map(data: bytes, at: int, count: int) -> tuple[dict[str, Any], int]:
    values, at = _unpacked_array(data, at, 2 * count)
    return dict(zip(values[::2], values[1::2], strict=True)), at

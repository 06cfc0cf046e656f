"""WebAssembly modules: LLD links object files and constants.

    code = link_module(objects, blobs=[Blob("tw_weights_data", weights, 64)], exports=["tw_main"])
    code = with_section(code, "tilewright", manifest)

In: object files that LLVM compiled for wasm32, and constants such as weights, which get an object
file of their own.  Out: a module without imports, which exports its memory, functions, and the
addresses of variables.  LLD for WebAssembly is the command `wasm-ld`; `pip install
tilewright[cross]` installs it.
Source: WebAssembly Core Specification 2.0, section 5; WebAssembly tool conventions, Linking.md.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from .external_tool import find_linker, missing_linker, run_linker, write_objects
from .linker import Blob

STACK_BYTES = 1 << 20
"""The size of the stack in bytes.  The stack lies before the constants, so an overflow traps."""

_START = b"\0asm\1\0\0\0"
_CUSTOM, _IMPORT, _DATA = 0, 2, 11
_SEGMENT_INFO, _SYMBOL_TABLE = 5, 8
_DATA_SYMBOL, _HIDDEN = 1, 4


def find_wasm_linker() -> list[str] | None:
    """Return the command of LLD for WebAssembly; None if it is not installed."""
    return find_linker("wasm-ld")


def link_module(
    objects: Sequence[bytes], *, blobs: Sequence[Blob], exports: Sequence[str]
) -> bytes:
    """Link object files and constants to a WebAssembly module; return its bytes.

    objects: the bytes of the object files.
    blobs: the constants.
    exports: the names of the functions and variables that a host uses, in addition to the memory.
    Errors: LinkError if the linker is missing or a symbol is undefined.
    """
    linker = find_wasm_linker()
    if linker is None:
        raise missing_linker("WebAssembly modules", "wasm-ld (LLD)")
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        names = write_objects((*objects, data_object(blobs)), folder)
        options = ["--no-entry", "--stack-first", "-z", f"stack-size={STACK_BYTES}"]
        named = [f"--export={name}" for name in exports]
        run_linker([*linker, *options, *named, *names, "-o", "made"], folder, "wasm-ld")
        return (folder / "made").read_bytes()


def data_object(blobs: Sequence[Blob]) -> bytes:
    """Return a WebAssembly object file that defines a symbol for each constant."""
    memory = _name("env") + _name("__linear_memory") + bytes((2, 0, 0))
    segments, infos, symbols, at = list[bytes](), list[bytes](), list[bytes](), 0
    for number, blob in enumerate(blobs):
        data = memoryview(blob.data).cast("B")
        at += -at % blob.alignment
        address = _number(at, is_signed=True)
        segments.append(b"\0\x41" + address + b"\x0b" + _number(len(data)) + data)
        infos.append(_name(f".rodata.{blob.symbol}") + bytes((blob.alignment.bit_length() - 1, 0)))
        place = _number(number) + b"\0" + _number(len(data))
        symbols.append(bytes((_DATA_SYMBOL, _HIDDEN)) + _name(blob.symbol) + place)
        at += len(data)
    tables = (_SEGMENT_INFO, infos), (_SYMBOL_TABLE, symbols)
    linking = b"\2" + b"".join(_section(kind, _list(rows)) for kind, rows in tables)
    return b"".join(
        (
            _START,
            _section(_IMPORT, _list([memory])),
            _section(_DATA, _list(segments)),
            _section(_CUSTOM, _name("linking") + linking),
        )
    )


def with_section(code: bytes, name: str, data: bytes) -> bytes:
    """Append a custom section, which engines ignore, to a module; return the new module.

    name: the name of the section.
    data: its contents.
    """
    return code + _section(_CUSTOM, _name(name) + data)


def section_of(code: bytes, name: str) -> bytes | None:
    """Return the contents of a custom section by its name; None if there is none."""
    start = _name(name)
    custom = (body for kind, body in sections(code) if kind == _CUSTOM)
    return next((body[len(start) :] for body in custom if body.startswith(start)), None)


def sections(code: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield the kind and the contents of each section of a module."""
    at = len(_START)
    while at < len(code):
        kind = code[at]
        size, at = read_number(code, at + 1)
        yield kind, code[at : at + size]
        at += size


def read_number(code: bytes, at: int) -> tuple[int, int]:
    """Read the unsigned number (LEB128) at a position; return it and the position after it."""
    value = shift = 0
    while True:
        byte = code[at]
        value |= (byte & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if byte < 0x80:
            return value, at


def _number(value: int, *, is_signed: bool = False) -> bytes:
    """Encode a non-negative number as LEB128, unsigned or signed."""
    made = bytearray()
    while value >= (0x40 if is_signed else 0x80):
        made.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes((*made, value))


def _name(text: str) -> bytes:
    data = text.encode()
    return _number(len(data)) + data


def _list(items: Sequence[bytes]) -> bytes:
    return _number(len(items)) + b"".join(items)


def _section(kind: int, body: bytes) -> bytes:
    return bytes((kind,)) + _number(len(body)) + body

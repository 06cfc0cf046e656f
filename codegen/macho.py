"""Dynamic libraries and objects for Apple systems: zig links object files and constants.

In: object files that LLVM compiled for an Apple triple, and constants such as weights, which get an
object file of their own.  Out: a dynamic library for macOS, or one object.  A library for 64-bit
ARM carries the ad-hoc signature that macOS demands.  `pip install tilewright[cross]` installs the
linker.
Source: Apple, mach-o/loader.h and mach-o/nlist.h.
"""

from __future__ import annotations

import struct
import tempfile
from collections.abc import Sequence
from pathlib import Path

from .external_tool import find_zig, missing_linker, run_linker, write_objects
from .linker import Blob

PLATFORMS = {"darwin": ("macos.11.0", 1, 11 << 16), "ios": ("ios.14.0", 2, 14 << 16)}
"""By system: the oldest version in zig's triple, the Mach-O platform number, and the version."""
CPUS = {"x86_64": (0x0100_0007, 3), "aarch64": (0x0100_000C, 0)}
"""The CPU type and the generic CPU subtype of each instruction set, as Mach-O encodes them."""
_OBJECT, _SEGMENT, _SYMBOLS, _BUILD = 1, 0x19, 2, 0x32
_MAGIC = 0xFEED_FACF
_PRIVATE_DEFINED = 0x10 | 0x0E | 1
_DEFINED = 0x0E | 1
_SYSTEM_LIBRARY = "libSystem.tbd"
_STUB = """--- !tapi-tbd
tbd-version: 4
targets: [ x86_64-macos, arm64-macos ]
install-name: '/usr/lib/libSystem.B.dylib'
exports:
  - targets: [ x86_64-macos, arm64-macos ]
    symbols: [ _memcpy, _memmove, _memset, _bzero, _snprintf, _aligned_alloc, _free, _dlsym,
               dyld_stub_binder ]
...
"""
"""A text-based stub of macOS's C library: its install path, and the functions that our libraries
call.
With zig's own description, zig first compiles parts of a C library, which takes a minute.
"""


def link_library(
    objects: Sequence[bytes], *, blobs: Sequence[Blob], machine: str, system: str, file: str
) -> bytes:
    """Link object files and constants to a dynamic library; return the file as bytes.

    objects: the bytes of the object files.
    blobs: the constants.
    machine: the instruction set, a key of `CPUS`.
    system: the system, a key of `PLATFORMS`.
    file: the file name; the install name of the library is @rpath/``file``.
    Errors: LinkError if the linker is missing or refuses the objects.
    """
    # The functions of other hosts are there in some processes only.
    lazily = ["-Wl,-undefined,dynamic_lookup", _SYSTEM_LIBRARY]
    options = ["-shared", *lazily, f"-Wl,-install_name,@rpath/{file}"]
    return _linked((*objects, data_object(blobs, machine, system)), options, machine, system)


def link_object(
    objects: Sequence[bytes], *, blobs: Sequence[Blob], machine: str, system: str
) -> bytes:
    """Link object files and constants to one object file, in which hidden symbols become local.

    objects: the bytes of the object files.
    blobs: the constants.
    machine: the instruction set, a key of `CPUS`.
    system: the system, a key of `PLATFORMS`.
    Errors: LinkError if the linker is missing or refuses the objects.
    """
    return _linked((*objects, data_object(blobs, machine, system)), ["-r"], machine, system)


def _linked(objects: Sequence[bytes], options: Sequence[str], machine: str, system: str) -> bytes:
    zig = find_zig()
    if zig is None:
        raise missing_linker("libraries for Apple's systems", "zig")
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        names = write_objects(objects, folder)
        triple = f"{machine}-{PLATFORMS[system][0]}"
        (folder / _SYSTEM_LIBRARY).write_text(_STUB)
        command = [zig, "cc", "-target", triple, "-nostdlib", *options, "-o", "made", *names]
        run_linker(command, folder, "zig")
        return (folder / "made").read_bytes()


def data_object(blobs: Sequence[Blob], machine: str, system: str) -> bytes:
    """Return a Mach-O object file that defines a symbol for each constant.

    machine: the instruction set, a key of `CPUS`.
    system: the system, a key of `PLATFORMS`.
    """
    alignment = max(blob.alignment for blob in blobs)
    body, symbols, strings = bytearray(), b"", b"\0"
    for blob in blobs:
        body += bytes(-len(body) % blob.alignment)
        kind = _DEFINED if blob.is_exported else _PRIVATE_DEFINED
        symbols += struct.pack("<IBBHQ", len(strings), kind, 1, 0, len(body))
        strings += b"_" + blob.symbol.encode() + b"\0"
        body += blob.data
    body += bytes(-len(body) % 8)
    segment_bytes, build_bytes, table_bytes = 72 + 80, 24, 24
    commands_bytes = segment_bytes + build_bytes + table_bytes
    at = 32 + commands_bytes
    at += -at % alignment
    header = struct.pack("<8I", _MAGIC, *CPUS[machine], _OBJECT, 3, commands_bytes, 0, 0)
    segment = struct.pack(
        "<II16s4QiiII", _SEGMENT, segment_bytes, b"", 0, len(body), at, len(body), 7, 7, 1, 0
    )
    section = struct.pack(
        "<16s16sQQ8I", b"__const", b"__TEXT", 0, len(body), at, alignment.bit_length() - 1,
        0, 0, 0, 0, 0, 0,
    )  # fmt: skip
    _, number, oldest = PLATFORMS[system]
    build = struct.pack("<6I", _BUILD, build_bytes, number, oldest, oldest, 0)
    symbols_at = at + len(body)
    strings_at = symbols_at + len(symbols)
    table = struct.pack(
        "<6I", _SYMBOLS, table_bytes, symbols_at, len(blobs), strings_at, len(strings)
    )
    start = header + segment + section + build + table
    return b"".join((start, bytes(at - len(start)), body, symbols, strings))

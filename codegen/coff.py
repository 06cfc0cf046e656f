"""DLLs for Windows: LLD links object files and constants.

In: object files that LLVM compiled for a Windows triple, and constants such as weights, which get
an object file of their own.  Out: a DLL, which imports functions only from msvcrt.dll and
ntdll.dll, and the import library that other programs link against.  LLD for Windows is the command
`lld-link`; `pip install tilewright[cross]` installs it.
Source: Microsoft, PE Format; the calling convention of x64 for ``__chkstk``.
"""

from __future__ import annotations

import struct
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePath

from .external_tool import find_linker, missing_linker, run_linker, write_objects
from .linker import Blob

MACHINES = {"x86_64": (0x8664, "x64"), "aarch64": (0xAA64, "arm64")}
"""The machine number of an instruction set in COFF headers, and its name in options of LLD.

Keyed by the name of the instruction set in LLVM triples.
"""
_LIBRARIES: Mapping[str, Sequence[str]] = {
    "msvcrt": ("_vsnprintf", "_aligned_malloc", "_aligned_free", "memcpy", "memmove", "memset"),
    "ntdll": ("__chkstk",),
}
"""The functions that a DLL may import, by library; every Windows has these libraries."""
_ALIASES = ("___chkstk_ms=__chkstk",)
"""Names of functions in LLVM's code, where Windows libraries export them under another name."""
_CONSTANTS = 0x4000_0040
"""The section flags of read-only initialized data."""
_EXTERNAL = 2


def find_dll_linker() -> list[str] | None:
    """Return the command of LLD's linker for Windows; None if it is not installed."""
    return find_linker("lld-link")


def link_dll(
    objects: Sequence[bytes],
    *,
    blobs: Sequence[Blob],
    exports: Sequence[str],
    machine: str,
    file: str,
) -> tuple[bytes, bytes]:
    """Link object files and constants to a DLL; return the DLL and its import library as bytes.

    objects: the bytes of the object files.
    blobs: the constants.
    exports: the names of the functions and variables that other programs may use.
    machine: the instruction set, a key of `MACHINES`.
    file: the file name of the DLL, which the import library contains.
    Errors: LinkError if the linker is missing or a symbol is undefined.
    """
    linker = find_dll_linker()
    if linker is None:
        raise missing_linker("libraries for Windows", "lld-link (LLD)")
    named = [*exports, *(blob.symbol for blob in blobs if blob.is_exported)]
    option = f"/machine:{MACHINES[machine][1]}"
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        names = write_objects((*objects, data_object(blobs, machine)), folder, ".obj")
        for name, functions in _LIBRARIES.items():
            text = "\n".join((f"LIBRARY {name}.dll", "EXPORTS", *functions, ""))
            (folder / f"{name}.def").write_text(text)
            words = ["/lib", option, f"/def:{name}.def", f"/out:{name}.lib"]
            run_linker([*linker, *words], folder, "lld-link")
        made, library = folder / file, folder / PurePath(file).with_suffix(".lib").name
        words = [
            "/dll", "/noentry", "/nodefaultlib", "/lldmingw", "/Brepro", option,
            f"/out:{made.name}", f"/implib:{library.name}",
            *(f"/alternatename:{each}" for each in _ALIASES),
            *(f"/export:{name}" for name in dict.fromkeys(named)),
            *names,
            *(f"{name}.lib" for name in _LIBRARIES),
        ]  # fmt: skip
        (folder / "words").write_text("\n".join(words))
        run_linker([*linker, "@words"], folder, "lld-link")
        return made.read_bytes(), library.read_bytes()


def data_object(blobs: Sequence[Blob], machine: str) -> bytes:
    """Return a COFF object file that defines a symbol for each constant.

    machine: the instruction set, a key of `MACHINES`.
    """
    alignment = max(blob.alignment for blob in blobs)
    body, symbols, strings = bytearray(), b"", b""
    for blob in blobs:
        body += bytes(-len(body) % blob.alignment)
        name = struct.pack("<II", 0, 4 + len(strings))
        symbols += name + struct.pack("<IhHBB", len(body), 1, 0, _EXTERNAL, 0)
        strings += blob.symbol.encode() + b"\0"
        body += blob.data
    flags = _CONSTANTS | alignment.bit_length() << 20
    header_bytes, section_bytes = 20, 40
    at = header_bytes + section_bytes
    header = struct.pack("<HHIIIHH", MACHINES[machine][0], 1, 0, at + len(body), len(blobs), 0, 0)
    section = struct.pack("<8sIIIIIIHHI", b".rdata", 0, 0, len(body), at, 0, 0, 0, 0, flags)
    table = struct.pack("<I", 4 + len(strings)) + strings
    return b"".join((header, section, body, symbols, table))

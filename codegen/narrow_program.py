"""Static programs for Linux with addresses of 32 bits: zig compiles their C part and links them.

In: object files that LLVM compiled for ARM or Hexagon, and constants such as weights.
Out: a static program that starts at ``_start``.  The prelude has LLVM IR of the program's own parts
for addresses of 64 bits only, so zig's clang compiles their C files (runtime/native/); zig keeps
the objects in its cache.  `pip install tilewright[cross]` installs zig.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from .external_tool import find_zig, missing_linker, run_linker, write_objects
from .linker import Blob

OPTIONS: Mapping[str, tuple[str, ...]] = {
    "armv7": ("-target", "arm-freestanding-eabihf", "-mcpu=cortex_a7", "-marm"),
    "hexagon": ("-target", "hexagon-freestanding", "-mcpu=hexagonv67"),
}
"""The options of zig's compiler for each instruction set."""
_HEADERS = ("{}-linux-musl", "generic-musl", "{}-linux-any", "any-linux-any")
"""Zig's folders of C headers for an instruction set; without a C library, zig does not use them."""
PARTS = (
    "print", "bare", "start", "tensors", "repack", "session", "states", "executor", "bundle",
    "embedded", "program",
)  # fmt: skip
"""The C files of a program, in addition to the model's objects."""
_FLAGS = (
    "-D__linux__", "-std=c99", "-O2", "-static", "-s", "-fno-builtin", "-fno-stack-protector",
    "-fno-unwind-tables", "-fomit-frame-pointer", "-fno-sanitize=all", "-fsigned-char",
)  # fmt: skip


def link_program(
    objects: Sequence[bytes], *, blobs: Sequence[Blob], machine: str, sources: Path
) -> bytes:
    """Return a static program, linked from object files, constants and C files; the file as bytes.

    objects: the bytes of the object files.
    blobs: the constants.
    machine: the instruction set, a key of `OPTIONS`.
    sources: the folder of the C files, which are the parts of any program.
    Errors: LinkError if zig is missing or refuses the objects.
    """
    zig = find_zig()
    if zig is None:
        raise missing_linker(f"programs for {machine}", "zig")
    headers = Path(zig).parent / "lib" / "libc" / "include"
    prefix = OPTIONS[machine][1].partition("-")[0]
    found = [f"-isystem{headers / each.format(prefix)}" for each in _HEADERS]
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        # A file that stays where it is has one object in zig's cache.
        names = [str(sources / f"{part}.c") for part in PARTS] + write_objects(objects, folder)
        (folder / "constants.s").write_text("\n".join(_constants(blobs, folder)))
        options = (*OPTIONS[machine], *_FLAGS, *found)
        command = [zig, "cc", *options, *names, "constants.s", "-o", "made"]
        run_linker(command, folder, "zig")
        return (folder / "made").read_bytes()


def _constants(blobs: Sequence[Blob], folder: Path) -> Iterator[str]:
    """Write the bytes of constants to a folder; yield the lines of assembly that define them."""
    yield '.section .rodata,"a",%progbits'
    for blob in blobs:
        (folder / blob.symbol).write_bytes(blob.data)
        yield f".balign {blob.alignment}\n.globl {blob.symbol}\n{blob.symbol}:"
        yield f'.incbin "{blob.symbol}"'
    yield ""

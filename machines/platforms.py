"""Platforms: the system that runs a program, and its conventions, from the triple of LLVM.

platform_of("aarch64-linux-gnu").triple is "aarch64-unknown-linux-gnu"
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from dataclasses import dataclass

from ..runtime.spelling import nearest
from ..support.diagnostics import TargetError
from .cpu import INSTRUCTION_SETS


@dataclass(frozen=True)
class System:
    """A system with an environment: the last words of a triple.

    object_format: the format of object files, such as ``elf``.  libc: the C library
    of programs; empty if they have none.  has_threads: whether a program can start threads.
    vendor: the second word of the triple.  page_bytes: the size of the largest page of memory, if
    it is larger than on other systems; else 0.  libraries: the libraries that a shared object must
    name to use their functions.  abi: the calling convention that the environment prescribes; empty
    if it prescribes none.
    """

    object_format: str
    libc: str
    has_threads: bool = True
    vendor: str = "unknown"
    page_bytes: int = 0
    libraries: tuple[str, ...] = ()
    abi: str = ""


SYSTEMS: Mapping[tuple[str, str], System] = {
    ("linux", "gnu"): System("elf", "glibc"),
    ("linux", "musl"): System("elf", "musl"),
    ("linux", "android"): System("elf", "bionic", page_bytes=16384, libraries=("libc.so",)),
    ("linux", "gnueabihf"): System("elf", "glibc", abi="aapcs-vfp"),
    ("linux", "musleabihf"): System("elf", "musl", abi="aapcs-vfp"),
    ("windows", "msvc"): System("coff", "ucrt", vendor="pc"),
    ("windows", "gnu"): System("coff", "mingw", vendor="pc"),
    ("darwin", ""): System("macho", "libSystem", vendor="apple"),
    ("ios", ""): System("macho", "libSystem", vendor="apple"),
    ("none", "elf"): System("elf", "", has_threads=False),
    ("none", "eabihf"): System("elf", "", has_threads=False, abi="aapcs-vfp"),
    ("unknown", ""): System("wasm", "", has_threads=False),
}
"""The systems by name and environment, the usual environment of each system first."""
_VENDORS = ("unknown", "pc", "apple", "none")
"""The words of triples that name no system where one follows."""
_SPELLINGS: Mapping[str, str] = {"macos": "darwin", "macosx": "darwin", "win32": "windows"}


@dataclass(frozen=True)
class Platform:
    """The system that a program runs on, and the conventions of its code.

    architecture: the instruction set, named as in a triple.  system, environment: the words of the
    triple for the system, such as ``linux`` and ``gnu``.  abi: the calling convention.
    """

    architecture: str
    system: str
    environment: str
    abi: str

    @property
    def triple(self) -> str:
        """The LLVM target triple."""
        words = (self.architecture, self._row.vendor, self.system, self.environment)
        return "-".join(filter(None, words))

    @property
    def object_format(self) -> str:
        """The format of object files: ``elf``, ``elf32``, ``coff``, ``macho`` or ``wasm``.

        ``elf32`` are objects of programs with addresses of 32 bits.
        """
        found = self._row.object_format
        is_narrow = found == "elf" and self.libc and self.pointer_bits == 32
        return "elf32" if is_narrow else found

    @property
    def libc(self) -> str:
        """The C library; empty if programs have none."""
        return self._row.libc

    @property
    def has_threads(self) -> bool:
        """Whether a program can start threads; programs in ``elf32`` have one thread."""
        return self._row.has_threads and self.object_format != "elf32"

    @property
    def pointer_bits(self) -> int:
        """The width of an address in bits."""
        return INSTRUCTION_SETS[self.architecture].pointer_bits

    @property
    def pointer_bytes(self) -> int:
        """The size and the alignment of an address in bytes."""
        return self.pointer_bits // 8

    @property
    def byte_order(self) -> str:
        """The order of the bytes of a number: ``little`` or ``big``."""
        return INSTRUCTION_SETS[self.architecture].byte_order

    def pack(self, fields: str, *values: int) -> bytes:
        """Return integers as the bytes of a constant, in the byte order of the platform.

        fields: the types of the integers, as format characters of `struct`, such as ``2iq``.
        """
        return struct.pack(f"{'<' if self.byte_order == 'little' else '>'}{fields}", *values)

    @property
    def page_bytes(self) -> int:
        """The size in bytes of the largest page of memory; 0: not larger than on other systems."""
        return self._row.page_bytes

    @property
    def libraries(self) -> tuple[str, ...]:
        """The libraries that a shared object must name to use their functions."""
        return self._row.libraries

    @property
    def _row(self) -> System:
        return SYSTEMS[self.system, self.environment]


def default_platform(architecture: str) -> Platform:
    """Return the platform of a target that names no triple.

    architecture: the instruction set that the target names, or that of its processor.
    """
    row = INSTRUCTION_SETS[architecture]
    return Platform(architecture, *row.system, row.abis[0])


def platform_of(triple: str) -> Platform:
    """Return the platform that a triple names.

    Errors: TargetError for an unknown instruction set, system or environment; it suggests names.
    """
    first, *rest = triple.split("-")
    architecture = _architecture(first, triple)
    while len(rest) > 1 and rest[0] in _VENDORS and _system_of(rest) is None:
        del rest[0]
    if not rest or rest == ["unknown"]:
        return default_platform(architecture)
    found = _system_of(rest)
    # WebAssembly has no system, and no other instruction set runs in its engines.
    usual = SYSTEMS[INSTRUCTION_SETS[architecture].system].object_format
    if found is None or "wasm" in {usual, SYSTEMS[found].object_format}:
        raise _unknown_system("-".join(rest), triple)
    abi = INSTRUCTION_SETS[architecture].abis[0]
    if SYSTEMS[found].abi not in ("", abi):
        raise _unknown_system("-".join(rest), triple)
    return Platform(architecture, *found, abi)


def _architecture(word: str, triple: str) -> str:
    for name, row in INSTRUCTION_SETS.items():
        if word == name or word in row.spellings:
            return name
    near = nearest(word, INSTRUCTION_SETS, 2) or [*INSTRUCTION_SETS]
    raise TargetError(
        "unknown instruction set in the triple of the target",
        expected=", ".join(INSTRUCTION_SETS),
        got=repr(triple),
        hint=f"-mtriple={default_platform(near[0]).triple}",
    )


def _system_of(words: list[str]) -> tuple[str, str] | None:
    system, environment = _SPELLINGS.get(words[0], words[0]), "-".join(words[1:])
    if (system, environment) in SYSTEMS:
        return system, environment
    if system == "elf" and not environment:
        return "none", "elf"
    return next((row for row in SYSTEMS if row[0] == system and not environment), None)


def _unknown_system(text: str, triple: str) -> TargetError:
    first = triple.partition("-")[0]
    abis = "", INSTRUCTION_SETS[_architecture(first, triple)].abis[0]
    known = ["-".join(filter(None, name)) for name, row in SYSTEMS.items() if row.abi in abis]
    near = nearest(text, known, 1, 0.4) or known[:1]
    return TargetError(
        "unknown system in the triple of the target",
        expected=", ".join(known),
        got=repr(triple),
        hint=f"-mtriple={first}-{near[0]}",
    )

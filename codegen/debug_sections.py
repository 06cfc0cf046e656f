"""Merge the debug sections of several object files by name, for debuggers and profilers.

In: object files that LLVM wrote with line tables (lowering/loop_to_llvm/line_tables.py). Out: one
section per name, which contains the input sections one after the other. The address of an input
section is its offset in the merged section, so that symbols of debug sections get correct
addresses. `DebugSections.joined` returns the merged bytes once all code has addresses. The loader
does not map these sections.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable, Mapping, Sequence

from .elf import LinkError, ObjectFile, ObjectSection, ObjectSymbol, Relocation

# Absolute addresses and offsets: R_X86_64_64 and _32, R_AARCH64_ABS64 and _ABS32, R_RISCV_64 and
# _32, R_LARCH_64 and _32, R_PPC64_ADDR64 and _ADDR32, R_390_64 and _32.
_FIELDS: Mapping[tuple[int, int], str] = {
    (62, 1): "<Q",
    (62, 10): "<I",
    (183, 257): "<Q",
    (183, 258): "<I",
    (243, 2): "<Q",
    (243, 1): "<I",
    (258, 2): "<Q",
    (258, 1): "<I",
    (21, 38): "<Q",
    (21, 1): "<I",
    (22, 22): ">Q",
    (22, 4): ">I",
}


class DebugSections:
    """The debug sections of several object files, to be merged by name.

    parts: the input sections, by name.
    """

    def __init__(self, files: Iterable[ObjectFile]) -> None:
        self.parts: dict[str, list[ObjectSection]] = {}
        self._relocations: list[tuple[int, Relocation]] = []
        for file in files:
            for section in filter(is_debug, file.sections):
                self.parts.setdefault(section.name, []).append(section)
            self._relocations += (
                (file.machine, r) for r in file.relocations if is_debug(r.section)
            )
        for parts in self.parts.values():
            end = 0
            for part in parts:
                part.address = -(-end // part.alignment) * part.alignment
                end = part.address + part.size

    @property
    def relocations(self) -> list[Relocation]:
        """The relocations inside debug sections; they refer to code or to other debug sections."""
        return [relocation for _, relocation in self._relocations]

    def joined(self, resolve: Callable[[ObjectSymbol], ObjectSymbol]) -> list[tuple[str, bytes]]:
        """Merge the sections of equal names, and apply their relocations.

        resolve: returns the definition to which a reference is bound, with its final address.
        Returns the name and the bytes of each merged section, in order.
        Errors: LinkError for a relocation of an unknown kind.
        """
        for machine, relocation in self._relocations:
            kind = _FIELDS.get((machine, relocation.kind))
            body = relocation.section.body
            if kind is None or body is None:
                raise LinkError(
                    f"relocation {relocation.kind} in {relocation.section.name} is not supported"
                )
            target = resolve(relocation.symbol).address + relocation.addend
            struct.pack_into(kind, body, relocation.offset, target)
        return [(name, joined(parts)) for name, parts in self.parts.items()]


def is_debug(section: ObjectSection) -> bool:
    """Return whether a section contains debug information."""
    return section.name.startswith(".debug_")


def joined(parts: Sequence[ObjectSection]) -> bytes:
    """Return the bytes of a merged section: each input section at its address, zeros in gaps.

    parts: the input sections, in the order of their addresses, which start at 0.
    """
    body = bytearray(parts[-1].address + parts[-1].size)
    for part in parts:
        body[part.address : part.address + part.size] = part.body or b""
    return bytes(body)

"""The section headers and the symbol table of a linked image, which tools such as `nm` read.

Loaders read only segments and the dynamic section; `nm`, `objdump`, debuggers and linkers need
section headers. In: the named address ranges of an image, and its symbols. Out: the index of the
section that contains a symbol, and the bytes that follow the last segment in the file. The loader
does not map these bytes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from ..runtime.file.elf_format import ElfFormat
from .elf import (
    INDEX_ABSOLUTE,
    INDEX_UNDEFINED,
    ObjectSection,
    ObjectSymbol,
    SectionFlag,
    SectionKind,
    SymbolBinding,
)


@dataclass(frozen=True)
class Range:
    """A section of the image: a range of addresses, which are also offsets in the file.

    start, end: the range.
    link: the name of the section to which the field sh_link refers; "" for none.
    info, entry_bytes: the fields sh_info and sh_entsize.
    """

    name: str
    kind: int
    flags: int
    start: int
    end: int
    alignment: int = 8
    link: str = ""
    info: int = 0
    entry_bytes: int = 0


@dataclass(frozen=True)
class Tail:
    """The end of a linked file: symbol table, strings and section headers.

    data: the bytes.
    headers_at: the offset of the section headers in the file.
    count: the number of section headers.
    """

    data: bytes
    headers_at: int
    count: int


class Strings:
    """A string table that stores each string once."""

    def __init__(self) -> None:
        self.data = bytearray(b"\0")
        self._places: dict[str, int] = {"": 0}

    def add(self, text: str) -> int:
        """Return the offset of a string in the table; add the string if it is missing."""
        if text not in self._places:
            self._places[text] = len(self.data)
            self.data += text.encode() + b"\0"
        return self._places[text]


class ImageSections:
    """The sections of an image in the order of their addresses, without empty sections."""

    def __init__(self, elf: ElfFormat, ranges: Iterable[Range]) -> None:
        self._elf = elf
        self._ranges = [each for each in ranges if each.end > each.start]

    def symbol_row(self, name: int, symbol: ObjectSymbol, binding: int) -> bytes:
        """Return the bytes of an entry of the symbol table.

        name: the offset of the symbol's name in the string table.
        binding: the ELF binding of the entry, such as local or global.
        """
        address = symbol.address if symbol.defined else 0
        info, index = binding << 4 | symbol.kind, self._index_of(symbol)
        other = symbol.other - symbol.visibility  # what the machine needs
        return self._elf.symbol.pack(name, info, other, index, address, symbol.size)

    def _index_of(self, symbol: ObjectSymbol) -> int:
        if not symbol.defined:
            return INDEX_UNDEFINED
        if symbol.section is None:
            return INDEX_ABSOLUTE
        at = symbol.section.address
        holders = (n for n, each in enumerate(self._ranges, 1) if each.start <= at <= each.end)
        # Return the last such section: its start may be the end of the section before.
        return max(holders, default=INDEX_ABSOLUTE)

    def tail(
        self,
        at: int,
        debug: Sequence[tuple[str, bytes]],
        local: Sequence[ObjectSymbol],
        public: Sequence[ObjectSymbol],
        shown: Mapping[str, str],
    ) -> Tail:
        """Return the end of the file: debug sections, symbol table, strings and section headers.

        at: the offset in the file at which this part starts.
        debug: the name and the contents of each debug section.
        local: the symbols that are listed as local.
        public: the symbols of the dynamic symbol table, which are also listed.
        shown: the names that tools show for local symbols, by the symbols' names.
        """
        described, debug_data = _placed(debug, at)
        debug_end = at + len(debug_data)
        strings, start = Strings(), _aligned(debug_end)
        size = self._elf.symbol.size
        rows = [bytes(size)]
        for each in local:
            name = strings.add(shown.get(each.name, each.name))
            rows.append(self.symbol_row(name, each, SymbolBinding.LOCAL))
        rows += [self.symbol_row(strings.add(each.name), each, each.binding) for each in public]
        strings_at = start + size * len(rows)
        names_at = strings_at + len(strings.data)
        ranges = [
            *self._ranges,
            *described,
            Range(".symtab", SectionKind.SYMTAB, 0, start, strings_at, 8, ".strtab",
                  1 + len(local), size),
            Range(".strtab", SectionKind.STRTAB, 0, strings_at, names_at, 1),
        ]  # fmt: skip
        names = Strings()
        for name in (*(each.name for each in ranges), ".shstrtab"):
            names.add(name)
        end = names_at + len(names.data)
        ranges.append(Range(".shstrtab", SectionKind.STRTAB, 0, names_at, end, 1))
        headers_at = _aligned(end)
        data = b"".join((debug_data, bytes(start - debug_end), *rows, strings.data, names.data))
        data += bytes(headers_at - end) + section_headers(self._elf, ranges, names)
        return Tail(data, headers_at, 1 + len(ranges))


def section_headers(
    elf: ElfFormat, ranges: Sequence[Range], names: Strings, *, has_addresses: bool = True
) -> bytes:
    """Return the bytes of all section headers, of which the first is the null header.

    names: the string table with the names of the sections.
    has_addresses: whether sections have addresses, as in an image; in a relocatable object they are
    0.
    """
    index = {each.name: number for number, each in enumerate(ranges, 1)}
    rows = [bytes(elf.section_header.size)]
    for each in ranges:
        address = each.start if has_addresses and each.flags & SectionFlag.ALLOC else 0
        rows.append(
            elf.section_header.pack(
                names.add(each.name), each.kind, each.flags, address, each.start,
                each.end - each.start, index.get(each.link, 0), each.info, each.alignment,
                each.entry_bytes,
            )
        )  # fmt: skip
    return b"".join(rows)


def covering(name: str, kind: int, flags: int, sections: Sequence[ObjectSection]) -> Range:
    """Return a section of the image that covers several adjacent sections of objects.

    It is empty if there are none.
    sections: the sections, in the order of their addresses.
    Before: the sections have addresses, and each follows the one before it.
    """
    if not sections:
        return Range(name, kind, flags, 0, 0)
    end = sections[-1].address + sections[-1].size
    return Range(
        name, kind, flags, sections[0].address, end, max(each.alignment for each in sections)
    )


def _placed(sections: Sequence[tuple[str, bytes]], at: int) -> tuple[list[Range], bytes]:
    """Place sections one after another in the file; return their ranges and all bytes.

    sections: the name and the contents of each section.
    at: the offset of the first one.
    """
    ranges: list[Range] = []
    data = bytearray()
    for name, body in sections:
        data += bytes(-(at + len(data)) % 8)
        start = at + len(data)
        ranges.append(Range(name, SectionKind.PROGBITS, 0, start, start + len(body)))
        data += body
    return ranges, bytes(data)


def _aligned(at: int) -> int:
    return -(-at // 8) * 8

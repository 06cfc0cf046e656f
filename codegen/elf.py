"""Parser of relocatable ELF64 object files: sections, symbols, relocations.

Only relocations with explicit addends (RELA) are supported, as LLVM writes them for 64-bit
machines.
Source: System V ABI, chapters 4 and 5.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import IntEnum, IntFlag

from ..runtime.errors import Error
from ..runtime.file.elf_format import ElfFormat, format_of

TYPE_RELOCATABLE, TYPE_SHARED = 1, 3


class SectionKind(IntEnum):
    """Section types that the linker reads or writes; other types stay plain integers."""

    PROGBITS = 1
    SYMTAB = 2
    STRTAB = 3
    RELA = 4
    HASH = 5
    DYNAMIC = 6
    NOTE = 7
    NOBITS = 8
    DYNSYM = 11
    INIT_ARRAY = 14
    FINI_ARRAY = 15
    PREINIT_ARRAY = 16


class SectionFlag(IntFlag):
    """Section flags that select the segment of a section."""

    WRITE = 1
    ALLOC = 2
    EXECUTE = 4
    TLS = 0x400


class SymbolBinding(IntEnum):
    """The ELF bindings of symbols."""

    LOCAL = 0
    GLOBAL = 1
    WEAK = 2


_CONSTRUCTOR_KINDS = (
    SectionKind.INIT_ARRAY,
    SectionKind.FINI_ARRAY,
    SectionKind.PREINIT_ARRAY,
)
SYMBOL_OBJECT, SYMBOL_TLS = 1, 6
VISIBILITY_DEFAULT = 0
INDEX_UNDEFINED, INDEX_ABSOLUTE, _INDEX_COMMON = 0, 0xFFF1, 0xFFF2


class LinkError(Error, RuntimeError):
    """The error for objects that cannot be linked; it names the object and the fault."""


@dataclass(eq=False)
class ObjectSection:
    """A section of an object file; the linker sets its address.

    kind: the ELF section type.
    flags: the ELF section flags.
    body: the bytes; None for a section without bytes in the file, such as .bss.
    address: the address in the linked image.
    """

    name: str
    kind: int
    flags: int
    size: int
    alignment: int
    body: bytearray | None
    address: int = 0


@dataclass(eq=False)
class ObjectSymbol:
    """A symbol of an object file.

    It is undefined if it has neither a section nor an absolute value.  Symbols are compared by
    identity, because local symbols of different objects may share a name.
    kind: the ELF symbol type.
    other: the ELF field st_other.
    value: the offset in the section, or the absolute value.
    """

    name: str
    binding: int
    kind: int
    other: int
    section: ObjectSection | None
    value: int
    size: int
    absolute: bool = False

    @property
    def visibility(self) -> int:
        """Return the ELF visibility of the symbol: the low bits of the field ``other``."""
        return self.other & 3

    @property
    def defined(self) -> bool:
        """Return whether this object defines the symbol."""
        return self.absolute or self.section is not None

    @property
    def address(self) -> int:
        """Return the address in the linked image.

        Before: the linker has set the addresses of all sections.
        """
        return self.value if self.section is None else self.section.address + self.value


@dataclass(frozen=True)
class Relocation:
    """A position in a section whose content depends on the address of a symbol.

    offset: the position in the section.
    kind: the ELF relocation type, which belongs to the instruction set.
    addend: the number to add to the address.
    """

    section: ObjectSection
    offset: int
    symbol: ObjectSymbol
    kind: int
    addend: int


@dataclass
class ObjectFile:
    """A parsed relocatable object file.

    name: the name of the object in error messages.
    machine: the ELF number of the instruction set.
    """

    name: str
    machine: int
    sections: list[ObjectSection] = field(default_factory=list[ObjectSection])
    symbols: list[ObjectSymbol] = field(default_factory=list[ObjectSymbol])
    relocations: list[Relocation] = field(default_factory=list[Relocation])


def read_object(data: bytes, name: str) -> ObjectFile:
    """Parse the bytes of a relocatable object.

    name: the name of the object in error messages.
    Errors: LinkError if the bytes are not an ELF64 relocatable object, or contain thread-local
    symbols, common symbols or constructors.
    """
    elf = format_of(data)
    if elf is None:
        raise LinkError(f"{name}: not an ELF64 object")
    header = elf.file_header.unpack_from(data)
    if header[1] != TYPE_RELOCATABLE:
        raise LinkError(f"{name}: expected a relocatable object, got ELF type {header[1]}")
    return _ObjectTables(elf, data, name, header).read()


class _ObjectTables:
    def __init__(self, elf: ElfFormat, data: bytes, name: str, header: Sequence[int]) -> None:
        self.elf, self.data = elf, data
        table, count, self.names = header[6], header[12], header[13]
        row = elf.section_header
        places = range(table, table + row.size * count, row.size)
        self.rows = [row.unpack_from(data, at) for at in places]
        self.file = ObjectFile(name, header[2])

    def read(self) -> ObjectFile:
        self.file.sections = [self._section(row) for row in self.rows]
        for row in self.rows:
            if row[1] == SectionKind.SYMTAB:
                self.file.symbols = self._symbols(row)
        for row in self.rows:
            if row[1] == SectionKind.RELA:
                self._read_relocations(row)
        return self.file

    def _text(self, table: int, at: int) -> str:
        start = self.rows[table][4] + at
        return self.data[start : self.data.index(b"\0", start)].decode()

    def _section(self, row: tuple[int, ...]) -> ObjectSection:
        name, kind, flags, _, offset, size, _, _, alignment, _ = row
        body = None if kind == SectionKind.NOBITS else bytearray(self.data[offset : offset + size])
        section = ObjectSection(
            self._text(self.names, name), kind, flags, size, max(alignment, 1), body
        )
        if flags & SectionFlag.TLS:
            raise LinkError(f"{self.file.name}: thread-local section {section.name}")
        if kind in _CONSTRUCTOR_KINDS or section.name.startswith((".ctors", ".dtors")):
            raise LinkError(f"{self.file.name}: constructors in section {section.name}")
        return section

    def _symbols(self, row: tuple[int, ...]) -> list[ObjectSymbol]:
        offset, size, strings = row[4], row[5], row[6]
        places = range(offset, offset + size, self.elf.symbol.size)
        return [self._symbol(self.elf.symbol.unpack_from(self.data, at), strings) for at in places]

    def _symbol(self, fields: tuple[int, ...], strings: int) -> ObjectSymbol:
        name_at, info, other, index, value, size = fields
        name = self._text(strings, name_at)
        if index == _INDEX_COMMON or info & 15 == SYMBOL_TLS:
            raise LinkError(f"{self.file.name}: common or thread-local symbol {name}")
        section = None
        if index not in (INDEX_UNDEFINED, INDEX_ABSOLUTE):
            section = self.file.sections[index]
        absolute = index == INDEX_ABSOLUTE
        return ObjectSymbol(name, info >> 4, info & 15, other, section, value, size, absolute)

    def _read_relocations(self, row: tuple[int, ...]) -> None:
        section = self.file.sections[row[7]]
        start, size = row[4], row[5]
        for at in range(start, start + size, self.elf.relocation.size):
            fields: tuple[int, int, int] = self.elf.relocation.unpack_from(self.data, at)
            offset, info, addend = fields
            symbol = self.file.symbols[info >> 32]
            self.file.relocations.append(
                Relocation(section, offset, symbol, info & 0xFFFFFFFF, addend)
            )

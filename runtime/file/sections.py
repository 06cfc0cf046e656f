"""ELF files of 64 bits, read by their section headers: sections, symbols, and data offsets.

In: the bytes of a relocatable object, a shared object or a program. Out: its sections, its
undefined symbols, and the data at a symbol. A file without section headers has no sections and no
symbols here.

Source: System V ABI, chapter 4.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

from ..abi.library import LoadError
from .elf_format import format_of, text_at

RELOCATABLE, PROGRAM, SHARED = 1, 2, 3
_SYMTAB, _DYNSYM = 2, 11
_SYSTEMS = {b"MZ": "Windows (DLL)", b"\xcf\xfa\xed\xfe": "macOS or iOS (Mach-O)"}
"""The systems whose files start with some bytes."""
_WEAK = 2


def is_elf(data: memoryview) -> bool:
    """Return whether a file is an ELF file of 64 bits."""
    return format_of(data) is not None


def is_of_other_system(data: memoryview) -> bool:
    """Return whether a file is a library or an object of Windows, macOS or iOS."""
    return any(bytes(data[: len(start)]) == start for start in _SYSTEMS)


def check_system(data: memoryview, name: str) -> None:
    """Raise an error for a file of Windows, macOS or iOS.

    name: the file's name in messages.

    Errors: LoadError.
    """
    for start, systems in _SYSTEMS.items():
        if bytes(data[: len(start)]) == start:
            raise LoadError(
                f"{name} is a file of another system",
                expected="a file for Linux (ELF)",
                got=f"a file for {systems}",
                hint="export the model for this machine to load or inspect it here",
            )


@dataclass(frozen=True)
class Section:
    """A section: its name, and the fields of its section header.

    kind: sh_type.  address: where a process maps it.  offset, size: its range in the file.  link:
    the number of a section that it refers to.
    """

    name: str
    kind: int
    address: int
    offset: int
    size: int
    link: int


@dataclass(frozen=True)
class Symbol:
    """A symbol of an ELF file.

    is_weak: whether it may stay undefined.  section: the number of its section; 0: undefined.
    value: its value as stored in the file.  size: the number of bytes at it.
    """

    name: str
    is_weak: bool
    section: int
    value: int
    size: int


class Sections:
    """The sections and symbols of an ELF file.

    kind: the ELF type, such as `SHARED`.  is_started: whether the file is a program with an entry
    point.

    Errors: LoadError if the bytes are not an ELF file of 64 bits, or if its tables are damaged.
    """

    def __init__(self, data: memoryview, name: str) -> None:
        self.name, self.data = name, data
        elf = format_of(data)
        if elf is None:
            check_system(data, name)
            raise self._damaged("it is not an ELF file of 64 bits")
        self._elf = elf
        fields = elf.file_header.unpack_from(data)
        self.kind: int = fields[1]
        self.machine: int = fields[2]
        self.is_started = fields[4] != 0
        self._table: tuple[int, int, int] = fields[6], fields[12], fields[13]

    @cached_property
    def rows(self) -> list[Section]:
        """All sections, the null one first."""
        at, count, names = self._table
        try:
            header = self._elf.section_header
            rows = [header.unpack_from(self.data, at + header.size * n) for n in range(count)]
            texts = rows[names][4] if rows else 0
            return [Section(text_at(self.data, texts + row[0]), row[1], *row[3:7]) for row in rows]
        except (struct.error, IndexError, ValueError) as err:
            raise self._damaged(f"its sections cannot be read: {err}") from err

    @property
    def shown(self) -> list[Section]:
        """The sections with a name and contents."""
        return [each for each in self.rows if each.name and each.size]

    @cached_property
    def symbols(self) -> list[Symbol]:
        """The symbols of the full symbol table, or else of the dynamic one."""
        return self._symbols(_SYMTAB) or self._symbols(_DYNSYM)

    @property
    def exported(self) -> list[str]:
        """The names of the dynamic symbols that the file defines."""
        return [each.name for each in self._symbols(_DYNSYM) if each.section]

    @property
    def undefined(self) -> list[Symbol]:
        """The undefined symbols, which other files must define, sorted by name."""
        own = [each for each in self.symbols if each.section == 0 and each.name]
        return sorted(own, key=lambda each: each.name)

    def text(self, symbol: str) -> str:
        """Return the NUL-terminated text at a symbol; empty if the file lacks the symbol."""
        for each in self.symbols:
            if each.name == symbol and 0 < each.section < len(self.rows):
                section = self.rows[each.section]
                start = section.offset + each.value
                if self.kind != RELOCATABLE:
                    start -= section.address
                data = bytes(self.data[start : start + each.size])
                return data.partition(b"\0")[0].decode(errors="replace")
        return ""

    def _symbols(self, kind: int) -> list[Symbol]:
        try:
            return [*chain.from_iterable(self._rows_of(t) for t in self.rows if t.kind == kind)]
        except (struct.error, IndexError, ValueError) as err:
            raise self._damaged(f"its symbols cannot be read: {err}") from err

    def _rows_of(self, table: Section) -> Iterator[Symbol]:
        strings = self.rows[table.link].offset
        symbol = self._elf.symbol
        for at in range(table.offset, table.offset + table.size, symbol.size):
            name, info, _, section, value, size = symbol.unpack_from(self.data, at)
            text = text_at(self.data, strings + name)
            yield Symbol(text, info >> 4 == _WEAK, section, value, size)

    def _damaged(self, got: str) -> LoadError:
        return _damaged(self.name, got)


def _damaged(name: str, got: str) -> LoadError:
    return LoadError(
        f"{name} is no exported model that can be shown",
        expected="a file that export_library wrote",
        got=got,
        hint="export the model again",
    )

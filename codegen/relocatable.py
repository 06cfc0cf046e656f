"""Combine relocatable objects into one, as `ld -r` and then `objcopy --keep-global-symbols` do.

In: the object files of a model, blobs, and the names that other object files may use. Out: one
relocatable object, which any linker accepts. All other definitions become local, so that two models
fit into one program. Sections keep their contents and relocations; unwind tables are dropped. Debug
sections of the same name become one section, because tools read only the first section of a name.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from .debug_sections import DebugSections, is_debug, joined
from .elf import (
    INDEX_ABSOLUTE,
    INDEX_UNDEFINED,
    TYPE_RELOCATABLE,
    VISIBILITY_DEFAULT,
    LinkError,
    ObjectFile,
    ObjectSection,
    ObjectSymbol,
    Relocation,
    SectionFlag,
    SectionKind,
    SymbolBinding,
    read_object,
)
from .linker import Blob, SymbolTable, architecture_of, blob_section, is_kept, needed_objects
from .relocations import Architecture
from .sections import Range, Strings, section_headers
from .symbols import Named, shown_symbols

_KEPT_FLAGS = SectionFlag.WRITE | SectionFlag.ALLOC | SectionFlag.EXECUTE
_MOST_SECTIONS = 0xFF00
_ALIGNMENT_BYTES = 16


def combine(
    objects: Iterable[bytes],
    *,
    blobs: Sequence[Blob] = (),
    exports: Mapping[str, str],
    shared: Collection[str] = (),
    kernels: Sequence[Named] = (),
) -> bytes:
    """Return one relocatable object that combines several objects, as bytes.

    Objects that the exports do not need are left out.
    objects: the bytes of the object files.
    blobs: the constants to embed.
    exports: the new name of each definition that other objects may use, by its name in the objects.
    shared: visible symbols that several objects may define; all references use the first
    definition.
    kernels: the names of the program's kernels, for the symbol table.
    Errors: LinkError for duplicate or missing symbols, mixed instruction sets, too many sections.
    """
    files = [read_object(data, f"object {i}") for i, data in enumerate(objects)]
    architecture, files = architecture_of(files), needed_objects(files, (*exports, *shared))
    names = {**shown_symbols(kernels), **exports}
    return _Combined(architecture, files, blobs, exports, shared, names).data()


@dataclass(frozen=True)
class _Row:
    """A section of the combined object: the fields of its header, and its contents.

    body: the bytes; None for a section of zeros.
    link: the name of the section to which the field sh_link refers; "" for none.
    info, entry_bytes: the fields sh_info and sh_entsize.
    """

    name: str
    kind: int
    flags: int
    body: bytes | bytearray | None
    size: int
    alignment: int = 1
    link: str = ""
    info: int = 0
    entry_bytes: int = 0


@dataclass
class _Combined:
    """The combined object under construction; `data` returns the file.

    exports, shared: as in `combine`.
    names: the new names of symbols: of the exports, and of kernels for the symbol table.
    rows: the sections so far.
    places: the number of the section in the file that contains an input section.
    indices: the position of each symbol in the symbol table.
    """

    architecture: Architecture
    files: list[ObjectFile]
    blobs: Sequence[Blob]
    exports: Mapping[str, str]
    shared: Collection[str]
    names: Mapping[str, str]
    rows: list[_Row] = field(default_factory=list[_Row])
    places: dict[ObjectSection, int] = field(default_factory=dict[ObjectSection, int])
    indices: dict[ObjectSymbol, int] = field(default_factory=dict[ObjectSymbol, int])

    def data(self) -> bytes:
        table = SymbolTable(self.files)
        sections = [blob_section(blob, table) for blob in self.blobs]
        sections += [each for file in self.files for each in file.sections if is_kept(each)]
        for number, section in enumerate(sections, 1):
            self.places[section] = number
            flags = section.flags & _KEPT_FLAGS
            self.rows.append(
                _Row(section.name, section.kind, flags, section.body, section.size,
                     section.alignment)
            )  # fmt: skip
        debug = DebugSections(self.files)
        self._add_debug(debug)
        relocations = [
            each for file in self.files for each in file.relocations if is_kept(each.section)
        ]
        relocations += debug.relocations
        symbols, strings, local = self._symbols(table, relocations)
        self._add_relocations(table, relocations)
        self.rows.append(_Row(".note.GNU-stack", SectionKind.PROGBITS, 0, b"", 0))
        self.rows.append(
            _Row(".symtab", SectionKind.SYMTAB, 0, symbols, len(symbols), 8, ".strtab", local,
                 self.architecture.elf.symbol.size)
        )  # fmt: skip
        self.rows.append(_Row(".strtab", SectionKind.STRTAB, 0, strings, len(strings)))
        return self._laid_out()

    def _add_debug(self, debug: DebugSections) -> None:
        for name, parts in debug.parts.items():
            self.places |= dict.fromkeys(parts, len(self.rows) + 1)
            body = joined(parts)
            alignment = max(part.alignment for part in parts)
            self.rows.append(_Row(name, SectionKind.PROGBITS, 0, body, len(body), alignment))

    def _symbols(
        self, table: SymbolTable, relocations: Sequence[Relocation]
    ) -> tuple[bytes, bytes, int]:
        """Return the symbol table, its strings, and the number of local symbols.

        The first two are bytes.
        table: the resolved symbols.
        relocations: all relocations; the table also contains the external symbols to which they
        refer.
        """
        visible = dict.fromkeys(table.exported((*self.exports, *self.shared)))
        resolved = (table.resolve(each) for file in self.files for each in file.symbols)
        every = dict.fromkeys((*resolved, *table.defined.values()))
        hidden = [each for each in every if self._is_defined(each) and each not in visible]
        used = dict.fromkeys(table.resolve(each.symbol) for each in relocations)
        outer = [each for each in used if not each.defined]
        strings, rows = Strings(), [bytes(self.architecture.elf.symbol.size)]
        for symbol in (*hidden, *visible, *outer):
            self.indices[symbol] = len(rows)
            name = strings.add(self.names.get(symbol.name, symbol.name))
            outer_binding = (
                SymbolBinding.WEAK if symbol.name in self.shared else SymbolBinding.GLOBAL
            )
            inner = outer_binding if symbol in visible else SymbolBinding.LOCAL
            binding = inner if symbol.defined else symbol.binding
            rows.append(self._symbol_row(symbol, name, binding))
        return b"".join(rows), bytes(strings.data), 1 + len(hidden)

    def _is_defined(self, symbol: ObjectSymbol) -> bool:
        in_file = symbol.absolute or symbol.section in self.places
        return symbol.defined and in_file

    def _symbol_row(self, symbol: ObjectSymbol, name: int, binding: int) -> bytes:
        index = INDEX_UNDEFINED
        if symbol.defined:
            index = INDEX_ABSOLUTE if symbol.section is None else self.places[symbol.section]
        # The symbol of a section is at its start, but a part of a joined section is not.
        is_part = symbol.section is not None and is_debug(symbol.section)
        info = binding << 4 | (0 if is_part else symbol.kind)
        # A hidden weak symbol that no object defines is null, even if a shared object defines it.
        is_optional = not symbol.defined and symbol.binding == SymbolBinding.WEAK
        visibility = symbol.visibility if is_optional else VISIBILITY_DEFAULT
        other = symbol.other - symbol.visibility + visibility
        return self.architecture.elf.symbol.pack(
            name, info, other, index, symbol.address, symbol.size
        )

    def _add_relocations(self, table: SymbolTable, relocations: Sequence[Relocation]) -> None:
        by_section: dict[int, list[bytes]] = {}
        for each in relocations:
            index = self.indices[table.resolve(each.symbol)]
            at = each.section.address + each.offset
            row = self.architecture.elf.relocation.pack(at, index << 32 | each.kind, each.addend)
            by_section.setdefault(self.places[each.section], []).append(row)
        for place, rows in by_section.items():
            body, name = b"".join(rows), self.rows[place - 1].name
            self.rows.append(
                _Row(f".rela{name}", SectionKind.RELA, 0, body, len(body), 8, ".symtab", place,
                     self.architecture.elf.relocation.size)
            )  # fmt: skip

    def _laid_out(self) -> bytes:
        """Return the bytes of the file: header, contents of all sections, section headers.

        Errors: LinkError for more sections than a header can count.
        """
        names = Strings()
        for name in (*(row.name for row in self.rows), ".shstrtab"):
            names.add(name)
        self.rows.append(
            _Row(".shstrtab", SectionKind.STRTAB, 0, bytes(names.data), len(names.data))
        )
        count = len(self.rows) + 1
        if count >= _MOST_SECTIONS:
            raise LinkError(f"one object cannot have {count} sections")
        elf = self.architecture.elf
        parts, ranges = [b""], list[Range]()
        at = elf.file_header.size
        for row in self.rows:
            padding = -at % max(row.alignment, _ALIGNMENT_BYTES)
            body = b"" if row.body is None else bytes(row.body)
            parts += [bytes(padding), body]
            start = at + padding
            ranges.append(
                Range(row.name, row.kind, row.flags, start, start + row.size, row.alignment,
                      row.link, row.info, row.entry_bytes)
            )  # fmt: skip
            at = start + len(body)
        padding = -at % 8
        parts[0] = elf.file_header.pack(
            elf.magic, TYPE_RELOCATABLE, self.architecture.machine, 1, 0, 0, at + padding,
            self.architecture.flags, elf.file_header.size, 0, 0, elf.section_header.size,
            count, count - 1,
        )  # fmt: skip
        headers = section_headers(elf, ranges, names, has_addresses=False)
        return b"".join((*parts, bytes(padding), headers))

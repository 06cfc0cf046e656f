"""Link relocatable objects into one shared object, without a system linker.

The image has these loadable segments, with file offset equal to address:

    read       headers, build ID, symbol table, strings, dynamic relocations, constants, blobs
    execute    code, stubs for calls to external functions
    write      dynamic section, global offset table, data; then zeroed data
    apart      large blobs, if any

After the segments follow sections for tools: debug sections (debug_sections.py), symbols, strings
and section headers (sections.py).

References to symbols that an object defines are bound inside the image; other libraries cannot
interpose them.  The loader resolves undefined symbols; a weak symbol without a definition becomes
null.
Not supported: thread-local data, constructors, unwind tables (`.eh_frame` is dropped).
"""

from __future__ import annotations

import struct
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from ..machines.platforms import platform_of
from .debug_sections import DebugSections
from .elf import (
    SYMBOL_OBJECT,
    TYPE_SHARED,
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
from .relocations import (
    ARCHITECTURES,
    TABLE_MIDDLE,
    Architecture,
    Need,
    RelocationOutOfRange,
)
from .sections import ImageSections, Range, Strings, covering
from .symbols import Named, shown_symbols

_LOAD, _DYNAMIC, _NOTE, _STACK = 1, 2, 4, 0x6474E551
_EXECUTE, _WRITE, _READ = 1, 2, 4
_DYNAMIC_ROWS, _NEEDED = 10, 1
_HIDDEN = 2


@dataclass(frozen=True)
class Blob:
    """Read-only bytes that the linker embeds under a symbol, such as a manifest or weights.

    is_exported: whether dlsym finds the symbol; if not, only the linked objects can refer to it.
    is_apart: whether the bytes are in a segment of their own.
    """

    symbol: str
    data: bytes | bytearray | memoryview
    alignment: int = 64
    is_exported: bool = True
    is_apart: bool = False


def link(
    objects: Iterable[bytes],
    *,
    blobs: Sequence[Blob] = (),
    exports: Collection[str] | None = None,
    has_build_id: bool = False,
    start: str = "",
    kernels: Sequence[Named] = (),
    triple: str = "",
) -> bytes:
    """Link relocatable objects into a shared object or a static program; return the file as bytes.

    Objects that neither the exports nor the start function need are left out.
    objects: the bytes of the object files.
    blobs: the constants to embed.
    exports: the names that dlsym finds; None for every global symbol of default visibility.
    has_build_id: whether to reserve a build ID of 32 zero bytes, which the caller replaces.
    start: for a static program, the function at which the system starts it.  This function must add
    the load address of the program to the words that the dynamic relocations list.
    kernels: the names of the program's kernels, for the symbol table that tools read.
    triple: the LLVM triple of the system, if it has large pages or the object must name its
    libraries.
    Errors: LinkError for duplicate or missing symbols, mixed instruction sets, unsupported
    relocations and sections, and relocated distances that do not fit their fields.
    """
    files = [read_object(data, f"object {i}") for i, data in enumerate(objects)]
    architecture, libraries = architecture_of(files), ()
    if triple:
        platform = platform_of(triple)
        page_bytes = max(architecture.page_bytes, platform.page_bytes)
        architecture = replace(architecture, page_bytes=page_bytes)
        libraries = platform.libraries
    if exports is not None:
        files = needed_objects(files, (*exports, start))
    image = _Image(architecture, files, blobs, exports, libraries, has_build_id=has_build_id)
    image.shown = shown_symbols(kernels)
    if start:
        image.start_at(start)
    return bytes(image.write())


def needed_objects(files: list[ObjectFile], roots: Collection[str]) -> list[ObjectFile]:
    """Return the objects that define some symbols, and all objects that these need, in order.

    An object needs the objects that define the symbols to which it refers.  If several objects
    define a symbol, only the first strong definition counts, or the first weak one if none is
    strong.
    roots: the names of the symbols to begin with.
    """
    visible = [
        [each for each in file.symbols if each.binding != SymbolBinding.LOCAL] for file in files
    ]
    defined = [(s, n) for n, symbols in enumerate(visible) for s in symbols if s.defined]
    # The first strong definition of a symbol counts; the first weak one if there is none.
    defined.sort(key=lambda each: each[0].binding == SymbolBinding.WEAK)
    owners = {symbol.name: number for symbol, number in reversed(defined)}
    needed, names = set[int](), [*roots]
    while names:
        number = owners.get(names.pop())
        if number is not None and number not in needed:
            needed.add(number)
            names += [each.name for each in visible[number]]
    return [file for number, file in enumerate(files) if number in needed]


def architecture_of(files: list[ObjectFile]) -> Architecture:
    """Return the description of the instruction set for which all objects are compiled.

    Errors: LinkError for no objects, for several instruction sets, or for an instruction set whose
    relocations are unknown.
    """
    machines = {file.machine for file in files}
    if len(machines) != 1:
        raise LinkError(f"expected objects of one machine, got ELF machines {sorted(machines)}")
    machine = machines.pop()
    if machine not in ARCHITECTURES:
        known = ", ".join(f"{each.machine} ({each.name})" for each in ARCHITECTURES.values())
        raise LinkError(f"cannot link ELF machine {machine}\n    expected: {known}")
    return ARCHITECTURES[machine]


def _aligned(value: int, alignment: int) -> int:
    return (value + alignment - 1) // alignment * alignment


class SymbolTable:
    """The global symbols of several objects: a definition or an external symbol per name."""

    def __init__(self, files: list[ObjectFile]) -> None:
        self.defined: dict[str, ObjectSymbol] = {}
        self.external: dict[str, ObjectSymbol] = {}
        for file in files:
            for symbol in file.symbols:
                if symbol.binding != SymbolBinding.LOCAL and symbol.defined:
                    self.define(symbol, file.name)

    def define(self, symbol: ObjectSymbol, origin: str) -> None:
        """Add a definition of a symbol; a strong one replaces an earlier weak one.

        origin: the name of the object, for messages.
        Errors: LinkError for two strong definitions.
        """
        other = self.defined.get(symbol.name)
        if other is not None and SymbolBinding.WEAK not in (other.binding, symbol.binding):
            raise LinkError(f"{origin}: symbol {symbol.name} is defined twice")
        if other is None or (
            other.binding == SymbolBinding.WEAK and symbol.binding != SymbolBinding.WEAK
        ):
            self.defined[symbol.name] = symbol

    def resolve(self, symbol: ObjectSymbol) -> ObjectSymbol:
        """Return the symbol to which a reference is bound: a definition, or an external symbol.

        symbol: the symbol in the object that refers to it.
        """
        if symbol.binding == SymbolBinding.LOCAL:
            return symbol
        found = self.defined.get(symbol.name)
        if found is not None:
            return found
        external = self.external.setdefault(symbol.name, symbol)
        if symbol.binding == SymbolBinding.GLOBAL and external.binding == SymbolBinding.WEAK:
            external.binding = SymbolBinding.GLOBAL
        return external

    def exported(self, names: Collection[str] | None) -> list[ObjectSymbol]:
        """Return the definitions of the symbols that dlsym will find in the library.

        names: the names of the symbols; None for all definitions of default visibility.
        Errors: LinkError if a name is not defined.
        """
        if names is None:
            every = self.defined.values()
            return [each for each in every if each.visibility == VISIBILITY_DEFAULT]
        missing = sorted(set(names) - set(self.defined))
        if missing:
            raise LinkError(f"exported symbols are not defined: {', '.join(missing)}")
        return [self.defined[name] for name in names]


class _Image:
    """A shared object or static program under construction.

    The constructor sets the addresses of all parts; `write` returns the bytes.
    """

    def __init__(
        self,
        architecture: Architecture,
        files: list[ObjectFile],
        blobs: Sequence[Blob],
        exports: Collection[str] | None,
        libraries: Sequence[str],
        *,
        has_build_id: bool,
    ) -> None:
        self.architecture, self.elf, self.start = architecture, architecture.elf, 0
        self.shown: Mapping[str, str] = {}
        self.symbols, self.debug = SymbolTable(files), DebugSections(files)
        self.slots_section = ObjectSection(".got", SectionKind.PROGBITS, 0, 0, 8, None)
        self.table = ObjectSymbol(
            ".TOC.", SymbolBinding.WEAK, SYMBOL_OBJECT, _HIDDEN, self.slots_section, TABLE_MIDDLE, 0
        )
        self.symbols.define(self.table, "the table of contents")
        sections = [blob_section(blob, self.symbols) for blob in blobs]
        self.blobs = [each for each, b in zip(sections, blobs, strict=True) if not b.is_apart]
        self.apart = [each for each, b in zip(sections, blobs, strict=True) if b.is_apart]
        shown = [blob.symbol for blob in blobs if blob.is_exported]
        wanted = None if exports is None else dict.fromkeys((*exports, *shown))
        self.exports = self.symbols.exported(wanted)
        # A note of type NT_GNU_BUILD_ID; the caller replaces its 32 bytes.
        note = self.elf.pack("III4s", 4, 32, 3, b"GNU\0") + bytes(32)
        self.build_id = note if has_build_id else b""
        self.slots: dict[ObjectSymbol, int] = {}
        self.stubs: dict[ObjectSymbol, int] = {}
        self.words: list[Relocation] = []
        self.relocations = [each for file in files for each in file.relocations]
        kept = [section for file in files for section in file.sections if is_kept(section)]
        self.relocations = [each for each in self.relocations if is_kept(each.section)]
        self.firsts = {(each.section, each.offset): each for each in self.relocations}
        for relocation in self.relocations:
            self._scan(relocation)
        self._sort_sections(kept)
        self.local = _local_symbols(files, {*kept}, self.symbols, {*self.exports})
        self.strings = Strings()
        self.dynamic_symbols = [*self.symbols.external.values(), *self.exports]
        self.names = [self.strings.add(symbol.name) for symbol in self.dynamic_symbols]
        self.libraries = [self.strings.add(name) for name in libraries]
        self.dynamic_bytes = 16 * (_DYNAMIC_ROWS + len(libraries))
        self._lay_out()

    def start_at(self, name: str) -> None:
        """Make the image a static program whose execution starts at a function.

        name: the function's symbol.
        Errors: LinkError for symbols that no object defines.
        """
        outer = self.symbols.external.values()
        if missing := sorted(each.name for each in outer if each.binding != SymbolBinding.WEAK):
            raise LinkError(f"a program needs symbols that are not defined: {', '.join(missing)}")
        (symbol,) = self.symbols.exported((name,))
        self.start = symbol.address

    def _scan(self, relocation: Relocation) -> None:
        """Record what a relocation requires: a slot of the global offset table, a stub, or a word.

        The loader fills the slots and the words by dynamic relocations.
        Errors: LinkError if the relocation is unknown, or refers directly to a symbol outside the
        image.
        """
        kind = self.architecture.kinds.get(relocation.kind)
        symbol = self.symbols.resolve(relocation.symbol)
        if kind is None:
            raise LinkError(
                f"{self.architecture.name} relocation {relocation.kind} against "
                f"{symbol.name or 'a section'} is not supported\n"
                "    hint: compile with reloc=pic and the small code model"
            )
        if kind.need is Need.PAIR:
            return
        if kind.need is Need.WORD:
            self.words.append(relocation)
        elif kind.need is Need.SLOT:
            self.slots[symbol] = 0
        elif not symbol.defined:
            if kind.need is Need.ADDRESS:
                raise LinkError(f"{kind.name} refers directly to the external {symbol.name}")
            self.slots[symbol] = self.stubs[symbol] = 0

    def _sort_sections(self, sections: list[ObjectSection]) -> None:
        """Assign each section to a segment.

        Constants that contain addresses belong to the writable segment, because the loader writes
        them.
        """
        patched = {relocation.section for relocation in self.words}
        self.constants = list(self.blobs)
        self.code: list[ObjectSection] = []
        self.data: list[ObjectSection] = []
        self.zeroed: list[ObjectSection] = []
        for section in sections:
            if section.flags & SectionFlag.EXECUTE:
                if section in patched:
                    raise LinkError(f"absolute address in code section {section.name}")
                self.code.append(section)
            elif section.body is None:
                self.zeroed.append(section)
            elif section.flags & SectionFlag.WRITE or section in patched:
                self.data.append(section)
            else:
                self.constants.append(section)
        # The table of contents must be within reach of its register.
        self.data.sort(key=lambda section: section.name != ".toc")

    def _lay_out(self) -> None:
        page = self.architecture.page_bytes
        count = len(self.dynamic_symbols)
        headers = 5 + bool(self.build_id) + bool(self.apart)
        self.build_id_at = 64 + 56 * headers
        self.hash_at = _aligned(self.build_id_at + len(self.build_id), 8)
        numbers = 2 + max(1, count) + count + 1
        self.symbols_at = _aligned(self.hash_at + self._hash_word_bytes * numbers, 8)
        self.strings_at = self.symbols_at + 24 * (count + 1)
        self.dynamic_relocations_at = _aligned(self.strings_at + len(self.strings.data), 8)
        at = self.dynamic_relocations_at + 24 * (len(self.slots) + len(self.words))
        self.read_end = _place(self.constants, at)
        self.execute_at = _aligned(self.read_end, page)
        at = _aligned(_place(self.code, self.execute_at), 16)
        for index, symbol in enumerate(self.stubs):
            self.stubs[symbol] = at + index * self.architecture.stub_bytes
        self.execute_end = at + len(self.stubs) * self.architecture.stub_bytes
        self.dynamic_at = _aligned(self.execute_end, page)
        slots_at = self.slots_section.address = self.dynamic_at + self.dynamic_bytes
        for index, symbol in enumerate(self.slots):
            self.slots[symbol] = slots_at + 8 * index
        self.write_end = _place(self.data, slots_at + 8 * len(self.slots))
        self.memory_end = _place(self.zeroed, self.write_end)
        self.apart_at = _aligned(self.memory_end, page)
        self.file_end = _place(self.apart, self.apart_at) if self.apart else self.write_end

    def write(self) -> bytearray:
        for relocation in self.relocations:
            self._patch(relocation)
        image = bytearray(self.file_end)
        relocations = self._dynamic_relocations()
        sections = ImageSections(self.elf, self._ranges(len(relocations)))
        debug = self.debug.joined(self.symbols.resolve)
        tail = sections.tail(self.file_end, debug, self.local, self.dynamic_symbols, self.shown)
        parts = [
            (0, self._headers(tail.headers_at, tail.count)),
            (self.build_id_at, self.build_id),
            (self.hash_at, self._hash_table()),
            (self.symbols_at, self._symbol_table(sections)),
            (self.strings_at, bytes(self.strings.data)),
            (self.dynamic_relocations_at, relocations),
            (self.dynamic_at, self._dynamic_section(len(relocations))),
        ]
        for symbol, at in self.stubs.items():
            parts.append((at, self.architecture.stub(at, self.slots[symbol], self.table.address)))
        for at, data in parts:
            image[at : at + len(data)] = data
        for section in (*self.constants, *self.code, *self.data, *self.apart):
            image[section.address : section.address + section.size] = section.body or b""
        image += tail.data
        return image

    def _patch(self, relocation: Relocation) -> None:
        """Apply a relocation: write an address or a distance into the bytes of its section.

        Errors: LinkError if the distance does not fit.
        """
        kind, section = self.architecture.kinds[relocation.kind], relocation.section
        if section.body is None:
            raise LinkError(f"relocation in section {section.name}, which holds no bytes")
        # The second instruction of a pair has a part of the distance of the first one.
        first = self._first_of(relocation) if kind.need is Need.PAIR else relocation
        place = first.section.address + first.offset
        if kind.need is Need.TABLE:
            place = self.table.address
        try:
            kind.patch(section.body, relocation.offset, place, self._target_of(first))
        except RelocationOutOfRange as err:
            raise LinkError(f"{kind.name} against {relocation.symbol.name}: {err}") from err
        if kind.need is Need.CALL and self.symbols.resolve(relocation.symbol) in self.stubs:
            after, end = self.architecture.after_stub, relocation.offset + 4
            section.body[end : end + len(after)] = after

    def _target_of(self, relocation: Relocation) -> int:
        """Return the address to which a relocation refers, plus its addend."""
        kind = self.architecture.kinds[relocation.kind]
        symbol = self.symbols.resolve(relocation.symbol)
        if kind.need is Need.SLOT:
            return self.slots[symbol] + relocation.addend
        target = symbol.address if symbol.defined else self.stubs.get(symbol, 0)
        if kind.need is Need.CALL and symbol.defined:
            target += self.architecture.local_entry(symbol.other)
        return target + relocation.addend

    def _first_of(self, relocation: Relocation) -> Relocation:
        """Return the relocation of the first instruction of a pair of instructions.

        relocation: the relocation of the second instruction; its symbol is at the first
        instruction.
        Errors: LinkError if the first instruction has no relocation.
        """
        symbol = relocation.symbol
        first = None if symbol.section is None else self.firsts.get((symbol.section, symbol.value))
        if first is None:
            raise LinkError(f"no relocation at {symbol.name}, the first instruction of a pair")
        return first

    def _dynamic_relocations(self) -> bytes:
        """Return the relocations for the loader: of global offset table slots and of words."""
        index = {symbol: i + 1 for i, symbol in enumerate(self.symbols.external.values())}
        machine = self.architecture
        filled = [(at, symbol, 0, machine.slot) for symbol, at in self.slots.items()]
        for word in self.words:
            at, symbol = word.section.address + word.offset, self.symbols.resolve(word.symbol)
            filled.append((at, symbol, word.addend, machine.word))
        rows = (
            (at, machine.relative, symbol.address + addend)
            if symbol.defined
            else (at, index[symbol] << 32 | kind, addend)
            for at, symbol, addend, kind in filled
        )
        return b"".join(self.elf.relocation.pack(*row) for row in rows)

    def _headers(self, sections_at: int, sections: int) -> bytes:
        """Return the ELF file header and the program headers.

        sections_at: the offset of the section headers in the file.
        sections: the number of section headers.
        """
        page = self.architecture.page_bytes
        written, in_memory = self.write_end - self.dynamic_at, self.memory_end - self.dynamic_at
        code_bytes = self.execute_end - self.execute_at
        segments = [
            (_LOAD, _READ, 0, self.read_end, self.read_end, page),
            (_LOAD, _READ | _EXECUTE, self.execute_at, code_bytes, code_bytes, page),
            (_LOAD, _READ | _WRITE, self.dynamic_at, written, in_memory, page),
            (_DYNAMIC, _READ | _WRITE, self.dynamic_at, self.dynamic_bytes, self.dynamic_bytes, 8),
            (_STACK, _READ | _WRITE, 0, 0, 0, 16),
        ]
        if self.apart:
            size = self.file_end - self.apart_at
            segments.insert(3, (_LOAD, _READ, self.apart_at, size, size, page))
        if size := len(self.build_id):
            segments.append((_NOTE, _READ, self.build_id_at, size, size, 4))
        machine, flags = self.architecture.machine, self.architecture.flags
        header = self.elf.file_header.pack(
            self.elf.magic, TYPE_SHARED, machine, 1, self.start, 64, sections_at, flags, 64, 56,
            len(segments), self.elf.section_header.size, sections, sections - 1,
        )  # fmt: skip
        for kind, access, at, file_bytes, memory_bytes, alignment in segments:
            header += self.elf.program_header.pack(
                kind, access, at, at, at, file_bytes, memory_bytes, alignment
            )
        return header

    def _ranges(self, relocation_bytes: int) -> list[Range]:
        alloc, write = SectionFlag.ALLOC, SectionFlag.ALLOC | SectionFlag.WRITE
        execute, plain = SectionFlag.ALLOC | SectionFlag.EXECUTE, SectionKind.PROGBITS
        build_id_end = self.build_id_at + len(self.build_id)
        symbols_end = self.symbols_at + self.elf.symbol.size * (1 + len(self.dynamic_symbols))
        relocations_end = self.dynamic_relocations_at + relocation_bytes
        stubs_bytes = len(self.stubs) * self.architecture.stub_bytes
        stubs_at = self.execute_end - stubs_bytes
        slots_at = self.dynamic_at + self.dynamic_bytes
        return [
            Range(".note.gnu.build-id", SectionKind.NOTE, alloc, self.build_id_at, build_id_end, 4),
            Range(".hash", SectionKind.HASH, alloc, self.hash_at,
                  self.hash_at + len(self._hash_table()), 8, ".dynsym", 0,
                  self._hash_word_bytes),
            Range(".dynsym", SectionKind.DYNSYM, alloc, self.symbols_at, symbols_end, 8,
                  ".dynstr", 1, self.elf.symbol.size),
            Range(".dynstr", SectionKind.STRTAB, alloc, self.strings_at,
                  self.strings_at + len(self.strings.data), 1),
            Range(".rela.dyn", SectionKind.RELA, alloc, self.dynamic_relocations_at,
                  relocations_end, 8, ".dynsym", 0, self.elf.relocation.size),
            covering(".rodata", plain, alloc, self.constants),
            covering(".text", plain, execute, self.code),
            Range(".plt", plain, execute, stubs_at, self.execute_end, 16),
            Range(".dynamic", SectionKind.DYNAMIC, write, self.dynamic_at, slots_at, 8,
                  ".dynstr", 0, 16),
            Range(".got", plain, write, slots_at, slots_at + 8 * len(self.slots), 8, "", 0, 8),
            covering(".data", plain, write, self.data),
            covering(".bss", SectionKind.NOBITS, write, self.zeroed),
            covering(".weights", plain, alloc, self.apart),
        ]  # fmt: skip

    @property
    def _hash_word_bytes(self) -> int:
        return struct.calcsize(self.architecture.hash_word)

    def _hash_table(self) -> bytes:
        """Return the System V hash table of the exported symbols, with a bucket per symbol."""
        count = len(self.dynamic_symbols)
        buckets, chain = [0] * max(1, count), [0] * (count + 1)
        for index, symbol in enumerate(self.dynamic_symbols, 1):
            bucket = _hash(symbol.name) % len(buckets)
            chain[index], buckets[bucket] = buckets[bucket], index
        words = (len(buckets), len(chain), *buckets, *chain)
        return self.elf.pack(f"{len(words)}{self.architecture.hash_word}", *words)

    def _symbol_table(self, sections: ImageSections) -> bytes:
        rows = [bytes(self.elf.symbol.size)]
        for name, symbol in zip(self.names, self.dynamic_symbols, strict=True):
            rows.append(sections.symbol_row(name, symbol, symbol.binding))
        return b"".join(rows)

    def _dynamic_section(self, relocation_bytes: int) -> bytes:
        rows = [
            *((_NEEDED, name) for name in self.libraries),
            (4, self.hash_at),
            (5, self.strings_at),
            (6, self.symbols_at),
            (10, len(self.strings.data)),
            (11, 24),  # bytes of one symbol
            (7, self.dynamic_relocations_at),
            (8, relocation_bytes),
            (9, 24),  # bytes of one relocation
            (0x6FFFFFFB, 1),  # bind everything when loading
            (0, 0),
        ]
        return b"".join(self.elf.dynamic.pack(*row) for row in rows)


def is_kept(section: ObjectSection) -> bool:
    """Return whether a section of an object becomes part of the linked file.

    Sections that are not loaded, and unwind tables, do not.
    """
    return bool(section.flags & SectionFlag.ALLOC) and section.name != ".eh_frame"


def _local_symbols(
    files: list[ObjectFile],
    kept: set[ObjectSection],
    symbols: SymbolTable,
    exports: set[ObjectSymbol],
) -> list[ObjectSymbol]:
    """Return the symbols that the image defines but dlsym does not find.

    They are listed in the symbol table for profilers.
    files: the linked objects.
    kept: the sections that are part of the image.
    symbols: the resolved symbols.
    exports: the symbols that dlsym finds.
    """
    return [
        symbol
        for file in files
        for symbol in file.symbols
        if symbol.name
        and not symbol.name.startswith(".L")
        and symbol.section in kept
        and symbol not in exports
        and symbols.resolve(symbol) is symbol
    ]


def blob_section(blob: Blob, symbols: SymbolTable) -> ObjectSection:
    """Return a section that contains the bytes of a blob; define the blob's symbol in it.

    symbols: the table to which the symbol is added.
    """
    body = bytearray(memoryview(blob.data).cast("B"))
    section = ObjectSection(
        f".rodata.{blob.symbol}", 1, SectionFlag.ALLOC, len(body), blob.alignment, body
    )
    symbol = ObjectSymbol(
        blob.symbol, SymbolBinding.GLOBAL, SYMBOL_OBJECT, VISIBILITY_DEFAULT, section, 0, len(body)
    )
    symbols.define(symbol, "blob")
    return section


def _place(sections: list[ObjectSection], at: int) -> int:
    """Assign consecutive addresses to sections; return the end address.

    at: the address of the first section, before alignment.
    """
    for section in sections:
        section.address = _aligned(at, section.alignment)
        at = section.address + section.size
    return at


def _hash(name: str) -> int:
    value = 0
    for char in name.encode():
        value = (value << 4) + char
        high = value & 0xF0000000
        value = (value ^ high >> 24) & ~high & 0xFFFFFFFF
    return value

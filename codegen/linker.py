"""Link relocatable objects into one shared object, without a system linker.

The image has three loadable segments, with file offset equal to address:

    read       headers, symbol table, strings, dynamic relocations, constants, blobs
    execute    code, stubs for calls to external functions
    write      dynamic section, global offset table, data; then zeroed data

Symbols that an object defines are bound inside the image; other libraries cannot interpose them.
The loader resolves undefined symbols; a weak one without a definition becomes null.
Not supported: thread-local data, constructors, unwind tables (`.eh_frame` is dropped), section
headers.
"""

from __future__ import annotations

import struct
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from .elf import (
    MAGIC,
    SYMBOL_OBJECT,
    TYPE_SHARED,
    VISIBILITY_DEFAULT,
    Binding,
    LinkError,
    ObjectFile,
    Relocation,
    Section,
    SectionFlag,
    Symbol,
    read_object,
)
from .relocations import ARCHITECTURES, Architecture, Need, RelocationOutOfRange

_PROGRAM_HEADERS = 5
_LOAD, _DYNAMIC, _STACK = 1, 2, 0x6474E551
_EXECUTE, _WRITE, _READ = 1, 2, 4


@dataclass(frozen=True)
class Blob:
    """Read-only bytes to embed, exported under a name: a manifest or weights."""

    symbol: str
    data: bytes | bytearray | memoryview
    alignment: int = 64


def link(
    objects: Iterable[bytes],
    *,
    blobs: Sequence[Blob] = (),
    exports: Collection[str] | None = None,
    needed: Sequence[str] = (),
    soname: str = "",
) -> bytes:
    """Return a shared object made of the given relocatable objects.

    exports: names visible to dlsym; None exports every global symbol of default visibility.
    needed: libraries that the loader must load too, such as ``libm.so.6``.
    Errors: LinkError for duplicate or missing symbols, mixed instruction sets, unsupported
    relocations and sections, distances that do not fit.
    """
    files = [read_object(data, f"object {i}") for i, data in enumerate(objects)]
    image = _Image(_architecture(files), files, blobs, exports, needed, soname)
    return bytes(image.write())


def _architecture(files: list[ObjectFile]) -> Architecture:
    """Return the common instruction set.

    Errors: LinkError for no objects, several instruction sets, or one without a relocation table.
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


class _Symbols:
    """Symbol resolution across objects: one definition or one external symbol per name."""

    def __init__(self, files: list[ObjectFile]) -> None:
        self.defined: dict[str, Symbol] = {}
        self.external: dict[str, Symbol] = {}
        for file in files:
            for symbol in file.symbols:
                if symbol.binding != Binding.LOCAL and symbol.defined:
                    self.define(symbol, file.name)

    def define(self, symbol: Symbol, origin: str) -> None:
        """Add a definition; a strong one replaces a weak one, and the first weak one stays."""
        other = self.defined.get(symbol.name)
        if other is not None and Binding.WEAK not in (other.binding, symbol.binding):
            raise LinkError(f"{origin}: symbol {symbol.name} is defined twice")
        if other is None or (other.binding == Binding.WEAK and symbol.binding != Binding.WEAK):
            self.defined[symbol.name] = symbol

    def resolve(self, symbol: Symbol) -> Symbol:
        """Return the symbol that a reference binds to: a definition or the external symbol."""
        if symbol.binding == Binding.LOCAL:
            return symbol
        found = self.defined.get(symbol.name)
        if found is not None:
            return found
        external = self.external.setdefault(symbol.name, symbol)
        if symbol.binding == Binding.GLOBAL and external.binding == Binding.WEAK:
            external.binding = Binding.GLOBAL
        return external

    def exported(self, names: Collection[str] | None) -> list[Symbol]:
        """Return the definitions that dlsym finds.

        Errors: LinkError if a requested name is not defined.
        """
        if names is None:
            every = self.defined.values()
            return [each for each in every if each.visibility == VISIBILITY_DEFAULT]
        missing = sorted(set(names) - set(self.defined))
        if missing:
            raise LinkError(f"exported symbols are not defined: {', '.join(missing)}")
        return [self.defined[name] for name in names]


class _Strings:
    """A string table that stores each string once."""

    def __init__(self) -> None:
        self.data = bytearray(b"\0")
        self._places: dict[str, int] = {"": 0}

    def add(self, text: str) -> int:
        """Return the offset of a string."""
        if text not in self._places:
            self._places[text] = len(self.data)
            self.data += text.encode() + b"\0"
        return self._places[text]


class _Image:
    """One shared object under construction; the constructor sets addresses, `write` fills bytes."""

    def __init__(
        self,
        architecture: Architecture,
        files: list[ObjectFile],
        blobs: Sequence[Blob],
        exports: Collection[str] | None,
        needed: Sequence[str],
        soname: str,
    ) -> None:
        self.architecture = architecture
        self.symbols = _Symbols(files)
        self.blobs = [_blob_section(blob, self.symbols) for blob in blobs]
        wanted = None if exports is None else [*exports, *(blob.symbol for blob in blobs)]
        self.exports = self.symbols.exported(wanted)
        self.slots: dict[Symbol, int] = {}
        self.stubs: dict[Symbol, int] = {}
        self.words: list[Relocation] = []
        self.relocations = [each for file in files for each in file.relocations]
        kept = [section for file in files for section in file.sections if _is_kept(section)]
        self.relocations = [each for each in self.relocations if _is_kept(each.section)]
        for relocation in self.relocations:
            self._scan(relocation)
        self._sort_sections(kept)
        self.strings = _Strings()
        self.dynamic_symbols = [*self.symbols.external.values(), *self.exports]
        self.names = [self.strings.add(symbol.name) for symbol in self.dynamic_symbols]
        self.libraries = [(1, self.strings.add(name)) for name in needed]
        if soname:
            self.libraries.append((14, self.strings.add(soname)))
        self._lay_out()

    def _scan(self, relocation: Relocation) -> None:
        """Record the slot, stub or dynamic relocation that a relocation requires.

        Errors: LinkError if the relocation is unknown, or needs the symbol in this image.
        """
        kind = self.architecture.kinds.get(relocation.kind)
        symbol = self.symbols.resolve(relocation.symbol)
        if kind is None:
            raise LinkError(
                f"{self.architecture.name} relocation {relocation.kind} against "
                f"{symbol.name or 'a section'} is not supported\n"
                "    hint: compile with reloc=pic and the small code model"
            )
        if kind.need is Need.WORD:
            self.words.append(relocation)
        elif kind.need is Need.SLOT:
            self.slots[symbol] = 0
        elif not symbol.defined:
            if kind.need is Need.ADDRESS:
                raise LinkError(f"{kind.name} refers directly to the external {symbol.name}")
            self.slots[symbol] = self.stubs[symbol] = 0

    def _sort_sections(self, sections: list[Section]) -> None:
        """Assign each section to a segment; constants that hold addresses become writable data."""
        patched = {relocation.section for relocation in self.words}
        self.constants = list(self.blobs)
        self.code: list[Section] = []
        self.data: list[Section] = []
        self.zeroed: list[Section] = []
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

    def _lay_out(self) -> None:
        """Set the addresses of all tables, sections, stubs and slots."""
        page = self.architecture.page_bytes
        count = len(self.dynamic_symbols)
        self.hash_at = _aligned(64 + 56 * _PROGRAM_HEADERS, 8)
        self.symbols_at = _aligned(self.hash_at + 4 * (2 + max(1, count) + count + 1), 8)
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
        slots_at = self.dynamic_at + 16 * (len(self.libraries) + 10)
        for index, symbol in enumerate(self.slots):
            self.slots[symbol] = slots_at + 8 * index
        self.write_end = _place(self.data, slots_at + 8 * len(self.slots))
        self.memory_end = _place(self.zeroed, self.write_end)

    def write(self) -> bytearray:
        """Return the bytes of the shared object."""
        for relocation in self.relocations:
            self._patch(relocation)
        image = bytearray(self.write_end)
        relocations = self._dynamic_relocations()
        parts = [
            (0, self._headers()),
            (self.hash_at, self._hash_table()),
            (self.symbols_at, self._symbol_table()),
            (self.strings_at, bytes(self.strings.data)),
            (self.dynamic_relocations_at, relocations),
            (self.dynamic_at, self._dynamic_section(len(relocations))),
        ]
        for symbol, at in self.stubs.items():
            parts.append((at, self.architecture.stub(at, self.slots[symbol])))
        for at, data in parts:
            image[at : at + len(data)] = data
        for section in (*self.constants, *self.code, *self.data):
            image[section.address : section.address + section.size] = section.body or b""
        return image

    def _patch(self, relocation: Relocation) -> None:
        """Write one target address into its section.

        Errors: LinkError if the distance does not fit.
        """
        kind = self.architecture.kinds[relocation.kind]
        symbol = self.symbols.resolve(relocation.symbol)
        if kind.need is Need.SLOT:
            target = self.slots[symbol]
        elif not symbol.defined:
            target = self.stubs.get(symbol, 0)
        else:
            target = symbol.address
        section = relocation.section
        if section.body is None:
            raise LinkError(f"relocation in section {section.name}, which holds no bytes")
        place = section.address + relocation.offset
        try:
            kind.patch(section.body, relocation.offset, place, target + relocation.addend)
        except RelocationOutOfRange as err:
            raise LinkError(f"{kind.name} against {symbol.name}: {err}") from err

    def _dynamic_relocations(self) -> bytes:
        """Return the relocations left to the loader: table slots and absolute words."""
        index = {symbol: i + 1 for i, symbol in enumerate(self.symbols.external.values())}
        machine = self.architecture
        rows: list[tuple[int, int, int]] = []
        for symbol, at in self.slots.items():
            if symbol.defined:
                rows.append((at, machine.relative, symbol.address))
            else:
                rows.append((at, index[symbol] << 32 | machine.slot, 0))
        for word in self.words:
            symbol = self.symbols.resolve(word.symbol)
            at = word.section.address + word.offset
            if symbol.defined:
                rows.append((at, machine.relative, symbol.address + word.addend))
            else:
                rows.append((at, index[symbol] << 32 | machine.word, word.addend))
        return b"".join(struct.pack("<QQq", *row) for row in rows)

    def _headers(self) -> bytes:
        page = self.architecture.page_bytes
        header = MAGIC + bytes(9)
        header += struct.pack("<HHIQQQI", TYPE_SHARED, self.architecture.machine, 1, 0, 64, 0, 0)
        header += struct.pack("<HHHHHH", 64, 56, _PROGRAM_HEADERS, 64, 0, 0)
        dynamic_bytes = 16 * (len(self.libraries) + 10)
        written, in_memory = self.write_end - self.dynamic_at, self.memory_end - self.dynamic_at
        code_bytes = self.execute_end - self.execute_at
        segments = (
            (_LOAD, _READ, 0, self.read_end, self.read_end, page),
            (_LOAD, _READ | _EXECUTE, self.execute_at, code_bytes, code_bytes, page),
            (_LOAD, _READ | _WRITE, self.dynamic_at, written, in_memory, page),
            (_DYNAMIC, _READ | _WRITE, self.dynamic_at, dynamic_bytes, dynamic_bytes, 8),
            (_STACK, _READ | _WRITE, 0, 0, 0, 16),
        )
        for kind, flags, at, file_bytes, memory_bytes, alignment in segments:
            header += struct.pack(
                "<IIQQQQQQ", kind, flags, at, at, at, file_bytes, memory_bytes, alignment
            )
        return header

    def _hash_table(self) -> bytes:
        """Return the System V hash table, with one bucket per symbol."""
        count = len(self.dynamic_symbols)
        buckets, chain = [0] * max(1, count), [0] * (count + 1)
        for index, symbol in enumerate(self.dynamic_symbols, 1):
            bucket = _hash(symbol.name) % len(buckets)
            chain[index], buckets[bucket] = buckets[bucket], index
        words = (len(buckets), len(chain), *buckets, *chain)
        return struct.pack(f"<{len(words)}I", *words)

    def _symbol_table(self) -> bytes:
        rows = [bytes(24)]
        for name, symbol in zip(self.names, self.dynamic_symbols, strict=True):
            info = symbol.binding << 4 | symbol.kind
            # Any nonzero section index means "defined"; the image has no section headers.
            index, address = (1, symbol.address) if symbol.defined else (0, 0)
            rows.append(struct.pack("<IBBHQQ", name, info, 0, index, address, symbol.size))
        return b"".join(rows)

    def _dynamic_section(self, relocation_bytes: int) -> bytes:
        rows = [
            *self.libraries,
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
        return b"".join(struct.pack("<QQ", *row) for row in rows)


def _is_kept(section: Section) -> bool:
    return bool(section.flags & SectionFlag.ALLOC) and section.name != ".eh_frame"


def _blob_section(blob: Blob, symbols: _Symbols) -> Section:
    """Return the section of a blob, and define its symbol."""
    body = bytearray(memoryview(blob.data).cast("B"))
    section = Section(
        f".rodata.{blob.symbol}", 1, SectionFlag.ALLOC, len(body), blob.alignment, body
    )
    symbol = Symbol(
        blob.symbol, Binding.GLOBAL, SYMBOL_OBJECT, VISIBILITY_DEFAULT, section, 0, len(body)
    )
    symbols.define(symbol, "blob")
    return section


def _place(sections: list[Section], at: int) -> int:
    """Set the addresses of sections in order; return the end."""
    for section in sections:
        section.address = _aligned(at, section.alignment)
        at = section.address + section.size
    return at


def _hash(name: str) -> int:
    """Return the System V hash of a symbol name."""
    value = 0
    for char in name.encode():
        value = (value << 4) + char
        high = value & 0xF0000000
        value = (value ^ high >> 24) & ~high & 0xFFFFFFFF
    return value

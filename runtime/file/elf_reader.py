"""Shared objects as bytes: reading the data of an exported library before it is loaded.

In: the bytes of an ELF64 shared object. Out: its exported data by symbol, and whether it is intact.

The build ID of an exported library is the SHA-256 of its code and data, which `image_digest`
computes: the file up to the end of its writable segment, with the build ID itself as zeros. The
*rest* of the file are the bytes after that: weights inside the library, and section headers, which
loaders do not read.
"""

from __future__ import annotations

import hashlib
import platform
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from ..abi.library import LoadError
from .elf_format import format_of, text_at
from .sections import check_system

BUILD_ID_BYTES = 32
MACHINES = {
    62: "x86_64", 183: "aarch64", 243: "riscv64", 258: "loongarch64", 21: "ppc64le", 22: "s390x",
}  # fmt: skip
"""Kinds of processors by their number in ELF files."""
_OTHER_NAMES = {"AMD64": "x86_64", "arm64": "aarch64"}
_SHARED = 3
_NULL, _LOAD, _DYNAMIC, _NOTE = 0, 1, 2, 4
_WRITE = 2
_HASH, _STRINGS, _SYMBOLS = 4, 5, 6
_S390X = 22


@dataclass(frozen=True)
class Segment:
    """A range of the file that a process maps at an address.

    kind, flags: the fields p_type and p_flags of its program header.  offset, size: the range in
    the file.  address: where the process maps it.  header_at: the offset of the program header.
    """

    kind: int
    flags: int
    offset: int
    address: int
    size: int
    header_at: int

    @property
    def end(self) -> int:
        """The offset of the first byte after the segment."""
        return self.offset + self.size


class Image:
    """A shared object that is not loaded.

    Errors: LoadError if the bytes are not an ELF64 shared object, or if its tables are damaged.
    """

    def __init__(self, data: bytes | memoryview, name: str = "module") -> None:
        self.name, self.data = name, memoryview(data)
        elf = format_of(self.data)
        if elf is None:
            check_system(self.data, name)
            raise self._damaged("it is not an ELF file of 64 bits")
        self.elf = elf
        fields = elf.file_header.unpack_from(self.data)
        if fields[1] != _SHARED:
            raise self._damaged(f"it is of ELF type {fields[1]}, not a shared object")
        self.machine: int = fields[2]
        self.headers_end: int = fields[5] + elf.program_header.size * fields[10]
        if self.headers_end > len(self.data):
            raise self._damaged("it is too short for its headers")
        self.segments = [
            self._segment(fields[5] + elf.program_header.size * number)
            for number in range(fields[10])
        ]

    def _segment(self, at: int) -> Segment:
        kind, flags, offset, address, _, size, _, _ = self.elf.program_header.unpack_from(
            self.data, at
        )
        if offset + size > len(self.data):
            raise self._damaged("it is too short for its segments")
        return Segment(kind, flags, offset, address, size, at)

    def _damaged(self, got: str) -> LoadError:
        hint = "export the model again"
        return LoadError(f"{self.name} is no library that can be loaded", got=got, hint=hint)

    def check_machine(self) -> None:
        """Raise an error for code that another kind of processor than this machine's runs.

        Errors: LoadError.
        """
        here = platform.machine()
        here = _OTHER_NAMES.get(here, here)
        if here in MACHINES.values() and MACHINES.get(self.machine) != here:
            raise LoadError(
                f"{self.name}: the code is for another machine",
                expected=here,
                got=MACHINES.get(self.machine, f"ELF machine {self.machine}"),
                hint="compile the model for this machine",
            )

    @property
    def has_build_id(self) -> bool:
        """Whether the file has a build ID that Tilewright wrote."""
        try:
            return self.build_id_at > 0
        except LoadError:
            return False

    @property
    def build_id_at(self) -> int:
        """The offset of the build ID.

        Errors: LoadError if the file has no build ID, or one that is not of 32 bytes.
        """
        header = self.elf.pack("III4s", 4, BUILD_ID_BYTES, 3, b"GNU\0")
        for segment in self.segments:
            at = segment.offset + len(header)
            if segment.kind == _NOTE and bytes(self.data[segment.offset : at]) == header:
                return at
        raise self._damaged("it has no build ID of Tilewright")

    def check(self) -> None:
        """Check that code and data are unchanged since the export.

        Errors: LoadError if they differ from the build ID, or if there is no build ID.
        """
        at = self.build_id_at
        if bytes(self.data[at : at + BUILD_ID_BYTES]) != image_digest(self):
            raise self._damaged("its code or data differ from its build ID")

    def check_rest(self, digest: str) -> None:
        """Check the bytes that the build ID does not cover: weights and section headers.

        digest: the expected result of `rest_digest`.

        Errors: LoadError if the bytes differ from the digest.
        """
        if rest_digest(self) != digest:
            raise self._damaged("its weights or section headers differ from their digest")

    @property
    def code_end(self) -> int:
        """The offset of the first byte after code and data."""
        writable = (e for e in self.segments if e.kind == _LOAD and e.flags & _WRITE)
        return max((each.end for each in writable), default=0)

    def code(self) -> bytes:
        """Return the code and the data as a library of its own, which can be loaded.

        The returned library has no section headers: their offsets are after its end, and debuggers
        and tracebacks would follow them.
        """
        made = bytearray(self.data[: self.code_end])
        made[: self.elf.file_header.size] = _without_sections(self)
        for segment in self.segments:
            if segment.kind == _LOAD and segment.end > len(made):
                made[segment.header_at : segment.header_at + 4] = self.elf.pack("I", _NULL)
        return bytes(made)

    def apart(self, size_bytes: int) -> memoryview:
        """Return the weights that are inside the library, after code and data.

        size_bytes: the size of the weights.

        Errors: LoadError if there are fewer bytes.
        """
        if size_bytes == 0:
            return memoryview(b"")
        at = self.apart_at(size_bytes)
        return self.data[at : at + size_bytes]

    def apart_at(self, size_bytes: int) -> int:
        """Return the offset in the file of the weights inside the library.

        size_bytes: the size of the weights.

        Errors: LoadError if there are fewer bytes.
        """
        for segment in self.segments:
            if segment.kind == _LOAD and segment.offset >= self.code_end:
                if segment.size < size_bytes:
                    break
                return segment.offset
        raise self._damaged("it holds no weights")

    @cached_property
    def symbols(self) -> dict[str, tuple[int, int]]:
        """The address and size of each exported symbol."""
        try:
            return dict(self._read_symbols())
        except (struct.error, KeyError, ValueError, IndexError) as err:
            raise self._damaged(f"its symbols cannot be read: {err}") from err

    def _read_symbols(self) -> Iterator[tuple[str, tuple[int, int]]]:
        dynamic = next(each for each in self.segments if each.kind == _DYNAMIC)
        rows = self.data[dynamic.offset : dynamic.offset + dynamic.size]
        table = dict(self.elf.dynamic.iter_unpack(rows))
        # The numbers of hash tables have 64 bits on s390x, 32 bits on other machines.
        word = struct.Struct(f"{self.elf.order}{'Q' if self.machine == _S390X else 'I'}")
        (count,) = word.unpack_from(self.data, self._offset(table[_HASH]) + word.size)
        first, strings = self._offset(table[_SYMBOLS]), self._offset(table[_STRINGS])
        symbols = self.data[first : first + count * self.elf.symbol.size]
        for name, _, _, section, address, size in self.elf.symbol.iter_unpack(symbols):
            if section:
                yield text_at(self.data, strings + name), (address, size)

    def _offset(self, address: int) -> int:
        for each in self.segments:
            if each.kind == _LOAD and each.address <= address <= each.address + each.size:
                return each.offset + address - each.address
        raise IndexError(f"no segment holds address {address:#x}")

    def bytes_of(self, symbol: str) -> memoryview:
        """Return the data at an exported symbol.

        Errors: LoadError if there is none.
        """
        at = self.offset_of(symbol)
        return self.data[at : at + self.symbols[symbol][1]]

    def offset_of(self, symbol: str) -> int:
        """Return the offset of the data at an exported symbol.

        Errors: LoadError if there is none.
        """
        if symbol not in self.symbols:
            raise self._damaged(f"it does not export {symbol}")
        try:
            return self._offset(self.symbols[symbol][0])
        except IndexError as err:
            raise self._damaged(str(err)) from err

    def text(self, symbol: str) -> str:
        """Return the NUL-terminated text at an exported symbol.

        Errors: LoadError if there is none.
        """
        return bytes(self.bytes_of(symbol)).partition(b"\0")[0].decode(errors="replace")


def image_digest(image: Image) -> bytes:
    """Return the digest that a library's build ID must contain, computed from the file.

    It covers code and data, with the build ID itself as zeros; see the module docstring.

    Errors: LoadError if the file has no build ID.
    """
    at, end = image.build_id_at, image.code_end
    digest = hashlib.sha256(_without_sections(image))
    digest.update(image.data[image.elf.file_header.size : at])
    digest.update(bytes(BUILD_ID_BYTES))
    digest.update(image.data[at + BUILD_ID_BYTES : end])
    return digest.digest()


def _without_sections(image: Image) -> bytes:
    header = image.elf.file_header
    fields = list(header.unpack_from(image.data))
    fields[6] = fields[12] = fields[13] = 0
    return header.pack(*fields)


def rest_digest(image: Image) -> str:
    """Return the digest of the bytes of a file that its build ID does not cover.

    These are weights and section headers. The digest also covers the file header, which contains
    the position of the section headers.
    """
    digest = hashlib.sha256(image.data[: image.elf.file_header.size])
    digest.update(image.data[image.code_end :])
    return digest.hexdigest()

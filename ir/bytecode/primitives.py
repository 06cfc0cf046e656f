"""Integers, strings and sections of MLIR bytecode."""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum

from ...support.diagnostics import ModelError

MAGIC = b"ML\xefR"
VERSION = 0
"""The version that is written: no properties, no orders of uses, no sections for regions."""
ALIGNED = 0x80
"""The bit of a section's number that says that the section has an alignment."""


class SectionNumber(IntEnum):
    """The section numbers of MLIR bytecode that a program of version 0 uses."""

    STRINGS = 0
    DIALECTS = 1
    ATTRIBUTES = 2
    OFFSETS = 3
    IR = 4


class Part(IntEnum):
    """The bits of the mask of an op, each of which says that a part of the op follows."""

    ATTRIBUTES = 1
    RESULTS = 2
    OPERANDS = 4
    SUCCESSORS = 8
    REGIONS = 16


def varint(value: int) -> bytes:
    """Encode a number in as few bytes as possible (PrefixVarInt).

    The number of zero bits at the low end of the first byte is the number of bytes that follow it.
    """
    for more in range(8):
        if value < 1 << 7 * (more + 1):
            return (value << more + 1 | 1 << more).to_bytes(more + 1, "little")
    return b"\0" + value.to_bytes(8, "little")


def varints(values: Iterable[int]) -> bytes:
    """Encode several numbers one after the other; their count is not encoded."""
    return b"".join(map(varint, values))


def section(number: SectionNumber, data: bytes) -> bytes:
    """Encode a section with this number and content."""
    return bytes([number]) + varint(len(data)) + data


class ByteReader:
    """A reader of the items of bytecode, one after the other.

    Errors: all methods raise ModelError at the end of the data.
    """

    def __init__(self, data: bytes) -> None:
        self._data, self._at = data, 0

    @property
    def is_at_end(self) -> bool:
        """Whether all data are read."""
        return self._at == len(self._data)

    def take(self, count: int) -> bytes:
        """Return the next ``count`` bytes."""
        end = self._at + count
        if end > len(self._data):
            raise ModelError("the bytecode is truncated", expected=f"{end} bytes or more")
        found = self._data[self._at : end]
        self._at = end
        return found

    def byte(self) -> int:
        """Return the next byte."""
        return self.take(1)[0]

    def varint(self) -> int:
        """Return the next number."""
        first = self.byte()
        if first == 0:
            return int.from_bytes(self.take(8), "little")
        more = (first & -first).bit_length() - 1
        return int.from_bytes(bytes([first]) + self.take(more), "little") >> more + 1

    def count(self) -> int:
        """Return the next number, which is the number of items that follow.

        Errors: ModelError if fewer bytes are left than this number, because an item has at least
        one.
        """
        found = self.varint()
        if found > len(self._data) - self._at:
            raise ModelError("the bytecode is truncated", got=f"{found} items in a section")
        return found

    def varints(self) -> list[int]:
        """Return a list of numbers, whose length precedes the numbers in the data."""
        return [self.varint() for _ in range(self.count())]

    def text(self) -> str:
        """Return the text up to the next zero byte, and skip this byte."""
        end = self._data.find(b"\0", self._at)
        if end < 0:
            raise ModelError("the bytecode is truncated", expected="the end of a text")
        found = self.take(end - self._at).decode()
        self.take(1)
        return found

    def section(self) -> tuple[int, bytes]:
        """Return the number and the data of the next section."""
        number = self.byte()
        length = self.varint()
        if number & ALIGNED:
            alignment = max(1, self.varint())
            self.take(-self._at % alignment)
        return number & ~ALIGNED, self.take(length)

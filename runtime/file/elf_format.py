"""The structures of ELF files of 64 bits, in the byte order of their machine.

Source: System V ABI, chapters 4 and 5.
"""

from __future__ import annotations

import struct

MAGIC_BYTES = 7
_SHORT_TEXT_BYTES = 64


class ElfFormat:
    """The structures of ELF files in one byte order.

    order: ``<`` for little endian, ``>`` for big endian, as in `struct`.
    """

    def __init__(self, order: str) -> None:
        self.order = order
        self.magic = b"\x7fELF\x02" + (b"\x01" if order == "<" else b"\x02") + b"\x01"
        self.file_header = struct.Struct(f"{order}16sHHIQQQIHHHHHH")
        self.program_header = struct.Struct(f"{order}IIQQQQQQ")
        self.section_header = struct.Struct(f"{order}IIQQQQIIQQ")
        self.symbol = struct.Struct(f"{order}IBBHQQ")
        self.relocation = struct.Struct(f"{order}QQq")
        self.dynamic = struct.Struct(f"{order}QQ")

    def pack(self, fields: str, *values: int | bytes) -> bytes:
        """Return values as bytes in the byte order of the format.

        fields: the types of the values, as in `struct`.
        """
        return struct.pack(f"{self.order}{fields}", *values)


LITTLE, BIG = ElfFormat("<"), ElfFormat(">")


def text_at(data: memoryview, at: int) -> str:
    """Return the NUL-terminated text at an offset."""
    size = _SHORT_TEXT_BYTES
    while b"\0" not in (part := bytes(data[at : at + size])):
        if at + size >= len(data):
            raise IndexError("a text has no NUL at its end")
        size *= 4
    return part.partition(b"\0")[0].decode()


def format_of(data: bytes | memoryview) -> ElfFormat | None:
    """Return the format of a file, or None if the file is not an ELF file of 64 bits."""
    start = bytes(data[:MAGIC_BYTES])
    found = next((each for each in (LITTLE, BIG) if start == each.magic), None)
    return found if len(data) >= LITTLE.file_header.size else None

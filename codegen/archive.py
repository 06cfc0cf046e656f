"""Static libraries: several object files in one file, in the archive format of Unix linkers (`ar`).

Source: System V `ar`, with GNU's names that end in a slash.  The index of symbols is a member with
the name "/": the number of symbols, the offsets of their members (big-endian), and their names.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Sequence

_MAGIC = b"!<arch>\n"
_HEADER_BYTES = 60


def archive(objects: Iterable[bytes]) -> bytes:
    """Return an archive that contains these object files, in order."""
    parts = [_MAGIC]
    for number, data in enumerate(objects):
        parts += _member(f"{number}.o/", data)
    return b"".join(parts)


def static_library(data: bytes, name: str, symbols: Sequence[str]) -> bytes:
    """Return an archive of one object file, with an index of the symbols that the object defines.

    data: the bytes of the object file.
    name: the name of the object file in the archive, at most 15 bytes.
    symbols: the names of the symbols in the index.
    """
    texts = b"".join(symbol.encode() + b"\0" for symbol in symbols)
    size = 4 * (1 + len(symbols)) + len(texts)
    at = len(_MAGIC) + _HEADER_BYTES + size + size % 2
    index = struct.pack(f">{1 + len(symbols)}I", len(symbols), *[at] * len(symbols)) + texts
    return b"".join((_MAGIC, *_member("/", index), *_member(f"{name}/", data)))


def _member(name: str, data: bytes) -> tuple[bytes, bytes, bytes]:
    header = f"{name:16}{0:<12}{0:<6}{0:<6}{644:<8}{len(data):<10}`\n".encode()
    return header, data, b"\n" * (len(data) % 2)

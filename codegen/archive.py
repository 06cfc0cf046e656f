"""Objects in one file, in the archive format of Unix linkers (`ar`), without an index.

Source: System V `ar`, with GNU's names that end in a slash.
"""

from __future__ import annotations

from collections.abc import Iterable

_MAGIC = b"!<arch>\n"
_HEADER_BYTES = 60


def archive(objects: Iterable[bytes]) -> bytes:
    """Return an archive of objects, in order."""
    parts = [_MAGIC]
    for number, data in enumerate(objects):
        name = f"{number}.o/"
        parts.append(f"{name:16}{0:<12}{0:<6}{0:<6}{644:<8}{len(data):<10}`\n".encode())
        parts += [data, b"\n" * (len(data) % 2)]
    return b"".join(parts)


def members(data: bytes) -> list[bytes]:
    """Return the objects in an archive that `archive` has made."""
    assert data.startswith(_MAGIC), "not an archive"
    found: list[bytes] = []
    at = len(_MAGIC)
    while at < len(data):
        size = int(data[at + 48 : at + 58])
        at += _HEADER_BYTES
        found.append(data[at : at + size])
        at += size + size % 2
    return found

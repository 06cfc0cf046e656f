"""The files of a session: byte strings in memory by name, so no name leads to a file on disk."""

from __future__ import annotations

import re

from ..errors import ArgumentError, UnknownFunction
from .messages import Buffer

_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.+-]{0,199}")


class SessionFiles:
    """The uploaded files of a session.

    limit_bytes: the largest total size of all files.
    """

    def __init__(self, limit_bytes: int) -> None:
        self._files: dict[str, bytearray] = {}
        self._limit_bytes = limit_bytes

    def append(self, name: str, offset: int, data: Buffer) -> None:
        """Append bytes to a file; offset 0 begins a new file.

        Errors: ArgumentError for a name that is a path, and an offset that is not the end of the
        file; MemoryError for more bytes than the limit.
        """
        if _NAME.fullmatch(name) is None:
            raise ArgumentError(
                "a file of a session has a name that is not allowed",
                expected="up to 200 letters, digits and ._+-, no folder",
                got=repr(name[:200]),
                hint="upload it under its last name",
            )
        held = bytearray() if offset == 0 else self[name]
        if offset != len(held):
            raise ArgumentError(
                f"{name} is uploaded out of order",
                expected=f"offset {len(held)}",
                got=offset,
                hint="send the parts of a file in order",
            )
        size = memoryview(data).nbytes
        others = sum(len(each) for key, each in self._files.items() if key != name)
        if others + len(held) + size > self._limit_bytes:
            raise MemoryError(
                f"the files of a session have more than {self._limit_bytes} bytes\n"
                "    hint: remove files, or start the server with more memory"
            )
        held += data
        self._files[name] = held

    def __getitem__(self, name: str) -> bytearray:
        if name not in self._files:
            raise UnknownFunction(
                f"the session has no file {name!r}",
                expected=", ".join(self._files) or "an uploaded file",
                hint="upload it first",
            )
        return self._files[name]

    def part(self, name: str, offset: int, size: int) -> memoryview:
        """Return ``size`` bytes of a file, from a byte offset on.

        Errors: ArgumentError for bytes beyond its end.
        """
        held = self[name]
        if offset + size > len(held):
            raise ArgumentError(
                f"{name} has fewer bytes",
                expected=f"at most {len(held)}",
                got=offset + size,
                hint="ask for its size first",
            )
        return memoryview(held)[offset : offset + size]

    def remove(self, name: str) -> None:
        """Remove a file.

        Errors: UnknownFunction, a KeyError, if there is no such file.
        """
        self[name]
        del self._files[name]

"""Modules in one file: a tar archive of a library, its graph, its weights, and a manifest.

    manifest.json       names, lengths and SHA-256 of the other members
    m.so                the shared object
    m.json              the graph (module_json.py)
    m.safetensors       the weights

An archive may contain several programs of one model, for several bindings of its values; each has a
library, a graph and weights. In: the members' bytes, or an archive. Out: the archive's bytes, in
parts, or the members, as views of the archive, so that nothing is extracted. A reader accepts an
archive only if it has exactly the members that the manifest lists, as plain files of the listed
lengths.

For archives of objects, which linkers read, this module only returns the members.

Source: POSIX ustar, with GNU's numbers for files of 8 GiB and more.
"""

from __future__ import annotations

import hashlib
import io
import json
import tarfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, cast

from ..abi.library import LoadError

MANIFEST = "manifest.json"
_ROLES = ("library", "graph", "params")
MAX_PROGRAMS = 64
_MANIFEST_BYTES = 1 << 20
_BLOCK = 512
_MAGIC_AT, _MAGIC = 257, b"ustar"
_OBJECTS, _MEMBER_BYTES = b"!<arch>\n", 60


@dataclass(frozen=True)
class ArchiveMember:
    """A file in an archive: its name, and the parts of its contents."""

    name: str
    parts: tuple[bytes | bytearray | memoryview, ...]

    @property
    def size_bytes(self) -> int:
        """The length of the contents."""
        return sum(memoryview(part).nbytes for part in self.parts)


Program: TypeAlias = tuple[ArchiveMember, ArchiveMember, ArchiveMember]
"""The library, the graph and the weights of one program."""


def archive(
    library: ArchiveMember, graph: ArchiveMember, params: ArchiveMember
) -> Iterator[bytes | memoryview]:
    """Yield the bytes of an archive of one program: its library, graph and weights."""
    rows = dict(zip(_ROLES, map(_row, (library, graph, params)), strict=True))
    return _archive({"format": "tilewright", **rows}, [library, graph, params])


def program_archive(
    fields: Mapping[str, Any], programs: Sequence[tuple[Mapping[str, Any], Program]]
) -> Iterator[bytes | memoryview]:
    """Yield the bytes of an archive of several programs of one model.

    fields: the manifest fields of the model's interface.  programs: for each program its manifest
    fields and its members; programs may share members.
    """
    rows = [
        {**facts, **dict(zip(_ROLES, map(_row, program), strict=True))}
        for facts, program in programs
    ]
    unique = {member.name: member for _, program in programs for member in program}
    return _archive({"format": "tilewright", **fields, "programs": rows}, [*unique.values()])


def _archive(
    fields: Mapping[str, Any], contents: Sequence[ArchiveMember]
) -> Iterator[bytes | memoryview]:
    text = json.dumps({**fields, "sha256": _digest(fields)}, indent=1).encode()
    for member in (ArchiveMember(MANIFEST, (text,)), *contents):
        yield _header(member.name, member.size_bytes)
        yield from (memoryview(part).cast("B") for part in member.parts)
        yield _padding(member.size_bytes)
    yield bytes(2 * _BLOCK)


def is_archive(data: memoryview) -> bool:
    """Return whether a file is a tar archive."""
    return bytes(data[_MAGIC_AT : _MAGIC_AT + len(_MAGIC)]) == _MAGIC


def programs_in(
    data: memoryview, path: str, *, verify: bool
) -> tuple[Mapping[str, Any], list[dict[str, memoryview]]]:
    """Check an archive; return its manifest, and the members of each program.

    A program is a mapping from the roles library, graph and params to the bytes of a member. The
    digests of the members are always checked.

    path: the file's name in messages.  verify: whether to refuse an archive whose headers and
    padding differ from those that `archive` writes.

    Errors: LoadError.
    """
    try:
        found = dict(_plain_files(data))
        fields = _fields(found)
        programs = [_listed(row) for row in fields.get("programs", [fields])]
    except (tarfile.TarError, ValueError, KeyError, TypeError, OverflowError, EOFError) as err:
        raise _damaged(path, err) from err
    listed = dict.fromkeys(row for program in programs for row in program.values())
    order = [MANIFEST, *dict.fromkeys(name for name, _, _ in listed)]
    if {*order} != {*found}:
        raise _damaged(path, f"members {', '.join(found)}")
    for name, size_bytes, digest in listed:
        if found[name].nbytes != size_bytes or hashlib.sha256(found[name]).hexdigest() != digest:
            raise _damaged(path, f"{name} differs from its digest")
    if verify and ([*found] != order or not _is_own(data, found)):
        raise _damaged(path, "headers that export_library does not write")
    return fields, [
        {role: found[name] for role, (name, _, _) in program.items()} for program in programs
    ]


def is_static_library(data: memoryview) -> bool:
    """Return whether a file is an archive of objects."""
    return bytes(data[: len(_OBJECTS)]) == _OBJECTS


def archived(data: memoryview, name: str) -> list[memoryview]:
    """Return the members of an archive of objects; an index of symbols, if any, comes first.

    name: the file's name in messages.

    Errors: LoadError for a damaged archive.

    Source: System V `ar`.
    """
    found: list[memoryview] = []
    at = len(_OBJECTS)
    try:
        while at < len(data):
            size = int(bytes(data[at + 48 : at + 58]))
            at += _MEMBER_BYTES
            found.append(data[at : at + size])
            at += size + size % 2
    except ValueError as err:
        raise LoadError(
            f"{name} is no archive of objects", got=str(err), hint="export the model again"
        ) from err
    return found


def _plain_files(data: memoryview) -> Iterator[tuple[str, memoryview]]:
    """Yield the name and the contents of each member.

    Errors: ValueError for a member that is no plain file, or has the name of another member.
    """
    seen: set[str] = set()
    with tarfile.open(fileobj=cast(Any, _Stream(data)), mode="r:") as tar:
        for number, info in enumerate(tar):
            if (
                number > MAX_PROGRAMS * len(_ROLES)
                or info.type != tarfile.REGTYPE
                or info.name in seen
            ):
                raise ValueError(f"member {info.name!r} is not a plain file of its own")
            seen.add(info.name)
            contents = data[info.offset_data : info.offset_data + info.size]
            if contents.nbytes != info.size:
                raise ValueError(f"member {info.name!r} is cut off")
            yield info.name, contents


def _fields(found: Mapping[str, memoryview]) -> dict[str, Any]:
    if found[MANIFEST].nbytes > _MANIFEST_BYTES:
        raise ValueError(f"{MANIFEST} is too long")
    fields = json.loads(bytes(found[MANIFEST]))
    if not isinstance(fields, dict):
        raise TypeError(f"{MANIFEST} is no object")
    fields = cast("dict[str, Any]", fields)
    if fields.pop("sha256") != _digest(fields):
        raise ValueError(f"{MANIFEST} differs from its digest")
    return fields


def _digest(fields: Mapping[str, Any]) -> str:
    return hashlib.sha256(json.dumps(fields).encode()).hexdigest()


def _listed(row: Mapping[str, Any]) -> dict[str, tuple[str, int, str]]:
    return {role: (row[role]["name"], row[role]["bytes"], row[role]["sha256"]) for role in _ROLES}


def _is_own(data: memoryview, found: Mapping[str, memoryview]) -> bool:
    """Return whether an archive has the headers and the padding that `archive` writes.

    found: all members of the archive by name, in the order of the file.
    """
    at = 0
    for name, contents in found.items():
        header, padding = _header(name, contents.nbytes), _padding(contents.nbytes)
        behind = at + len(header) + contents.nbytes
        end = behind + len(padding)
        if (bytes(data[at : at + len(header)]), bytes(data[behind:end])) != (header, padding):
            return False
        at = end
    return bytes(data[at:]) == bytes(2 * _BLOCK)


def _row(member: ArchiveMember) -> Mapping[str, str | int]:
    digest = hashlib.sha256()
    for part in member.parts:
        digest.update(part)
    return {"name": member.name, "bytes": member.size_bytes, "sha256": digest.hexdigest()}


def _header(name: str, size_bytes: int) -> bytes:
    info = tarfile.TarInfo(name)
    info.size = size_bytes
    return info.tobuf(tarfile.GNU_FORMAT)


def _padding(size_bytes: int) -> bytes:
    return bytes(-size_bytes % _BLOCK)


def _damaged(path: str, got: object) -> LoadError:
    return LoadError(
        f"{path} is no archive of a module",
        expected=f"{MANIFEST} and the members that it lists, unchanged",
        got=got,
        hint="export the model again",
    )


class _Stream(io.RawIOBase):
    def __init__(self, data: memoryview) -> None:
        super().__init__()
        self._data, self._at = data, 0

    def read(self, size: int = -1) -> bytes:
        end = len(self._data) if size < 0 else self._at + size
        part = bytes(self._data[self._at : end])
        self._at += len(part)
        return part

    def seek(self, offset: int, whence: int = 0) -> int:
        self._at = offset + (0, self._at, len(self._data))[whence]
        return self._at

    def tell(self) -> int:
        return self._at

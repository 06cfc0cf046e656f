"""A content-addressed cache on disk, shared by processes.

An entry is one file ``<key>-<digest of its bytes>.bin``: it is written under another name and
renamed, so no reader sees half of it, and its digest is compared on every read. The least
recently used entries go when the folder is over its limit.
Never here: what a key is made of (the caller joins it with `content_key`).
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import importlib.metadata
import os
import re
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from .diagnostics import TilewrightError

DEFAULT_LIMIT_BYTES = 4 << 30
# After an eviction the folder is this full, so that the next writes do not evict again.
_KEEP_FRACTION = 0.8
_CHUNK_BYTES = 1 << 20
_KEY = re.compile(r"[0-9a-f]{16,64}")
_SOURCE_SUFFIXES = frozenset({".py", ".ll", ".c", ".h"})


def content_key(*parts: bytes | str) -> str:
    """Return the key of a sequence of parts; parts do not run into each other."""
    digest = hashlib.blake2b(digest_size=20)
    for part in parts:
        data = part.encode() if isinstance(part, str) else part
        digest.update(len(data).to_bytes(8, "little"))
        digest.update(data)
    return digest.hexdigest()


@functools.cache
def compiler_key() -> str:
    """Return the key of the compiler itself: our sources, xdsl and llvmlite versions."""
    root = Path(__file__).resolve().parent.parent
    parts: list[bytes | str] = []
    for path in sorted(_source_files(root)):
        parts += [path.relative_to(root).as_posix(), path.read_bytes()]
    versions = (f"{name} {importlib.metadata.version(name)}" for name in ("xdsl", "llvmlite"))
    return content_key(*parts, *versions)


def _source_files(root: Path) -> Iterator[Path]:
    for package in root.glob("*/__init__.py"):
        yield from (p for p in package.parent.rglob("*") if p.suffix in _SOURCE_SUFFIXES)


@dataclass(frozen=True)
class DiskCache:
    """Bytes by key in one folder. Units: ``limit_bytes`` counts the entries' sizes."""

    folder: Path
    limit_bytes: int = DEFAULT_LIMIT_BYTES

    def find(self, key: str) -> Path | None:
        """Return the file of a key, or None; a damaged entry is deleted and not returned."""
        for path in self._entries(_checked(key)):
            with contextlib.suppress(FileNotFoundError):  # another process evicted it
                if _digest(path) == _digest_in_name(path):
                    os.utime(path)
                    return path
                path.unlink()
        return None

    def read(self, key: str) -> bytes | None:
        """Return the bytes of a key, or None; a damaged entry is deleted and not returned."""
        path = self.find(key)
        if path is None:
            return None
        try:
            return path.read_bytes()
        except FileNotFoundError:
            return None

    def write(self, key: str, data: bytes) -> Path:
        """Store bytes under a key, evict if needed, and return the entry's file.

        Errors: TilewrightError if the folder cannot be written.
        """
        name = f"{_checked(key)}-{hashlib.blake2b(data, digest_size=16).hexdigest()}.bin"
        path = self.folder / name
        try:
            self._replace(path, data)
        except OSError as err:
            raise TilewrightError(
                "cannot write to the cache",
                got=str(err),
                hint="set TILEWRIGHT_CACHE_DIR to a folder that you can write to",
                where=str(self.folder),
            ) from err
        self._evict(keep=path)
        return path

    def clear(self) -> None:
        """Delete every entry."""
        for path in self._entries():
            path.unlink(missing_ok=True)

    def _replace(self, path: Path, data: bytes) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        handle, scratch = tempfile.mkstemp(dir=self.folder, prefix=".writing-")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
            os.replace(scratch, path)
        except BaseException:
            Path(scratch).unlink(missing_ok=True)
            raise
        for stale in self._entries(path.name.partition("-")[0]):
            if stale != path:
                stale.unlink(missing_ok=True)

    def _entries(self, key: str = "") -> list[Path]:
        return list(self.folder.glob(f"{key}*-*.bin"))

    def _evict(self, keep: Path) -> None:
        entries: list[tuple[float, int, Path]] = []
        for path in self._entries():
            with contextlib.suppress(FileNotFoundError):
                stat = path.stat()
                entries.append((stat.st_mtime, stat.st_size, path))
        total_bytes = sum(size for _, size, _ in entries)
        if total_bytes <= self.limit_bytes:
            return
        for _, size, path in sorted(entries):
            if total_bytes <= _KEEP_FRACTION * self.limit_bytes:
                return
            if path != keep:
                path.unlink(missing_ok=True)
                total_bytes -= size


def _checked(key: str) -> str:
    assert _KEY.fullmatch(key), f"not a cache key: {key!r}"
    return key


def _digest_in_name(path: Path) -> str:
    return path.stem.partition("-")[2]


def _digest(path: Path) -> str:
    digest = hashlib.blake2b(digest_size=16)
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK_BYTES):
            digest.update(chunk)
    return digest.hexdigest()

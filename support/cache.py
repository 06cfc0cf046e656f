"""A content-addressed cache on disk, shared by processes.

An entry is one file ``<start of the key>/<key>-<digest of its bytes>.bin``: it is written under
another name and renamed, so no reader sees half of it, and its digest is compared on every read.
The least recently used entries go when the folder is over its limit; a use is the file's time of
modification. Processes need no lock: whatever one deletes or replaces, the others find either an
entry as it was written or none.

Adding the sizes up looks at every file, so only some writes do: as many as there are pieces of
1/64 of the limit among the bytes written. A full folder may thus be over its limit for a while, by
some such pieces; folders with a limit below 256 KiB are looked at by every write.
Never here: what a key is made of (the caller joins it with `content_key`).
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import importlib.metadata
import os
import re
import secrets
import time
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from .config import DEFAULT_CACHE_BYTES, read_config
from .diagnostics import TilewrightError

# After an eviction the folder is this full, so that the next writes do not evict again.
_KEEP_FRACTION = 0.8
# A file that was being written this long ago belongs to a process that was killed.
_ABANDONED_S = 3600.0
_SCRATCH_PREFIX = ".writing-"
_CHUNK_BYTES = 1 << 20
_SHARD_DIGITS = 2
# A folder is looked at once per so large a part of its limit that is written.
_LOOKS_PER_LIMIT = 64
_BLOCK_BYTES = 4096
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
class CacheState:
    """What is in a cache. Units: sizes in bytes, times in seconds since the epoch, by last use."""

    entries: int
    size_bytes: int
    oldest_s: float | None
    newest_s: float | None


@dataclass(frozen=True, order=True)
class _Entry:
    used_ns: int
    size_bytes: int
    path: Path


@dataclass(frozen=True)
class DiskCache:
    """Bytes by key in one folder. Units: ``limit_bytes`` counts the entries' sizes.

    Errors: TilewrightError if the folder or an entry cannot be read or written.
    """

    folder: Path
    limit_bytes: int = DEFAULT_CACHE_BYTES

    def find(self, key: str) -> Path | None:
        """Return the file of a key, or None; a damaged entry is deleted and not returned."""
        for path in self._files(_checked(key)):
            with self._no_access("read"), contextlib.suppress(FileNotFoundError):
                if _file_digest(path) == _digest_in_name(path):
                    _note_use(path)
                    return path
                path.unlink()
        return None

    def read(self, key: str) -> bytes | None:
        """Return the bytes of a key, or None; a damaged entry is deleted and not returned."""
        for path in self._files(_checked(key)):
            with self._no_access("read"), contextlib.suppress(FileNotFoundError):
                data = path.read_bytes()
                if _digest(data) == _digest_in_name(path):
                    _note_use(path)
                    return data
                path.unlink()
        return None

    def write(self, key: str, data: bytes) -> Path:
        """Store bytes under a key, evict if needed, and return the entry's file."""
        digest = _digest(data)
        path = self.folder / _checked(key)[:_SHARD_DIGITS] / f"{key}-{digest}.bin"
        with self._no_access("write to"):
            self._replace(path, data)
            if self._is_to_look(digest, len(data)):
                self._evict(keep=path)
        return path

    def state(self) -> CacheState:
        """Count the entries."""
        return _state(self._entries())

    def clear(self, *, unused_for_s: float = 0.0) -> CacheState:
        """Delete the entries that nobody used for a time; return what was deleted."""
        until_ns = time.time_ns() - int(unused_for_s * 1e9)
        old = [entry for entry in self._entries() if entry.used_ns <= until_ns]
        with self._no_access("delete from"):
            self._sweep()
            for entry in old:
                entry.path.unlink(missing_ok=True)
        return _state(old)

    @contextlib.contextmanager
    def _no_access(self, action: str) -> Generator[None]:
        try:
            yield
        except OSError as err:
            raise TilewrightError(
                f"cannot {action} the cache",
                got=str(err),
                hint="set TILEWRIGHT_CACHE_DIR to a folder that you can write to, "
                "or compile with cache=False (tw: --no-cache)",
                where=str(self.folder),
            ) from err

    def _replace(self, path: Path, data: bytes) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        # Named before it is made, so that an interrupt at any moment leaves nothing.
        scratch = self.folder / f"{_SCRATCH_PREFIX}{secrets.token_hex(8)}"
        try:
            with scratch.open("xb") as file:
                file.write(data)
            os.replace(scratch, path)
        except BaseException:
            scratch.unlink(missing_ok=True)
            raise
        for stale in self._files(path.name.partition("-")[0]):
            if stale != path:
                stale.unlink(missing_ok=True)

    def _files(self, key: str) -> list[Path]:
        return list((self.folder / key[:_SHARD_DIGITS]).glob(f"{key}-*.bin"))

    def _entries(self) -> list[_Entry]:
        """Return all entries, the least recently used first."""
        entries: list[_Entry] = []
        for path in self.folder.glob(f"{'[0-9a-f]' * _SHARD_DIGITS}/*-*.bin"):
            with contextlib.suppress(FileNotFoundError):  # another process evicted it
                stat = path.stat()
                entries.append(_Entry(stat.st_mtime_ns, stat.st_size, path))
        return sorted(entries)

    def _is_to_look(self, digest: str, size_bytes: int) -> bool:
        """Tell whether a write is one of those that add the sizes up, by its digest."""
        share = _LOOKS_PER_LIMIT * max(size_bytes, _BLOCK_BYTES)
        return int(digest[:16], 16) * self.limit_bytes < share << 64

    def _evict(self, keep: Path) -> None:
        entries = self._entries()
        total_bytes = sum(entry.size_bytes for entry in entries)
        if total_bytes <= self.limit_bytes:
            return
        self._sweep()
        for entry in entries:
            if total_bytes <= _KEEP_FRACTION * self.limit_bytes:
                return
            if entry.path != keep:
                entry.path.unlink(missing_ok=True)
                total_bytes -= entry.size_bytes

    def _sweep(self) -> None:
        """Delete what writers left behind that were killed while they wrote."""
        for path in self.folder.glob(f"{_SCRATCH_PREFIX}*"):
            with contextlib.suppress(FileNotFoundError):
                if path.stat().st_mtime <= time.time() - _ABANDONED_S:
                    path.unlink()


def _state(entries: Sequence[_Entry]) -> CacheState:
    return CacheState(
        entries=len(entries),
        size_bytes=sum(entry.size_bytes for entry in entries),
        oldest_s=entries[0].used_ns / 1e9 if entries else None,
        newest_s=entries[-1].used_ns / 1e9 if entries else None,
    )


def user_cache() -> DiskCache:
    """Return the cache of the folder and size that the environment says."""
    config = read_config()
    return DiskCache(config.cache_dir, config.cache_limit_bytes)


def _checked(key: str) -> str:
    assert _KEY.fullmatch(key), f"not a cache key: {key!r}"
    return key


def _digest_in_name(path: Path) -> str:
    return path.stem.partition("-")[2]


def _note_use(path: Path) -> None:
    """Make an entry the youngest; one that belongs to someone else keeps its age."""
    with contextlib.suppress(PermissionError):
        os.utime(path)


def _digest(data: bytes) -> str:
    return hashlib.blake2b(data, digest_size=16).hexdigest()


def _file_digest(path: Path) -> str:
    digest = hashlib.blake2b(digest_size=16)
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK_BYTES):
            digest.update(chunk)
    return digest.hexdigest()

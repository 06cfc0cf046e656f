"""A content-addressed cache on disk, shared by processes.

An entry is one file ``<start of the key>/<key>-<digest of its bytes>.bin``. It is written under
another name and renamed, so no reader sees a partial file; every read verifies its digest.
If the folder exceeds its limit, the least recently used entries are deleted; the file's
modification time records the last use. Processes need no lock: a lookup finds either a complete
entry or none, whatever other processes delete or replace.

Checking the limit visits every file, so only some writes do it: on average, one check per 1/64
of the limit written. The folder may therefore exceed its limit temporarily by a few such
amounts. If the limit is below 256 KiB, every write checks it.

Whole models are files ``<start of the key>/<key>.model``; the caller verifies their contents.
Because they may be large, they may take at most a fixed share of the limit: above it, models evict
each other and not the small entries, and a model larger than the share is not stored.
If the disk is full, no error is raised, and the entry is not stored.
This module does not choose what identifies an entry: callers compute keys by `content_key`.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import logging
import os
import re
import secrets
import tempfile
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

from .config import DEFAULT_CACHE_BYTES, read_config
from .diagnostics import TilewrightError

_LOG = logging.getLogger(__name__)
# An eviction shrinks the folder to this fraction, so that the next writes do not evict again.
_KEEP_FRACTION = 0.8
# A scratch file older than this belongs to a killed process.
_ABANDONED_S = 3600.0
_SCRATCH_PREFIX = ".writing-"
_SHARD_DIGITS = 2
# Expected number of limit checks while as many bytes as the limit are written.
_LOOKS_PER_LIMIT = 64
_BLOCK_BYTES = 4096
_KEY = re.compile(r"[0-9a-f]{16,64}")
_MODEL_SUFFIX = ".model"
# Largest fraction of the bytes left by an eviction that whole models may take.
_MODEL_SHARE = 0.75
_ADVICE = (
    "set TILEWRIGHT_CACHE_DIR to a folder that you can write to, "
    "or compile with cache=False (tw: --no-cache)"
)
_SOURCE_SUFFIXES = frozenset({".py", ".ll", ".c", ".h"})
_FOUNDATIONS = ("xdsl", "llvmlite", "onnx", "numpy", "ml_dtypes")


def content_key(*parts: bytes | str) -> str:
    """Return the cache key of a sequence of texts and bytes: a digest.

    Different sequences have different keys, even if their concatenations are equal.
    """
    digest = hashlib.blake2b(digest_size=20)
    for part in parts:
        data = part.encode() if isinstance(part, str) else part
        digest.update(len(data).to_bytes(8, "little"))
        digest.update(data)
    return digest.hexdigest()


@functools.cache
def compiler_key() -> str:
    """Return a cache key that identifies this compiler: its source files and dependencies.

    The key covers the name, size, mtime and ctime of each file. The system sets the ctime, so a
    change of contents always changes the key.
    Cost: 5 ms.
    """
    from importlib.metadata import version  # imported late: takes 20 ms, needed to compile only

    root = Path(__file__).resolve().parent.parent
    parts: list[str] = []
    for path in sorted(_source_files(root)):
        stat = path.stat()
        parts.append(f"{path} {stat.st_size} {stat.st_mtime_ns} {stat.st_ctime_ns}")
    parts += [f"{name} {version(name)}" for name in _FOUNDATIONS]
    return content_key(*parts)


def _source_files(root: Path) -> Iterator[Path]:
    for package in root.glob("*/__init__.py"):
        for folder, _, names in os.walk(package.parent):
            yield from (
                Path(folder, n) for n in names if os.path.splitext(n)[1] in _SOURCE_SUFFIXES
            )


@dataclass(frozen=True)
class CacheState:
    """A summary of a cache.

    entries: the number of entries.  size_bytes: the sum of their sizes.  oldest_s, newest_s: the
    earliest and the latest time of last use, in seconds since the epoch; None without entries.
    """

    entries: int
    size_bytes: int
    oldest_s: float | None
    newest_s: float | None


@dataclass(frozen=True, order=True)
class _Entry:
    used_ns: int
    size_bytes: int
    path: Path

    @property
    def is_model(self) -> bool:
        return self.path.suffix == _MODEL_SUFFIX


@dataclass(frozen=True)
class DiskCache:
    """A map from keys to bytes in one folder.

    A folder or entry that cannot be read or written is treated as missing; the first failure is
    logged as a warning.
    limit_bytes: the limit of the sum of all entry sizes.
    Errors: TilewrightError for a folder that cannot be listed or cleared.
    """

    folder: Path
    limit_bytes: int = DEFAULT_CACHE_BYTES
    _warned: list[str] = field(default_factory=list[str], compare=False, repr=False)

    def read(self, key: str) -> bytes | None:
        """Return the contents of an entry, or None if no entry has this key.

        A damaged entry is deleted, and the result is None.
        """
        for path in self._files(_checked(key)):
            with self._tolerant("read"), contextlib.suppress(FileNotFoundError):
                data = path.read_bytes()
                if _digest(data) == path.stem.partition("-")[2]:
                    _note_use(path)
                    return data
                path.unlink()
        return None

    def write(self, key: str, data: bytes) -> Path | None:
        """Store bytes as an entry, evict other entries if needed, and return the path of its file.

        Return None if the disk is full or the folder cannot be written.
        """
        digest = _digest(data)
        path = self.folder / _checked(key)[:_SHARD_DIGITS] / f"{key}-{digest}.bin"
        return self._written(path, len(data), lambda file: file.write(data), digest)

    def model_file(self, key: str) -> Path | None:
        """Return the path of the file of a whole model, or None if the cache does not have it.

        The caller checks the contents.
        """
        path = self._model_path(key)
        with self._tolerant("read"):
            if path.is_file():
                _note_use(path)
                return path
        return None

    def write_model(
        self, key: str, size_bytes: int, write: Callable[[BinaryIO], object]
    ) -> Path | None:
        """Store a whole model; return the path of its file.

        Return None if the model is larger than the share of models, the disk is full, or the folder
        cannot be written.
        write: writes the model to a file.
        """
        if size_bytes > _MODEL_SHARE * _KEEP_FRACTION * self.limit_bytes:
            _LOG.info("not kept: %d bytes are too many for a cache of %d", size_bytes,
                      self.limit_bytes)  # fmt: skip
            return None
        return self._written(self._model_path(key), size_bytes, write, key)

    def discard(self, path: Path) -> None:
        """Delete the file of an entry whose contents the caller has found to be damaged."""
        with self._tolerant("delete from"):
            path.unlink(missing_ok=True)

    def state(self) -> CacheState:
        """Return a summary of the entries."""
        self._check_folder()
        return _state(self._entries())

    def _check_folder(self) -> None:
        """Raise an error if the folder exists but cannot be listed, because it would seem empty."""
        with self._no_access("read"), contextlib.suppress(FileNotFoundError):
            os.scandir(self.folder).close()

    def check_writable(self) -> None:
        """Create the folder if it is missing, and check that files can be created in it.

        Errors: TilewrightError if no file can be created.
        """
        with self._no_access("write to"):
            self.folder.mkdir(parents=True, exist_ok=True)
            tempfile.TemporaryFile(dir=self.folder).close()

    def clear(self, *, unused_for_s: float = 0.0) -> CacheState:
        """Delete entries that were not used for a time; return a summary of the deleted entries.

        unused_for_s: the time in seconds; 0 deletes all entries.
        """
        self._check_folder()
        until_ns = time.time_ns() - int(unused_for_s * 1e9)
        old = [entry for entry in self._entries() if entry.used_ns <= until_ns]
        with self._no_access("delete from"):
            self._sweep()
            for entry in old:
                entry.path.unlink(missing_ok=True)
        return _state(old)

    def _model_path(self, key: str) -> Path:
        return self.folder / _checked(key)[:_SHARD_DIGITS] / f"{key}{_MODEL_SUFFIX}"

    def _written(
        self, path: Path, size_bytes: int, write: Callable[[BinaryIO], object], chance: str
    ) -> Path | None:
        """Write the file of an entry, and return its path; None if it cannot be written.

        Some writes then evict old entries.

        size_bytes: the size of the entry.  write: writes the contents to a file.  chance: a digest,
        which serves as the random number that decides whether to check the size limit.
        """
        with self._tolerant("write to"):
            self._replace(path, write)
            if self._is_to_look(chance, size_bytes):
                self._evict(keep=path)
            return path
        return None

    @contextlib.contextmanager
    def _tolerant(self, action: str) -> Generator[None]:
        """Continue without the cache if the file system raises an error in the block; warn once.

        action: the verb of the warning, such as "read".
        """
        try:
            yield
        except OSError as err:
            if not self._warned:
                _LOG.warning("cannot %s the cache %s: %s; %s", action, self.folder, err, _ADVICE)
                self._warned.append(action)

    @contextlib.contextmanager
    def _no_access(self, action: str) -> Generator[None]:
        try:
            yield
        except OSError as err:
            raise TilewrightError(
                f"cannot {action} the cache",
                got=str(err),
                hint=_ADVICE,
                where=str(self.folder),
            ) from err

    def _replace(self, path: Path, write: Callable[[BinaryIO], object]) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        # The name is known before the file exists, so an interrupt at any point can delete it.
        scratch = self.folder / f"{_SCRATCH_PREFIX}{secrets.token_hex(8)}"
        try:
            with scratch.open("xb") as file:
                write(file)
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
        """Return all entries, least recently used first."""
        entries: list[_Entry] = []
        for pattern in ("*-*.bin", f"*{_MODEL_SUFFIX}"):
            for path in self.folder.glob(f"{'[0-9a-f]' * _SHARD_DIGITS}/{pattern}"):
                with contextlib.suppress(FileNotFoundError):  # another process evicted it
                    stat = path.stat()
                    entries.append(_Entry(stat.st_mtime_ns, stat.st_size, path))
        return sorted(entries)

    def _is_to_look(self, digest: str, size_bytes: int) -> bool:
        """Return whether a write checks the size limit; larger writes do so more often.

        digest: the digest of the entry, which serves as a random number.
        """
        share = _LOOKS_PER_LIMIT * max(size_bytes, _BLOCK_BYTES)
        return int(digest[:16], 16) * self.limit_bytes < share << 64

    def _evict(self, keep: Path) -> None:
        entries = self._entries()
        total_bytes = sum(entry.size_bytes for entry in entries)
        if total_bytes <= self.limit_bytes:
            return
        self._sweep()
        goal_bytes = _KEEP_FRACTION * self.limit_bytes
        models = [entry for entry in entries if entry.is_model]
        rest_bytes = total_bytes - sum(entry.size_bytes for entry in models)
        left = _delete_oldest(models, total_bytes - rest_bytes, _MODEL_SHARE * goal_bytes, keep)
        _delete_oldest([e for e in entries if e.path.exists()], rest_bytes + left, goal_bytes, keep)

    def _sweep(self) -> None:
        """Delete the temporary files that killed processes have left."""
        for path in self.folder.glob(f"{_SCRATCH_PREFIX}*"):
            with contextlib.suppress(FileNotFoundError):
                if path.stat().st_mtime <= time.time() - _ABANDONED_S:
                    path.unlink()


def _delete_oldest(
    entries: Sequence[_Entry], size_bytes: float, goal_bytes: float, keep: Path
) -> float:
    """Delete entries until at most ``goal_bytes`` remain; return the remaining bytes.

    entries: least recently used first.  size_bytes: the sum of all sizes.  keep: the file of an
    entry that must not be deleted.
    """
    for entry in entries:
        if size_bytes <= goal_bytes:
            break
        if entry.path != keep:
            entry.path.unlink(missing_ok=True)
            size_bytes -= entry.size_bytes
    return size_bytes


def _state(entries: Sequence[_Entry]) -> CacheState:
    return CacheState(
        entries=len(entries),
        size_bytes=sum(entry.size_bytes for entry in entries),
        oldest_s=entries[0].used_ns / 1e9 if entries else None,
        newest_s=entries[-1].used_ns / 1e9 if entries else None,
    )


def user_cache() -> DiskCache:
    """Return the cache that the environment variables configure."""
    config = read_config()
    return DiskCache(config.cache_dir, config.cache_limit_bytes)


def _checked(key: str) -> str:
    assert _KEY.fullmatch(key), f"not a cache key: {key!r}"
    return key


def _note_use(path: Path) -> None:
    """Set the time of last use of an entry to now, unless its file belongs to another user."""
    with contextlib.suppress(PermissionError):
        os.utime(path)


def _digest(data: bytes) -> str:
    return hashlib.blake2b(data, digest_size=16).hexdigest()

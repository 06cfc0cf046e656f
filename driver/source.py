"""The source of a model, identified by a digest of its bytes before parsing.

In: a path, serialized bytes or a ModelProto.  Out: a digest of the contents, and the model on
request.  The model may be loaded again later, to print earlier levels or to compile for other
sizes. A file stays open, so it may be deleted meanwhile.  Large models in memory are released after
the compilation and cannot be loaded again.
"""

from __future__ import annotations

import hashlib
import os
import stat
import time
import weakref
from collections.abc import Callable, Iterable
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias, cast

from ..frontend.model_file import is_source
from ..machines.this_machine import host_has
from ..runtime.host import available_threads
from ..support.diagnostics import ModelError

if TYPE_CHECKING:
    import onnx

    from ..frontend.onnx.file.definitions import Model

ModelLike: TypeAlias = "str | PathLike[str] | bytes | onnx.ModelProto"
Update: TypeAlias = Callable[[memoryview], None]

KEPT_BYTES = 64 << 20
"""Models in memory that are larger than this are released after the compilation."""

# Granularity of file times: a change within one step may not change the time.
_TICK_NS = 10_000_000
_LEAF_BYTES = 8 << 20
# The first field of a serialized ModelProto; no text starts with it.
_ONNX_START = b"\x08"
_PIECE_BYTES = 1 << 20
_MAX_HASHERS = 4


class ModelSource:
    """A model as the caller passed it: a path, bytes, the text of a module, or a ModelProto."""

    def __init__(self, given: ModelLike) -> None:
        if isinstance(given, str) and is_source(given):
            given = given.encode()
        self._given: ModelLike | None = given
        self._is_released = False
        self._file = _OpenFile.of(given) if isinstance(given, str | PathLike) else None
        self._digest: str | None = None
        self._is_settled = False
        self._started_ns = time.time_ns()
        self._data: dict[str, tuple[_OpenFile, str]] = {}

    def digest(self) -> str | None:
        """Return hex digits that identify the contents, or None if the contents cannot be read."""
        if self._digest is None:
            self._digest = self._computed_digest()
        return self._digest

    def data_digests(self, locations: Iterable[str]) -> list[str] | None:
        """Return the digests of external data files next to the model.

        Return None if a file is missing or has changed since this object was created, because the
        import may have read other contents.
        """
        if self._file is None:
            return [] if not list(locations) else None
        found = [self._data_digest(self._file.path.parent, each) for each in locations]
        return None if None in found else [digest for digest in found if digest]

    def _data_digest(self, folder: Path, location: str) -> str | None:
        file, digest = self._data.get(location, (None, None))
        if file is None or not file.is_untouched():
            file = _OpenFile.of(folder / location)
            if file is None or file.changed_ns > self._started_ns - _TICK_NS:
                return None
            if (digest := file.digest()) is None:
                return None
            self._data[location] = file, digest
        return digest

    def load(self) -> Model:
        """Read and check the model.

        Errors: ModelError if the model is malformed, has changed since its digest was computed, or
        was released from memory.
        """
        from ..frontend.model_file import load_model  # imported late: cached models need no onnx

        if self._is_released:
            raise ModelError(
                "the model is not in memory any more",
                expected=f"a file, or a model of at most {KEPT_BYTES >> 20} MiB",
                got="a larger model that was given in memory",
                hint="save the model (onnx.save) and compile the file: profile, get_source and"
                " get_params read it again",
            )
        if self._file is None:
            if self._is_settled and self._digest != self._computed_digest():
                raise _changed("the given ModelProto")
            return load_model(cast("ModelLike", self._given))
        return load_model(self._file.path, data=self._file.data(self._digest))

    def onnx_model(self) -> str | bytes | None:
        """Return the model in a form that other runtimes read: a path or bytes of ONNX; or None."""
        if self._file is not None:
            return str(self._file.path) if self._file.path.suffix == ".onnx" else None
        data = _serialized(self._given)
        return None if data is None or bytes(data[:1]) != _ONNX_START else bytes(data)

    def settle(self, *, is_needed: bool) -> None:
        """Mark the end of the compilation, and release a large model in memory.

        A later load must read the same contents as the compilation.
        is_needed: whether to keep a model in memory even if it is large.
        """
        if self._file is None:
            self.digest()
            self._is_settled = True
            if not is_needed and _size_bytes(self._given) > KEPT_BYTES:
                self._given, self._is_released = None, True

    def _computed_digest(self) -> str | None:
        if self._file is not None:
            return self._file.digest()
        data = _serialized(self._given)
        return None if data is None else _data_digest(data)


class _OpenFile:
    """A regular file, open for reading.  Units: ``size_bytes`` in bytes."""

    def __init__(self, path: Path, descriptor: int, state: os.stat_result) -> None:
        self.path, self.size_bytes = path, state.st_size
        self._descriptor = descriptor
        self._stamp, self._opened_ns = _stamp(state), time.time_ns()
        weakref.finalize(self, os.close, descriptor)

    @staticmethod
    def of(path: str | PathLike[str]) -> _OpenFile | None:
        """Open a regular file; return None if the path is unreadable or no regular file."""
        try:
            if not stat.S_ISREG(os.stat(path).st_mode):
                return None
            descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        except (OSError, ValueError):
            return None
        return _OpenFile(Path(path), descriptor, os.fstat(descriptor))

    @property
    def changed_ns(self) -> int:
        """The time of the last change, in nanoseconds since the epoch."""
        return self._stamp[-1]

    def is_untouched(self) -> bool:
        """Return whether the file has not been changed, renamed or deleted since it was opened."""
        return _stamp(os.fstat(self._descriptor)) == self._stamp

    def digest(self) -> str | None:
        """Return hex digits that identify the contents.

        Return None if the file cannot be read or has changed since it was opened.
        """
        try:
            found = file_digest(self._descriptor, self.size_bytes)
        except OSError:
            return None
        return found if self.is_untouched() else None

    def data(self, digest: str | None) -> bytes | None:
        """Return the contents of the file, or None if it is too large for a protobuf message.

        If it is too large, the caller reads the path instead, which raises the error.
        digest: the digest of the expected contents.
        Errors: ModelError if the contents have another digest.
        """
        from ..frontend.onnx.file.proto import MAX_FILE_BYTES

        if self.size_bytes > MAX_FILE_BYTES:
            return None
        with open(os.dup(self._descriptor), "rb") as file:
            file.seek(0)
            data = file.read()
        is_certain = self.is_untouched() and self.changed_ns < self._opened_ns - _TICK_NS
        if not is_certain and digest is not None and digest != _data_digest(data):
            raise _changed(str(self.path))
        return data


def file_digest(descriptor: int, size_bytes: int) -> str:
    """Return hex digits that identify the first ``size_bytes`` bytes of a file.

    Errors: OSError if the file cannot be read or is shorter.
    Cost: 1 to 3 GB/s.
    """

    def feed(update: Update, start: int, end: int) -> None:
        buffer = memoryview(bytearray(min(_PIECE_BYTES, end - start)))
        while start < end:
            count = os.preadv(descriptor, [buffer[: end - start]], start)
            if count == 0:
                raise OSError("the file is shorter than it was")
            update(buffer[:count])
            start += count

    return _tree_digest(size_bytes, feed)


def _data_digest(data: bytes | bytearray | memoryview) -> str:
    view = memoryview(data).cast("B")
    return _tree_digest(len(view), lambda update, start, end: update(view[start:end]))


def _tree_digest(size_bytes: int, feed: Callable[[Update, int, int], None]) -> str:
    """Hash chunks of data in several threads, and return the digest of the chunks' digests.

    feed: a function of (update, start, end); it passes the bytes of this range to ``update``, which
    adds them to a hash.
    """
    # Neither hash has known collisions; sha256 is faster if the processor has the sha_ni extension.
    name = "sha256" if host_has("sha_ni") else "blake2b"
    starts = range(0, size_bytes, _LEAF_BYTES)
    leaves = [b""] * len(starts)
    count = max(1, min(_MAX_HASHERS, available_threads(), len(starts)))

    def work(first: int) -> None:
        for index in range(first, len(starts), count):
            hasher = hashlib.new(name)
            feed(hasher.update, starts[index], min(size_bytes, starts[index] + _LEAF_BYTES))
            leaves[index] = hasher.digest()

    if count == 1:
        work(0)
    else:
        from concurrent.futures import ThreadPoolExecutor  # late: only large models need threads

        with ThreadPoolExecutor(count) as workers:
            list(workers.map(work, range(count)))
    root = hashlib.new(name, b"".join((size_bytes.to_bytes(8, "little"), *leaves)))
    return f"{name}:{root.hexdigest()}"


def _stamp(state: os.stat_result) -> tuple[int, ...]:
    return state.st_ino, state.st_size, state.st_mtime_ns, state.st_ctime_ns


def _serialized(given: object) -> bytes | bytearray | memoryview | None:
    """Return the bytes of a model that is given in memory.

    Return None if the object is no model, or is too large for a protobuf message.
    """
    if isinstance(given, bytes | bytearray | memoryview):
        return given
    if not hasattr(given, "SerializeToString"):
        return None
    proto = cast("onnx.ModelProto", given)
    return proto.SerializeToString(deterministic=True) if proto.ByteSize() < 1 << 31 else None


def _size_bytes(given: object) -> int:
    if isinstance(given, bytes | bytearray | memoryview):
        return memoryview(given).nbytes
    return cast("onnx.ModelProto", given).ByteSize()


def _changed(what: str) -> ModelError:
    return ModelError(
        "the model has changed since it was compiled",
        got=what,
        hint="compile it again",
    )

"""A host in another process, through a socket or a pipe.

A handle that a finalizer drops is freed with the next request, because Python's garbage collector
may run a finalizer inside of a request.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from ..abi.library import LoadError
from ..errors import KernelError
from .host import Host
from .messages import MAX_CHUNK_BYTES, Buffer, RemoteValue
from .requests import MAX_CHUNKS, Requests


class RemoteHost(Requests, Host):
    """One session with another process; see `Host` for the operations."""

    def ping(self) -> None:
        self.request("ping")

    def allocate(self, kind: int, index: int, size: int) -> int:
        return self.request("allocate", kind, index, size)[0]

    def free(self, memory: int) -> None:
        self.request("free", memory)

    def write(self, memory: int, offset: int, data: Buffer) -> None:
        view = memoryview(data).cast("B")
        self.transfer(
            [("write", (memory, offset + at, view[at:end])) for at, end in _chunks(view.nbytes)]
        )

    def read(self, memory: int, offset: int, size: int) -> Buffer:
        made = bytearray(size)
        self._receive_chunks("read", memory, offset, memoryview(made))
        return made

    def read_into(self, memory: int, offset: int, target: memoryview) -> None:
        self._receive_chunks("read", memory, offset, target)

    def _receive_chunks(
        self, name: str, source: int | str, offset: int, target: memoryview
    ) -> None:
        chunks = [*_chunks(target.nbytes)]
        requests = [(name, (source, offset + at, end - at)) for at, end in chunks]
        self.transfer(requests, [target[at:end] for at, end in chunks])

    def copy(
        self, target: int, target_offset: int, source: int, source_offset: int, size: int
    ) -> None:
        self.request("copy", target, target_offset, source, source_offset, size)

    def upload(
        self,
        name: str,
        offset: int,
        data: Buffer,
        progress: Callable[[int, int], None] | None = None,
    ) -> None:
        """Append bytes to a file, in chunks.

        progress: a function that is called with the number of bytes sent so far and of all bytes.
        """
        view = memoryview(data).cast("B")
        rows = [("upload", (name, offset + at, view[at:end])) for at, end in _chunks(view.nbytes)]
        for first in range(0, len(rows), MAX_CHUNKS):
            self.transfer(rows[first : first + MAX_CHUNKS])
            if progress is not None:
                progress(min(view.nbytes, (first + MAX_CHUNKS) * MAX_CHUNK_BYTES), view.nbytes)

    def download(self, name: str, offset: int, size: int) -> Buffer:
        made = bytearray(size)
        self._receive_chunks("download", name, offset, memoryview(made))
        return made

    def file_size(self, name: str) -> int:
        return self.request("file_size", name)[0]

    def remove(self, name: str) -> None:
        self.request("remove", name)

    def load(self, name: str, threads: int) -> tuple[int, str]:
        try:
            module, manifest = self.request("load", name, threads)
        except KernelError as err:
            raise LoadError(
                err.rule, hint="upload the file again; if it stays so, export the model again"
            ) from err
        return module, manifest

    def unload(self, module: int) -> None:
        self.request("unload", module)

    def find(self, module: int, name: str) -> int:
        return self.request("find", module, name)[0]

    def drop(self, function: int) -> None:
        self.request("drop", function)

    def call(self, function: int, arguments: Sequence[RemoteValue]) -> list[RemoteValue]:
        return self.request("call", function, arguments)[0]

    def run(self, module: int, inputs: Sequence[RemoteValue]) -> list[RemoteValue]:
        return self.request("run", module, inputs)[0]

    def shapes(self, module: int, inputs: Sequence[Sequence[int]]) -> Sequence[int]:
        return self.request("shapes", module, inputs)[0]

    def time(
        self,
        function: int,
        number: int,
        repeat: int,
        least_ns: int,
        cooldown_ns: int,
        arguments: Sequence[RemoteValue],
    ) -> tuple[int, Sequence[int]]:
        fields = (function, number, repeat, least_ns, cooldown_ns, arguments)
        count, elapsed_ns = self.request("time", *fields)
        return count, elapsed_ns

    def steps(self, module: int) -> str:
        return self.request("steps", module)[0]

    def record(
        self, function: int, steps: int, tasks: int, arguments: Sequence[RemoteValue]
    ) -> tuple[int, int]:
        made = self.request("record", function, steps, tasks, arguments)
        return made[0], made[1]

    def count(self, function: int, arguments: Sequence[RemoteValue]) -> int:
        return self.request("count", function, arguments)[0]

    def devices(self, kind: int) -> tuple[int, str]:
        count, attributes = self.request("devices", kind)
        return count, attributes

    def synchronize(self, kind: int, index: int) -> None:
        self.request("synchronize", kind, index)


def _chunks(size: int) -> Iterator[tuple[int, int]]:
    """Yield the first byte and the end (exclusive) of each chunk; for size 0, one empty chunk."""
    for at in range(0, max(size, 1), MAX_CHUNK_BYTES):
        yield at, min(size, at + MAX_CHUNK_BYTES)

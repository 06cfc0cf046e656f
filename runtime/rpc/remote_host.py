"""A host in another process, through a socket or a pipe.

A handle that a finalizer drops is freed with the next request, because Python's garbage collector
may run a finalizer inside of a request.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from ..abi.library import LoadError
from ..errors import KernelError
from .messages import MAX_CHUNK_BYTES, Buffer, RemoteValue
from .requests import MAX_CHUNKS, Requests


class RemoteHost(Requests):
    """One session with another process; see `Host` for the operations."""

    def ping(self) -> None:
        """Do nothing. The time of this call is the round-trip time of the connection."""
        self.request("ping")

    def allocate(self, kind: int, index: int, size: int) -> int:
        """Return a handle of new memory of a device."""
        return self.request("allocate", kind, index, size)[0]

    def free(self, memory: int) -> None:
        """Free memory."""
        self.request("free", memory)

    def write(self, memory: int, offset: int, data: Buffer) -> None:
        """Copy bytes into memory, in chunks."""
        view = memoryview(data).cast("B")
        self.transfer(
            [("write", (memory, offset + at, view[at:end])) for at, end in _chunks(view.nbytes)]
        )

    def read(self, memory: int, offset: int, size: int) -> Buffer:
        """Return bytes of memory."""
        made = bytearray(size)
        self.read_into(memory, offset, memoryview(made))
        return made

    def read_into(self, memory: int, offset: int, target: memoryview) -> None:
        """Copy bytes of memory into memory of this process, in chunks."""
        rows = [
            ("read", (memory, offset + at, end - at), target[at:end])
            for at, end in _chunks(target.nbytes)
        ]
        self.transfer([row[:2] for row in rows], [row[2] for row in rows])

    def copy(
        self, target: int, target_offset: int, source: int, source_offset: int, size: int
    ) -> None:
        """Copy bytes within a device."""
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
        """Return bytes of a file."""
        made = bytearray(size)
        chunks = list(_chunks(size))
        requests = [("download", (name, offset + at, end - at)) for at, end in chunks]
        self.transfer(requests, [memoryview(made)[at:end] for at, end in chunks])
        return made

    def file_size(self, name: str) -> int:
        """Return the length of a file."""
        return self.request("file_size", name)[0]

    def remove(self, name: str) -> None:
        """Remove a file."""
        self.request("remove", name)

    def load(self, name: str, threads: int) -> tuple[int, str]:
        """Load a module of an uploaded file; return its handle and its manifest."""
        try:
            module, manifest = self.request("load", name, threads)
        except KernelError as err:
            raise LoadError(
                err.rule, hint="upload the file again; if it stays so, export the model again"
            ) from err
        return module, manifest

    def unload(self, module: int) -> None:
        """Drop a module."""
        self.request("unload", module)

    def find(self, module: int, name: str) -> int:
        """Return a handle of a function."""
        return self.request("find", module, name)[0]

    def drop(self, function: int) -> None:
        """Drop a handle of a function."""
        self.request("drop", function)

    def call(self, function: int, arguments: Sequence[RemoteValue]) -> list[RemoteValue]:
        """Call a function; return its result as a list of one value."""
        return self.request("call", function, arguments)[0]

    def run(self, module: int, inputs: Sequence[RemoteValue]) -> list[RemoteValue]:
        """Run the main function on inputs; return its outputs."""
        return self.request("run", module, inputs)[0]

    def shapes(self, module: int, inputs: Sequence[Sequence[int]]) -> Sequence[int]:
        """Return the sizes of all outputs for inputs of these shapes."""
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
        """Measure calls in the host."""
        fields = (function, number, repeat, least_ns, cooldown_ns, arguments)
        count, elapsed_ns = self.request("time", *fields)
        return count, elapsed_ns

    def steps(self, module: int) -> str:
        """Return the list of steps of a module that records times, as JSON."""
        return self.request("steps", module)[0]

    def record(
        self, function: int, steps: int, tasks: int, arguments: Sequence[RemoteValue]
    ) -> tuple[int, int]:
        """Call a function whose module records times; return the numbers of records."""
        made = self.request("record", function, steps, tasks, arguments)
        return made[0], made[1]

    def count(self, function: int, arguments: Sequence[RemoteValue]) -> int:
        """Return how many instructions a call executes."""
        return self.request("count", function, arguments)[0]

    def devices(self, kind: int) -> tuple[int, str]:
        """Return the number of devices of a kind, and the attributes of each as JSON."""
        count, attributes = self.request("devices", kind)
        return count, attributes

    def synchronize(self, kind: int, index: int) -> None:
        """Wait until a device has done all queued work."""
        self.request("synchronize", kind, index)


def _chunks(size: int) -> Iterator[tuple[int, int]]:
    """Yield the first byte and the end (exclusive) of each chunk; for size 0, one empty chunk."""
    for at in range(0, max(size, 1), MAX_CHUNK_BYTES):
        yield at, min(size, at + MAX_CHUNK_BYTES)


__all__ = ["RemoteHost"]

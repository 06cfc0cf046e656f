"""A process that holds memory, files and modules, and calls their functions.

`LocalHost` (local_host.py) is this process. `RemoteHost` (remote_host.py) is another one, through a
socket or a pipe. Handles are numbers that the host chooses; a handle of another kind, or of an
object that is gone, is an UnknownFunction error (a KeyError).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from .messages import Buffer, RemoteFunction, RemoteTensor, RemoteValue


class Host(Protocol):
    """The operations of a session.

    Each has a message of the RPC protocol with the same name and fields.
    """

    def ping(self) -> None:
        """Do nothing. The time of this call is the round-trip time of the connection."""
        ...

    def allocate(self, kind: int, index: int, size: int) -> int:
        """Return a handle of new memory of a device, aligned to 64 bytes.

        kind: DLPack's number of the kind of device.
        Errors: MemoryError.
        """
        ...

    def free(self, memory: int) -> None:
        """Free memory."""
        ...

    def write(self, memory: int, offset: int, data: Buffer) -> None:
        """Copy bytes into memory."""
        ...

    def read(self, memory: int, offset: int, size: int) -> Buffer:
        """Return bytes of memory."""
        ...

    def read_into(self, memory: int, offset: int, target: memoryview) -> None:
        """Copy bytes of memory into memory of this process."""
        ...

    def copy(
        self, target: int, target_offset: int, source: int, source_offset: int, size: int
    ) -> None:
        """Copy bytes within a device."""
        ...

    def upload(self, name: str, offset: int, data: Buffer) -> None:
        """Append bytes to a file; offset 0 begins a new one."""
        ...

    def download(self, name: str, offset: int, size: int) -> Buffer:
        """Return bytes of a file."""
        ...

    def file_size(self, name: str) -> int:
        """Return the length of a file."""
        ...

    def remove(self, name: str) -> None:
        """Remove a file."""
        ...

    def load(self, name: str, threads: int) -> tuple[int, str]:
        """Load a module of an uploaded file; return its handle and its manifest.

        threads: the number of threads of calls; 0 is all of the host.
        Errors: KernelError or LoadError for a file whose digests do not hold.
        """
        ...

    def unload(self, module: int) -> None:
        """Drop a module; its functions stay valid."""
        ...

    def find(self, module: int, name: str) -> int:
        """Return a handle of a function of a module, or of a global function (module 0)."""
        ...

    def drop(self, function: int) -> None:
        """Drop a handle of a function."""
        ...

    def call(self, function: int, arguments: Sequence[RemoteValue]) -> list[RemoteValue]:
        """Call a function; return its result as a list of one value."""
        ...

    def run(self, module: int, inputs: Sequence[RemoteValue]) -> list[RemoteValue]:
        """Run the main function on inputs; return its outputs, in new memory of actual sizes."""
        ...

    def shapes(self, module: int, inputs: Sequence[Sequence[int]]) -> Sequence[int]:
        """Return the sizes of all outputs for inputs of these shapes, one after the other."""
        ...

    def time(
        self,
        function: int,
        number: int,
        repeat: int,
        least_ns: int,
        cooldown_ns: int,
        arguments: Sequence[RemoteValue],
    ) -> tuple[int, Sequence[int]]:
        """Measure calls in the host; return calls per repeat, and nanoseconds of each repeat.

        number: the number of calls, which grows until a repeat takes ``least_ns``.
        cooldown_ns: the pause before each repeat.
        """
        ...

    def steps(self, module: int) -> str:
        """Return the list of steps of a module that is exported with ``profile=True``, as JSON."""
        ...

    def record(
        self, function: int, steps: int, tasks: int, arguments: Sequence[RemoteValue]
    ) -> tuple[int, int]:
        """Call a function whose module records times; return the numbers of records.

        steps, tasks: memory for the records, STEP and TASK of runtime/measure/profile.py. Records
        that find no room are counted only.
        """
        ...

    def count(self, function: int, arguments: Sequence[RemoteValue]) -> int:
        """Return how many instructions a call executes.

        Errors: KernelError if the host cannot count them; its facts then do not name the counter.
        """
        ...

    def devices(self, kind: int) -> tuple[int, str]:
        """Return the number of devices of a kind, and the attributes of each as JSON."""
        ...

    def synchronize(self, kind: int, index: int) -> None:
        """Wait until a device has done all queued work."""
        ...


__all__ = ["Host", "RemoteFunction", "RemoteTensor", "RemoteValue"]

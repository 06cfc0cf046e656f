"""The interface of a process that holds memory, files and modules, and calls their functions.

`LocalHost` (local_host.py) is this process. `RemoteHost` (remote_host.py) is another process,
through a socket or a pipe. Memory, modules and functions have handles, numbers that the host
chooses. A handle of another kind, or of an object that was released, is an UnknownFunction error
(a KeyError).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from .messages import Buffer, RemoteFunction, RemoteTensor, RemoteValue


class Host(Protocol):
    """The operations of a session; each is also a message of the RPC protocol with the same fields.

    The parameters ``memory``, ``module`` and ``function`` are handles. ``kind`` and ``index`` name
    a device: DLPack's number of its kind, and its index among the devices of this kind.
    """

    def ping(self) -> None:
        """Do nothing; the duration of this call is the round-trip time of the connection."""
        ...

    def allocate(self, kind: int, index: int, size: int) -> int:
        """Allocate memory of a device, aligned to 64 bytes; return its handle.

        size: the number of bytes.

        Errors: MemoryError.
        """
        ...

    def free(self, memory: int) -> None:
        """Free memory and its handle."""
        ...

    def write(self, memory: int, offset: int, data: Buffer) -> None:
        """Copy bytes into memory, from a byte offset on."""
        ...

    def read(self, memory: int, offset: int, size: int) -> Buffer:
        """Return ``size`` bytes of memory from a byte offset on."""
        ...

    def read_into(self, memory: int, offset: int, target: memoryview) -> None:
        """Copy bytes of memory, from a byte offset on, into ``target``, memory of this process.

        The size of ``target`` is the number of bytes.
        """
        ...

    def copy(
        self, target: int, target_offset: int, source: int, source_offset: int, size: int
    ) -> None:
        """Copy bytes from one memory to another memory of the same device.

        source, target: the handles of the memories.  source_offset, target_offset: the first byte
        in each. size: the number of bytes.
        """
        ...

    def upload(
        self,
        name: str,
        offset: int,
        data: Buffer,
        progress: Callable[[int, int], None] | None = None,
    ) -> None:
        """Append bytes to a file of the session; offset 0 begins a new file.

        progress: a function that may be called with the number of bytes sent so far and of all.
        """
        ...

    def download(self, name: str, offset: int, size: int) -> Buffer:
        """Return ``size`` bytes of a file of the session from a byte offset on."""
        ...

    def file_size(self, name: str) -> int:
        """Return the length of a file of the session in bytes."""
        ...

    def remove(self, name: str) -> None:
        """Remove a file of the session."""
        ...

    def load(self, name: str, threads: int) -> tuple[int, str]:
        """Load a module from an uploaded file; return its handle and its manifest.

        threads: the number of threads of calls; 0: all that the host may use.

        Errors: KernelError or LoadError for a file whose digests are wrong.
        """
        ...

    def drop_later(self, name: str, handle: int) -> None:
        """Release a handle, at once or together with the next request.

        A finalizer may call this method, even while a request waits.

        name: the message that releases the handle, such as ``unload``.  handle: the handle.
        """
        ...

    def unload(self, module: int) -> None:
        """Release the handle of a module; handles of its functions stay valid."""
        ...

    def find(self, module: int, name: str) -> int:
        """Look up a function by name; return a new handle of the function.

        module: the handle of its module; 0: the function is a global function.
        """
        ...

    def drop(self, function: int) -> None:
        """Release the handle of a function."""
        ...

    def call(self, function: int, arguments: Sequence[RemoteValue]) -> list[RemoteValue]:
        """Call a function; return its result as a list of one value."""
        ...

    def run(self, module: int, inputs: Sequence[RemoteValue]) -> list[RemoteValue]:
        """Run the main function of a module on inputs; return its outputs.

        The outputs are in new memory, in the sizes that the module computes.
        """
        ...

    def shapes(self, module: int, inputs: Sequence[Sequence[int]]) -> Sequence[int]:
        """Return the sizes of all outputs, concatenated, for inputs of these shapes."""
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
        """Measure calls in the host; return the calls per repeat, and each repeat's nanoseconds.

        function: the handle of the function.  number: the number of calls per repeat, which grows
        until a repeat takes at least ``least_ns``.  repeat: the number of repeats.  cooldown_ns:
        the pause before each repeat.  arguments: the arguments of each call.
        """
        ...

    def steps(self, module: int) -> str:
        """Return the descriptions of a module's steps as JSON text.

        The module must be exported with ``profile=True``.
        """
        ...

    def record(
        self, function: int, steps: int, tasks: int, arguments: Sequence[RemoteValue]
    ) -> tuple[int, int]:
        """Call a function that records times; return the numbers of its step and task records.

        steps, tasks: handles of memory for the records, of the types `STEP` and `TASK` of
        runtime/measure/profile.py. Records that do not fit are counted but not stored.
        """
        ...

    def count(self, function: int, arguments: Sequence[RemoteValue]) -> int:
        """Count the instructions that a call of a function executes; return their number.

        Errors: KernelError if the host cannot count them; its facts then do not list the counter.
        """
        ...

    def devices(self, kind: int) -> tuple[int, str]:
        """Return the number of devices of a kind, and the attributes of each as JSON text."""
        ...

    def synchronize(self, kind: int, index: int) -> None:
        """Wait until a device has done all queued work."""
        ...


__all__ = ["Host", "RemoteFunction", "RemoteTensor", "RemoteValue"]

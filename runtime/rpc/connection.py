"""Connections: the client's state of a session, which its modules, functions and arrays share.

In: arguments of a call. Out: the values of a message (`RemoteValue`). An array of this process is
first copied to memory of the other process; later calls use this memory again.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from contextlib import contextmanager
from threading import Lock
from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np

from ..abi.device import Device
from ..abi.ndarray import Array, DeviceArray, numpy_dtype
from ..call.arguments import Argument
from ..call.device_calls import Placed
from ..errors import ArgumentError
from .devices import SessionDevices
from .host import Host, RemoteTensor, RemoteValue
from .local_host import CPU_KIND, dtype_bits
from .remote_host import RemoteHost

if TYPE_CHECKING:
    from collections.abc import Generator

_PINGS = 5
_MAX_SPARE = 64
"""The most pieces of spare memory, such as the inputs and outputs of calls."""


class Connection:
    """The client's state of a session: the host, its devices, and memory of the host for reuse.

    host: the process that runs the session.  remote: the host, if it is another process, else None.
    """

    def __init__(self, host: Host) -> None:
        self.host, self.devices = host, SessionDevices(host)
        self.remote = host if isinstance(host, RemoteHost) else None
        self._spare: deque[tuple[int, int]] = deque()
        self._lock = Lock()

    @contextmanager
    def borrowed(self, sizes: Sequence[int]) -> Generator[list[int]]:
        """Yield handles of memory in the other process for use inside the ``with`` block.

        After the block, the memory is kept for later calls.

        sizes: the size of each piece of memory, in bytes.
        """
        handles: list[int] = []
        try:
            for size in sizes:
                handles.append(self._memory_of(size))
            yield handles
        finally:
            for pair in zip(sizes, handles, strict=False):
                self._spare.append(pair)
            self._free_spare(_MAX_SPARE)

    def _memory_of(self, size: int) -> int:
        with self._lock:
            for at, (spare, handle) in enumerate(self._spare):
                if spare == size:
                    del self._spare[at]
                    return handle
        try:
            return self.host.allocate(CPU_KIND, 0, size)
        except MemoryError:
            self._free_spare(0)
            return self.host.allocate(CPU_KIND, 0, size)

    def _free_spare(self, most: int) -> None:
        with self._lock:
            while len(self._spare) > most:
                self.drop("free", self._spare.popleft()[1])

    def tensor_of(self, array: DeviceArray) -> RemoteTensor:
        """Return a session's device array as the message field that names it: a `RemoteTensor`.

        Errors: ArgumentError for an array of another device.
        """
        if not self.devices.has(array.device):
            raise ArgumentError(
                "an argument of a remote call is on a device of this process",
                expected="a device of the session",
                got=array.device,
                hint="copy it with x.copyto(remote.cpu(0))",
            )
        return RemoteTensor(array.address, dtype_bits(array.dtype), array.shape)

    def array_of(self, tensor: RemoteTensor, dtype: str, device: Device) -> DeviceArray:
        """Return an array for a tensor that a call in the other process has returned.

        The tensor's memory and handle are released when the array is dropped.

        dtype: the type of the elements.  device: the device of the session that holds the tensor.
        """
        kind = numpy_dtype(dtype)
        release = device.api.free, device.index, tensor.handle
        return DeviceArray.at(
            tensor.handle, tensor.shape, kind, device, release=release[0], of=release[1:]
        )

    def read(self, tensor: RemoteTensor, dtype: str) -> Array:
        """Copy a tensor of the other process to this process.

        dtype: the type of the elements.
        """
        made = np.empty(tensor.shape, numpy_dtype(dtype))
        self.host.read_into(tensor.handle, 0, bytes_of(made))
        return made

    def drop(self, message: str, handle: int) -> None:
        """Release a handle of the other process; a finalizer may call this method.

        If the host is another process, the message is sent with the next request.

        message: the name of the message that releases the handle, such as ``unload``.  handle: the
        handle.
        """
        self.host.drop_later(message, handle)

    def instructions(self, function: int, values: Sequence[RemoteValue]) -> int | None:
        """Return the number of instructions that a call executes; None if the host cannot count.

        function: the handle of the function.  values: its arguments.
        """
        if self.remote is None or "instructions" not in self.remote.facts.get("counters", ()):
            return None
        return self.remote.count(function, values)

    def round_trip_s(self) -> float:
        """Measure the round-trip time of the connection in seconds: the shortest of some pings."""
        times: list[float] = []
        for _ in range(_PINGS):
            start = perf_counter()
            self.host.ping()
            times.append(perf_counter() - start)
        return min(times)


@contextmanager
def sending(
    connection: Connection, arguments: Sequence[Argument], arrays: Sequence[object]
) -> Generator[list[RemoteValue]]:
    """Yield the arguments of a call as message fields, inside the ``with`` block of the call.

    Arrays of this process are copied to memory of the other process, which the call may use until
    the block ends. Arrays on a device of the session are passed by their handles.

    arguments: the arguments in the signature.  arrays: their values, in the same order.
    """
    placed = [
        each if isinstance(each, DeviceArray) else np.ascontiguousarray(argument.array_of(each))
        for argument, each in zip(arguments, arrays, strict=False)
    ]
    sizes = [0 if isinstance(each, DeviceArray) else each.nbytes for each in placed]
    with connection.borrowed(sizes) as memory:
        yield [_sent(connection, *pair) for pair in zip(placed, memory, strict=True)]


def _sent(connection: Connection, array: Placed, place: int) -> RemoteValue:
    """Return an array as a message field; first copy an array of this process to the other.

    place: the handle of the other process's memory for this copy.
    """
    if isinstance(array, DeviceArray):
        return connection.tensor_of(array)
    connection.host.write(place, 0, bytes_of(np.ascontiguousarray(array)))
    return RemoteTensor(place, dtype_bits(array.dtype), array.shape)


def bytes_of(array: Array) -> memoryview:
    """Return the memory of a contiguous array as bytes."""
    return array.reshape(-1).view(np.uint8).data if array.nbytes else memoryview(b"")

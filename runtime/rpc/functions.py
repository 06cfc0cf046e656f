"""Functions in another process, as packed functions of this process."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast
from weakref import finalize, ref

import numpy as np

from ..abi.constants import DTYPE_NAMES
from ..abi.ndarray import Array, DeviceArray, NDArray
from ..abi.packed import PackedFunc
from ..errors import ArgumentError
from .connection import Connection, bytes_of
from .host import RemoteFunction, RemoteTensor, RemoteValue
from .local_host import dtype_bits
from .messages import encoded_call


class RemoteFunc(PackedFunc):
    """A function in another process; arguments may be arrays of this process or of the session."""

    _connection: Connection
    _remote: RemoteFunction
    _last: tuple[Sequence[ref[DeviceArray]], bytes]
    """The arrays of the last call with device arrays, and the fields of its message."""

    @classmethod
    def of_handle(cls, connection: Connection, handle: int, name: str) -> RemoteFunc:
        """Return a function for a handle; the handle is released together with the function.

        name: the function's name in messages.
        """

        def call(*arguments: object) -> object:
            return _called(connection, handle, arguments)

        made = cast("RemoteFunc", cls.of_python(call, name))
        made._connection, made._remote = connection, RemoteFunction(handle)
        made._last = (), encoded_call(handle, ())
        finalize(made, connection.drop, "drop", handle).atexit = False
        return made

    @property
    def handle(self) -> int:
        """The handle of the function in the other process."""
        return self._remote.handle

    def __call__(self, *arguments: object) -> Any:
        """Call the function in the other process.

        Arrays of this process among the arguments are copied to the other process, and copied back
        after the call.
        """
        connection = self._connection
        fields = None if connection.remote is None else self._encoded(arguments)
        if connection.remote is None or fields is None:
            return _called(connection, self._remote.handle, arguments)
        result = connection.remote.call_encoded(fields)
        return None if result is None else _loaded(connection, result)

    def _encoded(self, arguments: Sequence[object]) -> bytes | None:
        """Return the payload of a call whose arguments are all arrays of the session's devices.

        Return None if there is any other argument. The payload is kept for the next call, which
        often has the same arrays.
        """
        arrays, fields = self._last
        if len(arrays) == len(arguments):
            for number, given in enumerate(arguments):
                if given is None or arrays[number]() is not given:
                    break
            else:
                return fields
        if not all(type(each) is DeviceArray for each in arguments):
            return None
        known = cast("Sequence[DeviceArray]", arguments)
        fields = encoded_call(self.handle, [self._connection.tensor_of(each) for each in known])
        self._last = [ref(each) for each in known], fields
        return fields


def _called(connection: Connection, handle: int, arguments: Sequence[object]) -> Any:
    host, arrays = connection.host, [_host_array(each) for each in arguments]
    sent = [array for array in arrays if array is not None]
    if not sent:
        (result,) = host.call(handle, [_value(connection, each) for each in arguments])
        return _loaded(connection, result)
    with connection.borrowed([array.nbytes for array in sent]) as memory:
        left = iter(memory)
        values: list[RemoteValue] = []
        for argument, array in zip(arguments, arrays, strict=True):
            if array is None:
                values.append(_value(connection, argument))
                continue
            tensor = RemoteTensor(next(left), dtype_bits(array.dtype), array.shape)
            host.write(tensor.handle, 0, bytes_of(np.ascontiguousarray(array)))
            values.append(tensor)
        (result,) = host.call(handle, values)
        for array, place in zip(sent, memory, strict=True):
            if array.flags.writeable:
                is_whole = array.flags.c_contiguous
                filled = array if is_whole else np.empty(array.shape, array.dtype)
                host.read_into(place, 0, bytes_of(filled))
                if not is_whole:
                    array[...] = filled
    return _loaded(connection, result)


def _host_array(value: object) -> Array | None:
    if isinstance(value, NDArray) and not isinstance(value, DeviceArray):
        return value.numpy()
    return value if isinstance(value, np.ndarray) else None


def _value(connection: Connection, value: object) -> RemoteValue:
    if isinstance(value, DeviceArray):
        return connection.tensor_of(value)
    if isinstance(value, RemoteFunc):
        return RemoteFunction(value.handle)
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    raise ArgumentError(
        "an argument of a remote call has no form in a message",
        expected="an array, a number, a truth value, text, None, or a function of the session",
        got=type(value).__name__,
        hint="pass an array, a number or text",
    )


def _loaded(connection: Connection, value: RemoteValue) -> Any:
    if isinstance(value, RemoteFunction):
        return RemoteFunc.of_handle(connection, value.handle, f"remote {value.handle}")
    if not isinstance(value, RemoteTensor):
        return value
    array = connection.read(value, DTYPE_NAMES[value.dtype & 0xFF, value.dtype >> 8 & 0xFF])
    connection.host.free(value.handle)
    return NDArray(array)

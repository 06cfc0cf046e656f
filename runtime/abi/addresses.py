"""Addresses of memory for drivers that identify buffers by handles.

In: a buffer of the driver. Out: an integer address of its first byte. The address plus an offset is
the address of a byte inside the buffer, so a memory plan may place many arrays in one buffer.
"""

from __future__ import annotations

from collections import deque
from itertools import count
from typing import Generic, TypeVar

# An address: a bit that no address of a process has, the number of a buffer, an offset.
_DEVICE_BIT, _OFFSET_BITS = 1 << 62, 40
_OFFSETS = (1 << _OFFSET_BITS) - 1

Buffer = TypeVar("Buffer")


class Addresses(Generic[Buffer]):
    """The buffers of a device, each under an integer address that this table assigns.

    A buffer is the driver's object for memory, such as a handle; the table does not use its
    contents.
    """

    def __init__(self) -> None:
        self._buffers: dict[int, Buffer] = {}
        self._new, self._unused = count(1), deque[int]()

    def add(self, buffer: Buffer) -> int:
        """Register a buffer; return the address that the table assigns to its first byte."""
        try:
            number = self._unused.pop()
        except IndexError:
            number = next(self._new)
        self._buffers[number] = buffer
        return _DEVICE_BIT | number << _OFFSET_BITS

    def remove(self, address: int) -> Buffer:
        """Remove a buffer from the table and return it; `add` may assign its address again.

        address: the result of `add` for the buffer.
        """
        number = _number(address)
        removed = self._buffers.pop(number)
        self._unused.append(number)
        return removed

    def at(self, address: int) -> tuple[Buffer, int]:
        """Return the buffer that contains an address, and the byte offset of the address in it."""
        return self._buffers[_number(address)], address & _OFFSETS


def _number(address: int) -> int:
    return (address ^ _DEVICE_BIT) >> _OFFSET_BITS

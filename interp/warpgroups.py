"""Warpgroup products in the simt interpreter: their descriptors, and the elements in use.

A descriptor has the bit layout of the hardware. The interpreter assigns an address to each shared
buffer, and decodes the addresses of elements from the descriptor alone. So if the descriptor of a
tile contradicts its layout, the results are wrong, as on the hardware.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from xdsl.ir import Operation

from ..dialects.simt import GROUP_ROWS, GROUP_STEP, WarpgroupMmaOp
from ..dialects.simt.warpgroup import (
    ADDRESS_BITS,
    LEADING_BIT,
    STRIDE_BIT,
    SWIZZLE_BIT,
    UNIT_BYTES,
)
from ..support.diagnostics import TilewrightError
from .memory import Array
from .thread_memory import SharedBuffer

_ALIGNMENT, _ROW_BYTES, _GROUP = 1024, 128, 8
_ELEMENT_BYTES = 2


@dataclass(frozen=True)
class _Read:
    memory: SharedBuffer
    places: Array


class Warpgroups:
    """The asynchronous matrix products of a block, which four warps (a warpgroup) compute together.

    It assigns addresses to the shared buffers, and records the products in flight, whose operands
    no thread may overwrite.
    """

    def __init__(self) -> None:
        self._buffers: list[tuple[int, SharedBuffer]] = []
        self._end = 0
        self._flights: list[list[_Read]] = []

    def place(self, memory: SharedBuffer) -> None:
        """Assign an address to a shared buffer, after the buffers that already have one."""
        self._buffers.append((self._end, memory))
        self._end += -(-memory.elements.nbytes // _ALIGNMENT) * _ALIGNMENT

    def show(self) -> None:
        """Make stored elements visible to asynchronous products, as simt.barrier async does."""
        for _, memory in self._buffers:
            memory.show()

    def descriptor(self, memory: SharedBuffer, places: Array, fields: int) -> Array:
        """Return descriptors of operands that start at elements of a buffer, one per element.

        places: the offsets of the elements. fields: the bits of the descriptor without the address.
        """
        start = next(start for start, each in self._buffers if each is memory)
        address = start + places * _ELEMENT_BYTES
        return (address // UNIT_BYTES) % (1 << ADDRESS_BITS) | np.int64(fields)

    def start(
        self, op: WarpgroupMmaOp, groups: Sequence[Sequence[Array]], epoch: int, reader: int
    ) -> list[tuple[Array, Array]]:
        """Start a product in every warpgroup; return the operands of each product, in f32.

        op: the product.  groups: for each warpgroup, the pair of its lhs and rhs descriptors; each
        is an array with one descriptor per step.  epoch: the current epoch.
        reader: the number under which warpgroup 0 is recorded as a reader of elements (warpgroup g:
        ``reader + g``); these numbers differ from the numbers of all threads.
        Return a pair (lhs, rhs) per warpgroup.
        """
        flight: list[_Read] = []
        operands: list[tuple[Array, Array]] = []
        for number, (lhs, rhs) in enumerate(groups):
            sides = ((lhs, GROUP_ROWS, op.lhs_rows), (rhs, op.columns, op.rhs_rows))
            made: list[Array] = []
            for descriptors, extent, rows in sides:
                steps: list[Array] = []
                for descriptor in descriptors:
                    address = _addresses(int(descriptor), extent, has_rows=rows is not None)
                    memory, places = self._found(op, address)
                    memory.read(op, places.reshape(1, -1), np.array([reader + number]), epoch)
                    memory.check_visible(op, places)
                    memory.reserve(places, 1)
                    flight.append(_Read(memory, places))
                    steps.append(memory.elements[places].astype(np.float32))
                made.append(np.concatenate(steps, axis=1))
            operands.append((made[0], made[1].T))
        self._flights.append(flight)
        return operands

    def wait(self, pending: int) -> None:
        """Wait until at most ``pending`` asynchronous matrix products are unfinished."""
        count = max(0, len(self._flights) - pending)
        for read in (read for flight in self._flights[:count] for read in flight):
            read.memory.reserve(read.places, -1)
        del self._flights[:count]

    def _found(self, op: Operation, address: Array) -> tuple[SharedBuffer, Array]:
        for start, memory in self._buffers:
            if start <= address.min() and address.max() < start + memory.elements.nbytes:
                return memory, (address - start) // _ELEMENT_BYTES
        raise TilewrightError(
            "a descriptor reaches beyond its buffer",
            expected="an operand in one shared buffer",
            got=f"addresses {int(address.min())} to {int(address.max())}",
            hint="start the operand where a tile of its size fits",
        ).at(op)


def _addresses(descriptor: int, extent: int, *, has_rows: bool) -> Array:
    """Return the address of each element of an operand of extent x 16 elements.

    has_rows: whether the contraction runs along the rows of the tile.  Source: PTX ISA 8.8, section
    9.7.15.5.1.
    """
    start, leading, stride = (
        (descriptor >> bit) % (1 << ADDRESS_BITS) * UNIT_BYTES
        for bit in (0, LEADING_BIT, STRIDE_BIT)
    )
    assert descriptor >> SWIZZLE_BIT & 3 == 1, "swizzling of 128 bytes"
    own, summed = np.arange(extent)[:, None], np.arange(GROUP_STEP)[None, :]
    row, column = (summed, own) if has_rows else (own, summed)
    panel, column = divmod(column * _ELEMENT_BYTES, _ROW_BYTES)
    address = start + panel * leading + row // _GROUP * stride + row % _GROUP * _ROW_BYTES + column
    return address ^ (address // _ROW_BYTES % _GROUP * UNIT_BYTES)

"""Other weights for each call of a kernel, so that no cache holds the weights of the next call.

In: the arguments of a kernel, of which some are weights.  Out: for each of many copies of the
weights, the addresses of the arguments.  Times do not depend on values, so all copies but the first
consist of random numbers, which all schedules of all kernels share.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np

from ..dialects.packed.arena import aligned
from ..interp.memory import aligned_bytes
from ..interp.scalar import random_array

Array = np.ndarray[Any, Any]

MOST_COPIES = 512
MOST_ROTATED_BYTES = 64 << 20
"""Most memory that the copies of the weights of one dtype take."""

_DIFFERENT = 1 << 18
"""The number of random elements, which repeat in memory."""


class WeightCopies:
    """The memory of the copies of weights, and the number of the copy that the next call uses.

    It belongs to a process: if one schedule has used a copy, the next call of another schedule uses
    the next copy.
    """

    def __init__(self) -> None:
        self._values: dict[np.dtype[Any], Array] = {}
        self._turn = 0

    def addresses(
        self, given: Sequence[Array], weights: Sequence[int], rotated_bytes: int
    ) -> Array:
        """Return a table with a row for each copy of the weights: the addresses of the arguments.

        The first copy consists of the given weights.

        given: the arguments.  weights: the numbers of those that are weights.
        rotated_bytes: about the size of all copies.
        """
        sizes: dict[np.dtype[Any], int] = {}
        places: list[tuple[int, np.dtype[Any], int]] = []
        for column in weights:
            array = given[column]
            offset = sizes.get(array.dtype, 0)
            places.append((column, array.dtype, offset))
            sizes[array.dtype] = offset + aligned(array.nbytes)
        size, most = sum(sizes.values()), min(rotated_bytes, MOST_ROTATED_BYTES)
        count = max(1, min(MOST_COPIES, most // size)) if size else 1
        table = np.array([[array.ctypes.data for array in given]] * count, np.int64)
        for column, dtype, offset in places if count > 1 else ():
            start = self._start(dtype) + offset
            table[1:, column] = start + sizes[dtype] * np.arange(1, count)
        return table

    def turn(self) -> int:
        """Return the number of this call; calls with successive numbers use different copies."""
        self._turn += 1
        return self._turn

    def _start(self, dtype: np.dtype[Any]) -> int:
        """Return the address of random numbers of a dtype."""
        if dtype not in self._values:
            values = random_array([_DIFFERENT], dtype, np.random.default_rng(2)).view(np.uint8)
            memory = aligned_bytes(MOST_ROTATED_BYTES)
            memory.reshape(-1, values.size)[...] = values
            self._values[dtype] = memory
        return int(self._values[dtype].ctypes.data)


@cache
def weight_copies() -> WeightCopies:
    """Return the copies of this process."""
    return WeightCopies()

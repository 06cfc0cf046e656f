"""The memory that kernels in the emulator see: buffers with gaps between them."""

from __future__ import annotations

import numpy as np

BASE = 1 << 32
"""The first address; an address that lost its upper half is an error."""
_GAP, _ALIGNMENT = 256, 256
_GRANULE = 16
_UNWRITTEN = 0xFF
"""The bytes of a NaN."""


class Memory:
    """Bytes at addresses; an access outside of the buffers is a `RuntimeError`.

    LLVM may widen a load to the aligned 16 bytes around it, so loads may reach the end of these.
    """

    def __init__(self, size_bytes: int, base: int = BASE) -> None:
        self.base = base
        self.bytes = np.full(size_bytes, _UNWRITTEN, np.uint8)
        self._is_used = np.zeros(size_bytes + _GRANULE, bool)
        self._is_readable = self._is_used.copy()
        self._end = 0

    def place(self, data: np.ndarray) -> int:
        """Copy an array into memory of its own; return the address."""
        raw = np.frombuffer(data.tobytes(), np.uint8)
        start = -(-(self._end + _GAP) // _ALIGNMENT) * _ALIGNMENT
        self._end = start + raw.size
        self.bytes[start : self._end] = raw
        self._mark(start, self._end)
        return self.base + start

    def reserve(self, size_bytes: int) -> None:
        """Make the first bytes a buffer without values."""
        self._mark(0, size_bytes)
        self._end = size_bytes

    def _mark(self, start: int, end: int) -> None:
        self._is_used[start:end] = True
        self._is_readable[start : -(-end // _GRANULE) * _GRANULE] = True

    def read(self, address: int, data: np.ndarray) -> None:
        """Copy from memory to an array."""
        start = address - self.base
        data[...] = self.bytes[start : start + data.nbytes].view(data.dtype).reshape(data.shape)

    def _offsets(self, addresses: np.ndarray, size_bytes: int, *, is_load: bool) -> np.ndarray:
        """Return the positions of accesses of a size.

        Errors: RuntimeError for one outside of the buffers.
        """
        offsets = addresses.astype(np.int64) - self.base
        inside = (offsets >= 0) & (offsets + size_bytes <= self.bytes.size)
        valid = self._is_readable if is_load else self._is_used
        for byte in (0, size_bytes - 1):
            inside &= valid[np.where(inside, offsets + byte, 0)]
        if not inside.all():
            bad = addresses[np.argmin(inside)]
            raise RuntimeError(f"access of {size_bytes} bytes at {bad:#x} is outside of buffers")
        return offsets

    def load(self, addresses: np.ndarray, dwords: int) -> np.ndarray:
        """Return words of 32 bits, a row per word."""
        return self._taken(addresses, 4 * dwords).view(np.uint32).T

    def store(self, addresses: np.ndarray, values: np.ndarray) -> None:
        """Write words of 32 bits, a row per word."""
        self._put(addresses, np.ascontiguousarray(values.astype(np.uint32).T))

    def load_part(self, addresses: np.ndarray, dtype: type[np.generic]) -> np.ndarray:
        """Return values of less than a word."""
        return self._taken(addresses, np.dtype(dtype).itemsize).view(dtype)[:, 0]

    def store_part(self, addresses: np.ndarray, values: np.ndarray) -> None:
        """Write values of less than a word."""
        self._put(addresses, values[:, None])

    def _taken(self, addresses: np.ndarray, size_bytes: int) -> np.ndarray:
        """Return the bytes at each address, which need no alignment: a row per address."""
        first = self._offsets(addresses, size_bytes, is_load=True)
        return self.bytes[first[:, None] + np.arange(size_bytes)]

    def _put(self, addresses: np.ndarray, rows: np.ndarray) -> None:
        """Write a row of values to each address."""
        data = rows.view(np.uint8)
        first = self._offsets(addresses, data.shape[1], is_load=False)
        self.bytes[first[:, None] + np.arange(data.shape[1])] = data

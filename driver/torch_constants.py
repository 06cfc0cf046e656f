"""Detection of changed constants: whether tensors still have the values that a program packed.

In: the tensors of a call.  Out: the positions of those that were written since.  `TensorCopies`
compares every byte, which no kind of write escapes.  `TensorStamps` compares addresses and version
counters, which torch counts up for each write of an operator, except writes to ``tensor.data``, to
an array that shares the memory, and to tensors of inference mode.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from functools import cache
from typing import Any, Protocol


class Constants(Protocol):
    """The values of tensors at the time when a program packed them."""

    def changed(self, tensors: Sequence[Any]) -> list[int]:
        """Return the positions of tensors that have other values now."""
        ...


def is_dense(value: Any) -> bool:
    """Return whether a value is a tensor whose elements fill a range of addresses."""
    if not hasattr(value, "dtype"):
        return False
    count = 1
    for stride, size in sorted(zip(value.stride(), value.shape, strict=True)):
        if size != 1 and stride != count:
            return False
        count *= size
    return True


class TensorCopies:
    """Copies of dense tensors; a comparison reads all bytes of both."""

    def __init__(self, tensors: Sequence[Any]) -> None:
        self._copies = [tensor.detach().clone() for tensor in tensors]
        self._places = [(c.data_ptr(), c.numel() * c.element_size()) for c in self._copies]

    def changed(self, tensors: Sequence[Any]) -> list[int]:
        """Return the positions of tensors that have other bytes than the copies.

        Before: sizes, strides and element types are those of the copies; dynamo guards them.
        """
        compare = _compare_bytes()
        pairs = zip(tensors, self._places, strict=True)
        return [n for n, (x, (at, count)) in enumerate(pairs) if compare(x.data_ptr(), at, count)]


class TensorStamps:
    """Addresses and version counters of tensors.

    The aliases hold the memory, so that other tensors do not get the same addresses.
    """

    def __init__(self, tensors: Sequence[Any]) -> None:
        self._stamps = [_stamp(tensor) for tensor in tensors]
        self._aliases = [tensor.detach() for tensor in tensors]

    def changed(self, tensors: Sequence[Any]) -> list[int]:
        """Return the positions of tensors with another address or version."""
        pairs = zip(tensors, self._stamps, strict=True)
        return [n for n, (tensor, stamp) in enumerate(pairs) if _stamp(tensor) != stamp]


def _stamp(tensor: Any) -> tuple[int, int]:
    """Return address and version of a tensor; tensors of inference mode have no version."""
    return tensor.data_ptr(), -1 if tensor.is_inference() else tensor._version


@cache
def _compare_bytes() -> Any:
    """Return memcmp of the C library: (address, address, bytes) -> 0 if all bytes are equal."""
    compare = ctypes.CDLL(None).memcmp
    compare.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t]
    return compare


__all__ = ["Constants", "TensorCopies", "TensorStamps", "is_dense"]

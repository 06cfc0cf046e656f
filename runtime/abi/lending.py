"""Tensors that compiled code lends to a Python function, and that the function may keep.

A DLTensor does not count references: its memory is reused, or freed, when the call has returned. So
after each call `Lending` looks for references to the arrays that the function has received:

- A kept NDArray gets a copy of the elements. Nothing else refers to the memory.
- A kept numpy array, a view of one, or a tensor of another library on the memory cannot get other
  memory. Therefore the first call of a function takes copies, whose changes are written back. A
  function that keeps such an array in the first call takes copies in all calls. A function that
  starts to keep them later fails, with an error that names the argument.

In: the NDArrays on lent memory that a function receives. Out: arrays whose elements stay unchanged
after the call.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np

from ..errors import ArgumentError
from .ndarray import Array, NDArray
from .read_only import owners

_MOST_COPIED_BYTES = 64 << 20
"""The most bytes of arrays of which the first call of a function takes copies."""


class Lending:
    """The record of one Python function: whether it keeps arrays, and whether it takes copies.

    In all methods ``lent`` holds the NDArrays on lent memory that a call passes, by the position of
    the argument.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._is_tried = False
        self._takes_copies = _free_references() is None

    def begin(self, lent: Mapping[int, NDArray]) -> Sequence[Array]:
        """Prepare the arrays of a call, before the Python function runs.

        If the call takes copies, replace the memory of each NDArray by a copy, and return numpy
        arrays on the original memory, in the order of ``lent``. Otherwise return an empty sequence.
        """
        if self._is_tried and not self._takes_copies:
            return ()
        size_bytes = sum(each.numpy().nbytes for each in lent.values())
        if size_bytes > _MOST_COPIED_BYTES and not self._takes_copies:
            return ()
        return [each.take_copy() for each in lent.values()]

    def end(self, lent: Mapping[int, NDArray], originals: Sequence[Array]) -> None:
        """Separate the arrays that a function has kept after a call from the caller's memory.

        originals: the result of `begin`.

        Before: only ``lent`` and objects that the function has kept refer to the NDArrays.
        Errors: ArgumentError if the function keeps a numpy array or a view of lent memory.
        """
        self._is_tried = True
        if originals:
            for made, original in zip(lent.values(), originals, strict=True):
                _write_back(made.numpy(), original)
            self._takes_copies = self._takes_copies or any(_is_viewed(lent, n) for n in lent)
        elif viewed := separate(lent):
            self._takes_copies = True
            raise ArgumentError(
                f"{self._name} keeps an array after the call that has lent its memory",
                expected="NDArrays, which the function may keep, or copies of their elements",
                got=f"a numpy array, a view or a tensor on the memory of argument {viewed[0]}",
                hint="keep the NDArray itself, or x.numpy().copy()",
            )


def separate(lent: Mapping[int, NDArray]) -> Sequence[int]:
    """Replace the memory of each NDArray that the Python function still references by a copy.

    Return the positions of arguments whose lent memory other arrays still reference. Their memory
    lives as long as these arrays, but its contents may change.
    """
    free = _free_references()
    used = [n for n in lent if _references(lent, n) != free]
    viewed = [n for n in used if _is_viewed(lent, n)]
    for position in viewed:
        _keep_alive(lent[position].numpy())
    for position in used:
        lent[position].take_copy()
    return viewed


def _write_back(copy: Array, original: Array) -> None:
    if original.flags.writeable and copy.tobytes() != original.tobytes():
        original[...] = copy


def _is_viewed(lent: Mapping[int, NDArray], position: int) -> bool:
    """Return whether another object than the NDArray at a position refers to its numpy array.

    Return True if Python does not count references exactly.
    """
    free = _free_references()
    return free is None or _references(lent, position)[1] != free[1]


def _references(lent: Mapping[int, NDArray], position: int) -> tuple[int, int]:
    """Return the reference count of the NDArray at a position, and the count of its numpy array.

    Both counts include the references of this function, which `_free_references` measures.
    """
    made = lent[position]
    return sys.getrefcount(made), sys.getrefcount(made.numpy())


@cache
def _free_references() -> tuple[int, int] | None:
    """Return the counts that `_references` returns for an NDArray that only ``lent`` refers to.

    Larger counts mean that something else keeps the array. Return None if Python does not count
    references exactly.
    """
    if not hasattr(sys, "getrefcount") or not getattr(sys, "_is_gil_enabled", lambda: True)():
        return None
    return _references({0: NDArray(np.empty(1))}, 0)


def _keep_alive(array: Array) -> None:
    """Keep the memory of an array alive as long as the array and its views.

    The array is on a ctypes object, which refers to the objects of all calls in progress.
    """
    base: Any = array.base
    if isinstance(base, memoryview):
        memory: Any = base.obj
        memory.owners = owners()

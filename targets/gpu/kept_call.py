"""Calls that may come again: main with its sizes, its memory, and a graph of its launches.

In: an open device, main, and the arguments of a call. Out: runs of the call. A call is the same as
one before if its arguments have the same shapes, and those on the device the same addresses. The
first run goes through the ops of main. If the host read nothing on the way that later ops depend
on, the second run leaves a graph where the device keeps such, and further runs are one call of the
driver.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from xdsl.dialects.func import FuncOp

from ...dialects.sizes import computed_sizes
from ...interp.extern import Functions
from ...runtime.device_calls import Placed
from ...runtime.ndarray import DeviceArray
from .call_memory import CallMemory
from .device_run import DeviceRun, Observe
from .open_device import OpenDevice

CallKey: TypeAlias = tuple[tuple[tuple[int, ...], int], ...]
"""The shape of each argument, and its address on the device, 0 on the host."""


def key_of(arrays: Sequence[Placed]) -> CallKey:
    """Return what calls with the same work have in common."""
    return tuple(
        (tuple(array.shape), array.address if isinstance(array, DeviceArray) else 0)
        for array in arrays
    )


class KeptCall:
    """A call of main, whose sizes are numbers or computed by it.

    may_repeat: whether main and memory are the same in another run: main computes no sizes.
    """

    def __init__(
        self, opened: OpenDevice, functions: Functions, main: FuncOp, arrays: Sequence[Placed]
    ) -> None:
        self.main = main
        self.may_repeat = not computed_sizes(main)
        self.memory = CallMemory(opened, main, arrays)
        self._opened, self._functions = opened, functions
        self._is_fixed, self._graph = False, None

    def run(self, observe: Observe | None = None) -> None:
        """Queue the work of the call; observe: see `DeviceRun`."""
        if self._graph is None and self._is_fixed and observe is None:
            self._graph = self._opened.captured(self._queue)
        if self._graph is None or observe is not None:
            self._is_fixed = self._queue(observe)
        else:
            self._graph.launch()

    def _queue(self, observe: Observe | None = None) -> bool:
        """Run the ops of main; return whether any run queues the same work."""
        run = DeviceRun(self._opened, self._functions, self.memory, observe)
        run.run(self.main.body.block)
        return run.is_fixed


__all__ = ["CallKey", "KeptCall", "key_of"]

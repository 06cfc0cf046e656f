"""Calls stored for repetition: main with its sizes, its memory, and a graph of its launches.

In: an open device, main, and the arguments of a call. Out: runs of the call. A call equals an
earlier call if its arguments have the same shapes, and the arguments on the device have the same
addresses. The first run executes the ops of main. If no later op depended on elements that the host
read, the second run captures a graph on devices that support graphs, and each further run is one
call of the driver.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from xdsl.dialects.func import FuncOp

from ...dialects.sizes import computed_sizes
from ...interp.extern import Functions
from ...runtime.abi.ndarray import DeviceArray
from ...runtime.call.device_calls import Placed
from .call_memory import CallMemory
from .device_run import DeviceRun, Observe
from .open_device import OpenDevice

CallKey: TypeAlias = tuple[tuple[tuple[int, ...], int], ...]
"""The shape of each argument, and its address on the device; 0 for an argument on the host."""


def key_of(arrays: Sequence[Placed]) -> CallKey:
    """Return the key of calls with the same work: the arguments' shapes and device addresses."""
    return tuple(
        (tuple(array.shape), array.address if isinstance(array, DeviceArray) else 0)
        for array in arrays
    )


class KeptCall:
    """A call of main with its memory, which can be repeated.

    main: the main function, whose sizes are constants, or computed by main during the call.
    may_repeat: whether main computes no sizes, so that another run uses the same main function and
    the same memory.
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
        """Run the ops of main; return whether every other run would queue the same work."""
        run = DeviceRun(self._opened, self._functions, self.memory, observe)
        run.run(self.main.body.block)
        return run.is_fixed


__all__ = ["CallKey", "KeptCall", "key_of"]

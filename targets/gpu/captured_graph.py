"""Calls stored for repetition: main with its sizes, its memory, and a graph of its launches.

In: an open device, main, and the arguments of a call. Out: runs of the call. A call equals an
earlier call if its arguments have the same shapes, and the arguments on the device have the same
addresses. The first run executes the ops of main, and records their steps (launch_list.py of the
runtime). If no op depended on elements that the host read, the second run captures the steps as a
graph on devices that support graphs, and each further run is one call of the driver; on other
devices, a run queues the steps again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from xdsl.dialects.func import FuncOp

from ...dialects.sizes import computed_sizes
from ...interp.extern import Functions
from ...runtime.abi.ndarray import DeviceArray
from ...runtime.call.device_calls import Placed
from ...runtime.device.kernels import Graph
from ...runtime.device.launch_list import IndexCheck
from .call_memory import CallMemory
from .device_run import DeviceRun, Observe
from .open_device import OpenDevice

CallKey: TypeAlias = tuple[tuple[tuple[int, ...], int], ...]
"""The shape of each argument, and its address on the device; 0 for an argument on the host."""


def key_of(arrays: Sequence[Placed]) -> CallKey:
    """Return a key that is equal for calls whose arguments have equal shapes and addresses."""
    return tuple(
        (tuple(array.shape), array.address if isinstance(array, DeviceArray) else 0)
        for array in arrays
    )


class KeptCall:
    """A call of main with its memory, stored so that it can be repeated.

    main: the main function, whose sizes are constants, or computed by main during the call.
    inputs: the number of its inputs.  may_repeat: whether main computes no sizes, so that another
    run uses the same main function and the same memory.
    """

    def __init__(
        self,
        opened: OpenDevice,
        functions: Functions,
        main: FuncOp,
        inputs: int,
        arrays: Sequence[Placed],
    ) -> None:
        self.main = main
        self.may_repeat = not computed_sizes(main)
        self.memory = CallMemory(opened, main, inputs, arrays)
        self._opened, self._functions = opened, functions
        self._checks: list[IndexCheck] = []
        self._steps: list[Callable[[], None]] | None = None
        self._graph: Graph | None = None

    def run(self, observe: Observe | None = None) -> None:
        """Queue the work of the call.

        observe: see `DeviceRun`.
        Errors: IndexOutside for an index out of range.
        """
        if self._steps is None or observe is not None:
            self._execute(observe)
            return
        for check in self._checks:
            self._opened.check(check, self.memory.starts)
        if self._graph is None:
            self._graph = self._opened.queue.captured(self._queue)
        if self._graph is None:
            self._queue()
        else:
            self._graph.launch()

    def _execute(self, observe: Observe | None) -> None:
        """Execute the ops of main.

        Store their steps if every later run would queue the same steps.
        """
        run = DeviceRun(self._opened, self._functions, self.memory, observe)
        run.run(self.main.body.block)
        if run.is_fixed:
            self._checks = run.checks
            bound, starts = self._opened.queue.bound, self.memory.starts
            self._steps = [bound(step, starts) for step in run.steps]

    def _queue(self) -> None:
        for step in self._steps or ():
            step()


__all__ = ["CallKey", "KeptCall", "key_of"]

"""The times of the steps of main on a device, from events between the steps.

In: the launches and copies of a run, which a driver in Python queues
(runtime/device/host_driver.py). Out: the records that runtime/measure/profile.py reads. The time of
a step begins at the end of the step before it, so it includes the time in which the device waits
for the host.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ...runtime.abi.device import device
from ...runtime.abi.library import Library
from ...runtime.device.host_driver import Action, HostDriver, Launched, set_driver
from ...runtime.measure.profile import STEP, TASK, Recorded, Run
from ..backend import KernelRecord
from .code import DeviceCode
from .host_program import symbols_of

_COPY = "packed.copy"
"""The kind of the steps that are no kernels."""


@dataclass(frozen=True)
class _Mark:
    """The end of a step of a run.

    event: the number of the event that the device records at the end.  step: the number of the
    step's description, -1 for the start of the run.  blocks: the blocks of the launch.  flops: its
    operations; -1 if unknown.  moved_bytes: the size of its buffers, or the bytes of a copy.
    """

    event: int
    step: int
    blocks: int = 0
    flops: int = -1
    moved_bytes: int = 0


class LaunchRecorder:
    """A recorder of the times of the steps of a program's runs.

    From the first recorded run on, Python drives the devices of the program.  kernels: the
    descriptions of the kernels.  library: the loaded host program.  code: the program.  steps: by
    step number, the description of the step: a kernel, or a copy; see `Recording`.
    """

    def __init__(self, kernels: Sequence[KernelRecord], library: Library, code: DeviceCode) -> None:
        records = {kernel.name: kernel for kernel in kernels}
        self._library, self._code = library, code
        self._flops, self._shown = list[int](), list[tuple[str, str, tuple[str, ...]]]()
        for name, facts in code.kernels().items():
            found = records.get(name)
            # The operations of a kernel with symbolic sizes differ from call to call.
            self._flops.append(-1 if found is None or facts.sizes else found.flops)
            self._shown.append((name, "", () if found is None else found.nodes))
        self._numbers: dict[int, int] = {}
        self.steps: list[Mapping[str, Any]] = []
        self._marks: list[_Mark] = []
        self._is_recording, self._place = False, 0

    @property
    def launches(self) -> Sequence[int]:
        """The numbers of all steps: on a device, every step counts as a launch."""
        return range(len(self.steps))

    @cached_property
    def _driver(self) -> HostDriver:
        """The driver of the program from the first recorded run on."""
        code = self._code
        driver = HostDriver(device(code.kind).kind, code.kernels_code, symbols_of(code.kernels()))
        self._library.release()
        set_driver(self._library, self._drive)
        return driver

    def run(self, run: Run) -> Recorded:
        """Execute one run and return its records."""
        driver, self._marks, self._is_recording = self._driver, [], True
        try:
            run()
        finally:
            self._is_recording = False
        events = [mark.event for mark in self._marks]
        times_s = driver.take_times(self._place, events) if events else []
        steps = np.zeros(len(self._marks), STEP)
        steps["end_ns"][1:] = 1e9 * np.cumsum(times_s)
        for row, mark in zip(steps, self._marks, strict=True):
            row["step"], row["tasks"] = mark.step, mark.blocks
            row["flops"], row["bytes"] = mark.flops, mark.moved_bytes
        return Recorded(steps, np.empty(0, TASK))

    def roofline(self, threads: int) -> None:
        """Return None, because no measurement of a device's limits exists."""

    def _drive(self, action: int, number: int, *given: int) -> int | None:
        """Execute a request of main on the device; in a recorded run, add a mark after each step.

        action: the kind of request, an `Action`.  number: the device.  given: the operands of the
        action. The steps are launches and copies.  Returns the result of the driver.
        """
        is_step = self._is_recording and action in (Action.LAUNCH, Action.COPY)
        if is_step and not self._marks:
            self._place = number
            self._marks.append(_Mark(self._driver.record(number), -1))
        made = self._driver(action, number, *given)
        if is_step:
            self._marks.append(self._mark(action, self._driver.record(number), given))
        return made

    def _mark(self, action: int, event: int, given: Sequence[int]) -> _Mark:
        if action == Action.COPY:
            return _Mark(event, self._number(-1), 1, -1, given[-1])
        launched = Launched.of(given)
        x, y, z = launched.grid
        moved = sum(size for _, size in launched.buffers)
        step, flops = self._number(launched.kernel), self._flops[launched.kernel]
        return _Mark(event, step, x * y * z, flops, moved)

    def _number(self, kernel: int) -> int:
        if kernel not in self._numbers:
            self._numbers[kernel] = len(self.steps)
            shown = ("", _COPY, ()) if kernel < 0 else self._shown[kernel]
            self.steps.append(dict(zip(("kernel", "what", "nodes"), shown, strict=True)))
        return self._numbers[kernel]

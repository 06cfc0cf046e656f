"""The times of the steps of main on a device, from events between the steps.

In: the launches and other ops of a run, as device_run.py queues them. Out: the records that
runtime/measure/profile.py reads. The time of a step begins at the end of the step before it, so it
includes the time in which the device waits for the host.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from xdsl.dialects.builtin import MemRefType
from xdsl.ir import Operation

from ...dialects.dtypes import buffer_bytes
from ...dialects.packed import CallOp
from ...runtime.measure.profile import STEP, TASK, Recorded, Run
from ..backend import KernelRecord
from .device_run import Observe
from .open_device import OpenDevice


@dataclass(frozen=True)
class _Mark:
    """The end of a step of a run: its event, and the fields of the step's record."""

    event: int
    step: int
    blocks: int = 0
    flops: int = -1
    moved_bytes: int = 0


class LaunchRecorder:
    """A recorder of the steps of a program's runs.

    is_recording: whether the run in progress is recorded.  steps: by step number, the description
    of the step: a kernel, or another kind of op; see `Recording`.
    """

    def __init__(self, kernels: Sequence[KernelRecord]) -> None:
        self._kernels = {kernel.name: kernel for kernel in kernels}
        self._numbers: dict[str, int] = {}
        self.steps: list[Mapping[str, Any]] = []
        self.is_recording = False
        self._marks: list[_Mark] = []
        self._opened: OpenDevice | None = None

    @property
    def launches(self) -> Sequence[int]:
        """The numbers of all steps: on a device, every step counts as a launch."""
        return range(len(self.steps))

    def run(self, run: Run) -> Recorded:
        """Execute one run and return its records."""
        self.is_recording = True
        try:
            run()
        finally:
            self.is_recording = False
        assert self._opened is not None, "the run has started"
        times_s = self._opened.take_times([mark.event for mark in self._marks])
        steps = np.zeros(len(self._marks), STEP)
        steps["end_ns"][1:] = 1e9 * np.cumsum(times_s)
        for row, mark in zip(steps, self._marks, strict=True):
            row["step"], row["tasks"] = mark.step, mark.blocks
            row["flops"], row["bytes"] = mark.flops, mark.moved_bytes
        return Recorded(steps, np.empty(0, TASK))

    def roofline(self, threads: int) -> None:
        """Return nothing: no measurement of a device's limits exists."""

    def begin(self, opened: OpenDevice) -> Observe | None:
        """Begin the records of a run, if it is recorded; return the observer of its ops."""
        if not self.is_recording:
            return None
        self._opened = opened
        self._marks = [_Mark(opened.record(), -1)]
        return self.observe

    def observe(self, op: Operation, blocks: int) -> None:
        """Record that the work of an op is queued, which ends a step of the run.

        blocks: the number of blocks that the op launches.
        """
        assert self._opened is not None, "the run has started"
        number = self._number(op)
        flops, moved = -1, 0
        if isinstance(op, CallOp):
            # The operations of a kernel with symbolic sizes differ from call to call.
            flops = -1 if op.sizes else self._kernels[op.kernel_name].flops
            moved = sum(buffer_bytes(cast(MemRefType, value.type)) for value in op.arguments)
        self._marks.append(_Mark(self._opened.record(), number, blocks, flops, moved))

    def _number(self, op: Operation) -> int:
        """Return the step number of an op.

        Calls of the same kernel have the same number, and so have other ops of the same name.
        """
        name = op.kernel_name if isinstance(op, CallOp) else op.name
        if name not in self._numbers:
            self._numbers[name] = len(self.steps)
            kernel = self._kernels.get(name)
            shown = ("", name, ()) if kernel is None else (name, "", kernel.nodes)
            self.steps.append(dict(zip(("kernel", "what", "nodes"), shown, strict=True)))
        return self._numbers[name]


__all__ = ["LaunchRecorder"]

"""An instrument that records the kernels of a program between the passes of a compilation."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import ModuleOp

from ...dialects.sched import ScriptOp
from ...dialects.te import KernelOp, kernels_of
from ...lowering.graph_to_te.convert import GraphToTe
from ...machines.cpu_numbers import numbers_of
from ...machines.gpu_limits import known_limits
from ...machines.target import Target
from ...passes.schedule.apply_schedule import ApplySchedule, scripts_of
from ...passes.schedule.interpreter import apply_script
from ...passes.te.outline import Outline
from ...support.diagnostics import TilewrightError
from ...support.instruments import PassInfo, PassInstrument
from ...support.source_lines import SourceLines, source_lines
from ...targets.cpu.cost.kernel_cost import kernel_cost
from .graph_calls import GraphCall, Remark, graph_calls, refusals
from .listing import Listing, listing_of


@dataclass(frozen=True)
class ScheduleState:
    """The program of a kernel after a step of its schedule.

    step: the text of the step; empty for the program before the schedule.
    """

    step: str
    program: str


class LevelRecorder(PassInstrument):
    """An instrument that records the kernels, schedules and remarks of one module between passes.

    module: the module for all sizes, which is recorded; the passes on other modules are not.
    machine: the target whose cost model estimates the kernels.
    graph: the printed graph.  calls: the kernel calls of main.
    """

    def __init__(self, machine: Target) -> None:
        self.module: ModuleOp | None = None
        self.graph = Listing("")
        self.calls: Sequence[GraphCall] = ()
        self.remarks: list[Remark] = []
        self._machine = machine
        self._listings: dict[str, dict[str, Listing]] = {}
        self._states: dict[str, Sequence[ScheduleState]] = {}
        self._modelled: dict[str, Mapping[str, float]] = {}

    def run_before_pass(self, module: ModuleOp, info: PassInfo) -> None:
        if module is not self.module:
            return
        if isinstance(info.step, GraphToTe):
            self.graph = listing_of(module, source_lines([("", module)]))
        elif isinstance(info.step, Outline):
            self.remarks += refusals(module, info.step)
        elif isinstance(info.step, ApplySchedule):
            self._note_schedules(module)

    def run_after_pass(self, module: ModuleOp, info: PassInfo) -> None:
        if module is not self.module:
            return
        if isinstance(info.step, Outline):
            self.calls = graph_calls(module)
        elif isinstance(info.step, ApplySchedule):
            printed = source_lines([("", module)])
            for kernel in kernels_of(module):
                self._add(kernel, "scheduled", printed)
                self._modelled[kernel.label] = _modelled_us(kernel, self._machine)

    def facts_of(
        self, name: str
    ) -> tuple[dict[str, Listing], Sequence[ScheduleState], Mapping[str, float]]:
        """Return a kernel's listings by level, its schedule states, and its modelled microseconds.

        name: the kernel, or one of the phases into which a later pass splits a kernel.  A phase has
        no modelled times of its own, so the last result is empty for it.
        """
        whole = name if name in self._listings else re.sub(r"_phase\d+$", "", name)
        modelled = self._modelled.get(whole, {}) if whole == name else {}
        return dict(self._listings.get(whole, {})), self._states.get(whole, ()), modelled

    def _note_schedules(self, module: ModuleOp) -> None:
        printed = source_lines([("", module)])
        for script, kernel in scripts_of(module):
            self._add(kernel, "te", printed)
            self._states[kernel.label] = _states(script, kernel, self._machine)
            self._listings[kernel.label]["sched"] = Listing(str(script))

    def _add(self, kernel: KernelOp, level: str, printed: SourceLines) -> None:
        self._listings.setdefault(kernel.label, {})[level] = listing_of(kernel, printed)


def _states(script: ScriptOp, kernel: KernelOp, machine: Target) -> list[ScheduleState]:
    copy = kernel.clone()
    found = [ScheduleState("", str(copy))]
    try:
        apply_script(
            script,
            copy,
            observe=lambda step: found.append(ScheduleState(str(step), str(copy))),
            limits=known_limits(machine),
        )
    except TilewrightError:
        # A step needs the module around the kernel, such as an intrinsic: the states end here.
        return found
    return found


def _modelled_us(kernel: KernelOp, machine: Target) -> Mapping[str, float]:
    if not machine.cpu:
        return {}
    try:
        cost = kernel_cost(kernel, machine)
    except TilewrightError:  # symbolic sizes
        return {}
    scale = 1e6 / numbers_of(machine).clock_hz
    return {part: scale * cycles for part, cycles in cost.parts.items()}

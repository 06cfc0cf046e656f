"""Print the records of a profiled main: a call of `trace_step` (printer.py) after each step.

In: the ops of main, the program's host function, as they are lowered, and the costs of kernels.
Out: the printed records, and the list of steps with the kernel of each step and the model's
nodes that it computes.  runtime/native/trace.c stores one record per step, and
runtime/measure/profile.py reads the records.  With symbolic sizes, the numbers of operations and
bytes of a step are entries of the table of sizes, so that they are correct for each call.  The
kernels of packed.sections are one launch with one record per kernel.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TypeAlias

from xdsl.dialects.builtin import MemRefType
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue

from ...dialects.dtypes import buffer_size
from ...dialects.functions import recorded_cost
from ...dialects.packed import CallOp, CheckIndicesOp, ConcatOp, CopyOp, ExternOp, SectionsOp
from ...dialects.shape import Dim, Extent, extent_of
from ...support.locations import node_names
from ..loop_to_llvm import KernelInfo
from .printer import CallForms, Value

Size: TypeAlias = Callable[[Extent], Value]
"""The function that returns the printed value of a size in main."""
UNKNOWN = -1
"""The operations of a step that are not known before the run."""


@dataclass(frozen=True)
class TracedStep:
    """A step of a profiled main: a call of a kernel, or an op that main runs itself.

    kernel: the name of the kernel; empty for another op.
    what: the name of the op; for a function of the process, also the function's name.
    nodes: the names of the model's nodes that the step computes.
    launch: the number of the launch; kernels that are launched together have the same number.
    """

    kernel: str
    what: str
    nodes: tuple[str, ...]
    launch: int


def steps_json(steps: Sequence[TracedStep]) -> bytes:
    """Return the steps as zero-terminated JSON, which the loader of a program reads."""
    return json.dumps([asdict(step) for step in steps]).encode() + b"\0"


class MainTrace:
    """The steps of a profiled main so far; it prints their records.

    infos: the interface of each kernel, by the kernel's name.
    kernels: the functions of the kernels, which have the costs.
    first: the number of the first step, which is the number of steps of earlier versions of main.
    """

    def __init__(
        self, infos: Mapping[str, KernelInfo], kernels: Sequence[FuncOp], first: int
    ) -> None:
        self._infos, self._first = infos, first
        self._costs = {kernel.sym_name.data: recorded_cost(kernel) for kernel in kernels}
        self.steps: list[TracedStep] = []

    def record(self, op: Operation, size: Size, printer: CallForms) -> None:
        """Print the records of an op that main has just executed; nothing if the op is no step.

        size: returns the printed value of a size.
        """
        launch = self._first + len(self.steps)
        match op:
            case CallOp():
                self._call(op, launch, size, printer)
            case SectionsOp():
                for call in op.calls:
                    self._call(call, launch, size, printer)
            case ConcatOp() | CopyOp() | CheckIndicesOp():
                step = TracedStep("", op.name, node_names(op.location), launch)
                self._append(step, (1, 0, moved_bytes(op.operands)), size, printer)
            case ExternOp():
                what = f"{op.name} {op.function_name}"
                step = TracedStep("", what, node_names(op.location), launch)
                self._append(step, (1, UNKNOWN, moved_bytes(op.operands)), size, printer)
            case _:
                return

    def _call(self, op: CallOp, launch: int, size: Size, printer: CallForms) -> None:
        info = self._infos[op.kernel_name]
        step = TracedStep(info.name, op.name, node_names(op.location), launch)
        tasks = extent_of(op.condition * info.tasks_with(op.sizes))
        numbers = tasks, self._flops(op, info), moved_bytes(op.operands)
        self._append(step, numbers, size, printer)

    def _flops(self, op: CallOp, info: KernelInfo) -> Extent:
        """Return the number of scalar operations of a call; `UNKNOWN` without a recorded cost."""
        cost = self._costs.get(op.kernel_name)
        if cost is None:
            return UNKNOWN
        if not info.sizes:
            return extent_of(op.condition * cost.flops)
        sizes = dict(zip(info.sizes, op.sizes, strict=True))
        if cost.work is None:
            return UNKNOWN
        return extent_of(op.condition * cost.work.substitute(sizes))

    def _append(
        self, step: TracedStep, numbers: tuple[Extent, ...], size: Size, printer: CallForms
    ) -> None:
        """Append a step to the list of steps, and print its record.

        numbers: the number of tasks, of scalar operations and of bytes moved.  size: returns the
        printed value of a size.
        """
        number = self._first + len(self.steps)
        self.steps.append(step)
        tasks, flops, moved = map(size, numbers)
        printer.trace_step(number, tasks, flops, moved)


def moved_bytes(buffers: Sequence[SSAValue]) -> Extent:
    """Return the total size of some buffers in bytes; a buffer that occurs twice counts once."""
    types = [value.type for value in dict.fromkeys(buffers)]
    sizes = (Dim.of(buffer_size(type_)) for type_ in types if isinstance(type_, MemRefType))
    return extent_of(sum(sizes, Dim.const(0)))

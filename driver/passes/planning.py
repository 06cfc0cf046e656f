"""The error boundary of planning: a kernel whose plan fails gets a simple schedule and a warning.

If planning one kernel, applying its schedule steps or lowering its loops raises any exception, the
other kernels keep their plans and the model still compiles. The simple schedule has no steps: every
compute runs in the order of its axes, on one thread. Errors in user schedules are raised.

The backend plans kernel by kernel. The stages that turn schedules into loops run on the whole
module; if they fail, they restart from a copy of the module without the failing plans. Bisection
finds these plans, so an exception need not name its kernel.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager

from xdsl.context import Context
from xdsl.dialects.builtin import UNKNOWN_LOC, ModuleOp
from xdsl.passes import ModulePass

from ...dialects.sched import ScriptOp
from ...dialects.te import IntrinsicOp, KernelOp, TensorOp, find_intrinsic, kernels_of
from ...lowering.te_to_loop.te_to_loop import TeToLoop
from ...passes.schedule.apply_schedule import ApplySchedule
from ...support.diagnostics import PlanWarning
from ...support.instruments import Instruments
from ...support.rewriting import swap_op
from .reproducer import Reproducer, pass_command, write_reproducer


class Planning:
    """An object that runs all passes, and gives a kernel a simple schedule if its plan fails.

    plan: the name of the pass that writes the schedule of each kernel; see targets/backend.py.
    simple: the names of the kernels that got the simple schedule.
    """

    def __init__(self, plan: str) -> None:
        self._plan_name = plan
        self.simple: set[str] = set()
        self._planned: list[str] = []
        self._plan_pass: ModulePass | None = None

    def run(self, step: ModulePass, ctx: Context, module: ModuleOp) -> None:
        """Run a pass on a module; run the planning pass alone on each kernel without a schedule."""
        if step.name != self._plan_name:
            step.apply(ctx, module)
            return
        self._plan_pass = step
        scripted = {script.kernel_name for script in _scripts(module)}
        for kernel in [k for k in kernels_of(module) if k.label not in scripted]:
            self._plan(kernel, lambda alone: step.apply(ctx, alone))

    def lower(
        self, module: ModuleOp, stages: Callable[[ModuleOp], None], around: Instruments
    ) -> None:
        """Run stages on a planned module, after removing the plans that make the stages fail.

        stages: a function that runs the stages on a module.  around: the instruments that run with
        the stages.

        Errors: exceptions that the stages raise even without any plan, and those of instruments,
        such as a validation that finds a wrong kernel.
        """
        if not self._planned:
            stages(module)
            return
        search = _PlanBisection(module.clone(), self._planned, stages, around)
        try:
            stages(module)
        except Exception as err:
            if err is around.failure or search.failure([]) is not None:
                raise
            for name, reason in search.culprits(self._planned, err):
                self._failed(search.make_simple(name), reason)
            for op in list(module.ops):
                module.body.block.erase_op(op, safe_erase=False)
            module.body.block.add_ops(op.clone() for op in search.module.ops)
            stages(module)

    def _plan(self, kernel: KernelOp, plan: Callable[[ModuleOp], None]) -> None:
        with _alone(kernel) as module:
            try:
                plan(module)
            except Exception as err:
                for script in _scripts(module):
                    module.body.block.erase_op(script)
                self._failed(kernel, err)
                module.body.block.add_op(ScriptOp(kernel.label))
            else:
                self._planned += [script.kernel_name for script in _scripts(module)]

    def _failed(self, kernel: KernelOp, err: Exception) -> None:
        """Warn that planning a kernel failed, and write a file that reproduces the failure."""
        self.simple.add(kernel.label)
        reason = f"{type(err).__name__}: {err}".removesuffix(": ")
        try:
            file = str(self._reproducer(kernel, err).file)
        except OSError as failure:
            file = f"not written ({failure})"
        message = (
            f"kernel @{kernel.label} of {_sources(kernel)} could not be planned: {reason}\n"
            "    got: a simple schedule, which is slow\n"
            f"    reproducer: {file}\n"
            "    hint: strict_plan=True makes this an error; please report it with the reproducer"
        )
        # The number of frames up to the caller of compile varies, so the level is not exact.
        warnings.warn(PlanWarning(message), stacklevel=2)

    def _reproducer(self, kernel: KernelOp, err: Exception) -> Reproducer:
        plan = () if self._plan_pass is None else (self._plan_pass,)
        command = pass_command([*plan, ApplySchedule(), TeToLoop()])
        return write_reproducer("plan", ModuleOp([kernel.clone()]), command, err)


class _PlanBisection:
    """A bisection over kernels, which finds the kernels whose plans make the later stages fail.

    module: a module with planned kernels; the stages run on copies of it.  names: the names of
    these kernels.  stages: a function that runs the stages on a module.  around: the instruments
    that run with the stages, whose exceptions say nothing about plans.
    """

    def __init__(
        self,
        module: ModuleOp,
        names: Sequence[str],
        stages: Callable[[ModuleOp], None],
        around: Instruments,
    ) -> None:
        self.module, self._names, self._stages, self._around = module, names, stages, around

    def culprits(self, names: Sequence[str], err: Exception) -> list[tuple[str, Exception]]:
        """Return the kernels whose plans make the stages fail, each with the stages' exception.

        names: the kernels among which to search.  err: the exception of the stages if exactly these
        kernels keep their plans.  If no half of ``names`` fails alone, all of ``names`` are
        returned.
        """
        half = len(names) // 2
        parts = (names[:half], names[half:]) if half else ()
        failing = [(part, error) for part in parts if (error := self.failure(part)) is not None]
        if not failing:
            return [(name, err) for name in names]
        return [found for part, error in failing for found in self.culprits(part, error)]

    def failure(self, names: Sequence[str]) -> Exception | None:
        """Return the exception of the stages if only these kernels keep their plans, or None."""
        copy = self.module.clone()
        for name in self._names:
            if name not in names:
                _make_simple(copy, name)
        try:
            self._stages(copy)
        except Exception as err:
            if err is self._around.failure:
                raise
            return err
        return None

    def make_simple(self, name: str) -> KernelOp:
        """Remove a kernel's plan; return the kernel."""
        _make_simple(self.module, name)
        return next(kernel for kernel in kernels_of(self.module) if kernel.label == name)


def _make_simple(module: ModuleOp, name: str) -> None:
    for script in _scripts(module):
        if script.kernel_name == name:
            swap_op(script, ScriptOp(name))


@contextmanager
def _alone(kernel: KernelOp) -> Generator[ModuleOp]:
    """Move a kernel to a separate module for a ``with`` block, and yield that module.

    At the end of the block, the ops of the module are moved back: the kernel, its schedule, and the
    intrinsics that its plan has created.  If several kernels create the same intrinsic, only the
    first one is moved back.
    """
    block, after, outer = kernel.parent_block(), kernel.next_op, kernel.parent_op()
    assert block is not None, "kernels stand in a module"
    assert outer is not None, "kernels stand in a module"
    kernel.detach()
    module = ModuleOp([kernel])
    yield module
    for op in list(module.ops):
        op.detach()
        if isinstance(op, IntrinsicOp) and find_intrinsic(outer, op.label) is not None:
            continue
        if after is None:
            block.add_op(op)
        else:
            block.insert_op_before(op, after)


def _scripts(module: ModuleOp) -> list[ScriptOp]:
    return [op for op in module.ops if isinstance(op, ScriptOp)]


def _sources(kernel: KernelOp) -> str:
    """Return the ops of a kernel and the model nodes from which they originate, for a message."""
    ops = [op for op in kernel.body.walk() if isinstance(op, TensorOp)]
    named = (
        op.label if op.location == UNKNOWN_LOC else f"{op.label} at {op.location}" for op in ops
    )
    return ", ".join(dict.fromkeys(named)) or "no ops"

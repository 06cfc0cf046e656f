"""The boundary around planning: a kernel whose plan fails gets a simple schedule and a warning.

Whatever exception the plan of one kernel raises, or the steps that it chose, the other kernels keep
theirs and the model compiles. The simple schedule has no steps: every compute runs in the order of
its axes, on one thread. Schedules of users are no plans: their errors are raised.
"""

from __future__ import annotations

import tempfile
import traceback
import warnings
from collections.abc import Callable, Generator, Iterable
from contextlib import contextmanager

from xdsl.context import Context
from xdsl.dialects.builtin import UNKNOWN_LOC, ModuleOp
from xdsl.ir import Operation
from xdsl.passes import ModulePass

from ..dialects.sched import ScriptOp
from ..dialects.te import KernelOp, TensorOp, kernels_of
from ..support.diagnostics import PlanWarning

PLAN, APPLY = "cpu-plan", "te-apply-schedule"
"""The passes that write the schedule of each kernel, and that run it."""


class Planning:
    """Runs the passes of planning kernel by kernel, and survives their exceptions.

    simple: names of the kernels that got the simple schedule.
    """

    def __init__(self) -> None:
        self.simple: set[str] = set()
        self._planned: set[Operation] = set()
        self._plan_pass: ModulePass | None = None

    def run(self, step: ModulePass, ctx: Context, module: ModuleOp) -> None:
        """Run a pass on a module."""
        if step.name == PLAN:
            self._plan_pass = step
            scripted = {op.kernel_name for op in module.ops if isinstance(op, ScriptOp)}
            for kernel in [k for k in kernels_of(module) if k.label not in scripted]:
                self._plan(kernel, lambda alone: step.apply(ctx, alone))
            return
        if step.name == APPLY:
            kernels = {kernel.label: kernel for kernel in kernels_of(module)}
            for script in [op for op in module.ops if op in self._planned]:
                assert isinstance(script, ScriptOp), "plans are scripts"
                self._apply(kernels[script.kernel_name], script, lambda m: step.apply(ctx, m))
        step.apply(ctx, module)

    def _plan(self, kernel: KernelOp, plan: Callable[[ModuleOp], None]) -> None:
        with _alone([kernel]) as module:
            try:
                plan(module)
            except Exception as err:
                _drop_scripts(module)
                self._failed(kernel, err)
                module.body.block.add_op(ScriptOp(kernel.label))
            self._planned |= {op for op in module.ops if isinstance(op, ScriptOp)}

    def _apply(self, kernel: KernelOp, script: ScriptOp, run: Callable[[ModuleOp], None]) -> None:
        """Run the script that a plan wrote; one that fails leaves the kernel as it was."""
        kept = kernel.clone()
        for old, new in zip(kernel.walk(), kept.walk(), strict=True):
            new.location = old.location
        with _alone([kernel, script]) as module:
            try:
                run(module)
            except Exception as err:
                for op in list(module.ops):
                    op.detach()
                    op.erase(safe_erase=False)
                module.body.block.add_ops([kept, ScriptOp(kept.label)])
                self._failed(kept, err)
                run(module)

    def _failed(self, kernel: KernelOp, err: Exception) -> None:
        """Warn that a kernel has no plan, and keep what reproduces it."""
        self.simple.add(kernel.label)
        reason = f"{type(err).__name__}: {err}".removesuffix(": ")
        try:
            file = _write_reproducer(kernel, self._plan_pass, err)
        except OSError as failure:
            file = f"not written ({failure})"
        message = (
            f"kernel @{kernel.label} of {_sources(kernel)} could not be planned: {reason}\n"
            "    got: a simple schedule, which is slow\n"
            f"    reproducer: {file}\n"
            "    hint: strict_plan=True makes this an error; please report it with the reproducer"
        )
        # From here to the caller of compile: how many frames there are depends on the way.
        warnings.warn(PlanWarning(message), stacklevel=2)


@contextmanager
def _alone(ops: list[KernelOp | ScriptOp]) -> Generator[ModuleOp]:
    """Move ops to a module of their own; afterwards what is in it takes their place."""
    block, module = ops[0].parent_block(), ModuleOp([])
    assert block is not None, "kernels stand in a module"
    after = ops[-1].next_op
    for op in ops:
        op.detach()
    module.body.block.add_ops(ops)
    yield module
    for op in list(module.ops):
        op.detach()
        if after is None:
            block.add_op(op)
        else:
            block.insert_op_before(op, after)


def _drop_scripts(module: ModuleOp) -> None:
    for op in [op for op in module.ops if isinstance(op, ScriptOp)]:
        op.detach()
        op.erase()


def _sources(kernel: KernelOp) -> str:
    """Return the nodes of the model that a kernel computes, or the names of its ops."""
    ops = [op for op in kernel.body.walk() if isinstance(op, TensorOp)]
    named = (
        op.label if op.location == UNKNOWN_LOC else f"{op.label} at {op.location}" for op in ops
    )
    return ", ".join(dict.fromkeys(named)) or "no ops"


def _write_reproducer(kernel: KernelOp, step: ModulePass | None, err: Exception) -> str:
    """Write the kernel, how to plan it, and what was raised, to a new file; return its name."""
    plan = "" if step is None else str(step.pipeline_pass_spec())
    lines = [f"tw-opt THIS_FILE -p '{plan},{APPLY}'", *_trace(err)]
    with tempfile.NamedTemporaryFile(
        "w", prefix="tilewright-plan-", suffix=".mlir", delete=False
    ) as file:
        file.writelines(f"// {line}\n" for line in lines)
        file.write(str(ModuleOp([kernel.clone()])) + "\n")
        return file.name


def _trace(err: Exception) -> Iterable[str]:
    return "".join(traceback.format_exception(err)).splitlines()

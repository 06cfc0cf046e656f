"""Schedules in Python: each call of a primitive is one step of a sched script, applied at once.

    s = te.create_schedule(C.op)
    mo, mi = s[C].split(C.op.axis[0], factor=8)
    s[C].vectorize(C.op.axis[1])
    mod = tilewright.build(s, [A, B, C])

``s.script`` is the script as text, which te-apply-schedule replays; ``print(s)`` shows it with the
program that it makes.  Loops are named: what split gives are names, and an axis may be given as a
name or as the axis object of a te.compute.
"""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import BlockArgument, Operation, SSAValue

from ...dialects import sched
from ...dialects.sched import Param, ScriptOp, StepOp
from ...dialects.te import (
    ComputeOp,
    IntrinsicOp,
    KernelOp,
    TensorOp,
    find_intrinsic,
    intrinsics_around,
    kernels_of,
)
from ...passes.schedule.interpreter import ScriptRun
from ...passes.schedule.one_trip_loops import inline_one_trip_loops
from ...passes.schedule.placement import computes_in
from ...passes.schedule.validate import KernelCheck, step_text
from ...passes.te.bufferize import Bufferize
from ...passes.te.outline import outline_runs
from ...support.diagnostics import ScheduleError, TilewrightError
from ...support.target import Target
from .program import defining_ops, make_program, signature_of
from .stage import AxisName, Stage
from .tensor import Definition, Tensor

StageKey: TypeAlias = "Tensor | Definition | Stage | str"


def create_schedule(
    ops: Definition | Tensor | Sequence[Definition | Tensor],
    *,
    target: str | Target | None = None,
    validate: bool = False,
) -> Schedule:
    """Return the schedule of what some definitions compute, with no step yet.

    target: decides how many lanes vectors get by default (default: this machine).
    validate: run the interpreter after each step; see Schedule.
    Errors: TypeMismatch for definitions that compute nothing.
    """
    given = [ops] if isinstance(ops, Definition | Tensor) else list(ops)
    outputs = [t for op in given for t in (op.outputs if isinstance(op, Definition) else [op])]
    return Schedule(outputs, target=target, validate=validate)


class Schedule:
    """The steps of a schedule, and the program that they have made so far.

    ``s[C]`` is the stage of a tensor: its methods are the primitives.  An illegal step raises
    ScheduleError and changes nothing.
    validate: after each step the loops that it asks for are made in a copy, the interpreter runs
    it, and a step that changes a result (integers exactly, floats within the error of another
    order of sums) is named in a ScheduleError.  For small sizes: it costs a run per step.
    """

    def __init__(
        self,
        outputs: Sequence[Tensor],
        *,
        target: str | Target | None = None,
        validate: bool = False,
    ) -> None:
        self.outputs = tuple(outputs)
        self.target = Target.host() if target is None else Target(str(target))
        self._labels: dict[Operation, str] = {}
        program = self._formed(signature_of(outputs, None), "main", self._labels)
        self._results = _results(program)
        Bufferize().apply(Context(), program)
        self._kernels = {
            k.label: _ScheduledKernel(k, validate=validate) for k in kernels_of(program)
        }

    def _formed(self, signature: Any, name: str, labels: dict[Operation, str]) -> ModuleOp:
        """Return the program with its kernels; note the names that its computes have there."""
        program = make_program(signature, name)
        (main,) = (op for op in program.ops if isinstance(op, FuncOp))
        made = [op for op in main.body.block.ops if isinstance(op, TensorOp)]
        sources = [op for op in defining_ops(signature.outputs) if isinstance(op, TensorOp)]
        outline_runs(program)
        labels |= {source: op.label for source, op in zip(sources, made, strict=True)}
        return program

    # ---- what it is

    def __getitem__(self, key: StageKey) -> Stage:
        """Return the stage of a tensor, of what defines it, or of a name.

        Errors: ScheduleError if there is none.
        """
        if isinstance(key, Stage):
            return key
        definition = key.op if isinstance(key, Tensor) else key
        if isinstance(definition, Definition):
            name = self._labels.get(definition.ir) if definition.ir is not None else None
            if name is not None:
                return Stage(self, name, definition)
            name = definition.name
        else:
            name = definition
        if name not in self.stages:
            raise ScheduleError(
                f"the schedule has no stage {name}", expected=f"one of {', '.join(self.stages)}"
            )
        return Stage(self, name)

    @property
    def stages(self) -> list[str]:
        """Names of the computes, in program order."""
        return [name for kernel in self._kernels.values() for name in kernel.names()]

    @property
    def scripts(self) -> list[ScriptOp]:
        """The scripts of all kernels that have steps."""
        return [k.script for k in self._kernels.values() if k.script.steps]

    @property
    def script(self) -> str:
        """The steps as text, below the instructions that they name."""
        ops = (op for k in self._kernels.values() for op in (*k.intrinsics, k.script))
        return "\n".join(map(str, ops))

    @property
    def plain_kernels(self) -> list[KernelOp]:
        """The kernels in buffer form as they are without any step."""
        return [k.plain for k in self._kernels.values()]

    @property
    def kernels(self) -> list[KernelOp]:
        """The kernels as the steps have made them, with the loops of all nests made."""
        return [k.finished() for k in self._kernels.values()]

    def program(self, args: Sequence[Tensor] | None = None, name: str = "main") -> ModuleOp:
        """Return main, the kernels and their scripts: what ``build`` makes code of.

        args: the arguments of the program; see ``build``.
        Errors: TypeMismatch for args that do not fit; ScheduleError for other outputs.
        """
        signature = signature_of(self.outputs, args)
        program = self._formed(signature, name, {})
        if _results(program) != self._results:
            raise ScheduleError(
                "the program computes other tensors than the schedule was created for",
                expected=", ".join(t.name for t in self.outputs),
                got=", ".join(t.name for t in signature.outputs),
                hint="create_schedule([..]) with every output",
            )
        declared = {op.label: op for k in self._kernels.values() for op in k.intrinsics}
        for op in (*declared.values(), *self.scripts):
            program.body.block.add_op(op.clone())
        return program

    # ---- steps of the schedule as the field spells them

    def cache_write(self, tensor: StageKey, scope: str = "local") -> Stage:
        """Compute a tensor into a local buffer; its stage becomes the copy; see Stage."""
        return self[tensor].cache_write(scope)

    def cache_read(
        self, tensor: Tensor, scope: str = "local", readers: Sequence[StageKey] = ()
    ) -> Stage:
        """Read a tensor through a local copy in one stage that reads it; see Stage.

        Errors: ScheduleError unless one reader is given, or one stage reads the tensor.
        """
        given = [self[reader] for reader in readers] or self._readers(tensor)
        if len(given) != 1:
            raise ScheduleError(
                f"a copy of {tensor.name} has one reader",
                expected="readers = [stage]",
                got=", ".join(stage.name for stage in given) or "none",
            )
        return given[0].cache_read(tensor, scope)

    def rfactor(self, tensor: StageKey, axis: AxisName, factor: int | None = None) -> Stage:
        """Reduce a tensor into partial results along an axis; see Stage."""
        return self[tensor].rfactor(axis, factor)

    def _readers(self, tensor: Tensor) -> list[Stage]:
        found: list[Stage] = []
        for kernel in self._kernels.values():
            buffers = self._buffers(kernel, tensor)
            ops = [op for op in kernel.kernel.body.walk() if isinstance(op, ComputeOp)]
            labels = [op.label for op in ops if any(v in buffers for v in (*op.ins, *op.post))]
            found += [Stage(self, label) for label in dict.fromkeys(labels)]
        return found

    def operand_number(self, stage: str, tensor: Tensor) -> int:
        """Return which operand of a stage a tensor is: inputs first, then post operands.

        Errors: ScheduleError if the stage does not read it.
        """
        kernel = self.kernel_of(stage)
        buffers = self._buffers(kernel, tensor)
        for number, access in enumerate(kernel.computes(stage)[0].view().reads):
            if access.value is not None and access.value in buffers:
                return number
        raise ScheduleError(
            f"@{stage} does not read {tensor.name}",
            expected="a tensor that the stage reads, or the number of the operand",
        )

    def _buffers(self, kernel: _ScheduledKernel, tensor: Tensor) -> set[SSAValue]:
        """Return the buffers of a kernel that hold a tensor."""
        label = self._labels.get(tensor.op.ir) if tensor.op.ir is not None else None
        if label is not None and label in kernel.names():
            return {op.outs[tensor.value_index] for op in kernel.computes(label)}
        numbers: set[int] = set()
        for source, name in self._labels.items():
            if not isinstance(source, ComputeOp):
                continue
            for plain in (op for op in computes_in(kernel.plain) if op.label == name):
                reads = zip(source.view().reads, plain.view().reads, strict=True)
                values = [new.value for old, new in reads if old.value is tensor.value]
                numbers |= {v.index for v in values if isinstance(v, BlockArgument)}
        return {kernel.kernel.body.block.args[n] for n in numbers}

    def __str__(self) -> str:
        return "\n".join([self.script, *(str(k) for k in self.kernels)])

    def _repr_html_(self) -> str:
        """Show script and program side by side in a notebook."""
        parts = (("script", self.script), ("program", "\n".join(map(str, self.kernels))))
        columns = "".join(
            f"<div><h4>{title}</h4><pre>{html.escape(text)}</pre></div>" for title, text in parts
        )
        return f'<div style="display: flex; gap: 2em">{columns}</div>'

    # ---- steps

    def step(
        self, op: type[StepOp], stages: Sequence[StageKey], params: Mapping[str, Param]
    ) -> list[str]:
        """Append a step on the handles of some stages and apply it.

        For steps that no method stands for; params are those of its text.

        Returns the stages that its results stand for, by name.
        Errors: ScheduleError for an illegal step, and stages of different kernels.
        """
        names = [self[key].name for key in stages]
        kernel = self._kernel_of(names)
        return kernel.add(op, names, params)

    def kernel_of(self, name: str) -> _ScheduledKernel:
        """Return the kernel that a stage is in."""
        return self._kernel_of([name])

    def _kernel_of(self, names: Sequence[str]) -> _ScheduledKernel:
        found = [k for k in self._kernels.values() if set(names) & set(k.names())]
        if len(found) != 1:
            raise ScheduleError(
                f"stages {', '.join(names)} are not in one kernel",
                expected="computes with no other op between them",
            )
        return found[0]


class _ScheduledKernel:
    """One kernel, its script, and the names that stand for the live handles."""

    def __init__(self, kernel: KernelOp, *, validate: bool) -> None:
        self.plain = kernel.clone()
        self.script = ScriptOp(kernel.label)
        self.module = ModuleOp([self.script])
        self.check = KernelCheck(kernel) if validate else None
        self._start()

    def _start(self) -> None:
        self.kernel = self.plain.clone()
        self.run = ScriptRun(self.kernel)
        self.handles: dict[str, SSAValue] = {}

    @property
    def intrinsics(self) -> list[IntrinsicOp]:
        """The instructions that steps may name."""
        return intrinsics_around(self.module)

    def declare(self, intrinsic: IntrinsicOp) -> None:
        """Let steps name an instruction.

        Errors: ScheduleError if another one has its name.
        """
        known = find_intrinsic(self.module, intrinsic.label)
        if known is None:
            self.module.body.block.insert_op_before(intrinsic.clone(), self.script)
        elif not known.is_structurally_equivalent(intrinsic):
            raise ScheduleError(
                f"@{intrinsic.label} is another intrinsic already", hint="name it differently"
            )

    def names(self) -> list[str]:
        """Return the names of the computes, in program order."""
        found = [op.label for op in self.kernel.body.walk() if isinstance(op, TensorOp)]
        return list(dict.fromkeys(found))

    def computes(self, name: str) -> list[ComputeOp]:
        """Return the computes of a name."""
        found = [op for op in self.kernel.body.walk() if isinstance(op, ComputeOp)]
        return [op for op in found if op.label == name]

    def finished(self) -> KernelOp:
        """Return a copy with the loops of all nests made."""
        copy = self.plain.clone()
        run = ScriptRun(copy)
        for step in self.script.steps:
            run.apply(step)
        run.finish()
        inline_one_trip_loops(copy)
        return copy

    def add(self, op: type[StepOp], names: Sequence[str], params: Mapping[str, Param]) -> list[str]:
        """Append a step and apply it; an illegal one leaves everything as it was."""
        count = len(self.script.steps)
        try:
            step = op.make(*(self._handle(name) for name in names), **params)
            self._apply(step)
            if self.check is not None:
                self.check.after_step(self._finished_checked(), self.script, step)
        except TilewrightError:
            self._undo(count)
            raise
        given: list[str] = []
        for result in step.res:
            if label := self._label(result):
                result.name_hint = label
                self.handles[label] = result
                given.append(label)
        return given

    def _label(self, handle: SSAValue) -> str:
        """Return the name of the computes that a live handle stands for."""
        return next((op.label for op in self.run.held(handle) if isinstance(op, ComputeOp)), "")

    def _finished_checked(self) -> KernelOp:
        try:
            return self.finished()
        except TilewrightError as err:
            raise err.named(step_text(self.script, self.script.steps[-1])) from None

    def _handle(self, name: str) -> SSAValue:
        handle = self.handles.get(name)
        if handle is None or not self.run.is_live(handle):
            step = sched.MatchOp.make(name=name)
            self._apply(step)
            handle = self.handles[name] = step.res[0]
            handle.name_hint = name
        return handle

    def _apply(self, step: StepOp) -> None:
        self.script.body.block.add_op(step)
        self.run.apply(step)

    def _undo(self, count: int) -> None:
        """Go back to the first steps of the script."""
        for step in reversed(self.script.steps[count:]):
            step.detach()
            step.erase()
        self._start()
        for step in self.script.steps:
            self.run.apply(step)
        for result in (r for step in self.script.steps for r in step.res):
            if self.run.is_live(result):
                self.handles[self._label(result)] = result


def _results(program: ModuleOp) -> dict[str, list[str]]:
    """Return the names of the computes that each kernel in value form gives."""
    out: dict[str, list[str]] = {}
    for kernel in kernels_of(program):
        end = kernel.body.block.last_op
        assert end is not None, "a kernel ends with te.return"
        out[kernel.label] = [str(getattr(v.owner, "label", "")) for v in end.operands]
    return out

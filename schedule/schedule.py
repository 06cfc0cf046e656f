"""Schedules in Python: each call of a primitive appends a step to a sched script and applies it.

    s = te.create_schedule(C.op)
    mo, mi = s[C].split(C.op.axis[0], factor=8)
    s[C].vectorize(C.op.axis[1])
    mod = tilewright.build(s, [A, B, C])

``s.script`` is the printed script, which te-apply-schedule replays; ``print(s)`` shows the script
and the resulting program.  Loops have names: split returns names, and an axis argument is a name or
the axis object of a te.compute.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import BlockArgument, SSAValue

from ..dialects import sched
from ..dialects.sched import Param, ScriptOp, StepOp
from ..dialects.te import ComputeOp, KernelOp, kernels_of
from ..frontend.te.program import signature_of
from ..frontend.te.tensor import Definition, Tensor
from ..machines.gpu_limits import known_limits
from ..machines.target import Target, TargetText, chosen_target
from ..passes.schedule.engine.placement import computes_in
from ..passes.te.bufferize import Bufferize
from ..runtime import display
from ..runtime.spelling import SuggestsNames, suggests_arguments
from ..support.diagnostics import ScheduleError, TypeMismatch
from .formed import formed, results_of
from .scheduled_kernel import LOOPS, AppliedScript, Params, ScheduledKernel
from .stage import Stage
from .stage_buffers import AxisName, BufferSteps, StageKey


@suggests_arguments
def create_schedule(
    ops: Definition | Tensor | Sequence[Definition | Tensor],
    *,
    target: TargetText | Target | None = None,
    validate: bool = False,
) -> Schedule:
    """Return an empty schedule for the computes of some definitions.

    target: determines the default number of vector lanes, and for a GPU the limits of blocks and
    grids (default: this machine).
    validate: whether the interpreter checks after each step that no result changed, which is slow.
    Errors: TypeMismatch for definitions that compute nothing.
    """
    given = [ops] if isinstance(ops, Definition | Tensor) else list(ops)
    for op in given:
        if (op.op if isinstance(op, Tensor) else op).ir is None:
            raise TypeMismatch(
                f"create_schedule: {op.name} is a placeholder, not a compute",
                expected="a computed tensor, as in te.create_schedule(C.op)",
            )
    outputs = [t for op in given for t in (op.outputs if isinstance(op, Definition) else [op])]
    return Schedule(outputs, target=target, validate=validate)


class Schedule(SuggestsNames):
    """The steps of a schedule, and the program after these steps.

    ``s[C]`` is the stage of a tensor; the methods of a stage are the schedule primitives.  An
    illegal step raises ScheduleError and changes nothing.
    validate: after each step, run the interpreter on a copy of the kernel in which all pending loop
    nests are built. A ScheduleError names a step that changes a result; integers are compared
    exactly, floats within the error of reordered sums. Use it for small sizes only, because each
    step costs an interpreter run. Independently of ``validate``, a step that requires a constant
    extent is illegal on a symbolic extent.
    """

    def __init__(
        self,
        outputs: Sequence[Tensor],
        *,
        target: TargetText | Target | None = None,
        validate: bool = False,
    ) -> None:
        self.outputs = tuple(outputs)
        self.has_target = target is not None
        self.target = chosen_target(target)
        signature = signature_of(outputs, None)
        program, self._labels, positions = formed(signature, "main")
        self._results = results_of(program)
        limits = known_limits(self.target)
        Bufferize(guards=limits is not None).apply(Context(), program)
        self._kernels = {
            k.label: ScheduledKernel(k, validate=validate, limits=limits)
            for k in kernels_of(program)
            if not any(op.label in positions for op in computes_in(k))
        }

    @classmethod
    def of_kernel(cls, kernel: KernelOp, *, target: TargetText | Target | None = None) -> Schedule:
        """Return an empty schedule of a kernel in buffer form, such as a kernel of a model.

        Its stages are found by the names of the kernel's computes, and their axes have names only.
        """
        schedule = cls.__new__(cls)
        schedule.outputs, schedule.has_target = (), target is not None
        schedule.target = chosen_target(target)
        schedule._labels, schedule._results = {}, {}
        made = ScheduledKernel(kernel, validate=False, limits=known_limits(schedule.target))
        schedule._kernels = {kernel.label: made}
        return schedule

    # ---- properties

    def __getitem__(self, key: StageKey) -> Stage:
        """Return the stage of a tensor, of its defining op, or with a name.

        Errors: ScheduleError if the schedule has no such stage.
        """
        if isinstance(key, Stage):
            return key
        definition = key.op if isinstance(key, Tensor) else key
        if isinstance(definition, Definition):
            source = definition.computed_by or definition.ir
            name = None if source is None else self._labels.get(source)
            if name is not None:
                return Stage(self, name, definition)
            name = definition.name
        else:
            name = definition if isinstance(definition, str) else definition.name
        if name not in self.stages:
            raise ScheduleError(
                f"the schedule has no stage {name}", expected=f"one of {', '.join(self.stages)}"
            )
        return Stage(self, name)

    @property
    def stages(self) -> list[str]:
        """The names of the computes, in program order."""
        return [name for kernel in self._kernels.values() for name in kernel.names()]

    @property
    def scripts(self) -> list[ScriptOp]:
        """The scripts of all kernels with applied or deferred steps."""
        return [k.script for k in self._kernels.values() if k.script.steps or k.waiting]

    @property
    def script(self) -> str:
        """The printed steps of all kernels, preceded by the intrinsics that they use."""
        ops = (op for k in self._kernels.values() for op in (*k.intrinsics, k.script))
        return "\n".join(map(str, ops))

    @property
    def plain_kernels(self) -> list[KernelOp]:
        """The kernels before all schedule steps, with buffers as operands."""
        return [k.plain for k in self._kernels.values()]

    @property
    def kernels(self) -> list[KernelOp]:
        """The kernels after all steps, with all pending loop nests turned into loop.for ops."""
        return [k.made.finished() for k in self._kernels.values()]

    def program(self, args: Sequence[Tensor] | None = None, name: str = "main") -> ModuleOp:
        """Return the program's main function, the kernels and their scripts, for ``build``.

        args: the arguments of the program; see ``build``. They may include further outputs, for
        which the schedule was not created: the steps are then applied again to a program that
        computes all outputs.
        Errors: TypeMismatch for args that do not fit; ScheduleError for steps that are illegal in
        that program, and for a compute_at into a loop that contains no reader of the stage.
        """
        for kernel in self._kernels.values():
            kernel.require_placed()
        signature = signature_of(self.outputs, args)
        program, _, _ = formed(signature, name)
        if results_of(program) != self._results:
            return self._of(signature.outputs).program(args, name)
        declared = {op.label: op for k in self._kernels.values() for op in k.intrinsics}
        for op in (*declared.values(), *self.scripts):
            program.body.block.add_op(op.clone())
        return program

    def _of(self, outputs: Sequence[Tensor]) -> Schedule:
        other = Schedule(outputs, target=self.target)
        for source, name in self._labels.items():
            if other._labels.get(source) != name:
                raise ScheduleError(
                    "the program computes other tensors than the schedule was created for",
                    expected=", ".join(t.name for t in self.outputs),
                    got=", ".join(t.name for t in outputs),
                    hint="create_schedule([..]) with every output",
                )
        for kernel in self._kernels.values():
            for request in kernel.requests:
                target = other.kernel_of(*request.stages)
                for intrinsic in kernel.intrinsics:
                    target.declare(intrinsic)
                target.add(request.op, request.stages, request.params, request.by_axis)
        return other

    # ---- primitives that TVM spells as methods of the schedule

    def cache_write(self, tensor: StageKey, scope: str = "local") -> Stage:
        """Add a local buffer for a tensor; return the stage that computes into the buffer.

        The stage of the tensor then only copies from the buffer.
        scope: the memory of the buffer.
        """
        return self[tensor].cache_write(scope)

    def cache_read(
        self, tensor: StageKey, scope: str = "local", readers: Sequence[StageKey] = ()
    ) -> Stage:
        """Make some stages, by default all readers, read a tensor through one local copy.

        tensor: the tensor, or a stage, such as another copy.  scope: the memory of the copy.
        readers: the stages that read the copy.  Returns the stage of the copy.
        Errors: ScheduleError if nothing reads the tensor, and for an illegal step.
        """
        given = [self[reader] for reader in readers] or self._readers(tensor)
        if not given:
            raise ScheduleError(
                f"no stage reads {_name(tensor)}", expected="a tensor that a stage reads"
            )

        def params(made: AppliedScript) -> dict[str, Param]:
            reads = [self.operand_numbers(made, stage.name, tensor) for stage in given]
            lists: list[Param] = [[*numbers] for numbers in reads]
            alone = len(reads) == 1 and len(reads[0]) == 1
            return {"operand": reads[0][0] if alone else lists, "scope": scope}

        return self[self.step(sched.CacheReadOp, given, params)[0]]

    def rfactor(self, tensor: StageKey, axis: AxisName, factor: int | None = None) -> Stage:
        """Split a reduction into partial results along an axis; return their stage.

        axis: a reduction axis of the tensor's compute.  factor: if given, the axis is first split,
        with an inner part of this extent, and there is one partial result per index of the inner
        part.
        """
        return self[tensor].rfactor(axis, factor)

    def _readers(self, tensor: StageKey) -> list[Stage]:
        found: list[Stage] = []
        for kernel in self._kernels.values():
            buffers = self._buffers(kernel.made, tensor)
            ops = [op for op in kernel.kernel.body.walk() if isinstance(op, ComputeOp)]
            labels = [op.label for op in ops if any(v in buffers for v in (*op.ins, *op.post))]
            found += [Stage(self, label) for label in dict.fromkeys(labels)]
        return found

    def operand_numbers(self, made: AppliedScript, stage: str, tensor: StageKey) -> list[int]:
        """Return the numbers of the operands through which a stage reads a tensor.

        Inputs are counted first, then post operands.  made: the scheduled kernel that contains the
        stage.
        Errors: ScheduleError if the stage does not read the tensor.
        """
        buffers = self._buffers(made, tensor)
        computes = made.computes(stage)
        reads = computes[0].view().reads if computes else []
        found = [number for number, access in enumerate(reads) if access.value in buffers]
        if not found:
            raise ScheduleError(
                f"@{stage} does not read {_name(tensor)}",
                expected="a tensor that the stage reads, or the number of the operand",
            )
        return found

    def _buffers(self, made: AppliedScript, tensor: StageKey) -> set[SSAValue]:
        if isinstance(tensor, BufferSteps | str):
            name = tensor if isinstance(tensor, str) else tensor.name
            return {value for op in made.computes(name) for value in op.outs}
        tensors = tensor.outputs if isinstance(tensor, Definition) else [tensor]
        return {buffer for each in tensors for buffer in self._tensor_buffers(made, each)}

    def _tensor_buffers(self, made: AppliedScript, tensor: Tensor) -> set[SSAValue]:
        label = self._labels.get(tensor.op.ir) if tensor.op.ir is not None else None
        if label is not None and label in made.names():
            return {op.outs[tensor.value_index] for op in made.computes(label)}
        numbers: set[int] = set()
        for source, name in self._labels.items():
            if not isinstance(source, ComputeOp):
                continue
            for plain in (op for op in computes_in(made.plain) if op.label == name):
                reads = zip(source.view().reads, plain.view().reads, strict=True)
                values = [new.value for old, new in reads if old.value is tensor.value]
                numbers |= {v.index for v in values if isinstance(v, BlockArgument)}
        return {made.kernel.body.block.args[n] for n in numbers}

    @property
    def waiting(self) -> list[str]:
        """The reason why each deferred compute_at has not been applied."""
        return [str(error) for k in self._kernels.values() for _, error in k.waiting]

    def __repr__(self) -> str:
        return f"schedule({'; '.join(repr(self[name]) for name in self.stages)})"

    def __str__(self) -> str:
        notes = [f"// waits: {line}" for text in self.waiting for line in text.splitlines()]
        return "\n".join([self.script, *notes, *(str(k) for k in self.kernels)])

    def _repr_html_(self) -> str:
        program = display.source("\n".join(map(str, self.kernels)))
        columns = display.side_by_side(script=display.source(self.script), program=program)
        waiting = [display.paragraph(f"waits: {each}", is_faint=True) for each in self.waiting]
        return display.fragment(columns, *waiting)

    # ---- steps

    def step(
        self,
        op: type[StepOp],
        stages: Sequence[StageKey],
        params: Params,
        by_axis: Mapping[str, Param] | None = None,
    ) -> list[str]:
        """Append a step to the script that applies to some stages, and apply it.

        Use it for steps that have no method. A step that is legal only before an earlier compute_at
        is inserted before that compute_at.
        stages: tensors or stages, or loops that another step returned, such as ``%C_loop``.
        params: the step's parameters, named as in the printed step.  by_axis: the parameters whose
        names are axes, such as the unroll factor of each axis.  They may be in ``params`` if no
        axis has the name of another parameter.
        Returns the names of the step's result stages and loops.
        Errors: ScheduleError for an illegal step, and for stages of different kernels.
        """
        names = [
            key if isinstance(key, str) and key.startswith(LOOPS) else self[key].name
            for key in stages
        ]
        kernel = self.kernel_of(*names)
        return kernel.add(op, names, params, by_axis)

    def kernel_of(self, *names: str) -> ScheduledKernel:
        """Return the kernel that contains the stages with these names.

        Errors: ScheduleError if the stages are not in one kernel.
        """
        found = [k for k in self._kernels.values() if any(map(k.known, names))]
        if len(found) != 1:
            raise ScheduleError(
                f"stages {', '.join(names)} are not in one kernel",
                expected="computes with no other op between them",
            )
        return found[0]


def _name(tensor: StageKey) -> str:
    return tensor if isinstance(tensor, str) else tensor.name

"""build: tensor expressions in, a callable module out.

frontend/te turns the tensors into te IR.  The rest is as for a model: form kernels, schedule them
by the target's plan, and generate code in driver/build.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from os import PathLike
from typing import Protocol, TypeGuard, cast

from xdsl.dialects.builtin import ModuleOp

from ..dialects.sched import ScriptOp
from ..frontend.te.binding import current_binding
from ..frontend.te.program import Signature, make_program, release, signature_of, sizes_of
from ..frontend.te.recorded import RecordedSchedule
from ..frontend.te.rows import row_program
from ..frontend.te.tensor import Tensor
from ..runtime.threads import check_threads
from ..support.cache import DiskCache
from ..support.collection import paused_collection
from ..support.diagnostics import NeedsBinding, TypeMismatch
from ..support.target import Target
from .build import Build
from .compilation import object_cache
from .index_checks import drop_checks
from .kernels import KernelCode
from .modules import CompiledModule, load_compiled
from .progress import Stopwatch, Watcher
from .rows import RowsBuild, row_checks
from .settings import Settings, settings_for
from .sizes import sized_module
from .specialize import SpecializingModule

FORM_KERNELS, PLAN_KERNELS = "form-kernels", "plan-kernels"


class Scheduled(Protocol):
    """The result of te.create_schedule: tensors whose kernels have scripts."""

    target: Target
    outputs: tuple[Tensor, ...]

    @property
    def scripts(self) -> Sequence[ScriptOp]:
        """The scripts of all kernels that have steps."""
        ...

    def recorded(self, args: Sequence[Tensor] | None) -> RecordedSchedule:
        """Return a snapshot of its steps, for a program with these arguments."""
        ...


@paused_collection()
def build(
    what: Tensor | Sequence[Tensor] | Scheduled,
    args: Sequence[Tensor] | None = None,
    target: str | Target | None = None,
    *,
    name: str = "main",
    precision: str = "default",
    threads: int | None = None,
    cache: bool = True,
    progress: Watcher | None = None,
    schedules: str | PathLike[str] | None = None,
    strict_plan: bool = False,
    unchecked_indices: bool = False,
) -> CompiledModule | SpecializingModule:
    """Compile tensor expressions for a target (default: that of the schedule, or this machine).

    what: the tensors to compute, whose kernels the target's plan schedules, or a schedule of them;
    a schedule without steps is planned too.  args: the arguments of the module, placeholders first,
    then results; default: the placeholders in the order of their reads, then the tensors to
    compute.  If these include placeholders, they are the args.  Call the module as
    ``mod(a, b, c)``, which fills c, or as ``c = mod(a, b)``; ``mod[name]`` is the same packed
    function.  If a te.var counts independent rows, the module takes any number of rows.  With other
    te.vars it is a SpecializingModule, compiled for the sizes of each kind of call.
    precision, threads, cache, progress, strict_plan, unchecked_indices: see compile.  schedules: a
    file or folder written by `CompiledModule.dump_schedules`; for the kernels that it matches, it
    replaces the plan's choices and the schedule's own steps.
    Errors: TypeMismatch for args that do not fit the tensors, ScheduleError for tensors that are
    not the schedule's and for files that are illegal or match no kernel, TargetError,
    ArgumentError if threads is not a count.
    """
    check_threads(threads)
    settings = _settings(
        what,
        target,
        precision,
        schedules,
        strict_plan=strict_plan,
        unchecked_indices=unchecked_indices,
    )
    settings.backend.check_host(settings.target)
    described, watch = _described(what, args, name), Stopwatch(progress)
    disk = object_cache(wanted=cache)

    def loaded(made: Build, watch: Stopwatch) -> CompiledModule:
        code = made.compiled(keep=True)
        return load_compiled(code, settings, threads, made.source, watch, schedules=made.schedules)

    @paused_collection()
    def of_sizes() -> CompiledModule:
        own = Stopwatch(progress)
        return loaded(_of_sizes(described, settings, disk, own), own)

    made = _begun(described, settings, disk, watch)
    if made is None:
        return sized_module(described.signature, name, of_sizes)
    return loaded(made, watch)


@paused_collection()
def build_kernels(
    what: Tensor | Sequence[Tensor] | Scheduled,
    args: Sequence[Tensor] | None = None,
    *,
    target: str | Target | None = None,
    name: str = "main",
    precision: str = "default",
    schedules: str | PathLike[str] | None = None,
    strict_plan: bool = False,
) -> KernelCode:
    """Compile only the kernels of tensor expressions, for any target; see build.

    If a te.var counts rows, these are the kernels of the largest block of rows.
    Errors: NeedsBinding for programs that need the sizes of a call.
    """
    settings = _settings(what, target, precision, schedules, strict_plan=strict_plan)
    described = _described(what, args, name)
    made = _begun(described, settings, None, Stopwatch(None))
    if made is None:
        raise NeedsBinding(
            "kernels are made for sizes that are numbers",
            got=", ".join(sorted(sizes_of(described.signature))),
            hint="describe the tensors with numbers instead of te.vars",
        )
    return KernelCode.of(made)


def _settings(
    what: Tensor | Sequence[Tensor] | Scheduled,
    target: str | Target | None,
    precision: str,
    schedules: str | PathLike[str] | None,
    *,
    strict_plan: bool,
    unchecked_indices: bool = False,
) -> Settings:
    """Return the settings; the default target is the schedule's, or this machine."""
    if target is None and is_scheduled(what):
        target = what.target
    return settings_for(
        target,
        precision,
        schedules=schedules,
        strict_plan=strict_plan,
        unchecked_indices=unchecked_indices,
    )


@dataclass(frozen=True)
class _Described:
    """The input of a build: tensors, and the schedule of their kernels unless they are planned."""

    signature: Signature
    schedule: RecordedSchedule | None
    name: str

    def program(self) -> tuple[ModuleOp, str]:
        """Return the program for the current sizes, and its first stage.

        If a size is 0, computes of the schedule may be missing; then all kernels are planned.
        """
        signature = signature_of(self.signature.outputs, self.signature.arguments)
        binding = current_binding()
        if self.schedule is None or (binding is not None and binding.vanished):
            made = make_program(signature, self.name), FORM_KERNELS
        else:
            made = self.schedule.program(signature.arguments, self.name), PLAN_KERNELS
        if binding is not None:
            release(binding)
        return made


def _described(
    what: Tensor | Sequence[Tensor] | Scheduled, args: Sequence[Tensor] | None, name: str
) -> _Described:
    schedule = what if is_scheduled(what) else None
    outputs = _outputs(what if schedule is None else schedule.outputs)
    is_planned = schedule is None or not schedule.scripts
    if args is None and is_planned and any(t.op.ir is None for t in outputs):
        args = outputs
    recorded = None if schedule is None or is_planned else schedule.recorded(args)
    return _Described(signature_of(outputs, args), recorded, name)


def _begun(
    described: _Described, settings: Settings, disk: DiskCache | None, watch: Stopwatch
) -> Build | None:
    """Return the compilation; None if it needs the sizes of a call."""
    signature = described.signature
    if not sizes_of(signature):
        return _of_sizes(described, settings, disk, watch)
    # Build for sample sizes, so that errors that do not depend on sizes are raised now.
    sampled, _ = described.program()
    if not settings.backend.divides_rows:
        return None
    rows = row_program(signature, lambda: _of_rows(described))
    if rows is None:
        return None
    start = FORM_KERNELS if described.schedule is None else PLAN_KERNELS
    checks = row_checks(sampled, signature)
    return RowsBuild(settings, disk, watch, rows, signature, start, checks)


def _of_rows(described: _Described) -> ModuleOp:
    """Return the program for some rows, without checks, because blocks of rows run as tasks."""
    module, _ = described.program()
    drop_checks(module)
    return module


def _of_sizes(
    described: _Described, settings: Settings, disk: DiskCache | None, watch: Stopwatch
) -> Build:
    """Return the compilation for the current sizes."""
    module, start = described.program()
    return Build(settings, disk, watch, module, start=start)


def is_scheduled(what: object) -> TypeGuard[Scheduled]:
    """Return whether an object is a schedule."""
    return callable(getattr(what, "recorded", None))


def _outputs(tensors: object) -> list[Tensor]:
    """Return the tensors to build as a list.

    Errors: TypeMismatch for anything that is not a tensor.
    """
    is_list = isinstance(tensors, Sequence) and not isinstance(tensors, str)
    given = list(cast("Sequence[Tensor]", tensors)) if is_list else [cast(Tensor, tensors)]
    for tensor in given:
        if not isinstance(tensor, Tensor):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeMismatch(
                "build takes te tensors",
                got=f"{tensor!r} of type {type(tensor).__name__}",
                hint="for an ONNX model there is tilewright.compile",
            )
    if not given:
        raise TypeMismatch("build takes te tensors", got="none")
    return given

"""build: tensor expressions in, a callable module out.

frontend/te describes the tensors as te IR; from there on it is the way of a model: kernels are
formed, the target's plan schedules them, and driver/build.py makes code.
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
from .build import Build, KernelCode, drop_checks
from .compile import CompiledModule, load_compiled, object_cache
from .progress import Stopwatch, Watcher
from .rows import RowsBuild, row_checks
from .settings import Settings, check_loads, settings_for
from .sizes import sized_module
from .specialize import SpecializingModule

FORM_KERNELS, PLAN_KERNELS = "form-kernels", "plan-kernels"


class Scheduled(Protocol):
    """What te.create_schedule gives: tensors whose kernels have scripts."""

    target: Target
    outputs: tuple[Tensor, ...]

    @property
    def scripts(self) -> Sequence[ScriptOp]:
        """The scripts of all kernels that have steps."""
        ...

    def recorded(self, args: Sequence[Tensor] | None) -> RecordedSchedule:
        """Return its steps as they are now, for a program with such arguments."""
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

    what: the tensors that are computed, whose kernels the target's plan schedules, or a schedule of
    them; one without steps is planned too.  args: the arguments of the module, placeholders first,
    then what is computed; by default the placeholders in the order in which they are read, then the
    tensors that are built.  Placeholders among these make them the args.  The module is called as
    ``mod(a, b, c)``, which fills c, or as ``c = mod(a, b)``; ``mod[name]`` is the same packed
    function.  With a te.var that counts rows which are independent of one another it takes any
    number of them.  With other te.vars it is a SpecializingModule, compiled for the sizes of each
    kind of call.
    precision, threads, cache, progress, strict_plan, unchecked_indices: see compile.  schedules: a
    file or folder, as `CompiledModule.dump_schedules` writes it, in the place of the plan's choices
    and of the schedule's own steps for the kernels that it belongs to.
    Errors: TypeMismatch for args that do not fit the tensors, ScheduleError for other tensors than
    the schedule is of and for files that are illegal or belong to no kernel, TargetError,
    ArgumentError if threads is no count.
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
    check_loads(settings.target)
    described, watch = _described(what, args, name), Stopwatch(progress)
    disk = object_cache(wanted=cache)

    def loaded(made: Build, watch: Stopwatch) -> CompiledModule:
        code = made.compiled(keep=True)
        return load_compiled(code, threads, made.source, watch, schedules=made.schedules)

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
    """Compile the kernels of tensor expressions alone, for any target; see build.

    With a te.var that counts rows they are those of the largest block of rows.
    Errors: NeedsBinding for programs that are compiled for the sizes of a call.
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
    return made.kernels()


def _settings(
    what: Tensor | Sequence[Tensor] | Scheduled,
    target: str | Target | None,
    precision: str,
    schedules: str | PathLike[str] | None,
    *,
    strict_plan: bool,
    unchecked_indices: bool = False,
) -> Settings:
    """Return the settings; the target is by default that of the schedule, or this machine."""
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
    """What is built: tensors, and the schedule of their kernels unless the target plans them."""

    signature: Signature
    schedule: RecordedSchedule | None
    name: str

    def program(self) -> tuple[ModuleOp, str]:
        """Return the program for the current sizes, and the first stage for it.

        Where a size is 0, computes that the schedule is of may be missing: then all are planned.
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
    """Return the compilation of what is built; None if sizes of a call are needed for it."""
    signature = described.signature
    if not sizes_of(signature):
        return _of_sizes(described, settings, disk, watch)
    # For sample sizes: what is wrong whatever the sizes are is refused now.
    sampled, _ = described.program()
    rows = row_program(signature, lambda: _of_rows(described))
    if rows is None:
        return None
    start = FORM_KERNELS if described.schedule is None else PLAN_KERNELS
    checks = row_checks(sampled, signature)
    return RowsBuild(settings, disk, watch, rows, signature, start, checks)


def _of_rows(described: _Described) -> ModuleOp:
    """Return the program for some rows, without checks: blocks of rows run as tasks."""
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
    """Tell whether something is a schedule: it has steps."""
    return callable(getattr(what, "recorded", None))


def _outputs(tensors: object) -> list[Tensor]:
    """Return the tensors that are built.

    Errors: TypeMismatch for anything else.
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

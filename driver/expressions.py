"""build: tensor expressions in, a callable module out.

frontend/te describes the tensors as te IR; from there on it is the way of a model: kernels are
formed, the target's plan schedules them, and driver/build.py makes code.
"""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from typing import Protocol, TypeGuard, cast

from xdsl.dialects.builtin import ModuleOp

from ..dialects.sched import ScriptOp
from ..frontend.te.program import make_program, signature_of
from ..frontend.te.tensor import Tensor
from ..runtime.threads import check_threads
from ..support.cache import DiskCache
from ..support.collection import paused_collection
from ..support.diagnostics import TypeMismatch
from ..support.target import Target
from .build import Build, KernelCode
from .compile import CompiledModule, load_compiled, object_cache
from .progress import Stopwatch, Watcher
from .rows import RowsBuild, open_size
from .settings import Settings, check_loads, settings_for

FORM_KERNELS, PLAN_KERNELS = "form-kernels", "plan-kernels"


class Scheduled(Protocol):
    """What te.create_schedule gives: a program whose kernels have scripts."""

    target: Target
    outputs: tuple[Tensor, ...]

    @property
    def scripts(self) -> Sequence[ScriptOp]:
        """The scripts of all kernels that have steps."""
        ...

    def program(self, args: Sequence[Tensor] | None, name: str) -> ModuleOp:
        """Return main, the kernels and their scripts."""
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
) -> CompiledModule:
    """Compile tensor expressions for a target (default: that of the schedule, or this machine).

    what: the tensors that are computed, whose kernels the target's plan schedules, or a schedule of
    them; one without steps is planned too.  args: the arguments of the module, placeholders first,
    then what is computed; by default the placeholders in the order in which they are read, then the
    tensors that are built.  Placeholders among these make them the args.  With a te.var the module
    takes any number of rows.  The module is called as ``mod(a, b, c)``, which fills c, or as
    ``c = mod(a, b)``; ``mod[name]`` is the same packed function.
    precision, threads, cache, progress: see compile.  schedules: a file or folder, as
    `CompiledModule.dump_schedules` writes it, in the place of the plan's choices and of the
    schedule's own steps for the kernels that it belongs to.
    Errors: TypeMismatch for args that do not fit the tensors, ScheduleError for other tensors than
    the schedule is of and for files that are illegal or belong to no kernel, TargetError,
    ArgumentError if threads is no count.
    """
    check_threads(threads)
    settings = _settings(what, target, precision, schedules)
    check_loads(settings.target)
    watch = Stopwatch(progress)
    made = _begun(what, args, name, settings, object_cache(wanted=cache), watch)
    code = made.compiled(keep=True)
    return load_compiled(code, threads, made.source, watch, schedules=made.schedules)


@paused_collection()
def build_kernels(
    what: Tensor | Sequence[Tensor] | Scheduled,
    args: Sequence[Tensor] | None = None,
    *,
    target: str | Target | None = None,
    name: str = "main",
    precision: str = "default",
    schedules: str | PathLike[str] | None = None,
) -> KernelCode:
    """Compile the kernels of tensor expressions alone, for any target; see build.

    With a te.var they are those of the largest block of rows.
    """
    settings = _settings(what, target, precision, schedules)
    return _begun(what, args, name, settings, None, Stopwatch(None)).kernels()


def _settings(
    what: Tensor | Sequence[Tensor] | Scheduled,
    target: str | Target | None,
    precision: str,
    schedules: str | PathLike[str] | None,
) -> Settings:
    """Return the settings; the target is by default that of the schedule, or this machine."""
    if target is None and is_scheduled(what):
        target = what.target
    return settings_for(target, precision, schedules=schedules)


def _begun(
    what: Tensor | Sequence[Tensor] | Scheduled,
    args: Sequence[Tensor] | None,
    name: str,
    settings: Settings,
    disk: DiskCache | None,
    watch: Stopwatch,
) -> Build:
    """Return the compilation of what build is given."""
    schedule = what if is_scheduled(what) else None
    if schedule is not None and schedule.scripts:
        signature = signature_of(schedule.outputs, args)
        module, start = schedule.program(args, name), PLAN_KERNELS
    else:
        outputs = _outputs(what if schedule is None else schedule.outputs)
        if args is None and any(t.op.ir is None for t in outputs):
            args = outputs
        signature = signature_of(outputs, args)
        module, start = make_program(signature, name), FORM_KERNELS
    if open_size(signature) is None:
        return Build(settings, disk, watch, module, start=start)
    return RowsBuild(settings, disk, watch, module, signature, start)


def is_scheduled(what: object) -> TypeGuard[Scheduled]:
    """Tell whether something is a schedule: it makes a program of its own."""
    return callable(getattr(what, "program", None))


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

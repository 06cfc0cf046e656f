"""build: tensor expressions in, a callable module out.

frontend/te turns the tensors into te IR.  The rest is as for a model: form kernels, schedule them
by the target's plan, and generate code in driver/build.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike

from ..frontend.te.program import sizes_of
from ..frontend.te.tensor import Tensor
from ..runtime.threads import check_threads
from ..support.collection import paused_collection
from ..support.diagnostics import NeedsBinding
from ..support.target import Target
from .compilation import object_cache
from .description import Scheduled, describe_tensors, is_scheduled
from .expression_build import begin_build, build_of_sizes, load_build
from .kernels import KernelCode
from .modules import CompiledModule
from .progress import Stopwatch, Watcher
from .settings import Settings, settings_for
from .sizes import sized_module
from .specialize import SpecializingModule


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
    described, watch = describe_tensors(what, args, name), Stopwatch(progress)
    disk = object_cache(wanted=cache)

    @paused_collection()
    def of_sizes() -> CompiledModule:
        own = Stopwatch(progress)
        return load_build(build_of_sizes(described, settings, disk, own), settings, threads, own)

    made = begin_build(described, settings, disk, watch)
    if made is None:
        return sized_module(described.signature, name, of_sizes)
    return load_build(made, settings, threads, watch)


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
    described = describe_tensors(what, args, name)
    made = begin_build(described, settings, None, Stopwatch(None))
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

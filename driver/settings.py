"""Settings: all choices that determine a model's code, except the model, sizes and values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from ..machines.target import Target, TargetText
from ..runtime.host import MAX_THREADS, available_threads
from ..support.precision import Precision, parse_precision
from ..support.schedule_files import SUFFIX as SCHEDULE_SUFFIX
from ..support.schedule_files import ScheduleFile, read_schedules
from ..support.tuning_records import STARTER_FILE, GraphPlan, read_graph_files, tuned_schedules
from ..support.tuning_records import SUFFIX as RECORDS_SUFFIX
from ..targets.backend import PLAIN, Variant
from .backends import BACKENDS, backend_of, target_of
from .given import DEFAULT_PLAN, STARTER_PLAN
from .passes.pass_context import DEFAULT, PassContext

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

    from ..runtime.measure.profile import Roofline
    from ..runtime.module.functions import ModuleFunctions
    from ..support.cache import DiskCache
    from ..targets.backend import Backend, Emitter
    from .extension import Extension

Sizes: TypeAlias = tuple[tuple[str, int], ...]
"""Pairs (size name, value)."""


def label_of(sizes: Sizes) -> str:
    """Return the label of a version, such as ``batch = 8``."""
    return ", ".join(f"{name} = {size}" for name, size in sizes)


@dataclass(frozen=True)
class CompilationSettings:
    """Choices of the caller and of this process. Every field is part of the key of cached code.

    precision: which algorithms and element types with larger rounding errors are allowed.
    max_threads: the number of threads that memory is planned for.  extensions: additions of other
    packages; their changes cannot be detected, so no model compiled with them is cached as a whole.
    schedules: schedules that replace the plan's choices for the kernels that they match.
    graph_plans: options of passes for the models that they match.
    strict_plan: whether a kernel that cannot be planned is an error.
    unchecked_indices: whether index checks are omitted.
    states: pairs of the names of an input, and of the output that replaces it in the next call.
    gradients: the names of the inputs with respect to which the program returns gradients.
    versions: for each version of the model, the sizes that it binds.  The code for all sizes is
    compiled in any case.
    variant: what is added to the plain program, such as line tables.
    parts: the modules for other targets that main calls, by the name of the packed function.
    context: the choice of passes.  With instruments, all passes must run, so no model is cached.
    """

    target: Target
    precision: Precision
    max_threads: int
    extensions: tuple[Extension, ...] = ()
    schedules: tuple[ScheduleFile, ...] = ()
    graph_plans: tuple[GraphPlan, ...] = ()
    strict_plan: bool = False
    unchecked_indices: bool = False
    states: tuple[tuple[str, str], ...] = ()
    gradients: tuple[str, ...] = ()
    versions: tuple[Sizes, ...] = ()
    variant: Variant = PLAIN
    parts: Mapping[str, ModuleFunctions] = field(default_factory=dict[str, "ModuleFunctions"])
    context: PassContext = DEFAULT

    @property
    def backend(self) -> Backend:
        """The backend of the target.

        Errors: TargetError if the target has no backend.
        """
        return backend_of(self.target, self.extensions)

    @property
    def processors(self) -> Sequence[tuple[str, Target]]:
        """The processors for which a program contains code, as pairs (label, target).

        The label of the first processor is empty; the others are labelled with their names.
        """
        others = self.target.alternatives
        return [("", self.target), *((each.cpu, each) for each in others)]

    @property
    def machine(self) -> Target:
        """The target, for reports and commands that show or model it."""
        return self.target

    def check_module(self) -> None:
        """Check that programs for the target can be loaded as modules.

        Errors: TargetError if they cannot.
        """
        self.backend.check_module(self.target)

    def check_host(self) -> None:
        """Check that this process can load and run programs for the target.

        Errors: TargetError if it cannot.
        """
        self.backend.check_host(self.target)

    def can_run(self) -> bool:
        """Return whether this machine can run programs for the target."""
        return self.backend.can_run(self.target)

    def new_emitter(self, cache: DiskCache | None) -> Emitter:
        """Return a new emitter of the backend.

        cache: the cache of compiled objects, or None.
        """
        return self.backend.new_emitter(self.target, cache)

    def roofline(self, threads: int) -> Roofline | None:
        """Return the peak performance and bandwidth for a number of threads, if known."""
        return self.backend.roofline(self.target, threads)

    @property
    def is_known(self) -> bool:
        """Return whether cached code may be used instead of a compilation.

        Return False with extensions or backends of other packages, because changes in them cannot
        be detected, and with pass instruments, because all passes must run for them.
        """
        has_others = bool(self.extensions) or self.target.kind not in BACKENDS
        return not has_others and not self.context.instruments

    def context_for(self, module: ModuleOp) -> PassContext:
        """Return the choice of passes for an imported module of graph ops.

        Errors: ArgumentError for malformed tuned options of passes.
        """
        if not self.graph_plans:
            return self.context
        from .passes.graph_plans import planned_context  # imports xdsl

        return planned_context(module, self.graph_plans, self.precision, self.context, self.backend)

    def key_parts(self) -> list[str]:
        """Return a text ``name=value`` for each field; together they are part of the cache key."""
        return [f"{field.name}={getattr(self, field.name)!r}" for field in fields(self)]


def settings_for(
    target: TargetText | Target | None = None,
    precision: str = Precision.DEFAULT,
    extensions: Sequence[Extension] = (),
    plan: str | PathLike[str] = DEFAULT_PLAN,
    *,
    strict_plan: bool = False,
    unchecked_indices: bool = False,
    context: PassContext | None = None,
) -> CompilationSettings:
    """Return the settings for a target (None: this machine) in this process.

    plan: "default"; "starter", the tuning records in the package; a schedule file, a file of tuning
    records, or a folder of such files, whose schedule files replace tuned schedules.
    strict_plan: see `CompilationSettings`.
    context: the choice of passes; None: the innermost `PassContext`.
    Errors: TargetError for an invalid target text, or if the precision makes code for it slower;
    TilewrightError for an unknown precision, unreadable schedules or a context that does not fit.
    """
    chosen, wanted = target_of(target, extensions), parse_precision(precision)
    backend_of(chosen, extensions).check_precision(wanted, chosen)
    passes = PassContext.current() if context is None else context
    if passes != DEFAULT:
        from .passes.pipeline import Pipeline  # imports xdsl

        Pipeline(chosen, extensions=extensions, context=passes)
    platform = chosen.main_target.platform
    has_threads = platform is None or platform.has_threads
    most = min(MAX_THREADS, available_threads()) if has_threads else 1
    return CompilationSettings(
        chosen,
        wanted,
        most,
        tuple(extensions),
        *_planned(plan, chosen),
        strict_plan=strict_plan or passes.flag("strict_plan"),
        unchecked_indices=unchecked_indices or passes.flag("unchecked_indices"),
        context=passes,
    )


def _planned(
    plan: str | PathLike[str], target: Target
) -> tuple[tuple[ScheduleFile, ...], tuple[GraphPlan, ...]]:
    """Return the schedules of a file or folder, and the options of passes for models in it.

    The schedules of tuning records come first, then scripts.  The options are from tuning records,
    and from the files that `dump_schedules` writes.
    """
    if plan == DEFAULT_PLAN:
        return (), ()
    path = STARTER_FILE if plan == STARTER_PLAN else Path(plan)
    files = sorted(path.glob(f"*{RECORDS_SUFFIX}")) if path.is_dir() else [path]
    records = [file for file in files if file.suffix == RECORDS_SUFFIX]
    tuned = [tuned_schedules(file, str(target)) for file in records]
    is_tuned = records and (path in records or not any(path.glob(f"*{SCHEDULE_SUFFIX}")))
    scripts = () if is_tuned else read_schedules(path)
    schedules = [each for found, _ in tuned for each in found]
    plans = [each for _, found in tuned for each in found]
    return (*schedules, *scripts), (*plans, *read_graph_files(path))

"""compile_module: compile a program of any level, and return a callable module."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from os import PathLike
from typing import Any

from xdsl.dialects.builtin import ModuleOp

from ..dialects.results import record_names
from ..machines.target import Target, TargetText
from ..runtime.abi.threads import check_threads
from ..runtime.spelling import suggests_arguments
from ..support.collection import paused_collection
from .build import Build
from .compilation import object_cache
from .extension import Extension
from .imported import bind_params
from .module.compiled_module import CompiledModule, load_compiled
from .module_text import own_module
from .passes.pipeline import first_stage
from .progress import Stopwatch, Watcher
from .settings import Settings, settings_for


@suggests_arguments
@paused_collection()
def compile_module(
    module: ModuleOp | str | PathLike[str],
    *,
    target: TargetText | Target | None = None,
    precision: str = "default",
    threads: int | None = None,
    cache: bool = True,
    progress: Watcher | None = None,
    extensions: Sequence[Extension] = (),
    schedules: str | PathLike[str] | None = None,
    strict_plan: bool = False,
    unchecked_indices: bool = False,
    params: Mapping[str, object] | None = None,
) -> CompiledModule:
    """Compile a module with a function ``main`` at any level; the module is unchanged.

    Compilation starts at the module's level, for example with an edited text of
    `Module.get_source`. The attributes tw.arg_names and tw.result_names of main name the inputs and
    outputs of a program on tensors; otherwise the names are those of the text, or x0, x1, … and
    y0, y1, ….

    module: the module, its text, or the path of a file with its text.  A str of one line without
    ``{`` or ``@`` is a path.
    params: other values of parameters of a module of `from_onnx`, by name.
    target, precision, threads, cache, progress, extensions, schedules, strict_plan,
    unchecked_indices: see compile.
    Errors: ModelError for a file that cannot be read, a malformed text, with its line and column,
    no main, or an input whose size is symbolic; TargetError, ScheduleError, VerifyException for a
    text that breaks a rule of its ops, ArgumentError for another kind of module and for params that
    the module lacks.
    """
    check_threads(threads)
    settings = settings_for(
        target,
        precision,
        tuple(extensions),
        schedules,
        strict_plan=strict_plan,
        unchecked_indices=unchecked_indices,
    )
    settings.backend.check_module(settings.target)
    own = own_module(module, settings)
    record_names(own)
    known = bind_params(own, params or {})
    return compile_own(own, settings, threads, progress, cache=cache, params=known)


def compile_own(
    module: ModuleOp,
    settings: Settings,
    threads: int | None,
    progress: Watcher | None,
    *,
    cache: bool,
    params: Iterable[Any] = (),
) -> CompiledModule:
    """Compile a module that the compiler may modify.

    params: the parameters of the model.
    Errors: see compile_module.
    """
    watch, disk = Stopwatch(progress), object_cache(wanted=cache)
    start = first_stage(module, settings.backend)
    build = Build(settings, disk, watch, module, start=start, params=params)
    made = build.compiled(keep=True)
    return load_compiled(
        made,
        settings,
        threads,
        build.source,
        watch,
        build=lambda: build,
        variant=build.variant,
    )

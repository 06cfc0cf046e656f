"""compile_module: a program of any level in, a callable module out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from os import PathLike
from typing import Any

from xdsl.dialects.builtin import ModuleOp

from ..analysis.verify import verify_module
from ..dialects.results import record_names
from ..runtime.spelling import suggests_arguments
from ..runtime.threads import check_threads
from ..support.collection import paused_collection
from ..support.located import LocatedParser, verify_located
from ..support.target import Target
from .build import Build
from .compilation import object_cache
from .extension import Extension, context_of
from .modules import CompiledModule, load_compiled
from .pipeline import first_stage
from .progress import Stopwatch, Watcher
from .settings import Settings, settings_for


@suggests_arguments
@paused_collection()
def compile_module(
    module: ModuleOp | str,
    *,
    target: str | Target | None = None,
    precision: str = "default",
    threads: int | None = None,
    cache: bool = True,
    progress: Watcher | None = None,
    extensions: Sequence[Extension] = (),
    schedules: str | PathLike[str] | None = None,
    strict_plan: bool = False,
    unchecked_indices: bool = False,
) -> CompiledModule:
    """Compile a module with a function ``main`` at any level, or its text; the module is unchanged.

    Compilation starts at the module's level, for example with an edited text of
    `Module.get_source`.

    The attributes tw.arg_names and tw.result_names of main name the inputs and outputs of a program
    on tensors; otherwise the names are those of the text, or x0, x1, … and y0, y1, ….
    target, precision, threads, cache, progress, extensions, schedules, strict_plan,
    unchecked_indices: see compile.
    Errors: ModelError if there is no main or an input's size is symbolic, TargetError,
    ScheduleError, ParseError for a malformed text, VerifyException for a text that breaks a rule
    of its ops.
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
    settings.backend.check_host(settings.target)
    own = _parsed(module, settings) if isinstance(module, str) else module.clone()
    record_names(own)
    return compile_own(own, settings, threads, progress, cache=cache)


def compile_own(
    module: ModuleOp,
    settings: Settings,
    threads: int | None,
    progress: Watcher | None,
    *,
    cache: bool,
    params: Iterable[Any] = (),
) -> CompiledModule:
    """Compile a module that the compiler may change.  params: its parameters.

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
        schedules=build.schedules,
        variant=build.variant,
    )


def _parsed(text: str, settings: Settings) -> ModuleOp:
    parser = LocatedParser(context_of(settings.extensions), text, "<text>")
    module = parser.parse_module()
    verify_located(module, verify_module, parser.places())
    return module

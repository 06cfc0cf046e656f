"""Request: a model or a program with every choice of the caller, as data.

    request = request_for(ModelSource("model.onnx"), target="znver3", shapes={"batch": 2})
    lowered = lower(imported(request))       driver/lowered.py
    artifact = emit(lowered, request)        driver/artifact.py

`dataclasses.replace` makes a request for other sizes, values or settings.  Neither this module nor
a request imports the compiler, because a cached model is loaded without it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from os import PathLike
from typing import TYPE_CHECKING, Any, TypeAlias, TypedDict, Unpack

from ..support.cache import DiskCache, user_cache
from .progress import Stopwatch, Watcher
from .settings import CompilationSettings, settings_for
from .source import ModelSource

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

    from ..dialects.params import Param
    from ..frontend.onnx.input_values import Values
    from ..frontend.onnx.signature import Shapes
    from ..machines.target import Target, TargetText
    from .extension import Extension


@dataclass(frozen=True)
class OwnModule:
    """A program at any level; each compilation lowers a copy of it.

    params: the parameters of the model.  start: the first stage of the pipeline that the program
    has not passed; None: the compiler derives it from the program's ops.
    """

    module: ModuleOp
    params: Iterable[Param] = ()
    start: str | None = None


Source: TypeAlias = ModelSource | OwnModule


@dataclass(frozen=True, eq=False)
class Request:
    """A model or a program to compile, and the choices of the caller.

    shapes, values: the bound sizes, and the inputs that are bound to constants.
    threads: the default number of threads of a call.
    cache: the cache of models and objects; None: no cache is used.
    is_fully_bound: whether the caller has bound all sizes and values that it can; a model that
    needs more is then an error.
    """

    source: Source
    settings: CompilationSettings
    shapes: Shapes = field(default_factory=dict[str, Any])
    values: Values = field(default_factory=dict[str, Any])
    threads: int | None = None
    cache: DiskCache | None = None
    progress: Watcher | None = None
    is_fully_bound: bool = False

    @cached_property
    def watch(self) -> Stopwatch:
        """The stopwatch of the compilation; a copy of the request gets a new stopwatch."""
        return Stopwatch(self.progress)

    def with_settings(self, **changes: Any) -> Request:
        """Return a request with other settings."""
        return replace(self, settings=replace(self.settings, **changes))


class Options(TypedDict, total=False):
    """The options that `compile`, `compile_module` and `build` share; see `compile`."""

    target: TargetText | Target | None
    precision: str
    threads: int | None
    cache: bool
    progress: Watcher | None
    extensions: Sequence[Extension]
    plan: str | PathLike[str]
    strict_plan: bool
    unchecked_indices: bool


class ModelOptions(Options, total=False):
    """The options for compiling a model: `Options`, and the sizes and values to bind."""

    shapes: Shapes | None
    values: Values | None


def request_for(source: Source | Callable[[], Source], **options: Unpack[ModelOptions]) -> Request:
    """Return a request for a model or program, with the options of the caller.

    source: the model or program, or a function that returns it.  The function is called after the
    options have been checked.

    Errors: the errors of `settings_for`.
    """
    given: dict[str, Any] = {**options}
    shapes, values = given.pop("shapes", None) or {}, given.pop("values", None) or {}
    threads, progress = given.pop("threads", None), given.pop("progress", None)
    cache, settings = object_cache(wanted=given.pop("cache", True)), settings_for(**given)
    found = source if isinstance(source, ModelSource | OwnModule) else source()
    return Request(found, settings, shapes, values, threads, cache, progress)


def object_cache(*, wanted: bool) -> DiskCache | None:
    """Return the user's cache folder, or None if ``wanted`` is false."""
    return user_cache() if wanted else None

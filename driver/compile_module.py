"""compile_module: compile a program of any level, and return a callable module."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike

from xdsl.dialects.builtin import ModuleOp

from ..dialects.results import record_names
from ..machines.target import Target, TargetText
from ..runtime.abi.threads import check_threads
from ..runtime.spelling import suggests_arguments
from ..support.collection import paused_collection
from .extension import Extension
from .given import DEFAULT_PLAN
from .imported import bind_params
from .module.compiled_module import CompiledModule, compiled
from .module_text import own_module
from .passes.pipeline import import_passes
from .progress import Watcher
from .request import Options, OwnModule, Request, request_for


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
    plan: str | PathLike[str] = DEFAULT_PLAN,
    strict_plan: bool = False,
    unchecked_indices: bool = False,
    params: Mapping[str, object] | None = None,
) -> CompiledModule:
    """Compile a module with a function ``main`` at any level; the module is unchanged.

    Compilation starts at the module's level, for example with an edited text of
    `Module.get_source`. The attributes tw.arg_names and tw.result_names of main name the inputs and
    outputs of a program on tensors; otherwise the value names of the text are used, or x0, x1, …
    and y0, y1, ….

    module: the module, its text, or the path of a file with its text.  A str of one line without
    ``{`` or ``@`` is a path.
    params: by name, values that replace parameters of a module that `from_onnx` returned.
    target, precision, threads, cache, progress, extensions, plan, strict_plan, unchecked_indices:
    see compile.
    Errors: ModelError for a file that cannot be read, a malformed text, with its line and column,
    no main, or an input whose size is symbolic; TargetError, ScheduleError, VerifyException for a
    text that breaks a rule of its ops, ArgumentError for another kind of module and for params that
    the module lacks.
    """
    check_threads(threads)
    request = request_for(
        own_source(module, extensions, params or {}),
        target=target,
        precision=precision,
        threads=threads,
        cache=cache,
        progress=progress,
        extensions=extensions,
        plan=plan,
        strict_plan=strict_plan,
        unchecked_indices=unchecked_indices,
    )
    return compile_own(request)


def own_source(
    module: object, extensions: Sequence[Extension] = (), params: Mapping[str, object] | None = None
) -> OwnModule:
    """Copy or parse a module, and replace its parameters; return the source for a request.

    module: see compile_module.  params: new values by name; None: the compiled module will have no
    parameters to replace.

    Errors: see compile_module.
    """
    own = own_module(module, extensions)
    record_names(own)
    return OwnModule(own, () if params is None else bind_params(own, params))


def compile_source(source: ModuleOp, options: Options) -> CompiledModule:
    """Compile a copy of a traced module.

    options: the arguments of `compile_module` by name.
    Errors: see compile_module.
    """
    request = request_for(OwnModule(source.clone()), **options)
    import_passes(request.settings.backend)
    return compile_own(request)


def compile_own(request: Request) -> CompiledModule:
    """Compile and load the program of a request.

    Errors: see compile_module.
    """
    module = compiled(request)
    assert isinstance(module, CompiledModule), "a program of the caller has no signature of a model"
    return module

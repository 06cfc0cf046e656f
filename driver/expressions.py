"""build: compile tensor expressions, and return a callable module.

frontend/te turns the tensors into te IR.  The further steps are those of a model: form kernels,
schedule them by the target's plan, and generate code (driver/artifact.py).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike
from typing import Unpack

from xdsl.dialects.builtin import ModuleOp

from ..frontend.te.tensor import Tensor
from ..machines.target import Target, TargetText
from ..runtime.abi.threads import check_threads
from ..runtime.errors import ArgumentError
from ..runtime.spelling import suggests_arguments
from ..support.collection import paused_collection
from .compile_module import compile_module, compile_own
from .description import Scheduled, describe_tensors, is_scheduled
from .extension import Extension
from .given import DEFAULT_PLAN
from .module.compiled_module import CompiledModule
from .module.kernels import KernelCode
from .progress import Watcher
from .request import Options, OwnModule, Request, request_for


@suggests_arguments
@paused_collection()
def build(
    what: Tensor | Sequence[Tensor] | Scheduled | ModuleOp,
    args: Sequence[Tensor] | None = None,
    target: TargetText | Target | None = None,
    *,
    name: str = "main",
    params: Mapping[str, object] | None = None,
    precision: str = "default",
    threads: int | None = None,
    cache: bool = True,
    progress: Watcher | None = None,
    extensions: Sequence[Extension] = (),
    plan: str | PathLike[str] = DEFAULT_PLAN,
    strict_plan: bool = False,
    unchecked_indices: bool = False,
) -> CompiledModule:
    """Compile tensor expressions; the default target is the schedule's target, or this machine.

    A module of `from_onnx` is compiled as by compile_module: ``build(mod, params=params)``.

    what: the tensors to compute, which the target's plan schedules; or a schedule of these tensors.
    A schedule without steps is replaced by the target's plan.  args: the arguments of the module,
    placeholders first, then results; default: the placeholders in the order of their reads, then
    the tensors to compute; if ``what`` contains placeholders, ``what`` itself lists the arguments.
    Call the module as ``mod(a, b, c)``, which fills c, or as ``c = mod(a, b)``; ``mod[name]`` is
    its packed function.  A program with te.vars is compiled once, for all sizes; calls bind the
    te.vars to the shapes of their arguments.
    params: values of the parameters of a module, by name.
    precision, threads, cache, progress, extensions, strict_plan, unchecked_indices: see compile.
    plan: see compile; files also replace the schedule's own steps.
    Errors: TypeMismatch for args that do not fit the tensors, ScheduleError for tensors that are
    not the schedule's and for files that are illegal or match no kernel, TargetError, ArgumentError
    if threads is not a count.

    >>> from tilewright import te
    >>> x = te.placeholder((te.var("n"),), name="x")
    >>> y = te.compute(x.shape, lambda i: x[i] * 2, name="y")
    >>> tilewright.build(y)(np.arange(3, dtype=np.float32)).numpy()
    array([0., 2., 4.], dtype=float32)
    """
    check_threads(threads)
    options = Options(
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
    if isinstance(what, ModuleOp):
        _check_module_arguments(args, name)
        return compile_module(what, params=params, **options)
    if params is not None:
        raise ArgumentError(
            "params= is for modules; tensor expressions have no parameters",
            expected="a module of tilewright.from_onnx",
            got=type(what).__name__,
        )
    return compile_own(_request(what, args, name, **options))


def _check_module_arguments(args: object, name: str) -> None:
    """Refuse the arguments ``args`` and ``name`` of `build` for a module: its main determines both.

    Errors: ArgumentError.
    """
    given = f"args={args!r}" if args is not None else f"name={name!r}"
    if args is not None or name != "main":
        raise ArgumentError(
            "a module has its arguments and its name",
            expected="a module, and other arguments by name",
            got=given,
            hint='build(mod, target="…", params=params)',
        )


@paused_collection()
def build_kernels(
    what: Tensor | Sequence[Tensor] | Scheduled,
    args: Sequence[Tensor] | None = None,
    *,
    name: str = "main",
    **options: Unpack[Options],
) -> KernelCode:
    """Compile only the kernels of tensor expressions, without main; for the arguments, see `build`.

    The target may be another machine.
    """
    return KernelCode.of(_request(what, args, name, **(Options(cache=False) | options)))


def _request(
    what: Tensor | Sequence[Tensor] | Scheduled,
    args: Sequence[Tensor] | None,
    name: str,
    **options: Unpack[Options],
) -> Request:
    if options.get("target") is None and is_scheduled(what):
        options["target"] = what.target
    module, start = describe_tensors(what, args, name)
    return request_for(OwnModule(module, start=start), **options)

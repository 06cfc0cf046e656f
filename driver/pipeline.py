"""Run the passes of a backend's stages, which lower an imported model to the backend's last level.

``Backend.stages`` (targets/backend.py) is the only place that defines the order of passes.
``run_pipeline`` runs them on a module; ``tw-opt --to LEVEL --print-pipeline`` prints them.  After
each stage, only the dialects of its level may occur; ``check_level`` checks this.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from types import MappingProxyType

from xdsl.context import Context
from xdsl.dialects.builtin import MemRefType, ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.passes import ModulePass

from ..analysis.positions import verify_positions
from ..dialects.graph import GraphOp
from ..dialects.te import IntrinsicOp, TensorOp, kernels_of
from ..runtime.spelling import nearest
from ..support.diagnostics import TilewrightError
from ..support.precision import Precision
from ..support.registry import find_pass, unknown
from ..support.target import Target
from ..targets.backend import Backend, Stage
from .backends import backend_of
from .extension import Extension
from .planning import Planning
from .progress import Stopwatch
from .signature import Signatures

Observer = Callable[[ModulePass, ModuleOp], None]
"""A function that is called after each pass, with the pass and the module."""


def import_passes(backend: Backend) -> None:
    """Import the Python modules of all passes of a backend before any IR is built.

    Otherwise the long-lived objects of these Python modules would lie in memory between short-lived
    IR objects, and free memory could not be returned to the system.
    """
    for name in backend.level_of:
        if name not in backend.passes:
            find_pass(name)


def make_pass(
    name: str,
    target: Target,
    precision: Precision = Precision.DEFAULT,
    own: Mapping[str, type[ModulePass]] = MappingProxyType({}),
) -> ModulePass:
    """Return a new pass of the pipeline.

    A pass with the option ``target`` or ``precision`` gets the value of that argument.
    own: the backend's own passes by name, which are searched first.
    """
    found = own[name] if name in own else find_pass(name)
    if precision is Precision.STRICT and target.cpu:
        target = target.with_fixed_sums()
    given = {"target": target, "precision": str(precision)}
    options = {f.name: given[f.name] for f in fields(found) if f.name in given}
    return found(**options)  # pyright: ignore


def stages_to(backend: Backend, level: str, start: str | None = None) -> list[Stage]:
    """Return the stages from ``start`` (default: the first) up to and including a level.

    Errors: TilewrightError for an unknown level, or for one above the level where ``start`` begins.
    """
    order = list(backend.levels)
    if level not in order:
        near = nearest(level, order, 1)
        raise TilewrightError(
            f"target {backend.kind} has no level {level!r}",
            expected=", ".join(order),
            hint=f"did you mean {near[0]}?" if near else "",
        )
    ahead = levels_from(backend, start)
    if level not in ahead:
        raise TilewrightError(
            f"the program is below level {level}", expected=f"one of {', '.join(ahead)}", got=level
        )
    stages = backend.stages[_position(backend, start) :]
    return [stage for stage in stages if order.index(stage.level) <= order.index(level)]


def _position(backend: Backend, start: str | None) -> int:
    return 0 if start is None else backend.stage_names().index(start)


def first_stage(module: ModuleOp, backend: Backend) -> str:
    """Return the stage where the pipeline continues for a module, for example a parsed one.

    Errors: TilewrightError if the backend has no such stage.
    """
    found, names = _next_stage(module, backend), backend.stage_names()
    if found not in names:
        raise TilewrightError(
            "the program is below the levels of the target",
            expected=f"a program before one of the stages {', '.join(names)}",
            got=f"a program before {found}",
        )
    return found


def _next_stage(module: ModuleOp, backend: Backend) -> str:
    kernels = kernels_of(module)
    if kernels:
        in_buffers = not any(kernel.function_type.outputs.data for kernel in kernels)
        return "schedule" if in_buffers else "plan-kernels"
    if any(isinstance(op, TensorOp) for op in module.walk()):
        return "form-kernels"
    functions = [op for op in module.ops if isinstance(op, FuncOp)]
    if any(isinstance(t, MemRefType) for f in functions for t in f.function_type.inputs):
        return "plan-memory"
    # A te program that only returns inputs, fills or calls has none of these ops; then the
    # attribute that the lowering to te leaves identifies it.
    is_lowered = any("tw.arg_dtypes" in function.attributes for function in functions)
    return "form-kernels" if is_lowered else backend.stages[0].name


def levels_from(backend: Backend, start: str | None) -> list[str]:
    """Return the levels that a module passes through if it enters the pipeline at stage ``start``.

    The first one is the level of the module itself.
    """
    order, first = list(backend.levels), _position(backend, start)
    given = backend.stages[first - 1].level if first else order[0]
    return order[order.index(given) :]


def passes_to(
    target: Target,
    level: str,
    extensions: Sequence[Extension] = (),
    precision: Precision = Precision.DEFAULT,
    start: str | None = None,
) -> list[ModulePass]:
    """Return the passes of all stages up to and including a level, and the extensions' passes.

    start: the first stage.
    Errors: TilewrightError for an unknown level, or for an extension pass whose place names no
    pipeline pass.
    """
    backend = backend_of(target, extensions)
    placed = passes_by_place(backend, extensions)
    stages = stages_to(backend, level, start)
    return [step for stage in stages for step in _steps(backend, stage, target, precision, placed)]


def _steps(
    backend: Backend,
    stage: Stage,
    target: Target,
    precision: Precision,
    placed: Mapping[str, Sequence[ModulePass]],
) -> list[ModulePass]:
    return [
        step
        for name in stage.passes
        for step in (*placed.get(name, ()), make_pass(name, target, precision, backend.passes))
    ]


def passes_by_place(
    backend: Backend, extensions: Sequence[Extension]
) -> Mapping[str, Sequence[ModulePass]]:
    """Return for the name of each pipeline pass the extension passes that run before it.

    Errors: TilewrightError for a name that is no pass of the pipeline.
    """
    placed: dict[str, list[ModulePass]] = {}
    for extension in extensions:
        for name, passes in extension.passes.items():
            if name not in backend.level_of:
                raise unknown("place of a pass", name, backend.level_of)
            placed.setdefault(name, []).extend(passes)
    return placed


def run_pipeline(
    module: ModuleOp,
    ctx: Context,
    target: Target,
    *,
    start: str | None = None,
    to: str | None = None,
    precision: Precision = Precision.DEFAULT,
    observe: Observer | None = None,
    stopwatch: Stopwatch | None = None,
    extensions: Sequence[Extension] = (),
    planning: Planning | None = None,
) -> None:
    """Run the stages of the target's backend on a module, up to and including a level.

    start: the first stage; by default that of an imported module.  to: the level, by default the
    last one.  observe: called after each pass.  stopwatch: measures the stages.
    planning: replaces plans that fail by simple schedules; None: the error of the plan is raised.
    Errors: TilewrightError for an unknown level, or from a pass; TypeMismatch for a pass that
    changes the types of a function; OutsideBuffer if lowering leaves an access without a necessary
    guard.
    """
    watch = Stopwatch() if stopwatch is None else stopwatch
    backend = backend_of(target, extensions)
    placed = passes_by_place(backend, extensions)
    signatures = Signatures(module)

    def run(stages: Sequence[Stage], module: ModuleOp) -> None:
        for stage in stages:
            with watch.stage(stage.name):
                for step in _steps(backend, stage, target, precision, placed):
                    if planning is None:
                        step.apply(ctx, module)
                    else:
                        planning.run(step, ctx, module)
                    signatures.check(module, step.name)
                    watch.passed(step.name)
                    if observe is not None:
                        observe(step, module)
                if stage.level == "loop":
                    verify_positions(module)

    stages = stages_to(backend, to or backend.last_level, start)
    if planning is None:
        run(stages, module)
        return
    planned = [stage for stage in stages if stage.applies_schedules]
    first = stages.index(planned[0]) if planned else len(stages)
    run(stages[:first], module)
    planning.lower(module, lambda module: run(planned, module))
    run(stages[first + len(planned) :], module)


def check_level(module: ModuleOp, level: str, backend: Backend) -> None:
    """Check that all ops of a module belong to the dialects of a level.

    At level graph, graph ops of other packages are allowed, too.  A te.intrinsic in the module is
    allowed at every level.
    Errors: TilewrightError that names an op.
    """
    allowed = backend.levels[level]
    outer = [op for op in module.ops if not isinstance(op, IntrinsicOp)]
    for op in (inner for each in outer for inner in each.walk()):
        if op.name.split(".")[0] not in allowed and not (
            level == "graph" and isinstance(op, GraphOp)
        ):
            raise TilewrightError(
                f"an op does not belong to level {level}",
                expected=f"dialects {', '.join(allowed)}",
                got=op.name,
            ).at(op)

"""The list of stages between an imported model and code: names, levels and passes, in order.

This is the only place that knows the order of passes.  ``run_pipeline`` runs it on a module;
``tw-opt --to LEVEL --print-pipeline`` prints it.  After each stage only the dialects of its level
occur; ``check_level`` says what is left over.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields

from xdsl.context import Context
from xdsl.dialects.builtin import MemRefType, ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.passes import ModulePass

from ..analysis.positions import verify_positions
from ..dialects.graph import GraphOp
from ..dialects.te import IntrinsicOp, TensorOp, kernels_of
from ..support.diagnostics import TilewrightError
from ..support.precision import Precision
from ..support.registry import find_pass, unknown
from ..support.target import Target
from .extension import Extension
from .planning import Planning
from .progress import Stopwatch
from .signature import Signatures


@dataclass(frozen=True)
class Stage:
    """Some passes that take a module from one level to the next (or improve it on one).

    level: name of what the module is afterwards; see LEVELS.
    """

    name: str
    level: str
    passes: tuple[str, ...]


STAGES: tuple[Stage, ...] = (
    Stage(
        "optimize-graph",
        "graph",
        (
            "graph-simplify",
            "graph-fold-constants",
            "graph-eliminate-transposes",
            "graph-expose-fusion",
            "graph-fold-batch-norm",
            "graph-fold-constants",
            "graph-cse",
            "graph-prove-indices",
            "graph-dce",
            "cpu-plan-graph",
        ),
    ),
    Stage("lower-graph", "te", ("graph-to-te",)),
    Stage(
        "form-kernels",
        "te",
        (
            "te-fuse-elementwise",
            "te-form-attention",
            "cpu-widen-operands",
            "cpu-choose-algorithms",
            "te-stage-boundaries",
            "te-outline",
        ),
    ),
    Stage(
        "plan-kernels",
        "sched",
        (
            "te-stage-padding",
            "te-bufferize",
            "te-winograd",
            "te-deduplicate",
            "packed-group-calls",
            "cpu-plan",
        ),
    ),
    Stage("schedule", "scheduled", ("te-apply-schedule", "packed-pack-constants")),
    Stage("lower-kernels", "loop", ("te-to-loop", "loop-split-phases", "loop-workspace")),
    Stage("plan-memory", "packed", ("packed-plan-memory",)),
)
"""Every stage, in order."""

AFTER_PLANS = ("schedule", "lower-kernels")
"""The stages that make loops of what the planner chose."""

_HOST = ("builtin", "func", "packed")
LEVELS: Mapping[str, tuple[str, ...]] = {
    "graph": ("builtin", "func", "graph"),
    "te": (*_HOST, "te", "loop", "arith", "math"),
    "sched": (*_HOST, "te", "loop", "arith", "math", "sched"),
    "scheduled": (*_HOST, "te", "loop", "arith", "math"),
    "loop": (*_HOST, "loop", "arith", "math"),
    "packed": (*_HOST, "loop", "arith", "math"),
}
"""Levels in order, with the dialects that may occur."""

LEVEL_OF: Mapping[str, str] = {name: stage.level for stage in STAGES for name in stage.passes}
"""The level of the stage that a pass belongs to."""

Observer = Callable[[str, ModuleOp], None]
"""Called with the name of each pass and the module after it."""


def import_passes() -> None:
    """Import every pass.

    Before IR is built: what stays does not lie among what goes then, and keeps no memory that
    is given back.
    """
    for name in LEVEL_OF:
        find_pass(name)


def make_pass(name: str, target: Target, precision: Precision = Precision.DEFAULT) -> ModulePass:
    """Return a pass of the pipeline, with the target and the precision if it has such options."""
    found = find_pass(name)
    given = {"target": str(target), "precision": str(precision)}
    options = {f.name: given[f.name] for f in fields(found) if f.name in given}
    return found(**options)  # pyright: ignore


def stages_to(level: str, start: str = STAGES[0].name) -> list[Stage]:
    """Return the stages from one on, up to and including a level.

    Errors: TilewrightError for an unknown level, or one above the first stage.
    """
    if level not in LEVELS:
        raise TilewrightError("unknown level", expected=", ".join(LEVELS), got=level)
    ahead = levels_from(start)
    if level not in ahead:
        raise TilewrightError(
            f"the program is below level {level}", expected=f"one of {', '.join(ahead)}", got=level
        )
    order = list(LEVELS)
    first = [stage.name for stage in STAGES].index(start)
    return [stage for stage in STAGES[first:] if order.index(stage.level) <= order.index(level)]


def first_stage(module: ModuleOp) -> str:
    """Return the first stage that is still before a module; a printed one goes on from there."""
    kernels = kernels_of(module)
    if kernels:
        in_buffers = not any(kernel.function_type.outputs.data for kernel in kernels)
        return "schedule" if in_buffers else "plan-kernels"
    if any(isinstance(op, TensorOp) for op in module.walk()):
        return "form-kernels"
    functions = [op for op in module.ops if isinstance(op, FuncOp)]
    if any(isinstance(t, MemRefType) for f in functions for t in f.function_type.inputs):
        return "plan-memory"
    # A te program that only passes on, fills or calls has no such op; its lowering left dtypes.
    is_lowered = any("tw.arg_dtypes" in function.attributes for function in functions)
    return "form-kernels" if is_lowered else STAGES[0].name


def levels_from(start: str) -> list[str]:
    """Return the levels that a module may have that enters the pipeline at a stage."""
    order, names = list(LEVELS), [stage.name for stage in STAGES]
    first = names.index(start)
    given = STAGES[first - 1].level if first else order[0]
    return order[order.index(given) :]


def passes_to(
    target: Target,
    level: str,
    extensions: Sequence[Extension] = (),
    precision: Precision = Precision.DEFAULT,
    start: str = STAGES[0].name,
) -> list[ModulePass]:
    """Return the passes of all stages up to and including a level, those of extensions placed.

    start: the first stage.
    Errors: TilewrightError for an unknown level, or a place that is no pass of the pipeline.
    """
    placed = passes_by_place(extensions)
    stages = stages_to(level, start)
    return [step for stage in stages for step in _steps(stage, target, precision, placed)]


def _steps(
    stage: Stage,
    target: Target,
    precision: Precision,
    placed: Mapping[str, Sequence[ModulePass]],
) -> list[ModulePass]:
    return [
        step
        for name in stage.passes
        for step in (*placed.get(name, ()), make_pass(name, target, precision))
    ]


def passes_by_place(extensions: Sequence[Extension]) -> Mapping[str, Sequence[ModulePass]]:
    """Return the passes of extensions by the pass that they run before.

    Errors: TilewrightError for a place that is no pass of the pipeline.
    """
    placed: dict[str, list[ModulePass]] = {}
    for extension in extensions:
        for name, passes in extension.passes.items():
            if name not in LEVEL_OF:
                raise unknown("place of a pass", name, LEVEL_OF)
            placed.setdefault(name, []).extend(passes)
    return placed


def run_pipeline(
    module: ModuleOp,
    ctx: Context,
    target: Target,
    *,
    start: str = STAGES[0].name,
    to: str = "packed",
    precision: Precision = Precision.DEFAULT,
    observe: Observer | None = None,
    stopwatch: Stopwatch | None = None,
    extensions: Sequence[Extension] = (),
    planning: Planning | None = None,
) -> None:
    """Run the stages on a module, up to and including a level.

    start: the first stage; that of an imported module, if not told.
    planning: what becomes of kernels that cannot be planned; None: their error is raised.
    Errors: TilewrightError for an unknown level, or of a pass; TypeMismatch for one that changes
    the types of a function; OutsideBuffer for an access that lowering left without a guard.
    """
    watch = Stopwatch() if stopwatch is None else stopwatch
    placed = passes_by_place(extensions)
    signatures = Signatures(module)

    def run(stages: Sequence[Stage], module: ModuleOp) -> None:
        for stage in stages:
            with watch.stage(stage.name):
                for step in _steps(stage, target, precision, placed):
                    if planning is None:
                        step.apply(ctx, module)
                    else:
                        planning.run(step, ctx, module)
                    signatures.check(module, step.name)
                    watch.passed(step.name)
                    if observe is not None:
                        observe(step.name, module)
                if stage.level == "loop":
                    verify_positions(module)

    stages = stages_to(to, start)
    if planning is None:
        run(stages, module)
        return
    planned = [stage for stage in stages if stage.name in AFTER_PLANS]
    first = stages.index(planned[0]) if planned else len(stages)
    run(stages[:first], module)
    planning.lower(module, lambda module: run(planned, module))
    run(stages[first + len(planned) :], module)


def check_level(module: ModuleOp, level: str) -> None:
    """Raise TilewrightError if an op of another level is in the module.

    Graph ops of other packages have a dialect of their own; a te.intrinsic stays until the end.
    """
    allowed = LEVELS[level]
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

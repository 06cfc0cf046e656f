"""Run the passes of a backend's stages, which lower an imported model to the backend's last level.

``Backend.stages`` (targets/backend.py) is the only place that defines the order of passes.
``run_pipeline`` runs them on a module; ``tw-opt --to LEVEL --print-pipeline`` prints them.  After
each stage, only the dialects of its level may occur; ``check_level`` (analysis/verify.py) checks
this.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields
from types import MappingProxyType

from xdsl.context import Context
from xdsl.dialects.builtin import MemRefType, ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.passes import ModulePass

from ...analysis.bounds.positions import verify_positions
from ...dialects.te import TensorOp, kernels_of
from ...machines.target import Target, with_fixed_sums
from ...support.diagnostics import TilewrightError
from ...support.instruments import Instruments, PassInfo, PassInstrument, StageInfo
from ...support.precision import Precision
from ...support.registry import find_pass, unknown
from ...targets.backend import Backend, PipelineStage
from ..backends import backend_of
from ..extension import Extension
from ..progress import Stopwatch
from .pass_context import DEFAULT, PassContext
from .pass_options import check_context, with_options
from .planning import Planning
from .signature import Signatures


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
    """Return a new pass with the name ``name``.

    A pass that has an option ``target`` or ``precision`` gets the value of that argument.
    own: the backend's own passes by name, which are searched first.
    """
    found = own[name] if name in own else find_pass(name)
    if precision is Precision.STRICT and target.cpu:
        target = with_fixed_sums(target)
    given = {"target": target, "precision": str(precision)}
    options = {f.name: given[f.name] for f in fields(found) if f.name in given}
    return found(**options)  # pyright: ignore


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
    functions = [op for op in module.ops if isinstance(op, FuncOp)]
    # The region of a graph.defined has te ops, too.
    if any(isinstance(op, TensorOp) for f in functions for b in f.body.blocks for op in b.ops):
        return "form-kernels"
    if any(isinstance(t, MemRefType) for f in functions for t in f.function_type.inputs):
        return "plan-memory"
    # A te program that only returns inputs, fills or calls has none of these ops; then the
    # attribute that the lowering to te leaves identifies it.
    is_lowered = any("tw.arg_dtypes" in function.attributes for function in functions)
    return "form-kernels" if is_lowered else backend.stages[0].name


class Pipeline:
    """The passes that run for a target, by stage.

    They are the passes of the target's backend and of extensions, as far as the `PassContext`
    selects them.
    Errors: TilewrightError for a key of `Extension.passes` that is no pass of the pipeline, and for
    a context with an unknown pass or option, or that disables a pass that a stage needs.
    """

    def __init__(
        self,
        target: Target,
        *,
        extensions: Sequence[Extension] = (),
        precision: Precision = Precision.DEFAULT,
        context: PassContext = DEFAULT,
    ) -> None:
        self.backend = backend_of(target, extensions)
        self._target, self._precision, self._context = target, precision, context
        self._placed = _passes_by_place(self.backend, extensions)
        if context != DEFAULT:
            check_context(context, self.backend, [n for _, n in self._names_placed()])

    def _names_placed(self) -> list[tuple[str, str]]:
        return [(place, step.name) for place, steps in self._placed.items() for step in steps]

    def steps(self, stage: PipelineStage) -> list[PassInfo]:
        """Return the passes of a stage that run, in order."""
        context, levels = self._context, self.backend.opt_levels
        found: list[PassInfo] = []
        for name in stage.passes:
            added = [step for step in self._placed.get(name, ()) if context.runs(step.name, 0)]
            found += [self._info(step, stage) for step in added]
            needed_by = self.backend.needed_by(name)
            if needed_by or context.runs(name, levels[name]):
                step = make_pass(name, self._target, self._precision, self.backend.passes)
                step = with_options(step, context.config)
                found.append(self._info(step, stage, levels.get(name, 0), needed_by))
        return found

    def _info(
        self, step: ModulePass, stage: PipelineStage, opt_level: int = 0, needed_by: str = ""
    ) -> PassInfo:
        return PassInfo(step, opt_level, needed_by, stage.level, self.backend.levels[stage.level])


def passes_to(
    target: Target,
    level: str,
    extensions: Sequence[Extension] = (),
    precision: Precision = Precision.DEFAULT,
    start: str | None = None,
    context: PassContext = DEFAULT,
) -> list[ModulePass]:
    """Return the passes of all stages up to a level, inclusive, with the extensions' passes.

    start: the name of the first stage; None: the first stage of the backend.

    Errors: TilewrightError for an unknown level; see `Pipeline`.
    """
    pipeline = Pipeline(target, extensions=extensions, precision=precision, context=context)
    stages = pipeline.backend.stages_to(level, start)
    return [info.step for stage in stages for info in pipeline.steps(stage)]


def _passes_by_place(
    backend: Backend, extensions: Sequence[Extension]
) -> Mapping[str, Sequence[ModulePass]]:
    """Return the passes of extensions, by the name of the pipeline pass before which they run.

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
    instruments: Sequence[PassInstrument] = (),
    stopwatch: Stopwatch | None = None,
    extensions: Sequence[Extension] = (),
    planning: Planning | None = None,
    context: PassContext = DEFAULT,
) -> None:
    """Run the stages of the target's backend on a module, up to and including a level.

    start: the first stage; by default the first stage for an imported module. to: the level, by
    default the last one.  instruments: run around each pass, after the instruments of the context.
    stopwatch: measures the stages.
    planning: replaces failing plans by simple schedules; None: the error of a plan is raised.
    context: the choice of passes.
    Errors: TilewrightError for an unknown level, a context that does not fit, or from a pass;
    TypeMismatch for a pass that changes the types of a function; OutsideBuffer if lowering leaves
    an access without a necessary guard.
    """
    watch = Stopwatch() if stopwatch is None else stopwatch
    pipeline = Pipeline(target, extensions=extensions, precision=precision, context=context)
    backend, signatures = pipeline.backend, Signatures(module)
    around = Instruments((*context.instruments, *instruments))
    around.run_before_pipeline(module, ctx)

    def run(stages: Sequence[PipelineStage], module: ModuleOp) -> None:
        for stage in stages:
            with watch.stage(stage.name):
                for info in pipeline.steps(stage):
                    if not around.should_run(module, info):
                        continue
                    around.run_before_pass(module, info)
                    if planning is None:
                        info.step.apply(ctx, module)
                    else:
                        planning.run(info.step, ctx, module)
                    signatures.check(module, info.name)
                    watch.passed(info.name)
                    around.run_after_pass(module, info)
                if stage.level == "loop":
                    verify_positions(module)
            level = stage.level
            around.run_after_stage(module, StageInfo(stage.name, level, backend.levels[level]))

    stages = backend.stages_to(to or backend.last_level, start)
    if planning is None:
        run(stages, module)
        return
    planned = [stage for stage in stages if stage.applies_schedules]
    first = stages.index(planned[0]) if planned else len(stages)
    run(stages[:first], module)
    planning.lower(module, lambda module: run(planned, module), around)
    run(stages[first + len(planned) :], module)

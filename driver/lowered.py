"""Lowered: the modules of a request at one level of the pipeline, with facts about their kernels.

In: the imported modules (driver/model_import.py).  Out: the same modules at a lower level, by
default the last one, from which driver/artifact.py emits code and driver/report/texts.py prints.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from xdsl.dialects.builtin import ModuleOp
from xdsl.rewriter import Rewriter

from ..analysis.cost import call_bytes, recorded_costs
from ..analysis.entry import check_entry, nodes_of_kernels
from ..dialects import graph
from ..dialects.packed import CheckIndicesOp
from ..dialects.te import Cost, kernels_of
from ..support.entry import entry_of
from ..support.instruments import PassInfo, PassInstrument
from ..targets.backend import Version
from .extension import context_of
from .params import Params
from .passes.pipeline import run_pipeline
from .passes.planning import Planning
from .passes.schedules import scheduled_by
from .progress import Stopwatch
from .settings import CompilationSettings


@dataclass(frozen=True)
class Lowered:
    """The modules of a request at one level.

    parts: pairs of label and module. The first module, with an empty label, is for all sizes and
    the base processor; then follow its versions for some sizes or for other processors.
    start: the first stage of the pipeline that the modules have not passed.
    params: the parameters of the model.
    simple: the names of the kernels that got a simple schedule because planning them failed.
    """

    settings: CompilationSettings
    parts: tuple[Version, ...]
    start: str
    params: Params = ()
    simple: frozenset[str] = frozenset()

    @property
    def module(self) -> ModuleOp:
        """The module for all sizes."""
        return self.parts[0].module

    def costs(self) -> Mapping[str, tuple[Cost, int]]:
        """Return for each kernel name the work of one call, and the bytes of the call's buffers.

        Before: the modules are at the last level.
        """
        moved = {part.label: call_bytes(part.module) for part in self.parts}
        return {
            part.kernel(name): (cost, moved[part.label].get(name, 0))
            for part in self.parts
            for name, cost in recorded_costs(part.module).items()
        }

    def nodes(self) -> Mapping[str, tuple[str, ...]]:
        """Return for each kernel name the names of the model nodes that the kernel computes."""
        return {
            part.kernel(name): names
            for part in self.parts
            for name, names in nodes_of_kernels(entry_of(part.module)).items()
        }


def lower(given: Lowered, watch: Stopwatch, to: str | None = None) -> Lowered:
    """Lower modules in place to a level; return them with the names of kernels without a plan.

    watch: the stopwatch that records the time of each stage.
    to: the level; by default the last level of the target's backend.

    Errors: ModelError if a module has no function main, or an input with a symbolic size;
    ScheduleError for schedules that match no kernel.
    """
    settings, backend = given.settings, given.settings.backend
    check_entry(given.module)
    scheduled = scheduled_by(settings.schedules, backend, given.start, len(given.parts))
    planning = None if settings.strict_plan else Planning(backend.plan)
    is_graph = given.start == backend.stages[0].name
    for part in given.parts:
        context = settings.context_for(part.module) if is_graph else settings.context
        if settings.unchecked_indices:
            drop_checks(part.module)
        run_pipeline(
            part.module,
            context_of(settings.extensions),
            part.target or settings.target,
            start=given.start,
            to=to,
            instruments=[_KernelCount(watch)],
            precision=settings.precision,
            stopwatch=watch,
            extensions=(*settings.extensions, *scheduled),
            planning=planning,
            context=context,
        )
    return replace(given, simple=frozenset() if planning is None else frozenset(planning.simple))


def drop_checks(module: ModuleOp) -> None:
    """Erase all index checks of a program at any level, for the option ``unchecked_indices``."""
    for op in list(module.walk()):
        if isinstance(op, CheckIndicesOp | graph.CheckIndicesOp):
            Rewriter.erase_op(op)


class _KernelCount(PassInstrument):
    """An instrument that updates the stopwatch's count of distinct kernels after each pass.

    A kernel is counted if it has a cost, because the pass that merges equal kernels records the
    costs.  If no kernel has a cost, the count is unchanged.
    """

    def __init__(self, watch: Stopwatch) -> None:
        self._watch = watch

    def run_after_pass(self, module: ModuleOp, info: PassInfo) -> None:
        distinct = sum(kernel.cost is not None for kernel in kernels_of(module))
        self._watch.kernels = distinct or self._watch.kernels

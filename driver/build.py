"""Build: from a module of any level to an artifact, and to the texts on the way there.

driver/pipeline.py brings the module to the last level of the target's backend, whose emitter turns
it into texts, objects (in parallel, cached by content) and one artifact.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import TypeAlias

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.passes import ModulePass

from ..analysis.cost import call_bytes, recorded_costs
from ..analysis.entry import check_entry
from ..dialects.te import Cost, kernels_of
from ..passes.schedule.match_schedules import schedule_texts
from ..support.cache import DiskCache
from ..targets.backend import (
    Artifact,
    KernelLibrary,
    KernelRecord,
    LineFile,
    Plan,
    Program,
    Text,
    Variant,
    Version,
    unknown_text,
)
from .extension import context_of
from .index_checks import drop_checks
from .lowered import Nodes, kernel_text, nodes_by_kernel, program_text
from .params import Params, params_text
from .pipeline import Observer, levels_from, run_pipeline
from .planning import Planning
from .progress import Stopwatch
from .schedules import scheduled_by
from .settings import Settings

Costs: TypeAlias = dict[str, tuple[Cost, int]]
"""The work of one call of each kernel, and the bytes of its buffers."""

LISTED_FILE = "packed.mlir"
"""The file in the line tables of listings: the text of the last level, `get_source("packed")`."""

_NO_COST = Cost(0, ()), 0
"""The cost of a kernel whose backend records none."""


class Build:
    """One compilation of one module.

    start: the first stage of the pipeline to run; modules below graph skip the earlier stages.
    versions: the model with some sizes bound, for code of their own in the same program.
    params: the parameters of the model.
    """

    def __init__(
        self,
        settings: Settings,
        cache: DiskCache | None,
        watch: Stopwatch,
        module: ModuleOp,
        *,
        start: str | None = None,
        versions: Sequence[Version] = (),
        params: Params = (),
    ) -> None:
        self._backend = settings.backend
        self._start = self._backend.stages[0].name if start is None else start
        self._extensions = (
            *settings.extensions,
            *scheduled_by(settings.schedules, self._backend, self._start, 1 + len(versions)),
        )
        self._settings, self._watch = settings, watch
        self._target = settings.target
        self._emitter = self._backend.new_emitter(settings.target, cache)
        self._module: ModuleOp | None = module
        self._planning = None if settings.strict_plan else Planning(self._backend.plan)
        self._shown: dict[str, tuple[ModuleOp, Sequence[Version]]] = {}
        self._versions, self._params = tuple(versions), params
        self._watching: Observer | None = None

    def compiled(self, *, keep: bool = False) -> Artifact:
        """Return the code of the module, and its weights.

        keep: keep the module for later calls of `source`; otherwise consume it and its weights.
        Errors: ModelError if there is no main or an input's size is symbolic.
        """
        check_entry(self._given)
        watch = self._watch
        module = self._lowered(self._backend.last_level, keep=keep)
        versions = self._lowered_versions(self._backend.last_level, keep=keep)
        modules = (module, *(version.module for version in versions))
        expected = sum(isinstance(op, FuncOp) for each in modules for op in each.ops)
        costs, nodes = self._costs(module, versions), nodes_by_kernel(module, versions)
        with self._emitter.assembler(expected) as assembler:
            with watch.stage("emit"):
                program = self._program(module, versions)
                del module, modules, versions
                count = 0
                for text in watch.each(program.texts()):
                    assembler.add(text)
                    count += 1
            with watch.stage("make-objects"):
                made = assembler.objects()
                objects = [next(made) for _ in watch.each(range(count))]
        with watch.stage("link"):
            artifact = self._emitter.link(program, objects)
        params = params_text(self._params, self._emitter.weights_of(program))
        kernels = self._describe(program, costs, nodes)
        return replace(artifact, kernels=kernels, params=params)

    def variant(self, variant: Variant) -> Artifact:
        """Return a variant of the program of the module, which is kept.

        Errors: TargetError if the backend has no such programs.
        """
        settings = replace(self._settings, variant=variant)
        cache, watch = self._emitter.cache, Stopwatch(None)
        start, versions = self._start, self._versions
        other = Build(settings, cache, watch, self._given, start=start, versions=versions)
        return other.compiled(keep=True)

    def kernels(self) -> tuple[ModuleOp, KernelLibrary, tuple[KernelRecord, ...]]:
        """Return the lowered module, and its kernels without main and the entry.

        Errors: TargetError if the backend has no kernels that can be called one by one.
        """
        check_entry(self._given)
        module = self._lowered(self._backend.last_level, keep=False)
        costs, program = self._costs(module), self._program(module)
        records = self._describe(program, costs, nodes_by_kernel(module, ()))
        return module, self._emitter.kernel_library(program), records

    def schedules(self) -> dict[str, str]:
        """Return the schedules of all kernels by suggested file name.

        Errors: ModelError as above.
        """
        check_entry(self._given)
        texts = schedule_texts(self._lowered("sched", keep=True))
        for version in self._lowered_versions("sched", keep=True):
            for name, text in schedule_texts(version.module).items():
                stem, _, suffix = name.rpartition(".")
                texts[f"{stem}_{re.sub(r'[^A-Za-z0-9]+', '_', version.label)}.{suffix}"] = text
        return texts

    def watched(self, observe: Callable[[ModulePass | None, ModuleOp], None]) -> None:
        """Lower a copy of the module, and call a function before the first pass and after each.

        observe: takes the pass that ran, None before the first one, and the module.
        Errors: ModelError as above.
        """
        check_entry(self._given)
        observe(None, self._given)
        self._watching = observe
        self._lowered(self._backend.last_level, keep=True)
        self._watching = None

    def source(self, kind: str, kernel: str | None = None) -> str:
        """Return the text of a level, or of a kind that the backend lists (``ll``, ``asm``).

        kernel: the name of a kernel, for its text alone.
        Errors: LookupError for any other kind or kernel; ModelError as above.
        """
        check_entry(self._given)
        levels = levels_from(self._backend, self._start)
        if kind in levels:
            return self._level_text(kind, kernel)
        if kind not in self._backend.listings:
            raise unknown_text(kind, (*levels, *self._backend.listings))
        lines = LineFile(LISTED_FILE, is_listing=True) if kind in self._emitter.located else None
        return self._emitter.listing(self._shown_program(Variant(lines=lines)), kind, kernel)

    def lowered(self) -> tuple[ModuleOp, Sequence[Version]]:
        """Return the module and its versions at the last level; later calls start anew.

        Errors: ModelError as above.
        """
        check_entry(self._given)
        last = self._backend.last_level
        return self._lowered(last, keep=True), self._lowered_versions(last, keep=True)

    def texts(self, variant: Variant | None = None) -> Iterator[Text]:
        """Yield the texts that the backend makes code of.

        Errors: ModelError as above.
        """
        return self._shown_program(variant).texts()

    def _shown_program(self, variant: Variant | None = None) -> Program:
        """Return a variant of the program of the module, which is kept."""
        last = self._backend.last_level
        versions = self._lowered_versions(last, keep=True)
        return self._program(self._lowered(last, keep=True), versions, variant)

    def _level_text(self, kind: str, kernel: str | None) -> str:
        # Keep the module: the text refers to weights by key and parses while they are alive.
        module = self._lowered(kind, keep=True)
        versions = self._lowered_versions(kind, keep=True)
        self._shown[kind] = module, versions
        if kernel is not None:
            return kernel_text(kind, kernel, module, versions)
        return program_text(module, versions)

    def _program(
        self,
        module: ModuleOp,
        versions: Sequence[Version] = (),
        variant: Variant | None = None,
    ) -> Program:
        """Return the program of a lowered module and its versions."""
        most, wanted = self._settings.max_threads, variant or self._settings.variant
        if wanted.is_profiled:
            return self._emitter.emit_profiled(module, most, versions)
        if wanted.lines is not None:
            return self._emitter.emit_with_lines(module, most, versions, wanted.lines)
        if not versions:
            return self._emitter.emit(module, most)
        return self._emitter.emit_versions(module, most, versions)

    def _costs(self, module: ModuleOp, versions: Sequence[Version] = ()) -> Costs:
        """Return the costs of all kernels, by the names that the program shows."""
        costs: Costs = {}
        for label, each in (("", module), *((v.label, v.module) for v in versions)):
            moved = call_bytes(each)
            for name, cost in recorded_costs(each).items():
                costs[f"{name} ({label})" if label else name] = cost, moved.get(name, 0)
        return costs

    @property
    def _given(self) -> ModuleOp:
        assert self._module is not None, "the module was used up"
        return self._module

    def _lowered_versions(self, to: str, *, keep: bool) -> list[Version]:
        """Return the versions at a level, which is the first one that they have."""
        made: list[Version] = []
        for version in self._versions:
            module = version.module.clone() if keep else version.module
            self._run_stages(module, to)
            made.append(replace(version, module=module))
        if not keep:
            self._versions = ()
        return made

    def _lowered(self, to: str, *, keep: bool) -> ModuleOp:
        """Return the module at a level.  keep: lower a copy; otherwise consume the given one."""
        module = self._given.clone() if keep else self._given
        if not keep:
            self._module = None
        self._run_stages(module, to)
        return module

    def _run_stages(self, module: ModuleOp, to: str) -> None:
        """Lower a module to a level."""
        if self._settings.unchecked_indices:
            drop_checks(module)
        run_pipeline(
            module,
            context_of(self._settings.extensions),
            self._target,
            start=self._start,
            to=to,
            observe=self._observe,
            precision=self._settings.precision,
            stopwatch=self._watch,
            extensions=self._extensions,
            planning=self._planning,
        )

    @property
    def _simple(self) -> set[str]:
        """The names of the kernels that could not be planned."""
        return set() if self._planning is None else self._planning.simple

    def _observe(self, step: ModulePass, module: ModuleOp) -> None:
        """Count the kernels, which are distinct as soon as they have costs."""
        distinct = sum(kernel.cost is not None for kernel in kernels_of(module))
        self._watch.kernels = distinct or self._watch.kernels
        if self._watching is not None:
            self._watching(step, module)

    def _describe(self, program: Program, costs: Costs, nodes: Nodes) -> tuple[KernelRecord, ...]:
        rows: list[KernelRecord] = []
        for name, tasks in program.tasks.items():
            cost, moved = costs.get(name, _NO_COST)
            plan = Plan.SIMPLE if name in self._simple else Plan.CHOSEN
            calls = program.calls.count(name)
            own = nodes.get(name, ())
            rows.append(
                KernelRecord(name, cost.computes, cost.flops, tasks, calls, plan, own, moved)
            )
        return tuple(rows)

"""Build: compile a module of any level to an artifact, or print its IR at any level.

driver/passes/pipeline.py lowers the module to the last level of the target's backend.  The
backend's emitter then produces source text (such as LLVM IR), compiles it to objects (in parallel,
cached by content), and links them into one artifact.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TypeAlias

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

from ..analysis.cost import call_bytes, recorded_costs
from ..analysis.entry import check_entry
from ..dialects.te import Cost
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
from .module.lowered import KernelCount, Nodes, kernel_text, nodes_by_kernel, program_text
from .params import Params, params_text
from .passes.index_checks import drop_checks
from .passes.pipeline import run_pipeline
from .passes.planning import Planning
from .passes.schedules import scheduled_by
from .progress import Stopwatch
from .settings import Settings

Costs: TypeAlias = dict[str, tuple[Cost, int]]
"""For each kernel name, the work of one call of the kernel, and the bytes of its buffers."""

LISTED_FILE = "packed.mlir"
"""The file name in the line tables of listings; `get_source("packed")` returns its contents."""

_NO_COST = Cost(0, ()), 0
"""The cost of a kernel without a recorded cost."""


class Build:
    """One compilation of one module.

    start: the first stage of the pipeline to run; modules below graph skip the earlier stages.
    versions: the same model with some sizes bound; each version gets its own code in the program.
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

    def compiled(self, *, keep: bool = False) -> Artifact:
        """Compile the module; return its code and weights.

        keep: lower a copy, so that `source` can be called later; by default the module and its
        weights are consumed.
        Errors: ModelError if the module has no function main, or an input with a symbolic size.
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
        weights_bytes = memoryview(artifact.weights).nbytes
        params = params_text(self._params, self._emitter.weights_of(program), weights_bytes)
        kernels = self._describe(program, costs, nodes)
        return replace(artifact, kernels=kernels, params=params)

    def variant(self, variant: Variant) -> Artifact:
        """Compile a variant of the program, such as a profiled one; the module stays usable.

        Errors: TargetError if the backend has no such variant.
        """
        settings = replace(self._settings, variant=variant)
        cache, watch = self._emitter.cache, Stopwatch(None)
        start, versions = self._start, self._versions
        other = Build(settings, cache, watch, self._given, start=start, versions=versions)
        return other.compiled(keep=True)

    def kernels(self) -> tuple[ModuleOp, KernelLibrary, tuple[KernelRecord, ...]]:
        """Lower the module and compile its kernels alone, without main and without the entry.

        Return the lowered module, the library of kernels, and a record of each kernel.
        Errors: TargetError if the backend has no kernels that can be called one by one.
        """
        check_entry(self._given)
        module = self._lowered(self._backend.last_level, keep=False)
        costs, program = self._costs(module), self._program(module)
        records = self._describe(program, costs, nodes_by_kernel(module, ()))
        return module, self._emitter.kernel_library(program), records

    def schedules(self) -> dict[str, str]:
        """Return the printed schedules of all kernels, by suggested file name.

        Errors: ModelError as for `compiled`.
        """
        check_entry(self._given)
        texts = schedule_texts(self._lowered("sched", keep=True))
        for version in self._lowered_versions("sched", keep=True):
            for name, text in schedule_texts(version.module).items():
                stem, _, suffix = name.rpartition(".")
                texts[f"{stem}_{re.sub(r'[^A-Za-z0-9]+', '_', version.label)}.{suffix}"] = text
        return texts

    def source(self, kind: str, kernel: str | None = None) -> str:
        """Return the printed IR at a level, or a listing of the backend (``ll``, ``asm``).

        kind: the name of the level or listing.  kernel: the name of a kernel, to print it alone.
        Errors: LookupError for any other kind or kernel; ModelError as for `compiled`.
        """
        check_entry(self._given)
        levels = self._backend.levels_from(self._start)
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
        """Yield the source texts, such as LLVM IR, that the backend compiles to objects.

        Errors: ModelError as for `compiled`.
        """
        return self._shown_program(variant).texts()

    def _shown_program(self, variant: Variant | None = None) -> Program:
        """Emit a variant of the program from a lowered copy of the module."""
        last = self._backend.last_level
        versions = self._lowered_versions(last, keep=True)
        return self._program(self._lowered(last, keep=True), versions, variant)

    def _level_text(self, kind: str, kernel: str | None) -> str:
        # Keep the module: the text refers to weights by key, so it parses only while they exist.
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
        """Emit the program of a lowered module and of its versions."""
        most, wanted = self._settings.max_threads, variant or self._settings.variant
        if wanted.is_profiled:
            return self._emitter.emit_profiled(module, most, versions)
        if wanted.lines is not None:
            return self._emitter.emit_with_lines(module, most, versions, wanted.lines)
        if not versions:
            return self._emitter.emit(module, most)
        return self._emitter.emit_versions(module, most, versions)

    def _costs(self, module: ModuleOp, versions: Sequence[Version] = ()) -> Costs:
        """Return the costs of all kernels by name; in versions, the label follows the name."""
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
        """Lower all versions to a level.  keep: lower copies; otherwise consume the versions."""
        made: list[Version] = []
        for version in self._versions:
            module = version.module.clone() if keep else version.module
            self._run_stages(module, to)
            made.append(replace(version, module=module))
        if not keep:
            self._versions = ()
        return made

    def _lowered(self, to: str, *, keep: bool) -> ModuleOp:
        """Lower the module to a level.  keep: lower a copy; otherwise consume the module."""
        module = self._given.clone() if keep else self._given
        if not keep:
            self._module = None
        self._run_stages(module, to)
        return module

    def _run_stages(self, module: ModuleOp, to: str) -> None:
        """Run the pipeline on a module, from the first stage of this build to a level."""
        if self._settings.unchecked_indices:
            drop_checks(module)
        run_pipeline(
            module,
            context_of(self._settings.extensions),
            self._target,
            start=self._start,
            to=to,
            instruments=[KernelCount(self._watch)],
            precision=self._settings.precision,
            stopwatch=self._watch,
            extensions=self._extensions,
            planning=self._planning,
            context=self._settings.context,
        )

    @property
    def _simple(self) -> set[str]:
        """The names of the kernels that got a simple schedule because planning them failed."""
        return set() if self._planning is None else self._planning.simple

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

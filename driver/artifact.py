"""Artifact: the code, weights and kernel records of a request, which another process can load.

The emitter of the target's backend produces source text (such as LLVM IR), compiles it to objects
(in parallel, cached by content), and links them.  A model whose compilation needs sizes or values
that the request does not bind has no artifact: `make` then returns its signature, and each call
compiles a program for the sizes and values of its inputs.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

from ..analysis.entry import has_dynamic_inputs
from ..dialects.te import Cost
from ..support.cache import DiskCache
from ..support.collection import free_memory, paused_collection
from ..support.diagnostics import NeedsBinding, TilewrightError, TypeMismatch, WrongStage
from ..targets.backend import (
    PLAIN,
    Artifact,
    EmittedProgram,
    Emitter,
    KernelLibrary,
    KernelRecord,
    ScheduleOrigin,
    Variant,
)
from .caches import CACHES
from .declared import has_symbolic_inputs
from .lowered import Lowered, lower
from .model_import import ModelFacts, imported
from .params import params_text
from .progress import Stopwatch
from .report.crash import crash_reproducer
from .request import OwnModule, Request
from .store import Stored, keep

_MUCH_BYTES = 4 << 20
"""After compiling more weights and code than this, free memory is returned to the system."""

_NO_COST = Cost(0, ()), 0
"""The values used for a kernel without a recorded cost."""


def make(request: Request) -> Stored:
    """Compile a request without a look-up in the cache; return its artifact.

    If the compilation needs sizes or values that the request does not bind, return the signature of
    the model instead. The result for a model is stored in the cache.

    Errors: see `compile`; NeedsBinding in place of the signature if `Request.is_fully_bound`.
    """
    with paused_collection(), crash_reproducer(request):
        if isinstance(request.source, OwnModule):
            return emit(imported(request), request.cache, request.watch)
        facts = ModelFacts()
        made = _made(request, facts)
        if request.cache is not None and not facts.installed.used:
            with request.watch.stage("store"):
                keep(request, facts.data_files, made)
        if isinstance(made, Artifact) and len(made.weights) + len(made.code) > _MUCH_BYTES:
            free_memory(CACHES)
    return made


def _made(request: Request, facts: ModelFacts) -> Stored:
    try:
        given = imported(request, facts)
        if request.is_fully_bound or not has_dynamic_inputs(given.module):
            return emit(given, request.cache, request.watch)
        try:
            strict = replace(given, settings=replace(given.settings, strict_plan=True))
            return emit(strict, request.cache, request.watch)
        except (NeedsBinding, WrongStage):
            raise
        except TilewrightError as err:  # a step has no plan for symbolic sizes
            return replace(facts.signature, reason=str(err))
    except NeedsBinding as err:
        if request.is_fully_bound:
            raise
        reason = "" if err.inputs else str(err)
        return replace(facts.signature, value_inputs=err.inputs, reason=reason)
    except TypeMismatch as err:
        # Sizes with different names may be equal in every call, so the call decides.
        if request.is_fully_bound or not has_symbolic_inputs(facts.signature, request):
            raise
        return replace(facts.signature, reason=str(err))


def emit(given: Lowered, cache: DiskCache | None, watch: Stopwatch) -> Artifact:
    """Lower imported modules in place to the last level, and compile them to an artifact.

    given: the imported modules.  cache: the cache of compiled objects, or None.
    watch: the stopwatch that records the time of each stage.

    Errors: see `lower`.
    """
    lowered, emitter = lower(given, watch), given.settings.new_emitter(cache)
    modules = [part.module for part in lowered.parts]
    expected = sum(isinstance(op, FuncOp) for module in modules for op in module.ops)
    records = _KernelFacts(lowered.costs(), lowered.nodes(), lowered.simple)
    with emitter.assembler(expected) as assembler:
        with watch.stage("emit"):
            program, count = program_of(lowered, emitter, given.settings.variant), 0
            for text in watch.each(program.texts()):
                assembler.add(text)
                count += 1
        with watch.stage("make-objects"):
            made = assembler.objects()
            objects = [next(made) for _ in watch.each(range(count))]
    with watch.stage("link"):
        artifact = emitter.link(program, objects)
    weights_bytes = memoryview(artifact.weights).nbytes
    params = params_text(given.params, emitter.weights_of(program), weights_bytes)
    return replace(artifact, kernels=records.of(program), params=params)


def kernels_of(request: Request) -> tuple[ModuleOp, KernelLibrary, tuple[KernelRecord, ...]]:
    """Lower a request and compile only its kernels, without the main function that calls them.

    Return the lowered module, the library of kernels, and a record of each kernel.
    Errors: TargetError if the backend has no kernels that can be called one by one.
    """
    with crash_reproducer(request):
        lowered = lower(imported(request), request.watch)
    emitter = request.settings.new_emitter(request.cache)
    records = _KernelFacts(lowered.costs(), lowered.nodes(), lowered.simple)
    program = program_of(lowered, emitter)
    return lowered.module, emitter.kernel_library(program), records.of(program)


def program_of(lowered: Lowered, emitter: Emitter, variant: Variant = PLAIN) -> EmittedProgram:
    """Emit the code of all lowered modules as one program.

    lowered: modules at the last level.  emitter: the emitter of their target's backend.
    variant: whether the code records times or has line tables.
    """
    most, module, versions = lowered.settings.max_threads, lowered.module, lowered.parts[1:]
    if variant.is_profiled:
        return emitter.emit_profiled(module, most, versions)
    if variant.lines is not None:
        return emitter.emit_with_lines(module, most, versions, variant.lines)
    return emitter.emit_versions(module, most, versions) if versions else emitter.emit(module, most)


class _KernelFacts(NamedTuple):
    """Facts about the kernels of lowered modules, by kernel name.

    costs: the work of one call of the kernel, and the bytes of its buffers.  nodes: the names of
    the model nodes that the kernel computes.  simple: the kernels that got a simple schedule
    because planning them failed.
    """

    costs: Mapping[str, tuple[Cost, int]]
    nodes: Mapping[str, tuple[str, ...]]
    simple: frozenset[str]

    def of(self, program: EmittedProgram) -> tuple[KernelRecord, ...]:
        rows: list[KernelRecord] = []
        for name, tasks in program.tasks.items():
            cost, moved = self.costs.get(name, _NO_COST)
            plan = ScheduleOrigin.SIMPLE if name in self.simple else ScheduleOrigin.CHOSEN
            facts = tasks, program.calls.count(name), plan, self.nodes.get(name, ()), moved
            rows.append(KernelRecord(name, cost.computes, cost.flops, *facts))
        return tuple(rows)

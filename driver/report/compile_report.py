"""The compile report of a model: its kernels at each level, their costs and times, and remarks.

In: the request of a compiled module, and if it ran, its profile and its memory plan. Out: a
`CompileReport`, which page.py turns into one HTML file. The request is lowered once more, with an
instrument that records the program between the passes.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from xdsl.dialects.builtin import VectorType
from xdsl.dialects.func import FuncOp

from ...support.collection import paused_collection
from ...support.entry import kernel_functions
from ...support.source_lines import source_lines
from ...targets.backend import EmittedProgram, Emitter, LineFile, Variant
from ..artifact import program_of
from ..lowered import lower
from ..model_import import imported
from ..request import Request
from .graph_calls import GraphCall, Remark
from .level_recorder import LevelRecorder, ScheduleState
from .listing import Listing, listing_of, located
from .texts import LISTED_FILE


@dataclass
class ReportedKernel:
    """A kernel of the report.

    nodes: the names of the model nodes that it computes.  listings: its text by level, from tensor
    expressions to assembly.  states: its loop nest after each step of its schedule.  modelled_us:
    microseconds of one call, for each part of the cost model; empty if the model does not know the
    kernel.
    """

    name: str
    nodes: tuple[str, ...] = ()
    listings: dict[str, Listing] = field(default_factory=dict[str, Listing])
    states: Sequence[ScheduleState] = ()
    modelled_us: Mapping[str, float] = field(default_factory=dict[str, float])


@dataclass
class CompileReport:
    """The data of a compile report: the program at each level, and why optimizations did not apply.

    graph: the printed graph after optimization.  calls: the kernel calls of main, in order.
    """

    graph: Listing
    calls: Sequence[GraphCall]
    kernels: Sequence[ReportedKernel]
    remarks: Sequence[Remark]


@paused_collection()
def compile_report(request: Request) -> CompileReport:
    """Lower a request, and return the report of its program for all sizes.

    Errors: see `imported` and `lower`.
    """
    recorder = LevelRecorder(request.settings.machine)
    context = replace(request.settings.context, instruments=[recorder])
    request = request.with_settings(context=context)
    backend = request.settings.backend
    given = imported(request)
    recorder.module = given.module
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        lowered = lower(given, request.watch)
    for each in warned:
        recorder.remarks.append(_plan_remark(str(each.message)))
    printed = source_lines([(part.label, part.module) for part in lowered.parts])
    emitter = request.settings.new_emitter(None)
    program = program_of(lowered, emitter, Variant(lines=LineFile(LISTED_FILE, is_listing=True)))
    functions = {op.sym_name.data: op for op in kernel_functions(lowered.module)}
    kernels: list[ReportedKernel] = []
    for name, nodes in lowered.nodes().items():
        made = ReportedKernel(name, nodes, *recorder.facts_of(name))
        if (function := functions.get(name)) is not None:
            made.listings[backend.last_level] = listing_of(function, printed, has_lines=True)
            recorder.remarks += _vector_remark(name, function)
        made.listings |= _code(emitter, program, name, backend.listings)
        kernels.append(made)
    return CompileReport(recorder.graph, recorder.calls, kernels, recorder.remarks)


def _code(
    emitter: Emitter, program: EmittedProgram, name: str, kinds: Sequence[str]
) -> dict[str, Listing]:
    """Return the code of a kernel by kind, such as ``ll`` and ``asm``; empty if it has none."""
    known = {text.kernel for text in program.texts()}
    if name not in known:
        return {}
    return {kind: located(emitter.listing(program, kind, name)) for kind in kinds}


def _plan_remark(message: str) -> Remark:
    first = message.splitlines()[0]
    what, _, reason = first.partition(" could not be planned: ")
    return Remark("simple plan", what, reason or first)


def _vector_remark(name: str, function: FuncOp) -> Iterator[Remark]:
    """Yield a remark for a kernel that computes without vectors."""
    types = {v.type for op in function.walk() for v in op.results}
    if any(isinstance(type_, VectorType) for type_ in types):
        return
    ops = {op.name for op in function.walk()}
    reason = "its loops have no vector step: no axis has elements in a row, or it is too short"
    if "loop.cmp" in ops or "loop.if" in ops:
        reason = "its loops decide by data which elements they read or write"
    yield Remark("not vectorized", f"kernel {name}", reason)

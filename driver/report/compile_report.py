"""The compile report of a model: its kernels at each level, their costs and times, and remarks.

In: the request of a compiled module, and if it ran, its profile and its memory plan. Out: a
`CompileReport`, which page.py turns into one HTML file. The request is lowered once more, with an
instrument that records the program between the passes.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from xdsl.dialects.builtin import ModuleOp, VectorType
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue

from ...dialects.packed import CallOp
from ...dialects.sched import ScriptOp
from ...dialects.te import KernelOp, kernels_of
from ...machines.cpu_numbers import numbers_of
from ...machines.gpu_limits import known_limits
from ...machines.target import Target
from ...passes.schedule.apply_schedule import scripts_of
from ...passes.schedule.interpreter import apply_script
from ...passes.te.outline import Outline, group_computes
from ...support.collection import paused_collection
from ...support.diagnostics import TilewrightError
from ...support.entry import entry_of, find_entry, kernel_functions
from ...support.instruments import PassInfo, PassInstrument
from ...support.locations import node_names
from ...support.source_lines import SourceLines, source_lines
from ...targets.backend import EmittedProgram, Emitter, LineFile, Variant
from ...targets.cpu.cost.kernel_cost import kernel_cost
from ..artifact import program_of
from ..lowered import lower
from ..model_import import imported
from ..request import Request
from .texts import LISTED_FILE


@dataclass(frozen=True)
class Listing:
    """The text of a kernel at one level.

    nodes: for each line, the names of the model's nodes that it computes.  lines: for each line,
    the line of the program of loops that it is, or comes from; 0 if there is none.
    """

    text: str
    nodes: Sequence[tuple[str, ...]] = ()
    lines: Sequence[int] = ()


@dataclass(frozen=True)
class ScheduleState:
    """A kernel after a step of its schedule.  step: the text of the step; empty at the start."""

    step: str
    program: str


@dataclass
class KernelReport:
    """A kernel of the report.

    listings: its text by level, from tensor expressions to assembly.  states: its loop nest after
    each step of its schedule.  modelled_us: microseconds of one call by part of the cost model;
    empty if the model does not know the kernel.
    """

    name: str
    nodes: tuple[str, ...] = ()
    listings: dict[str, Listing] = field(default_factory=dict[str, Listing])
    states: Sequence[ScheduleState] = ()
    modelled_us: Mapping[str, float] = field(default_factory=dict[str, float])


@dataclass(frozen=True)
class GraphCall:
    """A call of a kernel in the graph of kernels.

    nodes: the nodes that it computes.  sources: the numbers of the calls whose results it reads.
    """

    kernel: str
    nodes: tuple[str, ...]
    sources: tuple[int, ...]


@dataclass(frozen=True)
class Remark:
    """Something that the compiler did not do, and why.

    kind: not fused, not vectorized, or simple plan.  what: the nodes or the kernel.
    """

    kind: str
    what: str
    reason: str


@dataclass
class CompileReport:
    """What the compiler did with a model.

    graph: the optimized graph.  calls: the calls of kernels as formed, in order.
    """

    graph: Listing
    calls: Sequence[GraphCall]
    kernels: Sequence[KernelReport]
    remarks: Sequence[Remark]


@paused_collection()
def compile_report(request: Request) -> CompileReport:
    """Lower a request, and return the report of its program for all sizes.

    Errors: see `imported` and `lower`.
    """
    recorder = _StageRecorder(request.settings.target)
    context = replace(request.settings.context, instruments=[recorder])
    request = replace(request, settings=replace(request.settings, context=context))
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
    kernels: list[KernelReport] = []
    for name, nodes in lowered.nodes().items():
        made = KernelReport(name, nodes, *recorder.facts_of(name))
        function = _function_of(lowered.module, name)
        if function is not None:
            made.listings[_last_level(request)] = _listing(function, printed, has_lines=True)
            recorder.remarks += _vector_remark(name, function)
        made.listings |= _code(emitter, program, name, request.settings.backend.listings)
        kernels.append(made)
    return CompileReport(recorder.graph, recorder.calls, kernels, recorder.remarks)


def _last_level(request: Request) -> str:
    return list(request.settings.backend.levels)[-1]


def _function_of(module: ModuleOp, name: str) -> FuncOp | None:
    functions = kernel_functions(module)
    return next((op for op in functions if op.sym_name.data == name), None)


# ---- between the passes


class _StageRecorder(PassInstrument):
    """An instrument that records the module for all sizes between passes.

    module: that module; the passes on other modules are not recorded.
    """

    def __init__(self, target: Target) -> None:
        self.module: ModuleOp | None = None
        self.graph = Listing("")
        self.calls: list[GraphCall] = []
        self.remarks: list[Remark] = []
        self._target = target
        self._listings: dict[str, dict[str, Listing]] = {}
        self._states: dict[str, Sequence[ScheduleState]] = {}
        self._modelled: dict[str, Mapping[str, float]] = {}

    def run_before_pass(self, module: ModuleOp, info: PassInfo) -> None:
        if module is not self.module:
            return
        if info.name == "graph-to-te":
            self.graph = _listing(module, source_lines([("", module)]))
        elif isinstance(info.step, Outline):
            self._note_refusals(module, info.step.budget_bytes)
        elif info.name == "te-apply-schedule":
            self._note_schedules(module)

    def run_after_pass(self, module: ModuleOp, info: PassInfo) -> None:
        if module is not self.module:
            return
        if isinstance(info.step, Outline):
            self.calls = _calls(module)
        elif info.name == "te-apply-schedule":
            printed = source_lines([("", module)])
            for kernel in kernels_of(module):
                self._add(kernel, "scheduled", printed)
                self._modelled[kernel.label] = _modelled_us(kernel, self._target)

    def facts_of(
        self, name: str
    ) -> tuple[dict[str, Listing], Sequence[ScheduleState], Mapping[str, float]]:
        """Return the listings, schedule states and modelled time of a kernel, or of its phase."""
        whole = name if name in self._listings else re.sub(r"_phase\d+$", "", name)
        modelled = self._modelled.get(whole, {}) if whole == name else {}
        return dict(self._listings.get(whole, {})), self._states.get(whole, ()), modelled

    def _note_refusals(self, module: ModuleOp, budget_bytes: int) -> None:
        def note(op: Operation, reason: str) -> None:
            nodes = ", ".join(node_names(op.location)) or op.name
            self.remarks.append(Remark("not fused", nodes, reason))

        main = find_entry(module)
        if main is not None:
            group_computes(main.body.block, budget_bytes, note)

    def _note_schedules(self, module: ModuleOp) -> None:
        printed = source_lines([("", module)])
        for script, kernel in scripts_of(module):
            self._add(kernel, "te", printed)
            self._states[kernel.label] = _states(script, kernel, self._target)
            text = str(script)
            self._listings[kernel.label]["sched"] = Listing(text)

    def _add(self, kernel: KernelOp, level: str, printed: SourceLines) -> None:
        self._listings.setdefault(kernel.label, {})[level] = _listing(kernel, printed)


def _listing(op: Operation, printed: SourceLines, *, has_lines: bool = False) -> Listing:
    """Return the lines of an op in a printed program, with the nodes that each computes.

    has_lines: whether the program is that of the line tables.
    """
    first = printed.lines[op]
    inside = [inner for inner in op.walk() if inner in printed.lines]
    starts = {printed.lines[inner]: node_names(inner.location) for inner in inside}
    rows = printed.text.splitlines()
    last, depth = first, 0
    for last in range(first, len(rows) + 1):
        depth += _depth_change(rows[last - 1])
        if depth <= 0 and last >= max(starts, default=first):
            break
    # Rows without an op, such as the operands of an op or a closing brace, belong to the op above.
    nodes: list[tuple[str, ...]] = []
    for number in range(first, last + 1):
        nodes.append(starts.get(number) or (nodes[-1] if nodes else ()))
    return Listing(
        "\n".join(rows[first - 1 : last]), nodes, range(first, last + 1) if has_lines else ()
    )


def _depth_change(row: str) -> int:
    return row.count("{") - row.count("}")


def _calls(module: ModuleOp) -> list[GraphCall]:
    """Return the calls of main, at the level of tensor expressions."""
    made: list[GraphCall] = []
    number_of: dict[SSAValue, int] = {}
    for op in entry_of(module).walk():
        sources = {number_of[v] for v in op.operands if v in number_of}
        if isinstance(op, CallOp):
            number_of |= dict.fromkeys(op.results, len(made))
            nodes = node_names(op.location)
            made.append(GraphCall(op.kernel_name, nodes, tuple(sorted(sources))))
        elif sources:  # an op that passes on a value, such as a view
            number_of |= dict.fromkeys(op.results, max(sources))
    return made


def _states(script: ScriptOp, kernel: KernelOp, target: Target) -> list[ScheduleState]:
    """Return a kernel before its schedule, and after each of its steps."""
    copy = kernel.clone()
    found = [ScheduleState("", str(copy))]
    try:
        apply_script(
            script,
            copy,
            observe=lambda step: found.append(ScheduleState(str(step), str(copy))),
            limits=known_limits(target),
        )
    except TilewrightError:
        # A step needs the module around the kernel, such as an intrinsic: the states end here.
        return found
    return found


def _modelled_us(kernel: KernelOp, target: Target) -> Mapping[str, float]:
    """Return the modelled microseconds by part; empty for sizes or targets without a model."""
    if not target.cpu:
        return {}
    try:
        cost = kernel_cost(kernel, target)
    except TilewrightError:  # symbolic sizes
        return {}
    scale = 1e6 / numbers_of(target).clock_hz
    return {part: scale * cycles for part, cycles in cost.parts.items()}


# ---- loops and code


def _code(
    emitter: Emitter, program: EmittedProgram, name: str, kinds: Sequence[str]
) -> dict[str, Listing]:
    """Return the code of a kernel, from intermediate code to assembly."""
    known = {text.kernel for text in program.texts()}
    if name not in known:
        return {}
    return {kind: located(emitter.listing(program, kind, name)) for kind in kinds}


_DIRECTIVE = re.compile(r"\s*\.loc\s+\d+\s+(\d+)")
_NOISE = re.compile(
    r"\s*$|!|; ModuleID|\s*\.(?:cfi_\w+|file|section|size|type|hidden|globl|ident|text)\b"
    r"|\.L(?:tmp|func)"
)
"""Rows of assembly and LLVM IR that say nothing about instructions."""
_DEBUG = re.compile(r", !dbg !(\d+)| !dbg !(\d+)")
_LOCATION = re.compile(r"^!(\d+) = (?:distinct )?!DILocation\(line: (\d+)")


def located(text: str) -> Listing:
    """Return assembly or LLVM IR without its line table, and the line from which each line comes.

    The table is in directives (``.loc 1 8 0``) or in metadata (``!dbg !8``).
    """
    rows = text.splitlines()
    places = {m[1]: int(m[2]) for row in rows if (m := _LOCATION.match(row))}
    kept: list[str] = []
    lines: list[int] = []
    current = 0
    for row in rows:
        if (found := _DIRECTIVE.match(row)) is not None:
            current = int(found[1])
        elif (found := _DEBUG.search(row)) is not None:
            kept.append(_DEBUG.sub("", row))
            lines.append(places.get(found[1] or found[2], 0))
        elif not _NOISE.match(row):
            kept.append(row)
            lines.append(current if row[:1] == "\t" else 0)
    return Listing("\n".join(kept), (), lines)


# ---- remarks


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

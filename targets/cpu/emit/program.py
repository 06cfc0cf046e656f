"""A lowered module as LLVM IR: its kernels, its main function, its tables for the entry code.

In: a module whose buffers are planned, and versions of it for bound sizes and for other processors.
Out: the texts of LLVM IR, the weights, and the description of the model for its entry code.  Each
version has its own main function and kernels; equal weights are stored once.  A call chooses the
version (lowering/main/versions.py).  Functions of LLVM name the processor of the kernels that need
another one than the rest of the program.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

from ....codegen.entry import Entry, entry_tables
from ....codegen.prelude import part_source
from ....codegen.processors import SYMBOL_PROCESSOR, processor_attributes, processor_masks
from ....codegen.signature import describe_main
from ....codegen.weights import WeightLayout, layout_weights
from ....dialects.functions import recorded_cost
from ....dialects.packed import CallOp
from ....lowering.loop_to_llvm import KernelInfo, emit_kernel
from ....lowering.main.main_program import MainProgram, TracedStep
from ....machines.target import Target
from ....support.diagnostics import LoweringError
from ...backend import EmittedText, LineFile, Version
from .main_code import MainCode
from .program_lines import ProgramLines
from .versions import emit_versions, table_size, version_code


class CpuProgram:
    """The LLVM IR of a lowered module, its weights, and its description for the entry code.

    module: the module for all sizes.  versions: further modules for bound sizes or other
    processors. is_profiled: whether main records the time of each step.  lines: the file to which
    line tables refer; None without tables.

    Errors: LoweringError if the arguments of a version are not those of the module after its sizes
    are bound.
    """

    def __init__(
        self,
        module: ModuleOp,
        target: Target,
        max_threads: int,
        versions: Sequence[Version] = (),
        *,
        is_profiled: bool = False,
        lines: LineFile | None = None,
    ) -> None:
        self.target, self.max_threads, self.is_profiled = target, max_threads, is_profiled
        self._lines = None if lines is None else ProgramLines(lines, module, versions)
        self._codes = [MainCode("", module, target, 0)]
        for version in versions:
            first = sum(len(code.kernels) for code in self._codes)
            of = version.target or target
            self._codes.append(MainCode(version.label, version.module, of, first))
        placed = layout_weights(
            *(code.main for code in self._codes), byte_order=target.main_platform.byte_order
        )
        self.weights, self.weight_offsets = placed
        self.steps: list[TracedStep] = []
        self._mains = [
            self._emitted(code, placed, number if versions else None)
            for number, code in enumerate(self._codes)
        ]
        self._versions = [
            version_code(self._codes[0].main, code.main, code.label, made, self._processor_of(code))
            for code, made in zip(self._codes[1:], self._mains[1:], strict=True)
        ]

    def _processor_of(self, code: MainCode) -> int:
        return (self.target, *self.target.alternatives).index(code.target)

    def _emitted(self, code: MainCode, weights: WeightLayout, version: int | None) -> MainProgram:
        lines = None if self._lines is None else self._lines.of_main(code.main)
        first = len(self.steps) if self.is_profiled else None
        made = code.emitted(weights, self.max_threads, version, first, lines)
        self.steps += (
            replace(step, kernel=step.kernel and code.shown(step.kernel)) for step in made.steps
        )
        return made

    @property
    def infos(self) -> dict[str, KernelInfo]:
        """What a caller must know about each kernel, by its name and version label."""
        return {c.shown(name): info for c in self._codes for name, info in c.infos.items()}

    @property
    def nodes(self) -> list[tuple[str, tuple[str, ...]]]:
        """The name and the nodes of each kernel, in the order of their symbols."""
        rows = ((code, name) for code in self._codes for name in code.infos)
        return [(code.shown(name), code.nodes.get(name, ())) for code, name in rows]

    @property
    def calls(self) -> list[str]:
        """The kernel name of each call in the main functions, with the label of its version."""
        return [
            code.shown(op.kernel_name)
            for code in self._codes
            for op in code.main.walk()
            if isinstance(op, CallOp)
        ]

    @property
    def tasks(self) -> Mapping[str, int | str]:
        """The number of parallel tasks of each kernel."""
        return {name: info.shown_tasks for name, info in self.infos.items()}

    def texts(self) -> Iterator[EmittedText]:
        """Yield the LLVM IR of the kernels, the main functions, the tables and the entry."""
        yield from self.kernel_texts()
        for code, made in zip(self._codes, self._mains, strict=True):
            yield EmittedText(code.shown("the calls of the kernels"), made.text)
        if self._versions:
            arguments = len(self._codes[0].main.body.block.args)
            platform = self.target.platform
            assert platform is not None, "a target of CPUs has a platform"
            text = emit_versions(self._mains[0], self._versions, arguments, platform)
            yield EmittedText("the choice of the version", text)
        if self.target.alternatives:
            yield EmittedText("the processors", processor_masks(self.target.alternatives))
            yield EmittedText("the choice", part_source("processor", self.target.architecture))
        yield EmittedText("the tables of the entry", entry_tables(self.entry))
        yield EmittedText("the entry", part_source("entry", self.target.architecture))

    @property
    def annotated_text(self) -> str:
        """The printed program to which line tables refer; empty without tables."""
        return "" if self._lines is None else self._lines.text

    def kernel_texts(self) -> Iterator[EmittedText]:
        """Yield the LLVM IR of every kernel."""
        yield from chain.from_iterable(map(self._texts_of, self._codes))

    def _texts_of(self, code: MainCode) -> Iterator[EmittedText]:
        for function in code.kernels:
            yield self._kernel_text(code, function)

    def _kernel_text(self, code: MainCode, function: FuncOp) -> EmittedText:
        name = function.sym_name.data
        label, symbol = f"kernel {code.shown(name)!r}", code.infos[name].symbol
        named = code.shown(name), code.nodes.get(name, ())
        lines = None if self._lines is None else self._lines.of_kernel(function, symbol, named)
        attributes = "" if code.target is self.target else processor_attributes(code.target)
        try:
            source = emit_kernel(function, code.target, symbol, lines, attributes=attributes)
            return EmittedText(label, source, *named)
        except LoweringError as err:
            raise err.named(label) from None

    @property
    def own_symbols(self) -> tuple[str, ...]:
        """The names that the program exports in addition to those that all programs export."""
        chosen = (SYMBOL_PROCESSOR,) if self.target.alternatives else ()
        return (*self.entry.own_symbols, *chosen)

    @property
    def entry(self) -> Entry:
        """The description of the model for its entry code."""
        main, made = self._codes[0].main, self._mains[0]
        count = table_size(made, self._versions) if self._versions else made.size_count
        return replace(
            describe_main(main, self.target),
            arena_bytes=0 if made.size_count else max(each.arena_bytes for each in self._mains),
            size_count=count,
            weights_bytes=self.weights.nbytes,
            max_threads=self.max_threads,
            externs=made.externs,
            operations=self._operations(),
        )

    def _operations(self) -> int | None:
        costs = {f.sym_name.data: recorded_cost(f) for f in self._codes[0].kernels}
        called = [costs[name] for name in self.calls if name in costs]
        if self._mains[0].size_count or None in called:
            return None
        return sum(cost.flops for cost in called if cost is not None)

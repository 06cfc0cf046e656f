"""Facts about a compiled module: its kernels, schedules and memory, and its IR at every level.

In: the request of the compilation and its artifact. Out: kernel records, printed IR, memory plans,
and the HTML that a notebook displays. If calls compile the model (called_module.py), the facts
describe the program that was used last.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, cast

from ...runtime import display
from ...runtime.call.memory import Memory, shapes_in_order
from ...runtime.display import Markup
from ...runtime.errors import ArgumentError, UnknownText
from ...runtime.module.module import Module
from ...runtime.module.shown_module import ShownText
from ...support.collection import paused_collection
from ...support.schedule_files import write_schedules
from ...targets.backend import Artifact, KernelRecord
from ..request import Request
from .profiling import Profiler

if TYPE_CHECKING:
    from ...runtime.measure.profile import Profiled
    from ...targets.backend import Resources
    from ..passes.checked_parts import ValidationTable
    from ..report.page import Report
    from .memory_plan import MemoryPlan


class ModuleFacts(Module):
    """The base class of compiled modules that describes the compiled program.

    validation: the table of a compilation with ``validate=True``; else None.
    """

    validation: ValidationTable | None = None

    _made: tuple[Request, Artifact] | None = None
    _profiler: Profiler | None = None
    _times: Mapping[str, float] = MappingProxyType({})

    @property
    def programs(self) -> tuple[ModuleFacts, ...]:
        """Return the programs that run calls, ordered by last use."""
        return (self,)

    @property
    def reason(self) -> str:
        """Return why one program cannot run all calls; empty if the module was compiled once."""
        return ""

    @property
    def kernels(self) -> tuple[KernelRecord, ...]:
        """Return a record of each kernel."""
        made = self._facts._made
        return () if made is None else made[1].kernels

    @property
    def code(self) -> bytes:
        """Return the shared object, without the weights; `Module.load_bytes` loads it."""
        made = self._facts._made
        return b"" if made is None else made[0].settings.backend.portable_code(made[1])

    def kernel_resources(self) -> Mapping[str, Resources]:
        """Return the registers and memory that each kernel uses on a GPU, by kernel name.

        Empty for a target without assembler.
        Errors: MissingAssembler without ptxas.
        """
        made = self._facts._made
        return {} if made is None else made[0].settings.backend.kernel_resources(made[1])

    @property
    def times(self) -> Mapping[str, float]:
        """Return the seconds per stage of the compilation, in order.

        A model from the cache has only the stages ``look-up`` and ``load``.
        """
        return self._facts._times

    @property
    def _facts(self) -> ModuleFacts:
        """The program that was used last; the module itself if no program has been compiled yet."""
        return next(reversed(self.programs), self)

    @property
    def imported_modules(self) -> tuple[Any, ...]:
        """Return the imported modules: first those that the last used program needs.

        A program needs modules of device code, and modules for other targets (``placement=``).
        `import_module` adds others.
        """
        own = self._facts.functions.own
        return (*own, *self.functions.imported)

    def get_source(self, kind: str = "", *, kernel: str | None = None) -> ShownText:
        """Return the program as text: printed IR of a level, ``ll`` (LLVM IR) or ``asm``.

        kind: the level or language; by default the code for the target: ``ll``, or the source that
        a driver compiles.
        kernel: the name of a kernel, to return only its text.
        Errors: LookupError for another kind or kernel, and if no call has compiled a program yet.
        """
        program = self._program(f'get_source("{kind}")' if kind else "get_source()")
        made = program._made
        assert made is not None, "programs are compiled"
        return Module.get_source(
            program, kind or made[0].settings.backend.source_kind, kernel=kernel
        )

    def dump_schedules(self, folder: str | PathLike[str]) -> list[Path]:
        """Write the schedule of each kernel to a file in a folder; return the files.

        ``compile(model, plan=folder)`` uses these files, edited or not.
        Errors: LookupError if the module was loaded without its sources, and if no call has
        compiled a program yet.
        """
        from ..report.texts import schedules_of  # imports the compiler

        request = self._program("dump_schedules(folder)")._request
        with paused_collection():
            return write_schedules(schedules_of(request), folder)

    def memory(
        self, shapes: Mapping[str, Sequence[int]] | Sequence[Sequence[int]] | None = None
    ) -> Memory:
        """Return the memory that a call with inputs of these shapes needs.

        shapes: by name or in order.  If they are given by name, inputs without symbolic sizes may
        be omitted, so a static model needs no shapes.
        Errors: ArgumentError if the shapes contradict the signature, or do not determine the
        memory.
        """
        self._check_compiled_once("the memory of a call")
        return super().memory(shapes)

    def output_shapes(self, inputs: Sequence[tuple[int, ...]]) -> list[tuple[int, ...]]:
        """Return the shapes of the outputs of a call, for inputs with these shapes.

        Errors: ArgumentError if the output shapes depend on more than the shapes of the inputs.
        """
        self._check_compiled_once("the shapes of outputs")
        return super().output_shapes(inputs)

    def memory_plan(
        self, shapes: Mapping[str, Sequence[int]] | Sequence[Sequence[int]] | None = None
    ) -> MemoryPlan:
        """Return the offset and live range of each intermediate result in the arena of a call.

        shapes: the shapes of the inputs, as for `memory`.  The model is lowered once more, without
        machine code.
        Errors: as `memory`; LookupError if the module was loaded without its sources.
        """
        from ..report.texts import lowered_from
        from .memory_plan import memory_plan  # imports the compiler

        self._check_compiled_once("the memory plan of a call")
        inputs = shapes_in_order(self, self.inputs, shapes or {})
        with paused_collection():
            return memory_plan(lowered_from(self._request), inputs)

    def report(self, *inputs: object, threads: int | None = None, rounds: int = 20) -> Report:
        """Return a report of the compilation: the kernels at each level, their costs, and remarks.

        inputs: one array per input, in order, or one mapping by name; with inputs the report has
        measured times.  rounds: the number of runs that are measured.  The model is lowered and
        compiled once more.
        Errors: as `profile`; LookupError if the module was loaded without its sources, and if no
        call has compiled a program yet.

        >>> module = tilewright.compile("model.onnx")
        >>> path = module.report(np.ones((1, 4), np.float32)).save("report.html")
        """
        from ..report.page import made_report  # imports the compiler

        measured = cast("Profiled", self).profile
        profile = measured(*inputs, threads=threads, rounds=rounds) if inputs else None
        program = self._program("report(*inputs)")
        is_static = not any(spec.is_symbolic() for spec in program.inputs)
        memory = program.memory_plan() if is_static and not program.reason else None
        facts = Module.html_parts(program)[1:]
        return made_report(self.name, facts, program.kernels, program._request, profile, memory)

    def html_parts(self) -> list[Markup]:
        last = self._facts._profiler and self._facts._profiler.last
        times = {} if last is None else {row.kernel: f"{row.us:.1f}" for row in last.rows}
        rows = [
            (
                *(kernel.name, f"{1e-6 * kernel.flops:.2f}", f"{1e-3 * kernel.moved_bytes:.1f}"),
                *(kernel.tasks, kernel.calls),
                *([times.get(kernel.name, "-")] if times else []),
                display.folded(kernel.nodes),
            )
            for kernel in self.kernels
        ]
        columns = ("kernel", "MFLOP", "KB", "tasks", "calls", *["µs"] * bool(times), "nodes")
        table = display.table(columns, rows, names=(0, len(columns) - 1))
        return [*super().html_parts(), *([table] if rows else [])]

    def _program(self, call: str) -> ModuleFacts:
        """Return the program that was used last.

        call: the text of the method call that needs a program, for the hint of the error.
        Errors: LookupError if no call has compiled a program yet.
        """
        for program in reversed(self.programs):
            return program
        raise UnknownText(
            f"module {self.name} is compiled by its calls, and there has been none",
            hint=f"mod.specialize(inputs).{call} with inputs of a call",
        )

    @property
    def _request(self) -> Request:
        if self._made is None:
            raise UnknownText(f"module {self.name} was loaded without its sources")
        return self._made[0]

    def _check_compiled_once(self, what: str) -> None:
        if self.reason:
            raise ArgumentError(
                f"{self.name}: {what} depends on the program, which calls compile",
                got=self.reason,
                hint="ask the program of a call: mod.specialize(inputs)",
                signature=self.manifest.signature,
            )

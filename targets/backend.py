"""Backend: how the compiler reaches a kind of machine.  Each kind is one client of this protocol.

A `Target` names a kind of machine and its numbers; the `Backend` of that kind says what the driver
does for it.  `Backend.stages` is the whole list of passes from the imported graph to the program
that is emitted, and `Backend.levels` lists the dialects of each level.  Passes with a role of their
own are named by role: `Backend.plan` writes the schedules, and a stage with ``applies_schedules``
turns them into loops.  `Emitter` turns lowered modules into source texts (such as LLVM IR), texts
into objects, and objects into an `Artifact`.  `Backend.check_module` refuses a target without
modules, and `Backend.check_host` one whose code this process cannot run.  `Backend.load` loads an
artifact; if this machine cannot run it, the module's calls say so.  The driver asks these questions
only; no other file names a target.  ``targets/cpu/backend.py`` and
``targets/interpreter/backend.py`` are the two clients in the tree; a package adds
its own by `tilewright.Extension`.

Loading must stay cheap: this module and the module of a backend import neither xDSL nor LLVM.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, TypeAlias, cast

import numpy as np

from ..machines.target import MACHINES, Target
from ..runtime.abi.ndarray import Array, numpy_dtype
from ..runtime.errors import ArgumentError, UnknownText
from ..runtime.file.manifest import TensorSpec
from ..runtime.measure.roofline import Roofline
from ..runtime.module.loading import LoadedCode
from ..runtime.spelling import SuggestsNames, nearest
from ..support.diagnostics import TargetError, TilewrightError
from ..support.lazy import call, load
from ..support.precision import Precision
from .stages import LEVELS, OPT_LEVELS, PipelineStage

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp
    from xdsl.dialects.func import FuncOp
    from xdsl.ir import Operation
    from xdsl.passes import ModulePass

    from ..codegen.resources import Resources as Resources
    from ..dialects.weights import WeightAttr
    from ..lowering.loop_to_llvm import KernelInfo
    from ..support.cache import DiskCache


EMISSION = "emit"
"""The name, in messages, of the step after the last stage."""


class ScheduleOrigin(StrEnum):
    """The origin of the schedule of a kernel.

    CHOSEN: the planner, a person or a file wrote the schedule.  SIMPLE: the loops have the order of
    the axes, because the planner failed on this kernel.
    """

    CHOSEN = "chosen"
    SIMPLE = "simple"


@dataclass(frozen=True)
class KernelRecord(SuggestsNames):
    """Description of a kernel of a compiled model.

    ops: names of the kernel's te.compute ops.  flops: operations of one call.  tasks: number of
    parallel tasks; a formula as text if it depends on dynamic sizes.  calls: calls per run of the
    model.  plan: the origin of its schedule.  nodes: the nodes of the model that the kernel
    computes.  moved_bytes: total size of the buffers that one call reads or writes.
    """

    name: str
    ops: tuple[str, ...]
    flops: int
    tasks: int | str
    calls: int
    plan: ScheduleOrigin = ScheduleOrigin.CHOSEN
    nodes: tuple[str, ...] = ()
    moved_bytes: int = 0


@dataclass(frozen=True)
class LineFile:
    """The file with the printed program, to which the line tables of kernels refer.

    name: the name of the file.
    is_listing: whether the line tables are directives in assembly text; otherwise they are sections
    of object files.
    """

    name: str
    is_listing: bool = False


@dataclass(frozen=True)
class Variant:
    """Instrumentation of an emitted program; it leaves the instructions of kernels as they are.

    is_profiled: whether the main function records the time of each step.
    lines: the file to which the line tables of kernels refer; None: kernels get no line tables.
    """

    is_profiled: bool = False
    lines: LineFile | None = None


PLAIN = Variant()
"""The program of the module itself."""


@dataclass(frozen=True)
class Artifact:
    """A compiled model as bytes, which can be stored, and loaded by another process.

    code: the code of the model, in a format that its backend loads.  pool: code that all modules of
    this kind of target share, such as a thread pool; may be empty.  weights: the values of all
    weights.  kernels: descriptions of the kernels.  objects: the object code that an export links
    again; empty if the backend exports nothing.  params: the parameters of the model as JSON
    (driver/params.py).  program_text: the printed program to which line tables refer; empty without
    line tables.
    """

    code: bytes | memoryview
    pool: bytes | memoryview
    weights: bytes | memoryview
    kernels: tuple[KernelRecord, ...] = ()
    objects: bytes | memoryview = b""
    params: str = "{}"
    program_text: str = ""


SavedModule: TypeAlias = "tuple[bytes, bytes]"
"""A model for another target: a shared object and its weights."""


@dataclass(frozen=True)
class Export:
    """The file name, form and manifest of an exported model.

    file: name of the exported file, whose suffix is one of `Backend.exports`.  is_embedded: whether
    weights are part of that file.  facts: entries to add to the manifest.  imports: the modules
    that the model imports, as bytes (runtime/module/imported.py); empty if there are none.
    """

    file: str
    is_embedded: bool
    facts: Mapping[str, Any]
    imports: bytes = b""


@dataclass(frozen=True)
class ExportedFile:
    """A file of an exported model: its name, and the parts of its contents in order.

    is_program: whether the file is an executable.
    """

    name: str
    parts: tuple[bytes | memoryview | bytearray, ...]
    is_program: bool = False


@dataclass(frozen=True)
class Interface:
    """The name and the declared inputs and outputs of a model."""

    name: str
    inputs: Sequence[TensorSpec]
    outputs: Sequence[TensorSpec]

    def arrays(self, values: Mapping[str, Any]) -> Mapping[str, Array]:
        """Convert the values of a call's inputs to arrays of the declared types.

        values: the value of each input, by the input's name.  The result has the same names.
        """
        dtypes = {spec.name: numpy_dtype(spec.dtype) for spec in self.inputs}
        return {name: np.asarray(value, dtypes[name]) for name, value in values.items()}


@dataclass(frozen=True)
class BoundProgram:
    """A program of a model for one binding of inputs to constants, with all that its export needs.

    values: the bound value of each bound input, by the input's name.  graph: the nodes of the
    program as JSON (`get_graph_json`).
    artifact: the compiled program.  backend: the backend that made the artifact.  facts: entries to
    add to the program's manifest.
    """

    values: Mapping[str, Array]
    graph: str
    artifact: Artifact
    backend: Backend
    facts: Mapping[str, Any]


@dataclass(frozen=True)
class Version:
    """A module compiled for some sizes or processors, next to the module for all of them.

    label: the processor and the bound sizes, as in ``x86-64-v3, batch = 1``; empty for the module
    for all sizes and processors.  target: the target of the module; None: that of the program.
    """

    label: str
    module: ModuleOp
    target: Target | None = None

    def kernel(self, name: str) -> str:
        """Return the name of a kernel in the whole program, with the label of this version."""
        return f"{name} ({self.label})" if self.label else name


@dataclass(frozen=True)
class EmittedText:
    """The source text of a part of a program, and a label of that part for messages.

    kernel: the name of the kernel, if the part is a kernel; else empty.  nodes: the nodes of the
    model that the kernel computes.
    """

    label: str
    source: str
    kernel: str = ""
    nodes: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """The label and the names of the nodes, in one line."""
        nodes = ", ".join(repr(node)[1:-1] for node in self.nodes)
        return f"{self.label}: {nodes}" if nodes else self.label


class EmittedProgram(Protocol):
    """An emitted program: its source texts, and facts about its kernels.

    calls: names of kernels, each as often as main (the program's function that calls the kernels)
    calls it.  tasks: the number of parallel tasks of each kernel.
    """

    @property
    def calls(self) -> Sequence[str]:
        """The names of the kernels that main calls, in the order of the calls."""
        ...

    @property
    def tasks(self) -> Mapping[str, int | str]:
        """The number of parallel tasks of each kernel; a formula as text for dynamic sizes."""
        ...

    def texts(self) -> Iterator[EmittedText]:
        """Yield the source texts of the program, in the order in which their objects are linked."""
        ...


@dataclass(frozen=True)
class KernelLibrary:
    """A shared object with the kernels of a program, each of which a caller can call alone.

    infos: what a caller must know about each kernel, by the kernel's name.  code: the shared
    object, which exports a symbol for each kernel; empty bytes for a program without kernels.
    """

    infos: Mapping[str, KernelInfo]
    code: bytes


class Assembler(Protocol):
    """A compiler of source texts to object files, in the order in which the texts were added."""

    def add(self, text: EmittedText) -> None:
        """Queue a source text."""
        ...

    def objects(self) -> Iterator[bytes]:
        """Yield the object file of each text."""
        ...


class SourceAssembler:
    """The assembler of backends whose loader takes source text: each object is its text."""

    def __init__(self) -> None:
        self._objects: list[bytes] = []

    def add(self, text: EmittedText) -> None:
        """Queue a source text."""
        self._objects.append(self.compiled(text))

    def objects(self) -> Iterator[bytes]:
        """Yield the object of each text, in order."""
        yield from self._objects

    def compiled(self, text: EmittedText) -> bytes:
        """Return the object of a source text: by default, the text itself as bytes."""
        return text.source.encode()


class Emitter(ABC):
    """Code generation of a backend, for one target.

    cache: stores objects under a digest of their source; None: every object is compiled again.
    located: kinds of listings that show the source line of each instruction.
    """

    located: ClassVar[tuple[str, ...]] = ()

    def __init__(self, target: Target, cache: DiskCache | None) -> None:
        self.target, self.cache = target, cache

    @abstractmethod
    def emit(self, module: ModuleOp, max_threads: int) -> EmittedProgram:
        """Emit the program of a module whose level is the backend's last one.

        max_threads: the largest thread count for which scratch memory is planned.
        Errors: UnsupportedOp or LoweringError for ops that the backend cannot emit.
        """

    def emit_versions(
        self, module: ModuleOp, max_threads: int, versions: Sequence[Version]
    ) -> EmittedProgram:
        """Emit one program that contains a module and its versions for some sizes or processors.

        max_threads: the largest thread count for which scratch memory is planned.  versions: the
        further modules; a call runs the version that fits its sizes and the processor.

        Errors: as `emit`, and TargetError if the backend compiles one program for all sizes.
        """
        raise TargetError(
            f"{self.target.kind} has one program for all sizes",
            got=", ".join(version.label for version in versions),
            hint="leave out specialize=",
        )

    def emit_profiled(
        self, module: ModuleOp, max_threads: int, versions: Sequence[Version]
    ) -> EmittedProgram:
        """Emit a program whose main function records the time of each step.

        versions: modules for bound sizes or other processors that the program also contains.  The
        library exports the symbols that runtime/measure/profile.py reads.

        Errors: TargetError if the backend cannot emit such programs.
        """
        raise TargetError(
            "kernels of the target cannot be timed",
            got=str(self.target),
            hint="compile for a target with machine code",
        )

    def emit_with_lines(
        self, module: ModuleOp, max_threads: int, versions: Sequence[Version], lines: LineFile
    ) -> EmittedProgram:
        """Emit a program whose kernels have line tables, by which debuggers find ops.

        max_threads, versions: as for `emit_versions`.  lines: the file to which the tables refer.

        Errors: TargetError if the backend cannot emit line tables.
        """
        raise TargetError(
            "code for the target has no line tables",
            got=str(self.target),
            hint="leave out debug_info=, or compile for a CPU",
        )

    def assembler(self, expected: int) -> AbstractContextManager[Assembler]:
        """Return a context manager with an assembler, which compiles source texts to objects.

        expected: an estimate of the number of texts, by which the assembler may start worker
        processes.
        """
        return nullcontext(SourceAssembler())

    @abstractmethod
    def link(self, program: EmittedProgram, objects: Sequence[bytes]) -> Artifact:
        """Link the objects of a program; return the artifact that `Backend.load` loads."""

    def weights_of(self, program: EmittedProgram) -> Mapping[WeightAttr, int] | None:
        """Return the byte offset of each weight in `Artifact.weights`.

        None if the code itself contains the weights, so that they cannot be replaced.
        """
        return None

    def kernel_library(self, program: EmittedProgram) -> KernelLibrary:
        """Return the kernels of a program as a library, without the function main that calls them.

        Errors: TargetError if the kernels of this backend cannot be called one by one.
        """
        raise TargetError("kernels of the target cannot be called one by one", got=str(self.target))

    def listing(self, program: EmittedProgram, kind: str, kernel: str | None = None) -> str:
        """Return a program as one listing; by default, its source texts, joined.

        kind: one of `Backend.listings`.  kernel: the name of a kernel, to return the text of that
        kernel only.
        Errors: LookupError for an unknown kernel.
        """
        texts = shown_texts(program, kind, kernel)
        return "\n".join(f"# {text.title}\n{text.source}" for text in texts)


def shown_texts(program: EmittedProgram, kind: str, kernel: str | None) -> Sequence[EmittedText]:
    """Return the source texts of a program, or of one of its kernels.

    kind: the kind of listing, for the error message.
    Errors: LookupError for an unknown kernel.
    """
    texts = list(program.texts())
    if kernel is None:
        return texts
    own = [text for text in texts if text.kernel == kernel]
    if not own:
        raise unknown_kernel(kind, kernel, [text.kernel for text in texts if text.kernel])
    return own


def unknown_text(kind: str, known: Sequence[str]) -> UnknownText:
    """Return the error for a listing of a kind that the backend does not have.

    kind: the wrong kind.  known: the kinds that the program has.
    """
    near = nearest(kind, known, 1)
    hint = f"did you mean {near[0]}?" if near else ""
    return UnknownText(f"no text of kind {kind!r}", expected=", ".join(known), hint=hint)


def unknown_kernel(kind: str, kernel: str, known: Sequence[str]) -> UnknownText:
    """Return the error for a listing of a kernel that the program does not have.

    kind: the kind of listing.  kernel: the wrong name.  known: the names of the program's kernels.
    """
    return UnknownText(
        f"the text of kind {kind!r} has no kernel {kernel!r}",
        expected=", ".join(known) or "a kind with kernels, such as loop",
    )


def no_tf32(target: Target) -> TargetError:
    """Return the error for precision "tf32" on a target without instructions for tf32."""
    return TargetError(
        "the target has no products of tf32",
        expected="a target with matrix instructions, such as cuda",
        got=f"'{Precision.TF32}' for {target}",
    )


@dataclass(frozen=True)
class Ability:
    """Whether this machine can do one thing, such as link or run, with the code for a target.

    is_there: whether it can.  note: the tool that does it, or the reason why it is impossible.
    """

    is_there: bool
    note: str = ""


@dataclass(frozen=True)
class Abilities:
    """What this machine can do with a target.

    compiles: generate machine code or source. links: make modules and exported files from that
    code. runs: run the modules. emulates: run exported programs by an emulator.
    """

    compiles: Ability
    links: Ability
    runs: Ability
    emulates: Ability


SYSTEMS = (("linux", "gnu"), ("linux", "musl"), ("linux", "android"))
"""The systems and environments for which the code of modules is written."""


def has_modules(target: Target) -> bool:
    """Return whether the compiler makes modules for the processor and system of a CPU target."""
    platform = target.platform
    if platform is None or platform.architecture not in MACHINES:
        return False
    return platform.pointer_bits == 64 and (platform.system, platform.environment) in SYSTEMS


def check_machine(target: Target) -> None:
    """Raise an error for a CPU target for whose processor the compiler generates no machine code.

    Errors: TargetError.
    """
    if target.architecture not in MACHINES:
        raise TargetError(
            "machine code for the target is not made",
            expected=f"a processor of {', '.join(MACHINES)}",
            got=f"{target.architecture} ({target})",
            hint="tw compile MODEL --target TARGET --to loop shows the loops of its kernels",
        )


def check_modules(target: Target) -> None:
    """Raise an error for a CPU target for whose processor or system the compiler makes no modules.

    Errors: TargetError.
    """
    check_machine(target)
    if not has_modules(target):
        systems = " or ".join("-".join(system) for system in SYSTEMS)
        is_wide = target.main_platform.pointer_bits == 64
        raise TargetError(
            "modules are not made for the system of the target",
            expected=systems if is_wide else f"{systems} on a processor of 64 bits",
            got=target.triple,
            hint="tw compile MODEL --target TARGET -o m.s writes the assembly of its kernels",
        )


class Backend(ABC):
    """The interface of a kind of machine to the driver: its passes, code generation and loading.

    kind: the first word of a target's string, as in ``llvm -mcpu=skylake``.
    stages, levels: the pipeline, in order; ``levels`` maps each level to its dialects.
    passes: the backend's own passes by name; the driver finds the others in support/registry.py.
    opt_levels: the lowest optimization level (0 to 3) that runs each pass that no stage needs; a
    pass without a level always runs, because the stages after it need the pass.
    plan: the pass that writes the schedule of each kernel; empty if no pass does.
    rounding: the pass that rounds the operands of products, if a precision asks for it.
    emitter: the class that emits code, or ``"module:Class"`` to import it on first use.
    split_before: the pass before which ops placed on other targets become programs of their own,
    which main calls; empty if the backend cannot call such programs.
    options: names that a target's string may set, as ``-name=value``.
    listings: kinds of text that ``get_source`` offers below the last level.
    text_files: kinds of ``listings`` by the suffix of a file; the first is what `tw compile` shows.
    exports: suffixes of the files that `export` makes; the empty one is a program.
    set_exports: suffixes of the files that `export_programs` makes.
    import_exports: suffixes of the files that also hold imported modules.
    loader, exporter: the functions for `load` and `export` as ``"module:function"``, which are
    imported on first use; a backend may override these methods instead.
    """

    kind: ClassVar[str]
    stages: ClassVar[tuple[PipelineStage, ...]]
    levels: ClassVar[Mapping[str, tuple[str, ...]]] = LEVELS
    passes: ClassVar[Mapping[str, type[ModulePass]]] = MappingProxyType({})
    opt_levels: ClassVar[Mapping[str, int]] = OPT_LEVELS
    plan: ClassVar[str] = ""
    rounding: ClassVar[str] = ""
    split_before: ClassVar[str] = ""
    emitter: ClassVar[str | type[Emitter]]
    listings: ClassVar[tuple[str, ...]] = ()
    text_files: ClassVar[Mapping[str, str]] = MappingProxyType({})
    options: ClassVar[tuple[str, ...]] = ()
    exports: ClassVar[tuple[str, ...]] = ()
    set_exports: ClassVar[tuple[str, ...]] = ()
    import_exports: ClassVar[tuple[str, ...]] = ()
    loader: ClassVar[str] = ""
    exporter: ClassVar[str] = ""

    @property
    def text_kinds(self) -> tuple[str, ...]:
        """The kinds of text that show a program: its levels, as printed IR, and its listings."""
        return (*self.levels, *self.listings)

    @property
    def shown_kind(self) -> str:
        """The kind of text, one of `text_kinds`, that shows the code of a program by default."""
        return next(iter(self.text_files.values()), [*self.levels][-1])

    @property
    def source_kind(self) -> str:
        """The kind of text that ``get_source`` returns by default: the first listing."""
        return next(iter(self.listings), self.shown_kind)

    def parse(self, text: str) -> Target:
        """Return the target that a string describes; its first word is ``kind``.

        Errors: TargetError.
        """
        return Target.of_kind(self.kind, text, self.options)

    @abstractmethod
    def check_host(self, target: Target) -> None:
        """Refuse a target whose code this process cannot load and run.

        Errors: TargetError.
        """

    def can_run(self, target: Target) -> bool:
        """Return whether this process can load code for a target, and this machine run it."""
        try:
            self.check_host(target)
        except TargetError:
            return False
        return self.abilities(target).runs.is_there

    def check_module(self, target: Target) -> None:  # noqa: B027 (most targets have modules)
        """Refuse a target for which no module can be made, for this machine or for another.

        Errors: TargetError.
        """

    def abilities(self, target: Target) -> Abilities:
        """Return what this machine can do with a target; by default everything except emulation."""
        return Abilities(Ability(True), Ability(bool(self.exports)), Ability(True), Ability(False))

    def supports(self, op: Operation) -> bool:
        """Return whether the backend can compute a graph op, so that the op may be placed on it."""
        return True

    def check_precision(self, precision: Precision, target: Target) -> None:
        """Refuse a precision that does not make models faster on a target.

        Errors: TargetError.
        """
        if precision.rounds_products:
            raise TargetError(
                "the backend has no products of bf16",
                expected='precision "default" or "strict"',
                got=f"{str(precision)!r} for {target}",
            )
        if precision is Precision.TF32:
            raise no_tf32(target)

    def rounded_products(
        self, function: FuncOp, precision: Precision, target: Target
    ) -> Sequence[tuple[Operation, str]]:
        """Return each product of a function, and why `rounding` does not round its operands.

        function: main, at the level te.  Returns pairs (product, reason); the reason is an empty
        text for a product whose operands the pass rounds.
        """
        raise NotImplementedError(f"the backend {self.kind} rounds no products")

    def load(self, artifact: Artifact, threads: int | None) -> LoadedCode:
        """Load an artifact into this process.

        threads: default thread count of a call; None means as many threads as this process may use.
        Errors: LoadError.
        """
        return call(self.loader, artifact)

    def kernel_resources(self, artifact: Artifact) -> Mapping[str, Resources]:
        """Return the device resources of each kernel, such as registers, by name of the kernel.

        Empty if the backend has no assembler that reports resources.

        Errors: MissingAssembler if the assembler that reports them is not installed.
        """
        return {}

    def export(self, artifact: Artifact, export: Export) -> Sequence[ExportedFile]:
        """Return the files of an exported model, the main file last.

        Before: the suffix of ``export.file`` is one of `exports`.
        """
        return call(self.exporter, artifact, export)

    def with_parts(self, artifact: Artifact, parts: Mapping[str, SavedModule]) -> Artifact:
        """Return an artifact that also holds programs for other targets, which main calls.

        parts: the programs, by the names by which main calls them.

        Errors: ArgumentError if artifacts of the backend cannot hold them.
        """
        raise ArgumentError(
            "the model calls programs of other targets, which are not exported with it",
            expected="a target whose exports hold them, such as opencl",
            got=self.kind,
            hint="compile without placement=",
        )

    def portable_code(self, artifact: Artifact) -> bytes:
        """Return an artifact's code for other machines; it names the CPU features that it needs."""
        return bytes(artifact.code)

    def export_programs(
        self, interface: Interface, programs: Sequence[BoundProgram], export: Export
    ) -> Sequence[ExportedFile]:
        """Return the files of an export of several programs of one model, the main file last.

        interface: the inputs and outputs that all programs have.

        Before: the suffix of ``export.file`` is one of `set_exports`.
        Errors: ArgumentError for programs that do not fit into one file.
        """
        raise NotImplementedError(f"the backend {self.kind} names no exports of several programs")

    def roofline(self, target: Target, threads: int) -> Roofline | None:
        """Return the measured peak rates of this machine, for computation and memory, or None.

        threads: the number of threads that the measurement uses.
        """
        return None

    def new_emitter(self, target: Target, cache: DiskCache | None) -> Emitter:
        """Return the emitter for a target.

        cache: stores objects under a digest of their source; None: every object is compiled again.
        """
        found = load(self.emitter) if isinstance(self.emitter, str) else self.emitter
        return cast("type[Emitter]", found)(target, cache)

    @property
    def last_level(self) -> str:
        """The level of the modules that the emitter takes."""
        return self.stages[-1].level

    @property
    def level_of(self) -> Mapping[str, str]:
        """For each pass of the backend, by name, the level of the stage that runs the pass."""
        return {name: stage.level for stage in self.stages for name in stage.passes}

    def stages_to(self, level: str, start: str | None = None) -> list[PipelineStage]:
        """Return the stages from ``start`` (default: the first) up to and including a level.

        Errors: TilewrightError for an unknown level, or for one above the level where ``start``
        begins.
        """
        order = list(self.levels)
        if level not in order:
            near = nearest(level, order, 1)
            raise TilewrightError(
                f"target {self.kind} has no level {level!r}",
                expected=", ".join(order),
                hint=f"did you mean {near[0]}?" if near else "",
            )
        ahead = self.levels_from(start)
        if level not in ahead:
            raise TilewrightError(
                f"the program is below level {level}",
                expected=f"one of {', '.join(ahead)}",
                got=level,
            )
        stages = self.stages[self._position(start) :]
        return [stage for stage in stages if order.index(stage.level) <= order.index(level)]

    def levels_from(self, start: str | None) -> list[str]:
        """Return the levels that a module passes through from a stage to the end of the pipeline.

        start: the name of the first stage that runs; None: the first stage of the backend.  The
        first level of the result is that of the module before the stage.
        """
        order, first = list(self.levels), self._position(start)
        given = self.stages[first - 1].level if first else order[0]
        return order[order.index(given) :]

    def _position(self, start: str | None) -> int:
        return 0 if start is None else self.stage_names().index(start)

    def needed_by(self, name: str) -> str:
        """Return the name of the stage that consumes the result of a pass.

        name: the name of the pass.  The result is the stage after the one that runs the pass, or
        `EMISSION` if the last stage runs it: code generation then needs the pass.  Empty if the
        pass has a level in ``opt_levels``, because such a pass only optimizes and no stage needs
        it.
        """
        if name in self.opt_levels:
            return ""
        after = [n for n, stage in enumerate(self.stages, 1) if name in stage.passes][-1]
        return (*self.stage_names(), EMISSION)[after]

    def stage_names(self) -> list[str]:
        """Return the names of the stages, in order."""
        return [stage.name for stage in self.stages]


def process_code() -> bytes:
    """Return the shared library with the runtime's compiled functions, such as its worker pool.

    Python loads it once per process, for all programs that have no machine code of their own and
    are executed by Python.  A program of machine code contains the same functions itself.
    """
    return call("tilewright.codegen.objects:process_code")

"""Build: compile an imported model to machine code, or return its text at an earlier level.

import (graph) -> driver/pipeline.py (packed) -> LLVM text of each kernel, main and the entry ->
objects, cached by content -> one shared object.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from os import PathLike
from typing import TYPE_CHECKING, TypeAlias, cast

from xdsl.dialects.builtin import (
    FunctionType,
    MemRefType,
    ModuleOp,
    NameLoc,
    TensorType,
)
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute

from ..analysis.cost import kernel_flops, statement_flops
from ..analysis.statements import statements_of
from ..analysis.strides import row_major_strides
from ..dialects import graph
from ..dialects.dtypes import ATTRIBUTES_BY_NAME
from ..dialects.loop.indices import numbered_indices, numbered_map
from ..dialects.packed import CallOp, CheckIndicesOp
from ..dialects.results import (
    ARG_DTYPES,
    ARG_NAMES,
    RESULT_DTYPES,
    RESULT_NAMES,
    recorded_texts,
)
from ..dialects.shape import Dim, dims_of
from ..dialects.te import TensorOp, kernels_of
from ..dialects.te.compute import int_array, name_array
from ..dialects.te.scalars import signless
from ..frontend.onnx.binding import Values
from ..frontend.onnx.definitions import Model
from ..frontend.onnx.importer import import_model
from ..frontend.onnx.installed import InstalledConverters
from ..frontend.onnx.proto import load
from ..frontend.onnx.signature import Shapes
from ..lowering.loop_to_llvm import KernelInfo
from ..passes.te.match_schedules import Misfits, schedule_texts
from ..support.cache import DiskCache, user_cache
from ..support.collection import paused_collection
from ..support.diagnostics import ModelError, NeedsBinding, TypeMismatch
from ..support.entry import entry_of, kernel_functions
from ..support.target import Target
from ..targets.backend import Artifact, KernelRecord, Plan, Program
from .extension import Extension, context_of
from .pipeline import import_passes, levels_from, run_pipeline
from .planning import Planning
from .progress import Stopwatch
from .schedules import refuse, scheduled_by
from .settings import Settings, settings_for
from .specialize import open_specs
from .store import Open, Stored

if TYPE_CHECKING:
    import onnx


Load: TypeAlias = Callable[[], Model]
CACHES = (dims_of, int_array, name_array, numbered_indices, numbered_map, row_major_strides)
"""Caches that grow with the compiled programs."""


@dataclass(frozen=True)
class KernelCode:
    """The host program of a model, and its kernels in machine code, callable one by one.

    module: at the level ``packed``.  infos: by kernel name.  code: a shared object that exports
    each kernel's symbol; empty without kernels.
    """

    module: ModuleOp
    infos: Mapping[str, KernelInfo]
    records: tuple[KernelRecord, ...]
    code: bytes


@paused_collection()
def compile_kernels(
    model: str | PathLike[str] | bytes | onnx.ModelProto,
    *,
    target: str | Target | None = None,
    precision: str = "default",
    shapes: Shapes | None = None,
    values: Values | None = None,
    extensions: tuple[Extension, ...] = (),
    schedules: str | PathLike[str] | None = None,
    unchecked_indices: bool = False,
) -> KernelCode:
    """Compile the kernels of a model whose sizes and values are bound; see compile."""
    settings = settings_for(
        target, precision, extensions, schedules, unchecked_indices=unchecked_indices
    )
    build = Build(settings, user_cache(), Stopwatch(None))
    build.read(lambda: load(model), shapes or {}, values or {})
    return build.kernels()


class Build:
    """One compilation of one module: from a model, or from ops of any level.

    start: the first stage of the pipeline to run; modules below graph skip the earlier stages.
    """

    def __init__(
        self,
        settings: Settings,
        cache: DiskCache | None,
        watch: Stopwatch,
        module: ModuleOp | None = None,
        *,
        start: str | None = None,
    ) -> None:
        self._backend = settings.backend
        self._start = self._backend.stages[0].name if start is None else start
        self._extensions = (
            *settings.extensions,
            *scheduled_by(settings.schedules, self._backend, self._start, self._note_misfits),
        )
        self.data_files: tuple[str, ...] = ()
        self._installed = InstalledConverters()
        self._open: Open | None = None
        self._settings, self._watch = settings, watch
        self._target = settings.target
        self._emitter = self._backend.new_emitter(settings.target, cache)
        self._module = module
        self._costs: dict[str, tuple[tuple[str, ...], int]] = {}
        self._whole: set[str] = set()
        self._planning = None if settings.strict_plan else Planning(self._backend.plan)
        self._shown: dict[str, ModuleOp] = {}

    def result(self, load: Load, shapes: Shapes, values: Values) -> Stored:
        """Compile a model, or return its signature if it needs more sizes or values."""
        try:
            self.read(load, shapes, values)
            return self._known() if self._has_open_inputs() else self.compiled()
        except NeedsBinding as err:
            return replace(self._known(), value_inputs=err.inputs)
        except TypeMismatch:
            # Sizes with different names may be equal in every call, so the call decides.
            known = self._known()
            if not any(spec.is_open for spec in open_specs(known.inputs, shapes)):
                raise
            return known

    def compiled_model(self, load: Load, shapes: Shapes, values: Values) -> Artifact:
        """Compile a model without open sizes or values.

        Errors: NeedsBinding if it has any.
        """
        self.read(load, shapes, values)
        return self.compiled()

    @property
    def is_extended(self) -> bool:
        """True if converters of installed packages were used."""
        return self._installed.used

    def read(self, load: Load, shapes: Shapes, values: Values) -> None:
        """Load and import a model; the module then owns the weights and frees them when packed."""
        rows = [row for extension in self._settings.extensions for row in extension.converters]
        with self._watch.stage("import"):
            import_passes(self._backend)
            loaded = load()
            inputs = tuple(value for value in loaded.inputs if value.name not in values)
            self._open = Open(loaded.name, inputs, loaded.outputs, ())
            self.data_files = loaded.data_files
            self._module = import_model(
                loaded, shapes=shapes, values=values, converters=rows, installed=self._installed
            )

    def compiled(self, *, keep: bool = False) -> Artifact:
        """Return the code of the module, and its weights.

        keep: keep the module for later calls of `source`; otherwise consume it and its weights.
        Errors: ModelError if there is no main or an input's size is symbolic.
        """
        _check_main(self._imported)
        watch = self._watch
        modules = self._packed(keep=keep)
        expected = sum(isinstance(op, FuncOp) for module in modules for op in module.ops)
        with self._emitter.assembler(expected) as assembler:
            with watch.stage("emit"):
                program = self._program(modules)
                del modules
                count = 0
                for text in watch.each(program.texts()):
                    assembler.add(text)
                    count += 1
            with watch.stage("make-objects"):
                made = assembler.objects()
                objects = [next(made) for _ in watch.each(range(count))]
        with watch.stage("link"):
            artifact = self._emitter.link(program, objects)
        return replace(artifact, kernels=self._describe(program))

    def kernels(self) -> KernelCode:
        """Return the kernels without main and the entry."""
        _check_main(self._imported)
        module = self._lowered(self._backend.last_level, keep=False)
        program = self._program([module])
        library = self._emitter.kernel_library(program)
        return KernelCode(module, library.infos, self._describe(program), library.code)

    def schedules(self) -> dict[str, str]:
        """Return the schedules of all kernels by suggested file name.

        Errors: ModelError as above.
        """
        _check_main(self._imported)
        return schedule_texts(self._lowered("sched", keep=True))

    def source(self, kind: str) -> str:
        """Return the text of a level, or of a kind that the backend lists (``ll``, ``asm``).

        Errors: LookupError for any other kind; ModelError as above.
        """
        _check_main(self._imported)
        levels = levels_from(self._backend, self._start)
        if kind in levels:
            # Keep the module: the text refers to weights by key and parses while they are alive.
            self._shown[kind] = self._lowered(kind, keep=True)
            return str(self._shown[kind])
        if kind not in self._backend.listings:
            known = ", ".join((*levels, *self._backend.listings))
            raise LookupError(f"no text of kind {kind!r}\n    expected: {known}")
        texts = self._program(self._packed(keep=True)).texts()
        return "\n".join(self._emitter.listing(text, kind) for text in texts)

    def _packed(self, *, keep: bool) -> list[ModuleOp]:
        """Return the module at the last level; several that make up one program, if need be."""
        return [self._lowered(self._backend.last_level, keep=keep)]

    def _program(self, modules: Sequence[ModuleOp]) -> Program:
        """Return the program of lowered modules."""
        (module,) = modules
        return self._emitter.emit(module, self._settings.max_threads)

    def _known(self) -> Open:
        assert self._open is not None, "no model was loaded"
        return self._open

    @property
    def _imported(self) -> ModuleOp:
        assert self._module is not None, "nothing is imported yet, or not any more"
        return self._module

    def _has_open_inputs(self) -> bool:
        """Return whether an input of the imported module has a dynamic shape."""
        main = entry_of(self._imported)
        types = cast("tuple[TensorType, ...]", main.function_type.inputs.data)
        return any(dim.value is None for type_ in types for dim in dims_of(type_))

    def _lowered(self, to: str, *, keep: bool) -> ModuleOp:
        """Return the module at a level.  keep: lower a copy; otherwise consume the imported one."""
        module = self._imported.clone() if keep else self._imported
        if not keep:
            self._module = None
        self._run_stages(module, to)
        return module

    def _note_misfits(self, misfits: Misfits) -> None:
        """Handle schedules that belong to no kernel of a module."""
        refuse(misfits)

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

    def _observe(self, pass_name: str, module: ModuleOp) -> None:
        if pass_name == "te-deduplicate":
            kernels = kernels_of(module)
            self._watch.kernels, self._whole = len(kernels), {k.label for k in kernels}
            for kernel in kernels:
                ops = tuple(op.label for op in kernel.body.walk() if isinstance(op, TensorOp))
                self._costs[kernel.label] = (ops, kernel_flops(kernel))
        elif pass_name == "loop-split-phases":
            for function in kernel_functions(module):
                name = function.sym_name.data
                if name not in self._whole:
                    self._costs[name] = _phase_costs(function)

    def _describe(self, program: Program) -> tuple[KernelRecord, ...]:
        rows: list[KernelRecord] = []
        for name, tasks in program.tasks.items():
            ops, flops = self._costs.get(name, ((), 0))
            plan = Plan.SIMPLE if name in self._simple else Plan.CHOSEN
            calls = program.calls.count(name)
            rows.append(KernelRecord(name, ops, flops, tasks, calls, plan))
        return tuple(rows)


def _phase_costs(function: FuncOp) -> tuple[tuple[str, ...], int]:
    """Return the source names of a part of a kernel, and its scalar operations."""
    locations = (op.location for op in function.body.walk())
    names = dict.fromkeys(loc.desc.data for loc in locations if isinstance(loc, NameLoc))
    _, statements = statements_of(function.body.block)
    return tuple(names), sum(map(statement_flops, statements))


def _check_main(module: ModuleOp) -> None:
    """Refuse a module without an entry or with symbolic input sizes."""
    main = entry_of(module)
    _check_calls(module)
    types = main.function_type.inputs.data
    if any(isinstance(type_, MemRefType) for type_ in types):
        count = _inputs_on_buffers(main)
        _check_recorded(main, types[:count], types[count:])
        return
    results = main.function_type.outputs.data
    for type_ in (*types, *results):
        if not isinstance(type_, TensorType):
            raise ModelError(
                "main takes and gives tensors, or buffers", expected="tensor<…>", got=str(type_)
            )
    _check_recorded(main, types, results)
    names = recorded_texts(main, ARG_NAMES) or [f"x{i}" for i in range(len(types))]
    for name, type_ in zip(names, types, strict=True):
        _check_sizes(name, dims_of(cast(TensorType, type_)))


def _check_calls(module: ModuleOp) -> None:
    """Refuse calls of missing kernels, and calls whose types differ from the kernel's."""
    callees = (*kernel_functions(module), *kernels_of(module))
    kernels = {op.sym_name.data: op.function_type for op in callees}
    for call in (op for op in module.walk() if isinstance(op, CallOp)):
        kernel = kernels.get(call.kernel_name)
        if kernel is None:
            raise ModelError(
                "the kernel that is called is not in the module",
                expected=f"one of {', '.join(kernels)}",
                got=call.kernel_name,
            ).at(call)
        given = FunctionType.from_lists(call.operand_types, call.result_types)
        if given != kernel:
            raise ModelError(
                f"@{call.kernel_name} is called with other types than it has",
                expected=str(kernel),
                got=str(given),
            ).at(call)


def _inputs_on_buffers(main: FuncOp) -> int:
    """Return the number of inputs of a main on buffers; results are the other arguments.

    Errors: ModelError if main's attributes do not give it.
    """
    said = [len(recorded_texts(main, attribute)) for attribute in (ARG_DTYPES, RESULT_DTYPES)]
    count = len(main.function_type.inputs.data)
    if sum(said) != count:
        raise ModelError(
            "main takes buffers, but does not say which are inputs and which are results",
            expected=f"{count} names in its attributes tw.arg_dtypes and tw.result_dtypes",
            got=f"{said[0]} and {said[1]}",
        )
    return said[0]


def _check_recorded(
    main: FuncOp, inputs: Sequence[Attribute], results: Sequence[Attribute]
) -> None:
    """Refuse names and dtypes in the attributes of main that contradict its types."""
    for word, types, names, dtypes in (
        ("input", inputs, ARG_NAMES, ARG_DTYPES),
        ("result", results, RESULT_NAMES, RESULT_DTYPES),
    ):
        for what, attribute in (("names", names), ("dtypes", dtypes)):
            if attribute in main.attributes and len(recorded_texts(main, attribute)) != len(types):
                raise ModelError(
                    f"main does not have as many {what} as {word}s",
                    expected=f"{len(types)} in its attribute {attribute}",
                    got=str(len(recorded_texts(main, attribute))),
                )
        for type_, name in zip(types, recorded_texts(main, dtypes), strict=False):
            _check_dtype(word, cast("TensorType | MemRefType", type_), name)


def _check_dtype(word: str, type_: TensorType | MemRefType, name: str) -> None:
    element = signless(type_.get_element_type())
    fitting = [n for n, known in ATTRIBUTES_BY_NAME.items() if signless(known) == element]
    if name not in fitting:
        raise ModelError(
            f"the recorded dtype of {'an input' if word == 'input' else 'a result'} "
            "is not that of its type",
            expected=f"{' or '.join(fitting)}, for {type_}",
            got=name,
        )


def _check_sizes(name: str, dims: Sequence[Dim]) -> None:
    """Refuse an input with symbolic sizes; the hint uses compile's arguments."""
    if all(d.value is not None for d in dims):
        return
    sizes = [str(d.value or 1) for d in dims]
    example = ", ".join(sizes) + "," * (len(dims) == 1)
    raise ModelError(
        f"input {name!r} has a size that is not a number",
        expected="every size bound",
        got=f"({', '.join(map(str, dims))})",
        hint=f'pass e.g. shapes={{"{name}": ({example})}}, or --shapes {name}={"x".join(sizes)}',
    )


def drop_checks(module: ModuleOp) -> None:
    """Erase the index checks of a program at any level."""
    for op in list(module.walk()):
        if isinstance(op, CheckIndicesOp | graph.CheckIndicesOp):
            op.detach()
            op.erase()

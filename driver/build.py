"""Build: compile an imported model to machine code, or return its text at an earlier level.

import (graph) -> driver/pipeline.py (packed) -> LLVM text of each kernel, main and the entry ->
objects, cached by content -> one shared object.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache as memoized
from math import prod
from os import PathLike
from typing import TYPE_CHECKING, Protocol, TypeAlias, cast

import numpy as np
from xdsl.dialects.builtin import (
    ArrayAttr,
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
from ..codegen.crew import Crew
from ..codegen.entry import Argument, Entry, entry_source, entry_tables
from ..codegen.linker import link
from ..codegen.llvm import CodegenError, Machine, compile_ir, version
from ..codegen.prelude import pool_source
from ..codegen.worker import Recipe
from ..dialects import graph
from ..dialects.dtypes import ATTRIBUTES_BY_NAME
from ..dialects.loop.indices import numbered_indices, numbered_map
from ..dialects.packed import CallOp, CheckIndicesOp, ConstantOp
from ..dialects.results import (
    ARG_DTYPES,
    ARG_NAMES,
    RESULT_DTYPES,
    RESULT_NAMES,
    recorded_entries,
    recorded_forms,
    recorded_name,
    text_of,
)
from ..dialects.shape import Dim, dims_of
from ..dialects.te import TensorOp, kernels_of
from ..dialects.te.compute import int_array, name_array
from ..dialects.te.scalars import signless
from ..dialects.weights import WeightAttr
from ..frontend.onnx.binding import Values
from ..frontend.onnx.definitions import Model
from ..frontend.onnx.importer import import_model
from ..frontend.onnx.installed import InstalledConverters
from ..frontend.onnx.proto import load
from ..frontend.onnx.signature import Shapes
from ..lowering.loop_to_llvm import KernelInfo, emit_kernel, kernel_info, kernel_symbol
from ..lowering.packed_to_llvm import MainProgram, emit_main, run_symbol
from ..passes.te.match_schedules import Misfits, schedule_texts
from ..runtime.abi import MODULE_SYMBOLS, POOL_SYMBOLS, WEIGHT_ALIGNMENT_BYTES
from ..runtime.threads import available_threads
from ..support.cache import DiskCache, content_key, user_cache
from ..support.collection import paused_collection
from ..support.diagnostics import LoweringError, ModelError, NeedsBinding, TypeMismatch
from ..support.entry import entry_of, kernel_functions
from ..support.target import Target
from .extension import Extension, context_of
from .pipeline import STAGES, import_passes, levels_from, run_pipeline
from .planning import Planning
from .progress import Stopwatch
from .schedules import refuse, scheduled_by
from .settings import Settings, settings_for
from .specialize import open_specs
from .store import Compiled, KernelRecord, Open, Plan, Stored

if TYPE_CHECKING:
    import onnx


Load: TypeAlias = Callable[[], Model]
CACHES = (dims_of, int_array, name_array, numbered_indices, numbered_map, row_major_strides)
"""Caches that grow with the compiled programs."""

MAX_HELPERS = 7
"""Most worker processes of one compilation; each takes about 80 MB."""


@dataclass(frozen=True)
class _Begun:
    """A requested object: its key, and its bytes if they were in the cache."""

    key: str
    data: bytes | None


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
        start: str = STAGES[0].name,
    ) -> None:
        self._start = start
        self._extensions = (
            *settings.extensions,
            *scheduled_by(settings.schedules, start, self._note_misfits),
        )
        self.data_files: tuple[str, ...] = ()
        self._installed = InstalledConverters()
        self._open: Open | None = None
        self._settings, self._cache, self._watch = settings, cache, watch
        self._target = settings.target
        self._recipe = Recipe(Machine.of(settings.target))
        self._module = module
        self._costs: dict[str, tuple[tuple[str, ...], int]] = {}
        self._whole: set[str] = set()
        self._planning = None if settings.strict_plan else Planning()
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

    def compiled_model(self, load: Load, shapes: Shapes, values: Values) -> Compiled:
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
            import_passes()
            loaded = load()
            inputs = tuple(value for value in loaded.inputs if value.name not in values)
            self._open = Open(loaded.name, inputs, loaded.outputs, ())
            self.data_files = loaded.data_files
            self._module = import_model(
                loaded, shapes=shapes, values=values, converters=rows, installed=self._installed
            )

    def compiled(self, *, keep: bool = False) -> Compiled:
        """Return the code of the module, and its weights.

        keep: keep the module for later calls of `source`; otherwise consume it and its weights.
        Errors: ModelError if there is no main or an input's size is symbolic.
        """
        _check_main(self._imported)
        watch = self._watch
        modules = self._packed(keep=keep)
        expected = sum(isinstance(op, FuncOp) for module in modules for op in module.ops)
        with Crew(self._recipe, helpers=_helpers(), expected=expected) as crew:
            with watch.stage("emit-llvm"):
                program = self._program(modules)
                own_symbols = program.entry.own_symbols
                del modules
                objects = [self._begun(text, crew) for text in watch.each(program.texts())]
            with watch.stage("make-objects"):
                made = crew.objects()
                codes = [self._ended(each, made) for each in watch.each(objects)]
        with watch.stage("link"):
            code = link(codes, exports=(*MODULE_SYMBOLS, *own_symbols))
            pool = pool_object(self._target, self._cache)
        return Compiled(code, pool, program.weights.data, self._describe(program))

    def kernels(self) -> KernelCode:
        """Return the kernels without main and the entry."""
        _check_main(self._imported)
        module = self._lowered("packed", keep=False)
        program = Program(module, self._settings)
        objects = [self._object(text) for text in program.kernel_texts()]
        symbols = [info.symbol for info in program.infos.values()]
        code = link(objects, exports=symbols) if objects else b""
        return KernelCode(module, program.infos, self._describe(program), code)

    def schedules(self) -> dict[str, str]:
        """Return the schedules of all kernels by suggested file name.

        Errors: ModelError as above.
        """
        _check_main(self._imported)
        return schedule_texts(self._lowered("sched", keep=True))

    def source(self, kind: str) -> str:
        """Return the text of a level, the LLVM IR (``ll``) or the assembly (``asm``).

        Errors: LookupError for any other kind; ModelError as above.
        """
        _check_main(self._imported)
        levels = levels_from(self._start)
        if kind in levels:
            # Keep the module: the text refers to weights by key and parses while they are alive.
            self._shown[kind] = self._lowered(kind, keep=True)
            return str(self._shown[kind])
        if kind not in ("ll", "asm"):
            known = ", ".join((*levels, "ll", "asm"))
            raise LookupError(f"no text of kind {kind!r}\n    expected: {known}")
        texts = self._program(self._packed(keep=True)).texts()
        if kind == "ll":
            return "\n".join(f"; {text.label}\n{text.ir}" for text in texts)
        return "\n".join(f"# {text.label}\n{self._assembly(text)}" for text in texts)

    def _assembly(self, text: Text) -> str:
        with _naming(text):
            return compile_ir(text.ir, self._recipe.machine).assembly()

    def _object(self, text: Text) -> bytes:
        with _naming(text):
            return cached_object(text.ir, self._recipe, self._cache)

    def _packed(self, *, keep: bool) -> list[ModuleOp]:
        """Return the modules at level packed; several may form one program."""
        return [self._lowered("packed", keep=keep)]

    def _program(self, modules: Sequence[ModuleOp]) -> Texts:
        """Return the LLVM texts of lowered modules."""
        (module,) = modules
        return Program(module, self._settings)

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

    def _begun(self, text: Text, crew: Crew) -> _Begun:
        """Read the object of a text from the cache, or queue its compilation."""
        key = object_key(text.ir, self._recipe)
        data = None if self._cache is None else self._cache.read(key)
        if data is None:
            crew.add(text.ir, text.label)
        return _Begun(key, data)

    def _ended(self, begun: _Begun, made: Iterator[bytes]) -> bytes:
        """Return the object of a text: from the cache, or the next compiled one."""
        if begun.data is not None:
            return begun.data
        data = next(made)
        if self._cache is not None:
            self._cache.write(begun.key, data)
        return data

    def _describe(self, program: Texts) -> tuple[KernelRecord, ...]:
        rows: list[KernelRecord] = []
        for name, info in program.infos.items():
            ops, flops = self._costs.get(name, ((), 0))
            plan = Plan.SIMPLE if name in self._simple else Plan.CHOSEN
            calls = program.calls.count(name)
            rows.append(KernelRecord(name, ops, flops, info.tasks, calls, plan))
        return tuple(rows)


@dataclass(frozen=True)
class Text:
    """The LLVM IR of a part of a program, with a readable label."""

    label: str
    ir: str


class Texts(Protocol):
    """The parts of a shared object: LLVM texts, weights, and facts about the kernels.

    calls: kernel names, one entry per call in main.
    """

    infos: dict[str, KernelInfo]
    calls: list[str]
    weights: np.ndarray

    @property
    def entry(self) -> Entry:
        """The data of the module's entry."""
        ...

    def texts(self) -> Iterator[Text]:
        """Yield the LLVM IR of all parts."""
        ...


class Program:
    """The LLVM texts of a lowered module, and its weights.

    name: of the program, if the module has several.  layout: of the weights of this program and
    others.
    """

    def __init__(
        self,
        module: ModuleOp,
        settings: Settings,
        name: str = "",
        *,
        layout: WeightLayout | None = None,
    ) -> None:
        self.target = settings.target
        self.main = entry_of(module)
        self.kernels = kernel_functions(module)
        self.infos: dict[str, KernelInfo] = {
            f.sym_name.data: kernel_info(f, kernel_symbol(number, name))
            for number, f in enumerate(self.kernels)
        }
        self.calls = [op.kernel_name for op in self.main.walk() if isinstance(op, CallOp)]
        self.weights, self.offsets = layout or layout_weights([self.main])
        self.max_threads = settings.max_threads
        self.program: MainProgram = emit_main(
            self.main,
            self.infos,
            self.offsets,
            max_threads=self.max_threads,
            symbol=run_symbol(name),
        )

    def texts(self) -> Iterator[Text]:
        """Yield the LLVM IR of every kernel, main, the model's tables and the entry."""
        yield from self.kernel_texts()
        yield self.main_text()
        yield from entry_texts(self.entry)

    def main_text(self) -> Text:
        """Return the LLVM IR of main."""
        return Text("the calls of the kernels", self.program.text)

    def kernel_texts(self) -> Iterator[Text]:
        """Yield the LLVM IR of every kernel."""
        yield from (self._kernel_text(function) for function in self.kernels)

    def _kernel_text(self, function: FuncOp) -> Text:
        label = f"kernel {function.sym_name.data!r}"
        symbol = self.infos[function.sym_name.data].symbol
        try:
            return Text(label, emit_kernel(function, self.target, symbol))
        except LoweringError as err:
            raise err.named(label) from None

    @property
    def entry(self) -> Entry:
        """The data of the module's entry."""
        inputs = _arguments(self.main, "arg", "x", 0)
        outputs = _arguments(self.main, "result", "y", len(inputs))
        entries = recorded_entries(self.main)
        # With entries there is one more output: the sizes.
        sizes = prod(outputs[-1].shape) if entries else 0
        if entries:
            outputs = tuple(replace(o, entries=e) for o, e in zip(outputs, entries, strict=False))
        return Entry(
            inputs=inputs,
            outputs=outputs,
            sizes=sizes,
            arena_bytes=self.program.arena_bytes,
            weights_bytes=self.weights.nbytes,
            max_threads=self.max_threads,
            name=recorded_name(self.main),
            target=str(self.target),
            cpu_flags=self.target.needed_flags,
            forms=recorded_forms(self.main),
            externs=self.program.externs,
        )


def entry_texts(entry: Entry) -> Iterator[Text]:
    """Yield the LLVM IR of the entry, which calls main."""
    yield Text("the tables of the entry", entry_tables(entry))
    yield Text("the entry", entry_source())


@contextmanager
def _naming(text: Text) -> Generator[None]:
    """Add the label of a text to LLVM's errors in it."""
    try:
        yield
    except CodegenError as err:
        raise err.named(text.label) from None


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
    names = _strings(main, ARG_NAMES) or [f"x{i}" for i in range(len(types))]
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
    said = [len(_strings(main, attribute)) for attribute in (ARG_DTYPES, RESULT_DTYPES)]
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
            if attribute in main.attributes and len(_strings(main, attribute)) != len(types):
                raise ModelError(
                    f"main does not have as many {what} as {word}s",
                    expected=f"{len(types)} in its attribute {attribute}",
                    got=str(len(_strings(main, attribute))),
                )
        for type_, name in zip(types, _strings(main, dtypes), strict=False):
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


def _arguments(main: FuncOp, kind: str, letter: str, start: int) -> tuple[Argument, ...]:
    """Return main's ``arg`` or ``result`` arguments, which begin at position ``start``."""
    dtypes = _strings(main, f"tw.{kind}_dtypes")
    names = _strings(main, f"tw.{kind}_names") or [f"{letter}{i}" for i in range(len(dtypes))]
    types = [cast(MemRefType, a.type) for a in main.body.block.args[start : start + len(dtypes)]]
    return tuple(
        Argument(name, dtype, type_.get_shape())
        for name, dtype, type_ in zip(names, dtypes, types, strict=True)
    )


def _strings(func: FuncOp, key: str) -> list[str]:
    values = cast("ArrayAttr[Attribute]", func.attributes.get(key, ArrayAttr([])))
    try:
        return [text_of(value) for value in values]
    except ModelError as err:
        raise err.named(f"{key} of @{func.sym_name.data}") from None


def drop_checks(module: ModuleOp) -> None:
    """Erase the index checks of a program at any level."""
    for op in list(module.walk()):
        if isinstance(op, CheckIndicesOp | graph.CheckIndicesOp):
            op.detach()
            op.erase()


WeightLayout: TypeAlias = tuple[np.ndarray, dict[WeightAttr, int]]
"""Weights in one blob, and the offset of each in bytes."""


def layout_weights(mains: Sequence[FuncOp]) -> WeightLayout:
    """Copy the weights of main functions into one blob."""
    ops = (op for main in mains for op in main.walk())
    weights = dict.fromkeys(op.value for op in ops if isinstance(op, ConstantOp))
    offsets: dict[WeightAttr, int] = {}
    size = 0
    for weight in weights:
        offsets[weight] = size
        size += -(-weight.array.nbytes // WEIGHT_ALIGNMENT_BYTES) * WEIGHT_ALIGNMENT_BYTES
    raw = np.empty(size + WEIGHT_ALIGNMENT_BYTES, np.uint8)
    start = -raw.ctypes.data % WEIGHT_ALIGNMENT_BYTES
    blob = raw[start : start + size]
    for weight, at in offsets.items():
        data = np.ascontiguousarray(weight.array).reshape(-1).view(np.uint8)
        blob[at : at + data.nbytes] = data
    return blob, offsets


def object_key(text: str, recipe: Recipe) -> str:
    """Return the key of the object of a text."""
    passes = repr((recipe.passes, recipe.opt_level))
    return content_key(text, repr(recipe.machine), passes, version())


def cached_object(text: str, recipe: Recipe, cache: DiskCache | None) -> bytes:
    """Return the object of a text: from the cache for equal text and recipe, else compiled."""
    key = object_key(text, recipe)
    data = None if cache is None else cache.read(key)
    if data is None:
        data = recipe.make(text)
        if cache is not None:
            cache.write(key, data)
    return data


@memoized
def pool_object(target: Target, cache: DiskCache | None) -> bytes:
    """Return the thread pool as a shared object."""
    text = pool_source(target.triple.split("-")[0])
    made = cached_object(text, Recipe(Machine(target.triple), ("O2",)), cache)
    return link([made], exports=POOL_SYMBOLS)


def _helpers() -> int:
    """Return the number of worker processes; one processor is left for this process."""
    return min(MAX_HELPERS, available_threads() - 1)

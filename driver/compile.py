"""compile: a model in, a callable module out.

import (graph) -> driver/pipeline.py (packed) -> LLVM text per kernel, of main and of the entry ->
objects, cached by content -> one shared object -> runtime.Module.  The caller's model or module
is never changed; texts of earlier levels are made again when asked for.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import prod
from os import PathLike
from types import MappingProxyType
from typing import TYPE_CHECKING, cast

import numpy as np
from xdsl.dialects.builtin import ArrayAttr, MemRefType, ModuleOp, StringAttr, TensorType
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute

from ..analysis.cost import kernel_flops
from ..codegen.entry import Argument, Entry, entry_source, entry_tables
from ..codegen.linker import link
from ..codegen.llvm import Machine, Object, compile_ir, version
from ..codegen.prelude import pool_source
from ..dialects.packed import CallOp, ConstantOp
from ..dialects.results import recorded_entries, recorded_forms
from ..dialects.shape import Dim, dims_of
from ..dialects.te import TensorOp, kernels_of
from ..frontend.onnx.binding import Values
from ..frontend.onnx.definitions import Model
from ..frontend.onnx.importer import import_model
from ..frontend.onnx.proto import load
from ..frontend.onnx.signature import Shapes
from ..lowering.loop_to_llvm import KernelInfo, emit_kernel, kernel_info
from ..lowering.packed_to_llvm import MainProgram, emit_main
from ..runtime.abi import MODULE_SYMBOLS
from ..runtime.module import Module
from ..runtime.threads import available_threads, check_threads, process_pool
from ..support.cache import DiskCache, content_key, user_cache
from ..support.collection import paused_collection
from ..support.diagnostics import (
    LoweringError,
    ModelError,
    NeedsBinding,
    TypeMismatch,
)
from ..support.registry import new_context
from ..support.target import Target
from .extension import Extension
from .pipeline import LEVELS, run_pipeline
from .progress import Stopwatch, Watcher
from .specialize import SpecializingModule, open_specs

if TYPE_CHECKING:
    import onnx

WEIGHT_ALIGNMENT_BYTES = 64
MAX_THREADS = 64
"""Scratch memory is planned for at most this many threads."""


@dataclass(frozen=True)
class KernelRecord:
    """What a kernel of a compiled model is.

    ops: names of its computes.  flops: of one call.  tasks: parallel parts.  calls: per run.
    """

    name: str
    ops: tuple[str, ...]
    flops: int
    tasks: int
    calls: int


@dataclass(frozen=True)
class KernelCode:
    """The host program of a model, and its kernels in machine code, to be called one by one.

    module: at the level ``packed``.  code: a shared object that exports each kernel by its name.
    """

    module: ModuleOp
    infos: Mapping[str, KernelInfo]
    records: tuple[KernelRecord, ...]
    code: bytes


class CompiledModule(Module):
    """A module made in this process: it can also show its kernels and the text of every level.

    code: the shared object, without the weights.  times: seconds that each stage of the
    compilation took, in order.
    """

    kernels: tuple[KernelRecord, ...] = ()
    code: bytes = b""
    times: Mapping[str, float] = MappingProxyType({})


@dataclass(frozen=True)
class _Settings:
    """What does not depend on the model; see compile."""

    target: Target
    threads: int | None
    cache: bool
    extensions: Sequence[Extension]


@paused_collection()
def compile(
    model: str | PathLike[str] | bytes | onnx.ModelProto,
    *,
    target: str | Target | None = None,
    shapes: Shapes | None = None,
    values: Values | None = None,
    threads: int | None = None,
    cache: bool = True,
    progress: Watcher | None = None,
    extensions: Sequence[Extension] = (),
) -> CompiledModule | SpecializingModule:
    """Compile an ONNX model for a target (default: this machine).

    shapes: sizes of inputs whose dimensions are symbolic; of a sequence a list of shapes, of an
    optional that is absent None.  values: arrays for inputs that become constants and leave the
    signature.  threads: default of a call; None is as many as this process may use.  cache:
    whether machine code is read from and written to the cache folder.  progress: is called with
    each `Step`; logger ``tilewright.driver`` has stages as info, passes as debug.  extensions:
    converters and passes of other packages.
    A model that needs more sizes or values than are given comes back as a SpecializingModule: it
    compiles itself for the first call and for each new kind of call.
    Errors: ModelError, UnsupportedOp or TypeMismatch from the model, TargetError from the target,
    ArgumentError if threads is no count.
    """
    check_threads(threads)
    chosen = _target(target)
    loaded = load(model)
    fixed, known = {} if shapes is None else shapes, {} if values is None else values
    inputs = [value for value in loaded.inputs if value.name not in known]

    settings = _Settings(chosen, threads, cache, extensions)

    def build(sizes: Shapes, more: Values) -> CompiledModule:
        watch = Stopwatch(progress)
        module = _imported(loaded, sizes, {**known, **more}, watch, settings)
        return _compiled(module, settings, watch)

    value_inputs: tuple[str, ...] = ()
    watch = Stopwatch(progress)
    try:
        module = _imported(loaded, fixed, known, watch, settings)
        if not _has_open_inputs(module):
            return _compiled(module, settings, watch)
    except NeedsBinding as err:
        value_inputs = err.inputs
    except TypeMismatch:
        # Sizes of different names may be equal in every call: the sizes of a call decide.
        if not any(spec.is_open for spec in open_specs(inputs, fixed)):
            raise
    return SpecializingModule(
        loaded.name, inputs, loaded.outputs, build, shapes=fixed, value_inputs=value_inputs
    )


@paused_collection()
def compile_module(
    module: ModuleOp,
    *,
    target: str | Target | None = None,
    threads: int | None = None,
    cache: bool = True,
    progress: Watcher | None = None,
    extensions: Sequence[Extension] = (),
) -> CompiledModule:
    """Compile a function ``main`` of graph ops; the module itself is not changed.

    Inputs and outputs are named by the attributes tw.arg_names and tw.result_names of main, else
    x0, x1, … and y0, y1, ….  target, threads, cache, progress, extensions: see compile.
    Errors: ModelError if there is no main or an input's size is symbolic, TargetError.
    """
    check_threads(threads)
    settings = _Settings(_target(target), threads, cache, extensions)
    return _compiled(module, settings, Stopwatch(progress))


@paused_collection()
def compile_kernels(
    model: str | PathLike[str] | bytes | onnx.ModelProto,
    *,
    target: str | Target | None = None,
    shapes: Shapes | None = None,
    values: Values | None = None,
) -> KernelCode:
    """Compile the kernels of a model whose sizes and values are bound; see compile."""
    settings, watch = _Settings(_target(target), None, True, ()), Stopwatch(None)
    module = _imported(load(model), shapes or {}, values or {}, watch, settings)
    _check_main(module)
    return _Build(module, settings.target, user_cache(), watch, ()).kernels()


@paused_collection()
def source_at(
    model: str | PathLike[str] | bytes | onnx.ModelProto,
    kind: str,
    *,
    target: str | Target | None = None,
    shapes: Mapping[str, Sequence[int]] | None = None,
    values: Values | None = None,
    progress: Watcher | None = None,
) -> str:
    """Return the text of a model at a level, as ``ll`` or ``asm``; nothing below it is made.

    It is what `Module.get_source` of the compiled model returns.
    Errors: LookupError for another kind; see compile, and NeedsBinding for open sizes and values.
    """
    settings, watch = _Settings(_target(target), None, False, ()), Stopwatch(progress)
    module = _imported(load(model), shapes or {}, values or {}, watch, settings)
    _check_main(module)
    return _Build(module, settings.target, None, watch, settings.extensions).source(kind)


def _compiled(module: ModuleOp, settings: _Settings, watch: Stopwatch) -> CompiledModule:
    _check_main(module)
    disk = user_cache() if settings.cache else None
    build = _Build(module.clone(), settings.target, disk, watch, settings.extensions)
    code, weights = build.shared_object()
    with watch.stage("load"):
        pool = process_pool(lambda: pool_object(settings.target, build.cache))
        compiled = CompiledModule.load_bytes(
            code,
            memoryview(weights.data),
            pool=pool,
            threads=settings.threads,
            sources=build.source,
        )
    compiled.kernels, compiled.code, compiled.times = build.records, code, dict(watch.times)
    return compiled


def _imported(
    model: Model, shapes: Shapes, values: Values, watch: Stopwatch, settings: _Settings
) -> ModuleOp:
    rows = [row for extension in settings.extensions for row in extension.converters]
    with watch.stage("import"):
        return import_model(model, shapes=shapes, values=values, converters=rows)


def _target(target: str | Target | None) -> Target:
    if target is None:
        return Target.host()
    return target if isinstance(target, Target) else Target(target)


def _has_open_inputs(module: ModuleOp) -> bool:
    """Tell whether an input of an imported module has a size that is not a number."""
    main = cast(FuncOp, module.body.block.first_op)
    types = cast("tuple[TensorType, ...]", main.function_type.inputs.data)
    return any(dim.value is None for type_ in types for dim in dims_of(type_))


def _check_main(module: ModuleOp) -> None:
    """Refuse a module without main, and symbolic sizes of its inputs."""
    main = next((op for op in module.ops if isinstance(op, FuncOp) and _is_main(op)), None)
    if main is None:
        raise ModelError("the module has no function to compile", expected="func.func @main")
    for name, type_ in _named(main, "arg", "x", main.function_type.inputs.data):
        _check_sizes(name, dims_of(cast(TensorType, type_)))


def _named(
    main: FuncOp, kind: str, letter: str, types: Sequence[Attribute]
) -> Iterable[tuple[str, Attribute]]:
    names = _strings(main, f"tw.{kind}_names") or [f"{letter}{i}" for i in range(len(types))]
    return zip(names, types, strict=True)


def _check_sizes(name: str, dims: Sequence[Dim]) -> None:
    """Refuse an input with symbolic sizes in the words of compile's arguments."""
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


class _Build:
    """One compilation: keeps what is needed to make the text of a level again."""

    def __init__(
        self,
        module: ModuleOp,
        target: Target,
        cache: DiskCache | None,
        watch: Stopwatch,
        extensions: Sequence[Extension],
    ) -> None:
        self.module, self.target, self.cache, self.watch = module, target, cache, watch
        self.extensions = extensions
        self.machine = Machine(target.triple, target.cpu, target.attribute_string)
        self.records: tuple[KernelRecord, ...] = ()
        self._costs: dict[str, tuple[tuple[str, ...], int]] = {}
        self._shown: dict[str, ModuleOp] = {}

    def lowered(self, to: str = "packed") -> ModuleOp:
        """Return the module at a level; the imported one stays as it is."""
        module = self.module.clone()
        run_pipeline(
            module,
            new_context(),
            self.target,
            to=to,
            observe=self._observe,
            stopwatch=self.watch,
            extensions=self.extensions,
        )
        return module

    def _observe(self, pass_name: str, module: ModuleOp) -> None:
        if pass_name == "te-deduplicate":
            self.watch.kernels = sum(1 for _ in kernels_of(module))
            for kernel in kernels_of(module):
                ops = tuple(op.label for op in kernel.body.block.ops if isinstance(op, TensorOp))
                self._costs[kernel.label] = (ops, kernel_flops(kernel))

    def shared_object(self) -> tuple[bytes, np.ndarray]:
        """Return the code of the model and the blob of its weights."""
        module = self.lowered()
        watch = self.watch
        with watch.stage("emit-llvm"):
            program = _Program(module, self.target)
            self.records = self._describe(program)
            texts = [*watch.each(program.texts())]
        with watch.stage("make-objects"):
            objects = [self._object(text) for text in watch.each(texts)]
        with watch.stage("link"):
            code = link([o.data for o in objects], exports=MODULE_SYMBOLS)
        return code, program.weights

    def kernels(self) -> KernelCode:
        """Return the kernels alone, without what calls them."""
        module = self.lowered()
        program = _Program(module, self.target)
        objects = [self._object(text).data for text in program.kernel_texts()]
        names = [*program.infos]
        code = link(objects, exports=names)
        return KernelCode(module, program.infos, self._describe(program), code)

    def _object(self, text: str) -> Object:
        return cached_object(text, self.machine, self.cache)

    def _describe(self, program: _Program) -> tuple[KernelRecord, ...]:
        rows: list[KernelRecord] = []
        for name, info in program.infos.items():
            ops, flops = self._costs.get(name, ((), 0))
            rows.append(KernelRecord(name, ops, flops, info.tasks, program.calls.count(name)))
        return tuple(rows)

    def source(self, kind: str) -> str:
        """Return the text of a level, of the LLVM IR (``ll``) or of the assembly (``asm``).

        Errors: LookupError for any other kind.
        """
        if kind in LEVELS:
            # Kept: the text names weights by key, and parses as long as they are there.
            self._shown[kind] = self.lowered(to=kind)
            return str(self._shown[kind])
        if kind not in ("ll", "asm"):
            known = ", ".join((*LEVELS, "ll", "asm"))
            raise LookupError(f"no text of kind {kind!r}\n    expected: {known}")
        texts = _Program(self.lowered(), self.target).texts()
        if kind == "ll":
            return "\n".join(texts)
        return "\n".join(compile_ir(t, self.machine).assembly() for t in texts)


class _Program:
    """The LLVM texts of a lowered module, and its weights."""

    def __init__(self, module: ModuleOp, target: Target) -> None:
        functions = [op for op in module.ops if isinstance(op, FuncOp)]
        self.target = target
        self.main = next(f for f in functions if _is_main(f))
        self.kernels = [f for f in functions if f is not self.main]
        self.infos: dict[str, KernelInfo] = {f.sym_name.data: kernel_info(f) for f in self.kernels}
        self.calls = [op.kernel_name for op in self.main.walk() if isinstance(op, CallOp)]
        self.weights, self.offsets = _layout_weights(self.main)
        self.max_threads = min(MAX_THREADS, available_threads())
        self.program: MainProgram = emit_main(
            self.main, self.infos, self.offsets, max_threads=self.max_threads
        )

    def texts(self) -> Iterator[str]:
        """Yield the LLVM IR of every kernel, of main, of the model's tables and of the entry."""
        yield from self.kernel_texts()
        yield self.program.text
        yield entry_tables(self._entry())
        yield entry_source()

    def kernel_texts(self) -> Iterator[str]:
        """Yield the LLVM IR of every kernel."""
        yield from (self._kernel_text(function) for function in self.kernels)

    def _kernel_text(self, function: FuncOp) -> str:
        try:
            return emit_kernel(function, self.target)
        except LoweringError as err:
            raise err.named(f"kernel {function.sym_name.data!r}") from None

    def _entry(self) -> Entry:
        inputs = _arguments(self.main, "arg", "x", 0)
        outputs = _arguments(self.main, "result", "y", len(inputs))
        entries = recorded_entries(self.main)
        # With entries there is one output more: the sizes.
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
            target=str(self.target),
            forms=recorded_forms(self.main),
        )


def _is_main(function: FuncOp) -> bool:
    """Tell whether a function is the one that calls the kernels."""
    return function.sym_name.data == "main"


def _arguments(main: FuncOp, kind: str, letter: str, start: int) -> tuple[Argument, ...]:
    """Return the arguments of main from a position on that are its ``arg`` or ``result`` values."""
    dtypes = _strings(main, f"tw.{kind}_dtypes")
    names = _strings(main, f"tw.{kind}_names") or [f"{letter}{i}" for i in range(len(dtypes))]
    types = [cast(MemRefType, a.type) for a in main.body.block.args[start : start + len(dtypes)]]
    return tuple(
        Argument(name, dtype, type_.get_shape())
        for name, dtype, type_ in zip(names, dtypes, types, strict=True)
    )


def _strings(func: FuncOp, key: str) -> list[str]:
    values = func.attributes.get(key, ArrayAttr([]))
    return [v.data for v in cast("ArrayAttr[StringAttr]", values)]


def _layout_weights(main: FuncOp) -> tuple[np.ndarray, dict[str, int]]:
    """Lay the weights of main out in one blob; return it and the offset of each by key."""
    weights = {op.value.key: op.value.array for op in main.walk() if isinstance(op, ConstantOp)}
    offsets: dict[str, int] = {}
    size = 0
    for key, array in weights.items():
        offsets[key] = size
        size += -(-array.nbytes // WEIGHT_ALIGNMENT_BYTES) * WEIGHT_ALIGNMENT_BYTES
    raw = np.empty(size + WEIGHT_ALIGNMENT_BYTES, np.uint8)
    start = -raw.ctypes.data % WEIGHT_ALIGNMENT_BYTES
    blob = raw[start : start + size]
    for key, array in weights.items():
        data = np.ascontiguousarray(array).reshape(-1).view(np.uint8)
        blob[offsets[key] : offsets[key] + data.nbytes] = data
    return blob, offsets


def cached_object(
    text: str, machine: Machine, cache: DiskCache | None, *, passes: tuple[str, ...] = ("sroa",)
) -> Object:
    """Compile LLVM IR, or take the object of equal text and machine from the cache, if any.

    passes: kernels are vectorized and unrolled already, and LLVM's own pipelines undo it.
    """
    opt_level = 2
    key = content_key(text, repr(machine), repr((passes, opt_level)), version())
    data = None if cache is None else cache.read(key)
    if data is not None:
        return Object(data, text, machine, passes, opt_level)
    compiled = compile_ir(text, machine, passes=passes, opt_level=opt_level)
    if cache is not None:
        cache.write(key, compiled.data)
    return compiled


def pool_object(target: Target, cache: DiskCache | None) -> bytes:
    """Return the thread pool as a shared object."""
    text = pool_source(target.triple.split("-")[0])
    return link([cached_object(text, Machine(target.triple), cache, passes=("O2",)).data])

"""Modules: a compiled model in this process.

    module = Module.load_bytes(code, weights, pool=process_pool(make_pool_code))
    y = module(x)                 allocates and returns the outputs
    module(x, out)                fills `out` and returns None
    module(x, out, sizes)         for output sizes that the model computes: `out` has room,
                                  `sizes` (int64) receives the actual ones, and
                                  module.valid_parts((out, sizes)) returns the outputs: the
                                  elements at the start of `out`, row by row
    module.run({"x": x}, threads=2)

A result that is a sequence is returned as a list, an absent optional as None. A call that fills
outputs takes one array per tensor, in the order of `module.outputs`.

A module for a GPU also takes arrays of its device: the results are then arrays of the device, and
the call returns when its work is queued.

Inputs may be numpy arrays or anything that has `__dlpack__` or `__array__`; an input that is not
row-major, aligned and in native byte order is copied. Outputs are written in place, so they must
have all three properties. A module may be called from several threads at once.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import chain, islice
from math import prod
from typing import TYPE_CHECKING, Any, Self, TypeAlias, cast

import numpy as np

from ..abi.constants import (
    SYMBOL_ARENA_BYTES,
    SYMBOL_DEFAULT_THREADS,
    SYMBOL_LAST_ERROR,
    SYMBOL_MAIN,
    SYMBOL_MAIN_ALLOCATING,
    SYMBOL_MAIN_THREADS,
    SYMBOL_OUTPUT_SHAPES,
    PackedCFunction,
    Value,
)
from ..abi.fast_call import Binding, FastCalls, OutputArray
from ..abi.library import Library, Symbols
from ..abi.ndarray import (
    Array,
    DeviceArray,
    NDArray,
    address_reader,
    empty,
    empty_array,
    numpy_dtype,
)
from ..abi.read_only import memory_of_call
from ..abi.threads import (
    ParallelFor,
    ThreadPool,
    check_threads,
    process_library,
    process_pool,
    set_pool,
)
from ..call.arguments import arguments_of, as_bytes, in_order, wrong_count
from ..call.compiled_function import CompiledFunction
from ..call.memory import Memory, bytes_of, shapes_in_order
from ..call.output_buffers import (
    TENSOR_WORDS,
    AllocatingFrame,
    Allocator,
    CallShapes,
    CheckedShape,
    Frame,
    OutputMemory,
    ShapeFrame,
)
from ..errors import ArgumentError, error_channel
from ..file.manifest import Form, Manifest, Metadata, TensorSpec
from .loading import HeldCode, LoadedCode, load_code, share_weights
from .shown_module import ShownModule, Sources

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

    from ..call.session import Session, SessionModel, StatePair

Output: TypeAlias = "NDArray | list[NDArray] | None"
"""One result of a model: a tensor, a sequence, or an optional that is absent."""
Result: TypeAlias = "Output | tuple[Output, ...]"

_KEPT_SIZES = 64
"""The number of combinations of argument shapes whose layouts, with argument memory, are kept."""


class Module(ShownModule):
    """A compiled model, ready to be called; `compile` and `load_module` make it.

    Errors: Calls raise ArgumentError for an argument that does not fit the signature,
    OutOfRangeError for an index outside its axis, and KernelError and MemoryError for failures
    inside the run.
    """

    def __init__(self, loaded: LoadedCode, sources: Sources | None = None) -> None:
        manifest = self.manifest = loaded.manifest
        self.name = manifest.name
        self.inputs = manifest.inputs
        self.outputs = manifest.outputs
        self._threads = loaded.threads
        self._library = loaded.library
        self._handle = loaded.handle
        self._code = HeldCode(
            loaded.alive, loaded.weights, loaded.device_calls, loaded.process_code
        )
        self._sources = sources
        self.states: tuple[StatePair, ...] = ()
        self._specs = (*manifest.inputs, *manifest.filled)
        self._arguments = arguments_of(manifest)
        self._names = [spec.name for spec in manifest.inputs]
        self._is_symbolic = any(spec.is_symbolic() for spec in self._specs)
        is_data_dependent = loaded.allocates or any(
            spec.is_data_dependent() for spec in manifest.outputs
        )
        self._layout: CallShapes | None = None
        if not self._is_symbolic and not is_data_dependent:
            self._layout = self._layout_for([spec.sizes() for spec in self._specs])
        self._frames: list[Frame] = []
        self._shape_frames: list[ShapeFrame] = []
        self._layouts: OrderedDict[object, CallShapes] = OrderedDict()
        self._forms = manifest.forms
        self._address = address_reader()
        self._memory = OutputMemory(len(manifest.filled), self._address)
        self._allocator = Allocator(manifest.filled, self._memory) if is_data_dependent else None
        self._allocating_frames: list[AllocatingFrame] = []
        self._calls: FastCalls | None = None
        self._session_model: SessionModel | None = None

    @cached_property
    def _function(self) -> Any:
        """The compiled function."""
        return PackedCFunction(self._library.address(SYMBOL_MAIN_THREADS))

    @cached_property
    def _allocating(self) -> Any:
        """The compiled function that allocates its outputs."""
        return PackedCFunction(self._library.address(SYMBOL_MAIN_ALLOCATING))

    @cached_property
    def _output_shapes(self) -> Any:
        """The compiled function that computes the shapes of outputs from the shapes of inputs."""
        return PackedCFunction(self._library.address(SYMBOL_OUTPUT_SHAPES))

    @cached_property
    def _dtypes(self) -> list[np.dtype[Any]]:
        return [numpy_dtype(spec.dtype) for spec in self._specs]

    @classmethod
    def of(cls, loaded: LoadedCode, sources: Sources | None = None) -> Self:
        """Make a module of loaded code.

        sources: returns the program as text, for `get_source`.
        """
        # Calls run machine code directly unless the module calls functions of the process, for
        # which Python marks inputs as read-only, or has no output to fill.
        is_direct = loaded.manifest.filled and not loaded.manifest.externs
        calls = loaded.calls if is_direct else None
        module = (calls.type_of(cls) if calls else cls)(loaded, sources)
        if loaded.modules:
            module.functions.own = loaded.modules
            for each in loaded.modules:
                each.use_texts(sources)
        if calls:
            module._bind(calls, cls)
        return module

    def _bind(self, calls: FastCalls, base: type[Module]) -> None:
        manifest = self.manifest
        allocates = self._allocator is not None
        is_plain = not self._forms and (allocates or not manifest.computes_sizes)
        shapes = SYMBOL_OUTPUT_SHAPES if self._is_symbolic and is_plain and not allocates else ""
        binding = Binding(
            self._library.address(SYMBOL_MAIN),
            inputs=len(self.inputs),
            outputs=len(manifest.filled),
            made=[self._allocated(spec) for spec in manifest.filled] if is_plain else (),
            shapes=self._library.address(shapes) if shapes else None,
            memory=self._memory.table,
            keeps_lock=manifest.is_short,
            allocating=self._library.address(SYMBOL_MAIN_ALLOCATING)
            if allocates and is_plain
            else None,
            results=len(self.outputs),
            threads=self.threads,
            handle=self._handle,
        )
        self._bound = calls.bind(self, base, binding)
        self._calls, self._filling = calls, replace(binding, made=(), shapes=None, allocating=None)

    @property
    def threads(self) -> int:
        """The default number of threads of a call; an assignment changes it for all later calls.

        Errors: ArgumentError for a value that is no number of threads.
        """
        return self._threads

    @threads.setter
    def threads(self, count: int) -> None:
        check_threads(count)
        self._threads = min(int(count), self.manifest.max_threads)
        if isinstance(self._library, Library):
            self._library.store_int32(SYMBOL_DEFAULT_THREADS, self._threads)
        if self._calls is not None:
            self._calls.set_threads(self._bound, self._threads)

    @property
    def weights(self) -> Array | None:
        """The weights that the code reads, as bytes in the code's layout; None without weights."""
        return self._code.weights

    def set_pool(self, parallel_for: ParallelFor | None) -> None:
        """Set the function that runs the parallel loops of calls.

        parallel_for: ``parallel_for(run, tasks, threads)`` calls ``run(task, worker)`` once for
        every task; None stands for the runtime's own threads.  The module drops its reference to
        the previous function.

        Before: no call of this module runs.
        Errors: ArgumentError for a module without machine code, and inside a parallel loop.
        """
        if not isinstance(self._library, Library):
            raise ArgumentError(
                f"{self.name} has no parallel loops of machine code",
                hint='compile the model with target="native"',
            )
        set_pool(self._library, self.name, parallel_for)

    def main_function(self) -> CompiledFunction:
        """Return the packed function that fills the outputs; it may outlive the module."""
        fast = None if self._calls is None else (self._calls, self._filling)
        return CompiledFunction.of_model(
            self._library, SYMBOL_MAIN, self.manifest, self._arguments, self._code, fast
        )

    def _allocated(self, spec: TensorSpec) -> OutputArray:
        shape = None if self._is_symbolic or self._allocator is not None else spec.sizes()
        return OutputArray(len(spec.shape), numpy_dtype(spec.dtype), shape)

    @classmethod
    def load_bytes(
        cls,
        code: bytes,
        weights: ReadableBuffer | None = None,
        *,
        pool: ThreadPool | None = None,
        threads: int | None = None,
        sources: Sources | None = None,
    ) -> Self:
        """Load a compiled model from the bytes of its shared object.

        weights: the bytes of all weights, as compiled; used without a copy if aligned to 64 bytes.
        pool: without a pool the module runs serially.  threads: the default for calls; None: as
        many as this process may use.  sources: returns the program as text, for `get_source`.
        Errors: LoadError if the code or the weights do not match the module, the processor
        lacks a feature, or a global function that the module calls is not registered.
        """
        return cls.of(load_code(code, weights, pool=pool, threads=threads), sources)

    def __call__(self, /, *arrays: object, **named: object) -> Result:
        """Run the model on positional or named inputs; the module docstring shows the forms."""
        if named:
            return self(*self._in_order(arrays, named))
        results = self._run(as_bytes(arrays, self.inputs), self.threads)
        if results is None:
            return None
        return results[0] if len(results) == 1 else results

    def run(
        self, inputs: Mapping[str, object] | Sequence[object], *, threads: int | None = None
    ) -> tuple[Any, ...]:
        """Run the model on inputs by name or in order; return all results, always as a tuple.

        A result is an NDArray, a list of NDArrays for a sequence, or None for an absent optional.

        >>> module = tilewright.compile("model.onnx")
        >>> (y,) = module.run({"x": np.zeros((1, 4), np.float32)})
        >>> y.numpy()
        array([[0., 0., 0.]], dtype=float32)
        """
        arrays = as_bytes(self._given(inputs), self.inputs)
        check_threads(threads)
        wanted = self.threads if threads is None else min(threads, self.manifest.max_threads)
        if self._calls is None or wanted != self.threads:
            return self._run(arrays, wanted) or ()
        results = self(*arrays)
        return results if isinstance(results, tuple) else (results,)

    def session(self, initial: Mapping[str, object] | None = None) -> Session:
        """Return a new session of a model that was compiled with ``state=``.

        initial: the first values of some states, by the names of their inputs.
        Errors: ArgumentError if the model has no states, or a value does not fit.
        """
        # imported late, because most programs have no sessions
        from ..call.session import Session, SessionModel, no_states

        if not self.states:
            raise no_states(self.name, self.manifest.signature)
        if self._session_model is None:
            self._session_model = SessionModel(self, self.states)
        return Session(self, self.states, self._session_model, initial)

    def address(self, symbol: str) -> int:
        """Return the address of a function of the module's code."""
        return self._library.address(symbol)

    def process_library(self, symbol: str) -> Library:
        """Return the library that has a function of which a process needs only one copy.

        It is loaded if this process has not loaded it yet.

        symbol: the function, such as a table of the functions of sessions.
        """
        return process_library(symbol, self._code.process_code)

    def with_code(self, code: Symbols, manifest: Manifest, handle: int) -> Module:
        """Return a module that runs other code in place of this module's code.

        The other code, such as a session, calls this module.

        code: the functions of the new module.  manifest: its signature.  handle: the address that
        each of these functions takes as first argument.
        """
        calls = process_pool(self._code.process_code).calls
        return Module.of(
            LoadedCode(
                code, manifest, self.threads, (self._code, self._library), calls=calls,
                handle=handle, allocates=True,
            )
        )  # fmt: skip

    def memory(
        self, shapes: Mapping[str, Sequence[int]] | Sequence[Sequence[int]] | None = None
    ) -> Memory:
        """Return the memory of a call with inputs of these shapes.

        shapes: the shapes by name or in order. A mapping may leave out inputs without symbolic
        sizes, so a static model needs no shapes. Sizes that the model computes count with their
        largest values.

        Errors: ArgumentError if the shapes contradict the signature, or a computed size has no
        largest value.
        """
        inputs = shapes_in_order(self, self.inputs, shapes or {})
        is_sized = self._is_symbolic or self.manifest.computes_sizes
        arena = self._arena_bytes(inputs) if is_sized else self.manifest.arena_bytes
        filled = self.manifest.filled
        made = self.filled_shapes(inputs)
        return Memory(self.manifest.weights_bytes, arena, bytes_of(filled, made))

    def _arena_bytes(self, inputs: Sequence[tuple[int, ...]]) -> int:
        frame = ShapeFrame(self.inputs, 0)
        frame.take([*chain.from_iterable(inputs), 0])
        function = PackedCFunction(self._library.address(SYMBOL_ARENA_BYTES))
        if status := function(None, frame.tensors, len(inputs), frame.result):
            raise self._failure(status)
        return Value.from_address(frame.result).payload.integer

    def accepts(self, inputs: Sequence[Array]) -> bool:
        """Return whether the shapes of arrays fit the inputs of the module."""
        if self._layout is not None:
            rows = zip(inputs, self._layout.rows, strict=False)
            return all(array.shape == row.shape for array, row in rows)
        try:
            layout = self._layout_of(inputs)
        except ArgumentError:
            return False
        if layout.key is not None:
            self._keep(layout)
        return True

    def fill(self, arrays: Sequence[object], *, threads: int | None = None) -> None:
        """Run the model on inputs, and write the outputs to the arrays that follow them.

        arrays: one per input, then one per tensor of `Manifest.filled`.

        Errors: ArgumentError for arrays that do not fit.
        """
        if len(arrays) != len(self._specs):
            raise wrong_count(self.manifest, len(arrays))
        self._run(arrays, self.threads if threads is None else threads)

    def unformed(self, inputs: Sequence[object]) -> tuple[NDArray, ...]:
        """Run the model; return all outputs with their actual sizes, one array per output.

        In contrast to `run`, the arrays of a sequence are not collected in a list.

        inputs: all inputs in order.

        Errors: ArgumentError for inputs that do not fit.
        """
        if self._allocator is not None:
            return self._run_allocating(inputs, self.threads, self._allocator)
        pairs = zip(self._arguments, inputs, strict=False)
        shapes = self.filled_shapes([argument.array_of(each).shape for argument, each in pairs])
        specs = zip(shapes, self.manifest.filled, strict=True)
        filled = [empty(shape, spec.dtype) for shape, spec in specs]
        self.fill([*inputs, *(array.numpy() for array in filled)])
        return self.valid_parts(filled) if self.manifest.sizes else tuple(filled)

    def _with_outputs(self, arguments: Sequence[object]) -> tuple[object, ...]:
        if len(arguments) != len(self.inputs) or self.manifest.computes_sizes:
            return tuple(arguments)
        pairs = zip(self._arguments, arguments, strict=False)
        sizes = [
            each.shape if isinstance(each, DeviceArray) else argument.array_of(each).shape
            for argument, each in pairs
        ]
        shapes = self.filled_shapes(sizes)
        specs = zip(shapes, self.manifest.filled, strict=True)
        return (*arguments, *(empty(shape, spec.dtype) for shape, spec in specs))

    def _formed(self, outputs: tuple[NDArray, ...]) -> tuple[Output, ...]:
        return tuple(_picked(outputs, form) for form in self._forms)

    def valid_parts(self, filled: Sequence[Array | NDArray]) -> tuple[NDArray, ...]:
        """Return the outputs that a call has filled, cut to their actual sizes.

        filled: the arrays that the call filled: the outputs, then the sizes.  Outputs with sizes
        that the model computes are copied.

        Errors: ArgumentError if the number of arrays is wrong.
        """
        expected = self.manifest.filled
        if len(filled) != len(expected):
            names = ", ".join(spec.name for spec in expected)
            raise ArgumentError(
                f"{self.name}: wrong number of filled arrays",
                expected=names,
                got=len(filled),
                hint="pass one array per output",
            )
        sizes = np.asarray(filled[-1]).tolist() if self.manifest.sizes else []
        made: list[NDArray] = []
        for output, spec in zip(filled, self.outputs, strict=False):
            array = np.asarray(output)
            if spec.is_data_dependent():
                sides = zip(spec.entries, array.shape, strict=True)
                shape = tuple(room if entry < 0 else sizes[entry] for entry, room in sides)
                start = array.reshape(-1)[: prod(shape)].reshape(shape)
                array = empty_array(shape, array.dtype)
                array[...] = start
            made.append(NDArray(array))
        return tuple(made)

    @property
    def kind(self) -> str:
        """The kind of target that the module was compiled for, such as ``llvm``."""
        return self.manifest.target.split()[0]

    @property
    def metadata(self) -> Metadata:
        """Return the signature of the module and facts about its compilation."""
        return replace(self.manifest.metadata, params=tuple(self.params.specs.values()))

    def __reduce__(self) -> tuple[Any, ...]:
        """Refuse pickle and copy: the module does not have the bytes of its files.

        Errors: TypeError.
        """
        raise TypeError(
            f"module {self.name} cannot be pickled or copied: it has no files\n"
            "    hint: pickle the module that compile returned or load_module has loaded"
        )

    def _run(self, arrays: Sequence[object], threads: int) -> tuple[Output, ...] | None:
        """Run the model; return the results, or None if the caller passed outputs."""
        calls = self._code.device_calls
        if calls is not None and calls.takes(arrays):
            return self._run_on_device(arrays)
        if self._allocator is not None and len(arrays) == len(self.inputs):
            outputs = self._run_allocating(arrays, threads, self._allocator)
            return self._formed(outputs) if self._forms else outputs
        layout = self._layout or self._layout_of(arrays)
        given, rows = len(arrays), layout.rows
        if given not in (len(self.inputs), len(rows)):
            raise wrong_count(self.manifest, given)
        try:
            frame = self._frames.pop()
        except IndexError:
            frame = Frame(self._specs)
        frame.take(layout.sizes)
        alive = self._write(frame, arrays, rows)
        words = frame.words
        fresh: list[NDArray] = []
        for index in range(given, len(rows)):
            row = rows[index]
            array, words[index * TENSOR_WORDS] = self._memory.empty(
                index - given, row.shape, row.dtype
            )
            fresh.append(NDArray(array))
        frame.threads.value = threads
        status = self._call(self._function, frame, len(rows) + 1, (arrays, alive))
        self._frames.append(frame)
        if status:
            raise self._failure(status)
        if layout.key is not None:
            self._keep(layout)
        if given > len(self.inputs):
            return None
        return self._formed(tuple(fresh)) if self._forms else tuple(fresh)

    def _run_on_device(self, arrays: Sequence[object]) -> tuple[Output, ...] | None:
        """Run the model on arrays of its device; return the results as `_run` does."""
        calls = self._code.device_calls
        assert calls is not None, "the module takes such arrays"
        if self._allocator is not None:
            raise ArgumentError(
                f"{self.name} computes sizes of its results, which are on the host then",
                expected="arrays of the host",
                got="an array on a device",
                hint="pass x.numpy()",
                signature=self.manifest.signature,
            )
        if len(arrays) not in (len(self.inputs), len(self._specs)):
            raise wrong_count(self.manifest, len(arrays))
        pairs = zip(arrays, self._arguments, strict=False)
        placed = [calls.placed(array, argument) for array, argument in pairs]
        layout = self._layout or self._layout_of(placed[: len(self.inputs)])
        made = tuple(calls.run(self._arguments, placed, layout.rows))
        if layout.key is not None:
            self._keep(layout)
        if len(arrays) > len(self.inputs):
            return None
        return self._formed(made) if self._forms else made

    def _run_allocating(
        self, arrays: Sequence[object], threads: int, allocator: Allocator
    ) -> tuple[NDArray, ...]:
        """Run the model on inputs; return its outputs, which the compiled function allocates.

        allocator: the C function that the compiled function calls for the memory of each output.
        """
        layout = self._layout_of(arrays)
        try:
            frame = self._allocating_frames.pop()
        except IndexError:
            frame = AllocatingFrame(self.inputs, allocator.address)
        frame.take(layout.sizes)
        alive = self._write(frame, arrays, layout.rows)
        frame.threads.value = threads
        context = allocator.begin()
        frame.use(context)
        status = self._call(self._allocating, frame, len(arrays) + 3, (arrays, alive))
        self._allocating_frames.append(frame)
        outputs = allocator.end(context)
        if status:
            raise self._failure(status)
        self._keep(layout)
        return tuple([NDArray(array) for array in outputs[: len(self.outputs)]])

    def _write(
        self, frame: Frame, arrays: Sequence[object], rows: Sequence[CheckedShape]
    ) -> list[Array]:
        """Write the addresses of arguments to a frame; convert arguments that do not fit.

        Return the converted arrays, which the caller keeps alive during the call.

        rows: the required shape and dtype of each argument.
        """
        words, read = frame.words, self._address
        alive: list[Array] = []
        # If only inputs were passed, zip leaves out the rows of the outputs.
        for index, (array, row) in enumerate(zip(arrays, rows, strict=False)):
            if not (type(array) is np.ndarray and row.fits(array)):
                array = self._arguments[index].converted(array, row)
                alive.append(array)
            words[index * TENSOR_WORDS] = read(array)
        return alive

    def _call(
        self,
        function: Callable[..., int],
        frame: Frame,
        count: int,
        given: tuple[Sequence[object], Sequence[Array]],
    ) -> int:
        """Call a compiled function; return its status.

        function: the function.  frame: its arguments.  count: the number of values in the frame.
        given: the arguments of the Python call, and the arrays that replace some of them; their
        memory is recorded while the function runs, for Python functions that it may call.
        """
        if not self.manifest.externs:
            return function(self._handle, frame.arguments, count, frame.result)
        error_channel().clear()
        arrays = [a for each in given for a in each if isinstance(a, np.ndarray)]
        with memory_of_call(arrays, (self._library, self._code)):
            return function(self._handle, frame.arguments, count, frame.result)

    def _layout_of(self, arrays: Sequence[object]) -> CallShapes:
        """Return the shapes of all arguments of a call that passes these arrays.

        The result is the object of an earlier call with the same shapes if there is one.

        arrays: the inputs, or the inputs and the outputs.

        Errors: ArgumentError if the sizes of the inputs contradict the signature.
        """
        if len(arrays) not in (len(self.inputs), len(self._specs)):
            raise wrong_count(self.manifest, len(arrays))
        shapes = tuple(
            [
                a.shape
                if type(a) is np.ndarray or isinstance(a, DeviceArray)
                else self._arguments[n].array_of(a).shape
                for n, a in enumerate(arrays)
            ]
        )
        if (found := self._layouts.get(shapes)) is not None:
            return found
        self._check_ranks(shapes)
        if len(shapes) == len(self._specs) or self._allocator is not None:
            return self._layout_for(shapes, shapes)
        return self._layout_for([*shapes, *self.output_shapes(shapes)], shapes)

    def _check_ranks(self, shapes: Sequence[tuple[int, ...]]) -> None:
        for index, (shape, spec) in enumerate(zip(shapes, self._specs, strict=False)):
            if len(shape) != len(spec.shape):
                got, rank = f"{len(shape)} dimensions", len(spec.shape)
                raise self._arguments[index].refused(
                    "has the wrong number of dimensions", got, f"pass {rank}"
                )

    def _layout_for(self, shapes: Sequence[tuple[int, ...]], key: object = None) -> CallShapes:
        return CallShapes(shapes, self._dtypes[: len(shapes)], len(self.inputs), key)

    def filled_shapes(self, inputs: Sequence[tuple[int, ...]]) -> list[tuple[int, ...]]:
        """Return the shapes of the arrays that a call fills, for inputs of given shapes.

        Errors: ArgumentError if they depend on the elements of the inputs.
        """
        if self._is_symbolic:
            return self.output_shapes(inputs)
        return [spec.sizes() for spec in self.manifest.filled]

    def share_weights(self, other: Module) -> None:
        """Make this module read the weights of another module, in the memory of that module.

        Before: no call of this module runs.
        Errors: ArgumentError if the code differs, as the weights then have another layout.
        """
        share_weights(self._library, other._library, other._code.weights, self.name)
        self._code.weights = other._code.weights

    def output_shapes(self, inputs: Sequence[tuple[int, ...]]) -> list[tuple[int, ...]]:
        """Return the shapes of the arrays that a call fills, for inputs of given shapes.

        Sizes that the model computes have their largest values.
        Errors: ArgumentError if such a size has no largest value, and for shapes that do not fit
        the signature.
        """
        if len(inputs) != len(self.inputs):
            raise wrong_count(self.manifest, len(inputs))
        self._check_ranks(inputs)
        if self.manifest.is_unbounded:
            raise ArgumentError(
                f"{self.name}: the shapes of the outputs depend on the elements of the inputs",
                hint="call the model",
                signature=self.manifest.signature,
            )
        filled = self._specs[len(inputs) :]
        try:
            frame = self._shape_frames.pop()
        except IndexError:
            frame = ShapeFrame(self.inputs, sum(len(spec.shape) for spec in filled))
        frame.take([*chain.from_iterable(inputs), len(frame.found)])
        status = self._output_shapes(None, frame.tensors, len(inputs) + 1, frame.result)
        left = iter(list(frame.found))
        self._shape_frames.append(frame)
        if status:
            raise self._failure(status)
        made = [tuple(islice(left, len(spec.shape))) for spec in filled]
        for spec, shape in zip(filled, made, strict=True):
            if min(shape, default=0) < 0:
                raise self._negative_size(spec, shape)
        return made

    def _negative_size(self, spec: TensorSpec, got: tuple[int, ...]) -> ArgumentError:
        return ArgumentError(
            f"{self.name}: the inputs are too small: {spec.name} would have a negative size",
            expected=f"{spec}, with sizes of 0 or more",
            got=list(got),
            hint="pass larger inputs",
        )

    def _keep(self, layout: CallShapes) -> None:
        """Store the layout of a call that succeeded, for later calls with equal shapes."""
        self._layouts[layout.key] = layout
        if len(self._layouts) > _KEPT_SIZES:
            self._layouts.popitem(last=False)

    def _given(self, inputs: Mapping[str, object] | Sequence[object]) -> tuple[object, ...]:
        if isinstance(inputs, Mapping):
            return self._in_order((), inputs)
        if not isinstance(inputs, (list, tuple)):
            raise ArgumentError(
                f"{self.name}: inputs are neither named nor in a sequence",
                expected="a mapping from names to arrays, or a list of arrays",
                got=type(inputs).__name__,
                signature=self.manifest.signature,
                hint='pass {"name": array} or [array, ...]',
            )
        if len(inputs) != len(self.inputs):
            raise wrong_count(self.manifest, len(inputs))
        return tuple(cast("Sequence[object]", inputs))

    def _failure(self, status: int) -> BaseException:
        last = self._library.text(SYMBOL_LAST_ERROR)
        return error_channel().take(last or f"{self.name} failed with status {status}")

    def _in_order(
        self, arrays: Sequence[object], named: Mapping[str, object]
    ) -> tuple[object, ...]:
        names = self._names
        if not arrays and len(named) == len(names) and all(name in named for name in names):
            return tuple([named[name] for name in names])
        return in_order(names, arrays, named, self.name, self.manifest.signature)


def _picked(outputs: Sequence[NDArray], form: Form) -> Output:
    if isinstance(form, tuple):
        return [outputs[position] for position in form]
    return None if form is None else outputs[form]

"""Modules whose code is a Python function, such as those of the reference interpreter."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from math import prod
from typing import TypeAlias

import numpy as np

from ..abi.constants import (
    SYMBOL_ARENA_BYTES,
    SYMBOL_MAIN,
    SYMBOL_MAIN_ALLOCATING,
    SYMBOL_MAIN_THREADS,
    SYMBOL_OUTPUT_SHAPES,
    AllocateCFunction,
)
from ..abi.ndarray import Array, NDArray, numpy_dtype
from ..call.device_calls import DeviceCalls
from ..errors import ArgumentError
from ..file.manifest import Manifest
from ..measure.profile import Recording
from .loading import LoadedCode, PythonLibrary, no_process_code
from .module import Module

OutputSizes: TypeAlias = Callable[[Sequence[tuple[int, ...]]], Sequence[int]]
"""A function from the shapes of the inputs to the concatenated sizes of all outputs."""
Results: TypeAlias = Callable[[Sequence[Array]], Sequence[Array]]
"""A function from all inputs of a program to all its outputs."""


def load_function(
    run: Callable[[Sequence[Array]], None],
    manifest: Manifest,
    *,
    output_sizes: OutputSizes | None = None,
    results: Results | None = None,
    device_calls: DeviceCalls | None = None,
    recorder: Recording | None = None,
    alive: object = None,
    process_code: Callable[[], bytes] = no_process_code,
) -> LoadedCode:
    """Wrap a Python function as the code of a module.

    run: takes arrays for all inputs, then for all tensors in `Manifest.filled`, and fills the
    latter. output_sizes: takes the shapes of the inputs, and returns the sizes of all outputs;
    needed for symbolic sizes.  results: takes the inputs and returns the outputs; needed if the
    program computes the sizes of outputs from elements.  device_calls: runs calls with arrays of a
    device.  recorder: records times for profiles.  alive: an object that lives as long as the code.
    process_code: as in `LoadedCode`.
    """
    has_results = any(spec.is_data_dependent() for spec in manifest.outputs)

    def with_threads(_threads: int, *tensors: NDArray) -> None:
        run([np.asarray(tensor) for tensor in tensors])

    def allocating(
        _threads: int, allocate: ctypes.c_void_p, context: ctypes.c_void_p, *tensors: NDArray
    ) -> None:
        function = AllocateCFunction(allocate.value or 0)
        inputs = [np.asarray(tensor) for tensor in tensors]

        def memory(number: int, shape: Sequence[int], dtype: str) -> Array:
            address = function(context, number, (ctypes.c_int64 * max(1, len(shape)))(*shape))
            if not address:
                raise MemoryError(f"no memory for output {number} of {manifest.name}")
            kind = numpy_dtype(dtype)
            block = (ctypes.c_char * max(1, prod(shape) * kind.itemsize)).from_address(address)
            return np.ndarray(shape, kind, memoryview(block))

        if has_results:
            assert results is not None, "a program that computes sizes"
            for number, array in enumerate(results(inputs)):
                memory(number, array.shape, array.dtype.name)[...] = array
            return
        shapes = module().filled_shapes([array.shape for array in inputs])
        rows = enumerate(zip(shapes, manifest.filled, strict=True))
        run([*inputs, *(memory(number, shape, spec.dtype) for number, (shape, spec) in rows)])

    def module() -> Module:
        return Module(LoadedCode(library, manifest, 1))

    def main(*arguments: object) -> None:
        module().fill(arguments)

    def output_shapes(*tensors: NDArray) -> None:
        assert output_sizes is not None, "a program of symbolic sizes"
        *inputs, sizes = tensors
        np.asarray(sizes)[...] = output_sizes([tensor.shape for tensor in inputs])

    def arena_bytes(*_inputs: NDArray) -> None:
        raise ArgumentError(
            f"{manifest.name}: the memory of a program that Python runs is not known",
            hint='compile the model for target="cpu"',
        )

    functions = {
        SYMBOL_ARENA_BYTES: arena_bytes,
        SYMBOL_MAIN_ALLOCATING: allocating,
        SYMBOL_MAIN_THREADS: with_threads,
        SYMBOL_MAIN: main,
        SYMBOL_OUTPUT_SHAPES: output_shapes,
    }
    library = PythonLibrary(manifest.name, functions)
    return LoadedCode(
        library, manifest, 1, alive, device_calls=device_calls, recorder=recorder,
        process_code=process_code,
    )  # fmt: skip

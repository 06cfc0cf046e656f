"""Programs that Python runs, such as those of the interpreter, as the code of modules."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

import numpy as np

from .abi import SYMBOL_ARENA_BYTES, SYMBOL_MAIN, SYMBOL_MAIN_THREADS, SYMBOL_OUTPUT_SHAPES
from .errors import ArgumentError
from .loading import LoadedCode, PythonLibrary
from .manifest import Manifest
from .module import Module
from .ndarray import Array, NDArray

OutputSizes: TypeAlias = Callable[[Sequence[tuple[int, ...]]], Sequence[int]]
"""Returns the sizes of all outputs, one after the other, for the shapes of the inputs."""


def load_function(
    run: Callable[[Sequence[Array]], None],
    manifest: Manifest,
    *,
    output_sizes: OutputSizes | None = None,
    alive: object = None,
) -> LoadedCode:
    """Return a Python function as the code of a module.

    run: takes arrays for all inputs, then for all that a call fills, as `Manifest.filled` says.
    output_sizes: for symbolic sizes.
    """

    def with_threads(_threads: int, *tensors: NDArray) -> None:
        run([np.asarray(tensor) for tensor in tensors])

    def main(*arguments: object) -> None:
        Module(library, manifest, threads=1).fill(arguments)

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
        SYMBOL_MAIN_THREADS: with_threads,
        SYMBOL_MAIN: main,
        SYMBOL_OUTPUT_SHAPES: output_shapes,
    }
    library = PythonLibrary(manifest.name, functions)
    return LoadedCode(library, manifest, 1, alive)

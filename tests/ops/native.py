"""What a worker process does for test_native.py: compile the text of a graph, run it guarded."""

from __future__ import annotations

from typing import Any

import numpy as np
from xdsl.parser import Parser

from tilewright.dialects.weights import load_weights
from tilewright.driver.compile import CompiledModule, compile_module
from tilewright.runtime.ndarray import numpy_dtype
from tilewright.support.registry import new_context
from tilewright.testing.guard import guarded, guarded_empty

Array = np.ndarray[Any, np.dtype[Any]]
GARBAGE = 0xA5


def build(text: str, weights: str, target: str) -> CompiledModule:
    """Compile a module of graph ops; its large constants are in the file ``weights``."""
    alive = load_weights(weights)
    module = Parser(new_context(), text).parse_module()
    compiled = compile_module(module, target=target)
    del alive
    return compiled


def compiles(text: str, weights: str, target: str) -> tuple[str, ...]:
    """Compile only; return the names of the kernels."""
    return tuple(kernel.name for kernel in build(text, weights, target).kernels)


def run(text: str, weights: str, target: str, arrays: tuple[Array, ...]) -> list[list[Array]]:
    """Compile and run; return the results with the arrays before, then behind a guard page.

    Outputs hold garbage first; the inputs must come out as they went in.
    """
    compiled = build(text, weights, target)
    return [_run(compiled, arrays, at_start=at_start) for at_start in (True, False)]


def _run(compiled: CompiledModule, arrays: tuple[Array, ...], *, at_start: bool) -> list[Array]:
    inputs = [guarded(array, at_start=at_start) for array in arrays]
    outputs = [
        guarded_empty(spec.shape, numpy_dtype(spec.dtype), at_start=at_start)
        for spec in compiled.manifest.filled
    ]
    for out in outputs:
        out.reshape(-1).view(np.uint8)[...] = GARBAGE
    compiled(*inputs, *outputs)
    for given, array in zip(inputs, arrays, strict=True):
        # As bytes: numpy finds no two NaN equal in types that are not its own.
        assert given.tobytes() == array.tobytes(), "an input was written"
    return [np.array(out) for out in compiled.valid_parts(outputs)]

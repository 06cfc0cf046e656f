"""The worker process of converter tests: compile an ONNX model, run it on guarded memory."""

from __future__ import annotations

from typing import Any

import numpy as np

import tilewright
from tilewright.testing.guard import guarded

Array = np.ndarray[Any, np.dtype[Any]]


def run(model: bytes, arrays: tuple[Array, ...]) -> list[Array]:
    """Compile a model and run it on arrays that end at a guard page."""
    compiled = tilewright.compile(model)
    results = compiled(*(guarded(array, at_start=False) for array in arrays))
    results = results if isinstance(results, tuple | list) else [results]
    return [np.array(np.asarray(result)) for result in results]


def run_unchecked(model: bytes, arrays: tuple[Array, ...]) -> list[Array]:
    """Compile a model without checks of indices, run it on arrays that end at a guard page."""
    compiled = tilewright.compile(model, unchecked_indices=True)
    results = compiled(*(guarded(array, at_start=False) for array in arrays))
    return [np.array(np.asarray(results))]


def kernels(model: bytes) -> list[tuple[str, ...]]:
    """Compile a model; return the computes of each kernel."""
    return [kernel.ops for kernel in tilewright.compile(model).kernels]

"""The worker process of tests with tvm_ffi: run an exported library in another host."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import tvm_ffi


def run(
    path: str, arrays: Sequence[np.ndarray], filled: Sequence[tuple[str, int]], tensors: str
) -> list[np.ndarray]:
    """Load a library, compute the sizes of what a call fills, and call it.

    filled: dtype and rank of each tensor that a call fills.  tensors: "numpy", or the library
    whose tensors share the memory of the arrays.  Return the filled arrays.
    """
    module = tvm_ffi.load_module(path)
    as_tensor: Callable[[np.ndarray], Any] = (
        np.asarray if tensors == "numpy" else importlib.import_module(tensors).from_numpy
    )
    inputs, sizes = [as_tensor(x) for x in arrays], np.zeros(sum(n for _, n in filled), np.int64)
    module["main_output_shapes"](*inputs, as_tensor(sizes))
    shapes = np.split(sizes, np.cumsum([rank for _, rank in filled])[:-1])
    outputs = [
        np.zeros(shape.tolist(), dtype) for shape, (dtype, _) in zip(shapes, filled, strict=True)
    ]
    module["default"](*inputs, *map(as_tensor, outputs))
    return outputs


def call(path: str, arrays: Sequence[np.ndarray], filled: Sequence[np.ndarray]) -> list[np.ndarray]:
    """Load a library and call it on numpy arrays."""
    tvm_ffi.load_module(path)["main"](*arrays, *filled)
    return list(filled)


def exports(path: str, name: str) -> bool:
    """Return whether the host finds a function."""
    return bool(tvm_ffi.load_module(path).implements_function(name))


def both(path: str, x: np.ndarray) -> np.ndarray:
    """Load a library with both loaders, and provoke an error with a native traceback."""
    from tilewright.runtime import load_module

    module = load_module(path)
    try:
        tvm_ffi.load_module("/does/not/exist.so")
    except RuntimeError:
        return np.array(module(x))
    raise AssertionError("the library does not exist")


def decode(path: str, steps: Sequence[np.ndarray]) -> list[np.ndarray]:
    """Run the steps of hosts/decodes.c in sessions of a library."""
    module, results = tvm_ffi.load_module(path), list[np.ndarray]()
    sessions = [module["session"]()]
    changes = {
        -1: lambda: module["session_reset"](sessions[-1]),
        -2: lambda: sessions.append(module["session_fork"](sessions[-1])),
        -3: sessions.pop,
    }
    for step in steps:
        session = sessions[-1]
        if step.ndim > 1:
            sizes = np.full(8, -1)
            module["session_output_shapes"](session, step, sizes)
            results.append(np.zeros(sizes[sizes >= 0], np.float32))
            session(step, results[-1])
        elif int(step[0]) in changes:
            changes[int(step[0])]()
        else:
            module["session_rewind"](session, int(step[0]))
    return results

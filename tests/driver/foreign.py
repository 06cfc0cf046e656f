"""The worker process of test_tvm_ffi.py: run an exported library in another host."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import tvm_ffi


def run(path: str, arrays: Sequence[np.ndarray], filled: Sequence[np.ndarray]) -> list[np.ndarray]:
    """Load a library and call it on numpy arrays."""
    tvm_ffi.load_module(path)["main"](*arrays, *filled)
    return list(filled)


def run_torch(
    path: str, arrays: Sequence[np.ndarray], filled: Sequence[np.ndarray]
) -> list[np.ndarray]:
    """Load a library and call it on tensors of torch."""
    import torch

    function = tvm_ffi.load_module(path)["default"]
    outputs = [torch.from_numpy(array) for array in filled]
    function(*(torch.from_numpy(array) for array in arrays), *outputs)
    return [tensor.numpy() for tensor in outputs]


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


def run_sized(path: str, arrays: Sequence[np.ndarray]) -> list[np.ndarray]:
    """Load a library, make outputs of the sizes that it computes, call it, and cut the outputs."""
    from tilewright.runtime import load_module

    module, known = tvm_ffi.load_module(path), load_module(path)
    specs = known.manifest.filled
    sizes = np.zeros(sum(len(spec.shape) for spec in specs), np.int64)
    module["main_output_shapes"](*arrays, sizes)
    ends = np.cumsum([len(spec.shape) for spec in specs])
    shapes = np.split(sizes, ends)
    filled = [
        np.zeros(shape.tolist(), spec.dtype) for shape, spec in zip(shapes, specs, strict=False)
    ]
    module["main"](*arrays, *filled)
    return [np.array(part) for part in known.valid_parts(filled)]


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

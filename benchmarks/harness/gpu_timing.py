"""Times on the GPU at hand, by events: ours, torch, torch.compile and onnxruntime.

In: a model with its arrays. Out: seconds per call of each system that is installed with support for
the GPU; the arguments are in its memory, and nothing is copied. Systems run by turns.
"""

from __future__ import annotations

import importlib.util
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

import tilewright
from tilewright import nd
from tilewright.runtime.device.kernels import kernel_api

CALLS, ROUNDS = 20, 7

Measure = Callable[[], float]
"""Returns the seconds of a call, over some calls."""


def ours(mod: Any, arrays: Sequence[np.ndarray[Any, Any]], kind: str) -> Measure:
    """Return a function that measures a module, with arrays on the first device of a kind."""
    place = tilewright.device(kind)
    given, api = [nd.array(array, place) for array in arrays], kernel_api(place)

    def measure() -> float:
        mod(*given)
        first = api.record(place.index)
        for _ in range(CALLS):
            mod(*given)
        last = api.record(place.index)
        return api.take_times(place.index, [first, last])[0] / CALLS

    return measure


def torch_functions() -> Mapping[str, Callable[..., Any]]:
    """Return the functions of torch by the names in gpu_cases.py."""
    import torch
    import torch.nn.functional as f

    return {
        "matmul": torch.matmul,
        "conv": lambda x, w: f.conv2d(x, w, padding=w.shape[-1] // 2),
        "attention": f.scaled_dot_product_attention,
        "softmax": lambda x: f.softmax(x, -1),
        "layernorm": lambda x, g, b: f.layer_norm(x, g.shape, g, b),
        "gelu": f.gelu,
    }


def of_torch(function: Callable[..., Any], arrays: Sequence[np.ndarray[Any, Any]]) -> Measure:
    """Return a function that measures a function of torch on its CUDA device."""
    import torch

    given = [torch.from_dlpack(nd.array(a, tilewright.device("cuda"))) for a in arrays]

    def measure() -> float:
        function(*given)
        first, last = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        first.record()
        for _ in range(CALLS):
            function(*given)
        last.record()
        torch.cuda.synchronize()
        return 1e-3 * first.elapsed_time(last) / CALLS

    return measure


def of_onnxruntime(model: Path, arrays: Sequence[np.ndarray[Any, Any]]) -> Measure:
    """Return a function that measures onnxruntime on CUDA; results stay on the GPU."""
    import onnxruntime

    session = onnxruntime.InferenceSession(model, providers=["CUDAExecutionProvider"])
    binding = session.io_binding()
    for given, array in zip(session.get_inputs(), arrays, strict=True):
        value = onnxruntime.OrtValue.ortvalue_from_numpy(array, "cuda", 0)
        binding.bind_ortvalue_input(given.name, value)
    for made in session.get_outputs():
        binding.bind_output(made.name, "cuda")

    def measure() -> float:
        session.run_with_iobinding(binding)
        binding.synchronize_outputs()
        start = time.perf_counter()
        for _ in range(CALLS):
            session.run_with_iobinding(binding)
        binding.synchronize_outputs()
        return (time.perf_counter() - start) / CALLS

    return measure


def peers(
    model: Path, function: str | None, arrays: Sequence[np.ndarray[Any, Any]]
) -> dict[str, Measure]:
    """Return a measuring function for each installed system that supports CUDA, by name.

    function: the name of torch's function, None for a model that torch does not have.
    """
    found: dict[str, Measure] = {}
    if function is not None and importlib.util.find_spec("torch") is not None:
        import torch

        if torch.cuda.is_available():
            called = torch_functions()[function]
            found["torch"] = of_torch(called, arrays)
            found["torch.compile"] = of_torch(torch.compile(called), arrays)
    if importlib.util.find_spec("onnxruntime") is not None:
        import onnxruntime

        has_types = all(array.dtype.isbuiltin == 1 for array in arrays)
        if has_types and "CUDAExecutionProvider" in onnxruntime.get_available_providers():
            found["onnxruntime"] = of_onnxruntime(model, arrays)
    return found


def least(systems: Mapping[str, Measure]) -> dict[str, float]:
    """Measure systems by turns in several rounds; return the least seconds of each."""
    times: dict[str, list[float]] = {name: [] for name in systems}
    for _ in range(ROUNDS):
        for name, measure in systems.items():
            times[name].append(measure())
    return {name: min(found) for name, found in times.items()}


__all__ = ["least", "ours", "peers"]

"""The work of the cases of a device bundle in torch, and its times. The bundle holds this file.

    measure(case.peer, inputs, dtypes)    microseconds: eager calls, a CUDA graph, a cold cache

TF32 is used only for cases in tf32. Networks are those of `zoo/`, which the bundle holds, too.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

ROUNDS, ROUND_US, MOST_CALLS = 5, 1000, 100


def _convolution(groups: str, stride: str) -> Callable[..., Tensor]:
    return lambda x, w: functional.conv2d(
        x, w, padding=w.shape[-1] // 2, groups=int(groups), stride=int(stride)
    )


def _attention(causal: str) -> Callable[..., Tensor]:
    def attention(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
        is_shared = q.shape[1] != k.shape[1]
        return functional.scaled_dot_product_attention(
            q, k, v, is_causal=causal == "1", enable_gqa=is_shared
        )

    return attention


FUNCTIONS: Mapping[str, Callable[..., Callable[..., Tensor]]] = {
    "matmul": lambda: torch.matmul,
    "integer_matmul": lambda: torch._int_mm,
    "conv": _convolution,
    "attention": _attention,
    "softmax": lambda: lambda x: functional.softmax(x, -1),
    "layer_norm": lambda: lambda x, g, b: functional.layer_norm(x, g.shape, g, b),
    "rms_norm": lambda: lambda x, g: functional.rms_norm(x, g.shape, g, 1e-5),
    "gelu": lambda: functional.gelu,
    "add": lambda: torch.add,
    "sum": lambda *axis: lambda x: x.sum(*map(int, axis)),
    "transpose": lambda: lambda x: x.t().contiguous(),
    "gather": lambda: lambda x, i: x[i],
}


def function_of(peer: Mapping[str, Any]) -> Callable[..., Any]:
    """Return the function of a case: an operator, or a network in its element type."""
    if "operator" in peer:
        name, *options = peer["operator"].split()
        return FUNCTIONS[name](*options)
    from zoo.networks import NETWORKS

    dtype = {"f16": torch.float16, "bf16": torch.bfloat16}.get(peer["dtype"], torch.float32)
    # The weights are others than ours, which takes the same time.
    with torch.device("cuda"):
        return NETWORKS[peer["network"]].module().to(dtype).eval()


def on_device(inputs: Mapping[str, np.ndarray], dtypes: Mapping[str, str]) -> list[Tensor]:
    """Return inputs, as a device stores them, as tensors."""
    made: list[Tensor] = []
    for name, array in inputs.items():
        is_bf16 = dtypes[name] == "bfloat16"
        tensor = torch.from_numpy(array.view(np.int16) if is_bf16 else array).cuda()
        made.append(tensor.view(torch.bfloat16) if is_bf16 else tensor)
    return made


def _time_us(run: Callable[[], object], cache: Tensor | None = None) -> float:
    first, last = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    if cache is not None:
        cache.zero_()
    first.record()
    run()
    last.record()
    last.synchronize()
    return 1e3 * first.elapsed_time(last)


def _graph(run: Callable[[], object]) -> Callable[[], object]:
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        run()
    return graph.replay


def is_available() -> bool:
    """Return whether torch can use a GPU."""
    return torch.cuda.is_available()


def measure(
    peer: Mapping[str, Any], inputs: Mapping[str, np.ndarray], dtypes: Mapping[str, str]
) -> dict[str, float]:
    """Return the microseconds of a call, as `measure` of device_case.py does for ours.

    eager: calls one after the other.  graph: the same calls in a CUDA graph.  cold: one call in a
    graph, after the cache was flushed.
    """
    torch.backends.cuda.matmul.allow_tf32 = peer["dtype"] == "tf32"
    torch.backends.cudnn.allow_tf32 = peer["dtype"] == "tf32"
    torch.backends.cudnn.benchmark = True
    function, tensors = function_of(peer), on_device(inputs, dtypes)

    def calls(count: int) -> None:
        for _ in range(count):
            function(*tensors)

    with torch.no_grad():
        for _ in range(3):
            calls(1)
        once_us = min(_time_us(lambda: calls(1)) for _ in range(3))
        count = max(1, min(MOST_CALLS, round(ROUND_US / once_us)))
        one, many = _graph(lambda: calls(1)), _graph(lambda: calls(count))
        many()
        cache_bytes = 4 * torch.cuda.get_device_properties(0).L2_cache_size
        cache = torch.empty(cache_bytes, dtype=torch.uint8, device="cuda")
        return {
            "eager": min(_time_us(lambda: calls(count)) for _ in range(ROUNDS)) / count,
            "graph": min(_time_us(many) for _ in range(ROUNDS)) / count,
            "cold": statistics.median(_time_us(one, cache) for _ in range(ROUNDS)),
        }

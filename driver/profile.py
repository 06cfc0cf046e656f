"""Times of single kernels: each runs alone, over and over, on random data.

In: the kernels of a compiled model.  Out: seconds per call, with the model's call counts.  The
loop over tasks is the thread pool's own, so a call costs what it costs inside a model; arguments
are warm, as the previous call left them.
"""

from __future__ import annotations

import ctypes
import time
from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import Protocol, cast

import numpy as np
from xdsl.dialects.builtin import MemRefType, ModuleOp
from xdsl.dialects.func import FuncOp

from ..analysis.cost import kernel_flops
from ..codegen.linker import link
from ..codegen.llvm import Machine
from ..dialects.dtypes import numpy_dtype
from ..dialects.te import kernels_of
from ..frontend.onnx.importer import import_model
from ..lowering.loop_to_llvm import KernelInfo, emit_kernel, kernel_info
from ..runtime.library import Library
from ..runtime.threads import ThreadPool, process_pool
from ..support.cache import user_cache
from ..support.registry import new_context
from ..support.target import Target
from .compile import cached_object, pool_object
from .pipeline import run_pipeline

_ALIGNMENT_BYTES = 64


@dataclass(frozen=True)
class KernelTime:
    """Seconds per call of one kernel: the best and the middle of all rounds."""

    name: str
    min_s: float
    median_s: float


class KernelRunner:
    """One kernel with arguments of its own, ready to be called."""

    def __init__(
        self, function: FuncOp, info: KernelInfo, code: Library, pool: ThreadPool, flops: int
    ) -> None:
        self.name, self.flops = info.name, flops
        types = [cast(MemRefType, a.type) for a in function.body.block.args]
        rng = np.random.default_rng(0)
        self._arrays = [_random_buffer(t, rng) for t in types]
        self._arrays.append(np.zeros(info.workspace_bytes + _ALIGNMENT_BYTES, np.uint8))
        addresses = [a.ctypes.data for a in self._arrays]
        addresses[-1] += -addresses[-1] % _ALIGNMENT_BYTES
        self._arguments = (ctypes.c_void_p * len(addresses))(*addresses)
        run = ctypes.CFUNCTYPE(
            ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int32
        )(pool.run_address)
        self._alive = (code, pool)
        entry, tasks = code.address(info.name), info.tasks
        self._call = lambda: run(entry, ctypes.addressof(self._arguments), tasks, 1)

    def __call__(self) -> None:
        """Run the kernel once, on one thread."""
        self._call()


def _random_buffer(type_: MemRefType, rng: np.random.Generator) -> np.ndarray:
    dtype = numpy_dtype(type_.get_element_type())
    count = prod(type_.get_shape())
    raw = np.zeros(count * dtype.itemsize + _ALIGNMENT_BYTES, np.uint8)
    start = -raw.ctypes.data % _ALIGNMENT_BYTES
    buffer = raw[start : start + count * dtype.itemsize].view(dtype)
    if dtype.kind == "f":
        buffer[:] = rng.standard_normal(count)
    return buffer


class Timed(Protocol):
    """Something with a name that can be called over and over."""

    name: str

    def __call__(self) -> None:
        """Do the work once."""
        ...


def time_kernels(
    runners: Sequence[Timed], *, rounds: int = 7, window_s: float = 0.005
) -> list[KernelTime]:
    """Time kernels (and what they are compared with) by turns, in windows of ``window_s``."""
    repeats = {r.name: max(1, int(window_s / _seconds(r, 1))) for r in runners}
    found: dict[str, list[float]] = {r.name: [] for r in runners}
    for _ in range(rounds):
        for runner in runners:
            found[runner.name].append(_seconds(runner, repeats[runner.name]))
    return [KernelTime(n, min(times), float(np.median(times))) for n, times in found.items()]


def _seconds(runner: Timed, repeats: int) -> float:
    start = time.perf_counter()
    for _ in range(repeats):
        runner()
    return (time.perf_counter() - start) / repeats


def kernel_runners(model: object, target: Target | None = None) -> list[KernelRunner]:
    """Compile a model and return its kernels, each ready to be timed."""
    chosen = target or Target.host()
    machine = Machine(chosen.triple, chosen.cpu, chosen.attribute_string)
    cache = user_cache()
    module = import_model(model)  # pyright: ignore[reportArgumentType]
    costs: dict[str, int] = {}

    def observe(pass_name: str, at: ModuleOp) -> None:
        if pass_name == "te-deduplicate":
            costs.update({k.label: kernel_flops(k) for k in kernels_of(at)})

    run_pipeline(module, new_context(), chosen, observe=observe)
    functions = [o for o in module.ops if isinstance(o, FuncOp) and o.sym_name.data != "main"]
    infos = [kernel_info(f) for f in functions]
    texts = [emit_kernel(f, chosen) for f in functions]
    objects = [cached_object(text, machine, cache).data for text in texts]
    code = Library(link(objects, exports=[i.name for i in infos]))
    pool = process_pool(lambda: pool_object(chosen, cache))
    return [
        KernelRunner(f, i, code, pool, costs[i.name]) for f, i in zip(functions, infos, strict=True)
    ]

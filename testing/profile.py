"""A profile of a model: the time of each kernel, measured in its place in the run.

In: a model and inputs.  Out: seconds of every kernel.  The interpreter runs the host program and
calls machine code in order on one arena, so that the caches hold a kernel's arguments, or do not,
as in the compiled model. Only the calls are timed.
"""

from __future__ import annotations

import ctypes
import statistics
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

import numpy as np

from ..dialects.packed import CallOp
from ..driver.extension import Extension
from ..driver.module.kernels import KernelCode, compile_kernels
from ..interp import packed
from ..interp.sizes import number_of
from ..machines.target import Target
from ..runtime.abi.library import Library
from ..support.locations import node_names
from ..targets.backend import KernelRecord
from .kernel_calls import KernelCalls, pool_run

Array = np.ndarray[Any, Any]


@dataclass(frozen=True)
class KernelTimes:
    """A kernel, and the seconds of its calls in one run of the model.

    times_s: for each call in a run, the median of its seconds in several runs.
    moved_bytes: total size of the buffers of one call, each buffer counted once.  shapes: shapes of
    these buffers.  nodes: the different locations of the calls: names of ONNX nodes, if the nodes
    have names.
    """

    record: KernelRecord
    times_s: tuple[float, ...]
    moved_bytes: int
    shapes: tuple[tuple[int, ...], ...]
    nodes: tuple[str, ...]

    @property
    def name(self) -> str:
        """Return the kernel's name."""
        return self.record.name

    @property
    def total_s(self) -> float:
        """Return the seconds of all calls of one run."""
        return sum(self.times_s)

    @property
    def speed(self) -> float:
        """Return the scalar operations per second; a multiply-add counts as two."""
        return self.record.flops * len(self.times_s) / self.total_s

    @property
    def bandwidth(self) -> float:
        """Return the bytes per second that the kernel moves if it moves every buffer once."""
        return self.moved_bytes * len(self.times_s) / self.total_s


class Replay:
    """A model whose kernels are called one by one.

    Each call of this object runs the model once; `profile` returns the times of these runs.
    """

    def __init__(
        self,
        code: KernelCode,
        inputs: Sequence[Array],
        *,
        triple: str,
        threads: int = 1,
    ) -> None:
        """Prepare the calls of kernels.

        code: the compiled kernels, and the host program that calls them.  inputs: the inputs of the
        model, in order.  triple: the LLVM triple of the target.  threads: the number of threads
        that run the tasks of a kernel.
        """
        self._code, self._inputs, self._threads = code, inputs, threads
        self._run = pool_run(triple)
        self._calls = KernelCalls(self._code, threads)
        self._names: list[str] = []
        # The locations of the calls, by kernel: each once, in order.
        self._nodes: dict[str, dict[str, None]] = {}
        # The buffers of the last call, by kernel.
        self._buffers: dict[str, Sequence[Array]] = {}
        self._times: list[list[float]] = []

    @classmethod
    def of_model(
        cls,
        model: Any,
        inputs: Sequence[Array],
        *,
        target: Target | None = None,
        threads: int = 1,
        extensions: tuple[Extension, ...] = (),
    ) -> Self:
        """Compile the kernels of a model, and prepare their calls.

        model: an ONNX model, its bytes or its file, as for `tilewright.compile`.  inputs: the
        inputs of the model, in order.
        target: the machine to compile for; None is this machine.  threads: the number of threads
        that run the tasks of a kernel.  extensions: converters, passes, dialects and backends of
        other packages.
        """
        chosen = target or Target.native()
        code = compile_kernels(model, target=chosen, extensions=extensions)
        return cls(code, inputs, triple=chosen.triple, threads=threads)

    @cached_property
    def _library(self) -> Library:
        return Library(self._code.code)

    def __call__(self) -> tuple[Array, ...]:
        self._times.append([])
        self._names = []
        return packed.run(self._code.module, *self._inputs, call=self._call)

    def _call(self, op: CallOp, _: packed.Kernel, arrays: Sequence[Array]) -> None:
        info = self._code.infos[op.kernel_name]
        addresses = [array.ctypes.data for array in self._calls.arguments(op, arrays)]
        arguments = (ctypes.c_void_p * len(addresses))(*addresses)
        entry, given = self._library.address(info.symbol), ctypes.addressof(arguments)
        tasks = number_of(info.tasks_with(op.sizes))
        start_s = time.perf_counter()
        status = self._run(entry, given, tasks, self._threads)
        self._times[-1].append(time.perf_counter() - start_s)
        assert status == 0, f"{info.name} returned {status}"
        self._names.append(info.name)
        self._nodes.setdefault(info.name, {}).update(dict.fromkeys(node_names(op.location)))
        self._buffers[info.name] = arrays

    def profile(self, *, last: int = 0) -> list[KernelTimes]:
        """Return the median times of the kernels in all runs, in the order of their first calls.

        The first run is left out, unless there is only one.
        last: use only this many of the last runs; 0 uses all.
        """
        runs = (self._times[1:] or self._times)[-last:]
        medians = [statistics.median(times) for times in zip(*runs, strict=True)]
        by_name: dict[str, list[float]] = {}
        for name, time_s in zip(self._names, medians, strict=True):
            by_name.setdefault(name, []).append(time_s)
        records = {record.name: record for record in self._code.records}
        return [
            KernelTimes(
                records[name],
                tuple(times),
                sum(x.nbytes for x in self._buffers[name]),
                tuple(x.shape for x in self._buffers[name]),
                tuple(self._nodes[name]),
            )
            for name, times in by_name.items()
        ]

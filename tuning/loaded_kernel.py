"""A compiled schedule of one kernel, loaded into this process, with the arguments of its calls.

In: a `Job` and the text of a schedule.  Out: a program to call, and its results.
"""

from __future__ import annotations

import ctypes
import time
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..dialects.packed import CallOp
from ..dialects.results import RESULT_DTYPES
from ..driver.module.kernels import KernelCode
from ..interp import packed
from ..interp.memory import aligned_bytes, poison
from ..interp.signature import recorded_dtypes
from ..interp.sizes import number_of
from ..runtime.abi.library import Library
from ..support.entry import entry_of
from ..testing.kernel_calls import KernelCalls, is_constant, pool_run
from .job import Job
from .kernel_program import kernel_program, kernel_request, random_buffer

Array = np.ndarray[Any, Any]

MOST_COPIES = 512
MOST_ROTATED_BYTES = 64 << 20
"""Most memory that the copies of weights take."""


class LoadedKernel:
    """A compiled schedule of a kernel, loaded into this process, with the arguments of its calls.

    job: the measurement, which has the kernel, the target and the sizes of weights.
    schedule: the text of the schedule.
    code: the shared object of the kernel.
    """

    def __init__(self, job: Job, schedule: str) -> None:
        module = kernel_program(job.kernel, schedule)
        request = kernel_request(module, job.target)
        code = KernelCode.of(request)
        self.code = code.code
        self._library = Library(code.code)
        self._run = pool_run(request.settings.target.triple)
        self._threads = job.threads
        main = entry_of(code.module)
        rng = np.random.default_rng(1)
        self._arrays = [_aligned(random_buffer(arg.type, rng)) for arg in main.args]
        self._outputs = self._arrays[-len(recorded_dtypes(main, RESULT_DTYPES) or ()) :]
        self._calls = _Calls(code, job)
        packed.run_on(code.module, self._arrays, call=self._calls.add)
        self._sets = self._calls.sets()
        self._entries = [self._library.address(symbol) for symbol in self._calls.symbols]
        self._next = 0

    def results(self) -> list[Array]:
        """Call the kernel with the first copy of the weights; return copies of its outputs."""
        for output in self._outputs:
            poison(output)
        self._next = 0
        self.call()
        return [output.copy() for output in self._outputs]

    def call(self) -> float:
        """Call the kernel with the next copy of the weights; return the seconds of the call.

        After the last copy, the first one is used again.
        """
        given = self._sets[self._next]
        self._next = (self._next + 1) % len(self._sets)
        calls = list(zip(self._entries, given, self._calls.tasks, strict=True))
        start_s = time.perf_counter()
        failures = [self._run(*given, self._threads) for given in calls]
        end_s = time.perf_counter()
        assert not any(failures), f"a kernel returned {failures}"
        return end_s - start_s


class _Calls:
    """The kernel calls of a program, in order, with their arguments.

    symbols: for each call, the symbol of its kernel.
    tasks: for each call, the number of its tasks.
    """

    def __init__(self, code: KernelCode, job: Job) -> None:
        self._code, self._job = code, job
        self._given = KernelCalls(code, job.threads)
        self._arguments: list[tuple[list[Array], frozenset[int]]] = []
        self._alive: list[object] = []
        self.symbols: list[str] = []
        self.tasks: list[int] = []

    def add(self, op: CallOp, _: packed.Kernel, arrays: Sequence[Array]) -> None:
        """Record one kernel call of the program, and its arguments ``arrays``."""
        info = self._code.infos[op.kernel_name]
        weights = frozenset(n for n, value in enumerate(op.arguments) if is_constant(value))
        self._arguments.append((self._given.arguments(op, arrays), weights))
        self.symbols.append(info.symbol)
        self.tasks.append(number_of(info.tasks_with(op.sizes)))

    def sets(self) -> list[list[int]]:
        """Copy the weights several times; return for each copy the argument addresses of all calls.

        The argument address of a call is the address of an array of pointers to its arguments. The
        copies together have about as many bytes as the job demands, so that a call finds no weights
        in the caches.
        """
        weights = {id(given[n]): given[n] for given, numbers in self._arguments for n in numbers}
        size = sum(array.nbytes for array in weights.values())
        most = min(self._job.rotated_bytes, MOST_ROTATED_BYTES)
        copies = max(1, min(MOST_COPIES, most // size)) if size else 1
        made: list[list[int]] = []
        for number in range(copies):
            own = {key: _aligned(x) if number else x for key, x in weights.items()}
            self._alive.append(own)
            made.append([self._pointers(given, own) for given, _ in self._arguments])
        return made

    def _pointers(self, given: Sequence[Array], own: dict[int, Array]) -> int:
        addresses = [own.get(id(array), array).ctypes.data for array in given]
        pointers = (ctypes.c_void_p * len(addresses))(*addresses)
        self._alive.append(pointers)
        return ctypes.addressof(pointers)


def _aligned(array: Array) -> Array:
    copy = aligned_bytes(array.nbytes).view(array.dtype).reshape(array.shape)
    copy[...] = array
    return copy

"""A backend as a package of its own: models run on simulated devices, as kernels of the simt level.

    simulated_backend.register()
    mod = tilewright.compile(model, target="simulated", extensions=[simulated_backend.EXTENSION])
    y = mod(x)

Devices (simulated_device.py) have an address space and a queue. Their code is the text of kernels
of the simt level, their processor the interpreter of that level, which reports races of threads.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from itertools import count, pairwise

from simulated_device import SimulatedDevices
from xdsl.dialects.builtin import StringAttr
from xdsl.dialects.func import FuncOp
from xdsl.parser import Parser

import tilewright
from tilewright.dialects.dtypes import numpy_dtype
from tilewright.dialects.shape import size_parameters
from tilewright.dialects.sizes import bound_kernel
from tilewright.interp.simt import run_kernel
from tilewright.runtime.kernels import Argument, KernelAPI, Launch
from tilewright.support.registry import new_context
from tilewright.targets.gpu.backend import GpuBackend
from tilewright.targets.gpu.emission import GpuEmitter, Kernels

NAME, NUMBER = "simulated", 13  # DLPack's number of the kind: any that is not taken


class SimulatedProcessors(SimulatedDevices, KernelAPI):
    """Simulated devices that run kernels: one launch after the other, in their queues."""

    def __init__(self) -> None:
        super().__init__()
        self._numbers = count(1)
        self._programs: dict[int, dict[str, int]] = {}
        self._kernels: dict[int, FuncOp] = {}
        self._events: dict[int, float] = {}

    def load(self, index: int, code: bytes) -> int:
        """Return a program: the kernels of a text, by symbol."""
        module = Parser(new_context(), code.decode()).parse_module()
        made = {function.sym_name.data: next(self._numbers) for function in module.ops}
        self._kernels.update(zip(made.values(), module.ops, strict=True))
        self._programs[program := next(self._numbers)] = made
        return program

    def unload(self, index: int, program: int) -> None:
        """Forget a program after the work that is queued."""
        kernels = self._programs.pop(program).values()
        self.queues[index].add(lambda: [self._kernels.pop(kernel) for kernel in kernels])

    def kernel(self, index: int, program: int, name: str) -> int:
        """Return a kernel of a program."""
        return self._programs[program][name]

    def count_parameters(self, index: int, kernel: int) -> int:
        """Return the number of buffers and sizes that a kernel takes."""
        function = self._kernels[kernel]
        return len([*function.body.block.args, *size_parameters(function)])

    def record(self, index: int) -> int:
        """Queue a look at the clock."""
        event = next(self._numbers)
        self.queues[index].add(lambda: self._events.update({event: time.perf_counter()}))
        return event

    def take_times(self, index: int, events: Sequence[int]) -> list[float]:
        """Wait for the queue; return the seconds between events."""
        self.sync(index)
        return [last - first for first, last in pairwise([self._events.pop(e) for e in events])]

    def launch(self, index: int, kernel: int, size: Launch, arguments: Sequence[Argument]) -> None:
        """Queue a launch; the sizes of a kernel are its last arguments."""
        function, values = self._kernels[kernel], [argument.value for argument in arguments]
        sizes = values[len(function.body.block.args) :]
        bound = bound_kernel(function, dict(zip(size_parameters(function), sizes, strict=True)))

        def run() -> None:
            types = [argument.type for argument in bound.body.block.args]
            dtypes = [numpy_dtype(type_.element_type) for type_ in types]
            places = zip(values, [type_.get_shape() for type_ in types], dtypes, strict=False)
            run_kernel(bound, *(self.memories[index].array(*place) for place in places))

        self.queues[index].add(run)


class SimulatedEmitter(GpuEmitter):
    """Kernels of the simt level as text, each under its symbol."""

    printed = NAME

    def print_kernels(self, kernels: Kernels, kind: str) -> str:
        copies = [(symbol, function.clone()) for symbol, function in kernels]
        for symbol, function in copies:
            function.sym_name = StringAttr(symbol)
        return "\n".join(str(function) for _, function in copies)


class SimulatedBackend(GpuBackend):
    """The stages of GPUs, and texts of the simt level as code."""

    kind = NAME
    options = ("max-threads", "shared-kib")
    emitter = SimulatedEmitter
    listings = (NAME,)
    exports = ()


def register() -> tilewright.Device:
    """Register the kind of device in this process; return its first device."""
    tilewright.register_device(NAME, SimulatedProcessors(), kind=NUMBER)
    return tilewright.device(NAME)


EXTENSION = tilewright.Extension(backends=[SimulatedBackend()])

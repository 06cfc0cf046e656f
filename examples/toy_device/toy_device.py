"""A device in a separate package: after `pip install` of the package, the target "toy" exists.

    mod = tilewright.compile(model, target="toy")
    y = mod(tilewright.nd.array(x, tilewright.device("toy")))

The host cannot read the addresses of its memory; its processor runs kernels of the level simt.
"""

from __future__ import annotations

import threading
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from math import prod

import numpy as np
from xdsl.dialects.builtin import MemRefType
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute
from xdsl.parser import Parser

from tilewright.dialects.dtypes import numpy_dtype
from tilewright.dialects.shape import size_parameters
from tilewright.dialects.sizes import bound_kernel
from tilewright.interp.simt import run_kernel
from tilewright.runtime.device.kernels import Launch
from tilewright.runtime.device.queued_devices import Processor, QueuedDevices
from tilewright.runtime.errors import DeviceError
from tilewright.support.registry import new_context
from tilewright.targets.gpu.backend import GpuBackend
from tilewright.targets.gpu.emission import SimtEmitter

POISON = 1 << 62  # no address of a process has this bit, so the host faults if it reads one
ALIGNMENT_BYTES, MEMORY_BYTES = 64, 64 << 20
NEW, FREED = 0xCD, 0xDD


class ToyProcessor(Processor):
    """A device that runs kernels one after the other; its memory is a set of blocks."""

    def __init__(self) -> None:
        self._used_bytes, self._next = 0, POISON
        self._blocks: dict[int, np.ndarray] = {}
        self._lock = threading.Lock()

    def attributes(self) -> Mapping[str, int | str]:
        memory = {"memory_bytes": MEMORY_BYTES, "used_bytes": self._used_bytes}
        return {"name": "toy", "threads": 1, **memory}

    def allocate(self, size_bytes: int) -> int:
        """Return the address of a new block; no address is used twice."""
        with self._lock:
            if self._used_bytes + size_bytes > MEMORY_BYTES:
                raise MemoryError(f"{size_bytes} bytes do not fit in the memory of the device")
            address = self._next
            self._blocks[address] = np.full(size_bytes, NEW, np.uint8)
            self._next += (size_bytes // ALIGNMENT_BYTES + 2) * ALIGNMENT_BYTES
            self._used_bytes += size_bytes
            return address

    def free(self, address: int) -> None:
        with self._lock:
            block = self._blocks.pop(address)
            block[...] = FREED
            self._used_bytes -= block.nbytes

    def _at(self, address: int, size_bytes: int) -> np.ndarray:
        """Return the memory that starts at an address, as bytes."""
        with self._lock:
            starts = list(self._blocks)
            place = bisect_right(starts, address) - 1
            start = starts[place] if place >= 0 else 0
            block = self._blocks.get(start, np.empty(0, np.uint8))
        if address + size_bytes > start + block.nbytes:
            raise DeviceError(f"the device has no {size_bytes} bytes at {address:#x}")
        return block[address - start : address - start + size_bytes]

    def write(self, address: int, data: bytes) -> None:
        self._at(address, len(data))[...] = np.frombuffer(data, np.uint8)

    def read(self, address: int, size_bytes: int) -> bytes:
        return self._at(address, size_bytes).tobytes()

    def load(self, code: bytes) -> Mapping[str, FuncOp]:
        module = Parser(new_context(), code.decode()).parse_module()
        return {op.sym_name.data: op for op in module.ops if isinstance(op, FuncOp)}

    def count_parameters(self, kernel: FuncOp) -> int:
        return len([*kernel.body.block.args, *size_parameters(kernel)])

    def launch(self, kernel: FuncOp, size: Launch, arguments: Sequence[int]) -> None:
        """Run a kernel; the symbolic sizes of a kernel are passed as its last arguments."""
        sizes = arguments[len(kernel.body.block.args) :]
        bound = bound_kernel(kernel, dict(zip(size_parameters(kernel), sizes, strict=True)))
        assert isinstance(bound, FuncOp), "a kernel stays a function"
        buffers = zip(arguments, bound.body.block.args, strict=False)
        run_kernel(bound, *(self._array(address, arg.type) for address, arg in buffers))

    def _array(self, address: int, type_: Attribute) -> np.ndarray:
        assert isinstance(type_, MemRefType), "kernels have buffers"
        shape, dtype = type_.get_shape(), numpy_dtype(type_.element_type)
        return self._at(address, prod(shape) * dtype.itemsize).view(dtype).reshape(shape)


class ToyDevices(QueuedDevices):
    """Two devices of the kind "toy"; the entry point of the group tilewright.devices."""

    dlpack_kind = 13

    def __init__(self) -> None:
        super().__init__([ToyProcessor(), ToyProcessor()])


class ToyBackend(GpuBackend):
    """A backend with the pipeline stages of GPUs, which emits kernels as text.

    It is the entry point of the group tilewright.backends.
    """

    kind = "toy"
    options = ("max-threads", "shared-kib")
    emitter = SimtEmitter
    listings = ("kernels",)

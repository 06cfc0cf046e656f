"""The host that is this process: memory, files and modules of one session.

In: the operations of `Host`. Out: their results, by this package's own arrays, modules and devices.
A handle is a key of a table, never an address, and each access to memory is checked against its
size. Modules are loaded from uploaded bytes after a check of all their digests.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import count
from math import prod
from typing import Any, cast

import numpy as np

from ..abi.constants import DTYPE_NAMES, DeviceType, packed_dtype
from ..abi.device import Device
from ..abi.ndarray import Array, DeviceArray, NDArray, address_reader, empty, numpy_dtype
from ..abi.packed import PackedFunc
from ..abi.registry import get_global_func
from ..call.timing import TimeEvaluator
from ..errors import ArgumentError, KernelError, UnknownFunction
from ..measure.profile import TraceTable, steps_of
from ..module.exported import ExportedModule, ProgramSet, load_contents
from .files import SessionFiles
from .host import Host
from .messages import Buffer, RemoteFunction, RemoteTensor, RemoteValue

_MAX_REPEAT, _MAX_NUMBER = 1000, 1 << 40


@dataclass(frozen=True)
class Limits:
    """The limits of a session; exceeding one is an error, but does not end the session.

    memory_bytes: the largest sum of all allocated memory.  file_bytes: the largest sum of all
    uploaded files.  objects: the largest number of handles of each kind.
    """

    memory_bytes: int = 4 << 30
    file_bytes: int = 2 << 30
    objects: int = 4096


@dataclass(frozen=True)
class _Found:
    """A function of which the client has a handle.

    function: the function itself.  module: the module to which it belongs; None for a global
    function. is_main: whether it is the main function of that module.
    """

    function: Callable[..., Any]
    module: ExportedModule | None = None
    is_main: bool = False


class _HostedObjects:
    """The objects of one kind (memory, modules or functions) that the client uses, by handle.

    most: the largest number of objects.  numbers: an iterator of unused handles, which all kinds
    share.
    """

    def __init__(self, kind: str, most: int, numbers: Iterator[int]) -> None:
        self._kind, self._most, self._numbers = kind, most, numbers
        self._objects: dict[int, Any] = {}

    def add(self, made: object) -> int:
        if len(self._objects) >= self._most:
            raise MemoryError(
                f"a session has more than {self._most} objects of the kind {self._kind}\n"
                "    hint: drop arrays and modules that are not used"
            )
        handle = next(self._numbers)
        self._objects[handle] = made
        return handle

    def get(self, handle: int) -> Any:
        if handle not in self._objects:
            raise UnknownFunction(
                f"the session has no {self._kind} of the handle {handle}",
                hint="use handles of this session that are not freed",
            )
        return self._objects[handle]

    def take(self, handle: int) -> Any:
        found = self.get(handle)
        del self._objects[handle]
        return found


@dataclass
class LocalHost(Host):
    """A session whose memory, files and modules are in this process.

    See `Host` for the operations.
    """

    limits: Limits = field(default_factory=Limits)

    def __post_init__(self) -> None:
        most, numbers = self.limits.objects, count(1)
        self._memory, self._modules, self._functions = (
            _HostedObjects(kind, most, numbers) for kind in ("memory", "module", "function")
        )
        self._files = SessionFiles(self.limits.file_bytes)
        self._used_bytes = 0

    def ping(self) -> None:
        pass

    def allocate(self, kind: int, index: int, size: int) -> int:
        if self._used_bytes + size > self.limits.memory_bytes:
            raise MemoryError(
                f"the session would use {self._used_bytes + size} bytes of memory\n"
                f"    expected: at most {self.limits.memory_bytes}\n"
                "    hint: free arrays, or start the server with more memory"
            )
        handle = self._memory.add(empty((size,), "uint8", Device(kind, index)))
        self._used_bytes += size
        return handle

    def free(self, memory: int) -> None:
        self._used_bytes -= self._memory.take(memory).size

    def write(self, memory: int, offset: int, data: Buffer) -> None:
        source = np.frombuffer(data, np.uint8)
        held = self._part(memory, offset, source.nbytes)
        if isinstance(held, np.ndarray):
            held[...] = source
            return
        api, address = held.device.api, held.address + offset
        api.write(held.device.index, address, _address(source), source.nbytes)

    def read(self, memory: int, offset: int, size: int) -> Buffer:
        """Return bytes of memory: a view of host memory, or a copy of a device's memory."""
        held = self._part(memory, offset, size)
        if isinstance(held, np.ndarray):
            return held.data
        made = np.empty(size, np.uint8)
        held.device.api.read(held.device.index, held.address + offset, _address(made), size)
        return made.data

    def read_into(self, memory: int, offset: int, target: memoryview) -> None:
        target[:] = memoryview(self.read(memory, offset, target.nbytes)).cast("B")

    def copy(
        self, target: int, target_offset: int, source: int, source_offset: int, size: int
    ) -> None:
        into, out = (
            self._part(target, target_offset, size),
            self._part(source, source_offset, size),
        )
        if isinstance(into, np.ndarray) and isinstance(out, np.ndarray):
            into[...] = out.copy()
            return
        if isinstance(into, np.ndarray) or isinstance(out, np.ndarray) or into.device != out.device:
            raise ArgumentError(
                "a copy within a device has memory of two devices",
                hint="read the memory, and write it",
            )
        addresses = into.address + target_offset, out.address + source_offset
        into.device.api.copy(into.device.index, *addresses, size)

    def upload(
        self,
        name: str,
        offset: int,
        data: Buffer,
        progress: Callable[[int, int], None] | None = None,
    ) -> None:
        self._files.append(name, offset, data)

    def download(self, name: str, offset: int, size: int) -> Buffer:
        return self._files.part(name, offset, size)

    def file_size(self, name: str) -> int:
        return len(self._files[name])

    def remove(self, name: str) -> None:
        self._files.remove(name)

    def load(self, name: str, threads: int) -> tuple[int, str]:
        """Load a module of an uploaded file; return its handle and its manifest.

        A library finds its weights among the uploaded files, by the name in its manifest.
        """
        module = load_contents(
            bytes(self._files[name]), name, self._weights, threads=threads or None
        )
        if isinstance(module, ProgramSet):
            raise NotImplementedError(
                f"{name} has several programs of one model\n"
                "    hint: export it for one set of values"
            )
        return self._modules.add(module), module.manifest_text()

    def _weights(self, name: str) -> memoryview:
        return memoryview(bytes(self._files[name]))

    def unload(self, module: int) -> None:
        self._modules.take(module)

    def drop_later(self, name: str, handle: int) -> None:
        getattr(self, name)(handle)

    def find(self, module: int, name: str) -> int:
        if not module:
            return self._functions.add(_Found(get_global_func(name)))
        found = self._module(module)
        function = found.get_function(name)
        is_main = function is found.functions.get(found.entry_name)
        return self._functions.add(_Found(function, found, is_main=is_main))

    def drop(self, function: int) -> None:
        self._functions.take(function)

    def call(self, function: int, arguments: Sequence[RemoteValue]) -> list[RemoteValue]:
        found: _Found = self._functions.get(function)
        values = self._values(arguments)
        if found.is_main and any(isinstance(value, DeviceArray) for value in values):
            assert found.module is not None, "main is a function of a module"
            return [self._returned(found.module.fill(values))]
        return [self._returned(found.function(*values))]

    def run(self, module: int, inputs: Sequence[RemoteValue]) -> list[RemoteValue]:
        arrays = cast("list[NDArray]", self._values(inputs))
        outputs = self._module(module).unformed([array.numpy() for array in arrays])
        return [self._kept(output) for output in outputs]

    def shapes(self, module: int, inputs: Sequence[Sequence[int]]) -> Sequence[int]:
        rows = self._module(module).filled_shapes([tuple(shape) for shape in inputs])
        return [size for shape in rows for size in shape]

    def time(
        self,
        function: int,
        number: int,
        repeat: int,
        least_ns: int,
        cooldown_ns: int,
        arguments: Sequence[RemoteValue],
    ) -> tuple[int, Sequence[int]]:
        if not (0 < number <= _MAX_NUMBER and 0 < repeat <= _MAX_REPEAT):
            raise ArgumentError(
                "a measurement has a wrong number of calls",
                expected=f"number of at most {_MAX_NUMBER}, repeat of at most {_MAX_REPEAT}",
                got=f"number={number}, repeat={repeat}",
                hint="pass number=10, repeat=3",
            )
        found: _Found = self._functions.get(function)
        if found.module is None or not isinstance(found.function, PackedFunc):
            raise ArgumentError(
                "a global function cannot be timed", hint="time a function of a module"
            )
        evaluate = TimeEvaluator(
            found.function,
            found.module.functions.library,
            number=number,
            repeat=repeat,
            min_repeat_ms=1e-6 * least_ns,
            cooldown_interval_ms=1e-6 * cooldown_ns,
        )
        measured = evaluate(*self._values(arguments))
        return measured.number, [round(1e9 * s * measured.number) for s in measured.results]

    def steps(self, module: int) -> str:
        found = self._module(module)
        return steps_of(found.functions.library, found.name)

    def record(
        self, function: int, steps: int, tasks: int, arguments: Sequence[RemoteValue]
    ) -> tuple[int, int]:
        found: _Found = self._functions.get(function)
        if found.module is None:
            raise ArgumentError(
                "a global function records no times", hint="record calls of a module's main"
            )
        library, values = found.module.functions.library, self._values(arguments)
        steps_of(library, found.module.name)
        first, second = (_records(self._memory.get(each)) for each in (steps, tasks))
        return TraceTable(library).recorded(first, second, lambda: found.function(*values))

    def count(self, function: int, arguments: Sequence[RemoteValue]) -> int:
        """Refuse to count instructions: this process has no counter."""
        raise KernelError(
            "this host cannot count instructions", hint="use a server of tw rpc-server --emulate"
        )

    def devices(self, kind: int) -> tuple[int, str]:
        found = 0
        while Device(kind, found).exist:
            found += 1
        return found, json.dumps([dict(Device(kind, n).attributes) for n in range(found)])

    def synchronize(self, kind: int, index: int) -> None:
        Device(kind, index).sync()

    def _module(self, handle: int) -> ExportedModule:
        return self._modules.get(handle)

    def _part(self, handle: int, offset: int, size: int) -> Array | DeviceArray:
        """Return the bytes of memory of this process, from ``offset`` on.

        If the memory is on a device other than the host, return its whole array.

        handle: the handle of the memory.  size: the number of bytes.

        Errors: ArgumentError for bytes outside of the memory.
        """
        held: NDArray = self._memory.get(handle)
        if offset + size > held.size:
            raise ArgumentError(
                "a message uses bytes outside of its memory",
                expected=f"bytes 0 to {held.size}",
                got=f"bytes {offset} to {offset + size}",
                hint="allocate more memory",
            )
        return held if isinstance(held, DeviceArray) else held.numpy()[offset : offset + size]

    def _values(self, values: Sequence[RemoteValue]) -> list[object]:
        return [self._value(value) for value in values]

    def _value(self, value: RemoteValue) -> object:
        if isinstance(value, RemoteFunction):
            return self._functions.get(value.handle).function
        if not isinstance(value, RemoteTensor):
            return value
        name = DTYPE_NAMES.get((value.dtype & 0xFF, value.dtype >> 8 & 0xFF))
        if name is None or value.dtype >> 16 != 1 or min(value.shape, default=0) < 0:
            raise ArgumentError(
                "a tensor of a message has an unknown dtype or a negative size",
                got=f"dtype {value.dtype:#x}, shape {list(value.shape)}",
                hint="pass an array of a dtype of numpy or ml_dtypes",
            )
        dtype = numpy_dtype(name)
        held = self._part(value.handle, 0, prod(value.shape) * dtype.itemsize)
        if isinstance(held, DeviceArray):
            return _view(held, value.shape, dtype)
        return NDArray(held.view(dtype).reshape(value.shape))

    def _returned(self, result: object) -> RemoteValue:
        if result is None or isinstance(result, (bool, int, float, str)):
            return result
        if isinstance(result, NDArray):
            return self._kept(result)
        if callable(result):
            return RemoteFunction(self._functions.add(_Found(result)))
        raise TypeError(
            f"a result of type {type(result).__name__} has no form in a message\n"
            "    hint: return an array, a number, text or None"
        )

    def _kept(self, array: NDArray) -> RemoteTensor:
        if isinstance(array, DeviceArray):
            size_bytes = array.size * array.dtype.itemsize
            held: NDArray = _view(array, (size_bytes,), numpy_dtype("uint8"))
        else:
            held = NDArray(np.ascontiguousarray(array.numpy()).reshape(-1).view(np.uint8))
        handle = self._memory.add(held)
        self._used_bytes += held.size
        return RemoteTensor(handle, dtype_bits(array.dtype), array.shape)


def _records(held: NDArray) -> Array:
    if isinstance(held, DeviceArray):
        raise ArgumentError("memory for records is on a device", hint="allocate it on cpu(0)")
    return held.numpy()


def _view(held: DeviceArray, shape: tuple[int, ...], dtype: np.dtype[Any]) -> DeviceArray:
    """Return an array on the memory of another array, which the result keeps alive."""
    return DeviceArray.at(held.address, shape, dtype, held.device, release=id, of=(held,))


@cache
def dtype_bits(dtype: np.dtype[Any]) -> int:
    """Return DLPack's data type for a dtype, packed into one number by `packed_dtype`."""
    return packed_dtype(dtype.name)


def _address(array: Array) -> int:
    return address_reader()(array)


CPU_KIND = int(DeviceType.CPU)

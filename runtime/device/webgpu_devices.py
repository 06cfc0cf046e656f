"""WebGPU devices: memory, copies, programs of WGSL and launches, by the package wgpu.

    x = nd.array(data, device("webgpu", 0))
    KernelProgram(device("webgpu"), source, ["add"])["add"](x, y, grid=…, block=…)

An address encodes a buffer and an offset in it (`Addresses`). A launch binds its arguments in their
order: arrays to storage buffers, numbers to the fields of one uniform structure. Launches and
copies are collected in a command encoder, which is submitted before the host reads or writes.
WebGPU only copies whole words between different buffers: other copies use a third buffer, or host
memory.
"""

from __future__ import annotations

import ctypes
import threading
import time
from collections import deque
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from ctypes import c_void_p
from importlib import import_module
from itertools import count, pairwise
from typing import Any

from ..abi.addresses import Addresses
from ..errors import DeviceError
from .kernels import Argument, DeviceAddress, KernelAPI, Launch, check_block, folded, number_bytes
from .webgpu import WgslKernel, adapters, entries_of, has_package

_NO_PACKAGE = "pip install 'tilewright[webgpu]'"
_NO_ADAPTER = "install a driver of Vulkan, such as the package mesa-vulkan-drivers for processors"
_WORD = 4
_MOST_COMMANDS = 256
"""The most launches and copies that are collected before a submission."""
_LIMITS = (
    "max-buffer-size", "max-storage-buffer-binding-size", "max-storage-buffers-per-shader-stage",
    "max-compute-workgroup-storage-size", "max-compute-invocations-per-workgroup",
    "max-compute-workgroup-size-x", "max-compute-workgroup-size-y", "max-compute-workgroup-size-z",
)  # fmt: skip


class _WebGpuPipeline:
    """A kernel: its description, its compiled pipeline and its bind group layout."""

    def __init__(self, entry: WgslKernel, pipeline: Any, layout: Any) -> None:
        self.entry, self.pipeline, self.layout = entry, pipeline, layout


class _WebGpuState:
    """The state of one device: buffers, programs, kernels, and commands that are not submitted.

    lock: guards all fields.  freed, unloaded: addresses and programs that the next use of the
    device releases. A finalizer cannot take the lock: it may run in a thread of the package while a
    read that holds the lock waits for this thread.
    """

    def __init__(self, adapter: Any) -> None:
        self.wgpu: Any = import_module("wgpu")
        limits = {name: adapter.limits[name] for name in _LIMITS}
        self.gpu = adapter.request_device_sync(required_limits=limits)
        self.buffers = Addresses[Any]()
        self.programs: dict[int, tuple[Any, Mapping[str, WgslKernel]]] = {}
        self.kernels: dict[int, _WebGpuPipeline] = {}
        self.kernels_of: dict[int, list[int]] = {}
        self.handles = count(1)
        self.lock = threading.RLock()
        self.freed, self.unloaded = deque[int](), deque[int]()
        self._word = self.new_buffer(_WORD)
        self._encoder: Any = None
        self._pass: Any = None
        self._commands = 0

    def new_buffer(self, size_bytes: int) -> Any:
        usage = self.wgpu.BufferUsage
        kinds = usage.STORAGE | usage.COPY_SRC | usage.COPY_DST
        return self.gpu.create_buffer(size=max(_WORD, _words(size_bytes)), usage=kinds)

    def release(self) -> None:
        """Release the buffers and programs in ``freed`` and ``unloaded``."""
        while self.freed:
            self.buffers.remove(self.freed.popleft())
        while self.unloaded:
            program = self.unloaded.popleft()
            del self.programs[program]
            for kernel in self.kernels_of.pop(program):
                del self.kernels[kernel]

    def compute(self) -> Any:
        """Return the compute pass to which the next launch is added."""
        if self._pass is None:
            self._pass = self._open().begin_compute_pass()
        self._commands += 1
        return self._pass

    def _open(self) -> Any:
        if self._encoder is None:
            self._encoder = self.gpu.create_command_encoder()
        return self._encoder

    def copy(self, target: Any, at: int, source: Any, start: int, size_bytes: int) -> None:
        """Add a copy of whole words between two buffers to the commands that are not yet submitted.

        at, start: offsets in the target and in the source, in bytes.
        """
        self._end_pass()
        self._open().copy_buffer_to_buffer(source, start, target, at, size_bytes)
        self._commands += 1

    def _end_pass(self) -> None:
        if self._pass is not None:
            self._pass.end()
            self._pass = None

    def limit(self) -> None:
        if self._commands >= _MOST_COMMANDS:
            self.submit()

    def submit(self) -> None:
        self._end_pass()
        if self._encoder is not None:
            encoder, self._encoder, self._commands = self._encoder, None, 0
            self.gpu.queue.submit([encoder.finish()])

    def wait(self) -> None:
        """Submit the collected commands, and wait until the device has executed all of them.

        A read of memory waits for them, because the package's own function fails in version 0.32.
        """
        self.submit()
        self.gpu.queue.read_buffer(self._word)


def _words(size_bytes: int) -> int:
    """Return a number of bytes, rounded up to whole words."""
    return -(-size_bytes // _WORD) * _WORD


class WebGPUDevices(KernelAPI):
    """All adapters of WebGPU on this machine: GPUs first, processors last."""

    alignment_bytes = 256

    def __init__(self) -> None:
        self.needs = _NO_ADAPTER if has_package() else _NO_PACKAGE
        self._devices: dict[int, _WebGpuState] = {}
        self._lock = threading.Lock()

    def _device(self, index: int) -> _WebGpuState:
        with self._lock:
            if index not in self._devices:
                self._devices[index] = _WebGpuState(adapters()[index])
            return self._devices[index]

    @contextmanager
    def _use(self, index: int, what: str) -> Generator[_WebGpuState]:
        """Lock a device inside a ``with`` block, and convert errors of the package.

        what: the operation, for the error message.
        """
        device = self._device(index)
        with device.lock:
            device.release()
            try:
                yield device
            except device.wgpu.GPUOutOfMemoryError as err:
                raise MemoryError(f"the device has no room: {err}") from None
            except (device.wgpu.GPUError, ValueError) as err:
                raise DeviceError(
                    f"WebGPU refuses {what}",
                    got=str(err).strip(),
                    hint="compare the sizes of the launch or copy with device.attributes",
                ) from None

    def count(self) -> int:
        """Return the number of adapters."""
        return len(adapters())

    def attributes(self, index: int) -> Mapping[str, int | str]:
        """Return name and driver of an adapter, and its limits of memory and launches."""
        adapter = adapters()[index]
        info, limits = adapter.info, adapter.limits
        return {
            "name": info["device"],
            "version": f"{info['backend_type']}: {info['description']}",
            "extensions": " ".join(sorted(adapter.features)),
            "alignment_bytes": limits["min-storage-buffer-offset-alignment"],
            "memory_bytes": limits["max-buffer-size"],
            "shared_bytes": limits["max-compute-workgroup-storage-size"],
            "threads_per_block": limits["max-compute-invocations-per-workgroup"],
            "buffers_per_launch": limits["max-storage-buffers-per-shader-stage"],
            "bytes_per_argument": limits["max-storage-buffer-binding-size"],
        }

    # ---- memory

    def allocate(self, index: int, size_bytes: int) -> int:
        """Return the address of a new buffer."""
        with self._use(index, f"a buffer of {size_bytes} bytes") as device:
            return device.buffers.add(device.new_buffer(size_bytes))

    def free(self, index: int, address: int) -> None:
        """Release a buffer; the driver frees it after all queued work that uses it."""
        self._devices[index].freed.append(address)

    def write(self, index: int, address: int, host: int, size_bytes: int) -> None:
        """Copy host memory to a buffer after all queued work."""
        if not size_bytes:
            return
        data = (ctypes.c_char * size_bytes).from_address(host)
        with self._use(index, "a copy to the device") as device:
            device.submit()
            buffer, at = device.buffers.at(address)
            start, end = at - at % _WORD, _words(at + size_bytes)
            if (start, end) != (at, at + size_bytes):
                words = bytearray(device.gpu.queue.read_buffer(buffer, start, end - start))
                words[at - start : at - start + size_bytes] = data
                data = words
            device.gpu.queue.write_buffer(buffer, start, data)

    def read(self, index: int, address: int, host: int, size_bytes: int) -> None:
        """Copy a buffer to host memory after all queued work."""
        if not size_bytes:
            return
        with self._use(index, "a copy from the device") as device:
            device.submit()
            buffer, at = device.buffers.at(address)
            start, end = at - at % _WORD, _words(at + size_bytes)
            words = device.gpu.queue.read_buffer(buffer, start, end - start)
        data = memoryview(words).cast("B")[at - start : at - start + size_bytes]
        ctypes.memmove(host, data.tobytes(), size_bytes)

    def copy(self, index: int, target: int, source: int, size_bytes: int) -> None:
        """Queue a copy between buffers; copies that are not of whole words wait for the device."""
        if not size_bytes or target == source:
            return
        if any(n % _WORD for n in (target, source, size_bytes)):
            data = ctypes.create_string_buffer(size_bytes)
            self.read(index, source, ctypes.addressof(data), size_bytes)
            self.write(index, target, ctypes.addressof(data), size_bytes)
            return
        with self._use(index, "a copy within the device") as device:
            (into, at), (out, start) = device.buffers.at(target), device.buffers.at(source)
            if into is out:
                out, between = device.new_buffer(size_bytes), (out, start)
                device.copy(out, 0, *between, size_bytes)
                start = 0
            device.copy(into, at, out, start, size_bytes)
            device.limit()

    def sync(self, index: int) -> None:
        """Wait until all queued work has ended."""
        with self._use(index, "its work") as device:
            device.wait()

    # ---- programs

    def load(self, index: int, code: bytes) -> int:
        """Load WGSL source; return a handle of the program."""
        source = code.decode()
        with self._use(index, "the source of the kernels") as device:
            handle = next(device.handles)
            module = device.gpu.create_shader_module(code=source)
            device.programs[handle] = module, entries_of(source)
            device.kernels_of[handle] = []
            return handle

    def unload(self, index: int, program: int) -> None:
        """Release a program and its kernels; the driver frees them after all queued work."""
        self._devices[index].unloaded.append(program)

    def kernel(self, index: int, program: int, name: str) -> int:
        """Compile the kernel with a name in a program; return a handle of the kernel."""
        with self._use(index, f"kernel {name}") as device:
            module, entries = device.programs[program]
            if name not in entries:
                raise DeviceError(
                    f"a program has no kernel {name}",
                    expected=", ".join(entries),
                    got=name,
                    hint="pass the name of a @compute function of the source",
                )
            handle = next(device.handles)
            device.kernels[handle] = _built(device, module, name, entries[name])
            device.kernels_of[program].append(handle)
            return handle

    def count_parameters(self, index: int, kernel: int) -> int:
        """Return the number of parameters: buffers and fields of the uniform structure."""
        entry = self._device(index).kernels[kernel].entry
        return len(entry.buffers) + len(entry.numbers)

    def launch(self, index: int, kernel: int, size: Launch, arguments: Sequence[Argument]) -> None:
        """Queue a launch of a kernel."""
        with self._use(index, "a launch") as device:
            run = device.kernels[kernel]
            check_block(size, run.entry.block, "the @workgroup_size of the kernel")
            grid = folded(size.grid, folds=run.entry.folds)
            buffers = [a for a in arguments if isinstance(a, c_void_p)]
            numbers = [a for a in arguments if not isinstance(a, c_void_p)]
            bound = _bound(device, buffers)
            if run.entry.numbers:
                bound.append(_uniform(device, run.entry, numbers))
            entries = [{"binding": n, "resource": each} for n, each in enumerate(bound)]
            group = device.gpu.create_bind_group(layout=run.layout, entries=entries)
            commands = device.compute()
            commands.set_pipeline(run.pipeline)
            commands.set_bind_group(0, group)
            commands.dispatch_workgroups(*grid)
            device.limit()

    # ---- times

    def record(self, index: int) -> int:
        """Wait until all queued work has ended; return the host's time in nanoseconds."""
        self.sync(index)
        return time.perf_counter_ns()

    def take_times(self, index: int, events: Sequence[int]) -> list[float]:
        """Return the seconds between consecutive events.

        events: results of `record`, in order: times of the host.
        """
        return [1e-9 * (last - first) for first, last in pairwise(events)]


def _built(device: _WebGpuState, module: Any, name: str, entry: WgslKernel) -> _WebGpuPipeline:
    kinds = [*entry.buffers, *(["uniform"] if entry.numbers else [])]
    visibility = device.wgpu.ShaderStage.COMPUTE
    entries = [
        {"binding": number, "visibility": visibility, "buffer": {"type": kind}}
        for number, kind in enumerate(kinds)
    ]
    layout = device.gpu.create_bind_group_layout(entries=entries)
    made = device.gpu.create_compute_pipeline(
        layout=device.gpu.create_pipeline_layout(bind_group_layouts=[layout]),
        compute={"module": module, "entry_point": name},
    )
    return _WebGpuPipeline(entry, made, layout)


def _bound(device: _WebGpuState, arguments: Sequence[c_void_p]) -> list[Mapping[str, Any]]:
    """Return the binding of each array argument, from its address to the end of its array.

    Errors: DeviceError for an array that is larger than a binding of the device may be.
    """
    most = device.gpu.limits["max-storage-buffer-binding-size"]
    found: list[Mapping[str, Any]] = []
    for argument in arguments:
        buffer, offset = device.buffers.at(argument.value or 0)
        known = argument.size_bytes if isinstance(argument, DeviceAddress) else None
        size = buffer.size - offset if known is None else max(_WORD, _words(known))
        if size > most:
            raise DeviceError(
                "an array of a launch is too large for the device",
                expected=f"at most {most} bytes",
                got=f"{size} bytes",
                hint="divide the array, or use another device or target",
            )
        found.append({"buffer": buffer, "offset": offset, "size": size})
    return found


def _uniform(
    device: _WebGpuState, entry: WgslKernel, numbers: Sequence[Argument]
) -> Mapping[str, Any]:
    """Return the binding of a new uniform buffer that holds the number arguments of a launch.

    Errors: DeviceError for a number that does not fit the type of its field.
    """
    data = b"".join(map(number_bytes, entry.numbers, (number.value for number in numbers)))
    data += bytes(-len(data) % 16)
    usage = device.wgpu.BufferUsage.UNIFORM
    made = device.gpu.create_buffer_with_data(data=data, usage=usage)
    return {"buffer": made, "offset": 0, "size": len(data)}

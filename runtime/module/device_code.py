"""Programs for devices: libraries whose main function queues launches on a device.

A library for CUDA or ROCm finds the driver of the device itself; in a process with Python it takes
the driver that Python has opened. The devices of other kinds are driven by Python
(runtime/device/host_driver.py). Calls with arrays of the device queue their work in the same queue
as copies of these arrays.
"""

from __future__ import annotations

import ctypes
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from ..abi.constants import (
    SYMBOL_DEVICE_LIBRARY,
    SYMBOL_DEVICE_PARTS,
    SYMBOL_KERNELS_CODE,
    SYMBOL_MAIN_ON_STREAM,
)
from ..abi.device import Device, device
from ..abi.library import Library
from ..abi.packed import PackedFunc
from ..abi.threads import ThreadPool
from ..call.device_calls import DeviceCalls, Placed
from ..device.device_module import DeviceModule
from ..device.gpu_driver_devices import CudaDevices, GpuDriverDevices, RocmDevices
from ..device.host_driver import HostDriver, call_on_addresses, set_driver
from ..file.elf_reader import Image
from ..file.manifest import Manifest
from .device_parts import LoadPart, functions_of, loaded_parts
from .loading import LoadedCode, bind_code

_IN_C = {"cuda": CudaDevices, "rocm": RocmDevices}
"""The kinds of devices whose driver the C runtime calls (runtime/native/device.c)."""


def load_device(
    library: Library,
    image: Image,
    fields: Mapping[str, Any],
    weights: memoryview,
    pool: ThreadPool,
    load: LoadPart,
) -> LoadedCode:
    """Load the code of an exported library whose main function launches kernels of a device.

    library: the loaded library.  image: the file of the library.  fields: its manifest.  weights:
    the bytes of the weights.  pool: the worker pool.  load: makes a module of the library and the
    weights of a part, a program for another target that main calls.

    Errors: LoadError for a damaged library, or a function that is not registered.
    """
    has_parts = SYMBOL_DEVICE_PARTS in image.symbols
    data = bytes(image.bytes_of(SYMBOL_DEVICE_PARTS)) if has_parts else b""
    parts = loaded_parts(data, load)
    manifest, functions = Manifest.of(fields), functions_of(parts)
    loaded = bind_code(library, manifest, weights, pool=pool, threads=1, functions=functions)
    code = bytes(image.bytes_of(SYMBOL_KERNELS_CODE))[:-1]
    loaded = replace(loaded, modules=tuple(parts.values()))
    return with_device(loaded, library, code, fields["device_kernels"])


def with_device(
    loaded: LoadedCode, library: Library, code: bytes, kernels: Sequence[str]
) -> LoadedCode:
    """Return loaded code that also takes arrays of the device that runs its kernels.

    The kernels become an imported module of the code.

    loaded: the code, whose target is the device's.  library: the library of the code.  code: the
    kernels in the form that the device's driver takes.  kernels: their symbols.
    """
    name, kind = loaded.manifest.name, loaded.manifest.target.split()[0]
    place, module = device(kind), DeviceModule(name, kind, code, tuple(kernels))
    modules = (module, *loaded.modules)
    if kind not in _IN_C:
        set_driver(library, HostDriver(place.kind, code, kernels))

        def run(of: Device, arrays: Sequence[Placed]) -> None:
            call_on_addresses(library, name, of, arrays)

        # Calls without Python on their path would keep its lock, which the driver needs.
        calls = DeviceCalls(place.kind, run)
        return replace(loaded, calls=None, device_calls=calls, modules=modules)
    if place.exist and isinstance(place.api, GpuDriverDevices):
        library.store_pointer(SYMBOL_DEVICE_LIBRARY, place.api.driver_library)
    queued = PackedFunc.of_library(library, SYMBOL_MAIN_ON_STREAM, name)

    def queue(of: Device, arrays: Sequence[Placed]) -> None:
        assert isinstance(of.api, GpuDriverDevices), "the arrays are on such a device"
        queued(ctypes.c_void_p(of.api.stream(of.index)), *arrays)

    return replace(loaded, device_calls=DeviceCalls(place.kind, queue), modules=modules)

"""Exported programs for devices: libraries whose main is machine code, or data for a package.

A library with the code of runtime/native/device.c finds the driver of the device itself; in a
process with Python it takes the driver that Python has opened, and arrays of the device. For data,
the kind of the target selects the package that loads it. A package declares its loaders as entry
points of the group `tilewright.loaders`. The name of an entry point is a kind of target; its value
is a function that returns a `LoadedCode` for the code and the weights of a library.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from importlib.metadata import entry_points
from typing import cast

from ..abi.constants import SYMBOL_DEVICE_LIBRARY, SYMBOL_KERNELS_CODE, SYMBOL_MAIN_THREADS
from ..abi.device import Device, device
from ..abi.library import Library, LoadError
from ..abi.packed import PackedFunc
from ..call.device_calls import DeviceCalls, Placed
from ..device.device_module import DeviceModule
from ..device.gpu_driver_devices import GpuDriverDevices
from ..file.elf_reader import Image
from ..file.manifest import Manifest
from .loading import LoadedCode

_GROUP = "tilewright.loaders"


def load_device_code(manifest: Manifest, code: bytes, weights: memoryview) -> LoadedCode:
    """Load an exported program by the loader of the package for its kind of target.

    Errors: LoadError if no package loads programs of its target.
    """
    kind = manifest.target.split()[0]
    found = tuple(entry_points(group=_GROUP, name=kind))
    if not found:
        raise LoadError(
            f"{manifest.name}: no package loads programs of the target",
            expected=f"an entry point {kind} of the group {_GROUP}",
            got=manifest.target,
            hint="pip install tilewright",
        )
    return cast("Callable[[bytes, memoryview], LoadedCode]", found[0].load())(code, weights)


def with_device(
    loaded: LoadedCode, library: Library, image: Image, kernels: Sequence[str]
) -> LoadedCode:
    """Return loaded code that takes arrays of the device for which its kernels were compiled.

    image: the file of the library.  kernels: the symbols of the kernels, which become a module.
    """
    kind = loaded.manifest.target.split()[0]
    place, code = device(kind), bytes(image.bytes_of(SYMBOL_KERNELS_CODE))[:-1]
    module = DeviceModule(loaded.manifest.name, kind, code, tuple(kernels))
    if place.exist and isinstance(place.api, GpuDriverDevices):
        library.store_pointer(SYMBOL_DEVICE_LIBRARY, place.api.driver_library)
    main = PackedFunc.of_library(library, SYMBOL_MAIN_THREADS, loaded.manifest.name)

    def run(of: Device, arrays: Sequence[Placed]) -> None:
        of.sync()  # the library has streams of its own
        main(1, *arrays)

    return replace(loaded, device_calls=DeviceCalls(place.kind, run), modules=(module,))


__all__ = ["load_device_code", "with_device"]

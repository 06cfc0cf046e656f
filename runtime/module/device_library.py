"""Libraries whose main queues work on a device: the driver that they use, and arrays of the device.

In: a loaded library with the code of runtime/native/device.c. Out: the same library with the driver
that this process has opened, and a `DeviceCalls` that passes arrays of the device without copies.
The code in C finds the driver itself where no Python does.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ..abi.constants import SYMBOL_DEVICE_LIBRARY, SYMBOL_MAIN_THREADS
from ..abi.device import Device, device
from ..abi.library import Library
from ..abi.packed import PackedFunc
from ..call.device_calls import DeviceCalls, Placed
from ..device.gpu_driver_devices import GpuDriverDevices
from .loading import LoadedCode


def with_device(loaded: LoadedCode, library: Library) -> LoadedCode:
    """Return loaded code that takes arrays of the device for which its kernels were compiled."""
    place = device(loaded.manifest.target.split()[0])
    if place.exist and isinstance(place.api, GpuDriverDevices):
        library.store_pointer(SYMBOL_DEVICE_LIBRARY, place.api.driver_library)
    main = PackedFunc.of_library(library, SYMBOL_MAIN_THREADS, loaded.manifest.name)

    def run(of: Device, arrays: Sequence[Placed]) -> None:
        of.sync()  # the library has streams of its own
        main(1, *arrays)

    return replace(loaded, device_calls=DeviceCalls(place.kind, run))


__all__ = ["with_device"]

"""The OpenCL device that tests use."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest

from tilewright import Device, device
from tilewright.runtime.abi import device as device_module
from tilewright.runtime.device import opencl_devices


def opencl_device() -> Device:
    """Return the first OpenCL device; skip the test on a machine without a driver."""
    found = device("opencl")
    if not found.exist:
        pytest.skip("no OpenCL driver: pip install tilewright[opencl]")
    return found


def without_driver(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Run a test as on a machine without a loader library or driver; a fixture."""

    def nothing() -> None:
        """Find no functions."""

    monkeypatch.setattr(opencl_devices, "opencl", nothing)
    kinds = device_module._devices().kinds  # pyright: ignore[reportPrivateUsage]
    before = kinds.pop(4, None)
    yield
    kinds.pop(4, None)
    if before is not None:
        kinds[4] = before


def variables_of_driver(folder: Path) -> Mapping[str, str]:
    """Return environment variables with which a program without Python finds the OpenCL driver.

    folder: an empty folder, which gets the loader library of the package pyopencl under the name
    of the system's.  Without the package, the system has a loader library: no variables.
    """
    opencl_device()
    if find_spec("pyopencl") is None:
        return {}
    home = Path(import_module("pyopencl").__file__ or "").parent
    (loader,) = home.glob(".libs/libOpenCL*")
    (folder / "libOpenCL.so.1").symlink_to(loader)
    return {"LD_LIBRARY_PATH": f"{folder}:{loader.parent}", "PYOPENCL_HOME": str(home)}

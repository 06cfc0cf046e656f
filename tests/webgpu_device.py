"""The WebGPU device that tests use."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator

import pytest

from tilewright import Device, device
from tilewright.runtime.abi import device as device_module
from tilewright.runtime.device import webgpu, webgpu_devices


def webgpu_device() -> Device:
    """Return the first WebGPU device; skip the test on a machine without package or driver."""
    # Without this folder, libraries of windows write warnings to the terminal.
    os.environ.setdefault("XDG_RUNTIME_DIR", tempfile.gettempdir())
    if not webgpu.has_package():
        pytest.skip("no WebGPU: pip install tilewright[webgpu]")
    found = device("webgpu")
    if not found.exist:
        pytest.skip("no driver of Vulkan: apt-get install mesa-vulkan-drivers brings lavapipe")
    return found


def without_adapter(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Run a test as on a machine without a driver; a fixture."""

    def nothing() -> tuple[()]:
        """Find no adapters."""
        return ()

    monkeypatch.setattr(webgpu_devices, "adapters", nothing)
    kinds = device_module._devices().kinds  # pyright: ignore[reportPrivateUsage]
    before = kinds.pop(15, None)
    yield
    kinds.pop(15, None)
    if before is not None:
        kinds[15] = before

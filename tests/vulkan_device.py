"""The Vulkan device that tests use."""

from __future__ import annotations

import pytest

from tilewright import Device, device


def vulkan_device() -> Device:
    """Return the first Vulkan device; skip the test on a machine without a driver."""
    found = device("vulkan")
    if not found.exist:
        pytest.skip("no driver of Vulkan: apt-get install mesa-vulkan-drivers brings lavapipe")
    return found

"""The OpenCL device that tests use."""

from __future__ import annotations

import pytest

from tilewright import Device, device


def opencl_device() -> Device:
    """Return the first OpenCL device; skip the test on a machine without a driver."""
    found = device("opencl")
    if not found.exist:
        pytest.skip("no OpenCL driver: pip install tilewright[opencl]")
    return found

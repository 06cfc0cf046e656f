"""Devices whose drivers compile source, OpenCL and WebGPU: memory, copies, kernels, errors."""

from __future__ import annotations

import gc

import numpy as np
import pytest

from tilewright import ArgumentError, Device, DeviceError, KernelProgram, cpu, nd

from ..opencl_device import opencl_device
from ..webgpu_device import webgpu_device
from . import test_opencl, test_webgpu

SOURCES = {"opencl": test_opencl.SOURCE, "webgpu": test_webgpu.SOURCE}


@pytest.fixture(scope="module", params=SOURCES)
def kind(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture(scope="module")
def gpu(kind: str) -> Device:
    return opencl_device() if kind == "opencl" else webgpu_device()


@pytest.fixture(scope="module")
def program(kind: str, gpu: Device) -> KernelProgram:
    return KernelProgram(gpu, SOURCES[kind], ["fma_of", "place"])


def test_kernels_run_in_the_order_of_the_calls(gpu: Device, program: KernelProgram) -> None:
    a, b, c = np.random.default_rng(0).integers(-9, 9, (3, 256)).astype(np.float32)
    x, y, z = (nd.array(each, gpu) for each in (a, b, c))
    for _ in range(3):
        program["fma_of"](x, y, z, grid=(4, 1, 1), block=(64, 1, 1))
    np.testing.assert_array_equal(z.numpy(), 3 * a * b + c)


def test_grids_and_blocks_have_three_dimensions(gpu: Device, program: KernelProgram) -> None:
    x = nd.zeros(2 * 3 * 2 * 8, "int32", gpu)
    program["place"](x, grid=(2, 3, 2), block=(4, 2, 1))
    expected = (np.arange(12)[:, None] * 100 + np.arange(8)).ravel()
    np.testing.assert_array_equal(x.numpy(), expected)


def test_an_empty_grid_runs_nothing(gpu: Device, program: KernelProgram) -> None:
    x = nd.zeros(8, "int32", gpu)
    program["place"](x, grid=(0, 1, 1), block=(4, 2, 1))
    assert x.numpy().tolist() == [0] * 8


def test_copies_go_between_devices(gpu: Device) -> None:
    x = nd.array(np.arange(6).reshape(2, 3), gpu)
    for target in (gpu, cpu(0)):
        assert x.copyto(target).numpy().tolist() == [[0, 1, 2], [3, 4, 5]]
    assert nd.zeros((2, 3), "int64").copyfrom(x).numpy().sum() == 15
    x[1] = 7
    assert x.numpy().tolist() == [[0, 1, 2], [7, 7, 7]]


def test_numbers_of_buffers_are_used_again(gpu: Device) -> None:
    gc.collect()
    gpu.sync()
    first = nd.array([1, 2], gpu)
    address = first.address
    del first
    gc.collect()
    second = nd.array([3, 4], gpu)
    assert second.address == address
    assert second.numpy().tolist() == [3, 4]


# -- errors --------------------------------------------------------------------------------------


def test_a_missing_kernel_is_named(kind: str, gpu: Device) -> None:
    with pytest.raises(DeviceError, match="a program has no kernel g"):
        KernelProgram(gpu, SOURCES[kind], ["g"])


def test_launches_check_number_and_place_of_arguments(gpu: Device, program: KernelProgram) -> None:
    x = nd.zeros(8, "int32", gpu)
    with pytest.raises(DeviceError, match=r"another number of arguments(?s:.*)expected: 1\n.*: 2"):
        program["place"](x, x, grid=(1, 1, 1), block=(4, 2, 1))
    for wrong in (np.zeros(8, np.int32), nd.zeros(8, "int32"), 4):
        with pytest.raises(ArgumentError, match="argument 0 of kernel place cannot be passed"):
            program["place"](wrong, grid=(1, 1, 1), block=(4, 2, 1))

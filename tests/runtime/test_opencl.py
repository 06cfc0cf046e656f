"""OpenCL devices: memory, copies, kernels from source; on any driver, such as PoCL."""

from __future__ import annotations

import ctypes

import numpy as np
import pytest

from tilewright import ArgumentError, Device, DeviceError, KernelProgram, device, nd
from tilewright.runtime.device.kernels import KernelAPI, Launch

from ..opencl_device import opencl_device, without_driver

SOURCE = """
__kernel void fma_of(const __global float *a, const __global float *b, __global float *c) {
    int i = get_global_id(0);
    c[i] = fma(a[i], b[i], c[i]);
}
__kernel void reverse(__global int *x, int n, __local int *room) {
    int i = get_local_id(0);
    room[i] = x[get_group_id(0) * n + i];
    barrier(CLK_LOCAL_MEM_FENCE);
    x[get_group_id(0) * n + i] = room[n - 1 - i];
}
__kernel void place(__global int *x) {
    int thread = get_local_id(0) + 4 * (get_local_id(1) + 2 * get_local_id(2));
    int block = get_group_id(0) + 2 * (get_group_id(1) + 3 * get_group_id(2));
    x[block * 8 + thread] = block * 100 + thread;
}
"""
NAMES = ("fma_of", "reverse", "place")


@pytest.fixture(scope="module")
def gpu() -> Device:
    return opencl_device()


@pytest.fixture(scope="module")
def program(gpu: Device) -> KernelProgram:
    return KernelProgram(gpu, SOURCE, NAMES)


def test_a_launch_has_shared_memory_and_numbers(gpu: Device, program: KernelProgram) -> None:
    x = nd.array(np.arange(96, dtype=np.int32), gpu)
    size = ctypes.c_int32(32)
    program["reverse"](x, size, grid=(3, 1, 1), block=(32, 1, 1), shared_bytes=128)
    expected = np.arange(96).reshape(3, 32)[:, ::-1].ravel()
    np.testing.assert_array_equal(x.numpy(), expected)


def test_addresses_inside_a_buffer_are_memory_of_their_own(
    gpu: Device, program: KernelProgram
) -> None:
    api, index = gpu.api, gpu.index
    assert isinstance(api, KernelAPI)
    step = max(256, int(gpu.attributes["alignment_bytes"]))
    arena = api.allocate(index, 3 * step)
    data = np.arange(3 * step // 4, dtype=np.float32)
    api.write(index, arena, data.ctypes.data, data.nbytes)
    addresses = [ctypes.c_void_p(arena + n * step) for n in range(3)]
    handle = program["fma_of"]
    size = Launch((1, 1, 1), (step // 4, 1, 1))
    for _ in range(2):
        api.launch(index, handle._handle, size, addresses)  # pyright: ignore[reportPrivateUsage]
    a, b, c = data.reshape(3, -1)
    api.copy(index, arena, arena + 2 * step, step)
    result = np.empty(step // 4, np.float32)
    api.read(index, arena, result.ctypes.data, step)
    np.testing.assert_allclose(result, 2 * a * b + c, rtol=1e-6)
    api.free(index, arena)


def test_sums_of_products_are_not_contracted(gpu: Device) -> None:
    source = """
    #pragma OPENCL FP_CONTRACT OFF
    __kernel void f(__global float *x) { x[0] = x[1] * x[2] + x[3]; }
    """
    x = np.array([0, 1 + 2**-12, 1 - 2**-12, -1], np.float32)
    made = nd.array(x, gpu)
    KernelProgram(gpu, source, ["f"])["f"](made, grid=(1, 1, 1), block=(1, 1, 1))
    assert made.numpy()[0] == x[1] * x[2] + x[3]


def test_attributes_state_the_limits(gpu: Device) -> None:
    facts = gpu.attributes
    assert int(facts["threads_per_block"]) >= 64
    assert int(facts["shared_bytes"]) >= 16 << 10
    assert int(facts["memory_bytes"]) > 1 << 20
    assert "OpenCL" in str(facts["version"])
    gpu.sync()


# -- errors --------------------------------------------------------------------------------------


def test_bad_source_is_refused_with_the_driver_s_messages(gpu: Device) -> None:
    with pytest.raises(DeviceError, match=r"(?s)refuses the source of the kernels.*error"):
        KernelProgram(gpu, "__kernel void f(undeclared x) {}", ["f"])


def test_an_impossible_block_is_refused(gpu: Device, program: KernelProgram) -> None:
    x = nd.zeros(8, "int32", gpu)
    with pytest.raises(DeviceError, match="clEnqueueNDRangeKernel"):
        program["place"](x, grid=(1, 1, 1), block=(1 << 20, 1, 1))


def test_memory_beyond_the_device_is_refused(gpu: Device) -> None:
    with pytest.raises(MemoryError, match="the device has no room"):
        nd.empty(1 << 50, "int8", gpu)


def test_devices_beyond_the_last_are_refused(gpu: Device) -> None:
    with pytest.raises(ArgumentError, match=r"(?s)opencl:99 does not exist here.*number below"):
        nd.zeros(1, device=device("opencl", 99))


no_driver = pytest.fixture(without_driver)


@pytest.mark.usefixtures("no_driver")
def test_a_machine_without_a_driver_says_what_to_install() -> None:
    assert not device("opencl").exist
    with pytest.raises(ArgumentError, match=r"opencl:0 does not exist here(?s:.*)hint: install an"):
        nd.array([1], device("opencl"))

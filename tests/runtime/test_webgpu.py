"""WebGPU devices: memory, copies, kernels from source; on any driver, such as lavapipe."""

from __future__ import annotations

import ctypes
import threading

import numpy as np
import pytest

from tilewright import ArgumentError, Device, DeviceError, KernelProgram, device, nd
from tilewright.runtime.device import webgpu_devices
from tilewright.runtime.device.kernels import KernelAPI, Launch
from tilewright.runtime.device.webgpu import WgslKernel, entries_of

from ..webgpu_device import webgpu_device, without_adapter

SOURCE = """
@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read> b: array<f32>;
@group(0) @binding(2) var<storage, read_write> c: array<f32>;
@compute @workgroup_size(64) // not @workgroup_size(32)
fn fma_of(@builtin(global_invocation_id) id: vec3<u32>) {
    c[id.x] = c[id.x] + a[id.x] * b[id.x];
}

struct Sizes { n: i32, scale: f32, most: u32 }
@group(0) @binding(0) var<storage, read_write> x: array<i32>;
@group(0) @binding(1) var<uniform> sizes: Sizes;
@compute @workgroup_size(8, 1u, 1)
fn scale(@builtin(global_invocation_id) id: vec3<u32>) {
    x[id.x] = min(i32(f32(x[id.x] + sizes.n) * sizes.scale), i32(sizes.most));
}

@group(0) @binding(0) var<storage, read_write> place_x: array<u32>;
@compute @workgroup_size(4, 2, 1)
fn place(@builtin(workgroup_id) b: vec3<u32>, @builtin(local_invocation_index) t: u32) {
    let block = b.x + 2u * (b.y + 3u * b.z);
    place_x[block * 8u + t] = block * 100u + t;
}
"""
NAMES = ("fma_of", "scale", "place")


@pytest.fixture(scope="module")
def gpu() -> Device:
    return webgpu_device()


@pytest.fixture(scope="module")
def program(gpu: Device) -> KernelProgram:
    return KernelProgram(gpu, SOURCE, NAMES)


def test_a_source_tells_what_its_kernels_take() -> None:
    assert entries_of(SOURCE) == {
        "fma_of": WgslKernel(
            ("read-only-storage", "read-only-storage", "storage"), (), (64, 1, 1), folds=False
        ),
        "scale": WgslKernel(("storage",), ("i32", "f32", "u32"), (8, 1, 1), folds=False),
        "place": WgslKernel(("storage",), (), (4, 2, 1), folds=False),
    }
    named = entries_of("""
    @group(0) @binding(0) var<storage, read_write> x: array<f32>;
    const size = 64;
    fn helper(a: f32) -> f32 { return a; }
    @compute @workgroup_size(size) fn f(@builtin(num_workgroups) n: vec3<u32>) {}
    @compute @workgroup_size(1) fn g() {}
    """)
    assert named == {
        "f": WgslKernel(("storage",), (), (), folds=True),
        "g": WgslKernel(("storage",), (), (1, 1, 1), folds=False),
    }


def test_many_launches_are_submitted(
    gpu: Device, program: KernelProgram, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(webgpu_devices, "_MOST_COMMANDS", 3)
    one, z = nd.array(np.ones(64, np.float32), gpu), nd.zeros(64, "float32", gpu)
    for _ in range(20):
        program["fma_of"](one, one, z, grid=(1, 1, 1), block=(64, 1, 1))
    assert z.numpy().tolist() == [20] * 64


def test_numbers_are_fields_of_a_structure(gpu: Device, program: KernelProgram) -> None:
    x = nd.array(np.arange(16, dtype=np.int32), gpu)
    numbers = [ctypes.c_int64(-4), ctypes.c_float(2.5), ctypes.c_uint32(20)]
    program["scale"](x, *numbers, grid=(2, 1, 1), block=(8, 1, 1))
    expected = np.minimum(np.trunc((np.arange(16) - 4) * 2.5), 20)
    np.testing.assert_array_equal(x.numpy(), expected)
    with pytest.raises(DeviceError, match=r"does not fit its field(?s:.*)got: 4294967296 for i32"):
        program["scale"](x, ctypes.c_int64(1 << 32), *numbers[1:], grid=(2, 1, 1), block=(8, 1, 1))


def test_writable_memory_has_no_other_binding(gpu: Device, program: KernelProgram) -> None:
    api, index = gpu.api, gpu.index
    assert isinstance(api, KernelAPI)
    arena = api.allocate(index, 3 * 256)
    data = np.arange(3 * 64, dtype=np.float32)
    api.write(index, arena, data.ctypes.data, data.nbytes)
    addresses = [ctypes.c_void_p(arena + n * 256) for n in range(3)]
    # Read-only and writable bindings of one buffer exclude each other.
    size = Launch((1, 1, 1), (64, 1, 1))
    handle = program["fma_of"]._handle  # pyright: ignore[reportPrivateUsage]
    api.launch(index, handle, size, addresses)
    with pytest.raises(DeviceError, match="WebGPU refuses"):
        api.sync(index)
    api.free(index, arena)


@pytest.mark.parametrize(("source", "target", "size"), [(0, 64, 32), (3, 65, 5), (64, 60, 3)])
def test_bytes_are_copied_within_a_buffer(gpu: Device, source: int, target: int, size: int) -> None:
    api, index = gpu.api, gpu.index
    data = np.arange(97, dtype=np.uint8)
    address = api.allocate(index, data.nbytes)
    api.write(index, address, data.ctypes.data, data.nbytes)
    api.copy(index, address + target, address + source, size)
    data[target : target + size] = data[source : source + size]
    got = np.empty_like(data)
    api.read(index, address, got.ctypes.data, got.nbytes)
    np.testing.assert_array_equal(got, data)
    part = np.empty(3, np.uint8)
    api.read(index, address + target + 1, part.ctypes.data, 3)
    np.testing.assert_array_equal(part, data[target + 1 : target + 4])
    api.free(index, address)


def test_memory_is_given_back_while_the_device_is_in_use(gpu: Device) -> None:
    """A thread of the package, for which a read waits, may collect arrays."""
    api = gpu.api
    assert isinstance(api, webgpu_devices.WebGPUDevices)
    address = api.allocate(gpu.index, 64)
    with api._use(gpu.index, "a test"):  # pyright: ignore[reportPrivateUsage]
        thread = threading.Thread(target=api.free, args=(gpu.index, address), daemon=True)
        thread.start()
        thread.join(30)
        assert not thread.is_alive()
    assert api.allocate(gpu.index, 64) == address


def test_attributes_state_the_limits(gpu: Device) -> None:
    facts = gpu.attributes
    assert int(facts["threads_per_block"]) >= 256
    assert int(facts["shared_bytes"]) >= 16 << 10
    assert int(facts["buffers_per_launch"]) >= 8
    gpu.sync()


# -- errors --------------------------------------------------------------------------------------


def test_bad_source_is_refused_with_the_messages_of_the_driver(gpu: Device) -> None:
    with pytest.raises(DeviceError, match=r"(?s)refuses the source of the kernels.*expected"):
        KernelProgram(gpu, "fn f( {", ["f"])


def test_launches_check_their_sizes(gpu: Device, program: KernelProgram) -> None:
    x = nd.zeros(8, "int32", gpu)
    with pytest.raises(DeviceError, match="other sizes than its kernel states"):
        program["place"](x, grid=(1, 1, 1), block=(8, 1, 1))
    with pytest.raises(DeviceError, match=r"too many blocks(?s:.*)at most 65535"):
        program["place"](x, grid=(65536, 1, 1), block=(4, 2, 1))


def test_an_array_that_is_too_large_to_bind_is_refused(gpu: Device, program: KernelProgram) -> None:
    most = int(gpu.attributes["bytes_per_argument"])
    if most > 1 << 28:
        pytest.skip("the device binds all arrays that the machine has room for")
    x = nd.empty(most // 4 + 1, "int32", gpu)
    with pytest.raises(DeviceError, match=rf"too large for the device(?s:.*)at most {most} bytes"):
        program["place"](x, grid=(1, 1, 1), block=(4, 2, 1))


def test_memory_beyond_the_device_is_refused(gpu: Device) -> None:
    with pytest.raises((MemoryError, DeviceError), match=r"room|refuses a buffer"):
        nd.empty(1 << 50, "int8", gpu)


_no_adapter = pytest.fixture(without_adapter)


@pytest.mark.usefixtures("_no_adapter")
def test_a_machine_without_a_driver_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(webgpu_devices, "has_package", lambda: True)
    assert not device("webgpu").exist
    with pytest.raises(ArgumentError, match=r"webgpu:0 does not exist here(?s:.*)hint: install a"):
        nd.array([1], device("webgpu"))


@pytest.mark.usefixtures("_no_adapter")
def test_a_machine_without_the_package_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(webgpu_devices, "has_package", lambda: False)
    with pytest.raises(ArgumentError, match=r"webgpu:0 does not exist(?s:.*)tilewright\[webgpu\]"):
        nd.array([1], device("webgpu"))

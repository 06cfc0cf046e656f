"""Arrays of devices: DLPack both ways, and modules whose arguments and results stay there."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import tilewright
from tilewright import ArgumentError, Device, device, nd
from tilewright.driver.module.compiled_module import CompiledModule
from tilewright.runtime.abi.device import DeviceAPI
from tilewright.testing import models

from ..cuda_device import MockDriver, mocked
from ..opencl_device import opencl_device

COPIES = ("cuMemcpyHtoDAsync_v2", "cuMemcpyDtoHAsync_v2")
LEGACY = 1
ENCODER = models.encoder_model(layers=1, hidden=32, heads=2, ffn=64, seq=8)


@pytest.fixture(scope="module")
def driver(tmp_path_factory: pytest.TempPathFactory) -> MockDriver:
    return MockDriver(tmp_path_factory.mktemp("cuda"))


@pytest.fixture(scope="module")
def _devices(driver: MockDriver) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        yield from mocked(driver, patch)


@pytest.fixture
def gpu(_devices: None, driver: MockDriver) -> Iterator[Device]:
    yield device("cuda")
    assert driver.library.mock_contexts() == 0


@pytest.fixture(scope="module")
def ffn(driver: MockDriver) -> CompiledModule:
    model = models.ffn_model(m="rows", k=12, n=20)
    made = tilewright.compile(model, target="cuda", cache=False, strict_plan=True)
    driver.add(made)
    return made


def floats(*shape: int) -> np.ndarray:
    return np.random.default_rng(0).standard_normal(shape).astype(np.float32)


# -- DLPack --------------------------------------------------------------------------------------


class Tensor:
    """A tensor of another library, on the memory of an array; streams: those it was asked for."""

    def __init__(self, array: Any) -> None:
        self.array, self.streams = array, list[int | None]()

    def __dlpack_device__(self) -> tuple[int, int]:
        return self.array.__dlpack_device__()

    def __dlpack__(self, *, stream: int | None = None) -> Any:
        self.streams.append(stream)
        return self.array.__dlpack__(stream=stream)


def test_memory_is_borrowed_in_the_stream_of_the_device(gpu: Device, driver: MockDriver) -> None:
    x = nd.array(floats(3, 4), gpu)
    tensor = Tensor(x)
    y = nd.from_dlpack(tensor)
    assert y.device == gpu
    assert (y.address, y.shape, y.dtype) == (x.address, x.shape, x.dtype)
    assert tensor.streams == [gpu.api.stream(0)]
    y[0] = 7
    np.testing.assert_array_equal(x.numpy()[0], [7] * 4)
    used = driver.used_bytes()
    del x, tensor
    gc.collect()
    assert driver.used_bytes() == used, "the borrower keeps the memory"
    np.testing.assert_array_equal(y.numpy()[1:], floats(3, 4)[1:])
    del y
    gc.collect()
    assert driver.used_bytes() == used - 48


def test_a_capsule_that_nobody_takes_returns_the_memory(gpu: Device, driver: MockDriver) -> None:
    gc.collect()
    before = driver.used_bytes()
    capsule = nd.array(floats(4), gpu).__dlpack__()
    assert driver.used_bytes() == before + 16
    del capsule
    gc.collect()
    assert driver.used_bytes() == before


def test_a_consumer_waits_for_queued_work_on_its_stream(gpu: Device, driver: MockDriver) -> None:
    x = nd.array(floats(4), gpu)
    y = nd.empty((4,), "float32", gpu).copyfrom(x)
    for stream in (None, LEGACY):
        capsule = y.__dlpack__(stream=stream)
        found, context = np.zeros(4, np.float32), gpu.api._device(0).context
        with driver.functions.current(context):
            arguments = (found.ctypes.data, y.address, 16, LEGACY)
            driver.functions.call("read", *arguments)
            driver.functions.call("wait_stream", LEGACY)
        np.testing.assert_array_equal(found, floats(4))
        del capsule
    recorded = driver.calls("cuEventRecord")
    y.__dlpack__(stream=-1)
    assert driver.calls("cuEventRecord") == recorded


def test_copies_and_other_devices(gpu: Device) -> None:
    x = nd.array(floats(4), gpu)
    y = nd.from_dlpack(Copied(x))
    assert y.address != x.address
    np.testing.assert_array_equal(y.numpy(), floats(4))
    with pytest.raises(BufferError, match=r"in the memory of cuda:0(?s:.*)x.numpy\(\)"):
        x.__dlpack__(dl_device=(1, 0))


class Copied(Tensor):
    """A tensor that lends a copy."""

    def __dlpack__(self, *, stream: int | None = None) -> Any:
        return self.array.__dlpack__(stream=stream, copy=True)


def test_a_device_without_streams_waits_at_the_host() -> None:
    class Plain(DeviceAPI):
        """A kind of device that counts how often it waits."""

        waits = 0

        def sync(self, index: int) -> None:
            self.waits += 1

    Plain.__abstractmethods__ = frozenset()
    api = Plain()  # type: ignore[abstract]
    api.publish(0, LEGACY)
    assert (api.waits, api.stream(0), api.lends_memory) == (1, None, False)


# -- modules -------------------------------------------------------------------------------------


def test_arguments_and_results_stay_on_the_device(
    gpu: Device, driver: MockDriver, ffn: CompiledModule
) -> None:
    for rows in (4, 2):
        x = floats(rows, 12)
        expected, there = ffn(x).numpy(), nd.array(x, gpu)
        copies = [driver.calls(name) for name in COPIES]
        y = ffn(there)
        z = ffn(Tensor(there))
        assert [driver.calls(name) for name in COPIES] == copies
        assert y.device == z.device == gpu
        np.testing.assert_array_equal(y.numpy(), expected)
        np.testing.assert_array_equal(z.numpy(), expected)


def test_outputs_are_filled_in_place(gpu: Device, ffn: CompiledModule) -> None:
    x, out = nd.array(floats(3, 12), gpu), nd.zeros((3, 20), "float32", gpu)
    address = out.address
    assert ffn(x, out) is None
    assert out.address == address
    np.testing.assert_array_equal(out.numpy(), ffn(floats(3, 12)).numpy())


def test_each_device_has_a_program(gpu: Device, driver: MockDriver, ffn: CompiledModule) -> None:
    before = driver.used_bytes(1)
    x = nd.array(floats(3, 12), device("cuda", 1))
    y = ffn(x)
    assert y.device == device("cuda", 1)
    assert driver.used_bytes(1) > before
    np.testing.assert_array_equal(y.numpy(), ffn(floats(3, 12)).numpy())


def test_arguments_of_a_device_are_checked(gpu: Device, ffn: CompiledModule) -> None:
    x, out = nd.array(floats(3, 12), gpu), nd.zeros((3, 20), "float32", gpu)
    with pytest.raises(ArgumentError, match=r"x\) has the wrong dtype(?s:.*)got: int32\[3, 12\]"):
        ffn(nd.zeros((3, 12), "int32", gpu))
    with pytest.raises(ArgumentError, match="wrong number of dimensions"):
        ffn(nd.zeros(12, "float32", gpu))
    with pytest.raises(ArgumentError, match="has the wrong shape"):
        ffn(x, nd.zeros((4, 20), "float32", gpu))
    with pytest.raises(ArgumentError, match="is filled on the host by a call on a device"):
        ffn(x, np.zeros((3, 20), np.float32))
    with pytest.raises(ArgumentError, match="is on another device than the arguments before"):
        ffn(x, nd.zeros((3, 20), "float32", device("cuda", 1)))
    with pytest.raises(ArgumentError, match="wrong number of arguments"):
        ffn(x, out, out)
    opencl = nd.zeros((3, 12), "float32", opencl_device())
    with pytest.raises(ArgumentError, match=r"on another kind of device(?s:.*)got: opencl:0"):
        ffn(opencl)


def test_a_module_of_the_host_takes_no_array_of_a_device(gpu: Device) -> None:
    native = tilewright.compile(models.ffn_model(m=3, k=12, n=20), cache=False)
    with pytest.raises(ArgumentError, match=r"is not in CPU memory(?s:.*)got: an array on cuda:0"):
        native(nd.array(floats(3, 12), gpu))


def test_opencl_arrays_are_arguments_and_results() -> None:
    there = opencl_device()
    mod = tilewright.compile(ENCODER, target="opencl", cache=False)
    inputs = models.inputs_for(ENCODER)
    expected = mod.run(inputs)
    got = mod.run([nd.array(array, there) for array in inputs])
    mixed = mod.run([nd.array(inputs[0], there), *inputs[1:]])
    for want, array, other in zip(expected, got, mixed, strict=True):
        assert array.device == other.device == there
        np.testing.assert_array_equal(array.numpy(), want.numpy())
        np.testing.assert_array_equal(other.numpy(), want.numpy())

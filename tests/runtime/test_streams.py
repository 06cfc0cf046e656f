"""Streams and events of devices: by the mock driver of CUDA, and by OpenCL on any driver."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

import tilewright
from tilewright import ArgumentError, Device, DeviceStream, cpu, device, nd, te
from tilewright.driver.module.compiled_module import CompiledModule

from ..cuda_device import MockDriver, mocked
from ..opencl_device import opencl_device

X = np.random.default_rng(0).standard_normal(96).astype(np.float32)
WAIT = "cuStreamSynchronize"


def doubled(target: str) -> CompiledModule:
    a = te.placeholder((96,), name="a")
    return tilewright.build([a, te.compute((96,), lambda i: a[i] * 2.0, name="b")], target=target)


@pytest.fixture(scope="module")
def driver(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MockDriver]:
    made = MockDriver(tmp_path_factory.mktemp("cuda"))
    with pytest.MonkeyPatch.context() as patch:
        yield from (made for _ in mocked(made, patch))


@pytest.fixture(scope="module")
def doubling(driver: MockDriver) -> CompiledModule:
    made = doubled("cuda")
    driver.add(made)
    return made


@pytest.fixture(params=["cuda", "opencl"])
def gpu(request: pytest.FixtureRequest) -> Device:
    if request.param == "cuda":
        request.getfixturevalue("driver")
        return device("cuda")
    return opencl_device()


@pytest.fixture
def module(gpu: Device, request: pytest.FixtureRequest) -> CompiledModule:
    is_mock = gpu.kind == device("cuda").kind
    return request.getfixturevalue("doubling") if is_mock else doubled("opencl")


def test_a_stream_waits_for_an_event_of_another_stream(gpu: Device, module: CompiledModule) -> None:
    first, second = DeviceStream(gpu), DeviceStream(gpu)
    x, y, z = nd.array(X, gpu), *(nd.empty((96,), "float32", gpu) for _ in range(2))
    for _ in range(3):  # the second call on a stream of CUDA captures a graph
        with first:
            module(x, y)
        second.wait(first.record())
        with second:
            module(y, z)
        second.sync()
    with first:
        np.testing.assert_array_equal(z.numpy(), X * 4)
    np.testing.assert_array_equal(y.numpy(), X * 2)


def test_streams_are_left_in_order(gpu: Device, module: CompiledModule) -> None:
    streams = [DeviceStream(gpu) for _ in range(2)]
    assert len({each.handle for each in streams}) == 2
    x = nd.array(X, gpu)
    with streams[0]:
        y = module(x)
        with streams[1]:
            z = module(x)
        y = module(y)
    gpu.sync()  # all streams
    np.testing.assert_array_equal(y.numpy(), X * 4)
    np.testing.assert_array_equal(z.numpy(), X * 2)


def test_events_have_times(gpu: Device, module: CompiledModule) -> None:
    stream, x = DeviceStream(gpu), nd.array(X, gpu)
    with stream:
        begin = stream.record()
        module(x)
        end = stream.record()
    assert 0 < end.elapsed_s(begin) < 60
    assert end.elapsed_s(end) == 0


def test_calls_on_a_stream_do_not_wait(driver: MockDriver, doubling: CompiledModule) -> None:
    """The mock runs the work of a stream when something waits for it."""
    module, gpu = doubling, device("cuda")
    first, second = DeviceStream(gpu), DeviceStream(gpu)
    x, y, z = nd.array(X, gpu), *(nd.array(0 * X, gpu) for _ in range(2))
    with first:
        module(x, y)  # it opens the program
    first.sync()
    waits = driver.calls(WAIT)
    with first:
        module(y, z)
    with second:
        copy = nd.empty((96,), "float32", gpu).copyfrom(z)
    assert driver.calls(WAIT) == waits
    second.sync()
    with second:
        np.testing.assert_array_equal(copy.numpy(), 0 * X)  # no event ordered the two streams
    first.sync()
    with second:
        np.testing.assert_array_equal(z.numpy(), X * 4)


def test_a_stream_is_used_again(driver: MockDriver) -> None:
    stream = DeviceStream(device("cuda"))
    handle = stream.handle
    del stream
    assert DeviceStream(device("cuda")).handle == handle


def test_devices_without_streams(driver: MockDriver) -> None:
    with pytest.raises(ArgumentError, match=r"device cpu:0 has no streams(?s:.*)device.sync\(\)"):
        DeviceStream(cpu())
    with pytest.raises(ArgumentError, match=r"device cuda:2 does not exist here"):
        DeviceStream(device("cuda", 2))
    event = DeviceStream(device("cuda", 1)).record()
    with pytest.raises(ArgumentError, match=r"(?s)expected: cuda:0.*got: cuda:1"):
        DeviceStream(device("cuda")).wait(event)

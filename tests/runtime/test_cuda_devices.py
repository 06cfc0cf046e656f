"""CUDA devices by the mock driver: memory, launches, errors, and models; no GPU is used."""

from __future__ import annotations

import ctypes
import gc
import weakref
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import onnx
import pytest

import tilewright
from tilewright import ArgumentError, Device, KernelProgram, device, nd, te
from tilewright.runtime.device.cuda import cuda
from tilewright.runtime.errors import DeviceError
from tilewright.testing import models

from ..cuda_device import MockDriver, mocked
from ..passes.simt import schedules

SCALE = """
.visible .entry scale(
	.param .u64 .ptr .global .align 16 scale_param_0,
	.param .u64 .ptr .global .align 16 scale_param_1,
	.param .u64 scale_param_2
)
"""
SCALE_CUDA = """
extern "C" __global__ void scale(const float *x, float *y, const long long by) {
    int i = blockIdx.x * 4 + threadIdx.x;
    y[i] = x[i] * by;
}
"""


@pytest.fixture(scope="module")
def driver(tmp_path_factory: pytest.TempPathFactory) -> MockDriver:
    made = MockDriver(tmp_path_factory.mktemp("cuda"))
    made.add_source(SCALE, SCALE_CUDA)
    return made


@pytest.fixture
def gpu(driver: MockDriver, monkeypatch: pytest.MonkeyPatch) -> Iterator[Device]:
    for _ in mocked(driver, monkeypatch):
        yield device("cuda")
        assert driver.library.mock_contexts() == 0, "each function leaves the context of the thread"


def floats(*shape: int) -> np.ndarray:
    return np.random.default_rng(0).standard_normal(shape).astype(np.float32)


def test_facts_about_a_device(gpu: Device) -> None:
    assert gpu.exist
    assert device("cuda", 1).exist
    assert not device("cuda", 2).exist
    facts = gpu.attributes
    assert facts["name"] == "mock GPU"
    assert facts["arch"] == "sm_80"
    assert facts["version"] == "CUDA 12.4"
    assert facts["threads_per_block"] == 1024


def test_arrays_are_copied_in_order(gpu: Device, driver: MockDriver) -> None:
    before = driver.used_bytes()
    x = floats(3, 5)
    there = nd.array(x, gpu)
    again = nd.empty((3, 5), "float32", gpu).copyfrom(there)
    there[0] = 7
    np.testing.assert_array_equal(again.numpy(), x)
    np.testing.assert_array_equal(there.numpy()[1:], x[1:])
    assert driver.used_bytes() == before + 2 * x.nbytes
    del there, again
    gc.collect()
    assert driver.used_bytes() == before


def test_devices_have_memory_of_their_own(gpu: Device, driver: MockDriver) -> None:
    before = [driver.used_bytes(number) for number in range(2)]
    x = nd.array(floats(4), device("cuda", 1))
    assert [driver.used_bytes(number) for number in range(2)] == [before[0], before[1] + 16]
    np.testing.assert_array_equal(nd.array(x.numpy(), gpu).numpy(), floats(4))


def test_memory_that_is_not_there_is_an_error(gpu: Device) -> None:
    with pytest.raises(MemoryError, match="CUDA_ERROR_OUT_OF_MEMORY"):
        nd.empty((1 << 29,), "float32", gpu)


def test_kernels_run_in_the_queue(gpu: Device) -> None:
    scale = KernelProgram(gpu, SCALE, ["scale"])["scale"]
    x, y = nd.array(floats(16), gpu), nd.empty((16,), "float32", gpu)
    scale(x, y, ctypes.c_int64(3), grid=(4, 1, 1), block=(4, 1, 1))
    scale(y, y, ctypes.c_int64(5), grid=(0, 1, 1), block=(4, 1, 1))
    np.testing.assert_array_equal(y.numpy(), floats(16) * 3)


def test_launches_check_their_arguments(gpu: Device) -> None:
    scale = KernelProgram(gpu, SCALE, ["scale"])["scale"]
    x = nd.zeros(16, "float32", gpu)
    with pytest.raises(DeviceError, match=r"another number of arguments(?s:.*)expected: 3\n.*: 2"):
        scale(x, x, grid=(1, 1, 1), block=(4, 1, 1))
    with pytest.raises(DeviceError, match=r"cuLaunchKernel fails(?s:.*)CUDA_ERROR_INVALID_VALUE"):
        scale(x, x, ctypes.c_int64(1), grid=(1, 1, 1), block=(2048, 1, 1))
    with pytest.raises(ArgumentError, match="argument 0 of kernel scale"):
        scale(nd.zeros(4, "float32", device("cuda", 1)), x, x, grid=(1, 1, 1), block=(4, 1, 1))


def test_code_that_the_driver_refuses(gpu: Device) -> None:
    with pytest.raises(DeviceError, match=r"refuses the code(?s:.*)no such PTX is registered"):
        KernelProgram(gpu, "nonsense", ["f"])
    with pytest.raises(DeviceError, match="a program has no kernel g"):
        KernelProgram(gpu, SCALE, ["g"])


def test_a_program_is_unloaded_after_its_work(gpu: Device, driver: MockDriver) -> None:
    program = KernelProgram(gpu, SCALE, ["scale"])
    x = nd.array(floats(4), gpu)
    program["scale"](x, x, ctypes.c_int64(2), grid=(1, 1, 1), block=(4, 1, 1))
    gc.collect()
    gone, unloaded = weakref.ref(program), driver.calls("cuModuleUnload")
    del program
    gc.collect()
    assert gone() is None
    assert driver.calls("cuModuleUnload") == unloaded + 1
    np.testing.assert_array_equal(x.numpy(), floats(4) * 2)


# -- programs ------------------------------------------------------------------------------------


def compare(driver: MockDriver, model: onnx.ModelProto, *inputs: np.ndarray) -> None:
    """Check a model on the device against the interpreter, twice."""
    made = tilewright.compile(model, target="cuda", strict_plan=True, cache=False)
    driver.add(made)
    reference = tilewright.compile(model, target="interpreter", cache=False)
    want = [array.numpy() for array in reference.run(inputs)]
    first, again = ([array.numpy() for array in made.run(inputs)] for _ in range(2))
    for got, other, expected in zip(first, again, want, strict=True):
        np.testing.assert_allclose(got, expected, rtol=1e-4, atol=1e-5)
        np.testing.assert_array_equal(got, other)


@pytest.mark.usefixtures("gpu")
@pytest.mark.parametrize(
    "model",
    [
        models.encoder_model(layers=1, hidden=32, heads=2, ffn=64, seq=8),
        models.conv_model(channels=4, filters=6, size=9),
    ],
    ids=["encoder", "conv"],
)
def test_models_run_on_the_device(driver: MockDriver, model: onnx.ModelProto) -> None:
    compare(driver, model, *models.inputs_for(model))


@pytest.mark.usefixtures("gpu")
def test_weights_are_uploaded_once(driver: MockDriver) -> None:
    made = tilewright.compile(models.ffn_model(m=4, k=8, n=20), target="cuda", cache=False)
    driver.add(made)
    x = floats(4, 8)
    made(x)
    copies = driver.calls("cuMemcpyHtoDAsync_v2")
    loads = driver.calls("cuModuleLoadDataEx")
    made(x)
    assert driver.calls("cuMemcpyHtoDAsync_v2") == copies + 1, "the input of the second call"
    assert driver.calls("cuModuleLoadDataEx") == loads


@pytest.mark.usefixtures("gpu")
def test_open_sizes_are_parameters_of_kernels(driver: MockDriver) -> None:
    made = tilewright.compile(models.ffn_model(m="rows", k=12, n=20), target="cuda", cache=False)
    driver.add(made)
    native = tilewright.compile(models.ffn_model(m="rows", k=12, n=20), cache=False)
    for rows in (1, 7, 3):
        x = floats(rows, 12)
        np.testing.assert_allclose(made(x).numpy(), native(x).numpy(), rtol=1e-5, atol=1e-6)


@pytest.mark.usefixtures("gpu")
def test_a_grid_of_open_sizes_keeps_the_limits_of_the_driver(driver: MockDriver) -> None:
    a = te.placeholder((te.var("n"), 2), name="A")
    b = te.compute(a.shape, lambda i, j: a[i, j] + 1.0, name="B")
    s = te.create_schedule(b, target="cuda")
    s[b].bind(b.op.axis[0], "blockIdx.y")
    s[b].bind(b.op.axis[1], "threadIdx.x")
    made = tilewright.build(s, [a, b], target="cuda", cache=False)
    driver.add(made)
    for n in (3, 65536):
        x = floats(n, 2)
        np.testing.assert_array_equal(made(x).numpy(), x + 1)


@pytest.mark.usefixtures("gpu")
def test_a_schedule_for_threads_runs(driver: MockDriver) -> None:
    s, tensors = schedules.matmul(64, 32, 24, transpose=True, double=True)
    made = tilewright.build(s, tensors, target="cuda", cache=False)
    driver.add(made)
    a, b = floats(64, 24), floats(24, 32)
    np.testing.assert_allclose(np.asarray(made(a, b)), a @ b, rtol=2e-5, atol=2e-5)


def test_a_machine_without_a_driver(monkeypatch: pytest.MonkeyPatch) -> None:
    for _ in mocked(None, monkeypatch):
        assert not device("cuda").exist
        with pytest.raises(ArgumentError, match=r"cuda:0 does not exist(?s:.*)install the driver"):
            nd.zeros(4, "float32", device("cuda"))


def test_the_driver_that_is_not_installed_is_none(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("tilewright.runtime.device.cuda._LIBRARY", str(tmp_path / "libcuda.so.1"))
    assert cuda.__wrapped__() is None

"""ROCm devices by the mock driver: models run end to end through the launcher, in the emulator."""

from __future__ import annotations

import gc
from base64 import b64decode
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import onnx
import pytest

import tilewright
from tilewright import ArgumentError, Device, KernelProgram, device, nd
from tilewright.codegen.code_object import find_lld, make_code_object
from tilewright.lowering.simt_to_llvm import AMDGPU, emit_module
from tilewright.machines.target import Target
from tilewright.runtime.abi.constants import DeviceType
from tilewright.runtime.device.hip import hip
from tilewright.runtime.errors import DeviceError
from tilewright.testing import models

from ..hip_device import MockHip, mocked
from ..lowering.native import only_function

PROCESSOR = "gfx942"
NEGATED = """
func.func @negate(%x: memref<64xf32>, %y: memref<64xf32>)
    attributes {tw.launch = #simt.launch<grid [1], block [64], shared 0>} {
  %t = simt.thread_id x below 64
  %a = loop.load %x[%t] : memref<64xf32>, f32
  %b = arith.negf %a : f32
  loop.store %b, %y[%t] : memref<64xf32>, f32
  func.return
}"""


@pytest.fixture(scope="module")
def code() -> bytes:
    if find_lld() is None:
        pytest.skip("no LLD: pip install tilewright[rocm]")
    text = emit_module([("negate", only_function(NEGATED))], Target("rocm"), AMDGPU)
    return make_code_object(text, PROCESSOR)


@pytest.fixture(scope="module")
def driver(tmp_path_factory: pytest.TempPathFactory, code: bytes) -> MockHip:
    pytest.importorskip("tinygrad", reason="no tinygrad: pip install tilewright[test]")
    made = MockHip(tmp_path_factory.mktemp("hip"))
    made.add_object(code, PROCESSOR)
    return made


@pytest.fixture
def gpu(driver: MockHip, monkeypatch: pytest.MonkeyPatch) -> Iterator[Device]:
    for _ in mocked(driver, monkeypatch):
        yield device("rocm")
        assert driver.functions.number("hipGetDevice") == 0, "functions leave the thread's device"
        assert not driver.errors


def floats(*shape: int) -> np.ndarray:
    return np.random.default_rng(0).standard_normal(shape).astype(np.float32)


def test_facts_about_a_device(gpu: Device) -> None:
    assert gpu.exist
    assert device("rocm", 1).exist
    assert not device("rocm", 2).exist
    facts = gpu.attributes
    assert facts["name"] == "mock GPU"
    assert facts["arch"] == PROCESSOR
    assert facts["version"] == "HIP 6.4"
    assert (facts["threads_per_block"], facts["shared_bytes"]) == (1024, 65536)


def test_arrays_are_copied_in_order(gpu: Device, driver: MockHip) -> None:
    before = driver.used_bytes(1)
    x = floats(3, 5)
    there = nd.array(x, device("rocm", 1))
    again = nd.empty((3, 5), "float32", there.device).copyfrom(there)
    there[0] = 7
    np.testing.assert_array_equal(again.numpy(), x)
    np.testing.assert_array_equal(nd.array(there.numpy(), gpu).numpy()[1:], x[1:])
    assert driver.used_bytes(1) == before + 2 * x.nbytes
    del there, again
    gc.collect()
    assert driver.used_bytes(1) == before
    with pytest.raises(MemoryError, match=r"hipMalloc(?s:.*)hipErrorOutOfMemory"):
        nd.empty((1 << 29,), "float32", gpu)


def test_arrays_are_lent_by_their_kind(gpu: Device, driver: MockHip) -> None:
    x = nd.array(floats(4), gpu)
    assert x.__dlpack_device__() == (DeviceType.ROCM, 0) == (10, 0)
    recorded = driver.calls("hipEventRecord")
    y = nd.from_dlpack(x)
    assert (y.address, driver.calls("hipEventRecord")) == (x.address, recorded + 1)
    x.__dlpack__(stream=None)
    assert gpu.api.default_stream == 0, "DLPack's number of HIP's default stream"


def test_kernels_run_in_the_queue(gpu: Device, code: bytes) -> None:
    negate = KernelProgram(gpu, code, ["negate"])["negate"]
    x, y = nd.array(floats(64), gpu), nd.empty((64,), "float32", gpu)
    negate(x, y, grid=(1, 1, 1), block=(64, 1, 1))
    np.testing.assert_array_equal(y.numpy(), -floats(64))
    with pytest.raises(DeviceError, match=r"hipModuleLaunchKernel fails(?s:.*)InvalidValue"):
        negate(x, y, grid=(1, 1, 1), block=(2048, 1, 1))


def test_code_that_the_driver_refuses(gpu: Device, code: bytes) -> None:
    with pytest.raises(DeviceError, match=r"refuses the code(?s:.*)NoBinaryForGpu(?s:.*)-mcpu="):
        KernelProgram(gpu, b"nonsense", ["f"])
    with pytest.raises(DeviceError, match=r"no kernel g(?s:.*)a kernel of the code object"):
        KernelProgram(gpu, code, ["g"])


# -- programs ------------------------------------------------------------------------------------


@pytest.mark.usefixtures("gpu")
@pytest.mark.slow
@pytest.mark.parametrize(
    ("model", "processor"),
    [
        (models.encoder_model(layers=1, hidden=32, heads=2, ffn=64, seq=8), "gfx1100"),
        (models.conv_model(channels=4, filters=6, size=9), "gfx942"),
    ],
    ids=["encoder", "conv"],
)
def test_models_run_on_the_device(
    driver: MockHip, model: onnx.ModelProto, processor: str, tmp_path: Path
) -> None:
    target, inputs = f"rocm -mcpu={processor}", models.inputs_for(model)
    made = tilewright.compile(model, target=target, strict_plan=True, cache=False)
    driver.add(made, processor)
    (want,) = tilewright.compile(model, target="interpreter", cache=False).run(inputs)
    launches = driver.calls("hipGraphLaunch")
    (first,), (again,) = (made.run(inputs) for _ in range(2))
    assert driver.calls("hipGraphLaunch") == launches + 1
    np.testing.assert_allclose(first.numpy(), want.numpy(), rtol=1e-4, atol=1e-5)
    np.testing.assert_array_equal(first.numpy(), again.numpy())
    library, *_ = made.export_library(tmp_path / "m.so")
    assert b64decode(made.get_source("hsaco")) in library.read_bytes()


@pytest.mark.usefixtures("gpu")
def test_open_sizes_and_arguments_on_the_device(driver: MockHip, gpu: Device) -> None:
    model = models.ffn_model(m="rows", k=12, n=20)
    made = tilewright.compile(model, target=f"rocm -mcpu={PROCESSOR}", cache=False)
    driver.add(made, PROCESSOR)
    native = tilewright.compile(model, cache=False)
    for rows in (1, 7):
        x = floats(rows, 12)
        y = made(nd.array(x, gpu))
        assert y.device == gpu
        np.testing.assert_allclose(y.numpy(), native(x).numpy(), rtol=1e-5, atol=1e-6)
    copies = driver.calls("hipMemcpyHtoDAsync")
    made(x)
    assert driver.calls("hipMemcpyHtoDAsync") == copies + 1, "weights are uploaded once"


def test_a_machine_without_a_driver(monkeypatch: pytest.MonkeyPatch) -> None:
    for _ in mocked(None, monkeypatch):
        assert not device("rocm").exist
        with pytest.raises(ArgumentError, match=r"rocm:0 does not exist(?s:.*)install ROCm 6"):
            nd.zeros(4, "float32", device("rocm"))


def test_the_driver_that_is_not_installed_is_none(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(
        "tilewright.runtime.device.hip._LIBRARIES", (str(tmp_path / "libamdhip64.so"),)
    )
    assert hip.__wrapped__() is None

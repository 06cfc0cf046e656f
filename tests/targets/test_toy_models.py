"""Models on the devices of the example package, by a backend of an extension."""

from __future__ import annotations

import importlib.util
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import numpy as np
import onnx
import pytest

import tilewright
from tilewright import DeviceError, TargetError, nd
from tilewright.interp.simt import Race
from tilewright.testing import models

FILE = Path(__file__).resolve().parents[2] / "examples" / "toy_device" / "toy_device.py"


@pytest.fixture(scope="module")
def package() -> Iterator[ModuleType]:
    """Return the module of the package, as if it were installed without its entry points."""
    with pytest.MonkeyPatch.context() as patch:
        spec = importlib.util.spec_from_file_location("toy_device", FILE)
        assert spec is not None
        assert spec.loader is not None
        made = importlib.util.module_from_spec(spec)
        patch.setitem(sys.modules, "toy_device", made)
        spec.loader.exec_module(made)
        yield made


@pytest.fixture
def place(package: ModuleType) -> tilewright.Device:
    devices = package.ToyDevices()
    tilewright.register_device("toy", devices, kind=devices.dlpack_kind)
    return tilewright.device("toy")


def compiled(package: ModuleType, model: onnx.ModelProto, target: str = "toy"):
    return tilewright.compile(
        model,
        target=target,
        extensions=[tilewright.Extension(backends=[package.ToyBackend()])],
        strict_plan=True,
        cache=False,
    )


@pytest.mark.parametrize(
    "model",
    [
        models.ffn_model(m=3, k=12, n=20),
        models.encoder_model(layers=1, hidden=16, heads=2, ffn=32, seq=4),
        models.conv_model(channels=2, filters=3, size=6),
    ],
    ids=["ffn", "encoder", "conv"],
)
def test_a_model_runs_on_the_device(
    package: ModuleType, place: tilewright.Device, model: onnx.ModelProto
) -> None:
    inputs = models.inputs_for(model)
    expected = tilewright.compile(model, target="interpreter", cache=False)(*inputs).numpy()
    mod = compiled(package, model)
    np.testing.assert_allclose(mod(*inputs).numpy(), expected, rtol=1e-4, atol=1e-5)
    for there in (place, tilewright.device("toy", 1)):
        y = mod(*(nd.array(x, there) for x in inputs))
        assert y.device == there
        np.testing.assert_allclose(y.numpy(), expected, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("level", range(3))
def test_every_optimization_level_runs_on_the_device(
    package: ModuleType, place: tilewright.Device, level: int
) -> None:
    model = models.ffn_model(m=3, k=12, n=20)
    x = np.random.default_rng(0).random((3, 12), np.float32)
    with tilewright.PassContext(opt_level=level):
        y = compiled(package, model)(nd.array(x, place))
    expected = tilewright.compile(model, target="interpreter", cache=False)(x).numpy()
    np.testing.assert_allclose(y.numpy(), expected, rtol=1e-5, atol=1e-6)


def test_open_sizes_are_arguments_of_kernels(package: ModuleType, place: tilewright.Device) -> None:
    model = models.ffn_model(m="rows", k=12, n=20)
    mod, native = compiled(package, model), tilewright.compile(model, cache=False)
    for rows in (1, 7, 3):
        x = np.random.default_rng(rows).random((rows, 12), np.float32)
        np.testing.assert_allclose(mod(x).numpy(), native(x).numpy(), rtol=1e-5, atol=1e-6)
    assert not mod.reason


def test_a_call_returns_before_the_device_has_run_it(
    package: ModuleType, place: tilewright.Device
) -> None:
    model = models.ffn_model(m=3, k=12, n=20)
    mod = compiled(package, model)
    x = np.random.default_rng(0).random((3, 12), np.float32)
    there = nd.array(x, place)
    expected = mod(there).numpy()
    start = threading.Event()
    place.api.queues[0].add(start.wait)
    y = mod(there)
    there.copyfrom(np.zeros_like(x))  # in the queue behind the call
    start.set()
    np.testing.assert_array_equal(y.numpy(), expected)
    assert not there.numpy().any()


@pytest.mark.parametrize(
    ("model", "op", "shape"),
    [
        (models.ffn_model(m="rows", k=12, n=20), "erf", (3, 12)),
        (models.conv_model(channels=2, filters=3, size=6), "conv", (1, 2, 6, 6)),
    ],
    ids=["ffn", "CNN"],
)
def test_ops_run_on_the_host_between_kernels(
    package: ModuleType,
    place: tilewright.Device,
    model: onnx.ModelProto,
    op: str,
    shape: tuple[int, ...],
) -> None:
    options = {
        "extensions": [tilewright.Extension(backends=[package.ToyBackend()])],
        "strict_plan": True,
        "cache": False,
    }
    mod = tilewright.compile(model, target="toy", placement={op: "llvm"}, **options)
    x = np.random.default_rng(1).random(shape, np.float32)
    expected = tilewright.compile(model, cache=False)(x).numpy()
    np.testing.assert_allclose(mod(x).numpy(), expected, rtol=1e-5, atol=1e-6)
    assert mod.get_source("packed").count("packed.copy") == 2
    kernels, host = mod.imported_modules
    assert (kernels.kind, host.kind) == ("toy", "llvm")


def test_launches_are_timed_by_events(package: ModuleType, place: tilewright.Device) -> None:
    model = models.ffn_model(m=3, k=12, n=20)
    mod = compiled(package, model)
    profile = mod.profile(np.ones((3, 12), np.float32), rounds=1)
    launched = {kernel.name for kernel in mod.kernels}
    times = {step.kernel: step.time_s for step in profile.steps if step.kernel in launched}
    assert times.keys() == launched
    assert min(times.values()) > 0


def test_the_code_is_the_text_of_kernels(package: ModuleType) -> None:
    mod = compiled(package, models.ffn_model(m=3, k=12, n=20), "toy -max-threads=8")
    source = mod.get_source("kernels")
    assert source.count("func.func @tw_k") == len(mod.kernels)
    assert "simt.thread_id x below 8" in source
    assert mod.manifest.target == "toy -max-threads=8"
    with pytest.raises(TargetError, match="lanes"):
        compiled(package, models.ffn_model(m=3, k=12, n=20), "toy -lanes=4")


def test_a_missing_barrier_is_an_error_of_the_next_wait(
    package: ModuleType, place: tilewright.Device
) -> None:
    source = compiled(package, models.ffn_model(m=32, k=12, n=20)).get_source("kernels")
    assert "simt.barrier" in source
    broken = "\n".join(line for line in source.splitlines() if "simt.barrier" not in line)
    kernel = tilewright.KernelProgram(place, broken, ["tw_k0"])["tw_k0"]
    shapes = [(32, 12), (12, 20), (20,), (32, 20)]
    arrays = [nd.zeros(shape, device=place) for shape in shapes]
    kernel(*arrays, grid=(1, 1, 1), block=(8, 8, 1))
    with pytest.raises(Race):
        place.sync()
    with pytest.raises(DeviceError, match="another number of arguments"):
        kernel(*arrays[:2], grid=(1, 1, 1), block=(8, 8, 1))

"""Exported modules of GPUs: libraries with PTX or source, loaded by the device of the machine."""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable
from pathlib import Path

import numpy as np
import onnx
import pytest

import tilewright
from tilewright import ArgumentError, Device, KernelError, LoadError, nd
from tilewright.runtime.device.launch_list import LaunchList, LoadedList
from tilewright.runtime.module.inspection import inspect_file
from tilewright.support.diagnostics import TargetError, UnsupportedOp
from tilewright.targets.gpu.launch_lists import launch_list
from tilewright.testing import models

from ...cuda_device import MockDriver, mocked
from ...driver.export.exported import plain_names
from ...opencl_device import opencl_device
from ...vulkan_device import vulkan_device
from ...webgpu_device import webgpu_device

FFN = models.ffn_model(m="rows", k=12, n=20)
X = np.random.default_rng(0).standard_normal((3, 12)).astype(np.float32)


@pytest.mark.parametrize("embed", [True, False])
@pytest.mark.parametrize(
    ("there", "head"),
    [
        (opencl_device, b"__kernel"),
        (webgpu_device, b"@compute"),
        (vulkan_device, b"\x03\x02\x23\x07"),
    ],
)
def test_a_library_of_source(
    there: Callable[[], Device], head: bytes, embed: bool, tmp_path: Path
) -> None:
    device = there()
    kind = str(device).partition(":")[0]
    mod = tilewright.compile(FFN, target=kind, cache=False)
    files = mod.export_library(tmp_path / "m.so", embed=embed)
    names = plain_names(file.name for file in files)
    assert names == ["m.so", "m.so.*.safetensors"][: 2 - embed]
    assert head in files[0].read_bytes()
    loaded = tilewright.load_module(files[0], verify=True)
    np.testing.assert_array_equal(loaded(X).numpy(), mod(X).numpy())
    assert loaded(nd.array(X, device)).device == device
    assert inspect_file(files[0]).target == kind
    again = pickle.loads(pickle.dumps(loaded))
    np.testing.assert_array_equal(again(X).numpy(), mod(X).numpy())


def test_a_library_of_ptx(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    driver = MockDriver(tmp_path)
    for _ in mocked(driver, monkeypatch):
        mod = tilewright.compile(FFN, target="cuda -arch=sm_90a", cache=False)
        driver.add(mod)
        library, *_ = mod.export_library(tmp_path / "m.so")
        assert b".target sm_90a" in library.read_bytes()
        loaded = tilewright.load_module(library)
        np.testing.assert_array_equal(loaded(X).numpy(), mod(X).numpy())


def test_a_library_is_for_the_host_of_the_target(tmp_path: Path) -> None:
    target = tilewright.Target("cuda -arch=sm_80", host="aarch64")
    mod = tilewright.compile(FFN, target=target, cache=False)
    library, *_ = mod.export_library(tmp_path / "m.so")
    found = inspect_file(library)
    assert (found.machine, found.target) == ("aarch64", str(target))
    with pytest.raises(TargetError, match="not made for the system"):
        tilewright.compile(FFN, target="cuda '-host=llvm -mtriple=arm64-apple-darwin'")


def test_loading_needs_no_device_and_calling_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mod = tilewright.compile(FFN, target="cuda", cache=False)
    library, *_ = mod.export_library(tmp_path / "m.so")
    for _ in mocked(None, monkeypatch):
        loaded = tilewright.load_module(library)
        with pytest.raises(KernelError, match="the driver of the GPU is missing"):
            loaded(X)


def test_a_launch_list_runs_without_the_compiler(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    driver = MockDriver(tmp_path)
    model = models.encoder_model(layers=1, hidden=32, heads=2, ffn=64, seq=8)
    for _ in mocked(driver, monkeypatch):
        mod = tilewright.compile(model, target="cuda", cache=False)
        driver.add(mod)
        straight = launch_list(mod._made[1])
        launches = LaunchList.of(json.loads(json.dumps(straight.launches.fields())))
        assert launches == straight.launches
        loaded = LoadedList(
            tilewright.device("cuda"), launches, straight.kernels_code, straight.weights
        )
        (x,) = models.inputs_for(model)
        ((_, region),) = loaded.regions("output").items()
        ((_, number),) = loaded.regions("input").items()
        loaded.write(number, x)
        loaded.queue()
        y = np.empty(launches.regions[region].shape, np.float32)
        loaded.read(region, y)
        np.testing.assert_array_equal(y, mod(x).numpy())


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("g (float[n, 8] x) => (float[n, 8] y) { y = Exp(x) }", "its sizes are not constants"),
        ("g (float[8] x) => (int64[1, m] y) { y = NonZero(x) }", "its sizes are not constants"),
        (
            """g (bool c, float[8] x) => (float[8] y) {
               y = If(c) <then_branch = t () => (float[8] p) { p = Exp(x) },
                          else_branch = e () => (float[8] q) { q = Neg(x) }> }""",
            "depend on values of elements",
        ),
        (
            """g (float[9, 8] x, float[4] a) => (float[4, 8] y) {
               b = Abs(a) i = Cast<to = 7>(b) y = Gather(x, i) }""",
            "depend on values of elements",
        ),
    ],
)
def test_programs_that_depend_on_elements_have_no_launch_list(text: str, reason: str) -> None:
    model = onnx.parser.parse_model(f'<ir_version: 9, opset_import: ["": 18]> {text}')
    mod = tilewright.compile(model, target="cuda", cache=False)
    with pytest.raises(UnsupportedOp, match=reason):
        launch_list(mod._made[1])


def test_damaged_files(tmp_path: Path) -> None:
    mod = tilewright.compile(FFN, target="opencl", cache=False)
    library, weights = mod.export_library(tmp_path / "m.so")
    with pytest.raises(ArgumentError, match="names no format"):
        mod.export_library(tmp_path / "m.tar")
    data = bytearray(library.read_bytes())
    data[data.index(b"__kernel")] = ord("!")
    library.write_bytes(data)
    with pytest.raises(LoadError):
        tilewright.load_module(library)
    weights.unlink()

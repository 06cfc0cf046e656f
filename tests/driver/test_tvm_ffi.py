"""Exported libraries in another host of the packed-function ABI, `tvm_ffi.load_module`."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import tilewright
from tilewright.testing.models import conv_model, ffn_model, inputs_for
from tilewright.testing.worker import Worker

from .test_data_sizes import detector_tail
from .test_load_module import X, assert_equal, compiled, floats, results

NATIVE = str(Path(__file__).with_name("foreign.py"))
needs_torch = pytest.mark.skipif(importlib.util.find_spec("torch") is None, reason="needs torch")


@pytest.fixture(scope="module")
def worker() -> Iterator[Worker]:
    with Worker() as worker:
        yield worker


def zeros(module: tilewright.Module, shapes: list[tuple[int, ...]]) -> list[np.ndarray]:
    specs = module.manifest.filled
    return [np.zeros(shape, spec.dtype) for shape, spec in zip(shapes, specs, strict=True)]


@pytest.mark.parametrize("embed", [False, True])
@pytest.mark.parametrize("run", ["run", pytest.param("run_torch", marks=needs_torch)])
def test_models_with_weights_run(worker, tmp_path, embed, run):
    for number, model in enumerate((ffn_model(m=4, k=8, n=8), conv_model())):
        module, arrays = compiled(model, threads=1), inputs_for(model)
        path = tmp_path / f"m{number}.so"
        module.export_library(path, embed=embed)
        filled = zeros(module, [spec.sizes() for spec in module.manifest.filled])
        assert_equal(
            worker.call(f"{NATIVE}:{run}", str(path), arrays, filled), results(module, arrays)
        )


@pytest.mark.parametrize("rows", [1, 5, 33])
def test_a_model_of_all_sizes_runs(worker, tmp_path, rows):
    module = compiled(ffn_model(m="rows", k=8, n=8))
    module.export_library(tmp_path / "m.so")
    arrays = [floats(rows, 8)]
    got = worker.call(
        f"{NATIVE}:run", str(tmp_path / "m.so"), arrays, [np.zeros((rows, 8), np.float32)]
    )
    assert_equal(got, results(module, arrays))


def test_sizes_that_depend_on_data_are_returned(worker, tmp_path):
    module = compiled(detector_tail())
    module.export_library(tmp_path / "m.so")
    rng = np.random.default_rng(1)
    arrays = [rng.random((1, 9, 4), np.float32), rng.random((1, 2, 9), np.float32)]
    filled = zeros(module, [spec.sizes() for spec in module.manifest.filled])
    got = worker.call(f"{NATIVE}:run", str(tmp_path / "m.so"), arrays, filled)
    parts = [np.array(part) for part in module.valid_parts(got)]
    assert_equal(parts, results(module, arrays))


def test_errors_are_those_of_the_library(worker, tmp_path):
    module = compiled(ffn_model(m=4, k=8, n=8))
    module.export_library(tmp_path / "m.so")
    with pytest.raises(TypeError, match=r"main: wrong number of arguments\n    expected: 2"):
        worker.call(f"{NATIVE}:run", str(tmp_path / "m.so"), [X], [])
    with pytest.raises(ValueError, match=r"argument 1 \(Gelu\) has the wrong shape"):
        worker.call(f"{NATIVE}:run", str(tmp_path / "m.so"), [X], [X[1:]])
    (tmp_path / "m.safetensors").unlink()
    module.export_library(tmp_path / "n.so")
    (tmp_path / "n.safetensors").unlink()
    with pytest.raises(RuntimeError, match="the weights cannot be loaded"):
        worker.call(f"{NATIVE}:run", str(tmp_path / "n.so"), [X], [np.zeros((4, 8), np.float32)])


def test_functions_are_found_by_their_names(worker, tmp_path):
    compiled(ffn_model(m=4, k=8, n=8)).export_library(tmp_path / "m.so")
    found = [worker.call(f"{NATIVE}:exports", str(tmp_path / "m.so"), n) for n in ("main", "x")]
    assert found == [True, False]


def test_native_tracebacks_read_the_code_of_load_module(worker, tmp_path):
    module = compiled(ffn_model(m=4, k=8, n=8))
    module.export_library(tmp_path / "m.so")
    got = worker.call(f"{NATIVE}:both", str(tmp_path / "m.so"), X)
    assert_equal([got], results(module, [X]))

"""Models of open sizes and of data-dependent outputs in programs without Python, bit for bit."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

import tilewright
from tilewright.runtime.image import Image
from tilewright.testing.models import encoder_model, ffn_model
from tilewright.testing.worker import Worker

from .hosts import HOSTS, build_cpp, build_rust, output, run_host, sanitized
from .test_data_sizes import detector_tail
from .test_load_module import assert_equal, compiled, floats, results

FOREIGN = str(Path(__file__).with_name("foreign.py"))
ENCODER = encoder_model(layers=1, hidden=64, heads=4, ffn=128, batch="batch", seq="seq")

Run = Callable[[Path, list[np.ndarray]], list[np.ndarray]]
"""A function that runs a library on arrays in another host."""


@pytest.fixture(scope="module")
def worker() -> Iterator[Worker]:
    with Worker() as worker:
        yield worker


@pytest.fixture(scope="module", params=["c", "cpp", "rust", "tvm_ffi"])
def run(request, worker, tmp_path_factory) -> Run:
    folder = tmp_path_factory.mktemp(request.param)
    if request.param == "tvm_ffi":
        return lambda path, arrays: worker.call(f"{FOREIGN}:run_sized", str(path), arrays)
    makers = {
        "c": lambda: sanitized("runs.c", folder),
        "cpp": lambda: build_cpp(HOSTS / "runs.cpp", folder),
        "rust": lambda: build_rust(HOSTS / "runs.rs", folder),
    }
    program = makers[request.param]()
    return lambda path, arrays: run_host(program, path, arrays)


@pytest.fixture(scope="module")
def exported(tmp_path_factory) -> dict[str, tuple[tilewright.CompiledModule, Path]]:
    folder, made = tmp_path_factory.mktemp("models"), {}
    for name, model in (("encoder", ENCODER), ("detector", detector_tail())):
        module = compiled(model, threads=1)
        made[name] = (module, module.export_library(folder / f"{name}.so")[0])
    return made


@pytest.mark.parametrize(("batch", "seq"), [(1, 1), (2, 7), (3, 33)])
def test_an_encoder_of_open_sizes_runs(run, exported, batch, seq):
    module, path = exported["encoder"]
    arrays = [floats(batch, seq, 64)]
    assert_equal(run(path, arrays), results(module, arrays))


@pytest.mark.parametrize("scale", [1.0, 0.6, 0.4])
def test_a_detector_returns_outputs_of_their_actual_sizes(run, exported, scale):
    module, path = exported["detector"]
    rng = np.random.default_rng(0)
    boxes = rng.uniform(0, 8, (1, 9, 4)).astype(np.float32)
    scores = (rng.uniform(0, 1, (1, 2, 9)) * scale).astype(np.float32)
    expected = results(module, [boxes, scores])
    assert (scale == 0.4) == (expected[0].size == 0)
    assert_equal(run(path, [boxes, scores]), expected)


@pytest.mark.parametrize("embed", [False, True])
def test_verification_finds_each_changed_byte_of_the_weights(tmp_path, embed):
    module = compiled(ffn_model(m=4, k=8, n=8), threads=1)
    library, *weights = module.export_library(tmp_path / "m.so", embed=embed)
    changed = weights[0] if weights else library
    data = changed.read_bytes()
    start = Image(data).code_end if embed else 8 + int.from_bytes(data[:8], "little")
    program = sanitized("verified.c", tmp_path)
    assert output(program, library) == "verified\n%\n"
    for at in np.random.default_rng(0).integers(start, len(data), 12):
        damaged = bytearray(data)
        damaged[at] ^= 64
        changed.write_bytes(damaged)
        assert "that differ from their digest" in output(program, library)


def test_random_damage_of_weights_is_refused_or_verified(tmp_path):
    """Without verification a changed weight is read; nothing else is accepted."""
    module = compiled(ffn_model(m=4, k=8, n=8), threads=1)
    library, weights = module.export_library(tmp_path / "m.so")
    data, rng, paths = weights.read_bytes(), np.random.default_rng(1), list[Path]()
    for number in range(100):
        damaged, at = bytearray(data), int(rng.integers(len(data)))
        damaged[at] ^= int(rng.integers(1, 256))
        if number % 3 == 0:
            del damaged[at:]
        folder = tmp_path / str(number)
        folder.mkdir()
        paths.append(Path(shutil.copy(library, folder)))
        (folder / weights.name).write_bytes(damaged)
    said = output(sanitized("verified.c", tmp_path), *paths).split("\n%\n")[:-1]
    assert len(said) == len(paths)
    for text in said:
        assert "the weights cannot be loaded" in text or "differ from their digest" in text


def test_a_run_with_wrong_counts_or_tensors_is_refused(tmp_path, exported):
    _, path = exported["encoder"]
    said = output(sanitized("counts.c", tmp_path), path).splitlines()
    assert said[0] == f"{os.path.realpath(path)}: wrong number of inputs"
    assert "argument 0 (hidden_states) is not a tensor" in said[3]
    assert "has no argument of this position" in said[-3]

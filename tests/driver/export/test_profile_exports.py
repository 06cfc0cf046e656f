"""Profiles of loaded modules: files that record the time of each kernel, and files that do not."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from onnx import TensorProto, helper

import tilewright
from tilewright.runtime import load_module
from tilewright.runtime.abi.constants import SYMBOL_STEPS, SYMBOL_TRACE
from tilewright.runtime.errors import ArgumentError
from tilewright.runtime.file.elf_reader import Image
from tilewright.runtime.measure.profile import Profile
from tilewright.runtime.module.exported import ExportedModule
from tilewright.runtime.module.inspection import inspect_file
from tilewright.runtime.module.programs import ProgramSet
from tilewright.testing.models import encoder_model, ffn_model, inputs_for
from tilewright.testing.worker import WorkerProcess

from ...onnx_models import onnx_model
from . import loaded
from .test_load_module import assert_equal, results

LOADED = str(Path(loaded.__file__))
MODEL = encoder_model(layers=1, hidden=64, heads=2, ffn=64)


def calls_of(profile: Profile) -> dict[str, int]:
    return {row.kernel: row.calls for row in profile.rows}


@pytest.mark.one_in(2)
@pytest.mark.parametrize("name", ["m.so", "m.tar", "embedded.so"])
@pytest.mark.parametrize("threads", [1, 2])
def test_a_loaded_module_has_the_profile_of_the_compiled_one(
    name: str, threads: int, tmp_path: Path
) -> None:
    module, arrays = tilewright.compile(MODEL), inputs_for(MODEL)
    module.export_library(tmp_path / name, profile=True, embed=name == "embedded.so")
    with WorkerProcess() as worker:
        made = worker.call(f"{LOADED}:profile_of", str(tmp_path / name), arrays, threads)
    expected = module.profile(*arrays, threads=threads, rounds=1)
    rows = made["rows"]
    assert {kernel: row[:2] for kernel, row in rows.items()} == {
        row.kernel: (row.nodes, row.calls) for row in expected.rows
    }
    for *_, us, share in rows.values():
        assert us > 0
        assert share == pytest.approx(us / made["run_us"])
    assert "roofline" in made["text"].splitlines()[-1]
    limits = made["roofline"]
    assert 1e8 < limits.flops < threads * 1e12
    assert 1e8 < limits.bandwidth < threads * 1e12


def test_results_and_threads_are_those_of_a_plain_export(tmp_path: Path) -> None:
    module, arrays = tilewright.compile(MODEL), inputs_for(MODEL)
    module.export_library(tmp_path / "m.so", profile=True)
    library = load_module(tmp_path / "m.so", verify=True)
    assert isinstance(library, ExportedModule)
    expected = results(module, arrays)
    assert_equal(results(library, arrays), expected)
    profile = library.profile({spec.name: x for spec, x in zip(module.inputs, arrays, strict=True)})
    assert calls_of(profile) == {kernel.name: kernel.calls for kernel in module.kernels}
    profile.trace(tmp_path / "run.json")
    assert (tmp_path / "run.json").stat().st_size > 1000
    assert_equal(results(library, arrays), expected)


def test_a_plain_export_has_no_records_and_says_how_to_get_them(tmp_path: Path) -> None:
    model = ffn_model(m="rows", k=8, n=8)
    module = tilewright.compile(model)
    for name in ("m.so", "m.tar"):
        module.export_library(tmp_path / name)
        with pytest.raises(ArgumentError, match="profile=True") as caught:
            load_module(tmp_path / name).profile(np.ones((2, 8), np.float32))
        assert "cannot be profiled" in str(caught.value)
    names = {*Image((tmp_path / "m.so").read_bytes()).symbols}
    assert not names & {SYMBOL_TRACE, SYMBOL_STEPS}
    assert "clock_gettime" not in {each.name for each in inspect_file(tmp_path / "m.so").undefined}


def test_sizes_are_those_of_the_call(tmp_path: Path) -> None:
    model = ffn_model(m="rows", k=64, n=64)
    module = tilewright.compile(model)
    module.export_library(tmp_path / "m.so", profile=True)
    library = load_module(tmp_path / "m.so")
    for rows in (1, 40):
        x = np.ones((rows, 64), np.float32)
        own, other = (m.profile(x, rounds=1).steps for m in (library, module))
        assert [(s.kernel, s.flops, s.moved_bytes) for s in own] == [
            (s.kernel, s.flops, s.moved_bytes) for s in other
        ]


def test_each_program_of_a_file_is_profiled(tmp_path: Path) -> None:
    nodes = [
        helper.make_node("Reshape", ["x", "target"], ["r"]),
        helper.make_node("Softmax", ["r"], ["y"], name="soft"),
    ]
    module = tilewright.compile(
        onnx_model(nodes, {"x": ["n", 6], "target": (TensorProto.INT64, [2])}, opset=21)
    )
    bindings = [{"target": [3, 8]}, {"target": [-1, 2]}]
    for name in ("m.so", "m.tar"):
        module.export_library(tmp_path / name, values=bindings, profile=True)
        library = load_module(tmp_path / name)
        assert isinstance(library, ProgramSet)
        for target in ([3, 8], [-1, 2]):
            x = np.ones((4, 6), np.float32)
            profile = library.profile(x, np.array(target), rounds=2)
            assert {node for row in profile.rows for node in row.nodes} >= {"soft"}


@pytest.mark.parametrize("name", ["m.o", "m.a", "m", "m.so"])
def test_files_that_cannot_be_profiled_are_refused(name: str, tmp_path: Path) -> None:
    module = tilewright.compile(ffn_model(m=2, k=8, n=8))
    with pytest.raises(ArgumentError, match="profiles are recorded in libraries and archives"):
        module.export_library(tmp_path / name, profile=True, debug_info=name == "m.so")
    assert not [*tmp_path.iterdir()]

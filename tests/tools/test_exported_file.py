"""`tw inspect m.so`: the report agrees with the module and with the tools of the system."""

from __future__ import annotations

import json
import random
import re
import shutil
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path

import numpy as np
import pytest

import tilewright
from tilewright.runtime.abi.library import LoadError
from tilewright.runtime.module.inspection import inspect_file, is_exported
from tilewright.testing.models import ffn_model
from tilewright.tools.cli import main

from ..driver.export.exported import weights_of
from ..driver.export.test_values import BINDINGS, model

FILES = ("m.so", "m.o", "m.a", "m", "m.tar", "inside.so")
KINDS = ("shared object", "object", "static library", "program", "archive", "shared object")


@pytest.fixture(scope="module")
def module() -> tilewright.CompiledModule:
    return tilewright.compile(ffn_model(m="rows", k=64, n=96))


@pytest.fixture(scope="module")
def folder(module: tilewright.CompiledModule, tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("exported")
    for name in FILES:
        module.export_library(made / name, embed=name == "inside.so")
    return made


@pytest.mark.parametrize(("name", "kind"), [*zip(FILES, KINDS, strict=True)])
def test_a_report_is_that_of_the_module(
    name: str, kind: str, folder: Path, module: tilewright.CompiledModule
) -> None:
    report = inspect_file(folder / name)
    assert report.kind == kind
    assert (report.inputs, report.outputs) == (module.inputs, module.outputs)
    assert report.sizes == ("rows",)
    assert report.params == module.metadata.params
    assert {*report.cpu_flags} < {*module.manifest.cpu_flags}
    assert report.compiler == f"tilewright {tilewright.__version__}"
    assert [asdict(k) for k in report.kernels] == [asdict(k) for k in module.kernels]
    assert report.flops == sum(k.flops * k.calls for k in module.kernels) > 0
    assert min(kernel.moved_bytes for kernel in report.kernels) > 0
    assert report.weights.size_bytes == module.manifest.weights_bytes
    places = {"m.tar": "in the archive", "inside.so": "in the file"}
    assert report.weights.place == places.get(name, "next to the file")
    assert {s.name: s.size_bytes for s in report.sections}[".text"] > 0


@pytest.mark.skipif(not shutil.which("nm"), reason="needs binutils")
@pytest.mark.parametrize("name", ["m.so", "m.o"])
def test_undefined_symbols_are_those_of_nm(name: str, folder: Path) -> None:
    shown = subprocess.run(
        ["nm", "-u", folder / name], capture_output=True, text=True, check=True
    ).stdout
    expected = {(symbol, kind == "w") for kind, symbol in re.findall(r"([Uw]) (\S+)", shown)}
    undefined = inspect_file(folder / name).undefined
    assert {(each.name, each.is_weak) for each in undefined} == expected


def test_moved_bytes_are_the_buffers_of_a_call() -> None:
    module = tilewright.compile(ffn_model(m=4, k=64, n=96))
    (kernel,) = module.kernels
    assert kernel.moved_bytes == 4 * (4 * 64 + 64 * 96 + 96 + 4 * 96)


def test_a_file_as_tables_and_json(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["inspect", str(folder / "m.so")]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    for text in (
        "shared object for x86_64, by tilewright",
        "named sizes: rows",
        "avx",
        "float32[rows, 96]",
        "ffn/weight",
        ".safetensors",
        ".text",
        "memcpy",
    ):
        assert text in shown
    assert main(["inspect", str(folder / "m.so"), "--json"]) == 0
    fields = json.loads(capsys.readouterr().out)
    assert fields == json.loads(json.dumps(asdict(inspect_file(folder / "m.so"))))


def test_the_runtime_alone_reports_a_file(folder: Path) -> None:
    code = (
        "import sys\nfrom tilewright.runtime.module.inspection import main\n"
        f"assert main([{str(folder / 'm.so')!r}]) == 0\n"
        "assert not {'xdsl', 'onnx', 'llvmlite', 'rich', 'click'} & {*sys.modules}\n"
    )
    made = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert json.loads(made.stdout)["sizes"] == ["rows"]


def test_a_weight_file_that_is_missing_is_named(folder: Path, tmp_path: Path) -> None:
    shutil.copy(folder / "m.so", tmp_path)
    assert inspect_file(tmp_path / "m.so").weights.place == "missing"
    weights_of(tmp_path / "m.so").write_bytes(b"short")
    assert inspect_file(tmp_path / "m.so").weights.place == "too short"


def test_other_files_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = tmp_path / "other.so"
    other.write_bytes(Path(sys.executable).resolve().read_bytes()[:4096])
    assert is_exported(other)
    for command in ("inspect", "verify", "profile"):
        assert main([command, str(other)]) == 1
        text = capsys.readouterr().err
        assert "hint" in text
        assert "internal error" not in text
    module = tilewright.compile(ffn_model(m=4, k=8, n=8))
    other.write_bytes(module.code)
    with pytest.raises(LoadError, match="was not made by export_library"):
        inspect_file(other)


@pytest.mark.parametrize("name", ["m.so", "m.a", "m.tar"])
def test_damaged_files_are_refused_or_shown(name: str, folder: Path, tmp_path: Path) -> None:
    data, rng, path = (folder / name).read_bytes(), random.Random(0), tmp_path / name
    outcomes: set[str] = set()
    for number in range(150):
        damaged = bytearray(data)
        if number % 3 == 0:
            damaged = damaged[: rng.randrange(len(damaged))]
        for _ in range(8 if damaged else 0):
            reach = min(len(damaged), 1 << rng.randrange(7, 20))
            damaged[rng.randrange(reach)] = rng.randrange(256)
        path.write_bytes(damaged)
        try:
            outcomes.add(inspect_file(path).kind)
        except LoadError as err:
            outcomes.add(err.hint)
    assert "" not in outcomes
    assert (outcomes == {"export the model again"}) == (name == "m.tar")  # which has digests


def test_an_archive_of_several_programs_is_shown_as_a_whole(tmp_path: Path) -> None:
    module = tilewright.compile(model())
    for name in ("m.tar", "m.so"):
        module.export_library(tmp_path / name, values=BINDINGS)
    report, library = (inspect_file(tmp_path / name) for name in ("m.tar", "m.so"))
    assert (report.kind, report.weights.place) == ("archive", "in the archive")
    for field in ("name", "inputs", "outputs", "sizes", "bindings", "kernels", "params", "flops"):
        assert getattr(report, field) == getattr(library, field), field
    assert report.weights.size_bytes == library.weights.size_bytes
    assert {*report.cpu_flags} == {*library.cpu_flags}
    assert main(["inspect", str(tmp_path / "m.tar")]) == 0


def test_models_are_no_exported_files(tmp_path: Path) -> None:
    path = tmp_path / "m.onnx"
    path.write_bytes(ffn_model(m=4, k=8, n=8).SerializeToString())
    np.save(tmp_path / "x.npy", np.zeros(3))
    assert not is_exported(path)
    assert not is_exported(tmp_path / "x.npy")

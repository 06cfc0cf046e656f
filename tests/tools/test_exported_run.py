"""tw run, bench, profile and inspect take the files that tw compile writes."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import onnx
import pytest

import tilewright
from tilewright.testing.models import ffn_model
from tilewright.tools.cli import main

from ..driver.export.test_values import BINDINGS, model

FILES = ("m.so", "m.tar", "inside.so")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Files of a model with an open number of rows, and its outputs for 3 rows."""
    made = tmp_path_factory.mktemp("exported")
    proto = ffn_model(m="rows", k=8, n=4)
    onnx.save(proto, made / "m.onnx")
    module = tilewright.compile(proto)
    for name in FILES:
        module.export_library(made / name, embed=name == "inside.so", profile=name == "m.so")
    x = np.random.default_rng(0).standard_normal((3, 8)).astype(np.float32)
    np.save(made / "x.npy", x)
    (y,) = module.run([x])
    np.savez(made / "y.npz", **{module.outputs[0].name: y.numpy()})
    tilewright.compile(model()).export_library(made / "values.so", values=BINDINGS)
    return made


@pytest.mark.parametrize("name", FILES)
def test_a_file_runs_like_its_model(
    name: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, inputs = str(folder / name), ["--input", str(folder / "x.npy")]
    assert main(["run", file, *inputs, "--expect", str(folder / "y.npz")]) == 0
    shown = capsys.readouterr().out
    assert "loaded in" in shown
    assert f"equal to {folder / 'y.npz'}: largest relative error 0\n" in shown


@pytest.mark.parametrize("shapes", ["x=3x8", "rows=3"])
def test_sizes_of_a_file_are_bound_by_input_or_by_name(
    shapes: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for command in (["run"], ["bench", "--rounds", "1"], ["profile", "--rounds", "1"]):
        assert main([*command, str(folder / "m.so"), "--shapes", shapes, "--json"]) == 0
    run, bench, profile = map(json.loads, capsys.readouterr().out.splitlines())
    model = str(folder / "m.onnx")
    assert main(["run", model, "--shapes", shapes, "--json"]) == 0
    assert {"load_s"} == run.keys() - json.loads(capsys.readouterr().out).keys()
    assert [array["shape"] for array in run["outputs"].values()] == [[3, 4]]
    assert [row["system"] for row in bench["systems"]] == ["tilewright"]
    assert bench["systems"][0]["gflops"] is None  # the operations of a call depend on its sizes
    assert profile["kernels"]


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ([], "--shapes x=1x8"),
        (["--shapes", "y=3"], "names no input"),
        (["--shapes", "x=3x9"], "contradicts axis 1"),
        (["--shapes", "rows=2", "--input", "x.npy"], "input does not fit"),
        (["--values", "y=3"], "--values: unknown input"),
    ],
)
def test_sizes_that_do_not_fit_a_file_are_refused(
    arguments: list[str],
    error: str,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(folder)
    assert main(["run", "m.so", *arguments]) == 1
    assert error in capsys.readouterr().err


def test_values_choose_the_program_of_a_file(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ((name, numbers),) = BINDINGS[1].items()
    values = f"{name}={','.join(map(str, np.ravel(numbers)))}"
    command = ["run", str(folder / "values.so"), "--shapes", "n=2", "--json"]
    assert main([*command, "--values", values]) == 0
    assert json.loads(capsys.readouterr().out)["inputs"][name]["values"]["max"] == np.max(numbers)
    assert main([*command, "--values", f"{name}=7,7"]) == 1
    assert "no program for these values" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["run", "bench", "profile", "inspect"])
def test_options_of_the_compiler_are_refused_for_a_file(
    command: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    options = ["--target", "znver3", "--strict-plan"]
    assert main([command, str(folder / "m.so"), *options]) == 2
    assert "--target and --strict-plan cannot change" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["m.so", "m.tar"])
def test_a_command_for_models_says_what_takes_a_file(
    name: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["compile", str(folder / name)]) == 1
    assert "tw run, bench, profile and inspect take it" in capsys.readouterr().err

"""tw: the commands on a fake compiler; the real one is tested end to end elsewhere."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import astuple, dataclass
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import tilewright
from tilewright.support.diagnostics import ModelError
from tilewright.targets.backend import ScheduleOrigin
from tilewright.testing.array_files import Array, write_arrays
from tilewright.tools.cli import main
from tilewright.tools.tensors import Summary, complete_inputs, read_inputs


@dataclass(frozen=True)
class Spec:
    name: str
    shape: tuple[int, ...]
    dtype: str

    def is_symbolic(self) -> bool:
        return False


class Doubler:
    """A fake module that doubles its input x."""

    inputs = (Spec("x", (2, 3), "float32"),)
    outputs = (Spec("y", (2, 3), "float32"),)
    kernels = (
        SimpleNamespace(
            name="k0",
            ops=["add"],
            flops=6,
            moved_bytes=48,
            tasks=1,
            calls=2,
            plan=ScheduleOrigin.CHOSEN,
        ),
    )
    times: Mapping[str, float] = {}
    manifest = SimpleNamespace(max_threads=2)

    def run(
        self, inputs: Mapping[str, Array], *, threads: int | None = None
    ) -> tuple[tilewright.NDArray, ...]:
        return (tilewright.NDArray(inputs["x"] + inputs["x"]),)

    def unbound(self) -> None:
        """Return no error: the module was compiled once."""


@pytest.fixture
def model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    def compile_stand_in(path: str, **options: object) -> Doubler:
        if options["shapes"] == {"x": (9,)}:
            raise ModelError("rank differs", expected=2, got=1, where="x")
        return Doubler()

    monkeypatch.setattr("tilewright.tools.compilation.compile_model", compile_stand_in)
    path = tmp_path / "model.onnx"
    path.write_bytes(b"")
    return str(path)


def test_run_shows_outputs_and_kernels(
    model: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    np.save(tmp_path / "x.npy", np.full((2, 3), 21, np.float32))
    assert main(["run", model, "--input", f"x={tmp_path / 'x.npy'}", "--threads", "1"]) == 0
    shown = capsys.readouterr().out
    assert "float32[2, 3]" in shown
    assert "42 … 42, mean 42" in shown
    assert "k0" in shown


def test_bench_as_json(model: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", model, "--rounds", "1", "--no-peers", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    (row,) = report["systems"]
    assert row["system"] == "tilewright"
    assert row["ratio"] == 1.0
    assert row["gflops"] == pytest.approx(12e-6 / row["median_ms"])


def test_bench_goes_on_without_a_peer_that_refuses_the_model(
    model: str, capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    pytest.importorskip("onnxruntime")
    Path(model).write_bytes(b"no model")
    assert main(["bench", model, "--rounds", "1", "--json"]) == 0
    assert [row["system"] for row in json.loads(capsys.readouterr().out)["systems"]] == [
        "tilewright"
    ]
    assert "onnxruntime is left out" in caplog.text


def test_bench_as_a_table(model: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", model, "--rounds", "2", "--no-peers"]) == 0
    assert "time / ours" in capsys.readouterr().out


def test_user_errors_have_no_traceback(model: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", model, "--shapes", "x=9"]) == 1
    assert capsys.readouterr().err == "error: x: rank differs\n    expected: 2\n    got: 1\n"
    with pytest.raises(ModelError):
        main(["--debug", "run", model, "--shapes", "x=9"])


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["--shapes", "x"], "--shapes: malformed argument\n    expected: INPUT=1x3x224x224, or"),
        (["--shapes", "x=2xa"], "--shapes: malformed shape"),
        (["--shapes", "x=2", "--shapes", "x=3"], "--shapes: name given twice"),
        (["--values", "x"], "--values: malformed argument"),
        (["--values", "x=a"], "--values: malformed values"),
        (["--input", "y=FILE"], "unknown input"),
        (["--input", "x=WRONG"], "input does not fit"),
        (["--input", "x=missing.npy"], "No such file"),
        (["--input", "x=TEXT"], "cannot read the input"),
        (["--input", "x=ARCHIVE"], "an archive names its inputs itself"),
        (["--input", "ARCHIVE"], "unknown input"),
        (["--input", "CORRUPT"], "cannot read the input"),
        (["--input", "OBJECTS"], "not a .npy or .npz file of numbers"),
        (["--input", "x=FILE", "--input", "x=FILE"], "--input: input given twice"),
    ],
)
def test_wrong_arguments_are_explained(
    model: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    text: str,
) -> None:
    np.save(tmp_path / "good.npy", np.zeros((2, 3), np.float32))
    np.save(tmp_path / "wrong.npy", np.zeros((3, 2), np.float32))
    (tmp_path / "text.npy").write_text("hello")
    np.savez(tmp_path / "archive.npz", z=np.zeros((2, 3), np.float32))
    np.savez(tmp_path / "objects.npz", x=np.array([{}], object))
    (tmp_path / "corrupt.npz").write_bytes(b"PK\3\4 and no more")
    places = {"FILE": "good.npy", "WRONG": "wrong.npy", "TEXT": "text.npy"}
    places |= {word: f"{word.lower()}.npz" for word in ("ARCHIVE", "CORRUPT", "OBJECTS")}
    for word, file in places.items():
        arguments = [argument.replace(word, str(tmp_path / file)) for argument in arguments]
    assert main(["run", model, *arguments]) == 1
    assert text in capsys.readouterr().err


def test_wrong_usage_exits_with_2(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run"]) == 2
    assert main(["fly"]) == 2
    assert "No such command" in capsys.readouterr().err


def test_a_number_of_threads_has_a_limit(
    model: str, capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    assert main(["run", model, "--threads", "4096"]) == 2
    assert "4096 is not in the range 1<=x<=64" in capsys.readouterr().err
    assert main(["run", model, "--threads", "2"]) == 0
    assert not caplog.text
    assert main(["run", model, "--threads", "3"]) == 0
    assert "--threads 3: the code runs on at most 2 here" in caplog.text


def test_an_interrupt_is_one_word(
    model: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupt(*_arguments: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("tilewright.tools.commands.run.ready_model", interrupt)
    assert main(["run", model]) == 130
    assert capsys.readouterr().err.split() == ["interrupted"]


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"tilewright, version {tilewright.__version__}\n"


def test_random_inputs_are_valid_and_repeatable(tmp_path: Path) -> None:
    specs = [
        Spec("ids", (4,), "int64"),
        Spec("x", (2,), "float16"),
        Spec("b", (2,), "bfloat16"),
        Spec("m", (3,), "bool"),
    ]
    first, second = (complete_inputs(specs, {}, seed=7) for _ in range(2))
    assert {name: array.dtype.name for name, array in first.items()} == {
        spec.name: spec.dtype for spec in specs
    }
    assert set(first["ids"].tolist()) <= {0, 1}
    for name in first:
        np.testing.assert_array_equal(first[name], second[name])


def test_arrays_are_written_and_read_under_any_name(tmp_path: Path) -> None:
    arrays = {"file": np.ones(2, np.float32), "a/b.npy": np.zeros((1, 2), np.int64)}
    write_arrays(tmp_path / "all.npz", arrays)
    inputs = read_inputs([*arrays], {"": str(tmp_path / "all.npz")})
    assert inputs.keys() == arrays.keys()
    for name, array in arrays.items():
        np.testing.assert_array_equal(inputs[name], array)


@pytest.mark.parametrize(
    ("values", "text", "fields"),
    [
        ([1.0, 3.0], "1 … 3, mean 2", (2, 1, 3, 2, 0, 0)),
        ([1.0, np.nan], "1 … 1, mean 1, 1 NaN", (2, 1, 1, 1, 1, 0)),
        ([1.0, -np.inf, np.inf], "1 … 1, mean 1, 2 infinite", (3, 1, 1, 1, 0, 2)),
        ([np.nan], "all NaN", (1, None, None, None, 1, 0)),
        ([np.inf], "all infinite", (1, None, None, None, 0, 1)),
        ([np.inf, np.nan], "1 NaN, 1 infinite", (2, None, None, None, 1, 1)),
        ([], "no elements", (0, None, None, None, 0, 0)),
    ],
)
def test_summary(values: list[float], text: str, fields: tuple[float | None, ...]) -> None:
    found = Summary.of(np.array(values, np.float32))
    assert str(found) == text
    assert astuple(found) == fields
    json.dumps(astuple(found), allow_nan=False)

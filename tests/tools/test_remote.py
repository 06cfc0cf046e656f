"""tw run, bench and profile with --rpc: compiled here for the server's machine, called there."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import onnx
import pytest

from tests.rpc.servers import commands, exported, needs_c, serving
from tilewright import rpc
from tilewright.runtime.abi.ndarray import Array
from tilewright.tools.cli import main

pytestmark = needs_c


@pytest.fixture
def place() -> Iterator[str]:
    with serving(commands("c")) as (port, _):
        yield f"127.0.0.1:{port}"


def test_a_model_is_compiled_for_the_machine_of_the_server(
    place: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = '<ir_version: 9, opset_import: ["": 18]> g (float[rows, 4] x) => (float[rows, 4] y)'
    onnx.save(onnx.parser.parse_model(f"{text} {{ y = Relu(x) }}"), tmp_path / "m.onnx")
    words = [str(tmp_path / "m.onnx"), "--shapes", "rows=3", "--rpc", place]
    assert main(["run", *words, "-o", str(tmp_path / "y.npz")]) == 0
    shown = capsys.readouterr().out
    assert f"{place}: " in shown
    assert "equal to the outputs of this machine" in shown
    (y,) = np.load(tmp_path / "y.npz").values()
    assert y.shape == (3, 4)
    assert main(["bench", *words, "--rounds", "3", "--json"]) == 0
    fields = json.loads(capsys.readouterr().out)
    assert fields["device"]["server"] == "c"
    assert 0 < fields["systems"][0]["min_ms"] <= fields["systems"][0]["median_ms"]
    assert fields["round_trip_s"] > 0
    assert main(["profile", *words, "--rounds", "2", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)["kernels"]
    assert [row["calls"] for row in rows] == [1]
    assert rows[0]["us"] > 0


def test_an_exported_file_runs_there(place: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", str(exported() / "m.so"), "--rpc", place, "--json"]) == 0
    assert "errors_to_this_machine" in json.loads(capsys.readouterr().out)
    assert main(["profile", str(exported() / "m.so"), "--rpc", place]) == 1
    assert "does not record" in capsys.readouterr().err


def test_a_server_that_does_not_answer_is_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", str(exported() / "m.so"), "--rpc", "127.0.0.1:1"]) == 1
    error = capsys.readouterr().err
    assert "no server answers" in error
    assert "internal error" not in error


def test_memory_without_bytes_is_read() -> None:
    with rpc.PopenSession([*commands("c"), "--stdio"]) as remote:
        from tilewright import nd

        empty: Array = np.empty((0, 4), np.float32)
        assert nd.array(empty, remote.cpu(0)).numpy().shape == (0, 4)

"""tw compare and tw debug: the first node that differs, that has NaN, or that leaves a range."""

from __future__ import annotations

import json
from pathlib import Path

import ml_dtypes
import numpy as np
import onnx
import onnx.parser
import pytest

from tilewright.testing.node_values import RUNNERS, differences, with_node_outputs
from tilewright.tools import cli

WAVE = """
<ir_version: 8, opset_import: ["" : 17]>
wave (float[2,3] x) => (float[2,3] y) {
  [double] a = Add(x, x)
  [root] b = Sqrt(a)
  [flip] y = Neg(b)
}"""


@pytest.fixture
def model(tmp_path: Path) -> Path:
    """Return the file of a model, next to its input."""
    path = tmp_path / "wave.onnx"
    onnx.save(onnx.parser.parse_model(WAVE), path)
    np.save(tmp_path / "x.npy", np.array([[1, 2, 3], [4, -8, 5]], np.float32))
    return path


def run(model: Path, capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str]:
    command, *options = words
    file = str(model.with_name("x.npy"))
    code = cli.main([command, str(model), "--input", file, *options])
    return code, capsys.readouterr().out


@pytest.mark.parametrize("runtime", RUNNERS)
def test_nodes_that_agree_are_counted(
    runtime: str, model: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, text = run(model, capsys, "compare", "--with", runtime, "--json")
    assert (code, json.loads(text)) == (0, {"compared": 3, "bound": 1e-4, "different": []})


def test_the_first_node_that_differs_is_named(
    model: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def wrong(proto: onnx.ModelProto, inputs: object) -> list[np.ndarray]:
        assert [each.name for each in proto.graph.output] == ["a", "b", "y"]
        a = np.array([[2, 4, 6], [8, -16, 10]], np.float32)
        b = np.sqrt(np.abs(a))  # NaN in ours
        return [a, b, -b]

    monkeypatch.setitem(RUNNERS, "numpy", wrong)
    code, text = run(model, capsys, "compare", "--with", "numpy")
    assert code == 1
    assert "first node that differs: root (Sqrt), output b [2, 3]" in text
    assert "at [1, 1]: ours nan, numpy 4.0" in text
    assert "2 of 3 outputs differ" in text


def test_differences_have_both_values_and_the_largest_is_shown() -> None:
    model = with_node_outputs(onnx.parser.parse_model(WAVE))
    x = np.arange(6, dtype=np.float32).reshape(2, 3)
    off = x.copy()
    off[0, 1], off[1, 2] = 1.5, 4.5
    found = list(differences(model, {"a": x, "b": x}, {"a": off, "b": x}, bound=1e-4))
    assert [(each.node, each.position, each.ours, each.theirs) for each in found] == [
        ("double", (0, 1), "1.0", "1.5")
    ]
    assert found[0].error == pytest.approx(np.sqrt(0.5) / np.linalg.norm(off))
    narrow = x.astype(ml_dtypes.bfloat16)
    assert not list(differences(model, {"a": narrow}, {"a": narrow.copy()}, bound=0))
    (other,) = differences(model, {"a": x}, {"a": narrow}, bound=1)
    assert (other.ours, other.theirs) == ("float32[2, 3]", "bfloat16[2, 3]")


@pytest.mark.parametrize(
    ("condition", "text"),
    [
        ("nan", "stopped at node root, graph.sqrt: NaN at (1, 1)"),
        ("node=flip", "stopped at node flip, graph.neg: node flip"),
        ("range=-20:9.5", "stopped at node double, graph.add: 10.0 at (1, 2) is outside -20..9.5"),
    ],
)
def test_the_interpreter_stops_at_a_condition(
    condition: str, text: str, model: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out = run(model, capsys, "debug", "--break-on", condition)
    assert code == 1
    assert text in out
    assert "result: [[" in out


def test_a_run_without_a_stop_ends_well(model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out = run(model, capsys, "debug", "--break-on", "range=-1e9:1e9")
    assert "outside" in out
    assert code == 1  # NaN is outside of every range
    assert run(model, capsys, "debug", "--break-on", "node=none") == (0, "no stop: 3 ops ran\n")
    assert run(model, capsys, "debug", "--break-on", "range=1")[0] == 2

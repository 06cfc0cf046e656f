"""examples/mobilenet.py on a small network: passes, schedules and table; times are not checked."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tilewright.testing.measure import TimedComparison, Timing

from .example_modules import load_example

torch = pytest.importorskip("torch", reason="needs the extra torch")
pytest.importorskip("onnxscript", reason="torch exports with onnxscript, which is missing")


@pytest.fixture(scope="module")
def example() -> ModuleType:
    return load_example("mobilenet")


@pytest.fixture(scope="module")
def network(example: ModuleType) -> Any:
    """The network, an image and the module of graph ops."""
    sizes = example.Sizes(width=0.25, size=64)
    model, x = example.network(sizes), torch.randn(1, 3, 64, 64)
    return model, x, example.imported(model, x)[0]


@pytest.mark.slow
def test_passes_shrink_the_module(example: ModuleType, network: Any) -> None:
    module = network[2].clone()
    assert "graph.div" in str(module)
    counts = example.run_passes(module)
    assert [*counts] == ["imported", "mobilenet-fold-mean", "graph-fold-constants", "graph-dce"]
    assert counts["graph-dce"] < counts["imported"]
    assert "graph.div" not in str(module)


@pytest.mark.slow
def test_the_pass_needs_constant_weights(example: ModuleType) -> None:
    text = """func.func @main(%x: tensor<2x3xf32>, %w: tensor<3x4xf32>) -> tensor<2x4xf32> {
  %n = graph.constant <splat 5.0 : tensor<2x3xf32>> : tensor<2x3xf32>
  %d = graph.div %x, %n : tensor<2x3xf32>
  %y = graph.matmul %d, %w : tensor<2x3xf32>, tensor<3x4xf32> -> tensor<2x4xf32>
  func.return %y : tensor<2x4xf32>
}"""
    from tilewright.testing.pass_case import check_pass

    check_pass(text, [example.FoldMean()], after=text)


def test_the_table_has_ratios_of_rounds(example: ModuleType) -> None:
    ours = Timing("tilewright", (1e-3, 2e-3, 4e-3))
    peer = Timing("torch", (3e-3, 6e-3, 12e-3))
    _, first, second = example.rows_of(TimedComparison((ours, peer)), "tilewright", {"torch": 7.0})
    assert first.split() == ["tilewright", "2.000", "1.000", "1.00", "1.00", "..1.00"]
    assert second.split() == ["torch", "6.000", "3.000", "3.00", "3.00", "..3.00", "7.0"]


@pytest.mark.slow
def test_the_script_checks_its_programs_and_prints_a_table(
    example: ModuleType,
    network: Any,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Two programs, and eager torch alone: inductor takes a minute. Results are compared."""
    edits_of, built, made = example.edits_of, example.built, []
    model, x, module = network
    with torch.inference_mode():
        assert 0.1 < model(x).std() < 10

    def few(planned: Any, folder: Path) -> Any:
        edit = edits_of(planned, folder)
        assert edit.planned not in edit.texts
        assert len(edit.texts) >= 2
        made.append(planned)
        size, text = next(iter(edit.texts.items()))
        return example.Edit(edit.kernel, edit.axis, edit.planned, {size: text})

    def recorded(*given: Any) -> Any:
        made.append(built(*given))
        return made[-1]

    monkeypatch.setattr(example, "edits_of", few)
    monkeypatch.setattr(example, "built", recorded)
    monkeypatch.setattr(example, "imported", lambda model, x: (module, {}))
    monkeypatch.setattr(example, "torch_calls", lambda model, x: {"eager": lambda: model(x)})
    threads = torch.get_num_threads()
    example.main(["--width", "0.25", "--size", "64", "--rounds", "2"])
    torch.set_num_threads(threads)
    planned, own = made
    assert own.code != planned.code
    lines = capsys.readouterr().out.splitlines()
    assert [line.split("  ")[0] for line in lines[-3:]] == [
        "tilewright",
        "tilewright, own schedule",
        "eager",
    ]

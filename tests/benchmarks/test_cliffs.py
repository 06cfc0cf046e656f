"""The search for cliffs: rows are saved and resumed, the worst come first, each with a kernel."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("onnxruntime")

import cliffs

from harness.resumable import read_rows


@pytest.mark.slow
def test_a_case_is_measured_and_a_slow_one_has_a_kernel(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(cliffs, "ROUNDS", 2)
    monkeypatch.setattr(cliffs, "NOTED", 0.0)
    row = cliffs.measure("gemm", 0, 1)
    assert row["ratio"] > 0
    assert row["blame"]["name"]
    assert row["blame"]["steps"]


def test_the_worst_cases_come_first_and_a_run_goes_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    ratios = iter([0.5, 2.0, 8.0])

    def measured(*given: object) -> cliffs.CaseResult:
        blame = cliffs.Blame("matmul", 0.9, 1.0, 2.0, "4x4", "vectorize")
        return cliffs.CaseResult(f"gemm:{given[2]}", "4x4", "Gemm", next(ratios), 1.0, blame=blame)

    monkeypatch.setattr(cliffs, "_measured", measured)
    arguments = ["--family", "gemm", "--out", str(tmp_path / "rows.jsonl")]
    cliffs.main([*arguments, "--count", "2"])
    rows = read_rows(tmp_path / "rows.jsonl", cliffs.parsed)
    assert [row.ratio for row in rows.values()] == [0.5, 2.0]
    capsys.readouterr()
    cliffs.main([*arguments, "--count", "3", "--resume"])
    shown = capsys.readouterr().out
    assert shown.index("8.00") < shown.index("2.00")
    assert "3 of 3 cases timed: geometric mean 2.00, over 1.15 66.7%, over 1.5 66.7%" in shown

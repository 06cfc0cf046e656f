"""The check of plans: drawn kernels are measured, saved and resumed."""

from __future__ import annotations

from io import StringIO
from pathlib import Path

import plan_check
import pytest
from rich.console import Console

from harness.counted_plans import CountedPlan
from harness.drawn_kernels import KINDS, drawn_task
from harness.resumable import read_rows
from tilewright import Target

ROW = plan_check.CheckedPlan(
    "conv 1", "8x8xf32", [{}] * 4, [1.0, 2.0, 3.0, 4.0], [1.2, 1.0, 3.0, 2.0]
)


def test_a_row_has_the_regret_of_the_plan_and_of_the_first_points() -> None:
    assert ROW.regret == pytest.approx(1.2)
    assert ROW.regret_of_first == pytest.approx(1.0)
    assert ROW.correlation == pytest.approx(0.6)
    assert ROW.accuracy == pytest.approx(1 / 1.2)


def test_a_kernel_with_the_plans_point_alone_counts_in_no_mean_of_all_kernels() -> None:
    printed = StringIO()
    alone = plan_check.CheckedPlan("rows 1", "8xf32", [{}], [1.0], [4.0])
    plan_check.report([ROW, alone], Console(file=printed, width=200))
    *_, conv, rows, total = printed.getvalue().splitlines()
    assert rows.split()[:3] == ["0.250", "-", "-"]
    assert total.split()[:3] == conv.split()[:3] == ["0.833", "1.200", "1.000"]


def test_modelled_changes_are_relative_to_the_plans_point() -> None:
    row = CountedPlan("thin 1", [100, 200, 150], [50.0, 110.0, 60.0])
    assert row.errors == pytest.approx([1.1, 0.8])


@pytest.mark.one_in(4)
def test_instructions_of_a_drawn_kernel_are_counted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = ["--instructions", "--target", "aarch64", "--kind", "thin", "--count", "1"]
    assert plan_check.main([*given, "--points", "1", "--out", str(tmp_path / "rows.jsonl")]) == 0
    assert "all: 1 kernels, 1 points, 100% within" in capsys.readouterr().out


@pytest.mark.slow
def test_a_kernel_is_measured_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    given = ["--kind", "thin", "--count", "1", "--points", "2", "--rounds", "1"]
    given += ["--target", "x86-64", "--out", str(tmp_path / "rows.jsonl")]
    plan_check.main(given)
    capsys.readouterr()
    (row,) = read_rows(tmp_path / "rows.jsonl", plan_check.parsed).values()
    assert len(row.values) == len(row.measured_us) == 3
    plan_check.main([*given, "--resume"])
    assert f"{row.measured_us[0]:.1f}" in capsys.readouterr().out


@pytest.mark.one_in(4)
@pytest.mark.parametrize("kind", KINDS)
def test_a_seed_determines_a_kernel(kind: str) -> None:
    first, again = (drawn_task(kind, 3, Target("x86-64")) for _ in range(2))
    assert first.digest == again.digest

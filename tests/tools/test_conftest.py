"""The runner of RUN lines fails when it should; otherwise no FileCheck test means anything."""

from __future__ import annotations

from pathlib import Path

import pytest

from ..conftest import RunLineError, run_command


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "a.mlir"
    path.write_text("// CHECK: @f\n// OTHER: @g\nfunc.func @f() {\n  func.return\n}\n")
    return str(path)


def test_a_pipeline_hands_output_on(file: str) -> None:
    assert "@f" in run_command(f"cat {file} | tw-opt | tw-opt")
    run_command(f"tw-opt {file} | filecheck {file}")


@pytest.mark.parametrize(
    "command",
    [
        "tw-opt {} | filecheck {} --check-prefix=OTHER",
        "tw-opt {} | filecheck {} --check-prefix=ABSENT",
        "not tw-opt {} | filecheck {}",
        "tw-opt {}.missing | filecheck {}",
        "tw-opt {} -p no-such-pass 2>&1 | filecheck {}",
        "tw-opt --no-such-option {}",
        "mlir-opt {}",
    ],
)
def test_a_failing_stage_fails_the_line(file: str, command: str) -> None:
    with pytest.raises(RunLineError):
        run_command(command.replace("{}", file))


def test_an_expected_failure_passes(file: str) -> None:
    run_command(f"not tw-opt {file} -p no-such-pass")
    assert "no-such-pass" in run_command(f"not tw-opt {file} -p no-such-pass 2>&1")

"""tw targets: a row per target, with what this machine can do."""

from __future__ import annotations

import json
import shutil
from typing import Any

import pytest

from tilewright.machines.cpu import PROCESSORS
from tilewright.machines.gpu import GPUS
from tilewright.machines.target import KINDS, Target
from tilewright.machines.tested import TESTED
from tilewright.tools.cli import main


def listed(capsys: pytest.CaptureFixture[str], *texts: str) -> dict[str, Any]:
    """Return the rows of the command by name."""
    assert main(["targets", *texts, "--json"]) == 0
    return {row["name"]: row for row in json.loads(capsys.readouterr().out)}


def test_every_processor_and_kind_has_a_row(capsys: pytest.CaptureFixture[str]) -> None:
    rows = listed(capsys)
    kinds = {Target(row["target"]).kind for row in rows.values()}
    assert {*PROCESSORS, *GPUS} <= {*rows}
    assert kinds == {*KINDS}
    assert rows["interpreter"]["runs"]["is_there"]
    assert not rows["cortex-m55"]["compiles"]["is_there"]
    assert rows["generic-rv64"]["compiles"]["is_there"]
    assert not rows["metal"]["runs"]["is_there"]


def test_what_an_emulator_runs_follows_from_its_program(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    other = "cortex-a72" if Target.native().architecture == "x86_64" else "x86-64"
    for found in (None, "/usr/bin/qemu"):
        monkeypatch.setattr(shutil, "which", lambda _name, found=found: found)
        row = listed(capsys, other)[other]
        assert (row["links"]["is_there"], row["runs"]["is_there"]) == (True, False)
        assert row["emulates"]["is_there"] == (found is not None)
        assert "qemu-" in row["emulates"]["note"]


def test_the_table_shows_a_target_with_its_other_names(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    assert main(["targets", "raspberrypi4", "cortex-m4", "native"]) == 0
    text = capsys.readouterr().out
    for part in ("raspberrypi4", "cortex-m4", "loops only", "native", "emulate"):
        assert part in text
    assert main(["targets", "rasberrypi4"]) == 1
    assert "did you mean raspberrypi" in capsys.readouterr().err


def test_what_ran_on_a_target_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    rows = listed(capsys, "s390x", "metal", "znver3")
    assert rows["s390x"]["tested"]["status"] == "executed"
    assert rows["s390x"]["tested"]["tool"].startswith("qemu-s390x ")
    assert rows["metal"]["tested"]["tool"].startswith("g++ ")
    assert rows["znver3"]["tested"] is None
    assert all(Target(text) for text in TESTED)

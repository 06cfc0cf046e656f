"""The exercises of docs/guide-compiler-student.md accept the answers, and refuse wrong ones."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType

import pytest

from tilewright import te
from tilewright.support.diagnostics import TilewrightError
from tilewright.tools.opt.main import main as tw_opt

from . import answers
from .blocks import ROOT, blocks

PAGE = ROOT / "docs" / "guide-compiler-student.md"
FILES = {block.name: block.text for block in blocks(PAGE) if block.language != "text"}
PLAN = ["--to", "sched", "--for", "llvm -mcpu=x86-64-v3"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the files of the page."""
    made = tmp_path_factory.mktemp("course")
    for name in ("layer.mlir", "distance.py", "exercises.py"):
        (made / name).write_text(FILES[name])
    (made / "manhattan.py").write_text(answers.manhattan(FILES["distance.py"]))
    (made / "half.py").write_text(answers.manhattan(FILES["distance.py"]).replace("s.abs", "s.neg"))
    assert tw_opt([str(made / "layer.mlir"), *PLAN, "-o", str(made / "planned.mlir")]) == 0
    return made


@pytest.fixture
def checks(folder: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """Return the module of the checks, imported in that folder."""
    monkeypatch.chdir(folder)
    monkeypatch.syspath_prepend(folder)
    for name in ("exercises", "distance", "manhattan", "half"):
        monkeypatch.setitem(sys.modules, name, sys)
        del sys.modules[name]
    return __import__("exercises")


def test_a_schedule_is_checked(checks: ModuleType) -> None:
    checks.check_1(answers.schedule)
    with pytest.raises(AssertionError, match="no loop is parallel"):
        checks.check_1(lambda C: te.create_schedule(C.op))


def test_a_tile_is_checked(checks: ModuleType) -> None:
    checks.check_2(*answers.TILE)
    with pytest.raises(AssertionError, match=r"1\.50 multiply-adds for each load"):
        checks.check_2(6, 16)
    with pytest.raises(AssertionError, match="move vectors to or from the stack"):
        checks.check_2(8, 16)


def test_a_pass_is_checked(checks: ModuleType) -> None:
    checks.check_3([answers.Quotients()])
    with pytest.raises(AssertionError):
        checks.check_3([])


def test_an_op_is_checked(checks: ModuleType) -> None:
    checks.check_4(__import__("manhattan").ManhattanOp, {"mine": "manhattan:MINE"})
    with pytest.raises((AssertionError, TilewrightError)):
        checks.check_4(__import__("half").ManhattanOp, {"mine": "half:MINE"})


def test_two_numbers_are_checked(checks: ModuleType) -> None:
    checks.check_5(*answers.NUMBERS)
    with pytest.raises(AssertionError, match="the same"):
        checks.check_5(1.0, 2.0)
    with pytest.raises(AssertionError, match="not finite"):
        checks.check_5(1.0, float("inf"))

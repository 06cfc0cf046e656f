"""Errors of illegal steps name the step, its computes and loops, and legal alternatives."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

import tilewright

from .illegal_steps import CASES, SNAPSHOT, message


def recorded() -> dict[str, str]:
    parts = re.split(r"^# (.*)\n", SNAPSHOT.read_text(), flags=re.MULTILINE)[1:]
    return {t: m.strip() for t, m in zip(parts[::2], parts[1::2], strict=True)}


def test_every_case_is_recorded() -> None:
    assert list(recorded()) == list(CASES)


@pytest.mark.parametrize("title", CASES)
def test_message(title: str) -> None:
    said = message(*CASES[title])
    assert said == recorded()[title]
    assert said.startswith(f"sched.{title.partition(':')[0]} in @k: ")
    assert "expected: " in said or "hint: " in said, "says what would be legal"


def test_no_message_lacks_what_is_legal() -> None:
    folder = Path(tilewright.__file__).parent / "passes" / "schedule"
    bare = [
        f"{path.name}:{call.lineno}"
        for path in sorted(folder.glob("*.py"))
        for call in ast.walk(ast.parse(path.read_text()))
        if isinstance(call, ast.Call)
        and isinstance(call.func, ast.Attribute)
        and call.func.attr == "error"
        and not {word.arg for word in call.keywords} & {"expected", "hint"}
    ]
    assert not bare

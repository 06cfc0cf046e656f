"""Illegal steps are told by their names, the computes and loops involved, and what is legal."""

from __future__ import annotations

import re

import pytest

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

"""Tests of the choice of a linker of LLD."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tilewright.codegen import external_tool
from tilewright.codegen.external_tool import OLDEST_LLD, find_linker


def _install(folder: Path, version: int) -> str:
    """Write a program `ld.lld` that prints a version, and return its path."""
    program = folder / f"bin{version}" / "ld.lld"
    program.parent.mkdir()
    program.write_text(f"#!/bin/sh\necho 'Some LLD {version}.0.6 (compatible with GNU linkers)'\n")
    program.chmod(0o755)
    return str(program)


def test_an_old_linker_on_the_path_is_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(external_tool, "find_zig", lambda: "zig")
    old, new = _install(tmp_path, OLDEST_LLD - 1), _install(tmp_path, OLDEST_LLD)
    for program, expected in ((old, ["zig", "ld.lld"]), (new, [new])):
        monkeypatch.setenv("PATH", os.path.dirname(program) + os.pathsep + os.defpath)
        assert find_linker("ld.lld") == expected
    monkeypatch.setattr(external_tool, "find_zig", lambda: None)
    monkeypatch.setenv("PATH", os.path.dirname(old) + os.pathsep + os.defpath)
    assert find_linker("ld.lld") is None

"""Help of commands: sections, examples that parse, `tw help`, and `python -m tilewright`."""

from __future__ import annotations

import importlib
import runpy
import shlex
import sys
from pathlib import Path

import click
import pytest

from tilewright.tools import cli
from tilewright.tools.commands.help import ToolCommand

# `serve` is a command of another distribution, `cache` and `records` are groups, and `include-dir`
# is a part of command lines of compilers.
WITHOUT = ("serve", "cache", "records", "include-dir")
WITH_EXAMPLES = [name for name in cli.COMMANDS if name not in WITHOUT]


def command(name: str) -> click.Command:
    """Return the command of a name."""
    module, attribute, _ = cli.COMMANDS[name]
    return getattr(importlib.import_module(f"tilewright.tools.commands.{module}"), attribute)


@pytest.mark.parametrize("name", WITH_EXAMPLES)
def test_the_examples_of_a_command_are_valid_command_lines(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    found = command(name)
    assert isinstance(found, ToolCommand)
    assert len(found.examples) >= 2
    for example in found.examples:
        tool, own, *words = shlex.split(example, comments=True)
        assert (tool, own) == ("tw", name)
        for word in words:
            if "." in word and not word.replace(".", "").isdigit():
                Path(word.partition("=")[2] or word).touch()
        # Reports unknown options, missing arguments and files that do not exist.
        found.make_context(name, words, parent=click.Context(cli.tw))


def test_options_are_in_sections_and_examples_last(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["help", "run"]) == 0
    text = capsys.readouterr().out
    titles = [line for line in text.splitlines() if line.endswith(":") and line[0] != " "]
    assert titles == ["Options:", "Options of the compiler:", "Inputs:", "Examples:"]
    inputs = text.split("\nInputs:")[1].split("\nExamples:")[0]
    assert "--shapes" in inputs
    assert "--target" not in inputs
    assert cli.main(["run", "--help"]) == 0
    assert capsys.readouterr().out == text


def test_help_without_a_command_is_that_of_the_tool(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["help"]) == 0
    text = capsys.readouterr().out
    assert cli.main(["--help"]) == 0
    assert capsys.readouterr().out == text
    developers = text.split("For developers:")[1]
    assert all(name in developers for name in cli.DEVELOPER_COMMANDS)


def test_help_of_an_unknown_command_suggests_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["help", "comple"]) == 2
    assert "Did you mean compile" in capsys.readouterr().err


def test_the_package_runs_as_the_command(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "argv", ["tilewright", "--version"])
    monkeypatch.delitem(sys.modules, "tilewright.__main__", raising=False)
    with pytest.raises(SystemExit) as stopped:
        runpy.run_module("tilewright", run_name="__main__")
    assert stopped.value.code == 0
    assert "tilewright, version" in capsys.readouterr().out

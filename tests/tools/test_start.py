"""The entry points: failures and Ctrl-C during imports are messages, and name the first cause."""

from __future__ import annotations

import subprocess
import sys

import pytest

START = """
import sys
_, function, failing, *words = sys.argv
class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == failing:
            raise {error}
sys.meta_path.insert(0, Finder())
import tilewright.tools.start as start
sys.argv = ["tool", *words]
sys.exit(getattr(start, function)())
"""
BROKEN = 'ImportError("lib.so: cannot open shared object file", name=name)'
COMMANDS = {"tw": ["cache", "info"], "tw_opt": ["--list-passes"]}


def started(tool: str, module: str, error: str, *options: str) -> subprocess.CompletedProcess[str]:
    """Run a command whose import of a module fails."""
    code = START.replace("{error}", error)
    words = [sys.executable, "-c", code, tool, module, *COMMANDS[tool], *options]
    return subprocess.run(words, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(("tool", "module"), [("tw", "click"), ("tw_opt", "xdsl")])
def test_a_broken_package_is_named_once(tool: str, module: str) -> None:
    done = started(tool, module, BROKEN)
    assert done.returncode == 1
    assert done.stderr.splitlines() == [
        "error: a package that Tilewright needs cannot be imported",
        "    got: ImportError: lib.so: cannot open shared object file",
        "    hint: install Tilewright again with pip, into an environment of its own",
    ]


def test_the_traceback_of_a_broken_package_is_that_of_its_import() -> None:
    done = started("tw_opt", "xdsl", BROKEN, "--debug")
    assert done.returncode == 1
    assert done.stderr.count("Traceback") == 1
    assert "user_errors" not in done.stderr


@pytest.mark.parametrize(("tool", "module"), [("tw", "click"), ("tw_opt", "xdsl.dialects.builtin")])
def test_an_interrupted_import_has_no_traceback(tool: str, module: str) -> None:
    done = started(tool, module, "KeyboardInterrupt")
    assert (done.returncode, done.stderr) == (130, "interrupted\n")


def test_a_missing_module_of_the_project_is_an_internal_error() -> None:
    done = started("tw", "tilewright.tools.commands.storage", BROKEN)
    assert done.stderr.startswith("error: internal error\n")

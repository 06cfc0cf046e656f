"""Entry points of the commands, which also answer errors and Ctrl-C during imports.

Importing this module takes next to nothing: the modules of a command are imported inside of
`run_tool`, so that no failure of an import is a traceback.
"""

from __future__ import annotations

import sys
from importlib import import_module

from .failures import run_tool


def tw() -> int:
    """Run the command ``tw``; return the exit code."""
    return _start("cli")


def tw_opt() -> int:
    """Run the command ``tw-opt``; return the exit code."""
    return _start("opt")


def _start(module: str) -> int:
    """Import a module and call its `main`."""
    return run_tool(
        lambda: import_module(f".{module}", __package__).main(), debug="--debug" in sys.argv
    )

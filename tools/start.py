"""Entry points of the commands, which also answer errors and Ctrl-C during imports.

Importing this module takes next to nothing: the modules of a command are imported inside of
`run_tool`, so that no failure of an import is a traceback.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import import_module

from .failures import run_tool


def tw() -> int:
    """Run the command ``tw``; return the exit code."""
    return _start(lambda: "cli")


def tw_opt() -> int:
    """Run the command ``tw-opt``, or complete its words for a shell; return the exit code."""
    return _start(_opt_module)


def _opt_module() -> str:
    """Return the module of tw-opt, or the one that answers the completion script of a shell."""
    config = import_module("..support.config", __package__)
    return "opt_completion" if config.opt_completion() else "opt"


def _start(module: Callable[[], str]) -> int:
    """Call the function `main` of a module of this package, which is imported for it."""
    return run_tool(
        lambda: import_module(f".{module()}", __package__).main(), debug="--debug" in sys.argv
    )

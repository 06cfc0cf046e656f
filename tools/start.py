"""Entry points of the commands, which also handle errors and Ctrl-C during imports.

Importing this module is fast: the modules of a command are imported inside `run_tool`, so that an
import that fails prints an error and not a traceback.
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
    """Run the command ``tw-opt``, or print completions for a shell; return the exit code."""
    return _start(_opt_module)


def _opt_module() -> str:
    config = import_module("..support.config", __package__)
    return "opt.completion" if config.opt_completion() else "opt.main"


def _start(module: Callable[[], str]) -> int:
    """Import a module of this package, and return the exit code of its function ``main``.

    module: returns the name of the module, relative to this package.
    """
    return run_tool(
        lambda: import_module(f".{module()}", __package__).main(), debug="--debug" in sys.argv
    )

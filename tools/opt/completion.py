"""Completion of tw-opt in shells: options, passes after ``-p``, levels, targets and files.

In: the options of the parser of tw-opt. Out: the completions that the script of ``tw completion``
requests; click computes them from a command with the same options.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TypeAlias

import click
from click.shell_completion import CompletionItem, shell_complete

from ...support.config import OPT_COMPLETION, opt_completion
from ...support.instruments import ALL
from ...support.precision import Precision
from ..arguments import MODULE_LEVELS, written_path
from ..options import TargetText
from .main import Opt

Complete: TypeAlias = Callable[[click.Context, click.Parameter, str], list[CompletionItem]]


def main() -> int:
    """Print the completions that the script of a shell requests; return the exit code."""
    return shell_complete(completed(Opt([])), {}, "tw-opt", OPT_COMPLETION, opt_completion())


def completed(tool: Opt) -> click.Command:
    """Return a click command with the options of tw-opt, from which click computes completions."""
    passes = list(tool.available_passes)
    values: dict[str, Complete] = {
        "passes": _listed(passes),
        "disable_pass": _listed(passes),
        "require_pass": _listed(passes),
        "print_after": _one_of([*passes, ALL]),
        "to": _one_of([*MODULE_LEVELS, "simt"]),
        "target": _one_of(tool.available_targets),
        "precision": _one_of(map(str, Precision)),
    }
    params = [_parameter(action, values.get(action.dest)) for action in tool.parser.actions()]
    return click.Command("tw-opt", params=params, add_help_option=False)


def _parameter(action: argparse.Action, values: Complete | None) -> click.Parameter:
    """Return the click parameter that corresponds to an option or argument of argparse.

    values: the function that completes the value of the option; None for files and choices.
    """
    is_file = action.type in (Path, written_path) or action.dest.endswith("_file")
    kind = click.Path() if is_file else None
    if not action.option_strings:
        return click.Argument([action.dest], type=kind)
    names = [*action.option_strings, action.dest]
    if action.nargs == 0:
        return click.Option(names, is_flag=True, help=action.help)
    if action.dest == "machine":
        return click.Option(names, type=TargetText(), help=action.help)
    if action.choices is not None:
        values = _one_of(map(str, action.choices))
    return click.Option(names, type=kind, help=action.help, shell_complete=values)


def _one_of(names: Iterable[str]) -> Complete:
    """Return a function that completes one of these names."""
    known = list(names)

    def complete(_ctx: click.Context, _param: click.Parameter, text: str) -> list[CompletionItem]:
        return [CompletionItem(name) for name in known if name.startswith(text)]

    return complete


def _listed(names: Iterable[str]) -> Complete:
    last = _one_of(names)

    def complete(ctx: click.Context, param: click.Parameter, text: str) -> list[CompletionItem]:
        before, comma, name = text.rpartition(",")
        return [CompletionItem(before + comma + item.value) for item in last(ctx, param, name)]

    return complete

"""tw: compile, run and time models from the command line, by the public Python API.

Exit code: 0; 1 for an error, such as one in the model or its inputs; 2 for wrong usage; 130 after
Ctrl-C. A command is imported only when it is used.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Sequence

import click

from .. import __version__
from ..runtime.spelling import nearest
from .commands.help import ToolContext
from .failures import run_tool

COMMANDS: dict[str, tuple[str, str, str]] = {
    # Module, name in the module, one-line help.
    "run": ("run", "run", "Run a model once and show what comes out."),
    "bench": ("bench", "bench", "Time a model, by turns with onnxruntime."),
    "profile": ("profile", "profile_command", "Show the time of each kernel of a model."),
    "tune": ("tuning", "tune_command", "Search faster schedules for a model."),
    "explain": ("explain", "explain_command", "Show why a kernel has its schedule."),
    "records": ("tuning_records", "records_command", "Show, merge or prune tuning records."),
    "inspect": ("inspection", "inspect_command", "Show what a model takes, holds and lacks."),
    "quantize": ("quantization", "quantize_command", "Write a model with products of 8 bits."),
    "sign": ("signing", "sign_command", "Sign a file, or check its signature."),
    "verify": ("signing", "verify_command", "Sign a file, or check its signature."),
    "serve": ("serve", "serve_command", "Serve a folder of exported models."),
    "rpc-server": ("rpc", "rpc_server", "Run modules for other machines."),
    "rpc-tracker": ("rpc", "rpc_tracker", "Run modules for other machines."),
    "rpc-proxy": ("rpc", "rpc_proxy", "Run modules for other machines."),
    "rpc-status": ("rpc", "rpc_status", "Run modules for other machines."),
    "diff": ("diff", "diff_command", "Find the first difference, or wrong node."),
    "compare": ("compare", "compare_command", "Find the first difference, or wrong node."),
    "debug": ("debug", "debug_command", "Find the first difference, or wrong node."),
    "validate": ("validate", "validate_command", "Check every stage of a model's compilation."),
    "compile": ("levels", "compile_command", "Print a level of a model, or write code."),
    "targets": ("targets", "targets_command", "List targets, and what this machine can do."),
    "cache": ("storage", "cache_command", "Show or empty the folder of compiled code."),
    "demo": ("demo", "demo", "Compile, check and time two networks."),
    "doctor": ("doctor", "doctor", "Check the installation."),
    "report-bug": ("report_bug", "report_bug", "Pack what a bug report needs."),
    "include-dir": ("include", "include_command", "Print the folder of the C runtime."),
    "help": ("help", "help_command", "Show the help of a command."),
    "completion": ("completion", "completion", "Print the completion script of a shell."),
    "conformance": ("conformance", "conformance", "Run the ONNX backend suite."),
    "fuzz": ("fuzz", "fuzz", "Check random programs."),
    "reduce": ("reduce", "reduce", "Make a failing model or module small."),
    "bisect": ("bisect", "bisect_command", "Find the pass that makes a model wrong."),
}
DEVELOPER_COMMANDS = ("conformance", "fuzz", "reduce", "bisect")
"""The commands that test the compiler, and not a model."""


class _Commands(click.Group):
    """A group of commands that imports a command only when it is used."""

    context_class = ToolContext

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module, name, _ = COMMANDS[cmd_name]
        return getattr(importlib.import_module(f"{__package__}.commands.{module}"), name)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command that the first argument names, or suggest similar names.

        Returns, as click expects, the name, the command, and the remaining arguments.
        """
        near = nearest(args[0], COMMANDS)
        if args[0] not in COMMANDS and near:
            ctx.fail(f"No such command {args[0]!r}. Did you mean {' or '.join(near)}?")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands, in a section for users and a section for developers.

        Commands that have the same one-line help share a row.
        """
        sections: dict[str, dict[str, list[str]]] = {}
        for name, (_, _, text) in COMMANDS.items():
            title = "For developers" if name in DEVELOPER_COMMANDS else "Commands"
            sections.setdefault(title, {}).setdefault(text, []).append(name)
        for title, rows in sections.items():
            with formatter.section(title):
                formatter.write_dl([(", ".join(those), text) for text, those in rows.items()])


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="tilewright")
@click.option("-v", "--verbose", count=True, help="Log stages (TILEWRIGHT_LOG=info); -vv: passes.")
@click.option("--debug", is_flag=True, help="Show Python tracebacks.")
def tw(verbose: int, debug: bool) -> None:
    """Compile models to machine code, run and time them."""
    from .options import configure_logging

    configure_logging(verbose)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the ``tw`` command; return its exit code."""
    args = sys.argv[1:] if argv is None else list(argv)
    return run_tool(lambda: _main(args), debug="--debug" in args)


def _main(args: list[str]) -> int:
    try:
        code = tw.main(args, prog_name="tw", standalone_mode=False)
    except click.ClickException as err:
        err.show()
        return err.exit_code
    except click.Abort as err:  # click's form of Ctrl-C
        raise KeyboardInterrupt from err
    return code if isinstance(code, int) else 0

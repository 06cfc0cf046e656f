"""``tw completion``: the script that makes a shell complete commands, options and their values."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from .help import ToolCommand

SHELLS = ("bash", "zsh", "fish")

# The backspace keeps click from folding the lines of a paragraph.
HELP = """Print the completion script of a SHELL.

\b
bash: eval "$(tw completion bash)"
zsh:  eval "$(tw completion zsh)"
fish: tw completion fish | source

The first two belong in ~/.bashrc and ~/.zshrc; the output of the third belongs in
~/.config/fish/completions/tw.fish.
"""


@click.command(cls=ToolCommand, help=HELP, examples=["tw completion bash", "tw completion fish"])
@click.argument("shell", type=click.Choice(SHELLS))
@click.pass_context
def completion(ctx: click.Context, shell: str) -> None:
    """Print the completion script of a shell."""
    found = get_completion_class(shell)
    assert found is not None, f"click knows {', '.join(SHELLS)}: {shell}"
    tool = ctx.find_root().command
    click.echo(found(tool, {}, "tw", "_TW_COMPLETE").source())

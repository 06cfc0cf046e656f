"""``tw completion``: print the script by which a shell completes arguments of tw and tw-opt."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from ...support.config import OPT_COMPLETION
from .help import ToolCommand

SHELLS = ("bash", "zsh", "fish")

# The backspace keeps click from folding the lines of a paragraph.
HELP = """Print the completion script of a SHELL, for tw and tw-opt.

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
    for name, variable in (("tw", "_TW_COMPLETE"), ("tw-opt", OPT_COMPLETION)):
        click.echo(found(tool, {}, name, variable).source())

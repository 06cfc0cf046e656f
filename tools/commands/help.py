"""The help of commands: options in sections, examples, and ``tw help``.

In: the options of a command, some of which belong to a section, and its examples. Out: the output
of ``tw COMMAND --help``: options without a section, then each section with its title, then the
examples.
"""

from __future__ import annotations

from collections.abc import Sequence
from shutil import get_terminal_size
from typing import Any

import click

WIDEST = 80
"""The largest width of the help, in columns."""


class SectionOption(click.Option):
    """An option that belongs to a section of the help.

    section: the title of the section.
    """

    def __init__(self, *names: Any, section: str, **settings: Any) -> None:
        super().__init__(*names, **settings)
        self.section = section


class ToolContext(click.Context):
    """The context of a command, whose help fits terminals of any width."""

    def make_formatter(self) -> click.HelpFormatter:
        """Return a formatter that also fits terminals of less than 50 columns, click's minimum."""
        return click.HelpFormatter(width=min(get_terminal_size().columns, WIDEST) - 2)


class ToolCommand(click.Command):
    """A command whose help has sections of options, and examples.

    examples: command lines, each with an optional comment after two spaces and ``#``.
    """

    context_class = ToolContext

    def __init__(self, *names: Any, examples: Sequence[str] = (), **settings: Any) -> None:
        super().__init__(*names, **settings)
        self.examples = tuple(examples)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options without a section, then each section."""
        sections: dict[str, list[tuple[str, str]]] = {"Options": []}
        for parameter in self.get_params(ctx):
            row = parameter.get_help_record(ctx)
            if row is not None and isinstance(parameter, click.Option):
                sections.setdefault(getattr(parameter, "section", "Options"), []).append(row)
        for title, rows in sections.items():
            with formatter.section(title):
                formatter.write_dl(rows)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the examples without wrapping them."""
        if self.examples:
            with formatter.section("Examples"):
                for line in self.examples:
                    formatter.write(f"{'':{formatter.current_indent}}{line}\n")


@click.command("help", cls=ToolCommand, examples=["tw help compile", "tw help  # all commands"])
@click.argument("name", metavar="[COMMAND]", required=False)
@click.pass_context
def help_command(ctx: click.Context, name: str | None) -> None:
    """Show the help of COMMAND, or of tw."""
    parent = ctx.parent
    assert parent is not None, "help is a command of a group"
    group = parent.command
    assert isinstance(group, click.Group), "help is a command of a group"
    if name is None:
        click.echo(group.get_help(parent))
        return
    _, command, _ = group.resolve_command(parent, [name])
    assert command is not None, "an unknown command is an error"
    click.echo(command.get_help(ToolContext(command, info_name=name, parent=parent)))

"""``tw serve``: the command of the distribution tilewright-serve, or a hint to install it."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec

import click

from ...runtime.errors import ArgumentError

NEEDED = (
    f"{__name__.partition('.')[0]}.serve",
    "starlette",
    "uvicorn",
    "httptools",
    "prometheus_client",
)


def missing_packages() -> list[str]:
    """Return the packages that serving needs and that are not installed."""
    return [name for name in NEEDED if find_spec(name) is None]


def command_for(missing: Sequence[str]) -> click.Command:
    """Return the serve command or, if packages are missing, a command that raises an error.

    missing: the names of the missing packages.
    """
    if not missing:
        from ...serve.command import serve_command

        return serve_command

    def refuse(words: tuple[str, ...]) -> None:
        raise ArgumentError(
            "the packages that serve models are not installed",
            expected=", ".join(NEEDED),
            got=f"no {', '.join(missing)}",
            hint="pip install 'tilewright[serve]'",
        )

    words = click.Argument(["words"], nargs=-1, type=click.UNPROCESSED)
    settings = {"ignore_unknown_options": True}
    text = "Serve a folder of exported models; needs the extra serve."
    return click.Command(
        "serve", context_settings=settings, callback=refuse, params=[words], help=text
    )


serve_command = command_for(missing_packages())

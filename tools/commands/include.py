"""``tw include-dir``: print the folder of the runtime for programs in C, C++ and Rust."""

from __future__ import annotations

import click

from ...runtime import include_dir
from .help import ToolCommand


@click.command(
    "include-dir",
    cls=ToolCommand,
    examples=[
        "cc -I$(tw include-dir) app.c $(tw include-dir)/tilewright.c -ldl -lpthread",
        "export PKG_CONFIG_PATH=$(tw include-dir)",
    ],
)
def include_command() -> None:
    """Print the folder of the C runtime.

    It holds tilewright.h, .hpp, .c and .rs, and what CMake, pkg-config and cargo need.
    """
    click.echo(include_dir())

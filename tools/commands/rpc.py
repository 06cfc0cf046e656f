"""``tw rpc-server``: run modules for other processes and machines."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import click

from ...runtime.errors import ArgumentError
from ..rpc_program import MACHINES, server_program
from .help import ToolCommand


@click.command(
    "rpc-server",
    cls=ToolCommand,
    examples=(
        "tw rpc-server --port 9090",
        "tw rpc-server --host 0.0.0.0 --token-file secret",
        "tw rpc-server --build tilewright-rpc --machine aarch64",
    ),
)
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option("--port", default=9090, show_default=True, help="0 chooses a free port.")
@click.option("--unix", metavar="PATH", help="A socket in place of host and port.")
@click.option("--stdio", is_flag=True, help="One session on the standard streams.")
@click.option("--token-file", metavar="FILE", help="The secret that clients must know.")
@click.option("--memory-mb", type=int, help="Memory of a session.")
@click.option("--timeout", type=int, help="The longest duration of a session in seconds.")
@click.option("--sessions", type=int, help="How many sessions there are at once.")
@click.option("--python", "is_python", is_flag=True, help="The server in Python, for GPUs.")
@click.option("--emulate", type=click.Choice(MACHINES), help="Run the server in QEMU.")
@click.option("--build", metavar="FILE", help="Write the program, to copy it to a device.")
@click.option("--machine", type=click.Choice(MACHINES), help="The machine for --build.")
def rpc_server(
    is_python: bool, emulate: str | None, build: str | None, machine: str | None, **options: object
) -> None:
    """Run uploaded modules for clients, each in a process of its own.

    The server in C needs no Python on the device: `tw rpc-server --build FILE --machine aarch64`
    writes it. Clients call `tilewright.rpc.connect`. Other machines than this one can connect only
    with --host and --token-file.
    """
    if build is not None:
        shutil.copy2(server_program(machine or ""), Path(build))
        return
    words = _words(options)
    if is_python:
        name = f"{__name__.partition('.')[0]}.rpc_server"
        os.execv(sys.executable, [sys.executable, "-m", name, *words])
    command = [*_emulator(emulate), str(server_program(emulate or "")), *words]
    os.execvp(command[0], command)


def _words(options: dict[str, object]) -> list[str]:
    """Return options as words of a command line."""
    words: list[str] = []
    for name, value in options.items():
        if value is not None and value is not False:
            words.append(f"--{name.replace('_', '-')}")
            words += [] if value is True else [str(value)]
    return words


def _emulator(machine: str | None) -> list[str]:
    """Return the command of an emulator, empty for none.

    Errors: ArgumentError if it is not installed.
    """
    if machine is None:
        return []
    name = f"qemu-{machine}"
    if shutil.which(name) is None:
        raise ArgumentError(
            "the emulator is not installed", expected=name, hint="apt-get install qemu-user"
        )
    return [name]


__all__ = ["rpc_server"]

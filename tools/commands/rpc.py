"""``tw rpc-server``, ``rpc-tracker`` and ``rpc-status``: run modules on other machines."""

from __future__ import annotations

import json
import os
import shutil
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import click

from ...runtime.errors import ArgumentError
from ...runtime.rpc.addresses import UNIX, Address
from ...runtime.rpc.proxy_process import ProxyOptions, ProxyServer
from ...runtime.rpc.tracker_process import TrackerOptions, TrackerServer
from ...runtime.rpc.tracker_session import connect_tracker
from ...support.config import read_config
from ..emulation import counting_plugin
from ..remote import read_token
from ..rpc_build import MACHINES
from ..rpc_program import WEB, server_program, web_command, write_page
from .help import ToolCommand

ALL = (*MACHINES, WEB)
"""The machines that have a server."""


@click.command(
    "rpc-server",
    cls=ToolCommand,
    examples=(
        "tw rpc-server --port 9090",
        "tw rpc-server --host 0.0.0.0 --token-file secret",
        "tw rpc-server --build tilewright-rpc --machine aarch64",
        "tw rpc-server --port 0 --tracker 127.0.0.1:9190 --key rpi4",
    ),
)
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option("--port", default=9090, show_default=True, help="0 chooses a free port.")
@click.option("--unix", metavar="PATH", help="A socket in place of host and port.")
@click.option("--stdio", is_flag=True, help="One session on the standard streams.")
@click.option("--token-file", metavar="FILE", help="The secret that clients must know.")
@click.option("--tracker", metavar="HOST:PORT", help="A tracker that lends the server.")
@click.option("--proxy", metavar="HOST:PORT", help="A proxy at which the server waits.")
@click.option("--key", help="What clients ask the tracker or the proxy for.")
@click.option("--memory-mb", type=int, help="Memory of a session.")
@click.option("--timeout", type=int, help="The longest duration of a session in seconds.")
@click.option("--sessions", type=int, help="How many sessions there are at once.")
@click.option("--python", "is_python", is_flag=True, help="The server in Python, for GPUs.")
@click.option("--emulate", type=click.Choice(ALL), help="Run the server in QEMU, or in node.")
@click.option("--build", metavar="FILE", help="Write the program, or a page (wasm32) to a folder.")
@click.option("--machine", type=click.Choice(ALL), help="The machine for --build.")
def rpc_server(
    is_python: bool, emulate: str | None, build: str | None, machine: str | None, **options: object
) -> None:
    """Run uploaded modules for clients, each in a process of its own.

    The server in C needs no Python on the device: `tw rpc-server --build FILE --machine aarch64`
    writes it. Clients call `tilewright.rpc.connect`. Other machines than this one can connect only
    with --host and --token-file. For wasm32, the server runs in node, or in a page of a browser.
    """
    if build is not None and machine == WEB:
        write_page(Path(build))
        return
    if build is not None:
        shutil.copy2(server_program(machine or ""), Path(build))
        return
    words = _words(options)
    if is_python:
        name = f"{__name__.partition('.')[0]}.rpc_server"
        os.execv(sys.executable, [sys.executable, "-m", name, *words])
    if emulate == WEB:
        command = [*web_command(), *words]
    else:
        command = [*_emulator(emulate), str(server_program(emulate or "")), *words]
    os.execvp(command[0], command)


@click.command(
    "rpc-tracker",
    cls=ToolCommand,
    examples=(
        "tw rpc-tracker --port 9190 --journal tracker.db",
        "tw rpc-tracker --host 0.0.0.0 --token-file secret",
    ),
)
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option("--port", default=9190, show_default=True, help="0 chooses a free port.")
@click.option("--unix", metavar="PATH", help="A socket in place of host and port.")
@click.option("--token-file", metavar="FILE", help="The secret of clients and servers.")
@click.option("--journal", type=Path, metavar="FILE", help="Queues, kept over a restart.")
@click.option("--heartbeat", default=5.0, show_default=True, help="Seconds.")
def rpc_tracker(
    host: str, port: int, unix: str | None, token_file: str | None, journal: Path | None,
    heartbeat: float,
) -> None:  # fmt: skip
    """Lend RPC servers to clients, in turns that are fair.

    Servers announce themselves with `tw rpc-server --tracker HOST:PORT --key NAME`; clients call
    `tilewright.rpc.connect_tracker`. One that is silent for two heartbeats is gone.
    """
    address = Address(f"{UNIX}{unix}") if unix else Address(host, port)
    options = TrackerOptions(address, read_token(token_file), journal, heartbeat)
    tracker = TrackerServer(options)
    click.echo(f"listening on {tracker.address}")
    tracker.run()


@click.command(
    "rpc-proxy",
    cls=ToolCommand,
    examples=(
        "tw rpc-proxy --port 9290",
        "tw rpc-proxy --token-file secret --certificate c.pem --private-key k.pem",
        "tw rpc-proxy --origin http://localhost:8000",
    ),
)
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option("--port", default=9290, show_default=True, help="0 chooses a free port.")
@click.option("--token-file", metavar="FILE", help="The secret of clients and servers.")
@click.option("--certificate", type=Path, metavar="FILE", help="For TLS; PEM.")
@click.option("--private-key", type=Path, metavar="FILE", help="That of the certificate.")
@click.option("--origin", multiple=True, metavar="URL", help="Whose pages may be servers.")
def rpc_proxy(
    host: str, port: int, token_file: str | None, certificate: Path | None,
    private_key: Path | None, origin: tuple[str, ...],
) -> None:  # fmt: skip
    """Connect clients with RPC servers that no connection can reach.

    Servers wait with `tw rpc-server --proxy HOST:PORT --key NAME`; clients call
    `tilewright.rpc.connect` with the address of the proxy and the key. A page of a browser is a
    server by a WebSocket, which needs its origin, such as --origin http://localhost:8000.
    """
    token = read_token(token_file)
    address = Address(host, port)
    proxy = ProxyServer(ProxyOptions(address, token, certificate, private_key, origin))
    click.echo(f"listening on {proxy.address}")
    proxy.run()


@click.command(
    "rpc-status",
    cls=ToolCommand,
    examples=("tw rpc-status 127.0.0.1:9190", "tw rpc-status farm:9190 --token-file secret"),
)
@click.argument("tracker", metavar="HOST:PORT")
@click.option("--token-file", metavar="FILE", help="The secret of the tracker.")
@click.option("--json", "is_json", is_flag=True, help="As JSON.")
def rpc_status(tracker: str, token_file: str | None, is_json: bool) -> None:
    """Show the servers, the queue and the shares of a tracker."""
    with connect_tracker(tracker, token=read_token(token_file)) as session:
        click.echo(json.dumps(session.summary()) if is_json else session.text_summary())


def _words(options: dict[str, object]) -> list[str]:
    """Return options as words of a command line: ``{"key": "a"}`` becomes ``["--key", "a"]``."""
    words: list[str] = []
    for name, value in options.items():
        if value is not None and value is not False:
            words.append(f"--{name.replace('_', '-')}")
            words += [] if value is True else [str(value)]
    return words


def _emulator(machine: str | None) -> list[str]:
    """Return the command of QEMU for a machine, with a plugin that counts if possible.

    Return an empty command for None, which is this machine.
    Errors: ArgumentError if QEMU is not installed.
    """
    if machine is None:
        return []
    name = f"qemu-{machine}"
    if shutil.which(name) is None:
        raise ArgumentError(
            "the emulator is not installed", expected=name, hint="apt-get install qemu-user"
        )
    plugin = read_config().cache_dir / "rpc" / f"{name}-count.so"
    plugin.parent.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=plugin.parent) as folder:
        made = counting_plugin(name, Path(folder))
        if made is None:
            return [name]
        os.replace(made, plugin)  # other emulators keep the file that they have opened
    return [name, "-plugin", str(plugin)]

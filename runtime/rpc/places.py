"""Places on other machines where modules run: how to reach one, and how to send a module there.

In: the address of a server, a tracker or a proxy. Out: a session, and modules in it.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Protocol

from .module import RemoteModule
from .session import RPCSession, connect
from .tracker_session import connect_tracker


@dataclass(frozen=True)
class RpcPlace:
    """The server on which modules run, or a tracker or a proxy that provides one.

    address: ``HOST:PORT``, or ``unix:PATH``.  key: the name under which a tracker or a proxy knows
    suitable servers.  token: the secret of the server, the tracker and the proxy.
    """

    address: str
    key: str = ""
    token: str = ""

    def __str__(self) -> str:
        return f"{self.key} at {self.address}" if self.key else self.address

    def session(self) -> RPCSession:
        """Begin a session with the server; a tracker is asked for a server first.

        Errors: RpcError.
        """
        made = connect(self.address, key=self.key, token=self.token)
        if made.facts["server"] != "tracker":
            return made
        made.close()
        with connect_tracker(self.address, token=self.token) as tracker:
            return tracker.request(self.key)


class Exportable(Protocol):
    """A module that can be written to a file."""

    def export_library(self, path: Path, *, profile: bool = False) -> object:
        """Write the module to a file.

        profile: whether to add code that records the time of each kernel.
        """
        ...


def sent_module(
    session: RPCSession, module: Exportable, threads: int | None = None, *, profile: bool = False
) -> RemoteModule:
    """Send a compiled module to another machine and load it there.

    threads: the number of threads of its calls; None: all of the other machine.  profile: whether
    to add code that records the time of each kernel.
    """
    ending = ".wasm" if session.facts.get("machine") == "wasm32" else ".tar"
    name = f"{secrets.token_hex(8)}{ending}"
    with TemporaryDirectory() as folder:
        module.export_library(Path(folder) / name, profile=profile)
        session.upload(Path(folder) / name)
    made = session.load_module(name, threads=threads)
    session.remove(name)
    return made

"""Runs of models on another machine by RPC: compiled here, called there.

In: the options ``--rpc``, ``--key`` and ``--token-file``, and a model. Out: a `RemoteModel`, whose
module is in the other machine, and whose target is that of the other machine.
"""

from __future__ import annotations

import functools
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

import click

from ..driver.module.compiled_module import CompiledModule
from ..runtime.module.inspection import is_exported
from ..runtime.rpc.module import RemoteModule
from ..runtime.rpc.places import RpcPlace, sent_module
from ..runtime.rpc.session import RPCSession
from .compilation import ReadyModel
from .loading import ready_model
from .options import Command, CommandRequest, Feed, with_options

_TARGETS: Mapping[str, str] = MappingProxyType({"x86_64": "x86-64-levels"})
"""Targets of machines that a server reports, if they differ from the name of the machine.

A library for x86-64-levels has code for each level of features, and chooses when it is loaded."""


def rpc_options(command: Command) -> Command:
    """Add --rpc, --key and --token-file to a command.

    The command is called with an `RpcPlace`, or None, as the argument ``place``.
    """
    parameters = [
        click.option("--rpc", metavar="HOST:PORT", help="Run by an RPC server, tracker or proxy."),
        click.option("--key", default="", help="What to ask the tracker or proxy for."),
        click.option("--token-file", metavar="FILE", help="The secret of the server."),
    ]

    @functools.wraps(command)
    def wrapped(*args: Any, rpc: str | None, key: str, token_file: str | None, **rest: Any) -> None:
        place = None if rpc is None else RpcPlace(rpc, key, read_token(token_file))
        command(*args, place=place, **rest)

    return with_options(wrapped, parameters)


def read_token(path: str | None) -> str:
    """Return the secret that a file contains; "" without a file."""
    return Path(path).read_text().strip() if path else ""


@dataclass(frozen=True)
class RemoteModel:
    """A model that another machine has loaded.

    place: the address of the machine.  session: the connection.  ready: the model as compiled here,
    with its inputs.  module: the module in the other machine.
    """

    place: RpcPlace
    session: RPCSession
    ready: ReadyModel
    module: RemoteModule

    def fields(self) -> Mapping[str, Any]:
        """Return facts of the other machine, and the round-trip time in seconds, for JSON."""
        round_trip_s = self.session.round_trip_s()
        return {"rpc": str(self.place), "round_trip_s": round_trip_s, "device": self.session.facts}

    def text(self) -> str:
        """Return facts of the other machine, and the round-trip time, as a line."""
        facts, round_trip_ms = self.session.facts, 1e3 * self.session.round_trip_s()
        threads = f"{facts['threads']} processors"
        return f"{self.place}: {facts['machine']}, {threads}; round trip {round_trip_ms:.3g} ms"


@contextmanager
def remote_model(
    place: RpcPlace, request: CommandRequest, feed: Feed, *, profile: bool = False
) -> Generator[RemoteModel]:
    """Compile a model for another machine, and load it there while the ``with`` block runs.

    place: the address of the RPC server on that machine.  request: the model and the options.
    feed: the inputs.  profile: whether to compile code that records the time of each kernel.
    Without ``--target``, the target is the machine that the server reports.

    Errors: RpcError without a server; the errors of `ready_model`.
    """
    with place.session() as session:
        if is_exported(request.model):
            name = session.upload(request.model)
            module = session.load_module(name, threads=request.threads)
            ready = ready_model(request, feed, load=lambda path: module)
        else:
            machine = session.facts["machine"]
            target = request.target or _TARGETS.get(machine, machine)
            ready = ready_model(replace(request, target=target), feed)
            assert isinstance(ready.module, CompiledModule), "the model is no exported file"
            program = ready.module.specialize(ready.inputs)
            module = sent_module(session, program, request.threads, profile=profile)
        yield RemoteModel(place, session, ready, module)

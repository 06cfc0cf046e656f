"""The process of a server: listening sockets, limits for slow clients, and an orderly shutdown.

After SIGTERM or SIGINT, the readiness check fails and new requests get 503 at once. Then the
listening sockets close, requests in progress finish, the workers end, and `serve` returns.
"""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Generator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any, cast

import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from ..runtime.errors import ArgumentError
from .http import Service, app_of
from .repository import Loader
from .settings import Settings


def serve(
    folder: Path | str, settings: Settings | None = None, load_file: Loader | None = None
) -> None:
    """Serve the models of a folder until SIGTERM or SIGINT.

    settings: default: `Settings()`.  load_file: makes a `Servable` from a file, to serve models of
    another runtime.

    Errors: ArgumentError if the folder does not exist, or gRPC is wanted but not installed.
    """
    chosen = settings or Settings()
    if not Path(folder).is_dir():
        raise ArgumentError(
            "the model repository is no folder",
            expected="a folder with NAME/VERSION/model.so",
            got=str(folder),
        )
    if chosen.grpc_port is not None and find_spec("grpc") is None:
        raise ArgumentError(
            "gRPC needs the package grpcio", hint="pip install 'tilewright-serve[grpc]'"
        )
    asyncio.run(_serve(Service(folder, chosen, load_file)))


async def _serve(service: Service) -> None:
    settings = service.settings
    config = uvicorn.Config(
        app_of(service),
        host=settings.host,
        port=settings.port,
        http=_protocol(settings.body_s),
        ws="none",
        lifespan="on",
        access_log=False,
        server_header=False,
        timeout_keep_alive=max(1, int(settings.idle_s)),
        limit_concurrency=settings.max_connections,
        timeout_graceful_shutdown=max(1, int(settings.drain_s)),
    )
    server = _Server(config)
    loop = asyncio.get_running_loop()

    def drain() -> None:
        service.is_draining = True
        loop.call_later(settings.drain_delay_s, server.handle_exit, signal.SIGTERM, None)

    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, drain)
    if settings.grpc_port is None:
        await server.serve()
        return
    from .grpc_server import GrpcServer

    rpc = GrpcServer(service)
    await rpc.start(f"{settings.host}:{settings.grpc_port}")
    running = asyncio.create_task(server.serve())
    while not (service.is_draining or running.done()):
        await asyncio.sleep(0.1)
    await asyncio.sleep(settings.drain_delay_s)
    await asyncio.gather(rpc.stop(settings.drain_s), running)


class _Server(uvicorn.Server):
    """A uvicorn server that leaves signals to `_serve`, so that a drained process exits with 0."""

    @contextmanager
    def capture_signals(self) -> Generator[None]:
        yield


def _protocol(limit_s: float) -> type[asyncio.Protocol]:
    """Return uvicorn's protocol class, extended by time limits for slow clients.

    A connection is aborted if the head of a request, or a client that does not read its response,
    takes longer than ``limit_s`` seconds. `read_body` limits slow bodies, and uvicorn limits idle
    connections.
    """

    class TimedProtocol(HttpToolsProtocol):
        """A connection that a timer aborts if the client is too slow."""

        _timer: asyncio.TimerHandle | None = None

        def _limit(self) -> None:
            self._unlimit()
            self._timer = self.loop.call_later(limit_s, self._abort)

        def _unlimit(self) -> None:
            if self._timer is not None:
                self._timer.cancel()
                self._timer = None

        def _abort(self) -> None:
            cast("Any", self.transport).abort()

        def connection_made(self, transport: Any) -> None:
            super().connection_made(transport)
            self._limit()

        def connection_lost(self, exc: Exception | None) -> None:
            self._unlimit()
            super().connection_lost(exc)

        def on_message_begin(self) -> None:
            self._limit()
            super().on_message_begin()

        def on_headers_complete(self) -> None:
            self._unlimit()
            super().on_headers_complete()

        def pause_writing(self) -> None:
            self._limit()
            super().pause_writing()

        def resume_writing(self) -> None:
            self._unlimit()
            super().resume_writing()

    return TimedProtocol

"""WebSockets at the proxy: the connections of servers that run in pages of browsers.

In: the connection of a browser, which begins with a request of HTTP. Out: a socket of this process
with the bytes of the WebSocket's messages, so that the proxy treats it like any other connection.
A thread converts the bytes of both directions. Boundaries of messages have no meaning.

Any page that a browser on this machine shows can try to connect. So only pages of the origins that
the proxy allows are accepted, and programs, which send no origin.

Source: RFC 6455; the package `websockets` reads and writes its frames.
"""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Sequence
from importlib.util import find_spec

from ..errors import ArgumentError
from .channels import readable
from .messages import HEADER, MAX_PAYLOAD_BYTES

_CHUNK_BYTES = 1 << 18
_PING_S = 15
"""After this time without bytes the proxy sends a ping, which keeps connections through routers."""
_STUCK_S = 60
"""How long the browser may not take bytes."""
_NORMAL, _UNSUPPORTED = 1000, 1003
"""Codes of the end of a WebSocket (RFC 6455, 7.4.1)."""


def check_web_sockets(origins: Sequence[str]) -> None:
    """Check that WebSockets can be accepted; do nothing if there are no origins.

    origins: the web origins whose pages may connect.

    Errors: ArgumentError if the package is missing, or an origin has a path.
    """
    for origin in origins:
        scheme, _, host = origin.partition("://")
        if scheme not in ("http", "https") or not host or "/" in host:
            raise ArgumentError(
                "an origin of pages has another form",
                expected="http://HOST:PORT or https://HOST",
                got=origin,
                hint="pass --origin http://localhost:8000",
            )
    if origins and find_spec("websockets") is None:
        raise ArgumentError(
            "the proxy cannot accept pages of browsers",
            expected="the package websockets",
            hint="pip install tilewright[web]",
        )


def web_socket_bytes(outer: socket.socket, origins: Sequence[str]) -> socket.socket:
    """Accept a WebSocket; return a socket with the bytes of the WebSocket's messages.

    A thread copies the bytes in both directions until one end closes its connection.

    outer: a new connection, which begins with the HTTP request for a WebSocket.  origins: the web
    origins whose pages are accepted.

    Errors: OSError for a request that is refused.
    """
    try:
        connection = _WebSocket(outer, origins)
    except BaseException:
        outer.close()
        raise
    near, inner = socket.socketpair()
    threading.Thread(target=connection.run, args=(inner,), daemon=True).start()
    return near


class _WebSocket:
    """The proxy's end of a WebSocket."""

    def __init__(self, outer: socket.socket, origins: Sequence[str]) -> None:
        """Answer the request with which the connection begins."""
        from websockets.http11 import Request
        from websockets.protocol import State
        from websockets.server import ServerProtocol
        from websockets.typing import Origin

        allowed = [None, *map(Origin, origins)]
        self._outer, self._has_pinged = outer, False
        self._protocol = ServerProtocol(origins=allowed, max_size=MAX_PAYLOAD_BYTES + HEADER.size)
        while self._protocol.state is State.CONNECTING and not self._protocol.close_expected():
            self._receive()
            for event in self._protocol.events_received():
                if isinstance(event, Request):
                    self._protocol.send_response(self._protocol.accept(event))
            self._flush()
        if self._protocol.state is not State.OPEN:
            raise ConnectionRefusedError(str(self._protocol.handshake_exc))

    def run(self, inner: socket.socket) -> None:
        """Copy bytes between the WebSocket and a socket until one of them ends."""
        with self._outer, inner, contextlib.suppress(OSError):
            for end in (self._outer, inner):
                end.settimeout(_STUCK_S)
            while self._copy(inner):
                self._flush()
            self._flush()

    def _copy(self, inner: socket.socket) -> bool:
        """Wait for bytes of an end, and copy them; return whether both ends are still open."""
        from websockets.frames import Frame, Opcode
        from websockets.protocol import State

        ready = readable((self._outer, inner), _PING_S)
        if not ready and self._has_pinged:
            return False
        if not ready:
            self._protocol.send_ping(b"")
        self._has_pinged = not ready
        if self._outer in ready:
            self._receive()
            for event in self._protocol.events_received():
                assert isinstance(event, Frame), "the connection is open"
                if event.opcode is Opcode.TEXT:
                    self._protocol.fail(_UNSUPPORTED, "the messages of the protocol are binary")
                elif event.opcode in (Opcode.BINARY, Opcode.CONT):
                    inner.sendall(event.data)
        if inner in ready:
            if data := inner.recv(_CHUNK_BYTES):
                self._protocol.send_binary(data)
            else:
                self._protocol.send_close(_NORMAL)
        return self._protocol.state is State.OPEN

    def _receive(self) -> None:
        if data := self._outer.recv(_CHUNK_BYTES):
            self._protocol.receive_data(data)
        else:
            self._protocol.receive_eof()

    def _flush(self) -> None:
        for data in self._protocol.data_to_send():
            if data:
                self._outer.sendall(data)

"""The process of a proxy: it connects clients with servers that accept no connections.

    tw rpc-proxy --host 0.0.0.0 --token-file secret --certificate cert.pem --private-key key.pem

A server connects to the proxy under a key, and the proxy keeps the connection: it is *parked*. A
client that asks for the key gets the connection: from then on, the proxy copies bytes, and both
ends begin a session of their own, with a handshake that the proxy cannot forge without the token. A
connection whose first byte is that of TLS is encrypted; with a certificate, clients must encrypt
their connections. A server in a page of a browser connects by a WebSocket.
"""

from __future__ import annotations

import json
import socket
import ssl
import threading
import time
from collections import defaultdict, deque
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..errors import ArgumentError, UnknownFunction
from .addresses import HANDSHAKE_S, Address, address_of, keep_alive, serve_connections
from .channels import SocketChannel, readable
from .messages import PROXY_TABLE
from .server import SessionServer
from .web_sockets import check_web_sockets, web_socket_bytes

_MAX_WAIT_S = 30
_TLS_BYTE = b"\x16"
"""The first byte of a TLS connection: a record of the type handshake (RFC 8446, 5.1)."""
_HTTP_BYTE, _HTTP = b"G", "http/1.1"
"""The first byte of a WebSocket (its request is GET), and the protocol that one in TLS asks for."""
_CHUNK_BYTES = 1 << 18
_STUCK_S = 60
"""How long an end may not take bytes."""


@dataclass(frozen=True)
class ProxyOptions:
    """The options of a proxy.

    certificate, private_key: files in the format PEM, for TLS; None: no TLS. origins: the web
    origins whose pages may connect by WebSockets, such as ``http://localhost:8000``; if empty, the
    proxy accepts no WebSockets.
    """

    address: Address = Address("127.0.0.1", 9290)  # noqa: RUF009
    token: str = ""
    certificate: Path | None = None
    private_key: Path | None = None
    origins: Sequence[str] = ()


class Parking:
    """The parked connections of servers that wait for clients, by their keys."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._parked: defaultdict[str, deque[socket.socket]] = defaultdict(deque)

    def park(self, key: str, connection: socket.socket) -> None:
        """Add a connection, until a client takes it or its server closes it."""
        with self._changed:
            self._parked[key].append(connection)
            self._changed.notify_all()

    def take(self, key: str, wait_s: float) -> socket.socket | None:
        """Wait for a parked connection and remove it; return None if there is none in time."""
        until = time.monotonic() + wait_s
        with self._changed:
            while True:
                self._drop_dead(key)
                if self._parked[key]:
                    return self._parked[key].popleft()
                left_s = until - time.monotonic()
                if left_s <= 0:
                    return None
                self._changed.wait(left_s)

    def counts(self) -> dict[str, int]:
        """Return the number of parked connections by key."""
        with self._changed:
            for key in [*self._parked]:
                self._drop_dead(key)
            return {key: len(parked) for key, parked in self._parked.items() if parked}

    def _drop_dead(self, key: str) -> None:
        """Close the parked connections of a key on which a client could not begin a session.

        The server has closed such a connection, or has sent bytes before it has a client.
        """
        alive: deque[socket.socket] = deque()
        for connection in self._parked[key]:
            if readable([connection], 0):
                connection.close()
            else:
                alive.append(connection)
        self._parked[key] = alive


class ProxyEnd:
    """The proxy's end of one connection, with a method for each message.

    is_client: False for a connection without TLS if the proxy has a certificate: it may then belong
    to a server only.  other: after `attach`, the connection of the server that the client gets.
    key: after `park`, the key under which the server at the other end waits.
    """

    def __init__(self, parking: Parking, *, is_client: bool) -> None:
        self._parking, self._is_client = parking, is_client
        self.other: socket.socket | None = None
        self.key = ""

    def park(self, key: str) -> None:
        """Record the key under which this connection is to be parked.

        Errors: ArgumentError for an empty key.
        """
        if not key:
            raise ArgumentError("a server waits without a key", hint="pass --key NAME")
        self.key = key

    def attach(self, key: str, wait_ms: int) -> None:
        """Connect this client with a parked connection of a server.

        wait_ms: how long to wait for a server.

        Errors: UnknownFunction, a KeyError, if no server comes in time; ArgumentError for a
        connection without TLS, if the proxy has a certificate.
        """
        if not self._is_client:
            raise ArgumentError(
                "the proxy encrypts the connections of clients",
                got="a connection without TLS",
                hint="pass authority= with the certificate of the proxy",
            )
        self.other = self._parking.take(key, min(1e-3 * wait_ms, _MAX_WAIT_S))
        if self.other is None:
            waiting = ", ".join(self._parking.counts())
            raise UnknownFunction(
                f"no server waits at the proxy for the key {key!r}",
                expected=waiting or "a server that waits",
                hint="start one with tw rpc-server --proxy HOST:PORT --key NAME",
            )

    def summary(self) -> str:
        """Return the number of parked connections by key, as JSON text."""
        return json.dumps(self._parking.counts())

    def is_done(self) -> bool:
        """Return whether the last message asked to park or to connect this connection.

        The proxy then reads no more messages from it.
        """
        return bool(self.key) or self.other is not None


class ProxyServer:
    """A proxy that listens.

    address: where it listens.
    """

    def __init__(self, options: ProxyOptions) -> None:
        """Read the certificate, and listen on the address of the options.

        Errors: ArgumentError for an address or files that cannot be used.
        """
        check_web_sockets(options.origins)
        self._token, self._parking, self._origins = options.token, Parking(), options.origins
        self._tls = _context(options)
        self._listener = options.address.listen(options.token)
        self.address = address_of(self._listener, options.address.host)

    def run(self) -> None:
        """Serve until the process ends."""
        serve_connections(self._listener, self._serve)

    def _serve(self, plain: socket.socket, _peer: Any) -> None:
        """Answer the messages of a connection; then park it, or relay its bytes to a server's."""
        plain.settimeout(HANDSHAKE_S)
        keep_alive(plain)
        connection, is_encrypted = self._opened(plain)
        is_client = self._tls is None or is_encrypted
        end, facts = ProxyEnd(self._parking, is_client=is_client), {"server": "proxy"}
        channel = SocketChannel(connection)
        is_parked = False
        try:
            SessionServer(channel, end, self._token, facts, lambda ms: None, PROXY_TABLE).serve(
                end.is_done
            )
            if end.key:
                self._parking.park(end.key, connection)
                is_parked = True
            elif end.other is not None:
                relay(connection, end.other)
        finally:
            if not is_parked:
                connection.close()
                if end.other is not None:
                    end.other.close()

    def _opened(self, plain: socket.socket) -> tuple[socket.socket, bool]:
        """Remove the layers of TLS and WebSockets from a connection.

        Return the socket with the plain bytes, and whether the connection is encrypted by TLS.

        Errors: OSError, such as ssl.SSLError, and for a page of an origin that is not allowed.
        """
        first = plain.recv(1, socket.MSG_PEEK)
        if self._tls is not None and first == _TLS_BYTE:
            made = self._tls.wrap_socket(plain, server_side=True)
            return self._messages_of(made, is_web=made.selected_alpn_protocol() == _HTTP), True
        return self._messages_of(plain, is_web=first == _HTTP_BYTE), False

    def _messages_of(self, connection: socket.socket, *, is_web: bool) -> socket.socket:
        if not (is_web and self._origins):
            return connection
        made = web_socket_bytes(connection, self._origins)
        made.settimeout(HANDSHAKE_S)
        return made


def relay(near: socket.socket, far: socket.socket) -> None:
    """Copy bytes between two connections in both directions, until one of them ends.

    Only one end sends much at a time, so copying a chunk may wait for its receiver.
    """
    chunk, ends = bytearray(_CHUNK_BYTES), {near: far, far: near}
    for end in ends:
        end.settimeout(_STUCK_S)
    while True:
        for end in readable([*ends]):
            size = end.recv_into(chunk)
            if size == 0:
                return
            ends[end].sendall(memoryview(chunk)[:size])


def _context(options: ProxyOptions) -> ssl.SSLContext | None:
    if options.certificate is None:
        return None
    made = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    made.set_alpn_protocols([_HTTP])
    try:
        made.load_cert_chain(options.certificate, options.private_key)
    except OSError as err:
        raise ArgumentError(
            "the certificate of a proxy cannot be used",
            expected="--certificate and --private-key, files in the format PEM",
            got=err,
            hint="make one with openssl req -x509 -newkey rsa:2048 -nodes",
        ) from err
    return made

"""Addresses of servers, trackers and proxies: connecting to them, and listening on them.

    127.0.0.1:9090        a port of TCP
    farm:9290/NAME        a server that waits at a proxy under a name
    unix:PATH             a socket of Unix, which only its owner can open

In: an address. Out: a channel to it, or a socket that listens. A socket to which other machines can
connect requires a token, which clients must know.
"""

from __future__ import annotations

import contextlib
import ipaddress
import os
import socket
import ssl
import sys
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from ..errors import ArgumentError
from .channels import SocketChannel
from .errors import RpcError

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator

UNIX = "unix:"
"""The start of an address that is the path of a socket of Unix."""
HANDSHAKE_S = 10
"""How long a server waits for the handshake of a client."""
_IDLE_S, _CHECK_S = 15, 5
_DIAL_S = 30
"""How long a client waits for a server, which may first start a process."""
_MIN_TOKEN_CHARACTERS = 8
_MAX_CONNECTIONS, _ACCEPT_PAUSE_S = 4096, 0.05
_UNIX_SOCKETS = Path("/proc/net/unix")
"""Where Linux lists the sockets of Unix; @ precedes a name without a file."""


@dataclass(frozen=True)
class Address:
    """The address of a TCP port or of a Unix socket.

    host: for a Unix socket, ``unix:`` and its path.  waiting: the name of a server that waits at
    the proxy with this address; empty without a proxy.
    """

    host: str
    port: int = 0
    waiting: str = ""

    @classmethod
    def of(cls, text: str, port: int = 0) -> Self:
        """Parse ``HOST:PORT``, ``HOST:PORT/NAME`` or ``unix:PATH``.

        port: the port, if the text contains only a host.

        Errors: ArgumentError for text without a port.
        """
        if text.startswith(UNIX) or port:
            return cls(text, port)
        place, _, waiting = text.partition("/")
        host, _, number = place.rpartition(":")
        if not host or not number.isdecimal() or int(number) > 65535:
            raise ArgumentError(
                "an address has no port",
                expected="HOST:PORT, or unix:PATH",
                got=text,
                hint="pass 127.0.0.1:9090",
            )
        return cls(host.strip("[]"), int(number), waiting)

    def __str__(self) -> str:
        if self.host.startswith(UNIX):
            return self.host
        place = f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"
        return f"{place}/{self.waiting}" if self.waiting else place

    @property
    def is_own(self) -> bool:
        """Whether only programs of this machine can connect."""
        if self.host.startswith(UNIX):
            return True
        with contextlib.suppress(ValueError):
            host = "127.0.0.1" if self.host == "localhost" else self.host
            return ipaddress.ip_address(host).is_loopback
        return False

    def check_token(self, token: str) -> None:
        """Raise an error if other machines can connect and the token is too short.

        Errors: ArgumentError.
        """
        if not self.is_own and len(token) < _MIN_TOKEN_CHARACTERS:
            raise ArgumentError(
                f"a server on {self.host} needs a token, because other machines can connect",
                expected=f"--token-file FILE, with at least {_MIN_TOKEN_CHARACTERS} characters",
                got="no token" if not token else "a shorter token",
                hint="or listen on 127.0.0.1",
            )

    def listen(self, token: str) -> socket.socket:
        """Return a socket that listens on the address.

        token: the token that clients must know; empty: none.

        Errors: ArgumentError if other machines can connect without a token, and for an address that
        is in use or does not belong to this machine.
        """
        self.check_token(token)
        try:
            if self.host.startswith(UNIX):
                path = self.host.removeprefix(UNIX)
                made = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
                made.bind(path)
                os.chmod(path, 0o600)
                made.listen()
                return made
            family = socket.AF_INET6 if ":" in self.host else socket.AF_INET
            return socket.create_server((self.host, self.port), family=family)
        except OSError as err:
            raise ArgumentError(
                f"no server can listen on {self}", got=err, hint="choose another address"
            ) from err


def address_of(listener: socket.socket, host: str) -> Address:
    """Return the address of a listening socket, with the port that the system has chosen.

    host: the host to listen on that the user asked for, or ``unix:`` and the path of the socket.
    """
    if listener.family == socket.AF_UNIX:
        return Address(host)
    return Address(host, listener.getsockname()[1])


def keep_alive(connection: socket.socket) -> None:
    """Make a connection end when the other machine is unreachable, even if nothing is sent."""
    if connection.family != socket.AF_UNIX:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPIDLE, _IDLE_S)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPINTVL, _CHECK_S)


def accepted(listener: socket.socket) -> Iterator[tuple[socket.socket, Any]]:
    """Accept connections to a listening socket for ever.

    Yield each connection, and the address of its other end.
    """
    while True:
        try:
            yield listener.accept()
        except OSError as err:  # the client is gone already, or too many files are open
            sys.stderr.write(f"a connection is not accepted: {err}\n")
            time.sleep(_ACCEPT_PAUSE_S)


def serve_connections(listener: socket.socket, serve: Callable[[socket.socket, Any], None]) -> None:
    """Serve each connection to a listening socket in a thread of its own, for ever.

    At most 4096 connections are served at once.

    serve: takes a connection, and the address of its other end. A connection error in ``serve``
    ends only this connection.
    """
    room = threading.Semaphore(_MAX_CONNECTIONS)

    def run(connection: socket.socket, peer: Any) -> None:
        try:
            with contextlib.suppress(OSError, RpcError):
                serve(connection, peer)
        finally:
            room.release()

    for connection, peer in accepted(listener):
        room.acquire()
        threading.Thread(target=run, args=(connection, peer), daemon=True).start()


@contextlib.contextmanager
def dialed(address: Address, program: str, authority: str = "") -> Generator[SocketChannel]:
    """Connect to a server; yield the channel to it inside the ``with`` block.

    Inside the block, in which the caller makes the handshake, waits for the server have a time
    limit.

    program: the command that starts such a server, for messages.  authority: a file of
    certificates, one of which must have signed the certificate of the server; the connection is
    then encrypted. Empty: no encryption.

    Errors: RpcError if no server answers, or its certificate does not fit the address.
    """
    try:
        if address.host.startswith(UNIX):
            made = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            made.settimeout(_DIAL_S)
            made.connect(address.host.removeprefix(UNIX))
        else:
            made = socket.create_connection((address.host, address.port), timeout=_DIAL_S)
            if authority:
                settings = ssl.create_default_context(cafile=authority)
                made = settings.wrap_socket(made, server_hostname=address.host)
    except OSError as err:
        raise RpcError(
            f"no server answers at {address}", got=err, hint=f"start one with {program}"
        ) from err
    channel = SocketChannel(made)
    yield channel
    channel.limit_waiting(None)


def is_local_socket(name: str) -> bool:
    """Return whether this machine has an abstract Unix socket (one without a file) of a name.

    A server reports the name of its socket. The address of the server may be forwarded from another
    machine, which then has the socket.
    """
    try:
        return f"@{name}\n" in _UNIX_SOCKETS.read_text(errors="replace")
    except OSError:
        return False


def local_channel(name: str) -> SocketChannel:
    """Connect to an abstract Unix socket of this machine.

    Errors: RpcError if the server has ended.
    """
    made = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        made.connect(f"\0{name}")
    except OSError as err:
        made.close()
        raise RpcError("the server has ended", got=err, hint="start it again") from err
    return SocketChannel(made)

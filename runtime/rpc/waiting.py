"""Waiting at a proxy: a server that accepts no connections gets its clients there.

In: the address of a proxy, a key, and a function that serves a client's connection. Out: a thread
that keeps one connection parked at the proxy. When a client comes, the function gets the
connection, and the thread parks the next one.
"""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable

from .addresses import Address, dialed, keep_alive
from .errors import RpcError
from .requests import Requests

_PAUSE_S = 1.0


def wait_at(
    proxy: Address, key: str, token: str, serve: Callable[[socket.socket], None]
) -> threading.Thread:
    """Start a thread that waits for clients; it connects again when the proxy restarts.

    key: the name under which the proxy knows this server.  serve: gets the connection of each
    client, and returns at once.
    """

    def run() -> None:
        while True:
            try:
                with dialed(proxy, "tw rpc-proxy") as channel:
                    # The bytes after the reply are those of a client.
                    Requests(channel, key=key, token=token, ahead_bytes=0).request("park", key)
                connection = channel.detached()
                keep_alive(connection)
                if not connection.recv(1, socket.MSG_PEEK):
                    connection.close()  # the proxy has ended
                    continue
                serve(connection)
            except (RpcError, OSError):
                time.sleep(_PAUSE_S)

    made = threading.Thread(target=run, daemon=True)
    made.start()
    return made

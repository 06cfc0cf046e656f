"""A server that no connection can reach waits at a proxy for its clients.

In: the address of a proxy, a key, and what to do with a client's connection. Out: a thread that
keeps one connection parked at the proxy; when a client comes, it is served, and the next one parks.
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
    """Start the thread; it connects again when the proxy restarts.

    serve: gets the connection of each client; it starts a thread of its own.
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


__all__ = ["wait_at"]

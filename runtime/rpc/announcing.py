"""Announcing a server to a tracker at each heartbeat, until the process of the server ends."""

from __future__ import annotations

import json
import secrets
import threading
import time
from collections.abc import Mapping
from typing import Any

from .addresses import Address, dialed
from .errors import RpcError
from .requests import Requests

_PAUSE_S = 1.0


def announce(
    tracker: Address, key: str, address: Address, token: str, facts: Mapping[str, Any]
) -> threading.Thread:
    """Start a thread that announces a server to a tracker until the process ends.

    If the tracker restarts, the thread connects again.

    tracker: the address of the tracker.  key: the name under which clients ask for the server.
    address: where clients connect.  token: the secret of the tracker.  facts: the server's
    description of itself.
    """
    fields = secrets.token_hex(16), key, str(address), json.dumps(facts)

    def run() -> None:
        while True:
            try:
                with dialed(tracker, "tw rpc-tracker") as channel:
                    end = Requests(channel, key=key, token=token)
                while True:
                    (heartbeat_ms,) = end.request("announce", *fields)
                    time.sleep(1e-3 * heartbeat_ms)
            except RpcError:
                time.sleep(_PAUSE_S)

    made = threading.Thread(target=run, daemon=True)
    made.start()
    return made

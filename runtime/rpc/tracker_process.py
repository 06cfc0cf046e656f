"""The process of a tracker: devices announce themselves, and clients ask for a device.

    tw rpc-tracker --port 9190 --journal tracker.db

In: connections of devices and clients, with the frames and the handshake of sessions. Out: replies,
by the queues of tracking.py. Each connection has a thread, because a client waits in its request.
"""

from __future__ import annotations

import json
import socket
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..errors import ArgumentError
from .addresses import HANDSHAKE_S, Address, address_of, serve_connections
from .channels import SocketChannel
from .messages import TRACKER_TABLE
from .server import SessionServer
from .tracker_journal import Journal
from .tracking import HEARTBEATS, JobState, TrackedDevice, Tracker, TrackerJob

_MAX_NAME = 200
_CHECKS = 8
"""Searches for dead devices per heartbeat."""


@dataclass(frozen=True)
class TrackerOptions:
    """The options of a tracker.

    journal: the file in which the tracker stores its state; None: it keeps the state in memory
    only. heartbeat_s: the time between two messages by which a device or a client shows that it is
    alive.
    """

    address: Address = Address("127.0.0.1", 9190)  # noqa: RUF009
    token: str = ""
    journal: Path | None = None
    heartbeat_s: float = 5


class TrackerServer:
    """A tracker that listens.

    address: where it listens.
    """

    def __init__(self, options: TrackerOptions) -> None:
        """Open the journal, and listen on the address of the options.

        Errors: ArgumentError for an address or a file that cannot be used.
        """
        self._options, self._changed = options, threading.Condition()
        self._tracker = Tracker(Journal(options.journal), options.heartbeat_s, time.monotonic())
        self._listener = options.address.listen(options.token)
        self.address = address_of(self._listener, options.address.host)

    def run(self) -> None:
        """Serve until the process ends."""
        threading.Thread(target=self._expire, daemon=True).start()
        serve_connections(self._listener, self._serve)

    def _expire(self) -> None:
        while True:
            time.sleep(self._options.heartbeat_s / _CHECKS)
            with self._changed:
                self._tracker.expire(time.monotonic())
                self._changed.notify_all()

    def _serve(self, connection: socket.socket, peer: Any) -> None:
        host = peer[0] if isinstance(peer, tuple) else ""
        heartbeat_s = self._options.heartbeat_s
        channel = SocketChannel(connection)
        channel.limit_waiting(HANDSHAKE_S)
        facts = {"server": "tracker", "heartbeat_ms": round(1000 * heartbeat_s)}
        end = TrackerEnd(self._tracker, self._changed, host)

        def set_timeout(timeout_ms: int) -> None:
            channel.limit_waiting(2 * HEARTBEATS * heartbeat_s)

        token = self._options.token
        with connection:
            SessionServer(channel, end, token, facts, set_timeout, TRACKER_TABLE).serve()


class TrackerEnd:
    """The tracker's end of one connection, with a method for each message.

    tracker: the devices and jobs.  changed: the lock of the tracker, which is notified of each
    change. host: the address of the other end.
    """

    def __init__(self, tracker: Tracker, changed: threading.Condition, host: str) -> None:
        self._tracker, self._changed, self._host = tracker, changed, host

    def announce(self, device: str, key: str, address: str, facts: str) -> int:
        """Record that a device is alive; return the milliseconds until its next announcement.

        device: the name that the device has chosen.  key: the name under which clients ask for it.
        address: where clients connect.  facts: the device's description of itself, as JSON.
        """
        _check_names(device, key, address)
        place = Address.of(address)
        if place.host in ("0.0.0.0", "::") and self._host:
            place = Address(self._host, place.port)
        with self._changed:
            made = TrackedDevice(device, key, str(place), facts)
            self._tracker.announce(made, time.monotonic())
            self._changed.notify_all()
        return round(1000 * self._tracker.heartbeat_s)

    def leave(self, device: str) -> None:
        """Remove a device, by its name."""
        with self._changed:
            self._tracker.leave(device, time.monotonic())
            self._changed.notify_all()

    def request(
        self,
        job: str,
        key: str,
        client: str,
        priority: int,
        lease_ms: int,
        wait_ms: int,
        grant: int,
        lost: int,
    ) -> tuple[int, int, str, str]:
        """Queue a job, or record that the client of a queued job is alive.

        Wait for a device for at most one heartbeat. Return the state of the job, the number of its
        grant, and the name and the address of its device.

        job: the name that the client has chosen.  key: the kind of device.  client: the client's
        name. lease_ms: how long the job may have a device.  grant: the number of the grant that the
        client uses; 0: none.  lost: the number of a grant whose device did not answer; 0: none.
        """
        _check_names(job, key, client)
        wish = TrackerJob(job, key, client, priority, 1e-3 * lease_ms, 0, grant)
        with self._changed:
            state, found = self._tracker.request(wish, lost, time.monotonic())
            if state is JobState.QUEUED:
                wait_s = min(1e-3 * wait_ms, self._tracker.heartbeat_s)
                self._changed.wait_for(lambda: self._is_granted(job), wait_s)
                state, found = self._tracker.request(wish, lost, time.monotonic())
            device = self._tracker.devices.get(found.device)
            address = device.address if device is not None else ""
            return int(state), found.grant, found.device, address

    def _is_granted(self, job: str) -> bool:
        found = self._tracker.jobs.get(job)
        return found is None or bool(found.device)

    def finish(self, job: str) -> None:
        """End a job, by its name."""
        with self._changed:
            self._tracker.finish(job, time.monotonic())
            self._changed.notify_all()

    def summary(self) -> str:
        """Return the devices, the queue and the shares of clients, as JSON text."""
        with self._changed:
            self._tracker.expire(time.monotonic())
            return json.dumps(self._tracker.summary(time.monotonic()))


def _check_names(*names: str) -> None:
    for name in names:
        if not 0 < len(name) <= _MAX_NAME:
            raise ArgumentError(
                "a name in a message to the tracker has a wrong length",
                expected=f"1 to {_MAX_NAME} characters",
                got=len(name),
                hint="pass a key, such as rpi4",
            )

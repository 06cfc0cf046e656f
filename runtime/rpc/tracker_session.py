"""The client's end of a tracker: ask for a device by a key, and get a session with it.

    tracker = rpc.connect_tracker("127.0.0.1", 9190)
    with tracker.request("rpi4", session_timeout=60) as remote:
        ...
    tracker.request_and_run("rpi4", measure)        measures again if the device fails

In: keys. Out: sessions, each with a lease that a thread renews. A request survives a restart of the
tracker, because its job has a name that the client chooses.
"""

from __future__ import annotations

import getpass
import json
import secrets
import socket
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, Self, TypeVar

from ..errors import UnknownFunction
from .addresses import Address, dialed
from .errors import RpcError
from .remote_host import RemoteHost
from .requests import Requests
from .session import RPCSession, host_at
from .tracking import JobState

_Result = TypeVar("_Result")
_MAX_SILENCE_S = 60
"""How long a client tries to reach a tracker that does not answer."""
_MAX_FINISH_S = 10
"""How long the end of a session waits for a tracker that does not answer."""
_PAUSE_S = 0.2


class _Line:
    """A connection to a tracker; if it breaks, the next request connects again."""

    def __init__(self, address: Address, token: str) -> None:
        self._address, self._token = address, token
        self._end: Requests | None = None

    def opened(self) -> Requests:
        """Return the present connection to the tracker, or connect if there is none.

        Errors: RpcError if no tracker answers.
        """
        if self._end is None or not self._end.is_open:
            with dialed(self._address, "tw rpc-tracker") as channel:
                self._end = Requests(channel, token=self._token)
        return self._end

    def heartbeat_s(self) -> float:
        """Return the time between two heartbeats in seconds, as the tracker reports it."""
        return self._tried(lambda: self.opened().facts["heartbeat_ms"] / 1000, _MAX_SILENCE_S)

    def request(self, name: str, *fields: Any, silence_s: float = _MAX_SILENCE_S) -> list[Any]:
        """Send a message, again if the tracker was restarted; return the fields of the reply.

        silence_s: how long to try while the tracker does not answer.

        Errors: RpcError if it does not answer in this time.
        """
        return self._tried(lambda: self.opened().request(name, *fields), silence_s)

    def _tried(self, action: Callable[[], _Result], silence_s: float) -> _Result:
        until = time.monotonic() + silence_s
        while True:
            try:
                return action()
            except RpcError:
                if time.monotonic() >= until:
                    raise
                time.sleep(_PAUSE_S)

    def close(self) -> None:
        """Close the connection."""
        if self._end is not None:
            self._end.close()


class Lease:
    """A job of a client: it waits in the queue, then has a device, until `end`.

    priority: jobs of larger numbers come first.  lease_s: how long the job may have a device; 0: no
    limit.  address: the address of the device, after `wait`.
    """

    def __init__(self, line: _Line, key: str, client: str, priority: int, lease_s: float) -> None:
        self._line, self._name = line, secrets.token_hex(16)
        self._wish = key, client, priority, round(1000 * lease_s)
        self._heartbeat_s = line.heartbeat_s()
        self._grant, self._ended = 0, threading.Event()
        self._thread: threading.Thread | None = None
        self.address = ""

    def wait(self, *, has_lost: bool = False) -> Address:
        """Wait for a device; return its address.

        has_lost: whether the device of the previous wait did not answer.

        Errors: RpcError if the lease has ended, or no tracker answers.
        """
        lost = self._grant if has_lost else 0
        while True:
            state, grant, _, address = self._asked(round(1000 * self._heartbeat_s), lost)
            if state == JobState.ENDED:
                raise RpcError("the lease of a device is over", hint="request a device again")
            if state == JobState.GRANTED and grant != lost:
                self._grant = grant
                return Address.of(address)

    def _asked(self, wait_ms: int, lost: int = 0) -> list[Any]:
        return self._line.request("request", self._name, *self._wish, wait_ms, self._grant, lost)

    def keep(self, on_loss: Callable[[], None]) -> None:
        """Renew the lease in a thread until `end`.

        on_loss: a function that the thread calls when the tracker has taken the device away.
        """
        self._thread = threading.Thread(target=self._renew, args=(on_loss,), daemon=True)
        self._thread.start()

    def _renew(self, on_loss: Callable[[], None]) -> None:
        while not self._ended.wait(self._heartbeat_s):
            try:
                state, grant, _, _ = self._asked(0)
            except RpcError:
                state, grant = JobState.ENDED, 0
            if self._ended.is_set():
                return
            if state != JobState.GRANTED or grant != self._grant:
                on_loss()
                return

    def end(self) -> None:
        """Return the device to the tracker."""
        if self._ended.is_set():
            return
        self._ended.set()
        if self._thread is not None:
            self._thread.join(self._heartbeat_s)
        with suppress(RpcError):
            # Without this message, the tracker waits for two heartbeats.
            self._line.request("finish", self._name, silence_s=_MAX_FINISH_S)
        self._line.close()


class LeasedSession(RPCSession):
    """A session with a device of a tracker; closing the session returns the device."""

    def __init__(self, host: RemoteHost, lease: Lease) -> None:
        super().__init__(host)
        self._lease = lease
        lease.keep(host.close)

    def close(self) -> None:
        """End the session, and return the device to the tracker."""
        self.disconnect()
        self._lease.end()

    def disconnect(self) -> None:
        """End the session, but keep the lease of the device."""
        super().close()


class TrackerSession:
    """A client of a tracker.

    It is a context manager, which closes the connection.
    """

    def __init__(self, address: Address, token: str, client: str, authority: str = "") -> None:
        self._address, self._token, self._authority = address, token, authority
        self._client = client or f"{getpass.getuser()}@{socket.gethostname()}"
        self._line = _Line(address, token)
        self._line.opened()

    def request(
        self, key: str, priority: int = 1, session_timeout: float = 0, max_retry: int = 5
    ) -> LeasedSession:
        """Wait for a device, and begin a session with it.

        key: the kind of device, such as ``rpi4``, as devices announce it.  priority: requests of
        larger numbers come first.  session_timeout: the longest duration of the session in seconds;
        0: what the server allows.  max_retry: how many more devices to try if one does not answer.

        Errors: RpcError if all devices fail, or no tracker answers.
        """
        lease = self._lease(key, priority, session_timeout)
        try:
            return self._session(lease, key, session_timeout, max_retry)
        except BaseException:
            lease.end()
            raise

    def request_and_run(
        self,
        key: str,
        func: Callable[[RPCSession], _Result],
        priority: int = 1,
        session_timeout: float = 0,
        max_retry: int = 2,
    ) -> _Result:
        """Call a function with a session; call it again with another device if the device is lost.

        Return the result of the function. The other parameters are those of `request`.

        Errors: those of the function; RpcError if each device is lost.
        """
        lease, has_lost = self._lease(key, priority, session_timeout), False
        try:
            for left in range(max_retry, -1, -1):
                remote = self._session(lease, key, session_timeout, max_retry, has_lost=has_lost)
                try:
                    return func(remote)
                except RpcError:
                    if remote.is_open or not left:
                        raise
                    has_lost = True
                finally:
                    remote.disconnect()
            raise AssertionError("the last try returns or raises")
        finally:
            lease.end()

    def summary(self) -> Mapping[str, Any]:
        """Return the devices, the queue and the shares of clients."""
        return json.loads(self._line.request("summary")[0])

    def text_summary(self) -> str:
        """Return the devices, the queue and the shares of clients, as text tables."""
        return summary_text(self.summary())

    def _lease(self, key: str, priority: int, session_timeout: float) -> Lease:
        line = _Line(self._address, self._token)
        return Lease(line, key, self._client, priority, session_timeout)

    def _session(
        self,
        lease: Lease,
        key: str,
        session_timeout: float,
        max_retry: int,
        *,
        has_lost: bool = False,
    ) -> LeasedSession:
        for left in range(max_retry, -1, -1):
            address = lease.wait(has_lost=has_lost)
            try:
                host = host_at(
                    address, key, self._token, timeout_s=session_timeout,
                    authority=self._authority if address.waiting else "",
                )  # fmt: skip
                return LeasedSession(host, lease)
            except (RpcError, UnknownFunction):
                has_lost = True
                if not left:
                    raise
        raise AssertionError("the last try returns or raises")

    def close(self) -> None:
        """Close the connection; sessions stay open."""
        self._line.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


def summary_text(summary: Mapping[str, Any]) -> str:
    """Return the summary of a tracker as text tables.

    summary: the result of `TrackerSession.summary`.
    """
    lines = ["devices"]
    lines += [
        f"  {row['key']:16} {row['address']:24} {row['client'] or 'free'}"
        for row in summary["devices"]
    ] or ["  none"]
    lines.append("queue")
    lines += [
        f"  {row['key']:16} priority {row['priority']:<4} {row['client']}"
        for row in summary["queued"]
    ] or ["  empty"]
    lines.append("device time")
    lines += [
        f"  {row['key']:16} {row['seconds']:10.1f} s {row['client']}" for row in summary["shares"]
    ] or ["  none"]
    return "\n".join(lines)


def connect_tracker(
    url: str, port: int = 0, *, token: str = "", client: str = "", authority: str = ""
) -> TrackerSession:
    """Connect to a tracker.

    url: a host, ``HOST:PORT``, or ``unix:`` and the path of a socket.  token: the secret of the
    tracker and of its devices.  client: the name under which the tracker shares devices between
    clients; by default user and machine.  authority: the file of certificates for proxies at which
    devices wait; see `connect`.

    Errors: RpcError if there is no tracker, or it refuses the token.
    """
    return TrackerSession(Address.of(url, port), token, client, authority)

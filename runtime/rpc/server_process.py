"""The process that listens for clients of the Python server, and the processes of its sessions.

    python -m tilewright.rpc_server --host 127.0.0.1 --port 9090
    python -m tilewright.rpc_server --stdio

In: options of the command line. Out: a process per session, whose standard streams are the
connection, so that a crash, a hang or a leak ends only this session. The listening process runs no
module. It keeps each connection, too: it ends a session whose client has disconnected, and reports
to the client why a session has ended.
"""

from __future__ import annotations

import argparse
import contextlib
import ctypes
import os
import platform
import resource
import secrets
import select
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ..errors import ArgumentError
from ..host import available_threads
from .addresses import HANDSHAKE_S, UNIX, Address, accepted, address_of
from .announcing import announce
from .channels import PipeChannel, SocketChannel
from .errors import ProtocolError, RpcError
from .local_host import Limits, LocalHost
from .messages import ERROR_FIELDS, Status, frame, written
from .server import SessionServer
from .waiting import wait_at

_NO_NEW_PRIVILEGES = 38
"""prctl's PR_SET_NO_NEW_PRIVS."""
_GRACE_S = 0.5
"""How long a session may take to end after its client is gone."""


@dataclass(frozen=True)
class ServerOptions:
    """The token and the limits of a server.

    memory_bytes: the address space of a session.  timeout_s: the longest duration of a session.
    sessions: the largest number of concurrent sessions.
    """

    token: str = ""
    memory_bytes: int = 8 << 30
    timeout_s: float = 3600
    sessions: int = 4

    def limits(self) -> Limits:
        """Return the limits for the objects of a session, within its address space."""
        return Limits(self.memory_bytes // 2, self.memory_bytes // 4)


def parsed(words: Sequence[str]) -> argparse.Namespace:
    """Parse the words of a command line; docs/rpc.md lists the options."""
    parser = argparse.ArgumentParser(prog="tilewright.rpc_server", description=__doc__)
    parser.add_argument("--host", default="127.0.0.1", help="the address to listen on")
    parser.add_argument("--port", type=int, default=9090, help="0 chooses a free port")
    parser.add_argument("--unix", help="the path of a socket, in place of host and port")
    parser.add_argument("--stdio", action="store_true", help="one session on standard streams")
    parser.add_argument("--token-file", type=Path, help="a file with the secret of clients")
    parser.add_argument("--tracker", help="HOST:PORT of a tracker that lends the server")
    parser.add_argument("--proxy", help="HOST:PORT of a proxy, at which the server waits")
    parser.add_argument("--key", default="", help="what clients ask the tracker for")
    parser.add_argument("--memory-mb", type=int, default=8192, help="memory of a session")
    parser.add_argument("--timeout", type=float, default=3600, help="seconds of a session")
    parser.add_argument("--sessions", type=int, default=4, help="sessions at once")
    return parser.parse_args(words)


def main(words: Sequence[str] | None = None) -> int:
    """Run a server with the words of a command line; return its exit code."""
    given = parsed(sys.argv[1:] if words is None else words)
    token = given.token_file.read_text().strip() if given.token_file else ""
    options = ServerOptions(token, given.memory_mb << 20, given.timeout, given.sessions)
    if given.stdio:
        return _serve_streams(options)
    wanted = Address(f"{UNIX}{given.unix}") if given.unix else Address(given.host, given.port)
    try:
        tracker = Address.of(given.tracker) if given.tracker else None
        proxy = Address.of(given.proxy) if given.proxy else None
        listener = wanted.listen(token)
    except ArgumentError as err:
        sys.stderr.write(f"{err}\n")
        return 2
    address = address_of(listener, wanted.host)
    print(f"listening on {address}", flush=True)
    print(f"sandbox lacks: {', '.join(_MISSING)}", flush=True)
    key = given.key or platform.machine()
    server = Server(listener, options, given.token_file)
    if tracker is not None and proxy is not None:  # the tracker lends this server only
        address = replace(proxy, waiting=secrets.token_hex(16))
    if tracker is not None:
        announce(tracker, key, address, token, facts_of(options.limits()))
    if proxy is not None:
        wait_at(proxy, address.waiting or key, token, server.start)
    server.run()
    return 0


_MISSING = ("a filter of system calls", "a limit of memory of devices")
"""The parts of the C server's sandbox that this one does not have."""


class Server:
    """Accepts clients, and starts a process for the session of each.

    token_file: the file of the token, for the processes of sessions.
    """

    def __init__(
        self, listener: socket.socket, options: ServerOptions, token_file: Path | None
    ) -> None:
        self._listener, self._options, self._token_file = listener, options, token_file
        self._lock = threading.Lock()
        self._running = 0

    def run(self) -> None:
        """Serve until the process ends."""
        for connection, _ in accepted(self._listener):
            self.start(connection)

    def start(self, connection: socket.socket) -> None:
        """Start the session of a client; refuse it if too many sessions run."""
        with self._lock:
            is_full = self._running >= self._options.sessions
            self._running += not is_full
        if is_full:
            _refuse(connection, f"the server has {self._running} sessions")
            return
        threading.Thread(target=self._watch, args=(connection,), daemon=True).start()

    def _watch(self, connection: socket.socket) -> None:
        try:
            with connection, self._started(connection) as process:
                code = _end_of(process, connection)
                if code not in (0, None):
                    _refuse(connection, _reason(code, self._options.timeout_s))
        finally:
            with self._lock:
                self._running -= 1

    def _started(self, connection: socket.socket) -> subprocess.Popen[bytes]:
        options = self._options
        command = [sys.executable, "-m", f"{__name__.partition('.')[0]}.rpc_server", "--stdio"]
        command += ["--memory-mb", str(options.memory_bytes >> 20)]
        command += ["--timeout", str(options.timeout_s)]
        if self._token_file is not None:
            command += ["--token-file", str(self._token_file)]
        stream = connection.fileno()
        return subprocess.Popen(command, stdin=stream, stdout=stream)


def _end_of(process: subprocess.Popen[bytes], connection: socket.socket) -> int | None:
    """Wait for the process of a session to end; return its exit code.

    If the client disconnects first, end the process and return None.
    """
    ended = os.pidfd_open(process.pid)
    poller = select.poll()
    poller.register(ended, select.POLLIN)
    poller.register(connection, select.POLLRDHUP)
    try:
        first = {descriptor for descriptor, _ in poller.poll()}
        if ended not in first:
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(_GRACE_S)  # it reads the end of the stream, unless a kernel hangs
            process.kill()
            process.wait()
            return None
        return process.wait()
    finally:
        os.close(ended)


def _reason(code: int, timeout_s: float) -> str:
    if code == -signal.SIGALRM:
        return f"its time is up: at most {timeout_s:g} seconds"
    if code < 0:
        return f"its process ended by {signal.Signals(-code).name}"
    return f"its process ended with exit code {code}"


def _refuse(connection: socket.socket, words: str) -> None:
    payload = written(ERROR_FIELDS, ("RuntimeError", words))
    with contextlib.suppress(RpcError):
        SocketChannel(connection).send(frame(0, Status.ENDED, 0, payload))
    connection.close()


def _serve_streams(options: ServerOptions) -> int:
    outgoing = os.dup(1)
    os.dup2(2, 1)  # keep what functions print out of the replies
    limits = options.limits()
    _limit_process(options.memory_bytes)
    signal.setitimer(signal.ITIMER_REAL, min(options.timeout_s, HANDSHAKE_S))

    def set_timeout(timeout_ms: int) -> None:
        wanted_s = 1e-3 * timeout_ms or options.timeout_s
        signal.setitimer(signal.ITIMER_REAL, min(options.timeout_s, wanted_s))

    channel, host = PipeChannel(0, outgoing), LocalHost(limits)
    try:
        SessionServer(channel, host, options.token, facts_of(limits), set_timeout).serve()
    except ProtocolError as err:
        sys.stderr.write(f"{err}\n")
    return 0


def _limit_process(memory_bytes: int) -> None:
    resource.setrlimit(resource.RLIMIT_AS, (memory_bytes, memory_bytes))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    ctypes.CDLL(None).prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0)


def facts_of(limits: Limits) -> Mapping[str, Any]:
    """Return the server's description of itself: machine, threads and limits of a session.

    The field ``missing`` lists the protections that this server lacks.

    limits: the limits of each session.
    """
    return {
        "server": "python",
        "machine": platform.machine(),
        "threads": available_threads(),
        "memory_bytes": limits.memory_bytes,
        "file_bytes": limits.file_bytes,
        "missing": list(_MISSING),
    }

"""Byte streams between the two ends of a session: sockets, and the pipes of a process.

In: parts of frames, the units of the protocol (messages.py). Out: the same bytes at the other end.
A channel sends a large buffer without a copy and receives into memory of the caller.
"""

from __future__ import annotations

import os
import select
import socket
import ssl
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from time import perf_counter
from typing import Protocol

from ..host import available_threads
from .errors import RpcError
from .messages import Buffer

_MAX_PARTS = 64
"""The most buffers of one system call; Linux allows 1024."""
_FINISH_S = 5
_POLL_S = 50e-6
"""For how long a channel waits without sleep."""


class Channel(Protocol):
    """One end of a stream of bytes."""

    def send(self, parts: Sequence[Buffer]) -> None:
        """Send all bytes of some buffers.

        Errors: RpcError if the other end has closed the stream.
        """
        ...

    def receive_into(self, memory: memoryview) -> None:
        """Wait for bytes until they fill the memory.

        Errors: RpcError if the stream ends before.
        """
        while memory.nbytes:
            memory = memory[self.receive_some(memory) :]

    def receive_some(self, memory: memoryview) -> int:
        """Wait for at least one byte; store the bytes that are available, and return their number.

        memory: receives the bytes; its size limits their number.

        Errors: RpcError at the end of the stream.
        """
        ...

    def close(self) -> None:
        """Close this end."""
        ...


def _may_poll(connection: socket.socket) -> bool:
    """Return whether a channel may wait without sleeping: the peer can run on another processor."""
    is_plain = not isinstance(connection, ssl.SSLSocket) and connection.gettimeout() is None
    return is_plain and sys.platform == "linux" and available_threads() > 1


def _closed(err: object = "it is closed") -> RpcError:
    return RpcError("the connection of a session has ended", got=err, hint="connect again")


class SocketChannel(Channel):
    """A channel through a connected socket, TCP or Unix.

    To sleep and be woken takes longer than a small message. So after bytes that came quickly, the
    channel polls for the next bytes for at most 50 us before it sleeps.
    """

    def __init__(self, connection: socket.socket) -> None:
        if connection.family != socket.AF_UNIX:
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._socket = connection
        self._may_poll, self._is_quick = _may_poll(connection), False

    def limit_waiting(self, seconds: float | None) -> None:
        """Set a time limit for operations; an operation that waits longer raises RpcError.

        seconds: the limit; None: no limit.
        """
        self._socket.settimeout(seconds)
        self._may_poll, self._is_quick = _may_poll(self._socket), False

    def send(self, parts: Sequence[Buffer]) -> None:
        try:
            if len(parts) == 1:
                self._socket.sendall(parts[0])
                return
            left = [memoryview(part).cast("B") for part in parts if memoryview(part).nbytes]
            while left:
                left = _without(left, self._sent(left))
        except OSError as err:
            raise _closed(err) from err

    def _sent(self, parts: list[memoryview]) -> int:
        if isinstance(self._socket, ssl.SSLSocket):  # it has no call for several buffers
            return self._socket.send(parts[0])
        return self._socket.sendmsg(parts[:_MAX_PARTS])

    def detached(self) -> socket.socket:
        """Return the socket of this channel, which the caller then owns and closes."""
        return self._socket

    def receive_some(self, memory: memoryview) -> int:
        try:
            got = self._polled(memory) if self._is_quick else None
            if got is None:
                start, has_polled = perf_counter(), self._is_quick
                got = self._socket.recv_into(memory)
                is_short = perf_counter() - start < _POLL_S
                self._is_quick = self._may_poll and is_short and not has_polled
        except OSError as err:
            raise _closed(err) from err
        if got == 0:
            raise _closed()
        return got

    def _polled(self, memory: memoryview) -> int | None:
        """Poll for bytes for a short time; return their number, or None if there are none yet.

        Before that, let other processes run: the peer may wait for this processor.
        """
        os.sched_yield()
        try:
            return self._socket.recv_into(memory, 0, socket.MSG_DONTWAIT)
        except BlockingIOError:
            end = perf_counter() + _POLL_S
        while perf_counter() < end:
            os.sched_yield()
            with suppress(BlockingIOError):
                return self._socket.recv_into(memory, 0, socket.MSG_DONTWAIT)
        return None

    def finish(self) -> None:
        """End the outgoing stream, and wait a short time for the other end to close its stream."""
        with suppress(OSError):
            self._socket.shutdown(socket.SHUT_WR)
            self._socket.settimeout(_FINISH_S)
            while self._socket.recv(1 << 12):
                pass

    def close(self) -> None:
        """Close the connection; another thread that waits for its bytes gets an RpcError."""
        with suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()


class PipeChannel(Channel):
    """A channel through two file descriptors: standard streams of this or of a child process."""

    def __init__(
        self, incoming: int, outgoing: int, process: subprocess.Popen[bytes] | None = None
    ) -> None:
        self._incoming, self._outgoing, self._process = incoming, outgoing, process

    @classmethod
    def of_command(cls, command: Sequence[str]) -> PipeChannel:
        """Start a process; return a channel through its standard input and output.

        command: the program and its arguments.
        """
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        assert process.stdin is not None, "a pipe"
        assert process.stdout is not None, "a pipe"
        return cls(process.stdout.fileno(), process.stdin.fileno(), process)

    def send(self, parts: Sequence[Buffer]) -> None:
        left = [memoryview(part).cast("B") for part in parts if memoryview(part).nbytes]
        try:
            while left:
                left = _without(left, os.writev(self._outgoing, left[:_MAX_PARTS]))
        except OSError as err:
            raise _closed(err) from err

    def receive_some(self, memory: memoryview) -> int:
        try:
            got = os.readv(self._incoming, [memory])
        except OSError as err:
            raise _closed(err) from err
        if got == 0:
            raise _closed(self._end())
        return got

    def _end(self) -> str:
        if self._process is None:
            return "it is closed"
        code = self._process.wait()
        return f"its process ended: {f'signal {-code}' if code < 0 else f'exit code {code}'}"

    def close(self) -> None:
        """Close the pipes and kill the process, if the channel has started one."""
        if self._process is None:
            return
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                with suppress(OSError):
                    pipe.close()
        self._process.kill()
        self._process.wait()


def readable(ends: Sequence[socket.socket], wait_s: float | None = None) -> list[socket.socket]:
    """Wait for bytes; return the connections that have bytes, or whose other end is closed.

    wait_s: the longest wait in seconds; None: no limit.
    """
    pending: list[socket.socket] = [
        end for end in ends if isinstance(end, ssl.SSLSocket) and end.pending()
    ]
    if pending:
        return pending
    poller, by_number = select.poll(), {end.fileno(): end for end in ends}
    for number in by_number:
        poller.register(number, select.POLLIN)
    found = poller.poll(None if wait_s is None else int(1000 * wait_s))
    return [by_number[number] for number, _ in found]


def _without(parts: list[memoryview], size: int) -> list[memoryview]:
    while parts and size >= parts[0].nbytes:
        size -= parts.pop(0).nbytes
    if size:
        parts[0] = parts[0][size:]
    return parts

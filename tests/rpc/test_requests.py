"""The client's end of a connection: what it reports when a session ends within a request."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any, ClassVar

import numpy as np
import pytest

from tilewright.runtime.host import available_threads
from tilewright.runtime.rpc.channels import SocketChannel
from tilewright.runtime.rpc.connection import Connection
from tilewright.runtime.rpc.errors import RpcError
from tilewright.runtime.rpc.functions import RemoteFunc
from tilewright.runtime.rpc.local_host import LocalHost
from tilewright.runtime.rpc.messages import (
    BY_NAME,
    ERROR_FIELDS,
    HEADER,
    PROXY_TABLE,
    Buffer,
    Status,
    frame,
    read_header,
    written,
)
from tilewright.runtime.rpc.remote_host import RemoteHost
from tilewright.runtime.rpc.requests import Requests
from tilewright.runtime.rpc.server import SessionServer


class ShortHost(LocalHost):
    """A host whose `ping` waits, and whose `remove` is the end of the session."""

    waits = threading.Event()

    def ping(self) -> None:
        self.waits.wait(30)


@contextmanager
def connected(host: LocalHost) -> Iterator[tuple[RemoteHost, SocketChannel]]:
    """Yield a client of a host in a thread, and the channel of the server."""
    near, far = map(SocketChannel, socket.socketpair())
    server = SessionServer(far, host, "", {}, lambda ms: None)

    def serve() -> None:
        with suppress(RpcError):
            server.serve()

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    client = RemoteHost(near)
    try:
        yield client, far
    finally:
        client.close()
        thread.join()
        far.close()


def raised_by(request: Callable[[], object]) -> list[BaseException]:
    found: list[BaseException] = []
    try:
        request()
    except RpcError as err:
        found.append(err)
    return found


def test_closing_a_session_ends_a_request_that_waits() -> None:
    host = ShortHost()
    host.waits.clear()
    with connected(host) as (client, _):
        found: list[BaseException] = []
        waiting = threading.Thread(target=lambda: found.extend(raised_by(client.ping)))
        waiting.start()
        client.close()
        waiting.join(10)
        host.waits.set()
        assert not waiting.is_alive()
        assert len(found) == 1


def test_the_reason_of_an_end_stands_behind_replies() -> None:
    """The server has answered some chunks when its session ends."""
    with connected(LocalHost()) as (client, far):
        memory = client.allocate(1, 0, 8)
        for _ in range(3):
            client._send("write", (memory, 0, b"data"))
        payload = written(ERROR_FIELDS, ("RuntimeError", "the time is up"))
        far.send(frame(0, Status.ENDED, 0, payload))
        far.close()
        (err,) = raised_by(lambda: [client._send("write", (memory, 0, b"data")) for _ in range(99)])
        assert "the time is up" in str(err)


def test_an_interrupted_request_ends_the_session(monkeypatch: pytest.MonkeyPatch) -> None:
    """The reply would be taken for that of the next request."""
    with connected(LocalHost()) as (client, _):

        def interrupt(memory: memoryview) -> None:
            raise KeyboardInterrupt

        monkeypatch.setattr(client._channel, "receive_some", interrupt)
        with pytest.raises(KeyboardInterrupt):
            client.ping()
        with pytest.raises(RpcError, match="interrupted"):
            client.ping()


def test_spare_memory_makes_room_for_other_sizes() -> None:
    from tilewright.runtime.rpc.local_host import Limits

    connection = Connection(LocalHost(Limits(memory_bytes=1000)))
    for size in (600, 700, 800):
        with connection.borrowed([size]):
            pass
    for size in range(1, 300):
        with connection.borrowed([size % 100]):
            pass


def test_a_result_fills_an_array_with_gaps() -> None:
    host = LocalHost()

    def double(x) -> None:
        x.numpy()[...] *= 2

    from tilewright import register_func, remove_global_func

    register_func("rpc.double", double)
    try:
        function = RemoteFunc.of_handle(Connection(host), host.find(0, "rpc.double"), "double")
        whole = np.ones((4, 6), np.float32)
        function(whole[:, ::2])
        assert (whole[:, ::2] == 2).all()
        assert (whole[:, 1::2] == 1).all()
    finally:
        remove_global_func("rpc.double")


class ParkingHost:
    """The end of a proxy at which a server waits."""

    def park(self, key: str) -> None:
        """Do nothing."""


class FollowedChannel(SocketChannel):
    """A channel on which a client's bytes follow the last reply at once."""

    def send(self, parts: Sequence[Buffer]) -> None:
        data = b"".join(map(bytes, parts))
        is_last = read_header(data[: HEADER.size])[0] == BY_NAME["park"].number
        super().send([data + b"next" * is_last])


def test_no_byte_of_another_reader_is_read() -> None:
    near, far = socket.socketpair()
    server = SessionServer(
        FollowedChannel(far), ParkingHost(), "", {}, lambda ms: None, PROXY_TABLE
    )
    thread = threading.Thread(target=server.serve)
    thread.start()
    with far, near:
        near.settimeout(20)
        Requests(SocketChannel(near), ahead_bytes=0).request("park", "board")
        assert near.recv(16) == b"next"
        near.close()
        thread.join()


class AskedSocket(socket.socket):
    """A socket that notes whether each read may sleep."""

    asked: ClassVar[list[bool]] = []

    def recv_into(self, buffer: Any, nbytes: int = 0, flags: int = 0) -> int:
        self.asked.append(flags != socket.MSG_DONTWAIT)
        return super().recv_into(buffer, nbytes, flags)


@pytest.mark.skipif(available_threads() < 2, reason="one processor: channels always sleep")
def test_a_channel_asks_without_sleep_after_quick_bytes() -> None:
    near, far = socket.socketpair()
    with far, AskedSocket(fileno=near.detach()) as asked:
        channel, room = SocketChannel(asked), memoryview(bytearray(8))
        for is_quick in (False, True):  # the second read knows that the first bytes were there
            channel._is_quick = is_quick
            far.send(b"x")
            asked.asked.clear()
            assert channel.receive_some(room) == 1
            assert asked.asked == [not is_quick]
        timer = threading.Timer(0.2, far.send, [b"late"])
        timer.start()
        channel._is_quick = True
        asked.asked.clear()
        before = time.thread_time()
        assert channel.receive_some(room) == 4
        assert time.thread_time() - before < 0.1, "the thread slept for most of the time"
        assert not asked.asked[0]
        assert asked.asked[-1]
        assert asked.asked.count(True) == 1
        assert not channel._is_quick
        channel.limit_waiting(5)  # Python would wait before it asks
        far.send(b"x")
        channel.receive_some(room)
        assert not channel._is_quick
        timer.join()

"""Servers that a proxy reaches by WebSockets: pages of a browser, and node."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import quote

import pytest

import tilewright
from tilewright import nd, rpc
from tilewright.runtime.rpc.errors import RpcError
from tilewright.runtime.rpc.web_sockets import check_web_sockets, web_socket_bytes
from tilewright.tools.rpc_program import write_page

from ..targets.cpu.web.web_module import browser_command, needs_browser, needs_web, served
from .farms import TOKEN, started
from .test_proxy import write_certificate
from .test_web import NODE, X, exported, stub

ORIGIN = "http://localhost:8000"
needs_web_sockets = pytest.mark.skipif(
    find_spec("websockets") is None, reason="needs websockets (the extra web)"
)


def request(origin: str | None, upgrade: bool = True) -> bytes:
    """Return the first request of a WebSocket."""
    lines = ["GET / HTTP/1.1", "Host: proxy"]
    if upgrade:
        lines += ["Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13"]
        lines += ["Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="]
    lines += [] if origin is None else [f"Origin: {origin}"]
    return "\r\n".join((*lines, "", "")).encode()


@needs_web_sockets
@pytest.mark.parametrize(
    ("first", "status"),
    [
        (request("https://evil.example"), b"403"),
        (request("null"), b"403"),
        (request(ORIGIN + ":80"), b"403"),
        (request(ORIGIN, upgrade=False), b"426"),
        (b"GET " + b"/" * 20_000, b"414"),
        (request(ORIGIN).replace(b"13", b"12"), b"400"),
    ],
    ids=["origin", "file", "port", "no upgrade", "long", "version"],
)
def test_a_request_that_does_not_fit_is_refused(first: bytes, status: bytes) -> None:
    near, far = socket.socketpair()
    with near:
        near.settimeout(20)
        near.sendall(first)
        with pytest.raises(ConnectionRefusedError):
            web_socket_bytes(far, [ORIGIN])
        assert near.recv(1 << 16).split()[1] == status


@contextmanager
def web_socket(origin: str | None = ORIGIN) -> Iterator[tuple[socket.socket, socket.socket]]:
    """Yield the browser's end of a WebSocket, after its handshake, and the proxy's bytes."""
    near, far = socket.socketpair()
    with near:
        near.settimeout(20)
        near.sendall(request(origin))
        with web_socket_bytes(far, [ORIGIN]) as inner:
            inner.settimeout(20)
            answer = near.recv(1 << 16)
            assert answer.split()[1] == b"101"
            # RFC 6455, 1.3 has the answer to this key.
            assert b"s3pPLMBiTxaQ9kYGzzhZRbK+xOo=" in answer
            yield near, inner


def received(connection: socket.socket, size: int) -> bytes:
    """Return the next bytes of a connection."""
    made = b""
    while len(made) < size and (part := connection.recv(size - len(made))):
        made += part
    return made


def masked(first: int, data: bytes, size: bytes) -> bytes:
    """Return a frame of RFC 6455, 5.2: its first byte, its length, a mask, and its data."""
    mask = b"\1\2\3\4"
    return bytes((first,)) + size + mask + bytes(b ^ mask[at % 4] for at, b in enumerate(data))


@needs_web_sockets
@pytest.mark.parametrize("origin", [ORIGIN, None], ids=["page", "program"])
def test_bytes_of_messages_are_a_stream(origin: str | None) -> None:
    with web_socket(origin) as (near, inner):
        # A message in two fragments with a ping between them, then a whole message.
        near.sendall(masked(0x02, b"ab", b"\x82") + masked(0x89, b"?", b"\x81"))
        near.sendall(masked(0x80, b"cd", b"\x82") + masked(0x82, b"ef", b"\x82"))
        assert received(inner, 6) == b"abcdef"
        assert received(near, 3) == b"\x8a\x01?"
        inner.sendall(b"xyz")
        assert received(near, 5) == b"\x82\x03xyz"
        inner.close()
        assert received(near, 4) == b"\x88\x02" + (1000).to_bytes(2, "big")


@needs_web_sockets
@pytest.mark.parametrize(
    ("frame", "code"),
    [
        (masked(0x81, b"text", b"\x84"), 1003),
        (b"\x82\xff" + (9 << 20).to_bytes(8, "big") + b"\1\2\3\4", 1009),
        (b"\x82\x01a", 1002),
        (masked(0xF2, b"a", b"\x81"), 1002),
    ],
    ids=["text", "too long", "without a mask", "reserved bits"],
)
def test_a_wrong_frame_ends_the_connection(frame: bytes, code: int) -> None:
    with web_socket() as (near, inner):
        near.sendall(frame)
        assert received(near, 4)[2:] == code.to_bytes(2, "big")
        assert inner.recv(1) == b""


def test_an_origin_has_no_path() -> None:
    for wrong in ("localhost:8000", "http://localhost/page", "file:///page", "*"):
        with pytest.raises(tilewright.ArgumentError, match="origin"):
            check_web_sockets([wrong])


@contextmanager
def proxy(folder: Path, *options: str) -> Iterator[tuple[str, str]]:
    """Yield the address of a proxy, and a file with its token."""
    token_file = folder / "token"
    token_file.write_text(TOKEN)
    words = sys.executable, "-m", "tilewright", "rpc-proxy", "--port", "0", *options
    with started(*words, "--token-file", str(token_file)) as (_, place):
        yield place, str(token_file)


def ask_always(remote: rpc.RPCSession) -> None:
    """Send requests until one fails."""
    while True:
        remote.download("big")


def check_sessions(place: str, engine: subprocess.Popen[bytes], authority: str = "") -> None:
    """Check what a server at a proxy does, up to the end of its process."""

    def connect(token: str = TOKEN) -> rpc.RPCSession:
        options = {"key": "web", "token": token, "authority": authority}
        for _ in range(5):  # a browser may take long to start
            with suppress(KeyError):
                return rpc.connect(place, **options)
        return rpc.connect(place, **options)

    for _ in range(2):  # the server waits again after the first client
        with connect() as remote:
            remote.upload(exported())
            module = remote.load_module("sum.wasm")
            placed = nd.array(X, remote.cpu(0))
            assert (module(placed).numpy() == X + X).all()
            measured = module.time_evaluator("main", number=10, repeat=3)(placed)
            assert len(measured.results) == 3
            assert min(measured.results) > 0
    with connect() as broken, connect() as other:
        broken.upload(stub("unreachable"), "m.wasm")
        with pytest.raises(RpcError, match="unreachable"):
            broken.load_module("m.wasm")(X)
        data = bytes(20 << 20)
        assert other.download(other.upload(data, "big")) == data
        with pytest.raises(RpcError, match="token"):
            connect("wrong")
        engine.kill()
        with pytest.raises(RpcError, match="ended"):
            ask_always(other)


@contextmanager
def running(
    command: Sequence[str], environment: Mapping[str, str] | None = None
) -> Iterator[subprocess.Popen[bytes]]:
    """Yield a process that ends with the block.

    environment: variables in addition to those of this process.
    """
    variables = {**os.environ, **(environment or {})}
    silent = subprocess.DEVNULL
    with subprocess.Popen(command, stdout=silent, stderr=silent, env=variables) as process:
        try:
            yield process
        finally:
            process.kill()


@needs_web
@needs_web_sockets
@pytest.mark.slow
def test_a_module_in_node_is_called_through_an_encrypted_web_socket(tmp_path: Path) -> None:
    certificate, key = write_certificate(tmp_path)
    options = "--origin", ORIGIN, "--certificate", str(certificate), "--private-key", str(key)
    with proxy(tmp_path, *options) as (place, token_file):
        words = ["--port", "0", "--proxy", f"wss://{place}", "--key", "web"]
        command = [NODE[0], "--experimental-websocket", *NODE[1:], *words]
        trusted = {"NODE_EXTRA_CA_CERTS": str(certificate)}
        with running([*command, "--token-file", token_file], trusted) as engine:
            check_sessions(place, engine, str(certificate))


@needs_web
@needs_web_sockets
@needs_browser
@pytest.mark.slow
def test_a_module_in_a_page_is_called_through_a_web_socket(tmp_path: Path) -> None:
    write_page(tmp_path / "page")
    with served(tmp_path / "page") as origin, proxy(tmp_path, "--origin", origin) as (place, _):
        address = f"{origin}/?proxy=ws://{place}&key=web#{quote(TOKEN)}"
        with running([*browser_command(tmp_path), address]) as engine:
            check_sessions(place, engine)

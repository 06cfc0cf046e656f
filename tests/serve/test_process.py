"""``tw serve`` as a process: slow clients, shutdown in order, and the hint without the extra."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tilewright.runtime.errors import ArgumentError
from tilewright.tools.cli import main
from tilewright.tools.commands import serve as command

pytest.importorskip("uvicorn", reason="needs the extra serve")
httpx = pytest.importorskip("httpx", reason="needs httpx")

SLOW_MODEL = """
import sys, time
from tilewright.serve import Settings, serve
from tilewright.runtime.file.manifest import TensorSpec
class Slow:
    platform = "test"
    inputs = outputs = (TensorSpec("x", ("n",), "float32"),)
    def run(self, arrays, threads):
        time.sleep(float(arrays[0][0]))
        return list(arrays)
serve(sys.argv[1], Settings(port=int(sys.argv[2]), body_s=0.5, drain_s=20), lambda _: Slow())
"""


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


@contextmanager
def running(folder: Path) -> Iterator[tuple[subprocess.Popen[bytes], int]]:
    """Start a server whose model sleeps as long as its input says."""
    port = free_port()
    process = subprocess.Popen([sys.executable, "-c", SLOW_MODEL, str(folder), str(port)])
    try:
        for _ in range(300):
            try:
                if httpx.get(f"http://127.0.0.1:{port}/v2/health/ready").status_code == 200:
                    break
            except httpx.TransportError:
                time.sleep(0.1)
        yield process, port
    finally:
        process.kill()
        process.wait()


def infer(port: int, seconds: float) -> bytes:
    """Return the bytes of a request."""
    row = {"name": "x", "datatype": "FP32", "shape": [1], "data": [seconds]}
    body = json.dumps({"inputs": [row]})
    head = f"POST /v2/models/scale/infer HTTP/1.1\r\nHost: x\r\nContent-Length: {len(body)}\r\n\r\n"
    return (head + body).encode()


def received(client: socket.socket) -> bytes:
    """Return all bytes until the server closes the connection."""
    parts: list[bytes] = []
    try:
        while part := client.recv(65536):
            parts.append(part)
    except ConnectionResetError:
        pass
    return b"".join(parts)


def test_slow_clients_are_cut_off_and_sigterm_finishes_requests(repository) -> None:
    with running(repository("scale")) as (process, port):
        address = ("127.0.0.1", port)
        with socket.create_connection(address, 30) as silent:
            assert received(silent) == b""
        with socket.create_connection(address, 30) as slow_head:
            slow_head.sendall(b"POST /v2/models/scale/infer HTTP/1.1\r\nHost:")
            assert received(slow_head) == b""
        with socket.create_connection(address, 30) as slow_body:
            slow_body.sendall(infer(port, 0)[:-5])
            assert received(slow_body).startswith(b"HTTP/1.1 408")
        with socket.create_connection(address, 30) as waiting:
            waiting.sendall(infer(port, 2))
            time.sleep(0.5)
            process.send_signal(signal.SIGTERM)
            answer = received(waiting)
            assert answer.startswith(b"HTTP/1.1 200")
            assert b'"data": [2.0]' in answer
        assert process.wait(20) == 0


def test_without_the_extra_there_is_one_hint() -> None:
    refused = command.command_for(["starlette"])
    with pytest.raises(ArgumentError, match=r"hint: pip install 'tilewright\[serve\]'"):
        refused.main(["models", "--port", "1"], standalone_mode=False)


def test_a_missing_folder_is_wrong_usage(tmp_path: Path) -> None:
    assert main(["serve", str(tmp_path / "missing")]) == 2

"""What a server refuses, and what a broken or hostile module can do: end its own session."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import tilewright
from tilewright import rpc
from tilewright.runtime.rpc.addresses import Address
from tilewright.runtime.rpc.channels import SocketChannel
from tilewright.runtime.rpc.errors import RpcError
from tilewright.runtime.rpc.messages import BY_NAME, HEADER, Status, frame, read_header, written
from tilewright.runtime.rpc.server_process import main

from .servers import c_server, commands, exported, library_with, needs_c, needs_x86, serving

TOKEN = "a long secret"
SERVERS = (pytest.param("c", marks=needs_c), pytest.param("python", marks=pytest.mark.slow))
X = np.ones((4, 8), np.float32)


@pytest.fixture
def token_file(tmp_path: Path) -> str:
    path = tmp_path / "token"
    path.write_text(TOKEN + "\n")
    return str(path)


@pytest.mark.parametrize("kind", SERVERS)
def test_only_clients_with_the_token_are_served(kind: str, token_file: str) -> None:
    with serving(commands(kind), "--token-file", token_file) as (port, _):
        for wrong in ("", "another secret", TOKEN + "x"):
            with pytest.raises(RpcError, match="token"):
                rpc.connect("127.0.0.1", port, token=wrong)
        with rpc.connect("127.0.0.1", port, token=TOKEN) as remote:
            remote.upload(b"data", "file")


@needs_c
def test_a_recorded_handshake_is_refused(token_file: str) -> None:
    """The proof of one connection, sent again in another one."""
    sent: list[bytes] = []

    class Recording(SocketChannel):
        def send(self, parts) -> None:
            sent.append(b"".join(map(bytes, parts)))
            super().send(parts)

    with serving(commands("c"), "--token-file", token_file) as (port, _):
        from tilewright.runtime.rpc.remote_host import RemoteHost

        channel = Recording(socket.create_connection(("127.0.0.1", port)))
        RemoteHost(channel, token=TOKEN).close()
        with socket.create_connection(("127.0.0.1", port)) as again:
            statuses = []
            for data in sent[:2]:
                again.sendall(data)
                head = again.recv(HEADER.size, socket.MSG_WAITALL)
                _, status, _, size = read_header(head)
                again.recv(size, socket.MSG_WAITALL)
                statuses.append(status)
            assert statuses == [Status.REPLY, Status.ENDED]
            assert again.recv(1) == b""


@needs_c
def test_nothing_is_served_before_the_handshake() -> None:
    with serving(commands("c")) as (port, _):
        for name, fields in (("ping", ()), ("allocate", (1, 0, 1 << 20)), ("load", ("m.so", 1))):
            message = BY_NAME[name]
            with socket.create_connection(("127.0.0.1", port)) as made:
                parts = frame(message.number, Status.REQUEST, 1, written(message.request, fields))
                made.sendall(b"".join(map(bytes, parts)))
                assert read_header(made.recv(HEADER.size, socket.MSG_WAITALL))[1] is Status.ENDED


def test_other_machines_need_a_token() -> None:
    Address("127.0.0.1").check_token("")
    Address("::1").check_token("")
    Address("0.0.0.0").check_token(TOKEN)
    for host, token in (("0.0.0.0", ""), ("192.168.1.2", ""), ("::", "short")):
        with pytest.raises(tilewright.ArgumentError, match="token"):
            Address(host).check_token(token)


@needs_c
def test_the_c_server_needs_a_token_for_other_machines() -> None:
    done = subprocess.run(
        [c_server(), "--host", "0.0.0.0"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert "token" in done.stderr


@needs_c
@pytest.mark.parametrize("name", ["m.so", "m.tar"])
def test_a_changed_file_is_refused(name: str) -> None:
    data = (exported() / name).read_bytes()
    with rpc.PopenSession([str(c_server()), "--stdio"]) as remote:
        remote.upload(exported() / "m.so")
        for at in (600, len(data) // 2, 3 * len(data) // 4):
            changed = bytearray(data)
            changed[at] ^= 1
            remote.upload(bytes(changed), name)
            with pytest.raises(tilewright.LoadError, match=r"cannot be loaded"):
                remote.load_module(name)
        for end in (0, 10, 512, len(data) // 2):
            remote.upload(data[:end], name)
            with pytest.raises(tilewright.LoadError):
                remote.load_module(name)
        remote.upload(data, name)
        remote.load_module(name)(X)


@needs_c
def test_weights_of_another_model_are_refused() -> None:
    weights = next(exported().glob("*.safetensors"))
    with rpc.PopenSession([str(c_server()), "--stdio"]) as remote:
        remote.upload(exported() / "m.so")
        changed = bytearray(weights.read_bytes())
        changed[-1] ^= 1
        remote.upload(bytes(changed), weights.name)
        with pytest.raises(tilewright.LoadError, match="digest"):
            remote.load_module("m.so")


RETURN_RAX = bytes.fromhex("59 c70101000000 48894108 31c0 c3")
"""Code that returns the integer in rax as the result; its address is on the stack, from rcx."""


def system_call(number: int, first: int = 0) -> bytes:
    """Return code of a packed function that returns the result of a system call."""
    load = b"\x51\xb8" + number.to_bytes(4, "little") + b"\xbf" + first.to_bytes(4, "little")
    return load + bytes.fromhex("31f6 31d2 0f05") + RETURN_RAX


@needs_c
@needs_x86
def test_hostile_code_cannot_leave_its_session() -> None:
    """fork, vfork, clone, execve, socket, open, ptrace, kill, tgkill: EPERM, which is 1."""
    with serving(commands("c")) as (port, lacks):
        if "system calls" in lacks:
            pytest.skip("the kernel has no filter of system calls")
        with rpc.connect("127.0.0.1", port) as remote:
            weights = next(exported().glob("*.safetensors"))
            remote.upload(weights.read_bytes(), weights.name)
            calls = (
                (57, 0),
                (58, 0),
                (56, 17),
                (59, 0),
                (41, 2),
                (2, 0),
                (101, 0),
                (62, 1),
                (234, 1),
            )
            for number, first in calls:
                remote.upload(library_with(system_call(number, first)), "bad.so")
                assert remote.load_module("bad.so")["main"]() == -1, number


@needs_c
@needs_x86
def test_a_session_cannot_take_all_threads() -> None:
    """6000 threads, which wait for each other: clone fails before, with EAGAIN, which is 11."""
    code = """51 53 bb70170000
        b838000000 bf00090100 31f6 31d2 4d31d2 4d31c0 0f05 85c0 7418 7804 ffcb 75e0
        4863c0 5b 59 c70101000000 48894108 31c0 c3
        b8ca000000 4889e7 be80000000 8b1424 4d31d2 0f05 ebe9"""
    with serving(commands("c")) as (port, lacks):
        if "limits of files" in lacks:
            pytest.skip("the server cannot limit threads")
        with rpc.connect("127.0.0.1", port) as remote:
            weights = next(exported().glob("*.safetensors"))
            remote.upload(weights.read_bytes(), weights.name)
            remote.upload(library_with(bytes.fromhex(code)), "bad.so")
            assert remote.load_module("bad.so")["main"]() == -11
        with rpc.connect("127.0.0.1", port) as other:
            other.upload(exported() / "m.tar")
            other.load_module("m.tar")(X)


@needs_c
@needs_x86
@pytest.mark.parametrize(
    ("code", "words"),
    [("0f0b", "signal 4"), ("31c0 488900", "signal 11"), ("ebfe", "time")],
    ids=["invalid instruction", "null pointer", "endless loop"],
)
def test_a_broken_kernel_ends_only_its_session(code: str, words: str) -> None:
    with serving(commands("c"), "--sessions", "2") as (port, _):
        timeout = 0.2 if words == "time" else 0
        with (
            rpc.connect("127.0.0.1", port) as other,
            rpc.connect("127.0.0.1", port, session_timeout=timeout) as remote,
        ):
            weights = next(exported().glob("*.safetensors"))
            remote.upload(weights.read_bytes(), weights.name)
            remote.upload(library_with(bytes.fromhex(code)), "bad.so")
            module = remote.load_module("bad.so")
            with pytest.raises(RpcError, match=words):
                module(X)
            with pytest.raises(RpcError, match=words):  # the session stays ended, with its reason
                remote.upload(b"", "x")
            other.upload(exported() / "m.tar")
            other.load_module("m.tar")(X)
            with rpc.connect("127.0.0.1", port) as again:
                again.upload(b"", "x")


@needs_c
@needs_x86
def test_a_session_ends_with_its_client() -> None:
    """The kernel hangs; the client goes; the only place for a session is free again."""
    with serving(commands("c"), "--sessions", "1") as (port, _):
        remote = rpc.connect("127.0.0.1", port)
        weights = next(exported().glob("*.safetensors"))
        remote.upload(weights.read_bytes(), weights.name)
        remote.upload(library_with(bytes.fromhex("ebfe")), "bad.so")
        module = remote.load_module("bad.so")
        message = BY_NAME["call"]
        handle = module["main"].handle  # type: ignore[attr-defined]
        parts = frame(message.number, Status.REQUEST, 1, written(message.request, (handle, [])))
        remote._host._channel.send(parts)  # type: ignore[attr-defined]
        with pytest.raises(RpcError, match="no room"):
            rpc.connect("127.0.0.1", port)
        remote.close()
        rpc.connect("127.0.0.1", port).close()


@needs_c
@needs_x86
def test_a_session_cannot_take_all_memory() -> None:
    """mmap of 16 GB is refused: ENOMEM is 12."""
    code = bytes.fromhex(
        "51 b809000000 31ff 48be0000000004000000 ba03000000 41ba22000000 4983c8ff 4531c9 0f05"
    )
    with serving(commands("c"), "--memory-mb", "64") as (port, lacks):
        if "limit of memory" in lacks:
            pytest.skip("the kernel has no limit of memory")
        with rpc.connect("127.0.0.1", port) as remote:
            weights = next(exported().glob("*.safetensors"))
            remote.upload(weights.read_bytes(), weights.name)
            remote.upload(library_with(code + RETURN_RAX), "bad.so")
            assert remote.load_module("bad.so")["main"]() == -12
            with pytest.raises(MemoryError):
                tilewright.nd.empty((1 << 36,), "uint8", remote.cpu(0))
            with pytest.raises(MemoryError):
                remote.upload(bytes(20 << 20), "big")
            remote.upload(b"", "big")


@pytest.mark.slow
def test_a_session_without_a_handshake_ends() -> None:
    """A client that says nothing holds a place of the Python server for some seconds only."""
    start = "from tilewright.runtime.rpc import server_process as server; server.HANDSHAKE_S = 0.1"
    command = [sys.executable, "-c", f"{start}; server.main(['--stdio'])"]
    with subprocess.Popen(command, stdin=subprocess.PIPE) as process:
        assert process.wait() == -signal.SIGALRM


def test_an_address_in_use_is_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        assert main(["--port", str(taken.getsockname()[1])]) == 2
    assert "no server can listen" in capsys.readouterr().err

"""Sessions: the same program with each kind of host gives the results of this process."""

from __future__ import annotations

import os
import socket
import subprocess
import threading
import time
from pathlib import Path

import numpy as np
import onnx
import pytest

import tilewright
from tilewright import GraphModule, nd, rpc
from tilewright.runtime.rpc.addresses import is_local_socket, local_channel
from tilewright.runtime.rpc.channels import SocketChannel
from tilewright.runtime.rpc.errors import RpcError
from tilewright.runtime.rpc.messages import MAX_CHUNK_BYTES
from tilewright.runtime.rpc.remote_host import RemoteHost

from .servers import c_server, exported, needs_c, serving, session

KINDS = (
    "local",
    pytest.param("popen", marks=pytest.mark.slow),
    pytest.param("python", marks=pytest.mark.slow),
    pytest.param("c", marks=needs_c),
    pytest.param("pipe", marks=needs_c),
)


@pytest.mark.parametrize("kind", KINDS)
def test_a_model_runs_on_a_host(kind: str) -> None:
    x = np.random.default_rng(0).standard_normal((4, 8), np.float32)
    want = tilewright.load_module(exported() / "m.so")(x).numpy()
    with session(kind) as remote:
        device = remote.cpu(0)
        assert device.exist
        assert device.attributes["threads"] >= 1
        assert not remote.cpu(1).exist
        for name in ("m.so", "m.tar"):
            assert remote.upload(exported() / name) == name
            module = remote.load_module(name)
            assert (module(x).numpy() == want).all()
            placed = nd.array(x, device)
            assert (placed.numpy() == x).all()
            result = module(placed)
            assert result.device == device
            assert (result.numpy() == want).all()
            out = nd.empty((4, 8), "float32", device)
            module["main"](placed, out)
            assert (out.numpy() == want).all()
            filled = np.zeros((4, 8), np.float32)
            module["main"](x, filled)
            assert (filled == want).all()
            executor = GraphModule(module["default"](device))
            executor.set_input("x", x)
            executor.run()
            assert (executor.get_output(0).numpy() == want).all()
        assert remote.download("m.tar") == (exported() / "m.tar").read_bytes()
        remote.remove("m.tar")
        with pytest.raises(KeyError):
            remote.load_module("m.tar")
    assert not device.exist


@pytest.mark.parametrize("kind", ["local", pytest.param("c", marks=needs_c)])
def test_every_repeat_is_measured_on_the_host(kind: str) -> None:
    x = np.ones((4, 8), np.float32)
    with session(kind) as remote:
        remote.upload(exported() / "m.tar")
        module = remote.load_module("m.tar")
        evaluate = module.time_evaluator(
            "main", remote.cpu(0), number=3, repeat=4, cooldown_interval_ms=0.1
        )
        result = evaluate(nd.array(x, remote.cpu(0)))
        assert len(result.results) == 4
        assert result.number == 3
        assert min(result.results) > 0
        assert result.round_trip_s > 0
        longer = module.time_evaluator("main", number=1, repeat=2, min_repeat_ms=1)(x)
        assert longer.number > 1
        assert all(each * longer.number >= 1e-3 for each in longer.results)
        assert len(GraphModule(module["default"](remote.cpu(0))).benchmark(x=x).results) == 5
        with pytest.raises(tilewright.ArgumentError, match="number"):
            module.time_evaluator("main", number=0)


@pytest.mark.parametrize("kind", ["local", pytest.param("c", marks=needs_c)])
def test_errors_of_the_host_are_those_of_a_call(kind: str) -> None:
    with session(kind) as remote:
        remote.upload(exported() / "m.tar")
        module = remote.load_module("m.tar")
        with pytest.raises(tilewright.ArgumentError, match="wrong shape"):
            module(np.ones((3, 3), np.float32))
        wrong = nd.empty((4, 9), "float32", remote.cpu(0))
        with pytest.raises(tilewright.ArgumentError):
            module["main"](wrong, wrong)
        with pytest.raises(tilewright.ArgumentError, match="does not run"):
            module["default"](tilewright.cpu(0))
        with pytest.raises(KeyError):
            remote.get_function("testing.absent")
        with pytest.raises(KeyError):
            module["absent"]
        executor = GraphModule(module["default"](remote.cpu(0)))
        with pytest.raises(tilewright.ArgumentError, match="no value"):
            executor.run()
        with pytest.raises(tilewright.ArgumentError, match="wrong shape"):
            executor.set_input("x", np.ones((1, 1), np.float32))
        for name in ("../m.tar", "/etc/passwd", ".hidden", "a/b", "x" * 201):
            with pytest.raises(tilewright.ArgumentError):
                remote.upload(b"data", name)
        module(np.ones((4, 8), np.float32))


@pytest.mark.parametrize("kind", ["local", pytest.param("c", marks=needs_c)])
def test_sizes_may_be_symbolic_or_computed(kind: str, tmp_path) -> None:
    texts = {
        "open.tar": """<ir_version: 9, opset_import: ["": 18]>
            g (float[n, 8] x) => (float[n, 8] y) { a = Exp(x)  y = Tanh(a) }""",
        "found.tar": """<ir_version: 9, opset_import: ["": 18]>
            g (float[n, 8] x) => (int64[2, found] y) { y = NonZero(x) }""",
    }
    with session(kind) as remote:
        for name, text in texts.items():
            local = tilewright.compile(onnx.parser.parse_model(text))
            local.export_library(tmp_path / name)
            remote.upload(tmp_path / name)
            module = remote.load_module(name)
            for rows in (1, 3, 5):
                x = np.arange(8 * rows, dtype=np.float32).reshape(rows, 8) % 3
                want = local(x).numpy()
                got = module(x).numpy()
                assert got.shape == want.shape
                assert (got == want).all()
                placed = module(nd.array(x, remote.cpu(0)))
                assert placed.device == remote.cpu(0)
                assert (placed.numpy() == want).all()


@pytest.mark.parametrize("kind", ["local", pytest.param("c", marks=needs_c)])
def test_large_arrays_move_in_chunks(kind: str) -> None:
    data = np.arange(MAX_CHUNK_BYTES * 2 + 5, dtype=np.uint64).astype(np.uint8)
    seen: list[tuple[int, int]] = []
    with session(kind) as remote:
        array = nd.array(data, remote.cpu(0))
        assert (array.numpy() == data).all()
        twin = nd.empty(data.shape, "uint8", remote.cpu(0)).copyfrom(array)
        assert (twin.numpy() == data).all()
        remote.upload(data.tobytes(), "big", progress=lambda *given: seen.append(given))
        assert remote.download("big") == data.tobytes()
    assert not seen or seen[-1] == (data.size, data.size)


def test_a_local_session_has_global_functions() -> None:
    tilewright.register_func("rpc.twice", lambda x: 2 * x)
    try:
        with rpc.LocalSession() as remote:
            assert remote.get_function("rpc.twice")(21) == 42
    finally:
        tilewright.remove_global_func("rpc.twice")


@needs_c
def test_dropped_arrays_and_modules_are_freed() -> None:
    """A session has room for 4096 objects, and for its memory."""
    with rpc.PopenSession([str(c_server()), "--stdio", "--memory-mb", "128"]) as remote:
        for _ in range(40):
            nd.empty((4 << 20,), "uint8", remote.cpu(0))
        with pytest.raises(MemoryError, match="too much memory"):
            nd.empty((128 << 20,), "uint8", remote.cpu(0))


@needs_c
def test_a_session_survives_the_thread_that_began_it() -> None:
    made: list[rpc.RPCSession] = []

    def begin() -> None:
        made.append(rpc.PopenSession([str(c_server()), "--stdio"]))

    thread = threading.Thread(target=begin)
    thread.start()
    thread.join()
    with made[0] as remote:
        assert remote.upload(b"data", "file") == "file"


@pytest.mark.parametrize("kind", ["local", pytest.param("c", marks=needs_c)])
def test_a_host_without_a_counter_says_so(kind: str) -> None:
    with session(kind) as remote:
        remote.upload(exported() / "m.tar")
        module = remote.load_module("m.tar")
        result = module.time_evaluator("main", number=1)(np.ones((4, 8), np.float32))
        assert result.instructions is None
        with pytest.raises(tilewright.KernelError, match="cannot count"):
            module._connection.host.count(module.main_function().handle, [])


@needs_c
def test_a_session_with_this_machine_moves_to_a_unix_socket() -> None:
    """Also if the server has room for one session only."""
    with serving([str(c_server())], "--sessions", "1") as (port, _):
        for _ in range(3):
            with rpc.connect("localhost", port) as remote:
                host = remote._host
                assert isinstance(host, RemoteHost)
                assert isinstance(host._channel, SocketChannel)
                assert host._channel.detached().family == socket.AF_UNIX
                assert remote.upload(b"data", "file") == "file"


def test_a_name_of_another_machine_is_no_socket_here() -> None:
    assert not is_local_socket("0" * 32)
    with pytest.raises(RpcError, match="has ended"):
        local_channel("0" * 32)


def cpu_ticks(process: int) -> int:
    """Return the time that a process and its first child have used, in clock ticks."""
    child = Path(f"/proc/{process}/task/{process}/children").read_text().split()[0]
    rows = [Path(f"/proc/{each}/stat").read_text().rpartition(")")[2] for each in (process, child)]
    return sum(int(number) for row in rows for number in row.split()[11:13])


@needs_c
def test_an_idle_session_takes_no_time_of_the_processor() -> None:
    """The server waits without sleep after quick messages, but not for long."""
    with subprocess.Popen([str(c_server()), "--port", "0"], stdout=subprocess.PIPE) as server:
        assert server.stdout is not None
        place = server.stdout.readline().decode().split()[-1]
        with rpc.connect(place) as remote:
            for _ in range(50):
                remote.upload(b"data", "file")
            before = cpu_ticks(server.pid), time.process_time()
            time.sleep(0.3)
            assert cpu_ticks(server.pid) - before[0] < 0.1 * os.sysconf("SC_CLK_TCK")
            assert time.process_time() - before[1] < 0.1
        server.kill()

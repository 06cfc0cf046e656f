"""A small call and a large upload by RPC on this machine, compared with apache-tvm's RPC.

    pip install --target /tmp/tvm apache-tvm cloudpickle
    python benchmarks/rpc_speed.py /tmp/tvm

Each system has a client process, a server process and a TCP connection of 127.0.0.1 between them.
The rounds of both systems alternate. A small call adds 1 to 1024 float32 in the memory of the
server; an upload copies 64 MB to a file of the server.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

_SIZE, _UPLOAD_BYTES = 1024, 64 << 20
_CALLS = 1000
_PORT = 19790

Actions = Mapping[str, Callable[[], object]]


@contextmanager
def _tilewright(folder: Path) -> Generator[Actions]:
    import tilewright
    from tilewright import nd, rpc, te

    lhs = te.placeholder((_SIZE,), name="A")
    program = [lhs, te.compute((_SIZE,), lambda i: lhs[i] + 1.0, name="B")]
    tilewright.build(program, target="llvm", name="add_one").export_library(folder / "own.tar")
    command = [sys.executable, "-m", "tilewright", "rpc-server", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        place = server.stdout.readline().split()[-1]
        with rpc.connect(place) as remote:
            remote.upload(folder / "own.tar")
            function = remote.load_module("own.tar")["main"]
            yield _actions(function, nd.array, remote, folder)
        server.kill()


@contextmanager
def _tvm(folder: Path) -> Generator[Actions]:
    import tvm  # pyright: ignore[reportMissingImports]
    from tvm import rpc, te  # pyright: ignore[reportMissingImports]

    lhs = te.placeholder((_SIZE,), name="A")
    program = [lhs, te.compute((_SIZE,), lambda i: lhs[i] + 1.0, name="B")]
    module = tvm.compile(tvm.IRModule({"main": te.create_prim_func(program)}), target="llvm")
    module.export_library(str(folder / "tvm.tar"))
    command = [sys.executable, "-m", "tvm.exec.rpc_server", "--host", "127.0.0.1"]
    command += ["--port", str(_PORT), "--port-end", str(_PORT + 1)]
    quiet = subprocess.DEVNULL
    with subprocess.Popen(command, stdout=quiet, stderr=quiet, process_group=0) as server:
        try:
            remote = _connected(lambda: rpc.connect("127.0.0.1", _PORT))
            remote.upload(str(folder / "tvm.tar"))
            function = remote.load_module("tvm.tar")["main"]
            yield _actions(function, tvm.runtime.tensor, remote, folder)
        finally:
            os.killpg(server.pid, 9)


def _connected(connect: Callable[[], Any]) -> Any:
    """Return a connection to a server that needs some seconds to start."""
    until = time.monotonic() + 90
    while True:
        try:
            return connect()
        except Exception:
            if time.monotonic() > until:
                raise
            time.sleep(0.5)


def _actions(function: Any, placed: Any, remote: Any, folder: Path) -> Actions:
    x = placed(np.arange(_SIZE, dtype=np.float32), remote.cpu(0))
    y = placed(np.zeros(_SIZE, np.float32), remote.cpu(0))
    function(x, y)
    assert (y.numpy() == x.numpy() + 1).all()

    def call() -> None:
        for _ in range(_CALLS):
            function(x, y)

    return {"call": call, "upload": lambda: remote.upload(str(folder / "big"))}


def _serve(name: str, folder: Path) -> None:
    """Do the actions whose names come from the standard input; print the seconds of each."""
    systems = {"tilewright": _tilewright, "tvm": _tvm}
    with systems[name](folder) as actions:
        print("ready", flush=True)
        for line in sys.stdin:
            start = time.perf_counter()
            actions[line.strip()]()
            print(time.perf_counter() - start, flush=True)


def _measured(process: subprocess.Popen[str], action: str) -> float:
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(f"{action}\n")
    process.stdin.flush()
    return float(process.stdout.readline())


def main() -> None:
    """Print the median and the quartiles of both systems."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tvm", type=Path, help="the folder with apache-tvm")
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--serve", help=argparse.SUPPRESS)
    parser.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.serve:
        _serve(given.serve, given.folder)
        return
    with tempfile.TemporaryDirectory() as made:
        (Path(made) / "big").write_bytes(np.random.default_rng(0).bytes(_UPLOAD_BYTES))
        processes: dict[str, subprocess.Popen[str]] = {}
        for name in ("tilewright", "tvm"):
            words = [sys.executable, __file__, str(given.tvm), "--serve", name, "--folder", made]
            path = str(given.tvm) if name == "tvm" else os.environ.get("PYTHONPATH", "")
            processes[name] = subprocess.Popen(
                words,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
                env={**os.environ, "PYTHONPATH": path},
            )
        _compare(processes, given.rounds)
        for process in processes.values():
            process.communicate()


def _compare(processes: Mapping[str, subprocess.Popen[str]], rounds: int) -> None:
    for process in processes.values():
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    for action, count, most in (("call", _CALLS, rounds), ("upload", 1, max(1, rounds // 6))):
        seconds = {name: list[float]() for name in processes}
        for _ in range(most):
            for name, process in processes.items():
                seconds[name].append(_measured(process, action) / count)
        for name, row in seconds.items():
            low, high = np.quantile(row, [0.25, 0.75])
            print(f"{action:8} {name:12} {median(row):.3g} s ({low:.3g} to {high:.3g})")
        ratio = median(seconds["tilewright"]) / median(seconds["tvm"])
        print(f"{action:8} tilewright / tvm = {ratio:.2f}")


if __name__ == "__main__":
    main()

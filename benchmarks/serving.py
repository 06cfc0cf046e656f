"""Load test of the server: latencies and wrong answers under faults, compared with onnxruntime.

Run: python benchmarks/serving.py [--requests 10000] [--clients 100] [--threads 2]

Both systems run behind the same server, in a process of its own, one after the other. Clients
(tritonclient, and plain sockets for the faults) send random numbers of rows. Of 100 requests, one
has a wrong body, one cuts its connection, one sends its body slowly, and one makes the model raise
an error. The script fails for a wrong answer, a missing answer, or if the memory of the server with
our model grows by more than 5 % after the first tenth of the requests; the arena of onnxruntime may
grow.
"""

from __future__ import annotations

import argparse
import json
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnx.parser

ROWS = (1, 2, 4, 8)
MODEL = """<ir_version: 9, opset_import: ["": 20]>
mlp (float[n, 256] x, int64[n, 1] kind) => (float[n, 256] y)
  <float[256, 256] a, float[256, 256] b, float[3, 1] gains = {1, 2, 3}> {
  h = MatMul (x, a) r = Relu (h) m = MatMul (r, b)
  g = Gather (gains, kind) s = Flatten <axis = 1> (g) y = Mul (m, s) }"""
SERVER = """
import sys, onnxruntime
sys.path.insert(0, {here!r})
from serving import Peer
from tilewright.serve import Settings, serve
serve(sys.argv[1], Settings(port=int(sys.argv[2]), threads={threads}),
      {loader})
"""


class Peer:
    """A model of onnxruntime with the interface of a compiled model."""

    platform = "onnxruntime"

    def __init__(self, path: Path, threads: int) -> None:
        import onnxruntime

        from tilewright.runtime.file.manifest import TensorSpec

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        model = str(path.with_suffix(".onnx"))
        self._session = onnxruntime.InferenceSession(model, options, ["CPUExecutionProvider"])
        types = {"tensor(float)": "float32", "tensor(int64)": "int64"}
        self.inputs, self.outputs = (
            tuple(TensorSpec(arg.name, tuple(arg.shape), types[arg.type]) for arg in arguments)
            for arguments in (self._session.get_inputs(), self._session.get_outputs())
        )

    def run(self, arrays: list[np.ndarray], threads: int) -> list[np.ndarray]:
        """Return the outputs for inputs that are given in order."""
        names = [spec.name for spec in self.inputs]
        return self._session.run(None, dict(zip(names, arrays, strict=True)))


def make_repository(folder: Path) -> None:
    """Write the model to a folder, as a compiled library and as ONNX."""
    import tilewright

    model = onnx.parser.parse_model(MODEL.replace("float[256, 256] a, float[256, 256] b, ", ""))
    rng = np.random.default_rng(0)
    for name in "ab":
        weights = (rng.standard_normal((256, 256)) / 16).astype(np.float32)
        model.graph.initializer.append(onnx.numpy_helper.from_array(weights, name))
    place = folder / "mlp" / "1"
    place.mkdir(parents=True)
    onnx.save(model, place / "model.onnx")
    tilewright.compile(model).export_library(place / "model.so", embed=True)
    settings = {"max_batch": 32, "max_delay_ms": 2, "queue": 1000}
    (folder / "mlp" / "config.json").write_text(json.dumps(settings))


class Load:
    """The clients of one run, which count outcomes and collect latencies in seconds."""

    def __init__(self, port: int, count: int, clients: int, expected: Any) -> None:
        self.port, self.count, self.clients, self.expected = port, count, clients, expected
        self.outcomes, self.latencies = Counter[str](), list[float]()
        self._next, self._lock = 0, threading.Lock()
        self.resident: dict[str, int] = {}

    def run(self, pid: int) -> float:
        """Send all requests; return the seconds that this took.

        pid: the process of the server.
        """
        start_s = time.perf_counter()
        workers = [threading.Thread(target=self._client, args=(pid,)) for _ in range(self.clients)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        self.resident["last"] = resident_kb(pid)
        return time.perf_counter() - start_s

    def _client(self, pid: int) -> None:
        import tritonclient.http as triton

        with triton.InferenceServerClient(f"127.0.0.1:{self.port}", network_timeout=120.0,
                                          connection_timeout=120.0) as client:  # fmt: skip
            while (number := self._take(pid)) is not None:
                outcome = self._request(triton, client, number)
                with self._lock:
                    self.outcomes[outcome] += 1

    def _take(self, pid: int) -> int | None:
        with self._lock:
            number, self._next = self._next, self._next + 1
            if number == self.count // 10:
                self.resident["tenth"] = resident_kb(pid)
        return number if number < self.count else None

    def _request(self, triton: Any, client: Any, number: int) -> str:
        rng = np.random.default_rng(number)
        x = rng.standard_normal((ROWS[number % 4], 256), np.float32)
        kind = rng.integers(0, 3, (len(x), 1))
        fault = number % 100
        if fault in (1, 2, 3):
            return (self._wrong_body, self._cut, self._slow)[fault - 1]()
        if fault == 4:
            kind[0] = 99
        inputs = [triton.InferInput("x", x.shape, "FP32"),
                  triton.InferInput("kind", kind.shape, "INT64")]  # fmt: skip
        for tensor, array in zip(inputs, (x, kind), strict=True):
            tensor.set_data_from_numpy(array)
        start_s = time.perf_counter()
        try:
            result = client.infer("mlp", inputs, request_id=str(number))
        except triton.InferenceServerException as err:
            is_right = fault == 4 and any(
                t in str(err) for t in ("out of range", "out of data bounds")
            )
            return "refused index" if is_right else f"WRONG error: {err}"
        seconds = time.perf_counter() - start_s
        with self._lock:
            self.latencies.append(seconds)
        if fault == 4 or result.get_response()["id"] != str(number):
            return "WRONG answer"
        is_close = np.allclose(result.as_numpy("y"), self.expected(x, kind), 1e-4, 1e-4)
        return "right answer" if is_close else "WRONG numbers"

    def _send(self, parts: list[bytes], *, is_cut: bool = False) -> bytes:
        with socket.create_connection(("127.0.0.1", self.port), 60) as client:
            for part in parts:
                client.sendall(part)
                time.sleep(0.05)
            return b"" if is_cut else client.recv(4096)

    def _wrong_body(self) -> str:
        got = self._send([_head(9) + b'{"inputs"'])
        return "refused body" if got.startswith(b"HTTP/1.1 400") else f"WRONG status {got[:20]!r}"

    def _cut(self) -> str:
        self._send([_head(1000) + b"{"], is_cut=True)
        return "cut connection"

    def _slow(self) -> str:
        x, kind = np.ones((1, 256), np.float32), np.ones((1, 1), np.int64)
        rows = [{"name": n, "datatype": d, "shape": [*a.shape], "data": a.tolist()}
                for n, d, a in (("x", "FP32", x), ("kind", "INT64", kind))]  # fmt: skip
        body = json.dumps({"inputs": rows}).encode()
        parts = [body[n : n + 300] for n in range(0, len(body), 300)]
        got = self._send([_head(len(body)), *parts])
        return "slow answer" if got.startswith(b"HTTP/1.1 200") else f"WRONG status {got[:20]!r}"


def _head(length: int) -> bytes:
    return (
        f"POST /v2/models/mlp/infer HTTP/1.1\r\nHost: x\r\nContent-Length: {length}\r\n\r\n"
    ).encode()


def resident_kb(pid: int) -> int:
    """Return the resident memory of a process."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS"))


def get(port: int, path: str) -> str:
    """Return the body of a GET request; empty while the server starts."""
    from urllib.error import URLError
    from urllib.request import urlopen

    try:
        with urlopen(f"http://127.0.0.1:{port}{path}", timeout=30) as answer:
            return answer.read().decode()
    except (URLError, ConnectionError):
        return ""


def metric(text: str, start: str) -> float:
    """Return the sum of the values of a metric.

    start: the text with which its rows begin.
    """
    return sum(float(row.split()[-1]) for row in text.splitlines() if row.startswith(start))


def measure(folder: Path, loader: str, options: argparse.Namespace, expected: Any) -> bool:
    """Run the load on one system and print its row; return whether all answers are right."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port = found.getsockname()[1]
    here = str(Path(__file__).parent)
    code = SERVER.format(here=here, threads=options.threads, loader=loader)
    server = subprocess.Popen([sys.executable, "-c", code, str(folder), str(port)],
                              stderr=subprocess.DEVNULL)  # fmt: skip
    try:
        while not get(port, "/v2/health/ready"):
            time.sleep(0.2)
        load = Load(port, options.requests, options.clients, expected)
        seconds = load.run(server.pid)
        text = get(port, "/metrics")
    finally:
        server.terminate()
        code = server.wait(60)
    calls, batched = (
        metric(text, f"tilewright_{n}") for n in ("calls_total", "batch_requests_sum")
    )
    p50, p95, p99 = (1e3 * np.percentile(load.latencies, q) for q in (50, 95, 99))
    growth, is_peer = load.resident["last"] / load.resident["tenth"], "Peer" in loader
    print(
        f"{'onnxruntime' if is_peer else 'tilewright':12} {p50:7.1f} {p95:7.1f} {p99:7.1f}"
        f" ms, {options.requests / seconds:6.0f} requests/s, {calls:6.0f} calls for {batched:.0f}"
        f" runs of requests, memory x {growth:.3f}, exit code {code}\n    {dict(load.outcomes)}"
    )
    is_complete = load.outcomes.total() == options.requests and code == 0
    is_right = not any("WRONG" in outcome for outcome in load.outcomes)
    return is_complete and is_right and (is_peer or growth <= 1.05)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    for name, default in (("requests", 10_000), ("clients", 100), ("threads", 2)):
        parser.add_argument(f"--{name}", type=int, default=default)
    options = parser.parse_args()
    print(f"{'':12} {'p50':>7} {'p95':>7} {'p99':>7}")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        make_repository(folder)
        peer = Peer(folder / "mlp" / "1" / "model.so", 1)

        def expected(x: np.ndarray, kind: np.ndarray) -> np.ndarray:
            return peer.run([x, kind], 1)[0]

        loaders = ("None", f"lambda path: Peer(path, {options.threads})")
        right = [measure(folder, loader, options, expected) for loader in loaders]
    if not all(right):
        raise SystemExit("an answer is wrong or missing, memory grows, or the server failed")


if __name__ == "__main__":
    main()

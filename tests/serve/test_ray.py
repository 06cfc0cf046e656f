"""examples/ray_serve.py: the server behind Ray Serve, with two local workers."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from .test_process import free_port

EXAMPLE = Path(__file__).parents[2] / "examples" / "ray_serve.py"

pytestmark = pytest.mark.nightly


@pytest.fixture
def port(monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """Start Ray and its proxy; return the port of the proxy."""
    # Nothing is sent to others, and no token is written to the home folder.
    monkeypatch.setenv("RAY_USAGE_STATS_ENABLED", "0")
    monkeypatch.setenv("RAY_AUTH_MODE", "disabled")
    ray = pytest.importorskip("ray", reason="needs ray[serve]")
    serve = pytest.importorskip("ray.serve", reason="needs ray[serve]")
    ray.init(num_cpus=4, include_dashboard=False, object_store_memory=100 << 20)
    try:
        number = free_port()
        serve.start(http_options={"port": number})
        yield number
        serve.shutdown()
    finally:
        ray.shutdown()


def test_two_workers_answer_as_one_server(port: int, repository) -> None:
    httpx = pytest.importorskip("httpx", reason="needs httpx")
    from ray import serve

    spec = importlib.util.spec_from_file_location("ray_serve", EXAMPLE)
    assert spec is not None
    assert spec.loader is not None
    example = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(example)
    app = example.application(repository("scale"), workers=2, threads=1)
    serve.run(app, route_prefix="/")
    (deployment,) = serve.status().applications["default"].deployments.values()
    assert deployment.replica_states == {"RUNNING": 2}
    address = f"http://127.0.0.1:{port}/v2/models/scale"
    assert httpx.get(address).json()["inputs"][0]["shape"] == [-1, 3]
    arrays = [np.full((n % 4 + 1, 3), n, np.float32) for n in range(100)]

    def ask(x: np.ndarray) -> list[float]:
        row = {"name": "x", "datatype": "FP32", "shape": [*x.shape], "data": x.ravel().tolist()}
        answer = httpx.post(f"{address}/infer", json={"inputs": [row]}, timeout=60)
        assert answer.status_code == 200, answer.text
        return answer.json()["outputs"][0]["data"]

    with ThreadPoolExecutor(8) as pool:
        answers = [*pool.map(ask, arrays)]
    assert answers == [(2 * x).ravel().tolist() for x in arrays]
    wrong = httpx.post(f"{address}/infer", json={"inputs": []}, timeout=60)
    assert wrong.status_code == 400
    assert "error" in wrong.json()

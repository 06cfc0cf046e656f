"""The HTTP interface in this process: the protocol, errors, limits, reloads and streams."""

from __future__ import annotations

import json
import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from tilewright.runtime.file.manifest import TensorSpec


def row(name: str, array: np.ndarray, datatype: str) -> dict:
    return {"name": name, "datatype": datatype, "shape": [*array.shape], "data": array.tolist()}


def ask(client, model: str, array: np.ndarray, datatype: str = "FP32", name: str = "x"):
    body = {"id": "7", "inputs": [row(name, array, datatype)]}
    return client.post(f"/v2/models/{model}/infer", json=body)


X = np.arange(6, dtype=np.float32).reshape(2, 3)


def test_metadata_and_health(client, repository) -> None:
    server = client(repository("scale"))
    assert server.get("/v2").json()["extensions"] == ["binary_tensor_data", "model_repository"]
    assert server.get("/v2/health/live").status_code == 200
    assert server.get("/v2/health/ready").json() == {"ready": True}
    assert server.get("/v2/models/scale/ready").json() == {"name": "scale", "ready": True}
    tensor = {"datatype": "FP32", "shape": [-1, 3]}
    assert server.get("/v2/models/scale/versions/1").json() == {
        "name": "scale",
        "versions": ["1"],
        "platform": "tilewright_llvm",
        "inputs": [{"name": "x", **tensor}],
        "outputs": [{"name": "y", **tensor}],
    }
    index = server.post("/v2/repository/index").json()
    assert index == [{"name": "scale", "version": "1", "state": "READY", "reason": ""}]


def test_json_and_binary_tensors(client, repository) -> None:
    server = client(repository("scale"))
    answer = ask(server, "scale", X).json()
    assert (answer["id"], answer["outputs"][0]["data"]) == ("7", (2 * X).ravel().tolist())
    head = {
        "inputs": [{"name": "x", "datatype": "FP32", "shape": [2, 3],
                    "parameters": {"binary_data_size": X.nbytes}}],
        "outputs": [{"name": "y", "parameters": {"binary_data": True}}],
    }  # fmt: skip
    text = json.dumps(head).encode()
    sent = {"inference-header-content-length": str(len(text))}
    answer = server.post("/v2/models/scale/infer", content=text + X.tobytes(), headers=sent)
    length = int(answer.headers["inference-header-content-length"])
    assert json.loads(answer.content[:length])["outputs"][0]["shape"] == [2, 3]
    np.testing.assert_array_equal(np.frombuffer(answer.content[length:], np.float32), 2 * X.ravel())


WRONG = {
    "not json": b"{",
    "no object": b"[]",
    "no inputs": b"{}",
    "unknown input": {"name": "z", "datatype": "FP32", "shape": [1, 3], "data": [1, 2, 3]},
    "type": {"name": "x", "datatype": "FP64", "shape": [1, 3], "data": [1, 2, 3]},
    "unknown type": {"name": "x", "datatype": "BYTES", "shape": [1, 3], "data": ["a", "b", "c"]},
    "count": {"name": "x", "datatype": "FP32", "shape": [1, 3], "data": [1, 2]},
    "rank": {"name": "x", "datatype": "FP32", "shape": [3], "data": [1, 2, 3]},
    "ragged": {"name": "x", "datatype": "FP32", "shape": [1, 3], "data": [[1], [2, 3]]},
    "text": {"name": "x", "datatype": "FP32", "shape": [1, 3], "data": ["a", "b", "c"]},
    "size": {"name": "x", "datatype": "FP32", "shape": [-1, 3], "data": []},
    "huge size": {"name": "x", "datatype": "FP32", "shape": [2**70, 3], "data": []},
    "cut off": {"name": "x", "datatype": "FP32", "shape": [1, 3],
                "parameters": {"binary_data_size": 12}},
}  # fmt: skip


@pytest.mark.parametrize("body", WRONG.values(), ids=WRONG)
def test_a_wrong_body_is_one_clear_error(client, repository, body: object) -> None:
    server = client(repository("scale"))
    content = body if isinstance(body, bytes) else json.dumps({"inputs": [body]}).encode()
    answer = server.post("/v2/models/scale/infer", content=content)
    assert answer.status_code == 400, answer.text
    assert {*answer.json()} == {"error"}
    assert ask(server, "scale", X).status_code == 200


def test_integers_are_never_rounded(client, repository) -> None:
    server = client(repository("pick"))
    wrong = {"name": "i", "datatype": "INT64", "shape": [1], "data": [0.5]}
    answer = server.post("/v2/models/pick/infer", json={"inputs": [wrong]})
    assert answer.status_code == 400
    assert "elements of another type" in answer.json()["error"]


def test_an_error_of_the_model_names_the_rule(client, repository) -> None:
    answer = ask(client(repository("pick")), "pick", np.array([5]), "INT64", "i")
    assert answer.status_code == 400
    assert "out of range" in answer.json()["error"]


def test_infinities_need_bytes(client, repository) -> None:
    answer = ask(client(repository("log")), "log", np.zeros(2, np.float32))
    assert answer.status_code == 400
    assert "binary_data" in answer.json()["error"]


def test_unknown_models_versions_and_paths(client, repository) -> None:
    server = client(repository("scale"))
    assert ask(server, "other", X).status_code == 404
    assert server.get("/v2/models/scale/versions/2").status_code == 404
    assert server.post("/v2/repository/models/..%2Fx/load").status_code == 404
    assert server.get("/nowhere").json() == {"error": "GET /nowhere: Not Found"}


def test_a_body_beyond_the_limit_is_refused(client, repository) -> None:
    server = client(repository("scale"), max_body_bytes=100)
    assert ask(server, "scale", np.ones((9, 3), np.float32)).status_code == 413


def test_a_changed_model_replaces_the_old_one(client, repository) -> None:
    server = client(repository("m", "scale"))
    assert ask(server, "m", X).json()["outputs"][0]["data"][1] == 2
    repository("m", "triple", version=2)
    assert server.post("/v2/repository/models/m/load").status_code == 200
    assert ask(server, "m", X).json()["outputs"][0]["data"][1] == 3
    assert server.get("/v2/models/m").json()["versions"] == ["2"]
    assert server.post("/v2/repository/models/m/unload").status_code == 200
    assert ask(server, "m", X).status_code == 503
    assert server.get("/v2/health/ready").status_code == 200


def test_a_damaged_file_leaves_the_old_version(client, repository) -> None:
    folder = repository("m", "scale")
    server = client(folder)
    (folder / "m" / "2").mkdir()
    (folder / "m" / "2" / "model.so").write_bytes(b"\x7fELF damaged")
    answer = server.post("/v2/repository/models/m/load")
    assert answer.status_code == 409
    assert ask(server, "m", X).json()["outputs"][0]["data"][1] == 2


def value(server, name: str, **labels: str) -> float:
    """Return a metric."""
    registry = server.app.state.service.metrics.registry
    return registry.get_sample_value(name, labels) or 0.0


def test_requests_are_combined_to_batches(client, repository) -> None:
    server = client(repository("scale", max_batch=16, max_delay_ms=200))
    before = value(server, "tilewright_calls_total", model="scale", version="1")
    with ThreadPoolExecutor(8) as pool:
        inputs = [X + n for n in range(8)]
        answers = [*pool.map(lambda x: ask(server, "scale", x).json(), inputs)]
    for x, answer in zip(inputs, answers, strict=True):
        assert answer["outputs"][0]["data"] == (2 * x).ravel().tolist()
    assert value(server, "tilewright_calls_total", model="scale", version="1") - before < 8
    assert "tilewright_batch_requests_bucket" in server.get("/metrics").text


def test_a_wrong_request_fails_no_other_one_of_its_batch(client, repository) -> None:
    server = client(repository("pick", max_batch=8, max_delay_ms=200))
    with ThreadPoolExecutor(4) as pool:
        indices = [np.array([n]) for n in (0, 1, 9, 2)]
        answers = [*pool.map(lambda i: ask(server, "pick", i, "INT64", "i"), indices)]
    assert [answer.status_code for answer in answers] == [200, 200, 400, 200]
    data = [a.json()["outputs"][0]["data"] for a in answers if a.status_code == 200]
    assert data == [[1], [2], [4]]


@pytest.mark.parametrize(("name", "part"), [("softmax", "rows depend"), ("log", "named size")])
def test_models_whose_rows_depend_on_each_other_are_not_batched(
    client, repository, name: str, part: str
) -> None:
    server = client(repository(name, max_batch=8))
    (index,) = server.post("/v2/repository/index").json()
    assert index["state"] == "UNAVAILABLE"
    assert part in index["reason"]
    assert server.get("/v2/health/ready").status_code == 503


class Blocked:
    """A model that waits for a signal; it fails for negative numbers."""

    platform = "test"
    inputs = outputs = (TensorSpec("x", ("n", 3), "float32"),)

    def __init__(self) -> None:
        self.entered, self.go = threading.Semaphore(0), threading.Event()

    def run(self, arrays, threads: int):
        self.entered.release()
        self.go.wait(30)
        if arrays[0].min() < 0:
            raise ZeroDivisionError("negative")
        return [arrays[0] + 1]


def test_a_full_queue_gets_429_and_a_full_server_503(client, repository) -> None:
    model = Blocked()
    server = client(repository("scale", queue=1), lambda _: model, max_requests=3)
    with ThreadPoolExecutor(4) as pool:
        first = pool.submit(ask, server, "scale", X)
        assert model.entered.acquire(timeout=30)
        second = pool.submit(ask, server, "scale", X)
        while value(server, "tilewright_queue_length", model="scale", version="1") < 1:
            pass
        third = ask(server, "scale", X)
        assert (third.status_code, third.headers["retry-after"]) == (429, "1")
        server.app.state.service.is_draining = True
        assert ask(server, "scale", X).status_code == 503
        assert server.get("/v2/health/ready").status_code == 503
        model.go.set()
        assert [each.result().status_code for each in (first, second)] == [200, 200]


def test_a_model_that_raises_is_an_internal_error(client, repository) -> None:
    model = Blocked()
    model.go.set()
    server = client(repository("scale"), lambda _: model)
    answer = ask(server, "scale", -X - 1)
    assert answer.status_code == 500
    assert answer.json()["error"] == "the model failed: ZeroDivisionError: negative"
    assert ask(server, "scale", X).status_code == 200


def test_a_slow_model_is_a_timeout(client, repository) -> None:
    model = Blocked()
    server = client(repository("scale"), lambda _: model, request_s=0.05)
    assert ask(server, "scale", X).status_code == 504
    model.go.set()


def test_requests_in_progress_finish_on_the_old_version(client, repository) -> None:
    models = [Blocked(), Blocked()]
    waiting = iter(models)
    server = client(repository("scale", threads=1), lambda _: next(waiting))
    models[1].go.set()
    with ThreadPoolExecutor(1) as pool:
        old = pool.submit(ask, server, "scale", X)
        assert models[0].entered.acquire(timeout=30)
        assert server.post("/v2/repository/models/scale/load").status_code == 200
        assert ask(server, "scale", X).status_code == 200
        assert not old.done()
        models[0].go.set()
        assert old.result().json()["outputs"][0]["data"][0] == 1


def events(answer) -> list[dict]:
    parts = [part for part in answer.text.split("\n\n") if part]
    assert answer.headers["content-type"].startswith("text/event-stream")
    return [json.loads(part.removeprefix("data: ")) for part in parts]


def test_a_decoder_streams_tokens_and_continues_its_session(client, repository) -> None:
    server = client(repository("sum"))
    path = "/v2/models/sum/generate_stream"
    got = events(server.post(path, json={"ids": [0], "max_tokens": 3, "keep_session": True}))
    assert [each.get("token") for each in got] == [1, 2, 3, None]
    assert got[-1]["finish_reason"] == "length"
    more = {"ids": [3], "max_tokens": 5, "session": got[-1]["session"], "stop": [5]}
    assert [e.get("token") for e in events(server.post(path, json=more))] == [4, 5, None]
    assert server.post(path, json=more).status_code == 404
    assert value(server, "tilewright_sessions") == 0
    assert events(server.post(path, json={"ids": [99]}))[-1]["error"]
    assert server.post(path, json={"ids": []}).status_code == 400

"""`--poll`: new, changed, damaged and removed models of a repository, without the load API."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable

import pytest

from .test_http import X, ask


@pytest.fixture
def eventually() -> Callable[[Callable[[], bool]], None]:
    """Return a function that waits until a condition holds, half a minute at most."""

    def wait(holds: Callable[[], bool]) -> None:
        ends_s = time.monotonic() + 30
        while not holds() and time.monotonic() < ends_s:
            time.sleep(0.01)
        assert holds()

    return wait


def answers(server, factor: int) -> bool:
    """Return whether the model multiplies with a factor; every request must be answered."""
    answer = ask(server, "m", X)
    assert answer.status_code == 200, answer.text
    return answer.json()["outputs"][0]["data"][1] == factor


def test_polling_replaces_a_model_and_survives_damaged_files(
    client, repository, eventually
) -> None:
    folder = repository("m", "scale")
    server = client(folder, poll_s=0.01)
    assert answers(server, 2)
    repository("m", "triple", version=2)
    eventually(lambda: answers(server, 3))
    (folder / "m" / "3").mkdir()
    (folder / "m" / "3" / "model.so").write_bytes(b"\x7fELF damaged")
    index = "/v2/repository/index"
    eventually(lambda: server.post(index).json()[0]["reason"] != "")
    assert answers(server, 3)
    repository("m", "scale", version=4)
    eventually(lambda: answers(server, 2))
    assert server.post(index).json()[0]["reason"] == ""


def test_polling_follows_settings_and_folders(client, repository, eventually) -> None:
    folder = repository("m", "scale")
    repository("m", "triple", version=2)
    server = client(folder, poll_s=0.01)
    assert server.get("/v2/models/m").json()["versions"] == ["2"]
    repository("m", "triple", version=2, versions=2)
    eventually(lambda: server.get("/v2/models/m").json()["versions"] == ["1", "2"])
    repository("added", "scale")
    eventually(lambda: ask(server, "added", X).status_code == 200)
    shutil.rmtree(folder / "added")
    eventually(lambda: ask(server, "added", X).status_code == 404)
    assert answers(server, 3)


def test_without_polling_a_file_changes_nothing(client, repository) -> None:
    server = client(repository("m", "scale"))
    repository("m", "triple", version=2)
    assert answers(server, 2)
    assert server.post("/v2/repository/models/m/load").status_code == 200
    assert answers(server, 3)


def test_an_unloaded_model_is_not_polled_back(client, repository, eventually) -> None:
    server = client(repository("m", "scale"), poll_s=0.01)
    assert server.post("/v2/repository/models/m/unload").status_code == 200
    repository("m", "triple", version=2)
    repository("other", "scale")
    eventually(lambda: ask(server, "other", X).status_code == 200)
    assert ask(server, "m", X).status_code == 503

"""Servers, a tracker and clients as processes: leases, and what a client sees of a loss."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import numpy as np
import pytest

import tilewright
from tilewright import rpc
from tilewright.runtime.rpc.errors import RpcError

from .servers import PYTHON_SERVER, c_server, exported, needs_c

pytestmark = [needs_c, pytest.mark.slow]
TOKEN = "a long secret"
TRACKER = (sys.executable, "-m", "tilewright", "rpc-tracker", "--heartbeat", "0.5")


@contextmanager
def started(*command: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Yield a process, and the address on which it listens."""
    process = subprocess.Popen([*command], stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        yield process, process.stdout.readline().strip().rpartition(" ")[2]
    finally:
        process.kill()
        process.communicate()


@pytest.fixture
def token_file(tmp_path: Path) -> str:
    path = tmp_path / "token"
    path.write_text(TOKEN + "\n")
    return str(path)


def lent(client: rpc.TrackerSession) -> list[dict[str, str]]:
    return [row for row in client.summary()["devices"] if row["client"]]


def test_a_lost_device_and_a_restart_of_the_tracker(token_file: str, tmp_path: Path) -> None:
    secret = "--token-file", token_file
    options = *TRACKER, *secret, "--journal", str(tmp_path / "journal")
    x = np.ones((4, 8), np.float32)
    want = tilewright.load_module(exported() / "m.so")(x).numpy()
    with started(*options, "--port", "0") as (tracker, place):
        server = str(c_server()), "--port", "0", "--tracker", place, "--key", "board", *secret
        with suppress(RpcError):
            rpc.connect_tracker(place, token="wrong")
            raise AssertionError("the tracker must refuse a wrong token")
        with rpc.connect_tracker(place, token=TOKEN, client="tester") as client:
            tries = []
            with started(*server) as (first, _):

                def run(remote: rpc.RPCSession) -> np.ndarray:
                    tries.append(remote.facts)
                    if len(tries) == 1:
                        first.kill()
                        started_servers.append(subprocess.Popen(server, stdout=subprocess.DEVNULL))
                    remote.upload(exported() / "m.tar")
                    return remote.load_module("m.tar")(x).numpy()

                started_servers: list[subprocess.Popen[bytes]] = []
                try:
                    assert (client.request_and_run("board", run) == want).all()
                    assert len(tries) == 2
                    with client.request("board", session_timeout=60) as remote:
                        (row,) = lent(client)
                        assert row["client"] == "tester"
                        assert '"machine"' in row["facts"]
                        tracker.kill()
                        tracker.wait()
                        with started(*options, "--port", place.rpartition(":")[2]):
                            assert lent(client)[0]["client"] == "tester"
                            remote.upload(exported() / "m.tar")
                            remote.close()
                            assert "board" in client.text_summary()
                            assert not lent(client)
                finally:
                    for each in started_servers:
                        each.kill()
                        each.wait()


def test_the_python_server_announces_itself() -> None:
    with started(*TRACKER, "--port", "0") as (_, place):
        server = *PYTHON_SERVER, "--port", "0", "--tracker", place, "--key", "gpu"
        with (
            started(*server),
            rpc.connect_tracker(place) as client,
            client.request("gpu") as remote,
        ):
            assert remote.facts["server"] == "python"

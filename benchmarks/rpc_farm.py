"""A tracker under stress: clients that share servers which are killed at random.

    python benchmarks/rpc_farm.py --seconds 300

In: numbers of clients and devices. Out: how many jobs ended, how often servers and the tracker were
killed, and how far the device time of a client is from the mean. Fails if a job is lost or ends
twice. All processes are on this machine.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from random import Random
from statistics import mean

from tilewright import rpc
from tilewright.tools.rpc_program import server_program

HEARTBEAT_S = 1.0


class Farm:
    """A tracker and its servers, as processes that are killed and started again."""

    def __init__(self, folder: Path, devices: int) -> None:
        self._journal, self._random = folder / "journal", Random(0)
        self.address = ""
        self._tracker = self._start_tracker("0")
        self._servers = [self._start_server() for _ in range(devices)]
        self.kills = Counter[str]()

    def _start_tracker(self, port: str) -> subprocess.Popen[str]:
        command = [sys.executable, "-m", "tilewright", "rpc-tracker", "--port", port]
        command += ["--journal", str(self._journal), "--heartbeat", str(HEARTBEAT_S)]
        made = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert made.stdout is not None
        self.address = made.stdout.readline().strip().rpartition(" ")[2]
        return made

    def _start_server(self) -> subprocess.Popen[bytes]:
        command = [str(server_program()), "--port", "0", "--tracker", self.address, "--key", "any"]
        return subprocess.Popen(command, stdout=subprocess.DEVNULL)

    def kill_server(self) -> None:
        """Kill one server, and start another one."""
        at = self._random.randrange(len(self._servers))
        self._servers[at].kill()
        self._servers[at].wait()
        self._servers[at] = self._start_server()
        self.kills["servers"] += 1

    def kill_tracker(self) -> None:
        """Kill the tracker, and start it again with its journal."""
        self._tracker.kill()
        self._tracker.communicate()
        self._tracker = self._start_tracker(self.address.rpartition(":")[2])
        self.kills["tracker"] += 1

    def close(self) -> None:
        """End all processes."""
        for process in (self._tracker, *self._servers):
            process.kill()
            process.wait()


class Client(threading.Thread):
    """A client that has one job after the other until a time."""

    def __init__(self, address: str, number: int, until: float) -> None:
        super().__init__(name=f"client {number}")
        self._address, self._random, self._until = address, Random(number), until
        self.asked, self.seconds, self.tries = 0, 0.0, 0
        self.ended = Counter[int]()
        self.errors: list[Exception] = []

    def run(self) -> None:
        """Have jobs."""
        with rpc.connect_tracker(self._address, client=self.name) as tracker:
            while time.monotonic() < self._until:
                self.asked += 1
                try:
                    tracker.request_and_run("any", self._job, session_timeout=30, max_retry=50)
                except Exception as err:
                    self.errors.append(err)

    def _job(self, remote: rpc.RPCSession) -> None:
        """Hold a device for a while, with messages."""
        self.tries += 1
        start, hold_s = time.monotonic(), self._random.uniform(0.2, 0.6)
        while time.monotonic() - start < hold_s:
            remote.upload(b"data", "file")
            time.sleep(0.05)
        self.seconds += time.monotonic() - start
        self.ended[self.asked] += 1


def main(words: Sequence[str] | None = None) -> int:
    """Run the stress; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clients", type=int, default=100)
    parser.add_argument("--devices", type=int, default=10)
    parser.add_argument("--seconds", type=float, default=300)
    given = parser.parse_args(words)
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        farm = Farm(folder, given.devices)
        stack.callback(farm.close)
        start = time.monotonic()
        end = start + given.seconds
        clients = [Client(farm.address, number, end) for number in range(given.clients)]
        for client in clients:
            client.start()
        random = Random(1)
        while time.monotonic() < end:
            time.sleep(min(random.expovariate(0.5), end - time.monotonic() + 0.01))
            farm.kill_server()
            # After one and two thirds of the time.
            done = 3 * (time.monotonic() - start) / given.seconds
            if farm.kills["tracker"] < min(int(done), 2):
                farm.kill_tracker()
        for client in clients:
            client.join()
    return report(clients, farm.kills)


def report(clients: Sequence[Client], kills: Counter[str]) -> int:
    """Print what happened; return the exit code."""
    asked = sum(client.asked for client in clients)
    ended = sum(len(client.ended) for client in clients)
    twice = sum(count > 1 for client in clients for count in client.ended.values())
    tries = sum(client.tries for client in clients)
    errors = [err for client in clients for err in client.errors]
    seconds = [client.seconds for client in clients]
    share = mean(seconds)
    print(f"jobs: {asked} asked, {ended} ended, {twice} of them twice, {tries} tries")
    print(f"killed: {kills['servers']} servers, the tracker {kills['tracker']} times")
    print(f"device time of a client: mean {share:.2f} s, from {min(seconds) / share - 1:+.1%} to "
        f"{max(seconds) / share - 1:+.1%}")  # fmt: skip
    for err in errors[:3]:
        print(f"error: {err}")
    return int(asked != ended or twice > 0 or bool(errors))


if __name__ == "__main__":
    sys.exit(main())

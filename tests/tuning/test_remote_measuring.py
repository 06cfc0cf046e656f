"""Schedules that another machine measures: compiled here, checked and timed by a server."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.rpc.farms import started
from tests.rpc.servers import TOOL, c_server, needs_c, needs_qemu
from tilewright.runtime.rpc.places import RpcPlace
from tilewright.support.tuning_records import read_records
from tilewright.tuning.instruction_counts import MEASURE
from tilewright.tuning.job import Job
from tilewright.tuning.remote_measuring import remote_runner
from tilewright.tuning.runner import WorkerRunner
from tilewright.tuning.task import tasks_of_tensors
from tilewright.tuning.tuner import tune

from .test_tune import AARCH64, product


@needs_c
@pytest.mark.slow
def test_a_server_measures_schedules(tmp_path: Path) -> None:
    records = tmp_path / "tuned.jsonl"
    (task,) = tasks_of_tensors(product())
    with (
        started(str(c_server()), "--port", "0") as (_, place),
        remote_runner(RpcPlace(place)) as runner,
    ):
        tuned = tune(product(), budget="60s", trials=2, records=records, runner=runner)
        wrong = Job(task.kernel, task.target, ("", "no schedule"))
        assert runner.submit(wrong).result().status == "refused"
    assert tuned.trials == 2
    for record in read_records(records):
        assert record.status == "measured"
        assert record.machine["server"] == "c"
        assert min(record.times) > 0


@needs_qemu
@pytest.mark.nightly
def test_two_emulated_servers_give_the_records_of_the_local_emulator(tmp_path: Path) -> None:
    """A server counts the whole call, so its counts are larger, by less than 5 percent."""
    server = (*TOOL, "rpc-server", "--port", "0", "--emulate", "aarch64")
    rows = []
    with started(*TOOL, "rpc-tracker", "--port", "0") as (_, place):
        lent = ("--tracker", place, "--key", "board")
        with started(*server, *lent), started(*server, *lent):
            runners = (
                WorkerRunner(threads=2, measure=MEASURE, unit="instructions"),
                remote_runner(RpcPlace(place, key="board"), devices=2, unit="instructions"),
            )
            for number, runner in enumerate(runners):
                path = tmp_path / f"{number}.jsonl"
                with runner:
                    tune(
                        product(), budget="500s", trials=8, records=path, runner=runner,
                        target=AARCH64, search="random", in_flight=2,
                    )  # fmt: skip
                rows.append({row.schedule: row for row in read_records(path)})
    near, far = rows
    assert near.keys() == far.keys()
    for schedule, row in near.items():
        other = far[schedule]
        assert (row.status, row.unit, row.point) == (other.status, other.unit, other.point)
        for local, remote in ((row.times, other.times), (row.plan_times, other.plan_times)):
            assert local[0] < remote[0] < 1.05 * local[0]
    best, other = (min(made, key=lambda name, of=made: of[name].times) for made in (near, far))
    assert best == other

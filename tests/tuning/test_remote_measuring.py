"""Schedules that another machine measures: compiled here, checked and timed by a server."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.rpc.farms import started
from tests.rpc.servers import c_server, needs_c
from tilewright.runtime.rpc.places import RpcPlace
from tilewright.support.tuning_records import read_records
from tilewright.tuning.job import Job
from tilewright.tuning.remote_measuring import remote_runner
from tilewright.tuning.task import tasks_of_tensors
from tilewright.tuning.tuner import tune

from .test_tune import product


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

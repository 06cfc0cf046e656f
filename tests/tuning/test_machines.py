"""Dask clusters: two workers here measure schedules; options that cannot be served are refused."""

from __future__ import annotations

from typing import Any

import pytest
from click.testing import CliRunner

from tilewright.support.diagnostics import TilewrightError
from tilewright.tools.commands.tuning import tune_command
from tilewright.tuning.machines import dask_client
from tilewright.tuning.runner import WorkerRunner
from tilewright.tuning.tuner import tune

from .test_tune import product


def test_workers_of_a_cluster_measure() -> None:
    distributed: Any = pytest.importorskip("distributed", reason="the extra farm")
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=False, dashboard_address=None
        ) as cluster,
        dask_client(cluster.scheduler_address) as client,
    ):
        runner = WorkerRunner(client.get_executor())
        tuned = tune(product(), budget="60s", trials=3, runner=runner, in_flight=2)
    assert tuned.trials >= 3
    assert all(task.plan_time > 0 for task in tuned.tasks)


def test_an_address_without_a_scheduler_is_one_sentence() -> None:
    pytest.importorskip("distributed", reason="the extra farm")
    with (
        pytest.raises(TilewrightError, match="no Dask scheduler answers"),
        dask_client("tcp://127.0.0.1:1"),
    ):
        pass


def test_whole_models_are_not_timed_elsewhere(tmp_path: Any) -> None:
    model = tmp_path / "m.onnx"
    model.write_bytes(b"")
    options = ["--space", "graph", "--scheduler", "tcp://127.0.0.1:1"]
    found = CliRunner().invoke(tune_command, [str(model), *options])
    assert "whole models" in str(found.exception)

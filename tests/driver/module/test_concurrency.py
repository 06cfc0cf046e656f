"""Modules under threads, forks, interrupts and idleness, each in a separate process."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tilewright.testing.worker import WorkerProcess

FILE = Path(__file__).with_name("concurrency.py")
IDLE_CPU_S = 0.05
PAGES_BYTES = 1 << 20


@pytest.fixture
def worker() -> Iterator[WorkerProcess]:
    with WorkerProcess() as worker:
        yield worker


def test_eight_threads_call_two_modules_at_once(worker: WorkerProcess) -> None:
    assert worker.call(f"{FILE}:eight_threads")


def test_a_forked_child_runs_the_module(worker: WorkerProcess) -> None:
    assert worker.call(f"{FILE}:forked")


def test_an_idle_pool_uses_no_processor_time(worker: WorkerProcess) -> None:
    assert worker.call(f"{FILE}:idle_cpu_s") < IDLE_CPU_S


def test_an_interrupt_ends_a_run_and_leaves_the_module_whole(worker: WorkerProcess) -> None:
    assert worker.call(f"{FILE}:interrupted") == "works"


def test_the_reported_peak_is_what_a_call_takes(worker: WorkerProcess) -> None:
    reported, measured = worker.call(f"{FILE}:peak")
    assert abs(measured - reported) < PAGES_BYTES < reported

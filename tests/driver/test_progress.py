"""Progress reports of a compilation: stages in order, kernels, times, log messages."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

import tilewright
from tilewright.driver.progress import StageProgress, Stopwatch
from tilewright.targets.cpu.backend import CPU
from tilewright.testing import models

LAST = ["emit", "make-objects", "link", "store", "load"]


def test_a_compilation_tells_its_stages_and_kernels(
    caplog: pytest.LogCaptureFixture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TILEWRIGHT_CACHE_DIR", str(tmp_path))
    steps: list[StageProgress] = []
    with caplog.at_level(logging.DEBUG, "tilewright.driver"):
        mod = tilewright.compile(models.ffn_model(m=4, k=8, n=8), progress=steps.append)
    stages = ["look-up", "import", *(stage.name for stage in CPU.stages), *LAST]
    assert list(dict.fromkeys(step.stage for step in steps)) == stages
    assert list(mod.times) == stages
    assert all(time_s >= 0 for time_s in mod.times.values())
    assert steps[0].kernels == 0
    made = [step for step in steps if step.stage == "make-objects"]
    # Every kernel, then main, the entry and the entry's tables.
    assert [step.done for step in made] == [0, *range(len(mod.kernels) + 3)]
    assert {step.kernels for step in made} == {len(mod.kernels)}
    infos = [r.message.split(":")[0] for r in caplog.records if r.levelno == logging.INFO]
    assert infos == stages
    passes = [r.message.split()[2] for r in caplog.records if r.levelno == logging.DEBUG]
    assert passes == [f"{name}:" for stage in CPU.stages for name in stage.passes]


def test_a_stage_that_fails_has_no_time() -> None:
    watch = Stopwatch()

    def fail() -> None:
        with watch.stage("first"):
            pass
        with watch.stage("second"):
            raise ValueError("why")

    with pytest.raises(ValueError, match="why"):
        fail()
    assert list(watch.times) == ["first"]


def test_the_library_configures_no_logging() -> None:
    def settings() -> list[tuple[int, list[logging.Handler], bool]]:
        loggers = [logging.getLogger(name) for name in ("", "tilewright", "tilewright.driver")]
        return [(each.level, [*each.handlers], each.propagate) for each in loggers]

    before = settings()
    tilewright.compile(models.ffn_model(m=4, k=8, n=8))
    assert settings() == before

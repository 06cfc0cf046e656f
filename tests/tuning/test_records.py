"""Files of tuning records: the schema, damaged files, several writers, the best record."""

from __future__ import annotations

import json
import logging
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path

import jsonschema
import onnx
import pytest

from tilewright.driver import settings
from tilewright.machines.target import Target
from tilewright.passes.schedule.match_schedules import parse_scripts
from tilewright.support.diagnostics import TilewrightError
from tilewright.support.registry import new_context
from tilewright.support.schedule_files import ScheduleFile
from tilewright.support.tuning_records import (
    STARTER_FILE,
    Record,
    best_records,
    read_records,
    tuned_schedules,
)
from tilewright.testing.fixtures import fixture_model
from tilewright.tuning.page import records_page
from tilewright.tuning.record_file import append_records, merged, pruned, rewrite
from tilewright.tuning.task import tasks_of
from tilewright.tuning.task_search import best_so_far

ROOT = Path(__file__).resolve().parents[2]
TARGET = "llvm -mcpu=x86-64-v3"
RECORD = Record(
    v=1,
    kernel="ab" * 16,
    name="matmul",
    target=TARGET,
    machine={"processor": "a processor", "threads": 2},
    space="sketch",
    point={"rows": 4},
    schedule="sched.script @matmul {}",
    status="measured",
    times=[1e-3, 1.1e-3],
    plan_times=[2e-3, 2.2e-3],
    speedup=2.0,
    extents=[64, 96, 32],
    at="2026-01-01T00:00:00+00:00",
    versions={"tilewright": "0.1.0"},
)


def test_a_record_fits_the_published_schema_and_reads_back(tmp_path: Path) -> None:
    schema = json.loads((ROOT / "docs" / "records.schema.json").read_text())
    jsonschema.validate(json.loads(RECORD.line()), schema)
    append_records(tmp_path / "r.jsonl", [RECORD, replace(RECORD, status="crashed", times=[])])
    first, second = read_records(tmp_path / "r.jsonl")
    assert first == RECORD
    assert second.status == "crashed"
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({**json.loads(RECORD.line()), "times": "fast"}, schema)
    assert set(schema["required"]) <= set(json.loads(RECORD.line()))


def test_a_line_that_is_cut_off_is_skipped_and_not_continued(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "r.jsonl"
    path.write_text(RECORD.line() + RECORD.line()[:40])
    append_records(path, [replace(RECORD, name="later")])
    with caplog.at_level(logging.WARNING):
        assert [record.name for record in read_records(path)] == ["matmul", "later"]
    (message,) = caplog.messages
    assert message == f"{path}:2: the line is cut off and is skipped"


@pytest.mark.parametrize(
    "line",
    [
        '{"i": "llvm", "r": [1, 2]}',
        '{"v": 2}',
        "[1]",
        RECORD.line().replace('"times":[', '"times":3,"x":['),
    ],
)
def test_a_line_of_another_schema_is_one_sentence(line: str, tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    path.write_text(RECORD.line() + line.strip() + "\n")
    with pytest.raises(TilewrightError, match=r"r\.jsonl:2: the line is no tuning record"):
        read_records(path)


def test_records_of_another_target_are_one_sentence(tmp_path: Path) -> None:
    append_records(tmp_path / "r.jsonl", [replace(RECORD, target="llvm -mcpu=znver3")])
    with pytest.raises(TilewrightError, match="no record is for this target") as err:
        tuned_schedules(tmp_path / "r.jsonl", TARGET)
    assert "znver3" in str(err.value)


def test_winners_that_were_timed_again_count_more_than_lucky_times() -> None:
    lucky, final = replace(RECORD, speedup=9.0), replace(RECORD, speedup=1.5, is_final=True)
    wrong = replace(RECORD, speedup=99.0, status="failed")
    assert best_records([lucky, final, wrong]) == {(RECORD.kernel, TARGET): final}


def test_schedules_that_are_slower_than_the_plan_are_not_used(tmp_path: Path) -> None:
    append_records(tmp_path / "r.jsonl", [replace(RECORD, speedup=0.9, is_final=True)])
    # The fastest of many first times is partly luck.
    append_records(tmp_path / "r.jsonl", [RECORD])
    assert tuned_schedules(tmp_path / "r.jsonl", TARGET) == ((), ())
    append_records(tmp_path / "r.jsonl", [replace(RECORD, is_final=True)])
    (schedule,), _ = tuned_schedules(tmp_path / "r.jsonl", TARGET)
    assert (schedule.digest, schedule.text) == (RECORD.kernel, RECORD.schedule)


def test_two_processes_append_whole_lines(tmp_path: Path) -> None:
    path, long = tmp_path / "r.jsonl", replace(RECORD, schedule="x" * 70_000)
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as child:
        child.submit(append_records, path, [replace(long, name="first")]).result()
        done = [
            child.submit(append_records, path, [replace(long, name=f"child{n}")]) for n in range(20)
        ]
        for n in range(20):
            append_records(path, [replace(long, name=f"parent{n}")])
        assert [each.exception() for each in done] == [None] * 20
    names = [record.name for record in read_records(path)]
    expected = ["first"] + [f"{who}{n}" for who in ("child", "parent") for n in range(20)]
    assert sorted(names) == sorted(expected)


def test_merge_keeps_each_record_once_and_prune_the_best(tmp_path: Path) -> None:
    a, b = tmp_path / "a.jsonl", tmp_path / "b.jsonl"
    slow, failed = replace(RECORD, speedup=0.5), replace(RECORD, status="timeout")
    append_records(a, [RECORD, failed])
    append_records(b, [RECORD, slow])
    assert merged([a, b]) == [RECORD, failed, slow]
    append_records(a, [slow])
    assert rewrite(a, pruned) == 1
    assert read_records(a) == [RECORD]


def test_the_page_shows_each_schedule_and_the_best_so_far() -> None:
    speedups = [0.5, 1.2, 0.9, 2.0]
    tried = [replace(RECORD, speedup=each, schedule=f"s{each}") for each in speedups]
    final = replace(RECORD, speedup=1.9, is_final=True)
    failed = replace(RECORD, status="failed", times=[], speedup=0.0, kernel="cd" * 16, name="<b>")
    made = records_page([*tried, final, failed], "Tuning")
    assert best_so_far(speedups) == [1.0, 1.2, 1.2, 2.0]
    assert made.count("<circle") == 4
    assert "schedule 4: 2.000 times as fast; rows = 4" in made
    assert "&lt;b&gt;" in made
    assert "No schedule was measured." in made


def test_the_records_in_the_package_are_winners_of_named_machines() -> None:
    schema = json.loads((ROOT / "docs" / "records.schema.json").read_text())
    records = read_records(STARTER_FILE)
    assert STARTER_FILE.stat().st_size <= 200_000
    assert len({(r.kernel, r.target) for r in records}) == len(records) > 0
    for record in records:
        jsonschema.validate(json.loads(record.line()), schema)
        assert record.is_final
        assert record.speedup > 1.03
        assert record.target == str(Target(Target(record.target).cpu))
        is_counted = Target(record.target).architecture == "aarch64"
        assert record.unit == ("instructions" if is_counted else "s")
        assert ("emulator" in record.machine["processor"]) == is_counted
        assert set(record.versions) == {"tilewright", "llvm"}
        assert parse_scripts(ScheduleFile(record.schedule, "a record"), new_context())[1]


def test_the_records_in_the_package_are_a_plan(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "starter.jsonl"
    target = str(Target("x86-64-v3"))
    append_records(file, [replace(RECORD, target=target, is_final=True)])
    monkeypatch.setattr(settings, "STARTER_FILE", file)
    found = settings.settings_for("x86-64-v3", plan="starter")
    assert [each.digest for each in found.schedules] == [RECORD.kernel]
    assert found.key_parts() != settings.settings_for("x86-64-v3").key_parts()
    with pytest.raises(TilewrightError, match="no record is for this target"):
        settings.settings_for("x86-64-v2", plan="starter")


@pytest.mark.nightly
def test_this_compiler_uses_a_record_in_the_package(tmp_path: Path) -> None:
    path = tmp_path / "lstm.onnx"
    onnx.save(fixture_model(ROOT / "tests" / "fixtures" / "zoo" / "lstm.onnx"), path)
    known = {(record.kernel, record.target) for record in read_records(STARTER_FILE)}
    tasks = [*tasks_of(path, target="x86-64-v3"), *tasks_of(path, target="x86-64-v4")]
    assert known & {(task.digest, task.target) for task in tasks}, (
        "kernels of another structure: run benchmarks/starter_records.py"
    )

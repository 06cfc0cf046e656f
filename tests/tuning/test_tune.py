"""The loop of a search, with a runner whose times are known, and one search on this machine."""

from __future__ import annotations

import math
from concurrent.futures import Future
from pathlib import Path

import numpy as np
import pytest

import tilewright
from tilewright import te
from tilewright.schedule.schedule import Schedule
from tilewright.schedule.stage import Stage
from tilewright.support.diagnostics import ScheduleError, TargetError, TilewrightError
from tilewright.support.tuning_records import best_records, read_records
from tilewright.tuning.instruction_counts import count
from tilewright.tuning.job import Job, Measurement
from tilewright.tuning.kernel_program import check_results
from tilewright.tuning.measuring import measure
from tilewright.tuning.runner import Outcome
from tilewright.tuning.searches import make_search
from tilewright.tuning.spaces import make_space
from tilewright.tuning.task import Task, tasks_of_tensors
from tilewright.tuning.task_search import TaskSearch
from tilewright.tuning.template_space import Config, TemplateSpace, find_template, template
from tilewright.tuning.tuner import Progress, tune

AARCH64 = "llvm -mtriple=aarch64-linux-gnu -mcpu=neoverse-n1"


def product(m: int = 32, k: int = 32, n: int = 64) -> te.Tensor:
    a, b = te.placeholder((m, k), name="a"), te.placeholder((k, n), name="b")
    axis = te.reduce_axis((0, k), name="k")
    return te.compute((m, n), lambda i, j: te.sum(a[i, axis] * b[axis, j], axis=axis), name="c")


@template("test product")
def blocked(s: Schedule, c: Stage, cfg: Config) -> None:
    i, j = c.op.axis
    (k,) = c.op.reduce_axis
    io, ii = cfg.split(c, i, (1, 2, 4, 8))
    jo, ji = cfg.split(c, j, (8, 16, 32))
    cfg.reorder(c, (jo, io, k, ii, ji), (io, jo, k, ii, ji))
    c.vectorize(ji)
    cfg.annotate(c, ii)


class Runner:
    """Times that follow from the text of a schedule: tiles of 4 rows are the fastest."""

    unit = "s"

    def __init__(self, loses: int = 0) -> None:
        self.jobs: list[Job] = []
        self._loses = loses

    def submit(self, job: Job) -> Future[Outcome]:
        self.jobs.append(job)
        future: Future[Outcome] = Future()
        if len(self.jobs) <= self._loses:
            future.set_exception(ConnectionError("lost"))
        elif "factor = 2," in job.schedules[-1]:
            future.set_result(Outcome("crashed", error="SIGSEGV"))
        else:
            times = tuple((self.time_s(text),) * 3 for text in job.schedules)
            future.set_result(Outcome("measured", Measurement(times)))
        return future

    @staticmethod
    def time_s(text: str) -> float:
        base = 1.0 if "split" not in text else 0.6 if "factor = 4," in text else 2.0
        return base - 0.1 * ("unroll" in text)


def task() -> Task:
    (made,) = tasks_of_tensors(product())
    return made


def test_a_winner_must_win_three_quarters_of_its_second_rounds() -> None:
    plan = (1.0,) * 8
    lucky = Measurement((plan, (0.5,) * 5 + (1.2,) * 3))
    assert lucky.cost(is_final=False) == 0.5
    assert lucky.cost(is_final=True) == 1.2
    assert Measurement((plan, (0.5,) * 6 + (1.2,) * 2)).cost(is_final=True) == 0.5


def test_a_slower_candidate_is_timed_in_fewer_rounds() -> None:
    rounds = {2.3: 1, 2.1: 2, 1.3: 2, 1.1: 3, 1.04: 4, 1.01: 5, 0.9: 5}
    for time_s, expected in rounds.items():
        times = Job("", "", ("plan", "own")).times_by_turns(lambda n, _, own=time_s: (1.0, own)[n])
        assert times == ((1.0,) * expected, (time_s,) * expected)
    noisy = iter([1.0, 2.0, 1.0, 1.0, *[1.0, 2.0] * 3])  # the order of every second round differs
    times = Job("", "", ("plan", "own")).times_by_turns(lambda *_: next(noisy))
    assert len(times[1]) == 5


def test_a_search_finds_the_fastest_schedule_and_times_it_again(tmp_path: Path) -> None:
    runner, seen = Runner(), list[Progress]()
    path = tmp_path / "r.jsonl"
    made = tune(
        product(), space=blocked, budget=60.0, records=path, runner=runner, progress=seen.append
    )
    (found,) = made.tasks
    assert found.speedup == made.speedup == pytest.approx(2.0)
    assert "factor = 4," in found.schedule
    assert "unroll" in found.schedule
    # 48 points, none twice; winners once more.
    assert made.trials == 48
    records = read_records(path)
    assert len(records) == len(runner.jobs) == len(seen)
    assert {r.status for r in records if "factor = 2," in r.schedule} == {"crashed"}
    (best,) = best_records(records).values()
    assert best.is_final
    assert best.schedule == found.schedule
    assert runner.jobs[-1].target == best.target == str(tilewright.Target.native())


def test_the_sketch_copies_operands_whose_elements_are_not_adjacent() -> None:
    a, b = te.placeholder((20, 33), name="a"), te.placeholder((50, 33), name="b")
    k = te.reduce_axis((0, 33), name="k")
    difference = te.compute(
        (20, 50),
        lambda i, j: te.sum((a[i, k] - b[j, k]) * (a[i, k] - b[j, k]), axis=k),
        name="c",
    )
    (found,) = tasks_of_tensors(difference)
    space = make_space("sketch", found)
    assert space.start is not None
    values = {**space.values(space.start), "c.vector": "j", "c.copy1": True}
    point = space.nearest(values)
    assert point is not None
    script = space.schedule(point)
    assert "sched.cache_read" in script
    assert measure(Job(found.kernel, found.target, (found.plan, script), give_up=math.inf)).times_s


def test_a_search_begins_with_the_best_points_of_near_kernels(tmp_path: Path) -> None:
    records = tmp_path / "tuned.jsonl"
    options = {"records": records, "space": "test product", "search": "random"}
    tune(product(64, 32, 64), runner=Runner(), trials=60, **options)
    runner = Runner()
    tune(product(64, 32, 96), runner=runner, trials=2, **options)
    # The first candidate is the start of the space, the second one the point of the other kernel.
    assert "factor = 4," in runner.jobs[1].schedules[-1]
    assert "unroll" in runner.jobs[1].schedules[-1]


def test_a_later_search_continues_with_the_records(tmp_path: Path) -> None:
    path, first, second = tmp_path / "r.jsonl", Runner(), Runner()
    tune(product(), space=blocked, budget=60.0, trials=20, records=path, runner=first)
    made = tune(product(), space=blocked, budget=60.0, records=path, runner=second)
    tried = [job.schedules[-1] for job in first.jobs], [job.schedules[-1] for job in second.jobs]
    known = {record.schedule for record in read_records(path)}
    assert made.speedup == pytest.approx(2.0)
    assert len(known) == 48
    again = set(tried[0]) & set(tried[1])
    assert not again, "only new schedules are measured"


def test_a_later_search_times_the_last_winner_again(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    tune(product(), space=blocked, budget=60.0, trials=20, records=path, runner=Runner())
    first = [record for record in read_records(path) if not record.is_final]
    path.write_text("".join(record.line() for record in first))
    tuned = tune(product(), space=blocked, budget=60.0, trials=1, records=path, runner=Runner())
    assert tuned.speedup == pytest.approx(2.0)
    assert any(record.is_final for record in read_records(path))


def test_records_need_their_suffix(tmp_path: Path) -> None:
    with pytest.raises(TilewrightError, match=r"suffix \.jsonl"):
        tune(product(), budget=1.0, records=tmp_path / "r.json")


def test_many_points_with_one_schedule_do_not_end_a_later_search(tmp_path: Path) -> None:
    def redundant(s: Schedule, c: Stage, cfg: Config) -> None:
        cfg.number("nothing", range(100))
        c.split(c.op.axis[0], factor=cfg.number("rows", range(1, 33)))

    for trials in (31, 1):
        made = tune(
            product(),
            budget=60.0,
            trials=trials,
            space=redundant,
            search="random",
            records=tmp_path / "r.jsonl",
            runner=Runner(),
        )
        assert made.trials == trials


def test_a_job_that_its_executor_loses_is_submitted_again() -> None:
    runner = Runner(loses=2)
    made = tune(product(), space=blocked, budget=60.0, trials=5, runner=runner)
    assert made.trials == 5
    assert len({job.schedules for job in runner.jobs[:3]}) == 1


def test_the_budget_ends_a_search_whose_jobs_do_not_end() -> None:
    class Hanging(Runner):
        def submit(self, job: Job) -> Future[Outcome]:
            return Future()

    assert tune(product(), space=blocked, budget=0.3, runner=Hanging()).trials == 0


@pytest.mark.parametrize("text", ["5 minutes", "-1s", "m"])
def test_a_malformed_budget_is_an_error(text: str) -> None:
    with pytest.raises(TilewrightError, match="malformed length of time"):
        tune(product(), budget=text, runner=Runner())


def test_another_machine_needs_a_runner() -> None:
    with pytest.raises(TargetError, match="cannot be loaded on this machine"):
        tune(product(), target=AARCH64, budget="5s")


def test_tasks_with_more_to_gain_come_first() -> None:
    space = TemplateSpace(blocked, task())
    rows = [
        TaskSearch(task(), make_search("random", space), share=share, threads=1, known=())
        for share in (0.1, 0.9)
    ]
    assert rows[0].expected_gain < rows[1].expected_gain
    never = Outcome("refused")
    for _ in range(40):
        candidate = rows[1].next()
        assert candidate is not None
        rows[1].done(candidate, never)
    assert rows[1].expected_gain < rows[0].expected_gain


def test_a_template_names_what_is_wrong() -> None:
    def two_choices(s: Schedule, c: Stage, cfg: Config) -> None:
        cfg.number("n", [1])
        cfg.number("n", [2])

    with pytest.raises(ScheduleError, match="makes no legal schedule of @c") as err:
        TemplateSpace(two_choices, task())
    assert "knob n has other choices" in str(err.value)
    with pytest.raises(ScheduleError, match="no template is named nothing"):
        find_template("nothing")
    with pytest.raises(ScheduleError, match="a template is named test product already"):
        template("test product")(two_choices)


def test_a_template_of_15_lines_makes_a_product_five_times_as_fast_as_its_loops() -> None:
    """Instructions of AArch64 code, counted in an emulator, which no other process disturbs."""
    pytest.importorskip("unicorn")
    (own,) = tasks_of_tensors(product(), target=AARCH64)
    space = TemplateSpace(blocked, own)
    values = {"i.split": 4, "j.split": 16, "order": 0, "ii.annotate": "unroll"}
    point = space.point(values)
    assert point is not None
    made = count(Job(own.kernel, own.target, (own.plan, "", space.schedule(point))))
    (plan,), (loops,), (tuned,) = made.times_s
    assert loops / tuned > 5
    assert tuned < 1.25 * plan
    assert count(Job(own.kernel, own.target, (own.plan,))).times_s == ((plan,),)


def test_a_schedule_with_other_results_has_no_time() -> None:
    own = task()
    wrong = Job(own.kernel.replace("arith.mulf", "arith.addf"), own.target, (own.plan,))
    assert len(measure(wrong).times_s) == 1  # another kernel, with right results of its own

    space = make_space("sketch", own)
    assert space.start is not None
    started = space.schedule(space.start)
    illegal = started.replace("{axis = ki, ", "{axis = unknown, ")
    assert illegal != started
    with pytest.raises(ScheduleError, match="unknown"):
        measure(Job(own.kernel, own.target, (illegal,)))
    job = Job(own.kernel, own.target, (own.plan, started), rounds=2)
    assert all(math.isfinite(x) and x > 0 for times in measure(job).times_s for x in times)


def test_integer_results_of_a_candidate_must_be_equal() -> None:
    floats, integers = np.full(4, 3.0, np.float32), np.full(4, 3, np.int8)
    check_results([floats * np.float32(1 + 1e-6), integers], [floats, integers])
    special = np.array([np.nan, np.inf, -np.inf, 3.0], np.float32)
    check_results([special * np.float32(1 + 1e-6)], [special])
    for got in (floats, -special, np.where(np.isnan(special), floats, special)):
        with pytest.raises(TilewrightError, match="result 0 of the candidate changed"):
            check_results([got], [special])
    with pytest.raises(TilewrightError, match="result 0 of the candidate changed"):
        check_results([special], [floats])
    with pytest.raises(TilewrightError, match="result 1 of the candidate changed"):
        check_results([floats, integers + np.int8(1)], [floats, integers])


def test_tuned_schedules_replace_those_of_the_plan(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    tune(product(), space=blocked, budget=60.0, records=path, runner=Runner())
    plan, tuned = tilewright.build(product()), tilewright.build(product(), plan=path)
    assert "factor = 4" in tuned.get_source("sched")
    assert "factor = 4" not in plan.get_source("sched")
    assert tilewright.build(product(), plan=path).code == tuned.code != plan.code
    rng = np.random.default_rng(0)
    a, b = rng.standard_normal((32, 32), np.float32), rng.standard_normal((32, 64), np.float32)
    np.testing.assert_allclose(tuned(a, b).numpy(), a @ b, rtol=1e-4, atol=1e-4)
    # A schedule by hand replaces a tuned one, and a model without the kernel is compiled as usual.
    folder = tmp_path / "plan"
    plan.dump_schedules(folder)
    (folder / path.name).write_text(path.read_text())
    both = tilewright.build(product(), plan=folder)
    assert both.code == plan.code
    other = tilewright.build(product(16), plan=path)
    assert other.code == tilewright.build(product(16)).code

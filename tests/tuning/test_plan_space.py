"""The space of the plan's points: its start is the plan, and its points are schedules."""

from __future__ import annotations

import random

import pytest

from tilewright import te
from tilewright.support.diagnostics import ScheduleError
from tilewright.targets.cpu.cost import search
from tilewright.testing.fuzz.draw import Draw
from tilewright.testing.fuzz.graph_builder import GraphBuilder
from tilewright.tuning.plan_space import PlanSpace
from tilewright.tuning.sketch import sketch
from tilewright.tuning.spaces import make_space
from tilewright.tuning.task import Task, tasks_of, tasks_of_tensors
from tilewright.tuning.template_space import TemplateSpace

TARGET = "llvm -mcpu=x86-64-v3"


def product(target: str = TARGET) -> Task:
    a, b = te.placeholder((48, 64), name="a"), te.placeholder((64, 96), name="b")
    k = te.reduce_axis((0, 64), name="k")
    c = te.compute((48, 96), lambda i, j: te.sum(a[i, k] * b[k, j], axis=k), name="c")
    (task,) = tasks_of_tensors(c, target=target)
    return task


def test_the_start_is_the_schedule_of_the_plan() -> None:
    task = product()
    space = make_space("plan", task)
    assert isinstance(space, PlanSpace)
    assert space.start is not None
    assert space.schedule(space.start) == task.plan
    assert "tile" in space.values(space.start)


def test_the_prior_estimates_what_the_runner_measures() -> None:
    task = product("aarch64")
    for unit in ("s", "instructions"):
        space = make_space("plan", task, unit)
        assert isinstance(space, PlanSpace)
        assert space.start is not None
        cost = space.cost(space.start)
        wanted = cost.cycles if unit == "s" else cost.instructions
        assert space.prior(space.start) == pytest.approx(wanted, rel=0.05)


def test_points_are_other_schedules_or_refused_with_a_reason() -> None:
    space, rng = PlanSpace(product()), random.Random(0)
    texts, reasons = set[str](), set[str]()
    for _ in range(60):
        point = space.draw(rng)
        assert space.point(space.values(point)) == point
        try:
            texts.add(space.schedule(point))
        except ScheduleError as err:
            reasons.add(str(err))
    assert len(texts) > 20
    assert all("no point of the plan of @c" in reason for reason in reasons)


def test_a_point_is_written_without_the_search_of_the_plan(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    space = PlanSpace(product())
    assert space.start is not None
    points = [(*space.start[:-1], n) for n in range(len(space.knobs[-1].choices))]
    monkeypatch.delattr(search, "SWEEPS")  # which each search reads
    assert {space.schedule(point) for point in points} > {space.schedule(space.start)}


def test_a_kernel_without_points_has_the_space_of_its_definition() -> None:
    x = te.placeholder((16, 32), name="x")
    (task,) = tasks_of_tensors(
        te.compute((16, 32), lambda i, j: te.exp(x[i, j]), name="y"), target=TARGET
    )
    space = make_space("plan", task)
    assert isinstance(space, TemplateSpace)
    assert space.name == "template sketch"
    assert space.knobs == TemplateSpace(sketch, task, "sketch").knobs


def test_the_prior_of_a_convolution_ignores_the_border_of_its_result() -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(PlanSpace, "cost", None)  # the slow model, which applies schedules
        g = GraphBuilder(Draw("border"))
        x, w = g.input(1, 16, 14, 14), g.weight(16, 16, 3, 3)
        first = g.op("Relu", g.op("Conv", x, w, strides=[2, 2], pads=[1] * 4))
        g.output(g.op("Conv", first, g.weight(16, 16, 3, 3), pads=[1] * 4))
        tasks = tasks_of(g.model().SerializeToString(), target=TARGET)
        found = [task for task in tasks if "halo" in task.kernel]
        space = PlanSpace(max(found, key=lambda task: task.flops))
        assert space.start is not None
        assert (space.prior(space.start) or 0.0) > 0.0


@pytest.mark.parametrize("cpu", ["x86-64-v4", "x86-64-v2"])
def test_the_space_follows_the_target(cpu: str) -> None:
    x = te.placeholder((8, 64), name="x")
    w = te.placeholder((64, 32), name="w")
    k = te.reduce_axis((0, 64), name="k")
    y = te.compute((8, 32), lambda i, j: te.sum(x[i, k] * w[k, j], axis=k), name="y")
    (task,) = tasks_of_tensors(y, target=f"llvm -mcpu={cpu}")
    assert PlanSpace(task).size > 1

"""Searches behind ask and tell, on a space without schedules whose best point is known."""

from __future__ import annotations

import importlib.util
import math
from typing import Any

import pytest

from tilewright.support.diagnostics import TilewrightError
from tilewright.tuning.searches import SEARCHES, make_search
from tilewright.tuning.space import Knob, Point, Space

TREES = pytest.param(
    "trees",
    marks=pytest.mark.skipif(
        importlib.util.find_spec("lightgbm") is None, reason="needs lightgbm (the extra tuning)"
    ),
)
NAMES = [name if name != "trees" else TREES for name in SEARCHES]
GUIDED = [name for name in NAMES if name not in ("random", "grid")]


class Bowl(Space):
    """Ten choices for each of five knobs; the cost is the distance from the choice 7."""

    name = "bowl"

    def __init__(self, choices: int = 10, knobs: int = 5) -> None:
        self.knobs = tuple(Knob(f"k{n}", tuple(range(choices))) for n in range(knobs))
        self.start = (0,) * knobs

    def schedule(self, point: Point) -> str:
        return str(point)

    def cost(self, point: Point) -> float:
        return 1.0 + sum((index - 7) ** 2 for index in point)


def run(name: str, space: Bowl, points: int, seed: int = 0) -> list[tuple[Point, float]]:
    search, made = make_search(name, space, seed), []
    for _ in range(points):
        point = search.ask()
        if point is None:
            break
        made.append((point, space.cost(point)))
        search.tell(*made[-1])
    return made


@pytest.mark.parametrize("name", NAMES)
def test_a_search_starts_with_the_start_and_never_repeats_a_point(name: str) -> None:
    points = [point for point, _ in run(name, Bowl(4, 3), 64)]
    assert points[0] == (0, 0, 0)
    assert len(points) == len(set(points)) > 32
    assert all(0 <= index < 4 for point in points for index in point)


@pytest.mark.parametrize("name", NAMES)
def test_a_search_repeats_with_its_seed(name: str) -> None:
    assert run(name, Bowl(), 40, 3) == run(name, Bowl(), 40, 3)


def test_the_grid_has_every_point_once() -> None:
    points = [point for point, _ in run("grid", Bowl(3, 3), 100)]
    assert len(points) == len(set(points)) == 27


@pytest.mark.parametrize("name", GUIDED)
def test_guided_searches_find_better_points_than_random_ones(name: str) -> None:
    def best(name: str) -> float:
        runs = (run(name, Bowl(), 150, seed) for seed in range(3))
        return sum(min(cost for _, cost in made) for made in runs)

    assert best(name) < 0.6 * best("random")


@pytest.mark.parametrize("name", NAMES)
def test_points_without_a_measurement_do_not_end_a_search(name: str) -> None:
    search = make_search(name, Bowl(3, 3))
    for _ in range(20):
        point = search.ask()
        assert point is not None
        search.tell(point, math.inf)
    assert search.best(1) == []


def test_points_of_earlier_runs_are_not_asked_again() -> None:
    search = make_search("grid", Bowl(2, 2))
    search.tell((0, 0), 1.0)
    search.tell((0, 1), 2.0)
    assert [search.ask() for _ in range(3)] == [(1, 0), (1, 1), None]


def test_an_unknown_search_is_an_error() -> None:
    with pytest.raises(TilewrightError, match="unknown search"):
        make_search("magic", Bowl())


def test_optuna_drives_a_space_by_ask_and_tell() -> None:
    optuna: Any = pytest.importorskip("optuna", reason="the extra tuning")
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    space = Bowl(10, 2)
    study = optuna.create_study(sampler=optuna.samplers.RandomSampler(seed=0))
    for _ in range(20):
        trial = study.ask()
        point = tuple(trial.suggest_int(k.name, 0, len(k.choices) - 1) for k in space.knobs)
        study.tell(trial, space.cost(point))
    assert study.best_value == min(trial.value for trial in study.trials)

"""Points of the fewest modelled cycles: the search, and products for several counts of cores."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, replace
from math import ceil, inf
from typing import Any

import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp

from tilewright.dialects.sizes import record_sizes
from tilewright.dialects.te import kernels_of
from tilewright.driver.compile_module import compile_module
from tilewright.driver.passes.pipeline import run_pipeline
from tilewright.frontend.onnx.importer import import_model
from tilewright.interp.program import interpret, random_inputs
from tilewright.machines.cpu_numbers import GENERIC, NUMBERS
from tilewright.machines.target import Target, missing_features
from tilewright.support.entry import entry_of
from tilewright.support.registry import new_context
from tilewright.targets.cpu.cost.kernel_cost import kernel_cost
from tilewright.targets.cpu.cost.search import MOST_COSTS, cheapest
from tilewright.targets.cpu.plan import plan_kernel
from tilewright.targets.cpu.plan.points.choice import Choice, P
from tilewright.targets.cpu.plan.points.product import ProductPoint
from tilewright.targets.cpu.plan.points.product_cost import product_costs
from tilewright.targets.cpu.plan.space import fault_of, plan_point
from tilewright.testing.models import ffn_model

from ... import programs
from .test_plan import AVX2, AVX512


@dataclass(frozen=True)
class Pair:
    """A point of two numbers."""

    x: int
    y: int


MOVES = [
    lambda p: [replace(p, x=n) for n in range(9)],
    lambda p: [replace(p, y=n) for n in range(9)],
]


def found(cost: Callable[[Pair], float], fault: Callable[[Pair], str] = lambda _: "") -> Pair:
    """Return the cheapest point near the pair of zeros."""
    return cheapest(Pair(0, 0), MOVES, cost, fault)


def test_the_search_follows_one_move_after_another() -> None:
    assert found(lambda p: 100 + 9 * (p.x - 5) ** 2 + (p.y - 2) ** 2) == Pair(5, 2)


def test_a_small_gain_is_no_reason_to_move() -> None:
    assert found(lambda p: 100 - 0.1 * p.x) == Pair(0, 0)
    assert found(lambda p: 100 - 4.0 * (p.x == 4)) == Pair(4, 0)


def test_the_search_takes_no_illegal_point() -> None:
    odd = found(lambda p: 100 - 5 * p.x, lambda p: "even" if p.x % 2 == 0 else "")
    assert odd == Pair(7, 0)
    assert found(lambda p: 100 if p == Pair(0, 0) else inf) == Pair(0, 0)


def test_the_search_computes_few_costs() -> None:
    seen: list[Pair] = []

    def cost(point: Pair) -> float:
        seen.append(point)
        return float(len(seen))

    cheapest(Pair(0, 0), [lambda p: [replace(p, x=n) for n in range(1000)]], cost, lambda _: "")
    assert len(seen) == len(set(seen)) == MOST_COSTS


PRODUCTS: dict[str, Callable[[], ModuleOp]] = {
    "row": lambda: programs.matmul(1, 200, 300),
    "thin": lambda: programs.matmul(20, 144, 256),
    "few columns": lambda: programs.matmul(100, 40, 64),
    "long sum": lambda: programs.matmul(24, 64, 3000),
    "two operands": lambda: programs.dynamic(70, 100, 48),
    "batched": lambda: programs.batched(6, 24, 96, 32),
}


def with_cores(monkeypatch: pytest.MonkeyPatch, target: Target, *cores: int) -> None:
    """Let plans of a target divide tasks for these counts of cores."""
    monkeypatch.setitem(NUMBERS, target.cpu, replace(GENERIC, cores=cores))  # pyright: ignore


@pytest.mark.parametrize("name", PRODUCTS)
@pytest.mark.parametrize("target", [AVX2, AVX512], ids=["avx2", "avx512"])
def test_cores_change_no_sums(name: str, target: Target, monkeypatch: pytest.MonkeyPatch) -> None:
    points: list[ProductPoint] = []
    for cores in (1, 8, 16):
        with_cores(monkeypatch, target, cores)
        module = PRODUCTS[name]()
        run_pipeline(module, new_context(), target, to="te")
        (kernel,) = kernels_of(module)
        point = plan_point(kernel, target)
        assert isinstance(point, ProductPoint)
        assert fault_of(point, kernel, target) == ""
        points.append(point)
    assert len({(p.k_block, p.spread, p.unroll) for p in points}) == 1


@pytest.mark.parametrize("name", PRODUCTS)
@pytest.mark.parametrize("cpu", ["x86-64", "x86-64-v4", "neoverse-n1"])
def test_no_random_point_is_cheaper(name: str, cpu: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Take steps to random legal points, from the plan's and from there on."""
    target, rng = Target(cpu), random.Random(f"{name} {cpu}")
    with_cores(monkeypatch, target, 1)
    module = PRODUCTS[name]()
    run_pipeline(module, new_context(), target, to="te")
    (kernel,) = kernels_of(module)
    choices: list[Choice[Any]] = []

    def choose(choice: Choice[P]) -> P:
        choices.append(choice)
        return choice.default

    plan_kernel(kernel, target, choose)
    (choice,), costs = choices, product_costs(kernel, choices)
    assert costs is not None
    best = costs.cost(choice.default)
    assert best is not None
    point, seen = choice.default, 0
    for _ in range(30):
        axes = choice.axes(point)
        field = rng.choice(sorted(axes.keys() - {"epilogue"}))
        point = replace(point, **{field: rng.choice(axes[field])})
        found = costs.cost(point)
        if found is not None:
            assert best.cycles <= 1.03 * found.cycles, point
            seen += 1
    assert seen > 5


@pytest.mark.parametrize("columns", [4, 16, 48, 1000])
def test_all_heights_of_symbolic_rows_have_few_sums(columns: int) -> None:
    """A tile of 28 rows by one vector has 406 sums in its heights, one of 13 by two and a rest 364.

    In networks, such products take a small part of the time.
    """
    module = import_model(ffn_model(m="m", k=64, n=columns))
    record_sizes(entry_of(module))
    run_pipeline(module, new_context(), AVX512, to="te")
    kernel, *_ = kernels_of(module)
    point = plan_point(kernel, AVX512)
    assert isinstance(point, ProductPoint)
    width, lanes = point.tile.vectors, 16
    full, rest = divmod(columns, width * lanes)
    widths = width * (full > 0) + ceil(rest / lanes)
    assert point.tile.rows * (point.tile.rows + 1) // 2 * widths <= 220


@pytest.mark.parametrize("name", ["thin", "few columns"])
def test_results_are_bitwise_equal_for_all_cores(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Reference: the interpreter of graphs, which is numpy."""
    if missing_features(AVX2):
        pytest.skip("needs AVX2")
    module, got, scripts = PRODUCTS[name](), list[np.ndarray](), set[str]()
    inputs = random_inputs(module)
    (expected,) = interpret(module, inputs)
    for cores in (1, 16):
        with_cores(monkeypatch, AVX2, cores)
        planned = PRODUCTS[name]()
        run_pipeline(planned, new_context(), AVX2, to="sched")
        scripts.add(str(planned))
        mod = compile_module(PRODUCTS[name](), target=AVX2, cache=False)
        got.append(mod.run(inputs)[0].numpy())
    assert len(scripts) == 2, "the plans differ"
    np.testing.assert_allclose(got[0], expected, rtol=1e-4, atol=1e-4)
    np.testing.assert_array_equal(got[0].view(np.uint32), got[1].view(np.uint32))


@pytest.mark.parametrize(
    ("m", "n", "k"),
    [(128, 1024, 1024), (64, 2048, 784), (1, 1000, 512), (1, 768, 3072), (100, 40, 512)],
)
def test_the_busiest_core_has_little_more_than_an_even_share(m: int, n: int, k: int) -> None:
    target, module = Target("llvm -mcpu=znver4"), programs.matmul(m, n, k)
    run_pipeline(module, new_context(), target, to="scheduled")
    (kernel,) = kernels_of(module)
    tasks = kernel_cost(kernel, target).tasks
    assert all(ceil(tasks / cores) * cores <= 1.25 * tasks for cores in (8, 16))

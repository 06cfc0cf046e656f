"""The cost of points of direct convolutions, and the choice of the cheapest one."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp

from tilewright.dialects.te import ComputeOp, KernelOp, kernels_of
from tilewright.driver.compile_module import compile_module
from tilewright.driver.passes.pass_context import PassContext
from tilewright.driver.passes.pipeline import run_pipeline
from tilewright.interp.program import interpret, random_inputs
from tilewright.machines.cpu_numbers import GENERIC, NUMBERS
from tilewright.machines.target import Target, missing_features
from tilewright.passes.schedule.apply_schedule import ApplySchedule
from tilewright.support.registry import new_context
from tilewright.targets.cpu.cost.kernel_cost import kernel_cost
from tilewright.targets.cpu.plan import declare_intrinsics, plan_kernel
from tilewright.targets.cpu.plan.contraction import TiledContraction
from tilewright.targets.cpu.plan.points.choice import Choice, P
from tilewright.targets.cpu.plan.points.convolution import ConvolutionPoint
from tilewright.targets.cpu.plan.points.convolution_cost import ConvolutionCosts
from tilewright.targets.cpu.plan.space import plan_point, script_of

from ... import programs

AVX2 = Target("llvm -mcpu=x86-64-v3")
DIRECT = PassContext(disabled_pass=["cpu-choose-algorithms"])
"""No Winograd convolutions."""


def choice_of(kernel: KernelOp, target: Target) -> Choice[Any]:
    """Return the choice that the plan makes for the kernel of a convolution."""
    choices: list[Choice[Any]] = []

    def choose(choice: Choice[P]) -> P:
        choices.append(choice)
        return choice.default

    plan_kernel(kernel, target, choose)
    (choice,) = choices
    return choice


def convolutions(module: ModuleOp, target: Target) -> list[KernelOp]:
    """Return the kernels of a module with a point of a direct convolution."""
    run_pipeline(module, new_context(), target, to="sched", context=DIRECT)
    points = [(kernel, plan_point(kernel, target)) for kernel in kernels_of(module)]
    return [kernel for kernel, point in points if isinstance(point, ConvolutionPoint)]


@pytest.mark.one_in(2)
@pytest.mark.parametrize("cpu", ["x86-64-v3", "znver4"])
@pytest.mark.parametrize(
    "shape", [(64, 96, 28, 1), (256, 48, 17, 1), (32, 64, 20, 3), (128, 64, 14, 3)]
)
def test_a_point_costs_what_its_scheduled_kernel_costs(
    shape: tuple[int, int, int, int], cpu: str
) -> None:
    """Compare the nest of a point with the loops that the schedule makes of it."""
    target, rng = Target(cpu), random.Random(f"{shape} {cpu}")
    kernel = convolutions(programs.conv(*shape), target)[-1]
    assert len([op for op in kernel.body.walk() if isinstance(op, ComputeOp)]) == 1
    choice = choice_of(kernel, target)
    assert isinstance(choice.subject, TiledContraction)
    costs, point = ConvolutionCosts(choice.subject), choice.default
    ratios: list[float] = []
    for _ in range(5):
        fast, script = costs.cost(point), script_of(kernel, point, target)
        module = ModuleOp([kernel.clone(), script])
        declare_intrinsics(module, script)
        ApplySchedule(target).apply(new_context(), module)
        (done,) = kernels_of(module)
        slow = kernel_cost(done, target)
        assert fast.compute == pytest.approx(slow.compute)
        assert fast.tiles == pytest.approx(slow.tiles)
        assert fast.tasks == slow.tasks
        ratios.append(fast.cycles / slow.cycles)
        axes = choice.axes(point)
        name = rng.choice(sorted(axes))
        point = replace(point, **{name: rng.choice(axes[name])})
    assert all(0.9 < ratio < 1.1 for ratio in ratios)
    assert sorted(ratios)[len(ratios) // 2] == pytest.approx(1, abs=0.02)


@pytest.mark.parametrize("cpu", ["x86-64-v3", "znver4", "neoverse-v1"])
@pytest.mark.parametrize("shape", [(256, 64, 56, 1), (1024, 256, 14, 1), (128, 96, 14, 3)])
def test_few_points_are_cheaper_than_the_chosen_one(
    shape: tuple[int, int, int, int], cpu: str
) -> None:
    """Compare with random points: the search from a neutral point finds nearly the cheapest."""
    target, rng = Target(cpu), random.Random(f"{shape} {cpu}")
    choice = choice_of(convolutions(programs.conv(*shape), target)[-1], target)
    assert isinstance(choice.subject, TiledContraction)
    costs, drawn = ConvolutionCosts(choice.subject), list[ConvolutionPoint]()
    point = choice.default
    assert choice.fault(point) == ""
    for _ in range(60):
        field, values = rng.choice(sorted(choice.axes(point).items()))
        point = replace(point, **{field: rng.choice(values)})
        drawn.append(point)
    least = min(costs.cost(point).cycles for point in drawn)
    assert costs.cost(choice.default).cycles < 1.035 * least
    assert max(costs.cost(point).cycles for point in drawn) > 1.2 * least


@pytest.mark.parametrize("channels", [64, 128, 1024])
def test_accumulators_add_up_few_terms(channels: int) -> None:
    """At most 2048 terms, so that the error of long sums grows slowly."""
    target = Target("llvm -mcpu=x86-64-v3 -l2-kib=2048")
    point = choice_of(convolutions(programs.conv(channels, 32, 14, 5), target)[-1], target).default
    blocks = point.k_block or channels // 8
    assert blocks * 8 * 25 <= 2048


@pytest.mark.parametrize("shape", [(32, 16, 56, 3), (64, 64, 28, 3), (512, 256, 14, 1)])
def test_tasks_are_even_shares_of_several_cores(shape: tuple[int, int, int, int]) -> None:
    choice = choice_of(convolutions(programs.conv(*shape), AVX2)[-1], AVX2)
    assert isinstance(choice.subject, TiledContraction)
    cost = ConvolutionCosts(choice.subject).cost(choice.default)
    assert cost.busiest_core((2, 4, 8)) < 1.1 * cost.cycles


CONVOLUTIONS: dict[str, Callable[[], ModuleOp]] = {
    "1x1": lambda: programs.conv(64, 96, 20, 1),
    "3x3": lambda: programs.conv(48, 32, 14, 3, chain=False),
    "stride 2": lambda: programs.conv(32, 64, 17, 3, stride=2),
    "groups": lambda: programs.conv(64, 64, 9, 3, groups=2),
    "first": lambda: programs.conv(3, 32, 24, 3, stride=2, chain=False),
}


@pytest.mark.parametrize("name", CONVOLUTIONS)
def test_cores_change_no_results(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Reference: the interpreter of graphs, which is numpy."""
    if missing_features(AVX2):
        pytest.skip("needs AVX2")
    inputs = random_inputs(CONVOLUTIONS[name]())
    (expected,) = interpret(CONVOLUTIONS[name](), inputs)
    got: list[np.ndarray[Any, Any]] = []
    for cores in (1, 16):
        monkeypatch.setitem(NUMBERS, AVX2.cpu, replace(GENERIC, cores=(cores,)))  # pyright: ignore
        mod = compile_module(CONVOLUTIONS[name](), target=AVX2, cache=False)
        got.append(mod.run(inputs)[0].numpy())
    np.testing.assert_allclose(got[0], expected, rtol=1e-4, atol=1e-4)
    np.testing.assert_array_equal(got[0].view(np.uint32), got[1].view(np.uint32))

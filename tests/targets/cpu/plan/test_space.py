"""Points of plans: every legal point computes the same, and the rules' point is cpu-plan's plan."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np
import pytest
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from tilewright.dialects.te import kernels_of
from tilewright.driver.compile_module import compile_module
from tilewright.driver.extension import Extension
from tilewright.driver.passes.pipeline import run_pipeline
from tilewright.interp.program import interpret, random_inputs
from tilewright.machines.target import Target, missing_features
from tilewright.support.diagnostics import ScheduleError
from tilewright.support.registry import new_context
from tilewright.targets.cpu.plan import declare_intrinsics, plan_kernel
from tilewright.targets.cpu.plan.points.product import ProductPoint
from tilewright.targets.cpu.plan.space import (
    Point,
    data_of,
    fault_of,
    kind_of,
    plan_point,
    point_of,
    script_of,
    space_of,
)
from tilewright.targets.cpu.plan.tiles import RegisterTile

from ... import programs
from .test_plan import AVX2, AVX512

STEPS, DRAWN = 5, 1
"""Fields in which a drawn point may differ, and modules compiled per program."""


def drawn(point: Point, change: Callable[[Point], Point | None]) -> Point:
    """Return a point after several changes of one field each."""
    for _ in range(STEPS):
        point = change(point) or point
    return point


@dataclass(frozen=True)
class OtherPoints(ModulePass):
    """A pass that writes the schedules of points drawn at random; it records them in ``points``."""

    name = "other-points"

    target: Target
    rng: random.Random
    points: list[Point] = field(default_factory=list[Point])

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for kernel in kernels_of(op):
            default = plan_point(kernel, self.target)
            if default is None:
                continue
            same = script_of(kernel, default, self.target)
            assert str(same) == str(plan_kernel(kernel, self.target))
            assert fault_of(default, kernel, self.target) == ""

            def change(point: Point, kernel: object = kernel) -> Point:
                axes = space_of(point, kernel, self.target)  # pyright: ignore[reportArgumentType]
                name = self.rng.choice(sorted(axes))
                return replace(point, **{name: self.rng.choice(axes[name])})

            point = drawn(default, change)
            assert point_of(kind_of(point), json.loads(json.dumps(data_of(point)))) == point
            script = script_of(kernel, point, self.target)
            op.body.block.insert_op_after(script, kernel)
            declare_intrinsics(op, script)
            self.points.append(point)


CASES: dict[str, Callable[[], ModuleOp]] = {
    "matmul": lambda: programs.matmul(22, 96, 160),
    "row": lambda: programs.matmul(1, 40, 64),
    "ragged": lambda: programs.matmul(9, 33, 50),
    "dynamic": lambda: programs.dynamic(40, 64, 32),
    "transposed": lambda: programs.dynamic(17, 24, 48, transposed=True),
    "batched": lambda: programs.batched(2, 7, 32, 24),
    "conv": lambda: programs.conv(32, 32, 9, 3),
    "pointwise conv": lambda: programs.conv(48, 32, 7, 1),
    "strided conv": lambda: programs.conv(16, 32, 11, 3, stride=2),
    "grouped conv": lambda: programs.conv(32, 32, 6, 3, groups=2),
    "weight gradient": lambda: programs.weight_gradient(2, 3, 8, 20, 5, stride=2),
}


@pytest.mark.one_in(4)
@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("target", [AVX2, AVX512], ids=["avx2", "avx512"])
def test_a_random_legal_point_computes_the_same(name: str, target: Target) -> None:
    """Reference: the interpreter of graphs, which is numpy."""
    module = CASES[name]()
    inputs = random_inputs(module)
    expected = interpret(module, inputs)
    if missing_features(target):
        pytest.skip(f"needs a processor with {target.cpu}")
    for seed in range(DRAWN):
        plan = OtherPoints(target, random.Random(f"{name} {target} {seed}"))
        extension = Extension(passes={"cpu-plan": [plan]})
        mod = compile_module(module, target=target, extensions=[extension], cache=False)
        assert plan.points
        for got, want in zip(mod.run(inputs), expected, strict=True):
            np.testing.assert_allclose(got.numpy(), want, rtol=1e-4, atol=1e-4)


def test_an_illegal_point_has_a_reason() -> None:
    seen: list[str] = []

    @dataclass(frozen=True)
    class Ask(ModulePass):
        name = "ask"

        def apply(self, ctx: Context, op: ModuleOp) -> None:
            for kernel in kernels_of(op):
                point = plan_point(kernel, AVX2)
                assert isinstance(point, ProductPoint)
                bad = replace(point, tile=RegisterTile(40, 8))
                seen.append(fault_of(bad, kernel, AVX2))
                with pytest.raises(ScheduleError, match="does not fit kernel"):
                    script_of(kernel, bad, AVX2)
                seen.append(fault_of(replace(point, copy=1), kernel, AVX2))

    module = programs.matmul(22, 96, 160)
    extension = Extension(passes={"cpu-plan": [Ask()]})
    run_pipeline(module, new_context(), AVX2, to="sched", extensions=[extension])
    assert seen == [
        "the register tile does not fit in the registers",
        "weights are not copied",
    ]

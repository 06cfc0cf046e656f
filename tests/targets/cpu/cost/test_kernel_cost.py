"""The cost of scheduled kernels, compared with counts of their elements and with lower bounds."""

from __future__ import annotations

import itertools
import random
from collections.abc import Sequence
from dataclasses import replace
from math import prod
from typing import Any

import pytest
from xdsl.dialects.builtin import MemRefType, ModuleOp, f32
from xdsl.utils.test_value import create_ssa_value

from tilewright import te
from tilewright.dialects.loop import ForOp
from tilewright.dialects.te import KernelOp, kernels_of
from tilewright.driver.passes.pipeline import run_pipeline
from tilewright.machines.target import Target
from tilewright.passes.schedule.apply_schedule import ApplySchedule
from tilewright.passes.schedule.match_schedules import use_schedules
from tilewright.support.affine import Atom, Index, constant, unknown_range, variable
from tilewright.support.registry import new_context
from tilewright.support.schedule_files import ScheduleFile
from tilewright.targets.cpu.cost.cycles import LINE_BYTES, FarTraffic, cycle_model
from tilewright.targets.cpu.cost.footprint import BufferAccess
from tilewright.targets.cpu.cost.kernel_cost import kernel_cost
from tilewright.targets.cpu.cost.nest import leaves_of, nest_of
from tilewright.targets.cpu.cost.parts import KernelCost
from tilewright.targets.cpu.plan import declare_intrinsics, plan_kernel
from tilewright.targets.cpu.plan.points.choice import Choice, P
from tilewright.targets.cpu.plan.points.product import ProductPoint
from tilewright.targets.cpu.plan.points.product_cost import ProductCosts, product_costs
from tilewright.targets.cpu.plan.space import plan_point, script_of, space_of
from tilewright.targets.cpu.plan.tiles import RegisterTile
from tilewright.tuning.kernel_program import parsed_kernel
from tilewright.tuning.plan_space import PlanSpace
from tilewright.tuning.task import Task, tasks_of_tensors

from ... import programs

AVX512 = Target("llvm -mcpu=x86-64-v4")


def product(m: int, k: int, n: int, target: Target = AVX512) -> Task:
    """Return the kernel of a matrix product."""
    a, b = te.placeholder((m, k), name="a"), te.placeholder((k, n), name="b")
    axis = te.reduce_axis((0, k), name="k")
    c = te.compute((m, n), lambda i, j: te.sum(a[i, axis] * b[axis, j], axis=axis), name="c")
    (task,) = tasks_of_tensors(c, target=target)
    return task


def scheduled(task: Task) -> KernelOp:
    """Return the kernel of a task after its plan's schedule."""
    module, _ = parsed_kernel(task.kernel)
    use_schedules(module, [ScheduleFile(task.plan, "plan")], new_context())
    ApplySchedule(Target(task.target)).apply(new_context(), module)
    (kernel,) = kernels_of(module)
    return kernel


def cost(task: Task, threads: int = 1) -> KernelCost:
    """Return the cost of a task with its plan's schedule."""
    return kernel_cost(scheduled(task), Target(task.target), threads)


@pytest.mark.parametrize("shape", [(1, 300, 200), (17, 64, 100), (64, 96, 512), (300, 512, 48)])
def test_the_leaves_compute_each_term_once(shape: tuple[int, int, int]) -> None:
    kernel = scheduled(product(*shape))
    terms = 0
    for root in nest_of(kernel.body.block, AVX512):
        for leaf, trips in leaves_of(root):
            if not leaf.operations:  # no copy
                terms += prod(trips.values()) * prod(leaf.extents.values())
    assert terms == prod(shape)


@pytest.mark.parametrize("shape", [(1, 300, 200), (17, 64, 100), (64, 96, 512), (300, 512, 48)])
@pytest.mark.parametrize("cpu", ["x86-64-v2", "x86-64-v4", "znver4", "neoverse-v1"])
def test_no_kernel_is_faster_than_the_peak(shape: tuple[int, int, int], cpu: str) -> None:
    target = Target(cpu)
    found = cost(product(*shape, target))
    assert found.cycles >= found.compute >= prod(shape) / (target.lanes(32) * target.fma_ports)
    assert found.cycles == sum(found.parts.values())
    assert all(part >= 0 for part in found.parts.values())


@pytest.mark.parametrize("shape", [(1, 300, 200), (64, 96, 512)])
def test_instructions_are_modelled_for_code_that_was_counted(shape: tuple[int, int, int]) -> None:
    sums, found = prod(shape) / 4, cost(product(*shape, Target("neoverse-n1"))).instructions
    assert sums < found < 3 * sums
    # Other code has no loads of two vectors, or vectors of another length.
    others = (Target(cpu) for cpu in ("x86-64-v4", "neoverse-v1 -mattr=+sve"))
    assert not any(cost(product(*shape, target)).instructions for target in others)


def test_the_busiest_of_several_threads_counts() -> None:
    task = product(96, 128, 512)
    one = cost(task)
    loops = [op for op in scheduled(task).body.walk() if isinstance(op, ForOp) and op.is_parallel]
    bounds = [op.static_bounds or (0, 0) for op in loops]
    assert one.tasks == prod(high - low for low, high in bounds)
    assert one.imbalance == 0
    for threads in (2, 3, 64):
        found = cost(task, threads)
        assert found.cycles >= one.cycles / threads
        assert found.imbalance == 0 or one.tasks % threads
    work = one.cycles - one.overhead
    assert cost(task, one.tasks).cycles >= work / one.tasks


def test_weights_that_exceed_the_caches_take_the_time_of_memory() -> None:
    small, large = cost(product(1, 100, 64)), cost(product(1, 4096, 4096))
    assert small.memory < small.cycles / 2
    assert large.memory > large.cycles / 4


def test_tiles_with_few_loads_of_weights_in_flight_wait_for_memory() -> None:
    model = cycle_model(Target("znver4"))
    narrow, wide = model.weights_rate(7, 1, 64, 0), model.weights_rate(4, 5, 320, 0)
    assert model.numbers.cold_rate < narrow < wide == model.numbers.memory_rate
    ahead = model.weights_rate(7, 1, 64, prefetched=96)
    assert narrow < ahead < model.numbers.memory_rate


def test_tiles_of_pixels_wait_for_images_that_exceed_their_part_of_l3() -> None:
    """Otherwise, the next lines arrive during the arithmetic."""
    model = cycle_model(Target("znver4"))
    waits = [
        model.total(
            4.0 * size, 0, 0, [FarTraffic(size, size, 1, False, False, burst)], 1,
            spreads=False, threads=1,
        ).memory / size
        for size in (1 << 22, 1 << 24)
        for burst in (0.0, model.burst_bytes(20, 1, 16))
    ]  # fmt: skip
    assert waits[0] == waits[1] < waits[2] < waits[3] / 5


def test_weights_come_at_the_rate_of_memory_while_l1_holds_the_scalars() -> None:
    target, cycles = Target("x86-64-v3"), list[float]()
    for steps in (128, 2048):
        kernel = product_of_weights(7, 1816, steps, target)  # columns, then terms
        point = plan_point(kernel, target)
        assert isinstance(point, ProductPoint)
        point = replace(point, tile=RegisterTile(7, 1), prefetch=0, spread=False, k_block=0)
        found = costs_of(kernel, target).cost(replace(point, row_tiles=0, group=1))
        assert found is not None
        cycles.append(found.cycles / steps)
    assert cycles[1] > 1.5 * cycles[0]


def bytes_touched(indices: Sequence[Index], varying: dict[str, int], shape: Sequence[int]) -> int:
    """Return the bytes of the elements that an access touches, counted one by one."""
    strides = [prod(shape[n + 1 :]) for n in range(len(shape))]
    found = set[int]()
    for values in itertools.product(*(range(n) for n in varying.values())):
        at = {name: constant(value) for name, value in zip(varying, values, strict=True)}
        found.add(
            sum(
                index.substitute(at, unknown_range).const * stride
                for index, stride in zip(indices, strides, strict=True)
            )
        )
    return 4 * len(found)


def test_footprints_cover_the_elements_of_packed_and_sliding_accesses() -> None:
    i, k, o = variable("i"), variable("k"), variable("o")
    block, rest = (Index({Atom(kind, o, 16): 1}) for kind in ("floordiv", "mod"))
    buffer = create_ssa_value(MemRefType(f32, [8, 12, 32]))
    cases = [
        ((i, k, o), {"i": 2, "k": 5, "o": 32}),
        ((i, k, o), {"i": 1, "k": 3, "o": 8}),
        ((constant(0), i + k, o), {"i": 4, "k": 3, "o": 32}),
        ((block, k, rest), {"o": 32, "k": 12}),
        ((i, k * 2, o), {"i": 3, "k": 6, "o": 16}),
    ]
    for indices, varying in cases:
        access = BufferAccess(buffer, indices)
        least = bytes_touched(indices, varying, (8, 12, 32))
        assert least <= access.bytes_in({**varying}) <= LINE_BYTES * least


def test_the_prior_of_a_bad_tile_is_high() -> None:
    space = PlanSpace(product(64, 256, 192))
    assert space.start is not None
    tiles = next(n for n, knob in enumerate(space.knobs) if knob.name == "tile")
    costs = [
        space.prior((*space.start[:tiles], index, *space.start[tiles + 1 :])) or 0.0
        for index in range(0, len(space.knobs[tiles].choices), 3)
    ]
    assert costs[0] <= 1.1 * min(costs)
    assert max(costs) > 1.3 * costs[0]


def product_of_weights(m: int, k: int, n: int, target: Target) -> KernelOp:
    """Return the kernel of a product with packed weights, before its schedule."""
    module = programs.matmul(m, k, n)
    run_pipeline(module, new_context(), target, to="sched")
    (kernel,) = kernels_of(module)
    return kernel


def test_reads_of_weights_that_are_used_once_hide_the_arithmetic() -> None:
    """Measured on Zen 4: tiles of 1 x 8, 1 x 3 and 1 x 2 vectors take 183, 185 and 180 us."""
    target = Target("znver4")
    kernel = product_of_weights(1, 768, 2048, target)
    point, costs = plan_point(kernel, target), costs_of(kernel, target)
    assert isinstance(point, ProductPoint)
    found = [costs.cost(replace(point, tile=RegisterTile(1, n))) for n in (8, 3, 2)]
    cycles = [each.cycles for each in found if each is not None]
    assert len(cycles) == 3
    assert max(cycles) < 1.02 * min(cycles)


@pytest.mark.one_in(4)
@pytest.mark.parametrize("cpu", ["x86-64-v3", "znver4", "neoverse-v1"])
@pytest.mark.parametrize("is_weight", [True, False], ids=["packed", "copied"])
@pytest.mark.parametrize("shape", [(1, 300, 200), (20, 1200, 1000), (300, 2048, 99)])
def test_a_point_costs_what_its_scheduled_kernel_costs(
    shape: tuple[int, int, int], is_weight: bool, cpu: str
) -> None:
    """Compare the nest of a point with the loops that the schedule makes of it."""
    target, rng = Target(cpu), random.Random(f"{shape} {cpu}")
    kernel = product_of_weights(*shape, target)
    if not is_weight:
        _, kernel = parsed_kernel(product(*shape, target).kernel)
    point, ratios = plan_point(kernel, target), list[float]()
    for _ in range(6):
        assert isinstance(point, ProductPoint)
        fast, script = costs_of(kernel, target).cost(point), script_of(kernel, point, target)
        module = ModuleOp([kernel.clone(), script])
        declare_intrinsics(module, script)
        ApplySchedule(target).apply(new_context(), module)
        (done,) = kernels_of(module)
        slow = kernel_cost(done, target)
        if fast is not None:
            assert fast.tasks == slow.tasks
            assert fast.compute == pytest.approx(slow.compute)
            assert fast.tiles == pytest.approx(slow.tiles)
            ratios.append(fast.cycles / slow.cycles)
            assert 0.88 < ratios[-1] < 1.14
        axes = space_of(point, kernel, target)
        name = rng.choice(sorted(axes))
        point = replace(point, **{name: rng.choice(axes[name])})
    assert ratios
    assert sorted(ratios)[len(ratios) // 2] == pytest.approx(1, abs=0.05)


def costs_of(kernel: KernelOp, target: Target) -> ProductCosts:
    """Return the costs of a kernel's points."""
    choices: list[Choice[Any]] = []

    def choose(choice: Choice[P]) -> P:
        choices.append(choice)
        return choice.default

    plan_kernel(kernel, target, choose)
    found = product_costs(kernel, choices)
    assert found is not None
    return found

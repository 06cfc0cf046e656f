"""The planner's convolutions against a small random search over its own parameters.

Run: python benchmarks/plan_check.py [--variants N] [--rounds N] [--target TEXT] [MODEL ...]
Or: make plan-check

Each variant gives every direct convolution of a model other parameters (register tile, passes, row
groups, order); kernels are timed in their place in the model, by turns with those of the planner,
so weights come from memory. The best plans found are then timed again, all in one model, because a
minimum of many noisy numbers is biased. Exit status 1 if a kernel that takes more than a hundredth
of its model reaches less than 0.9 of the speed that the search found.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import onnx
from rich.console import Console
from rich.table import Table
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from tilewright.dialects.te import kernels_of
from tilewright.driver.extension import Extension
from tilewright.machines.target import Target
from tilewright.targets.cpu.plan import declare_intrinsics, plan_kernel
from tilewright.targets.cpu.plan.contraction import Contraction
from tilewright.targets.cpu.plan.convolution import ConvolutionPlan
from tilewright.targets.cpu.plan.tiles import RegisterTile, even_part, fits_registers, step_cycles
from tilewright.testing.models import inputs_for, light_model
from tilewright.testing.profile import Replay

MODELS = ("resnet50", "squeezenet", "inception_v2")
LEAST = 0.9
LEAST_SHARE = 0.01
BEST_TILES = 8

Plans = dict[str, ConvolutionPlan]


@dataclass(frozen=True)
class OtherPlans(ModulePass):
    """A pass that writes schedules of other plans; cpu-plan then keeps these schedules.

    given: plans by kernel.  rng: draws the plans of all other kernels; None: cpu-plan's own rules.
    chosen: filled with the plan of each convolution.
    """

    name = "other-plans"

    target: Target
    given: Mapping[str, ConvolutionPlan] = field(default_factory=dict[str, ConvolutionPlan])
    rng: random.Random | None = None
    chosen: Plans = field(default_factory=dict[str, ConvolutionPlan])

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for kernel in kernels_of(op):
            label = kernel.label

            def adjust(
                c: Contraction, plan: ConvolutionPlan, label: str = label
            ) -> ConvolutionPlan:
                if label in self.given:
                    plan = self.given[label]
                elif self.rng is not None:
                    plan = drawn(c, plan, self.rng)
                self.chosen[label] = plan
                return plan

            script = plan_kernel(kernel, self.target, adjust)
            op.body.block.insert_op_after(script, kernel)
            declare_intrinsics(op, script)


def drawn(c: Contraction, plan: ConvolutionPlan, rng: random.Random) -> ConvolutionPlan:
    """Return a plan with some parameters drawn anew; first layers keep their plan."""
    blocked = c.reduced[0]
    if c.split_of(blocked) is None:
        return plan
    blocks, height = c.extent(blocked), c.extent(c.rows[-2])
    plan = replace(
        plan,
        unroll=rng.choice([2, 4, 4, 8]),
        k_block=rng.choice([plan.k_block, 0, *[n for n in (1, 2, 4, 8, 16) if n < blocks]]),
    )
    if rng.random() < 0.6:
        plan = replace(plan, tile=rng.choice(good_tiles(c)))
    if rng.random() < 0.7:
        groups = [n for n in range(1, height) if height % n == 0]
        order = rng.choice([False, True])
        plan = replace(
            plan,
            rows_outermost=order,
            row_group=rng.choice(groups if order and groups else [0, *groups]),
            pass_major=order and 0 < plan.k_block < blocks and rng.random() < 0.3,
            both_parallel=False,
        )
    return plan


def good_tiles(c: Contraction) -> list[RegisterTile]:
    """Return the register tiles with the highest modelled speed."""
    width, vectors = c.extent(c.rows[-1]), -(-c.group // c.lanes)
    found = [
        (step_cycles(rows, n, c.target) / (rows * n), -rows * n, RegisterTile(rows, n))
        for n in range(1, min(6, vectors) + 1)
        if c.group == c.columns or vectors % n == 0
        for rows in {even_part(width, most) for most in range(1, width + 1)}
        if fits_registers(rows, n, c.target)
    ]
    found.sort(key=lambda row: row[:2])
    return [tile for _, _, tile in found[:BEST_TILES]]


@dataclass(frozen=True)
class KernelResult:
    """A kernel under the plan of the rules and under the best plan found.

    ratio: the time of the rules' plan over that of the best plan.  share: the kernel's part of the
    run.
    """

    name: str
    time_s: float
    ratio: float
    share: float
    plan: ConvolutionPlan
    best: ConvolutionPlan

    @property
    def is_bad(self) -> bool:
        """Return whether the rules need a closer look."""
        return self.ratio < LEAST and self.share > LEAST_SHARE


class Search:
    """A search for plans of one model's convolutions, timed by turns with the rules' plans."""

    def __init__(self, model: onnx.ModelProto, target: Target, rounds: int) -> None:
        self.model, self.target, self.rounds = model, target, rounds
        self.inputs = inputs_for(model)
        self.base, self.plans = self._replay(OtherPlans(target))

    def _replay(self, plans: OtherPlans) -> tuple[Replay, Plans]:
        extension = Extension(passes={"cpu-plan": [plans]})
        replay = Replay.of_model(
            self.model, self.inputs, target=self.target, extensions=(extension,)
        )
        return replay, plans.chosen

    def _ratios(self, other: Replay, rounds: int) -> dict[str, float]:
        """Return, for each kernel, its time under the rules over its time in another model."""
        for _ in range(rounds):
            self.base()
            other()
        ours, theirs = seconds(self.base, rounds), seconds(other, rounds)
        return {name: ours[name] / theirs[name] for name in self.plans}

    def run(self, variants: int, seed: int) -> list[KernelResult]:
        """Time variants, then the best plans of all kernels together."""
        rng, best = random.Random(seed), dict.fromkeys(self.plans, 1.0)
        winners = dict(self.plans)
        for _ in range(variants):
            replay, plans = self._replay(OtherPlans(self.target, rng=rng))
            for name, ratio in self._ratios(replay, self.rounds).items():
                if ratio > best[name]:
                    best[name], winners[name] = ratio, plans[name]
        final, _ = self._replay(OtherPlans(self.target, given=winners))
        ratios = self._ratios(final, 3 * self.rounds)
        times = seconds(self.base, 3 * self.rounds)
        whole = sum(times.values())
        rows = [
            KernelResult(
                name, times[name], 1 / ratios[name], times[name] / whole, plan, winners[name]
            )
            for name, plan in self.plans.items()
        ]
        return sorted(rows, key=lambda row: -row.time_s)


def seconds(replay: Replay, last: int) -> dict[str, float]:
    """Return the seconds of each kernel's calls in one run, as medians of the last runs."""
    return {row.name: row.total_s for row in replay.profile(last=last)}


def described(plan: ConvolutionPlan) -> str:
    """Return the parameters of a plan as a short text."""
    order = "rows" if plan.rows_outermost else "channels"
    passes = f" passes of {plan.k_block}" if plan.k_block else ""
    groups = f" {plan.row_group} rows" if plan.row_group else ""
    major = " pass-major" if plan.pass_major else ""
    return f"{plan.tile.rows}x{plan.tile.vectors} {order}{groups}{passes}{major} /{plan.unroll}"


def table_of(name: str, rows: Sequence[KernelResult]) -> Table:
    table = Table("kernel", "µs", "share", "plan", "best found", "planner / best", title=name)
    for row in rows:
        style = "red" if row.is_bad else None
        cells = f"{1e6 * row.time_s:.0f}", f"{row.share:.1%}", described(row.plan)
        best = described(row.best) if row.best != row.plan else ""
        table.add_row(row.name, *cells, best, f"{row.ratio:.2f}", style=style)
    return table


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("models", nargs="*", default=MODELS)
    parser.add_argument("--variants", type=int, default=12)
    parser.add_argument("--rounds", type=int, default=4)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--target")
    args = parser.parse_args()
    target, console = Target(args.target) if args.target else Target.native(), Console()
    console.print(f"target: {target}")
    bad: list[str] = []
    for name in args.models:
        search = Search(light_model(name), target, args.rounds)
        rows = search.run(args.variants, args.seed)
        console.print(table_of(name, rows))
        mean = np.exp(np.mean([np.log(min(1.0, row.ratio)) for row in rows]))
        console.print(f"{name}: planner / best, geometric mean {mean:.3f}")
        bad += [f"{name}: {row.name} {row.ratio:.2f}" for row in rows if row.is_bad]
    console.print("\n".join(bad) or f"every kernel is at least {LEAST} of the best found")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())

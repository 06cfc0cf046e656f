"""The planner's convolutions against a small random search over its own parameters.

Run: python benchmarks/plan_check.py [--variants N] [--rounds N] [--target TEXT] [MODEL ...]
Or: make plan-check

Each variant gives every direct convolution of a model another point of its space; kernels are timed
in their place in the model, by turns with those of the planner, so weights come from memory. The
best plans found are then timed again, all in one model, because a minimum of many noisy numbers is
biased. Exit status 1 if a kernel that takes more than a hundredth
of its model reaches less than 0.9 of the speed that the search found.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace

import numpy as np
import onnx
from rich.console import Console
from rich.table import Table
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from tilewright.dialects.te import KernelOp, kernels_of
from tilewright.driver.extension import Extension
from tilewright.machines.target import Target
from tilewright.targets.cpu.plan import declare_intrinsics
from tilewright.targets.cpu.plan.points.convolution import ConvolutionPoint
from tilewright.targets.cpu.plan.space import plan_point, script_of, space_of
from tilewright.testing.models import inputs_for, light_model
from tilewright.testing.profile import Replay

MODELS = ("resnet50", "squeezenet", "inception_v2")
LEAST = 0.9
LEAST_SHARE = 0.01
SHARE = 0.4
"""The probability that a field of a point is drawn anew."""
FIELDS = tuple(each.name for each in fields(ConvolutionPoint))

Plans = dict[str, ConvolutionPoint]


@dataclass(frozen=True)
class OtherPlans(ModulePass):
    """A pass that writes schedules of other points; cpu-plan then keeps these schedules.

    given: points by kernel.  rng: draws the points of all other kernels; None: cpu-plan's own
    rules.  chosen: filled with the point of each convolution.
    """

    name = "other-plans"

    target: Target
    given: Mapping[str, ConvolutionPoint] = field(default_factory=dict[str, ConvolutionPoint])
    rng: random.Random | None = None
    chosen: Plans = field(default_factory=dict[str, ConvolutionPoint])

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for kernel in kernels_of(op):
            point = plan_point(kernel, self.target)
            if not isinstance(point, ConvolutionPoint):
                continue
            if kernel.label in self.given:
                point = self.given[kernel.label]
            elif self.rng is not None:
                point = drawn(point, kernel, self.target, self.rng)
            self.chosen[kernel.label] = point
            script = script_of(kernel, point, self.target)
            op.body.block.insert_op_after(script, kernel)
            declare_intrinsics(op, script)


def drawn(
    point: ConvolutionPoint, kernel: KernelOp, target: Target, rng: random.Random
) -> ConvolutionPoint:
    """Return a point with some fields drawn anew."""
    for name in FIELDS:
        values = space_of(point, kernel, target).get(name)
        if values and rng.random() < SHARE:
            point = replace(point, **{name: rng.choice(values)})
    return point


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
    plan: ConvolutionPoint
    best: ConvolutionPoint

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


def described(plan: ConvolutionPoint) -> str:
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
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
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

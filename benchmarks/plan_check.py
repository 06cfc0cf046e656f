"""The plan's points against a random search of the space of its points.

Run: python benchmarks/plan_check.py [--trials N] [--budget 5m] [--target TEXT] [MODEL ...]
Or: make plan-check

Each trial times another point of a kernel by turns with the plan's; winners are timed again,
because a minimum of many noisy numbers is biased (docs/tuning.md). Exit status 1 if a kernel that
takes more than a hundredth of its model reaches less than 0.9 of the speed that the search found.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

import numpy as np
from rich.console import Console
from rich.table import Table

import tilewright
from tilewright.testing.models import light_model
from tilewright.tuning.task_search import TaskSearch

MODELS = ("resnet50", "squeezenet", "inception_v2")
LEAST = 0.9
LEAST_SHARE = 0.01


def is_bad(task: TaskSearch) -> bool:
    """Return whether the rules of a kernel need a closer look."""
    return 1 / task.speedup < LEAST and task.share > LEAST_SHARE


def table_of(name: str, tasks: Sequence[TaskSearch]) -> Table:
    table = Table("kernel", "share", "trials", "plan / best", title=name)
    for task in tasks:
        style = "red" if is_bad(task) else None
        cells = f"{task.share:.1%}", str(task.trials), f"{1 / task.speedup:.2f}"
        table.add_row(task.task.name, *cells, style=style)
    return table


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("models", nargs="*", default=MODELS)
    parser.add_argument("--trials", type=int)
    parser.add_argument("--budget", default="5m")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--target")
    args = parser.parse_args()
    target, console = tilewright.Target(args.target or "native"), Console()
    console.print(f"target: {target}")
    bad: list[str] = []
    for name in args.models:
        tuned = tilewright.tune(
            light_model(name),
            budget=args.budget,
            trials=args.trials,
            search="random",
            seed=args.seed,
            target=target,
        )
        console.print(table_of(name, tuned.tasks))
        mean = np.exp(np.mean([-np.log(task.speedup) for task in tuned.tasks]))
        console.print(f"{name}: plan / best, geometric mean {mean:.3f}")
        bad += [f"{name}: {t.task.name} {1 / t.speedup:.2f}" for t in tuned.tasks if is_bad(t)]
    console.print("\n".join(bad) or f"every kernel is at least {LEAST} of the best found")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())

"""The modelled work of the busiest of several cores, relative to an even share, for whole networks.

Run: python benchmarks/cores.py [--cores N ...] [--target TEXT] MODEL.onnx ...

Prints a Markdown table.  For each kernel, the tasks of its plan are counted, and its cycles are
those of the cost model for one core; nothing is measured.  The busiest of n cores runs
ceil(tasks / n) tasks.  1.00 means that all cores end at the same time.  The last column names the
kernels that lose most on the largest number of cores: their tasks, and their share of the cycles.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from math import ceil
from pathlib import Path

from tilewright.dialects.te import kernels_of
from tilewright.machines.target import Target
from tilewright.passes.schedule.apply_schedule import ApplySchedule
from tilewright.passes.schedule.match_schedules import use_schedules
from tilewright.support.registry import new_context
from tilewright.support.schedule_files import ScheduleFile
from tilewright.targets.cpu.cost.kernel_cost import kernel_cost
from tilewright.tuning.kernel_program import parsed_kernel
from tilewright.tuning.task import Task, tasks_of

SHOWN = 3
"""The kernels that the last column names."""


@dataclass(frozen=True)
class PlannedWork:
    """The modelled work of all calls of a kernel with its plan's schedule.

    work: the cycles of one core without the starts of tasks.  starts: the cycles of these.  tasks:
    the tasks of one call.
    """

    name: str
    work: float
    starts: float
    tasks: int

    def busiest(self, cores: int) -> float:
        """Return the cycles of the busiest core times the number of cores."""
        waits = min(ceil(self.tasks / cores) * cores, self.tasks + cores - 1)
        return self.work * waits / self.tasks + self.starts


def planned_work(task: Task) -> PlannedWork:
    """Return the modelled work of a kernel of a model."""
    module, _ = parsed_kernel(task.kernel)
    target, context = Target(task.target), new_context()
    use_schedules(module, [ScheduleFile(task.plan, "the plan")], context)
    ApplySchedule(target).apply(context, module)
    (kernel,) = kernels_of(module)
    cost = kernel_cost(kernel, target)
    work = task.calls * (cost.cycles - cost.overhead)
    return PlannedWork(task.name, work, task.calls * cost.overhead, cost.tasks)


def main() -> None:
    parser = argparse.ArgumentParser(description="The busiest core of networks (modelled)")
    parser.add_argument("models", nargs="+", type=Path)
    parser.add_argument("--cores", nargs="+", type=int, default=[8, 16, 64])
    parser.add_argument("--target")
    options = parser.parse_args()
    heads = " | ".join(f"{n} cores" for n in options.cores)
    print(f"| model | {heads} | kernels that lose most |")
    print("|---|" + "---|" * (len(options.cores) + 1))
    most = max(options.cores)
    for path in options.models:
        rows = [planned_work(task) for task in tasks_of(str(path), target=options.target)]
        even = sum(row.work + row.starts for row in rows)
        shares = (sum(row.busiest(n) for row in rows) / even for n in options.cores)
        cells = " | ".join(f"{share:.2f}" for share in shares)
        rows.sort(key=lambda row: row.work + row.starts - row.busiest(most))
        worst = (
            f"{row.name} ({row.tasks} tasks, {(row.work + row.starts) / even:.0%})"
            for row in rows[:SHOWN]
        )
        print(f"| {path.stem} | {cells} | {', '.join(worst)} |", flush=True)


if __name__ == "__main__":
    main()

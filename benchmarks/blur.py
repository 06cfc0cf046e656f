"""A blur of two 3-tap means in steps of its schedule, compared with the unscheduled loops.

Run: python benchmarks/blur.py [--size N] [--rounds N] [--target TEXT]

Prints a Markdown table: median milliseconds of each schedule, measured by turns, and the speedup
over the plain loops.  2048 x 2048 in f32 on two cores of a Sapphire Rapids server (10 rounds of
50 ms): plain 9.7 ms; vectors 5.0; rows at the loop that reads them 2.5, in a rolling buffer 1.4
(6.9 times faster than plain, one thread); in tasks of rows on two threads 0.8.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable

import numpy as np

import tilewright
from tilewright import te
from tilewright.driver.module.compiled_module import CompiledModule
from tilewright.frontend.te.tensor import Tensor
from tilewright.schedule.schedule import Schedule, create_schedule
from tilewright.testing.measure import compare

ROWS_PER_TASK = 64
Steps = Callable[[Schedule, Tensor, Tensor], None]


def blur(size: int) -> tuple[Tensor, Tensor, Tensor]:
    """Return the image, its means along rows, and the means of these along columns."""
    x = te.placeholder((size + 2, size + 2), name="X")
    across = te.compute(
        (size + 2, size),
        lambda h, w: (x[h, w] + x[h, w + 1] + x[h, w + 2]) * (1 / 3),
        name="across",
    )
    down = te.compute(
        (size, size),
        lambda h, w: (across[h, w] + across[h + 1, w] + across[h + 2, w]) * (1 / 3),
        name="down",
    )
    return x, across, down


def plain(s: Schedule, across: Tensor, down: Tensor) -> None:
    """Compute one image, then the other, element by element."""
    s[down].reorder(*down.op.axis)


def vectors(s: Schedule, across: Tensor, down: Tensor) -> None:
    """Vectorize along rows."""
    s[across].vectorize(across.op.axis[1])
    s[down].vectorize(down.op.axis[1])


def at_rows(s: Schedule, across: Tensor, down: Tensor) -> None:
    """Compute the three rows that one row reads right before that row."""
    s[across].compute_at(s[down], down.op.axis[0])
    vectors(s, across, down)


def rolling(s: Schedule, across: Tensor, down: Tensor) -> None:
    """Keep two of the three rows in a rolling buffer."""
    s[across].compute_at(s[down], down.op.axis[0])
    s[across].rolling_buffer()
    vectors(s, across, down)


def parallel(s: Schedule, across: Tensor, down: Tensor) -> None:
    """Compute the rows of `rolling` in parallel tasks of several rows each."""
    outer, inner = s[down].split(down.op.axis[0], factor=ROWS_PER_TASK)
    s[down].parallel(outer)
    s[across].compute_at(s[down], inner)
    s[across].rolling_buffer()
    vectors(s, across, down)


SCHEDULES: tuple[Steps, ...] = (plain, vectors, at_rows, rolling, parallel)


def build(steps: Steps, size: int, target: str | None) -> CompiledModule:
    """Build the blur with given schedule steps; `parallel` has the default number of threads."""
    x, across, down = blur(size)
    schedule = create_schedule(down.op, target=target)
    steps(schedule, across, down)
    threads = None if steps is parallel else 1
    return tilewright.build(schedule, [x, down], threads=threads)


def main() -> None:
    """Build, check and time all schedules."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=int, default=2048)
    parser.add_argument("--rounds", type=int, default=12)
    parser.add_argument("--target")
    options = parser.parse_args()
    image = np.random.default_rng(0).random((options.size + 2,) * 2, np.float32)
    out = np.empty((options.size,) * 2, np.float32)
    means = (image[:, :-2] + image[:, 1:-1] + image[:, 2:]) / 3
    expected = (means[:-2] + means[1:-1] + means[2:]) / 3
    modules = {steps.__name__: build(steps, options.size, options.target) for steps in SCHEDULES}
    for module in modules.values():
        module(image, out)
        np.testing.assert_allclose(out, expected, rtol=1e-5)
    systems = {name: (lambda m=m: m(image, out)) for name, m in modules.items()}
    found = compare(systems, rounds=options.rounds)
    print("| schedule | ms | over plain |\n|---|---|---|")
    for timing in found.timings:
        faster = found.ratio("plain", over=timing.name)
        print(f"| {timing.name} | {timing.median_s * 1e3:.2f} | {faster:.2f} |")


if __name__ == "__main__":
    main()

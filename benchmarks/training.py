"""Training steps of eight networks, against torch eager and torch.compile in the same process.

Run: python benchmarks/training.py [--threads N] [--rounds N] [--steps N] [--cpu] [--only WORD]

First, our step and torch's train a network (networks.py) in f64 from the same values by SGD with
momentum, and the losses are compared at every step. The same steps in f32 show how far the losses
are from those in f64. The column f32 is our distance over torch's distance, and a distance is the
root of the sum of the squared differences of all steps. Single steps are not compared, because the
difference of a rounded loss passes through zero: torch's loss may equal that in f64 by chance, to
less than the spacing of f32 numbers.
Then steps in f32 take turns: our compiled step
(ours), torch.compile with our backend and with inductor (default options, without freezing; it
needs a C++ compiler), and eager torch; in the last three, torch.optim is outside of the graphs.
Memory: ours is the planned arena, the weights, the parameters and the states. Torch's is the growth
of the peak resident memory of another process, in which a small step has loaded torch's libraries
before, while a network is made and trained for three steps.
With --cpu, the time is that of the process on the processor, for one thread on a machine that does
other work. Elapsed times of two threads need an idle machine.
Prints a table in Markdown.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
import warnings
from collections.abc import Callable
from functools import partial
from math import inf
from pathlib import Path
from statistics import geometric_mean
from typing import Any

import numpy as np
import torch
from networks import NETWORKS, Network, Ours, Torch

import tilewright
from tilewright import optim
from tilewright.driver.torch.backend import tilewright_backend
from tilewright.testing.measure import compare

RATE, MOMENTUM = 0.01, 0.9
OURS, BACKEND, INDUCTOR, EAGER = "ours", "our backend", "inductor", "eager"
WINDOW_S = 0.003
"""Short windows, so that the least time is one without work of other processes."""
dynamo: Any = torch._dynamo  # pyright: ignore[reportPrivateUsage]


def session(network: Network, dtype: str, threads: int) -> tilewright.StepSession:
    """Return a session of our training step."""
    optimizer = optim.sgd(RATE, momentum=MOMENTUM)

    def step(params: Any, opt: Any, x: Any, y: Any) -> Any:
        loss = tilewright.value_and_grad(lambda params: network.loss(Ours, params, x, y))
        value, gradients = loss(params)
        return value, *optimizer.update(params, gradients, opt)

    params = network.params(dtype)
    compiled = tilewright.compile_step(step, state=["params", "opt"], threads=threads)
    return compiled.session(params=params, opt=optimizer.init(params))


def of_torch(network: Network, dtype: str, backend: Any = None) -> Callable[..., float]:
    """Return torch's training step; ``backend`` compiles the loss and its gradient."""
    params = {n: torch.tensor(v, requires_grad=True) for n, v in network.params(dtype).items()}
    optimizer = torch.optim.SGD(list(params.values()), lr=RATE, momentum=MOMENTUM)
    loss_of: Any = partial(network.loss, Torch)
    if backend is not None:
        loss_of = torch.compile(loss_of, backend=backend, fullgraph=True)

    def step(*batch: torch.Tensor) -> float:
        optimizer.zero_grad()
        loss = loss_of(params, *batch)
        loss.backward()
        optimizer.step()
        return loss.item()

    return step


def batches(network: Network, count: int, dtype: str) -> list[tuple[np.ndarray, ...]]:
    """Return random batches."""
    rng = np.random.default_rng(1)
    return [network.batch(rng, dtype) for _ in range(count)]


def differences(network: Network, steps: int, threads: int) -> tuple[float, float]:
    """Train for some steps; return how far our losses are from those of torch.

    The first number is the largest relative difference in f64, the second the distance of our
    losses in f32 from torch's losses in f64, divided by the distance of torch's losses in f32.
    """
    wide, narrow = "float64", "float32"
    mine, theirs = session(network, wide, threads), of_torch(network, wide)
    narrow_mine, narrow_theirs = session(network, narrow, threads), of_torch(network, narrow)
    rows: list[tuple[float, ...]] = []
    for batch in batches(network, steps, wide):
        short = [x.astype(narrow) if x.dtype == wide else x for x in batch]
        own = float(mine(*batch)), float(narrow_mine(*short))
        tensors = [map(torch.tensor, each) for each in (batch, short)]
        rows.append((*own, theirs(*tensors[0]), narrow_theirs(*tensors[1])))
    if not rows:
        return 0.0, 0.0
    ours, ours_narrow, exact, narrowed = np.array(rows).T
    distances = [float(np.linalg.norm(each - exact)) for each in (ours_narrow, narrowed)]
    return float((np.abs(ours - exact) / np.abs(exact)).max()), distances[0] / distances[1]


def peak_growth(network: Network) -> int:
    """Return by how many bytes the peak resident memory of this process grows by steps of torch."""
    warm = torch.nn.Sequential(torch.nn.Conv2d(1, 1, 3), torch.nn.Flatten(), torch.nn.Linear(4, 2))
    warm(torch.ones(1, 1, 4, 4)).sum().backward()
    Path("/proc/self/clear_refs").write_text("5")  # the peak is the present size again
    before = status("VmRSS")
    step = of_torch(network, "float32")
    for batch in batches(network, 3, "float32"):
        step(*map(torch.tensor, batch))
    return status("VmHWM") - before


def status(key: str) -> int:
    """Return a number of bytes that Linux reports about this process."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) << 10 for line in lines if line.startswith(f"{key}:"))


def measured(network: Network, options: argparse.Namespace) -> tuple[str, dict[str, float]]:
    """Measure a network; return its row of the table, and the ratio of torch's times to ours."""
    dynamo.reset()
    difference, distance = differences(network, options.steps, options.threads)
    (batch,) = batches(network, 1, "float32")
    given = [torch.tensor(array) for array in batch]
    mine = session(network, "float32", options.threads)
    systems: dict[str, Callable[[], Any]] = {OURS: partial(mine, *batch)}
    for name, backend in ((BACKEND, tilewright_backend), (INDUCTOR, "inductor"), (EAGER, None)):
        systems[name] = partial(of_torch(network, "float32", backend), *given)
    clock = time.thread_time if options.cpu else time.perf_counter
    timings = compare(systems, rounds=options.rounds, window_s=WINDOW_S, clock=clock).timings
    times = {name: timing.min_s for name, timing in zip(systems, timings, strict=True)}
    command = [sys.executable, __file__, "--threads", str(options.threads), "--peak", network.name]
    growth = float(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    memory = mine.memory()
    planned = memory.arena + memory.weights + memory.states
    cells = [f"{difference:.1e}", f"{distance:.2f}"]
    cells += [f"{1e3 * each:.2f}" for each in times.values()]
    ratios = {name: times[name] / times[OURS] for name in (EAGER, INDUCTOR)}
    cells += [f"{ratio:.2f}" for ratio in ratios.values()]
    cells += [f"{planned / 1e6:.2f}", f"{growth / 1e6:.2f}"]
    return f"| {network.name} | {' | '.join(cells)} |", ratios


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=60)
    parser.add_argument("--steps", type=int, default=100, help="steps whose losses are compared")
    parser.add_argument("--cpu", action="store_true", help="measure the time of the processor")
    parser.add_argument("--only", default="", help="networks whose name contains a word")
    parser.add_argument("--peak", default="", help="print torch's growth for one network")
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    if options.peak:
        print(peak_growth(next(each for each in NETWORKS if each.name == options.peak)))
        return
    os.environ["TORCHINDUCTOR_FORCE_DISABLE_CACHES"] = "1"
    warnings.simplefilter("ignore")
    dynamo.config.allow_rnn = True
    heads = [f"ms {name}" for name in (OURS, BACKEND, INDUCTOR, EAGER)]
    heads += [f"{EAGER} / {OURS}", f"{INDUCTOR} / {OURS}", f"MB {OURS}", "MB torch"]
    print(f"| step, {options.threads} threads | f64 losses | f32 | {' | '.join(heads)} |")
    print("|---" * (len(heads) + 3) + "|")
    found: list[dict[str, float]] = []
    for network in NETWORKS:
        if options.only in network.name:
            row, ratios = measured(network, options)
            found.append(ratios)
            print(row, flush=True)
    for name in (EAGER, INDUCTOR):
        print(f"geometric mean of {name} / {OURS}: {geometric_mean(x[name] for x in found):.2f}")
    best = geometric_mean(min(x.values(), default=inf) for x in found)
    print(f"geometric mean of the better one / {OURS}: {best:.2f}")


if __name__ == "__main__":
    main()

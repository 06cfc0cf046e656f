"""Training steps of eight networks, against torch eager in the same process.

Run: python benchmarks/training.py [--threads N] [--rounds N] [--steps N] [--only WORD]

First, both systems train a network (networks.py) in f64 from the same values by SGD with momentum,
and the losses are compared at every step. Then steps in f32 take turns with torch's.
Prints a table in Markdown.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import torch
from networks import NETWORKS, Network, Ours, Torch

import tilewright
from tilewright import optim
from tilewright.testing.measure import compare

RATE, MOMENTUM = 0.01, 0.9


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


def eager(network: Network, dtype: str) -> Callable[..., float]:
    """Return torch's training step."""
    params = {n: torch.tensor(v, requires_grad=True) for n, v in network.params(dtype).items()}
    optimizer = torch.optim.SGD(list(params.values()), lr=RATE, momentum=MOMENTUM)

    def step(*batch: torch.Tensor) -> float:
        optimizer.zero_grad()
        loss = network.loss(Torch, params, *batch)
        loss.backward()
        optimizer.step()
        return loss.item()

    return step


def batches(network: Network, count: int, dtype: str) -> list[tuple[np.ndarray, ...]]:
    """Return random batches."""
    rng = np.random.default_rng(1)
    return [network.batch(rng, dtype) for _ in range(count)]


def largest_difference(network: Network, dtype: str, steps: int, threads: int) -> float:
    """Return the largest relative difference of the losses of some steps."""
    mine, theirs = session(network, dtype, threads), eager(network, dtype)
    pairs = [
        (float(mine(*batch)), theirs(*map(torch.tensor, batch)))
        for batch in batches(network, steps, dtype)
    ]
    return max(abs(a - b) / abs(b) for a, b in pairs)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--steps", type=int, default=100)
    parser.add_argument("--only", default="", help="networks whose name contains a word")
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    print(
        f"| step, {options.threads} threads | f64 losses | ours ms | torch ms | ratio | states MB |"
    )
    print("|---|---|---|---|---|---|")
    for network in NETWORKS:
        if options.only not in network.name:
            continue
        difference = largest_difference(network, "float64", options.steps, options.threads)
        mine, theirs = session(network, "float32", options.threads), eager(network, "float32")
        (batch,) = batches(network, 1, "float32")
        given = [torch.tensor(array) for array in batch]
        systems = {"ours": partial(mine, *batch), "torch": partial(theirs, *given)}
        ours, other = compare(systems, rounds=options.rounds).timings
        times = [each.min_s * 1e3 for each in (ours, other)]
        states = mine.memory().states / 1e6
        print(
            f"| {network.name} | {difference:.1e} | {times[0]:.2f} | {times[1]:.2f} "
            f"| {times[1] / times[0]:.1f} | {states:.2f} |",
            flush=True,
        )


if __name__ == "__main__":
    main()

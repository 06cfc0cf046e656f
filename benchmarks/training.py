"""Training steps of an MLP and a CNN, against torch eager in the same process.

Run: python benchmarks/training.py [--threads N] [--rounds N] [--steps N]

The MLP has the layers 784-128-10; the CNN has two 3x3 convolutions of 16 and 32 channels with max
pools, and a dense layer. The batch has 32 synthetic digits of 28 x 28. First, both train in f64
from the same values, and the losses are compared at every step. Then steps in f32 take turns with
torch's.
Prints a table in Markdown.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import torch
from torch.nn import functional

import tilewright
from tilewright import ops, optim
from tilewright.testing.measure import compare

BATCH, CLASSES, SIDE = 32, 10, 28
MLP = {"w1": (784, 128), "b1": (128,), "w2": (128, 10), "b2": (10,)}
CNN = {
    "c1": (16, 1, 3, 3), "d1": (16,), "c2": (32, 16, 3, 3), "d2": (32,),
    "w": (1568, 10), "b": (10,),
}  # fmt: skip


@dataclass(frozen=True)
class Case:
    """A network and an optimizer in both systems; sizes are the shapes of the parameters."""

    name: str
    sizes: Mapping[str, tuple[int, ...]]
    mine: Callable[..., Any]
    theirs: Callable[..., Any]
    optimizer: optim.Optimizer
    torch_optimizer: Callable[..., torch.optim.Optimizer]

    def params(self, dtype: str) -> dict[str, np.ndarray]:
        """Return the initial parameters: zeros for vectors, scaled normal numbers for others."""
        rng = np.random.default_rng(0)
        made = {}
        for name, size in self.sizes.items():
            fan_in = np.prod(size[1:]) if len(size) > 2 else size[0]
            values = rng.standard_normal(size) / np.sqrt(fan_in)
            made[name] = (values if len(size) > 1 else np.zeros(size)).astype(dtype)
        return made


def mlp(p: Any, x: Any) -> Any:
    return ops.relu(x.reshape(BATCH, 784) @ p["w1"] + p["b1"]) @ p["w2"] + p["b2"]


def torch_mlp(p: Any, x: Any) -> Any:
    return torch.relu(x.reshape(BATCH, 784) @ p["w1"] + p["b1"]) @ p["w2"] + p["b2"]


def cnn(p: Any, x: Any) -> Any:
    for number in ("1", "2"):
        x = ops.relu(ops.conv2d(x, p[f"c{number}"], p[f"d{number}"], padding=1))
        x = ops.max_pool2d(x, 2)
    return ops.flatten(x) @ p["w"] + p["b"]


def torch_cnn(p: Any, x: Any) -> Any:
    for number in ("1", "2"):
        x = functional.relu(functional.conv2d(x, p[f"c{number}"], p[f"d{number}"], padding=1))
        x = functional.max_pool2d(x, 2)
    return x.flatten(1) @ p["w"] + p["b"]


def cases() -> list[Case]:
    """Return both networks with both optimizers."""
    sgd = optim.sgd(0.01, momentum=0.9), partial(torch.optim.SGD, lr=0.01, momentum=0.9)
    adam = optim.adam(1e-3), partial(torch.optim.Adam, lr=1e-3)
    return [
        Case(f"{name}, {method}", *network, *both)
        for name, network in (("MLP", (MLP, mlp, torch_mlp)), ("CNN", (CNN, cnn, torch_cnn)))
        for method, both in (("SGD with momentum", sgd), ("Adam", adam))
    ]


def digits(count: int, dtype: str) -> list[tuple[np.ndarray, np.ndarray]]:
    """Return batches of noisy images of ten random prototypes, with their labels."""
    rng = np.random.default_rng(1)
    prototypes = rng.standard_normal((CLASSES, 1, SIDE, SIDE))
    labels = rng.integers(0, CLASSES, (count, BATCH))
    noise = rng.standard_normal((count, BATCH, 1, SIDE, SIDE))
    return [
        ((prototypes[row] + 1.5 * more).astype(dtype), row)
        for row, more in zip(labels, noise, strict=True)
    ]


def session(case: Case, dtype: str, threads: int) -> tilewright.StepSession:
    """Return a session of our training step."""

    def step(params: Any, opt: Any, x: Any, labels: Any) -> Any:
        def loss(params: Any) -> Any:
            return ops.cross_entropy(case.mine(params, x), labels)

        value, gradients = tilewright.value_and_grad(loss)(params)
        return value, *case.optimizer.update(params, gradients, opt)

    params = case.params(dtype)
    compiled = tilewright.compile_step(step, state=["params", "opt"], threads=threads)
    return compiled.session(params=params, opt=case.optimizer.init(params))


def eager(case: Case, dtype: str) -> Callable[[torch.Tensor, torch.Tensor], float]:
    """Return torch's training step."""
    params = {n: torch.tensor(v, requires_grad=True) for n, v in case.params(dtype).items()}
    optimizer = case.torch_optimizer(list(params.values()))

    def step(x: torch.Tensor, labels: torch.Tensor) -> float:
        optimizer.zero_grad()
        loss = functional.cross_entropy(case.theirs(params, x), labels)
        loss.backward()
        optimizer.step()
        return loss.item()

    return step


def largest_difference(case: Case, dtype: str, steps: int, threads: int) -> float:
    """Return the largest relative difference of the losses of some steps."""
    mine, theirs = session(case, dtype, threads), eager(case, dtype)
    pairs = [
        (float(mine(x, labels)), theirs(torch.tensor(x), torch.tensor(labels)))
        for x, labels in digits(steps, dtype)
    ]
    return max(abs(a - b) / abs(b) for a, b in pairs)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--steps", type=int, default=100)
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    print(
        f"| step, {options.threads} threads | f64 losses | ours ms | torch ms | ratio | states MB |"
    )
    print("|---|---|---|---|---|---|")
    for case in cases():
        difference = largest_difference(case, "float64", options.steps, options.threads)
        mine, theirs = session(case, "float32", options.threads), eager(case, "float32")
        ((x, labels),) = digits(1, "float32")
        given = torch.tensor(x), torch.tensor(labels)
        systems = {"ours": partial(mine, x, labels), "torch": partial(theirs, *given)}
        ours, other = compare(systems, rounds=options.rounds).timings
        times = [each.min_s * 1e3 for each in (ours, other)]
        states = mine.memory().states / 1e6
        print(
            f"| {case.name} | {difference:.1e} | {times[0]:.2f} | {times[1]:.2f} "
            f"| {times[1] / times[0]:.1f} | {states:.2f} |",
            flush=True,
        )


if __name__ == "__main__":
    main()

"""Time torch.compile with our backend, with inductor, and eager torch.

    python benchmarks/torch_compile.py [--threads N] [--batch N] [NETWORK …]

All systems use the same number of threads, inductor with frozen weights and without max-autotune,
ours with and without ``options={"freeze": True}``.  Rounds of calls take turns, and the least time
of a call counts.  The first call compiles without caches of compiled code.  The last line has the
geometric mean of inductor's time over ours.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable
from functools import partial
from math import exp, log
from typing import Any

import torch

from tilewright.driver.torch_backend import tilewright_backend
from zoo.torch_networks import NETWORKS, inputs_of, network_of

ROUNDS, WINDOW_S = 9, 0.15
OURS, CHECKED, INDUCTOR, EAGER = "freeze", "default", "inductor", "eager"


def systems(network: torch.nn.Module) -> dict[str, Callable[..., Any]]:
    """Return the network as each system runs it."""
    compiled: Any = torch.compile
    ours = partial(compiled, network, backend=tilewright_backend)
    return {
        OURS: ours(options={"freeze": True, "cache": False}),
        CHECKED: ours(),
        INDUCTOR: compiled(network, options={"freezing": True, "max_autotune": False}),
        EAGER: network,
    }


def first_seconds(call: Callable[[], Any]) -> float:
    """Return the time of the first call."""
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def least_seconds(calls: dict[str, Callable[[], Any]]) -> dict[str, float]:
    """Return the least time of a call of each system; rounds take turns."""
    least = {name: first_seconds(call) for name, call in calls.items()}
    for _ in range(ROUNDS):
        for name, call in calls.items():
            end = time.perf_counter() + WINDOW_S
            while True:
                least[name] = min(least[name], first_seconds(call))
                if time.perf_counter() > end:
                    break
    return least


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--batch", type=int, default=1)
    parser.add_argument("networks", nargs="*", choices=[[], *NETWORKS], metavar="NETWORK")
    chosen = parser.parse_args()
    os.environ["TORCHINDUCTOR_FORCE_DISABLE_CACHES"] = "1"
    torch.set_num_threads(chosen.threads)
    dynamo: Any = torch._dynamo  # pyright: ignore[reportPrivateUsage]
    dynamo.config.allow_rnn = True
    ratios: list[float] = []
    print(f"{'ms per call':14}{OURS:>9}{CHECKED:>9}{INDUCTOR:>10}{EAGER:>9}  ratio   first call")
    with torch.inference_mode():
        for name in chosen.networks or NETWORKS:
            dynamo.reset()
            network, given = network_of(NETWORKS[name]), inputs_of(NETWORKS[name], chosen.batch)
            made = systems(network)
            calls = {key: partial(run, *given) for key, run in made.items()}
            first = {key: first_seconds(call) for key, call in calls.items()}
            least = least_seconds(calls)
            ratios.append(least[INDUCTOR] / least[OURS])
            shown = "".join(f"{1e3 * least[key]:9.3f}" for key in calls)
            starts = f"{first[OURS]:.1f} s, {first[INDUCTOR]:.1f} s"
            print(f"{name:14}{shown}  {ratios[-1]:5.2f}   {starts}", flush=True)
    print(f"geometric mean of {INDUCTOR} / {OURS}: {exp(sum(map(log, ratios)) / len(ratios)):.2f}")


if __name__ == "__main__":
    main()

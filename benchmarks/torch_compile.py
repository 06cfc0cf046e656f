"""Time torch.compile with our backend, with inductor, and eager torch.

    python benchmarks/torch_compile.py [--threads N …] [--batch N] [--freeze] [NETWORK …]

One table for each number of threads, by default 1 and 2.  All systems use that number; inductor
runs with frozen weights and without max-autotune, ours with its defaults or with the option freeze.
The systems take turns in rounds, and the least time of a call counts.  The ratio is inductor's time
over ours: the median of the rounds, the least and the greatest.  The first call compiles without
caches of compiled code, which is most of the time of a run.  The error is the difference from eager
torch over the norm of eager's results.
"""

from __future__ import annotations

import argparse
import os
import time
import warnings
from collections.abc import Callable
from functools import partial
from statistics import geometric_mean, median
from typing import Any

import torch

from tilewright.driver.torch.backend import tilewright_backend
from zoo.torch_networks import NETWORKS, inputs_of, network_of

ROUNDS, WINDOW_S = 7, 0.1
OURS, INDUCTOR, EAGER = "ours", "inductor", "eager"
dynamo: Any = torch._dynamo  # pyright: ignore[reportPrivateUsage]


def systems(network: torch.nn.Module, *, freeze: bool) -> dict[str, Callable[..., Any]]:
    """Return a function for each system that runs the network, by the name of the system."""
    compiled: Any = torch.compile
    own = {"freeze": freeze, "cache": False}
    return {
        OURS: compiled(network, backend=tilewright_backend, options=own),
        INDUCTOR: compiled(network, options={"freezing": True, "max_autotune": False}),
        EAGER: network,
    }


def seconds(call: Callable[[], Any]) -> float:
    """Return the seconds of one call."""
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def least_of_window(call: Callable[[], Any]) -> float:
    """Return the least seconds of a call, over the calls of a window."""
    end = time.perf_counter() + WINDOW_S
    least = seconds(call)
    while time.perf_counter() < end:
        least = min(least, seconds(call))
    return least


def error_of(got: Any, want: Any) -> float:
    """Return the greatest relative difference of a result, in the L2 norm."""
    pairs = zip(*(x if isinstance(x, tuple | list) else (x,) for x in (got, want)), strict=True)
    return max(float((x - y).norm() / y.norm()) for x, y in pairs)


def measured(name: str, batch: int, *, freeze: bool) -> tuple[str, float]:
    """Measure a network; return its row of the table, and the ratio."""
    dynamo.reset()
    dynamo.utils.counters.clear()
    network, given = network_of(NETWORKS[name]), inputs_of(NETWORKS[name], batch)
    made = systems(network, freeze=freeze)
    calls = {key: partial(run, *given) for key, run in made.items()}
    first = {key: seconds(call) for key, call in calls.items()}
    error = error_of(calls[OURS](), calls[EAGER]())
    rounds = [{key: least_of_window(call) for key, call in calls.items()} for _ in range(ROUNDS)]
    ratios = [each[INDUCTOR] / each[OURS] for each in rounds]
    least = "".join(f"{1e3 * min(each[key] for each in rounds):10.3f}" for key in calls)
    spread = f"{median(ratios):7.2f} ({min(ratios):.2f} … {max(ratios):.2f})"
    starts = f"{first[OURS]:7.1f} s {first[INDUCTOR]:6.1f} s"
    breaks = sum(dynamo.utils.counters["graph_break"].values())
    return f"{name:14}{least}{spread}{starts}  {error:.0e}{breaks:4}", median(ratios)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--batch", type=int, default=1)
    parser.add_argument("--freeze", action="store_true")
    parser.add_argument("networks", nargs="*", choices=[[], *NETWORKS], metavar="NETWORK")
    chosen = parser.parse_args()
    os.environ["TORCHINDUCTOR_FORCE_DISABLE_CACHES"] = "1"
    warnings.simplefilter("ignore")
    dynamo.config.allow_rnn = True
    for threads in chosen.threads:
        torch.set_num_threads(threads)
        ratios: list[float] = []
        title = f"threads: {threads}"
        heads = "".join(f"{key:>10}" for key in (OURS, INDUCTOR, EAGER))
        print(
            f"{title:14}{heads}  ratio (spread)       first calls       error  breaks", flush=True
        )
        with torch.inference_mode():
            for name in chosen.networks or NETWORKS:
                row, ratio = measured(name, chosen.batch, freeze=chosen.freeze)
                ratios.append(ratio)
                print(row, flush=True)
        print(f"geometric mean of {INDUCTOR} / {OURS}: {geometric_mean(ratios):.2f}\n")


if __name__ == "__main__":
    main()

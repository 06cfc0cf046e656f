"""One system with one network in its own process, which executes orders.

Run: python -m harness.worker SYSTEM NETWORK THREADS TARGET

Orders come on stdin, answers are JSON lines on stdout: ``compile``, ``check``, ``batch SECONDS``.
Output of libraries goes to stderr.
"""

from __future__ import annotations

import ctypes
import gc
import importlib.metadata
import json
import os
import signal
import sys
import time
from pathlib import Path

from tilewright.machines.target import Target
from zoo.files import read_case

from .roofline import ROOFLINE, Roofline
from .systems import SYSTEMS, System

# From linux/prctl.h.
PR_SET_PDEATHSIG = 1
MOST_RUNS = 20_000


def main() -> None:
    die_with_parent()
    # Libraries write to descriptor 1 too.
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    name, network, threads, target = sys.argv[1:]
    kind = {**SYSTEMS, **ROOFLINE}[name]
    system = kind(read_case(network), int(threads), Target(target))
    orders = {"load": load, "compile": compile_, "check": check, "batch": batch}
    for line in sys.stdin:
        order, *arguments = line.split()
        try:
            answer = orders[order](system, *map(float, arguments))
        except Exception as err:  # any exception of a peer is a result
            answer = {"failed": f"{type(err).__name__}: {' '.join(str(err).split())[:300]}"}
        answers.write(json.dumps(answer) + "\n")
        answers.flush()


def die_with_parent() -> None:
    """Let Linux kill this process with its parent: a stopped process would stay forever."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def load(system: System) -> dict[str, object]:
    """Import the libraries of a system.

    Return the system's version, and the resident memory of this process in bytes.
    """
    system.load()
    gc.collect()
    gc.freeze()
    version = importlib.metadata.version(system.package) if system.package else ""
    return {"version": version, "base_bytes": memory_bytes("VmRSS")}


def compile_(system: System) -> dict[str, object]:
    """Compile the network; return the answer to the order."""
    start_s = time.perf_counter()
    system.compile()
    return {
        "compile_s": time.perf_counter() - start_s,
        "compiled_bytes": memory_bytes("VmRSS"),
        "peak_bytes": memory_bytes("VmHWM"),
        "reported_bytes": system.memory(),
    }


def check(system: System) -> dict[str, object]:
    """Run the network once and compare the results; return the answer to the order."""
    start_s = time.perf_counter()
    system.run()
    first_s = time.perf_counter() - start_s
    is_loop = isinstance(system, Roofline)
    return {
        "first_s": first_s,
        "error": 0.0 if is_loop else system.case.error(system.outputs()),
        "work": system.work if is_loop else 0,
        "ran_bytes": memory_bytes("VmRSS"),
    }


def batch(system: System, window_s: float) -> dict[str, object]:
    """Run once untimed, then repeatedly for ``window_s`` seconds; 0: exactly once.

    The answer has the times, and as ``disturbance`` the number of processors that other programs
    used meanwhile.
    """
    clock, times_s = time.perf_counter, list[float]()
    if window_s:
        system.run()
    busy_s, own_s, start_s = machine_busy_s(), time.process_time(), clock()
    gc.disable()
    now_s = start_s
    while not times_s or (now_s - start_s < window_s and len(times_s) < MOST_RUNS):
        before_s = now_s
        system.run()
        now_s = clock()
        times_s.append(now_s - before_s)
    gc.enable()
    foreign_s = machine_busy_s() - busy_s - (time.process_time() - own_s)
    return {"times_s": times_s, "disturbance": max(0.0, foreign_s) / (now_s - start_s)}


def memory_bytes(field: str) -> int:
    """Return a size of this process in bytes, as Linux reports it; 0 on other systems."""
    path = Path("/proc/self/status")
    lines = path.read_text().splitlines() if path.exists() else []
    return next((int(x.split()[1]) << 10 for x in lines if x.startswith(f"{field}:")), 0)


def machine_busy_s() -> float:
    """Return the busy time of all processors, including time stolen by the hypervisor."""
    path = Path("/proc/stat")
    if not path.exists():
        return 0.0
    counts = [int(x) for x in path.read_text().split("\n", 1)[0].split()[1:]]
    user, nice, system, _, _, irq, softirq, steal = counts[:8]
    return (user + nice + system + irq + softirq + steal) / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    main()

"""Sizes and times of a deployed MobileNetV2, 224 x 224: the file, the runtime, load, first result.

Run: python benchmarks/deployment.py [--processes N]

The model is exported once; fresh processes import the runtime, load the file and call it, with the
files in the page cache. Times are the least and the median of these processes. Needs torch and
onnxscript, which make the model, and a C compiler and `strip` for the size of the C runtime.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
import subprocess
import sys
from pathlib import Path
from shutil import which
from tempfile import TemporaryDirectory

import numpy as np
from rich.console import Console
from rich.table import Table

import tilewright
from zoo.files import make_case, read_case

MODEL = "mobilenet_v2"
NATIVE = Path(tilewright.runtime.__file__).parent / "native"

# One fresh process: milliseconds since its start of importing, loading, and calling.
CHILD = """
import json, sys, time
start = time.perf_counter()
import numpy as np
from tilewright.runtime import load_module
imported = time.perf_counter()
with np.load(sys.argv[2]) as data:
    inputs = [data[name] for name in data.files]
ready = time.perf_counter()
mod = load_module(sys.argv[1])
loaded = time.perf_counter()
mod(*inputs)
first = time.perf_counter()
times = []
for _ in range(20):
    begin = time.perf_counter()
    mod(*inputs)
    times.append(time.perf_counter() - begin)
print(json.dumps({"import the runtime": imported - start, "load_module": loaded - ready,
    "first result, from the start of load_module": first - ready,
    "later results": sorted(times)[10]}))
"""


def runtime_bytes(folder: Path) -> int | None:
    """Return the size of the stripped C runtime as a shared object; None without a compiler."""
    compiler, strip = which("cc"), which("strip")
    if compiler is None or strip is None:
        return None
    path = folder / "libtilewright.so"
    flags = ("-std=c99", "-O2", "-shared", "-fPIC", "-fvisibility=hidden", "-pthread")
    source = str(NATIVE / "tilewright.c")
    subprocess.run([compiler, *flags, source, "-o", str(path), "-ldl"], check=True)
    subprocess.run([strip, str(path)], check=True)
    return path.stat().st_size


def process_times(library: Path, inputs: Path, processes: int) -> dict[str, list[float]]:
    """Return the milliseconds of each step, one number per fresh process.

    One more process runs before these and is not counted.
    """
    command = [sys.executable, "-c", CHILD, str(library), str(inputs)]
    runs = [
        json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
        for _ in range(1 + processes)
    ]
    return {step: [1e3 * run[step] for run in runs[1:]] for step in runs[0]}


def measured(folder: Path, processes: int) -> dict[str, tuple[str, str]]:
    """Return the rows of the table: sizes of files, and the least and median time of each step."""
    make_case(MODEL)
    case = read_case(MODEL)
    module = tilewright.compile(case.path)
    files = module.export_library(folder / "m.so")
    program = module.export_library(folder / "m", embed=True)[0]
    np.savez(folder / "inputs.npz", **{spec.name: case.inputs[spec.name] for spec in module.inputs})
    sizes = {
        "library without weights": files[0].stat().st_size,
        "weights": files[1].stat().st_size,
        "static program with weights": program.stat().st_size,
        "C runtime, stripped": runtime_bytes(folder),
    }
    known = {name: size for name, size in sizes.items() if size is not None}
    rows = {name: (f"{size / 1024:.0f} KiB", "") for name, size in known.items()}
    times = process_times(files[0], folder / "inputs.npz", processes)
    return rows | {
        name: (f"{min(row):.1f} ms", f"{statistics.median(row):.1f} ms")
        for name, row in times.items()
    }


def machine() -> str:
    """Return the name of the processor."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else []
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    count = len(os.sched_getaffinity(0))
    return f"{next(names, platform.machine())}, {count} processors, {tilewright.Target.native()}"


def main() -> None:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--processes", type=int, default=11)
    processes = parser.parse_args().processes
    table = Table("MobileNetV2, 224 x 224", "least", "median", title=machine())
    with TemporaryDirectory() as folder:
        for name, cells in measured(Path(folder), processes).items():
            table.add_row(name, *cells)
    Console().print(table)


if __name__ == "__main__":
    main()

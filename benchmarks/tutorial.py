"""The schedules of docs/tutorial-matmul.md against numpy, and its blur against the plain form.

Run: python benchmarks/tutorial.py [--rounds N]

Runs the Python blocks of the page, then times their programs by turns, and numpy on one thread.
Prints tables in Markdown: GFLOP/s of each step and its ratio to numpy's, milliseconds of
the blur. The unscheduled loops take seconds, so they are timed once.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import re
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

PAGE = Path(__file__).parents[1] / "docs" / "tutorial-matmul.md"
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
STEPS = ("two", "three", "four", "five", "six", "seven", "eight")
NUMPY_THREADS = "OPENBLAS_NUM_THREADS"


def page_names() -> dict[str, Any]:
    """Run the blocks of the page, and build the program of its first step.

    Return all defined names.
    """
    import tilewright

    names: dict[str, Any] = {"__name__": "page"}
    for block in BLOCK.findall(PAGE.read_text()):
        with contextlib.redirect_stdout(None):
            exec(block, names)
        if "one" not in names and "s" in names:
            arguments = [names[name] for name in "ABC"]
            names["one"] = tilewright.build(names["s"], arguments, threads=1)
    return names


def show_product(names: Mapping[str, Any], rounds: int) -> None:
    """Time all steps of the matrix product, and print their rates."""
    import numpy as np

    from tilewright.testing.measure import compare

    a, b, flops = names["a"], names["b"], 2 * names["N"] ** 3
    out = np.empty_like(a)
    start = time.perf_counter()
    names["one"](a, b, out)
    once = time.perf_counter() - start
    systems = {step: (lambda mod=names[step]: mod(a, b, out)) for step in STEPS}
    found = compare({**systems, "numpy": lambda: np.matmul(a, b, out=out)}, rounds=rounds)
    print("| step | GFLOP/s | over numpy |\n| --- | ---: | ---: |")
    print(f"| one | {flops / once / 1e9:.1f} | {found['numpy'].median_s / once:.3f} |")
    for timing in found.timings:
        rate, ratio = flops / timing.median_s / 1e9, found.ratio("numpy", over=timing.name)
        print(f"| {timing.name} | {rate:.1f} | {ratio:.3f} |")


def show_blur(names: Mapping[str, Any], rounds: int) -> None:
    """Time the blur, and print the milliseconds."""
    import numpy as np

    import tilewright
    from tilewright.testing.measure import compare

    image, out = names["image"], np.empty((names["H"], names["W"]), np.float32)
    modules = {name: names[name] for name in ("plain", "sliding")}
    source, _, result, _ = names["blur"]()
    modules["planned"] = tilewright.build([source, result], threads=1)
    systems = {name: (lambda mod=mod: mod(image, out)) for name, mod in modules.items()}
    found = compare(systems, rounds=rounds)
    print("\n| blur | ms | over plain |\n| --- | ---: | ---: |")
    for timing in found.timings:
        faster = found.ratio("plain", over=timing.name)
        print(f"| {timing.name} | {timing.median_s * 1e3:.1f} | {faster:.2f} |")


def main() -> None:
    """Time the page, with numpy on one thread."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=12)
    options = parser.parse_args()
    if os.environ.get(NUMPY_THREADS) != "1":
        # numpy reads the variable at import.
        os.execve(sys.executable, [sys.executable, *sys.argv], {**os.environ, NUMPY_THREADS: "1"})
    names = page_names()
    show_product(names, options.rounds)
    show_blur(names, options.rounds)


if __name__ == "__main__":
    main()

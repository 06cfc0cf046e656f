"""Accuracy, compile time and speed of whole models: the light_* models and tests/fixtures.

Run: python benchmarks/models.py [--rounds N] [--write] [NAME ...]

Each model is compiled with an empty cache and run with 1 and 2 threads, by turns with onnxruntime.
With --write the rows of these models in docs/models.md are replaced.
"""

from __future__ import annotations

import argparse
import fnmatch
import os
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import onnx
import onnxruntime

import tilewright
from tilewright.driver.module.compiled_module import CompiledModule
from tilewright.support.cache import DiskCache
from tilewright.support.config import read_config
from tilewright.testing.fixtures import fixture_inputs, fixture_model
from tilewright.testing.measure import compare
from tilewright.testing.models import LIGHT_MODELS, light_model
from tilewright.testing.reference import reference_results, relative_error
from tilewright.tools.commands.bench import ORT, OURS, onnxruntime_call

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "models.md"
FIXTURES = ROOT / "tests" / "fixtures"
THREADS = (1, 2)
# Short: on a shared machine, a long window never runs undisturbed.
WINDOW_S = 0.004


@dataclass(frozen=True)
class ModelResult:
    """The results of one model.

    The times are in seconds, (ours, onnxruntime's) for each number of threads; errors are relative,
    the largest over all outputs.
    """

    name: str
    error: float
    peer_error: float
    is_equal: bool
    compile_s: float
    times_s: tuple[tuple[float, float], ...]

    def __str__(self) -> str:
        times = " | ".join(
            f"{1e3 * ours:.2f} | {1e3 * theirs:.2f} | {ours / theirs:.2f}"
            for ours, theirs in self.times_s
        )
        equal = "yes" if self.is_equal else "no"
        errors = f"{self.error:.1e} | {self.peer_error:.1e} | {equal}"
        return f"| {self.name} | {errors} | {self.compile_s:.1f} | {times} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("names", nargs="*", default=["*"], metavar="NAME")
    parser.add_argument("--rounds", type=int, default=40)
    parser.add_argument("--write", action="store_true")
    args = parser.parse_args()
    references = DiskCache(read_config().cache_dir / "reference")
    for name in model_names():
        if not any(fnmatch.fnmatch(name, pattern) for pattern in args.names):
            continue
        with tempfile.TemporaryDirectory() as folder:
            os.environ["TILEWRIGHT_CACHE_DIR"] = folder
            row = measured(name, Path(folder), references, args.rounds)
        print(row, flush=True)
        if args.write:
            write(row)


def model_names() -> list[str]:
    """Return the names of all models: the light_* models and the fixtures."""
    fixtures = sorted(path.stem for path in FIXTURES.glob("*.onnx"))
    return [*(f"light_{name}" for name in LIGHT_MODELS), *fixtures]


def measured(name: str, folder: Path, references: DiskCache, rounds: int) -> ModelResult:
    """Compile a model into an empty cache, compare its results, then time it."""
    if name.startswith("light_"):
        model = light_model(name.removeprefix("light_"))
    else:
        model = fixture_model(FIXTURES / f"{name}.onnx")
    inputs, path = fixture_inputs(model), folder / "model.onnx"
    onnx.save(model, path)
    start_s = time.process_time()
    mod = tilewright.compile(str(path), shapes={key: x.shape for key, x in inputs.items()})
    compile_s = time.process_time() - start_s
    results = [[out.numpy() for out in mod.run(inputs, threads=count)] for count in THREADS]
    expected = reference_results(model, inputs, cache=references)
    return ModelResult(
        name,
        worst_error(results[0], expected),
        worst_error(peer_results(path, inputs), expected),
        len({b"".join(x.tobytes() for x in outputs) for outputs in results}) == 1,
        compile_s,
        tuple(times(mod, path, inputs, count, rounds) for count in THREADS),
    )


def worst_error(results: list[np.ndarray], expected: list[np.ndarray]) -> float:
    return max(relative_error(x, y) for x, y in zip(results, expected, strict=True))


def peer_results(path: Path, inputs: dict[str, np.ndarray]) -> list[np.ndarray]:
    session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
    return session.run(None, inputs)


def times(
    mod: CompiledModule,
    path: Path,
    inputs: dict[str, np.ndarray],
    threads: int,
    rounds: int,
) -> tuple[float, float]:
    """Return the least seconds per call of our module and of onnxruntime, in rounds by turns.

    One thread is measured in processor time, which other programs on the machine disturb least.
    """
    systems = {
        OURS: lambda: mod.run(inputs, threads=threads),
        ORT: onnxruntime_call(path, inputs, threads=threads),
    }
    clock = time.process_time if threads == 1 else time.perf_counter
    result = compare(systems, rounds=rounds, window_s=WINDOW_S, clock=clock)
    return result[OURS].min_s, result[ORT].min_s


def write(row: ModelResult) -> None:
    """Insert a row into the table of the page, in order; it replaces the row of the same model."""
    lines = PAGE.read_text().splitlines()
    start = next(i for i, line in enumerate(lines) if line.startswith("|---")) + 1
    rows = {line.split()[1]: line for line in lines[start:]}
    rows[row.name] = str(row)
    table = [rows[name] for name in model_names() if name in rows]
    PAGE.write_text("\n".join([*lines[:start], *table, ""]))


if __name__ == "__main__":
    main()

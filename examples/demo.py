"""Compile SqueezeNet and a transformer encoder, check both, and show kernels and times.

Run: python examples/demo.py

SqueezeNet's graph comes with the onnx package, which ships no weights: they are random here.  The
encoder is two layers of BERT-base's shape.  The reference is onnxruntime where it is installed,
else onnx's own reference implementation.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence

import numpy as np
import onnx
from rich.console import Console
from rich.table import Table

import tilewright
from tilewright.testing import models

MODELS: dict[str, Callable[[], onnx.ModelProto]] = {
    "light_squeezenet": lambda: models.light_model("squeezenet"),
    "transformer encoder, 2 layers, S = 128": models.encoder_model,
}
MAX_RELATIVE_ERROR = 1e-5
RUNS = 10


def reference(model: onnx.ModelProto) -> tuple[str, Callable[[Sequence[np.ndarray]], list]]:
    """Return a system that we did not write, and its function from inputs to outputs."""
    names = [value.name for value in model.graph.input]
    try:
        import onnxruntime
    except ImportError:
        evaluator = onnx.reference.ReferenceEvaluator(model)
        return "onnx.reference", lambda xs: evaluator.run(None, dict(zip(names, xs, strict=True)))
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(
        model.SerializeToString(), options, ["CPUExecutionProvider"]
    )
    return "onnxruntime", lambda xs: session.run(None, dict(zip(names, xs, strict=True)))


def relative_error(got: np.ndarray, expected: np.ndarray) -> float:
    """Return the L2 norm of the difference over that of the expected array, in float64."""
    wanted = expected.astype(np.float64)
    return float(np.linalg.norm(got - wanted) / np.linalg.norm(wanted))


def median_ms(call: Callable[[], object]) -> float:
    """Return the median time of some calls."""
    times: list[float] = []
    for _ in range(RUNS):
        start_s = time.perf_counter()
        call()
        times.append(time.perf_counter() - start_s)
    return 1e3 * statistics.median(times)


def show(console: Console, name: str, build: Callable[[], onnx.ModelProto]) -> bool:
    """Compile, run, compare and time one model; return whether the result is right."""
    model = build()
    inputs = models.inputs_for(model)
    start_s = time.perf_counter()
    mod = tilewright.compile(model)
    compile_s = time.perf_counter() - start_s

    table = Table("kernel", "made of", title=name)
    for column in ("MFLOP", "tasks", "calls"):
        table.add_column(column, justify="right")
    for kernel in mod.kernels:
        made_of = ", ".join(dict.fromkeys(kernel.ops))
        mflop = f"{1e-6 * kernel.flops:.1f}"
        table.add_row(kernel.name, made_of, mflop, str(kernel.tasks), str(kernel.calls))
    console.print(table)

    peer, run_peer = reference(model)
    expected = run_peer(inputs)
    error = max(
        relative_error(result.numpy(), wanted)
        for threads in (1, 2)
        for result, wanted in zip(mod.run(inputs, threads=threads), expected, strict=True)
    )
    is_right = error <= MAX_RELATIVE_ERROR
    console.print(f"compiled in {compile_s:.2f} s")
    console.print(f"relative L2 error against {peer}: {error:.1e}", style="" if is_right else "red")
    ours_ms = median_ms(lambda: mod.run(inputs, threads=1))
    both_ms = median_ms(lambda: mod.run(inputs, threads=2))
    peer_ms = median_ms(lambda: run_peer(inputs))
    console.print(
        f"median of {RUNS} runs: {ours_ms:.2f} ms with 1 thread, {both_ms:.2f} ms with 2; "
        f"{peer} {peer_ms:.2f} ms with 1\n"
    )
    return is_right


def main() -> None:
    """Show every model; fail if a result is wrong."""
    console = Console()
    results = [show(console, name, build) for name, build in MODELS.items()]
    if not all(results):
        raise SystemExit("a result differs from the reference")


if __name__ == "__main__":
    main()

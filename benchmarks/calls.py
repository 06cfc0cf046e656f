"""The cost of one call from Python: a sum of two arrays of eight floats, in several libraries.

Run: python benchmarks/calls.py [--rounds N]

Each system adds the same arrays, in turn, in windows of 10,000 calls; a row shows the least and the
median nanoseconds per call. The work itself takes about 3 ns, so a row is the overhead. Rows of
torch, tvm_ffi and onnxruntime are there if these packages are installed; tvm_ffi loads the file
that `Module.export_library` wrote.
"""

from __future__ import annotations

import argparse
import statistics
import timeit
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import onnx
from onnx import TensorProto, helper
from rich.console import Console
from rich.table import Table

import tilewright
from tilewright import te

CALLS, SIZE = 10_000, 8

Call = Callable[[], object]


def vector_add() -> tilewright.CompiledModule:
    """Return our compiled module, which adds two vectors."""
    a, b = (te.placeholder((SIZE,), name=name) for name in "ab")
    c = te.compute((SIZE,), lambda i: a[i] + b[i], name="c")
    return tilewright.build([a, b, c], name="vecadd")


def our_calls(module: tilewright.CompiledModule) -> dict[str, Call]:
    """Return functions that call our module, by the name of their row in the table."""
    x, y, z = arrays()
    function = module["vecadd"]
    return {
        "tilewright: mod(x, y, z)": lambda: module(x, y, z),
        'tilewright: mod["vecadd"](x, y, z)': lambda: function(x, y, z),
        "tilewright: z = mod(x, y)": lambda: module(x, y),
    }


def arrays() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return two input arrays and an output array."""
    x = np.arange(SIZE, dtype=np.float32)
    return x, x + 1, np.zeros_like(x)


def numpy_calls() -> dict[str, Call]:
    """Return functions that call numpy, by the name of their row."""
    x, y, z = arrays()
    return {
        "numpy: np.add(x, y, out=z)": lambda: np.add(x, y, out=z),
        "numpy: z = np.add(x, y)": lambda: np.add(x, y),
    }


def torch_calls(module: tilewright.CompiledModule) -> dict[str, Call]:
    """Return functions that call our module with torch tensors, by the name of their row."""
    import torch

    x, y, z = map(torch.from_numpy, arrays())
    return {
        "tilewright: mod(x, y, z) of torch": lambda: module(x, y, z),
        "torch: torch.add(x, y, out=z)": lambda: torch.add(x, y, out=z),
        "torch: z = torch.add(x, y)": lambda: torch.add(x, y),
    }


def tvm_calls(module: tilewright.CompiledModule, folder: Path) -> dict[str, Call]:
    """Return functions that call our exported file through tvm_ffi, by the name of their row."""
    import tvm_ffi

    path = folder / "vecadd.so"
    module.export_library(path)
    function = tvm_ffi.load_module(str(path))["vecadd"]
    x, y, z = arrays()
    owned = [tvm_ffi.from_dlpack(each) for each in (x, y, z)]
    return {
        "tvm_ffi: f(x, y, z) of numpy": lambda: function(x, y, z),
        "tvm_ffi: f(x, y, z) of its tensors": lambda: function(*owned),
    }


def onnxruntime_calls() -> dict[str, Call]:
    """Return a function that runs an onnxruntime session, by the name of its row."""
    import onnxruntime

    a, b, c = (helper.make_tensor_value_info(n, TensorProto.FLOAT, [SIZE]) for n in "abc")
    graph = helper.make_graph([helper.make_node("Add", ["a", "b"], ["c"])], "add", [a, b], [c])
    opset = [helper.make_opsetid("", 21)]
    model = helper.make_model(graph, opset_imports=opset, ir_version=10)
    onnx.checker.check_model(model)
    session = onnxruntime.InferenceSession(
        model.SerializeToString(), providers=["CPUExecutionProvider"]
    )
    x, y, _ = arrays()
    feeds = {"a": x, "b": y}
    return {"onnxruntime: session.run": lambda: session.run(None, feeds)}


def measured(calls: dict[str, Call], rounds: int) -> dict[str, list[float]]:
    """Return the nanoseconds per call of each function, one number per window.

    Functions take turns.
    """
    found: dict[str, list[float]] = {name: [] for name in calls}
    timers = {name: timeit.Timer(call) for name, call in calls.items()}
    empty = timeit.Timer(lambda: None)
    for _ in range(rounds):
        base_s = min(empty.repeat(3, CALLS))
        for name, timer in timers.items():
            found[name].append((timer.timeit(CALLS) - base_s) / CALLS * 1e9)
    return found


def main() -> None:
    """Measure all systems and print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rounds", type=int, default=15)
    rounds = parser.parse_args().rounds
    module = vector_add()
    with TemporaryDirectory() as folder:
        calls = our_calls(module) | numpy_calls()
        if find_spec("torch"):
            calls |= torch_calls(module)
        if find_spec("tvm_ffi"):
            calls |= tvm_calls(module, Path(folder))
        if find_spec("onnxruntime"):
            calls |= onnxruntime_calls()
        found = measured(calls, rounds)
    table = Table(title="one call, nanoseconds")
    for title in ("call", "least", "median"):
        table.add_column(title, justify="left" if title == "call" else "right")
    for name, times_ns in found.items():
        table.add_row(name, f"{min(times_ns):.0f}", f"{statistics.median(times_ns):.0f}")
    Console().print(table)


if __name__ == "__main__":
    main()

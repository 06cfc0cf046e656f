"""The products of a decode step with compressed weights, against onnxruntime.

Run: python benchmarks/decode_step.py [--threads N] [--layers N]

The shapes are those of a language model with a billion parameters: 16 layers of width 2048, with
8 heads of keys and values of 64 features each, a hidden width of 8192, and 128256 words. Weights
are random, in blocks of 32, with f32 scales. One row goes through all products in order, so that
each product reads its weights from memory. A row of the table has the share of the read bandwidth
at which the compressed weights are read: the least time of rounds that alternate with a loop that
only reads memory. Errors are relative to the largest exact result of one product.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper
from rich.console import Console
from rich.table import Table

import tilewright
from tilewright.machines.target import Target
from tilewright.runtime.measure.roofline import MemoryLoop
from tilewright.targets.cpu.instructions.peak import limit_loops

WIDTH, KEYS, HIDDEN, WORDS, LAYERS, BLOCK = 2048, 512, 8192, 128256, 16, 32
ROUNDS = 7
READ_BYTES = 256 << 20


def products(layers: int) -> Iterator[tuple[str, str, str, int, int]]:
    """Yield the name, the input, the use, and the sizes K and N of each product."""
    x = "x"
    for layer in range(layers):
        for name, size in (("q", WIDTH), ("k", KEYS), ("v", KEYS)):
            yield f"{name}{layer}", x, "drop" if name != "q" else "keep", WIDTH, size
        yield f"o{layer}", f"q{layer}", "keep", WIDTH, WIDTH
        for name in ("gate", "up"):
            yield f"{name}{layer}", f"o{layer}", "keep", WIDTH, HIDDEN
        yield f"down{layer}", f"up{layer}", "keep", HIDDEN, WIDTH
        x = f"down{layer}"
    yield "words", x, "result", WIDTH, WORDS


def decode_model(bits: int, level: int, layers: int) -> onnx.ModelProto:
    """Return a model of the products; the products that no other product reads are its outputs."""
    rng, nodes, weights = np.random.default_rng(0), [], []
    results: list[tuple[str, int]] = []
    for name, x, use, size, columns in products(layers):
        blocks = size // BLOCK
        stored = rng.integers(0, 256, (columns, blocks, BLOCK * bits // 8), np.uint8)
        # Sums keep the magnitude of x.
        middle = 3.0 / (1 << bits) / np.sqrt(size)
        scales = rng.uniform(middle, 1.5 * middle, columns * blocks).astype(np.float32)
        weights += [
            numpy_helper.from_array(stored, f"w_{name}"),
            numpy_helper.from_array(scales, f"s_{name}"),
        ]
        nodes.append(
            helper.make_node(
                "MatMulNBits", [x, f"w_{name}", f"s_{name}"], [name], domain="com.microsoft",
                K=size, N=columns, bits=bits, block_size=BLOCK, accuracy_level=level,
            )
        )  # fmt: skip
        if use != "keep" or name.startswith("gate"):
            results.append((name, columns))
    values = [
        helper.make_tensor_value_info(name, TensorProto.FLOAT, [1, size])
        for name, size in [("x", WIDTH), *results]
    ]
    graph = helper.make_graph(nodes, "decode", values[:1], values[1:], weights)
    opsets = [helper.make_opsetid("", 21), helper.make_opsetid("com.microsoft", 1)]
    return helper.make_model(graph, opset_imports=opsets, ir_version=10)


def compressed_bytes(bits: int, layers: int) -> int:
    """Return the bytes of all weights and scales."""
    return sum(k * n * bits // 8 + k * n // BLOCK * 4 for *_, k, n in products(layers))


def first_matrix(model: onnx.ModelProto, bits: int) -> np.ndarray:
    """Return the matrix (K, N) of the first product, ``k0``, in f64.

    It multiplies the input x, and its result is the first output.
    """
    stored, scales = (
        numpy_helper.to_array(w)
        for name in ("w_k0", "s_k0")
        for w in model.graph.initializer
        if w.name == name
    )
    numbers = np.stack([stored & 15, stored >> 4], -1) if bits == 4 else stored
    centered = numbers.reshape(*stored.shape[:2], BLOCK) - np.float64(1 << (bits - 1))
    matrix = centered * scales.astype(np.float64).reshape(*stored.shape[:2], 1)
    return matrix.reshape(len(stored), -1).T


def error_of(got: Any, x: np.ndarray, matrix: np.ndarray) -> float:
    """Return the largest error of a product, relative to its largest result."""
    exact = x.astype(np.float64) @ matrix
    return float(np.abs(np.asarray(got) - exact).max() / np.abs(exact).max())


def least_times(calls: dict[str, Callable[[], Any]]) -> dict[str, float]:
    """Run all calls by turns; return the least time of each in seconds."""
    least = dict.fromkeys(calls, float("inf"))
    for _ in range(ROUNDS):
        for name, call in calls.items():
            start_s = time.perf_counter()
            call()
            least[name] = min(least[name], time.perf_counter() - start_s)
    return least


def measured(bits: int, level: int, threads: int, layers: int, folder: Path) -> list[str]:
    """Measure one form of the weights; return the cells of its row in the table."""
    model, path = decode_model(bits, level, layers), folder / f"decode_{bits}_{level}.onnx"
    matrix = first_matrix(model, bits)
    onnx.save_model(model, path, save_as_external_data=True, location=path.stem + ".data")
    module = tilewright.compile(str(path), threads=threads)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    peer = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    x = np.random.default_rng(1).standard_normal((1, WIDTH)).astype(np.float32)
    read = MemoryLoop(limit_loops(), np.ones(READ_BYTES // 4, np.float32))
    calls: dict[str, Callable[[], Any]] = {
        "read": read,
        "tilewright": lambda: module.run([x]),
        "onnxruntime": lambda: peer.run(None, {"x": x}),
    }
    times_s, size = least_times(calls), compressed_bytes(bits, layers)
    bandwidth = read.bytes / times_s["read"]
    cells = [f"{bits} bits, level {level}", f"{bandwidth / 1e9:.1f}"]
    for system in ("tilewright", "onnxruntime"):
        speed = size / times_s[system]
        cells += [f"{1e3 * times_s[system]:.1f}", f"{100 * speed / bandwidth:.0f} %"]
    return [*cells, f"{error_of(module.run([x])[0], x, matrix):.0e}"]


def main(threads: int, layers: int) -> None:
    """Measure all forms of the weights and print a table."""
    columns = ("weights", "read GB/s", "tilewright ms", "share", "onnxruntime ms", "share", "error")
    table = Table(title=f"{Target.native()}, {threads} threads, {layers} layers")
    for column in columns:
        table.add_column(column, justify="right")
    for bits in (4, 8):
        for level in (0, 4):
            with TemporaryDirectory() as folder:
                table.add_row(*measured(bits, level, threads, layers, Path(folder)))
    Console().print(table)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--layers", type=int, default=LAYERS)
    arguments = parser.parse_args()
    main(arguments.threads, arguments.layers)

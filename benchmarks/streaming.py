"""Kernels that move much data and compute little, against loops that only move the data.

Run: python benchmarks/streaming.py [--rounds N] [--target TEXT]

Arrays of 16 MiB, one thread. Each kernel takes turns with numpy's copy, a sum of two arrays, or our
reading loop, whichever reads and writes the same number of arrays. Prints a table in Markdown.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import onnx
from onnx import TensorProto, helper

import tilewright
from tilewright.interp.memory import aligned_bytes
from tilewright.machines.target import Target
from tilewright.runtime.measure.roofline import MemoryLoop
from tilewright.targets.cpu.instructions.peak import limit_loops
from tilewright.testing.measure import compare

ROWS, COLUMNS = 4096, 1024
OPSET = 20

Nodes = Sequence[tuple[str, Sequence[str], str, dict[str, object]]]


@dataclass(frozen=True)
class Kernel:
    """Nodes that compute y from x (and z), which the compiler fuses into one kernel.

    reads: the number of arrays that the kernel reads.  outputs: elements of y per element of x.
    shape: the shape of y, if it differs from that of x.
    """

    name: str
    nodes: Nodes
    reads: int = 1
    shape: tuple[int, ...] = (ROWS, COLUMNS)

    def model(self) -> onnx.ModelProto:
        """Return the nodes as a model."""
        names = ("x", "z")[: self.reads]
        inputs = [
            helper.make_tensor_value_info(name, TensorProto.FLOAT, (ROWS, COLUMNS))
            for name in names
        ]
        output = helper.make_tensor_value_info("y", TensorProto.FLOAT, self.shape)
        nodes = [helper.make_node(op, ins, [out], **more) for op, ins, out, more in self.nodes]
        rng = np.random.default_rng(0)
        vectors = [
            onnx.numpy_helper.from_array(rng.random(COLUMNS, np.float32), name)
            for name in ("bias", "scale")
            if any(name in ins for _, ins, _, _ in self.nodes)
        ]
        graph = helper.make_graph(nodes, self.name, inputs, [output], vectors)
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)])


KERNELS = (
    Kernel("add", [("Add", ["x", "z"], "y", {})], reads=2),
    Kernel("add, GELU", [("Add", ["x", "z"], "s", {}), ("Gelu", ["s"], "y", {})], reads=2),
    Kernel(
        "add, layer norm",
        [
            ("Add", ["x", "z"], "s", {}),
            ("LayerNormalization", ["s", "scale", "bias"], "y", {"axis": -1}),
        ],
        reads=2,
    ),
    Kernel("bias, ReLU", [("Add", ["x", "bias"], "s", {}), ("Relu", ["s"], "y", {})]),
    Kernel("sigmoid", [("Sigmoid", ["x"], "y", {})]),
    Kernel("tanh", [("Tanh", ["x"], "y", {})]),
    Kernel("softmax", [("Softmax", ["x"], "y", {"axis": -1})]),
    Kernel("layer norm", [("LayerNormalization", ["x", "scale", "bias"], "y", {"axis": -1})]),
    Kernel("transpose", [("Transpose", ["x"], "y", {"perm": [1, 0]})], shape=(COLUMNS, ROWS)),
    Kernel("sum of rows", [("ReduceSum", ["x", "last"], "y", {})], shape=(ROWS, 1)),
    Kernel("maximum of columns", [("ReduceMax", ["x", "first"], "y", {})], shape=(1, COLUMNS)),
)


def floats(*shape: int) -> np.ndarray:
    """Return an aligned array of random numbers."""
    array = aligned_bytes(4 * int(np.prod(shape))).view(np.float32).reshape(shape)
    array[...] = np.random.default_rng(1).standard_normal(shape, np.float32)
    return array


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--rounds", type=int, default=12)
    parser.add_argument("--target", default="")
    options = parser.parse_args()
    target = Target(options.target) if options.target else Target.native()
    print(
        f"`{target}`\n\n| kernel | GB/s | pure movement, GB/s | share |\n"
        "| --- | ---: | ---: | ---: |"
    )
    for kernel in KERNELS:
        print(measured(kernel, target, options.rounds), flush=True)


def measured(kernel: Kernel, target: Target, rounds: int) -> str:
    """Measure a kernel; return its row of the table."""
    x, z, other = (floats(ROWS, COLUMNS) for _ in range(3))
    y = floats(*kernel.shape)
    compiled = tilewright.compile(completed(kernel.model()), target=target, threads=1)
    inputs = (x, z)[: kernel.reads]
    moved = sum(array.nbytes for array in (*inputs, y))
    roof: Callable[[], object] = MemoryLoop(limit_loops(target), x.reshape(-1))
    if y.size == x.size:
        roof = (
            (lambda: np.add(x, z, out=other)) if kernel.reads == 2 else lambda: np.copyto(other, x)
        )
    found = compare(
        {"ours": lambda: compiled(*inputs, y), "roof": roof}, rounds=rounds, window_s=0.1
    )
    speeds = [moved / found[name].median_s / 1e9 for name in ("ours", "roof")]
    return f"| {kernel.name} | {speeds[0]:.1f} | {speeds[1]:.1f} | {speeds[0] / speeds[1]:.0%} |"


def completed(model: onnx.ModelProto) -> onnx.ModelProto:
    """Return a model with the constants that its nodes need for axes."""
    for name, axis in (("last", 1), ("first", 0)):
        if any(name in node.input for node in model.graph.node):
            array = np.array([axis], np.int64)
            model.graph.initializer.append(onnx.numpy_helper.from_array(array, name))
    return model


if __name__ == "__main__":
    main()

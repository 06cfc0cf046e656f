"""Compile a small convolutional network, run it, and compare it with onnxruntime.

Run: python examples/demo.py
"""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

import tilewright

CHANNELS, CLASSES, SIZE = 16, 10, 32


def small_network() -> onnx.ModelProto:
    """Return convolution, relu, average over the image, linear layer, softmax."""
    rng = np.random.default_rng(0)
    weights = {
        "w1": rng.standard_normal((CHANNELS, 3, 3, 3)) * 0.2,
        "b1": rng.standard_normal(CHANNELS),
        "w2": rng.standard_normal((CHANNELS, CLASSES)),
        "b2": rng.standard_normal(CLASSES),
    }
    nodes = [
        helper.make_node("Conv", ["x", "w1", "b1"], ["c"], pads=[1, 1, 1, 1]),
        helper.make_node("Relu", ["c"], ["r"]),
        helper.make_node("GlobalAveragePool", ["r"], ["p"]),
        helper.make_node("Flatten", ["p"], ["f"]),
        helper.make_node("Gemm", ["f", "w2", "b2"], ["g"]),
        helper.make_node("Softmax", ["g"], ["y"], axis=1),
    ]
    graph = helper.make_graph(
        nodes,
        "small_network",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 3, SIZE, SIZE])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, [1, CLASSES])],
        [numpy_helper.from_array(w.astype(np.float32), name) for name, w in weights.items()],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def expected(path: Path, x: np.ndarray) -> np.ndarray | None:
    """Return what onnxruntime computes, or None if it is not installed."""
    try:
        import onnxruntime
    except ImportError:
        return None
    session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    return session.run(None, {"x": x})[0]


def main() -> None:
    """Show compile time, kernels, result and difference."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "small.onnx"
        onnx.save(small_network(), path)

        start_s = time.perf_counter()
        mod = tilewright.compile(str(path))
        print(f"compiled {path.name} in {time.perf_counter() - start_s:.2f} s; kernels:")
        for kernel in mod.kernels:
            print(f"  {kernel.name:32} {', '.join(kernel.ops):40} {kernel.flops:>9} flop")

        x = np.random.default_rng(1).standard_normal((1, 3, SIZE, SIZE)).astype(np.float32)
        y = mod.run({"x": x})["y"]
        print("probabilities:", np.array2string(y[0], precision=4))

        reference = expected(path, x)
        if reference is None:
            print("onnxruntime is not installed: nothing to compare with")
            return
        print(f"largest difference from onnxruntime: {np.abs(y - reference).max():.2e}")
        np.testing.assert_allclose(y, reference, rtol=1e-4, atol=1e-5)


if __name__ == "__main__":
    main()

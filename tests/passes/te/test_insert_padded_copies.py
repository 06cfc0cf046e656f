"""te-insert-padded-copies: tensors without a halo are copied for reductions that read padding."""

from __future__ import annotations

import numpy as np
import pytest
from onnx import TensorProto, helper, numpy_helper

from tilewright.driver.report.texts import source_at
from tilewright.interp.packed import run as run_buffers
from tilewright.interp.te import run

from .ir import apply, computes, kernels, parse
from .windows import CONCAT, main, scale, window

SUM = """
  %e = te.compute @add [n: 1, c: 8, h: 5, w: 6]
    ins(%c[n, c, h, w] : tensor<1x8x5x6xf32>, %d[n, c, h, w] : tensor<1x8x5x6xf32>)
    outs([n, c, h, w] : tensor<1x8x5x6xf32>)
    body(%x: f32, %y: f32) { %r = arith.addf %x, %y : f32  te.yield %r : f32 }
"""

FLIPPED = """
  %d = te.compute @flip [n: 1, c: 8, h: 5, w: 6]
    ins(%b : tensor<1x8x5x6xf32>, index[0], index[7 - c], index[h], index[w])
    outs([n, c, h, w] : tensor<1x8x5x6xf32>)
    body(%x: tensor<1x8x5x6xf32>, %i: index, %j: index, %k: index, %l: index) {
      %v = te.at %x[%i, %j, %k, %l] : tensor<1x8x5x6xf32> -> f32
      te.yield %v : f32
    }
"""

BASE = scale("a", "b", "1x8x5x6")

PROGRAMS = {
    "pads differ": main(
        BASE + window("b", "c", "1x8x5x6") + window("b", "d", "1x8x5x6", "-inf") + SUM, "e"
    ),
    "returned": main(BASE + window("b", "c", "1x8x5x6"), "b, %c")
    .replace("tensor<1x8x5x6xf32> {", "(tensor<1x8x5x6xf32>, tensor<1x8x5x6xf32>) {")
    .replace("%c : ", "%c : tensor<1x8x5x6xf32>, "),
    "in a concat that is returned": main(
        BASE + window("b", "c", "1x8x5x6") + CONCAT.replace("LAYOUT", ""), "j", out="1x16x5x6"
    ),
    "read whole": main(BASE + window("b", "c", "1x8x5x6") + FLIPPED + SUM, "e"),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_padded_reads_find_a_halo(name: str) -> None:
    before = apply(parse(PROGRAMS[name]), "te-outline")
    after = apply(before, "te-insert-padded-copies", "te-bufferize")
    x = np.random.default_rng(0).standard_normal((1, 8, 5, 6)).astype(np.float32)
    for left, right in zip(run(before, x), run_buffers(after, x), strict=True):
        np.testing.assert_array_equal(left, right)
    windows = [op for op in computes(after) if op.label == "window"]
    assert windows
    assert all(a.pad is None for op in windows for a in op.view().inputs)
    assert sum(k.label.startswith("copy") for k in kernels(after)) == 1


@pytest.mark.parametrize("last", ["returned", "pads differ"])
def test_no_convolution_is_left_to_scalars(last: str) -> None:
    """Vectorize along rows, which the second layer pads, because ten channels fill no block."""
    rng = np.random.default_rng(0)
    weights = [rng.standard_normal((10, c, 3, 3)).astype(np.float32) for c in (24, 10)]
    nodes = [
        helper.make_node("Conv", ["x", "w0"], ["a"], pads=[1] * 4),
        helper.make_node("Conv", ["a", "w1"], ["y"], pads=[1] * 4),
        helper.make_node("MaxPool", ["a"], ["z"], pads=[1] * 4, kernel_shape=[3, 3]),
    ]
    if last == "returned":
        nodes, outputs = nodes[:2], ["a", "y"]
    else:
        outputs = ["y", "z"]
    graph = helper.make_graph(
        nodes,
        "g",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, (1, 24, 20, 20))],
        [helper.make_tensor_value_info(o, TensorProto.FLOAT, (1, 10, 20, 20)) for o in outputs],
        [numpy_helper.from_array(w, f"w{n}") for n, w in enumerate(weights)],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])
    text = source_at(model, "sched", target="llvm -mcpu=x86-64-v3")
    scripts = text.split("sched.script")[1:]
    assert scripts
    assert all("sched.vectorize" in script for script in scripts)

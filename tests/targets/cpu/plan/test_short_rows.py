"""Softmax and Hardmax of rows shorter than a vector run in blocks of rows, as onnxruntime."""

from __future__ import annotations

import numpy as np
import onnx.parser
import onnxruntime
import pytest

import tilewright

TARGETS = ["native", "llvm -mcpu=x86-64-v3"]


@pytest.mark.parametrize("target", TARGETS)
def test_blocks_of_short_rows_compute_the_same(target: str) -> None:
    """Rows are fewer than a block, or leave a smaller one; they contain ties."""
    model = onnx.parser.parse_model("""<ir_version: 8, opset_import: ["" : 17]>
    g (float[2,79,3] x, float[5,7] y, float[3,67,12] z) =>
        (float[2,79,3] a, float[5,7] b, float[3,67,12] c, float[2,79,3] d, float[3,67,12] e) {
      a = Softmax<axis = 2>(x)
      b = LogSoftmax<axis = 1>(y)
      c = Softmax<axis = 2>(z)
      d = Hardmax<axis = 2>(x)
      e = Hardmax<axis = 2>(z)
    }""")
    rng = np.random.default_rng(5)
    arrays = [
        (rng.integers(-9, 9, shape) / 4).astype(np.float32)
        for shape in ((2, 79, 3), (5, 7), (3, 67, 12))
    ]
    module = tilewright.compile(model, target=target, cache=False, strict_plan=True)
    peer = onnxruntime.InferenceSession(model.SerializeToString())
    wanted = peer.run(None, dict(zip("xyz", arrays, strict=True)))
    for got, want in zip(module.run(arrays, threads=1), wanted, strict=True):
        np.testing.assert_allclose(got, np.asarray(want), rtol=2e-6, atol=1e-6)

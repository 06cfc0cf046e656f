"""Short rows, and blocks of channels that no vector divides, against onnxruntime."""

from __future__ import annotations

import re

import numpy as np
import onnx.numpy_helper
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


NETWORK = """<ir_version: 10, opset_import: ["" : 21]>
g (float[1,CHANNELS,9,7] x) => (float[1,5,9,7] y)
    <float s = {0.25}, uint8 z = {120}, float t = {0.02}, int8 zero = {0}> {
  q = QuantizeLinear(x, s, z)
  a = QLinearConv<pads = [1, 1, 1, 1]>(q, s, z, v, t, zero, s, z)
  b = DequantizeLinear(a, s, z)
  c = InstanceNormalization(b, gain, shift)
  d = QuantizeLinear(c, t, z)
  e = DequantizeLinear(d, t, z)
  f = LeakyRelu(e)
  h = Concat<axis = 1>(e, f)
  i = QuantizeLinear(h, t, z)
  j = QLinearConv(i, t, z, w, t, zero, s, z)
  y = DequantizeLinear(j, s, z)
}"""


@pytest.mark.parametrize("channels", [19, 36, 76])
def test_blocks_that_no_vector_divides_have_whole_vectors(channels: int) -> None:
    """Compute normalizations, lookups and concats between convolutions of any channels."""
    model = onnx.parser.parse_model(NETWORK.replace("CHANNELS", str(channels)))
    rng = np.random.default_rng(channels)
    weights = {
        "v": rng.integers(-99, 99, (channels, channels, 3, 3)).astype(np.int8),
        "w": rng.integers(-99, 99, (5, 2 * channels, 1, 1)).astype(np.int8),
        "gain": rng.uniform(0.5, 2, channels).astype(np.float32),
        "shift": rng.uniform(-1, 1, channels).astype(np.float32),
    }
    model.graph.initializer.extend(onnx.numpy_helper.from_array(v, n) for n, v in weights.items())
    x = rng.uniform(-20, 20, (1, channels, 9, 7)).astype(np.float32)
    (wanted,) = onnxruntime.InferenceSession(model.SerializeToString()).run(None, {"x": x})
    for target in TARGETS:
        module = tilewright.compile(model, target=target, cache=False, strict_plan=True)
        # A value next to the middle of two bytes may be rounded to either.
        np.testing.assert_allclose(module(x), wanted, atol=0.26)
        planned = module.get_source("sched")
        assert not re.search(r"te.kernel @normalize\b", planned), "statistics have own kernels"
        assert not re.search(r"lanes = 4\b", planned)

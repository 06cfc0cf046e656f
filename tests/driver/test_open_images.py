"""Networks of open height and width: one compilation, right for images of any size."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import onnxruntime
import pytest
from onnx import ModelProto

import tilewright
from tilewright.driver.modules import CompiledModule
from tilewright.testing.models import with_weights

TARGETS = ["native", "llvm -mcpu=x86-64-v3"]


@dataclass(frozen=True)
class Network:
    """A network as the body of an ONNX graph from x to y, the shapes of its weights, its channels.

    least: the smallest height and width.
    """

    body: str
    weights: dict[str, Sequence[int]]
    inputs: int = 32
    outputs: int = 32
    least: int = 1

    def model(self, height: str = "h", width: str = "w") -> ModelProto:
        """Return the model for given names of its sizes."""
        text = f"""<ir_version: 8, opset_import: ["": 17]>
            network (float[b, {self.inputs}, {height}, {width}] x)
                => (float[b, {self.outputs}, i, j] y)
              <float[4] twice = {{1.0, 1.0, 2.0, 2.0}}, float[4] half = {{1.0, 1.0, 0.5, 0.5}}>
            {{ {self.body} }}"""
        return with_weights(text, **self.weights)


NETWORKS = {
    "convolutions with a bias and a sum": Network(
        """a = Conv <pads = [1, 1, 1, 1]> (x, w1, c1)
           b = Relu (a)
           c = Conv <pads = [1, 1, 1, 1]> (b, w2, c1)
           d = Add (b, c)
           y = Relu (d)""",
        {"w1": (32, 32, 3, 3), "w2": (32, 32, 3, 3), "c1": (32,)},
    ),
    "strides": Network(
        """a = Conv <pads = [1, 1, 1, 1], strides = [2, 2]> (x, w1)
           b = Relu (a)
           y = Conv <pads = [1, 1, 1, 1], strides = [2, 2]> (b, w2)""",
        {"w1": (32, 32, 3, 3), "w2": (32, 32, 3, 3)},
    ),
    "no padding": Network(
        "a = Conv (x, w1) y = Conv (a, w2)", {"w1": (32, 32, 3, 3), "w2": (32, 32, 3, 3)}, least=5
    ),
    "dilation": Network(
        "y = Conv <pads = [2, 2, 2, 2], dilations = [2, 2]> (x, w1)", {"w1": (32, 32, 3, 3)}
    ),
    "1x1": Network(
        "a = Conv (x, w1) b = Relu (a) y = Conv <strides = [2, 2]> (b, w2)",
        {"w1": (64, 32, 1, 1), "w2": (32, 64, 1, 1)},
    ),
    "depthwise": Network(
        """a = Conv <pads = [1, 1, 1, 1], group = 32> (x, w1)
           b = Clip (a)
           y = Conv <pads = [2, 2, 2, 2], strides = [2, 2], group = 32> (b, w2)""",
        {"w1": (32, 1, 3, 3), "w2": (32, 1, 5, 5)},
    ),
    "groups": Network(
        """a = Conv <pads = [1, 1, 1, 1], group = 2> (x, w1)
           y = Conv <pads = [1, 1, 1, 1], group = 8> (a, w2)""",
        {"w1": (32, 16, 3, 3), "w2": (32, 4, 3, 3)},
    ),
    "few channels": Network(
        "a = Conv <pads = [1, 1, 1, 1]> (x, w1) y = Conv <pads = [1, 1, 1, 1]> (a, w2)",
        {"w1": (32, 3, 3, 3), "w2": (5, 32, 3, 3)},
        inputs=3,
        outputs=5,
    ),
    "pools": Network(
        """a = Conv (x, w1)
           b = MaxPool <kernel_shape = [3, 3], strides = [2, 2], pads = [1, 1, 1, 1]> (a)
           c = AveragePool <kernel_shape = [3, 3], pads = [1, 1, 1, 1]> (b)
           d = GlobalAveragePool (c)
           e = Sigmoid (d)
           y = Mul (c, e)""",
        {"w1": (32, 32, 1, 1)},
    ),
    "nearest": Network(
        """a = Conv <pads = [1, 1, 1, 1]> (x, w1)
           b = Resize <coordinate_transformation_mode = "asymmetric", nearest_mode = "floor">
             (a, , twice)
           y = Conv <pads = [1, 1, 1, 1]> (b, w2)""",
        {"w1": (32, 32, 3, 3), "w2": (32, 32, 3, 3)},
    ),
    "linear": Network(
        """a = Conv <pads = [1, 1, 1, 1]> (x, w1)
           b = Resize <mode = "linear"> (a, , twice)
           y = Conv <pads = [1, 1, 1, 1]> (b, w2)""",
        {"w1": (32, 32, 3, 3), "w2": (32, 32, 3, 3)},
    ),
    "cubic and smaller": Network(
        """a = Conv (x, w1)
           y = Resize <mode = "cubic"> (a, , half)""",
        {"w1": (32, 32, 1, 1)},
        least=2,
    ),
    "transposed": Network(
        """a = ConvTranspose <strides = [2, 2]> (x, w1)
           b = Relu (a)
           y = Conv <pads = [1, 1, 1, 1]> (b, w2)""",
        {"w1": (32, 32, 2, 2), "w2": (32, 32, 3, 3)},
    ),
    "passes over channels": Network(
        "y = Conv <pads = [1, 1, 1, 1]> (x, w1)", {"w1": (64, 256, 3, 3)}, inputs=256, outputs=64
    ),
}

FAST = ["convolutions with a bias and a sum", "linear"]


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize(
    "name", [n if n in FAST else pytest.param(n, marks=pytest.mark.slow) for n in NETWORKS]
)
def test_layers_are_right_for_images_of_any_size(name: str, target: str) -> None:
    network = NETWORKS[name]
    model = network.model()
    module = tilewright.compile(model, target=target, cache=False, strict_plan=True)
    assert isinstance(module, CompiledModule)
    peer = onnxruntime.InferenceSession(model.SerializeToString())
    for b, h, w in ((1, 1, 1), (1, 2, 3), (2, 7, 5), (1, 13, 17), (3, 8, 16), (1, 33, 20)):
        shape = (b, network.inputs, max(h, network.least), max(w, network.least))
        x = np.random.default_rng(h).standard_normal(shape).astype(np.float32)
        (got,) = module.run([x], threads=1)
        expected = np.asarray(peer.run(None, {"x": x})[0])
        np.testing.assert_allclose(got, expected, atol=2e-5 * np.abs(expected).max())
        np.testing.assert_array_equal(module.run([x], threads=2)[0], got)

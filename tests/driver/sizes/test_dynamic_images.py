"""Networks of dynamic height and width: one compilation, right for images of any size."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import onnx.numpy_helper
import onnxruntime
import pytest
from onnx import ModelProto

import tilewright
from tilewright.runtime.errors import ArgumentError
from tilewright.testing.models import with_weights

from ...sweeps import sampled

TARGETS = ["native", pytest.param("llvm -mcpu=x86-64-v3", marks=pytest.mark.nightly)]


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
    "no padding, then padding": Network(
        "a = Conv (x, w1) y = Conv <pads = [1, 1, 1, 1]> (a, w2)",
        {"w1": (256, 112, 3, 3), "w2": (32, 256, 3, 3)},
        inputs=112,
        least=3,
    ),
    "same padding": Network(
        """a = Conv <auto_pad = "SAME_UPPER", strides = [2, 2]> (x, w1)
           p = MaxPool <auto_pad = "SAME_UPPER", kernel_shape = [2, 2], strides = [2, 2]> (x)
           q = Conv <auto_pad = "SAME_LOWER", strides = [3, 2], group = 32> (a, w2)
           r = AveragePool <auto_pad = "SAME_LOWER", kernel_shape = [3, 5], strides = [3, 2]> (p)
           y = Add (q, r)""",
        {"w1": (32, 32, 3, 3), "w2": (32, 1, 5, 5)},
    ),
    "padding to a multiple": Network(
        """k = Constant <value_ints = [8]> () z = Constant <value_ints = [0, 0]> ()
           s = Shape <start = 2> (x) n = Neg (s) r = Mod (n, k)
           p = Concat <axis = 0> (z, z, z, r) a = Pad (x, p)
           y = Conv <strides = [8, 8]> (a, w1)""",
        {"w1": (32, 32, 8, 8)},
    ),
    "windows of a padded image": Network(
        """k = Constant <value_ints = [8]> () z = Constant <value_ints = [0, 0]> ()
           s = Shape <start = 2> (x) n = Neg (s) r = Mod (n, k)
           p = Concat <axis = 0> (z, z, z, r) a = Pad (x, p)
           c = Shape <end = 2> (x) t = Shape <start = 2> (a) q = Div (t, k)
           u = Constant <value_ints = [0]> () v = Constant <value_ints = [1]> ()
           i = Gather (q, u) j = Gather (q, v) f = Concat <axis = 0> (c, i, k, j, k)
           g = Reshape (a, f) m = ReduceMax <axes = [3, 5]> (g) d = Sub (g, m)
           e = Concat <axis = 0> (c, t) o = Reshape (d, e)
           l = Constant <value_ints = [2, 3]> () y = Slice (o, z, s, l)""",
        {},
    ),
    "patches of an image padded to even sizes": Network(
        """k = Constant <value_ints = [2]> () z = Constant <value_ints = [0, 0]> ()
           s = Shape <start = 2> (x) r = Mod (s, k) p = Concat <axis = 0> (z, z, z, r)
           a = Pad (x, p) l = Constant <value_ints = [2, 3]> ()
           o = Constant <value_ints = [1, 1]> () t = Constant <value_ints = [2, 2]> ()
           e = Constant <value_ints = [9223372036854775807, 9223372036854775807]> ()
           c = Slice (a, z, e, l, t) d = Slice (a, o, e, l, t) y = Sub (c, d)""",
        {},
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
OTHERS = [name for name in NETWORKS if name not in FAST]


@pytest.mark.one_in(2)
@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize(
    "name", [*FAST, *sampled(OTHERS, str, one_in=3, slow=True, each_family=False)]
)
def test_layers_are_right_for_images_of_any_size(name: str, target: str) -> None:
    network = NETWORKS[name]
    model = network.model()
    module = tilewright.compile(model, target=target, cache=False, strict_plan=True)
    assert not module.reason
    peer = onnxruntime.InferenceSession(model.SerializeToString())
    for b, h, w in ((1, 1, 1), (1, 2, 3), (2, 7, 5), (1, 13, 17), (3, 8, 16), (1, 33, 20)):
        shape = (b, network.inputs, max(h, network.least), max(w, network.least))
        x = np.random.default_rng(h).standard_normal(shape).astype(np.float32)
        (got,) = module.run([x], threads=1)
        expected = np.asarray(peer.run(None, {"x": x})[0])
        np.testing.assert_allclose(got, expected, atol=2e-5 * np.abs(expected).max())
        np.testing.assert_array_equal(module.run([x], threads=2)[0], got)


@pytest.mark.parametrize("size", [1, 0])
def test_an_image_below_a_window_is_refused_behind_a_halo(size: int) -> None:
    """The first result has a padded buffer of h sizes, though it is a tensor of h - 2."""
    network = Network(
        "a = Conv (x, w1) b = Conv <pads = [1, 1, 1, 1]> (a, w2) y = GlobalMaxPool (b)",
        {"w1": (32, 32, 3, 3), "w2": (32, 32, 3, 3)},
    )
    module = tilewright.compile(network.model(), shapes={"h": range(0, 64)}, cache=False)
    x = np.ones((1, 32, 3, 8), np.float32)
    assert np.asarray(module(x)).shape == (1, 32, 1, 1)
    with pytest.raises(ArgumentError, match="the inputs are too small"):
        module(x[:, :, :size])


UPSAMPLING = {
    "transposed": "{y} = ConvTranspose <strides = [2, 2]> ({x}, {y}w)",
    "nearest": '{y}r = Resize <mode = "nearest"> ({x}, , twice) {y} = Conv ({y}r, {y}v)',
    "linear": '{y}r = Resize <mode = "linear"> ({x}, , twice) {y} = Conv ({y}r, {y}v)',
    "to the size of the skip connection": """{y}s = Shape ({skip})
        {y}a = Slice ({y}s, two, four) {y}b = Shape <start = 0, end = 2> ({x})
        {y}c = Concat <axis = 0> ({y}b, {y}a)
        {y}r = Resize <mode = "nearest"> ({x}, , , {y}c) {y} = Conv ({y}r, {y}v)""",
}


def u_net(upsampling: str, channels: int) -> ModelProto:
    """Return an encoder and a decoder of three levels, with skip connections."""
    weights: dict[str, Sequence[int]] = {}

    def block(x: str, y: str, inputs: int, outputs: int) -> str:
        weights[f"{y}w1"], weights[f"{y}w2"] = (outputs, inputs, 3, 3), (outputs, outputs, 3, 3)
        weights[f"{y}c"] = (outputs,)
        return f"""{y}1 = Conv <pads = [1, 1, 1, 1]> ({x}, {y}w1, {y}c) {y}2 = Relu ({y}1)
            {y}3 = Conv <pads = [1, 1, 1, 1]> ({y}2, {y}w2, {y}c) {y} = Relu ({y}3)"""

    def up(x: str, y: str, skip: str, inputs: int, outputs: int) -> str:
        if upsampling == "transposed":
            weights[f"{y}w"] = (inputs, outputs, 2, 2)
        else:
            weights[f"{y}v"] = (outputs, inputs, 1, 1)
        text = UPSAMPLING[upsampling].format(x=x, y=y, skip=skip)
        return f"{text} {y}j = Concat <axis = 1> ({skip}, {y})"

    c = channels
    body = [
        block("x", "e", 3, c),
        "ep = MaxPool <kernel_shape = [2, 2], strides = [2, 2]> (e)",
        block("ep", "f", c, 2 * c),
        "fp = MaxPool <kernel_shape = [2, 2], strides = [2, 2]> (f)",
        block("fp", "g", 2 * c, 4 * c),
        up("g", "h", "f", 4 * c, 2 * c),
        block("hj", "i", 4 * c, 2 * c),
        up("i", "j", "e", 2 * c, c),
        block("jj", "k", 2 * c, c),
        "y = Conv (k, last)",
    ]
    text = f"""<ir_version: 8, opset_import: ["": 17]>
        u_net (float[batch, 3, height, width] x) => (float[batch, 4, a, b] y)
          <float[4] twice = {{1.0, 1.0, 2.0, 2.0}}, int64[1] two = {{2}}, int64[1] four = {{4}}>
        {{ {" ".join(body)} }}"""
    model = with_weights(text, **weights, last=(4, c, 1, 1))
    for weight in model.graph.initializer:
        if len(weight.dims) == 4:  # keep the scale of the values
            array = onnx.numpy_helper.to_array(weight) * (50 / np.prod(weight.dims[1:])) ** 0.5
            weight.CopyFrom(onnx.numpy_helper.from_array(array.astype(np.float32), weight.name))
    return model


@pytest.mark.slow
@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize(
    "upsampling",
    ["transposed", "to the size of the skip connection"]
    + [pytest.param(name, marks=pytest.mark.nightly) for name in ("nearest", "linear")],
)
def test_a_u_net_is_one_module_for_all_multiples_of_16(upsampling: str, target: str) -> None:
    # With 32 channels, all levels have Winograd's algorithm: in blocks, and phase by phase.
    model = u_net(upsampling, 32 if upsampling == "transposed" else 16)
    sizes = {"height": "16 * h", "width": "16 * w"}
    module = tilewright.compile(model, shapes=sizes, target=target, cache=False, strict_plan=True)
    assert not module.reason
    peer = onnxruntime.InferenceSession(model.SerializeToString())
    for b, h, w in ((1, 16, 16), (2, 48, 32), (1, 80, 112), (1, 160, 16)):
        x = np.random.default_rng(h).standard_normal((b, 3, h, w)).astype(np.float32)
        (got,) = module.run([x], threads=1)
        expected = np.asarray(peer.run(None, {"x": x})[0])
        np.testing.assert_allclose(got, expected, atol=2e-5 * np.abs(expected).max())
        np.testing.assert_array_equal(module.run([x], threads=2)[0], got)
    with pytest.raises(tilewright.ArgumentError, match="16 \\* h"):
        module.run([np.zeros((1, 3, 24, 16), np.float32)])


SHARED = "conv_small_product"
"""The products of both sizes of tiles."""


@pytest.mark.parametrize(
    ("factor", "small", "large"),
    # Direct sums of few pixels; tiles of 2 that are complete, before tiles of 4 that are not.
    [
        (1, {"conv_small"}, {"conv_in", "conv_product", "conv"}),
        (2, {"conv_small_in", SHARED, "conv_small"}, {"conv_in", SHARED, "conv"}),
    ],
)
def test_sizes_decide_how_a_convolution_is_computed(
    factor: int, small: set[str], large: set[str]
) -> None:
    network = Network("y = Conv <pads = [1, 1, 1, 1]> (x, w1)", {"w1": (128, 128, 3, 3)}, 128, 128)
    sizes = {"h": f"{factor} * height", "w": f"{factor} * width", "b": 1}
    module = tilewright.compile(network.model(), shapes=sizes, cache=False, strict_plan=True)
    peer = onnxruntime.InferenceSession(network.model().SerializeToString())
    found: list[set[str]] = []
    for h, w in ((2, 2), (42, 38)):
        x = np.random.default_rng(h).standard_normal((1, 128, h, w)).astype(np.float32)
        expected = np.asarray(peer.run(None, {"x": x})[0])
        (got,) = module.run([x], threads=2)
        np.testing.assert_allclose(got, expected, atol=2e-5 * np.abs(expected).max())
        steps = module.profile(x, rounds=1).steps
        found.append({s.kernel for s in steps if s.tasks and s.kernel.startswith("conv")})
    versions = {s.kernel for s in steps if s.kernel.startswith("conv")}
    assert found == [small, large]
    assert found[0] | found[1] == versions

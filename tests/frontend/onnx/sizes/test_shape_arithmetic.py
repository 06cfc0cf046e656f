"""Shape arithmetic as exporters write it: one module for all sizes, with the standard's results."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import onnx.parser
import onnxruntime
import pytest

import tilewright

HEADER = '<ir_version: 10, opset_import: ["": 18]>'

# Pads of an image, innermost axis first, turned into the order of the standard as torch does.
PADS_IN_THE_ORDER_OF_TORCH = """
    zero = Constant <value_ints = [0]> ()
    pads = Concat <axis = 0> (zero, dw, zero, dh, zero, zero, zero, zero)
    pair = Constant <value_ints = [-1, 2]> () pairs = Reshape (pads, pair)
    back = Constant <value_ints = [-1]> () first = Constant <value_ints = [-9223372036854775807]> ()
    turned = Slice (pairs, back, first, zero, back)
    columns = Transpose <perm = [1, 0]> (turned)
    all = Reshape (columns, back)
    y = Pad (p, all)
"""
IMAGES = [(1, 4), (2, 5), (5, 9), (8, 3), (33, 16)]


def image_model(pooled: str) -> onnx.ModelProto:
    """Return a model that shrinks an image, enlarges it, and pads or crops it to its size."""
    return onnx.parser.parse_model(
        f"""
        {HEADER}
        padded (float[1, 1, h, w] x) => (float[1, 1, p, q] y) {{
          s = Shape <start = 2> (x)
          small = {pooled} (x)
          scales = Constant <value_floats = [1.0, 1.0, 2.0, 2.0]> ()
          p = Resize <mode = "nearest"> (small, , scales)
          t = Shape <start = 2> (p)
          d = Sub (s, t)
          i = Constant <value_ints = [0]> () j = Constant <value_ints = [1]> ()
          dh = Gather (d, i) dw = Gather (d, j)
          {PADS_IN_THE_ORDER_OF_TORCH}
        }}
        """
    )


def check(model: onnx.ModelProto, shapes: Sequence[tuple[int, ...]]) -> None:
    module = tilewright.compile(model, cache=False)
    assert not module.reason
    session = onnxruntime.InferenceSession(model.SerializeToString())
    for shape in shapes:
        x = np.random.default_rng(0).standard_normal(shape).astype(np.float32)
        (expected,) = session.run(None, {"x": x})
        np.testing.assert_allclose(module.run([x])[0], np.asarray(expected), rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize(
    "pooled",
    [
        pytest.param("MaxPool <kernel_shape = [1, 1], strides = [2, 2]>", id="cropped"),
        pytest.param(
            "MaxPool <kernel_shape = [2, 2], strides = [2, 2], pads = [0, 0, 1, 1]>", id="padded"
        ),
        pytest.param("AveragePool <kernel_shape = [3, 3], pads = [0, 0, 2, 2]>", id="doubled"),
    ],
)
def test_an_image_is_padded_or_cropped_to_the_size_of_another(pooled: str) -> None:
    model = image_model(pooled)
    check(model, [(1, 1, *image) for image in IMAGES])


def test_a_pad_of_either_sign_crops_or_pads() -> None:
    model = onnx.parser.parse_model(
        f"""
        {HEADER}
        moved (float[n] x) => (float[m] y) {{
          n = Shape (x) three = Constant <value_ints = [3]> ()
          low = Sub (n, three) high = Constant <value_ints = [2]> ()
          pads = Concat <axis = 0> (low, high)
          y = Pad (x, pads)
        }}
        """
    )
    check(model, [(2,), (3,), (4,), (5,)])


@pytest.mark.parametrize("shift", [1, -1, 3, -4])
@pytest.mark.parametrize("multiple", [1, 4])
def test_rows_are_rolled(shift: int, multiple: int) -> None:
    model = onnx.parser.parse_model(
        f"""
        {HEADER}
        rolled (float[h, 2] x) => (float[k, 2] y) {{
          times = Constant <value_ints = [{multiple}, 1]> () r = Tile (x, times)
          n = Shape <start = 0, end = 1> (r)
          shift = Constant <value_ints = [{shift}]> () zero = Constant <value_ints = [0]> ()
          first = Mod (shift, n)
          a = Slice (r, zero, first, zero) b = Slice (r, first, n, zero)
          y = Concat <axis = 0> (b, a)
        }}
        """
    )
    check(model, [(1, 2), (2, 2), (3, 2), (7, 2)])

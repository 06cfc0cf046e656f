"""Means of 16-bit floats over many elements."""

from __future__ import annotations

import numpy as np
import onnx

import tilewright


def test_a_mean_of_more_elements_than_the_largest_half_is_right() -> None:
    text = "m (float16[2, 300, 300] x) => (float16[2] y) { y = ReduceMean <keepdims = 0> (x, a) }"
    head = '<ir_version: 10, opset_import: ["": 22]>'
    text = text.replace("{ y", "{ a = Constant <value_ints = [1, 2]> () y")
    x = np.full((2, 300, 300), 40, np.float16)
    x[1] = np.arange(300) % 7
    compiled = tilewright.compile(onnx.parser.parse_model(f"{head} {text}"), cache=False)
    expected = x.mean(axis=(1, 2), dtype=np.float32)
    np.testing.assert_allclose(np.asarray(compiled(x)), expected, rtol=1e-3)

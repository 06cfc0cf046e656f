"""The ONNX operator Gradient: values at other points than the named tensors, and its errors."""

from __future__ import annotations

import numpy as np
import onnx
import pytest

import tilewright
from tilewright.support.diagnostics import UnsupportedOp

MODEL = """
<ir_version: 10, opset_import: ["" : 21, "ai.onnx.preview.training": 1]>
points (float[3] a, float[3] b, float[3] p, float[3] q) => (float[3] da, float[3] d)
<float[3] w = {1, 2, 3}>
{
   c = Exp (a)
   s = Mul (c, b)
   t = Mul (s, w)
   d = Sub (t, a)
   da = ai.onnx.preview.training.Gradient <xs = ["a"], zs = ["b"], y = "d"> (p, q)
}
"""


def compiled(text):
    return tilewright.compile(onnx.parser.parse_model(text), target="interpreter")


def test_derivatives_at_other_values():
    a, b, p, q = np.random.default_rng(0).standard_normal((4, 3)).astype(np.float32)
    da, d = compiled(MODEL)(a, b, p, q)
    w = np.array([1, 2, 3], np.float32)
    np.testing.assert_allclose(da, np.exp(p) * q * w - 1, rtol=1e-6)
    np.testing.assert_allclose(d, np.exp(a) * b * w - a, rtol=1e-6)


def test_an_initializer_has_no_gradient():
    text = MODEL.replace('xs = ["a"], zs = ["b"]', 'xs = ["a", "w"]').replace("(p, q)", "(p, w)")
    text = text.replace("da = ai", "da, dw = ai")
    with pytest.raises(UnsupportedOp, match="'w', which is known at import"):
        compiled(text)


def test_an_unknown_name():
    with pytest.raises(tilewright.ModelError, match="has the name 'e'"):
        compiled(MODEL.replace('y = "d"', 'y = "e"'))

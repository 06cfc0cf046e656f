"""Determinants of symbolic numbers of matrices, and of matrices of symbolic size, as in numpy."""

from __future__ import annotations

import numpy as np
import onnx.parser
import pytest

import tilewright


@pytest.mark.parametrize("shape", ['"a", 3, 3', '"a", "b", "n", "n"', '"n", "n"'])
def test_one_module_is_right_at_all_sizes(shape: str) -> None:
    model = onnx.parser.parse_model(
        f'<ir_version: 10, opset_import: ["": 22]> g (double[{shape}] x) => (double y) '
        "{ y = Det (x) }"
    )
    model.graph.output[0].type.tensor_type.ClearField("shape")
    module = tilewright.compile(model, cache=False, strict_plan=True)
    assert not module.reason
    for seed, (a, b, n) in enumerate(((1, 1, 1), (2, 3, 2), (13, 5, 13), (700, 1, 3), (2, 9, 40))):
        sizes = {"a": a, "b": b, "n": n}
        dims = [sizes.get(str(size), size) for size in module.inputs[0].shape]
        x = np.random.default_rng(seed).standard_normal(dims)
        got = np.asarray(module.run([x], threads=1)[0])
        np.testing.assert_allclose(got, np.linalg.det(x), rtol=1e-9)
        np.testing.assert_array_equal(np.asarray(module.run([x], threads=2)[0]), got)

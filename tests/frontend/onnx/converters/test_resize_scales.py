"""Resize by scales: the number that an f32 scale stands for, sizes and coordinates."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import onnx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from onnx import TensorProto, helper, numpy_helper
from onnx.reference import ReferenceEvaluator
from xdsl.dialects.func import FuncOp

from tilewright.frontend.onnx.converters.resize import scale_of
from tilewright.frontend.onnx.importer import import_model
from tilewright.interp.graph import run_graph
from tilewright.support.diagnostics import ModelError

from ....peer import peer_results
from ....sweeps import examples

Array = np.ndarray[Any, np.dtype[Any]]


@examples(300)
@given(st.integers(1, 400), st.integers(1, 40))
def test_a_scale_stands_for_the_fraction_that_was_rounded(rows: int, step: int) -> None:
    assert scale_of(float(np.float32(rows / step))) == Fraction(rows, step)


@examples(300)
@given(st.decimals("0.01", "30", places=4))
def test_a_scale_stands_for_the_decimal_that_was_rounded(decimal: Any) -> None:
    assert scale_of(float(np.float32(decimal))) == Fraction(decimal)


@examples(300)
@given(st.floats(2.0**-20, 2.0**20, width=32))
def test_a_scale_rounds_to_the_number_that_was_given(number: float) -> None:
    assert np.float32(float(scale_of(number))) == np.float32(number)


def resize(
    size: tuple[int, int] | tuple[str, str],
    scales: tuple[float, float],
    *,
    opset: int = 18,
    producer: str = "",
    **attributes: Any,
) -> onnx.ModelProto:
    """Return a model that resizes images of one channel."""
    factors = numpy_helper.from_array(np.array([1, 1, *scales], np.float32), "s")
    x = helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 1, *size])
    y = helper.make_tensor_value_info("y", TensorProto.FLOAT, None)
    node = helper.make_node("Resize", ["x", "", "s"], ["y"], **attributes)
    graph = helper.make_graph([node], "g", [x], [y], [factors])
    opsets = [helper.make_opsetid("", opset)]
    return helper.make_model(graph, opset_imports=opsets, ir_version=10, producer_name=producer)


def image(size: tuple[int, int]) -> Array:
    return np.random.default_rng(0).standard_normal((1, 1, *size), np.float32)


def interpreted(model: onnx.ModelProto, x: Array) -> Array:
    module = import_model(model, shapes={"x": x.shape})
    (function,) = (op for op in module.ops if isinstance(op, FuncOp))
    return run_graph(function, x)[0]


SCALES = [0.3, 0.35, 0.6, 0.7, 1.3, 1 / 3, 5 / 6, 3 / 7, 2.3]
COORDINATES = ["align_corners", "half_pixel", "pytorch_half_pixel", "asymmetric"]


@examples(40)
@given(
    size=st.tuples(st.integers(7, 30), st.integers(7, 30)),
    scales=st.tuples(st.sampled_from(SCALES), st.sampled_from(SCALES)),
    mode=st.sampled_from(["nearest", "linear", "cubic"]),
    coordinates=st.sampled_from(
        ["align_corners", "half_pixel", "pytorch_half_pixel", "asymmetric"]
    ),
)
def test_sizes_and_values_are_those_of_onnxruntime(
    size: tuple[int, int], scales: tuple[float, float], mode: str, coordinates: str
) -> None:
    model = resize(size, scales, mode=mode, coordinate_transformation_mode=coordinates)
    x = image(size)
    np.testing.assert_allclose(interpreted(model, x), peer_results(model, [x])[0], atol=1e-4)


def test_a_size_is_that_of_the_number_that_a_scale_stands_for() -> None:
    """As torch computes it in f64; a product of f32 is 116.99999."""
    assert interpreted(resize((90, 3), (1.3, 1.0)), image((90, 3))).shape == (1, 1, 117, 3)


def test_corners_are_aligned_at_whole_or_fractional_lengths() -> None:
    """Before opset 19 and in models of torch as in onnxruntime, else as in the standard's suite."""
    size, scales = (5, 7), (1.5, 0.6)
    form = {"mode": "linear", "coordinate_transformation_mode": "align_corners"}
    x = image(size)
    whole = peer_results(resize(size, scales, **form), [x])[0]
    standard = resize(size, scales, opset=19, **form)
    (fractional,) = ReferenceEvaluator(standard).run(None, {"x": x})
    assert np.abs(whole - fractional).max() > 0.1
    for model, expected in (
        (resize(size, scales, opset=13, **form), whole),
        (standard, fractional),
        (resize(size, scales, opset=19, producer="pytorch", **form), whole),
    ):
        np.testing.assert_allclose(interpreted(model, x), expected, atol=1e-5)


@pytest.mark.parametrize("scale", [0.0, -1.0, np.inf, np.nan])
def test_a_scale_that_is_no_positive_number_is_refused(scale: float) -> None:
    with pytest.raises(ModelError, match="a scale of Resize is no positive number"):
        import_model(resize((4, 4), (scale, 1.0)))

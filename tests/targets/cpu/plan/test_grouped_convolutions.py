"""Convolutions in groups whose channels do not fill vectors, and the borders of their images."""

from __future__ import annotations

import numpy as np
import onnx
import pytest
from onnx import helper

from tilewright.driver.report.texts import source_at

from ....onnx_models import onnx_model
from ..threads import check_threads

AVX512 = "llvm -mcpu=x86-64-v4"


def transposed(channels: int) -> onnx.ModelProto:
    """Return a transposed convolution of 4 x 9 pixels in two groups, whose results are phases."""
    rng = np.random.default_rng(0)
    weights = rng.standard_normal((6, channels, 2, 2)).astype(np.float32)
    node = helper.make_node("ConvTranspose", ["x", "w"], ["y"], strides=[2, 2], group=2)
    return onnx_model([node], {"x": (1, 6, 4, 9)}, weights={"w": weights})


@pytest.mark.parametrize("channels", [15, 16, 25])
def test_groups_have_vectors_of_their_own_if_these_take_fewer_cycles(channels: int) -> None:
    text = source_at(transposed(channels), "sched", target=AVX512, strict_plan=True)
    script = text.partition("sched.script @conv ")[2].partition("sched.script")[0]
    # Four phases of a group are adjacent: 60 and 100 channels have partial vectors.
    is_partial = 4 * channels % 16 > 0
    assert ("sched.split_axis" in script) == is_partial
    assert f"axis = o{'i' if is_partial else ''}, lanes = 16" in script


@pytest.mark.parametrize("channels", [15, 25])
def test_results_of_groups_are_right_with_any_number_of_threads(channels: int) -> None:
    check_threads(transposed(channels), (1, 6, 4, 9))


def test_each_side_of_a_border_has_the_vectors_that_suit_it() -> None:
    weights = np.ones((4, 1, 3, 3), np.float32)
    node = helper.make_node("Conv", ["x", "w"], ["y"], pads=[1, 1, 1, 1], group=4)
    model = onnx_model([node], {"x": (1, 4, 6, 30)}, weights={"w": weights})
    text = source_at(model, "sched", target=AVX512, strict_plan=True)
    sides = text.partition("{name = halo}")[2].partition("te.kernel")[0]
    assert sides.count("sched.vectorize") == 1, "top and bottom have vectors, left and right none"
    assert "lanes = 16" in sides

"""Calls whose sizes do not fit a node: the error names the node and the size."""

from __future__ import annotations

import numpy as np
import onnx
import onnxruntime
import pytest

import tilewright
from tilewright.runtime.errors import ArgumentError, OutOfRangeError

HEADER = '<ir_version: 9, opset_import: ["": 20]> pick (float[n, 4] x) => '
NODES = {
    "ArgMax": "(int64[1, 4] y) { [pick] y = ArgMax <axis = 0> (x) }",
    "ArgMin": "(int64[1, 4] y) { [pick] y = ArgMin <axis = 0> (x) }",
    "Resize": """(float[m, 4] y) <float[2] s = {2.0, 1.0}> {
        [pick] y = Resize <mode = "linear"> (x, , s) }""",
    "GridSample": """(float[1, 1, 1, 2] y)
      <int64[4] shape = {1, 1, -1, 4}, float[1, 1, 2, 2] grid = {0.0, 0.0, 0.0, 0.0}> {
        image = Reshape <allowzero = 1> (x, shape)
        [pick] y = GridSample (image, grid) }""",
    **{
        f"Pad {mode}": f"""(float[m, 4] y) <int64[4] pads = {{1, 0, 1, 0}}> {{
            [pick] y = Pad <mode = "{mode}"> (x, pads) }}"""
        for mode in ("edge", "reflect", "wrap")
    },
}


@pytest.mark.parametrize("case", NODES)
def test_an_empty_axis_is_an_error_that_names_the_node(case: str) -> None:
    model = onnx.parser.parse_model(HEADER + NODES[case])
    module = tilewright.compile(model, cache=False)
    module(np.ones((3, 4), np.float32))
    with pytest.raises(ArgumentError) as caught:
        module(np.ones((0, 4), np.float32))
    node = f"{case.split()[0]} at loc('pick')"
    assert f"dimension 0: n, where n is in 1..1099511627776 (required by {node})" in str(
        caught.value
    )
    assert "got: size 0 in dimension 0" in str(caught.value)


def test_an_axis_with_fewer_elements_than_results_is_an_error_that_names_the_node() -> None:
    text = """(float[5, 4] y, int64[5, 4] at) <int64[1] k = {5}> {
        [pick] y, at = TopK <axis = 0> (x, k) }"""
    model = onnx.parser.parse_model(HEADER + text)
    module = tilewright.compile(model, shapes={"n": range(0, 100)}, cache=False)
    module(np.ones((5, 4), np.float32))
    for size in (0, 4):
        with pytest.raises(ArgumentError, match="a size is outside of its range") as caught:
            module(np.ones((size, 4), np.float32))
        assert "n in 5..99 (required by TopK at loc('pick'))" in str(caught.value)
        assert f"got: {size}, where n = {size} (dimension 0 of x)" in str(caught.value)


def test_a_limit_names_the_node_that_needs_it_and_none_if_the_caller_gave_it() -> None:
    text = """
    <ir_version: 9, opset_import: ["": 20]>
    embed (float[seq, 8] x, float[12, 8] table) => (float[seq, 8] y)
    <int64[1] zero = {0}, int64[1] first = {0}> {
      shape = Shape <start = 0, end = 1> (x)
      rows = Slice (table, first, shape, zero)
      [sum] y = Add (x, rows)
    }"""
    model = onnx.parser.parse_model(text)
    table = np.ones((12, 8), np.float32)
    for shapes, wanted in (
        (None, r"seq in 0..12 \(required by Add at loc\('sum'\)\)"),
        ({"seq": range(1, 9)}, r"seq in 1..8\n"),
    ):
        module = tilewright.compile(model, shapes=shapes, cache=False)
        with pytest.raises(ArgumentError, match=wanted):
            module(np.ones((13, 8), np.float32), table)


F32, I64 = np.float32, np.int64
LARGER = {
    "GatherElements": (
        "(float[3, n] x, int64[2, m] i) => (float[2, m] y)",
        "GatherElements <axis = 0> (x, i)",
        lambda n, m: [np.ones((3, n), F32), np.ones((2, m), I64)],
    ),
    "ScatterElements": (
        "(float[3, n] x, int64[2, m] i, float[2, m] u) => (float[3, n] y)",
        "ScatterElements <axis = 0> (x, i, u)",
        lambda n, m: [np.ones((3, n), F32), np.array([[0] * m, [1] * m]), np.ones((2, m), F32)],
    ),
    "Compress": (
        "(float[n, 3] x, bool[m] c) => (float[k, 3] y)",
        "Compress <axis = 0> (x, c)",
        lambda n, m: [np.ones((n, 3), F32), np.ones(m, np.bool_)],
    ),
    "TensorScatter": (
        "(float[1, n, 4] x, float[1, m, 4] u, int64[1] w) => (float[1, n, 4] y)",
        'TensorScatter <axis = -2, mode = "circular"> (x, u, w)',
        lambda n, m: [np.ones((1, n, 4), F32), np.ones((1, m, 4), F32), np.zeros(1, I64)],
    ),
}


@pytest.mark.parametrize("name", LARGER)
def test_an_operand_that_must_not_be_larger_is_checked_at_the_call(name: str) -> None:
    signature, node, arrays = LARGER[name]
    text = f'<ir_version: 13, opset_import: ["": 24]> fit {signature} {{ [fit] y = {node} }}'
    model = onnx.parser.parse_model(text)
    module = tilewright.compile(model, cache=False)
    session = onnxruntime.InferenceSession(model.SerializeToString())
    for n, m in ((3, 3), (4, 2)):
        given = arrays(n, m)
        (wanted,) = session.run(
            None, {spec.name: x for spec, x in zip(module.inputs, given, strict=True)}
        )
        np.testing.assert_array_equal(module(*given), wanted)
    wanted = rf"-m \+ n of at least 0 \(required by {name} at loc\('fit'\)\)\n    got: -1"
    with pytest.raises(ArgumentError, match=wanted):
        module(*arrays(2, 3))


def test_a_computed_size_that_must_not_be_larger_is_checked_at_run_time() -> None:
    text = """<ir_version: 9, opset_import: ["": 20]>
    fit (float[3, n] x, bool[4] c) => (float[1, k] y) {
      places = NonZero (c)
      [fit] y = GatherElements <axis = 0> (x, places)
    }"""
    module = tilewright.compile(onnx.parser.parse_model(text), cache=False)
    three = np.array([1, 1, 1, 0], np.bool_)
    x = np.arange(9, dtype=F32).reshape(3, 3)
    np.testing.assert_array_equal(module(x, three), [[0, 4, 8]])
    with pytest.raises(OutOfRangeError, match=r"GatherElements at loc\('fit'\)"):
        module(np.ones((3, 2), F32), three)


def test_a_region_of_an_image_that_is_not_there_is_an_error() -> None:
    text = """<ir_version: 9, opset_import: ["": 20]>
    fit (float[n, 1, 4, 4] x, float[1, 5] rois) => (float[1, 1, 1, 1] y) {
      [fit] y = MaxRoiPool <pooled_shape = [1, 1]> (x, rois)
    }"""
    model = onnx.parser.parse_model(text)
    module = tilewright.compile(model, shapes={"n": range(0, 9)}, cache=False)
    rois = np.array([[0, 0, 0, 3, 3]], F32)
    x = np.arange(32, dtype=F32).reshape(2, 1, 4, 4)
    assert module(x, rois).numpy().item() == 15
    for images, region in ((0, rois), (2, rois + 2)):
        with pytest.raises(OutOfRangeError, match=r"MaxRoiPool at loc\('fit'\)"):
            module(x[:images], region)

"""Calls with fewer elements than a node needs: the error names the node and the size."""

from __future__ import annotations

import numpy as np
import onnx
import pytest

import tilewright
from tilewright.runtime.errors import ArgumentError

HEADER = '<ir_version: 9, opset_import: ["": 20]> pick (float[n, 4] x) => '
NODES = {
    "ArgMax": "(int64[1, 4] y) { [pick] y = ArgMax <axis = 0> (x) }",
    "ArgMin": "(int64[1, 4] y) { [pick] y = ArgMin <axis = 0> (x) }",
    "Resize": """(float[m, 4] y) <float[2] s = {2.0, 1.0}> {
        [pick] y = Resize <mode = "linear"> (x, , s) }""",
    **{
        f"Pad {mode}": f"""(float[m, 4] y) <int64[4] pads = {{1, 0, 1, 0}}> {{
            [pick] y = Pad <mode = "{mode}"> (x, pads) }}"""
        for mode in ("edge", "reflect", "wrap")
    },
}


@pytest.mark.parametrize("case", NODES)
def test_an_empty_axis_is_an_error_that_names_the_node(case: str) -> None:
    model = onnx.parser.parse_model(HEADER + NODES[case])
    module = tilewright.compile(model, shapes={"n": range(0, 100)}, cache=False)
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
        assert "n_from_0 in 5..99 (required by TopK at loc('pick'))" in str(caught.value)
        assert f"got: {size}, where n_from_0 = {size} (dimension 0 of x)" in str(caught.value)


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

"""Sizes computed in floating point are expressions over sizes, equal to what the floats give."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import onnx.parser
import onnxruntime
import pytest
from hypothesis import given
from hypothesis import strategies as st
from xdsl.dialects.func import FuncOp

import tilewright
from tilewright.dialects.shape import Dim, dims_of, type_of
from tilewright.frontend.onnx.importer import import_model
from tilewright.runtime.errors import ArgumentError

FACTORS = {"Mul": (2.0, 0.5, 1.5, 0.25, 3.0, 0.75), "Div": (2.0, 3.0, 5.0, 7.0), "Add": (0.5, 1.0)}
STEPS = [(op, number) for op, numbers in FACTORS.items() for number in numbers]
ROUNDS = [("Floor", None), ("Ceil", None)]
NUMPY: dict[str, Callable[..., Any]] = {
    "Mul": np.multiply,
    "Div": np.divide,
    "Add": np.add,
    "Floor": np.floor,
    "Ceil": np.ceil,
}
Step = tuple[str, float | None]


def size_model(steps: list[Step]) -> onnx.ModelProto:
    """Return a model whose result has as many elements as floats make of the length of x."""
    lines, name = ["s = Shape (x) f = Cast <to = 1> (s)"], "f"
    for n, (op, number) in enumerate(steps):
        constant = "" if number is None else f"c{n} = Constant <value_float = {number}> () "
        operands = name if number is None else f"{name}, c{n}"
        lines.append(f"{constant}v{n} = {op} ({operands})")
        name = f"v{n}"
    lines.append(f"i = Cast <to = 7> ({name}) y = ConstantOfShape (i)")
    return onnx.parser.parse_model(
        '<ir_version: 8, opset_import: ["": 17]> g (float[n] x) => (float[m] y) {'
        + "\n".join(lines)
        + "}"
    )


def result_size(model: onnx.ModelProto) -> Dim:
    main = next(op for op in import_model(model).ops if isinstance(op, FuncOp))
    terminator = main.body.block.last_op
    assert terminator is not None
    return dims_of(type_of(terminator.operands[0]))[0]


@given(
    st.lists(st.tuples(st.sampled_from(STEPS), st.sampled_from(ROUNDS)), min_size=1, max_size=3),
    st.lists(st.integers(1, 1 << 16), min_size=1, max_size=30),
)
def test_a_size_is_what_single_precision_gives(
    pairs: list[tuple[Step, Step]], lengths: list[int]
) -> None:
    steps = [step for pair in pairs for step in pair]
    size = result_size(size_model(steps))
    for length in (1, 2, 1 << 16, *lengths):
        value = np.float32(length)
        for op, number in steps:
            operands = () if number is None else (np.float32(number),)
            value = NUMPY[op](value, *operands)
        assert size.evaluate({"n": length}) == int(value)


@pytest.mark.parametrize("number", [0.3, 1e-3, 1.1])
def test_a_product_that_rounds_is_no_size(number: float) -> None:
    module = tilewright.compile(size_model([("Mul", number), ("Floor", None)]), cache=False)
    assert "ConstantOfShape" in module.reason
    x = np.zeros(1000, np.float32)
    (got,) = module.run([x])
    assert np.asarray(got).shape == (int(np.float32(1000) * np.float32(number)),)


def test_a_call_refuses_a_size_that_floats_do_not_hold() -> None:
    module = tilewright.compile(size_model([("Mul", 2.0)]), cache=False)
    assert not module.reason
    with pytest.raises(ArgumentError, match=r"2 \* n in 0..16777216 \(required by Cast"):
        module(np.zeros((1 << 23) + 1, np.float32))


def test_an_image_resized_as_older_exporters_do_compiles_once() -> None:
    model = onnx.parser.parse_model(
        """
        <ir_version: 8, opset_import: ["": 17]>
        g (float[1, 3, h, w] x) => (float[1, 3, p, q] y) {
          s = Shape (x)
          i2 = Constant <value_int = 2> () i3 = Constant <value_int = 3> ()
          h = Gather (s, i2) hf = Cast <to = 1> (h)
          w = Gather (s, i3) wf = Cast <to = 1> (w)
          two = Constant <value_float = 2.0> () half = Constant <value_float = 0.5> ()
          hs = Mul (hf, two) hh = Floor (hs) ws = Mul (wf, half) ww = Floor (ws)
          ax = Constant <value_ints = [0]> () two_axes = Constant <value_ints = [2]> ()
          hu = Unsqueeze (hh, ax) wu = Unsqueeze (ww, ax) c = Concat <axis = 0> (hu, wu)
          ci = Cast <to = 7> (c)
          head = Slice (s, ax, two_axes) full = Concat <axis = 0> (head, ci)
          y = Resize <mode = "nearest"> (x, , , full)
        }
        """
    )
    module = tilewright.compile(model, cache=False)
    assert not module.reason
    session = onnxruntime.InferenceSession(model.SerializeToString())
    for h, w in ((1, 2), (5, 7), (8, 9), (31, 64)):
        x = np.random.default_rng(h).standard_normal((1, 3, h, w)).astype(np.float32)
        np.testing.assert_array_equal(module(x), session.run(None, {"x": x})[0])

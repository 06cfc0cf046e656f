"""Facts of sizes: what follows from the equality of two sizes, at import and at the call."""

from __future__ import annotations

from typing import Any

import numpy as np
import onnx
import onnx.numpy_helper
import onnx.parser
import onnxruntime
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tilewright
from tilewright import ArgumentError, CompiledModule, ModelError
from tilewright.dialects.shape import Dim
from tilewright.frontend.onnx.file.proto import load
from tilewright.frontend.onnx.importer import import_model
from tilewright.frontend.onnx.sizes.equal_sizes import NO_FACTS, SizeFacts
from tilewright.support.diagnostics import TypeMismatch

from ....peer import peer_results

JOINED = """
<ir_version: 9, opset_import: ["": 20]>
joined (float[b, s, 8] x, float[b2, t, 8] y, float[n, m, 8] z) => (float[a, c, 8] out) {
  xy = Concat <axis = 1> (x, y)
  out = Add (xy, z)
}"""
POSITIONS = """
<ir_version: 9, opset_import: ["": 20]>
positions (float[b, s, 8] x, float[b, past, 8] before) => (float[b, n, 8] out)
  <int64[1] zero = {0}, int64[1] one = {1}, int64[1] two = {2}> {
  x_shape = Shape (x)
  s = Slice (x_shape, one, two)
  before_shape = Shape (before)
  past = Slice (before_shape, one, two)
  end = Add (past, s)
  rows = Slice (table, past, end, zero)
  out = Add (x, rows)
}"""


def model_of(text: str) -> onnx.ModelProto:
    model = onnx.parser.parse_model(text)
    table = np.arange(80, dtype=np.float32).reshape(10, 8)
    model.graph.initializer.append(onnx.numpy_helper.from_array(table, "table"))
    return model


def ones(*shape: int) -> np.ndarray:
    return np.ones(shape, np.float32)


def compiled(text: str) -> CompiledModule:
    module = tilewright.compile(model_of(text), cache=False)
    assert not module.reason
    return module


def test_names_of_one_size_become_one() -> None:
    module = compiled(JOINED)
    assert "z: float32[b, s + t, 8]" in repr(module)
    np.testing.assert_array_equal(module(ones(2, 3, 8), ones(2, 4, 8), ones(2, 7, 8)), 2)


@pytest.mark.parametrize(
    ("shapes", "words"),
    [
        (((2, 3), (3, 4), (2, 7)), ["argument 1 (y)", "b = 2 (dimension 0 of x)", "got: size 3"]),
        (((2, 3), (2, 4), (2, 8)), ["argument 2 (z)", "s = 3 (dimension 1 of x), t = 4"]),
    ],
)
def test_a_call_whose_sizes_differ_is_refused(
    shapes: tuple[tuple[int, int], ...], words: list[str]
) -> None:
    module = compiled(JOINED)
    with pytest.raises(ArgumentError) as caught:
        module(*(ones(*shape, 8) for shape in shapes))
    assert all(word in str(caught.value) for word in words)


def test_a_table_limits_the_sizes_that_slice_it() -> None:
    model, module = model_of(POSITIONS), compiled(POSITIONS)
    peer = onnxruntime.InferenceSession(model.SerializeToString())
    for s, past in ((1, 1), (3, 4), (1, 9), (5, 5)):
        x, before = ones(2, s, 8), ones(2, past, 8)
        (expected,) = peer.run(None, {"x": x, "before": before})
        np.testing.assert_array_equal(module(x, before), np.asarray(expected))
    wanted = r"past \+ s in 0..10 \(required by Add at .*\)\n    got: 11, where past = 9"
    with pytest.raises(ValueError, match=wanted):
        module(ones(1, 2, 8), ones(1, 9, 8))


def test_the_caller_gives_the_range_of_a_size() -> None:
    text = """
    <ir_version: 9, opset_import: ["": 20]>
    ranged (float[s, 8] x, float[t, 8] y) => (float[s, 8] z) {
      z = Add (x, y)
    }"""
    module = tilewright.compile(model_of(text), shapes={"t": range(2, 5)}, cache=False)
    assert not module.reason
    for s in (2, 4):
        np.testing.assert_array_equal(module(ones(s, 8), ones(s, 8)), 2)
    for s in (1, 5):
        with pytest.raises(ValueError, match=rf"s in 2\.\.4\n    got: {s}, where s = {s}"):
            module(ones(s, 8), ones(s, 8))
    for wrong in (range(3, 3), range(1, 9, 2), range(-1, 3)):
        with pytest.raises(ModelError, match="gives size 't' no range of sizes"):
            tilewright.compile(model_of(text), shapes={"t": wrong}, cache=False)
    with pytest.raises(ModelError, match="names no input, and no size of one"):
        tilewright.compile(model_of(text), shapes={"r": range(1, 3)}, cache=False)


@pytest.mark.parametrize("shapes", [{"x": (2, 7)}, {"b": 2, "half": 3}, {"x": (2, 7), "half": 3}])
def test_a_size_in_an_expression_is_bound(shapes: dict[str, Any]) -> None:
    text = (
        POSITIONS.partition("positions")[0]
        + "odd (float[b, n] x) => (float[b, n] y) { y = Abs (x) }"
    )
    model = onnx.parser.parse_model(text)
    model.graph.input[0].type.tensor_type.shape.dim[1].dim_param = "2 * half + 1"
    module = tilewright.compile(model, shapes=shapes, cache=False)
    assert module.inputs[0].shape == (2, 7)
    with pytest.raises(ModelError, match="contradicts axis 1 of input 'x'"):
        tilewright.compile(model, shapes={"x": (2, 8)}, cache=False)


def test_a_size_that_only_1_makes_legal_is_checked_by_the_call() -> None:
    text = JOINED.replace("float[n, m, 8] z", "float[b, s, 8] z")
    module = compiled(text)
    with pytest.raises(ArgumentError, match=r"required by Add at loc\('Add_1'\)"):
        module(ones(2, 2, 8), ones(2, 4, 8), ones(2, 2, 8))
    np.testing.assert_array_equal(module(ones(2, 1, 8), ones(2, 4, 8), ones(2, 1, 8)), 2)


SIZES = ["p", "s", "p + s", "min(p, 10)", "min(p + s, 10)", "max(p - 2, 1)", "floordiv(s, 2)"]


@given(
    st.sampled_from(SIZES), st.sampled_from(SIZES), st.integers(1, 9), st.integers(1, 9),
    st.integers(1, 12),
)  # fmt: skip
def test_facts_hold_for_all_sizes_that_they_allow(
    lhs: str, rhs: str, p: int, s: int, limit: int
) -> None:
    facts, sizes = SizeFacts(most={Dim.of("p + s"): 10}), {"p": p, "s": s}
    if p + s > 10:
        return
    for text in (lhs, rhs):
        assert facts.of(Dim.of(text)).evaluate(sizes) == Dim.of(text).evaluate(sizes)
    smaller = facts.min(Dim.of(lhs), Dim.const(limit))
    assert smaller.evaluate(sizes) == min(Dim.of(lhs).evaluate(sizes), limit)


def test_equal_sizes_replace_one_another_once() -> None:
    first = NO_FACTS.with_equal([(Dim.of("a"), Dim.of("b"))])
    assert first is not None
    assert first.equal == {"b": Dim.of("a")}
    second = first.with_equal([(Dim.of("b + c"), Dim.of("d"))])
    assert second is not None
    assert second.equal == {"b": Dim.of("a"), "d": Dim.of("a + c")}
    assert second.with_equal([(Dim.of("a + c"), Dim.of("d"))]) is None
    assert NO_FACTS.with_equal([(Dim.of("u0"), Dim.of("b"))]) is None


FIXED = """
<ir_version: 8, opset_import: ["": 17]>
fixed (float[b, n, 3] x) => (float[b, m, 3] first, float[b, k, 3] second, float[r, c] rows)
  <int64[2] parts = {2, 3}, int64[2] target = {4, 15}> {
  first, second = Split <axis = 1> (x, parts)
  rows = Reshape (x, target)
}"""


def test_constant_shapes_determine_the_sizes_that_they_fit() -> None:
    module = tilewright.compile(model_of(FIXED), cache=False)
    assert not module.reason
    assert module.inputs[0].shape == (4, 5, 3)
    x = np.arange(60, dtype=np.float32).reshape(4, 5, 3)
    for got, wanted in zip(module.run([x]), (x[:, :2], x[:, 2:], x.reshape(4, 15)), strict=True):
        np.testing.assert_array_equal(got, wanted)
    with pytest.raises(ArgumentError, match="argument 0"):
        module(ones(4, 6, 3))


def test_parts_that_no_axis_has_are_refused() -> None:
    text = FIXED.replace("[b, n, 3] x", "[b, 6, 3] x")
    with pytest.raises(ModelError, match="parts of a split do not make up the axis"):
        tilewright.compile(model_of(text), shapes={"b": 4}, cache=False)


@pytest.mark.parametrize(
    ("lhs", "rhs", "name", "size"),
    [
        ("256 * s", "3328", "s", "13"),
        ("a", "b", "b", "a"),
        ("p + s", "t", "t", "p + s"),
        ("2 * h", "w + 1", "w", "2 * h - 1"),
        ("3 * s", "10", None, None),
        ("b * s", "12", None, None),
        ("16 * b * s", "112 * b", "s", "7"),
        ("b * s * s", "b * s", "s", "1"),
        ("p_from_0 * s", "7 * p_from_0", None, None),
        ("s + 4", "4", None, None),
    ],
)
def test_equations_are_solved(lhs: str, rhs: str, name: str | None, size: str | None) -> None:
    found = NO_FACTS.with_equal([(Dim.of(lhs), Dim.of(rhs))])
    assert (None if found is None else found.equal) == (
        None if name is None else {name: Dim.of(size or "")}
    )


CROPPED = """
<ir_version: 8, opset_import: ["": 17]>
cropped (float[b, 2, n] x) => (float[b, 2, m] y)
  <int64[1] starts = {4}, int64[1] ends = {9223372036854775807}, int64[1] axes = {2}> {
  pooled = AveragePool <kernel_shape = [5]> (x)
  rest = Slice (x, starts, ends, axes)
  y = Add (pooled, rest)
}"""


def test_a_size_that_must_not_be_negative_is_a_limit() -> None:
    model = onnx.parser.parse_model(CROPPED)
    module = tilewright.compile(model, cache=False)
    assert not module.reason
    session = onnxruntime.InferenceSession(model.SerializeToString())
    for n in (5, 12, 40):
        x = np.random.default_rng(n).random((2, 2, n), np.float32)
        (expected,) = session.run(None, {"x": x})
        np.testing.assert_allclose(module(x), expected, rtol=1e-5)
    with pytest.raises(ValueError, match="n of at least 4") as caught:
        module(ones(2, 2, 3))
    assert "9223372036854775807" not in str(caught.value)


def test_a_size_that_may_be_repeated_is_not_bound() -> None:
    """With n = 5, the pooled rows have one column, which is repeated."""
    text = CROPPED.replace("n] x", "n] x, float[b, 2, 9] z").replace(
        "y = Add (pooled, rest)", "y = Add (pooled, z)"
    )
    model, rng = onnx.parser.parse_model(text), np.random.default_rng(0)
    module = tilewright.compile(model, cache=False)
    assert not module.reason
    z = rng.random((1, 2, 9), np.float32)
    for n in (5, 13):
        x = rng.random((1, 2, n), np.float32)
        (expected,) = peer_results(model, {"x": x, "z": z})
        np.testing.assert_allclose(module(x, z), expected, rtol=1e-5)


HALVES = """
<ir_version: 9, opset_import: ["": 20]>
halves (float[n, 4] x) => (float[m, 4] y)
  <int64[1] zero = {0}, int64[1] one = {1}, int64[1] two = {2},
   int64[1] end = {9223372036854775807}> {
  even = Slice (x, zero, end, zero, two)
  odd = Slice (x, one, end, zero, two)
  sum = Add (even, odd)
  y = Mul (sum, even)
}"""


@pytest.mark.parametrize("shapes", [{}, {"n": range(0, 100)}], ids=["from_1", "from_0"])
def test_a_call_decides_which_of_two_sizes_is_repeated(shapes: dict[str, range]) -> None:
    """Of 3 elements the one at an odd position is repeated, of 1 there is none."""
    model = onnx.parser.parse_model(HALVES)
    model.graph.output[0].type.tensor_type.ClearField("shape")
    module = tilewright.compile(model, shapes=shapes, cache=False)
    session = onnxruntime.InferenceSession(model.SerializeToString())
    for n in (1, 2, 3, 4, 34, 80):
        x = np.random.default_rng(n).random((n, 4), np.float32)
        (expected,) = session.run(None, {"x": x})
        np.testing.assert_allclose(module(x), expected, rtol=1e-6)
    with pytest.raises(ArgumentError, match=r"required by Add at loc\('Add_2'\)"):
        module(ones(5, 4))
    assert not module.reason


def test_a_size_that_is_a_multiple_is_never_1() -> None:
    found = NO_FACTS.with_equal([(Dim.of("8 * s"), Dim.const(8))], broadcasts=True)
    assert found is not None
    assert found.equal == {"s": Dim.const(1)}


@pytest.mark.parametrize(
    ("lhs", "rhs", "equal"),
    [
        ("8 * floordiv(h, 8)", "h", {"h": "8 * h_by_8"}),
        ("b * floordiv(h, 8) * floordiv(w, 6)", "floordiv(b * h * w, 48)", None),
        ("8 * floordiv(h, 8) - 8 * floordiv(w, 8)", "h - w", None),
        ("4 * floordiv(6 * c, 4)", "6 * c", {"c": "2 * c_by_2"}),
        ("24 * floordiv(h, 4) * floordiv(h, 6)", "h * h", {"h": "12 * h_by_12"}),
        (
            "16 * floordiv(h, 8) * floordiv(w, 2)",
            "h * w",
            {"h": "8 * h_by_8", "w": "2 * w_by_2"},
        ),
        ("8 * floordiv(p_from_0, 8)", "p_from_0", {"p_from_0": "8 * p_by_8_from_0"}),
        ("8 * floordiv(h, 8)", "h + 1", None),
        ("2 * floordiv(u0, 2)", "u0", None),
    ],
)
def test_a_size_that_numbers_divide_is_a_multiple(
    lhs: str, rhs: str, equal: dict[str, str] | None
) -> None:
    facts = NO_FACTS.with_equal([(Dim.of(lhs), Dim.of(rhs))])
    found = None if facts is None else {name: str(dim) for name, dim in facts.equal.items()}
    assert found == equal


WINDOWS = """
<ir_version: 9, opset_import: ["": 20]>
windows (float[b, h, w, 6] x) => (float[b, h8, w4, 8, 4, 6] y)
  <int64[1] zero = {0}, int64[1] last = {-1}, int64[1] eight = {8}, int64[1] four = {4}> {
  height = Shape <start = 1, end = 2> (x)
  width = Shape <start = 2, end = 3> (x)
  rows = Div (height, eight)
  columns = Div (width, four)
  target = Concat <axis = 0> (zero, rows, eight, columns, four, last)
  split = Reshape (x, target)
  y = Transpose <perm = [0, 1, 3, 2, 4, 5]> (split)
}"""


def test_windows_of_an_open_image_are_compiled_once() -> None:
    module, peer = (
        compiled(WINDOWS),
        onnxruntime.InferenceSession(model_of(WINDOWS).SerializeToString()),
    )
    assert module.inputs[0].shape == ("b", "8 * h_by_8", "4 * w_by_4", 6)
    rng = np.random.default_rng(0)
    for b, h, w in ((1, 8, 4), (2, 24, 20), (3, 16, 4)):
        x = rng.standard_normal((b, h, w, 6)).astype(np.float32)
        np.testing.assert_array_equal(module(x), np.asarray(peer.run(None, {"x": x})[0]))
    with pytest.raises(ArgumentError, match="argument 0"):
        module(ones(1, 12, 4, 6))


RULES: dict[str, tuple[dict[str, tuple[str, tuple[int, ...]]], str]] = {
    "grid": (
        {"x": ("float[n, 3, h, w]", (2, 3, 4, 5)), "grid": ("float[m, r, c, d]", (2, 3, 6, 2))},
        "y = GridSample (x, grid)",
    ),
    "regions": (
        {"x": ("float[n, 3, 9, 9]", (2, 3, 9, 9)), "rois": ("float[r, four]", (4, 4))},
        "batch = ConstantOfShape <value = int64[1] {1}> (count)\n"
        "y = RoiAlign <output_height = 2, output_width = 2, sampling_ratio = 2> (x, rois, batch)",
    ),
    "slices": (
        {"x": ("float[7, c]", (7, 5)), "updates": ("float[n, k]", (3, 5))},
        "y = ScatterND (x, rows, updates)",
    ),
    "elements": (
        {"x": ("float[7, c]", (7, 5)), "updates": ("float[n, k]", (3, 1))},
        "y = ScatterElements (x, rows, updates)",
    ),
    "groups": (
        {"x": ("float[n, c, 9]", (2, 6, 9)), "w": ("float[k, 3, 3]", (8, 3, 3))},
        "y = Conv <group = 2> (x, w)",
    ),
    "kernel": (
        {"x": ("float[n, c, 9]", (2, 4, 9)), "w": ("float[8, c, t]", (8, 4, 3))},
        "y = Conv <kernel_shape = [3]> (x, w)",
    ),
    "labels": (
        {"x": ("float[a, b, 4]", (2, 3, 4)), "y0": ("float[c, 5, d]", (3, 5, 4))},
        'y = Einsum <equation = "abk,bck->ac"> (x, y0)',
    ),
    "diagonal": ({"x": ("float[a, b, 4]", (3, 3, 4))}, 'y = Einsum <equation = "iij->ij"> (x)'),
    "head size": (
        {name: (f"float[n, 2, {name}s, e]", (1, 2, 6, 8)) for name in ("q", "k", "v")},
        "y = Attention (q, k, v)",
    ),
    "shared heads": (
        {
            "q": ("float[1, heads, 6, 8]", (1, 4, 6, 8)),
            "k": ("float[1, 2, 6, 8]", (1, 2, 6, 8)),
            "v": ("float[1, 2, 6, 8]", (1, 2, 6, 8)),
        },
        "y = Attention (q, k, v)",
    ),
}


@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", RULES)
def test_the_rule_of_an_operator_determines_sizes(name: str) -> None:
    inputs, nodes = RULES[name]
    opset = 23 if "Attention" in nodes else 20
    declared = ", ".join(
        f"{type_.replace(']', '] ' + each)}" for each, (type_, _) in inputs.items()
    )
    text = f"""
    <ir_version: 10, opset_import: ["": {opset}]>
    rule ({declared}) => (float[*] y)
      <int64[3, 1] rows = {{5, 0, 2}}, int64[1] count = {{4}}> {{ {nodes} }}"""
    model = model_of(text.replace("float[*]", "float"))
    model.graph.output[0].type.tensor_type.ClearField("shape")
    import_model(load(model.SerializeToString()))
    module = tilewright.compile(model, cache=False)
    rng = np.random.default_rng(1)
    feeds = {key: rng.uniform(0, 1, shape).astype(np.float32) for key, (_, shape) in inputs.items()}
    np.testing.assert_allclose(module.run(feeds)[0], peer_results(model, feeds)[0], atol=1e-5)


def test_open_heads_that_may_not_be_a_multiple_are_compiled_for_their_numbers() -> None:
    text = """<ir_version: 10, opset_import: ["": 23]>
    shared (float[1, h, 6, 8] q, float[1, g, 6, 8] k, float[1, g, 6, 8] v) => (float[1, h, 6, 8] y)
      { [shared] y = Attention (q, k, v) }"""
    model = onnx.parser.parse_model(text)
    module = tilewright.compile(model, cache=False)
    assert "the heads of Q are not a multiple of the heads of K" in module.reason
    rng = np.random.default_rng(1)
    heads = {"q": 4, "k": 2, "v": 2}
    feeds = {n: rng.uniform(0, 1, (1, h, 6, 8)).astype(np.float32) for n, h in heads.items()}
    np.testing.assert_allclose(module.run(feeds)[0], peer_results(model, feeds)[0], atol=1e-5)
    feeds["q"] = ones(1, 3, 6, 8)
    with pytest.raises(TypeMismatch, match="the heads of Q are not a multiple"):
        module.run(feeds)


def test_the_sizes_of_a_sum_come_before_batches_that_may_be_repeated() -> None:
    """The one column of y makes n 1; the 13 matrices of y would make it 13."""
    text = """
        <ir_version: 9, opset_import: ["": 20]>
        outer (float[n, 3, 7, n] x, float[13, 3, 1, m] y) => (float[a, 3, 7, m] out) {
          out = MatMul (x, y)
        }"""
    module = compiled(text)
    x, y = np.arange(21.0, dtype=np.float32).reshape(1, 3, 7, 1), 2 * ones(13, 3, 1, 5)
    np.testing.assert_array_equal(module(x, y), x @ y)

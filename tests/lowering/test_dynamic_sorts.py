"""Sorts of symbolic rows and lengths: one module, as onnxruntime and numpy."""

from __future__ import annotations

import numpy as np
import onnx
import onnx.parser
import onnxruntime
import pytest

import tilewright
from tilewright.frontend.onnx.importer import import_model
from tilewright.interp.program import interpret
from tilewright.lowering.graph_to_te import GraphToTe
from tilewright.runtime.errors import Error
from tilewright.support.registry import new_context

LENGTHS = (1, 2, 5, 13, 31, 32, 33, 64, 100, 257, 1000, 5000)
COUNTS = (1, 5, 32, 33, 64, 256, 1000)


def model(shape: str, k: int, axis: int, *, largest: bool) -> onnx.ModelProto:
    return onnx.parser.parse_model(
        f"""<ir_version: 10, opset_import: ["": 21]>
        g (float[{shape}] x) => (float[v0, v1, v2] y, int64[p0, p1, p2] p)
        <int64[1] k = {{{k}}}> {{
          y, p = TopK <axis = {axis}, largest = {int(largest)}> (x, k)
        }}"""
    )


def drawn(shape: tuple[int, ...], seed: int) -> np.ndarray:
    """Return numbers with many equal ones."""
    rng = np.random.default_rng(seed)
    return rng.integers(-20, 20, shape).astype(np.float32) / 4


@pytest.mark.one_in(4)
@pytest.mark.parametrize("count", COUNTS)
@pytest.mark.parametrize("largest", [True, False])
def test_rows_of_any_length_are_sorted(count: int, largest: bool) -> None:
    source = model('2, "n", 3', count, 1, largest=largest)
    module = tilewright.compile(source, cache=False, strict_plan=True)
    assert not module.reason
    peer = onnxruntime.InferenceSession(source.SerializeToString())
    for seed, length in enumerate(n for n in (*LENGTHS, count) if n >= count):
        x = drawn((2, length, 3), seed)
        results = module.run([x], threads=1)
        for got, want in zip(results, peer.run(None, {"x": x}), strict=True):
            np.testing.assert_array_equal(got, np.asarray(want))
    with pytest.raises(Error, match=f"{count}"):
        module(drawn((2, count - 1, 3), 0))


@pytest.mark.parametrize("length", [1, 7, 200])
def test_a_symbolic_number_of_rows_is_sorted(length: int) -> None:
    source = model(f'"a", {length}, "b"', (length + 1) // 2, 1, largest=True)
    module = tilewright.compile(source, cache=False, strict_plan=True)
    assert not module.reason
    peer = onnxruntime.InferenceSession(source.SerializeToString())
    for a, b in ((1, 1), (2, 13), (7, 64), (1, 1000)):
        x = drawn((a, length, b), a)
        results = module.run([x], threads=1)
        shared = module.run([x], threads=2)
        for got, again, want in zip(results, shared, peer.run(None, {"x": x}), strict=True):
            np.testing.assert_array_equal(got, np.asarray(want))
            np.testing.assert_array_equal(got, again)


def test_numbers_that_are_none_come_last() -> None:
    source = model('1, "n", 1', 40, 1, largest=False)
    module = tilewright.compile(source, cache=False, strict_plan=True)
    x = drawn((1, 90, 1), 3)
    x[0, ::3] = np.nan
    x[0, ::7] = np.inf
    values, positions = module.run([x], threads=1)
    order = np.argsort(x[0, :, 0], kind="stable")[:40]
    np.testing.assert_array_equal(np.asarray(positions)[0, :, 0], order)
    np.testing.assert_array_equal(np.asarray(values)[0, :, 0], x[0, order, 0])


COMPUTED_COUNTS = {
    "the whole axis": ("k = Identity (size)", lambda n: n),
    "half": ("k = Div (size, two)", lambda n: n // 2),
    "at most seven": ("k = Min (size, seven)", lambda n: min(n, 7)),
    "all but two": ("k = Sub (size, two)", lambda n: n - 2),
}


def model_of_computed_count(count: str, *, largest: bool) -> onnx.ModelProto:
    return onnx.parser.parse_model(
        f"""<ir_version: 10, opset_import: ["": 21]>
        g (float[b, n, 3] x) => (float[b, m, 3] y, int64[b, m, 3] p)
        <int64[1] two = {{2}}, int64[1] seven = {{7}}> {{
          size = Shape <start = 1, end = 2> (x)
          {count}
          y, p = TopK <axis = 1, largest = {int(largest)}> (x, k)
        }}"""
    )


@pytest.mark.one_in(3)
@pytest.mark.parametrize("case", COMPUTED_COUNTS)
@pytest.mark.parametrize("largest", [True, False])
def test_a_number_of_results_that_follows_from_the_length(case: str, largest: bool) -> None:
    text, count = COMPUTED_COUNTS[case]
    source = model_of_computed_count(text, largest=largest)
    module = tilewright.compile(source, shapes={"n": range(0, 6000)}, cache=False, strict_plan=True)
    assert not module.reason
    peer = onnxruntime.InferenceSession(source.SerializeToString())
    for n in (n for n in (0, *LENGTHS) if count(n) >= 0):
        x = drawn((2, n, 3), n)
        results, shared = module.run([x], threads=1), module.run([x], threads=2)
        for got, again, want in zip(results, shared, peer.run(None, {"x": x}), strict=True):
            np.testing.assert_array_equal(got, np.asarray(want))
            np.testing.assert_array_equal(got, again)


def test_a_negative_number_of_results_is_an_error() -> None:
    source = model_of_computed_count(COMPUTED_COUNTS["all but two"][0], largest=True)
    module = tilewright.compile(source, cache=False)
    with pytest.raises(Error, match=r"n - 2 of at least 0 \(required by TopK"):
        module(drawn((2, 1, 3), 0))


@pytest.mark.parametrize("case", COMPUTED_COUNTS)
def test_interpreters_sort_a_number_of_results_that_follows_from_the_length(case: str) -> None:
    source = model_of_computed_count(COMPUTED_COUNTS[case][0], largest=False)
    program = import_model(source)
    x = drawn((2, 9, 3), 1)
    want = onnxruntime.InferenceSession(source.SerializeToString()).run(None, {"x": x})
    at_graph = interpret(program, [x])
    GraphToTe().apply(new_context(), program)
    for results in (at_graph, interpret(program, [x])):
        for got, expected in zip(results, want, strict=True):
            np.testing.assert_array_equal(got, np.asarray(expected))


def test_a_count_that_may_exceed_the_axis_needs_its_size() -> None:
    source = onnx.parser.parse_model(
        """<ir_version: 10, opset_import: ["": 21]>
        g (float[n] x, float[m] like) => (float[m] y, int64[m] p) {
          k = Shape (like)
          y, p = TopK (x, k)
        }"""
    )
    module = tilewright.compile(source, cache=False)
    assert "k may exceed the axis" in module.reason
    x, like = drawn((9,), 1), drawn((4,), 2)
    values, _ = module.run([x, like])
    np.testing.assert_array_equal(values, np.sort(x)[::-1][:4])

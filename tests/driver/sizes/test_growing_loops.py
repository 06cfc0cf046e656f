"""Loops whose sizes follow from the iteration number run with one compilation."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
import onnx
import onnx.parser
import onnxruntime
import pytest
from onnx.reference import ReferenceEvaluator

import tilewright
from tilewright.driver.passes.check import validate_pipeline
from tilewright.frontend.onnx.file.proto import load
from tilewright.frontend.onnx.importer import import_model
from tilewright.machines.target import Target
from tilewright.support.diagnostics import UnsupportedOp

from ...peer import peer_results
from ...sweeps import sampled

Feeds = Mapping[str, np.ndarray]
CONSTANTS = """
    true = Constant <value = bool {1}> ()
    zero = Constant <value_ints = [0]> ()
    one = Constant <value_ints = [1]> ()
    first = Constant <value = int64 {0}> ()
    single = Constant <value = int64 {1}> ()
    zero_float = Constant <value = float {0.0}> ()"""


def rows(n: int, trips: int) -> Feeds:
    x = np.random.default_rng(n).random((n, 4), np.float32)
    return {"x": x * np.float32(0.1), "m": np.array(trips)}


def states(past: int, trips: int) -> Feeds:
    rng = np.random.default_rng(past)
    q, w = rng.random((1, 2, 1, 8), np.float32), rng.random((8, 8), np.float32)
    k = rng.random((1, 2, past, 8), np.float32)
    return {"k": k, "w": w * np.float32(0.1), "q": q, "m": np.array(trips)}


def elements(n: int, trips: int) -> Feeds:
    return {"x": np.random.default_rng(n).random(n, np.float32), "m": np.array(trips)}


def windows(n: int, trips: int) -> Feeds:
    rng = np.random.default_rng(n)
    x, w = rng.random((1, 2, n), np.float32), rng.standard_normal((2, 2, 3))
    return {"x": x, "w": w.astype(np.float32), "m": np.array(trips)}


def states_of_one_row(n: int, trips: int) -> Feeds:
    x = np.random.default_rng(n).random((1, 4), np.float32)
    return {"x": x / np.float32(n), "m": np.array(trips)}


def tokens(n: int, trips: int) -> Feeds:
    rng = np.random.default_rng(n)
    w = rng.standard_normal((16, 8)).astype(np.float32)
    return {"x": rng.integers(0, 16, (1, n)), "w": w, "m": np.array(trips)}


@dataclass(frozen=True)
class Case:
    """A graph: its signature, its nodes, and inputs for a size and a trip count."""

    signature: str
    nodes: str
    feeds: Callable[[int, int], Feeds] = rows

    def model(self) -> onnx.ModelProto:
        return onnx.parser.parse_model(
            f"""
            <ir_version: 10, opset_import: ["": 21]>
            growing ({self.signature}) {{ {CONSTANTS} {self.nodes} }}"""
        )


ROWS = "float[n, 4] x, int64 m) => (float[k, 4] y"
CASES = {
    "one row more": Case(
        ROWS,
        """
        y = Loop (m, true, x) <body = step (int64 i, bool go, float[a, 4] s) =>
          (bool goes, float[b, 4] next) {
            goes = Identity (go) total = ReduceSum <keepdims = 1> (s, zero)
            row = Sigmoid (total) next = Concat <axis = 0> (s, row)
          }>""",
    ),
    "a named size more": Case(
        ROWS,
        """
        y = Loop (m, true, x) <body = step (int64 i, bool go, float[a, 4] s) =>
          (bool goes, float[b, 4] next) {
            goes = Identity (go) half = Sin (s) next = Concat <axis = 0> (half, x)
          }>""",
    ),
    "one column more": Case(
        "float[n, 4] x, int64 m) => (float[n, k] y",
        """
        y = Loop (m, true, x) <body = step (int64 i, bool go, float[n, a] s) =>
          (bool goes, float[n, b] next) {
            goes = Identity (go) mean = ReduceMean <keepdims = 1> (s, one)
            next = Concat <axis = 1> (mean, s)
          }>""",
    ),
    "a cache": Case(
        "float[1, 2, p, 8] k, float[8, 8] w, float[1, 2, 1, 8] q, int64 m) => "
        "(float[1, 2, 1, 8] last, float[1, 2, t, 8] keys, float[c, 1, 2, 1, 8] all",
        """
        last, keys, all = Loop (m, true, q, k) <body = step
          (int64 i, bool go, float[1, 2, 1, 8] h, float[1, 2, a, 8] past) =>
          (bool goes, float[1, 2, 1, 8] next, float[1, 2, b, 8] total, float[1, 2, 1, 8] part) {
            goes = Identity (go) key = MatMul (h, w) total = Concat <axis = 2> (past, key)
            turned = Transpose <perm = [0, 1, 3, 2]> (total) scores = MatMul (h, turned)
            weights = Softmax <axis = -1> (scores) next = MatMul (weights, total)
            part = Identity (next)
          }>""",
        states,
    ),
    "one row less": Case(
        ROWS,
        """
        far = Constant <value_ints = [9223372036854775807]> ()
        y = Loop (m, true, x) <body = step (int64 i, bool go, float[a, 4] s) =>
          (bool goes, float[b, 4] next) {
            goes = Identity (go) minus = Neg (s) next = Slice (minus, one, far)
          }>""",
    ),
    "two elements less, until one is left": Case(
        "float[n] x, int64 m) => (float[k] y",
        """
        far = Constant <value_ints = [9223372036854775807]> ()
        two = Constant <value_ints = [2]> ()
        y = Loop (m, true, x) <body = step (int64 i, bool go, float[a] s) =>
          (bool goes, float[b] next) {
            minus = Neg (s) next = Slice (minus, two, far)
            size = Shape (next) left = Squeeze (size, zero) goes = Greater (left, single)
          }>""",
        elements,
    ),
    "a window, and a table of its size": Case(
        "float[1, 2, n] x, float[2, 2, 3] w, int64 m) => (float[1, 2, k] y",
        """
        last = Constant <value_ints = [-1]> () values = Constant <value = float[2] {0.0, 1.0}> ()
        y = Loop (m, true, x) <body = step (int64 i, bool go, float[1, 2, a] s) =>
          (bool goes, float[1, 2, b] next) {
            goes = Identity (go) sum = Conv <pads = [1, 1]> (s, w)
            best = ArgMax <axis = -1, keepdims = 0> (sum) size = Shape <start = -1> (s)
            table = OneHot (best, size, values) chosen = Mul (table, sum)
            mean = ReduceMean <keepdims = 1> (chosen, last) next = Concat <axis = -1> (s, mean)
          }>""",
        windows,
    ),
    "a slice to the iteration number": Case(
        ROWS,
        """
        size = Shape <start = 0, end = 1> (x) trip = Squeeze (size, zero)
        some = Min (trip, m)
        y = Loop (trip, true) <body = step (int64 i, bool go) => (bool goes, float[4] part) {
            goes = Identity (go) number = Reshape (i, one) end = Add (number, one)
            head = Slice (x, zero, end) part = ReduceSum <keepdims = 0> (head, zero)
          }>""",
    ),
    "a range to the iteration number": Case(
        "float[n, 4] x, int64 m) => (float[4] y",
        """
        init = ReduceSum <keepdims = 0> (x, zero)
        y = Loop (m, true, init) <body = step (int64 i, bool go, float[4] s) =>
          (bool goes, float[4] next) {
            goes = Identity (go) range = Range (first, i, single) numbers = Cast <to = 1> (range)
            total = ReduceSum <keepdims = 0> (numbers, zero) next = Add (s, total)
          }>""",
    ),
    "a loop in a loop": Case(
        ROWS,
        """
        y = Loop (m, true, x) <body = outer (int64 i, bool go, float[a, 4] s) =>
          (bool goes, float[b, 4] next) {
            goes = Identity (go) mean = ReduceMean <keepdims = 1> (s, zero)
            grown = Loop (i, true, mean) <body = inner (int64 j, bool on, float[c, 4] t) =>
              (bool stays, float[d, 4] more) {
                stays = Identity (on) top = ReduceMax <keepdims = 1> (t, zero)
                row = Sin (top) more = Concat <axis = 0> (t, row)
              }>
            total = ReduceSum <keepdims = 1> (grown, zero) next = Concat <axis = 0> (s, total)
          }>""",
    ),
    "a branch in a loop": Case(
        ROWS,
        """
        two = Constant <value = int64 {2}> ()
        y = Loop (m, true, x) <body = step (int64 i, bool go, float[a, 4] s) =>
          (bool goes, float[b, 4] next) {
            goes = Identity (go) rest = Mod (i, two) even = Equal (rest, first)
            row = If (even) <
              then_branch = then () => (float[1, 4] p) {
                wave = Sin (s) p = ReduceMax <keepdims = 1> (wave, zero) },
              else_branch = otherwise () => (float[1, 4] q) {
                mean = ReduceMean <keepdims = 1> (s, zero) q = Neg (mean) }>
            next = Concat <axis = 0> (s, row)
          }>""",
    ),
    "until a condition, with a stack": Case(
        "float[n, 4] x, int64 m) => (float[k, 4] y, float[c, 4] parts",
        """
        limit = Constant <value = float {30.0}> ()
        y, parts = Loop (m, true, x) <body = step (int64 i, bool go, float[a, 4] s) =>
          (bool goes, float[b, 4] next, float[4] part) {
            total = ReduceSum <keepdims = 1> (s, zero) row = Sigmoid (total)
            next = Concat <axis = 0> (s, row) part = ReduceSum <keepdims = 0> (next, zero)
            most = ReduceMax <keepdims = 0> (part) goes = Less (most, limit)
          }>""",
    ),
    "until a condition of a constant number": Case(
        ROWS,
        """
        trips = Constant <value = int64 {20}> () limit = Cast <to = 1> (m)
        y = Loop (trips, true, x) <body = step (int64 i, bool go, float[a, 4] s) =>
          (bool goes, float[b, 4] next) {
            top = ReduceMax <keepdims = 1> (s, zero) next = Concat <axis = 0> (s, top)
            total = ReduceSum <keepdims = 0> (next) goes = Less (total, limit)
          }>""",
    ),
    "a condition before the first iteration": Case(
        ROWS,
        """
        five = Constant <value = int64 {5}> () enters = Less (m, five)
        y = Loop (m, enters, x) <body = step (int64 i, bool go, float[a, 4] s) =>
          (bool goes, float[b, 4] next) {
            goes = Identity (true) top = ReduceMax <keepdims = 1> (s, zero)
            next = Concat <axis = 0> (s, top)
          }>""",
    ),
    "outputs of a state, until its condition": Case(
        "float[1, 4] x, int64 m) => (float[1, 4] last, float[k, 4] y",
        """
        none = Constant <value_ints = [0, 4]> () nothing = ConstantOfShape (none)
        factor = Cast <to = 1> (m) limit = Constant <value = float {50.0}> ()
        start = Mul (x, factor)
        last, y = Loop (, true, start, nothing) <body = step
          (int64 i, bool go, float[1, 4] h, float[a, 4] s) =>
          (bool goes, float[1, 4] next, float[b, 4] all) {
            twice = Add (h, h) next = Abs (twice) one_more = Exp (h)
            all = Concat <axis = 0> (s, one_more)
            most = ReduceMax <keepdims = 0> (next) few = Less (most, limit)
            none_left = Equal (most, zero_float) stays = Not (none_left) goes = And (few, stays)
          }>""",
        states_of_one_row,
    ),
    "a greedy decoder": Case(
        "int64[1, n] x, float[16, 8] w, int64 m) => (int64[1, k] y",
        """
        end = Constant <value = int64 {3}> () shape = Constant <value_ints = [1, 1]> ()
        y = Loop (m, true, x) <body = step (int64 i, bool go, int64[1, a] tokens) =>
          (bool goes, int64[1, b] next) {
            words = Gather <axis = 0> (w, tokens) turned = Transpose <perm = [0, 2, 1]> (words)
            scores = MatMul (words, turned) weights = Softmax <axis = -1> (scores)
            mixed = MatMul (weights, words) state = ReduceMean <keepdims = 0> (mixed, one)
            back = Transpose <perm = [1, 0]> (w) logits = MatMul (state, back)
            best = ArgMax <axis = -1, keepdims = 1> (logits)
            next = Concat <axis = 1> (tokens, best)
            token = Reshape (best, one) single_token = Squeeze (token, zero)
            is_end = Equal (single_token, end) goes = Not (is_end)
          }>""",
        tokens,
    ),
}
CALLS = ((3, 5), (3, 0), (3, 1), (1, 2), (9, 3), (2, 70))


@pytest.mark.one_in(4)
@pytest.mark.parametrize("name", CASES)
def test_one_program_runs_any_number_of_iterations(name: str) -> None:
    case = CASES[name]
    model = case.model()
    module = tilewright.compile(model, cache=False)
    peer = onnxruntime.InferenceSession(model.SerializeToString())
    for size, trips in CALLS:
        given = case.feeds(size, trips)
        expected = [np.asarray(each) for each in peer.run(None, dict(given))]
        for threads in (1, 2):
            got = [np.asarray(each) for each in module.run(dict(given), threads=threads)]
            for one, want in zip(got, expected, strict=True):
                np.testing.assert_allclose(one, want, rtol=2e-5, atol=1e-6, strict=True)
    assert not module.reason
    assert len(module.programs) == 1


@pytest.mark.one_in(2)
@pytest.mark.parametrize("name", sampled(CASES, str, one_in=3, each_family=False))
@pytest.mark.parametrize("trips", [pytest.param(0, marks=pytest.mark.nightly), 3])
def test_every_level_means_the_same(name: str, trips: int) -> None:
    case = CASES[name]
    model, given = case.model(), case.feeds(2, trips)
    module = import_model(load(model.SerializeToString()))
    validate_pipeline(module, Target("llvm -mcpu=x86-64-v3"), list(given.values()))


def test_the_reference_of_the_standard_agrees() -> None:
    case = CASES["one row more"]
    model, given = case.model(), case.feeds(3, 4)
    (expected,) = ReferenceEvaluator(model).run(None, dict(given))
    (got,) = tilewright.compile(model).run(dict(given))
    np.testing.assert_allclose(np.asarray(got), np.asarray(expected), rtol=2e-5, strict=True)


def test_a_constant_trip_count_needs_no_symbols() -> None:
    case = CASES["one row more"]
    given = {"x": case.feeds(3, 0)["x"], "m": np.array(100)}
    model = case.model()
    module = tilewright.compile(model, shapes={"n": 3}, values={"m": given["m"]}, cache=False)
    assert "packed.loop %t to 100" in module.get_source("packed")
    (expected,) = peer_results(model, given)
    (got,) = module.run([given["x"]])
    np.testing.assert_allclose(np.asarray(got), np.asarray(expected), rtol=2e-5, strict=True)


def test_a_loop_without_limit_that_its_growing_value_ends_is_refused() -> None:
    model = Case(
        "float[1, 4] x) => (float[k, 4] y",
        """
        trips = Constant <value = int64 {9223372036854775807}> ()
        limit = Constant <value = float {50.0}> ()
        y = Loop (trips, true, x) <body = step (int64 i, bool go, float[a, 4] s) =>
          (bool goes, float[b, 4] next) {
            next = Concat <axis = 0> (s, x) total = ReduceSum <keepdims = 0> (next)
            goes = Less (total, limit)
          }>""",
    ).model()
    with pytest.raises(UnsupportedOp, match="Loop"):
        tilewright.compile(model, cache=False)


def test_a_small_constant_trip_count_is_unrolled() -> None:
    case = CASES["one row more"]
    given = dict(case.feeds(3, 4))
    module = tilewright.compile(case.model(), values={"m": given.pop("m")}, cache=False)
    assert "packed.loop" not in module.get_source("packed")
    (got,) = module.run(given)
    assert np.asarray(got).shape == (7, 4)

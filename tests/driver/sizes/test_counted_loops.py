"""Loops whose trip count is known at run time only stack their results, with one compilation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import onnx
import onnx.parser
import onnxruntime
import pytest

import tilewright
from tilewright.driver.passes.check import validate_pipeline
from tilewright.frontend.onnx.file.proto import load
from tilewright.frontend.onnx.importer import import_model
from tilewright.machines.target import Target
from tilewright.support.diagnostics import UnsupportedOp

Feeds = Mapping[str, np.ndarray]


def model_of(inputs: str, nodes: str, trip: str, condition: str, body: str) -> onnx.ModelProto:
    """Return a loop that carries ``s`` and stacks ``part``; its body computes ``goes`` as well."""
    return onnx.parser.parse_model(
        f"""
        <ir_version: 10, opset_import: ["": 21]>
        counted ({inputs}) => (float[4] last, float[k, 4] parts) {{
          true = Constant <value = bool {{1}}> ()
          {nodes}
          last, parts = Loop ({trip}, {condition}, x) <body =
            one (int64 i, bool go, float[4] s) => (bool goes, float[4] next, float[4] part) {{
              {body}
            }}>
        }}"""
    )


ALWAYS = "goes = Identity (go) next = Add (s, s) number = Cast <to = 1> (i) part = Add (s, number)"
UNTIL = """
    two = Constant <value = float {2.0}> ()
    limit = Constant <value = float {50.0}> ()
    next = Mul (s, two)
    part = Identity (next)
    largest = ReduceMax <keepdims = 0> (next)
    goes = Less (largest, limit)"""
SUM = "sum = ReduceSum <keepdims = 0> (x) n = Cast <to = 7> (sum)"
ROW = np.float32([1, 2, 3, 0.25])
BY_INPUT = [{"x": ROW, "n": np.array(n)} for n in (3, 0, 1, -2, 70)]
LOOPS: dict[str, tuple[onnx.ModelProto, Sequence[Feeds]]] = {
    "by an input": (model_of("float[4] x, int64 n", "", "n", "true", ALWAYS), BY_INPUT),
    "by one element": (
        model_of("float[4] x, int64[1] n", "", "n", "", ALWAYS),
        [{"x": ROW, "n": np.array([n])} for n in (2, 5)],
    ),
    "by elements": (
        model_of("float[4] x", SUM, "n", "", ALWAYS),
        [{"x": ROW * by} for by in (1, 0, 3, -1)],
    ),
    "by an input and a first condition": (
        model_of("float[4] x, int64 n, bool c", "", "n", "c", ALWAYS.replace("(go)", "(true)")),
        [{"x": ROW, "n": np.array(n), "c": np.array(c)} for n, c in ((3, True), (3, False))],
    ),
    "by a condition": (
        model_of("float[4] x", "", "", "true", UNTIL),
        [{"x": ROW * by} for by in (1, 0.01, 100)],
    ),
    "by a condition and an input": (
        model_of("float[4] x, int64 n", "", "n", "true", UNTIL),
        [{"x": ROW * np.float32(0.1), "n": np.array(n)} for n in (100, 2, 0)],
    ),
}


@pytest.mark.parametrize("name", LOOPS)
def test_a_loop_of_any_trip_count_stacks_results(name: str) -> None:
    model, feeds = LOOPS[name]
    module = tilewright.compile(model, cache=False)
    peer = onnxruntime.InferenceSession(model.SerializeToString())
    lengths = set[int]()
    for given in feeds:
        expected = [np.asarray(each) for each in peer.run(None, dict(given))]
        for threads in (1, 2):
            got = [np.asarray(each) for each in module.run(dict(given), threads=threads)]
            for one, want in zip(got, expected, strict=True):
                assert one.shape == want.shape
                np.testing.assert_allclose(one, want, rtol=1e-6)
        lengths.add(len(expected[1]))
    assert len(lengths) > 1
    assert not module.reason
    assert len(module.programs) == 1


@pytest.mark.parametrize("name", ["by elements", "by a condition"])
def test_every_pass_keeps_a_counted_loop(name: str) -> None:
    model, feeds = LOOPS[name]
    module, inputs = import_model(load(model.SerializeToString())), list(feeds[0].values())
    validate_pipeline(module, Target("llvm -mcpu=x86-64-v3"), inputs)


def test_an_unknown_operator_of_such_a_loop_is_refused_at_once() -> None:
    model = onnx.parser.parse_model(
        """
        <ir_version: 10, opset_import: ["": 21, "other": 1]>
        unknown (float[n, 4] x) => (float[k, 4] out) {
          true = Constant <value = bool {1}> ()
          size = Shape <start = 0, end = 1> (x) none = Constant <value_ints = [0]> ()
          trip = Squeeze (size, none)
          out = Loop (trip, true) <body = one (int64 i, bool go) => (bool goes, float[4] next) {
            goes = Identity (go)
            row = Gather (x, i)
            next = other.Odd (row)
          }>
        }"""
    )
    with pytest.raises(UnsupportedOp, match="Odd"):
        tilewright.compile(model, cache=False)

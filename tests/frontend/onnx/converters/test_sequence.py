"""Sequences and optionals of known length: unrolled at import, against onnx.reference."""

from __future__ import annotations

import numpy as np
import pytest
from onnx import TensorProto, helper
from onnx.reference import ReferenceEvaluator
from xdsl.dialects.func import FuncOp

from tilewright.frontend.onnx.importer import import_model
from tilewright.interp.graph import run_graph
from tilewright.support.diagnostics import ModelError, UnsupportedOp

from ....onnx_models import node, onnx_model

X = np.arange(24, dtype=np.float32).reshape(4, 6)
MADE = node("SequenceConstruct", ["x", "z"], ["s"])
SPLIT = node("SplitToSequence", ["x"], ["s"], axis=1)
CHUNKS = node("SplitToSequence", ["x", "four"], ["s"], axis=1)
WEIGHTS = {
    "zero": np.int64(0), "one": np.int64(1), "back": np.int64(-2), "far": np.int64(7),
    "four": np.int64(4), "sizes": np.int64([1, 3]), "wrong": np.int64([1, 1]),
}  # fmt: skip
FORMS = {
    "at": [MADE, node("SequenceAt", ["s", "one"])],
    "at_from_the_end": [MADE, node("SequenceAt", ["s", "back"])],
    "length": [SPLIT, node("SequenceLength", ["s"])],
    "insert_at_the_end": [
        MADE, node("SequenceInsert", ["s", "x"], ["t"]), node("SequenceAt", ["t", "back"])],
    "insert_in_front": [
        MADE, node("SequenceInsert", ["s", "z", "zero"], ["t"]), node("SequenceAt", ["t", "zero"])],
    "erase_last": [MADE, node("SequenceErase", ["s"], ["t"]), node("SequenceLength", ["t"])],
    "erase_first": [
        MADE, node("SequenceErase", ["s", "zero"], ["t"]), node("SequenceAt", ["t", "zero"])],
    "empty_then_insert": [
        node("SequenceEmpty", [], ["e"]), node("SequenceInsert", ["e", "x"], ["t"]),
        node("SequenceAt", ["t", "zero"])],
    "split_and_join": [SPLIT, node("ConcatFromSequence", ["s"], axis=0)],
    "split_without_the_axis": [
        node("SplitToSequence", ["x"], ["s"], axis=0, keepdims=0),
        node("ConcatFromSequence", ["s"], axis=-1, new_axis=1)],
    "split_by_chunks": [CHUNKS, node("SequenceAt", ["s", "one"])],
    "split_by_sizes": [
        node("SplitToSequence", ["x", "sizes"], ["s"], axis=0), node("SequenceAt", ["s", "one"])],
    "identity": [MADE, node("Identity", ["s"], ["t"]), node("SequenceAt", ["t", "one"])],
    "optional_has": [node("Optional", ["x"], ["o"]), node("OptionalHasElement", ["o"])],
}  # fmt: skip


def model(nodes):
    return onnx_model(nodes, {"x": [4, 6], "z": [4, 6]}, weights=WEIGHTS)


@pytest.mark.parametrize("form", FORMS)
def test_lists_of_known_length_vanish(form):
    proto = model(FORMS[form])
    module = import_model(proto)
    module.verify()
    func = module.body.block.first_op
    assert isinstance(func, FuncOp)
    (got,) = run_graph(func, X, X + 100)
    (wanted,) = ReferenceEvaluator(proto).run(None, {"x": X, "z": X + 100})
    np.testing.assert_array_equal(got, wanted)
    assert got.shape == np.shape(wanted)


@pytest.mark.parametrize(
    "nodes",
    [
        [node("Optional", ["x"], ["o"]), node("OptionalGetElement", ["o"])],
        [
            MADE,
            node("Optional", ["s"], ["o"]),
            node("OptionalGetElement", ["o"], ["t"]),
            node("SequenceAt", ["t", "zero"]),
        ],
    ],
)
def test_an_optional_holds_what_it_was_made_of(nodes):
    # onnx.reference removes one element here, whatever the optional holds.
    func = import_model(model(nodes)).body.block.first_op
    assert isinstance(func, FuncOp)
    np.testing.assert_array_equal(run_graph(func, X, X + 100)[0], X)


def test_optional_without_input_is_empty():
    empty = helper.make_tensor_type_proto(TensorProto.FLOAT, [2])
    nodes = [node("Optional", [], ["o"], type=empty), node("OptionalHasElement", ["o"])]
    func = import_model(model(nodes)).body.block.first_op
    assert isinstance(func, FuncOp)
    assert not run_graph(func, X, X)[0]


@pytest.mark.parametrize(
    ("nodes", "error", "message"),
    [
        ([MADE, node("SequenceAt", ["s", "far"])], ModelError, "outside of the sequence"),
        ([node("SequenceEmpty", [], ["s"]), node("SequenceErase", ["s"])], ModelError, "is empty"),
        ([node("SequenceLength", ["x"])], ModelError, "has a type that the operator"),
        ([node("SplitToSequence", ["x", "wrong"])], ModelError, "do not make up the axis"),
        ([MADE, node("Relu", ["s"])], UnsupportedOp, "a sequence is given"),
    ],
)
def test_lists_that_cannot_be_unrolled_are_refused(nodes, error, message):
    with pytest.raises(error, match=message):
        import_model(model(nodes))

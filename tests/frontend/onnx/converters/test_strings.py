"""Operators on strings against onnxruntime: keys, labels, cases, lengths, UTF-8."""

from __future__ import annotations

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper

import tilewright
from tilewright.runtime.errors import ArgumentError
from tilewright.runtime.strings import decoded, encoded

from ....peer import peer_results

S, F, I64 = TensorProto.STRING, TensorProto.FLOAT, TensorProto.INT64
WORDS = np.array([["red", "green", "", "blue"], ["greens", "gree", "ÉCU", "straße"]], object)
ML = "ai.onnx.ml"


def model_of(nodes, inputs, outputs):
    def infos(values):
        return [helper.make_tensor_value_info(*value) for value in values]

    graph = helper.make_graph(nodes, "strings", infos(inputs), infos(outputs))
    opsets = [helper.make_opsetid("", 20), helper.make_opsetid(ML, 4)]
    return helper.make_model(graph, opset_imports=opsets, ir_version=10)


def compare(model, named, target="interpreter"):
    """Compare the results of a model with those of onnxruntime."""
    results = tilewright.compile(model, cache=False, target=target).run(named)
    for got, expected in zip(results, peer_results(model, named), strict=True):
        array = decoded(got) if expected.dtype == object else got.numpy()
        np.testing.assert_array_equal(array, expected)


def check(nodes, inputs, outputs, *arrays, target="interpreter"):
    named = dict(zip((name for name, *_ in inputs), arrays, strict=True))
    compare(model_of(nodes, inputs, outputs), named, target)


ENCODERS = {
    "to integers": {"keys_strings": ["green", "", "red", "red"], "values_int64s": [5, 6, 7, 8]},
    "to floats": {
        "keys_strings": ["straße", "gree"], "values_floats": [0.5, 1.5], "default_float": 9.0
    },
    "to strings": {
        "keys_strings": ["blue", "ÉCU"], "values_strings": ["bleu", "schild ü"],
        "default_string": "?",
    },
}  # fmt: skip


@pytest.mark.parametrize(
    ("case", "target"),
    [*((case, "interpreter") for case in ENCODERS), ("to strings", "native")],
)
def test_label_encoders(case, target):
    node = helper.make_node("LabelEncoder", ["x"], ["y"], domain=ML, **ENCODERS[case])
    dtype = {"to integers": I64, "to floats": F, "to strings": S}[case]
    check([node], [("x", S, ["N", 4])], [("y", dtype, ["N", 4])], WORDS, target=target)


def test_numbers_to_strings():
    node = helper.make_node(
        "LabelEncoder", ["x"], ["y"], domain=ML, keys_int64s=[2, 7], values_strings=["two", "seven"]
    )
    check([node], [("x", I64, ["N"])], [("y", S, ["N"])], np.array([7, 3, 2, 2]))


def test_categories():
    node = helper.make_node(
        "OneHotEncoder", ["x"], ["y"], domain=ML, cats_strings=["red", "gree", "straße"], zeros=1
    )
    check([node], [("x", S, ["N", 4])], [("y", F, ["N", 4, 3])], WORDS)


def test_equality_of_strings_of_different_lengths():
    node = helper.make_node("Equal", ["x", "y"], ["z"])
    inputs = [("x", S, ["N", 4]), ("y", S, [4])]
    others = np.array(["red", "gree", "a much longer string", "straße"], object)
    check([node], inputs, [("z", TensorProto.BOOL, ["N", 4])], WORDS, others)


def test_concatenated_strings():
    node = helper.make_node("StringConcat", ["x", "y"], ["z"])
    inputs = [("x", S, ["N", 4]), ("y", S, [4])]
    check([node], inputs, [("z", S, ["N", 4])], WORDS, np.array(["", "ü", "ab", "!"], object))


@pytest.mark.one_in(2)
@pytest.mark.parametrize("action", ["NONE", "LOWER", "UPPER"])
@pytest.mark.parametrize("is_case_sensitive", [0, 1])
def test_normalized_strings(action, is_case_sensitive):
    node = helper.make_node(
        "StringNormalizer", ["x"], ["y"], case_change_action=action,
        is_case_sensitive=is_case_sensitive, stopwords=["RED", "blue", ""], locale="C.UTF-8",
    )  # fmt: skip
    check([node], [("x", S, ["N"])], [("y", S, ["M"])], WORDS[0])


def test_case_of_characters_of_two_bytes():
    node = helper.make_node("StringNormalizer", ["x"], ["y"], case_change_action="UPPER")
    model = model_of([node], [("x", S, ["N"])], [("y", S, ["N"])])
    given = ["éÉ ñ", "жук", "ωß", "日本ab", "a"]
    (got,) = tilewright.compile(model, target="interpreter").run({"x": given})
    assert decoded(got).tolist() == ["ÉÉ Ñ", "ЖУК", "Ωß", "日本AB", "A"]


def test_ngrams_of_strings():
    node = helper.make_node(
        "TfIdfVectorizer", ["x"], ["y"], mode="TF", min_gram_length=1, max_gram_length=2,
        max_skip_count=1, ngram_counts=[0, 2], ngram_indexes=[1, 0, 2],
        pool_strings=["red", "", "red", ""],
    )  # fmt: skip
    check([node], [("x", S, ["N", 4])], [("y", F, ["N", 3])], WORDS)


def test_labels_of_classes():
    node = helper.make_node(
        "LinearClassifier", ["x"], ["label", "y"], domain=ML, coefficients=[1.0, 0.0, 0.0, 1.0],
        intercepts=[0.0, 0.0], classlabels_strings=["left", "right side"],
    )  # fmt: skip
    outputs = [("label", S, ["N"]), ("y", F, ["N", 2])]
    x = np.array([[1, 0], [0, 1], [0, 3]], np.float32)
    check([node], [("x", F, ["N", 2])], outputs, x)


def test_constants_of_strings():
    text = onnx.helper.make_tensor("c", S, [2], [b"red", b"ab"])
    model = model_of(
        [helper.make_node("Equal", ["x", "c"], ["y"])], [("x", S, ["N", 2])],
        [("y", TensorProto.BOOL, ["N", 2])],
    )  # fmt: skip
    model.graph.initializer.append(text)
    mod = tilewright.compile(model, target="interpreter")
    assert mod([["red", "ac"], ["r", "ab"]]).numpy().tolist() == [[True, False], [False, True]]


MOVES = {
    "gather": ("Gather", {"axis": -1}, [np.array([2, -1])], (["N", 2])),
    "reshape": ("Reshape", {}, [np.array([4, -1])], ([4, "M"])),
    "transpose": ("Transpose", {"perm": [1, 0]}, [], ([4, "N"])),
    "slice": ("Slice", {}, [np.array([-1]), np.array([-9]), np.array([1]), np.array([-2])],
              (["N", 2])),
    "concat": ("Concat", {"axis": 1}, [np.array([["a", "longer than others"]] * 2, object)],
               (["N", 6])),
    "features": ("ArrayFeatureExtractor", {"domain": ML}, [np.array([3, 0])], (["N", 2])),
}  # fmt: skip


@pytest.mark.parametrize("case", MOVES)
def test_moved_strings(case):
    op_type, attributes, others, shape = MOVES[case]
    names = ["x", *(f"c{n}" for n in range(len(others)))]
    node = helper.make_node(op_type, names, ["y"], **attributes)
    model = model_of([node], [("x", S, ["N", 4])], [("y", S, shape)])
    model.graph.initializer.extend(
        onnx.numpy_helper.from_array(each, name)
        for name, each in zip(names[1:], others, strict=True)
    )
    compare(model, {"x": WORDS})


def test_other_operators_are_refused_by_name():
    node = helper.make_node("Unique", ["x"], ["y"])
    model = model_of([node], [("x", S, [4])], [("y", S, ["N"])])
    with pytest.raises(tilewright.UnsupportedOp, match="not supported for strings"):
        tilewright.compile(model)


def test_a_string_with_a_zero_is_refused():
    with pytest.raises(ArgumentError, match="the character of code 0"):
        encoded(["a\0b"])


def test_bytes_and_strings():
    assert encoded([]).shape == (0, 1)
    assert encoded("ü").tolist() == [195, 188]
    assert decoded(encoded(WORDS)).tolist() == WORDS.tolist()

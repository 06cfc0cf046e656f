"""Tree ensembles of ai.onnx.ml against onnxruntime, on random trees."""

from __future__ import annotations

from itertools import product

import numpy as np
import onnx
import onnxruntime as ort
import pytest
from onnx import TensorProto, helper

import tilewright
from tilewright.frontend.onnx.ml import forest, tree_words

FEATURES = 5
MODES = ("BRANCH_LEQ", "BRANCH_LT", "BRANCH_GTE", "BRANCH_GT", "BRANCH_EQ", "BRANCH_NEQ")


def random_trees(rng, trees, depth, modes):
    """Attributes of the nodes of random trees, and the leaves as pairs of tree and node."""
    columns = {name: [] for name in (
        "treeids", "nodeids", "featureids", "values", "modes", "truenodeids", "falsenodeids",
        "missing_value_tracks_true",
    )}  # fmt: skip
    leaves = []

    def grow(tree, level, ids):
        node = ids[0]
        ids[0] += 1
        is_leaf = level == depth or (level > 1 and rng.random() < 0.2)
        row = {
            "treeids": tree,
            "nodeids": node,
            "featureids": 0 if is_leaf else int(rng.integers(FEATURES)),
            "values": 0.0 if is_leaf else float(rng.integers(-3, 4)) / 2,
            "modes": "LEAF" if is_leaf else str(rng.choice(modes)),
            "truenodeids": 0,
            "falsenodeids": 0,
            "missing_value_tracks_true": 0 if is_leaf else int(rng.integers(2)),
        }
        at = len(columns["nodeids"])
        for name, value in row.items():
            columns[name].append(value)
        if is_leaf:
            leaves.append((tree, node))
            return node
        columns["truenodeids"][at] = grow(tree, level + 1, ids)
        columns["falsenodeids"][at] = grow(tree, level + 1, ids)
        return node

    for tree in range(trees):
        grow(tree, 0, [0])
    return {f"nodes_{name}": values for name, values in columns.items()}, leaves


def weighted(rng, leaves, targets, kind, low=-1.0):
    """Attributes of the weights: each leaf has one for some of the targets."""
    rows = [
        (*leaf, t) for leaf in leaves for t in range(targets) if targets == 1 or rng.random() < 0.7
    ]
    return {
        f"{kind}_treeids": [row[0] for row in rows],
        f"{kind}_nodeids": [row[1] for row in rows],
        f"{kind}_ids": [row[2] for row in rows],
        f"{kind}_weights": [float(w) for w in rng.uniform(low, 1, len(rows))],
    }


def model_of(node, outputs, rows="N", dtype=TensorProto.FLOAT):
    x = helper.make_tensor_value_info("x", dtype, [rows, FEATURES])
    declared = [helper.make_tensor_value_info(*output) for output in outputs]
    graph = helper.make_graph([node], "trees", [x], declared)
    opsets = [helper.make_opsetid("", 18), helper.make_opsetid("ai.onnx.ml", 3)]
    return helper.make_model(graph, opset_imports=opsets, ir_version=9)


def both(model, *inputs, target="interpreter"):
    """Run a model in onnxruntime and compiled; yield the results of both for each input."""
    session = ort.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    mod = tilewright.compile(model, cache=False, target=target)
    for x in inputs:
        results = mod.run({"x": x})
        results = results if isinstance(results, tuple) else (results,)
        yield session.run(None, {"x": x}), [result.numpy() for result in results]


def rows_of(rng, count=33):
    x = (rng.integers(-4, 5, (count, FEATURES)) / 2).astype(np.float32)
    for value, share in ((np.nan, 0.1), (np.inf, 0.05), (-np.inf, 0.05), (-0.0, 0.1)):
        x[rng.random(x.shape) < share] = value
    return x


def regressor(rng, aggregate, targets, modes, trees=6, depth=4, **weights):
    nodes, leaves = random_trees(rng, trees, depth, modes)
    weights = weights or weighted(rng, leaves, targets, "target")
    node = helper.make_node(
        "TreeEnsembleRegressor", ["x"], ["y"], domain="ai.onnx.ml", n_targets=targets,
        aggregate_function=aggregate, base_values=[0.25] * targets, **nodes, **weights,
    )  # fmt: skip
    return model_of(node, [("y", TensorProto.FLOAT, ["N", targets])])


@pytest.mark.one_in(2)
@pytest.mark.parametrize(
    ("aggregate", "targets", "modes"),
    [
        ("SUM", 1, MODES[:1]),
        ("SUM", 3, MODES),
        ("AVERAGE", 1, MODES[1:3]),
        ("MIN", 1, MODES),
        ("MIN", 3, MODES[3:]),
        ("MAX", 1, MODES[:1]),
        ("MAX", 3, MODES),
    ],
)
def test_regressors(aggregate, targets, modes):
    rng = np.random.default_rng([targets, len(modes), len(aggregate)])
    model = regressor(rng, aggregate, targets, modes)
    for (expected,), (got,) in both(model, rows_of(rng), rows_of(rng, 1)):
        np.testing.assert_allclose(got, expected, rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("rest", [0, 1, 3, 6])
def test_words_of_any_height(rest, monkeypatch):
    """Trees of several words; a walk of ``rest`` levels follows."""
    monkeypatch.setattr(tree_words, "_plan", lambda *_: tree_words._LeafSearch(rest, 0))
    rng = np.random.default_rng(rest)
    model = regressor(rng, "SUM", 1, MODES, trees=3, depth=7)
    for (expected,), (got,) in both(model, rows_of(rng, 200)):
        np.testing.assert_allclose(got, expected, rtol=1e-6, atol=2e-6)


def test_trees_of_one_target_each():
    rng = np.random.default_rng(3)
    nodes, leaves = random_trees(rng, 6, 6, MODES[:1])
    weights = weighted(rng, leaves, 1, "class")
    # Tree 0 is of class 2, tree 1 of class 1, and so on, as in boosted trees.
    weights["class_ids"] = [2 - tree % 3 for tree in weights["class_treeids"]]
    node = helper.make_node(
        "TreeEnsembleClassifier", ["x"], ["label", "y"], domain="ai.onnx.ml",
        classlabels_int64s=[4, 5, 6], post_transform="SOFTMAX", **nodes, **weights,
    )  # fmt: skip
    outputs = [("label", TensorProto.INT64, ["N"]), ("y", TensorProto.FLOAT, ["N", 3])]
    for expected, got in both(model_of(node, outputs), rows_of(rng, 20), rows_of(rng, 2)):
        np.testing.assert_array_equal(got[0], expected[0])
        np.testing.assert_allclose(got[1], expected[1], rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("rows", ["N", 40])
def test_machine_code(rows):
    rng = np.random.default_rng(5)
    model = regressor(rng, "SUM", 2, MODES, trees=4, depth=6)
    model.graph.input[0].CopyFrom(
        helper.make_tensor_value_info("x", TensorProto.FLOAT, [rows, FEATURES])
    )
    inputs = [rows_of(rng, count) for count in ((1, 7, 16, 40) if rows == "N" else (40,))]
    for (expected,), (got,) in both(model, *inputs, target="native"):
        np.testing.assert_allclose(got, expected, rtol=1e-6, atol=2e-6)


def chain(depth):
    """Return the tests of a tree that has one leaf on each level."""
    nodes = np.arange(2 * depth + 1)
    is_leaf = nodes >= depth
    return forest.tests_of(forest.Forest(
        np.zeros(len(nodes)), np.zeros(len(nodes)), np.where(is_leaf, forest.LEAF, forest.LEQ),
        np.where(is_leaf, nodes, nodes + depth), np.where(is_leaf, nodes, nodes + 1),
        np.zeros(len(nodes)), np.zeros(1, int), np.zeros((len(nodes), 1)),
    ), 1, np.dtype(np.float32))  # fmt: skip


def complete(depth, trees=1):
    """Return the tests of a tree that has all its leaves on one level."""
    nodes = np.arange(2 ** (depth + 1) - 1)
    is_leaf = nodes >= 2**depth - 1
    return forest.tests_of(forest.Forest(
        np.zeros(len(nodes)), np.zeros(len(nodes)), np.where(is_leaf, forest.LEAF, forest.LEQ),
        2 * nodes + 1, 2 * nodes + 2, np.zeros(len(nodes)), np.zeros(trees, int),
        np.zeros((len(nodes), 1)),
    ), 1, np.dtype(np.float32))  # fmt: skip


def test_plans_follow_the_costs():
    # One word has as many tests as a tree of 31 leaves, of whatever depth.
    assert tree_words._plan(chain(30), 1, 1).rest == 0
    assert tree_words._plan(complete(4), 1, 1).rest == 0
    # The tests of all branches of a deep tree cost more than its last levels.
    assert 0 < tree_words._plan(complete(14), 1, 1).rest < 14
    # A walk of 3 steps for one row costs less than 7 tests for a vector, and one of 30 steps more.
    assert tree_words._plan(complete(3, 20), 1, 1).few > 1
    assert tree_words._plan(chain(30), 1, 1).few < 2


@pytest.mark.one_in(4)
@pytest.mark.parametrize(
    ("transform", "labels", "low", "column"),
    [
        *product(("NONE", "SOFTMAX", "LOGISTIC", "PROBIT"), ([3, 7, 9],), (-1.0,), (0,)),
        *product(("NONE", "LOGISTIC"), ([3, 7],), (-1.0, 0.0), (0, 1)),
    ],
)  # fmt: skip
def test_classifiers(transform, labels, low, column):
    rng = np.random.default_rng(7)
    nodes, leaves = random_trees(rng, 5, 4, MODES[:1])
    count = len(labels)
    weights = weighted(rng, leaves, 1 if count == 2 else count, "class", low)
    if count == 2:
        weights["class_ids"] = [column] * len(weights["class_ids"])
    node = helper.make_node(
        "TreeEnsembleClassifier", ["x"], ["label", "y"], domain="ai.onnx.ml",
        classlabels_int64s=labels, post_transform=transform, **nodes, **weights,
    )  # fmt: skip
    outputs = [("label", TensorProto.INT64, ["N"]), ("y", TensorProto.FLOAT, ["N", count])]
    for expected, got in both(model_of(node, outputs), rows_of(rng)):
        np.testing.assert_array_equal(got[0], expected[0])
        np.testing.assert_allclose(got[1], expected[1], rtol=1e-5, atol=1e-6)


def stump(**changes):
    attributes = {
        "n_targets": 1, "nodes_treeids": [0, 0, 0], "nodes_nodeids": [0, 1, 2],
        "nodes_featureids": [0, 0, 0], "nodes_values": [0.5, 0.0, 0.0],
        "nodes_modes": ["BRANCH_LEQ", "LEAF", "LEAF"], "nodes_truenodeids": [1, 0, 0],
        "nodes_falsenodeids": [2, 0, 0], "target_treeids": [0, 0], "target_nodeids": [1, 2],
        "target_ids": [0, 0], "target_weights": [1.0, 2.0],
    }  # fmt: skip
    node = helper.make_node(
        "TreeEnsembleRegressor", ["x"], ["y"], domain="ai.onnx.ml", **{**attributes, **changes}
    )
    return model_of(node, [("y", TensorProto.FLOAT, ["N", 1])])


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"nodes_truenodeids": [9, 0, 0]}, "a child of a tree's node does not exist"),
        ({"nodes_truenodeids": [0, 0, 0]}, "the nodes of a tree form a cycle"),
        ({"nodes_nodeids": [0, 1, 1]}, "a tree has two nodes with the same id"),
        ({"nodes_featureids": [5, 0, 0]}, "a node reads a feature that the input lacks"),
        ({"nodes_values": [0.5]}, "attribute 'nodes_values' has a wrong length"),
        ({"nodes_modes": ["BRANCH", "LEAF", "LEAF"]}, "a node has an unknown mode"),
        ({"target_nodeids": [1, 8]}, "a weight belongs to a node that does not exist"),
        ({"target_ids": [0, 1]}, "an element of 'target_ids' is out of range"),
    ],
)
def test_malformed_trees(changes, message):
    with pytest.raises(tilewright.ModelError, match=message):
        tilewright.compile(stump(**changes))


def test_the_model_is_valid():
    onnx.checker.check_model(stump())

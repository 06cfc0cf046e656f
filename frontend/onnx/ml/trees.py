"""Convert the tree ensembles of ai.onnx.ml: TreeEnsemble, TreeEnsembleRegressor and -Classifier.

The attributes of a node become a `Forest`; `tree_words` finds the leaves that rows reach. The
scores are the aggregated weights of these leaves.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from xdsl.dialects.builtin import f32

from ....dialects.dtypes import is_float, numpy_dtype
from ....support.diagnostics import ModelError, UnsupportedOp
from ..builder import Builder, Tensor
from ..converters.classes import DOMAIN, POST_TRANSFORMS, class_labels, classified, post_transformed
from ..converters.features import rows_of
from ..node import Node, OpConverter, static
from ..values import StringTensor
from .forest import EQ, LEAF, MEMBER, MODES, Forest
from .tree_words import reached_weights

AGGREGATES = ("AVERAGE", "SUM", "MIN", "MAX")


def _scores(forest: Forest, x: Tensor, aggregate: str, b: Builder) -> Tensor:
    """Return the aggregated weights of the reached leaves, as (rows, targets)."""
    neutral = {"MIN": np.inf, "MAX": -np.inf}.get(aggregate, 0.0)
    kind = {"MIN": "min", "MAX": "max"}.get(aggregate, "sum")
    total = reached_weights(forest, x, kind, neutral, b)
    if aggregate == "AVERAGE":
        return b.apply("div", total, float(len(forest.roots)))
    if neutral:
        return b.select(b.apply("eq", total, neutral), 0.0, total)
    return total


def _rows(node: Node, forest: Forest, b: Builder) -> Tensor:
    """Return the input as floats (rows, features); check that it has all features of the forest."""
    x = rows_of(node[0], b)
    count = static(x.dims[1], "the number of features")
    used = forest.feature[forest.mode != LEAF]
    if used.size and not 0 <= used.min() <= used.max() < count:
        raise ModelError("a node reads a feature that the input lacks", expected=count, got=used)
    return x


def _table(node: Node, name: str, count: int, default: float | None = None) -> np.ndarray:
    """Return a list attribute with one number per node of the trees.

    name: the attribute; ``<name>_as_tensor`` takes precedence.  count: the number of nodes.
    default: the value for all nodes if the attribute is absent.
    """
    if node.has(f"{name}_as_tensor"):
        values = node.array(f"{name}_as_tensor").reshape(-1)
    elif default is not None and not node.has(name):
        values = np.full(count, default)
    else:
        given = node.definition.attributes.get(name, ())
        values = np.asarray(given if isinstance(given, tuple | np.ndarray) else ())
    if values.shape != (count,):
        raise ModelError(f"attribute {name!r} has a wrong length", expected=count, got=values.size)
    return values


def _positions(trees: np.ndarray, ids: np.ndarray, wanted: Sequence[tuple[int, int]]) -> np.ndarray:
    """Return the positions of tree nodes in the attributes; -1 for a node that is missing.

    trees, ids: the tree and the id of the node at each position.  wanted: the nodes, as pairs of
    tree and id.
    """
    known = {key: n for n, key in enumerate(zip(trees.tolist(), ids.tolist(), strict=True))}
    if len(known) != len(trees):
        raise ModelError("a tree has two nodes with the same id", hint="correct nodes_nodeids")
    return np.array([known.get(key, -1) for key in wanted], np.int64)


def _forest(node: Node, kind: str, targets: int) -> Forest:
    trees = np.asarray(node.ints("nodes_treeids"))
    count = len(trees)
    ids = _table(node, "nodes_nodeids", count)
    names = node.definition.attributes.get("nodes_modes", ())
    if not isinstance(names, tuple) or len(names) != count:
        raise ModelError("attribute 'nodes_modes' has a wrong length", expected=count)
    unknown = [name for name in names if name not in MODES or name == MODES[MEMBER]]
    if unknown:
        raise ModelError("a node has an unknown mode", expected=", ".join(MODES), got=unknown[0])
    mode = np.array([MODES.index(str(name)) for name in names])

    def children(name: str) -> np.ndarray:
        given = _table(node, name, count)
        return _positions(trees, ids, list(zip(trees.tolist(), given.tolist(), strict=True)))

    owners = np.asarray(node.ints(f"{kind}_treeids"))
    leaves = _table(node, f"{kind}_nodeids", len(owners))
    at = _positions(trees, ids, list(zip(owners.tolist(), leaves.tolist(), strict=True)))
    true, false = children("nodes_truenodeids"), children("nodes_falsenodeids")
    columns = _table(node, f"{kind}_ids", len(owners))
    if columns.size and not 0 <= columns.min() <= columns.max() < targets:
        raise ModelError(f"an element of '{kind}_ids' is out of range", expected=targets)
    if (at < 0).any():
        raise ModelError("a weight belongs to a node that does not exist", got=leaves[at < 0][0])
    weights = np.full((count, targets), np.nan)
    for row, column, weight in zip(
        at, columns, _table(node, f"{kind}_weights", len(owners)), strict=True
    ):
        # Several weights of a leaf for one target are added.
        weights[row, column] = np.nansum([weights[row, column], weight])
    # The first node of a tree in the list is its root.
    _, roots = np.unique(trees, return_index=True)
    threshold = np.asarray(_table(node, "nodes_values", count), np.float64)
    missing = _table(node, "nodes_missing_value_tracks_true", count, 0).astype(bool)
    feature = _table(node, "nodes_featureids", count)
    return Forest(feature, threshold, mode, true, false, missing, np.sort(roots), weights)


def _with_base(node: Node, scores: Tensor, b: Builder) -> Tensor:
    if node.has("base_values_as_tensor"):
        base = node.array("base_values_as_tensor")
    else:
        base = np.asarray(node.floats("base_values", ()))
    if not base.size:
        return scores
    return b.apply("add", scores, Tensor.of_array(base.astype(numpy_dtype(scores.dtype))))


def tree_regressor(node: Node, b: Builder) -> Tensor:
    """Compute the scores of a TreeEnsembleRegressor, in f32."""
    forest = _forest(node, "target", node.integer("n_targets"))
    aggregate = node.text("aggregate_function", "SUM")
    if aggregate not in AGGREGATES:
        raise ModelError("the aggregate function is unknown", expected=AGGREGATES, got=aggregate)
    scores = _scores(forest, _rows(node, forest, b), aggregate, b)
    scores = _with_base(node, scores, b)
    made = post_transformed(node.text("post_transform", "NONE"), scores, b)
    return b.cast(made, f32)


def tree_classifier(node: Node, b: Builder) -> tuple[Tensor | StringTensor, Tensor]:
    """Compute the labels and scores of a TreeEnsembleClassifier."""
    labels = class_labels(node)
    forest = _forest(node, "class", len(labels))
    x = _rows(node, forest, b)
    given = ~np.isnan(forest.weights)
    columns = np.flatnonzero(given.any(0))
    transform = node.text("post_transform", "NONE")
    if len(labels) == 2 and len(columns) == 1:
        # Only one class has weights: the score of the other one follows.
        forest.weights = forest.weights[:, columns]
        score = _scores(forest, x, "SUM", b)
        base = node.floats("base_values", ())
        if len(base) > 1:
            raise UnsupportedOp("two base values of two classes, one of which has weights")
        if base:
            score = b.apply("add", score, base[0])
        is_probability = bool((forest.weights[given[:, columns[0]]] >= 0).all())
        return classified(
            labels, score, transform, b, is_probability=is_probability, is_alone=columns[0] == 1
        )
    scores = _with_base(node, _scores(forest, x, "SUM", b), b)
    return classified(labels, scores, transform, b)


def tree_ensemble(node: Node, b: Builder) -> Tensor:
    """Compute the scores of a TreeEnsemble."""
    forest = _ensemble_forest(node)
    x = _rows(node, forest, b)
    if not is_float(node[0].dtype):
        raise UnsupportedOp("the input is not of floats", got=node[0].dtype)
    aggregate = AGGREGATES[node.integer("aggregate_function", 1)]
    transform = POST_TRANSFORMS[node.integer("post_transform", 0)]
    made = post_transformed(transform, _scores(forest, x, aggregate, b), b)
    return b.cast(made, node[0].dtype)


def _ensemble_forest(node: Node) -> Forest:
    """Return the nodes of a TreeEnsemble: its branches, and then its leaves."""
    mode = node.array("nodes_modes").astype(np.int64)
    count = len(mode)
    targets = np.asarray(node.ints("leaf_targetids"))
    values = node.array("leaf_weights").reshape(-1)
    weights = np.full((count + len(targets), node.integer("n_targets")), np.nan)
    weights[count + np.arange(len(targets)), targets] = values

    def children(side: str) -> np.ndarray:
        at = _table(node, f"nodes_{side}nodeids", count)
        leaf = _table(node, f"nodes_{side}leafs", count)
        return np.concatenate([np.where(leaf, at + count, at), np.zeros(len(targets), np.int64)])

    def behind(values: np.ndarray, fill: float) -> np.ndarray:
        return np.concatenate([values, np.full(len(targets), fill, values.dtype)])

    missing = _table(node, "nodes_missing_value_tracks_true", count, 0).astype(bool)
    forest = Forest(
        behind(_table(node, "nodes_featureids", count), 0),
        behind(node.array("nodes_splits").astype(np.float64), 0),
        behind(mode, LEAF),
        children("true"),
        children("false"),
        behind(missing, 0),
        np.asarray(node.ints("tree_roots")),
        weights,
    )
    if not ((mode >= 0) & (mode <= MEMBER)).all():
        raise ModelError("a node has an unknown mode", expected=f"0 to {MEMBER}", got=mode)
    if (mode == MEMBER).any():
        _expand_sets(forest, node.array("membership_values").reshape(-1))
    return forest


def _expand_sets(forest: Forest, members: np.ndarray) -> None:
    """Replace tests for membership in a set by chains of tests for equality, in place.

    members: the sets of all nodes that test for membership, one after the other; NaN ends each set.
    """
    ends = np.flatnonzero(np.isnan(members))
    sets = np.split(members, ends + 1)
    nodes = np.flatnonzero(forest.mode == MEMBER)
    if len(ends) < len(nodes):
        raise ModelError("'membership_values' has too few sets", expected=len(nodes), got=len(ends))
    for at, found in zip(nodes, sets, strict=False):
        first, *others = [value for value in found if not np.isnan(value)] or [np.nan]
        forest.mode[at], forest.threshold[at] = EQ, first
        last = int(at)
        for value in others:
            added = len(forest.mode)
            for name in ("feature", "mode", "true", "false", "missing", "weights"):
                table = getattr(forest, name)
                setattr(forest, name, np.concatenate([table, table[[last]]]))
            forest.threshold = np.append(forest.threshold, value)
            forest.false[last] = added
            last = added


CONVERTERS = (
    OpConverter("TreeEnsembleRegressor", tree_regressor, since=1, domain=DOMAIN),
    OpConverter("TreeEnsembleClassifier", tree_classifier, since=1, domain=DOMAIN),
    OpConverter("TreeEnsemble", tree_ensemble, since=5, domain=DOMAIN),
)

"""The nodes of tree ensembles: check the nodes, and rewrite the tests of all branches to one form.

A branch of a converted forest tests ``x[feature] <= threshold``, which is false for NaN. Other test
modes of ai.onnx.ml are rewritten to one or two such tests: with the adjacent threshold, with
exchanged children, or with the negated element.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ....support.diagnostics import ModelError

MODES = (
    "BRANCH_LEQ", "BRANCH_LT", "BRANCH_GTE", "BRANCH_GT", "BRANCH_EQ", "BRANCH_NEQ",
    "BRANCH_MEMBER", "LEAF",
)  # fmt: skip
"""The test modes of tree nodes; TreeEnsemble encodes a mode by its index in this list."""
LEQ, LT, GTE, GT, EQ, NEQ, MEMBER, LEAF = range(len(MODES))


@dataclass
class Forest:
    """The nodes of all trees of an ensemble, as arrays with an element per node.

    feature, threshold: the number of the feature that a branch tests, and the number with which it
    compares the feature.
    mode: the comparison, as a position in `MODES`.
    true, false: the children of a branch, as positions of nodes.  missing: whether a NaN element
    goes to the true child.
    roots: the position of each tree's root.
    weights: (nodes, targets), NaN where a leaf has no weight.
    """

    feature: np.ndarray
    threshold: np.ndarray
    mode: np.ndarray
    true: np.ndarray
    false: np.ndarray
    missing: np.ndarray
    roots: np.ndarray
    weights: np.ndarray

    def depth(self) -> int:
        """Return the largest number of branches from a root to a leaf.

        Errors: ModelError for a child outside of the nodes, or a cycle.
        """
        count, level, depth = len(self.mode), np.unique(self.roots), 0
        while True:
            if level.size and not 0 <= level.min() <= level.max() < count:
                raise ModelError("a child of a tree's node does not exist", got=level.max())
            branches = level[self.mode[level] != LEAF]
            if not branches.size:
                return depth
            if depth > count:
                raise ModelError("the nodes of a tree form a cycle", hint="correct the node ids")
            level = np.unique(np.concatenate([self.true[branches], self.false[branches]]))
            depth += 1


@dataclass
class Tests:
    """Nodes that all test ``x[feature] <= threshold``, as arrays with an element per node.

    feature: the tested feature; number ``features + n`` stands for feature n with its sign changed.
    true, false: the children, as positions of nodes; the children of a leaf are the leaf itself.
    roots: the position of each tree's root.
    height: the largest number of branches on a path from the node to a leaf.
    features: the number of features of the input.
    """

    feature: np.ndarray
    threshold: np.ndarray
    true: np.ndarray
    false: np.ndarray
    roots: np.ndarray
    height: np.ndarray
    features: int

    @property
    def depth(self) -> int:
        """The largest number of branches from a root to a leaf."""
        return int(self.height[self.roots].max(initial=0))

    @property
    def is_negated(self) -> bool:
        """Whether some test reads a feature with its sign changed."""
        return bool((self.feature >= self.features).any())


def tests_of(forest: Forest, features: int, dtype: np.dtype[Any]) -> Tests:
    """Rewrite the branches of a forest, so that all of them test ``x[feature] <= threshold``.

    The nodes of the forest keep their positions; new nodes are appended.  features: the number of
    features of the input.  dtype: the type of the input.
    Errors: ModelError for a child that does not exist, or a cycle.
    Exact: a threshold ``t`` of ``x < t`` becomes the largest number below ``t``.
    """
    forest.depth()
    mode, missing = forest.mode.copy(), forest.missing.astype(bool)
    leaf = mode == LEAF
    own = np.arange(len(mode))
    true, false = np.where(leaf, own, forest.true), np.where(leaf, own, forest.false)
    # An element that is not equal, or is NaN, goes to the true child: exchange the children.
    exchanged = (mode == NEQ) | (missing & (mode < EQ))
    true, false = np.where(exchanged, false, true), np.where(exchanged, true, false)
    opposite = np.array([GT, GTE, LT, LEQ, EQ, EQ, MEMBER, LEAF])
    strict = missing & (mode == EQ)
    mode = np.where(exchanged, opposite[mode], mode)
    # Negated elements turn >= into <=, and > into <.
    negated = (mode == GTE) | (mode == GT) | strict
    threshold = forest.threshold.astype(dtype)
    threshold = np.where(negated, -threshold, threshold)
    is_below = (mode == LT) | (mode == GT) | strict
    threshold = np.where(is_below, _below(threshold), threshold)
    feature = np.where(leaf, 0, forest.feature) + features * negated
    # x == t: x <= t, and then -x <= -t.  If NaN goes the same way: neither -x < -t nor x < t.
    first = np.flatnonzero(mode == EQ)
    second = len(mode) + np.arange(len(first))
    is_strict = strict[first]
    equal, other = true[first], false[first]
    true[first], false[first] = (
        np.where(is_strict, other, second),
        np.where(is_strict, second, other),
    )
    limit = forest.threshold[first].astype(dtype)
    # No element equals NaN: -x <= inf holds for all others.
    threshold[first[is_strict & np.isnan(limit)]] = np.inf
    return _with_heights(Tests(
        np.append(feature, forest.feature[first] + np.where(is_strict, 0, features)),
        np.append(threshold, np.where(is_strict, _below(limit), -limit)),
        np.append(true, np.where(is_strict, other, equal)),
        np.append(false, np.where(is_strict, equal, other)),
        forest.roots, np.zeros(0, np.int64), features,
    ))  # fmt: skip


def _below(x: np.ndarray) -> np.ndarray:
    """Return the next smaller number of each element; NaN for the smallest number.

    A comparison ``x <= NaN`` is always false, as is ``x < t`` for the smallest number t.
    """
    return np.where(x == -np.inf, np.nan, np.nextafter(x, x.dtype.type(-np.inf)))


def _with_heights(tests: Tests) -> Tests:
    level = np.unique(tests.roots)
    levels = []
    while level.size:
        levels.append(level)
        branches = level[tests.true[level] != level]
        level = np.unique(np.concatenate([tests.true[branches], tests.false[branches]]))
    height = np.zeros(len(tests.true), np.int64)
    for level in reversed(levels):
        branches = level[tests.true[level] != level]
        children = np.maximum(height[tests.true[branches]], height[tests.false[branches]])
        height[branches] = children + 1
    tests.height = height
    return tests

"""Trees: flatten and build are inverse, and structures are equal exactly for equal forms."""

from __future__ import annotations

from collections import namedtuple

import pytest

from tilewright.support.diagnostics import TypeMismatch
from tilewright.tracing.tree import flatten, map_trees

Point = namedtuple("Point", "x y")
TREE = {"b": [1, (2, None)], "a": Point(3, {"k": 4}), "n": None}


def test_build_is_the_inverse_of_flatten():
    leaves, structure = flatten(TREE)
    assert leaves == [3, 4, 1, 2]
    assert structure.leaf_count == 4
    assert structure.build(leaves) == TREE
    assert type(structure.build(leaves)["a"]) is Point
    assert structure.paths("t") == ["t.a.x", "t.a.y.k", "t.b.0", "t.b.1.0"]


def test_structures_differ_with_kinds_and_keys():
    forms = [[1, 2], (1, 2), Point(1, 2), {"a": 1, "b": 2}, {"a": 1, "c": 2}, 1, None, [1, [2]]]
    found = {flatten(form)[1] for form in forms}
    assert len(found) == len(forms)
    assert flatten([5, 6])[1] == flatten([1, 2])[1]
    assert flatten({"a": 1, "b": 2}) == flatten({"b": 2, "a": 1})


def test_trees_are_mapped_leaf_by_leaf():
    assert map_trees(lambda a, b: a + b, {"x": [1, 2]}, {"x": [10, 20]}) == {"x": [11, 22]}
    with pytest.raises(TypeMismatch, match=r"expected: tree\.x\n.*got: tree\.y"):
        map_trees(lambda a, b: a + b, {"x": 1}, {"y": 1})

"""Constant masks of attention become comparisons of positions."""

from __future__ import annotations

import numpy as np
import pytest

from tilewright.analysis.patterns.attention import find_attention
from tilewright.analysis.patterns.attention_mask import visible_end

from .ir import apply, assert_same_results, computes, parse

QUERIES, KEYS = 6, 8
SHAPES = [(2, QUERIES, 4), (2, KEYS, 4), (2, KEYS, 4)]
BEFORE, PASS = "graph-to-te,te-fuse-elementwise", "te-form-attention"


def program(mask: np.ndarray) -> str:
    """Return attention of two heads with a constant added to the scores."""
    q, k, v = (f"tensor<{'x'.join(map(str, s))}xf32>" for s in SHAPES)
    scores, plane = f"tensor<2x{QUERIES}x{KEYS}xf32>", f"tensor<{QUERIES}x{KEYS}xf32>"
    numbers = ", ".join(f"{x:.3e}" for x in mask.ravel())
    return f"""
func.func @main(%q: {q}, %k: {k}, %v: {v}) -> {q} {{
  %s = graph.matmul %q, %k transpose_rhs : {q}, {k} -> {scores}
  %w = graph.constant <[{numbers}] : {plane}> : {plane}
  %b = graph.broadcast %w axes [1, 2] : {plane} -> {scores}
  %t = graph.add %s, %b : {scores}
  %p = graph.softmax %t axis 2 : {scores} -> {scores}
  %y = graph.matmul %p, %v : {scores}, {v} -> {q}
  func.return %y : {q}
}}
"""


def lower(distance: int, seen: float = 0.0, hidden: float = -1e38) -> np.ndarray:
    return np.where(np.tri(QUERIES, KEYS, distance, dtype=np.bool_), seen, hidden)


def with_one_more(mask: np.ndarray) -> np.ndarray:
    mask[2, 7] = 0.0
    return mask


@pytest.mark.parametrize(
    ("mask", "end"),
    [
        (lower(0), "m + 1"),
        (lower(2), "m + 3"),
        # Two queries have no key: a finite number lets them attend to all, so nothing is masked.
        (lower(-2), None),
        # A mask that scores could outweigh masks nothing.
        (lower(0, hidden=-1e4), None),
        (lower(0, seen=0.5), "m + 1"),
    ],
)
def test_a_lower_triangle_is_a_comparison(mask: np.ndarray, end: str | None) -> None:
    before = apply(parse(program(mask)), *BEFORE.split(","))
    after = apply(before, PASS)
    assert_same_results(before, after, SHAPES, exact=False)
    scores = computes(after)[0].view()
    assert [a.is_index for a in scores.post] == [True, True], "the constant is gone"
    found = visible_end(scores, "n")
    assert (None if found is None else str(found)) == end


@pytest.mark.parametrize("mask", [with_one_more(lower(0)), lower(9), lower(0).T[::-1, :].T])
def test_other_constants_are_read(mask: np.ndarray) -> None:
    before = apply(parse(program(mask)), *BEFORE.split(","))
    after = apply(before, PASS)
    assert_same_results(before, after, SHAPES, exact=False)
    attention = find_attention(computes(after)[-1])
    assert attention is not None
    scores = attention.scores.view()
    assert not any(a.is_index for a in scores.post)
    assert visible_end(scores, "n") is None

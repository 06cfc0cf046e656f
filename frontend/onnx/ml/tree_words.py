"""Find the leaf of each tree that an input row reaches: first by bit masks, then node by node.

A *word* is a bit mask with one bit for each of at most 31 consecutive leaves of a tree. Initially
all bits are set; each branch above these leaves clears the bits of the leaves that its test
excludes. The lowest bit that remains set belongs to the reached leaf, because all leaves before the
reached leaf are excluded:

    leaf 0 1 2         x0 <= 5 ? (x1 <= 2 ? leaf 0 : leaf 1) : leaf 2
    x0 <= 5 false:     clears 0 1        x1 <= 2 false: clears 0

All rows make the same tests in the same order. So a vector has one row per lane, and a test is a
comparison and a masked "and". A walk goes from a node to one of its children in each step. The rows
are then at different nodes, so each row gathers the feature, the threshold and the child of its
node. A tree of L leaves needs L - 1 tests for its words, but a walk has only as many steps as the
tree has levels. So only the upper nodes of a tree become words, whose leaves are the nodes with at
most ``rest`` levels below them; a walk of ``rest`` steps follows. `_plan` compares the costs. Words
need whole vectors of rows, so a call with few rows walks from the root.
Source: QuickScorer (Lucchese et al., SIGIR 2015) uses the same words.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import isqrt

import numpy as np
from xdsl.dialects.builtin import i32

from ....dialects.dtypes import numpy_dtype
from ....dialects.graph import GatherElementsOp, GatherOp, IfOp, ScanOp
from ....dialects.shape import Dim
from ..builder import Builder, Tensor
from .forest import Forest, Tests, tests_of

LEAVES = 31
"""Number of leaves of a word.  Bit 0 is unused, because position 0 of a table means "no leaf"."""
DE_BRUIJN = 0x077CB531
"""A multiplier for powers of two: the upper five bits of the product identify the exponent."""
ROWS = 16
"""The least number of rows for which words are used, so that all lanes of a vector have a row."""
VECTOR, GATHER, TEST, WORD = 8, 4, 5, 5
"""Cost constants: rows per vector, and instructions per operation.

GATHER: instructions to gather one element (extract the index, load, insert).  TEST, WORD:
instructions, for a vector of rows, to make one test and to find the position of a bit.
"""
STEP, WEIGHT = 4 * GATHER + 4, GATHER + 1
"""Cost constants: instructions for one row to step to a child, and to add a weight."""


@dataclass
class Words:
    """Bit masks ("words") that find the leaf of a tree that an input row reaches.

    A word has one bit for each of at most 31 consecutive leaves of a tree. A branch whose test is
    false excludes the leaves below its true child, so it clears their bits; the lowest bit that
    remains at the end belongs to the reached leaf. Each array has a row per word; shorter rows of
    tests are padded with tests without effect.
    tests: features, thresholds, and for each test a mask of the bits that remain if the test is
    false.
    kills: the same for tests that clear bits if they are true; they clear the word if the reached
    leaf belongs to an earlier word of the tree.
    kept: the bits of each word before the tests.
    nodes: (words, 32): for each bit, the tree node of its leaf; -1 if unused.  The column of a bit
    is a perfect hash of its value: the top 5 bits of ``bit * DE_BRUIJN``.
    """

    tests: tuple[np.ndarray, np.ndarray, np.ndarray]
    kills: tuple[np.ndarray, np.ndarray, np.ndarray]
    kept: np.ndarray
    nodes: np.ndarray


def reached_weights(forest: Forest, x: Tensor, kind: str, neutral: float, b: Builder) -> Tensor:
    """Return the reduced weights of the leaves that the rows of x reach, as (rows, targets).

    kind: how the weights of all trees are reduced, such as "sum".  neutral: the value of a leaf
    without a weight.
    """
    element = numpy_dtype(x.dtype)
    tests = tests_of(forest, x.dims[1].value or 0, element)
    weights = np.where(np.isnan(forest.weights), neutral, forest.weights).astype(element)
    ways = _Ways(tests, weights, kind, neutral, x)
    targets = _single_targets(tests, ~np.isnan(forest.weights))
    if targets is not None:
        ways.take_groups(targets)
    rows, plan = x.dims[0], _plan(tests, ways.weights.shape[1], ways.groups)
    known = rows.value
    if plan.rest == tests.depth or (known is not None and known < plan.few):
        return ways.walked(b)
    if known is not None or plan.few <= 1:
        return ways.by_words(plan.rest, b)
    is_few = b.apply("lt", b.size(rows), plan.few)
    few, many = b.region([]), b.region([])
    regions = few.yields(ways.walked(few)), many.yields(ways.by_words(plan.rest, many))
    return b.emit_all(IfOp(b.ssa(is_few), *regions))[0]


@dataclass
class _LeafSearch:
    """The choice of how to find leaves: by bit masks (words), or by walking from node to node.

    rest: the number of lowest levels that are walked after the bit masks have been evaluated.  few:
    with fewer input rows than this number, walking from the roots is faster.
    """

    rest: int
    few: int


def _plan(tests: Tests, targets: int, groups: int) -> _LeafSearch:
    """Choose the number of levels to walk node by node, for the fewest instructions per input row.

    The other levels are evaluated by bit masks (words). The choice assumes many input rows.
    groups: the number of targets if each tree has weights for a single target, else 1.
    """
    depth, trees = tests.depth, len(tests.roots)
    walk = trees * (STEP * depth + WEIGHT * targets)
    best, chosen = float(walk), _LeafSearch(depth, 0)
    order = np.argsort(tests.height, kind="stable")
    bounds = np.searchsorted(tests.height[order], np.arange(depth + 2))
    for rest in range(depth - 1, -1, -1):
        leaves = np.ones(len(tests.height))
        for level in range(rest + 1, depth + 1):
            nodes = order[bounds[level] : bounds[level + 1]]
            leaves[nodes] = leaves[tests.true[nodes]] + leaves[tests.false[nodes]]
        most = leaves[tests.roots].max()
        words = np.ceil(leaves[tests.roots] / LEAVES)
        count = trees * words.max() if rest or groups > 1 else words.sum()
        # A second word of a tree makes the tests of all branches above its leaves.
        each = most - 1 if most <= LEAVES else LEAVES - 1 + 2 * (depth - rest)
        vector = count * (each * TEST + WORD)
        if vector / VECTOR >= best:
            break
        row = count * WEIGHT * (1 if rest else targets)
        row += trees * (rest * STEP + targets * WEIGHT) if rest else 0
        if vector / VECTOR + row < best:
            best = vector / VECTOR + row
            few = (vector * ROWS / VECTOR + row * ROWS) / walk
            chosen = _LeafSearch(rest, min(ROWS, round(few)))
    return chosen


def _single_targets(tests: Tests, has_weight: np.ndarray) -> np.ndarray | None:
    """Return, for each tree, the only target for which it has weights.

    Return None if there is one target, if a tree has weights for several targets, or if the targets
    have different numbers of trees, so that the trees do not form equal groups.
    """
    trees, targets = len(tests.roots), has_weight.shape[1]
    used = np.zeros((len(tests.height), targets), bool)
    used[: len(has_weight)] = has_weight
    for level in range(1, tests.depth + 1):
        nodes = np.flatnonzero(tests.height == level)
        used[nodes] = used[tests.true[nodes]] | used[tests.false[nodes]]
    found = used[tests.roots]
    is_even = (found.sum(0) * targets == trees).all() and (found.sum(1) == 1).all()
    return found.argmax(1) if targets > 1 and is_even else None


class _Ways:
    """Two ways to compute the reduced weights of the leaves that the rows of ``x`` reach.

    `walked` goes from node to node; `by_words` evaluates the upper levels of trees by bit masks.
    weights: by node and target.  kind: how weights are reduced, such as "sum".  neutral: the value
    of a leaf without a weight.
    groups: the number of targets if each tree has weights for a single target, else 1. If groups >
    1, the trees are sorted by target, and the weights have one column.
    """

    groups = 1

    def __init__(self, tests: Tests, weights: np.ndarray, kind: str, neutral: float, x: Tensor):
        self.tests, self.weights, self.kind, self.neutral, self.x = tests, weights, kind, neutral, x
        children = np.stack([tests.false, tests.true], 1)
        self.feature = Tensor.of_array(tests.feature.astype(np.int32))
        self.threshold = Tensor.of_array(tests.threshold)
        self.children = Tensor.of_array(children.reshape(-1).astype(np.int32))

    def take_groups(self, targets: np.ndarray) -> None:
        """Sort the trees by target, so that the trees of each target are adjacent.

        targets: the number of the target, by tree.
        """
        self.groups = self.weights.shape[1]
        self.tests.roots = self.tests.roots[np.argsort(targets, kind="stable")]
        is_neutral = self.weights == self.neutral
        chosen = np.where(is_neutral.all(1), 0, is_neutral.argmin(1))
        self.weights = np.take_along_axis(self.weights, chosen[:, None], 1)

    def walked(self, b: Builder) -> Tensor:
        """Walk from the roots to the leaves; return the reduced weights of the leaves.

        The code is vectorized over trees: the lanes of a vector belong to different trees.
        """
        rows, trees, columns = self.x.dims[0], len(self.tests.roots), self.weights.shape[1]
        roots = Tensor.of_array(self.tests.roots.astype(np.int32))
        start = b.broadcast_to(roots, (rows, Dim.const(trees)))
        leaf = self._walk(start, self._with_negated(self.x, 1, b), 1, self.tests.depth, b)
        found = _taken(self.weights, leaf, 0, b)
        found = b.reshape(found, (rows, self.groups, trees // self.groups, columns))
        total = b.reduce(found, self.kind, (2,), keep=False)
        return b.reshape(total, (rows, self.groups * columns))

    def by_words(self, rest: int, b: Builder) -> Tensor:
        """Find a node of each tree by bit masks, and walk from there to the leaf.

        Return the reduced weights of the leaves.
        rest: the largest height of a node at which the walk starts.  The code is vectorized over
        input rows: the lanes of a vector belong to different rows.
        """
        rows, zero = self.x.dims[0], Dim.const(0)
        x = b.padded(b.transpose(self.x, (1, 0)), 1, zero, (ROWS - rows).max(0), 0.0)
        x = self._with_negated(x, 0, b)
        words = words_of(self.tests, rest, is_even=rest > 0 or self.groups > 1)
        at, nodes = _positions(words, x, b), words.nodes.reshape(-1)
        if rest == 0:
            neutral = np.full_like(self.weights[:1], self.neutral)
            found = _taken(np.concatenate([self.weights, neutral])[nodes].T, at, 1, b)
        else:
            start = _taken(nodes.astype(np.int32), at, 0, b)
            trees = len(self.tests.roots)
            start = b.reshape(start, (trees, len(words.nodes) // trees, x.dims[1]))
            leaf = self._walk(b.reduce(start, "max", (1,), keep=False), x, 0, rest, b)
            found = _taken(self.weights.T, leaf, 1, b)
        columns = self.weights.shape[1]
        count = (found.dims[1].value or 0) // self.groups
        found = b.reshape(found, (columns * self.groups, count, x.dims[1]))
        total = self._in_blocks(found, b)
        return b.transpose(b.slice(total, 1, 0, rows) if x.dims[1] != rows else total, (1, 0))

    def _in_blocks(self, x: Tensor, b: Builder) -> Tensor:
        """Reduce axis 1 within blocks, and then over the blocks.

        Two stages keep the rounding error of large sums small.
        """
        columns, count, rows = x.dims
        size = count.value or 1
        block = max(n for n in range(1, isqrt(size) + 1) if size % n == 0)
        if block > 1:
            x = b.reshape(x, (columns, block, size // block, rows))
            x = b.reduce(x, self.kind, (2,), keep=False)
        return b.reduce(x, self.kind, (1,), keep=False)

    def _with_negated(self, x: Tensor, axis: int, b: Builder) -> Tensor:
        return b.concat([x, b.apply("neg", x)], axis) if self.tests.is_negated else x

    def _walk(self, start: Tensor, x: Tensor, axis: int, steps: int, b: Builder) -> Tensor:
        """Walk from nodes to their children ``steps`` times; return the reached nodes.

        start: the nodes from which the walk starts.  axis: the axis of x that is the axis of
        features.
        """
        if not steps:
            return start
        inner = b.region([b.ssa(start).type])
        (node,) = inner.arguments()

        def taken(table: Tensor, at: Tensor) -> Tensor:
            return inner.emit(GatherOp(b.ssa(table), inner.ssa(at), 0))

        at = taken(self.feature, node)
        value = inner.emit(GatherElementsOp(b.ssa(x), inner.ssa(at), axis))
        holds = inner.apply("le", value, taken(self.threshold, node))
        child = inner.apply("add", inner.apply("mul", node, 2), inner.cast(holds, i32))
        region = inner.yields(taken(self.children, child))
        return b.emit_all(ScanOp(Dim.const(steps), [b.ssa(start)], (), region))[0]


def _taken(table: np.ndarray, at: Tensor, axis: int, b: Builder) -> Tensor:
    constant = Tensor.of_array(np.ascontiguousarray(table))
    return b.emit(GatherOp(b.ssa(constant), b.ssa(at), axis))


def _positions(words: Words, x: Tensor, b: Builder) -> Tensor:
    """Evaluate the words; return the positions of the reached leaves in ``words.nodes``, flattened.

    x: the elements, as (features, rows).  The result has the shape (words, rows).
    """
    left = Tensor.of_array(words.kept[:, None])
    for is_kill, (feature, threshold, mask) in ((False, words.tests), (True, words.kills)):
        if not feature.size:
            continue
        value = b.emit(GatherOp(b.ssa(x), b.ssa(Tensor.of_array(feature)), 0))
        holds = b.apply("le", value, Tensor.of_array(threshold[:, :, None]))
        every, some = b.scalar(-1, i32), Tensor.of_array(mask[:, :, None])
        stays = b.select(holds, *((some, every) if is_kill else (every, some)))
        left = b.apply("and", b.reduce(stays, "and", (1,), keep=False), left)
    lowest = b.apply("and", left, b.apply("neg", left))
    hashed = b.apply("and", b.apply("shr", b.apply("mul", lowest, DE_BRUIJN), 27), 31)
    first = 32 * np.arange(len(words.kept), dtype=np.int32)[:, None]
    return b.apply("add", hashed, Tensor.of_array(first))


def words_of(tests: Tests, rest: int, *, is_even: bool) -> Words:
    """Divide the leaves of trees into words, bit masks for at most 31 consecutive leaves each.

    rest: the nodes that count as leaves here are the topmost nodes of height at most ``rest``.
    is_even: whether all trees get the same number of words, some of which then have no leaves.
    """
    trees = [_leaves(tests, root, rest) for root in tests.roots.tolist()]
    most = max(-(-len(leaves) // LEAVES) for leaves, _ in trees)
    rows: list[tuple[list[int], list[tuple[int, int]], list[tuple[int, int]]]] = []
    for leaves, branches in trees:
        count = most if is_even else -(-len(leaves) // LEAVES)
        first = len(rows)
        rows += [(leaves[LEAVES * n :][:LEAVES], [], []) for n in range(count)]
        for node, start, middle, end in branches:
            for n in range(start // LEAVES, -(-middle // LEAVES)):
                rows[first + n][1].append((node, _without(n, start, middle)))
            # No lower bit of the word remains if the leaf belongs to an earlier word.
            for n in range(max(start // LEAVES + 1, middle // LEAVES), -(-end // LEAVES)):
                rows[first + n][2].append((node, _without(n, middle, end)))
    nodes = np.full((len(rows), 32), -1, np.int64)
    for row, (leaves, _, _) in zip(nodes, rows, strict=True):
        bits = np.uint32(2) << np.arange(len(leaves), dtype=np.uint32)
        row[(bits * np.uint32(DE_BRUIJN)) >> np.uint32(27)] = leaves
    kept = np.array([2 ** (len(leaves) + 1) - 2 for leaves, _, _ in rows], np.uint32)
    return Words(
        _padded(tests, [row[1] for row in rows]),
        _padded(tests, [row[2] for row in rows]),
        kept.view(np.int32),
        nodes,
    )


def _without(word: int, start: int, end: int) -> int:
    """Return a mask that clears the bits of some leaves of a tree in a word.

    word: the number of the word among the words of its tree.  start, end: the first of these
    leaves, and the leaf after the last one, numbered within the tree.  Leaves of other words are
    ignored.
    """
    first, last = (min(max(at - LEAVES * word, 0), LEAVES) for at in (start, end))
    return 2**32 - 1 - (2 ** (last + 1) - 2 ** (first + 1))


def _leaves(
    tests: Tests, root: int, rest: int
) -> tuple[list[int], list[tuple[int, int, int, int]]]:
    """Return the nodes of a tree that count as leaves of its words, and the branches above them.

    These are the topmost nodes whose height is at most ``rest``, numbered in order.
    A branch is a tuple: the node, the number of its first leaf, the number of the first leaf of its
    false child, and the number of the first leaf after the node.
    """
    leaves: list[int] = []
    branches: list[tuple[int, int, int, int]] = []
    # Nodes with the numbers of their first leaf, and of their first leaf on the right, once known.
    todo = [(root, -1, -1)]
    while todo:
        node, start, middle = todo.pop()
        if middle >= 0:
            branches.append((node, start, middle, len(leaves)))
        elif start >= 0:
            todo += [(node, start, len(leaves)), (int(tests.false[node]), -1, -1)]
        elif tests.height[node] <= rest:
            leaves.append(node)
        else:
            todo += [(node, len(leaves), -1), (int(tests.true[node]), -1, -1)]
    return leaves, branches


def _padded(
    tests: Tests, rows: list[list[tuple[int, int]]]
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return features, thresholds and masks of the tests of each word, as arrays (words, tests).

    rows: for each word (bit mask of leaves), its tests, as pairs of a tree node and a mask of the
    bits that remain.  Shorter rows are padded with tests whose mask has all bits.
    """
    shape = len(rows), max(map(len, rows))
    feature, mask = np.zeros(shape, np.int32), np.full(shape, 2**32 - 1, np.uint32)
    limit = np.zeros(shape, tests.threshold.dtype)
    for n, row in enumerate(rows):
        nodes = [node for node, _ in row]
        feature[n, : len(row)], limit[n, : len(row)] = tests.feature[nodes], tests.threshold[nodes]
        mask[n, : len(row)] = [bits for _, bits in row]
    return feature, limit, mask.view(np.int32)

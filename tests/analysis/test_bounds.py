"""Bounds of sizes, index expressions and positions against brute force on random inputs."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import numpy as np
import pytest
from xdsl.parser import Parser

import tilewright
from tilewright import te
from tilewright.analysis.bounds.loop_ranges import LoopRanges
from tilewright.analysis.bounds.positions import OutsideBuffer, verify_positions
from tilewright.dialects.loop import ForOp
from tilewright.dialects.shape import Dim, size_index
from tilewright.frontend.te.bounds import (
    Variable,
    is_never_negative,
    least_of,
    most_of,
    range_of,
    reaches_its_ends,
)
from tilewright.support.affine import INFINITY, Key, Range
from tilewright.support.diagnostics import TypeMismatch
from tilewright.support.registry import new_context

from .random_expressions import (
    SEEDS,
    SIZES,
    draws,
    evaluate,
    random_index,
    random_nest,
    random_size,
)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_size_lies_in_its_range(seed: int) -> None:
    rng = Random(5 * seed + 1)
    for _ in draws(400):
        size = random_size(rng, rng.choice([2, 3]))
        values = [size.evaluate(sizes) for sizes in SIZES]
        low, high = LoopRanges().range_of_index(size_index(size))
        assert low <= min(values) <= max(values) <= high, size
        assert size.range(INFINITY)[0] <= min(values), size


def compare_sizes(seed: int, numbers: range) -> int:
    """Return how often a comparison is decided, always rightly."""
    rng = Random(seed)
    decided = 0
    for _ in numbers:
        one, other = random_size(rng, 2), random_size(rng, 2)
        pairs = [(one.evaluate(sizes), other.evaluate(sizes)) for sizes in SIZES]
        small, large = one.min(other), one.max(other)
        for sizes, (x, y) in zip(SIZES, pairs, strict=True):
            assert (small.evaluate(sizes), large.evaluate(sizes)) == (min(x, y), max(x, y))
        if one.is_at_least(other):
            decided += 1
            assert all(x >= y for x, y in pairs), (one, other)
    return decided


@pytest.mark.parametrize("seed", SEEDS)
def test_comparisons_of_sizes_hold_for_all_sizes(seed: int) -> None:
    assert compare_sizes(5 * seed + 2, draws(300)) > 15


def compare_ranges_in_nests(seed: int, numbers: range) -> int:
    """Return the number of expressions, which all lie in their ranges."""
    rng = Random(seed)
    checked = 0
    for _ in numbers:
        ranges = LoopRanges()
        known: dict[Key, Range] = {}
        nest = random_nest(rng, known.__getitem__, _entering(ranges, known))
        points = nest.points() if nest else []
        if nest is None or not points or len(points) > 1000:
            continue
        for _ in range(3):
            index = random_index(rng, [op.variable for op in nest.loops], known.__getitem__)
            values = [evaluate(index, point) for point in points]
            low, high = ranges.range_of_index(index)
            assert low <= min(values) <= max(values) <= high, index
            merged = index.merge_atoms().cancel_remainders(known.__getitem__)
            assert [evaluate(merged, point) for point in points] == values
            checked += 1
    return checked


@pytest.mark.parametrize("seed", SEEDS)
def test_an_expression_lies_in_its_range_in_every_iteration(seed: int) -> None:
    assert compare_ranges_in_nests(5 * seed + 3, draws(150)) > 100


def _entering(ranges: LoopRanges, known: dict[Key, Range]) -> Callable[[ForOp], bool]:
    def enter(op: ForOp) -> bool:
        runs = ranges.enter(op)
        known[op.variable] = ranges.of(op.variable)
        return runs

    return enter


POSITION = """
func.func @f(%X: memref<{size}xf32{dims}>, %v: f32) {{
  %s = loop.size {start}
  %t = loop.size {trips}
  loop.for %i = 0 to %t {{
    loop.store %v, %X[%i * {factor} + %s] : memref<{size}xf32{dims}>, f32
  }}
  func.return
}}
"""


def _proves(start: Dim, trips: Dim, size: Dim, factor: int) -> bool:
    shown, dims = ("?", f", #te.dims<{size}>") if size.value is None else (str(size), "")
    text = POSITION.format(start=start, trips=trips, size=shown, dims=dims, factor=factor)
    try:
        verify_positions(Parser(new_context(), text).parse_module())
    except OutsideBuffer:
        return False
    return True


def compare_positions(seed: int, numbers: range) -> int:
    """Return the number of positions that are proved, all of them inside the buffer."""
    rng = Random(seed)
    n, m = Dim.sym("n"), Dim.sym("m")
    proved = 0
    for _ in numbers:
        start, trips = random_size(rng, rng.choice([0, 1, 2])), random_size(rng, 1)
        size = rng.choice([n + m, 2 * n + 3, Dim.const(16), n * m + 8, start + trips])
        factor = rng.choice([1, 1, 2, -1])
        if (size.value or 0) < 0 or not _proves(start, trips, size, factor):
            continue
        proved += 1
        for sizes in SIZES:
            first, count, end = (dim.evaluate(sizes) for dim in (start, trips, size))
            reached = [first, first + factor * (count - 1)] if count > 0 and end >= 0 else []
            assert all(0 <= position < end for position in reached), (start, trips, size, factor)
    return proved


@pytest.mark.parametrize("seed", SEEDS)
def test_a_proved_position_is_inside(seed: int) -> None:
    assert compare_positions(5 * seed + 4, draws(250)) > 20


def test_a_size_without_a_lower_bound_may_be_negative() -> None:
    assert not _proves(Dim.parse("min(n - m, 5)"), Dim.const(8), Dim.const(64), 1)
    assert _proves(Dim.parse("max(min(n - m, 5), 0)"), Dim.const(8), Dim.const(64), 1)


def test_a_size_whose_terms_may_exceed_int64_has_a_range() -> None:
    """The expression of its value is the value itself, which bounds nothing."""
    wide = Dim.parse("floordiv(9646899 * n, 4194304)")
    assert not _proves(wide - 1, Dim.const(1), Dim.const(64), 1)


def compare_reads(seed: int, numbers: range) -> int:
    """Return how many reads are proved to be at no negative position; all ranges are right."""
    rng = Random(seed)
    axes = [Variable(name, extent, is_reduced=False) for name, extent in (("i", 9), ("j", 5))]
    points: list[dict[Key, int]] = [{axes[0]: i, axes[1]: j} for i in range(9) for j in range(5)]
    proved = 0
    for _ in numbers:
        index = random_index(rng, axes, range_of)
        values = [evaluate(index, point) for point in points]
        if is_never_negative(index):
            proved += 1
            assert min(values) >= 0, index
        ends = [end.evaluate({}) for end in (least_of(index), most_of(index))]
        assert ends[0] <= min(values) <= max(values) <= ends[1], index
        if reaches_its_ends(index):
            assert ends == [min(values), max(values)], index
    return proved


@pytest.mark.parametrize("seed", SEEDS)
def test_the_range_of_a_read_contains_its_positions(seed: int) -> None:
    assert compare_reads(5 * seed + 5, draws(400)) > 50


def test_a_read_whose_terms_cancel_stays_inside() -> None:
    x = te.placeholder((2,), name="X")
    y = te.compute((16,), lambda i: x[i - 2 * (i // 2)], name="Y")
    given = np.array([3, 4], np.float32)
    np.testing.assert_array_equal(tilewright.build([x, y])(given), np.tile(given, 8))


def test_a_read_that_may_leave_is_not_said_to_leave() -> None:
    x = te.placeholder((40,), name="X")
    with pytest.raises(TypeMismatch, match="is not proved to stay in X"):
        te.compute((16,), lambda i: x[i - 3 * (i // 2) + 6], name="Y")


def test_a_question_that_asks_too_many_others_has_a_bound() -> None:
    """Each level asks about the one before several times."""
    size = Dim.sym("n")
    for number in range(1, 8):
        other = Dim.sym(f"m{number}")
        size = (size - other).max(3 - size).min(other * 2 - size // 3)
    sizes = dict.fromkeys(size.symbols(), 4)
    assert size.range(INFINITY)[0] <= size.evaluate(sizes)

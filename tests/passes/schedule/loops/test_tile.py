"""sched.tile, split_axis, merge_axes and order: loops and axes over parallel dimensions."""

from __future__ import annotations

from typing import cast

import pytest

from tilewright.dialects.loop import ForOp
from tilewright.dialects.shape import Dim
from tilewright.passes.rewrite.sections import Run, sections
from tilewright.support.diagnostics import ScheduleError

from ..kernels import Scheduled, assert_same_results, conv_chain, matmul, schedule


def axes_of(done: Scheduled, name: str) -> list[dict[str, int]]:
    return [dict(op.view().extents) for op in done.computes(name)]


@pytest.mark.parametrize("extent", [1, 5, 12, 13, 24, 25])
@pytest.mark.parametrize("size", [1, 4, 6, 30])
@pytest.mark.parametrize("even", [False, True])
def test_sections_cover_the_extent_once(extent: int, size: int, even: bool) -> None:
    covered = [
        run.first + tile * cast(int, run.size) + p
        for run in sections(extent, size, even=even)
        for tile in range(cast(int, run.count))
        for p in range(cast(int, run.size))
    ]
    assert covered == list(range(extent))


def positions(runs: list[Run], extent: int) -> list[tuple[int, int]]:
    """Return each covered position of a symbolic axis with the size of its block, in order."""

    def number(size: Dim | int) -> int:
        return Dim.of(size).evaluate({"u0": extent})

    for run in runs:  # both bounds of a loop allow its blocks
        assert run.room is None or number(run.count) <= max(number(run.room), 0)
    return [
        (number(run.first) + tile * number(run.size) + p, number(run.size))
        for run in runs
        for tile in range(number(run.count))
        for p in range(number(run.size))
    ]


EXTENTS = [*range(40), 63, 64, 65, 197, 1000]


@pytest.mark.parametrize("size", [1, 2, 6, 8])
@pytest.mark.parametrize("even", [False, True])
def test_sections_of_symbolic_extents_cover_them_once(size: int, even: bool) -> None:
    runs = sections(Dim.sym("u0"), size, even=even)
    for extent in EXTENTS:
        covered = positions(runs, extent)
        assert [position for position, _ in covered] == list(range(extent))
        sizes = {block for _, block in covered}
        assert not even or max(sizes, default=0) - min(sizes, default=0) <= 1


@pytest.mark.parametrize(("size", "rest"), [(16, 3), (8, 3), (4, 3), (2, 1), (8, 1)])
def test_a_remainder_may_have_even_blocks(size: int, rest: int) -> None:
    runs = sections(Dim.sym("u0"), size, even=True, rest=rest)
    for extent in EXTENTS:
        covered = positions(runs, extent)
        assert [position for position, _ in covered] == list(range(extent))
        if rest > 1:
            whole, left = (
                extent // size * size,
                [b for p, b in covered if p >= extent // size * size],
            )
            assert {block for position, block in covered if position < whole} <= {size}
            assert max(left, default=0) <= rest
            assert max(left, default=0) - min(left, default=0) <= 1


@pytest.mark.parametrize("name", ["u0", "16 * u0"])
def test_a_whole_remainder_of_a_symbolic_extent_is_one_block(name: str) -> None:
    runs = sections(Dim.of(name), 8, whole=True)
    assert len(runs) == (2 if name == "u0" else 1)
    for extent in range(40):
        sizes = {"u0": extent}
        blocks = [
            (Dim.of(run.first).evaluate(sizes), Dim.of(run.size).evaluate(sizes))
            for run in runs
            for _ in range(Dim.of(run.count).evaluate(sizes))
        ]
        assert [size for _, size in blocks[:-1]] == [8] * (len(blocks) - 1)
        assert sum(size for _, size in blocks) == Dim.of(name).evaluate(sizes)
        assert all(size > 0 for _, size in blocks)


@pytest.mark.parametrize(("size", "rest"), [(64, 16), (32, 8), (6, 3), (16, 16)])
def test_the_last_block_of_a_rest_overlaps_the_one_before(size: int, rest: int) -> None:
    runs = sections(Dim.sym("u0"), size, rest=rest)
    for extent in EXTENTS:
        covered = positions(runs, extent)
        assert sorted({position for position, _ in covered}) == list(range(extent))
        assert len(covered) < extent + rest
        assert extent < rest or all(block >= rest for _, block in covered)


@pytest.mark.parametrize(("size", "rest", "few"), [(32, 16, 8), (16, 16, 3), (8, 8, 1)])
def test_few_positions_have_even_blocks(size: int, rest: int, few: int) -> None:
    runs = sections(Dim.sym("u0"), size, rest=rest, few=few)
    for extent in EXTENTS:
        covered = positions(runs, extent)
        assert sorted({position for position, _ in covered}) == list(range(extent))
        sizes = {block for _, block in covered}
        if extent < rest:
            assert len(covered) == extent
            assert max(sizes, default=0) == (-(-extent // -(-extent // few)) if extent else 0)
            assert max(sizes, default=0) - min(sizes, default=0) <= 1
        else:
            assert sizes <= {size, rest}


def test_full_tiles_and_a_remainder() -> None:
    done = assert_same_results(
        matmul(20, 32, 8),
        "%c = sched.match {name = mm}\n%t, %i, %j = sched.tile %c {m = 6, n = 16}",
    )
    assert axes_of(done, "mm") == [{"m": 6, "n": 16, "k": 8}, {"m": 2, "n": 16, "k": 8}]


def test_even_tiles_differ_by_one() -> None:
    done = assert_same_results(
        matmul(20, 8, 4),
        "%c = sched.match {name = mm}\n%t, %i = sched.tile %c {m = 6, even = [m]}",
    )
    assert [a["m"] for a in axes_of(done, "mm")] == [5]
    done = assert_same_results(
        matmul(11, 8, 4),
        "%c = sched.match {name = mm}\n%t, %i = sched.tile %c {m = 4, even = [m]}",
    )
    assert [a["m"] for a in axes_of(done, "mm")] == [4, 3]


def test_a_tile_larger_than_the_axis_makes_one_parallel_loop() -> None:
    done = schedule(
        matmul(3, 4, 5),
        "%c = sched.match {name = mm}\n%t, %i = sched.tile %c {m = 8}\n%p = sched.parallel %i",
    )
    loops = [op for op in done.kernel.walk() if isinstance(op, ForOp)]
    assert [(loop.static_bounds, loop.is_parallel) for loop in loops] == [((0, 1), True)]


@pytest.mark.parametrize("dtype", ["f16", "i32"])
def test_any_element_type(dtype: str) -> None:
    assert_same_results(
        matmul(7, 10, 6, dtype),
        "%c = sched.match {name = mm}\n%t, %i, %j = sched.tile %c {m = 3, n = 4}\n"
        "%s, %b = sched.split_reduction %t {k = 4}",
    )


def test_reduced_axes_are_refused_with_a_hint() -> None:
    with pytest.raises(ScheduleError) as err:
        schedule(matmul(4, 4, 4), "%c = sched.match {name = mm}\n%t, %i = sched.tile %c {k = 2}")
    assert str(err.value) == (
        "sched.tile in @k: axis k of @mm is reduced\n"
        "    expected: one of m, n\n"
        "    hint: use split_reduction, or split_axis to keep it in the leaf"
    )


def test_unknown_axes_are_refused() -> None:
    with pytest.raises(ScheduleError, match=r"@mm has no axis q\n    expected: one of m, n, k"):
        schedule(matmul(4, 4, 4), "%c = sched.match {name = mm}\n%t, %i = sched.tile %c {q = 2}")


def test_even_names_tiled_axes() -> None:
    with pytest.raises(ScheduleError, match="even names axes that are tiled"):
        schedule(
            matmul(4, 4, 4),
            "%c = sched.match {name = mm}\n%t, %i = sched.tile %c {m = 2, even = [n]}",
        )


def test_split_axis_and_order() -> None:
    done = assert_same_results(
        conv_chain(6, 7, 1, 1, channels=4),
        "%c = sched.match {name = conv}\n"
        "%s = sched.split_axis %c {c = 2, into = [co, ci]}\n"
        "%o = sched.order %s {axes = [o, h, w, co, r, s, ci]}",
    )
    assert list(axes_of(done, "conv")[0].items())[3:] == [("co", 2), ("r", 3), ("s", 3), ("ci", 2)]


@pytest.mark.parametrize(
    ("axes", "left"),
    [(["r", "s"], ["o", "h", "w", "c", "rs"]), (["o", "h", "w"], ["ohw", "c", "r", "s"])],
)
def test_merge_axes(axes: list[str], left: list[str]) -> None:
    done = assert_same_results(
        conv_chain(6, 7, 1, 1, channels=4),
        "%c = sched.match {name = conv}\n"
        f"%m = sched.merge_axes %c {{axes = [{', '.join(axes)}]}}",
    )
    assert list(axes_of(done, "conv")[0]) == left


SCATTER = """
te.kernel @k(%K: memref<9xi64>, %U: memref<9x3x4x5xf32>, %Y: memref<7x3x4x5xf32>) {
  te.scatter @put [i: 9, a: 3, b: 4, c: 5] into(%Y : memref<7x3x4x5xf32>)
    ins(%K[i] : memref<9xi64>, %U[i, a, b, c] : memref<9x3x4x5xf32>, index[a], index[b], index[c])
    body(%k: i64, %u: f32, %a: index, %b: index, %c: index) {
      %r = arith.index_cast %k : i64 to index
      te.yield %r, %a, %b, %c, %u : index, index, index, index, f32
    }
  te.return
}
"""


def test_merged_axes_of_a_scatter_are_neighbours_and_still_independent() -> None:
    step = "%s = sched.match {name = put}\n%m = sched.merge_axes %s {axes = [AXES], into = m}"
    spread = "\n%v = sched.tile_irregular %m {axis = a, vector = m, lanes = 4}"
    schedule(SCATTER, step.replace("AXES", "b, c") + spread)
    with pytest.raises(ScheduleError, match="in another order along the merged axis"):
        schedule(SCATTER, step.replace("AXES", "a, c"))
    with pytest.raises(ScheduleError, match="may write the same element: no vectors there"):
        schedule(SCATTER, step.replace("AXES", "i, a") + spread.replace("axis = a", "axis = b"))


def test_split_axis_lists_near_divisors() -> None:
    with pytest.raises(ScheduleError) as err:
        schedule(
            matmul(4, 4, 36),
            "%c = sched.match {name = mm}\n%s = sched.split_axis %c {k = 8, into = [ko, ki]}",
        )
    assert str(err.value) == (
        "sched.split_axis in @k: 8 does not divide axis k of @mm (extent 36)\n"
        "    expected: a divisor of 36: 4, 6, 9, 12\n"
        "    hint: tile the axis to get a leaf of full blocks and a remainder"
    )


@pytest.mark.parametrize(
    ("step", "message"),
    [
        ("sched.split_axis %c {k = 2, into = [m, ki]}", "has an axis of a new name"),
        ("sched.split_axis %c {k = 2, into = [ki]}", "an axis is split into two"),
        ("sched.split_axis %c {into = [ko, ki]}", "exactly one axis"),
        ("sched.merge_axes %c {axes = [m, k]}", "is not merged with an independent one"),
        ("sched.merge_axes %c {axes = [m, n], into = k}", "has an axis of the new name"),
        ("sched.merge_axes %c {axes = [m]}", "at least two different axes"),
        ("sched.order %c {axes = [m, n]}", "the order names every axis of @mm once"),
        ("sched.order %c {axes = [m, n, k], by = 3}", "unknown parameter"),
    ],
)
def test_refusals_of_steps_on_axes(step: str, message: str) -> None:
    with pytest.raises(ScheduleError, match=message):
        schedule(matmul(4, 4, 4), f"%c = sched.match {{name = mm}}\n%s = {step}")


def test_axes_are_not_split_under_a_register_tile() -> None:
    with pytest.raises(ScheduleError, match="register tile of @mm is declared"):
        schedule(
            matmul(4, 4, 4),
            "%c = sched.match {name = mm}\n"
            "%v = sched.vectorize %c {axis = n, lanes = 4, k = 2}\n"
            "%s = sched.split_axis %v {k = 2, into = [ko, ki]}",
        )

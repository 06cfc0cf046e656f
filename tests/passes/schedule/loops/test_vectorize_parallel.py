"""sched.vectorize and parallel: declarations on leaves and loops."""

from __future__ import annotations

import pytest

from tilewright.support.diagnostics import ScheduleError

from ..kernels import assert_same_loops, assert_same_results, conv_chain, matmul, schedule, softmax

VECTORIZE = "%c = sched.match {{name = mm}}\n%v = sched.vectorize %c {{{0}}}"


def test_vectorize_records_the_tile() -> None:
    done = schedule(
        matmul(6, 16, 12),
        VECTORIZE.format(
            "axis = n, lanes = 8, k = 4, prefetch_operand = 1, prefetch = 64, prefetch_level = 2"
        ),
    )
    view = done.computes("mm")[0].view()
    assert view.unrolls == {"k": 4}
    assert view.tile == {
        "vec": "n", "lanes": 8, "prefetch_operand": 1, "prefetch": 64, "prefetch_level": 2,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ("axis = q, lanes = 8", "@mm has no axis q\n    expected: one of m, n, k"),
        ("axis = n, lanes = 0", "a vector has lanes"),
        ("axis = n, lanes = 8, kk = 4", "@mm has no axis kk"),
        ("axis = n, lanes = 8, m = 2", "axis m, which @mm does not reduce\n    expected: one of k"),
        ("axis = k, lanes = 8, k = 3", "has fewer vectors than that\n    expected: at most 2"),
        ("axis = n, lanes = 8, prefetch = 64", "a prefetch names operand and distance"),
        ("axis = n, lanes = 8, prefetch = 6, prefetch_operand = 4", "no buffer input 4"),
        (
            "axis = k, lanes = 8, together = 3",
            "together in a power of 2 of lanes\n    expected: 1, 2,",
        ),
        ("axis = k, lanes = 8, together = 16", "up to 8 .lanes.\n    got: 16"),
        ("lanes = 8", "parameter axis is a name"),
    ],
)
def test_refusals_of_vectorize(params: str, message: str) -> None:
    with pytest.raises(ScheduleError, match=message):
        schedule(matmul(6, 16, 12), VECTORIZE.format(params))


@pytest.mark.parametrize("columns", [16, 18])
def test_results_together_are_the_same_sums(columns: int) -> None:
    steps = (
        "%c = sched.match {name = mm}\n%t, %i, %j = sched.tile %c {m = 2, n = 4}\n"
        "%v = sched.vectorize %t {axis = k, lanes = 8, together = 4}"
    )
    done = assert_same_loops(matmul(6, columns, 21), steps)
    assert {leaf.view().tile["together"] for leaf in done.computes("mm")} == {4}


@pytest.mark.parametrize("factor", [4, 8, 11, 40])
def test_a_factor_need_not_divide_any_leaf(factor: int) -> None:
    split = "%c = sched.match {name = mm}\n%s, %b = sched.split_reduction %c {k = 8}\n"
    tile = f"%v = sched.vectorize %s {{axis = n, lanes = 8, k = {factor}}}"
    done = assert_same_loops(matmul(6, 16, 21), split + tile)
    assert {leaf.view().unrolls["k"] for leaf in done.computes("mm")} == {factor}


def test_taller_tiles_have_smaller_unroll_factors() -> None:
    tile = "%c = sched.match {name = mm}\n%t, %i = sched.tile %c {m = 4}\n"
    steps = tile + "%v = sched.vectorize %t {axis = n, lanes = 8, trip = 9, k = 4}"
    done = assert_same_loops(matmul(6, 16, 12), steps)
    factors = {leaf.view().axes["m"]: leaf.view().unrolls for leaf in done.computes("mm")}
    assert factors == {4: {}, 2: {"k": 2}}


def test_blocked_writes_are_disjoint() -> None:
    blocked = conv_chain(6, 6, 1, 1, out=16).replace(
        "%Z[o, h, w] : memref<16x6x6xf32>", "%Z[o floordiv 8, h, w, o mod 8] : memref<2x6x6x8xf32>"
    )
    blocked = blocked.replace("%Z: memref<16x6x6xf32>", "%Z: memref<2x6x6x8xf32>")
    for size in (4, 8, 16):
        assert_same_results(
            blocked,
            f"%c = sched.match {{name = relu}}\n%t, %o = sched.tile %c {{o = {size}}}\n"
            "%p = sched.parallel %o",
        )


def test_a_reduction_loop_is_not_parallel() -> None:
    with pytest.raises(ScheduleError) as err:
        schedule(
            matmul(6, 16, 20),
            "%c = sched.match {name = mm}\n%s, %b = sched.split_reduction %c {k = 4}\n"
            "%p = sched.parallel %b",
        )
    assert str(err.value) == (
        "sched.parallel in @k: iterations of loop %_ may write the same elements of %C\n"
        "    expected: each written element is touched by one iteration only\n"
        "    got: @mm writes %C[m, n], in each iteration\n"
        "    hint: parallelize a loop that tile made"
    )


def test_later_steps_are_checked_too() -> None:
    text = softmax(12, 9).replace(
        "%X: memref<12x9xf32>", "%X: memref<12x9xf32>, %m: memref<12xf32>"
    )
    text = text.replace('  %m = loop.alloc "local" : memref<12xf32>\n', "")
    with pytest.raises(ScheduleError, match="may write the same elements of %m"):
        schedule(
            text,
            "%e0 = sched.match {name = ex}\n%e, %j = sched.tile %e0 {j = 3}\n"
            "%p = sched.parallel %j\n%m0 = sched.match {name = mx}\n%m = sched.fuse_into %m0, %p",
        )


def test_overlapping_slices_of_an_argument_are_not_parallel() -> None:
    text = conv_chain(9, 8, 1, 0).replace(
        "%X: memref<3x9x8xf32>", "%X: memref<3x9x8xf32>, %t: memref<3x9x8xf32>"
    )
    text = text.replace('  %t = loop.alloc "local" : memref<3x9x8xf32>\n', "")
    text = text.replace("array<i64: 1>", "array<i64: 2>")
    script = (
        "%c0 = sched.match {name = conv}\n%c, %h = sched.tile %c0 {h = 2}\n"
        "%x0 = sched.match {name = double}\n%x = sched.fuse_into %x0, %h\n"
    )
    assert_same_results(text, script)
    with pytest.raises(ScheduleError, match="may write the same elements of %t"):
        schedule(text, script + "%p = sched.parallel %h")


def overlapping(width: int) -> str:
    """Return a copy of 4 x 3 rows of 5, which start ``width`` elements apart."""
    x, y = "memref<4x3x5xf32>", "memref<4x32xf32>"
    return f"""
te.kernel @k(%X: {x}, %Y: {y}) {{
  te.compute @rows [n: 4, g: 3, o: 5]
    ins(%X[n, g, o] : {x}) outs(%Y[n, g * {width} + o] : {y})
    body(%x: f32) {{
      te.yield %x : f32
    }}
  te.return
}}"""


@pytest.mark.parametrize("width", [4, 5, 9])
def test_a_fused_loop_is_parallel_if_each_of_its_loops_is(width: int) -> None:
    script = (
        "%c = sched.match {name = rows}\n"
        "%l = sched.fuse %c {axes = [n, g], into = both}\n"
        "%s = sched.split %l {axis = both, factor = 4, into = [outer, inner]}\n"
        "%p = sched.parallel_axis %s {axis = outer}\n"
    )
    if width < 5:
        with pytest.raises(ScheduleError, match=r"loop %outer may write the same elements of %Y"):
            schedule(overlapping(width), script)
    else:
        assert_same_results(overlapping(width), script)


def test_parallel_takes_loops() -> None:
    with pytest.raises(ScheduleError, match="handle 0 holds computes"):
        schedule(matmul(6, 16, 12), "%c = sched.match {name = mm}\n%p = sched.parallel %c")

"""sched.split_epilogue: a separate compute finishes the sums of a reduction, in place."""

from __future__ import annotations

import pytest

from tilewright.support.diagnostics import ScheduleError

from .kernels import assert_same_loops, matmul, schedule, softmax

C = "%c = sched.match {name = mm}\n"
TILED = "%t, %i, %j = sched.tile {leaf} {{m = 4, n = 8, even = [m]}}\n"


def test_the_sums_have_no_epilogue_and_the_finish_reads_them() -> None:
    done = assert_same_loops(matmul(7, 20, 6), C + "%s, %f = sched.split_epilogue %c")
    sums, finish = done.computes("mm")[0].view(), done.computes("mm_finish")[0].view()
    assert not sums.then.blocks
    assert not sums.post
    assert dict(finish.axes) == {"m": 7, "n": 20}
    assert [a.value for a in finish.inputs[:1]] == [a.value for a in finish.outputs]


@pytest.mark.parametrize(
    "script",
    [
        # before the tiles: one finish for all heights
        C + "%s, %f = sched.split_epilogue %c\n" + TILED.format(leaf="%s"),
        # behind the tiles: one for each height and width
        C + TILED.format(leaf="%c") + "%s, %f = sched.split_epilogue %t\n",
        # the last pass of a reduction finishes
        C + "%r, %k = sched.split_reduction %c {k = 2}\n" + TILED.format(leaf="%r")
        + "%s, %f = sched.split_epilogue %t\n",
    ],
)  # fmt: skip
def test_tiles_of_two_sizes_compute_the_same(script: str) -> None:
    leaf = "%t" if "epilogue %c" in script else "%s"
    finish = "%u, %p, %q = sched.tile %f {m = 1, n = 8}\n"
    vectors = f"%w = sched.vectorize {leaf} {{axis = n, lanes = 8}}\n"
    vectors += "%v = sched.vectorize %u {axis = n, lanes = 8}\n"
    assert_same_loops(matmul(7, 20, 6), script + finish + vectors)


@pytest.mark.parametrize(("size", "leaves"), [(2, 1), (4, 2)])
def test_passes_without_initial_values_and_epilogue_share_a_leaf(size: int, leaves: int) -> None:
    script = C + "%s, %f = sched.split_epilogue %c\n%z, %u = sched.decompose_reduction %s\n"
    script += f"%r, %k = sched.split_reduction %u {{k = {size}}}\n"
    done = assert_same_loops(matmul(7, 20, 6), script + TILED.format(leaf="%r"))
    heights = [op.view().extents["m"] for op in done.computes("mm")]
    assert sorted(heights) == sorted([3, 4] * leaves * 2)  # two widths: 8 and 4


@pytest.mark.parametrize(
    ("kernel", "script", "message"),
    [
        (softmax(4, 6), "%c = sched.match {name = mx}\n", "@mx has no epilogue"),
        (matmul(4, 8, 6), C + "%d, %e = sched.split_epilogue %c\n", "@mm has no epilogue"),
        (matmul(4, 8, 6), C + "%d = sched.vectorize %c {axis = n, lanes = 8}\n", "register tile"),
    ],
)
def test_refusals(kernel: str, script: str, message: str) -> None:
    leaf = "%d" if "%d" in script else "%c"
    with pytest.raises(ScheduleError, match=message):
        schedule(kernel, script + f"%s, %f = sched.split_epilogue {leaf}")

"""sched.reverse: the order of blocks, and errors."""

from __future__ import annotations

import re

import pytest

from tilewright.support.diagnostics import ScheduleError

from ..kernels import assert_same_results, matmul, schedule

BOUND = (
    "%c = sched.match {name = mm}\n%w, %o = sched.cache_write %c\n"
    "%s = sched.split %o {axis = m, factor = 4, into = [mo, mi]}\n"
    "%b = sched.bind %s {axis = mo, thread = blockIdx.x}\n"
    "%p, %q = sched.compute_at %w, %b {axis = mo}\n"
)


def test_positions_count_from_the_end() -> None:
    done = assert_same_results(matmul(12, 6, 8), BOUND + "%r = sched.reverse %q {axis = mo}")
    assert re.search(r"%mo \* -4 \+ m\w* \+ 8", str(done.module))


@pytest.mark.parametrize(
    ("script", "rule"),
    [
        (BOUND + "%r = sched.reverse %q {axis = n}", "is in no loop n"),
        (
            "%c = sched.match {name = mm}\n%t, %i = sched.tile %c {m = 4}\n"
            "%r = sched.reverse %t {axis = m}",
            "order of the iterations|is in no loop",
        ),
    ],
)
def test_errors(script: str, rule: str) -> None:
    with pytest.raises(ScheduleError, match=rule):
        schedule(matmul(12, 6, 8), script)

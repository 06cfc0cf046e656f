"""sched.replicate: copies of results, which copy a reader reads, and errors."""

from __future__ import annotations

import pytest

from tilewright.dialects.loop import AllocOp
from tilewright.support.diagnostics import ScheduleError

from ..kernels import Scheduled, assert_same_loops, schedule, softmax

KERNEL = softmax(6, 16)
LARGEST = "%c = sched.match {name = mx}\n"
COPIES = "axis = copy, copies = 4, width = 2"


def shapes(done: Scheduled) -> list[tuple[int, ...]]:
    """Return the shapes of the local buffers."""
    return [op.res.type.get_shape() for op in done.kernel.walk() if isinstance(op, AllocOp)]


def test_adjacent_elements_read_the_same_copy() -> None:
    done = assert_same_loops(KERNEL, f"{LARGEST}sched.replicate %c {{{COPIES}}}", rtol=1e-6)
    assert (6, 4) in shapes(done)
    views = {op.label: op.view() for op in done.computes()}
    assert list(views["mx"].axes) == ["i", "copy", "j"]
    assert "j floordiv 2) mod 4" in str(done.module)


def test_handles_stay_valid() -> None:
    script = f"{LARGEST}sched.replicate %c {{{COPIES}}}\n"
    done = assert_same_loops(
        KERNEL,
        f"{script}%s = sched.split %c {{axis = i, factor = 3, into = [io, ii]}}",
        rtol=1e-6,
    )
    assert (6, 4) in shapes(done)


def test_computes_of_several_handles_use_their_own_copies() -> None:
    script = f"{LARGEST}%s = sched.match {{name = sm}}\nsched.replicate %c, %s {{{COPIES}}}"
    done = assert_same_loops(KERNEL, script, rtol=1e-6)
    assert shapes(done).count((6, 4)) == 2


@pytest.mark.parametrize(
    ("script", "rule"),
    [
        (f"{LARGEST}sched.replicate %c {{axis = copy, copies = 1}}", "too few copies"),
        (
            f"%c = sched.match {{name = dv}}\nsched.replicate %c {{{COPIES}}}",
            "argument of the kernel",
        ),
        (f"{LARGEST}sched.replicate %c {{axis = i, copies = 4}}", "has an axis i"),
        (
            f"{LARGEST}%s = sched.split %c {{axis = i, factor = 3}}\n"
            f"sched.replicate %s {{{COPIES}}}",
            "loops that are not made yet",
        ),
    ],
)
def test_errors(script: str, rule: str) -> None:
    with pytest.raises(ScheduleError, match=rule):
        schedule(KERNEL, script)

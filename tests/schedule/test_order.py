"""Schedules do not depend on the order of their statements, as in TVM.

Late statements must give the same program as statements in the order that a script requires; that
program is compared with numpy elsewhere, and here once for each form.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import permutations

import numpy as np
import pytest

import tilewright
from tilewright import te
from tilewright.support.diagnostics import ScheduleError

ROWS, COLUMNS = 12, 10


def chain() -> list[te.Tensor]:
    """Return X -> A -> B -> C -> D, where B and C read two rows each."""
    x = te.placeholder((ROWS + 2, COLUMNS), name="X")
    a = te.compute(x.shape, lambda i, j: x[i, j] + 1.0, name="A")
    b = te.compute((ROWS + 1, COLUMNS), lambda i, j: a[i, j] + a[i + 1, j], name="B")
    c = te.compute((ROWS, COLUMNS), lambda i, j: b[i, j] - b[i + 1, j], name="C")
    d = te.compute((ROWS, COLUMNS), lambda i, j: c[i, j] * 2.0, name="D")
    return [x, a, b, c, d]


def run(s: te.Schedule, args: list[te.Tensor], expected: Callable[..., np.ndarray]) -> None:
    """Compile and compare with numpy, on small integers."""
    rng = np.random.default_rng(0)
    arrays = [rng.integers(-3, 4, t.shape).astype("f4") for t in args if t.op.ir is None]
    np.testing.assert_array_equal(tilewright.build(s, args)(*arrays), expected(*arrays))


def test_stages_are_attached_in_any_order() -> None:
    programs: set[str] = set()
    for order in permutations(range(3)):
        x, a, b, c, d = chain()
        s = te.create_schedule(d.op)
        outer, inner = s[d].split(d.op.axis[0], factor=5)
        places = [(c, d, inner), (b, c, c.op.axis[1]), (a, d, outer)]
        for number in order:
            stage, consumer, axis = places[number]
            s[stage].compute_at(s[consumer], axis)
        programs.add("\n".join(map(str, s.kernels)))
        if order == (2, 1, 0):
            run(s, [x, d], lambda v: ((v[:-2] + 1) - (v[2:] + 1)) * 2)
    assert len(programs) == 1


def softmax() -> list[te.Tensor]:
    x = te.placeholder((6, 20), name="X")
    k, r = te.reduce_axis((0, 20), name="k"), te.reduce_axis((0, 20), name="r")
    largest = te.compute((6,), lambda i: te.max(x[i, k], axis=k), name="largest")
    e = te.compute(x.shape, lambda i, j: te.exp(x[i, j] - largest[i]), name="e")
    total = te.compute((6,), lambda i: te.sum(e[i, r], axis=r), name="total")
    return [x, largest, e, total, te.compute(x.shape, lambda i, j: e[i, j] / total[i], name="out")]


def test_a_stage_waits_for_those_that_read_it() -> None:
    programs: set[str] = set()
    for order in ((3, 2, 1), (1, 2, 3), (1, 3, 2)):
        x, *stages, out = softmax()
        s = te.create_schedule(out.op)
        for number in order:
            s[stages[number - 1]].compute_at(s[out], out.op.axis[0])
            if number == 1:
                s[stages[0]].double_buffer()
        assert not s.waiting
        programs.add("\n".join(map(str, s.kernels)))
    assert len(programs) == 1
    data = np.random.default_rng(0).random(x.shape, np.float32)
    e = np.exp(data - data.max(1, keepdims=True))
    got = tilewright.build(s, [x, out])(data)
    np.testing.assert_allclose(got, e / e.sum(1, keepdims=True), rtol=1e-5)


def test_what_waits_in_vain_is_named() -> None:
    x, largest, e, _, out = softmax()
    s = te.create_schedule(out.op)
    s[largest].compute_at(s[out], "i")
    assert "// waits: sched.compute_at in @largest: nothing in loop i of @out reads" in str(s)
    with pytest.raises(
        ScheduleError, match=r"nothing in loop i of @out.*\n.*expected: one of i, j of @e"
    ):
        tilewright.build(s, [x, out])
    s[largest].compute_root()
    assert not s.waiting
    with pytest.raises(ScheduleError, match="nothing in loop q of @out"):
        s[largest].compute_at(s[out], "q")
    with pytest.raises(ScheduleError, match="nothing in loop j of @e reads @out"):
        s[out].compute_at(s[e], "j")
    tilewright.build(s, [x, out])


def pair() -> list[te.Tensor]:
    x = te.placeholder((6, 8, 10), name="X")
    b = te.compute(x.shape, lambda i, j, k: x[i, j, k] + 1.0, name="B")
    return [x, b, te.compute(x.shape, lambda i, j, k: b[i, j, k] * 2.0, name="C")]


def test_loops_around_a_producer_are_arranged_after_it() -> None:
    programs: set[str] = set()
    for early in (True, False):
        x, b, c = pair()
        s = te.create_schedule(c.op)
        if early:
            s[b].compute_at(s[c], "j")
        outer, inner = s[c].split("i", factor=4)
        s[c].reorder(outer, "k", inner, "j")
        s[c].parallel(s[c].fuse(outer, "k"))
        if not early:
            s[b].compute_at(s[c], "j")
        programs.add("\n".join(map(str, s.kernels)))
        assert "loop.for parallel %iok" in str(s)
        run(s, [x, c], lambda v: (v + 1) * 2)
    assert len(programs) == 1


def test_a_loop_that_holds_a_producer_is_not_split() -> None:
    _, _, _, c, d = chain()
    s = te.create_schedule(d.op)
    s[c].compute_at(s[d], "i")
    before = str(s)
    with pytest.raises(ScheduleError, match="loop i of @D is made already"):
        s[d].split("i", factor=4)
    assert str(s) == before


def test_the_last_word_on_a_stage_counts() -> None:
    x, a, b, c, d = chain()
    plain = te.create_schedule(d.op)
    s = te.create_schedule(d.op, validate=True)
    s[c].compute_at(s[d], "j")
    s[c].compute_at(s[d], "i")
    s[b].compute_at(s[c], "j")
    assert str(s).count("sched.compute_at") == 2
    s[b].compute_root()
    s[c].compute_root()
    s[a].compute_inline()
    s[a].compute_root()
    assert [str(k) for k in s.kernels] == [str(k) for k in plain.kernels]
    s[a].compute_inline()
    assert s.stages == ["B", "C", "D"]
    run(s, [x, d], lambda v: ((v[:-2] + 1) - (v[2:] + 1)) * 2)


def test_buffers_of_a_loop_are_described_before_it() -> None:
    for method in ("double_buffer", "rolling_buffer"):
        programs: set[str] = set()
        for early in (True, False):
            x, _, b, c, d = chain()
            s = te.create_schedule(d.op)
            s[c].compute_inline()
            if early:
                getattr(s[b], method)()
                assert len(s.waiting) == 1
            s[b].compute_at(s[d], d.op.axis[0])
            if not early:
                getattr(s[b], method)()
            assert not s.waiting
            programs.add("\n".join(map(str, s.kernels)))
        assert len(programs) == 1
        run(s, [x, d], lambda v: ((v[:-2] + 1) - (v[2:] + 1)) * 2)


def test_what_was_inlined_can_still_be_copied() -> None:
    programs: set[str] = set()
    for inline_first in (True, False):
        x, a, b, _, d = chain()
        s = te.create_schedule(d.op, validate=True)
        if inline_first:
            s[a].compute_inline()
        copy = s.cache_read(a, "shared", [b])
        if not inline_first:
            s[a].compute_inline()
        copy.compute_at(s[b], "i")
        programs.add("\n".join(map(str, s.kernels)))
    assert len(programs) == 1
    run(s, [x, d], lambda v: ((v[:-2] + 1) - (v[2:] + 1)) * 2)

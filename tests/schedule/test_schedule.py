"""Schedules in Python: the classic TVM tutorials, in our spelling."""

from __future__ import annotations

import numpy as np
import pytest
from xdsl.parser import Parser

import tilewright
from tilewright import te
from tilewright.dialects import sched
from tilewright.dialects.te import kernels_of
from tilewright.passes.schedule.apply_schedule import ApplySchedule
from tilewright.passes.schedule.engine import nest
from tilewright.passes.te.bufferize import Bufferize
from tilewright.support.diagnostics import ScheduleError
from tilewright.support.registry import new_context
from tilewright.testing.fuzz.draw import Draw
from tilewright.testing.fuzz.te_programs import TE_PROGRAMS


def product(m: int = 20, n: int = 33, k: int = 12) -> tuple[te.Tensor, ...]:
    a, b = te.placeholder((m, k), name="A"), te.placeholder((k, n), name="B")
    r = te.reduce_axis((0, k), name="k")
    c = te.compute((m, n), lambda i, j: te.sum(a[i, r] * b[r, j], axis=r), name="C")
    d = te.compute((m, n), lambda x, y: te.maximum(c[x, y], 0.0), name="D")
    return a, b, c, d


@pytest.mark.slow
def test_adding_vectors() -> None:
    a, b = te.placeholder((100,), name="A"), te.placeholder((100,), name="B")
    c = te.compute((100,), lambda i: a[i] + b[i], name="C")
    s = te.create_schedule(c.op, validate=True)
    outer, inner = s[c].split(c.op.axis[0], factor=32)
    s[c].parallel(outer)
    s[c].vectorize(inner)
    mod = tilewright.build(s, [a, b, c], name="vecadd")
    x, y = np.random.default_rng(0).random((2, 100), dtype=np.float32)
    out = np.zeros(100, np.float32)
    mod(x, y, out)
    np.testing.assert_array_equal(out, x + y)
    out[:] = 0
    mod["vecadd"](x, y, out)
    np.testing.assert_array_equal(out, x + y)


@pytest.mark.slow
def test_a_blocked_product_with_buffers() -> None:
    a, b, c, d = product()
    s = te.create_schedule(d.op, validate=True)
    xo, yo, _, yi = s[d].tile(*d.op.axis, 8, 16)
    s[c].compute_at(s[d], yo)
    ko, ki = s[c].split(c.op.reduce_axis[0], factor=5)
    s[c].reorder(ko, *c.op.axis, ki)
    copy = s[c].cache_read(a)
    copy.compute_at(s[c], ko)
    s[c].vectorize(c.op.axis[1])
    s[d].vectorize(yi)
    s[d].parallel(xo)
    assert s[c].loops[0] == ko
    mod = tilewright.build(s, [a, b, d])
    x, y = (np.random.default_rng(1).integers(-3, 4, t.shape).astype("f4") for t in (a, b))
    np.testing.assert_array_equal(np.asarray(mod(x, y)), np.maximum(x @ y, 0))


def test_the_script_replays_to_the_same_program() -> None:
    a, b, c, d = product()
    s = te.create_schedule([d.op])
    s[c].split("i", nparts=3)
    s[d].reverse_compute_at(c, "io")
    s[c].unroll("ii")
    program = s.program([a, b, d])
    Bufferize().apply(new_context(), program)
    again = Parser(new_context(), str(program)).parse_module()
    ApplySchedule().apply(new_context(), again)
    assert [str(k) for k in kernels_of(again)] == [str(k) for k in s.kernels]


def test_an_illegal_step_changes_nothing() -> None:
    *_, c, d = product()
    s = te.create_schedule(d.op)
    s[c].split("i", factor=4)
    before = str(s)
    with pytest.raises(ScheduleError, match="@C has no loop zz"):
        s[c].unroll("zz")
    with pytest.raises(ScheduleError, match="nothing in loop j of @C reads @D"):
        s[d].compute_at(s[c], "j")
    assert str(s) == before
    s[c].unroll("ii")
    assert "unroll" in s.script


def test_steps_take_loops_that_others_gave() -> None:
    a, b, c, d = product()
    s = te.create_schedule(d.op, validate=True)
    leaf, rows, columns = s.step(sched.TileOp, [d], {"x": 6, "y": 16})
    assert (leaf, rows, columns) == ("D", "%D_loop", "%D_loop1")
    (rows,) = s.step(sched.ParallelOp, [rows], {})
    s.step(sched.FuseIntoOp, [c, columns], {})
    s.step(sched.VectorizeOp, [d], {"axis": "y", "lanes": 8})
    with pytest.raises(
        ScheduleError, match="%D_loop no longer refers to loops\n    expected: %D_lo"
    ):
        s.step(sched.AnnotateOp, ["%D_loop"], {"key": "note", "value": 1})
    s.step(sched.AnnotateOp, [rows], {"key": "note", "value": 1})
    assert "sched.fuse_into %C, %D_loop1" in s.script
    x, y = (np.random.default_rng(1).integers(-3, 4, t.shape).astype("f4") for t in (a, b))
    np.testing.assert_array_equal(tilewright.build(s, [a, b, d])(x, y), np.maximum(x @ y, 0))


def test_stages_that_steps_make() -> None:
    *_, d = product()
    s = te.create_schedule(d.op)
    inner = s[d].cache_write()
    assert (inner.name, s[d].name) == ("D_local", "D")
    assert s.stages == ["C", "D_local", "D"]
    assert inner.op.axis == ("x", "y")
    with pytest.raises(ScheduleError, match="no stage E\n    expected: one of C, D_local, D"):
        _ = s["E"]
    shown = s._repr_html_()
    assert '<h3>script</h3><pre><span class="tw-op">sched.script</span> ' in shown
    assert '<h3>program</h3><pre><span class="tw-op">te.kernel</span> ' in shown


def test_lanes_are_those_of_the_target() -> None:
    *_, d = product()
    for target, lanes in (("llvm -mcpu=x86-64-v3", 8), ("llvm -mcpu=x86-64", 4)):
        s = te.create_schedule(d.op, target=target)
        s[d].vectorize("y")
        assert f"lanes = {lanes}" in s.script


def test_a_step_that_changes_a_result_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    *_, d = product(6, 6, 4)
    s = te.create_schedule(d.op, validate=True)
    s["C"].split("i", factor=4)
    real = nest.narrow
    monkeypatch.setattr(nest, "narrow", lambda v, a, f, n: real(v, a, f, max(1, n - 1)))
    with pytest.raises(ScheduleError, match=r"step 3 of 3, .*sched.reorder"):
        s["C"].reorder("ii", "io")


def test_a_schedule_without_steps_is_planned() -> None:
    a, b, _, d = product()
    planned, empty = (tilewright.build(x, [a, b, d]) for x in ([d], te.create_schedule(d.op)))
    assert empty.code == planned.code


def test_a_tensor_in_between_may_be_an_output() -> None:
    a, b, c, d = product()
    s = te.create_schedule(d.op)
    rows, _ = s[d].split(d.op.axis[0], factor=6)
    s[c].compute_at(s[d], rows)
    s.cache_read(a, "local", [c]).compute_at(s[c], c.op.reduce_axis[0])
    x, y = (np.random.default_rng(1).integers(-3, 4, t.shape).astype("f4") for t in (a, b))
    product_of_both, positive = tilewright.build(s, [a, b, c, d])(x, y)
    np.testing.assert_array_equal(product_of_both, x @ y)
    np.testing.assert_array_equal(positive, np.maximum(x @ y, 0))
    np.testing.assert_array_equal(tilewright.build(s, [a, b, d])(x, y), np.maximum(x @ y, 0))


def test_only_kernels_of_cpus_have_borders() -> None:
    """A recurrence: a kernel reads before the first element of a value of another kernel."""
    tensors = TE_PROGRAMS["recurrence"](Draw("schedule recurrence 750030 0 False"))
    stages = te.create_schedule([t.op for t in tensors], target="llvm").stages
    assert stages == ["H", "G", "L", "F", "F_row", "halo", "S", "O"]
    stages.remove("halo")
    assert te.create_schedule([t.op for t in tensors], target="opencl").stages == stages

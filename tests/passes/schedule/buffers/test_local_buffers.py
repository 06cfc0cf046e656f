"""sched.cache_write, set_scope, storage_align, transform_layout: the storage of results."""

from __future__ import annotations

import pytest
from xdsl.dialects.builtin import MemRefType

from tilewright.dialects.loop import AllocOp
from tilewright.lowering.loop_to_llvm import emit_kernel
from tilewright.lowering.te_to_loop.te_to_loop import lower_kernel
from tilewright.machines.target import Target
from tilewright.support.diagnostics import LoweringError

from ..kernels import (
    Scheduled,
    argmax,
    assert_same_loops,
    assert_same_results,
    conv_chain,
    matmul,
    schedule,
    softmax,
)

MATCH = "%c = sched.match {name = mm}\n"


def shapes(done: Scheduled) -> list[tuple[int, ...]]:
    """Return the shapes of the local buffers."""
    allocs = [op for op in done.kernel.walk() if isinstance(op, AllocOp)]
    return [a.res.type.get_shape() for a in allocs if isinstance(a.res.type, MemRefType)]


def test_cache_write_copies_the_output() -> None:
    done = assert_same_loops(matmul(10, 6, 4), MATCH + "%w, %o = sched.cache_write %c")
    assert shapes(done) == [(10, 6)]
    assert [op.label for op in done.computes()] == ["mm_local", "mm"]


def test_the_compute_is_placed_in_a_loop_of_the_copy() -> None:
    done = assert_same_loops(
        matmul(10, 6, 4, "i32"),
        MATCH + "%w, %o = sched.cache_write %c\n%t, %i = sched.tile %o {m = 4}\n"
        "%f = sched.fuse_into %w, %i\n%r = sched.relayout %f {map = affine_map<(m, n) -> (n, m)>}",
    )
    assert shapes(done) == [(6, 4), (6, 2)]


def test_every_leaf_has_a_buffer_of_its_own() -> None:
    done = assert_same_loops(
        matmul(10, 6, 4),
        MATCH + "%t, %i = sched.tile %c {m = 4}\n%w, %o = sched.cache_write %t",
    )
    assert shapes(done) == [(4, 6), (2, 6)]


def test_one_of_several_outputs_is_cached() -> None:
    script = "%c = sched.match {name = am}\n%w, %o = sched.cache_write %c {out = 1}"
    done = assert_same_loops(argmax(4, 7), script)
    assert [op.label for op in done.computes()] == ["am_local", "am"]


def test_what_is_cached_is_stored_through_the_old_layout() -> None:
    done = assert_same_results(
        softmax(6, 8),
        "%e = sched.match {name = ex}\n"
        "%r = sched.relayout %e {map = affine_map<(i, j) -> (j floordiv 4, i, j mod 4)>}\n"
        "%w, %o = sched.cache_write %r",
        rtol=1e-6,
    )
    assert (8, 6) in shapes(done)


def test_a_scope_is_carried_to_the_loop_level() -> None:
    done = assert_same_loops(
        matmul(10, 6, 4),
        MATCH + "%w, %o = sched.cache_write %c {scope = shared}\n%t, %i = sched.tile %o {m = 5}\n"
        "%f = sched.fuse_into %w, %i\n%r, %u = sched.cache_read %f {operand = 0}\n"
        "%s = sched.set_scope %r {scope = warp}",
    )
    function = lower_kernel(done.kernel)
    scopes = [op.scope.data for op in function.walk() if isinstance(op, AllocOp)]
    assert sorted(scopes) == ["shared", "warp"]


def test_a_cpu_refuses_memory_that_it_does_not_have() -> None:
    script = MATCH + "%w, %o = sched.cache_write %c {scope = warp}"
    function = lower_kernel(schedule(matmul(4, 4, 4), script).kernel)
    with pytest.raises(LoweringError, match="no memory of scope warp\n    expected: one of local"):
        emit_kernel(function, Target("llvm -mcpu=x86-64"))


def test_shared_memory_is_memory_of_the_task() -> None:
    script = MATCH + "%w, %o = sched.cache_write %c {scope = shared}"
    function = lower_kernel(schedule(matmul(4, 4, 4), script).kernel)
    assert "alloca [16 x float]" in emit_kernel(function, Target("llvm -mcpu=x86-64"))


@pytest.mark.parametrize(("stride", "pad", "shape"), [(1, 1, (3, 9, 8)), (2, 0, (3, 7, 5))])
def test_a_copy_of_a_window_includes_the_padding(
    stride: int, pad: int, shape: tuple[int, ...]
) -> None:
    """The copy has no row or column that no window reads."""
    done = assert_same_loops(
        conv_chain(7, 6, stride, pad),
        "%c = sched.match {name = conv}\n%x, %d = sched.cache_read %c {operand = 0, window = 1}\n"
        "%r = sched.relayout %x {out = 0, map = affine_map<(c, h, w) -> (h, w, c)>}",
    )
    (conv,) = done.computes("conv")
    image = conv.view().inputs[0]
    assert image.shape == (*shape[1:], shape[0])
    assert image.pad is None


@pytest.mark.parametrize(
    ("factor", "offset", "shape"), [(8, 0, (10, 8)), (8, 4, (10, 12)), (16, 1, (10, 17))]
)
def test_a_stride_is_aligned(factor: int, offset: int, shape: tuple[int, int]) -> None:
    done = assert_same_loops(
        matmul(10, 6, 4),
        MATCH + "%w, %o = sched.cache_write %c\n"
        f"%s = sched.storage_align %w {{axis = m, factor = {factor}, offset = {offset}}}",
    )
    assert shapes(done) == [shape]


def test_the_stride_of_an_outer_dimension_is_aligned() -> None:
    done = assert_same_loops(
        conv_chain(6, 6, 1, 0),
        "%c = sched.match {name = conv}\n%s = sched.storage_align %c {axis = o, factor = 32}",
    )
    assert (4, 8, 4) in shapes(done)


PLAIN = "affine_map<(i, j) -> (j, i)>"
BLOCKED = "affine_map<(i, j) -> (i floordiv 4, j, i mod 4)>"


def test_a_layout_of_an_argument_is_made_by_a_copy() -> None:
    done = assert_same_loops(
        matmul(10, 6, 4),
        MATCH + f"%t = sched.transform_layout %c {{operand = 0, map = {BLOCKED}}}\n"
        f"%u = sched.transform_layout %t {{out = 0, map = {PLAIN}}}",
    )
    assert [op.label for op in done.computes()] == ["mm_in0", "mm", "mm_out0"]
    assert shapes(done) == [(3, 4, 4), (6, 10)]


def test_a_layout_of_a_weight_is_packed() -> None:
    script = MATCH + f"%t = sched.transform_layout %c {{operand = 1, map = {PLAIN}}}"
    assert list(assert_same_results(matmul(10, 6, 4), script).kernel.pack_maps) == [1]


def test_a_layout_of_a_local_buffer_is_changed_where_it_is() -> None:
    for name, which in (("ex", "out"), ("dv", "operand")):
        step = f"%t = sched.transform_layout %c {{{which} = 0, map = {PLAIN}}}"
        script = f"%c = sched.match {{name = {name}}}\n{step}"
        done = assert_same_loops(softmax(4, 6), script, rtol=1e-6)
        assert (6, 4) in shapes(done)
        assert len(done.computes()) == 4

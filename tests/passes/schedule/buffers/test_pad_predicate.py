"""sched.pad_einsum, set_store_predicate, annotate, prefetch: extents, predicates, annotations."""

from __future__ import annotations

import pytest

from tilewright.dialects.annotations import ANNOTATIONS
from tilewright.dialects.loop import ForOp, PrefetchOp, StoreOp
from tilewright.lowering.te_to_loop.te_to_loop import lower_kernel

from ..kernels import argmax, assert_same_loops, conv_chain, matmul, parse, schedule

MATCH = "%c = sched.match {name = mm}\n"


@pytest.mark.parametrize("sizes", ["m = 8", "n = 4", "k = 8", "m = 4, n = 8, k = 16", "m = 5"])
@pytest.mark.parametrize("dtype", ["f32", "i32"])
def test_extents_are_padded(sizes: str, dtype: str) -> None:
    done = assert_same_loops(
        matmul(10, 6, 5, dtype), MATCH + f"%p = sched.pad_einsum %c {{{sizes}}}"
    )
    (op,) = done.computes("mm")
    wanted = dict(part.split(" = ") for part in sizes.split(", "))
    assert all(op.view().axes[a] % int(n) == 0 for a, n in wanted.items())


def test_operands_that_are_large_enough_are_not_copied() -> None:
    done = assert_same_loops(matmul(10, 6, 5), MATCH + "%p = sched.pad_einsum %c {m = 8}")
    assert [op.label for op in done.computes()] == ["mm_in0", "mm", "mm_out0"]


@pytest.mark.parametrize("sizes", ["m = 8", "n = 4", "k = 8", "m = 4, n = 8, k = 16"])
@pytest.mark.parametrize("dtype", ["f32", "i32"])
def test_a_clipped_compute_stores_what_lies_inside(sizes: str, dtype: str) -> None:
    """The sums of all points are kept in a buffer, and what follows from them is clipped."""
    pad = MATCH + f"%p = sched.pad_einsum %c {{clip = 1, {sizes}}}\n"
    assert_same_loops(matmul(10, 6, 5, dtype), pad)
    done = assert_same_loops(
        matmul(10, 6, 5, dtype), pad + "%s, %f = sched.cache_write %p {sums = 1}"
    )
    (sums,), (finish,) = done.computes("mm_local"), done.computes("mm")
    assert not sums.then.blocks
    assert not finish.view().reduced_axes()
    assert (finish.view().outputs[0].clip is not None) == (sizes != "k = 8")


def test_a_padded_compute_is_tiled_and_its_copies_are_placed() -> None:
    script = (
        "%p = sched.pad_einsum %c {m = 4, k = 4}\n%o = sched.match {name = mm_out0}\n"
        "%t, %i = sched.tile %o {m = 4}\n%f = sched.fuse_into %p, %i\n"
        "%a = sched.match {name = mm_in0}\n%g = sched.fuse_into %a, %i"
    )
    assert_same_loops(matmul(10, 6, 5), MATCH + script)


def test_channels_of_a_convolution_are_padded() -> None:
    script = "%c = sched.match {name = conv}\n%p = sched.pad_einsum %c {o = 8, w = 4}"
    assert_same_loops(conv_chain(7, 6, 1, 0), script)
    assert_same_loops(conv_chain(7, 6, 2, 1), script)


def test_rows_of_an_argmax_are_padded() -> None:
    assert_same_loops(
        argmax(5, 7), "%c = sched.match {name = am}\n%p = sched.pad_einsum %c {i = 4}"
    )


TWO_WRITERS = """
te.kernel @k(%X: memref<8x4xf32>, %Z: memref<3x4xf32>, %Y: memref<8x4xf32>) {
  te.compute @whole [i: 8, j: 4]
    ins(%X[i, j] : memref<8x4xf32>) outs(%Y[i, j] : memref<8x4xf32>)
    body(%x: f32) {
      %r = arith.addf %x, %x : f32
      te.yield %r : f32
    }
  te.compute @late [i: 3, j: 4]
    ins(%Z[i, j] : memref<3x4xf32>) outs(%Y[i + 5, j] : memref<8x4xf32>)
    body(%x: f32) {
      te.yield %x : f32
    }
  te.return
}
"""


WHOLE_AGAIN = """te.compute @again [i: 8, j: 4]
    ins(%X[i, j] : memref<8x4xf32>) outs(%Y[i, j] : memref<8x4xf32>)
    body(%x: f32) {
      te.yield %x : f32
    }
"""


def test_what_is_overwritten_need_not_be_stored() -> None:
    script = "%c = sched.match {name = whole}\n%p = sched.set_store_predicate %c {i = [0, 5]}"
    done = assert_same_loops(TWO_WRITERS, script)
    assert done.computes("whole")[0].view().outputs[0].clip == ((0, 5), (0, 4))


def test_a_condition_on_loops() -> None:
    script = (
        "%c = sched.match {name = whole}\n"
        "%s = sched.split %c {axis = i, factor = 3, into = [io, ii]}\n"
        "%t = sched.split %s {axis = io, factor = 2, into = [ioo, ioi]}\n"
        "%p = sched.set_store_predicate %t {ioo = [0, 1], j = [0, 4]}"
    )
    done = assert_same_loops(TWO_WRITERS, script)
    clips = {op.view().outputs[0].clip for op in done.computes("whole")}
    assert clips == {((0, 6), (0, 4))}


def test_a_condition_on_an_index_with_an_offset() -> None:
    text = TWO_WRITERS.replace("te.return", WHOLE_AGAIN + "  te.return")
    script = "%c = sched.match {name = late}\n%p = sched.set_store_predicate %c {i = [1, 3]}"
    done = assert_same_loops(text, script)
    assert done.computes("late")[0].view().outputs[0].clip == ((6, 8), (0, 4))


def test_a_reduction_is_stored_once_whichever_iteration_does_it() -> None:
    script = (
        "%s = sched.split %c {axis = k, factor = 2, into = [ko, ki]}\n"
        "%p = sched.set_store_predicate %s {ki = [0, 1], k = [4, 5]}"
    )
    assert_same_loops(matmul(10, 6, 5), MATCH + script)


def test_partial_results_are_stored_without_the_condition() -> None:
    script = (
        "%p = sched.set_store_predicate %c {m = [0, 10]}\n"
        "%r, %f = sched.rfactor %p {axis = k, factor = 2, into = [ko, ki]}"
    )
    assert_same_loops(matmul(10, 6, 5), MATCH + script)


def test_a_condition_that_always_holds() -> None:
    script = MATCH + "%p = sched.set_store_predicate %c {m = [0, 10], n = [0, 6]}"
    assert_same_loops(matmul(10, 6, 5), script)


def test_what_nobody_reads_need_not_be_stored() -> None:
    script = (
        "%p = sched.pad_einsum %c {m = 8}\n"
        "%s = sched.set_store_predicate %p {m = [0, 10]}\n%t, %i = sched.tile %s {m = 8}"
    )
    assert_same_loops(matmul(10, 6, 5), MATCH + script)


def test_annotations_are_carried_to_the_loop_level() -> None:
    script = (
        "%t, %i = sched.tile %c {m = 2}\n%a = sched.annotate %t {key = unroll_hint, value = 4}\n"
        "%b = sched.annotate %a {key = author, value = me}\n%l = sched.annotate %i {key = outer}"
    )
    done = assert_same_loops(matmul(4, 4, 4), MATCH + script)
    function = lower_kernel(done.kernel)
    outer, inner = [op for op in function.walk() if isinstance(op, ForOp)][:2]
    assert str(outer.properties[ANNOTATIONS]) == "{outer = 1 : i64}"
    assert str(inner.properties[ANNOTATIONS]) == '{unroll_hint = 4 : i64, author = "me"}'
    text = str(function)
    assert str(parse(text).body.block.first_op) == text


def test_stores_have_the_annotations_of_a_leaf_without_loops() -> None:
    script = "%t, %i = sched.tile %c {i = 1}\n%a = sched.annotate %t {key = note, value = 7}"
    kernel = TWO_WRITERS.replace("@whole", "@other").replace("@late", "@c", 1)
    script = "%c = sched.match {name = c}\n%v = sched.vectorize %c {axis = j, lanes = 4}\n" + script
    done = schedule(kernel, script.replace("tile %c", "tile %v"))
    function = lower_kernel(done.kernel)
    stores = [op for op in function.walk() if isinstance(op, StoreOp)]
    assert [ANNOTATIONS in op.properties for op in stores].count(True) == 1
    text = str(function)
    assert str(parse(text).body.block.first_op) == text


def test_an_annotated_loop_stays() -> None:
    script = "%t, %i = sched.tile %c {m = 4}\n%a = sched.annotate %i {key = mark}"
    done = schedule(matmul(4, 4, 4), MATCH + script)
    assert any(isinstance(op, ForOp) for op in done.kernel.walk())


@pytest.mark.parametrize("first", [True, False])
def test_a_prefetch_is_declared_before_or_after_vectors(first: bool) -> None:
    steps = [
        "sched.prefetch {} {{operand = 1, axis = k, offset = 2}}",
        "sched.vectorize {} {{axis = n, lanes = 4}}",
    ]
    steps = steps if first else steps[::-1]
    script = f"%a = {steps[0].format('%c')}\n%b = {steps[1].format('%a')}"
    done = assert_same_loops(matmul(2, 8, 6), MATCH + script)
    (op,) = done.computes("mm")
    assert op.view().tile["prefetch"] == 16
    assert any(isinstance(op, PrefetchOp) for op in lower_kernel(done.kernel).walk())

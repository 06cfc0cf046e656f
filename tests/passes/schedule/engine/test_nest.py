"""Pending nests: their text, the resulting loops, and no other changes."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tilewright.dialects.loop import ForOp
from tilewright.dialects.te import LoopNest
from tilewright.dialects.te.loop_nest import Fuse, NestLoop, Split
from tilewright.passes.schedule.interpreter import ScriptRun
from tilewright.support.diagnostics import ScheduleError, TypeMismatch

from ..kernels import (
    Scheduled,
    argmax,
    assert_same_loops,
    assert_same_results,
    conv_chain,
    matmul,
    parse,
    softmax,
)

C = "%c = sched.match {name = mm}\n"


def loops_of(done: Scheduled) -> list[str]:
    return [op.variable.name_hint or "" for op in done.kernel.walk() if isinstance(op, ForOp)]


def tiles_of(done: Scheduled, name: str) -> list[dict[str, int | str]]:
    return [op.view().tile for op in done.computes(name)]


def test_the_nest_is_printed_and_parsed_back() -> None:
    module = parse(matmul(20, 32, 8))
    (kernel,) = (op for op in module.ops if op.name == "te.kernel")
    (op,) = (op for op in kernel.walk() if op.name == "te.compute")
    relations = (Split("m", "mo", "mi", 6), Fuse("mn", ("mo", "n")))
    order = (NestLoop("mn", "parallel"), NestLoop("k", "unroll", 4), NestLoop("mi", "vector", 8))
    op.update(replace(op.view(), nest=LoopNest(order, relations)))
    text = str(module)
    nest = "nest [mn parallel, k unroll 4, mi vector 8] with (m = mo * 6 + mi, mn = [mo, n])"
    assert nest in text
    assert str(parse(text)) == text


@pytest.mark.parametrize(
    ("nest", "message"),
    [
        ("nest [m, n]", "loops m, n are not m, n, k"),
        ("nest [mo, n, k] with (m = mo * 4 + mi)", "loops mo, n, k are not n, k, mo, mi"),
        ("nest [m, n, k] with (z = zo * 4 + zi)", "takes what is no loop"),
        ("nest [m vector 4, n vector 4, k]", "two loops are vectors"),
        ("nest [m bind blockIdx.x, n bind blockIdx.x, k]", "bound to one thread"),
    ],
)
def test_a_nest_is_verified(nest: str, message: str) -> None:
    text = matmul(20, 32, 8).replace("    body(", f"    {nest}\n    body(", 1)
    with pytest.raises(TypeMismatch, match=message):
        parse(text)


def test_blocks_that_do_not_divide_leave_a_smaller_one() -> None:
    done = assert_same_results(
        matmul(20, 33, 8),
        C + "%a = sched.split %c {axis = m, factor = 6}\n"
        "%b = sched.split %a {axis = n, factor = 16}\n"
        "%d = sched.reorder %b {axes = [mo, no, k, mi, ni]}\n"
        "%e = sched.unroll %d {axis = mi}\n%f = sched.vectorize_axis %e {axis = ni, lanes = 8}",
    )
    axes = [op.view().axes for op in done.computes("mm")]
    assert [(a["mi"], a["ni"]) for a in axes] == [(6, 16), (6, 1), (2, 16), (2, 1)]
    assert tiles_of(done, "mm") == [{"vec": "ni", "lanes": 8}] * 4


def test_parts_of_a_reduction_that_are_swept_in_order_become_one_axis() -> None:
    done = assert_same_results(
        matmul(4, 8, 18),
        C + "%a = sched.split %c {axis = k, factor = 4}\n%b = sched.unroll %a {axis = ki}\n"
        "%d = sched.vectorize_axis %b {axis = n, lanes = 8}",
    )
    (op,) = done.computes("mm")
    assert op.view().tile == {"vec": "n", "lanes": 8}
    assert op.view().unrolls == {"k": 4}


def test_a_reduced_loop_outside_accumulates_in_memory() -> None:
    done = assert_same_results(
        matmul(6, 5, 9),
        C + "%a = sched.split %c {axis = k, factor = 4}\n"
        "%b = sched.reorder %a {axes = [ko, m, n, ki]}",
    )
    views = [op.view() for op in done.computes("mm")]
    assert [v.outputs[0].init is not None for v in views] == [True, False, False]
    assert [bool(v.then.blocks) for v in views] == [False, False, True]


@pytest.mark.parametrize("dtype", ["f32", "i32"])
@pytest.mark.parametrize("m", [8, 10, 3])
def test_an_inner_part_outside_of_its_outer_part(m: int, dtype: str) -> None:
    assert_same_results(
        matmul(m, 7, 10, dtype),
        C
        + "%a = sched.split %c {axis = m, factor = 4}\n%b = sched.split %a {axis = k, factor = 3}\n"
        "%d = sched.reorder %b {axes = [mi, ki, mo, ko]}",
    )


@pytest.mark.parametrize("m", [3, 8, 10])
def test_a_guarded_split_has_one_loop_for_all_blocks(m: int) -> None:
    done = assert_same_loops(
        matmul(m, 7, 6),
        C + "%a = sched.split %c {axis = m, factor = 4, guard = 1}\n"
        "%b = sched.bind %a {axis = mo, thread = blockIdx.x}\n"
        "%d = sched.bind %b {axis = mi, thread = threadIdx.x}",
    )
    block, thread = [op for op in done.kernel.walk() if isinstance(op, ForOp)][:2]
    assert block.static_bounds == (0, -(-m // 4))
    assert thread.enclosing_bounds == (0, min(m, 4))
    assert thread.is_static == (m != 10)


def test_a_guarded_loop_is_never_in_the_leaf() -> None:
    done = assert_same_loops(
        matmul(10, 7, 6), C + "%a = sched.split %c {axis = m, factor = 4, guard = 1}"
    )
    assert loops_of(done)[:2] == ["mo", "mi"]


def test_the_text_of_a_guarded_split_is_parsed_back() -> None:
    text = matmul(20, 32, 8).replace(
        "    body(", "    nest [mo, n, mi, k] with (m = mo * 6 + mi guarded)\n    body(", 1
    )
    assert "with (m = mo * 6 + mi guarded)" in str(parse(str(parse(text))))


def test_fused_loops_of_ragged_blocks() -> None:
    done = assert_same_results(
        matmul(10, 7, 4),
        C
        + "%a = sched.split %c {axis = m, factor = 4}\n%b = sched.split %a {axis = n, factor = 3}\n"
        "%d = sched.reorder %b {axes = [mo, no, mi, ni]}\n%e = sched.fuse %d {axes = [mo, no]}\n"
        "%f = sched.parallel_axis %e {axis = mono}",
    )
    assert loops_of(done) == ["mono"] * 4


def test_a_vector_along_fused_loops_stays_contiguous() -> None:
    done = assert_same_results(
        conv_chain(5, 7, 1, 0),
        "%d = sched.match {name = double}\n%f = sched.fuse %d {axes = [c, h, w], into = all}\n"
        "%s = sched.split %f {axis = all, factor = 16}\n"
        "%v = sched.vectorize_axis %s {axis = alli, lanes = 8}",
    )
    assert {t["vec"] for t in tiles_of(done, "double")} == {"alli"}


def test_splits_of_splits() -> None:
    for order in ("moo, k, moi, n, mi", "mi, moi, n, moo, k"):
        assert_same_results(
            matmul(23, 3, 4),
            C + "%a = sched.split %c {axis = m, factor = 3}\n"
            "%b = sched.split %a {axis = mo, nparts = 3}\n"
            f"%d = sched.reorder %b {{axes = [{order}]}}",
        )


def test_without_marks_nothing_but_the_order_of_the_leaf_changes() -> None:
    done = assert_same_results(matmul(6, 5, 9), C + "%a = sched.reorder %c {axes = [n, m]}")
    (op,) = done.computes("mm")
    assert list(op.view().axes) == ["n", "m", "k"]


def test_a_reduction_with_a_combine_region() -> None:
    done = assert_same_results(
        argmax(4, 10),
        "%c = sched.match {name = am}\n%a = sched.split %c {axis = j, factor = 4}\n"
        "%b = sched.reorder %a {axes = [jo, i, ji]}",
    )
    assert len(done.computes("am")) > 1


def test_bound_loops_stay_and_say_to_what() -> None:
    done = assert_same_results(
        matmul(8, 4, 4),
        C + "%a = sched.bind %c {axis = m, thread = blockIdx.x}\n"
        "%b = sched.bind %a {axis = n, thread = threadIdx.x}",
    )
    assert "loop.for bind blockIdx.x %m = 0 to 8" in str(done.kernel)
    assert "loop.for bind threadIdx.x %n = 0 to 4" in str(done.kernel)


@pytest.mark.parametrize("kind", ["bind warp.x", "parallel bind blockIdx.x"])
def test_a_loop_is_bound_to_a_thread_of_a_gpu(kind: str) -> None:
    text = "te.kernel @k() {{\n  loop.for {} %i = 0 to 4 {{\n  }}\n  te.return\n}}"
    parse(text.format("bind threadIdx.z"))
    with pytest.raises(TypeMismatch, match="a bound loop must be serial"):
        parse(text.format(kind))


def test_compute_at_a_loop_that_is_made_already() -> None:
    done = assert_same_results(
        softmax(9, 30),
        "".join(f"%{n} = sched.match {{name = {n}}}\n" for n in ("mx", "ex", "sm", "dv"))
        + "%s = sched.split %dv {axis = i, factor = 4}\n"
        "%a, %d1 = sched.compute_at %sm, %s {axis = io}\n"
        "%b, %d2 = sched.compute_at %ex, %d1 {axis = io}\n"
        "%e, %d3 = sched.compute_at %mx, %d2 {axis = io}\n"
        "%p = sched.parallel_axis %d3 {axis = io}",
        rtol=1e-6,
    )
    assert [len(done.computes(n)) for n in ("mx", "ex", "sm", "dv")] == [2, 2, 2, 2]


def test_reverse_compute_at_shrinks_the_buffer() -> None:
    done = assert_same_results(
        conv_chain(9, 9, 1, 1),
        "%c = sched.match {name = conv}\n%r = sched.match {name = relu}\n"
        "%s = sched.split %c {axis = h, factor = 4}\n"
        "%a, %b = sched.reverse_compute_at %r, %s {axis = ho}",
    )
    shapes = [str(op.res.type) for op in done.kernel.walk() if op.name == "loop.alloc"]
    assert "memref<1x4x9xf32>" in shapes
    assert "memref<4x9x9xf32>" not in shapes


def test_inlined_consumers_keep_their_handles() -> None:
    done = assert_same_results(
        conv_chain(6, 6, 1, 0),
        "%d = sched.match {name = double}\n%c = sched.match {name = conv}\n"
        "%s = sched.split %c {axis = h, factor = 2}\nsched.compute_inline %d\n"
        "%t = sched.vectorize_axis %s {axis = w, lanes = 4}",
    )
    assert not done.computes("double")


def test_a_step_at_a_time() -> None:
    steps = "%s = sched.split %c {axis = m, factor = 3}\n%t = sched.split %s {axis = m, factor = 3}"
    module = parse(matmul(8, 8, 8) + "sched.script @k {\n" + C + steps + "\n}")
    script = next(op for op in module.ops if op.name == "sched.script")
    run = ScriptRun(next(op for op in module.ops if op.name == "te.kernel"))
    first, second, third = script.steps
    run.apply(first)
    assert run.is_live(first.res[0])
    run.apply(second)
    assert not run.is_live(first.res[0])
    with pytest.raises(ScheduleError, match="is split into mo and mi"):
        run.apply(third)

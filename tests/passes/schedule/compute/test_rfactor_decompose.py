"""sched.rfactor and decompose_reduction: parts of a reduction become separate computes."""

from __future__ import annotations

import pytest

from ..kernels import argmax, assert_same_loops, matmul, schedule, softmax

MATCH = "%c = sched.match {name = mm}\n"


@pytest.mark.parametrize("factor", [1, 3, 4, 5, 10, 16])
@pytest.mark.parametrize("part", ["inner", "outer"])
def test_partial_sums(factor: int, part: str) -> None:
    step = f"%p, %f = sched.rfactor %c {{axis = k, factor = {factor}, part = {part}}}"
    done = assert_same_loops(matmul(4, 6, 10, "i32"), MATCH + step)
    (final,) = done.computes("mm")
    assert final.view().reduced_axes() == (["ki"] if part == "inner" else ["ko"])


def test_a_whole_axis_is_factored() -> None:
    done = assert_same_loops(matmul(4, 6, 10), MATCH + "%p, %f = sched.rfactor %c {axis = k}")
    (partial,) = done.computes("mm_rf")
    assert not partial.view().outputs[0].reduces


@pytest.mark.parametrize("options", ["", ", factor = 4", ", factor = 4, part = outer"])
def test_several_outputs_of_a_combine_region(options: str) -> None:
    step = f"%c = sched.match {{name = am}}\n%p, %f = sched.rfactor %c {{axis = j{options}}}"
    assert_same_loops(argmax(4, 14), step)


@pytest.mark.parametrize("name", ["mx", "sm"])
def test_other_combiners(name: str) -> None:
    script = f"%c = sched.match {{name = {name}}}\n%p, %f = sched.rfactor %c {{axis = j, factor = 4"
    assert_same_loops(softmax(4, 11), script + "}", rtol=1e-6)


@pytest.mark.parametrize("combiner", ["mul", "min", "or", "xor", "and", "umax", "umin"])
def test_combiners_of_integers(combiner: str) -> None:
    text = matmul(3, 4, 7, "i32").replace("add 0 ", f"{combiner} 5 ")
    assert_same_loops(text, MATCH + "%p, %f = sched.rfactor %c {axis = k, factor = 2}")


def test_partial_results_are_scheduled_like_any_compute() -> None:
    script = (
        "%p, %f = sched.rfactor %c {axis = k, factor = 4, into = [a, b]}\n"
        "%t, %i = sched.tile %f {m = 2}\n%q = sched.match {name = mm_rf}\n"
        "%v = sched.vectorize %q {axis = b, lanes = 4}"
    )
    assert_same_loops(matmul(4, 6, 10), MATCH + script)


def test_a_leaf_that_continues_from_memory_is_factored() -> None:
    script = "%s, %l = sched.split_reduction %c {k = 4}\n%p, %f = sched.rfactor %s {axis = k}"
    assert_same_loops(matmul(4, 6, 10), MATCH + script)


def test_initial_values_are_stored_before_the_compute() -> None:
    done = assert_same_loops(matmul(4, 6, 10), MATCH + "%i, %u = sched.decompose_reduction %c")
    assert [op.label for op in done.computes()] == ["mm_init", "mm"]
    assert done.computes("mm")[0].view().outputs[0].init is None


def test_initial_values_of_all_iterations_are_stored_before_a_loop() -> None:
    script = (
        "%t, %a, %b = sched.tile %c {n = 4, m = 3}\n%i, %u = sched.decompose_reduction %t, %a\n"
        "%p = sched.peel %a {front = 1}"
    )
    done = assert_same_loops(matmul(10, 9, 4), MATCH + script)
    assert [list(op.view().axes) for op in done.computes("mm_init")] == [["l0", "l1", "m", "n"]] * 4


def test_initial_values_in_an_inner_loop() -> None:
    script = "%t, %a, %b = sched.tile %c {n = 4, m = 3}\n%i, %u = sched.decompose_reduction %t, %b"
    done = assert_same_loops(matmul(9, 8, 4), MATCH + script)
    (init,) = done.computes("mm_init")
    assert init.parent_op() is not done.kernel


def test_every_output_of_an_argmax_is_initialized() -> None:
    script = "%c = sched.match {name = am}\n%i, %u = sched.decompose_reduction %c"
    done = assert_same_loops(argmax(4, 7), script)
    assert len(done.computes("am_init")) == 2


def test_names_of_new_axes_are_free() -> None:
    text = matmul(6, 4, 4).replace("m:", "l0:").replace("m,", "l0,")
    script = MATCH + "%t, %a = sched.tile %c {l0 = 2}\n%i, %u = sched.decompose_reduction %t, %a"
    assert list(schedule(text, script).computes("mm_init")[0].view().axes) == ["l0_1", "l0", "n"]

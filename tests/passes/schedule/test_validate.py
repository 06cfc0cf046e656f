"""check_script: a correct schedule passes, the first step that changes a result is named."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp

from tilewright.dialects import sched
from tilewright.dialects.te import ComputeOp
from tilewright.passes.schedule.apply_schedule import ApplySchedule, check_scripts, scripts_of
from tilewright.passes.schedule.engine.step import Handles, Step
from tilewright.passes.schedule.primitives import PRIMITIVES
from tilewright.passes.schedule.validate import check_script, kernel_inputs
from tilewright.support.diagnostics import ScheduleError, TilewrightError
from tilewright.support.registry import new_context

from .kernels import conv_chain, matmul, parse, softmax

STEPS = """sched.script @k {
  %c = sched.match {name = mm}
  %p = sched.pack %c {operand = 1, map = affine_map<(k, n) -> (n floordiv 4, k, n mod 4)>}
  %t, %j = sched.tile %p {n = 4}
  %s, %kb = sched.split_reduction %t {k = 3}
  %u, %i = sched.tile %s {m = 2, even = [m]}
  %v = sched.vectorize %u {axis = n, lanes = 4}
}"""


def program(kernel: str, script: str) -> ModuleOp:
    module = parse(kernel + script)
    module.verify()
    return module


def break_step(
    monkeypatch: pytest.MonkeyPatch, op: type[sched.StepOp], damage: Callable[[ComputeOp], None]
) -> None:
    """Make a step damage its first leaf after its work."""
    primitive = PRIMITIVES[op]

    def broken(step: Step) -> Handles:
        results = primitive.apply(step)
        leaf = results[0][0]
        assert isinstance(leaf, ComputeOp)
        damage(leaf)
        return results

    monkeypatch.setitem(PRIMITIVES, op, replace(primitive, apply=broken))  # type: ignore[arg-type]


def shorten(leaf: ComputeOp) -> None:
    """Omit the last position of the reduction axis."""
    view = leaf.view()
    leaf.update(replace(view, axes={**view.axes, "k": view.axes["k"] - 1}))


@pytest.mark.parametrize("dtype", ["f32", "f16", "i32"])
def test_a_correct_schedule_passes_and_is_the_one_that_the_pass_makes(dtype: str) -> None:
    module = program(matmul(5, 6, 7, dtype), STEPS)
    ((script, kernel),) = scripts_of(module)
    before = str(module)
    checked = check_script(kernel, script)
    assert str(module) == before
    ApplySchedule().apply(new_context(), module)
    assert checked.is_structurally_equivalent(kernel)


def test_scripts_of_one_kernel_follow_each_other() -> None:
    second = (
        "sched.script @k {\n  %c = sched.match {name = mm}\n"
        "  %o = sched.order %c {axes = [n, m, k]}\n}"
    )
    module = program(matmul(4, 4, 4), STEPS + second)
    check_scripts(module)


@pytest.mark.parametrize("kernel", [conv_chain(6, 5, 1, 1), softmax(3, 5)])
def test_kernels_of_several_computes_pass(kernel: str) -> None:
    check_scripts(program(kernel, "sched.script @k {\n}"))


def test_the_first_wrong_step_is_named_with_a_program_that_shows_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    break_step(monkeypatch, sched.SplitReductionOp, shorten)
    module = program(matmul(5, 6, 7, "i32"), STEPS)
    with pytest.raises(ScheduleError) as err:
        check_scripts(module)
    lines = str(err.value).splitlines()
    assert lines[0] == (
        "@k, step 4 of 6, %s, %kb = sched.split_reduction %t {k = 3}: "
        "the schedule changes what the kernel computes"
    )
    assert lines[2].startswith("    got: argument 3 changed: ")
    reproducer = str(err.value).partition("shows it on\n")[2]
    again = parse(reproducer)
    assert len(scripts_of(again)[0][0].steps) == 4
    with pytest.raises(ScheduleError, match="step 4 of 4"):
        check_scripts(again)


def test_a_step_that_leaves_no_valid_kernel_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def misread(leaf: ComputeOp) -> None:
        view = leaf.view()
        leaf.update(replace(view, axes={**view.axes, "k": view.axes["k"] + 1}))

    break_step(monkeypatch, sched.OrderOp, misread)
    script = (
        "sched.script @k {\n  %c = sched.match {name = mm}\n"
        "  %o = sched.order %c {axes = [n, m, k]}\n}"
    )
    with pytest.raises(ScheduleError, match=r"step 2 of 2, %o = sched\.order"):
        check_scripts(program(matmul(2, 3, 4), script))


def test_inputs_may_be_given() -> None:
    module = program(matmul(2, 3, 4, "i32"), STEPS)
    ((script, kernel),) = scripts_of(module)
    arrays = kernel_inputs(kernel, seed=7)
    kept = [array.copy() for array in arrays]
    check_script(kernel, script, arrays)
    assert all(np.array_equal(a, b) for a, b in zip(arrays, kept, strict=True))
    with pytest.raises(TilewrightError, match="wrong type"):
        check_script(kernel, script, [a.astype(np.float32) for a in arrays])


def test_a_script_of_no_kernel_is_an_error() -> None:
    with pytest.raises(ScheduleError, match="no kernel is named @other"):
        check_scripts(program(matmul(2, 2, 2), "sched.script @other {\n}"))

"""Scripts: handles are consumed linearly, every step op has an implementation."""

from __future__ import annotations

import pytest
from xdsl.irdl import irdl_op_definition, traits_def

from tilewright.dialects.sched import STEPS, MatchOp, StepOp
from tilewright.dialects.te import kernels_of
from tilewright.passes.schedule.interpreter import ScriptRun
from tilewright.passes.schedule.primitives import PRIMITIVES, AppliedBy
from tilewright.support.diagnostics import ScheduleError

from .kernels import matmul, parse, schedule, softmax


def test_every_step_has_a_primitive() -> None:
    assert set(PRIMITIVES) == set(STEPS)


def test_every_primitive_says_when_it_fails() -> None:
    for op, primitive in PRIMITIVES.items():
        assert "Errors: ScheduleError" in (primitive.apply.__doc__ or ""), op.name


def test_a_step_of_another_package_says_how_it_is_run() -> None:
    @irdl_op_definition
    class Renamed(StepOp):
        name = "acme.renamed"
        traits = traits_def(AppliedBy(PRIMITIVES[MatchOp]))

        @classmethod
        def options(cls) -> tuple[str, ...]:
            return ("name",)

    @irdl_op_definition
    class Silent(StepOp):
        name = "acme.silent"

    kernel = next(iter(kernels_of(parse(matmul(4, 4, 4)))))
    found = Renamed.make(name="mm")
    run = ScriptRun(kernel)
    run.apply(found)
    assert [op.name for op in run.held(found.res[0])] == ["te.compute"]
    with pytest.raises(ScheduleError) as err:
        run.apply(Silent.make())
    assert str(err.value) == (
        "acme.silent: nothing says how the step is run\n"
        "    expected: the trait AppliedBy(Primitive(..))\n"
        "    got: Silent"
    )


def test_a_consumed_handle_is_stale() -> None:
    with pytest.raises(ScheduleError) as err:
        schedule(
            matmul(4, 4, 4),
            "%c = sched.match {name = mm}\n%t, %i = sched.tile %c {m = 2}\n"
            "%u, %j = sched.tile %c {n = 2}",
        )
    assert str(err.value) == (
        "sched.tile in @k: stale handle %c\n"
        "    got: consumed by sched.tile\n"
        "    hint: use the handle that this step returned, or match again"
    )


def test_consuming_an_op_ends_its_other_handles() -> None:
    with pytest.raises(ScheduleError, match="stale handle %d"):
        schedule(
            matmul(4, 4, 4),
            "%c = sched.match {name = mm}\n%d = sched.match {name = mm}\n"
            "%t, %i = sched.tile %c {m = 2}\n%u, %j = sched.tile %d {n = 2}",
        )


def test_steps_on_other_computes_leave_a_handle_alone() -> None:
    schedule(
        softmax(4, 6),
        "%d = sched.match {name = dv}\n%e = sched.match {name = ex}\n"
        "%r = sched.relayout %e {map = affine_map<(i, j) -> (j, i)>}\n"
        "%t, %i = sched.tile %d {i = 2}",
    )


@pytest.mark.parametrize(
    ("step", "message"),
    [
        ("%c = sched.match {name = nn}", "no compute is named nn\n    expected: one of mm"),
        ("%c = sched.match", "parameter name is a name"),
        (
            "%c = sched.match {name = mm, at = 3}",
            "unknown parameter\n    expected: name\n    got: at",
        ),
        ("%c = sched.match {name = mm}\n%f = sched.fuse_into %c", "wrong number of handles"),
        ("%c = sched.match {name = mm}\n%f, %i = sched.tile %c {m = 0}", "axis m is too small"),
        ("%c = sched.match {name = mm}\n%f, %i = sched.tile %c {m = n}", "parameter m is a number"),
    ],
)
def test_malformed_steps(step: str, message: str) -> None:
    with pytest.raises(ScheduleError, match=message):
        schedule(matmul(4, 4, 4), step)


def test_a_script_names_its_kernel() -> None:
    from tilewright.passes.schedule.apply_schedule import ApplySchedule
    from tilewright.support.registry import new_context

    module = parse(matmul(4, 4, 4) + "sched.script @other {\n}\n")
    with pytest.raises(ScheduleError, match=r"no kernel is named @other\n    expected: one of k"):
        ApplySchedule().apply(new_context(), module)

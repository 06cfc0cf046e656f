"""A kernel that cannot be planned still compiles, with a warning; strict_plan raises the error."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from xdsl.dialects.builtin import AffineMapAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir.affine import AffineConstantExpr, AffineMap

import tilewright
from tilewright import te
from tilewright.analysis.bounds.positions import OutsideBuffer
from tilewright.dialects.loop import LoadOp
from tilewright.dialects.te import ComputeOp, KernelOp
from tilewright.lowering.te_to_loop import te_to_loop
from tilewright.support.diagnostics import ScheduleError
from tilewright.targets.backend import ScheduleOrigin
from tilewright.targets.cpu import plan
from tilewright.targets.cpu.plan.script import Script
from tilewright.testing.models import inputs_for, residual_model
from tilewright.tools.opt.main import main as tw_opt


class OutOfIdeas(Exception):
    """An exception that is not expected from a plan."""


def refuse(kernel, *_):
    raise OutOfIdeas(kernel.label)


def nonsense(kernel, *_):
    """Return a script that cannot be run."""
    script = Script(kernel.label)
    script.tile(script.match("nothing of this name"), {"no_axis": 3})
    return script.build()


@pytest.fixture
def reproducers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setenv("TILEWRIGHT_CACHE_DIR", str(tmp_path / "cache"))
    return tmp_path


@pytest.mark.parametrize(("planner", "error"), [(refuse, OutOfIdeas), (nonsense, ScheduleError)])
def test_a_model_compiles_without_plans(
    planner, error, reproducers: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    inputs = inputs_for(residual_model())
    expected = tilewright.compile(residual_model(), cache=False)
    with monkeypatch.context() as patched:
        patched.setattr(plan, "plan_kernel", planner)
        with pytest.raises(error):
            tilewright.compile(residual_model(), cache=False, strict_plan=True)
        with pytest.warns(tilewright.PlanWarning) as caught:
            made = tilewright.compile(residual_model())
    assert not made.reason
    assert not expected.reason
    assert {kernel.plan for kernel in made.kernels} == {"simple"}
    assert {kernel.plan for kernel in expected.kernels} == {ScheduleOrigin.CHOSEN}
    for got, want in zip(made.run(inputs), expected.run(inputs), strict=True):
        np.testing.assert_allclose(np.asarray(got), np.asarray(want), rtol=1e-4, atol=1e-5)
    for got, want in zip(made.run(inputs, threads=3), made.run(inputs, threads=1), strict=True):
        np.testing.assert_array_equal(np.asarray(got), np.asarray(want))
    text = str(caught[0].message)
    assert re.search(r'kernel @\w+ of \w+ at loc\("\w+"\)', text), text
    assert error.__name__ in text
    files = sorted(reproducers.glob("tilewright-plan-*.mlir"))
    assert len(files) == len(made.kernels) == len(caught)
    assert all(any(str(file) in str(w.message) for w in caught) for file in files)


def test_one_plan_that_makes_no_loops_is_dropped_alone(
    reproducers: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Drop the plan although errors of lowering and of position proofs do not name the kernel."""
    inputs, original = inputs_for(residual_model()), te_to_loop.lower_kernel
    expected = tilewright.compile(residual_model(), cache=False)
    victims = {expected.kernels[number].name for number in (0, -1)}

    def lower(kernel: KernelOp) -> FuncOp:
        computes = [op for op in kernel.body.walk() if isinstance(op, ComputeOp)]
        is_planned = any(op.nest or op.annotations or op.tile.data for op in computes)
        function = original(kernel)
        if is_planned and function.sym_name.data in victims:
            (load, *_) = [op for op in function.walk() if isinstance(op, LoadOp)]
            old = load.map.data
            far = tuple(AffineConstantExpr(10**6) for _ in old.results)
            load.properties["map"] = AffineMapAttr(AffineMap(old.num_dims, old.num_symbols, far))
        return function

    monkeypatch.setattr(te_to_loop, "lower_kernel", lower)
    with pytest.raises(OutsideBuffer):
        tilewright.compile(residual_model(), cache=False, strict_plan=True)
    with pytest.warns(tilewright.PlanWarning, match="OutsideBuffer") as caught:
        made = tilewright.compile(residual_model(), cache=False)
    assert {
        kernel.name for kernel in made.kernels if kernel.plan is ScheduleOrigin.SIMPLE
    } == victims
    assert len(caught) == len(victims)
    for got, want in zip(made.run(inputs), expected.run(inputs), strict=True):
        np.testing.assert_allclose(np.asarray(got), np.asarray(want), rtol=1e-4, atol=1e-5)


def test_an_error_that_is_no_plans_is_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(te_to_loop, "lower_kernel", refuse)
    with pytest.raises(OutOfIdeas):
        tilewright.compile(residual_model(), cache=False)


def test_a_model_without_plans_is_not_kept(
    reproducers: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Warn at every compilation of the model, until the plan is fixed."""
    with monkeypatch.context() as patched:
        patched.setattr(plan, "plan_kernel", refuse)
        for _ in range(2):
            with pytest.warns(tilewright.PlanWarning):
                tilewright.compile(residual_model())
    assert tilewright.compile(residual_model()).kernels[0].plan is ScheduleOrigin.CHOSEN


def test_a_reproducer_reproduces(
    reproducers: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    x = te.placeholder((8,), name="X")
    doubled = te.compute((8,), lambda i: x[i] * 2.0, name="Y")
    with monkeypatch.context() as patched:
        patched.setattr(plan, "plan_kernel", refuse)
        with pytest.warns(tilewright.PlanWarning, match="@Y of Y"):
            tilewright.build(doubled, cache=False)
        (file,) = reproducers.glob("*.mlir")
        (passes,) = re.findall(r"-p '(.*)'", file.read_text())
        assert "OutOfIdeas: Y" in file.read_text()
        assert tw_opt([str(file), "-p", passes]) == 1
        assert "OutOfIdeas: Y" in capsys.readouterr().err
    assert tw_opt([str(file), "-p", passes]) == 0


def test_schedules_of_users_are_no_plans() -> None:
    x = te.placeholder((8,), name="X")
    made = tilewright.build(te.compute((8,), lambda i: x[i] * 2.0, name="Y"), cache=False)
    text = re.sub(r"name = \w+", "name = nothing", made.get_source("sched"))
    assert "nothing" in text
    with pytest.raises(ScheduleError, match="nothing"):
        tilewright.compile_module(text)

"""validate_pipeline finds passes that change results, and names the pass and the kernel."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
import pytest
from xdsl.context import Context
from xdsl.dialects import arith
from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.passes import ModulePass

from tilewright.dialects import loop
from tilewright.dialects.graph import SoftmaxOp
from tilewright.dialects.shape import Dim
from tilewright.driver.passes import pipeline
from tilewright.driver.passes.check import validate_pipeline
from tilewright.interp.compare import expect_close, expect_equal
from tilewright.interp.program import random_inputs
from tilewright.machines.target import Target
from tilewright.support.diagnostics import TilewrightError
from tilewright.support.precision import Precision

from ...targets.programs import Graph

AVX2 = Target("llvm -mcpu=x86-64-v3")


def program(rows: int | Dim = 6) -> ModuleOp:
    """Return relu, then softmax."""
    g = Graph((rows, 20))
    return g.finish(g.add(SoftmaxOp(g.relu(g.args[0]), 1)))


def break_pass(
    monkeypatch: pytest.MonkeyPatch, broken: str, damage: Callable[[ModuleOp], None]
) -> None:
    """Make a pass of the pipeline damage the program after its work."""
    make = pipeline.make_pass

    class Broken(ModulePass):
        name = broken

        def apply(self, ctx: Context, op: ModuleOp) -> None:
            make(broken, AVX2).apply(ctx, op)
            damage(op)

    def replaced(
        name: str, target: Target, precision: Precision, own: Mapping[str, type[ModulePass]]
    ) -> ModulePass:
        return Broken() if name == broken else make(name, target, precision, own)

    monkeypatch.setattr(pipeline, "make_pass", replaced)


def subtract(module: ModuleOp) -> None:
    """Turn the first addition of floats into a subtraction."""
    op = next(op for op in module.walk() if isinstance(op, arith.AddfOp))
    new = arith.SubfOp(op.lhs, op.rhs)
    block = op.parent_block()
    assert block is not None, "an addition stands in a block"
    block.insert_op_before(new, op)
    op.result.replace_all_uses_with(new.result)
    op.detach()
    op.erase()


def validate(rows: int | Dim = 6) -> None:
    module = program(rows)
    validate_pipeline(module, AVX2, random_inputs(module))


def test_a_correct_pipeline_passes() -> None:
    validate(rows=Dim.sym("n"))


def test_a_loop_level_miscompile_names_pass_and_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    break_pass(monkeypatch, "te-to-loop", subtract)
    with pytest.raises(TilewrightError, match=r"(?s)te-to-loop: argument .*kernel @softmax"):
        validate()


def test_text_that_parses_back_different_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def damage(module: ModuleOp) -> None:
        load = next(op for op in module.walk() if isinstance(op, loop.LoadOp))
        load.attributes["not_printed"] = StringAttr("x")

    break_pass(monkeypatch, "te-to-loop", damage)
    with pytest.raises(TilewrightError, match="te-to-loop: the printed module parses back diff"):
        validate()


def test_ops_of_another_level_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    break_pass(monkeypatch, "graph-cse", lambda module: module.body.block.add_op(arith_one()))
    with pytest.raises(TilewrightError, match="graph-cse: an op does not belong to level graph"):
        validate()


def arith_one() -> arith.ConstantOp:
    return arith.ConstantOp.from_int_and_width(1, 32)


def test_floats_may_differ_by_rounding_and_no_more() -> None:
    x = np.linspace(1, 2, 9, dtype=np.float32)
    expect_close(x * np.float32(1 + 2e-6), x, "x")
    with pytest.raises(TilewrightError, match="x changed"):
        expect_close(x * np.float32(1 + 1e-3), x, "x")


def test_not_a_number_has_to_stay_in_its_place() -> None:
    x = np.array([1, np.nan, np.inf, -np.inf], np.float32)
    expect_close(x.copy(), x, "x")
    for i in range(1, 4):
        other = x.copy()
        other[i] = 1
        with pytest.raises(TilewrightError, match=rf"at \[{i}\]"):
            expect_close(other, x, "x")


def test_integers_and_types_are_compared_exactly() -> None:
    x = np.arange(4)
    with pytest.raises(TilewrightError, match="1 of 4 elements differ"):
        expect_equal(np.array([0, 1, 2, 4]), x, "x")
    with pytest.raises(TilewrightError, match="another type"):
        expect_equal(x.astype(np.int32), x, "x")

"""tw bisect: bugs planted into passes and emitters are found where they were planted."""

import re
import shlex
from collections.abc import Callable
from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper
from xdsl.dialects import arith
from xdsl.dialects.builtin import AffineMapAttr, ModuleOp
from xdsl.ir.affine import AffineConstantExpr, AffineMap
from xdsl.passes import ModulePass

from tilewright.dialects import loop
from tilewright.driver.request import request_for
from tilewright.driver.source import ModelSource
from tilewright.lowering.te_to_loop.te_to_loop import TeToLoop
from tilewright.passes.te.fuse_elementwise import FuseElementwise
from tilewright.passes.te.merge_axes import MergeAxes
from tilewright.testing.bisect import find_guilty, write_smallest
from tilewright.tools.opt.main import main as tw_opt

TARGET = "x86-64-v3"


def model() -> bytes:
    """Return a product, an epilogue and a normalization, whose sizes divide no vector."""
    rng = np.random.default_rng(0)
    weights = {
        "w": rng.standard_normal((7, 19), np.float32),
        "b": rng.standard_normal(19, np.float32),
        "one": np.float32(1),
    }
    nodes = [
        helper.make_node("MatMul", ["x", "w"], ["a"]),
        helper.make_node("Add", ["a", "b"], ["c"]),
        helper.make_node("Relu", ["c"], ["d"]),
        helper.make_node("Sub", ["one", "d"], ["e"]),
        helper.make_node("ReduceMax", ["e"], ["m"], keepdims=1),
        helper.make_node("Add", ["e", "m"], ["y"]),
    ]
    graph = helper.make_graph(
        nodes,
        "g",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, [5, 7])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, [5, 19])],
        [numpy_helper.from_array(np.asarray(x), name) for name, x in weights.items()],
    )
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)])
    made.ir_version = 8
    onnx.checker.check_model(made)
    return made.SerializeToString()


def swapped_operands(module: ModuleOp) -> None:
    op = next(op for op in module.walk() if isinstance(op, arith.SubfOp))
    op.operands = [op.rhs, op.lhs]


def dropped_epilogue(module: ModuleOp) -> None:
    op = next(op for op in module.walk() if isinstance(op, arith.MaximumfOp))
    op.result.replace_all_uses_with(op.lhs)


def short_tail(module: ModuleOp) -> None:
    """Make the first loop of more than two iterations end one iteration early."""
    ends = ((op, op.bounds()[1][0]) for op in module.walk() if isinstance(op, loop.ForOp))
    op, last = next((op, end.const - 1) for op, end in ends if end.is_constant and end.const > 2)
    bound = AffineMap(0, 0, (AffineConstantExpr(last),))
    op.properties["upper"] = AffineMapAttr(bound)


def unknown_key(_: ModuleOp) -> None:
    raise KeyError("planted")


def plant(
    monkeypatch: pytest.MonkeyPatch, step: type[ModulePass], bug: Callable[[ModuleOp], None]
) -> None:
    """Let a bug change the program after a pass."""
    right = step.apply

    def apply(self: ModulePass, ctx, op: ModuleOp) -> None:
        right(self, ctx, op)
        bug(op)

    monkeypatch.setattr(step, "apply", apply)


BUGS = [
    pytest.param(MergeAxes, swapped_operands, "wrong"),
    pytest.param(FuseElementwise, dropped_epilogue, "wrong", marks=pytest.mark.nightly),
    pytest.param(TeToLoop, short_tail, "wrong", marks=pytest.mark.nightly),
    pytest.param(MergeAxes, unknown_key, "crash", marks=pytest.mark.nightly),
]


@pytest.mark.parametrize(("step", "bug", "kind"), BUGS)
def test_a_bug_of_a_pass_is_found_and_its_program_fails_alone(
    step: type[ModulePass],
    bug: Callable[[ModuleOp], None],
    kind: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    request = request_for(ModelSource(model()), target=TARGET, cache=False)
    with monkeypatch.context() as planted:
        plant(planted, step, bug)
        found = find_guilty(request)
        assert found is not None
        assert (found.part, found.kind) == (f"pass {step.name}", kind)
        made, ops = write_smallest(found, 5.0)
        assert ops < 50
        options = shlex.split(made.command.removeprefix("tw-opt "))
        assert tw_opt(options) == 1
        assert re.search(f"error: .*{step.name}", capsys.readouterr().err)
    assert tw_opt(options) == 0


@pytest.mark.nightly
def test_a_right_compiler_has_no_guilty_part(tmp_path: Path) -> None:
    request = request_for(ModelSource(model()), target=TARGET, cache=False)
    assert find_guilty(request) is None

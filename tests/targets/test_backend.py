"""The backend seam: roles, places and errors that the driver takes from a backend.

The backend outside the tree that docs/how-to-add-a-target.md builds is run by test_install.py.
"""

from __future__ import annotations

from types import MappingProxyType

import numpy as np
import pytest
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

import tilewright
from tilewright.dialects.sched import ScriptOp
from tilewright.dialects.te import kernels_of
from tilewright.driver.backends import BACKENDS, backend_of, target_of
from tilewright.driver.passes.pipeline import passes_to
from tilewright.machines.target import KINDS, Target
from tilewright.support.diagnostics import PlanWarning, TargetError
from tilewright.support.lazy import load
from tilewright.support.registry import PASSES
from tilewright.targets.backend import Backend, PipelineStage
from tilewright.targets.interpreter.backend import InterpreterBackend
from tilewright.testing import models


class EchoPlan(ModulePass):
    """Write a schedule for each kernel, except for one that it cannot plan."""

    name = "echo-plan"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for kernel in kernels_of(op):
            if kernel.label == "tanh":
                raise RuntimeError("no idea")
            op.body.block.insert_op_after(ScriptOp(kernel.label), kernel)


class EchoBackend(InterpreterBackend):
    kind = "echo"
    options = ("loud",)
    plan = "echo-plan"
    passes = MappingProxyType({"echo-plan": EchoPlan})
    stages = tuple(
        PipelineStage(stage.name, stage.level, (*stage.passes, "echo-plan"))
        if stage.name == "plan-kernels"
        else stage
        for stage in InterpreterBackend.stages
    )


ECHO = tilewright.Extension(backends=[EchoBackend()])
PROGRAM = """
func.func @main(%x: tensor<3x5xf32>, %w: tensor<5x5xf32>) -> (tensor<3x5xf32>, tensor<3x5xf32>) {
  %y = graph.matmul %x, %w : tensor<3x5xf32>, tensor<5x5xf32> -> tensor<3x5xf32>
  %z = graph.tanh %x : tensor<3x5xf32>
  func.return %y, %z : tensor<3x5xf32>, tensor<3x5xf32>
}
"""


@pytest.mark.parametrize("kind", BACKENDS)
def test_the_backends_of_the_tree_are_complete(kind: str) -> None:
    backend = load(BACKENDS[kind])
    assert isinstance(backend, Backend)
    assert (backend.kind, backend_of(Target(kind))) == (kind, backend)
    assert set(backend.level_of) <= set(PASSES)
    assert {stage.level for stage in backend.stages} <= set(backend.levels)
    assert backend.plan in (*backend.level_of, "")
    backend.new_emitter(Target(kind), None)


def test_every_kind_of_target_has_a_backend() -> None:
    assert set(KINDS) == set(BACKENDS)


def test_an_own_plan_has_the_place_and_the_fallback_of_a_plan() -> None:
    x, w = np.random.default_rng(0).random((2, 5, 5), np.float32)
    with pytest.warns(PlanWarning, match="kernel @tanh .* RuntimeError: no idea"):
        mod = tilewright.compile_module(PROGRAM, target="echo", extensions=[ECHO])
    for got, want in zip(mod.run([x[:3], w]), (x[:3] @ w, np.tanh(x[:3])), strict=True):
        np.testing.assert_allclose(got.numpy(), want, rtol=1e-5)
    plans = {kernel.name: str(kernel.plan) for kernel in mod.kernels}
    assert plans == {"matmul": "chosen", "tanh": "simple"}
    with pytest.raises(RuntimeError, match="no idea"):
        tilewright.compile_module(PROGRAM, target="echo", extensions=[ECHO], strict_plan=True)


def test_extensions_place_passes_before_those_of_a_backend() -> None:
    before = tilewright.Extension(passes={"echo-plan": [EchoPlan()]})
    target = target_of("echo -loud=1", [ECHO])
    names = [step.name for step in passes_to(target, "sched", [ECHO, before])]
    assert names[-2:] == ["echo-plan", "echo-plan"]
    assert target.option("loud") == "1"


def test_a_kind_without_a_backend_is_refused() -> None:
    model = models.ffn_model(m=2, k=3, n=4)
    with pytest.raises(TargetError, match="unknown target"):
        tilewright.compile(model, target="echo")
    with pytest.raises(TargetError, match="there is no backend for the target") as caught:
        tilewright.compile(model, target=target_of("echo", [ECHO]))
    kinds = "llvm, interpreter, c, hls, opencl, metal, cuda, rocm, vulkan, webgpu"
    assert caught.value.expected == f"one of {kinds}"
    with pytest.raises(TargetError, match="unknown target option"):
        tilewright.compile(model, target="echo -quiet=1", extensions=[ECHO])

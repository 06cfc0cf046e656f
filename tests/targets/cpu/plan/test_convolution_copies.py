"""Copies of convolution operands: rows stay whole, computed weights are packed."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import onnx
import pytest
from onnx import helper

from tilewright.dialects.te import kernels_of
from tilewright.driver.passes.pipeline import run_pipeline
from tilewright.driver.report.texts import source_at
from tilewright.frontend.onnx.importer import import_model
from tilewright.machines.target import Target
from tilewright.support.registry import new_context
from tilewright.targets.cpu.plan.points.product import ProductPoint
from tilewright.targets.cpu.plan.space import fault_of, plan_point, script_of

from ....onnx_models import onnx_model
from ..threads import check_threads

AVX2, AVX512 = "llvm -mcpu=x86-64-v3", "llvm -mcpu=x86-64-v4"


@dataclass(frozen=True)
class Layer:
    """A convolution; computed: the weights are computed from another tensor."""

    image: tuple[int, ...]
    outputs: int
    kernel: tuple[int, ...]
    dilation: int = 1
    groups: int = 1
    computed: bool = False

    def model(self) -> onnx.ModelProto:
        rng = np.random.default_rng(0)
        shape = (self.outputs, self.image[1] // self.groups, *self.kernel)
        nodes = [
            helper.make_node(
                "Conv",
                ["x", "v" if self.computed else "w"],
                ["y"],
                dilations=[self.dilation] * len(self.kernel),
                group=self.groups,
            )
        ]
        weights = {"w": rng.standard_normal(shape, np.float32)}
        if self.computed:
            # Scaled by a number known only at run time, as in modulated convolutions.
            scale = [
                helper.make_node("ReduceMax", ["x"], ["m"], keepdims=0),
                helper.make_node("Mul", ["w", "m"], ["v"]),
            ]
            nodes = [*scale, *nodes]
        return onnx_model(nodes, {"x": self.image}, weights=weights)


SLIDING = (
    Layer((1, 18, 120), 131, (5,), dilation=3),
    Layer((2, 27, 101), 133, (3,)),
    Layer((1, 5, 9, 71), 130, (2, 3), dilation=2),
)
COMPUTED = (
    Layer((1, 64, 12, 11), 96, (3, 3), groups=2, computed=True),
    Layer((2, 16, 9, 21), 40, (1, 1), computed=True),
    Layer((1, 24, 40), 48, (3,), groups=3, computed=True),
)


@pytest.mark.parametrize("target", [AVX2, AVX512])
@pytest.mark.parametrize("layer", SLIDING, ids=str)
def test_copies_of_a_sliding_window_have_whole_rows(layer: Layer, target: str) -> None:
    module = import_model(layer.model())
    run_pipeline(module, new_context(), Target(target), to="sched")
    (kernel,) = kernels_of(module)
    chosen = plan_point(kernel, Target(target))
    assert isinstance(chosen, ProductPoint)
    point = replace(chosen, copy=1)
    assert not fault_of(point, kernel, Target(target))
    text = str(script_of(kernel, point, Target(target)))
    layouts = [line for line in text.splitlines() if "sched.relayout" in line]
    assert layouts, "the rows are copied"
    assert all("floordiv" not in line for line in layouts)


@pytest.mark.parametrize("target", [AVX2, AVX512])
def test_computed_weights_are_packed_for_the_channels_of_a_task(target: str) -> None:
    text = source_at(COMPUTED[0].model(), "sched", target=target, strict_plan=True)
    assert any("sched.cache_read" in line and "operand = 1" in line for line in text.splitlines())


@pytest.mark.parametrize("layer", [*SLIDING, *COMPUTED], ids=str)
def test_results_are_right_with_any_number_of_threads(layer: Layer) -> None:
    check_threads(layer.model(), layer.image)

"""mod.memory_plan: the buffers of a call, their places and live ranges."""

from __future__ import annotations

from itertools import combinations
from xml.etree import ElementTree

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper

import tilewright
from tilewright.driver.module.memory_plan import MemoryPlan
from tilewright.runtime.errors import ArgumentError
from tilewright.testing.models import encoder_model, ffn_model


def check_disjoint(plan: MemoryPlan) -> None:
    for one, other in combinations(plan.buffers, 2):
        if one.first <= other.last and other.first <= one.last:
            ends = one.offset + one.size, other.offset + other.size
            assert ends[0] <= other.offset or ends[1] <= one.offset, (one, other)
    assert all(0 <= b.first <= b.last < len(plan.steps) for b in plan.buffers)


def test_a_plan_has_each_buffer_in_its_place() -> None:
    # The plan for another processor may run several products in one step.
    model = encoder_model(layers=2, hidden=64, heads=2, seq=8, ffn=256)
    module = tilewright.compile(model, target="x86-64-v4")
    plan = module.memory_plan()
    check_disjoint(plan)
    assert plan.arena == module.manifest.arena_bytes == module.memory().arena
    assert max(b.offset + b.size for b in plan.buffers) == plan.arena
    calls = {kernel.name: kernel.calls for kernel in module.kernels}
    assert {name: plan.steps.count(name) for name in set(plan.steps)} == calls
    # Every step but the last writes one buffer, which a later step reads.
    assert [b.first for b in plan.buffers] == list(range(len(plan.steps) - 1))
    (gelu,) = [b for b in plan.buffers if b.name == "layer_0_ffn_Gelu"]
    assert gelu.size == 8 * 256 * 4
    assert (plan.steps[gelu.first], plan.steps[gelu.last]) == ("matmul_4", "matmul_5")
    assert "layer_0_ffn_Gelu" in str(plan)
    shown = ElementTree.fromstring(plan._repr_html_())
    rects = list(shown.iter("{http://www.w3.org/2000/svg}rect"))
    assert len(rects) == len(plan.buffers)


def chain() -> onnx.ModelProto:
    """Return two products that cannot be fused, of a symbolic number of rows."""
    rng = np.random.default_rng(0)
    weights = [
        onnx.numpy_helper.from_array(rng.random(shape, np.float32), name)
        for name, shape in (("v", (16, 32)), ("w", (32, 8)))
    ]
    nodes = [
        helper.make_node("MatMul", ["x", "v"], ["h"]),
        helper.make_node("MatMul", ["h", "w"], ["y"]),
    ]
    ends = [
        helper.make_tensor_value_info(name, TensorProto.FLOAT, ["rows", size])
        for name, size in (("x", 16), ("y", 8))
    ]
    graph = helper.make_graph(nodes, "chain", ends[:1], ends[1:], weights)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=9)


@pytest.mark.parametrize("rows", [1, 4, 7])
def test_a_plan_of_symbolic_sizes_is_for_the_shapes_of_a_call(rows: int) -> None:
    module = tilewright.compile(chain(), specialize={"rows": [4]})
    plan = module.memory_plan({"x": (rows, 16)})
    check_disjoint(plan)
    (hidden,) = plan.buffers
    assert hidden.size == rows * 32 * 4
    assert plan.arena == module.memory({"x": (rows, 16)}).arena


def test_a_program_without_intermediate_results_has_an_empty_plan() -> None:
    plan = tilewright.compile(ffn_model(m=4, k=8, n=16)).memory_plan()
    assert (plan.buffers, plan.arena) == ((), 0)
    assert "arena: 0 bytes" in plan._repr_html_()


def test_a_wrong_shape_is_refused() -> None:
    module = tilewright.compile(ffn_model(m=4, k=8, n=16))
    with pytest.raises(ArgumentError, match="contradicts the signature"):
        module.memory_plan([(5, 8)])

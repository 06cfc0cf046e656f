"""A 1x1 convolution is computed in the kernel of its depthwise consumer."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import onnx
import onnxruntime
import pytest
from onnx import TensorProto, helper, numpy_helper

import tilewright
from tilewright.dialects.te import ComputeOp, kernels_of
from tilewright.driver.passes.pipeline import run_pipeline
from tilewright.frontend.onnx.importer import import_model
from tilewright.machines.target import Target
from tilewright.support.registry import new_context

from ....peer import peer_results

# A small L2, so that small maps count as large.
SSE2, AVX2, AVX512 = (
    Target(f"llvm -mcpu={cpu} -l1-kib=32 -l2-kib=128")
    for cpu in ("x86-64", "x86-64-v3", "x86-64-v4")
)


@dataclass(frozen=True)
class Pair:
    """Sizes of a chain: 1x1 convolution, depthwise convolution, 1x1 convolution."""

    batch: int | str = 1
    channels: int = 16
    expanded: int = 96
    size: tuple[int, int] = (20, 26)
    kernel: int = 3
    stride: int = 1
    pads: tuple[int, int, int, int] = (1, 1, 1, 1)
    returns_middle: bool = False


PAIRS = [
    Pair(),
    Pair(stride=2),
    Pair(kernel=5, stride=2, pads=(1, 2, 2, 1)),
    Pair(pads=(0, 0, 0, 0)),
    Pair(batch=2, channels=24, expanded=144, size=(15, 17)),
    Pair(channels=12, expanded=40, size=(64, 9), pads=(2, 0, 0, 2)),
    Pair(channels=3, expanded=32, size=(70, 70), kernel=7, stride=3, pads=(3, 3, 3, 3)),
]

ONE_BLOCK = Pair(channels=8, expanded=8, size=(40, 65))
"""Channels that fill one block of eight, so that no index of the maps divides the channels."""


def model_of(pair: Pair) -> onnx.ModelProto:
    rng = np.random.default_rng(0)

    def weight(name: str, *shape: int) -> TensorProto:
        values = rng.standard_normal(shape) / np.sqrt(max(1, np.prod(shape[1:])))
        return numpy_helper.from_array(values.astype(np.float32), name)

    e, k = pair.expanded, pair.kernel
    weights = [
        weight("w0", e, pair.channels, 1, 1),
        weight("b0", e),
        weight("w1", e, 1, k, k),
        weight("b1", e),
        weight("w2", 16, e, 1, 1),
        numpy_helper.from_array(np.float32(0), "low"),
        numpy_helper.from_array(np.float32(6), "high"),
    ]
    window = {"strides": [pair.stride] * 2, "pads": pair.pads, "group": e}
    nodes = [
        helper.make_node("Conv", ["x", "w0", "b0"], ["t"]),
        helper.make_node("Clip", ["t", "low", "high"], ["u"]),
        helper.make_node("Conv", ["u", "w1", "b1"], ["v"], **window),
        helper.make_node("HardSwish", ["v"], ["s"]),
        helper.make_node("Conv", ["s", "w2"], ["y"]),
    ]
    shape = [pair.batch, pair.channels, *pair.size]
    outputs = ["y", "s"] if pair.returns_middle else ["y"]
    graph = helper.make_graph(
        nodes,
        "pair",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, shape)],
        [helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in outputs],
        weights,
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    return onnx.shape_inference.infer_shapes(model)


def kernels(model: onnx.ModelProto, target: Target) -> list[list[str]]:
    """Return the labels of the convolutions of every kernel."""
    module = import_model(model)
    run_pipeline(module, new_context(), target, to="sched")
    found: list[list[str]] = []
    for kernel in kernels_of(module):
        ops = (op for op in kernel.walk() if isinstance(op, ComputeOp))
        found.append([op.label for op in ops if op.label.startswith("conv")])
    return [labels for labels in found if labels]


@pytest.mark.one_in(4)
@pytest.mark.parametrize(
    ("pair", "target"),
    [
        *((pair, AVX2) for pair in PAIRS),
        *((ONE_BLOCK, target) for target in (SSE2, AVX2, AVX512)),
        (PAIRS[2], SSE2),
        (PAIRS[2], AVX512),
        (PAIRS[4], AVX512),
    ],
    ids=lambda case: case.cpu if isinstance(case, Target) else str(case),
)
def test_results_agree_with_onnxruntime(pair: Pair, target: Target) -> None:
    model = model_of(pair)
    shape = (pair.batch, pair.channels, *pair.size)
    x = np.random.default_rng(1).standard_normal(shape).astype(np.float32)
    assert [len(labels) for labels in kernels(model, target)] == [2, 1]
    if not all(Target.native().has(feature) for feature in target.features):
        pytest.skip("this machine has not all features")
    module = tilewright.compile(model, target=target)
    (got,), (again,) = ([y.numpy() for y in module.run({"x": x}, threads=n)] for n in (1, 2))
    np.testing.assert_array_equal(got, again)
    np.testing.assert_allclose(got, peer_results(model, {"x": x})[0], rtol=2e-5, atol=2e-5)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("pair", [*PAIRS, ONE_BLOCK], ids=str)
def test_results_for_every_number_of_images_agree_with_onnxruntime(pair: Pair) -> None:
    model = model_of(replace(pair, batch="n"))
    assert [len(labels) for labels in kernels(model, AVX2)] == [2, 1]
    module = tilewright.compile(model, target=AVX2, strict_plan=True)
    session = onnxruntime.InferenceSession(
        model.SerializeToString(), providers=["CPUExecutionProvider"]
    )
    for images in (1, 2, 5):
        shape = (images, pair.channels, *pair.size)
        x = np.random.default_rng(images).standard_normal(shape).astype(np.float32)
        (got,), (again,) = ([y.numpy() for y in module.run({"x": x}, threads=n)] for n in (1, 2))
        np.testing.assert_array_equal(got, again)
        np.testing.assert_allclose(got, session.run(None, {"x": x})[0], rtol=2e-5, atol=2e-5)


def test_small_maps_are_kernels_of_their_own() -> None:
    assert [len(labels) for labels in kernels(model_of(Pair(size=(5, 5))), AVX2)] == [1, 1, 1]


def test_a_result_of_main_is_not_in_blocks_and_has_a_kernel_of_its_own() -> None:
    model = model_of(Pair(returns_middle=True))
    assert [len(labels) for labels in kernels(model, AVX2)] == [1, 1, 1]

"""Convolutions, transposed convolutions and pools of every shape plan and lower on every target."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

from tilewright.driver.report.texts import source_at

from ..onnx_models import onnx_model

TARGETS = (
    "llvm -mcpu=x86-64-v2 -l1-kib=32 -l2-kib=256",
    "llvm -mcpu=x86-64-v3 -l1-kib=32 -l2-kib=256",
    "llvm -mcpu=x86-64-v3 -l1-kib=32 -l2-kib=512",
    "llvm -mcpu=x86-64-v3 -l1-kib=32 -l2-kib=1024",
    "llvm -mcpu=x86-64-v3 -l1-kib=48 -l2-kib=2048",
    "llvm -mcpu=x86-64-v4 -l1-kib=32 -l2-kib=1024",
    "llvm -mcpu=x86-64-v4 -l1-kib=48 -l2-kib=2048",
    "llvm -mcpu=cortex-a72",
)

CHANNELS = (1, 2, 3, 4, 7, 8, 12, 15, 16, 24, 31, 32, 33, 48, 64, 97)

SIZES = (1, 2, 3, 5, 6, 7, 13, 16, 33, 65)


@dataclass
class Network:
    """An ONNX graph under construction: a chain of a few layers of random sizes."""

    rng: np.random.Generator
    rank: int
    shape: list[int]
    nodes: list[onnx.NodeProto] = field(default_factory=list)
    weights: list[TensorProto] = field(default_factory=list)
    layers: list[str] = field(default_factory=list)

    def pick(self, *choices: int) -> int:
        return int(self.rng.choice(choices))

    def window(self, kernels: tuple[int, ...], strides: tuple[int, ...]) -> dict[str, list[int]]:
        """Draw kernel, stride, dilation and pads of a layer; the kernel fits the padded image."""
        sizes = self.shape[2:]
        kernel = [self.pick(*kernels) for _ in sizes]
        dilation = [self.pick(1, 1, 1, 2, 5, 9) for _ in sizes]
        reach = [(k - 1) * d for k, d in zip(kernel, dilation, strict=True)]
        low = [self.pick(0, r // 2, r) for r in reach]
        high = [
            max(self.pick(0, r // 2), r + 1 - p - n)
            for r, p, n in zip(reach, low, sizes, strict=True)
        ]
        return {
            "kernel_shape": kernel,
            "strides": [self.pick(*strides) for _ in sizes],
            "dilations": dilation,
            "pads": [*low, *high],
        }

    def groups(self, inputs: int, outputs: int) -> int:
        both = [g for g in range(1, inputs + 1) if inputs % g == outputs % g == 0]
        return self.pick(1, 1, *both)

    def append(self, kind: str, attributes: Mapping[str, Any], *shapes: tuple[int, ...]) -> None:
        names = [f"w{len(self.weights) + n}" for n in range(len(shapes))]
        for name, shape in zip(names, shapes, strict=True):
            values = self.rng.standard_normal(shape).astype(np.float32)
            self.weights.append(numpy_helper.from_array(values, name))
        number = len(self.nodes)
        node = helper.make_node(kind, [f"t{number}", *names], [f"t{number + 1}"], **attributes)
        self.nodes.append(node)
        self.layers.append(f"{kind} {self.shape} {shapes} {attributes}")
        inferred = onnx.shape_inference.infer_shapes(self.model()).graph.output[0]
        self.shape = [d.dim_value for d in inferred.type.tensor_type.shape.dim]

    def convolution(self) -> None:
        inputs, outputs = self.shape[1], self.pick(*CHANNELS)
        if self.rng.random() < 0.3:
            outputs, groups = inputs, inputs
        else:
            groups = self.groups(inputs, outputs)
        window = self.window((1, 1, 2, 3, 3, 5, 7), (1, 1, 2, 3))
        kernel = window["kernel_shape"]
        shapes = (outputs, inputs // groups, *kernel), (outputs,)
        self.append("Conv", {**window, "group": groups}, *shapes)

    def transposed(self) -> None:
        inputs, outputs = self.shape[1], self.pick(*CHANNELS)
        groups = self.groups(inputs, outputs)
        kernel = [self.pick(1, 2, 3, 4, 5, 6, 9) for _ in self.shape[2:]]
        window = {
            "kernel_shape": kernel,
            "strides": [self.pick(1, 2, 2, 3) for _ in kernel],
            "dilations": [self.pick(1, 1, 2) for _ in kernel],
        }
        shapes = (inputs, outputs // groups, *kernel), (outputs,)
        self.append("ConvTranspose", {**window, "group": groups}, *shapes)

    def pool(self) -> None:
        window = self.window((2, 3, 5), (1, 2))
        # A part of each window lies inside the image.
        reach = [
            (k - 1) * d for k, d in zip(window["kernel_shape"], window["dilations"], strict=True)
        ]
        if any(r >= n for r, n in zip(reach, self.shape[2:], strict=True)):
            return
        half = [min(p, r // 2) for p, r in zip(window["pads"], reach * 2, strict=True)]
        self.append("MaxPool", {**window, "pads": half})

    def activation(self) -> None:
        self.append(str(self.rng.choice(["Relu", "HardSwish", "Sigmoid"])), {})

    def expansion(self) -> None:
        """Append a 1x1 convolution and a depthwise one that reads it."""
        outputs, rank = self.pick(*CHANNELS), self.rank
        self.append("Conv", {}, (outputs, self.shape[1], *[1] * rank))
        self.activation()
        window = self.window((3, 5), (1, 2))
        kernel = window["kernel_shape"]
        self.append("Conv", {**window, "group": outputs}, (outputs, 1, *kernel), (outputs,))

    def model(self) -> onnx.ModelProto:
        first, last = "t0", f"t{len(self.nodes)}"
        return onnx_model(self.nodes, {first: self.input_shape}, [last], weights=self.weights)

    def __post_init__(self) -> None:
        self.input_shape = list(self.shape)


def network(seed: int) -> Network:
    """Return a network of up to three layers of random sizes."""
    rng = np.random.default_rng(seed)
    rank = int(rng.choice([1, 2, 2, 2, 3]))
    largest = 200 if rank == 1 else 65 if rank == 2 else 13
    sizes = [min(largest, int(n) * (3 if rank == 1 else 1)) for n in rng.choice(SIZES, rank)]
    made = Network(rng, rank, [int(rng.choice([1, 1, 2])), int(rng.choice(CHANNELS)), *sizes])
    layers = (made.convolution, made.convolution, made.transposed, made.pool, made.expansion)
    for _ in range(int(rng.integers(1, 4))):
        layers[int(rng.integers(len(layers)))]()
        if rng.random() < 0.5 and made.nodes:
            made.activation()
        if np.prod(made.shape) > 1 << 20:
            break
    if not made.nodes:
        made.convolution()
    return made


@pytest.mark.parametrize("outputs", [1, 15, 33])
@pytest.mark.parametrize("target", TARGETS[::5], ids=lambda t: t.split()[1])
def test_phases_of_three_by_three_taps_plan_where_no_block_divides_the_channels(
    outputs: int, target: str
) -> None:
    made = Network(np.random.default_rng(0), 2, [1, 64, 16, 16])
    weights = (64, outputs, 6, 6)
    made.append("ConvTranspose", {"kernel_shape": [6, 6], "strides": [2, 2]}, weights)
    assert "func.func" in source_at(made.model(), "loop", target=target)


@pytest.mark.one_in(4)
@pytest.mark.parametrize("seed", range(32))
def test_every_shape_plans_and_lowers(seed: int) -> None:
    made = network(seed)
    target = TARGETS[seed % len(TARGETS)]
    assert "func.func" in source_at(made.model(), "loop", target=target), made.layers

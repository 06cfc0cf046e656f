"""The launches of convolutional networks: borders need none, and each compute needs one."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import onnx
import pytest
from xdsl.dialects.builtin import ModuleOp

import tilewright
from tilewright.dialects.packed import CallOp
from tilewright.driver.passes.pipeline import run_pipeline
from tilewright.frontend.onnx.importer import import_model
from tilewright.machines.target import Target
from tilewright.support.entry import entry_of
from tilewright.support.registry import new_context
from tilewright.testing.fixtures import fixture_model

from ...opencl_device import opencl_device
from ...peer import peer_results
from ...sweeps import in_turn
from .decoder_layer import DecoderLayer

ZOO = Path(__file__).parents[2] / "fixtures" / "zoo"


def launches(model: onnx.ModelProto, target: str) -> int:
    """Return the number of kernel calls of a model's main function."""
    module: ModuleOp = import_model(model)
    run_pipeline(module, new_context(), Target(target), to="simt")
    return sum(isinstance(op, CallOp) for op in entry_of(module).walk())


class Network:
    """A chain of drawn convolutions, depthwise convolutions and pools, all with borders.

    seed: the seed of the drawn nodes and of the weights.  launches: the most launches of the chain.
    """

    def __init__(self, seed: int) -> None:
        draw, rng = random.Random(seed), np.random.default_rng(seed)
        channels, nodes, weights = draw.choice([3, 8, 16]), list[str](), list[onnx.TensorProto]()
        self.shape = [1, channels, draw.randint(12, 40), draw.randint(12, 40)]
        count = self.launches = draw.randint(3, 4)
        for n in range(count):
            window, stride = draw.choice([2, 3, 3, 5]), draw.choice([1, 1, 2])
            attributes = f"pads = {[window // 2] * 4}, strides = {[stride] * 2}"
            kind, name = draw.choice(["dense", "depthwise", "pool"]), f"v{n + 1}"
            if kind == "pool":
                # The maxima of rows and of columns are apart; so is the Relu behind a pool.
                self.launches += (window == 5) + (n == count - 1)
                nodes.append(
                    f"{name} = MaxPool <kernel_shape = {[window] * 2}, {attributes}> (v{n})"
                )
                continue
            group = channels if kind == "depthwise" else 1
            filters = channels if kind == "depthwise" else draw.choice([12, 16, 24])
            shape = (filters, channels // group, window, window)
            values = rng.standard_normal(shape).astype(np.float32) / np.sqrt(np.prod(shape[1:]))
            weights.append(onnx.numpy_helper.from_array(values.astype(np.float32), f"w{n}"))
            nodes.append(f"{name} = Conv <{attributes}, group = {group}> (v{n}, w{n})")
            channels = filters
        nodes.append(f"y = Relu (v{count})")
        head = '<ir_version: 10, opset_import: ["": 22]> network ('
        text = f"{head}float{self.shape} v0) => (float[n, o, h, w] y) {{ {' '.join(nodes)} }}"
        self.model = onnx.parser.parse_model(text)
        self.model.graph.initializer.extend(weights)
        self.input = rng.standard_normal(self.shape).astype(np.float32)


SEEDS = [0, 1, *(pytest.param(n, marks=pytest.mark.nightly) for n in range(2, 20))]


@pytest.mark.parametrize("seed", SEEDS)
def test_borders_need_no_launches(seed: int) -> None:
    network = Network(seed)
    assert launches(network.model, "cuda -arch=sm_80") <= network.launches


@pytest.mark.parametrize("seed", SEEDS[1:])
def test_guarded_reads_have_the_results_of_onnxruntime(seed: int) -> None:
    opencl_device()
    network = Network(seed)
    want = peer_results(network.model, {"v0": network.input})[0]
    made = tilewright.compile(network.model, target="opencl", strict_plan=True, cache=False)
    got = np.asarray(made(network.input))
    np.testing.assert_allclose(got, want, rtol=1e-4, atol=1e-4)


@pytest.mark.nightly
@pytest.mark.parametrize(("name", "most"), [("mobilenet_v2", 65), ("resnet50", 60)])
def test_networks_have_few_launches(name: str, most: int) -> None:
    assert launches(fixture_model(ZOO / f"{name}.onnx"), "cuda -arch=sm_90a") <= most


@pytest.mark.parametrize(
    ("arch", "element"),
    in_turn(["sm_80", "sm_90a"], [("float",), ("float16",)]),
)
def test_a_decoder_layer_has_six_launches(arch: str, element: str) -> None:
    sizes = {"width": 1024, "heads": 16, "key_heads": 4, "past": 512, "inner": 2816}
    layer = DecoderLayer(**sizes, element=element)
    assert launches(layer.model(), f"cuda -arch={arch}") <= 6


def test_a_decoder_layer_has_the_results_of_numpy() -> None:
    opencl_device()
    layer = DecoderLayer()
    made = tilewright.compile(layer.model(), target="opencl", strict_plan=True, cache=False)
    results = made(*layer.inputs().values())
    assert isinstance(results, tuple)
    for got, want in zip(results, layer.expected(), strict=True):
        assert np.linalg.norm(np.asarray(got) - want) <= 1e-6 * np.linalg.norm(want)

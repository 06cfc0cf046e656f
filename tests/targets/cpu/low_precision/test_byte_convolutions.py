"""Quantized convolutions: blocked channels, the machine's dot products, results of onnxruntime."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import onnx
import onnxruntime
import pytest
from onnx import TensorProto, helper

import tilewright
from tilewright.driver.report.texts import source_at
from tilewright.machines.target import Target

from ....onnx_models import onnx_model
from ....peer import peer_results
from ....sweeps import in_turn
from ..machine_models import onnx_model as text_model

HOST = Target.native()

Layer = tuple[int, int, int, int]
"""Channels of the result, kernel size, stride, groups."""

CHAINS: dict[str, tuple[int, int, Sequence[Layer]]] = {
    "3x3": (32, 14, [(32, 3, 1, 1), (64, 3, 1, 1)]),
    "1x1": (64, 9, [(48, 1, 1, 1), (32, 1, 1, 1)]),
    "stride": (16, 15, [(32, 3, 2, 1), (64, 1, 2, 1), (16, 3, 2, 1)]),
    "stride of few channels": (4, 10, [(4, 3, 1, 1), (17, 1, 2, 1)]),
    "single step": (1, 20, [(16, 3, 1, 1)]),
    "first": (3, 20, [(16, 3, 2, 1), (32, 3, 1, 1)]),
    "7x7": (3, 30, [(16, 7, 2, 1), (16, 1, 1, 1)]),
    "depthwise": (16, 12, [(32, 1, 1, 1), (32, 3, 1, 32), (16, 1, 1, 1)]),
    "groups": (32, 9, [(32, 3, 1, 1), (64, 3, 1, 2), (32, 1, 1, 4)]),
    "odd channels": (20, 11, [(24, 3, 1, 1), (40, 1, 1, 1), (7, 3, 1, 1)]),
    "small map": (64, 4, [(128, 1, 1, 1), (64, 3, 1, 1)]),
    "whole steps": (20, 8, [(32, 3, 1, 1), (12, 1, 1, 1)]),
    "whole steps 1x1": (36, 8, [(50, 1, 1, 1)]),
    "rest channels": (9, 8, [(30, 3, 1, 1), (58, 1, 1, 1), (58, 3, 2, 58), (100, 1, 1, 1)]),
}


def chain(channels: int, size: int, layers: Sequence[Layer]) -> onnx.ModelProto:
    """Return QLinearConv nodes, one after the other, with zero points of 0."""
    rng = np.random.default_rng(0)
    stored = {"z": np.uint8(0), "s": np.float32(0.02), "none": np.int8(0)}
    nodes: list[onnx.NodeProto] = []
    x, shape = "x", [1, channels, size, size]
    for number, (filters, kernel, stride, groups) in enumerate(layers):
        shape_of_weights = (filters, channels // groups, kernel, kernel)
        fan = channels // groups * kernel * kernel
        scales = (rng.random(filters) + 1) * 0.01 / np.sqrt(fan)
        stored |= {
            f"w{number}": rng.integers(-127, 128, shape_of_weights, np.int8),
            f"sw{number}": scales.astype(np.float32),
            f"zw{number}": np.zeros(filters, np.int8),
            f"b{number}": rng.integers(-900, 3000, filters).astype(np.int32),
        }
        weights = [f"w{number}", f"sw{number}", f"zw{number}"]
        nodes.append(
            helper.make_node(
                "QLinearConv",
                [x, "s", "z", *weights, "s", "z", f"b{number}"],
                [f"y{number}"],
                kernel_shape=[kernel] * 2,
                strides=[stride] * 2,
                pads=[kernel // 2] * 4,
                group=groups,
            )
        )
        size = (size + 2 * (kernel // 2) - kernel) // stride + 1
        x, channels = f"y{number}", filters
    return onnx_model(nodes, {"x": (TensorProto.UINT8, shape)}, [x], weights=stored, opset=21)


def expect_onnxruntime(model: onnx.ModelProto, mod: tilewright.CompiledModule) -> None:
    shape = [d.dim_value for d in model.graph.input[0].type.tensor_type.shape.dim]
    x = np.random.default_rng(1).integers(0, 256, shape).astype(np.uint8)
    np.testing.assert_array_equal(mod.run([x])[0], peer_results(model, {"x": x})[0])


@pytest.mark.parametrize("name", CHAINS)
def test_quantized_convolutions_equal_onnxruntime(name: str) -> None:
    model = chain(*CHAINS[name])
    expect_onnxruntime(model, tilewright.compile(model, strict_plan=True))


@pytest.mark.parametrize("name", ["3x3", "stride", "7x7"])
def test_avx2_convolves_pairs_of_16_bits(name: str) -> None:
    model = chain(*CHAINS[name])
    text = source_at(model, "asm", target="llvm -mcpu=x86-64-v3", strict_plan=True)
    assert "vpmaddwd" in text
    if HOST.has("avx2"):
        mod = tilewright.compile(model, target="llvm -mcpu=x86-64-v3", strict_plan=True)
        expect_onnxruntime(model, mod)


@pytest.mark.parametrize("name", ["3x3", "stride", "odd channels"])
def test_a_machine_without_dot_products_computes_the_same(name: str) -> None:
    model = chain(*CHAINS[name])
    target = "llvm -mcpu=x86-64-v3"
    if not HOST.has("avx2"):
        pytest.skip("this machine has no avx2")
    expect_onnxruntime(model, tilewright.compile(model, target=target, strict_plan=True))


@pytest.mark.parametrize(
    "name",
    ["3x3", "1x1", "stride", "small map", "first", "7x7", "whole steps", "whole steps 1x1", "rest"],
)
def test_the_plan_uses_dot_products_over_blocked_channels(name: str) -> None:
    rest = (9, 8, [(30, 3, 1, 1), (58, 1, 1, 1), (100, 3, 2, 1)])
    model = chain(*CHAINS.get(name, rest))
    text = source_at(model, "sched", target="llvm -mcpu=cascadelake", strict_plan=True)
    assert text.count("sched.tensorize") == text.count("te.compute @conv ")
    assert "vpdpbusd" in source_at(model, "asm", target="llvm -mcpu=cascadelake")


@pytest.mark.parametrize("counts", [(24, 40), (30, 17, 58), (16, 33)])
def test_parts_of_a_concat_of_bytes_are_computed_in_one_block(counts: Sequence[int]) -> None:
    rng = np.random.default_rng(0)
    sizes = {f"w{n}": (count, 8, 3, 3) for n, count in enumerate(counts)}
    sizes["last"] = (32, sum(counts), 3, 3)
    weights = {name: rng.integers(-128, 128, shape, np.int8) for name, shape in sizes.items()}
    convolution = "QLinearConv<pads=[1,1,1,1]>({x}, s, z, {w}, s, none, s, z)"
    parts = [f"a{n} = {convolution.format(x='x', w=f'w{n}')}" for n in range(len(counts))]
    names = ", ".join(f"a{n}" for n in range(len(counts)))
    nodes = [*parts, f"j = Concat<axis=1>({names})", "y = " + convolution.format(x="j", w="last")]
    scales = {"s": np.float32(0.05), "z": np.uint8(3), "none": np.int8(0)}
    model = text_model(" ".join(nodes), (1, 8, 9, 9), weights | scales, "uint8", "uint8")
    mod = tilewright.compile(model, strict_plan=True)
    assert "@concat" not in mod.get_source("sched")
    expect_onnxruntime(model, mod)


@pytest.mark.parametrize(
    ("channels", "kernel", "target", "taps"),
    [
        (3, 7, "llvm -mcpu=cascadelake", 8),
        (1, 5, "llvm -mcpu=cascadelake", 8),
        (3, 4, "llvm -mcpu=cascadelake", 4),
        (3, 1, "llvm -mcpu=cascadelake", 1),
        (4, 3, "llvm -mcpu=cascadelake", 3),
        (3, 3, "llvm -mcpu=skylake-avx512 -mattr=-avx2", 3),
    ],
)
def test_rows_of_taps_become_whole_steps(
    channels: int, kernel: int, target: str, taps: int
) -> None:
    model = chain(channels, 12, [(16, kernel, 1, 1)])
    text = source_at(model, "graph", target=target)
    assert f"tensor<16x{channels}x{kernel}x{taps}xi8>" in text


@pytest.mark.parametrize(("name", "sizes"), in_turn(["stride", "7x7"], [("nhw",), ("n",)]))
def test_symbolic_sizes_keep_the_dot_products(name: str, sizes: str) -> None:
    names = {"nchw".index(letter): letter for letter in sizes}
    channels, size, layers = CHAINS[name]
    model = chain(channels, size, layers)
    given = model.graph.input[0].type.tensor_type.shape.dim
    for d, word in names.items():
        given[d].dim_param = word
    mod = tilewright.compile(model, strict_plan=True)
    if HOST.has("avx512vnni"):
        assert "vpdpbusd" in mod.get_source("asm")
    session = onnxruntime.InferenceSession(model.SerializeToString())
    for height, width in [(size, size), *([(11, 33)] if 2 in names else [])]:
        shape = (3, channels, height, width)
        x = np.random.default_rng(1).integers(0, 256, shape).astype(np.uint8)
        np.testing.assert_array_equal(mod.run([x])[0], session.run(None, {"x": x})[0])

"""Convolutions by tiles: the plan chooses them, and their results on the emulator."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

import ml_dtypes
import numpy as np
import onnx
import pytest
from numpy.typing import ArrayLike
from onnx import helper

from tilewright.driver.module.kernels import compile_kernels
from tilewright.driver.report.texts import source_at
from tilewright.machines.target import Target

from ....amx.emulator import TileEmulator, TileProgram
from ....onnx_models import onnx_model
from ....peer import peer_results

FEATURES = "+avx512vnni,+avx512bf16,+amx-tile,+amx-int8,+amx-bf16"
TILES = Target(f"llvm -mcpu=x86-64-v4 -mattr={FEATURES}")
SMALL_CACHE = Target(f"llvm -mcpu=x86-64-v4 -mattr={FEATURES} -l2-kib=24")
HOST = Target.native()

needs_avx512 = pytest.mark.skipif(
    not (HOST.has("avx512vnni") and HOST.has("avx512bf16")),
    reason="the rest of the code needs AVX-512 with VNNI and BF16",
)


@dataclass(frozen=True)
class Layer:
    """A convolution of square windows over an image of n x c x h x w."""

    c: int = 64
    o: int = 64
    h: int = 14
    w: int = 14
    n: int = 1
    kernel: int = 3
    stride: int = 1
    pad: int = 1
    dilation: int = 1
    groups: int = 1

    @property
    def weights(self) -> tuple[int, ...]:
        return self.o, self.c // self.groups, self.kernel, self.kernel

    @property
    def result(self) -> tuple[int, ...]:
        reach = self.dilation * (self.kernel - 1) + 1
        sizes = [(n + 2 * self.pad - reach) // self.stride + 1 for n in (self.h, self.w)]
        return self.n, self.o, *sizes

    def model(
        self, op: str, inputs: list[str], element: int, constants: Mapping[str, ArrayLike]
    ) -> onnx.ModelProto:
        """Return a model of one convolution; element: type of its input and result."""
        node = helper.make_node(
            op,
            inputs,
            ["y"],
            pads=[self.pad] * 4,
            strides=[self.stride] * 2,
            dilations=[self.dilation] * 2,
            group=self.groups,
        )
        return onnx_model(
            [node],
            {"x": (element, [self.n, self.c, self.h, self.w])},
            weights=constants,
            opset=21,
        )


def quantized(layer: Layer) -> onnx.ModelProto:
    """Return a QLinearConv of unsigned pixels by constant signed weights."""
    rng = np.random.default_rng(0)
    constants = {
        "x_scale": np.float32(0.02), "x_zero": np.uint8(120),
        "w": rng.integers(-128, 128, layer.weights).astype(np.int8),
        "w_scale": rng.uniform(0.001, 0.002, layer.o).astype(np.float32),
        "w_zero": np.zeros(layer.o, np.int8), "y_scale": np.float32(0.2), "y_zero": np.uint8(130),
    }  # fmt: skip
    names = ["x", "x_scale", "x_zero", "w", "w_scale", "w_zero", "y_scale", "y_zero"]
    return layer.model("QLinearConv", names, onnx.TensorProto.UINT8, constants)


def dense(layer: Layer) -> onnx.ModelProto:
    """Return a convolution of f32 with a bias, whose weights are numbers of bf16."""
    rng = np.random.default_rng(0)
    weights = rng.standard_normal(layer.weights) / np.sqrt(np.prod(layer.weights[1:]))
    bias = rng.standard_normal(layer.o).astype(np.float32)
    constants = {"w": rounded(weights), "b": bias}
    return layer.model("Conv", ["x", "w", "b"], onnx.TensorProto.FLOAT, constants)


def rounded(x: np.ndarray) -> np.ndarray:
    return x.astype(ml_dtypes.bfloat16).astype(np.float32)


def expected(model: onnx.ModelProto, x: np.ndarray) -> np.ndarray:
    return peer_results(model, {"x": x})[0]


@pytest.fixture(scope="module")
def emulator(tmp_path_factory: pytest.TempPathFactory) -> TileEmulator:
    return TileEmulator(tmp_path_factory.mktemp("tiles"))


NIGHTLY = pytest.mark.nightly

BYTES = [
    # tiles of sums, and products of each: 14 rows of one tile by 4 tiles of channels
    pytest.param(Layer(), 14 * 4, 9, id="spatial"),
    pytest.param(
        Layer(stride=2, kernel=1, pad=0, c=128, o=128, w=28), 7 * 8, 2, id="pointwise-stride"
    ),
    pytest.param(Layer(c=32, o=48, h=9, w=17), 9 * 3, 9, id="ragged", marks=NIGHTLY),
    pytest.param(Layer(c=128, o=128, groups=2), 14 * 8, 9, id="groups", marks=NIGHTLY),
    pytest.param(Layer(c=96, o=96, groups=2), 14 * 6, 9, id="odd-groups", marks=NIGHTLY),
    pytest.param(Layer(c=48, n=3, h=7, w=32), 3 * 7 * 8, 9, id="batch", marks=NIGHTLY),
    pytest.param(Layer(dilation=2, pad=2), 14 * 4, 9, id="dilation", marks=NIGHTLY),
    pytest.param(Layer(kernel=5, pad=2, c=16), 14 * 4, 25, id="wide-window", marks=NIGHTLY),
]


@needs_avx512
@pytest.mark.parametrize(("layer", "tiles", "steps"), BYTES)
def test_convolutions_of_bytes_equal_onnxruntime(
    layer: Layer, tiles: int, steps: int, emulator: TileEmulator
) -> None:
    model = quantized(layer)
    program = TileProgram(compile_kernels(model, target=TILES))
    shape = layer.n, layer.c, layer.h, layer.w
    x = np.random.default_rng(1).integers(0, 256, shape).astype(np.uint8)
    with emulator:
        (y,) = program(x)
    np.testing.assert_array_equal(y, expected(model, x))
    assert len(np.unique(y)) > 30
    assert emulator.count("stored") == tiles, "no tile is stored but the sums: none is spilled"
    assert emulator.count("multiplied") == tiles * steps


@needs_avx512
@pytest.mark.parametrize(
    "layer",
    [
        Layer(stride=2, c=32, h=15, w=31),
        pytest.param(Layer(kernel=1, pad=0, c=96, o=80, w=25), marks=NIGHTLY),
    ],
)
def test_bf16_convolutions_are_near_exact_sums(layer: Layer, emulator: TileEmulator) -> None:
    model = dense(layer)
    program = TileProgram(compile_kernels(model, target=TILES, precision="bf16"))
    shape = layer.n, layer.c, layer.h, layer.w
    x = rounded(np.random.default_rng(1).standard_normal(shape))
    with emulator:
        (y,) = program(x)
    assert emulator.count("multiplied") > 0
    np.testing.assert_allclose(y, expected(model, x), atol=3e-6)


@needs_avx512
@pytest.mark.nightly
@pytest.mark.parametrize(
    "layer",
    [
        Layer(c=128, h=21),  # blocks of a few rows
        Layer(c=128, o=128, h=7, w=7),  # weights larger than the cache: tasks share the channels
    ],
)
def test_tasks_copy_their_rows_of_the_image(layer: Layer, emulator: TileEmulator) -> None:
    model = quantized(layer)
    assert "sched.fuse_into" in source_at(model, "sched", target=SMALL_CACHE)
    program = TileProgram(compile_kernels(model, target=SMALL_CACHE))
    shape = layer.n, layer.c, layer.h, layer.w
    x = np.random.default_rng(1).integers(0, 256, shape).astype(np.uint8)
    with emulator:
        (y,) = program(x)
    np.testing.assert_array_equal(y, expected(model, x))
    assert emulator.count("configured") > 1, "once per task"


def test_the_inner_loop_is_four_loads_and_four_products() -> None:
    text = source_at(quantized(Layer()), "asm", target=TILES)
    (kernel,) = (part for part in text.split("\ntw.k.") if "\ttdpb" in part)
    kernel = kernel.partition("\tretq")[0]
    assert kernel.count("\tldtilecfg\t") == kernel.count("\ttilerelease") == 1
    (inner,) = (part for part in re.split(r"\n\.LBB", kernel) if "\ttdpb" in part)
    inner = re.split(r"\tj[a-z]+\t", inner)[0]
    assert inner.count("\ttileloadd\t") == inner.count("\ttdpbusd\t") == 4
    assert "tilestored" not in inner


@pytest.mark.parametrize("has_tiles", [True, False])
def test_tiles_of_bf16_are_preferred_to_winograd_tiles(has_tiles: bool) -> None:
    target = TILES if has_tiles else "llvm -mcpu=x86-64-v4 -mattr=+avx512vnni,+avx512bf16"
    text = source_at(dense(Layer()), "sched", target=target, precision="bf16")
    assert ("intrinsic = tdpbf16ps" in text) is has_tiles
    assert ("role(transform)" in text) is not has_tiles


@pytest.mark.parametrize(
    "layer",
    [
        Layer(c=16, o=16, h=2, w=3),  # few pixels: the configuration costs more
        Layer(c=64, o=64, groups=8),  # groups of 8 channels fill no tile
        Layer(c=3),
    ],
)
def test_convolutions_without_gain_use_vectors(layer: Layer) -> None:
    text = source_at(quantized(layer), "sched", target=TILES)
    assert "intrinsic = tdp" not in text

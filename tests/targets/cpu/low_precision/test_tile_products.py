"""Products by tiles: the plan chooses them, and their results on the emulator."""

from __future__ import annotations

import re

import ml_dtypes
import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper

import tilewright
from tilewright.driver.module.kernels import compile_kernels
from tilewright.driver.report.texts import source_at
from tilewright.machines.target import Target

from ....amx.emulator import TileEmulator, TileProgram
from ....onnx_models import onnx_model

# All that Zen 4 and Sapphire Rapids have, and tiles; a processor without AVX512-BF16 cannot run it.
TILES = Target("llvm -mcpu=x86-64-v4 -mattr=+avx512vnni,+avx512bf16,+amx-tile,+amx-int8,+amx-bf16")
HOST = Target.native()

needs_avx512 = pytest.mark.skipif(
    not (HOST.has("avx512vnni") and HOST.has("avx512bf16")),
    reason="the rest of the code needs AVX-512 with VNNI and BF16",
)


@pytest.fixture(scope="module")
def emulator(tmp_path_factory: pytest.TempPathFactory) -> TileEmulator:
    return TileEmulator(tmp_path_factory.mktemp("tiles"))


def product(
    shape: tuple[int | str, int, int], types: tuple[str, str] = ("u1", "i1")
) -> tuple[onnx.ModelProto, np.ndarray]:
    """Return a MatMulInteger by constant weights, and the weights; shape: rows, terms, columns."""
    (m, k, n), (left, right) = shape, map(np.dtype, types)
    info = np.iinfo(right)
    weights = np.random.default_rng(0).integers(info.min, info.max, (k, n), right, endpoint=True)
    return onnx_model(
        [helper.make_node("MatMulInteger", ["x", "w"], ["y"])],
        {"x": (helper.np_dtype_to_tensor_dtype(left), [m, k])},
        weights={"w": weights},
        opset=21,
    ), weights


@needs_avx512
@pytest.mark.parametrize(
    ("shape", "tiles"),
    [
        ((64, 128, 96), 4 * 6 * 2),
        ((16, 256, 32), 4 * 2),  # one tile of rows
        ((16, 64, 32), 0),  # the configuration of the registers takes longer than vectors
        ((52, 192, 80), 3 * 4 * 3),  # rows and columns that fill no tile
        ((41, 96, 37), 2 * 2 * 2),  # twelve groups per tile
        ((700, 4096, 32), 43 * 2 * 64),  # blocks of rows
        ((15, 64, 64), 0),
        ((64, 68, 64), 0),
    ],
)
def test_products_of_bytes_equal_numpy(
    shape: tuple[int, int, int], tiles: int, emulator: TileEmulator
) -> None:
    model, weights = product(shape)
    program = TileProgram(compile_kernels(model, target=TILES))
    x = np.random.default_rng(1).integers(0, 256, shape[:2]).astype(np.uint8)
    with emulator:
        (y,) = program(x)
    np.testing.assert_array_equal(y, x.astype(np.int32) @ weights.astype(np.int32))
    assert emulator.count("multiplied") == tiles


SIZES = [1, 7, 15, 16, 17, 31, 32, 33, 63, 100]
"""Numbers of rows around those of tiles."""


@needs_avx512
@pytest.mark.parametrize("columns", [96, pytest.param(80, marks=pytest.mark.nightly)])
def test_symbolic_rows_are_whole_tiles_from_one_tile_on(
    columns: int, emulator: TileEmulator
) -> None:
    model, weights = product(("rows", 128, columns))
    program = TileProgram(compile_kernels(model, target=TILES))
    for rows in SIZES:
        x = np.random.default_rng(rows).integers(0, 256, (rows, 128)).astype(np.uint8)
        with emulator:
            (y,) = program(x)
        np.testing.assert_array_equal(y, x.astype(np.int32) @ weights.astype(np.int32))
        tiles = (-(-rows // 16) if rows >= 16 else 0) * (columns // 32 * 2)
        assert emulator.count("multiplied") == 2 * tiles, rows
        assert emulator.count("stored") == tiles, "no tile is spilled"


@needs_avx512
@pytest.mark.parametrize("types", [("u1", "u1"), ("i1", "i1"), ("i1", "u1")])
def test_bytes_of_all_signs_are_multiplied(types: tuple[str, str], emulator: TileEmulator) -> None:
    model, weights = product((32, 64, 64), types)
    program = TileProgram(compile_kernels(model, target=TILES))
    x = np.random.default_rng(1).integers(-128, 128, (32, 64)).astype(np.int8).view(types[0])
    with emulator:
        (y,) = program(x)
    np.testing.assert_array_equal(y, x.astype(np.int32) @ weights.astype(np.int32))
    assert emulator.count("multiplied") == 8


def quantized(m: int, k: int, n: int) -> onnx.ModelProto:
    """Return a QLinearMatMul of unsigned rows by constant signed weights, scaled per column."""
    rng = np.random.default_rng(0)
    constants = {
        "x_scale": np.float32(0.02), "x_zero": np.uint8(120),
        "w": rng.integers(-128, 128, (k, n)).astype(np.int8),
        "w_scale": rng.uniform(0.001, 0.002, n).astype(np.float32), "w_zero": np.zeros(n, np.int8),
        "y_scale": np.float32(0.05), "y_zero": np.uint8(130),
    }  # fmt: skip
    names = ["x", "x_scale", "x_zero", "w", "w_scale", "w_zero", "y_scale", "y_zero"]
    return onnx_model(
        [helper.make_node("QLinearMatMul", names, ["y"])],
        {"x": (TensorProto.UINT8, [m, k])},
        weights=constants,
        opset=21,
    )


@needs_avx512
def test_sums_are_requantized_behind_the_tiles(emulator: TileEmulator) -> None:
    model = quantized(50, 128, 72)
    program = TileProgram(compile_kernels(model, target=TILES))
    x = np.random.default_rng(1).integers(0, 256, (50, 128)).astype(np.uint8)
    with emulator:
        (y,) = program(x)
    assert emulator.count("multiplied") == 3 * 4 * 2
    assert len(np.unique(y)) > 50
    np.testing.assert_array_equal(y, tilewright.compile(model).run([x])[0])


def dense(m: int | str, k: int, n: int) -> tuple[onnx.ModelProto, np.ndarray]:
    """Return a product of f32 by constant weights with a bias and tanh, and the weights."""
    rng = np.random.default_rng(0)
    weights = (rng.standard_normal((k, n)) / np.sqrt(k)).astype(np.float32)
    nodes = [("MatMul", ["x", "w"], "p"), ("Add", ["p", "b"], "s"), ("Tanh", ["s"], "y")]
    return onnx_model(
        [helper.make_node(op, inputs, [out]) for op, inputs, out in nodes],
        {"x": [m, k]},
        weights={"w": weights, "b": np.linspace(-1, 1, n, dtype=np.float32)},
        opset=21,
    ), weights


def computed(
    shape: tuple[int, int, int], *, is_bytes: bool, is_transposed: bool
) -> onnx.ModelProto:
    """Return products of two inputs, three matrices each, as of queries by keys."""
    m, k, n = shape
    right = [3, n, k] if is_transposed else [3, k, n]
    types = (TensorProto.UINT8, TensorProto.INT8) if is_bytes else (TensorProto.FLOAT,) * 2
    turn = [helper.make_node("Transpose", ["w"], ["t"], perm=[0, 2, 1])] if is_transposed else []
    op = "MatMulInteger" if is_bytes else "MatMul"
    return onnx_model(
        [*turn, helper.make_node(op, ["x", "t" if turn else "w"], ["y"])],
        {"x": (types[0], [3, m, k]), "w": (types[1], right)},
        opset=21,
    )


@needs_avx512
@pytest.mark.parametrize("is_bytes", [True, False])
@pytest.mark.parametrize(
    ("shape", "is_transposed"),
    [
        ((64, 64, 96), False),
        ((64, 64, 96), True),
        pytest.param((70, 192, 88), False, marks=pytest.mark.nightly),  # remainders
        pytest.param((70, 192, 88), True, marks=pytest.mark.nightly),
    ],
)
def test_computed_operands_are_packed_for_tiles(
    shape: tuple[int, int, int], is_transposed: bool, is_bytes: bool, emulator: TileEmulator
) -> None:
    m, k, n = shape
    model = computed(shape, is_bytes=is_bytes, is_transposed=is_transposed)
    precision = "default" if is_bytes else "bf16"
    program = TileProgram(compile_kernels(model, target=TILES, precision=precision))
    rng = np.random.default_rng(1)
    x, w = rng.integers(-128, 128, (3, m, k)), rng.integers(-128, 128, (3, k, n))
    x, w = (x.astype(np.uint8), w.astype(np.int8)) if is_bytes else (x / 128, w / 128)
    right = w.transpose(0, 2, 1) if is_transposed else w
    given = [np.ascontiguousarray(v if is_bytes else v.astype(np.float32)) for v in (x, right)]
    with emulator:
        (y,) = program(*given)
    assert emulator.count("stored") == 3 * (m // 16) * (n // 32 * 2)
    if is_bytes:
        np.testing.assert_array_equal(y, x.astype(np.int32) @ w.astype(np.int32))
    else:  # numbers of bf16
        np.testing.assert_allclose(y, x @ w, atol=2e-5)


def rounded(x: np.ndarray) -> np.ndarray:
    return x.astype(ml_dtypes.bfloat16).astype(np.float64)


@needs_avx512
@pytest.mark.parametrize("shape", [(64, 512, 96), (35, 160, 64)])
def test_bf16_products_are_near_exact_sums(
    shape: tuple[int, int, int], emulator: TileEmulator
) -> None:
    model, weights = dense(*shape)
    program = TileProgram(compile_kernels(model, target=TILES, precision="bf16"))
    x = np.random.default_rng(1).standard_normal(shape[:2]).astype(np.float32)
    with emulator:
        (y,) = program(x)
    assert emulator.count("multiplied") > 0
    sums = rounded(x) @ rounded(weights) + np.linspace(-1, 1, shape[2])
    np.testing.assert_allclose(y, np.tanh(sums), atol=2e-6)


@needs_avx512
@pytest.mark.nightly
def test_bf16_products_of_symbolic_rows_are_near_exact_sums(emulator: TileEmulator) -> None:
    model, weights = dense("rows", 160, 64)
    program = TileProgram(compile_kernels(model, target=TILES, precision="bf16"))
    for rows in SIZES:
        x = np.random.default_rng(rows).standard_normal((rows, 160)).astype(np.float32)
        with emulator:
            (y,) = program(x)
        assert bool(emulator.count("multiplied")) is (rows >= 16)
        sums = rounded(x) @ rounded(weights) + np.linspace(-1, 1, 64)
        np.testing.assert_allclose(y, np.tanh(sums), atol=2e-6)


@pytest.mark.parametrize("precision", ["default", "bf16"])
def test_the_inner_loop_is_four_loads_and_four_products(precision: str) -> None:
    is_bytes = precision == "default"
    model = product((128, 768, 768))[0] if is_bytes else dense(128, 768, 768)[0]
    text = source_at(model, "asm", target=TILES, precision=precision)
    (kernel,) = (part for part in text.split("\ntw.k.") if "\ttdpb" in part)
    kernel = kernel.partition("\tretq")[0]
    assert kernel.count("\tldtilecfg\t") == kernel.count("\ttilerelease") == 1
    (inner,) = (part for part in re.split(r"\n\.LBB", kernel) if "\ttdpb" in part)
    inner = inner.partition("\tjl\t")[0]
    assert inner.count("\ttileloadd\t") == inner.count("\ttdpb") == 4
    assert "tilestored" not in inner
    assert "cfg" not in inner


def test_targets_without_tiles_are_planned_by_vectors() -> None:
    text = source_at(product((64, 128, 96))[0], "sched", target="llvm -mcpu=icelake-server")
    assert "intrinsic = vpdpbusd" in text
    assert "tdp" not in text

"""Products with weights of few bits: the instructions, the results, and other levels."""

from __future__ import annotations

from typing import Any

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

import tilewright
from tilewright.codegen.llvm import Machine, assembly_of
from tilewright.driver.report.texts import source_at
from tilewright.lowering.loop_to_llvm import emit_kernel
from tilewright.machines.target import Target
from tilewright.targets.cpu.instructions.block_intrinsics import BLOCKS, FEATURE
from tilewright.targets.cpu.instructions.intrinsics import make_intrinsic
from tilewright.testing.intrinsics import check_intrinsic, use_of

from ....peer import peer_results

HOST = Target.native()
VNNI, AVX2 = "llvm -mcpu=cascadelake", "llvm -mcpu=x86-64-v3"
TYPES = {"float32": TensorProto.FLOAT, "float16": TensorProto.FLOAT16}


def model(
    rows: int | str,
    columns: int,
    size: int,
    *,
    bits: int = 4,
    block: int = 32,
    level: int = 0,
    zeros: bool = False,
    dtype: str = "float32",
) -> tuple[onnx.ModelProto, Any]:
    """Return a product of seeded weights, and its matrix (K, N) in f64."""
    rng, blocks = np.random.default_rng(bits + block), -(-size // block)
    stored = rng.integers(0, 256, (columns, blocks, block * bits // 8)).astype(np.uint8)
    scales = rng.uniform(0.5, 1, columns * blocks).astype(dtype)
    weights = {"w": stored, "scale": scales}
    if zeros:
        weights["zero"] = rng.integers(0, 256, columns * -(-blocks * bits // 8)).astype(np.uint8)
    node = helper.make_node(
        "MatMulNBits", ["x", *weights], ["y"], domain="com.microsoft", K=size, N=columns,
        bits=bits, block_size=block, accuracy_level=level,
    )  # fmt: skip
    values = [
        helper.make_tensor_value_info(n, TYPES[dtype], [rows, k])
        for n, k in (("x", size), ("y", columns))
    ]
    initializers = [numpy_helper.from_array(v, n) for n, v in weights.items()]
    graph = helper.make_graph([node], "product", values[:1], values[1:], initializers)
    opsets = [helper.make_opsetid("", 21), helper.make_opsetid("com.microsoft", 1)]
    made = helper.make_model(graph, opset_imports=opsets, ir_version=10)
    return made, _matrix(stored, scales, weights.get("zero"), bits, size)


def _matrix(stored: Any, scales: Any, packed: Any, bits: int, size: int) -> Any:
    columns, blocks, _ = stored.shape
    numbers = stored if bits == 8 else np.stack([stored & 15, stored >> 4], -1)
    numbers = numbers.reshape(columns, blocks, -1).astype(np.float64)
    zero: Any = 1 << (bits - 1)
    if packed is not None:
        given = packed.reshape(columns, -1)
        given = given if bits == 8 else np.stack([given & 15, given >> 4], -1)
        zero = given.reshape(columns, -1)[:, :blocks, None].astype(np.float64)
    weights = (numbers - zero) * scales.reshape(columns, blocks, 1).astype(np.float64)
    return weights.reshape(columns, -1)[:, :size].T


def relative_error(got: Any, x: Any, matrix: Any) -> float:
    """Return the largest error, relative to the sums of magnitudes."""
    exact = x.astype(np.float64) @ matrix
    return float((np.abs(got - exact) / (np.abs(x).astype(np.float64) @ np.abs(matrix))).max())


def needs_vnni() -> None:
    """Skip a test that runs the instructions."""
    if not HOST.has(FEATURE):
        pytest.skip(f"this machine has no {FEATURE}")


@pytest.mark.parametrize("name", BLOCKS)
def test_a_block_computes_its_definition(name: str) -> None:
    needs_vnni()
    check_intrinsic(make_intrinsic(name), rounds=16)


@pytest.mark.parametrize("name", BLOCKS)
def test_a_block_becomes_one_instruction_per_word_and_digit(name: str) -> None:
    target = Target(VNNI)
    text = emit_kernel(use_of(make_intrinsic(name)), target)
    assembly = assembly_of(text, Machine.of(target))
    assert assembly.count("\tvpdpbusd\t") == 8 * BLOCKS[name].digits
    assert "(%rsp)" not in assembly


@pytest.mark.one_in(2)
@pytest.mark.parametrize(
    ("rows", "columns", "size", "block", "bits", "level", "zeros"),
    [
        (1, 96, 256, 32, 4, 0, False),
        (1, 96, 256, 32, 4, 4, True),
        (1, 64, 256, 128, 8, 0, True),
        (7, 70, 250, 64, 4, 0, True),
        (7, 70, 250, 64, 8, 4, False),
    ],
)
def test_the_results_are_those_of_f32(
    rows: int, columns: int, size: int, block: int, bits: int, level: int, zeros: bool
) -> None:
    proto, matrix = model(rows, columns, size, bits=bits, block=block, level=level, zeros=zeros)
    x = np.random.default_rng(rows).standard_normal((rows, size)).astype(np.float32)
    mod = tilewright.compile(proto, strict_plan=True)
    assert ("vpdpbusd" in mod.get_source("asm")) == HOST.has(FEATURE)
    error = relative_error(np.asarray(mod.run([x])[0]), x, matrix)
    theirs = relative_error(peer_results(proto, [x])[0], x, matrix)
    assert error <= (5e-7 if level == 0 else 1.01 * theirs)


@pytest.mark.parametrize("scale", [1e-38, 1.0, 1e30])
def test_the_magnitude_of_activations_does_not_matter(scale: float) -> None:
    proto, matrix = model(2, 32, 64)
    x = (np.random.default_rng(0).standard_normal((2, 64)) * scale).astype(np.float32)
    x[:, ::5] = 0
    x[1, :32] = 0
    got = np.asarray(tilewright.compile(proto).run([x])[0])
    if scale < 1e-30:
        np.testing.assert_allclose(got, x.astype(np.float64) @ matrix, atol=1e-28)
    else:
        assert relative_error(got, x, matrix) < 5e-7


@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_what_is_not_finite_stays_so(value: float) -> None:
    proto, _ = model(1, 32, 64)
    x = np.ones((1, 64), np.float32)
    x[0, 40] = value
    assert not np.isfinite(np.asarray(tilewright.compile(proto).run([x])[0])).any()


def test_symbolic_rows_share_one_program() -> None:
    proto, matrix = model("rows", 80, 160, bits=4, level=4, zeros=True)
    mod = tilewright.compile(proto, strict_plan=True)
    for rows in (1, 3, 9, 64):
        x = np.random.default_rng(rows).standard_normal((rows, 160)).astype(np.float32)
        assert relative_error(np.asarray(mod.run([x])[0]), x, matrix) < 1e-2


def test_f16_models_keep_their_scales() -> None:
    proto, matrix = model(1, 64, 128, dtype="float16")
    x = np.random.default_rng(1).standard_normal((1, 128)).astype(np.float16)
    mod = tilewright.compile(proto, strict_plan=True)
    got = np.asarray(mod.run([x])[0])
    assert got.dtype == np.float16
    np.testing.assert_allclose(got, x.astype(np.float64) @ matrix, rtol=2e-3, atol=2e-2)


def test_weights_stay_compressed() -> None:
    proto, _ = model(1, 512, 512)
    text = source_at(proto, "packed", target=VNNI)
    assert "tensor<512x16x16xi8>" not in text
    assert "memref<32x16x1x4x16x4xi8>" in text
    assert "262144xf32" not in text
    assert "512x512xf32" not in text


def test_only_a_single_row_prefetches_its_weights() -> None:
    def sources(rows: int) -> tuple[str, str]:
        proto, _ = model(rows, 512, 512)
        return source_at(proto, "sched", target=VNNI), source_at(proto, "asm", target=VNNI)

    script, asm = sources(1)
    assert "sched.prefetch" in script
    assert asm.count("prefetcht1") == 1  # of each block; the hardware fetches its other lines
    assert "prefetch" not in "".join(sources(3))


@pytest.mark.parametrize("options", [{"target": AVX2}, {"target": VNNI, "precision": "strict"}])
def test_other_levels_multiply_f32(options: dict[str, str]) -> None:
    proto, _ = model(1, 64, 128)
    asm = source_at(proto, "asm", **options)
    assert "vpdpbusd" not in asm
    assert "512x512" not in asm


def test_blocks_of_16_are_dequantized() -> None:
    proto, matrix = model(3, 64, 128, block=16)
    x = np.random.default_rng(1).standard_normal((3, 128)).astype(np.float32)
    mod = tilewright.compile(proto, strict_plan=True)
    assert "vpdpbusd" not in mod.get_source("asm")
    assert relative_error(np.asarray(mod.run([x])[0]), x, matrix) < 5e-7

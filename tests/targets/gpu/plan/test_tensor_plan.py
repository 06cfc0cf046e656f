"""The plan of products with matrix instructions: results, fallbacks, and what ptxas reports."""

from __future__ import annotations

import json
import logging
import re
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any, cast

import ml_dtypes
import numpy as np
import onnx
import pytest
from xdsl.dialects.builtin import MemRefType, ModuleOp
from xdsl.dialects.func import FuncOp

import tilewright
from tilewright.analysis.bounds.positions import verify_positions
from tilewright.analysis.verify import verify_module
from tilewright.codegen.ptx import assemble
from tilewright.dialects import simt
from tilewright.dialects.loop import AllocOp
from tilewright.driver.passes.pipeline import run_pipeline
from tilewright.frontend.onnx.importer import import_model
from tilewright.interp import packed
from tilewright.machines.target import Target
from tilewright.support.diagnostics import TargetError
from tilewright.support.entry import kernel_functions
from tilewright.support.precision import Precision
from tilewright.support.registry import new_context
from tilewright.testing import models
from tilewright.tools.cli import main

from ....cuda_device import PIPELINE
from ....gpu_tools import expect_no_spills, needs_ptxas
from ....sweeps import in_turn

TYPES = {"float16": np.dtype(np.float16), "bfloat16": np.dtype(ml_dtypes.bfloat16)}
BOUNDS = {"float16": 2e-3, "bfloat16": 2e-2}
"""Errors of results of 16 bits, relative to the largest one: two units of the last place."""
CUDA = Target("cuda -arch=sm_80")
RNG = np.random.default_rng(0)

PRODUCTS: dict[str, tuple[str, dict[str, int]]] = {
    "whole": ("T[64, 48] a, T[48, 96] b) => (T[64, 96] y)", {}),
    "ragged": ("T[50, 30] a, T[30, 41] b) => (T[50, 41] y)", {}),
    "batched": ("T[2, 3, 32, 32] a, T[2, 3, 32, 16] b) => (T[2, 3, 32, 16] y)", {}),
    "shared matrix": ("T[3, 20, 32] a, T[32, 24] b) => (T[3, 20, 24] y)", {}),
    "open": ("T[n, k] a, T[k, m] b) => (T[n, m] y)", {"n": 70, "k": 20, "m": 35}),
    "open rows": ("T[n, 64] a, T[64, 64] b) => (T[n, 64] y)", {"n": 3}),
    "open batch": ("T[b, 2, n, k] a, T[b, 2, k, 16] b) => (T[b, 2, n, 16] y)",
                   {"b": 2, "n": 35, "k": 11}),
}  # fmt: skip
"""Signatures of products, and numbers for their open sizes."""


def product_model(signature: str, dtype: str, body: str = "") -> onnx.ModelProto:
    body = body or "c = MatMul (a, b) y = Relu (c)"
    head = '<ir_version: 9, opset_import: ["": 18]> product ('
    return onnx.parser.parse_model(f"{head}{signature} {{ {body} }}".replace("T[", f"{dtype}["))


def lowered(model: onnx.ModelProto, target: Target = CUDA) -> ModuleOp:
    module = import_model(model)
    run_pipeline(module, new_context(), target, to="simt")
    verify_module(module)
    verify_positions(module)
    return module


def the_kernel(module: ModuleOp) -> FuncOp:
    (kernel,) = kernel_functions(module)
    return kernel


def count(kernel: FuncOp, kind: type[simt.MmaOp | simt.BarrierOp | AllocOp]) -> int:
    return sum(isinstance(op, kind) for op in kernel.walk())


def operands(signature: str, dtype: str, sizes: dict[str, int]) -> list[np.ndarray]:
    """Return random operands of the types in a signature."""
    shapes = re.findall(r"T\[(.*?)\]", signature.split("=>")[0])
    numbers = [[sizes.get(n) or int(n) for n in shape.split(", ")] for shape in shapes]
    return [RNG.standard_normal(shape).astype(TYPES[dtype]) for shape in numbers]


def expect_product(got: np.ndarray, exact: np.ndarray, dtype: str) -> None:
    bound = BOUNDS[dtype] * float(np.abs(exact).max())
    np.testing.assert_allclose(got.astype(np.float64), exact, rtol=0, atol=bound)


ARCHITECTURES = ["sm_80", "sm_90a", "sm_100", "sm_120"]


def by_day(day: str, others: Iterable[str]) -> list[Any]:
    """Return values as parameters, of which only ``day`` is tested by day."""
    return [pytest.param(each, marks=[pytest.mark.nightly] * (each != day)) for each in others]


LEVELS = [
    pytest.param(level, marks=[pytest.mark.nightly] * (level not in ("sched", "simt")))
    for level in ("sched", "scheduled", "loop", "simt")
]
"""The first and the last level run by day."""


@pytest.mark.parametrize(("name", "dtype"), in_turn(PRODUCTS, [(dtype,) for dtype in TYPES]))
def test_products_of_16_bit_floats_use_matrix_instructions(name: str, dtype: str) -> None:
    """The interpreter reports races, and accesses outside of buffers."""
    signature, sizes = PRODUCTS[name]
    module = lowered(product_model(signature, dtype))
    kernel = the_kernel(module)
    assert count(kernel, simt.MmaOp) > 0
    scopes = [op.scope.data for op in kernel.walk() if isinstance(op, AllocOp)]
    assert sorted(scopes) == ["local", "shared", "shared"]
    assert count(kernel, simt.BarrierOp) in (1, 2)
    a, b = operands(signature, dtype, sizes)
    (got,) = packed.run(module, a, b)
    assert got.dtype == TYPES[dtype]
    expect_product(got, np.maximum(a.astype(np.float64) @ b.astype(np.float64), 0), dtype)


@pytest.mark.parametrize("transposed", ["0", "1"])
def test_a_product_with_a_bias_and_a_transposed_matrix(transposed: str) -> None:
    shape = "24, 40" if transposed == "1" else "40, 24"
    signature = f"T[33, 40] a, T[{shape}] b, T[24] c) => (T[33, 24] y)"
    body = f"y = Gemm <transB = {transposed}> (a, b, c)"
    module = lowered(product_model(signature, "float16", body))
    assert count(the_kernel(module), simt.MmaOp) > 0
    a, b, c = operands(signature, "float16", {})
    (got,) = packed.run(module, a, b, c)
    right = b.T if transposed == "1" else b
    expect_product(got, a.astype(np.float64) @ right.astype(np.float64) + c, "float16")


@pytest.mark.parametrize(
    ("signature", "dtype", "target", "reason"),
    [
        ("T[8, 64] a, T[64, 64] b) => (T[8, 64] y)", "float16", "cuda",
         "fewer than 12 rows or columns"),
        ("T[64, 64] a, T[64, 64] b) => (T[64, 64] y)", "float16", "opencl",
         "the target has no matrix instructions"),
        ("T[64, 64] a, T[64, 64] b) => (T[64, 64] y)", "bfloat16", "cuda -shared-kib=1",
         "the threads or the shared memory of a block of the target are too few"),
    ],
    ids=["rows", "target", "limits"],
)  # fmt: skip
def test_other_products_keep_their_rule(
    signature: str, dtype: str, target: str, reason: str, caplog: pytest.LogCaptureFixture
) -> None:
    """The reason is in the log, and the plan is legal."""
    with caplog.at_level(logging.INFO, logger="tilewright.targets"):
        module = lowered(product_model(signature, dtype), Target(target))
    assert f"@matmul of @matmul: no matrix instruction: {reason}" in caplog.text
    kernel = the_kernel(module)
    assert count(kernel, simt.MmaOp) == 0
    launch = simt.launch_of(kernel)
    assert launch is not None
    assert launch.threads > 1


def test_an_open_batch_inside_keeps_its_rule(caplog: pytest.LogCaptureFixture) -> None:
    signature = "T[b, 2, 32, 32] a, T[2, b, 32, 32] b) => (T[2, b, 32, 32] y)"
    body = "c = Transpose <perm = [1, 0, 2, 3]> (a) y = MatMul (c, b)"
    with caplog.at_level(logging.INFO, logger="tilewright.targets"):
        lowered(product_model(signature, "float16", body))
    assert "a dynamic size of a batch axis that is not the outermost" in caplog.text


HEADS = (
    "T[1, 20, 64] a, T[1, 24, 64] b) => (T[1, 2, 20, 24] y) "
    "<int64[4] s = {1, 20, 2, 32}, int64[4] t = {1, 24, 2, 32}>"
)
SPLIT = (
    "c = Reshape (a, s) d = Transpose <perm = [0, 2, 1, 3]> (c) "
    "e = Reshape (b, t) f = Transpose <perm = [0, 2, 3, 1]> (e) y = MatMul (d, f)"
)
"""The products of attention: a head is a part of the columns of both operands."""


@pytest.mark.parametrize("dtype", ["float16", "float"])
def test_heads_and_a_batch_of_one_have_tiles_in_shared_memory(dtype: str) -> None:
    module = lowered(product_model(HEADS, dtype, SPLIT))
    kernel = the_kernel(module)
    assert (count(kernel, simt.MmaOp) > 0) == (dtype == "float16")
    scopes = [op.scope.data for op in kernel.walk() if isinstance(op, AllocOp)]
    assert sorted(scopes) == ["local", "shared", "shared"]
    kind = np.float16 if dtype == "float16" else np.float32
    a, b = (RNG.standard_normal((1, n, 64)).astype(kind) for n in (20, 24))
    (got,) = packed.run(module, a, b)
    left = a.astype(np.float64).reshape(1, 20, 2, 32).transpose(0, 2, 1, 3)
    right = b.astype(np.float64).reshape(1, 24, 2, 32).transpose(0, 2, 3, 1)
    expect_product(got, left @ right, "float16")


def test_heads_that_tiles_do_not_divide_keep_their_rule(caplog: pytest.LogCaptureFixture) -> None:
    signature = HEADS.replace("64]", "40]").replace("32}", "20}")
    with caplog.at_level(logging.INFO, logger="tilewright.targets"):
        module = lowered(product_model(signature, "float16", SPLIT))
    assert "tiles do not divide a dimension that has several axes" in caplog.text
    assert count(the_kernel(module), simt.MmaOp) == 0


@pytest.mark.slow
def test_an_encoder_in_tf32() -> None:
    model = models.encoder_model(layers=1, hidden=64, heads=2, ffn=128, seq=24)
    x = RNG.standard_normal((1, 24, 64), np.float32)
    module = planned(model, Precision.TF32)
    assert sum(count(kernel, simt.MmaOp) for kernel in kernel_functions(module)) > 0
    (got,) = packed.run(module, x)
    (exact,) = tilewright.compile(model, cache=False).run([x])
    np.testing.assert_allclose(got, exact, rtol=0, atol=1e-2)


def test_products_whose_neighbors_belong_to_others_keep_their_rule(
    caplog: pytest.LogCaptureFixture,
) -> None:
    signature = "T[32, 32, 5] a, T[5, 32, 32] b) => (T[5, 32, 32] y)"
    body = "c = Transpose <perm = [2, 0, 1]> (a) y = MatMul (c, b)"
    with caplog.at_level(logging.INFO, logger="tilewright.targets"):
        module = lowered(product_model(signature, "float16", body))
    assert "an operand whose neighbors belong to other products" in caplog.text
    a, b = operands(signature, "float16", {})
    (got,) = packed.run(module, a, b)
    exact = np.moveaxis(a.astype(np.float64), 2, 0) @ b.astype(np.float64)
    expect_product(got, exact, "float16")


def test_a_batch_axis_between_rows_and_columns() -> None:
    signature = "T[32, 3, 40] a, T[3, 40, 24] b) => (T[3, 32, 24] y)"
    body = "c = Transpose <perm = [1, 0, 2]> (a) y = MatMul (c, b)"
    module = lowered(product_model(signature, "float16", body))
    assert count(the_kernel(module), simt.MmaOp) > 0
    a, b = operands(signature, "float16", {})
    (got,) = packed.run(module, a, b)
    exact = np.moveaxis(a.astype(np.float64), 1, 0) @ b.astype(np.float64)
    expect_product(got, exact, "float16")


@pytest.mark.parametrize(("size", "order"), in_turn(["256", "4096"], [("rows",), ("columns",)]))
def test_rows_that_are_read_at_once_are_in_different_banks(size: str, order: str) -> None:
    """A matrix has eight rows of 16 bytes, which fill the 32 banks of 4 bytes."""
    signature = f"T[{size}, {size}] a, T[{size}, {size}] b) => (T[{size}, {size}] y)"
    body = f"y = Gemm <transB = {int(order == 'columns')}> (a, b)"
    kernel = the_kernel(lowered(product_model(signature, "float16", body)))
    loads = [op for op in kernel.walk() if isinstance(op, simt.LoadMatrixOp)]
    assert {bool(op.transposed) for op in loads} == {False, order == "rows"}
    for op in loads:
        pitch = cast(MemRefType, op.mem.type).get_shape()[-1]
        banks = {row * pitch * 2 // 16 % 8 for row in range(8)}
        assert (pitch * 2 % 16, len(banks)) == (0, 8)


def tf32(x: np.ndarray) -> np.ndarray:
    """Round to 10 bits of the fraction, ties away from zero."""
    mantissa, exponent = np.frexp(x.astype(np.float64))
    scaled = np.abs(mantissa) * 2048
    return np.ldexp(np.copysign(np.floor(scaled + 0.5) / 2048, mantissa), exponent)


def planned(model: onnx.ModelProto, precision: Precision, level: str = "simt") -> ModuleOp:
    module = import_model(model)
    run_pipeline(module, new_context(), CUDA, to=level, precision=precision)
    verify_module(module)
    return module


@pytest.mark.parametrize("level", LEVELS)
def test_operands_are_rounded_to_tf32(level: str) -> None:
    signature = "T[20, 24] a, T[24, 16] b) => (T[20, 16] y)"
    model = product_model(signature, "float", "y = MatMul (a, b)")
    a, b = RNG.standard_normal((20, 24), np.float32), RNG.standard_normal((24, 16), np.float32)
    a[0, :2] = 1 + 2**-11, -(1 + 2**-11)  # ties
    (got,) = packed.run(planned(model, Precision.TF32, level), a, b)
    np.testing.assert_allclose(got, tf32(a) @ tf32(b), rtol=1e-5, atol=1e-5)
    assert np.abs(got - a.astype(np.float64) @ b).max() > 1e-4


@pytest.mark.parametrize("name", ["ragged", "open", "open batch"])
def test_products_of_any_size_are_rounded(name: str) -> None:
    """Zeros beyond the end of k stay zeros when they are rounded."""
    signature, sizes = PRODUCTS[name]
    module = planned(product_model(signature, "float"), Precision.TF32)
    assert count(the_kernel(module), simt.MmaOp) > 0
    shapes = [x.shape for x in operands(signature, "float16", sizes)]
    a, b = (RNG.standard_normal(shape).astype(np.float32) for shape in shapes)
    (got,) = packed.run(module, a, b)
    np.testing.assert_allclose(got, np.maximum(tf32(a) @ tf32(b), 0), rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("level", ["sched", "simt"])
def test_tf32_keeps_numbers_that_are_no_numbers(level: str) -> None:
    model = product_model("T[16, 8] a, T[8, 16] b) => (T[16, 16] y)", "float", "y = MatMul (a, b)")
    a, b = np.zeros((16, 8), np.float32), np.ones((8, 16), np.float32)
    a[0, 0], a[1, 0], a[2, 0] = np.inf, np.nan, np.uint32(0x7FFFFFFF).view(np.float32)
    (got,) = packed.run(planned(model, Precision.TF32, level), a, b)
    assert np.isposinf(got[0]).all()
    assert np.isnan(got[1:3]).all()
    assert not got[3:].any()


def test_only_precision_tf32_rounds() -> None:
    model = product_model(PRODUCTS["whole"][0], "float")
    for precision in (Precision.DEFAULT, Precision.STRICT):
        assert count(the_kernel(planned(model, precision)), simt.MmaOp) == 0
    assert count(the_kernel(planned(model, Precision.TF32)), simt.MmaOp) > 0
    for target in ("opencl", "llvm -mcpu=x86-64-v3"):
        with pytest.raises(TargetError, match="the target has no products of tf32"):
            tilewright.compile(model, target=target, precision="tf32", cache=False)
    with pytest.raises(TargetError, match="no products of bf16"):
        tilewright.compile(model, target="cuda", precision="bf16", cache=False)


def test_products_that_stay_f32_have_a_reason(caplog: pytest.LogCaptureFixture) -> None:
    model = product_model("T[4, 64] a, T[64, 64] b) => (T[4, 64] y)", "float")
    with caplog.at_level(logging.INFO, logger="tilewright.targets"):
        kernel = the_kernel(planned(model, Precision.TF32))
    assert "@matmul is not rounded to tf32: fewer than 12 rows or columns" in caplog.text
    assert count(kernel, simt.MmaOp) == 0


def test_strict_precision_uses_no_matrix_instruction_for_floats() -> None:
    model = product_model(PRODUCTS["whole"][0], "float16")
    assert count(the_kernel(planned(model, Precision.STRICT)), simt.MmaOp) == 0


@pytest.mark.parametrize("architecture", by_day("sm_80", ARCHITECTURES))
@needs_ptxas
def test_ptxas_needs_no_spills_for_tf32(architecture: str) -> None:
    model = product_model("T[4096, 4096] a, T[4096, 4096] b) => (T[4096, 4096] y)", "float")
    target = f"cuda -arch={architecture}"
    module = tilewright.compile(
        model, target=target, precision="tf32", strict_plan=True, cache=False
    )
    assert "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32" in module.get_source("ptx")
    expect_no_spills(module, kernels=1)


BYTES = {"uint8": np.uint8, "int8": np.int8}


# By day, each operand has each sign.
@pytest.mark.parametrize(("left", "right"), in_turn(BYTES, [("int8",), ("uint8",)]))
def test_products_of_bytes_use_matrix_instructions(left: str, right: str) -> None:
    """Sums of integers are exact, also of the least and the largest bytes."""
    signature = f"{left}[40, 70] a, {right}[70, 48] b) => (int32[40, 48] y)"
    module = lowered(product_model(signature, left, "y = MatMulInteger (a, b)"))
    kernel = the_kernel(module)
    (use, *_) = (op for op in kernel.walk() if isinstance(op, simt.MmaOp))
    signs = [sign is not None for sign in (use.lhs_unsigned, use.rhs_unsigned)]
    assert signs == [left == "uint8", right == "uint8"]
    a, b = (
        RNG.integers(np.iinfo(BYTES[dtype]).min, np.iinfo(BYTES[dtype]).max + 1, shape)
        for dtype, shape in ((left, (40, 70)), (right, (70, 48)))
    )
    a[0], b[:, 0] = np.iinfo(BYTES[left]).min, np.iinfo(BYTES[right]).max
    (got,) = packed.run(module, a.astype(BYTES[left]), b.astype(BYTES[right]))
    np.testing.assert_array_equal(got, a @ b)


@pytest.mark.parametrize("level", LEVELS)
def test_every_level_multiplies_bytes(level: str) -> None:
    signature = "int8[16, 64] a, uint8[64, 16] b) => (int32[16, 16] y)"
    module = import_model(product_model(signature, "int8", "y = MatMulInteger (a, b)"))
    run_pipeline(module, new_context(), CUDA, to=level)
    a, b = RNG.integers(-128, 128, (16, 64)), RNG.integers(0, 256, (64, 16))
    (got,) = packed.run(module, a.astype(np.int8), b.astype(np.uint8))
    np.testing.assert_array_equal(got, a @ b)


@pytest.mark.parametrize("architecture", by_day("sm_120", ARCHITECTURES))
@needs_ptxas
def test_ptxas_needs_no_spills_for_bytes(architecture: str) -> None:
    signature = "uint8[4096, 4096] a, int8[4096, 4096] b) => (int32[4096, 4096] y)"
    model = product_model(signature, "uint8", "y = MatMulInteger (a, b)")
    target = f"cuda -arch={architecture}"
    module = tilewright.compile(model, target=target, strict_plan=True, cache=False)
    assert "mma.sync.aligned.m16n8k32.row.col.s32.u8.s8.s32" in module.get_source("ptx")
    expect_no_spills(module, kernels=1)


def test_sums_of_another_type_than_the_result_have_a_plan() -> None:
    """Four points of a thread would need four accumulators of f32 outside of the result."""
    signature = "T[256, 256] a, T[256, 256] b) => (T[256, 256] y)"
    model = product_model(signature, "float16")
    module = tilewright.compile(model, target="opencl", strict_plan=True, cache=False)
    assert [kernel.calls for kernel in module.kernels] == [1]


def test_a_large_product_has_large_tiles() -> None:
    """A small one has enough blocks for all multiprocessors before its tiles are large."""
    blocks: dict[int, tuple[int, int]] = {}
    for size in (256, 4096):
        signature = f"T[{size}, {size}] a, T[{size}, {size}] b) => (T[{size}, {size}] y)"
        kernel = the_kernel(lowered(product_model(signature, "float16")))
        launch = simt.launch_of(kernel)
        assert launch is not None
        x, y, _ = (dim.value or 0 for dim in launch.grid)
        blocks[size] = size // y, size // x
    assert blocks[256] == (32, 32)
    assert min(blocks[4096]) >= 64


SOURCES = {
    "bfloat16": (PRODUCTS["whole"][0], ""),
    "float": (PRODUCTS["ragged"][0], ""),
    "uint8": ("uint8[64, 64] a, int8[64, 64] b) => (int32[64, 64] y)", "y = MatMulInteger (a, b)"),
}
"""Products by the type of an operand: signature and body."""


@pytest.mark.parametrize("dtype", SOURCES)
@needs_ptxas
def test_cuda_source_has_matrix_instructions(dtype: str, tmp_path: Path) -> None:
    """Clang compiles it for a device, and ptxas takes the result."""
    pytest.importorskip("ziglang")
    signature, body = SOURCES[dtype]
    model = product_model(signature, dtype, body)
    module = tilewright.compile(model, target="cuda", precision="tf32", cache=False)
    source = module.get_source("cuda")
    (uses,) = (count(f, simt.MmaOp) for f in kernel_functions(planned(model, Precision.TF32)))
    assert source.count("mma.sync.aligned") == uses > 0
    header = Path(__file__).parents[3] / "lowering" / "cuda_device.hpp"
    text = source.replace(PIPELINE, "")
    (tmp_path / "k.cu").write_text(f'#include "{header}"\n{text}')
    options = "-x cuda -nocudainc -nocudalib --cuda-gpu-arch=sm_80 --cuda-device-only -O2 -S"
    command = [sys.executable, "-m", "ziglang", "clang", *options.split(), "-o", "k.ptx", "k.cu"]
    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
    (used,) = assemble((tmp_path / "k.ptx").read_text(), "sm_80").values()
    assert used.spill_bytes == 0


@pytest.mark.parametrize(("name", "architecture"), in_turn(PRODUCTS, [("sm_80",), ("sm_120",)]))
@needs_ptxas
def test_ptxas_needs_no_spills(name: str, architecture: str) -> None:
    model = product_model(PRODUCTS[name][0], "bfloat16")
    target = f"cuda -arch={architecture}"
    module = tilewright.compile(model, target=target, strict_plan=True, cache=False)
    assert "mma.sync.aligned.m16n8k16" in module.get_source("ptx")
    expect_no_spills(module, kernels=1)


@needs_ptxas
def test_inspect_shows_what_a_product_uses(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    signature = "T[256, 256] a, T[256, 256] b) => (T[256, 256] y)"
    path = str(tmp_path / "product.onnx")
    onnx.save(product_model(signature, "float16"), path)
    assert main(["inspect", path, "--kernels", "--json", "--target", "cuda -arch=sm_100"]) == 0
    (row,) = json.loads(capsys.readouterr().out)["compiled"]["kernels"]
    assert (row["spill_bytes"], row["shared_bytes"]) == (0, 4 * (32 * 72 + 64 * 24) * 2)
    assert 0 < row["registers"] <= 128


# test_machine_code.py assembles them for other architectures.
@pytest.mark.parametrize("architecture", by_day("sm_120", ARCHITECTURES))
@pytest.mark.parametrize("size", ["1024", pytest.param("4096", marks=pytest.mark.nightly)])
@needs_ptxas
def test_tiles_of_large_products_need_no_spills(architecture: str, size: str) -> None:
    signature = f"T[{size}, {size}] a, T[{size}, {size}] b) => (T[{size}, {size}] y)"
    model = product_model(signature, "float16")
    target = f"cuda -arch={architecture}"
    module = tilewright.compile(model, target=target, strict_plan=True, cache=False)
    for used in module.kernel_resources().values():
        assert (used.spill_bytes, used.stack_bytes) == (0, 0)
        assert used.registers <= 255, used

"""Quantized models on GPUs: bytes of onnxruntime, and matrix instructions for products of bytes."""

from __future__ import annotations

import onnx
import pytest

import tilewright
from tilewright.testing.fuzz.checks import PASS
from tilewright.testing.fuzz.families import drawn_program

from ...opencl_device import opencl_device
from ...sweeps import NIGHTLY


@pytest.mark.parametrize("family", ["pairs.rows", "pairs.images"])
def test_random_quantized_graphs_give_the_bytes_of_onnxruntime(family: str) -> None:
    opencl_device()
    for seed in range(9160, 9160 + (60 if NIGHTLY else 8)):
        outcome = drawn_program(family, seed).check("run", ["opencl"])
        assert outcome == PASS, f"{family}:{seed}: {outcome}"


HEAD = '<ir_version: 10, opset_import: ["": 21]> g (T[S] x, int8[W] w) => (T[R] y) '
BODY = """{{
    s = Constant<value = float {{0.02}}>() t = Constant<value = float {{0.5}}>()
    z = Constant<value = {dtype} {{3}}>()
    a = DequantizeLinear (x, s, z) b = DequantizeLinear (w, s)
    c = {product}
    y = QuantizeLinear (c, t, z) }}"""


@pytest.mark.parametrize("dtype", ["uint8", "int8"])
@pytest.mark.parametrize(
    ("x", "w", "result", "product"),
    [
        ("128, 256", "256, 512", "128, 512", "MatMul (a, b)"),
        ("1, 64, 28, 28", "64, 64, 3, 3", "1, 64, 28, 28", "Conv <pads = [1, 1, 1, 1]> (a, b)"),
    ],
    ids=["product", "convolution"],
)
def test_dequantized_products_use_matrix_instructions(
    dtype: str, x: str, w: str, result: str, product: str
) -> None:
    head = (
        HEAD.replace("T", dtype).replace("S]", f"{x}]").replace("W", w).replace("R]", f"{result}]")
    )
    text = head + BODY.format(dtype=dtype, product=product)
    mod = tilewright.compile(
        onnx.parser.parse_model(text), target="cuda -arch=sm_80", strict_plan=True, cache=False
    )
    # Filters are the first operand of a convolution.
    signs = ["u8" if dtype == "uint8" else "s8", "s8"]
    expected = ".".join(signs if "MatMul" in product else signs[::-1])
    assert f"row.col.s32.{expected}.s32" in mod.get_source("ptx")

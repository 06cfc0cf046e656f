"""Registers of products and convolutions for NVIDIA's GPUs: ptxas spills none."""

from __future__ import annotations

from itertools import product

import onnx
import pytest

import tilewright

from ....gpu_tools import expect_no_spills, needs_ptxas
from ....sweeps import in_turn

VARIANTS = [*product(("float", "float16", "bfloat16"), ("sm_80", "sm_100", "sm_90a", "sm_120"))]
PRODUCTS = {
    "large": "T[1024, 1024] a, T[1024, 1024] b) => (T[1024, 1024] y)",
    "wide": "T[128, 768] a, T[768, 3072] b) => (T[128, 3072] y)",
    "whole": "T[64, 64] a, T[64, 64] b) => (T[64, 64] y)",
    "small": "T[12, 8] a, T[8, 12] b) => (T[12, 12] y)",
    "few": "T[7, 512] a, T[512, 512] b) => (T[7, 512] y)",
    "ragged": "T[50, 30] a, T[30, 41] b) => (T[50, 41] y)",
    "batched": "T[2, 3, 128, 64] a, T[2, 3, 64, 128] b) => (T[2, 3, 128, 128] y)",
    "odd": "T[7, 574, 395] a, T[7, 395, 150] b) => (T[7, 574, 150] y)",
    "short_sum": "T[5, 282, 43] a, T[5, 43, 411] b) => (T[5, 282, 411] y)",
    "open": "T[n, k] a, T[k, m] b) => (T[n, m] y)",
    "open_rows": "T[n, 768] a, T[768, 768] b) => (T[n, 768] y)",
    "open_sum": "T[768, k] a, T[k, 768] b) => (T[768, 768] y)",
    "open_ragged": "T[n, 1000] a, T[1000, 999] b) => (T[n, 999] y)",
    "open_batch": "T[b, 2, n, k] a, T[b, 2, k, 16] b) => (T[b, 2, n, 16] y)",
}
CONVOLUTIONS = {
    "3x3": ("T[1, 64, 56, 56] x, T[64, 64, 3, 3] w) => (T[1, 64, 56, 56] y)", 1),
    "5x5": ("T[1, 32, 28, 28] x, T[32, 32, 5, 5] w) => (T[1, 32, 28, 28] y)", 2),
    "7x7": ("T[1, 3, 112, 112] x, T[64, 3, 7, 7] w) => (T[1, 64, 112, 112] y)", 3),
    "1x1": ("T[8, 256, 14, 14] x, T[128, 256, 1, 1] w) => (T[8, 128, 14, 14] y)", 0),
    "1x1_by_rows": ("T[2, 72, 52, 52] x, T[104, 72, 1, 1] w) => (T[2, 104, 52, 52] y)", 0),
    "short": ("T[1, 24, 56, 56] x, T[144, 24, 1, 1] w) => (T[1, 144, 56, 56] y)", 0),
    "batch": ("T[8, 512, 7, 7] x, T[512, 512, 3, 3] w) => (T[8, 512, 7, 7] y)", 1),
    "open": ("T[n, 64, h, w] x, T[64, 64, 3, 3] w) => (T[n, 64, h, w] y)", 1),
}
"""Signatures, and the border on each side."""


def check(signature: str, body: str, architecture: str) -> None:
    head = '<ir_version: 9, opset_import: ["": 22]> spills ('
    model = onnx.parser.parse_model(f"{head}{signature} {{ {body} }}")
    target = f"cuda -arch={architecture}"
    module = tilewright.compile(model, target=target, strict_plan=True, cache=False)
    expect_no_spills(module)


@needs_ptxas
@pytest.mark.parametrize(("name", "dtype", "architecture"), in_turn(PRODUCTS, VARIANTS))
def test_products_need_no_spills(name: str, dtype: str, architecture: str) -> None:
    check(PRODUCTS[name].replace("T[", f"{dtype}["), "y = MatMul (a, b)", architecture)


@needs_ptxas
@pytest.mark.parametrize(("name", "dtype", "architecture"), in_turn(CONVOLUTIONS, VARIANTS))
def test_convolutions_need_no_spills(name: str, dtype: str, architecture: str) -> None:
    signature, border = CONVOLUTIONS[name]
    body = f"y = Conv <pads = {[border] * 4}> (x, w)"
    check(signature.replace("T[", f"{dtype}["), body, architecture)

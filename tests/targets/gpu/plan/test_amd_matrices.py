"""Matrix instructions of AMD's GPUs: products by MFMA and WMMA, run by the emulator."""

from __future__ import annotations

import re
from base64 import b64decode

import numpy as np
import pytest
from xdsl.parser import Parser

import tilewright
from tilewright.driver.module.compiled_module import CompiledModule
from tilewright.interp import packed
from tilewright.lowering.simt_to_llvm import AMDGPU, NVPTX, emit_module
from tilewright.machines.target import Target
from tilewright.support.diagnostics import LoweringError, TilewrightError
from tilewright.support.entry import kernel_functions
from tilewright.support.registry import new_context

from ....amd.emulator import AmdProgram
from ....gpu_tools import needs_lld
from ....lowering.shims import KernelModule
from ....passes.te.ir import parse
from .test_tensor_plan import PRODUCTS, operands, product_model

INSTRUCTIONS = {
    ("gfx942", "float16"): "v_mfma_f32_16x16x16_f16",
    ("gfx942", "bfloat16"): "v_mfma_f32_16x16x16_bf16",
    ("gfx942", "int8"): "v_mfma_i32_16x16x32_i8",
    ("gfx1100", "float16"): "v_wmma_f32_16x16x16_f16",
    ("gfx1100", "bfloat16"): "v_wmma_f32_16x16x16_bf16",
    ("gfx1100", "int8"): "v_wmma_i32_16x16x16_iu8",
}
RNG = np.random.default_rng(0)
BYTES = {"int8": np.int8, "uint8": np.uint8}
pytestmark = needs_lld


@pytest.fixture(autouse=True)
def _tools() -> None:
    pytest.importorskip("tinygrad", reason="no tinygrad: pip install tilewright[test]")


def compiled(processor: str, signature: str, dtype: str, body: str = "") -> CompiledModule:
    model = product_model(signature, dtype, *([body] if body else []))
    target = f"rocm -mcpu={processor}"
    return tilewright.compile(model, target=target, strict_plan=True, cache=False)


def byte_product(processor: str, lhs: str, rhs: str, size: str = "40, 70") -> CompiledModule:
    m, k = size.split(", ")
    signature = f"{lhs}[{m}, {k}] a, {rhs}[{k}, 48] b) => (int32[{m}, 48] y)"
    return compiled(processor, signature, lhs, "y = MatMulInteger (a, b)")


def emulated_and_interpreted(
    mod: CompiledModule, processor: str, *inputs: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return the result of the emulator and that of the interpreter."""
    module = Parser(new_context(), mod.get_source("packed")).parse_module()
    program = AmdProgram(b64decode(mod.get_source("hsaco")), processor)
    (got,), (want,) = (
        KernelModule(module, program)(*inputs),
        packed.run(module, *inputs),
    )
    return got, want


FLOATS = [
    ("ragged", "gfx942", "float16"),
    ("batched", "gfx942", "bfloat16"),
    ("batched", "gfx1100", "float16"),
    ("ragged", "gfx1100", "bfloat16"),
]
"""The products of 16 bits that run by day: each instruction, and each form on both processors."""


@pytest.mark.parametrize(
    ("name", "processor", "dtype"),
    [
        pytest.param(*case, marks=[pytest.mark.nightly] * (case not in FLOATS))
        for name in ("ragged", "batched", "open")
        for key in INSTRUCTIONS
        if key[1] != "int8" and (case := (name, *key))
    ],
)
def test_products_of_16_bits(name: str, processor: str, dtype: str) -> None:
    """Results of 16 bits differ by the order of sums of f32 only."""
    signature, sizes = PRODUCTS[name]
    mod = compiled(processor, signature, dtype)
    assert INSTRUCTIONS[processor, dtype] in mod.get_source("amdgcn")
    inputs = operands(signature, dtype, sizes)
    got, want = emulated_and_interpreted(mod, processor, *inputs)
    same = np.abs(got.astype(np.float32) - want.astype(np.float32))
    assert same.max() <= 2e-2 * np.abs(want.astype(np.float32)).max()
    assert (got == want).mean() > 0.99


@pytest.mark.parametrize(
    ("processor", "lhs", "rhs"),
    [
        ("gfx942", "int8", "int8"),
        *(
            # By day, each operand has each sign.
            pytest.param("gfx1100", lhs, rhs, marks=[pytest.mark.nightly] * (lhs == rhs))
            for lhs in BYTES
            for rhs in BYTES
        ),
    ],
)
def test_products_of_bytes_are_exact(processor: str, lhs: str, rhs: str) -> None:
    mod = byte_product(processor, lhs, rhs)
    assert INSTRUCTIONS[processor, "int8"] in mod.get_source("amdgcn")
    a, b = (
        RNG.integers(np.iinfo(BYTES[dtype]).min, np.iinfo(BYTES[dtype]).max + 1, shape)
        for dtype, shape in ((lhs, (40, 70)), (rhs, (70, 48)))
    )
    a[0], b[:, 0] = np.iinfo(BYTES[lhs]).min, np.iinfo(BYTES[rhs]).max
    got, want = emulated_and_interpreted(mod, processor, a.astype(BYTES[lhs]), b.astype(BYTES[rhs]))
    np.testing.assert_array_equal(got, a @ b)
    np.testing.assert_array_equal(got, want)


@pytest.mark.parametrize(
    ("processor", "dtype"), [("gfx942", "uint8"), ("gfx90a", "int8"), ("gfx1030", "int8")]
)
def test_processors_without_the_instruction_have_another_plan(processor: str, dtype: str) -> None:
    mod = byte_product(processor, dtype, dtype, "32, 64")
    assert not re.search("v_mfma|v_wmma", mod.get_source("amdgcn"))


@pytest.mark.parametrize(
    ("processor", "dtype"),
    [
        # By day, one type of 16 bits on each processor.
        pytest.param(*key, marks=[pytest.mark.nightly] * (("ragged", *key) not in FLOATS))
        if key[1] != "int8"
        else key
        for key in INSTRUCTIONS
    ],
)
def test_large_products_need_no_spills(processor: str, dtype: str) -> None:
    signature = "T[4096, 4096] a, T[4096, 4096] b) => (T[4096, 4096] y)"
    body = ""
    if dtype == "int8":
        signature, body = (
            signature.replace("T[4096, 4096] y", "int32[4096, 4096] y"),
            ("y = MatMulInteger (a, b)"),
        )
    mod = compiled(processor, signature, dtype, body)
    assert mod.get_source("amdgcn").count(INSTRUCTIONS[processor, dtype]) >= 4
    (used,) = mod.kernel_resources().values()
    assert (used.spill_bytes, used.stack_bytes) == (0, 0)


@pytest.mark.parametrize("processor", ["gfx90a", "gfx950", "gfx1151"])
def test_other_processors_compile(processor: str) -> None:
    mod = compiled(processor, PRODUCTS["whole"][0], "float16")
    assert re.search("v_(mfma|wmma)_f32_16x16x16_?f16", mod.get_source("amdgcn"))


FRAGMENTS = """
func.func @f(%x: memref<64xf16>, %y: memref<64xf32>)
    attributes {tw.launch = #simt.launch<grid [1], block [THREADS], shared 0>} {
  %a = arith.constant dense<1.0> : vector<4xf16>
  %c = arith.constant dense<0.0> : vector<4xf32>
  %r = simt.mma %a, %a, %c {unit = "UNIT"}
      : vector<4xf16>, vector<4xf16>, vector<4xf32> -> vector<4xf32>
  func.return
}"""


def test_units_are_checked() -> None:
    text = FRAGMENTS.replace("THREADS", "64").replace("UNIT", "mfma")
    (kernel,) = kernel_functions(parse(text))
    kernel.verify()
    assert "mfma" in emit_module([("f", kernel)], Target("rocm"), AMDGPU)
    with pytest.raises(LoweringError, match=r"no code for the unit mfma(?s:.*)expected: mma"):
        emit_module([("f", kernel)], Target("cuda"), NVPTX)
    for unit, threads, rule in (("mfma", "96", "a multiple of 64"), ("amx", "64", "no such")):
        wrong = FRAGMENTS.replace("THREADS", threads).replace("UNIT", unit)
        with pytest.raises(TilewrightError, match=rule):
            parse(wrong).verify()

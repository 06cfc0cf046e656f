"""Kernels for NVIDIA's GPUs: PTX of every operator, and what ptxas says of it; no GPU is used."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from xdsl.ir import Operation

import tilewright
from tilewright import ArgumentError, TargetError
from tilewright.codegen.isolated import compile_isolated
from tilewright.codegen.llvm import CodegenError, Machine
from tilewright.codegen.ptx import assemble, emit_ptx, find_ptxas
from tilewright.codegen.worker import CompileOptions
from tilewright.lowering.loop_to_llvm.math_table import MATH
from tilewright.lowering.simt_to_nvptx import emit_module
from tilewright.support.target import Target
from tilewright.testing import models

from ..lowering.native import only_function
from ..lowering.test_simt_to_c import SYMBOLIC, math_kernel
from ..ops.case import OpCase
from ..passes.simt import schedules
from ..passes.simt.schedules import Tiles, fork_join, mapped
from ..sweeps import sampled
from .test_opencl import SUPPORTED

TARGET = Target("cuda")
FOUR = ("sm_80", "sm_90a", "sm_100", "sm_120")
LARGE = Tiles(block=128, step=8, thread=8, lanes=4)


@pytest.fixture
def _ptxas() -> None:
    if find_ptxas() is None:
        pytest.skip("no ptxas: pip install tilewright[cuda]")


assembled = pytest.mark.usefixtures("_ptxas")


def kernel_ir(schedule: tuple[Any, list[Any]]) -> str:
    """Return the LLVM IR of the kernel of a schedule."""
    return emit_module([("k", mapped(fork_join(schedule[0])))], TARGET)


@assembled
@pytest.mark.parametrize("architecture", FOUR)
@pytest.mark.parametrize(
    ("schedule", "shared_bytes", "most_registers"),
    [
        (schedules.matmul(1024, 1024, 1024, LARGE), 8192, 255),
        (schedules.matmul(1024, 1024, 1024, LARGE, transpose=True, double=True), 16384, 255),
        (schedules.softmax(64, 1024, 128), 5152, 40),
        (schedules.conv(16, 32, 32), 0, 64),
    ],
    ids=["product", "product_double", "softmax", "conv"],
)
def test_kernels_need_no_spills(
    schedule: tuple[Any, list[Any]], shared_bytes: int, most_registers: int, architecture: str
) -> None:
    (used,) = assemble(emit_ptx(kernel_ir(schedule), architecture), architecture).values()
    assert (used.spill_bytes, used.stack_bytes) == (0, 0)
    assert used.shared_bytes == shared_bytes
    assert used.registers <= most_registers


def test_accesses_of_four_floats_are_one_instruction() -> None:
    ptx = emit_ptx(kernel_ir(schedules.matmul(1024, 1024, 1024, LARGE)), "sm_80")
    assert len(re.findall(r"ld\.global\.nc\.v4", ptx)) == 2
    assert len(re.findall(r"st\.shared\.v4", ptx)) == 2
    assert len(re.findall(r"ld\.shared\.v4", ptx)) >= 2
    assert not re.findall(r"\bld\.(?:b|f)\d|call", ptx)
    assert ptx.count("bar.sync") + ptx.count("barrier.sync") == 2
    assert ".maxntid 16, 16, 1" in ptx


def test_sizes_are_parameters() -> None:
    ptx = emit_ptx(emit_module([("f", only_function(SYMBOLIC))], TARGET), "sm_80")
    assert ptx.count(".param .u64") == 4


@assembled
@pytest.mark.parametrize("dtype", ["f32", "f64", "f16", "bf16"])
def test_all_functions_are_instructions(dtype: str) -> None:
    def symbol(op: type[Operation]) -> str:
        return op.name.replace(".", "_")

    kernels = [(symbol(op), only_function(math_kernel(op, dtype))) for op in MATH]
    ptx = emit_ptx(emit_module(kernels, TARGET), "sm_80")
    assert "call" not in ptx
    assert assemble(ptx, "sm_80").keys() == {name for name, _ in kernels}


@assembled
@pytest.mark.parametrize("case", sampled(SUPPORTED, lambda case: case.name, one_in=12))
def test_kernels_of_all_operators_are_assembled(case: OpCase) -> None:
    module, _ = case.function()
    made = tilewright.compile_module(module, target="cuda", cache=False, strict_plan=True)
    used = assemble(made.get_source("ptx"), "sm_80") if made.kernels else {}
    assert len(used) == len({kernel.name for kernel in made.kernels})


def test_compiling_needs_no_device_and_calling_does() -> None:
    model = models.ffn_model(m=2, k=3, n=4)
    mod = tilewright.compile(model, target="cuda -arch=sm_90a", cache=False)
    assert ".target sm_90a" in mod.get_source("ptx")
    assert "ptx_kernel" in mod.get_source("ll")
    with pytest.raises(ArgumentError, match=r"device cuda:0 does not exist here"):
        mod(np.ones((2, 3), np.float32))


def test_unknown_architectures_are_refused() -> None:
    with pytest.raises(TargetError, match=r"unknown architecture(?s:.*)hint: use -arch=sm_90"):
        tilewright.compile(models.ffn_model(m=2, k=3, n=4), target="cuda -arch=sm_90b")


def test_a_back_end_that_dies_is_an_error() -> None:
    options = CompileOptions(Machine("nvptx64-nvidia-cuda", "sm_80"), ("O3",), 3, is_assembly=True)
    text = """
    declare float @llvm.cos.f32(float)
    define ptx_kernel void @f(ptr %p) {
      %x = load float, ptr %p
      %y = call float @llvm.cos.f32(float %x)
      store float %y, ptr %p
      ret void
    }"""
    with pytest.raises(CodegenError, match=r"cannot compile a text for nvptx64(?s:.*)got: "):
        compile_isolated(text, options)
    with pytest.raises(CodegenError, match="a text that LLVM refuses"):
        compile_isolated("define nonsense", options)


@assembled
def test_bad_ptx_shows_the_message_of_ptxas() -> None:
    with pytest.raises(CodegenError, match=r"ptxas refuses(?s:.*)error"):
        assemble(".version 7.0\n.target sm_80\nnonsense", "sm_80")

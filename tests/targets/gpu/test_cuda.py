"""Kernels for NVIDIA's GPUs: PTX of every operator, and what ptxas says of it; no GPU is used."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import onnx
import pytest
from xdsl.ir import Operation

import tilewright
from tilewright import ArgumentError, KernelError, LoweringError, TargetError, te
from tilewright.codegen import ptx
from tilewright.codegen.isolated import compile_isolated
from tilewright.codegen.llvm import CodegenError, Machine
from tilewright.codegen.ptx import assemble, emit_ptx
from tilewright.codegen.worker import CompileOptions
from tilewright.lowering.loop_to_llvm.math_table import MATH
from tilewright.lowering.simt_to_llvm import emit_module
from tilewright.machines.target import Target
from tilewright.testing import models
from tilewright.tools.cli import main

from ...gpu_tools import needs_ptxas
from ...lowering.native import only_function
from ...lowering.test_simt_to_c import SYMBOLIC, math_kernel
from ...ops.case import OpCase
from ...ops.cases import CASES
from ...passes.simt.schedules import SPILL_FREE, fork_join, mapped
from ...sweeps import in_turn, sampled

TARGET = Target("cuda")
FOUR = ("sm_80", "sm_90a", "sm_100", "sm_120")
BEFORE = ("sm_70", "sm_72", "sm_75")
"""Architectures without cp.async and without the matrix instructions of sm_80."""


def kernel_ir(name: str) -> str:
    """Return the LLVM IR of the kernel of a schedule of `SPILL_FREE`."""
    return emit_module([("k", mapped(fork_join(SPILL_FREE[name]()[0])))], TARGET)


USED = {
    "product": (8192, 255),
    "product_double": (16384, 255),
    "softmax": (5152, 40),
    "conv": (0, 64),
}
"""The bytes of shared memory, and the most registers, of each schedule."""


@needs_ptxas
@pytest.mark.parametrize(("name", "architecture"), in_turn(USED, [(each,) for each in FOUR]))
def test_kernels_need_no_spills(name: str, architecture: str) -> None:
    shared_bytes, most_registers = USED[name]
    (used,) = assemble(emit_ptx(kernel_ir(name), architecture), architecture).values()
    assert (used.spill_bytes, used.stack_bytes) == (0, 0)
    assert used.shared_bytes == shared_bytes
    assert used.registers <= most_registers


def test_accesses_of_four_floats_are_one_instruction() -> None:
    text = emit_ptx(kernel_ir("product"), "sm_80")
    assert len(re.findall(r"ld\.global\.nc\.v4", text)) == 2
    assert len(re.findall(r"st\.shared\.v4", text)) == 2
    assert len(re.findall(r"ld\.shared\.v4", text)) >= 2
    assert not re.findall(r"\bld\.(?:b|f)\d|call", text)
    assert text.count("bar.sync") + text.count("barrier.sync") == 2
    assert ".maxntid 16, 16, 1" in text


def test_sizes_are_parameters() -> None:
    text = emit_ptx(emit_module([("f", only_function(SYMBOLIC))], TARGET), "sm_80")
    assert text.count(".param .u64") == 4


@needs_ptxas
@pytest.mark.parametrize("dtype", ["f32", "f64", "f16", "bf16"])
def test_all_functions_are_instructions(dtype: str) -> None:
    def symbol(op: type[Operation]) -> str:
        return op.name.replace(".", "_")

    kernels = [(symbol(op), only_function(math_kernel(op, dtype))) for op in MATH]
    for architecture in ("sm_72", "sm_80"):
        target = Target(f"cuda -arch={architecture}")
        text = emit_ptx(emit_module(kernels, target), architecture)
        assert "call" not in text
        assert assemble(text, architecture).keys() == {name for name, _ in kernels}


@needs_ptxas
@pytest.mark.parametrize(
    "case", sampled(CASES, lambda case: case.name, one_in=12, each_family=False)
)
def test_kernels_of_all_operators_are_assembled(case: OpCase) -> None:
    module, _ = case.function()
    architecture = (FOUR[0], *BEFORE)[len(case.name) % 4]
    target = f"cuda -arch={architecture}"
    made = tilewright.compile_module(module, target=target, cache=False, strict_plan=True)
    used = assemble(made.get_source("ptx"), architecture) if made.kernels else {}
    assert len(used) == len({kernel.name for kernel in made.kernels})


def test_compiling_needs_no_device_and_calling_does() -> None:
    model = models.ffn_model(m=2, k=3, n=4)
    mod = tilewright.compile(model, target="cuda -arch=sm_90a", cache=False)
    assert ".target sm_90a" in mod.get_source("ptx")
    assert "ptx_kernel" in mod.get_source("ll")
    with pytest.raises(KernelError, match=r"driver of the GPU is missing(?s:.*)got: libcuda"):
        mod(np.ones((2, 3), np.float32))


@needs_ptxas
@pytest.mark.parametrize(
    "architecture", [*(pytest.param(a, marks=pytest.mark.nightly) for a in FOUR[:-1]), FOUR[-1]]
)
def test_all_kernels_of_a_model_are_one_file_that_ptxas_takes(architecture: str) -> None:
    model = models.encoder_model(layers=1, hidden=32, heads=2, ffn=64, seq=8)
    mod = tilewright.compile(model, target=f"cuda -arch={architecture}", cache=False)
    used = assemble(mod.get_source("ptx"), architecture)
    assert mod.kernel_resources().keys() == {kernel.name for kernel in mod.kernels}
    assert sorted(map(str, mod.kernel_resources().values())) == sorted(map(str, used.values()))
    assert all(each.spill_bytes == 0 for each in used.values())


@needs_ptxas
@pytest.mark.parametrize(
    "architecture",
    ["sm_72", *(pytest.param(a, marks=pytest.mark.nightly) for a in (*FOUR, "sm_70", "sm_75"))],
)
def test_kernels_of_open_sizes_are_assembled(architecture: str) -> None:
    model = models.encoder_model(layers=1, hidden=32, heads=2, ffn=64, seq="seq", batch="batch")
    target = f"cuda -arch={architecture}"
    mod = tilewright.compile(model, target=target, strict_plan=True, cache=False)
    assert not mod.reason
    used = assemble(mod.get_source("ptx"), architecture)
    assert len(used) == len(mod.kernels)
    assert max(each.stack_bytes for each in used.values()) <= 16


def test_each_kernel_has_a_listing_of_its_own() -> None:
    mod = tilewright.compile(models.layernorm_model(shape=(6, 25)), target="cuda", cache=False)
    assert len(mod.kernels) > 1
    for kind, head in {"cuda": "__global__", "ptx": ".visible .entry", "ll": "ptx_kernel"}.items():
        assert mod.get_source(kind).count(head) == len(mod.kernels)
        assert mod.get_source(kind, kernel=mod.kernels[1].name).count(head) == 1
    with pytest.raises(LookupError, match="has no kernel 'none'"):
        mod.get_source("cuda", kernel="none")
    with pytest.raises(LookupError, match="no text of kind 'metal'"):
        mod.get_source("metal")


def test_inspect_says_that_ptxas_is_missing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ptx, "find_ptxas", lambda: None)
    path = str(tmp_path / "ffn.onnx")
    onnx.save(models.ffn_model(m=2, k=3, n=4), path)
    assert main(["inspect", path, "--kernels", "--target", "cuda"]) == 0
    assert "hint: pip install tilewright[cuda]" in capsys.readouterr().out


# -- Metal ---------------------------------------------------------------------------------------


def test_metal_is_compiled_only() -> None:
    mod = tilewright.compile(models.layernorm_model(shape=(6, 25)), target="metal", cache=False)
    assert mod.get_source("metal").count("kernel void") == len(mod.kernels) > 1
    assert mod.get_source("metal").count("#include <metal_stdlib>") == 1
    assert mod.kernel_resources() == {}
    with pytest.raises(ArgumentError, match="device metal:0 does not exist here"):
        mod(np.ones((6, 25), np.float32))


def test_metal_has_no_f64() -> None:
    x = te.placeholder((4,), "float64", name="X")
    y = te.compute((4,), lambda i: x[i] + 1, name="Y")
    with pytest.raises(LoweringError, match=r"metal has no such type(?s:.*)got: f64"):
        tilewright.build([x, y], target="metal")


# -- errors --------------------------------------------------------------------------------------


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
    with pytest.raises(CodegenError, match="generated LLVM IR is invalid at line 1"):
        compile_isolated("define nonsense", options)


@needs_ptxas
def test_an_assembler_without_the_architecture_is_an_error() -> None:
    with pytest.raises(CodegenError, match=r"does not support(?s:.*)sm_35(?s:.*)another release"):
        assemble(".version 4.0\n.target sm_35\n", "sm_35")


@needs_ptxas
def test_bad_ptx_shows_the_message_of_ptxas() -> None:
    with pytest.raises(CodegenError, match=r"ptxas refuses(?s:.*)error"):
        assemble(".version 7.0\n.target sm_80\nnonsense", "sm_80")

"""Kernels for AMD's GPUs: code objects of operators and models, run by an emulator, not a GPU."""

from __future__ import annotations

import re
from base64 import b64decode

import numpy as np
import onnx
import pytest
from xdsl.parser import Parser

import tilewright
from tilewright import KernelError, TargetError
from tilewright.codegen import code_object
from tilewright.codegen.code_object import (
    MissingLinker,
    emit_amdgcn,
    make_code_object,
    resources_in,
)
from tilewright.codegen.llvm import CodegenError, Machine, data_layout
from tilewright.dialects.simt import launch_of
from tilewright.driver.module.compiled_module import CompiledModule
from tilewright.interp import packed
from tilewright.interp.compare import expect_close
from tilewright.interp.graph import run_graph
from tilewright.lowering.loop_to_llvm.math_table import MATH
from tilewright.lowering.simt_to_llvm import AMDGPU, emit_module
from tilewright.machines.gpu import GPU_KINDS
from tilewright.machines.target import Target
from tilewright.support.registry import new_context
from tilewright.testing import models

from ...amd.emulator import AmdProgram
from ...gpu_tools import needs_lld
from ...lowering.native import only_function
from ...lowering.shims import KernelModule
from ...lowering.test_simt_to_c import math_kernel
from ...ops.case import OpCase
from ...ops.cases import CASES
from ...passes.simt.schedules import SPILL_FREE, fork_join, mapped
from ...sweeps import in_turn, sampled
from .test_shims import MODELS, OPEN, check_open_sizes, parsed

PROCESSORS = tuple(GPU_KINDS["rocm"].gpus)
EMULATED = ("gfx1100", "gfx942")
RNG = np.random.default_rng(0)
BARRIER = " call void @llvm.amdgcn.s.barrier()"


processors = pytest.mark.parametrize("processor", EMULATED)
EACH_EMULATED = [(processor,) for processor in EMULATED]


def compiled(model: onnx.ModelProto, processor: str) -> CompiledModule:
    target = f"rocm -mcpu={processor}"
    return tilewright.compile(model, target=target, cache=False, strict_plan=True)


def emulated(mod: CompiledModule, processor: str, text: str = "") -> KernelModule:
    """Return a compiled module that the emulator runs; text: LLVM IR instead of its own."""
    module = Parser(new_context(), mod.get_source("packed")).parse_module()
    return KernelModule(module, emulated_text(text or mod.get_source("ll"), processor))


def emulated_text(text: str, processor: str) -> AmdProgram:
    """Return LLVM IR that the emulator runs; skip the test without the decoder."""
    pytest.importorskip("tinygrad", reason="no tinygrad: pip install tilewright[test]")
    return AmdProgram(make_code_object(text, processor), processor)


def run_function(text: str, processor: str, *arrays: np.ndarray) -> None:
    """Run a function of the simt level on arrays, in place."""
    function = only_function(text)
    program = emulated_text(emit_module([("f", function)], Target("rocm"), AMDGPU), processor)
    launch = launch_of(function)
    assert launch is not None
    program.run("f", launch, arrays)


# -- execution -----------------------------------------------------------------------------------


@needs_lld
@pytest.mark.slow
@pytest.mark.parametrize(("name", "processor"), in_turn(MODELS, EACH_EMULATED))
def test_the_code_computes_what_the_interpreter_does(name: str, processor: str) -> None:
    expect_agreement(compiled(MODELS[name], processor), processor, MODELS[name])


def expect_agreement(
    mod: CompiledModule, processor: str, model: onnx.ModelProto
) -> tuple[np.ndarray, ...]:
    """Check a compiled model against the interpreter; return the results of that."""
    inputs = models.inputs_for(model)
    module = Parser(new_context(), mod.get_source("packed")).parse_module()
    expected = packed.run(module, *inputs)
    for got, want in zip(emulated(mod, processor)(*inputs), expected, strict=True):
        expect_close(got, want, processor)
    return expected


EXCHANGING = {
    "product": parsed(
        "float[64, 30] a, float[30, 64] b) => (float[64, 64] y) { y = MatMul (a, b) }"
    ),
    "softmax": models.softmax_model(shape=(2, 700)),
    "reduction": parsed(
        "float[2, 700] x) => (float[2] y) <int64[1] last = {1}>"
        "{ y = ReduceSum <keepdims = 0> (x, last) }"
    ),
    "first maximum": parsed(
        "float[2, 700] x) => (int64[2] y) { y = ArgMax <axis = 1, keepdims = 0> (x) }"
    ),
}
"""Models whose blocks have several waves, which exchange data."""


@needs_lld
@pytest.mark.slow
@pytest.mark.parametrize(("name", "processor"), in_turn(EXCHANGING, EACH_EMULATED))
def test_the_code_without_barriers_computes_something_else(name: str, processor: str) -> None:
    model = EXCHANGING[name]
    mod = compiled(model, processor)
    text = mod.get_source("ll")
    assert BARRIER in text
    (expected,) = expect_agreement(mod, processor, model)
    (got,) = emulated(mod, processor, text.replace(BARRIER, ""))(*models.inputs_for(model))
    assert not np.allclose(got, expected, rtol=1e-2, atol=1e-2)


@needs_lld
@pytest.mark.parametrize(
    "processor", ["gfx1100", pytest.param("gfx942", marks=pytest.mark.nightly)]
)
@pytest.mark.slow
def test_open_sizes_are_parameters(processor: str) -> None:
    check_open_sizes(emulated(compiled(OPEN, processor), processor))


@needs_lld
@pytest.mark.parametrize(
    "processor",
    [pytest.param(name, marks=[pytest.mark.nightly] * (name != "gfx1100")) for name in EMULATED],
)
@pytest.mark.parametrize(
    "case", sampled(CASES, lambda case: case.name, one_in=16, slow=True, each_family=False)
)
def test_the_code_of_operators_runs(processor: str, case: OpCase) -> None:
    module, func = case.function()
    arrays = case.arrays()
    target = f"rocm -mcpu={processor}"
    mod = tilewright.compile_module(module, target=target, cache=False, strict_plan=True)
    results = emulated(mod, processor)(*arrays)
    for got, want in zip(results, run_graph(func, *arrays), strict=True):
        expect_close(got, want, case.name)


# -- code ----------------------------------------------------------------------------------------


def kernel_ir(name: str) -> str:
    """Return the LLVM IR of the kernel of a schedule of `SPILL_FREE`."""
    return emit_module([("k", mapped(fork_join(SPILL_FREE[name]()[0])))], Target("rocm"), AMDGPU)


@needs_lld
@pytest.mark.parametrize("processor", PROCESSORS)
@pytest.mark.parametrize(
    ("name", "shared_bytes", "most_registers"),
    [
        ("product", 8192, 255),
        ("product_double", 16384, 255),
        ("softmax", 5140, 48),
        ("conv", 0, 64),
    ],
)
def test_kernels_need_no_spills(
    name: str, shared_bytes: int, most_registers: int, processor: str
) -> None:
    (used,) = resources_in(make_code_object(kernel_ir(name), processor)).values()
    assert (used.spill_bytes, used.stack_bytes, used.shared_bytes) == (0, 0, shared_bytes)
    assert 8 <= used.registers <= most_registers


def test_accesses_of_four_floats_are_one_instruction() -> None:
    text = emit_amdgcn(kernel_ir("product"), "gfx1100")
    assert len(re.findall(r"\tglobal_load_b128", text)) == 2
    assert len(re.findall(r"\tds_store_b128", text)) == 2
    assert len(re.findall(r"\tds_load_b128", text)) >= 2
    assert not re.findall(r"\t(?:flat|scratch)_|global_load_b32|s_swappc", text)
    assert text.count("\ts_barrier\n") == 2


@pytest.mark.parametrize(("fence", "invalidated"), [("shared", 0), ("global", 1)])
def test_fences_of_shared_memory_keep_the_caches(fence: str, invalidated: int) -> None:
    function = only_function(EXCHANGE.replace("FENCE", fence))
    text = emit_amdgcn(emit_module([("f", function)], Target("rocm"), AMDGPU), "gfx1100")
    assert text.count("\ts_barrier\n") == 1
    assert text.count("buffer_gl0_inv") == invalidated


EXCHANGE = """
func.func @f(%x: memref<128xf32>, %y: memref<128xf32>)
    attributes {tw.launch = #simt.launch<grid [1], block [128], shared 512>} {
  %s = loop.alloc "shared" : memref<128xf32>
  %t = simt.thread_id x below 128
  %a = loop.load %x[%t] : memref<128xf32>, f32
  loop.store %a, %s[%t] : memref<128xf32>, f32
  simt.barrier FENCE
  %b = loop.load %s[-%t + 127] : memref<128xf32>, f32
  loop.store %b, %y[%t] : memref<128xf32>, f32
  func.return
}"""


@needs_lld
@processors
@pytest.mark.parametrize("fence", ["shared", "global"])
def test_a_barrier_exchanges_data(fence: str, processor: str) -> None:
    x, y = RNG.standard_normal(128, np.float32), np.zeros(128, np.float32)
    run_function(EXCHANGE.replace("FENCE", fence), processor, x, y)
    np.testing.assert_array_equal(y, x[::-1])


@needs_lld
@processors
def test_the_emulator_refuses_accesses_outside_of_buffers(processor: str) -> None:
    x, short = np.zeros(128, np.float32), np.zeros(127, np.float32)
    with pytest.raises(RuntimeError, match="outside of buffers"):
        run_function(EXCHANGE.replace("FENCE", "shared"), processor, x, short)


@needs_lld
@processors
def test_memory_of_a_thread_is_private(processor: str) -> None:
    text = emit_module([("f", only_function(PRIVATE))], Target("rocm"), AMDGPU)
    assert "alloca [512 x float], align 16, addrspace(5)" in text
    assert "scratch_load" in emit_amdgcn(text, processor)
    x, y = RNG.standard_normal((64, 512), np.float32), np.zeros(64, np.float32)
    run_function(PRIVATE, processor, x, y)
    threads = np.arange(64)
    np.testing.assert_array_equal(y, x[threads, 7 * threads])


PRIVATE = """
func.func @f(%x: memref<64x512xf32>, %y: memref<64xf32>)
    attributes {tw.launch = #simt.launch<grid [1], block [64], shared 0>} {
  %p = loop.alloc "local" : memref<512xf32>
  %t = simt.thread_id x below 64
  loop.for %i = 0 to 512 {
    %a = loop.load %x[%t, %i] : memref<64x512xf32>, f32
    loop.store %a, %p[%i] : memref<512xf32>, f32
  }
  %b = loop.load %p[%t * 7] : memref<512xf32>, f32
  loop.store %b, %y[%t] : memref<64xf32>, f32
  func.return
}"""


@pytest.mark.parametrize(
    ("processor", "dtype"), in_turn(PROCESSORS, [(t,) for t in ("f32", "f64", "f16", "bf16")])
)
def test_all_functions_are_instructions(dtype: str, processor: str) -> None:
    kernels = [(op.name.replace(".", "_"), only_function(math_kernel(op, dtype))) for op in MATH]
    text = emit_amdgcn(emit_module(kernels, Target("rocm"), AMDGPU), processor)
    assert "s_swappc" not in text
    assert text.count(".amdhsa_kernel ") == len(kernels)


def test_the_layout_is_that_of_llvm() -> None:
    layout = data_layout(Machine(AMDGPU.triple, "gfx942"))
    assert layout == AMDGPU.layout


# -- modules -------------------------------------------------------------------------------------


@needs_lld
def test_compiling_needs_no_device_and_calling_does() -> None:
    mod = compiled(models.ffn_model(m=2, k=3, n=4), "gfx942")
    assert '.amdgcn_target "amdgcn-amd-amdhsa--gfx942"' in mod.get_source("amdgcn")
    assert "amdgpu_kernel" in mod.get_source("ll")
    assert b64decode(mod.get_source("hsaco"))[:8] == b"\x7fELF\x02\x01\x01\x40"
    with pytest.raises(KernelError, match=r"driver of the GPU is missing(?s:.*)got: libamdhip64"):
        mod(np.ones((2, 3), np.float32))


@needs_lld
def test_each_kernel_has_a_listing_of_its_own() -> None:
    mod = compiled(models.layernorm_model(shape=(6, 25)), "gfx1100")
    assert len(mod.kernels) > 1
    for kind, head in {"amdgcn": ".amdhsa_kernel ", "ll": "define amdgpu_kernel"}.items():
        assert mod.get_source(kind).count(head) == len(mod.kernels)
        assert mod.get_source(kind, kernel=mod.kernels[1].name).count(head) == 1


# -- errors --------------------------------------------------------------------------------------


def test_unknown_processors_are_refused() -> None:
    with pytest.raises(TargetError, match=r"unknown architecture(?s:.*)hint: use -mcpu=gfx942"):
        tilewright.compile(models.ffn_model(m=2, k=3, n=4), target="rocm -mcpu=gfx943")


def test_a_missing_linker_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(code_object, "find_lld", lambda: None)
    with pytest.raises(MissingLinker, match=r"hint: pip install tilewright\[rocm\]"):
        tilewright.compile(models.ffn_model(m=2, k=3, n=4), target="rocm", cache=False)


@needs_lld
def test_undefined_functions_are_refused_by_the_linker() -> None:
    text = """
    declare float @none(float)
    define amdgpu_kernel void @f(ptr addrspace(1) %p) {
      %x = load float, ptr addrspace(1) %p
      %y = call float @none(float %x)
      store float %y, ptr addrspace(1) %p
      ret void
    }"""
    with pytest.raises(CodegenError, match=r"ld.lld refuses(?s:.*)none"):
        make_code_object(text, "gfx1100")


def test_a_file_without_metadata_is_refused() -> None:
    with pytest.raises(CodegenError, match="a code object has metadata"):
        resources_in(b"\x7fELF" + bytes(60))

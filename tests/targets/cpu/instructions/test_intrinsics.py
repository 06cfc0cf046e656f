"""CPU intrinsics: the definition compared with the instruction, and the assembly."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest
from xdsl.parser import Parser

from tilewright.codegen.linker import link
from tilewright.codegen.llvm import Machine, assembly_of, compile_ir
from tilewright.dialects.te import IntrinsicOp
from tilewright.lowering.loop_to_llvm import emit_kernel, kernel_symbol
from tilewright.machines.target import Target
from tilewright.support.diagnostics import LoweringError, TargetError, TilewrightError
from tilewright.support.registry import new_context
from tilewright.targets.cpu.instructions.intrinsics import INTRINSICS, make_intrinsic
from tilewright.testing.emulator import Emulator
from tilewright.testing.intrinsics import NativeCode, check_intrinsic, use_of

HOST, ARM = Target.native(), Target("llvm -mcpu=neoverse-n1")
NEW_ARM = Target("llvm -mcpu=neoverse-v1")


ARM_NAMES = ["sdot", "udot", "usdot", "bfdot", "smmla", "ummla", "usmmla", "bfmmla"]


@pytest.mark.parametrize("name", [n for n in INTRINSICS if n not in ARM_NAMES])
def test_the_instruction_computes_its_definition(name: str) -> None:
    intrinsic = make_intrinsic(name)
    missing = [f.data for f in intrinsic.features if not HOST.has(f.data)]
    if missing:
        pytest.skip(f"this machine has no {', '.join(missing)}")
    check_intrinsic(intrinsic)


def test_vdpbf16ps_adds_the_second_product_first() -> None:
    if not HOST.has("avx512bf16"):
        pytest.skip("this machine has no avx512bf16")
    rng = np.random.default_rng(0)
    c = rng.standard_normal((500, 16)).astype(np.float32)
    a, b = (rng.standard_normal((500, 16, 2)).astype(ml_dtypes.bfloat16) for _ in range(2))
    text = emit_kernel(use_of(make_intrinsic("vdpbf16ps")), HOST, kernel_symbol(0))
    code = compile_ir(text, Machine.of(HOST))
    native = NativeCode(link([code], exports=[kernel_symbol(0)]))
    # Products of two bf16 numbers are exact in f32, so each sum is rounded once.
    product = a.astype(np.float32) * b.astype(np.float32)
    expected = (c + product[..., 1]) + product[..., 0]
    for row, x, y in zip(c, a, b, strict=True):
        native.call(kernel_symbol(0), [row, x, y])
    np.testing.assert_array_equal(c, expected)


def test_a_definition_that_the_instruction_does_not_compute_is_found() -> None:
    # Make the first input unsigned, although the instruction reads it as signed.
    text = INTRINSICS["sdot"].replace("extsi", "extui", 1)
    (wrong,) = Parser(new_context(), text).parse_module().ops
    assert isinstance(wrong, IntrinsicOp)
    with pytest.raises(TilewrightError, match="@sdot changed"):
        check_intrinsic(wrong, target=ARM, load=Emulator)


@pytest.mark.parametrize(
    ("name", "target", "instructions"),
    [
        ("vpdpbusd", "llvm -mcpu=cascadelake", ["vpdpbusd", "%zmm"]),
        ("vpdpbusd_ymm", "llvm -mcpu=cascadelake", ["vpdpbusd", "%ymm"]),
        ("vpdpbusd_vex", "llvm -mcpu=alderlake", ["vpdpbusd", "%ymm"]),
        ("vpdpbusd_signed", "llvm -mcpu=cascadelake", ["vpdpbusd", "vpsubd"]),
        ("vpdpbusd_unsigned", "llvm -mcpu=cascadelake", ["vpdpbusd", "vpsubd"]),
        ("vpdpwssd", "llvm -mcpu=cascadelake", ["vpdpwssd", "%zmm"]),
        ("vpdpwssd_ymm", "llvm -mcpu=cascadelake", ["vpdpwssd", "%ymm"]),
        ("vpmaddwd", "llvm -mcpu=x86-64-v3", ["vpmaddwd", "%ymm"]),
        ("vpmaddwd_zmm", "llvm -mcpu=skylake-avx512", ["vpmaddwd", "%zmm"]),
        ("vdpbf16ps", "llvm -mcpu=znver4", ["vdpbf16ps", "%zmm"]),
        ("vdpbf16ps_ymm", "llvm -mcpu=znver4", ["vdpbf16ps", "%ymm"]),
        ("vpmaddubsw", "llvm -mcpu=x86-64-v3", ["vpmaddubsw", "vpmaddwd"]),
        ("i32x4_dot", "wasm32", ["i32x4.dot_i16x8_s"]),
        ("sdot", "llvm -mcpu=neoverse-n1", ["\tsdot\tv"]),
        ("udot", "llvm -mcpu=cortex-a76", ["\tudot\tv"]),
        ("usdot", "llvm -mcpu=neoverse-v1", ["\tusdot\tv"]),
        ("bfdot", "llvm -mcpu=neoverse-n2", ["\tbfdot\tv"]),
        ("smmla", "llvm -mcpu=neoverse-n2", ["\tsmmla\tv"]),
        ("ummla", "llvm -mcpu=neoverse-v1", ["\tummla\tv"]),
        ("usmmla", "llvm -mcpu=neoverse-v1", ["\tusmmla\tv"]),
        ("bfmmla", "llvm -mcpu=neoverse-v1", ["\tbfmmla\tv"]),
    ],
)
def test_it_becomes_the_instruction(name: str, target: str, instructions: list[str]) -> None:
    machine = Target(target)
    text = emit_kernel(use_of(make_intrinsic(name)), machine)
    assembly = assembly_of(text, Machine.of(machine))
    assert all(instruction in assembly for instruction in instructions)


@pytest.mark.parametrize("name", ARM_NAMES)
def test_instructions_of_arm_compute_their_definitions(name: str) -> None:
    check_intrinsic(make_intrinsic(name), target=NEW_ARM, load=Emulator)


def test_a_target_without_the_feature_is_an_error() -> None:
    with pytest.raises(
        LoweringError, match=r"lacks what @vpdpbusd needs\n    expected: avx512vnni"
    ):
        emit_kernel(use_of(make_intrinsic("vpdpbusd")), Target("llvm -mcpu=x86-64-v3"))
    with pytest.raises(TargetError, match="this machine cannot run @sdot"):
        check_intrinsic(make_intrinsic("sdot"))
    old = Target("llvm -mcpu=cortex-a72")
    with pytest.raises(TargetError, match="the target cannot run @sdot\n    expected: dotprod"):
        check_intrinsic(make_intrinsic("sdot"), target=old, load=Emulator)


def test_an_unknown_intrinsic_is_an_error_with_near_names() -> None:
    with pytest.raises(TilewrightError, match=r"unknown intrinsic\n    expected: .*vpdpbusd"):
        make_intrinsic("vpdpbusdd")

"""CPU intrinsics: the definition compared with the instruction, and the assembly."""

from __future__ import annotations

import pytest
from xdsl.parser import Parser

from tilewright.codegen.llvm import Machine, compile_ir
from tilewright.dialects.te import IntrinsicOp
from tilewright.lowering.loop_to_llvm import emit_kernel
from tilewright.support.diagnostics import LoweringError, TargetError, TilewrightError
from tilewright.support.registry import new_context
from tilewright.support.target import Target
from tilewright.targets.cpu.intrinsics import INTRINSICS, make_intrinsic
from tilewright.testing.emulator import Emulator
from tilewright.testing.intrinsics import check_intrinsic, use_of

HOST, ARM = Target.host(), Target("llvm -mcpu=neoverse-n1")


@pytest.mark.parametrize(("name", "feature"), [("vpdpbusd", "avx512vnni"), ("vpmaddubsw", "avx2")])
def test_the_instruction_computes_its_definition(name: str, feature: str) -> None:
    if not HOST.has(feature):
        pytest.skip(f"this machine has no {feature}")
    check_intrinsic(make_intrinsic(name))


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
        ("vpdpbusd", "llvm -mcpu=cascadelake", ["vpdpbusd"]),
        ("vpmaddubsw", "llvm -mcpu=x86-64-v3", ["vpmaddubsw", "vpmaddwd"]),
        ("sdot", "llvm -mcpu=neoverse-n1", ["sdot\tv"]),
    ],
)
def test_it_becomes_the_instruction(name: str, target: str, instructions: list[str]) -> None:
    machine = Target(target)
    text = emit_kernel(use_of(make_intrinsic(name)), machine)
    code = compile_ir(text, Machine.of(machine))
    assert all(instruction in code.assembly() for instruction in instructions)


def test_sdot_of_arm_computes_its_definition() -> None:
    check_intrinsic(make_intrinsic("sdot"), target=ARM, load=Emulator)


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

"""Intrinsics of CPUs: the definition beside the instruction, and what it is in assembly."""

from __future__ import annotations

import pytest
from xdsl.dialects.builtin import ArrayAttr
from xdsl.parser import Parser

from tilewright.codegen.llvm import Machine, compile_ir
from tilewright.dialects.te import IntrinsicOp
from tilewright.lowering.loop_to_llvm import emit_kernel
from tilewright.support.diagnostics import LoweringError, TargetError, TilewrightError
from tilewright.support.registry import new_context
from tilewright.support.target import Target
from tilewright.targets.cpu.intrinsics import INTRINSICS, make_intrinsic
from tilewright.testing.intrinsics import check_intrinsic, use_of

HOST = Target.host()


@pytest.mark.parametrize(("name", "feature"), [("vpdpbusd", "avx512vnni"), ("vpmaddubsw", "avx2")])
def test_the_instruction_computes_its_definition(name: str, feature: str) -> None:
    if not HOST.has(feature):
        pytest.skip(f"this machine has no {feature}")
    check_intrinsic(make_intrinsic(name))


def test_a_definition_that_the_instruction_does_not_compute_is_found() -> None:
    # Both inputs signed: the instruction reads the first one as unsigned.
    text = INTRINSICS["vpmaddubsw"].replace("extui", "extsi")
    (wrong,) = Parser(new_context(), text).parse_module().ops
    assert isinstance(wrong, IntrinsicOp)
    with pytest.raises(TilewrightError, match="@vpmaddubsw changed"):
        check_intrinsic(wrong)


@pytest.mark.parametrize(
    ("name", "target", "instructions"),
    [
        ("vpdpbusd", "llvm -mcpu=cascadelake", ["vpdpbusd"]),
        ("vpmaddubsw", "llvm -mcpu=x86-64-v3", ["vpmaddubsw", "vpmaddwd"]),
    ],
)
def test_it_becomes_the_instruction(name: str, target: str, instructions: list[str]) -> None:
    machine = Target(target)
    text = emit_kernel(use_of(make_intrinsic(name)), machine)
    code = compile_ir(text, Machine(machine.triple, machine.cpu, machine.attribute_string))
    assert all(instruction in code.assembly() for instruction in instructions)


def test_sdot_becomes_the_instruction_of_arm() -> None:
    # No target of ours has the feature, so the text is made without it, and LLVM is asked for it.
    sdot = make_intrinsic("sdot")
    sdot.properties["features"] = ArrayAttr([])
    text = emit_kernel(use_of(sdot), Target("llvm -mcpu=x86-64"))
    machine = Machine("aarch64-unknown-linux-gnu", "generic", "+neon,+dotprod")
    assert "sdot\tv" in compile_ir(text, machine).assembly()


def test_a_target_without_the_feature_is_an_error() -> None:
    with pytest.raises(
        LoweringError, match=r"lacks what @vpdpbusd needs\n    expected: avx512vnni"
    ):
        emit_kernel(use_of(make_intrinsic("vpdpbusd")), Target("llvm -mcpu=x86-64-v3"))
    with pytest.raises(TargetError, match="cannot run @sdot"):
        check_intrinsic(make_intrinsic("sdot"))


def test_an_unknown_intrinsic_is_an_error_with_near_names() -> None:
    with pytest.raises(TilewrightError, match=r"unknown intrinsic\n    expected: .*vpdpbusd"):
        make_intrinsic("vpdpbusdd")

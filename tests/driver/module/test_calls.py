"""No compiled model calls a math library; from the C library it uses memory and text functions."""

from __future__ import annotations

import re

import pytest
from xdsl.dialects.builtin import Attribute, ModuleOp, TensorType, f16, f32, f64
from xdsl.dialects.func import FuncOp, ReturnOp

import tilewright
from tilewright.dialects.graph import ELEMENTWISE, BinaryOp
from tilewright.driver.compile_module import compile_module
from tilewright.testing import models

TARGETS = [f"llvm -mcpu={cpu}" for cpu in ("x86-64", "x86-64-v3", "x86-64-v4")]
ONE_BY_DAY = [
    pytest.param(target, marks=[pytest.mark.nightly] * (number != 1))
    for number, target in enumerate(TARGETS)
]
ALLOWED = {"aligned_alloc", "dlsym", "free", "memcpy", "snprintf"}

_CALL = re.compile(r"\t(?:call|jmp)q?\t([A-Za-z_]\w*)(?:@PLT)?$", re.MULTILINE)
_DEFINED = re.compile(r"^([A-Za-z_]\w*):", re.MULTILINE)


def called_outside(assembly: str) -> set[str]:
    """Return the functions that assembly calls and does not define."""
    return set(_CALL.findall(assembly)) - set(_DEFINED.findall(assembly))


def every_float_op(element: Attribute) -> ModuleOp:
    """Return a module that applies each elementwise op on floats to its arguments."""
    type_ = TensorType(element, [37])
    func = FuncOp("main", ([type_, type_], []))
    x, y = func.args
    ops = [
        cls(x, y) if issubclass(cls, BinaryOp) else cls(x)
        for cls in ELEMENTWISE.values()
        if cls.KIND in ("float", "number", "any")
    ]
    func.body.block.add_ops([*ops, ReturnOp(*(op.results[0] for op in ops))])
    func.update_function_type()
    return ModuleOp([func])


def test_calls_are_recognized() -> None:
    assembly = "f:\n\tcallq\texpf@PLT\n\tcallq\tg\n\tcallq\t*%rax\n\tjmp\tf\n\tjmp\t.LBB0_1\n"
    assert called_outside(assembly) == {"expf", "g"}


@pytest.mark.slow
@pytest.mark.parametrize("target", ONE_BY_DAY)
@pytest.mark.parametrize("element", [f16, f32, f64], ids=str)
def test_elementwise_ops_are_computed_in_line(element: Attribute, target: str) -> None:
    compiled = compile_module(every_float_op(element), target=target)
    assert called_outside(compiled.get_source("asm")) <= ALLOWED


@pytest.mark.slow
@pytest.mark.parametrize("target", ONE_BY_DAY)
def test_an_encoder_calls_no_mathematics(target: str) -> None:
    model = models.encoder_model(layers=1, hidden=64, heads=4, ffn=128, seq=16)
    assert called_outside(tilewright.compile(model, target=target).get_source("asm")) <= ALLOWED


@pytest.mark.slow
@pytest.mark.parametrize("target", ONE_BY_DAY)
def test_a_convolutional_network_calls_no_mathematics(target: str) -> None:
    compiled = tilewright.compile(models.light_model("squeezenet"), target=target)
    assert called_outside(compiled.get_source("asm")) <= ALLOWED

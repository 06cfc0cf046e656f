"""Inputs whose buffers hold zeros around their elements: printed, parsed, verified."""

from __future__ import annotations

from dataclasses import replace

import pytest
from xdsl.ir import Block

from tilewright.dialects.te import ComputeOp
from tilewright.support.diagnostics import TypeMismatch

from ..passes.schedule.kernels import parse

KERNEL = """
te.kernel @k(%x: memref<6xf32>, %y: memref<4xf32>) {
  te.compute @y [i: 4, s: 3 red] ins(%x[i + s] nonzero SPANS : memref<6xf32>)
    outs(%y[i] add 0.0 : f32 : memref<4xf32>) body(%v: f32) { te.yield %v : f32 }
  te.return
}"""

VALUE = """
func.func @main(%x: tensor<6xf32>) -> tensor<4xf32> {
  %y = te.compute @y [i: 4, s: 3 red] ins(%x[i + s] nonzero [1 to 5] : tensor<6xf32>)
    outs([i] add 0.0 : f32 : tensor<4xf32>) body(%v: f32) { te.yield %v : f32 }
  func.return %y : tensor<4xf32>
}"""


def compute_of(text: str) -> ComputeOp:
    return next(op for op in parse(text).walk() if isinstance(op, ComputeOp))


def test_a_border_is_printed_and_parsed() -> None:
    op = compute_of(KERNEL.replace("SPANS", "[1 to 5]"))
    assert "%x[i + s] nonzero [1 to 5] : memref<6xf32>" in str(op)
    assert op.view().inputs[0].nonzero == ((1, 5),)
    op.update(op.view())
    assert op.view().inputs[0].nonzero == ((1, 5),)


def test_another_buffer_has_no_border() -> None:
    view = compute_of(KERNEL.replace("SPANS", "[1 to 5]")).view()
    access = view.inputs[0]
    assert access.value is not None
    other = Block(arg_types=[access.type]).args[0]
    assert replace(access, value=other).nonzero is None


def test_a_border_has_a_range_per_dimension() -> None:
    with pytest.raises(TypeMismatch, match="number of nonzero ranges is not the rank"):
        parse(KERNEL.replace("SPANS", "[1 to 5, 0 to 2]"))


def test_only_buffers_have_borders() -> None:
    with pytest.raises(TypeMismatch, match="only inputs in buffers have a border of 0"):
        parse(VALUE)

"""Predicates on the body of a te.compute.

In: a region with one te.yield, or a whole compute.  Out: answers for the recognition of products,
convolutions and attention.
"""

from __future__ import annotations

from xdsl.dialects import arith
from xdsl.dialects.builtin import BFloat16Type, Float16Type, f32
from xdsl.ir import Attribute, SSAValue

from ...dialects.te import ComputeView
from ...support.blocks import returned


def is_narrow(type_: Attribute) -> bool:
    """Return whether a type is a 16-bit float (f16 or bf16)."""
    return isinstance(type_, Float16Type | BFloat16Type)


def before_widening(value: SSAValue) -> SSAValue:
    """Return the 16-bit float that is converted to this f32 value, or the value itself."""
    owner = value.owner
    if isinstance(owner, arith.ExtFOp) and value.type == f32 and is_narrow(owner.input.type):
        return owner.input
    return value


def before_rounding(value: SSAValue) -> SSAValue:
    """Return the f32 value that is rounded to this 16-bit value, or the value itself."""
    owner = value.owner
    if isinstance(owner, arith.TruncFOp) and is_narrow(value.type) and owner.input.type == f32:
        return owner.input
    return value


def is_widening(view: ComputeView) -> bool:
    """Return whether a compute only converts 16-bit floats to f32."""
    if len(view.inputs) != 1 or len(view.outputs) != 1 or view.reduced_axes() or view.scan:
        return False
    if view.outputs[0].reduces:
        return False
    value = returned(view.body.block)[0]
    return before_widening(value) is view.body.block.args[0] is not value

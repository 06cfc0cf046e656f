"""packed-pack-constants: store weights in the layouts that the scheduled kernels read.

    te.kernel @mm(%x, %w: memref<48x768x16xf32>)
        {packs = {"1" = (k, n) -> (n floordiv 16, k, n mod 16)}}
    %w = packed.constant #graph.weight<"a"> : memref<768x768xf32>
==>
    te.kernel @mm(%x, %w: memref<48x768x16xf32>)
    %w = packed.constant #graph.weight<"b"> : memref<48x768x16xf32>

Before: schedules are applied; kernels may have an attribute ``packs``, a layout per argument.
After: no kernel has ``packs``, and the arguments of every call have the types of the kernel's
arguments.  Partial blocks are filled with zeros.  Exact.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from xdsl.context import Context
from xdsl.dialects.builtin import AffineMapAttr, ModuleOp
from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
)

from ...dialects.packed import CallOp, ConstantOp
from ...dialects.recipes import Expression, apply_step
from ...dialects.shape import size_parameters
from ...dialects.sizes import with_sizes
from ...dialects.te import KernelOp, kernels_of
from ...dialects.te.layout import layout_shape
from ...dialects.weights import WeightAttr
from ...support.passes import ExactPass


@dataclass(frozen=True)
class PackConstants(ExactPass):
    """Store weights in the layouts that the kernels' attribute ``packs`` names."""

    name = "packed-pack-constants"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        kernels = {k.label: k for k in kernels_of(op) if k.pack_maps}
        packed: dict[tuple[WeightAttr, AffineMapAttr], ConstantOp] = {}
        for call in [c for c in op.walk() if isinstance(c, CallOp)]:
            if call.kernel_name in kernels:
                _pack_arguments(call, kernels[call.kernel_name], packed)
        for kernel in kernels.values():
            del kernel.properties["packs"]


def _pack_arguments(
    call: CallOp,
    kernel: KernelOp,
    packed: dict[tuple[WeightAttr, AffineMapAttr], ConstantOp],
) -> None:
    sizes = dict(zip(size_parameters(kernel), call.sizes, strict=True))
    for position, layout in kernel.pack_maps.items():
        weight = call.arguments[position].owner
        assert isinstance(weight, ConstantOp), "only constant arguments are packed"
        key = (weight.value, layout)
        if key not in packed:
            arguments = _store_arguments(layout, weight.value.stored.shape)
            stored = WeightAttr.derived("store", [weight.value], *arguments)
            type_ = with_sizes(kernel.body.block.args[position].type, sizes)
            packed[key] = weight.insert_derived(stored, type_)
        call.pass_constant(position, packed[key])


def pack_array(array: np.ndarray, layout: AffineMapAttr) -> np.ndarray:
    """Return an array in the storage order of a layout; positions without an element are 0."""
    return apply_step("store", [array], _store_arguments(layout, array.shape))


def _store_arguments(layout: AffineMapAttr, shape: Sequence[int]) -> tuple[object, object]:
    """Return the arguments of the recipe step ``store``, which stores an array in a layout.

    shape: the sizes of the array.
    Returns the sizes of the stored array, and the expressions of the layout.
    """
    return layout_shape(layout, shape), tuple(map(_expression, layout.data.results))


def _expression(expr: AffineExpr) -> Expression:
    match expr:
        case AffineDimExpr():
            return "dim", expr.position
        case AffineConstantExpr():
            return expr.value
        case AffineBinaryOpExpr():
            return _OPERATIONS[expr.kind], _expression(expr.lhs), _expression(expr.rhs)
        case _:
            raise AssertionError(f"unknown affine expression {expr}")


_OPERATIONS = {
    AffineBinaryOpKind.Add: "add",
    AffineBinaryOpKind.Mul: "mul",
    AffineBinaryOpKind.FloorDiv: "floordiv",
    AffineBinaryOpKind.Mod: "mod",
}

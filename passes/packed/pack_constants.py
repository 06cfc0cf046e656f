"""packed-pack-constants: store weights in the layouts that the scheduled kernels read.

    te.kernel @mm(%x, %w: memref<48x768x16xf32>)
        {packs = {"1" = (k, n) -> (n floordiv 16, k, n mod 16)}}
    %w = packed.constant #graph.weight<"a"> : memref<768x768xf32>
==>
    te.kernel @mm(%x, %w: memref<48x768x16xf32>)
    %w = packed.constant #graph.weight<"b"> : memref<48x768x16xf32>

Before: schedules are applied; kernels may record packs.  After: no packs are left, and every call
agrees with its kernel's types.  Partial blocks are filled with zeros.  Exact.
"""

from __future__ import annotations

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
from ...dialects.te import KernelOp, kernels_of
from ...dialects.te.layout import layout_shape
from ...dialects.weights import WeightAttr
from ...support.passes import ExactPass


@dataclass(frozen=True)
class PackConstants(ExactPass):
    """Store weights in the layouts that kernels recorded."""

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
    for position, layout in kernel.pack_maps.items():
        weight = call.arguments[position].owner
        assert isinstance(weight, ConstantOp), "only constant arguments are packed"
        key = (weight.value, layout)
        if key not in packed:
            new = ConstantOp(
                WeightAttr.of(pack_array(weight.value.array, layout)),
                kernel.body.block.args[position].type,
            )
            new.location = weight.location
            new.res.name_hint = weight.res.name_hint
            block = weight.parent_block()
            assert block is not None
            block.insert_op_after(new, weight)
            packed[key] = new
        call.operands[position] = packed[key].res
        if not weight.res.uses:
            weight.detach()
            weight.erase()


def pack_array(array: np.ndarray, layout: AffineMapAttr) -> np.ndarray:
    """Return an array in the storage order of a layout; positions without an element are 0."""
    digits = [_digit(e) for e in layout.data.results]
    fast = None if None in digits else _pack_by_transpose(array, [d for d in digits if d])
    if fast is not None:
        return fast
    out = np.zeros(layout_shape(layout, array.shape), array.dtype)
    grid = np.indices(array.shape, sparse=True)
    out[tuple(_evaluate(e, grid) for e in layout.data.results)] = array
    return out


def _evaluate(expr: AffineExpr, grid: tuple[np.ndarray, ...] | np.ndarray) -> np.ndarray:
    match expr:
        case AffineDimExpr():
            return grid[expr.position]
        case AffineConstantExpr():
            return np.asarray(expr.value)
        case AffineBinaryOpExpr():
            lhs, rhs = _evaluate(expr.lhs, grid), _evaluate(expr.rhs, grid)
            operation = {
                AffineBinaryOpKind.Add: np.add,
                AffineBinaryOpKind.Mul: np.multiply,
                AffineBinaryOpKind.FloorDiv: np.floor_divide,
                AffineBinaryOpKind.Mod: np.mod,
            }[expr.kind]
            return operation(lhs, rhs)
        case _:
            raise AssertionError(f"unknown affine expression {expr}")


@dataclass(frozen=True)
class _Digit:
    """``(dim floordiv divisor) mod base``; base None: the leading digit."""

    dim: int
    divisor: int
    base: int | None


def _digit(expr: AffineExpr) -> _Digit | None:
    if isinstance(expr, AffineDimExpr):
        return _Digit(expr.position, 1, None)
    if not isinstance(expr, AffineBinaryOpExpr) or not isinstance(expr.rhs, AffineConstantExpr):
        return None
    inner = _digit(expr.lhs)
    if inner is None or inner.base is not None:
        return None
    if expr.kind is AffineBinaryOpKind.FloorDiv:
        return _Digit(inner.dim, inner.divisor * expr.rhs.value, None)
    if expr.kind is AffineBinaryOpKind.Mod:
        return _Digit(inner.dim, inner.divisor, expr.rhs.value)
    return None


def _pack_by_transpose(array: np.ndarray, digits: list[_Digit]) -> np.ndarray | None:
    """Pack by one reshape and one transpose; None unless digits cover each dimension exactly."""
    shape: list[int] = []
    padding: list[tuple[int, int]] = []
    position: dict[_Digit, int] = {}
    for dim, size in enumerate(array.shape):
        own = sorted((d for d in digits if d.dim == dim), key=lambda d: -d.divisor)
        step = 1
        for digit in reversed(own):
            if digit.divisor != step or (digit.base is None) != (digit is own[0]):
                return None
            step *= digit.base or 1
        if not own:
            if size != 1:
                return None
            padding.append((0, 0))
            continue
        leading = -(-size // own[0].divisor)
        padding.append((0, leading * own[0].divisor - size))
        for digit in own:
            position[digit] = len(shape)
            shape.append(digit.base or leading)
    if any(after for _, after in padding):
        array = np.pad(array, padding)
    order = [position[d] for d in digits]
    return np.ascontiguousarray(array.reshape(shape).transpose(order))

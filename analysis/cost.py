"""What a kernel costs: its operations, counted from its te ops.

In: a kernel, in value or buffer form, before it is scheduled.  Out: numbers of one call.
"""

from __future__ import annotations

from math import prod
from typing import cast

from xdsl.dialects import arith
from xdsl.dialects.builtin import MemRefType, TensorType
from xdsl.ir import Region

from ..dialects.te import (
    ComputeOp,
    ComputeView,
    KernelOp,
    NestOp,
    ScatterOp,
    SortOp,
    TensorOp,
)


def kernel_flops(kernel: KernelOp) -> int:
    """Return the scalar operations of one call of a kernel; a multiply-add counts two."""
    return sum(op_flops(op) for op in kernel.body.walk() if isinstance(op, TensorOp))


def op_flops(op: TensorOp) -> int:
    """Return the scalar operations of a te op; of a sort its comparisons, of a nest its ops once.

    A nest's trip counts may depend on data: what it costs is not known here.
    """
    match op:
        case ComputeOp():
            return compute_flops(op.view())
        case ScatterOp():
            view = op.view()
            return prod(view.axes.values()) * (_count(view.body) + _count(view.combine))
        case SortOp():
            shape = cast("TensorType | MemRefType", op.x.type).get_shape()
            return prod(shape) * shape[op.axis.data].bit_length()
        case NestOp():
            return sum(1 for _ in op.body.walk())


def compute_flops(view: ComputeView) -> int:
    """Return the scalar operations of a compute: body and combiner per point, then per result."""
    points = prod(view.axes.values())
    combined = any(o.reduces for o in view.outputs)
    per_point = _count(view.body) + (1 if combined else 0)
    results = prod(view.axes[a] for a in view.parallel_axes())
    return points * per_point + results * _count(view.then)


def _count(region: Region) -> int:
    if not region.blocks:
        return 0
    return sum(not isinstance(op, arith.ConstantOp) for op in region.block.ops) - 1

"""What a kernel costs: operations and bytes, counted from its computes.

In: a kernel, in value or buffer form, before it is scheduled.  Out: numbers of one call.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import cast

from xdsl.dialects import arith
from xdsl.dialects.builtin import MemRefType, TensorType
from xdsl.ir import Region

from ..dialects.dtypes import buffer_bytes
from ..dialects.te import (
    ComputeOp,
    ComputeView,
    KernelOp,
    NestOp,
    ScatterOp,
    SortOp,
    TensorOp,
)


@dataclass(frozen=True)
class Cost:
    """flops: scalar operations (a multiply-add counts two).  bytes: arguments, each once."""

    flops: int
    bytes: int


def kernel_cost(kernel: KernelOp) -> Cost:
    """Return the cost of one call of a kernel."""
    flops = sum(op_flops(o) for o in kernel.body.walk() if isinstance(o, TensorOp))
    total = 0
    for argument in kernel.body.block.args:
        if isinstance(argument.type, TensorType | MemRefType):
            total += buffer_bytes(argument.type)
    return Cost(flops, total)


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

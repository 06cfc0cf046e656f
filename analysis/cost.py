"""What a kernel costs: its operations and bytes, counted from its te ops.

In: a kernel, in value or buffer form, before it is scheduled.  Out: numbers of one call.
"""

from __future__ import annotations

from math import prod
from typing import cast

from xdsl.dialects import arith
from xdsl.dialects.builtin import MemRefType, TensorType
from xdsl.ir import Operation, Region, SSAValue

from ..dialects.loop import ForOp
from ..dialects.te import (
    ComputeOp,
    ComputeView,
    KernelOp,
    NestOp,
    ScatterOp,
    SortOp,
    TensorOp,
)
from ..support.target import Target
from .sharing import element_bytes


def kernel_flops(kernel: KernelOp) -> int:
    """Return the scalar operations of one call of a kernel; a multiply-add counts two."""
    ops = [op for op in kernel.body.walk() if isinstance(op, TensorOp)]
    return sum(op_flops(op) * _trips(op) for op in ops)


def _trips(op: Operation) -> int:
    """Return how often the loops around an op run it."""
    trips, around = 1, op.parent_op()
    while around is not None:
        if isinstance(around, ForOp) and around.static_bounds is not None:
            low, high = around.static_bounds
            trips *= high - low
        around = around.parent_op()
    return trips


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


def kernel_bytes(kernel: KernelOp) -> int:
    """Return the bytes that one call of a kernel in buffer form touches, each buffer once."""
    touched: dict[SSAValue, int] = {}
    for op in kernel.body.walk():
        if not isinstance(op, TensorOp):
            continue
        reached = _reached(op.view()) if isinstance(op, ComputeOp) else {}
        trips = _trips(op)
        for value in op.operands:
            if isinstance(value.type, MemRefType):
                count = reached.get(value, prod(value.type.get_shape())) * trips
                size = min(count, prod(value.type.get_shape())) * element_bytes(value.type)
                touched[value] = max(touched.get(value, 0), size)
    return sum(touched.values())


def _reached(view: ComputeView) -> dict[SSAValue, int]:
    """Return how many elements of each buffer a compute can touch: one per point of its axes."""
    reached: dict[SSAValue, int] = {}
    for access in view.accesses():
        if access.value is not None:
            axes = view.axes if access.is_whole else access.axes()
            points = prod(n for axis, n in view.axes.items() if axis in axes)
            reached[access.value] = reached.get(access.value, 0) + points
    return reached


def kernel_cycles(kernel: KernelOp, target: Target) -> float:
    """Return a lower bound of the cycles of one call of a kernel in buffer form, on one core.

    The larger of arithmetic at the peak of vector units and of bytes at one vector per cycle; ops
    other than te.compute, scans and reads at computed positions count as scalar code.
    """
    lanes = target.lanes(32)
    is_scalar = any(
        not isinstance(op, ComputeOp)
        or op.view().scan is not None
        or any(access.is_whole for access in op.view().inputs)
        for op in kernel.body.walk()
        if isinstance(op, TensorOp)
    )
    per_cycle = 2 * target.fma_ports * (1 if is_scalar else lanes)
    return max(kernel_flops(kernel) / per_cycle, kernel_bytes(kernel) / (4 * lanes))


def _count(region: Region) -> int:
    if not region.blocks:
        return 0
    return sum(not isinstance(op, arith.ConstantOp) for op in region.block.ops) - 1

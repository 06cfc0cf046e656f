"""Lower matrix products to a compute ``[*batch, m, n, k red]``; index maps express transposes."""

from __future__ import annotations

from xdsl.ir import SSAValue

from ...dialects.graph import MatmulOp
from ...dialects.shape import dims_of, extent_of, type_of
from ...dialects.te.build import ComputeResult, read
from ...dialects.te.scalars import Scalars, signless, wide_type
from .builder import Lowered, Rule, TeBuilder, element_of, is_empty, sizes_of
from .data.data_rules import with_masked


def lower_matmul(op: MatmulOp, builder: TeBuilder) -> SSAValue:
    """Lower to ``out[*b, m, n] = sum over k of lhs[*b, m, k] * rhs[*b, k, n]``.

    If rhs has no batch dimensions, all batches read ``rhs[k, n]``.
    """
    if is_empty(op.lhs):
        return builder.full(op.inferred_types()[0], 0)
    shape = [extent_of(dim) for dim in dims_of(type_of(op.out))]
    batch = _batch_names(len(shape) - 2)
    k = extent_of(dims_of(type_of(op.lhs))[-2 if op.transpose_lhs else -1])
    axes = {**dict(zip(batch, shape, strict=False)), "m": shape[-2], "n": shape[-1], "k": k}
    left, right = element_of(op.lhs), element_of(op.rhs)
    target = element_of(op.out)
    accumulator = wide_type(target)

    def body(s: Scalars, x: SSAValue, y: SSAValue) -> SSAValue:
        return s.mul(s.cast(x, left, accumulator), s.cast(y, right, accumulator))

    lhs = (*batch, "k", "m") if op.transpose_lhs else (*batch, "m", "k")
    matrix = ("n", "k") if op.transpose_rhs else ("k", "n")
    rhs = (*batch[: len(dims_of(type_of(op.rhs))) - 2], *matrix)
    inputs = [read(builder.value(op.lhs), lhs), read(builder.value(op.rhs), rhs)]
    result = ComputeResult((*batch, "m", "n"), signless(target), "add", 0, accumulator)
    return builder.compute("matmul", axes, inputs, result, body)


def _batch_names(count: int) -> tuple[str, ...]:
    if count <= 2:
        return ("b", "h")[:count]
    return tuple(f"b{n}" for n in range(count))


def lower_dynamic_matmul(op: MatmulOp, builder: TeBuilder) -> Lowered:
    """Lower a product whose contracted size is data-dependent; operands are 0 beyond this size."""
    left = len(sizes_of(op.lhs)) - (2 if op.transpose_lhs else 1)
    right = len(sizes_of(op.rhs)) - (1 if op.transpose_rhs else 2)
    operands = [(op.lhs, (left,), 0), (op.rhs, (right,), 0)]
    return with_masked(op, lower_matmul, builder, operands)


RULES: dict[type, Rule] = {MatmulOp: lower_matmul}

DATA_RULES: dict[type, Rule] = {MatmulOp: lower_dynamic_matmul}
"""The lowering of ops with a data-dependent size in an operand or result."""

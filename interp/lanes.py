"""Ops on the lanes of vectors in numpy, shared by the interpreters of loops, rows and threads.

A vector is an array whose last axis contains the lanes.  Axes before it, such as one with an
element per thread, are broadcast.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import cast

import numpy as np
from xdsl.dialects import arith
from xdsl.dialects.builtin import VectorType
from xdsl.ir import Operation

from ..dialects import loop
from ..dialects.dtypes import is_float
from ..dialects.loop import lanes_of
from . import scalar
from .body import RULES, Rule, compare_floats, compare_integers, evaluator
from .memory import Array

CONVERSIONS: Mapping[str, type[Operation]] = {
    "extsi": arith.ExtSIOp,
    "extui": arith.ExtUIOp,
    "fptosi": arith.FPToSIOp,
    "fptoui": arith.FPToUIOp,
    "index_cast": arith.IndexCastOp,
    "sitofp": arith.SIToFPOp,
    "trunci": arith.TruncIOp,
    "uitofp": arith.UIToFPOp,
}
"""The arith op that has the semantics of each kind of loop.cast."""


def evaluator_of(op: Operation) -> Callable[[Sequence[Array]], Array]:
    """Return the function that computes the result of an op on scalars or lanes from its operands.

    Errors: TilewrightError for an op that is neither a scalar op nor one of `LANE_RULES`.
    """
    rule = LANE_RULES.get(type(op))
    return evaluator(op, op.name) if rule is None else partial(rule, op)


def halved(kind: str, lanes: Array) -> Array:
    """Combine the upper and lower half of the first axis, repeatedly, until one element is left.

    kind: the reduction, such as ``add``.
    """
    while len(lanes) > 1:
        half = len(lanes) // 2
        rest = lanes[2 * half :]
        lanes = scalar.apply(kind, lanes[:half], lanes[half : 2 * half], dtype=lanes.dtype)
        lanes = np.concatenate([lanes, rest])
    return lanes[0]


def _joined(vectors: Sequence[Array]) -> Array:
    rows = np.broadcast_shapes(*(x.shape[:-1] for x in vectors))
    return np.concatenate([np.broadcast_to(x, (*rows, x.shape[-1])) for x in vectors], axis=-1)


def _columns(operands: Sequence[Array]) -> Array:
    return np.stack(np.broadcast_arrays(*operands), axis=-1)


def _broadcast(op: Operation, operands: Sequence[Array]) -> Array:
    value, type_ = operands[0], op.results[0].type
    assert isinstance(type_, VectorType), op
    shape = type_.get_shape()  # of a tile: rows and lanes
    return np.broadcast_to(value[(..., *[None] * len(shape))], (*value.shape, *shape)).copy()


def _reduce(op: Operation, operands: Sequence[Array]) -> Array:
    return halved(cast(loop.ReduceOp, op).kind.data, np.moveaxis(operands[0], -1, 0))


def _reduce_rows(op: Operation, operands: Sequence[Array]) -> Array:
    kind = cast(loop.ReduceRowsOp, op).kind.data
    return halved(kind, np.moveaxis(_columns(operands), -2, 0))


def _keep_lanes(op: Operation, operands: Sequence[Array]) -> Array:
    value, other = operands
    count = cast(loop.KeepLanesOp, op).lanes.data
    return _joined([value[..., :count], other[..., count:]])


def _extract(op: Operation, operands: Sequence[Array]) -> Array:
    return operands[0][..., cast(loop.ExtractOp, op).lane.data]


def _repeat(op: Operation, operands: Sequence[Array]) -> Array:
    (value,) = operands
    return np.concatenate([value] * (lanes_of(op.results[0].type) // value.shape[-1]), axis=-1)


def _slice(op: Operation, operands: Sequence[Array]) -> Array:
    first = cast(loop.SliceOp, op).first.data
    return operands[0][..., first : first + lanes_of(op.results[0].type)]


def _convert(op: Operation, operands: Sequence[Array]) -> Array:
    return np.asarray(RULES[CONVERSIONS[cast(loop.CastOp, op).kind.data]](op, operands))


def _compare(op: Operation, operands: Sequence[Array]) -> Array:
    element = loop.lane_type(op.operands[0].type)
    rule = compare_floats if is_float(element) else compare_integers
    return np.asarray(rule(cast(loop.CompareOp, op).predicate.data, *operands))


def _select(op: Operation, operands: Sequence[Array]) -> Array:
    condition, lhs, rhs = operands
    is_vector = isinstance(op.results[0].type, VectorType)
    if is_vector and not isinstance(op.operands[0].type, VectorType):
        condition = condition[..., None]
    return np.where(condition, lhs, rhs)


LANE_RULES: Mapping[type[Operation], Rule] = {
    loop.BroadcastOp: _broadcast,
    loop.ReduceOp: _reduce,
    loop.ReduceRowsOp: _reduce_rows,
    loop.KeepLanesOp: _keep_lanes,
    loop.ExtractOp: _extract,
    loop.PackOp: lambda _, operands: _columns(operands),
    loop.RepeatOp: _repeat,
    loop.SliceOp: _slice,
    loop.JoinOp: lambda _, operands: _joined(operands),
    loop.CastOp: _convert,
    loop.CompareOp: _compare,
    loop.SelectOp: _select,
}
"""The function that computes the result of each op on lanes from the op and its operands."""

"""A builder for the ops that a pattern inserts; each method returns the result of a new op."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import numpy as np
from xdsl.dialects.builtin import i32
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.pattern_rewriter import PatternRewriter
from xdsl.rewriter import InsertPoint

from ...dialects.graph import (
    ELEMENTWISE,
    BinaryOp,
    BroadcastOp,
    CastOp,
    ConstantOp,
    ReduceOp,
    ReshapeOp,
)
from ...dialects.shape import Dim, dims_of, element_count, type_of
from .constant_values import Array
from .quantized_values import constant_of, is_single


class InsertedOps:
    """A builder that inserts ops before the op that a pattern replaces."""

    def __init__(self, rewriter: PatternRewriter, before: Operation) -> None:
        self._rewriter, self._point = rewriter, InsertPoint.before(before)

    def add(self, op: Operation) -> SSAValue:
        """Insert an op and return its first result."""
        self._rewriter.insert(op, self._point)
        return op.results[0]

    def constant(self, array: Array | np.generic) -> SSAValue:
        """Insert a graph.constant with the elements of a numpy array, and return its result."""
        return self.add(ConstantOp(np.asarray(array)))

    def cast(self, x: SSAValue, to: Attribute) -> SSAValue:
        """Return x cast to an element type, or x itself if it has that element type."""
        return x if type_of(x).element_type == to else self.add(CastOp(x, to))

    def apply(self, name: str, lhs: SSAValue, rhs: SSAValue) -> SSAValue:
        """Insert the elementwise op ``name`` of two operands; broadcast one if it is a scalar."""
        if not dims_of(type_of(lhs)):
            lhs = self.spread(lhs, dims_of(type_of(rhs)), ())
        if not dims_of(type_of(rhs)):
            rhs = self.spread(rhs, dims_of(type_of(lhs)), ())
        return self.add(cast(type[BinaryOp], ELEMENTWISE[name])(lhs, rhs))

    def spread(self, x: SSAValue, dims: Sequence[Dim], axes: Sequence[int]) -> SSAValue:
        """Return x broadcast to the sizes ``dims``; the axes of x become the result's ``axes``."""
        return x if tuple(dims) == dims_of(type_of(x)) else self.add(BroadcastOp(x, dims, axes))

    def along(self, x: SSAValue, like: SSAValue, axis: int) -> SSAValue:
        """Return x broadcast to the shape of ``like``.

        x: a scalar, or a vector, whose elements vary along ``axis`` of the result.
        """
        axes = (axis,) if dims_of(type_of(x)) else ()
        return self.spread(x, dims_of(type_of(like)), axes)

    def flat(self, x: SSAValue) -> SSAValue:
        """Return x reshaped to rank 0 if it has one element, else to rank 1."""
        dims = [] if is_single(x) else [element_count(dims_of(type_of(x)))]
        return x if list(dims_of(type_of(x))) == dims else self.add(ReshapeOp(x, dims))

    def sum(self, x: SSAValue, axes: Sequence[int]) -> SSAValue:
        """Return the sums of an integer tensor over axes, in i32.

        The sums of a constant are computed here and returned as a constant, because weights widened
        to i32 are too large for graph-fold-constants.
        """
        known = constant_of(x)
        if known is not None:
            return self.constant(known.sum(axis=tuple(axes), dtype=np.int64).astype(np.int32))
        return self.add(ReduceOp(self.cast(x, i32), kind="sum", axes=axes))

"""A builder of graph ops for rules of gradients: numbers broadcast, and elementwise ops by name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from xdsl.ir import Block, Operation, SSAValue

from ..dialects import graph
from ..dialects.dtypes import numpy_dtype
from ..dialects.shape import Dim, Tensor, dims_of, type_of
from ..dialects.weights import WeightAttr

OpT = TypeVar("OpT", bound=Operation)


@dataclass(frozen=True)
class GradientBuilder:
    """A builder that appends graph ops to a block.

    before: the op before which new ops are inserted; None: at the end of the block.
    """

    block: Block
    before: Operation | None = None

    def append(self, op: OpT) -> OpT:
        """Append an op, and return it."""
        if self.before is None:
            self.block.add_op(op)
        else:
            self.block.insert_op_before(op, self.before)
        return op

    def value(self, op: Operation) -> SSAValue:
        """Append an op with one result, and return the result."""
        return self.append(op).results[0]

    def inline(self, block: Block, arguments: Sequence[SSAValue]) -> list[SSAValue]:
        """Append copies of the ops of a region's block; return the copies of the yielded values."""
        values: dict[SSAValue, SSAValue] = dict(zip(block.args, arguments, strict=True))
        for op in block.ops:
            if isinstance(op, graph.YieldOp):
                return [values.get(v, v) for v in op.values]
            copy = self.append(op.clone(values))
            values.update(zip(op.results, copy.results, strict=True))
        raise AssertionError("a region ends with graph.yield")

    def number(self, number: float, type_: Tensor) -> SSAValue:
        """Return a tensor in which all elements are ``number``."""
        array = np.asarray(number, numpy_dtype(type_.element_type))
        made = self.value(graph.ConstantOp(WeightAttr.of(array)))
        dims = dims_of(type_)
        return self.value(graph.BroadcastOp(made, dims, [])) if dims else made

    def zeros(self, x: SSAValue) -> SSAValue:
        """Return zeros in the type of a value."""
        return self.number(0, type_of(x))

    def elementwise(self, name: str, *operands: SSAValue | float) -> SSAValue:
        """Append the elementwise op ``name``; operands that are numbers become tensors.

        Such a tensor has the type of the other operands, and all its elements are the number.
        """
        type_ = next(type_of(x) for x in operands if isinstance(x, SSAValue))
        values = [x if isinstance(x, SSAValue) else self.number(x, type_) for x in operands]
        return self.value(graph.ELEMENTWISE[name](*values))

    def add(self, x: SSAValue, y: SSAValue | float) -> SSAValue:
        """Return x + y."""
        return self.elementwise("add", x, y)

    def sub(self, x: SSAValue | float, y: SSAValue) -> SSAValue:
        """Return x - y."""
        return self.elementwise("sub", x, y)

    def mul(self, x: SSAValue, y: SSAValue | float) -> SSAValue:
        """Return x * y."""
        return self.elementwise("mul", x, y)

    def div(self, x: SSAValue | float, y: SSAValue) -> SSAValue:
        """Return x / y."""
        return self.elementwise("div", x, y)

    def select(self, condition: SSAValue, x: SSAValue, y: SSAValue) -> SSAValue:
        """Return x where the condition holds, else y."""
        return self.value(graph.SelectOp(condition, x, y))

    def sum(self, x: SSAValue, axes: Sequence[int], *, keep: bool = False) -> SSAValue:
        """Return the sum over some axes; without axes, x itself."""
        return self.value(graph.ReduceOp(x, kind="sum", axes=axes, keep=keep)) if axes else x

    def spread(self, x: SSAValue, like: SSAValue) -> SSAValue:
        """Return x repeated along its axes of size 1 to the shape of ``like``.

        Both values have the same rank.
        """
        dims = dims_of(type_of(like))
        return self.value(graph.BroadcastOp(x, dims, range(len(dims))))

    def reshape(self, x: SSAValue, dims: Sequence[Dim]) -> SSAValue:
        """Return the elements of x in another shape."""
        return self.value(graph.ReshapeOp(x, list(dims)))

    def transpose(self, x: SSAValue, perm: Sequence[int]) -> SSAValue:
        """Permute the dimensions of x."""
        return self.value(graph.TransposeOp(x, list(perm)))

    def matmul(
        self, x: SSAValue, y: SSAValue, *, turn_x: bool = False, turn_y: bool = False
    ) -> SSAValue:
        """Return the product of x and y, each transposed if requested."""
        return self.value(graph.MatmulOp(x, y, transpose_lhs=turn_x, transpose_rhs=turn_y))


__all__ = ["GradientBuilder"]

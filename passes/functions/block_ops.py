"""A builder of graph ops at a place in a block."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from xdsl.dialects.builtin import TensorType, i64
from xdsl.dialects.func import ReturnOp
from xdsl.ir import Attribute, Block, Operation, SSAValue

from ...dialects.dtypes import numpy_dtype
from ...dialects.graph import ELEMENTWISE, BroadcastOp, ConstantOp, GatherOp, YieldOp
from ...dialects.shape import Tensor, dims_of, tensor_type, type_of
from ...dialects.weights import WeightAttr

OpT = TypeVar("OpT", bound=Operation)


@dataclass(frozen=True)
class BlockOps:
    """A builder that adds ops to a block.

    before: the op before which ops are inserted; None: at the end of the block.
    """

    block: Block
    before: Operation | None = None

    @classmethod
    def ahead_of(cls, op: Operation) -> BlockOps:
        """Return the builder that inserts ops before an op."""
        block = op.parent_block()
        assert block is not None, "the op stands in a block"
        return cls(block, op)

    def append(self, op: OpT) -> OpT:
        """Add an op, and return it."""
        if self.before is None:
            self.block.add_op(op)
        else:
            self.block.insert_op_before(op, self.before)
        return op

    def value(self, op: Operation) -> SSAValue:
        """Add an op with one result, and return the result."""
        return self.append(op).results[0]

    def count(self, number: int) -> SSAValue:
        """Return an i64 of rank 0."""
        return self.number(number, tensor_type(i64, ()))

    def number(self, number: float, type_: Attribute) -> SSAValue:
        """Return a tensor in which all elements are ``number``."""
        assert isinstance(type_, TensorType), "functions and data are known here"
        tensor: Tensor = type_
        array = np.asarray(number, numpy_dtype(tensor.element_type))
        made = self.value(ConstantOp(WeightAttr.of(array)))
        return self.repeated(made, tensor)

    def repeated(self, scalar: SSAValue, like: Tensor) -> SSAValue:
        """Return a tensor of rank 0 repeated to the shape of a type."""
        dims = dims_of(like)
        return self.value(BroadcastOp(scalar, dims, [])) if dims else scalar

    def elementwise(self, name: str, *operands: SSAValue | float) -> SSAValue:
        """Add the elementwise op ``name``; operands that are numbers become tensors.

        Such a tensor has the type of the other operands, and all its elements are the number.
        """
        type_ = next(type_of(x) for x in operands if isinstance(x, SSAValue))
        values = [x if isinstance(x, SSAValue) else self.number(x, type_) for x in operands]
        return self.value(ELEMENTWISE[name](*values))

    def row(self, x: SSAValue, number: SSAValue) -> SSAValue:
        """Return a row of a tensor, whose number is an i64 of rank 0."""
        return self.value(GatherOp(x, number, 0))

    def copies(self, block: Block, known: dict[SSAValue, SSAValue]) -> list[SSAValue]:
        """Add copies of the ops of a block; return what its terminator returns.

        known: values of the copies by value of the block; the results of the ops are added.
        """
        for op in block.ops:
            if isinstance(op, ReturnOp | YieldOp):
                return [known.get(value, value) for value in op.operands]
            copy = self.append(op.clone(known))
            known.update(zip(op.results, copy.results, strict=True))
        raise AssertionError("a block ends with a terminator")


__all__ = ["BlockOps"]

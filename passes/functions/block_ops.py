"""A builder that inserts graph ops at one position of a block."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from xdsl.dialects.builtin import TensorType, i64
from xdsl.ir import Attribute, Block, Operation, SSAValue

from ...dialects.dtypes import numpy_dtype
from ...dialects.graph import (
    ELEMENTWISE,
    BroadcastOp,
    ConstantOp,
    GatherOp,
    ReshapeOp,
    ScatterNdOp,
)
from ...dialects.shape import Dim, Tensor, dims_of, tensor_type, type_of
from ...dialects.weights import WeightAttr
from ...support.blocks import copy_ops

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
        """Add a constant of type i64 and rank 0 with the value ``number``, and return it."""
        return self.number(number, tensor_type(i64, ()))

    def number(self, number: float, type_: Attribute) -> SSAValue:
        """Add a tensor of type ``type_`` in which all elements are ``number``, and return it."""
        assert isinstance(type_, TensorType), "functions and data are known here"
        tensor: Tensor = type_
        array = np.asarray(number, numpy_dtype(tensor.element_type))
        made = self.value(ConstantOp(WeightAttr.of(array)))
        return self.repeated(made, tensor)

    def repeated(self, scalar: SSAValue, like: Tensor) -> SSAValue:
        """Broadcast a tensor of rank 0 to the shape of the type ``like``; return the result."""
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
        """Add a gather of one row along axis 0 of ``x``, and return the row.

        number: the index of the row, a tensor of type i64 and rank 0.
        """
        return self.value(GatherOp(x, number, 0))

    def with_row(self, stack: SSAValue, value: SSAValue, number: SSAValue) -> SSAValue:
        """Add ops that replace row ``number`` of ``stack`` by ``value``; return the new stack.

        number: the index of the row, a tensor of type i64 and rank 0.
        """
        one = Dim.const(1)
        index = self.value(ReshapeOp(number, [one, one]))
        row = self.value(ReshapeOp(value, [one, *dims_of(type_of(value))]))
        return self.value(ScatterNdOp(stack, index, row, kind="none"))

    def copies(self, block: Block, known: dict[SSAValue, SSAValue]) -> list[SSAValue]:
        """Add copies of the ops of a block; return the copies of the operands of its terminator.

        known: maps values of the block, such as its arguments, to the values that the copies use;
        the method adds the results of the ops.
        """
        return copy_ops(block, known, self.append)

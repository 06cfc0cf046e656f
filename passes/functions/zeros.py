"""Placeholders for tensors that a branch or an iteration does not compute."""

from __future__ import annotations

import numpy as np
from xdsl.dialects.builtin import TensorType
from xdsl.ir import Attribute, Block, Operation, SSAValue

from ...dialects.dtypes import numpy_dtype
from ...dialects.graph import BroadcastOp, ConstantOp
from ...dialects.shape import Tensor, dims_of
from ...dialects.weights import WeightAttr


def append_filled(
    number: float, type_: Attribute, block: Block, before: Operation | None = None
) -> SSAValue:
    """Append a tensor whose elements are ``number`` to a block, or insert it before an op."""
    assert isinstance(type_, TensorType), "functions and data are known here"
    tensor: Tensor = type_
    array = np.asarray(number, numpy_dtype(tensor.element_type))
    ops: list[Operation] = [ConstantOp(WeightAttr.of(array))]
    dims = dims_of(tensor)
    if dims:
        ops.append(BroadcastOp(ops[0].results[0], dims, []))
    if before is None:
        block.add_ops(ops)
    else:
        block.insert_ops_before(ops, before)
    return ops[-1].results[0]


def append_zeros(type_: Attribute, block: Block, before: Operation | None = None) -> SSAValue:
    """Append a tensor of zeros to a block, or insert it before an op."""
    return append_filled(0, type_, block, before)

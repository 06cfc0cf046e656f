"""Lower graph ops that yield sizes to a packed.constant, or to a compute of symbolic sizes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from xdsl.ir import SSAValue

from ...dialects import packed
from ...dialects.graph import BindOp, SizeOp
from .builder import Rule, TeBuilder
from .data.data_rules import sizes_value


def lower_size(op: SizeOp, builder: TeBuilder) -> SSAValue:
    """Lower to a tensor of the values of size expressions, a constant if all are static."""
    sizes = [dim.value for dim in op.dims if dim.value is not None]
    if len(sizes) < len(op.dims):
        return sizes_value(op.dims, builder)
    return builder.constant(np.array(sizes, np.int64))


def lower_bind(op: BindOp, builder: TeBuilder) -> Sequence[SSAValue]:
    """Lower graph.bind to packed.bind."""
    builder.append(packed.BindOp(builder.value(op.x), op.symbols))
    return ()


RULES: dict[type, Rule] = {SizeOp: lower_size, BindOp: lower_bind}

DATA_RULES: dict[type, Rule] = {SizeOp: lower_size}
"""The lowering of ops with a data-dependent size in an operand or result."""

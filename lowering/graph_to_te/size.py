"""Sizes as values: all are static here and become packed.constant."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from xdsl.ir import SSAValue

from ...dialects.graph import BindOp, SizeOp
from ...support.diagnostics import LoweringError
from .builder import Builder, Rule
from .data_rules import sizes_value


def lower_size(op: SizeOp, builder: Builder) -> SSAValue:
    """Return the values of the size expressions, all of which must be static."""
    sizes: list[int] = []
    for dim in op.dims:
        if dim.value is None:
            raise LoweringError(
                "size is not bound to a number", got=dim, hint="give the sizes of the inputs"
            )
        sizes.append(dim.value)
    return builder.constant(np.array(sizes, np.int64))


def lower_bind(op: BindOp, _builder: Builder) -> Sequence[SSAValue]:
    """Raise LoweringError: the host program has no data-dependent sizes."""
    raise LoweringError(
        "size depends on data", got=", ".join(op.symbols), hint="make the model's sizes static"
    )


def lower_open_size(op: SizeOp, builder: Builder) -> SSAValue:
    """Return the values of sizes, some of them data-dependent."""
    return sizes_value(op.dims, builder)


RULES: dict[type, Rule] = {SizeOp: lower_size, BindOp: lower_bind}

DATA_RULES: dict[type, Rule] = {SizeOp: lower_open_size}
"""The lowering of those with a data-dependent size in an operand or result."""

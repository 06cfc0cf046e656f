"""Reference semantics of graph.defined: the interpreter of te runs its region."""

from __future__ import annotations

import numpy as np
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, Region, SSAValue

from ...dialects.graph import DefinedOp, YieldOp
from ...dialects.results import ARG_DTYPES, RESULT_DTYPES, record_dtypes
from ...dialects.shape import type_of
from .. import te
from ..scalar import Array
from .context import Evaluator, Sizes


def defined(op: DefinedOp, args: tuple[Array, ...], sizes: Sizes) -> tuple[Array, ...]:
    """Evaluate graph.defined on the arrays of its operands; return the results."""
    body = op.body.block
    block = Block(arg_types=[a.type for a in body.args])
    values: dict[SSAValue, SSAValue] = dict(zip(body.args, block.args, strict=True))
    for inner in body.ops:
        if isinstance(inner, YieldOp):
            block.add_op(ReturnOp(*(values[v] for v in inner.values)))
        else:
            copy = inner.clone(values)
            block.add_op(copy)
            values.update(zip(inner.results, copy.results, strict=True))
    types = [a.type for a in block.args], [v.type for v in op.out]
    function = FuncOp("defined", types, Region(block))
    record_dtypes(function, ARG_DTYPES, [type_of(x).element_type for x in op.xs])
    record_dtypes(function, RESULT_DTYPES, [type_of(r).element_type for r in op.out])
    return tuple(map(np.asarray, te.run_function(function, *args)))


EVALUATORS: dict[type, Evaluator] = {DefinedOp: defined}

"""Reference semantics of the graph dialect in numpy: the slow truth that tests compare with.

Written from the operators' specification, not from their lowering. Floats accumulate in f64 and
round once per op; each result is checked against its declared type.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType

import numpy as np
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Operation, SSAValue

from ...dialects.graph import BindOp
from ...dialects.shape import dims_of, type_of
from ...support.diagnostics import UnsupportedOp
from ..scalar import Array
from . import constant, conv, elementwise, index, matmul, move, norm, pool, reduce, sample, size
from .context import EvaluationError, Evaluator, Sizes, result_dtype, result_shape
from .size import bound_sizes

EVALUATORS: dict[type, Evaluator] = {
    op: evaluator
    for family in (
        constant,
        conv,
        elementwise,
        index,
        matmul,
        move,
        norm,
        pool,
        reduce,
        sample,
        size,
    )
    for op, evaluator in family.EVALUATORS.items()
}
"""Evaluators by op class."""

NO_SIZES: Sizes = MappingProxyType({})


def evaluate_op(
    op: Operation, operands: Sequence[Array], sizes: Sizes = NO_SIZES
) -> tuple[Array, ...]:
    """Return the results of one op for given operands and symbol values.

    Errors: UnsupportedOp if the op is not of the graph dialect, EvaluationError if it fails.
    """
    evaluator = EVALUATORS.get(type(op))
    if evaluator is None:
        raise UnsupportedOp("the graph interpreter does not know this op").at(op)
    with np.errstate(all="ignore"):
        return evaluator(op, tuple(operands), sizes)


def run_graph(func: FuncOp, *inputs: Array) -> tuple[Array, ...]:
    """Return what a function of graph ops returns for given inputs.

    Errors: EvaluationError if inputs do not fit the signature or an op fails.
    """
    block = func.body.block
    if len(inputs) != len(block.args):
        raise EvaluationError(
            "wrong number of inputs", expected=len(block.args), got=len(inputs)
        ).at(func)
    arrays = [np.asarray(x) for x in inputs]
    sizes = _signature_sizes(func, arrays)
    values: dict[SSAValue, Array] = {}
    for arg, array in zip(block.args, arrays, strict=True):
        values[arg] = _checked(func, arg, array, sizes)
    for op in block.ops:
        operands = [values[operand] for operand in op.operands]
        if isinstance(op, ReturnOp):
            return tuple(operands)
        for result, array in zip(op.results, evaluate_op(op, operands, sizes), strict=True):
            values[result] = _checked(op, result, array, sizes)
        if isinstance(op, BindOp):
            sizes |= bound_sizes(op, operands[0])
    raise EvaluationError("function does not return").at(func)


def _signature_sizes(func: FuncOp, arrays: Sequence[Array]) -> dict[str, int]:
    """Return the symbols that stand alone as the size of an argument, with their values."""
    sizes: dict[str, int] = {}
    for arg, array in zip(func.body.block.args, arrays, strict=True):
        for dim, actual in zip(dims_of(type_of(arg)), array.shape, strict=False):
            name = str(dim)
            if dim.symbols() == frozenset({name}):
                sizes.setdefault(name, actual)
    return sizes


def _checked(op: Operation, value: SSAValue, array: Array, sizes: Sizes) -> Array:
    shape, dtype = result_shape(value, sizes), result_dtype(value)
    if array.shape != shape or array.dtype != dtype:
        raise EvaluationError(
            "value is not of its declared type",
            expected=f"{dtype}{list(shape)} ({value.type})",
            got=f"{array.dtype}{list(array.shape)}",
        ).at(op)
    return array


__all__ = ["EVALUATORS", "EvaluationError", "evaluate_op", "run_graph"]

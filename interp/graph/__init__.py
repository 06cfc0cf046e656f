"""Interpreter of the graph dialect in numpy: the slow reference for tests.

The evaluators follow the specification of the operators, not their lowering. Floats are accumulated
in f64 and rounded once per op; each result is checked against its declared type.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import MappingProxyType
from typing import TypeAlias, cast

import numpy as np
from xdsl.dialects.builtin import FunctionType
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, Operation, Region, SSAValue

from ...dialects.data_type import NodeType, RefType
from ...dialects.graph import BindingOp, BindOp, YieldOp
from ...dialects.shape import dims_of, type_of
from ...support.diagnostics import UnsupportedOp
from ...support.lazy import family_tables
from ..scalar import Array
from .context import (
    EvaluatedBy,
    EvaluationError,
    Evaluator,
    RegionEvaluator,
    Sizes,
    result_dtype,
    result_shape,
)
from .size import bound_sizes, decided_size

EVALUATORS: dict[type, Evaluator] = {
    op: evaluator
    for table in family_tables(__name__, "EVALUATORS")
    for op, evaluator in cast("dict[type, Evaluator]", table).items()
}
"""The function that evaluates each op without regions, by op class."""

REGION_EVALUATORS: dict[type, RegionEvaluator] = {
    op: evaluator
    for table in family_tables(__name__, "REGION_EVALUATORS")
    for op, evaluator in cast("dict[type, RegionEvaluator]", table).items()
}
"""The function that evaluates each op with regions, by op class."""

NO_SIZES: Sizes = MappingProxyType({})


def evaluator_of(op: Operation) -> Evaluator | None:
    """Return the evaluator of an op without regions, or None if there is none."""
    known = EVALUATORS.get(type(op))
    if known is None:
        own = op.get_trait(EvaluatedBy)
        return None if own is None else own.evaluator
    return known


def evaluate_op(
    op: Operation, operands: Sequence[Array], sizes: Sizes = NO_SIZES
) -> tuple[Array, ...]:
    """Evaluate one op on arrays, given the values of symbolic sizes; return its results.

    Errors: UnsupportedOp if the op has no evaluator, EvaluationError if the evaluation fails.
    """
    evaluator = evaluator_of(op)
    if evaluator is None:
        raise UnsupportedOp(
            "the graph interpreter does not know this op", hint="give the op the trait EvaluatedBy"
        ).at(op)
    with np.errstate(all="ignore"):
        return evaluator(op, tuple(operands), sizes)


Observer: TypeAlias = Callable[[Operation, Sequence[Array], Sequence[Array]], None]
"""A function that is called after each op, with the op, its operands and its results."""


def run_graph(func: FuncOp, *inputs: Array, observe: Observer | None = None) -> tuple[Array, ...]:
    """Run a function of graph ops on arrays, and return its results.

    observe: a function that is called after each op, also in regions, with the op, its operands and
    its results; it may raise an exception to end the run.
    Errors: EvaluationError if the inputs do not fit the signature, or if an op fails.
    """
    block = func.body.block
    if len(inputs) != len(block.args):
        raise EvaluationError(
            "wrong number of inputs",
            expected=len(block.args),
            got=len(inputs),
            hint="pass one array per argument of the function",
        ).at(func)
    arrays = [np.asarray(x) for x in inputs]
    return _Run(_signature_sizes(func, arrays), observe).region(func.body, arrays)


class _Run:
    """One execution of a function: the values computed so far, and the values of symbolic sizes."""

    def __init__(self, sizes: dict[str, int], observe: Observer | None = None) -> None:
        self.sizes, self._observe = sizes, observe
        self.values: dict[SSAValue, Array] = {}

    def region(self, region: Region, arguments: Sequence[Array]) -> tuple[Array, ...]:
        op = region.parent_op()
        assert op is not None, "a region belongs to an op"
        for argument, array in zip(region.block.args, arguments, strict=True):
            self.values[argument] = _checked(op, argument, array, self.sizes)
        return self.block(region.block)

    def block(self, block: Block) -> tuple[Array, ...]:
        for op in block.ops:
            operands = tuple(self.values[operand] for operand in op.operands)
            if isinstance(op, ReturnOp | YieldOp):
                return operands
            made = self._results(op, operands)
            if isinstance(op, BindingOp):
                self.sizes |= decided_size(op, made)
            for result, array in zip(op.results, made, strict=True):
                self.values[result] = _checked(op, result, array, self.sizes)
            if self._observe is not None:
                self._observe(op, operands, made)
            if isinstance(op, BindOp):
                self.sizes |= bound_sizes(op, operands[0])
        parent = block.parent_op()
        assert parent is not None, "a block belongs to an op"
        hint = "end a region with graph.yield, and a function with func.return"
        raise EvaluationError("region does not return", hint=hint).at(parent)

    def _results(self, op: Operation, operands: tuple[Array, ...]) -> tuple[Array, ...]:
        evaluator = REGION_EVALUATORS.get(type(op))
        if evaluator is None:
            return evaluate_op(op, operands, self.sizes)
        return evaluator(op, operands, self._region, self.sizes)

    def _region(
        self, region: Region, arguments: tuple[Array, ...], sizes: Sizes = NO_SIZES
    ) -> tuple[Array, ...]:
        if isinstance(region.parent_op(), FuncOp):
            # A call has values of its own; the symbols in its types are those of the caller.
            return _Run(dict(self.sizes), self._observe).region(region, arguments)
        self.sizes |= sizes
        return self.region(region, arguments)


def _signature_sizes(func: FuncOp, arrays: Sequence[Array]) -> dict[str, int]:
    """Return the value of each symbol that is the whole size of some dimension of an argument.

    func: the function, whose argument types contain the symbols. arrays: its arguments.
    """
    sizes: dict[str, int] = {}
    for arg, array in zip(func.body.block.args, arrays, strict=True):
        for dim, actual in zip(dims_of(type_of(arg)), array.shape, strict=False):
            name = str(dim)
            if dim.symbols() == frozenset({name}):
                sizes.setdefault(name, actual)
    return sizes


def _checked(op: Operation, value: SSAValue, array: Array, sizes: Sizes) -> Array:
    if isinstance(value.type, FunctionType | NodeType | RefType):
        return array
    shape, dtype = result_shape(value, sizes), result_dtype(value)
    if array.shape != shape or array.dtype != dtype:
        raise EvaluationError(
            "the array does not match the declared type",
            expected=f"{dtype}{list(shape)} ({value.type})",
            got=f"{array.dtype}{list(array.shape)}",
            hint="convert the array with astype and reshape",
        ).at(op)
    return array


__all__ = [
    "EVALUATORS",
    "REGION_EVALUATORS",
    "EvaluatedBy",
    "EvaluationError",
    "Observer",
    "evaluate_op",
    "evaluator_of",
    "run_graph",
]

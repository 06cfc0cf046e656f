"""Reference semantics of functions: a call runs the body; a closure keeps its arguments."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, cast

from xdsl.dialects.func import FuncOp

from ...dialects.graph import ApplyOp, CallOp, ClosureOp
from ...runtime.errors import OutOfRangeError
from ..scalar import Array
from .context import RegionEvaluator, RunRegion, Sizes


@dataclass(frozen=True)
class FunctionValue:
    """A function value: a function of the module, and its first arguments."""

    function: FuncOp
    args: tuple[Array, ...]


def call(op: CallOp, args: tuple[Array, ...], run: RunRegion, sizes: Sizes) -> tuple[Array, ...]:
    """Evaluate graph.call on the arrays of its operands; ``run`` runs the body of the function.

    Errors: OutOfRangeError for a recursion that is too deep for Python.
    """
    try:
        return run(op.function.body, args)
    except RecursionError as err:
        raise OutOfRangeError(
            f"the recursion of @{op.function_name} is too deep for the interpreter",
            hint="run graph-remove-functions first, which makes the recursion a loop",
        ) from err


def closure(
    op: ClosureOp, args: tuple[Array, ...], run: RunRegion, sizes: Sizes
) -> tuple[Array, ...]:
    """Evaluate graph.closure; its result is a FunctionValue in the place of an array."""
    return (cast(Any, FunctionValue(op.function, args)),)


def apply(op: ApplyOp, args: tuple[Array, ...], run: RunRegion, sizes: Sizes) -> tuple[Array, ...]:
    """Evaluate graph.apply: run the body of a function value by ``run``; return the results.

    args: the function value, and the arrays of the other operands.
    """
    function = cast(FunctionValue, args[0])
    return run(function.function.body, (*function.args, *args[1:]))


REGION_EVALUATORS: dict[type, RegionEvaluator] = {
    ApplyOp: apply,
    CallOp: call,
    ClosureOp: closure,
}
"""The evaluators of ops that run a function, whose body is a region of another op."""

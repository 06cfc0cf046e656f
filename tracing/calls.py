"""Calls of traced functions: a function that another one calls becomes a graph.call.

    @tilewright.function
    def layer(w, x):
        return ops.tanh(x @ w)

    @tilewright.function
    def network(v, w, x):           # func.func @layer(%w, %x) { … }
        return layer(w, layer(v, x))     # %a = graph.call @layer(%v, %x)

The arrays of enclosing functions that a function reads become its last arguments (lambda lifting).
Other values, such as numbers and names, are constants of the called function.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from xdsl.dialects.func import FuncOp

from ..dialects.graph import CallOp
from ..passes.functions.calls import calls_in, replace_by_copies
from .array import Array
from .trace import Trace, traced_by
from .tree import flatten


def call_function(
    python: Callable[..., Any], name: str, args: tuple[Any, ...], kwargs: Mapping[str, Any]
) -> Any:
    """Trace a Python function into a function of the module, and append a call of that function.

    name: the name for the new function.  args, kwargs: the arguments of the call: trees of arrays
    and constants.  Return the tree of the results.

    Errors: those of the operators that the function calls.
    """
    trace = traced_by("a call")
    leaves, structure = flatten((args, dict(kwargs)))
    arrays = [leaf for leaf in leaves if isinstance(leaf, Array)]
    inner = Trace([array.type for array in arrays], trace)
    with inner.running():
        rest = iter(inner.block.args)
        own_args, own_kwargs = structure.build(
            Array(next(rest), is_weak=leaf.is_weak) if isinstance(leaf, Array) else leaf
            for leaf in leaves
        )
        results, form = flatten(python(*own_args, **own_kwargs))
        values = [inner.local(leaf.value) for leaf in results if isinstance(leaf, Array)]
    functions = trace.root.functions
    symbol = _fresh(re.sub(r"\W+", "_", name), functions)
    functions[symbol] = inner.function(values, symbol)
    operands = [trace.local(v) for v in (*(a.value for a in arrays), *inner.captured)]
    made = iter(trace.append(CallOp, symbol, operands, [value.type for value in values]))
    return form.build(
        Array(next(made), is_weak=leaf.is_weak) if isinstance(leaf, Array) else leaf
        for leaf in results
    )


def inline_calls(function: FuncOp, functions: Mapping[str, FuncOp]) -> None:
    """Replace the calls in a traced function by copies of the called functions.

    functions: the functions by name.
    """
    while calls := calls_in(function):
        for call in calls:
            block = functions[call.function_name].body.block
            replace_by_copies(call, block, list(call.args))


def _fresh(name: str, known: Mapping[str, FuncOp]) -> str:
    names = (name, *(f"{name}_{number}" for number in range(2, len(known) + 3)))
    return next(each for each in names if each not in known and each != "main")

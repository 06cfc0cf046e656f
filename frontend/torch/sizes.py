"""Convert sizes of torch's graphs, which are expressions of sympy, to sizes over named symbols.

In: a ``torch.SymInt``, or its expression.  Out: a `Dim`.  The class name of each sympy or torch
function selects the function of `Dim` that replaces it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import reduce
from typing import Any

from ...dialects.shape import Dim
from ...support.diagnostics import UnsupportedOp
from ...support.size_names import from_zero

FUNCTIONS: dict[str, Callable[..., Dim]] = {
    "Add": lambda *xs: reduce(lambda x, y: x + y, xs),
    "Mul": lambda *xs: reduce(lambda x, y: x * y, xs),
    "FloorDiv": lambda x, y: x // y,
    "CleanDiv": lambda x, y: x // y,
    "CeilDiv": lambda x, y: x.ceildiv(y),
    "Mod": lambda x, y: x % y,
    "PythonMod": lambda x, y: x % y,
    "ModularIndexing": lambda x, y, z: (x // y) % z,
    "Max": lambda *xs: reduce(lambda x, y: x.max(y), xs),
    "Min": lambda *xs: reduce(lambda x, y: x.min(y), xs),
}
"""The functions of `Dim` that replace functions of sympy and torch, by the name of their class."""


def symbol_name(symbol: Any, shape_env: Any) -> str:
    """Return the name of a torch size symbol; it ends in ``_from_0`` if the size may be 0.

    shape_env: torch's facts about its symbols.
    """
    known = shape_env.var_to_range.get(symbol)
    name = str(symbol)
    return name if known is not None and known.lower >= 1 else from_zero(name)


def dim_of(size: Any, bound: Mapping[str, Dim]) -> Dim:
    """Convert a torch size, a number or a SymInt, to a dimension.

    bound: the dimensions that replace some of torch's symbols, by name; any other symbol becomes a
    size symbol.
    Errors: UnsupportedOp for a function that `Dim` lacks.
    """
    if isinstance(size, int):
        return Dim.const(size)
    return dim_of_expression(size.node.expr, size.node.shape_env, bound)


def dim_of_expression(expr: Any, shape_env: Any, bound: Mapping[str, Dim]) -> Dim:
    """Convert an integer expression of sympy to a dimension.

    shape_env: torch's facts about its symbols.  bound: the dimensions that replace some of torch's
    symbols, by name; any other symbol becomes a size symbol.
    Errors: UnsupportedOp for a function that `Dim` lacks.
    """
    if expr.is_Integer:
        return Dim.const(int(expr))
    if expr.is_Symbol:
        name = str(expr)
        return bound[name] if name in bound else Dim.sym(symbol_name(expr, shape_env))
    name, arguments = type(expr).__name__, expr.args
    if name == "Pow" and arguments[1].is_Integer and int(arguments[1]) > 0:
        name, arguments = "Mul", (arguments[0],) * int(arguments[1])
    rule = FUNCTIONS.get(name)
    if rule is None:
        raise UnsupportedOp("a size has no integer formula", got=str(expr))
    return rule(*(dim_of_expression(each, shape_env, bound) for each in arguments))

"""Derivatives of traced functions: grad, value_and_grad, vjp, jvp and hvp.

A derivative traces its Python function into a separate function of graph ops, appends the
gradients, and inlines the result into the current trace.  So derivatives may be nested, and a
derivative is part of a program like any other operation.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, SSAValue

from ..dialects.dtypes import is_float
from ..gradient.graph_gradient import append_gradients
from ..passes.functions.remove_functions import erase_uncalled
from ..passes.functions.thread_references import thread_entry
from ..support.diagnostics import TypeMismatch
from .array import Array, as_array, broadcast_to
from .calls import call_function, inline_calls
from .trace import Trace, current_trace, traced_by, user_line
from .tree import Structure, flatten, map_trees

Python: TypeAlias = Callable[..., Any]
"""A Python function of trees of arrays."""


@dataclass(frozen=True)
class Traced:
    """The result of tracing a Python function: a function of graph ops.

    function: the function of graph ops.
    structure: the structure of the tree that the Python function returned.
    captured: the values of enclosing traces that the function reads; they are its last arguments.
    functions: the functions that its calls name.
    """

    function: FuncOp
    structure: Structure
    captured: Sequence[SSAValue]
    functions: Mapping[str, FuncOp]

    def module(self) -> ModuleOp:
        """Return a module with the function and the functions that it calls."""
        module = ModuleOp([self.function, *self.functions.values()])
        erase_uncalled(module)
        return module


def trace_function(
    function: Python, types: Sequence[Attribute], arguments: Callable[[Sequence[SSAValue]], Any]
) -> Traced:
    """Trace a Python function into a function of graph ops.

    types: the types of all arrays among its arguments.
    arguments: returns the positional arguments of ``function``, given the values of these arrays.
    Errors: those of the operators that the function calls.
    """
    trace = Trace(types, current_trace())
    with trace.running():
        result = function(*arguments(list(trace.block.args)))
        leaves, structure = flatten(result)
        values = [trace.local(as_array(leaf).value) for leaf in leaves]
    made = trace.function(values)
    return Traced(made, structure, list(trace.captured), trace.root.functions)


def trace_on(function: Python, arrays: Sequence[Array], structure: Structure) -> Traced:
    """Trace a Python function into a function of graph ops without calls and references.

    arrays: the arrays of the current trace that are its arguments; only their types matter.
    structure: the structure of the tuple of positional arguments, whose leaves are ``arrays``.
    Errors: those of the operators that the function calls.
    """

    def given(values: Sequence[SSAValue]) -> Any:
        pairs = zip(values, arrays, strict=True)
        return structure.build(Array(v, is_weak=a.is_weak) for v, a in pairs)

    made = trace_function(function, [array.type for array in arrays], given)
    inline_calls(made.function, made.functions)
    thread_entry(made.function)
    return made


def value_and_grad(
    function: Python, wrt: int | Sequence[int] = 0, *, has_aux: bool = False
) -> Python:
    """Return a function for the value and the gradient of a function with a scalar result.

    The derived function returns the pair (value, gradient).
    wrt: the numbers of the positional arguments to differentiate by; a gradient has the tree of its
    argument, and for several numbers the gradients are a tuple.
    has_aux: the function returns a pair, its value and other results, which have no gradient; this
    pair is then the value.
    Errors: when called, TypeMismatch for a result that is no float scalar and for arguments that
    are no floats; NoGradient for an op without a gradient.
    """

    def derived(*args: Any) -> Any:
        traced_by("a gradient")
        leaves, structure = flatten(args)
        arrays = [as_array(leaf) for leaf in leaves]
        made = trace_on(function, arrays, structure)
        _check_scalar(made, has_aux=has_aux)
        numbers = [wrt] if isinstance(wrt, int) else list(wrt)
        places = _places(structure, numbers)
        flat = [place for group in places for place in group]
        _check_floats(structure, arrays, flat)
        append_gradients(made.function, flat)
        results = traced_by("a gradient").inline(
            made.function, [*(array.value for array in arrays), *made.captured]
        )
        count = made.structure.leaf_count
        value = made.structure.build(map(Array, results[:count]))
        rest = iter(map(Array, results[count:]))
        gradients = tuple(structure.parts[number].build(rest) for number in numbers)
        return value, gradients[0] if isinstance(wrt, int) else gradients

    return derived


def grad(function: Python, wrt: int | Sequence[int] = 0, *, has_aux: bool = False) -> Python:
    """Return a function that computes the gradient of a function with a scalar result.

    wrt: the numbers of the positional arguments to differentiate by; a gradient has the tree of its
    argument, and for several numbers the gradients are a tuple.
    has_aux: the function returns a pair, its value and other results; the derived function then
    returns a pair, the gradient and the other results.
    Errors: see `value_and_grad`.
    """
    both = value_and_grad(function, wrt, has_aux=has_aux)

    def derived(*args: Any) -> Any:
        value, gradients = both(*args)
        return (gradients, value[1]) if has_aux else gradients

    return derived


def vjp(function: Python, *args: Any) -> tuple[Any, Python]:
    """Return a function's value, and a function that maps its cotangent to those of its arguments.

    The second function returns a tuple with one cotangent per argument.
    Errors: see `value_and_grad`.
    """
    numbers = range(len(args))

    def pull(cotangent: Any) -> Any:
        return grad(lambda *xs: inner(function(*xs), cotangent), wrt=numbers)(*args)

    return function(*args), pull


def jvp(function: Python, args: Sequence[Any], tangents: Sequence[Any]) -> tuple[Any, Any]:
    """Return a function's value, and its derivative in a direction.

    args: the arguments of the function.
    tangents: the direction: a tree for each argument.
    Errors: see `value_and_grad`.
    """
    value = function(*args)

    def slope(cotangent: Any) -> Any:
        return inner(vjp(function, *args)[1](cotangent), tuple(tangents))

    # The pulled cotangents are linear in the cotangent, so the gradient is the same everywhere.
    return value, grad(slope)(map_trees(zeros_like, value))


def hvp(function: Python, args: Sequence[Any], tangents: Sequence[Any]) -> Any:
    """Return the product of a scalar function's Hessian and a direction, as a tuple of trees.

    args: the arguments of the function, at which the Hessian is taken.
    tangents: the direction: a tree for each argument.
    Errors: see `value_and_grad`.
    """
    numbers = range(len(args))

    def along(*xs: Any) -> Any:
        return inner(grad(function, wrt=numbers)(*xs), tuple(tangents))

    return grad(along, wrt=numbers)(*args)


def inner(lhs: Any, rhs: Any) -> Array:
    """Return the inner product of two trees of arrays: the sum of all products of elements.

    Errors: TypeMismatch for trees of different structures.
    """
    leaves, _ = flatten(map_trees(lambda a, b: (as_array(a) * b).sum(), lhs, rhs))
    total = leaves[0]
    for each in leaves[1:]:
        total = total + each
    return total


def zeros_like(x: Any) -> Array:
    """Return zeros in the shape and dtype of an array."""
    array = as_array(x)
    zero = Array(traced_by("zeros").constant(np.zeros((), array.dtype)))
    return broadcast_to(zero, array.dims)


def _places(structure: Structure, numbers: Sequence[int]) -> list[range]:
    """Return for each numbered argument the range of its leaves among the leaves of all arguments.

    structure: the structure of the tuple of arguments.
    numbers: the numbers of arguments, the parameter ``wrt`` of the user.
    Errors: TypeMismatch for a number without an argument.
    """
    counts = [part.leaf_count for part in structure.parts]
    for number in numbers:
        if not 0 <= number < len(counts):
            raise TypeMismatch(
                "wrt names an argument that the call lacks",
                expected=f"0..{len(counts) - 1}",
                got=number,
                hint="pass the arguments to differentiate by position",
            ).named(user_line())
    return [range(sum(counts[:n]), sum(counts[: n + 1])) for n in numbers]


def _check_scalar(made: Traced, *, has_aux: bool) -> None:
    form = made.structure
    if has_aux:
        is_pair = form.kind is tuple and len(form.parts) == 2
        form = form.parts[0] if is_pair else Structure(None)
    types = made.function.function_type.outputs.data
    found = Array(returned(made.function)[0]) if types else None
    is_scalar = form.kind is object and found is not None and not found.dims
    if found is None or not is_scalar or not is_float(found.element_type):
        raise TypeMismatch(
            "the differentiated function does not return a float scalar",
            expected="a pair of a scalar and other results" if has_aux else "one scalar",
            got=", ".join(map(str, types)) or "nothing",
            hint="sum or average the result: y.sum()",
        ).named(user_line())


def returned(function: FuncOp) -> Sequence[SSAValue]:
    """Return the values that a function returns."""
    last = function.body.block.last_op
    assert last is not None, "a function ends with func.return"
    return last.operands


def _check_floats(structure: Structure, arrays: Sequence[Array], places: Sequence[int]) -> None:
    paths = structure.paths("args")
    for place in places:
        if not is_float(arrays[place].element_type):
            raise TypeMismatch(
                f"{paths[place]} is differentiated, but has no floats",
                got=repr(arrays[place]),
                hint="name the float arguments with wrt=",
            ).named(user_line())


__all__ = [
    "Traced", "call_function", "grad", "hvp", "inner", "jvp", "returned", "trace_function",
    "trace_on", "value_and_grad", "vjp", "zeros_like",
]  # fmt: skip

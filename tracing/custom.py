"""Functions whose gradient the user decides: checkpoint, custom_vjp and stop_gradient."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Attribute, Block, Region

from ..dialects.dtypes import is_float
from ..dialects.graph import CheckpointOp, CustomGradientOp, StopGradientOp, YieldOp
from ..support.diagnostics import TypeMismatch
from .array import Array, apply, as_array
from .control import number_like
from .trace import traced_by, user_line
from .transform import Python, returned, trace_on, zeros_like
from .tree import Structure, flatten, map_trees


def stop_gradient(tree: Any) -> Any:
    """Return the arrays of a tree as constants for differentiation: their gradient is 0.

    >>> half = tilewright.grad(lambda x: x * tilewright.stop_gradient(x), target="interpreter")
    >>> float(half(np.float32(3)))
    3.0
    """
    return map_trees(lambda x: apply(StopGradientOp, as_array(x)), tree)


def checkpoint(python: Python) -> Python:
    """Return a function whose gradient computes the function ``python`` again, to save memory.

    For the gradient, the program keeps only the arguments of the function.
    """

    def run(*args: Any) -> Any:
        trace = traced_by("a checkpoint")
        leaves, structure = flatten(args)
        arrays = [as_array(leaf) for leaf in leaves]
        made = trace_on(python, arrays, structure)
        values = [trace.local(v) for v in (*(a.value for a in arrays), *made.captured)]
        region = _region(made.function, [v.type for v in values], range(len(values)))
        results = trace.append(CheckpointOp, values, region)
        return made.structure.build(map(Array, results))

    return run


def custom_vjp(python: Python, backward: Python) -> Python:
    """Return a function that computes the same as ``python``, but has the gradient ``backward``.

    backward: a function of the cotangent of the result, the result, and the arguments of
    ``python``. It returns a tuple with the cotangent of each argument, or None for a cotangent of
    0.
    Errors: when called, TypeMismatch for cotangents that do not fit the arguments; NoGradient if a
    differentiated value reaches the function in another way than by an argument.
    """

    def run(*args: Any) -> Any:
        trace = traced_by("a custom gradient")
        leaves, structure = flatten(args)
        arrays = [as_array(leaf) for leaf in leaves]
        forward = trace_on(python, arrays, structure)
        results = [Array(v) for v in returned(forward.function)]
        form = Structure(tuple, (0, 1, 2), (structure, forward.structure, forward.structure))
        reverse = trace_on(
            lambda args, result, cotangent: _cotangents(backward(cotangent, result, *args), args),
            [*arrays, *results, *results],
            form,
        )
        others = [*forward.captured, *reverse.captured]
        types = [*(a.type for a in arrays), *(v.type for v in others)]
        xs, ys = len(arrays), len(results)
        read = range(xs, xs + len(forward.captured))
        more = range(read.stop, len(types))
        made = range(len(types), len(types) + 2 * ys)
        body = _region(forward.function, types, [*range(xs), *read])
        outs = [r.type for r in results]
        back = _region(reverse.function, [*types, *outs, *outs], [*range(xs), *made, *more])
        values = [trace.local(a.value) for a in arrays], [trace.local(v) for v in others]
        found = trace.append(CustomGradientOp, *values, body, back)
        return forward.structure.build(map(Array, found))

    return run


def _cotangents(made: Any, args: Sequence[Any]) -> list[Array]:
    """Check the result of a user's backward function; return the cotangents of the float arrays.

    made: the result of the backward function: a tuple of one cotangent, or None for 0, per
    argument.
    args: the arguments of the differentiated function, trees of arrays.
    Errors: TypeMismatch unless each cotangent has the tree, shape and dtype of its argument.
    """
    if type(made) is not tuple or len(made) != len(args):
        raise TypeMismatch(
            "a backward function returns a tuple with the cotangent of each argument",
            expected=f"a tuple of {len(args)}",
            got=f"{type(made).__name__}",
            hint="return None for an argument without a cotangent",
        ).named(user_line())
    found: list[Array] = []
    for number, (cotangent, arg) in enumerate(zip(made, args, strict=True)):
        leaves, structure = flatten(arg)
        given, form = flatten(map_trees(zeros_like, arg) if cotangent is None else cotangent)
        arrays = [number_like(as_array(g), x) for g, x in zip(given, leaves, strict=False)]
        if form != structure or any(g.type != x.type for g, x in zip(arrays, leaves, strict=True)):
            raise TypeMismatch(
                f"the cotangent of argument {number} does not fit the argument",
                expected=", ".join(map(repr, leaves)),
                got=", ".join(map(repr, arrays)) or "nothing",
            ).named(user_line())
        found += [g for g, x in zip(arrays, leaves, strict=True) if is_float(x.element_type)]
    return found


def _region(function: FuncOp, types: Sequence[Attribute], order: Sequence[int]) -> Region:
    """Move the ops of a function into a new region with other arguments, and return the region.

    types: the types of the region's arguments.
    order: for each argument of the function, the number of the region's argument that replaces it.
    """
    source, block = function.body.block, Block(arg_types=types)
    for argument, number in zip(source.args, order, strict=True):
        argument.replace_all_uses_with(block.args[number])
    for op in list(source.ops):
        op.detach()
        block.add_op(YieldOp(list(op.operands)) if isinstance(op, ReturnOp) else op)
    return Region(block)

"""Functions made of Python functions of arrays: derivatives, batches, checkpoints.

    tilewright.grad(loss)(params, x, y)     # the gradient with respect to params
    tilewright.vmap(loss)(params, x, y)     # the losses of a batch

Inside a traced function, they are part of its trace; outside, their first call compiles them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial, update_wrapper
from typing import Any, Unpack

from ...tracing import custom, transform
from ...tracing import vmap as batches
from ...tracing.trace import current_trace
from ..request import Options
from .function import Function


def value_and_grad(
    python: Callable[..., Any],
    wrt: int | Sequence[int] = 0,
    *,
    has_aux: bool = False,
    **options: Unpack[Options],
) -> Function:
    """Return a function of the value and the gradient of a function with a scalar result.

    wrt: the numbers of the positional arguments to differentiate by.  A gradient has the tree of
    its argument; for several numbers, the gradients are a tuple.
    has_aux: the function returns a pair: its value, and other results, which have no gradient.
    options: as of `function`.

    Errors: when called, TypeMismatch for a result that is no float scalar, and for arguments
    without floats; NoGradient for an op without a gradient; the errors of `function`.

    >>> both = tilewright.value_and_grad(lambda x: (x * x).sum())
    >>> value, gradient = both(np.array([1, 2], np.float32))
    >>> float(value), gradient.numpy().tolist()
    (5.0, [2.0, 4.0])
    """
    return _derived(transform.value_and_grad(python, wrt, has_aux=has_aux), python, options)


def grad(
    python: Callable[..., Any],
    wrt: int | Sequence[int] = 0,
    *,
    has_aux: bool = False,
    **options: Unpack[Options],
) -> Function:
    """Return a function of the gradient of a function with a scalar result; see value_and_grad.

    has_aux: the function returns a pair; so does the result: the gradient, and other results.

    >>> third = tilewright.grad(tilewright.grad(tilewright.grad(lambda x: x * x * x * x)))
    >>> float(third(np.float32(2)))
    48.0
    """
    return _derived(transform.grad(python, wrt, has_aux=has_aux), python, options)


def _derived(derived: Callable[..., Any], python: Callable[..., Any], options: Options) -> Function:
    made = update_wrapper(derived, python)
    return Function(made, getattr(python, "_shapes", {}), options)


def checkpoint(python: Callable[..., Any], **options: Unpack[Options]) -> Function:
    """Return a function whose gradient computes the function again, to save memory.

    The program keeps the arguments of the function until the gradient needs them, and no other
    values that the function computes.
    options: as of `function`.

    >>> @tilewright.checkpoint
    ... def layer(w, x):
    ...     return tilewright.ops.gelu(x @ w)
    >>> w = tilewright.grad(lambda w, x: layer(w, x).sum())(np.eye(3), np.ones((2, 3)))
    """
    return _derived(custom.checkpoint(python), python, options)


def custom_vjp(
    python: Callable[..., Any], backward: Callable[..., Any], **options: Unpack[Options]
) -> Function:
    """Return a function with another gradient.

    backward: a function ``backward(cotangent, result, *args)``.  It returns a tuple with the
    cotangent of each argument; None stands for a cotangent of 0.  Values that it computes like the
    function are computed once.
    options: as of `function`.
    Errors: when called, TypeMismatch for cotangents that do not fit the arguments; NoGradient if a
    differentiated value reaches the function in another way than by an argument.

    >>> def clipped(cotangent, result, x):
    ...     return (tilewright.ops.min(cotangent, 1.0),)
    >>> same = tilewright.custom_vjp(lambda x: x, clipped)
    >>> float(tilewright.grad(lambda x: same(x) * 5, target="interpreter")(np.float32(3)))
    1.0
    """
    return _derived(custom.custom_vjp(python, backward), python, options)


def vmap(
    python: Callable[..., Any],
    in_axes: batches.Axes = 0,
    out_axis: int = 0,
    **options: Unpack[Options],
) -> Function:
    """Return a function of batches: it applies a function to each element, as one program.

    in_axes: the axis of the batch in the arrays of each argument: one number for all, or one per
    argument; None: all elements take the same argument.  out_axis: the axis of the batch in the
    results.
    options: as of `function`.
    Errors: when called, TypeMismatch for arrays without the axis, and for batches of different
    sizes; UnsupportedOp for an op that has no form for a batch.

    >>> rows = tilewright.vmap(lambda w, x: x @ w, in_axes=(None, 0))
    >>> rows(np.ones((3, 2)), np.ones((5, 3))).shape
    (5, 2)
    """
    return _derived(batches.vmap(python, in_axes, out_axis), python, options)


def vjp(python: Callable[..., Any], *args: Any) -> tuple[Any, Callable[..., Any]]:
    """Return a function's value, and a function from the value's cotangent to the arguments'.

    The cotangents of the arguments are a tuple.  In a traced function, both are part of the trace.
    Errors: as value_and_grad.
    """
    if current_trace() is not None:
        return transform.vjp(python, *args)

    def pulled(cotangent: Any, *given: Any) -> Any:
        return transform.vjp(python, *given)[1](cotangent)

    pull = Function(pulled, {}, Options())
    return Function(python, {}, Options())(*args), lambda cotangent: pull(cotangent, *args)


def jvp(python: Callable[..., Any], args: Sequence[Any], tangents: Sequence[Any]) -> Any:
    """Return a function's value, and its derivative in the direction of tangents of its arguments.

    Errors: as value_and_grad.

    >>> value, slope = tilewright.jvp(lambda x: x * x, [np.float32(3)], [np.float32(1)])
    >>> float(value), float(slope)
    (9.0, 6.0)
    """
    return _run(partial(transform.jvp, python), args, tangents)


def hvp(python: Callable[..., Any], args: Sequence[Any], tangents: Sequence[Any]) -> Any:
    """Return the product of a scalar function's Hessian and a direction, as a tuple of trees.

    Errors: as value_and_grad.

    >>> tilewright.hvp(lambda x: (x * x * x).sum(), [np.ones(2)], [np.ones(2)])[0].numpy().tolist()
    [6.0, 6.0]
    """
    return _run(partial(transform.hvp, python), args, tangents)


def _run(python: Callable[..., Any], args: Sequence[Any], tangents: Sequence[Any]) -> Any:
    if current_trace() is not None:
        return python(args, tangents)
    return Function(python, {}, Options())(tuple(args), tuple(tangents))

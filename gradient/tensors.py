"""te.gradient and te.jvp: derivatives of te tensors, as te tensors.

    X, W = te.placeholder((8, 4), name="X"), te.placeholder((4, 3), name="W")
    k = te.reduce_axis((0, 4), name="k")
    Y = te.compute((8, 3), lambda i, j: te.sum(X[i, k] * W[k, j], axis=k), name="Y")
    dX, dW = te.gradient(Y, [X, W])     # of the sum of all elements of Y
    mod = tilewright.build([X, W, Y, dX, dW])

The results are tensors like all others: they can be scheduled, built and differentiated again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, overload

from xdsl.ir import Operation, SSAValue

from ..dialects.dtypes import is_float
from ..dialects.loop import SizeOp
from ..frontend.te.program import defining_ops, dependencies
from ..frontend.te.tensor import Tensor, define_results
from ..passes.te.gradient import AdjointOps, differentiate
from ..support.diagnostics import TilewrightError, TypeMismatch


@overload
def gradient(y: Tensor, x: Tensor, head: Tensor | None = None) -> Tensor: ...
@overload
def gradient(y: Tensor, x: Sequence[Tensor], head: Tensor | None = None) -> list[Tensor]: ...
def gradient(
    y: Tensor, x: Tensor | Sequence[Tensor], head: Tensor | None = None
) -> Tensor | list[Tensor]:
    """Return the gradient of ``sum(head * y)`` with respect to each tensor of ``x``.

    y: a float tensor.  x: placeholders or computed tensors of floats.
    head: the cotangent of y, with its shape and dtype; ones by default, which give the gradient of
    the sum of all elements.
    Shapes: each gradient has the shape and dtype of its tensor; it is 0 if y does not depend on it.
    Errors: TypeMismatch for arguments that are no float tensors, NoGradient for an operation
    between x and y that has no gradient.
    """
    where = "te.gradient"
    variables = _checked(y, x, where)
    if head is not None:
        _check_like(head, y, where, "head")
    made = _gradients({y: head}, variables, where)
    return made[0] if isinstance(x, Tensor) else made


def jvp(y: Tensor, x: Tensor | Sequence[Tensor], tangents: Tensor | Sequence[Tensor]) -> Tensor:
    """Return the derivative of y in a direction: the Jacobian of y times tangents of x.

    y: a float tensor.  x: placeholders or computed tensors of floats.
    tangents: one per tensor of ``x``, with its shape and dtype.
    Shapes: the result has the shape and dtype of y.
    Errors: TypeMismatch for arguments that are no float tensors, NoGradient for an operation
    between x and y that has no gradient.
    """
    where = "te.jvp"
    variables = _checked(y, x, where)
    directions = [tangents] if isinstance(tangents, Tensor) else list(tangents)
    if len(directions) != len(variables):
        raise TypeMismatch(
            "one tangent is needed per tensor", expected=len(variables), got=len(directions)
        ).named(where)
    for tensor, direction in zip(variables, directions, strict=True):
        _check_like(direction, tensor, where, "a tangent")
    # The gradients are linear in the head, so their derivative by the head is the Jacobian.
    head = _ones(y)
    rows = _gradients({y: head}, variables, where)
    return _gradients(dict(zip(rows, directions, strict=True)), [head], where)[0]


def _checked(y: Tensor, x: Tensor | Sequence[Tensor], where: str) -> list[Tensor]:
    """Return ``x`` as a list, after checking that its tensors and ``y`` are float tensors."""
    variables = [x] if isinstance(x, Tensor) else list(x)
    for tensor in (y, *variables):
        _check_float(tensor, where)
    return variables


def _check_float(tensor: object, where: str) -> None:
    if not isinstance(tensor, Tensor):
        raise TypeMismatch(
            "it takes te tensors", got=f"{tensor!r} of {type(tensor).__name__}"
        ).named(where)
    if not is_float(tensor.element_type):
        raise TypeMismatch(
            "only tensors of floats have gradients",
            got=repr(tensor),
            hint="differentiate with respect to float tensors only",
        ).named(where)


def _check_like(tensor: object, model: Tensor, where: str, what: str) -> None:
    _check_float(tensor, where)
    assert isinstance(tensor, Tensor), "it was checked"
    if (tensor.dims, tensor.dtype) != (model.dims, model.dtype):
        raise TypeMismatch(
            f"{what} has another shape or dtype than its tensor",
            expected=repr(model),
            got=repr(tensor),
        ).named(where)


def _ones(y: Tensor) -> Tensor:
    """Return a tensor of ones with the shape and dtype of ``y``."""
    ops = AdjointOps()
    value = ops.full(y.value.type, 1)
    return _tensors(ops.ops, {}, [value])[0]


def _gradients(
    heads: Mapping[Tensor, Tensor | None], variables: Sequence[Tensor], where: str
) -> list[Tensor]:
    """Return the gradient of the sum of all ``head * y`` with respect to each variable.

    heads: the head of each y; None: ones.  where: the name of the caller, for errors.
    """
    program = defining_ops(heads)
    known = {tensor.value: tensor for tensor in dependencies([*heads, *variables])}
    known |= {head.value: head for head in heads.values() if head is not None}
    cotangents = {y.value: None if head is None else head.value for y, head in heads.items()}
    try:
        found = differentiate(program, cotangents, [tensor.value for tensor in variables])
    except TilewrightError as err:
        raise err.placed(f"{where}: {err.where}" if err.where else where) from err.__cause__
    values, copies = _separate(found.gradients, known)
    made = _tensors([*program, *found.ops, *copies], known, values)
    checks = tuple(check for tensor in dependencies(heads) for check in tensor.op.checks)
    for tensor, variable in zip(made, variables, strict=True):
        tensor.op.checks += checks
        tensor.name = f"d_{variable.name}"
        tensor.value.name_hint = tensor.name.replace(".", "_")
    return made


def _separate(
    gradients: Sequence[SSAValue], known: Mapping[SSAValue, Tensor]
) -> tuple[list[SSAValue], list[Operation]]:
    """Return the gradients as distinct new values, and the ops that make copies for this.

    A gradient is copied if it is the value of a tensor that exists already, or equals the gradient
    of an earlier variable: each returned tensor needs its own value.
    known: the existing tensors, by value.
    """
    ops, values = AdjointOps(), list[SSAValue]()
    for value in gradients:
        is_taken = value in known or value in values
        values.append(ops.elementwise("copy", [value], _same, value.type) if is_taken else value)
    return values, ops.ops


def _same(_s: Any, x: SSAValue) -> SSAValue:
    return x


def _tensors(
    ops: Sequence[Operation], known: Mapping[SSAValue, Tensor], values: Sequence[SSAValue]
) -> list[Tensor]:
    """Define tensors for the results of some ops; return the tensors of ``values``.

    ops: the ops, in order.
    known: the tensors that are defined already, by value.
    values: values that are known, or results of the ops.
    """
    found = dict(known)
    for op in ops:
        if not isinstance(op, SizeOp) and not any(result in found for result in op.results):
            define_results(op, found)
    return [found[value] for value in values]

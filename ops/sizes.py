"""Infer the result shapes of operators on dynamic shapes.

An operator is described for several sample sizes.  If a result size is the same linear expression
in te.vars for all samples, it is inferred as that expression, and checked at each call.
Any other result size stays unknown.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec, TypeVar, cast

from ..frontend.te.binding import Binding, Recipe, bound, current_binding, remade, sample
from ..frontend.te.expr import Size, size_of_terms
from ..frontend.te.tensor import Tensor, placeholder
from ..support.diagnostics import TypeMismatch

P = ParamSpec("P")
T = TypeVar("T")

_STEP = 840
"""The increment of a sample to find dependent sizes: a multiple of the usual divisors."""


def operator_of_sizes(operator: Callable[P, T]) -> Callable[P, T]:
    """Decorate an operator: its tensors can be made for other sizes, and get symbolic sizes."""
    described = remade(operator)

    @wraps(operator)
    def call(*args: P.args, **kwargs: P.kwargs) -> T:
        made = described(*args, **kwargs)
        if current_binding() is None:
            for tensor in cast("tuple[Tensor, ...]", made if isinstance(made, tuple) else (made,)):
                if tensor.recipe is not None and tensor.sizes is None:
                    tensor.sizes = _sizes(tensor, tensor.recipe)
        return made

    return call


class _Stand(Binding):
    """A binding that replaces operands with placeholders of their shapes."""

    def tensor(self, tensor: Any) -> Any:
        if tensor.recipe is None:
            return tensor
        shape = [size.extent if isinstance(size, Size) else size for size in tensor.declared]
        return self.once(tensor, lambda: placeholder(shape, tensor.dtype, "x"))


def _sizes(tensor: Tensor, recipe: Recipe) -> tuple[int | Size | None, ...]:
    names = sorted(recipe.names)
    first = {name: sample(name) for name in names}
    try:
        start = _extents(tensor, recipe, first)
        moved = [_extents(tensor, recipe, {**first, n: first[n] + _STEP}) for n in names]
        other = {name: first[name] + number for number, name in enumerate(names, 1)}
        end = _extents(tensor, recipe, other)
    except TypeMismatch:
        return (None,) * tensor.ndim
    found: list[int | Size | None] = []
    for d, low in enumerate(start):
        factors = {n: (at[d] - low) // _STEP for n, at in zip(names, moved, strict=True)}
        rest = low - sum(factors[n] * first[n] for n in names)
        known = all((at[d] - low) % _STEP == 0 for at in moved)
        known &= end[d] == rest + sum(factors[n] * other[n] for n in names)
        found.append(size_of_terms(factors, rest) if known else None)
    return tuple(found)


def _extents(tensor: Tensor, recipe: Recipe, sizes: dict[str, int]) -> tuple[int, ...]:
    with bound(_Stand(sizes)):
        return recipe.tensors()[tensor.place].extents

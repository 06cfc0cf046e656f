"""Recipes: how a constant of the code is computed from the parameters of a model.

    Recipe("store", (shape, layout), (Recipe("transpose", ((1, 0),), (Recipe("param", ("w",)),)),))

In: arrays by the names of parameters. Out: the array that the kernels read. A recipe is data: the
name of a step in `STEPS`, its arguments, and the recipes of its operands. The functions in `STEPS`
define the steps; constant folding applies them to the initializers of the model (weights.py).
driver/param_table.py writes recipes as tables, from which the runtime computes the same bits for
new values.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, cast

import numpy as np

from .dtypes import ATTRIBUTES_BY_NAME, numpy_dtype

Array: TypeAlias = "np.ndarray[Any, np.dtype[Any]]"
Expression: TypeAlias = "int | tuple[str, Any] | tuple[str, Any, Any]"
"""A number, ``("dim", n)`` (an array index), or an operation on two expressions."""

PARAM, CONSTANT = "param", "constant"
MAX_CONSTANT_BYTES = 1 << 12
"""The most bytes of a constant that may be part of a recipe."""
_TILE_ELEMENTS = 1 << 15


class NotReplayable(Exception):
    """The error for new parameter values from which a recipe cannot compute.

    It states the reason.
    """


@dataclass(frozen=True)
class Recipe:
    """A step, its arguments, and the recipes of its operands.

    The argument of step ``param`` is the name of a parameter. The arguments of step ``constant``
    are dtype, shape and bytes in hex.
    """

    step: str
    arguments: tuple[Any, ...] = ()
    operands: tuple[Recipe, ...] = ()

    @staticmethod
    def of_constant(array: Array) -> Recipe:
        """Return the recipe of a small array that depends on no parameter."""
        return Recipe(CONSTANT, (array.dtype.name, array.shape, array.tobytes().hex()))

    @property
    def params(self) -> tuple[str, ...]:
        """The names of the parameters in the recipe, without repetition."""
        if self.step == PARAM:
            return (cast("str", self.arguments[0]),)
        return tuple(dict.fromkeys(name for each in self.operands for name in each.params))


def replayed(recipe: Recipe, values: Mapping[str, Array]) -> Array:
    """Compute the array of a recipe from ``values``, the arrays of its parameters by name.

    Errors: NotReplayable if a step does not apply to these values.
    """
    if recipe.step == PARAM:
        return values[recipe.arguments[0]]
    if recipe.step == CONSTANT:
        dtype, shape, text = recipe.arguments
        return np.frombuffer(bytes.fromhex(text), _dtype(dtype)).reshape(shape)
    operands = [replayed(each, values) for each in recipe.operands]
    return apply_step(recipe.step, operands, recipe.arguments)


def apply_step(step: str, operands: Sequence[Array], arguments: Sequence[Any]) -> Array:
    """Apply one step to its operands; return the result as a contiguous array.

    Errors: NotReplayable if the step does not apply to these values.
    """
    return np.asarray(apply_lazily(step, operands, arguments), order="C")


def apply_lazily(step: str, operands: Sequence[Array], arguments: Sequence[Any]) -> Array:
    """Apply one step to its operands; the result may be a view of an operand's memory.

    Errors: NotReplayable if the step does not apply to these values.
    """
    with np.errstate(all="ignore"):
        return STEPS[step](*operands, *arguments)


# ---- steps


def _dtype(name: str) -> np.dtype[Any]:
    return numpy_dtype(ATTRIBUTES_BY_NAME[name])


def _slice(x: Array, starts: Sequence[int], ends: Sequence[int]) -> Array:
    return x[tuple(map(slice, starts, ends))]


def _pad(x: Array, shape: Sequence[int]) -> Array:
    return np.pad(x, [(0, size - old) for size, old in zip(shape, x.shape, strict=True)])


def _convert(x: Array, dtype: str) -> Array:
    return x.astype(_dtype(dtype))


def _bits(x: Array, dtype: str) -> Array:
    return x.view(_dtype(dtype))


def _finite(x: Array, dtype: str) -> Array:
    # The compiler does not fold a conversion in which a number overflows.
    made = x.astype(_dtype(dtype))
    if not np.isfinite(made.astype(np.float64)).all():
        raise NotReplayable("a constant that is computed from it is not finite")
    return made


def _concat(*given: Any) -> Array:
    *arrays, axis = given
    return np.concatenate(arrays, axis)


def _winograd(x: Array, matrix: Sequence[Sequence[float]]) -> Array:
    """Transform (3, 3, I, O) weights to (products, I, O), in float64, and round once.

    Each product and sum is rounded separately; a BLAS does not do so on every machine.
    matrix: the transform of one column or row of a window (products per dimension, 3).
    """
    size, (_, _, channels, features) = len(matrix), x.shape
    out = np.empty((size * size, channels, features), np.float32)
    step = max(1, _TILE_ELEMENTS // max(1, features))
    for first in range(0, channels, step):
        part = x[:, :, first : first + step].astype(np.float64)
        for p, row in enumerate(matrix):
            half = _weighted_sum(part, row)
            for q, column in enumerate(matrix):
                out[p * size + q, first : first + step] = _weighted_sum(half, column)
    return out


def _weighted_sum(x: Array, factors: Sequence[float]) -> Array:
    total = factors[0] * x[0]
    for factor, each in zip(factors[1:], x[1:], strict=True):
        total += factor * each
    return total


def _store(x: Array, shape: Sequence[int], layout: Sequence[Expression]) -> Array:
    digits = digits_of(x.shape, layout)
    if digits is not None:
        padding = [(0, to - size) for size, to in zip(x.shape, digits.padded, strict=True)]
        x = np.pad(x, padding) if any(after for _, after in padding) else x
        return x.reshape(digits.shape).transpose(digits.order)
    out = np.zeros(shape, x.dtype)  # storage without an element is 0
    out[positions_of(x.shape, layout)] = x
    return out


def positions_of(shape: Sequence[int], layout: Sequence[Expression]) -> tuple[Array, ...]:
    """Return the storage position of each element of an array, as one array per axis of storage.

    shape: the shape of the array.  layout: the position as one expression per axis of storage.
    """
    grid = np.indices(shape, sparse=True)
    return tuple(_evaluated(e, grid) for e in layout)


def _evaluated(expression: Expression, grid: Sequence[Array]) -> Array:
    if isinstance(expression, int):
        return np.asarray(expression)
    if expression[0] == "dim":
        return grid[expression[1]]
    operation, lhs, rhs = cast("tuple[str, Any, Any]", expression)
    return _OPERATIONS[operation](_evaluated(lhs, grid), _evaluated(rhs, grid))


@dataclass(frozen=True)
class _Digit:
    """The value ``(dim floordiv divisor) mod base``; base None stands for the leading digit."""

    dim: int
    divisor: int
    base: int | None


def _digit(expression: Expression) -> _Digit | None:
    if isinstance(expression, int):
        return None
    if expression[0] == "dim":
        return _Digit(expression[1], 1, None)
    operation, lhs, rhs = cast("tuple[str, Any, Any]", expression)
    inner = _digit(lhs)
    if inner is None or inner.base is not None or not isinstance(rhs, int):
        return None
    if operation == "floordiv":
        return _Digit(inner.dim, inner.divisor * rhs, None)
    return _Digit(inner.dim, inner.divisor, rhs) if operation == "mod" else None


@dataclass(frozen=True)
class Digits:
    """A layout that pads an array with zeros, splits its axes, and transposes the parts.

    padded: the padded shape.  shape: the sizes of the parts, before the transposition.  order: the
    order of the parts in storage.
    """

    padded: tuple[int, ...]
    shape: tuple[int, ...]
    order: tuple[int, ...]


def digits_of(sizes: Sequence[int], layout: Sequence[Expression]) -> Digits | None:
    """Return a layout as a padding, a split of axes, and a transposition; None for other layouts.

    sizes: the sizes of the array. layout: the position in storage, one expression per storage axis.
    The expressions must be digits of the axes, and the digits of each axis must represent every
    position of the axis exactly once. A digit is ``(axis floordiv divisor) mod base``.
    """
    digits = [digit for each in layout if (digit := _digit(each)) is not None]
    if len(digits) < len(layout):
        return None
    shape: list[int] = []
    padded: list[int] = []
    position: dict[_Digit, int] = {}
    for dim, size in enumerate(sizes):
        own = sorted((d for d in digits if d.dim == dim), key=lambda d: -d.divisor)
        step = 1
        for digit in reversed(own):
            if digit.divisor != step or (digit.base is None) != (digit is own[0]):
                return None
            step *= digit.base or 1
        if not own:
            if size != 1:
                return None
            padded.append(size)
            continue
        leading = -(-size // own[0].divisor)
        padded.append(leading * own[0].divisor)
        for digit in own:
            position[digit] = len(shape)
            shape.append(digit.base or leading)
    return Digits(tuple(padded), tuple(shape), tuple(position[d] for d in digits))


_OPERATIONS: Mapping[str, Callable[[Array, Array], Array]] = {
    "add": np.add,
    "mul": np.multiply,
    "floordiv": np.floor_divide,
    "mod": np.mod,
}

PACK = "store"
"""The step that stores weights in the layout of a kernel; always the last step of a recipe."""

MOVES: Mapping[str, Callable[..., Array]] = {
    "reshape": np.reshape,
    "transpose": np.transpose,
    "broadcast": np.broadcast_to,
    "slice": _slice,
    "pad": _pad,
    PACK: _store,
    "bits": _bits,
    "concat": _concat,
}
"""The steps that only move elements and pad with zeros, without changing the bits of an element."""

STEPS: Mapping[str, Callable[..., Array]] = {
    **MOVES,
    "convert": _convert,
    "finite": _finite,
    "winograd": _winograd,
    "add": np.add,
    "sub": np.subtract,
    "mul": np.multiply,
    "div": np.divide,
    "neg": np.negative,
    "sqrt": np.sqrt,
}
"""All steps by name; each is a function of the operands followed by the arguments."""

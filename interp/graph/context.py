"""What an evaluator of a graph op gets: the op, its operands' arrays, the values of symbols."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from xdsl.ir import SSAValue

from ...dialects.dtypes import numpy_dtype
from ...dialects.shape import Dim, dims_of, type_of
from ...support.diagnostics import TilewrightError
from ..scalar import Array, Dtype

Sizes: TypeAlias = Mapping[str, int]
Evaluator: TypeAlias = Callable[[Any, tuple[Array, ...], Sizes], tuple[Array, ...]]


class EvaluationError(TilewrightError):
    """The program does something at run time that its operators do not allow."""


def result_dtype(value: SSAValue) -> Dtype:
    """Return the numpy dtype of a tensor value."""
    return numpy_dtype(type_of(value).element_type)


def result_shape(value: SSAValue, sizes: Sizes) -> tuple[int, ...]:
    """Return the shape of a tensor value for given symbol values."""
    return evaluated(dims_of(type_of(value)), sizes)


def evaluated(dims: tuple[Dim, ...], sizes: Sizes) -> tuple[int, ...]:
    """Return dimension expressions as integers."""
    return tuple(dim.evaluate(sizes) if dim.value is None else dim.value for dim in dims)

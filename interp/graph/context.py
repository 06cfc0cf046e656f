"""The arguments of a graph op's evaluator: the op, its operands' arrays, the symbols' values."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

from xdsl.ir import Region, SSAValue
from xdsl.traits import OpTrait

from ...dialects.dtypes import numpy_dtype
from ...dialects.shape import Dim, Tensor, dims_of, type_of
from ...support.diagnostics import TilewrightError
from ..scalar import Array, Dtype

Sizes: TypeAlias = Mapping[str, int]
Evaluator: TypeAlias = Callable[[Any, tuple[Array, ...], Sizes], tuple[Array, ...]]


class RunRegion(Protocol):
    """Runs a region on arguments, in the environment of its op; returns the values it yields."""

    def __call__(
        self, region: Region, arguments: tuple[Array, ...], sizes: Sizes = ...
    ) -> tuple[Array, ...]:
        """Run the region; sizes: the values of symbols that its op binds."""
        ...


RegionEvaluator: TypeAlias = Callable[[Any, tuple[Array, ...], RunRegion, Sizes], tuple[Array, ...]]


@dataclass(frozen=True)
class EvaluatedBy(OpTrait):
    """The evaluator of an op of another package; this package's own are in ``EVALUATORS``."""

    evaluator: Evaluator


class EvaluationError(TilewrightError):
    """The program does something at run time that its operators do not allow."""


def result_dtype(value: SSAValue) -> Dtype:
    """Return the numpy dtype of a tensor value."""
    return element_dtype(type_of(value))


def element_dtype(tensor: Tensor) -> Dtype:
    """Return the numpy dtype of a tensor type's elements."""
    return numpy_dtype(tensor.element_type)


def result_shape(value: SSAValue, sizes: Sizes) -> tuple[int, ...]:
    """Return the shape of a tensor value for given symbol values."""
    return evaluated_shape(type_of(value), sizes)


def evaluated_shape(tensor: Tensor, sizes: Sizes) -> tuple[int, ...]:
    """Return the shape of a tensor type for given symbol values."""
    return evaluated(dims_of(tensor), sizes)


def evaluated(dims: tuple[Dim, ...], sizes: Sizes) -> tuple[int, ...]:
    """Return dimension expressions as integers."""
    return tuple(dim.evaluate(sizes) if dim.value is None else dim.value for dim in dims)

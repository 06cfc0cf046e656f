"""The interface of evaluators: they take an op, the arrays of its operands, and symbol values."""

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
    """The protocol of functions that run a region of an op, for evaluators of ops with regions."""

    def __call__(
        self, region: Region, arguments: tuple[Array, ...], sizes: Sizes = ...
    ) -> tuple[Array, ...]:
        """Run a region on arguments; return the yielded values.

        sizes: the values of the symbols that the op binds in the region, such as the iteration
        number.
        """
        ...


RegionEvaluator: TypeAlias = Callable[[Any, tuple[Array, ...], RunRegion, Sizes], tuple[Array, ...]]


@dataclass(frozen=True)
class EvaluatedBy(OpTrait):
    """A trait that contains the function which evaluates an op, for ops of other packages."""

    evaluator: Evaluator


class EvaluationError(TilewrightError):
    """The error for a program that violates, at run time, a rule of one of its operators."""


def result_dtype(value: SSAValue) -> Dtype:
    """Return the numpy dtype of a tensor value."""
    return element_dtype(type_of(value))


def element_dtype(tensor: Tensor) -> Dtype:
    """Return the numpy dtype of the elements of a tensor type."""
    return numpy_dtype(tensor.element_type)


def result_shape(value: SSAValue, sizes: Sizes) -> tuple[int, ...]:
    """Return the shape of a tensor value as integers, given the values of symbolic sizes."""
    return evaluated_shape(type_of(value), sizes)


def evaluated_shape(tensor: Tensor, sizes: Sizes) -> tuple[int, ...]:
    """Return the shape of a tensor type as integers, given the values of symbolic sizes."""
    return evaluated(dims_of(tensor), sizes)


def evaluated(dims: tuple[Dim, ...], sizes: Sizes) -> tuple[int, ...]:
    """Return size expressions as integers, given the values of symbolic sizes."""
    return tuple(dim.evaluate(sizes) if dim.value is None else dim.value for dim in dims)

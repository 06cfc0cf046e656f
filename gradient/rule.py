"""The interface of gradient rules of graph ops, and the trait that gives an op such a rule."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from xdsl.dialects.builtin import TensorType
from xdsl.ir import SSAValue
from xdsl.traits import OpTrait

from ..dialects.dtypes import is_float
from .builder import GradientBuilder

if TYPE_CHECKING:
    from .reverse import BlockReverse

Cotangents: TypeAlias = Sequence[SSAValue | None]
"""One cotangent per operand or result; None for one that is 0 or that no value needs."""

Gradient: TypeAlias = Callable[[Any, Cotangents, GradientBuilder], Cotangents | None]
"""A rule: takes an op, the cotangents of its results and a builder.

It returns the cotangents of the operands, or None if the te definition of the op should be
differentiated instead.
"""


RegionGradient: TypeAlias = "Callable[[Any, Cotangents, BlockReverse], None]"
"""A rule of an op with regions: adds the cotangents of operands and of values outside."""


def only(gs: Cotangents) -> SSAValue:
    """Return the cotangent of an op with one result; the walk calls no rule without it."""
    (g,) = gs
    assert g is not None, "an op with one result has its cotangent"
    return g


def is_differentiable(value: SSAValue) -> bool:
    """Return whether a value is a tensor of floats."""
    return isinstance(value.type, TensorType) and is_float(value.type.get_element_type())


@dataclass(frozen=True)
class DifferentiatedBy(OpTrait):
    """A trait of an op of another package, which names the rule of its gradient.

    An op without this trait is differentiated by its te definition.  The rules of the graph ops of
    Tilewright are in ``GRADIENTS``.
    """

    rule: Gradient

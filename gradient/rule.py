"""The interface of gradient rules of graph ops, and the trait that gives an op such a rule."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

from xdsl.dialects.builtin import TensorType
from xdsl.ir import Block, SSAValue
from xdsl.traits import OpTrait

from ..dialects.dtypes import is_float
from .builder import GradientBuilder

Cotangents: TypeAlias = Sequence[SSAValue | None]
"""One cotangent per operand or result; None for one that is 0 or that no value needs."""

Gradient: TypeAlias = Callable[[Any, Cotangents, GradientBuilder], Cotangents | None]
"""A rule: takes an op, the cotangents of its results and a builder.

It returns the cotangents of the operands, or None if the te definition of the op should be
differentiated instead.
"""


class Reverse(Protocol):
    """The reverse walk over a block, as the rules of ops with regions see it.

    builder: appends the ops of the gradient.
    """

    builder: GradientBuilder

    def wanted(self, value: SSAValue) -> bool:
        """Return whether a value needs a cotangent: a float that depends on a variable."""
        ...

    def add(self, value: SSAValue, g: SSAValue) -> None:
        """Add ``g`` to the cotangent of an operand, or of a value that the op's regions use."""
        ...

    def inner(
        self,
        block: Block,
        seeds: Sequence[tuple[SSAValue, SSAValue]],
        *,
        constants: Sequence[SSAValue] = (),
    ) -> Reverse:
        """Append the gradient ops of a block to that same block, and return the finished walk.

        seeds: pairs of a value of the block and its cotangent.  constants: the arguments of the
        block that need no cotangent.
        """
        ...

    def through(self, build: Callable[[GradientBuilder], SSAValue], g: SSAValue) -> None:
        """Append ops that compute a value again, and the cotangents of the values that they use.

        build: appends the ops, and returns the value.  g: the cotangent of the value.
        """
        ...

    def of(self, value: SSAValue) -> SSAValue:
        """Return the cotangent of a value; zeros if no differentiated result depends on it."""
        ...


RegionGradient: TypeAlias = Callable[[Any, Cotangents, Reverse], None]
"""A rule of an op with regions: adds the cotangents of operands and of values outside."""


def only(gs: Cotangents) -> SSAValue:
    """Return the single element of ``gs``, the cotangent of an op's only result.

    It is never None, because the walk does not call the rule of an op whose result has no
    cotangent.
    """
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

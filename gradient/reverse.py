"""The reverse walk over the ops of a block: it appends the cotangents of all values.

In: a block of graph ops, values with cotangents, and the variables.  Out: graph ops appended by a
builder, and the cotangent of each value that depends on a variable.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import reduce
from typing import cast

from xdsl.ir import Block, Operation, SSAValue

from ..support.diagnostics import NoGradient, UnsupportedOp
from ..support.lazy import family_tables
from .builder import GradientBuilder
from .derived import derive
from .rule import Cotangents, DifferentiatedBy, Gradient, RegionGradient, is_differentiable
from .slices import is_slice, joined_slices

GRADIENTS: dict[type, Gradient] = {
    op: rule
    for table in family_tables("tilewright.gradient.rules", "GRADIENTS")
    for op, rule in cast("dict[type, Gradient]", table).items()
}
"""The rules of graph ops; the other ops are differentiated by their te definitions."""

REGION_GRADIENTS: dict[type, RegionGradient] = {
    op: rule
    for table in family_tables("tilewright.gradient.rules", "REGION_GRADIENTS")
    for op, rule in cast("dict[type, RegionGradient]", table).items()
}
"""The rules of graph ops with regions."""


class BlockReverse:
    """The reverse walk over a block, and the cotangents of the block's values.

    builder: appends the ops of the gradient. wanted: returns whether a value defined outside of the
    block needs a cotangent. derives: whether all ops without regions are differentiated by their te
    definitions; tests compare these gradients with the rules.
    """

    def __init__(
        self,
        builder: GradientBuilder,
        wanted: Callable[[SSAValue], bool],
        *,
        derives: bool = False,
    ) -> None:
        self.builder, self._outside, self._derives = builder, wanted, derives
        self._dependents: set[SSAValue] = set()
        self._parts: dict[SSAValue, list[SSAValue]] = {}

    def wanted(self, value: SSAValue) -> bool:
        """Return whether a value needs a cotangent: a float that depends on a variable."""
        return is_differentiable(value) and (value in self._dependents or self._outside(value))

    def add(self, value: SSAValue, g: SSAValue) -> None:
        """Add a value to the cotangent of another one, unless that one needs no cotangent.

        value: the value.  g: the value to add to its cotangent.
        """
        if not self.wanted(value):
            return
        parts = self._parts.setdefault(value, [])
        # Only slices wait for others; a sum of the other parts needs the memory of one.
        if parts and not is_slice(g) and not is_slice(parts[0]):
            parts[0] = self.builder.add(parts[0], g)
        else:
            parts.insert(len(parts) if is_slice(g) else 0, g)

    def of(self, value: SSAValue) -> SSAValue:
        """Return the cotangent of a value; zeros if no differentiated result depends on it."""
        found = self._cotangent(value)
        return self.builder.zeros(value) if found is None else found

    def _cotangent(self, value: SSAValue) -> SSAValue | None:
        """Append the sum of the parts of a value's cotangent; return it, or None without parts."""
        parts = self._parts.get(value)
        if parts is None:
            return None
        self._parts[value] = [reduce(self.builder.add, joined_slices(parts, self.builder))]
        return self._parts[value][0]

    def inner(
        self,
        block: Block,
        seeds: Sequence[tuple[SSAValue, SSAValue]],
        *,
        constants: Sequence[SSAValue] = (),
    ) -> BlockReverse:
        """Append the gradient ops of a block to that same block, and return the finished walk.

        seeds: pairs of a value of the block and its cotangent.  constants: the arguments of the
        block that need no cotangent.
        """
        made = BlockReverse(GradientBuilder(block), self.wanted, derives=self._derives)
        made._dependents |= set(filter(is_differentiable, block.args)) - set(constants)
        made.run(list(block.ops), seeds)
        return made

    def run(self, ops: Sequence[Operation], seeds: Iterable[tuple[SSAValue, SSAValue]]) -> None:
        """Append the cotangents of all values that some ops use, from the last op to the first.

        ops: the ops in program order. seeds: pairs of a value at which the walk begins, and its
        cotangent.

        Errors: NoGradient for an op without a gradient between a variable and a seed.
        """
        for op in ops:
            if any(map(self.wanted, used_values(op))):
                self._dependents |= set(filter(is_differentiable, op.results))
        for value, g in seeds:
            self.add(value, g)
        for op in reversed(ops):
            cotangents = [self._cotangent(result) for result in op.results]
            if any(g is not None for g in cotangents):
                self._differentiate(op, cotangents)

    def through(self, build: Callable[[GradientBuilder], SSAValue], g: SSAValue) -> None:
        """Append ops that compute a value again, and the cotangents of the values that they use.

        build: appends the ops, and returns the value.  g: the cotangent of the value.
        """
        before = set(self.builder.block.ops)
        value = build(self.builder)
        self.run([op for op in self.builder.block.ops if op not in before], [(value, g)])

    def _differentiate(self, op: Operation, cotangents: Cotangents) -> None:
        of_regions = REGION_GRADIENTS.get(type(op))
        if of_regions is not None:
            of_regions(op, cotangents, self)
            return
        parts = self._by_rule(op, cotangents)
        if parts is None:
            parts = self._derived(op, cotangents)
        for value, g in zip(op.operands, parts, strict=True):
            if g is not None:
                self.add(value, g)

    def _by_rule(self, op: Operation, cotangents: Cotangents) -> Cotangents | None:
        trait = op.get_trait(DifferentiatedBy)
        rule = GRADIENTS.get(type(op)) if trait is None else trait.rule
        return None if rule is None or self._derives else rule(op, cotangents, self.builder)

    def _derived(self, op: Operation, cotangents: Cotangents) -> Cotangents:
        try:
            return derive(op, cotangents, self.builder, self.wanted)
        except NoGradient as err:
            raise err.at(op) from err.__cause__
        except UnsupportedOp as err:
            raise NoGradient(
                f"{op.name} has no gradient, because its te definition is not known here",
                got=err.rule,
                hint="give the op the trait DifferentiatedBy, or leave the op out of the loss",
            ).at(op) from err


def used_values(op: Operation) -> Iterable[SSAValue]:
    """Return the operands of an op and of the ops in its regions."""
    return (value for each in op.walk() for value in each.operands)

"""Bounds of sizes that depend on the iteration number of a loop.

    n - i.0 + 3   for 0 <= i.0 <= steps   is at least   n - steps + 3   and at most   n + 3

In: a size over the symbol ``i.0``, and the number of iterations.  Out: a size without the symbol.
"""

from __future__ import annotations

from xdsl.dialects.builtin import MemRefType, TensorType
from xdsl.ir import Attribute

from ..support.diagnostics import UnsupportedOp
from .shape import Atom, Call, Dim, Monomial, dims_of, memref_type, symbols_of, tensor_type


def with_largest(type_: Attribute, symbol: str, steps: Dim) -> Attribute:
    """Return a tensor or buffer type in which an upper bound for a whole loop replaces each size.

    symbol: the symbol of the iteration number, which ranges from 0 to ``steps``.
    Errors: UnsupportedOp if an upper bound of a size is not known.
    """
    if symbol not in symbols_of(type_):
        return type_
    assert isinstance(type_, TensorType | MemRefType), f"not a tensor or buffer: {type_}"
    make = tensor_type if isinstance(type_, TensorType) else memref_type
    dims = [largest_size(dim, symbol, steps).max(0) for dim in dims_of(type_)]
    return make(type_.get_element_type(), dims)


def largest_size(dim: Dim, symbol: str, steps: Dim) -> Dim:
    """Return an upper bound of a size in which ``symbol`` ranges from 0 to ``steps``.

    Errors: UnsupportedOp if no upper bound is known.
    """
    return _Bounds(symbol, steps).of(dim, upper=True)


def smallest_size(dim: Dim, symbol: str, steps: Dim) -> Dim | None:
    """Return a lower bound of a size in which ``symbol`` ranges from 0 to ``steps``.

    None if unknown.
    """
    try:
        return _Bounds(symbol, steps).of(dim, upper=False)
    except UnsupportedOp:
        return None


class _Bounds:
    def __init__(self, symbol: str, steps: Dim) -> None:
        self.symbol, self.steps = symbol, steps

    def of(self, dim: Dim, *, upper: bool) -> Dim:
        if self.symbol not in dim.symbols():
            return dim
        total = Dim.const(0)
        for monomial, factor in dim.terms:
            total = total + self._product(dim, monomial, upper is (factor > 0)) * factor
        return total

    def _product(self, dim: Dim, monomial: Monomial, upper: bool) -> Dim:
        product = Dim.const(1)
        changing = [self._changes(atom) for atom in monomial]
        for atom, changes in zip(monomial, changing, strict=True):
            bound = self._atom(atom, upper) if changes else Dim((((atom,), 1),))
            # An interval product has this bound only if no factor is negative.
            if any(changing) and len(monomial) > 1 and not bound.is_at_least(0):
                raise self._unknown(dim)
            product = product * bound
        return product

    def _changes(self, atom: Atom) -> bool:
        return self.symbol in Dim((((atom,), 1),)).symbols()

    def _atom(self, atom: Atom, upper: bool) -> Dim:
        if not isinstance(atom, Call):
            return self.steps if upper else Dim.const(0)
        lhs = self.of(atom.lhs, upper=upper)
        match atom.function:
            case "min":
                return lhs.min(self.of(atom.rhs, upper=upper))
            case "max":
                return lhs.max(self.of(atom.rhs, upper=upper))
            case "floordiv" if lhs.is_at_least(0) or self.symbol not in atom.rhs.symbols():
                return lhs // self.of(atom.rhs, upper=not upper).max(1)
            case "mod":
                return self.of(atom.rhs, upper=True) - 1 if upper else Dim.const(0)
            case _:
                raise self._unknown(Dim((((atom,), 1),)))

    def _unknown(self, dim: Dim) -> UnsupportedOp:
        return UnsupportedOp(
            "the largest value of a size that follows from the iteration number is not known",
            expected="a sum of products of sizes that are 0 or more",
            got=dim,
            hint="let the size change by a constant in each iteration",
        )

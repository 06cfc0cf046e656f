"""Bounds of index expressions as symbolic sizes: their smallest and largest values.

    A[i // 2] with i in 0 .. 2 * n - 1:    0 .. n - 1

The variables of an index expression are axes and symbolic sizes.  A size is a polynomial of size
symbols; the index expression has one variable for each monomial, so that equal expressions compare
equal.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ...dialects.axis_bounds import AxisBounds
from ...dialects.shape import Call, Dim, Extent, from_one, size_index
from ...dialects.te.view import positions_of
from ...support.affine import INFINITY, Atom, Index, Key, Range, unknown_range


@dataclass(eq=False)
class Variable:
    """The variable of an axis in index expressions; variables are compared by identity.

    is_reduced: whether the axis is a reduction axis.  axis: the `Axis` to which the variable
    belongs.
    """

    name: str
    extent: Extent
    is_reduced: bool
    axis: object = None

    def __str__(self) -> str:
        return self.name


def index_of(dim: Dim) -> Index:
    """Convert a size to an index expression."""
    terms: dict[Key, int] = {Dim(((product, 1),)): count for product, count in dim.terms if product}
    return Index(terms, sum(count for product, count in dim.terms if not product))


def range_of(key: Key) -> Range:
    """Return the smallest and largest value of a variable of an index expression.

    key: the variable: an axis or a monomial of sizes.  An unknown or symbolic bound is INFINITY or
    its negative.
    """
    match key:
        case Variable():
            return positions_of(key.extent)
        case Dim():
            return key.range(INFINITY)
        case _:
            return unknown_range(key)


def least_of(index: Index) -> Dim:
    """Return the smallest value of an index expression."""
    return _end(index, upper=False)


def most_of(index: Index) -> Dim:
    """Return the largest value of an index expression."""
    return _end(index, upper=True)


def nonempty_sizes(axes: Iterable[Variable]) -> dict[str, Dim]:
    """Return the size symbols that are at least 1 in every executed iteration of some axes.

    They are the factors of the extents of the axes: if a factor were 0, there would be no
    iteration. The result maps each symbol to a symbol for the same size whose range starts at 1.
    """
    found: dict[str, Dim] = {}
    for axis in axes:
        terms = Dim.of(axis.extent).terms
        for atom in terms[0][0] if len(terms) == 1 else ():
            known = None if isinstance(atom, Call) else from_one(Dim.sym(atom))
            if known is not None:
                found[known[0]] = known[1]
    return found


def is_never_negative(index: Index, known: Mapping[str, Dim] | None = None) -> bool:
    """Return whether an index expression is provably at least 0 for all iterations and sizes.

    known: by size symbol, a symbol for the same size with a tighter range.
    """
    if index.range(range_of)[0] >= 0:
        return True
    names = known or {}

    def extent_of(key: Key) -> Extent | None:
        extent = key.extent if isinstance(key, Variable) else None
        return extent.substitute(names) if isinstance(extent, Dim) else extent

    dims = [key for key in index.variables() if isinstance(key, Dim)]
    sizes = {dim: size_index(dim.substitute(names)) for dim in dims}
    return AxisBounds(extent_of, range_of).lower(index.substitute(sizes, range_of)) >= 0


def reaches_its_ends(index: Index) -> bool:
    """Return whether the values of `least_of` and `most_of` provably occur in some iterations.

    This is false for ``i - 2 * (i // 2)``, because no i makes one term minimal and the other term
    maximal.
    """
    axes = [key for key in index.variables() if isinstance(key, Variable)]
    return len(set(axes)) == len(axes) and all(atom.kind == "floordiv" for atom in index.atoms())


def _end(index: Index, *, upper: bool) -> Dim:
    total = Dim.const(index.const)
    for key, factor in index.terms.items():
        total = total + _end_of_key(key, upper=upper == (factor > 0)) * factor
    return total


def _end_of_key(key: Key, *, upper: bool) -> Dim:
    match key:
        case Dim():
            return key
        case Variable():
            return Dim.of(key.extent) - 1 if upper else Dim.const(0)
        case Atom("floordiv"):
            return _end(key.operand, upper=upper) // key.divisor
        case Atom():
            operand, last = key.operand, key.divisor - 1
            if is_never_negative(operand) and Dim.const(last).is_at_least(most_of(operand)):
                return _end(operand, upper=upper)
            return Dim.const(last if upper else 0)
        case _:
            raise AssertionError(f"not a variable of a compute: {key}")

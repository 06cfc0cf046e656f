"""Data-dependent sizes: symbolic sizes in main; in regions, a largest shape with a count.

    %z = graph.non_zero %x binds "u0" : tensor<4xf32> -> tensor<1x?xi64, #te.dims<1, u0>>

In the block of main, the op first computes the count. packed.bind makes the count the size u0, and
the result and later values have sizes over u0. In a region of control flow, which may run many
times, the result becomes

    a value of tensor<1x4xi64> with u0 valid columns, and u0 as a tensor<1xi64>

There, the same ops also compute the elements beyond the valid part, from zeros; their reads stay in
bounds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain

from xdsl.dialects.builtin import TensorType
from xdsl.ir import Block, Operation, SSAValue
from xdsl.rewriter import Rewriter

from ....dialects.graph import BindingOp, mentioned_symbols
from ....dialects.shape import FUNCTIONS, Atom, Dim, dims_of, tensor_type, type_of
from ....dialects.sizes import stage_of
from ....support.diagnostics import UnsupportedOp


@dataclass
class DataSizes:
    """The data-dependent sizes in the regions of control flow of one function.

    dims: by value, the sizes of its original graph type.
    largest: by symbol that a region binds, the upper bound of its value, over the symbols of the
    signature.
    counts: by symbol, the tensor<1xi64> with its value, once the op that binds the symbol is
    lowered.
    """

    dims: dict[SSAValue, tuple[Dim, ...]] = field(default_factory=dict[SSAValue, tuple[Dim, ...]])
    largest: dict[str, Dim] = field(default_factory=dict[str, Dim])
    counts: dict[str, SSAValue] = field(default_factory=dict[str, SSAValue])

    def bound_types(self, block: Block) -> None:
        """Replace the data-dependent sizes in the types of a block's values by their upper bounds.

        This also applies to the ops in nested regions.  ``dims`` records the original sizes.  The
        types of block arguments do not change.

        After: no type contains a symbol that a region binds. Other symbols stay.
        """
        for op in list(block.walk()):
            if isinstance(op, BindingOp) and op.parent is not block:
                self.largest[op.symbol] = self.most(op.bound)
            for result in list(op.results):
                self._bound_type(result)

    def _bound_type(self, value: SSAValue) -> None:
        if not isinstance(value.type, TensorType):
            return
        type_ = type_of(value)
        dims = dims_of(type_)
        if any(map(self.is_data, dims)):
            bounded = tensor_type(type_.element_type, [self.most(dim) for dim in dims])
            made = Rewriter.replace_value_with_new_type(value, bounded)
            self.dims[made] = dims

    def most(self, dim: Dim) -> Dim:
        """Return an upper bound of a size, as an expression over the symbols that main knows.

        Errors: UnsupportedOp if a larger data-dependent symbol may make the size smaller, and the
        upper bounds of these symbols are not numbers.
        """
        if not self.is_data(dim):
            return dim
        names = dim.symbols()
        if names <= set(self.largest):
            numbers = {name: self.largest[name].value for name in names}
            known = {name: n for name, n in numbers.items() if n is not None}
            if len(known) == len(numbers):
                return Dim.const(max(_range_for(dim, known)[1], 0))
        if not self._grows(dim):
            raise UnsupportedOp(
                "the largest value of a size that depends on data is not known",
                expected="a size that grows with the number of elements found",
                got=dim,
            )
        return dim.substitute(self.largest)

    def _grows(self, dim: Dim) -> bool:
        """Return whether a size does not decrease if its data-dependent symbols increase."""
        return all(
            not self.is_data(Dim(((monomial, 1),)))
            or (coefficient > 0 and all(map(self._atom_grows, monomial)))
            for monomial, coefficient in dim.terms
        )

    def _atom_grows(self, atom: Atom) -> bool:
        if isinstance(atom, str):
            return True
        if atom.function in ("min", "max"):
            return self._grows(atom.lhs) and self._grows(atom.rhs)
        divides = atom.function == "floordiv" and atom.rhs.is_at_least(1)
        return divides and not self.is_data(atom.rhs) and self._grows(atom.lhs)

    def has(self, op: Operation) -> bool:
        """Return whether an operand, a result or a property of an op has a data-dependent size."""
        named = mentioned_symbols(op) & set(self.largest)
        return bool(named) or any(value in self.dims for value in (*op.operands, *op.results))

    def dims_of(self, value: SSAValue) -> tuple[Dim, ...]:
        """Return the sizes that a value had in the graph, before `bound_types` replaced them."""
        return self.dims.get(value) or dims_of(type_of(value))

    def dynamic_axes(self, value: SSAValue) -> list[int]:
        """Return the dimensions of a value that have data-dependent sizes, in order."""
        return [i for i, dim in enumerate(self.dims_of(value)) if self.is_data(dim)]

    def is_data(self, dim: Dim) -> bool:
        """Return whether a size is data-dependent: a region binds one of its symbols.

        Main knows all other symbols.
        """
        return not dim.symbols().isdisjoint(self.largest)

    def size_table(
        self, values: Sequence[SSAValue], computed: Sequence[str]
    ) -> tuple[list[list[int]], list[Dim]]:
        """Return which dimensions of values have computed sizes.

        A computed size depends on a symbol in ``computed``, which main binds during the run.
        computed: the names of these symbols.
        Returns a table and a list of the distinct computed sizes. The table has a row per value and
        an item per dimension: the position of its size in the list, or -1 if the size is not
        computed.
        """
        rows = [self.dims_of(value) for value in values]
        sizes = [d for d in dict.fromkeys(chain.from_iterable(rows)) if stage_of([d], computed)]
        return [[sizes.index(d) if d in sizes else -1 for d in row] for row in rows], sizes


def _range_for(dim: Dim, largest: Mapping[str, int]) -> tuple[int, int]:
    """Return the smallest and the largest value of a size for bounded symbols.

    largest: the upper bound of each symbol; the lower bounds are 0.
    """
    low = high = 0
    for monomial, coefficient in dim.terms:
        bounds = (coefficient, coefficient)
        for atom in monomial:
            bounds = _product(bounds, _atom_range(atom, largest))
        low, high = low + bounds[0], high + bounds[1]
    return low, high


def _product(a: tuple[int, int], b: tuple[int, int]) -> tuple[int, int]:
    corners = [x * y for x in a for y in b]
    return min(corners), max(corners)


def _atom_range(atom: Atom, largest: Mapping[str, int]) -> tuple[int, int]:
    if isinstance(atom, str):
        return 0, largest[atom]
    lhs, rhs = _range_for(atom.lhs, largest), _range_for(atom.rhs, largest)
    if atom.function in ("min", "max"):
        function = FUNCTIONS[atom.function]
        return function(lhs[0], rhs[0]), function(lhs[1], rhs[1])
    # Divisors are sizes; a divisor of 0 or less yields no valid size.
    divisors = max(rhs[0], 1), max(rhs[1], 1)
    if atom.function == "mod":
        return 0, min(divisors[1] - 1, lhs[1]) if lhs[0] >= 0 else divisors[1] - 1
    corners = [x // y for x in lhs for y in divisors]
    return min(corners), max(corners)

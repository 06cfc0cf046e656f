"""Data-dependent sizes: a value has its maximum shape, and a tensor holds the actual size.

    %z = graph.non_zero %x binds "u0" : tensor<4xf32> -> tensor<1x?xi64, #te.dims<1, u0>>
    =>
    a value of tensor<1x4xi64> with u0 valid columns, and u0 as a tensor<1xi64>

The same ops compute the elements beyond the valid part, from zeros; reads of them stay in bounds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from xdsl.dialects.builtin import TensorType
from xdsl.ir import Block, Operation, SSAValue
from xdsl.rewriter import Rewriter

from ...dialects.graph import BindingOp, mentioned_symbols
from ...dialects.shape import Dim, dims_of, tensor_type, type_of


@dataclass
class DataSizes:
    """The data-dependent sizes of one function.

    dims: for each value the sizes of its original graph type.  largest: upper bound of each symbol.
    counts: the tensor<1xi64> that holds a symbol, once the op that binds it is lowered.
    """

    dims: dict[SSAValue, tuple[Dim, ...]] = field(default_factory=dict[SSAValue, tuple[Dim, ...]])
    largest: dict[str, int] = field(default_factory=dict[str, int])
    counts: dict[str, SSAValue] = field(default_factory=dict[str, SSAValue])

    def bound_types(self, block: Block) -> None:
        """Give every value of a block the type of its maximum shape; ``dims`` keeps the sizes.

        This includes values in regions, except block arguments.

        After: no type has a data symbol. Symbols of the signature stay.
        """
        for op in list(block.walk()):
            if isinstance(op, BindingOp):
                self.largest[op.symbol] = self.most(op.bound)
            for result in list(op.results):
                self._bound_type(result)

    def _bound_type(self, value: SSAValue) -> None:
        if not isinstance(value.type, TensorType):
            return
        type_ = type_of(value)
        dims = dims_of(type_)
        symbols = frozenset[str]().union(*(dim.symbols() for dim in dims))
        if symbols and symbols <= set(self.largest):
            bounded = tensor_type(type_.element_type, [self.most(dim) for dim in dims])
            made = Rewriter.replace_value_with_new_type(value, bounded)
            self.dims[made] = dims

    def most(self, dim: Dim) -> int:
        """Return the largest value of a size."""
        return max(dim.range_for(self.largest)[1], 0) if dim.symbols() else dim.value or 0

    def has(self, op: Operation) -> bool:
        """Return whether an operand, result or property has a data-dependent size."""
        named = mentioned_symbols(op) & set(self.largest)
        return bool(named) or any(value in self.dims for value in (*op.operands, *op.results))

    def dims_of(self, value: SSAValue) -> tuple[Dim, ...]:
        """Return the sizes of a value's original graph type."""
        return self.dims.get(value) or dims_of(type_of(value))

    def open_axes(self, value: SSAValue) -> list[int]:
        """Return the axes of a value with data-dependent sizes."""
        return [i for i, dim in enumerate(self.dims_of(value)) if self.is_data(dim)]

    def is_data(self, dim: Dim) -> bool:
        """Return whether data decides a size; the shapes of the arguments decide other symbols."""
        return not dim.symbols().isdisjoint(self.largest)

    def size_table(self, values: Sequence[SSAValue]) -> tuple[list[list[int]], list[Dim]]:
        """Return, per value and dimension, an index into the distinct dynamic sizes; those sizes.

        Static dimensions have -1.
        """
        rows = [self.dims_of(value) for value in values]
        sizes = list(dict.fromkeys(dim for row in rows for dim in row if self.is_data(dim)))
        return [[sizes.index(d) if self.is_data(d) else -1 for d in row] for row in rows], sizes

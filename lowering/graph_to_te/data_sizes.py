"""Sizes that depend on data: a value has the largest shape it may need, and a count as a tensor.

    %z = graph.non_zero %x binds "u0" : tensor<4xf32> -> tensor<1x?xi64, #te.dims<1, u0>>
    =>
    a value of tensor<1x4xi64>, of which the first u0 columns count, and u0 as a tensor<1xi64>

Elements beyond the valid part come from zeros, by the same ops as the valid ones; reads of them are
inside their buffer.
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
    """The sizes of one function that depend on data.

    dims: by value, the sizes that its graph type had.  largest: what a symbol never exceeds.
    counts: the tensor<1xi64> that holds a symbol, once the op that binds it is lowered.
    """

    dims: dict[SSAValue, tuple[Dim, ...]] = field(default_factory=dict[SSAValue, tuple[Dim, ...]])
    largest: dict[str, int] = field(default_factory=dict[str, int])
    counts: dict[str, SSAValue] = field(default_factory=dict[str, SSAValue])

    def bound_types(self, block: Block) -> None:
        """Give every value of a block the type of its largest size; ``dims`` keeps the sizes.

        Values in regions too, but for the arguments of their blocks.

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
        """Return whether an operand, a result or a property has a size that depends on data."""
        named = mentioned_symbols(op) & set(self.largest)
        return bool(named) or any(value in self.dims for value in (*op.operands, *op.results))

    def dims_of(self, value: SSAValue) -> tuple[Dim, ...]:
        """Return the sizes of a value, as the graph knows them."""
        return self.dims.get(value) or dims_of(type_of(value))

    def open_axes(self, value: SSAValue) -> list[int]:
        """Return the axes of a value whose size depends on data."""
        return [i for i, dim in enumerate(self.dims_of(value)) if dim.value is None]

    def size_table(self, values: Sequence[SSAValue]) -> tuple[list[list[int]], list[Dim]]:
        """Return the different open sizes of some values, and which one each dimension is.

        Dimensions whose size is a number have -1.
        """
        rows = [self.dims_of(value) for value in values]
        sizes = list(dict.fromkeys(dim for row in rows for dim in row if dim.value is None))
        return [[-1 if d.value is not None else sizes.index(d) for d in row] for row in rows], sizes

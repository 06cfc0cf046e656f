"""A builder of graph ops for rules of gradients: sums, products and movements by name."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.ir import Block, SSAValue

from ..dialects import graph
from ..dialects.shape import Dim, dims_of, type_of
from ..dialects.te.scalars import wide_type
from ..passes.functions.block_ops import BlockOps


class GradientBuilder(BlockOps):
    """A builder that adds graph ops to a block, with a method for each op that rules often need."""

    def inline(self, block: Block, arguments: Sequence[SSAValue]) -> list[SSAValue]:
        """Append copies of the ops of a region's block; return the copies of the yielded values.

        arguments: the values that replace the arguments of the block.
        """
        return self.copies(block, dict(zip(block.args, arguments, strict=True)))

    def in_wide_type(self, x: SSAValue, build: Callable[[SSAValue], SSAValue]) -> SSAValue:
        """Return the result of ops that compute in the `wide_type` of the elements of x.

        build: appends the ops for x in this type, and returns their result.  It is converted to the
        element type of x.
        """
        element = type_of(x).element_type
        wide = wide_type(element)
        if wide == element:
            return build(x)
        return self.value(graph.CastOp(build(self.value(graph.CastOp(x, wide))), element))

    def zeros(self, x: SSAValue) -> SSAValue:
        """Return zeros in the type of a value."""
        return self.number(0, type_of(x))

    def add(self, x: SSAValue, y: SSAValue | float) -> SSAValue:
        """Return x + y."""
        return self.elementwise("add", x, y)

    def sub(self, x: SSAValue | float, y: SSAValue) -> SSAValue:
        """Return x - y."""
        return self.elementwise("sub", x, y)

    def mul(self, x: SSAValue, y: SSAValue | float) -> SSAValue:
        """Return x * y."""
        return self.elementwise("mul", x, y)

    def div(self, x: SSAValue | float, y: SSAValue) -> SSAValue:
        """Return x / y."""
        return self.elementwise("div", x, y)

    def select(self, condition: SSAValue, x: SSAValue, y: SSAValue) -> SSAValue:
        """Return x where the condition is true, otherwise y."""
        return self.value(graph.SelectOp(condition, x, y))

    def sum(self, x: SSAValue, axes: Sequence[int], *, keep: bool = False) -> SSAValue:
        """Return the sum over some axes; without axes, x itself.

        keep: whether the summed axes stay, with size 1.
        """
        return self.value(graph.ReduceOp(x, kind="sum", axes=axes, keep=keep)) if axes else x

    def spread(self, x: SSAValue, like: SSAValue) -> SSAValue:
        """Return x repeated along its axes of size 1 to the shape of ``like``.

        Both values have the same rank.
        """
        dims = dims_of(type_of(like))
        return self.value(graph.BroadcastOp(x, dims, range(len(dims))))

    def reshape(self, x: SSAValue, dims: Sequence[Dim]) -> SSAValue:
        """Return the elements of x in another shape."""
        return self.value(graph.ReshapeOp(x, list(dims)))

    def transpose(self, x: SSAValue, perm: Sequence[int]) -> SSAValue:
        """Permute the dimensions of x."""
        return self.value(graph.TransposeOp(x, list(perm)))

    def matmul(
        self, x: SSAValue, y: SSAValue, *, turn_x: bool = False, turn_y: bool = False
    ) -> SSAValue:
        """Return the matrix product of x and y, each transposed if ``turn_x`` or ``turn_y``."""
        return self.value(graph.MatmulOp(x, y, transpose_lhs=turn_x, transpose_rhs=turn_y))

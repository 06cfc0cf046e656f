"""Compute on separate leading axes what a program computes on merged rows between two reshapes.

    %r = graph.reshape %x : tensor<2x7x64xf32> -> tensor<14x64xf32>
    %m = graph.matmul %r, %w                                           %m = graph.matmul %x, %w
    %y = graph.add %m, %bias                                      ==>  %y = graph.add %m, %bias
    %z = graph.reshape %y : tensor<14x8xf32> -> tensor<2x7x8xf32>

The reshape that merges the leading axes moves down past the ops that treat all rows alike, until it
cancels at another reshape or reaches a result of main.  An op that treats rows differently would
have to compute its positions by quotients and remainders, so a group of ops with such a reader does
not change.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import ReturnOp
from xdsl.ir import Operation, SSAValue

from ...dialects.graph import (
    BroadcastOp,
    CastOp,
    ConstantOp,
    ElementwiseOp,
    LogSoftmaxOp,
    MatmulOp,
    NormalizeOp,
    ReshapeOp,
    SelectOp,
    SoftmaxOp,
)
from ...dialects.graph.base import GraphOp, int_array, int_attr
from ...dialects.shape import Dim, dims_of, element_count, tensor_type, type_of
from ...support.rewriting import insert_before

Properties: TypeAlias = Mapping[str, Any]


def _same(op: Any, added: int) -> Properties:
    return op.properties


def _along_axis(op: SoftmaxOp | LogSoftmaxOp, added: int) -> Properties:
    return {**op.properties, "axis": int_attr(op.axis + added)}


def _along_axes(op: NormalizeOp, added: int) -> Properties:
    return {**op.properties, "axes": int_array([axis + added for axis in op.axes])}


def _broadcast(op: BroadcastOp, added: int) -> Properties:
    own = [axis + added for axis in op.axes if axis]
    return {**op.properties, "axes": int_array([*range(added + 1), *own])}


RULES: Mapping[type[GraphOp], Callable[[Any, int], Properties]] = {
    ElementwiseOp: _same,
    SelectOp: _same,
    CastOp: _same,
    MatmulOp: _same,
    SoftmaxOp: _along_axis,
    LogSoftmaxOp: _along_axis,
    NormalizeOp: _along_axes,
    BroadcastOp: _broadcast,
}
"""Ops that can treat rows alike, and their properties with ``added`` more leading axes."""


def keep_leading_axes(module: ModuleOp) -> bool:
    """Move each reshape that merges leading axes past the ops on the merged rows.

    Returns whether any reshape moved.
    """
    moved = False
    for op in list(module.walk()):
        if isinstance(op, ReshapeOp) and op.parent is not None:
            group = _MergedRows.below(op)
            if group is not None and group.cancels():
                group.move()
                moved = True
    return moved


def _leading(op: ReshapeOp) -> tuple[Dim, ...]:
    """Return the sizes of the source axes that a reshape merges into its first axis; () if none."""
    source = dims_of(type_of(op.x))
    if len(op.dims) < 2:
        return ()
    starts = (source[:count] for count in range(2, len(source)))
    return next((start for start in starts if element_count(start) == op.dims[0]), ())


class _MergedRows:
    """The ops after a reshape that merges leading axes, up to the readers at which the group ends.

    The first axis of their values is the merged axis, whose positions are called rows.
    seed: the reshape.
    carried: the values with the merged axis, in the order in which they were found.
    """

    def __init__(self, seed: ReshapeOp, leading: tuple[Dim, ...]) -> None:
        self.seed, self.leading = seed, leading
        self.carried: dict[SSAValue, None] = {seed.out: None}
        self.members: dict[Operation, None] = {}

    @classmethod
    def below(cls, seed: ReshapeOp) -> _MergedRows | None:
        """Return the group of ops that starts at a reshape; None if it merges no leading axes.

        seed: the reshape.
        """
        leading = _leading(seed)
        if not leading:
            return None
        rows = cls(seed, leading)
        found: list[SSAValue] = [seed.out]
        while found:
            for user in [use.operation for use in found.pop().uses]:
                if user not in rows.members and rows._accepts(user):
                    rows.members[user] = None
                    rows.carried |= dict.fromkeys(user.results)
                    found += user.results
        return rows

    def _accepts(self, op: Operation) -> bool:
        """Return whether an op can join the group: it treats all rows of its operands alike."""
        if op.parent is not self.seed.parent or not isinstance(op, tuple(RULES)):
            return False
        match op:
            case MatmulOp():
                is_matrix = len(dims_of(type_of(op.rhs))) == 2 and not op.transpose_lhs
                return is_matrix and self._is_carried(op.lhs) and not self._is_carried(op.rhs)
            case BroadcastOp():
                return self._is_carried(op.x) and op.axes[0] == 0 and op.dims[0] == self.rows
            case SoftmaxOp() | LogSoftmaxOp():
                return op.axis > 0
            case NormalizeOp():
                return 0 not in op.axes
            case _:
                return all(self._is_carried(v) or self._is_free(v) for v in op.operands)

    @property
    def rows(self) -> Dim:
        """The size of the merged axis."""
        return self.seed.dims[0]

    def _is_carried(self, value: SSAValue) -> bool:
        return value in self.carried or self._is_same_merge(value)

    def _is_same_merge(self, value: SSAValue) -> bool:
        return isinstance(value.owner, ReshapeOp) and _leading(value.owner) == self.leading

    def _is_free(self, value: SSAValue) -> bool:
        """Return whether a value can get another shape without a copy.

        This is so for constants, and for broadcasts that repeat one row.
        """
        op = value.owner
        return isinstance(op, ConstantOp) or (isinstance(op, BroadcastOp) and 0 not in op.axes)

    def cancels(self) -> bool:
        """Return whether the reshape can move past the whole group and cancel.

        All readers outside the group must be reshapes or returns, and one of the reshapes must undo
        the merge.
        """
        uses = [use for v in self.carried if v is not self.seed.out for use in v.uses]
        users = [use.operation for use in uses if use.operation not in self.members]
        # The operands of a member may have been found after it was rejected.
        if any(use.operation not in self.members for use in self.seed.out.uses):
            return False
        if not all(isinstance(op, ReshapeOp | ReturnOp) for op in users):
            return False
        split = [op for op in users if isinstance(op, ReshapeOp)]
        return any(op.dims[: len(self.leading)] == self.leading for op in split)

    def move(self) -> None:
        """Compute the group's ops on all leading axes; merge the axes of results read outside."""
        block = self.seed.parent
        assert block is not None, "the reshape stands in a block"
        moved: dict[SSAValue, SSAValue] = {}
        order = [op for op in block.ops if op in self.members]
        for op in order:
            operands = [self._moved(v, moved, op) for v in op.operands]
            made = type(op).create(
                operands=operands,
                result_types=[self._split(v) for v in op.results],
                properties=dict(self._properties(op)),
                attributes=dict(op.attributes),
            )
            insert_before(op, made)
            for old, new in zip(op.results, made.results, strict=True):
                new.name_hint = old.name_hint
                moved[old] = new
        for op in reversed(order):
            for old in op.results:
                if old.first_use is not None:
                    merged = ReshapeOp(moved[old], dims_of(type_of(old)))
                    insert_before(op, merged)
                    old.replace_all_uses_with(merged.out)
            block.erase_op(op)

    def _properties(self, op: Operation) -> Properties:
        rule = next(rule for base, rule in RULES.items() if isinstance(op, base))
        return rule(op, len(self.leading) - 1)

    def _split(self, value: SSAValue) -> Any:
        """Return the type of a value after all leading axes replaced its merged axis."""
        type_ = type_of(value)
        return tensor_type(type_.element_type, (*self.leading, *dims_of(type_)[1:]))

    def _moved(
        self, value: SSAValue, moved: dict[SSAValue, SSAValue], before: Operation
    ) -> SSAValue:
        """Return an operand in the shape with all leading axes; insert the ops that make it.

        The right matrix of a matmul is returned unchanged.
        moved: maps old values to the values converted so far.  before: the reader of the operand,
        before which ops are inserted.
        """
        if value in moved:
            return moved[value]
        if isinstance(before, MatmulOp) and value is before.rhs:
            return value
        op = value.owner
        dims = (*self.leading, *dims_of(type_of(value))[1:])
        if isinstance(op, BroadcastOp):
            added = len(self.leading) - 1
            made: Operation = BroadcastOp(op.x, dims, [axis + added for axis in op.axes])
        else:
            made = ReshapeOp(op.x if isinstance(op, ReshapeOp) else value, dims)
        insert_before(before, made)
        moved[value] = made.results[0]
        return made.results[0]

"""graph-eliminate-transposes: move transposes to where they cancel, fold or get smaller.

    %a = graph.transpose %x perm [0, 3, 1, 2]
    %b = graph.max %a, %zero                         %b = graph.max %x, %zero
    %c = graph.transpose %b perm [0, 2, 3, 1]  ==>   return %b
    return %c

    graph.matmul %x, (graph.transpose %y perm [1, 0])  ==>  graph.matmul %x, %y transpose_rhs

    %a = graph.reshape %x : tensor<2x12x7x64xf32> -> tensor<24x7x64xf32>
    %b = graph.transpose %a perm [0, 2, 1]                           ==>
    %c = graph.reshape %b : tensor<24x64x7xf32> -> tensor<2x12x64x7xf32>
                                        %c = graph.transpose %x perm [0, 1, 3, 2]

Elementwise ops, select, cast, concat, pad and slice work in any order of axes. A connected group of
them is computed in another order of axes if that leaves fewer transposes.

Before: nothing.
After: no transpose reads a transpose, a constant or a broadcast, or only moves axes of size 1
(those become reshapes); no matmul reads a transpose of its last two axes; no other order of axes
of a group needs fewer transposes.
Exact: every element is computed from the same operands in the same order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern
from xdsl.rewriter import Rewriter

from ...dialects.graph import (
    BroadcastOp,
    CastOp,
    ConcatOp,
    ConstantOp,
    ElementwiseOp,
    MatmulOp,
    PadOp,
    ReshapeOp,
    SelectOp,
    SliceOp,
    TransposeOp,
)
from ...dialects.graph.base import GraphOp, int_array, int_attr
from ...dialects.shape import DimsAttr, dims_of, tensor_type, type_of
from ...dialects.weights import WeightAttr
from ...support.rewriting import (
    apply_patterns,
    erase_dead_ops,
    insert_before,
    replace_op,
    rewrites,
)
from .simplify import JoinReshapes, JoinTransposes, erase_if_unused

Perm: TypeAlias = Sequence[int]


def inverse(perm: Perm) -> tuple[int, ...]:
    """Return the inverse of a permutation."""
    return tuple(perm.index(i) for i in range(len(perm)))


class TransposeConstant(RewritePattern):
    """Replace the transpose of a constant by a constant with transposed elements."""

    @rewrites(TransposeOp)
    def match_and_rewrite(self, op: TransposeOp, rewriter: PatternRewriter) -> None:
        source = op.x.owner
        if isinstance(source, ConstantOp):
            made = WeightAttr.derived("transpose", [source.value], tuple(op.perm))
            replace_op(rewriter, op, ConstantOp(made))
            erase_if_unused(rewriter, source)


class TransposeBeforeBroadcast(RewritePattern):
    """Replace ``transpose(broadcast(x))`` by ``broadcast(transpose(x))``.

    The new transpose is smaller, and may cancel with a transpose that computes x.
    """

    @rewrites(TransposeOp)
    def match_and_rewrite(self, op: TransposeOp, rewriter: PatternRewriter) -> None:
        source = op.x.owner
        if not isinstance(source, BroadcastOp):
            return
        back = inverse(op.perm)
        places = [back[axis] for axis in source.axes]
        order = sorted(range(len(places)), key=lambda i: places[i])
        moved = TransposeOp(source.x, order)
        repeated = BroadcastOp(moved.out, [source.dims[i] for i in op.perm], sorted(places))
        replace_op(rewriter, op, (moved, repeated))
        erase_if_unused(rewriter, source)


class TransposeBeforeMerge(RewritePattern):
    """Replace ``split(transpose(merge(x)))`` by ``transpose(x)``.

    Here, merge is a reshape that merges the leading axes of x, and split is the reshape that
    restores them. The transpose must keep the merged axis outermost. Exporters merge batch and
    heads before they transpose the keys of an attention.
    """

    @rewrites(ReshapeOp)
    def match_and_rewrite(self, op: ReshapeOp, rewriter: PatternRewriter) -> None:
        moved = op.x.owner
        merge = moved.x.owner if isinstance(moved, TransposeOp) else None
        if not isinstance(moved, TransposeOp) or not isinstance(merge, ReshapeOp):
            return
        if moved.perm[:1] != (0,):
            return
        dims = dims_of(type_of(merge.x))
        added = len(dims) - len(merge.dims)
        if added < 1 or dims[added + 1 :] != merge.dims[1:]:
            return
        rest = [dims[axis + added] for axis in moved.perm[1:]]
        if op.dims != (*dims[: added + 1], *rest):
            return
        perm = [*range(added + 1), *(axis + added for axis in moved.perm[1:])]
        replace_op(rewriter, op, TransposeOp(merge.x, perm))
        erase_if_unused(rewriter, moved)
        erase_if_unused(rewriter, merge)


class FlagInMatmul(RewritePattern):
    """Replace ``matmul(transpose(x), y)`` by ``matmul(x, y, transpose_lhs)``.

    The transpose must swap the last two axes. Likewise for a transposed y.
    """

    @rewrites(MatmulOp)
    def match_and_rewrite(self, op: MatmulOp, rewriter: PatternRewriter) -> None:
        lhs, rhs = _swapped_source(op.lhs), _swapped_source(op.rhs)
        if lhs is None and rhs is None:
            return
        made = MatmulOp(
            op.lhs if lhs is None else lhs,
            op.rhs if rhs is None else rhs,
            transpose_lhs=op.transpose_lhs is (lhs is None),
            transpose_rhs=op.transpose_rhs is (rhs is None),
            acc=op.acc,
        )
        sources = {operand.owner for operand in op.operands}
        replace_op(rewriter, op, made)
        for source in sources:
            if isinstance(source, TransposeOp):
                erase_if_unused(rewriter, source)


def _swapped_source(value: SSAValue) -> SSAValue | None:
    """Return the operand of a transpose of the last two axes, or None for other values."""
    op = value.owner
    if not isinstance(op, TransposeOp):
        return None
    rank = len(op.perm)
    return op.x if op.perm == (*range(rank - 2), rank - 1, rank - 2) else None


class ReshapeInstead(RewritePattern):
    """Replace a transpose that only moves axes of size 1 by a reshape."""

    @rewrites(TransposeOp)
    def match_and_rewrite(self, op: TransposeOp, rewriter: PatternRewriter) -> None:
        dims = dims_of(type_of(op.x))
        moved = [axis for axis in op.perm if dims[axis].value != 1]
        if moved == sorted(moved):
            replace_op(rewriter, op, ReshapeOp(op.x, [dims[axis] for axis in op.perm]))


class ReshapeBeforeTranspose(RewritePattern):
    """Replace ``reshape(transpose(x))`` by ``transpose(reshape(x))``.

    The reshape must only add or drop axes of size 1. A kernel that reads the result may then read x
    itself.
    """

    @rewrites(ReshapeOp)
    def match_and_rewrite(self, op: ReshapeOp, rewriter: PatternRewriter) -> None:
        source, sizes = op.x.owner, dims_of(type_of(op.out))
        if not isinstance(source, TransposeOp):
            return
        dims = dims_of(type_of(source.x))
        kept = [axis for axis in source.perm if dims[axis].value != 1]
        places = [axis for axis, size in enumerate(sizes) if size.value != 1]
        if [dims[axis] for axis in kept] != [sizes[axis] for axis in places] or not kept:
            return
        # The new axes of size 1 come first, then the others in the order of x.
        new = [axis for axis in range(len(sizes)) if axis not in places]
        order = [*new, *(place for _, place in sorted(zip(kept, places, strict=True)))]
        shaped = ReshapeOp(source.x, [sizes[axis] for axis in order])
        replace_op(rewriter, op, (shaped, TransposeOp(shaped.out, inverse(order))))
        erase_if_unused(rewriter, source)


def _same_properties(op: Any, perm: Perm) -> Mapping[str, Any]:
    return op.properties


def _concat_properties(op: ConcatOp, perm: Perm) -> Mapping[str, Any]:
    return {**op.properties, "axis": int_attr(perm.index(op.axis))}


def _pad_properties(op: PadOp, perm: Perm) -> Mapping[str, Any]:
    low, high = ([pads[i] for i in perm] for pads in (op.low, op.high))
    return {**op.properties, "low": int_array(low), "high": int_array(high)}


def _slice_properties(op: SliceOp, perm: Perm) -> Mapping[str, Any]:
    starts, steps = [op.starts[i] for i in perm], [op.steps[i] for i in perm]
    return {**op.properties, "starts": DimsAttr.of(starts), "steps": int_array(steps)}


MOVABLE: Mapping[type[GraphOp], Callable[[Any, Perm], Mapping[str, Any]]] = {
    ElementwiseOp: _same_properties,
    SelectOp: _same_properties,
    CastOp: _same_properties,
    ConcatOp: _concat_properties,
    PadOp: _pad_properties,
    SliceOp: _slice_properties,
}
"""Ops that work in any order of axes, and functions that return their properties in that order.

All operands and results of such an op have the same rank.
"""


class MovableOps:
    """A connected group of ops, next to a transpose, that can work in any order of axes.

    These are elementwise ops, select, cast, concat, pad and slice. The group can be computed before
    the transpose instead of after it.
    """

    def __init__(self, seed: TransposeOp) -> None:
        self.perm = seed.perm
        self.back = inverse(seed.perm)
        self.members = set(_connected(seed))
        self.ops = [op for op in seed.parent.ops if op in self.members] if seed.parent else []

    def inputs(self) -> dict[SSAValue, None]:
        """Return the values that the group reads but does not define, without duplicates.

        The values are the keys of the dict, in the order of their first use.
        """
        operands = (v for op in self.ops for v in op.operands)
        return dict.fromkeys(v for v in operands if v.owner not in self.members)

    def outer_users(self, value: SSAValue) -> list[Operation]:
        """Return the ops outside of the group that read a value."""
        return [use.operation for use in value.uses if use.operation not in self.members]

    def saved_transposes(self) -> int:
        """Return by how many transposes ``move`` reduces their number.

        Adjacent inverse transposes are assumed to cancel.
        """
        saved = sum(self._saved_at_input(value) for value in self.inputs())
        for op in self.ops:
            saved += sum(self._saved_at_output(result) for result in op.results)
        return saved

    def _saved_at_input(self, value: SSAValue) -> int:
        op = value.owner
        if not isinstance(op, TransposeOp):
            return 0 if _is_free_to_transpose(value) else -1
        vanishes = op.perm == self.perm and op.x.owner not in self.members
        return int(vanishes) - bool(self.outer_users(value))

    def _saved_at_output(self, value: SSAValue) -> int:
        users = self.outer_users(value)
        turned = [op for op in users if isinstance(op, TransposeOp)]
        undone = sum(op.perm == self.back and not self._reads(op) for op in turned)
        return undone - (len(turned) < len(users))

    def _reads(self, op: TransposeOp) -> bool:
        return any(use.operation in self.members for use in op.out.uses)

    def move(self) -> None:
        """Compute the group's ops in the order that the axes have before the transpose.

        Each operand of the group gets a transpose into that order, and each result one back; other
        patterns then join them with adjacent transposes.
        """
        moved: dict[SSAValue, SSAValue] = {}
        for op in self.ops:
            for operand in dict.fromkeys(op.operands):
                if operand not in moved:
                    turned = TransposeOp(operand, self.back)
                    moved[operand] = turned.out
                    insert_before(op, turned)
            made = self._moved_op(op, moved)
            insert_before(op, made)
            moved.update(zip(op.results, made.results, strict=True))
        for op in reversed(self.ops):
            for result in op.results:
                self._restore(result, moved[result], op)
            Rewriter.erase_op(op)

    def _moved_op(self, op: Operation, moved: Mapping[SSAValue, SSAValue]) -> Operation:
        properties = next(rule for base, rule in MOVABLE.items() if isinstance(op, base))
        types = [type_of(result) for result in op.results]
        return type(op).create(
            operands=[moved[operand] for operand in op.operands],
            result_types=[
                tensor_type(t.element_type, [dims_of(t)[i] for i in self.back]) for t in types
            ],
            properties=dict(properties(op, self.back)),
        )

    def _restore(self, old: SSAValue, new: SSAValue, op: Operation) -> None:
        if old.first_use is None:
            new.name_hint = old.name_hint
            return
        turned = TransposeOp(new, self.perm)
        turned.out.name_hint = old.name_hint
        insert_before(op, turned)
        old.replace_all_uses_with(turned.out)


def _connected(seed: TransposeOp) -> Iterator[Operation]:
    seen: set[Operation] = set()
    found = [use.operation for use in seed.out.uses]
    while found:
        op = found.pop()
        if op in seen or not isinstance(op, tuple(MOVABLE)) or op.parent is not seed.parent:
            continue
        seen.add(op)
        yield op
        found.extend(v.owner for v in op.operands if isinstance(v.owner, Operation))
        found.extend(use.operation for result in op.results for use in result.uses)


def _is_free_to_transpose(value: SSAValue) -> bool:
    op = value.owner
    if isinstance(op, BroadcastOp):
        return len(op.axes) < 2 or isinstance(op.x.owner, ConstantOp)
    return isinstance(op, ConstantOp)


def move_group(module: ModuleOp) -> bool:
    """Move transposes past the first group of ops for which this leaves fewer transposes.

    Returns whether such a group was found.
    """
    for op in module.walk():
        if isinstance(op, TransposeOp) and op.parent is not None:
            group = MovableOps(op)
            if group.saved_transposes() > 0:
                group.move()
                return True
    return False


@dataclass(frozen=True)
class EliminateTransposes(ModulePass):
    """Move transposes to where they cancel, fold or get smaller."""

    name = "graph-eliminate-transposes"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        erase_dead_ops(op)
        apply_patterns(op, *LOCAL)
        while move_group(op):  # terminates, because each move removes transposes
            apply_patterns(op, *LOCAL)
        apply_patterns(op, ReshapeInstead(), ReshapeBeforeTranspose(), JoinReshapes())


LOCAL: tuple[RewritePattern, ...] = (
    JoinTransposes(),
    TransposeConstant(),
    TransposeBeforeBroadcast(),
    TransposeBeforeMerge(),
    FlagInMatmul(),
)
"""Rules on one transpose and an adjacent op."""

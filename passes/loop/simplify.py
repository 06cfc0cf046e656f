"""loop-simplify: simplify loops, branches and index expressions by the ranges of their values.

    loop.for %i = 0 to 4 {                                loop.for %i = 0 to 4 {
      loop.for %j = %i to min(64, %i + 1) {                 %a = loop.load %x[%i] .., f32
        %a = loop.load %x[%j mod 8] pad 0.0 .., f32   ==>   loop.store %a, %y[0, %i] .. }
        loop.store %a, %y[%j floordiv 8, %j] .. } }

- A loop that never runs is removed; a serial loop of one iteration becomes its body.
- A bound that another bound of the loop implies is dropped, and so are quotients, remainders,
  paddings and clips that no position needs.
- A branch whose condition is known is removed, or becomes its body.

The emitters make the same choices without changing the program: they emit no code for loops that
never run, and no test of a padding that no lane needs (lowering/loop_to_llvm/memory.py).

Before: loop programs.  After: none of the above applies, except to loops bound to threads.
Exact: the same operations on the same values.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.arith import ConstantOp
from xdsl.dialects.builtin import IndexType, IntegerAttr, MemRefType, ModuleOp
from xdsl.ir import Block, Operation, OpResult, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from ...analysis.bounds.checked_data import checked_ranges
from ...analysis.bounds.loop_ranges import LoopRanges
from ...analysis.bounds.positions import is_inside
from ...dialects.loop import (
    CompareOp,
    ForOp,
    IfOp,
    IndexOp,
    LoadOp,
    PrefetchOp,
    StoreOp,
)
from ...dialects.shape import dims_of
from ...support.affine import Index, Key, Range, constant
from ...support.blocks import returned
from ...support.entry import defined_functions
from ...support.passes import ExactPass
from ..rewrite.loops import drop_implied_bounds, replace_by_body, set_bounds, set_indices


@dataclass(frozen=True)
class Simplify(ExactPass):
    """Simplify the loops, branches and index expressions of all functions."""

    name = "loop-simplify"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        checked = checked_ranges(op)
        for function in defined_functions(op):
            _simplify(function.body.block, LoopRanges(checked))


def _simplify(top: Block, ranges: LoopRanges) -> None:
    types = [a.type for a in top.args if isinstance(a.type, MemRefType)]
    with ranges.of_sizes(dim for type_ in types for dim in dims_of(type_)):
        _Simplifier(ranges).block(top.ops)
    for op in reversed([op for op in top.walk() if isinstance(op, IndexOp)]):
        if not op.res.uses:
            Rewriter.erase_op(op)


class _Simplifier:
    """The state of a walk over a function: the ranges of the values around the current op."""

    def __init__(self, ranges: LoopRanges) -> None:
        self.ranges = ranges

    def block(self, ops: Iterable[Operation]) -> None:
        """Simplify these ops of a block, in their order."""
        for op in list(ops):
            rule = _RULES.get(type(op))
            if rule is not None:
                rule(self, op)

    # ---- control flow

    def loop(self, op: Operation) -> None:
        """Remove a loop that never runs; inline a single iteration; or simplify bounds and body."""
        assert isinstance(op, ForOp), "loop.for"
        if op.thread is not None:
            self.ranges.enter(op)
            self.block(op.body.block.ops)
            return
        self._simplify_bounds(op)
        lows, highs = op.bounds()
        if not self.ranges.enter(op):
            _replace_results(op, op.inits)
            Rewriter.erase_op(op)
        elif (
            len(lows) == len(highs) == 1
            and highs[0] - lows[0] == constant(1)
            and not op.is_parallel
        ):
            self.block(_inline_iteration(op, lows[0]))
        else:
            self.block(op.body.block.ops)

    def _simplify_bounds(self, op: ForOp) -> None:
        old = op.bounds()
        lows, highs = ([self._simple(e) for e in ends] for ends in old)
        if (lows, highs) != old:
            set_bounds(op, lows, highs)
        drop_implied_bounds(op, self.ranges.range_of_index)

    def branch(self, op: Operation) -> None:
        """Remove a branch that is never taken; replace one that is always taken by its body."""
        assert isinstance(op, IfOp), "loop.if"
        holds = self._truth(op.condition)
        if holds is None:
            with self.ranges.where(op.condition):
                self.block(op.body.block.ops)
            return
        if holds:
            self.block(replace_by_body(op))
        else:
            Rewriter.erase_op(op)

    def _truth(self, condition: SSAValue) -> bool | None:
        """Return whether a condition holds; None if that is not known."""
        owner = condition.owner
        if isinstance(owner, ConstantOp) and isinstance(owner.value, IntegerAttr):
            return bool(owner.value.value.data & 1)
        if not isinstance(owner, CompareOp) or owner.predicate.data not in _SIGNED:
            return None
        difference = self.ranges.expression(owner.lhs) - self.ranges.expression(owner.rhs)
        return _SIGNED[owner.predicate.data](self.ranges.range_of_index(difference))

    # ---- positions

    def access(self, op: Operation) -> None:
        """Simplify the indices of a load, store, prefetch or index value; drop needless guards."""
        assert isinstance(op, LoadOp | StoreOp | PrefetchOp | IndexOp), "an op with a position"
        old = [op.index()] if isinstance(op, IndexOp) else op.indices()
        new = [self._simple(index) for index in old]
        if new != old:
            set_indices(op, new)
        if isinstance(op, LoadOp) and op.pad is not None and is_inside(op, self.ranges):
            del op.properties["pad"]
        if isinstance(op, StoreOp) and self._needs_no_clip(op):
            del op.properties["clip"]

    def _needs_no_clip(self, op: StoreOp) -> bool:
        clip = op.clip_spans()
        if clip is None:
            return False
        found = [self.ranges.range_of_index(self.ranges.expand(e)) for e in op.indices()]
        pairs = zip(found, clip, strict=True)
        return all(low >= a and isinstance(b, int) and high < b for (low, high), (a, b) in pairs)

    def _simple(self, index: Index) -> Index:
        """Return an index expression that is simplified by the ranges of its variables.

        A variable that is the result of a scalar loop.index is replaced by the expression of that
        op.
        """
        values: dict[Key, Index] = {}
        for key in index.variables():
            owner = key.op if isinstance(key, OpResult) else None
            if isinstance(owner, IndexOp) and isinstance(owner.res.type, IndexType):
                values[key] = owner.index()
        return index.substitute(values, self.ranges.range_of).simplify(self.ranges.range_of)


_RULES: Mapping[type[Operation], Callable[[_Simplifier, Operation], None]] = {
    ForOp: _Simplifier.loop,
    IfOp: _Simplifier.branch,
    LoadOp: _Simplifier.access,
    StoreOp: _Simplifier.access,
    PrefetchOp: _Simplifier.access,
    IndexOp: _Simplifier.access,
}


def _decided(below: bool, above: bool) -> bool | None:
    return True if below else False if above else None


_SIGNED: Mapping[str, Callable[[Range], bool | None]] = {
    "slt": lambda r: _decided(r[1] < 0, r[0] >= 0),
    "sle": lambda r: _decided(r[1] <= 0, r[0] > 0),
    "sgt": lambda r: _decided(r[0] > 0, r[1] <= 0),
    "sge": lambda r: _decided(r[0] >= 0, r[1] < 0),
    "eq": lambda r: _decided(r == (0, 0), r[0] > 0 or r[1] < 0),
    "ne": lambda r: _decided(r[0] > 0 or r[1] < 0, r == (0, 0)),
}
"""Whether a comparison holds, by the range of the difference of its operands."""


def _inline_iteration(op: ForOp, low: Index) -> list[Operation]:
    """Replace a loop of one iteration, for which its variable is ``low``, by its body.

    Returns the ops of the body.
    """
    first = IndexOp.make(low)
    first.res.name_hint = op.variable.name_hint
    Rewriter.insert_op(first, InsertPoint.before(op))
    for argument, value in zip(op.body.block.args, (first.res, *op.inits), strict=True):
        argument.replace_all_uses_with(value)
    _replace_results(op, returned(op.body.block))
    return [first, *replace_by_body(op)]


def _replace_results(op: ForOp, values: Sequence[SSAValue]) -> None:
    for result, value in zip(op.results, tuple(values), strict=True):
        result.replace_all_uses_with(value)

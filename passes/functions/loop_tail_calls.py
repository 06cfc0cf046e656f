"""graph-loop-tail-calls: turn functions that call themselves in tail position into loops.

    func.func @root(%n: N, %a: T, %x: T) -> T attributes {tw.most_calls = 64 : i64} {
      …  %r = graph.if %more { …  %u = graph.call @root(%m, %a, %t)  graph.yield %u }
              else { graph.yield %x }
      func.return %r
    }
==>
    func.func @root(%n: N, %a: T, %x: T) -> T {
      %m1, %x1, %r, %more = graph.loop to %most while %true (%i) carry(%n, %x, %none, %0) {
        …  %go, %m2, %t2, %r2, %s = graph.if %more { …  graph.yield %true, %m, %t, %r1, %most }
                                    else { graph.yield %false, %n1, %x1, %x1, %0 }
        graph.yield %go, %m2, %t2, %r2, %s
      }
      graph.check_indices %more below 64 of "…"
      func.return %r
    }

The arguments that calls change, and the results, are the carried values.  The attribute
``tw.most_calls`` of a function limits the number of iterations, which a gradient needs; a
graph.check_indices after the loop makes a recursion that is deeper a run-time error.
Before: arguments and results are tensors.  After: a function that calls itself does so in another
position.
Exact: the same results.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import IntegerAttr, ModuleOp, TensorType, i1, i64
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Attribute, Block, Region, SSAValue

from ...dialects.graph import (
    MOST_CALLS,
    CallOp,
    CheckIndicesOp,
    IfOp,
    LoopOp,
    ReshapeOp,
    YieldOp,
    functions_of,
)
from ...dialects.graph.control import ITERATION
from ...dialects.shape import tensor_type
from ...support.passes import ExactPass
from .block_ops import BlockOps
from .calls import cycle_of, is_last, own_calls, replace_body


@dataclass(frozen=True)
class LoopTailCalls(ExactPass):
    """Turn functions that call themselves in tail position into loops."""

    name = "graph-loop-tail-calls"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        loop_tail_calls(op)


def loop_tail_calls(module: ModuleOp) -> bool:
    """Turn tail recursion into loops; return whether there was any."""
    found = [f for f in functions_of(module).values() if _is_tail_recursive(f)]
    for function in found:
        _TailLoop(function).convert()
    return bool(found)


def _is_tail_recursive(function: FuncOp) -> bool:
    if function.is_declaration or cycle_of(function) != [function]:
        return False
    types = *function.function_type.inputs, *function.function_type.outputs
    if not all(isinstance(type_, TensorType) for type_ in types):
        return False
    return all(is_last(call, function) for call in own_calls(function))


class _TailLoop:
    """The loop that replaces the body of a function."""

    def __init__(self, function: FuncOp) -> None:
        self.function, self.old = function, function.body.block
        self.block = Block(arg_types=self.old.arg_types)
        for new, argument in zip(self.block.args, self.old.args, strict=True):
            new.name_hint = argument.name_hint
        calls = own_calls(function)
        self.changed = [
            n for n, a in enumerate(self.old.args) if any(call.args[n] is not a for call in calls)
        ]
        self.goes_on, self.ends = (self._number(flag, i1) for flag in (1, 0))
        most = function.attributes.pop(MOST_CALLS, None)
        self.most = most.value.data if isinstance(most, IntegerAttr) else 0
        self.limit = self._number(self.most, i64) if self.most else None
        # The last carried value of a loop with a limit: the limit if the loop would go on, else 0.
        self.more = [] if self.limit is None else [self.limit]
        self.done = [] if self.limit is None else [self._number(0, i64)]

    def convert(self) -> None:
        """Replace the body of the function by the loop."""
        results = [BlockOps(self.block).number(0, t) for t in self.function.function_type.outputs]
        inits = [*(self.block.args[n] for n in self.changed), *results, *self.done]
        body = Block(arg_types=[ITERATION, *(v.type for v in inits)])
        count = len(self.changed)
        end = count + len(results)
        self.carried, self.results = body.args[1 : 1 + count], body.args[1 + count : 1 + end]
        known: dict[SSAValue, SSAValue] = dict(zip(self.old.args, self.block.args, strict=True))
        known.update({self.old.args[n]: a for n, a in zip(self.changed, self.carried, strict=True)})
        body.add_op(YieldOp(self._next(self.old, known, body)))
        loop = LoopOp(self.limit, self.goes_on, inits, Region(body))
        self.block.add_op(loop)
        if self.limit is not None:
            self._check(loop.results[-1])
        self.block.add_op(ReturnOp(*loop.results[count:end]))
        replace_body(self.function, self.block)

    def _next(self, source: Block, known: dict[SSAValue, SSAValue], home: Block) -> list[SSAValue]:
        """Append the ops of one iteration to a block; return the values that the iteration yields.

        These are whether another iteration follows, and the next value of each carried value.
        source: the block of the function, or of a branch in tail position.  known: maps values of
        the function to values of the loop.  home: the block to which the ops are appended.
        """
        last = source.last_op
        assert last is not None, "a block ends with a terminator"
        known = dict(known)
        for op in source.ops:
            if op is last.prev_op and is_last(op, self.function):
                if isinstance(op, CallOp) and op.function_name == self.function.sym_name.data:
                    args = (op.args[n] for n in self.changed)
                    values = *(known.get(a, a) for a in args), *self.results
                    return [self.goes_on, *values, *self.more]
                if isinstance(op, IfOp):
                    return self._branches(op, known, home)
            if op is not last:
                home.add_op(op.clone(known))
        results = (known.get(v, v) for v in last.operands)
        return [self.ends, *self.carried, *results, *self.done]

    def _branches(self, op: IfOp, known: dict[SSAValue, SSAValue], home: Block) -> list[SSAValue]:
        regions: list[Region] = []
        for branch in (op.then, op.otherwise):
            block = Block()
            block.add_op(YieldOp(self._next(branch.block, known, block)))
            regions.append(Region(block))
        made = IfOp(known.get(op.condition, op.condition), *regions)
        made.location = op.location
        home.add_op(made)
        return list(made.results)

    def _number(self, number: int, element: Attribute) -> SSAValue:
        return BlockOps(self.block).number(number, tensor_type(element, ()))

    def _check(self, surplus: SSAValue) -> None:
        """Check at run time that the recursion ended within the limit.

        surplus: the last carried value: the limit if the loop would go on, else 0.
        """
        place = f"{MOST_CALLS}: the recursion of @{self.function.sym_name.data} is deeper"
        index = BlockOps(self.block).value(ReshapeOp(surplus, [1]))
        self.block.add_op(CheckIndicesOp(index, [self.most], place))

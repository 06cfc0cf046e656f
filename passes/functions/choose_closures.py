"""graph-choose-closures: turn a choice between closures into a closure of a choosing function.

    %f = graph.if %c { …  %a = graph.closure @scale(%k)  graph.yield %a }
         else        { …  %b = graph.closure @shift(%d)  graph.yield %b } : tensor<i1> -> ((T) -> T)
==>
    %k1, %d1 = graph.if %c { …  graph.yield %k, %zero } else { …  graph.yield %zero, %d }
    %f = graph.closure @scale_or_shift(%c, %k1, %d1) : (tensor<i1>, T, T) -> ((T) -> T)

    func.func @scale_or_shift(%c: tensor<i1>, %k: T, %d: T, %x: T) -> T {
      %y = graph.if %c { %a = graph.call @scale(%k, %x)  graph.yield %a }
           else        { %b = graph.call @shift(%d, %x)  graph.yield %b } : tensor<i1> -> T
      func.return %y : T
    }

So the condition is the tag of the closure, and a chain of graph.if selects the function.
Before: graph-apply-closures ran.  After: no graph.if yields two known closures of tensors.
Exact: the same results.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import FunctionType, ModuleOp, TensorType
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.rewriter import Rewriter

from ...dialects.graph import CallOp, ClosureOp, IfOp, YieldOp
from ...support.blocks import returned, terminator
from ...support.passes import ExactPass
from ...support.rewriting import erase_dead_ops
from .block_ops import BlockOps
from .calls import fresh_name, replace_results


@dataclass(frozen=True)
class ChooseClosures(ExactPass):
    """Turn choices between closures into closures of choosing functions."""

    name = "graph-choose-closures"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        while choose_closures(op):
            erase_dead_ops(op)


def choose_closures(module: ModuleOp) -> bool:
    """Replace one choice between closures in each graph.if; return whether there was any."""
    changed = False
    for op in [each for each in module.walk() if isinstance(each, IfOp)]:
        last = _yields(op)
        number = next((n for n, pair in enumerate(zip(*last, strict=True)) if _known(pair)), None)
        if number is not None:
            _replace(op, number, module)
            changed = True
    return changed


def _yields(op: IfOp) -> tuple[Sequence[SSAValue], Sequence[SSAValue]]:
    return returned(op.then.block), returned(op.otherwise.block)


def _known(values: tuple[SSAValue, SSAValue]) -> bool:
    return all(
        isinstance(value.owner, ClosureOp)
        and all(isinstance(x.type, TensorType) for x in value.owner.args)
        for value in values
    )


def _replace(op: IfOp, number: int, module: ModuleOp) -> None:
    """Replace result ``number`` of a graph.if by a closure of a function that chooses likewise."""
    pair = [values[number].owner for values in _yields(op)]
    one, other = pair
    assert isinstance(one, ClosureOp), "a known closure"
    assert isinstance(other, ClosureOp), "a known closure"
    held = [list(one.args), list(other.args)]
    regions = [op.detach_region(region) for region in (op.then, op.otherwise)]
    for at, region in enumerate(regions):
        last = terminator(region.block, YieldOp)
        absent = [BlockOps(region.block, last).number(0, v.type) for v in held[1 - at]]
        parts = [held[0], absent] if at == 0 else [absent, held[1]]
        rest = [v for n, v in enumerate(last.values) if n != number]
        region.block.insert_op_before(YieldOp([*rest, *parts[0], *parts[1]]), last)
        Rewriter.erase_op(last)
    made = IfOp(op.condition, *regions)
    made.location = op.location
    home = BlockOps.ahead_of(op)
    home.append(made)
    count = len(op.results) - 1
    chooser = _chooser(module, one, other, op.results[number].type, op.condition.type)
    closure = ClosureOp(chooser, [op.condition, *made.results[count:]], [op.results[number].type])
    home.append(closure)
    results = list(made.results[:count])
    results.insert(number, closure.results[0])
    replace_results(op, results)


def _chooser(
    module: ModuleOp, one: ClosureOp, other: ClosureOp, type_: Attribute, tag: Attribute
) -> str:
    """Append a function that calls the function of one of two closures; return its name.

    one, other: the closures that are chosen if the condition is true, and if it is false.
    type_: the type of the chosen closure.
    tag: the type of the condition, which is the first argument of the function.
    """
    assert isinstance(type_, FunctionType), "the op chooses functions"
    held = [[a.type for a in each.args] for each in (one, other)]
    block = Block(arg_types=[tag, *held[0], *held[1], *type_.inputs])
    first, second = len(held[0]), len(held[0]) + len(held[1])
    condition, *args = block.args
    captured = args[:first], args[first:second]
    outputs = type_.outputs.data

    def branch(callee: str, own: Sequence[SSAValue]) -> Region:
        call = CallOp(callee, [*own, *args[second:]], outputs)
        return Region(Block([call, YieldOp(call.results)]))

    names = one.function_name, other.function_name
    chosen: Operation = IfOp(condition, *map(branch, names, captured))
    block.add_ops([chosen, ReturnOp(*chosen.results)])
    name = fresh_name(module, "_or_".join(names))
    types = [a.type for a in block.args], list(outputs)
    module.body.block.add_op(FuncOp(name, types, Region(block)))
    return name

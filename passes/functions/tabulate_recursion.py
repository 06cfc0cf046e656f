"""graph-tabulate-recursion: turn a recursion over a data type into a scan over the nodes.

    func.func @sum(%t: !graph.data<@tree, n>) -> T {
      %s = graph.match %t { ^bb0(%x):  graph.yield %x } { ^bb0(%x, %l, %r):
        %a = graph.call @sum(%l)   %b = graph.call @sum(%r)   …  graph.yield %c
      }
      func.return %s
    }
==>
    func.func @sum(%t: !graph.data<@tree, n>) -> T {
      %sums = graph.scan <n> carry(%done = %zeros : tensor<nxT>) over(%i = %numbers) {
        %u = graph.node_at %t, %i
        %s = graph.match %u { …  } { ^bb0(%x, %l, %r):
          %p = graph.node_number %l   %a = graph.gather %done, %p axis 0   …  graph.yield %c
        }
        %next = graph.scatter_nd %done, %i, %s "none"   graph.yield %next
      }
      %k = graph.node_number %t    %s = graph.gather %sums, %k axis 0    func.return %s
    }

Fields stand before the nodes that have them, so the results for the fields are known.
Before: nothing.  After: a function that calls itself does so with other arguments than fields of a
node, passes other arguments on, or is a tail recursion.
Exact: the same results; those of nodes that the root does not contain are computed, too.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, TensorType, i64
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, BlockArgument, Region, SSAValue

from ...dialects.data_type import NodeType
from ...dialects.graph import (
    CallOp,
    IotaOp,
    MatchOp,
    NodeAtOp,
    NodeNumberOp,
    ScanOp,
    YieldOp,
    functions_of,
)
from ...dialects.shape import dims_of, tensor_type, type_of
from ...support.blocks import returned
from ...support.passes import ExactPass
from .block_ops import BlockOps
from .calls import calls_itself, is_last, own_calls, replace_body, replace_results


@dataclass(frozen=True)
class TabulateRecursion(ExactPass):
    """Turn recursions over a data type into scans over the nodes."""

    name = "graph-tabulate-recursion"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        tabulate_recursion(op)


def tabulate_recursion(module: ModuleOp) -> bool:
    """Turn recursions over a data type into scans; return whether there were any."""
    changed = False
    for function in functions_of(module).values():
        place = _place(function)
        if place is not None:
            _tabulate(function, place)
            changed = True
    return changed


def _place(function: FuncOp) -> int | None:
    """Return the number of the argument along which a function recurses; None if there is none.

    The argument is a node of a data type, and every recursive call passes a field of the node for
    it. None if a call passes another value for another argument, if a result is not a tensor, or
    for a tail recursion.
    """
    if function.is_declaration or not calls_itself(function):
        return None
    calls, arguments = own_calls(function), function.body.block.args
    returns_tensors = all(isinstance(t, TensorType) for t in function.function_type.outputs)
    if not returns_tensors or all(is_last(call, function) for call in calls):
        return None
    for number, argument in enumerate(arguments):
        others = [a for a in arguments if a is not argument]
        if isinstance(argument.type, NodeType) and all(
            _is_field(call.args[number], argument)
            and [a for n, a in enumerate(call.args) if n != number] == others
            for call in calls
        ):
            return number
    return None


def _is_field(value: SSAValue, node: SSAValue) -> bool:
    """Return whether a value is a field of a node, or a field of one of its fields."""
    if not isinstance(value, BlockArgument):
        return False
    match = value.owner.parent_op()
    return isinstance(match, MatchOp) and (match.node is node or _is_field(match.node, node))


def _tabulate(function: FuncOp, place: int) -> None:
    old, name = function.body.block, function.sym_name.data
    block = Block(arg_types=old.arg_types)
    home = BlockOps(block)
    node = block.args[place]
    assert isinstance(node.type, NodeType), "the argument is a node"
    types = [type_of(v) for v in returned(old)]
    stacks = [tensor_type(t.element_type, (node.type.nodes, *dims_of(t))) for t in types]
    inits = [home.number(0, stack) for stack in stacks]
    numbers = home.value(IotaOp([node.type.nodes], 0, i64))
    body = Block(arg_types=[*stacks, tensor_type(i64, ())])
    *done, number = body.args
    step = BlockOps(body)
    known: dict[SSAValue, SSAValue] = dict(zip(old.args, block.args, strict=True))
    known[old.args[place]] = step.value(NodeAtOp(node, number))
    values = step.copies(old, known)
    for call in [op for op in body.walk() if isinstance(op, CallOp) and op.function_name == name]:
        before = BlockOps.ahead_of(call)
        field = before.value(NodeNumberOp(call.args[place]))
        replace_results(call, [before.row(stack, field) for stack in done])
    step.append(YieldOp([step.with_row(*each, number) for each in zip(done, values, strict=True)]))
    scan = ScanOp(node.type.nodes, inits, [numbers], Region(body))
    home.append(scan)
    root = home.value(NodeNumberOp(node))
    block.add_op(ReturnOp(*(home.row(stack, root) for stack in scan.results)))
    replace_body(function, block)

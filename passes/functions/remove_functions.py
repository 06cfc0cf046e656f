"""graph-remove-functions: inline all functions, so that main is the only function.

    func.func @twice(%f: (T) -> T, %x: T) -> T { …  graph.apply %f(%x) … }
    func.func @main(%k: T, %x: T) -> T {
      %f = graph.closure @scale(%k) : (T) -> ((T) -> T)
      %y = graph.call @twice(%f, %x) : ((T) -> T, T) -> T
      func.return %y : T
    }
==>
    func.func @main(%k: T, %x: T) -> T {
      %a = graph.mul %k, %x : T
      %y = graph.mul %k, %a : T
      func.return %y : T
    }

It runs graph-apply-closures, graph-inline-calls, graph-choose-closures, graph-tabulate-recursion,
graph-expand-data, graph-specialize-calls, graph-loop-tail-calls and graph-stack-recursion until
none of them changes the program.  It erases the functions of graph ops that nothing calls, and the
data types.
Before: main takes and returns tensors.  After: there are no calls and function values.
Exact: as graph-loop-tail-calls.
Errors: UnsupportedOp for a general recursion without ``tw.most_calls``, and for a function value
that is not known at compile time.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, SymbolRefAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation
from xdsl.rewriter import Rewriter

from ...dialects.graph import (
    ApplyOp,
    CallOp,
    DataOp,
    DataValueOp,
    GraphOp,
    MatchOp,
    NamingOp,
    NodeAtOp,
    NodeNumberOp,
    functions_of,
)
from ...support.diagnostics import UnsupportedOp
from ...support.entry import find_entry
from ...support.passes import ExactPass
from ...support.rewriting import erase_dead_ops
from .apply_closures import apply_closures
from .calls import cycle_of, until_unchanged
from .choose_closures import choose_closures
from .expand_data import check_tables, expand_data
from .inline_calls import inline_calls
from .loop_tail_calls import loop_tail_calls
from .specialize_calls import FunctionCopies
from .stack_recursion import obstacle, stack_recursion
from .tabulate_recursion import tabulate_recursion


@dataclass(frozen=True)
class RemoveFunctions(ExactPass):
    """Inline all functions, so that main is the only function of graph ops."""

    name = "graph-remove-functions"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        remove_functions(op)


_REMOVED = NamingOp, ApplyOp, DataValueOp, MatchOp, NodeAtOp, NodeNumberOp
"""The ops that the pass removes from functions."""


def remove_functions(module: ModuleOp) -> None:
    """Inline all functions of graph ops into main.

    Errors: UnsupportedOp for a recursion that cannot become a loop, and for a function value that
    is not known at compile time.
    """
    erase_uncalled(module)
    if not any(isinstance(op, _REMOVED) for op in module.walk()):
        return
    check_tables(module)

    def erase_unused(module: ModuleOp) -> bool:
        return erase_dead_ops(module) | erase_uncalled(module)

    copies = FunctionCopies(module)
    until_unchanged(
        module,
        erase_unused,
        apply_closures,
        inline_calls,
        choose_closures,
        tabulate_recursion,
        expand_data,
        copies.specialize,
        loop_tail_calls,
        stack_recursion,
    )
    for op in module.walk():
        if isinstance(op, _REMOVED):
            raise _left(op).at(op)
    for op in module.ops:
        if isinstance(op, DataOp):
            Rewriter.erase_op(op)


def erase_uncalled(module: ModuleOp) -> bool:
    """Erase the functions of graph ops that main does not need; return whether there were any."""
    functions, entry = functions_of(module), find_entry(module)
    if len(functions) < 2 or entry is None:
        return False
    needed, waiting = {entry.sym_name.data}, [entry]
    while waiting:
        for op in waiting.pop().walk():
            names = {
                attribute.root_reference.data
                for attribute in op.properties.values()
                if isinstance(attribute, SymbolRefAttr)
            }
            waiting += [functions[name] for name in names - needed if name in functions]
            needed |= names
    unused = [f for name, f in functions.items() if name not in needed and _is_graph(f)]
    for function in unused:
        Rewriter.erase_op(function)
    return bool(unused)


def _is_graph(function: FuncOp) -> bool:
    return any(isinstance(op, GraphOp) for block in function.body.blocks for op in block.ops)


def _left(op: Operation) -> UnsupportedOp:
    match op:
        case CallOp():
            expected, hint = obstacle(cycle_of(op.function)) or (
                "another recursion",
                "report this program",
            )
            return UnsupportedOp(
                f"@{op.function_name} calls itself, and not only in tail position",
                expected=expected,
                hint=hint,
            )
        case DataValueOp() | MatchOp() | NodeAtOp() | NodeNumberOp():
            return UnsupportedOp(
                "the table of a node is not known at compile time",
                expected="a graph.table or a graph.construct",
                hint="match on the node in the branch that makes it",
            )
        case _:
            return UnsupportedOp(
                "a function value is not known at compile time",
                expected="a graph.closure, or one that graph.if chooses",
                hint="call the function where the closure is made",
            )

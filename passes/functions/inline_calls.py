"""graph-inline-calls: replace calls by the bodies of the called functions.

    func.func @square(%x: T) -> T { %y = graph.mul %x, %x  func.return %y }
    %a = graph.call @square(%b) : (T) -> T
==>
    %a = graph.mul %b, %b : T

A call of a function that contains a call of itself stays.  Functions that call each other in a
cycle are inlined until one of them calls itself.
Before: nothing.  After: each called function calls itself.
Exact: the same results.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from ...dialects.graph import functions_of
from ...support.passes import ExactPass
from .calls import calls_in, calls_itself, replace_by_copies, until_unchanged


@dataclass(frozen=True)
class InlineCalls(ExactPass):
    """Replace calls by the bodies of the called functions."""

    name = "graph-inline-calls"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        until_unchanged(op, inline_calls)


def inline_calls(module: ModuleOp) -> bool:
    """Inline one level of calls in each function; return whether there were any."""
    changed = False
    for function in functions_of(module).values():
        for call in calls_in(function):
            callee = call.function
            if callee is function or callee.is_declaration or calls_itself(callee):
                continue
            replace_by_copies(call, callee.body.block, list(call.args))
            changed = True
    return changed

"""graph-cse: eliminate common subexpressions within a block.

    %a = graph.exp %x     %b = graph.exp %x     return %a, %b
==>
    %a = graph.exp %x     return %a, %a

The first op stays, with its location and names.

Before: nothing.  After: within a block, no two ops without side effects and regions agree in type,
operands, properties, attributes and result types.
Exact: the same results.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation
from xdsl.rewriter import Rewriter
from xdsl.traits import IsTerminator, is_side_effect_free

from ...support.passes import ExactPass


@dataclass(frozen=True)
class Cse(ExactPass):
    """Replace ops that repeat an earlier op of their block."""

    name = "graph-cse"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for parent in list(op.walk()):
            for region in parent.regions:
                for block in region.blocks:
                    _merge(block)


def _merge(block: Block) -> None:
    first: dict[Hashable, Operation] = {}
    for op in list(block.ops):
        if op.regions or not is_side_effect_free(op) or op.has_trait(IsTerminator):
            continue
        kept = first.setdefault(_key(op), op)
        if kept is op:
            continue
        for result, other in zip(op.results, kept.results, strict=True):
            result.replace_all_uses_with(other)
        Rewriter.erase_op(op)


def _key(op: Operation) -> Hashable:
    """Return a hash key that equal ops share; weights are compared by a hash of their content."""
    return (
        type(op),
        tuple(op.operands),
        frozenset(op.properties.items()),
        frozenset(op.attributes.items()),
        tuple(op.result_types),
    )

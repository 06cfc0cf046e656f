"""graph-prove-indices: drop index checks that cannot fail or that repeat an earlier check.

    %i = graph.arg_reduce %x max axis 1 : tensor<4x9xf32> -> tensor<4xi64>
    graph.check_indices %i below <9> wraps of "Gather" : tensor<4xi64>
    graph.check_indices %ids below <50> of "A" : tensor<6xi64>
    graph.check_indices %ids below <50> of "B" : tensor<6xi64>
==>
    %i = graph.arg_reduce %x max axis 1 : tensor<4x9xf32> -> tensor<4xi64>
    graph.check_indices %ids below <50> of "A" : tensor<6xi64>

Ranges come from analysis/bounds/ranges.py.  A check in a region is dropped if an enclosing block
makes the same check before the region's op.

Before: nothing.  After: no check is dominated by a check of the same value, sizes and ``wraps``;
constants are in range, except in regions that may not run.
Exact. Errors: ModelError for a constant index that is out of range.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block
from xdsl.rewriter import Rewriter

from ...analysis.bounds.ranges import Ranges
from ...dialects.graph import CheckIndicesOp
from ...interp.indices import find_outside
from ...support.diagnostics import ModelError
from ...support.entry import defined_functions
from ...support.passes import ExactPass
from .constant_values import known_array


@dataclass(frozen=True)
class ProveIndices(ExactPass):
    """Drop index checks that provably hold or repeat an earlier check."""

    name = "graph-prove-indices"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in defined_functions(op):
            _prove(function.body.block, frozenset(), Ranges())


def _prove(block: Block, made: frozenset[Hashable], ranges: Ranges) -> None:
    """Drop the index checks of a block, and of the regions of its ops, that cannot fail.

    made: keys (value, sizes, wraps) of the checks that run before the block; a check with one of
    these keys is dropped, too.
    ranges: the ranges of integer values.
    """
    for op in list(block.ops):
        if isinstance(op, CheckIndicesOp):
            key = (op.x, op.sizes, op.wraps)
            if key in made or _holds(op, ranges):
                Rewriter.erase_op(op)
            made |= {key}
        for inner in (block for region in op.regions for block in region.blocks):
            _prove(inner, made, ranges)


def _holds(op: CheckIndicesOp, ranges: Ranges) -> bool:
    """Return whether an index check cannot fail.

    Errors: ModelError if a constant index is out of range for all inputs.
    """
    sizes = [size.value for size in op.sizes if size.value is not None]
    if len(sizes) < len(op.sizes):
        return False
    array = known_array(op.x)
    if array is not None:
        wrong = find_outside(array, sizes, wraps=op.wraps)
        if wrong is not None and isinstance(op.parent_op(), FuncOp):
            raise wrong.error(op.place, ModelError, "correct what the indices are computed from")
        return wrong is None
    span = ranges.of(op.x)
    low = -min(sizes) if op.wraps else 0
    return span is not None and low <= span[0] and span[1] < min(sizes)

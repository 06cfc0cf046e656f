"""graph-append-states: let a state grow in place, so that a call writes only its new rows.

    main(%past: 1x12xpx64, ..) -> (1x12x(p + s)x64, ..)      main(%past: px1x12x64, ..)
      %k = graph.concat %past, %new axis 2                     %rows = graph.append %past, %moved
      .. reads %k ..                                     ==>   .. reads (graph.transpose %rows) ..
      return %k, ..                                            return %rows, ..

A state is an input and the result of main that becomes this input in the next call.  If the result
is a concat whose first operand is the input, the axis of the concat becomes the outermost axis of
both: the state is then a prefix of the result, and a caller that passes both in the same memory
copies only the new rows.  Other states stay as they are.

Before: main's attribute ``tw.states`` has the names of each state's input and result.
After: instead, ``tw.appends`` lists for each rewritten state the indices of the input and of the
result, and the axis that became the outermost.
Errors: ModelError for a state whose names main does not have.
Exact: rows keep their values.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, TensorType
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, BlockArgument, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from ...dialects.graph import AppendOp, ConcatOp, TransposeOp
from ...dialects.results import Append, record_appends, take_states
from ...dialects.shape import dims_of, tensor_type, type_of
from ...support.blocks import terminator
from ...support.entry import entry_of
from ...support.rewriting import insert_before
from .eliminate_transposes import inverse


@dataclass(frozen=True)
class AppendStates(ModulePass):
    """Replace the concat that extends a state by a graph.append along its outermost axis."""

    name = "graph-append-states"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        main = entry_of(op)
        found: list[Append] = []
        for taken, made in take_states(main):
            found += _rewritten(main, taken, made)
        if found:
            record_appends(main, found)
            main.update_function_type()


def _rewritten(main: FuncOp, position: int, result: int) -> list[Append]:
    """Replace the concat that extends one state by a graph.append, and return its record in a list.

    position, result: the indices of the state's argument and of its result in the main function.
    Returns [] if no concat extends the state.
    """
    block = main.body.block
    state, last = block.args[position], terminator(block, ReturnOp)
    op = last.operands[result].owner
    if not isinstance(op, ConcatOp) or op.xs[0] is not state or len(op.xs) != 2:
        return []
    if list(last.operands).count(op.out) > 1 or op.parent is not block:
        return []
    axis, rank = op.axis, len(dims_of(type_of(state)))
    perm = [axis, *(a for a in range(rank) if a != axis)]
    past = _permuted(state, perm, block)
    moved = TransposeOp(op.xs[1], perm)
    rows = AppendOp(past, moved.out)
    whole = TransposeOp(rows.out, inverse(perm))
    insert_before(op, moved, rows, whole)
    rows.out.name_hint = op.out.name_hint
    last.operands[result] = rows.out
    op.out.replace_all_uses_with(whole.out)
    Rewriter.erase_op(op)
    return [Append(position, result, axis)]


def _permuted(state: BlockArgument, perm: Sequence[int], block: Block) -> SSAValue:
    """Permute the axes in the type of ``state``, an argument of main, and return the argument.

    A transpose restores the old order of the axes for all users of the argument.
    perm: the old number of each new axis.
    block: the body of main, at whose start the transpose is inserted.
    """
    old = type_of(state)
    dims = dims_of(old)
    new: TensorType = tensor_type(old.element_type, [dims[a] for a in perm])
    argument = Rewriter.replace_value_with_new_type(state, new)
    back = TransposeOp(argument, inverse(perm))
    argument.replace_uses_with_if(back.out, lambda use: use.operation is not back)
    Rewriter.insert_op(back, InsertPoint.at_start(block))
    return argument

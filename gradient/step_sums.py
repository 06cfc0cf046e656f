"""Sums over the steps of a scan, computed once after the scan.

    %s = %s0 + matmul(%aᵀ, %b)   in each step   →   matmul(%asᵀ, %bs)   after the scan

In: a value of the region of a scan, whose sum over the steps is needed.  Out: the values that the
scan has to stack, and the sum, computed from the stacks.  One product of all steps is faster than a
small product per step.  A product that a branch yields is moved behind the branch first:

    %s = if %c { yield matmul(%aᵀ, %b) } else { yield %zeros }
    →   %x, %y = if %c { yield %a, %b } else { yield %zeros, %zeros },   %s = matmul(%xᵀ, %y)
"""

from __future__ import annotations

from collections.abc import Mapping

from xdsl.ir import Block, Operation, OpResult, SSAValue

from ..dialects.graph import (
    AddOp,
    BroadcastOp,
    ConstantOp,
    IfOp,
    MatmulOp,
    ReduceOp,
    TransposeOp,
    YieldOp,
)
from ..dialects.shape import dims_of, element_count, type_of
from ..support.blocks import terminator
from ..support.rewriting import add_results, drop_result
from .builder import GradientBuilder


def behind_branches(value: SSAValue, block: Block, moved: dict[SSAValue, SSAValue]) -> SSAValue:
    """Return a value of a scan's region in which products of branches are behind the graph.if.

    Both branches must yield equal products of matrices, or zeros. The operands replace the product
    in the results of the graph.if.
    value: the value that is summed over the steps.  block: the block of the region.
    moved: the products behind branches, by the results that they replaced; gets the new ones.
    """
    for term in _terms(moved.get(value, value), block):
        made = _behind_branch(term, block, moved)
        if made is not term:
            moved[term] = made
    return moved.get(value, value)


def _terms(value: SSAValue, block: Block) -> list[SSAValue]:
    """Return the values of a block whose transposes and sums are a value of the block."""
    found, pending, seen = list[SSAValue](), [value], set[SSAValue]()
    while pending:
        each = pending.pop()
        op = each.owner
        if each in seen or not isinstance(op, Operation) or op.parent is not block:
            continue
        seen.add(each)
        if isinstance(op, TransposeOp | AddOp):
            pending += op.operands
        else:
            found.append(each)
    return found


def _behind_branch(value: SSAValue, block: Block, moved: dict[SSAValue, SSAValue]) -> SSAValue:
    """Move the product that the branches of a graph.if yield behind it; return the new product.

    If nothing moves, return the value; else the product has taken the place of the value.
    """
    op = value.owner
    if not isinstance(op, IfOp):
        return value
    assert isinstance(value, OpResult), "a result of the graph.if"
    blocks = op.then.block, op.otherwise.block
    ends = [terminator(each, YieldOp) for each in blocks]
    yields = [
        behind_branches(each.values[value.index], branch, moved)
        for each, branch in zip(ends, blocks, strict=True)
    ]
    products = [y.owner for y in yields if isinstance(y.owner, MatmulOp)]
    others = [y for y in yields if not isinstance(y.owner, MatmulOp)]
    alike = {(*(x.type for x in each.operands), *each.properties.items()) for each in products}
    if len(alike) != 1 or not all(map(_is_zero, others)) or not _is_of_matrices(products[0]):
        return value
    for each, branch, y in zip(ends, blocks, yields, strict=True):
        home = GradientBuilder(branch, each)
        product = y.owner if isinstance(y.owner, MatmulOp) else None
        operands = product.operands if product else map(home.zeros, products[0].operands)
        kept = [x for n, x in enumerate(each.values) if n != value.index]
        each.operands = [*kept, *operands]
    first = products[0]
    operands = add_results(op, [x.type for x in first.operands])
    turns = {"transpose_lhs": first.transpose_lhs, "transpose_rhs": first.transpose_rhs}
    made = MatmulOp(*operands, **turns)
    block.insert_op_after(made, op)
    value.replace_all_uses_with(made.out)
    drop_result(value)
    return made.out


def _is_of_matrices(op: MatmulOp) -> bool:
    return op.acc is None and all(len(dims_of(type_of(x))) == 2 for x in op.operands)


def _is_zero(value: SSAValue) -> bool:
    """Return whether a value is a constant 0, or repeats one."""
    op = value.owner
    known = op.x.owner if isinstance(op, BroadcastOp) else op
    return isinstance(known, ConstantOp) and not known.array.any()


def stacked_values(value: SSAValue, block: Block) -> list[SSAValue] | None:
    """Return the values of a scan's region whose stacks suffice to compute a sum over the steps.

    value: the value that is summed over the steps.
    block: the block of the region.
    Returns None for a value that `step_sum` cannot compute from stacks. It can for products of two
    matrices and for sums over axes, if their operands are values of the block, and for sums and
    transposes of these.
    """
    op = value.owner
    if not isinstance(op, Operation) or op.parent is not block:
        return None
    if isinstance(op, TransposeOp):
        return stacked_values(op.x, block)
    if isinstance(op, AddOp):
        parts = [stacked_values(x, block) for x in (op.lhs, op.rhs)]
        known = [part for part in parts if part is not None]
        return None if len(known) < len(parts) else [x for part in known for x in part]
    inside = all(_block_of(x) is block for x in op.operands)
    if isinstance(op, ReduceOp):
        return [op.x] if inside and op.kind == "sum" else None
    is_product = isinstance(op, MatmulOp) and _is_of_matrices(op)
    return list(op.operands) if inside and is_product else None


def step_sum(value: SSAValue, stacks: Mapping[SSAValue, SSAValue], b: GradientBuilder) -> SSAValue:
    """Append the sum of a value over the steps of a scan; return the sum.

    stacks: the stack of each value that `stacked_values` returns.
    """
    op = value.owner
    if isinstance(op, TransposeOp):
        return b.transpose(step_sum(op.x, stacks, b), op.perm)
    if isinstance(op, AddOp):
        return b.add(step_sum(op.lhs, stacks, b), step_sum(op.rhs, stacks, b))
    if isinstance(op, ReduceOp):
        return b.sum(b.sum(stacks[op.x], [0]), op.axes, keep=op.keep)
    assert isinstance(op, MatmulOp), f"stacked_values accepts no {value}"
    lhs = _merged(stacks[op.lhs], b, is_leading=op.transpose_lhs)
    rhs = _merged(stacks[op.rhs], b, is_leading=not op.transpose_rhs)
    return b.matmul(lhs, rhs, turn_x=op.transpose_lhs, turn_y=op.transpose_rhs)


def _merged(stack: SSAValue, b: GradientBuilder, *, is_leading: bool) -> SSAValue:
    """Merge the steps into one dimension of a stack of matrices [steps, rows, columns].

    The result is the matrix over which one product sums at once.
    is_leading: whether the steps are merged with the rows, otherwise with the columns.
    """
    steps, rows, columns = dims_of(type_of(stack))
    if is_leading:
        return b.reshape(stack, [element_count([steps, rows]), columns])
    moved = b.transpose(stack, [1, 0, 2])
    return b.reshape(moved, [rows, element_count([steps, columns])])


def _block_of(value: SSAValue) -> Block | None:
    owner = value.owner
    return owner if isinstance(owner, Block) else owner.parent_block()

"""te-form-attention: normalize a softmax between two matrix products after the second product.

    %e = te.compute @softmax_exp …  %l = te.compute @softmax_sum … then { 1 / sum }
    %p = te.compute @softmax … body { e * l }
    %o = te.compute @matmul ins(%p[i, j], %v[j, n]) outs([i, n] add 0.0 …) body { p * v }
==>
    %e = te.compute @attention_exp …  %l = te.compute @attention_sum … then { 1 / sum }
    %o = te.compute @attention ins(%e[i, j], %v[j, n]) post(%l[i]) … body { e * v } then { o * l }

The probabilities are then never stored, and te-outline keeps scores and exponentials in one
kernel.  Divisions of the scores by a constant become products with its reciprocal, and constant
triangular masks become comparisons of positions (triangular_mask.py).  Where exporters replace NaN
of the softmax by 0, for queries that see no key, ``then`` replaces all results of such a query.

Before: main in value form, after te-fuse-elementwise.  After: a sum over a softmax without other
readers applies the softmax's factor in ``then``.
Error: one rounding per score for the reciprocal and one per output differ.  Sums do not overflow
earlier, because exponentials are at most 1.  With replaced NaN, a query that sees no key gives 0
also for values (V) that are not finite, which 0 times such a value is not.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from xdsl.context import Context
from xdsl.dialects import arith
from xdsl.dialects.builtin import FloatAttr, ModuleOp, StringAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Region, SSAValue
from xdsl.passes import ModulePass

from ...analysis.attention import (
    Attention,
    find_attention,
    is_exponential,
    is_weighted_sum,
    producer_of,
    readers_of,
)
from ...dialects.index_syntax import typed_scalar
from ...dialects.packed import host_blocks
from ...dialects.te import Access, ComputeOp, ComputeView
from ...support.locations import fused_location
from ...support.rewriting import swap_op
from ..rewrite.compose import copy_body, finish_body, inline_producer, is_elementwise
from .masked_softmax import with_nan, zero_unless_finite
from .triangular_mask import with_conditions

NAMES = (
    "attention_scores",
    "attention_max",
    "attention_exp",
    "attention_sum",
    "attention",
)


@dataclass(frozen=True)
class FormAttention(ModulePass):
    """Normalize softmax after the product that reads it."""

    name = "te-form-attention"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        form_attention(op)


def form_attention(
    module: ModuleOp, accepts: Callable[[Attention | None], bool] = lambda _: True
) -> None:
    """Normalize softmax after the product that reads it.

    accepts: whether to form an attention; it is given None for a chain that none describes yet.
    """
    for func in list(module.ops):
        if isinstance(func, FuncOp) and func.body.blocks:
            for block in list(host_blocks(func.body.block)):
                _form(block, accepts)


def _form(block: Block, accepts: Callable[[Attention | None], bool]) -> None:
    for op in [o for o in block.ops if isinstance(o, ComputeOp)]:
        view = _with_factor_last(op.view())
        if view is None:
            continue
        read, old = [producer_of(a) for a in op.view().inputs], op.clone()
        new = swap_op(op, ComputeOp.from_view(view))
        unused = [s for s in read if s is not None and not readers_of(s)]
        places = [(source, source.parent, source.next_op) for source in unused]
        for source in unused:
            source.detach()
        attention = find_attention(new)
        if not accepts(attention):
            for source, home, following in reversed(places):
                assert home is not None, "the source stood in a block"
                assert following is not None, "a reader follows"
                home.insert_op_before(source, following)
            swap_op(new, old)
            continue
        new.location = fused_location(o.location for o in (*unused, new))
        for each in (old, *unused):
            each.erase()
        if attention is not None:
            _finish(attention)
            _compare_positions(attention)


def _with_factor_last(view: ComputeView, *, replaces_nan: bool = False) -> ComputeView | None:
    """Return a sum over a softmax with the reciprocal of its sum moved to ``then``.

    replaces_nan: whether 0 stands for NaN of the softmax.
    """
    if is_weighted_sum(view):
        for access in view.inputs:
            source = producer_of(access)
            if source is None or len(list(source.results[0].uses)) != 1:
                continue
            plain = with_nan(source.view())
            inlined = _inline_scaling(view, access, plain or source.view())
            if inlined is not None:
                return _with_factor_last(inlined, replaces_nan=replaces_nan or plain is not None)
    factor = _constant_factor(view)
    return None if factor is None else _move_factor(view, factor, replaces_nan=replaces_nan)


def _inline_scaling(view: ComputeView, access: Access, source: ComputeView) -> ComputeView | None:
    """Inline the normalization of a softmax into the sum that reads it."""
    if not is_elementwise(source) or not any(_is_exps(a) for a in source.inputs):
        return None
    return inline_producer(view, access, source)


def _is_exps(access: Access) -> bool:
    producer = producer_of(access)
    return producer is not None and is_exponential(producer.view())


def _constant_factor(view: ComputeView) -> Access | None:
    """Return the one of three factors of a summed product that does not depend on the sum."""
    if len(view.outputs) != 1 or view.outputs[0].combiner != "add" or len(view.inputs) != 3:
        return None
    reduced = set(view.reduced_axes())
    arguments: list[SSAValue] = list(view.body.block.args)
    if sorted(map(arguments.index, _factors(view.body))) != [0, 1, 2]:
        return None
    fixed = [a for a in view.inputs if a.indices is not None and not a.axes() & reduced]
    return fixed[0] if len(fixed) == 1 and any(map(_is_exps, view.inputs)) else None


def _factors(body: Region) -> list[SSAValue]:
    """Return the arguments of a body that only multiplies them, empty for other bodies."""
    last = body.block.last_op
    assert last is not None, "a region ends with te.yield"
    found: list[SSAValue] = []
    pending = [last.operands[0]]
    while pending:
        value = pending.pop()
        if isinstance(value.owner, arith.MulfOp):
            pending += value.owner.operands
        elif value in body.block.args:
            found.append(value)
        else:
            return []
    return found


def _move_factor(view: ComputeView, factor: Access, *, replaces_nan: bool) -> ComputeView:
    """Return a sum of products that multiplies by a factor once, after the sum."""
    kept = [a for a in view.inputs if a is not factor]
    types = [a.argument_type for a in kept]
    body = Block(arg_types=types)
    product = arith.MulfOp(body.args[0], body.args[1])
    body.add_op(product)
    finish_body(body, [product.result])
    post = [*view.post, factor]
    then = Block(arg_types=[types[0], *(a.argument_type for a in post)])
    scaled = arith.MulfOp(then.args[0], then.args[-1])
    then.add_op(scaled)
    result = (
        zero_unless_finite(then, scaled.result, then.args[-1]) if replaces_nan else scaled.result
    )
    values: list[SSAValue] = [result]
    if view.then.blocks:
        values = copy_body(then, view.then.block, [result, *then.args[1:-1]])
    finish_body(then, values)
    return replace(view, inputs=kept, post=post, body=Region(body), then=Region(then))


def _finish(attention: Attention) -> None:
    """Name the computes of an attention; replace divisions of the scores by products."""
    for op, name in zip(attention.members, NAMES, strict=True):
        op.properties["sym_name"] = StringAttr(name)
    then = attention.scores.then
    if then.blocks:
        for op in list(then.block.ops):
            if isinstance(op, arith.DivfOp):
                _multiply(op)


def _compare_positions(attention: Attention) -> None:
    """Replace constant triangular masks of the scores by comparisons of positions."""
    scores, keys = attention.scores.view(), attention.keys_of(0)
    if attention.query is None or keys is None:
        return
    compared = with_conditions(scores, attention.sharing.axis_of[0][attention.query], keys)
    if compared is not None:
        swap_op(attention.scores, ComputeOp.from_view(compared))


def _multiply(division: arith.DivfOp) -> None:
    """Replace a division by a constant by a product, if the reciprocal is a normal number."""
    owner = division.rhs.owner
    if not isinstance(owner, arith.ConstantOp) or not isinstance(owner.value, FloatAttr):
        return
    divisor = owner.value.value.data
    if not 1e-30 < abs(divisor) < 1e30:
        return
    block = division.parent_block()
    assert block is not None, "the division stands in a region"
    number = typed_scalar(1 / divisor, division.result.type)
    reciprocal = arith.ConstantOp(number)  # pyright: ignore[reportArgumentType]
    product = arith.MulfOp(division.lhs, reciprocal.result)
    block.insert_ops_before([reciprocal, product], division)
    division.result.replace_all_uses_with(product.result)
    division.detach()
    division.erase()
    if not owner.result.uses:
        owner.detach()
        owner.erase()

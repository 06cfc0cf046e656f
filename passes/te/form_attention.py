"""te-form-attention: normalize a softmax between two matrix products after the second product.

    %e = te.compute @softmax_exp …  %l = te.compute @softmax_sum … then { 1 / sum }
    %p = te.compute @softmax … body { e * l }
    %o = te.compute @matmul ins(%p[i, j], %v[j, n]) outs([i, n] add 0.0 …) body { p * v }
==>
    %e = te.compute @attention_exp …  %l = te.compute @attention_sum … then { 1 / sum }
    %o = te.compute @attention ins(%e[i, j], %v[j, n]) post(%l[i]) … body { e * v } then { o * l }

The probabilities are then never stored, and te-outline keeps scores and exponentials in one kernel.
Divisions of the scores by a constant become products with its reciprocal, and constant triangular
masks become comparisons of positions (triangular_mask.py).  Some exporters replace NaN in the
softmax by 0, for queries whose keys are all masked; ``then`` replaces all results of such a query
instead.

With ``widening``, queries, keys and values may be f16 or bf16:

    %p = te.compute @softmax … body { truncf(e * l) }  outs([i, j] : f16)
    %o = te.compute @matmul ins(%p[i, j], %v[j, n] : f16) … body { extf(p) * extf(v) }
==>
    %o = te.compute @attention ins(%e[i, j] : f32, %v[j, n] : f16) … body { e * extf(v) } …

Before: main on tensors, after te-fuse-elementwise.  After: a sum over a softmax without other
readers applies the softmax's factor in ``then``.
Error: one rounding per score for the reciprocal and one per output differ.  Sums do not overflow
earlier, because exponentials are at most 1.  With replaced NaN, a query whose keys are all masked
gives 0 even if values (V) are not finite, although 0 times such a value is NaN.  With ``widening``,
scores and probabilities are not rounded to 16 bits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from enum import Enum
from typing import cast

from xdsl.context import Context
from xdsl.dialects import arith
from xdsl.dialects.builtin import FloatAttr, ModuleOp, StringAttr, f32
from xdsl.ir import Block, Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from ...analysis.patterns.attention import (
    Attention,
    find_attention,
    is_exponential,
    is_weighted_sum,
    producer_of,
    readers_of,
)
from ...analysis.patterns.bodies import before_widening, is_narrow, is_widening
from ...dialects.index_syntax import typed_scalar
from ...dialects.packed import host_blocks
from ...dialects.shape import tensor_type
from ...dialects.te import Access, ComputeOp, ComputeView
from ...support.blocks import returned
from ...support.entry import defined_functions
from ...support.locations import fused_location
from ...support.rewriting import swap_op
from ..rewrite.compose import copy_body, finish_body, inline_producer, is_elementwise
from ..rewrite.narrow_floats import keep_f32, of_f32, widened
from .masked_softmax import with_nan, zero_unless_finite
from .powers_of_two import use_powers_of_two
from .triangular_mask import with_conditions

NAMES = (
    "attention_scores",
    "attention_max",
    "attention_exp",
    "attention_sum",
    "attention",
)


class Widening(Enum):
    """Which attentions on f16 and bf16 tensors te-form-attention forms.

    NEVER: none.
    EXACT: those that compute in f32.
    ANY: all, also those that round intermediate results to 16 bits.
    """

    NEVER = 0
    EXACT = 1
    ANY = 2

    def __bool__(self) -> bool:
        return self is not Widening.NEVER


@dataclass(frozen=True)
class FormAttention(ModulePass):
    """Move the normalization of softmax after the matrix product that reads it."""

    name = "te-form-attention"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        form_attention(op)


def form_attention(
    module: ModuleOp,
    accepts: Callable[[Attention | None], bool] = lambda _: True,
    *,
    widening: Widening = Widening.NEVER,
    rounds: Callable[[Attention], bool] = lambda _: False,
) -> None:
    """Move the normalization of softmax after the matrix product that reads it.

    accepts: takes a formed attention, or None if the new chain of computes is not recognized as an
    attention; returns whether to keep the change.
    rounds: takes a formed attention; returns whether to round its exponentials to the type of its
    values (V), and to compute them as powers of 2.
    widening: which f16 and bf16 attentions to form.
    """
    for func in defined_functions(module):
        for block in list(host_blocks(func.body.block)):
            for out in _form(block, accepts, widening=widening):
                formed = find_attention(out)
                if formed is not None and rounds(formed):
                    use_powers_of_two(formed)
                    _round_exponentials(cast(Attention, find_attention(out)))


def _form(
    block: Block, accepts: Callable[[Attention | None], bool], *, widening: Widening
) -> Iterator[ComputeOp]:
    """Form the attentions of a block; yield the last compute of each formed attention.

    accepts: takes a formed attention, or None if the new chain of computes is not recognized as an
    attention; returns whether to keep the change.
    widening: which f16 and bf16 attentions to form.
    """
    for op in [o for o in block.ops if isinstance(o, ComputeOp)]:
        view = op.view()
        if widening:
            view = _with_narrow_values(view)
        view = _with_factor_last(view, widening=widening)
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
            if widening is Widening.ANY:
                _keep_scores(new)
            yield new


def _with_narrow_values(view: ComputeView) -> ComputeView:
    """Return a weighted sum that reads 16-bit values (V) without a compute that widens them."""
    if not is_weighted_sum(view):
        return view
    for access in view.inputs:
        source = producer_of(access)
        if source is not None and is_widening(source.view()):
            inlined = inline_producer(view, access, source.view())
            return view if inlined is None else inlined
    return view


def _with_factor_last(
    view: ComputeView, *, replaces_nan: bool = False, widening: Widening = Widening.NEVER
) -> ComputeView | None:
    """Return a sum over a softmax that applies the factor of the softmax in the region ``then``.

    The factor is 1 / sum of the exponentials. None for other computes.
    replaces_nan: whether the program replaces NaN of the softmax by 0.  widening: which f16 and
    bf16 attentions to form.
    """
    if is_weighted_sum(view, widens=bool(widening)):
        for access in view.inputs:
            source = producer_of(access)
            if source is None or len(list(source.results[0].uses)) != 1:
                continue
            plain = with_nan(source.view())
            inlined = _inline_scaling(view, access, plain or source.view(), widening=widening)
            if inlined is not None:
                replaces_nan = replaces_nan or plain is not None
                return _with_factor_last(inlined, replaces_nan=replaces_nan, widening=widening)
    factor = _constant_factor(view, widening=widening)
    return None if factor is None else _move_factor(view, factor, replaces_nan=replaces_nan)


def _inline_scaling(
    view: ComputeView, access: Access, source: ComputeView, *, widening: Widening
) -> ComputeView | None:
    """Inline the normalization of a softmax, ``e * l``, into the weighted sum that reads it.

    view: the weighted sum.
    access: its read of the result of ``source``.
    source: the compute that may be the normalization.
    widening: which f16 and bf16 attentions to form.
    Returns None if ``source`` is not the normalization of a softmax.
    """
    if not is_elementwise(source) or not any(_is_exps(a, widening=widening) for a in source.inputs):
        return None
    inlined = inline_producer(view, access, source)
    if inlined is not None and widening is Widening.ANY:
        keep_f32(inlined.body.block)
    return inlined


def _is_exps(access: Access, *, widening: Widening) -> bool:
    producer = producer_of(access)
    return producer is not None and is_exponential(producer.view(), widens=bool(widening))


def _constant_factor(view: ComputeView, *, widening: Widening) -> Access | None:
    """Return the operand of a sum over a softmax that is the same factor in all terms of the sum.

    None unless the body multiplies exactly three operands, among them the exponentials, and exactly
    one of the three is indexed by no reduced axis.
    widening: which f16 and bf16 attentions to form.
    """
    if len(view.outputs) != 1 or view.outputs[0].combiner != "add" or len(view.inputs) != 3:
        return None
    reduced = set(view.reduced_axes())
    arguments: list[SSAValue] = list(view.body.block.args)
    if sorted(map(arguments.index, _factors(view.body, widening=widening))) != [0, 1, 2]:
        return None
    fixed = [a for a in view.inputs if a.indices is not None and not a.axes() & reduced]
    has_exps = any(_is_exps(access, widening=widening) for access in view.inputs)
    return fixed[0] if len(fixed) == 1 and has_exps else None


def _factors(body: Region, *, widening: Widening) -> list[SSAValue]:
    """Return the arguments whose product is the result of a body; [] for any other result."""
    found: list[SSAValue] = []
    pending = [returned(body.block)[0]]
    while pending:
        value = pending.pop()
        if widening:
            value = before_widening(value)
        if isinstance(value.owner, arith.MulfOp):
            pending += value.owner.operands
        elif value in body.block.args:
            found.append(value)
        else:
            return []
    return found


def _move_factor(view: ComputeView, factor: Access, *, replaces_nan: bool) -> ComputeView:
    """Return a sum of products that multiplies by ``factor`` once, after the sum.

    factor: an input that does not change along the reduced axes.
    replaces_nan: whether the program replaces NaN of the softmax by 0. The factor, 1 / sum, of a
    query whose keys are all masked is not finite; with this flag, the results of such a query
    become 0.
    """
    kept = [a for a in view.inputs if a is not factor]
    types = [a.argument_type for a in kept]
    body = Block(arg_types=types)
    sum_type = factor.argument_type
    lhs, rhs = (widened(body, arg, sum_type) for arg in body.args)
    product = arith.MulfOp(lhs, rhs)
    body.add_op(product)
    finish_body(body, [product.result])
    post = [*view.post, factor]
    then = Block(arg_types=[sum_type, *(a.argument_type for a in post)])
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
    """Rename the computes of an attention; replace divisions of the scores by multiplications."""
    for op, name in zip(attention.members, NAMES, strict=True):
        op.properties["sym_name"] = StringAttr(name)
    then = attention.scores.then
    if then.blocks:
        for op in list(then.block.ops):
            if isinstance(op, arith.DivfOp):
                _multiply(op)


def _compare_positions(attention: Attention) -> None:
    """Replace triangular masks of the scores that are constants by comparisons of positions."""
    scores, keys = attention.scores.view(), attention.keys_of(0)
    if attention.query is None or keys is None:
        return
    compared = with_conditions(scores, attention.sharing.axis_of[0][attention.query], keys)
    if compared is not None:
        swap_op(attention.scores, ComputeOp.from_view(compared))


def _keep_scores(out: ComputeOp) -> None:
    """Store the scores of an attention in f32 if the program rounds them to 16 bits.

    out: the last compute of the attention.
    """
    attention = find_attention(out)
    assert attention is not None, "its operands have not changed"
    view = attention.scores.view()
    (written,) = view.outputs
    if not is_narrow(written.element_type):
        return
    wide = replace(written, result_type=tensor_type(f32, written.dims), value=None)
    types = [f32, *(access.argument_type for access in view.post)]
    then = of_f32(view.then, types)
    scores = _insert(attention.scores, replace(view, outputs=[wide], then=then))
    for reader in (attention.largest, attention.exps):
        read = reader.view()
        inputs = [
            replace(a, value=scores.results[0]) if a.element_type != f32 else a for a in read.inputs
        ]
        body = of_f32(read.body, [access.argument_type for access in inputs])
        swap_op(reader, ComputeOp.from_view(replace(read, inputs=inputs, body=body)))
    Rewriter.erase_op(attention.scores)


def _round_exponentials(attention: Attention) -> None:
    """Store the exponentials of an attention in the type of its values (V).

    One instruction can then multiply both.
    """
    view, out = attention.exps.view(), attention.out.view()
    (written,) = view.outputs
    element = next(a.element_type for a in out.inputs if is_narrow(a.element_type))
    narrow = replace(written, result_type=tensor_type(element, written.dims), value=None)
    body = Block(arg_types=[access.argument_type for access in view.inputs])
    (value,) = copy_body(body, view.body.block, body.args)
    rounded = arith.TruncFOp(value, element)  # pyright: ignore[reportArgumentType]
    body.add_op(rounded)
    finish_body(body, [rounded.result])
    old = attention.exps.results[0]
    exps = _insert(attention.exps, replace(view, outputs=[narrow], body=Region(body)))
    for reader in (attention.total, attention.out):
        read = reader.view()
        inputs = [replace(a, value=exps.results[0]) if a.value is old else a for a in read.inputs]
        wide = Block(arg_types=[access.argument_type for access in inputs])
        values = [widened(wide, arg) for arg in wide.args]
        # The body converts the values (V) to a wider type.
        kept = [
            arg if arg.type == other.type else value
            for arg, other, value in zip(wide.args, read.body.block.args, values, strict=True)
        ]
        finish_body(wide, copy_body(wide, read.body.block, kept))
        swap_op(reader, ComputeOp.from_view(replace(read, inputs=inputs, body=Region(wide))))
    Rewriter.erase_op(attention.exps)


def _insert(before: ComputeOp, view: ComputeView) -> ComputeOp:
    """Insert a compute before another one, with the location and the name of the other one."""
    made = ComputeOp.from_view(view)
    made.location = before.location
    made.results[0].name_hint = before.results[0].name_hint
    Rewriter.insert_op(made, InsertPoint.before(before))
    return made


def _multiply(division: arith.DivfOp) -> None:
    """Replace a division by a constant by a product, unless the reciprocal may overflow."""
    owner = division.rhs.owner
    if not isinstance(owner, arith.ConstantOp) or not isinstance(owner.value, FloatAttr):
        return
    divisor = owner.value.value.data
    if not 1e-30 < abs(divisor) < 1e30:
        return
    number = typed_scalar(1 / divisor, division.result.type)
    reciprocal = arith.ConstantOp(number)  # pyright: ignore[reportArgumentType]
    product = arith.MulfOp(division.lhs, reciprocal.result)
    Rewriter.insert_op([reciprocal, product], InsertPoint.before(division))
    division.result.replace_all_uses_with(product.result)
    Rewriter.erase_op(division)
    if not owner.result.uses:
        Rewriter.erase_op(owner)

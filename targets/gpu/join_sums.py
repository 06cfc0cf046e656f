"""gpu-join-sums: compute several sums of products in one kernel if they read the same row.

    %g = te.compute @matmul ins(%x[k], %a[k, n]) .. then { silu(sum) }
    %y = te.compute @matmul ins(%x[k], %b[k, n]) post(%g[n]) .. then { g * sum }
==>
    %y, %_ = te.compute @matmul ins(%x[k], %a[k, n], %b[k, n]) .. then { silu(sum_0) * sum_1 }

    %s = te.compute @reduce_sum ins(%x[k]) .. then { 1 / sqrt(sum) }
    %m = te.compute @mul ins(%w[k], %x[k], %s) .. body { w * (x * s) }
    %y = te.compute @matmul ins(%m[k], %a[k, n]) ..
==>
    %y, %_ = te.compute @matmul ins(%w[k], %x[k], %a[k, n]) ..
          body { (w * x) * a, x * x } then { sum_0 * 1 / sqrt(sum_1) }

The first is the gated product of a feed-forward layer, the second a product after RMS
normalization. Each thread that computes columns of the product adds up the second sum again, which
costs less than a kernel of its own: such a product waits for its matrix.

Before: main on tensors, after gpu-form-attention.  After: the products of few rows that gpu-plan
computes in strips of columns (strips.py) contain the sums of this form that only they read.
Error: the factor of a normalization is applied to the sum and not to its terms, in f32. Precision
"strict" has no strips, so that the pass changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from xdsl.context import Context
from xdsl.dialects import arith
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Region, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from ...analysis.patterns.attention import producer_of
from ...analysis.patterns.bodies import before_rounding, before_widening, is_narrow
from ...dialects.packed import host_blocks
from ...dialects.shape import tensor_type
from ...dialects.te import Access, ComputeOp, ComputeView
from ...machines.target_passes import TargetedPass
from ...passes.rewrite.compose import copy_body, finish_body, inline_producer, is_elementwise
from ...passes.rewrite.narrow_floats import keep_f32, widened
from ...support.affine import Key, variable
from ...support.blocks import returned
from ...support.entry import defined_functions
from ...support.locations import fused_location
from ...support.precision import Precision, parse_precision
from .plan.sums import has_strips


@dataclass(frozen=True)
class GpuJoinSums(TargetedPass):
    """Compute the sums that a product of few rows reads in the kernel of the product.

    precision: "strict" leaves all sums as they are; see the module.
    """

    name = "gpu-join-sums"

    precision: str = "default"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        if parse_precision(self.precision) is Precision.STRICT:
            return
        for func in defined_functions(op):
            for block in host_blocks(func.body.block):
                for join in (_with_gate, _with_norm):
                    for product in [o for o in block.ops if isinstance(o, ComputeOp)]:
                        self._join(product, join)

    def _join(self, product: ComputeOp, join: Callable[[ComputeView], _Joined | None]) -> None:
        view = product.view()
        if not _is_sum(view) or not has_strips(view, self.target):
            return
        joined = join(view)
        if joined is None or not has_strips(joined.view, self.target):
            return
        made = ComputeOp.from_view(joined.view)
        made.location = fused_location(o.location for o in (*joined.sources, product))
        Rewriter.insert_op(made, InsertPoint.before(product))
        product.results[0].replace_all_uses_with(made.results[0])
        for old in (product, *reversed(joined.sources)):
            Rewriter.erase_op(old)


@dataclass(frozen=True)
class _Joined:
    """A compute of several sums, and the computes that it replaces, in their order."""

    view: ComputeView
    sources: Sequence[ComputeOp]


def _is_sum(view: ComputeView) -> bool:
    """Return whether all outputs of a compute are sums from 0 over a single axis."""
    is_plain = all(out.combiner == "add" and out.init is not None for out in view.outputs)
    return is_plain and len(_long(view, view.reduced_axes())) == 1 and not view.scan


def _long(view: ComputeView, axes: Sequence[str]) -> list[str]:
    return [axis for axis in axes if view.axes[axis] != 1]


def _only_read(access: Access) -> ComputeOp | None:
    """Return the compute of an operand if it has no other reader and no other result."""
    op = producer_of(access)
    return op if op is not None and len(op.results) == 1 and op.results[0].has_one_use() else None


def _points(source: ComputeView, read: Access) -> dict[Key, Key] | None:
    """Return the axis of a reader for each axis that indexes the results of ``source``.

    Axes of extent 1 are left out.  None if the reader does not read one result per point.
    """
    if read.indices is None or read.pad is not None:
        return None
    found: dict[Key, Key] = {}
    for index, position in zip(source.outputs[0].indices or (), read.indices, strict=True):
        axis, key = index.variable(), position.variable()
        if isinstance(axis, str) and source.axes[axis] == 1:
            continue
        if axis is None or key is None:
            return None
        found[axis] = key
    return found


def _moved(
    source: ComputeView, view: ComputeView, axes: dict[Key, Key], reads: Sequence[Access]
) -> list[Access]:
    """Return reads of ``source`` as reads of ``view``; axes: the axis of ``view`` for each axis."""
    values = {old: variable(new) for old, new in axes.items()}
    values |= {axis: variable(axis) * 0 for axis in source.axes if source.axes[axis] == 1}
    return [
        read
        if read.indices is None
        else replace(read, indices=[e.substitute(values, view.range_of) for e in read.indices])
        for read in reads
    ]


def _same_sum(
    source: ComputeView, view: ComputeView, points: dict[Key, Key]
) -> dict[Key, Key] | None:
    """Return ``points`` with the reduced axis; None if the sums have different lengths."""
    if not _is_sum(source):
        return None
    (old,), (new,) = (_long(each, each.reduced_axes()) for each in (source, view))
    return {**points, old: new} if source.axes[old] == view.axes[new] else None


# ---- gated products


def _with_gate(view: ComputeView) -> _Joined | None:
    """Join a product with the product that its epilogue reads, if both have the same left operand.

    None if there is no such product.
    """
    for access in view.post:
        op = _only_read(access)
        source = None if op is None else op.view()
        if op is None or source is None or len(source.outputs) != 1:
            continue
        points = _points(source, access)
        axes = None if points is None else _same_sum(source, view, points)
        if axes is None or set(map(str, axes.values())) != set(_long(view, list(view.axes))):
            continue
        inputs = _moved(source, view, axes, source.inputs)
        if any(read in view.inputs for read in inputs):
            return _Joined(_gated(view, access, source, inputs, axes), [op])
    return None


def _gated(
    view: ComputeView,
    access: Access,
    source: ComputeView,
    inputs: Sequence[Access],
    axes: dict[Key, Key],
) -> ComputeView:
    """Return a product that computes its operand ``access`` from a second sum.

    source: the compute of the operand.  inputs: its inputs as reads of ``view``.
    axes: the axis of ``view`` for each axis of ``source``.
    """
    body, merged = _body(view, inputs, source)
    own, added = [a for a in view.post if a is not access], _moved(source, view, axes, source.post)
    then = _Then.of(view, source, [*own, *added])
    gate = then.copy(source.then, [then.sums[-1], *then.posts[len(own) :]])
    left = dict(zip(map(id, own), then.posts, strict=False))
    posts = [gate[0] if a is access else left[id(a)] for a in view.post]
    results = then.copy(view.then, [*then.sums[:-1], *posts])
    outputs = [*view.outputs, _unread(source, view)]
    return replace(
        view,
        inputs=merged,
        post=[*own, *added],
        outputs=outputs,
        body=body,
        then=then.finished([*results, *gate]),
    )


# ---- products after a normalization


def _with_norm(view: ComputeView) -> _Joined | None:
    """Join a product with the sum in the factor of a left operand that was normalized.

    None if no operand is a product with such a factor.
    """
    for access in view.inputs:
        scaling = _only_read(access)
        source = None if scaling is None else scaling.view()
        if scaling is None or source is None or not _multiplies(view, access):
            continue
        points = _points(source, access)
        if points is None or not is_elementwise(source) or not _are_factors(source):
            continue
        for factor in source.inputs:
            op = _only_read(factor)
            made = None if op is None else _with_factor(view, access, source, factor, op.view())
            if op is not None and made is not None:
                return _Joined(made, [op, scaling])
    return None


def _multiplies(view: ComputeView, access: Access) -> bool:
    """Return whether each sum of a compute adds products, in which an operand is one factor."""
    argument = view.body.block.args[view.inputs.index(access)]
    return all(_factors(value).count(argument) == 1 for value in returned(view.body.block))


def _are_factors(source: ComputeView) -> bool:
    """Return whether a compute multiplies its operands."""
    (value,) = returned(source.body.block)
    found, arguments = _factors(value), source.body.block.args
    return len(found) == len(arguments) > 1 and all(arg in found for arg in arguments)


def _factors(value: SSAValue) -> list[SSAValue]:
    """Return the values whose product is ``value``, apart from roundings to 16 bits."""
    inner = before_rounding(before_widening(value))
    if isinstance(inner.owner, arith.MulfOp):
        return [each for operand in inner.owner.operands for each in _factors(operand)]
    return [inner]


def _with_factor(
    view: ComputeView, access: Access, source: ComputeView, factor: Access, norm: ComputeView
) -> ComputeView | None:
    """Return a product that multiplies its sums by a factor that it computes from a further sum.

    access: the operand of the product.  source: the compute of this operand.
    factor: the operand of ``source`` that is the factor.  norm: the compute of the factor, which
    must be a sum over operands of ``source``, as long as those of the product.
    """
    to_source, to_view = _points(norm, factor), _points(source, access)
    if to_source is None or to_view is None or not all(a in to_view for a in to_source.values()):
        return None
    points = {old: to_view[new] for old, new in to_source.items()}
    axes = _same_sum(norm, view, points)
    if axes is None or len(norm.outputs) != 1 or axes[list(axes)[-1]] not in access.axes():
        return None
    inlined = inline_producer(view, access, _without(source, factor))
    if inlined is None:
        return None
    keep_f32(inlined.body.block)
    inputs = _moved(norm, view, axes, norm.inputs)
    if not all(read in inlined.inputs for read in inputs):
        return None
    return _normed(inlined, norm, inputs, axes)


def _without(source: ComputeView, factor: Access) -> ComputeView:
    """Return an elementwise product without one of its factors."""
    kept = [access for access in source.inputs if access is not factor]
    block = Block(arg_types=[access.argument_type for access in kept])
    (old,) = returned(source.body.block)
    product, *others = (widened(block, argument) for argument in block.args)
    for other in others:
        product = arith.MulfOp(product, other)
        block.add_op(product)
        product = product.result
    if is_narrow(old.type) and not is_narrow(product.type):
        rounded = arith.TruncFOp(product, old.type)
        block.add_op(rounded)
        product = rounded.result
    finish_body(block, [product])
    return replace(source, inputs=kept, body=Region(block))


def _normed(
    view: ComputeView, norm: ComputeView, inputs: Sequence[Access], axes: dict[Key, Key]
) -> ComputeView:
    """Return a product whose sums are multiplied by the result of ``norm``, a further sum.

    inputs: the inputs of ``norm`` as reads of ``view``.
    axes: the axis of ``view`` for each axis of ``norm``.
    """
    body, merged = _body(view, inputs, norm)
    post = [*view.post, *_moved(norm, view, axes, norm.post)]
    then, count = _Then.of(view, norm, post), len(view.post)
    (factor,) = then.copy(norm.then, [then.sums[-1], *then.posts[count:]])
    wide = widened(then.block, factor)
    sums: list[SSAValue] = []
    for total in then.sums[:-1]:
        scaled = arith.MulfOp(total, wide)
        then.block.add_op(scaled)
        sums.append(scaled.result)
    results = then.copy(view.then, [*sums, *then.posts[:count]])
    return replace(
        view,
        inputs=merged,
        post=post,
        outputs=[*view.outputs, _unread(norm, view)],
        body=body,
        then=then.finished([*results, factor]),
    )


# ---- sums and their regions


def _unread(source: ComputeView, view: ComputeView) -> Access:
    """Return an output with the points of ``view``, and the element type of ``source``."""
    first, out = view.outputs[0], source.outputs[0]
    type_ = tensor_type(out.element_type, first.dims)
    return replace(first, init=out.init, result_type=type_)


def _body(
    view: ComputeView, inputs: Sequence[Access], source: ComputeView
) -> tuple[Region, list[Access]]:
    """Return the body of ``view`` followed by that of ``source``, and the inputs of this body.

    inputs: the inputs of ``source`` as reads of ``view``.
    """
    merged = [*view.inputs]
    merged += [a for i, a in enumerate(inputs) if a not in (*view.inputs, *inputs[:i])]
    block = Block(arg_types=[a.argument_type for a in merged])
    values = copy_body(block, view.body.block, block.args[: len(view.inputs)])
    values += copy_body(block, source.body.block, [block.args[merged.index(a)] for a in inputs])
    finish_body(block, values)
    return Region(block), merged


@dataclass(frozen=True)
class _Then:
    """A region ``then`` in the making.

    sums: the sums of the product, and last the added sum.
    posts: the other operands.
    """

    block: Block
    sums: Sequence[SSAValue]
    posts: Sequence[SSAValue]

    @staticmethod
    def of(view: ComputeView, source: ComputeView, post: Sequence[Access]) -> _Then:
        yielded = [*returned(view.body.block), *returned(source.body.block)]
        types = [*(v.type for v in yielded), *(a.argument_type for a in post)]
        block = Block(arg_types=types)
        return _Then(block, block.args[: len(yielded)], block.args[len(yielded) :])

    def copy(self, region: Region, values: Sequence[SSAValue]) -> list[SSAValue]:
        """Append a region ``then``; an absent region has the sums as results."""
        return copy_body(self.block, region.block, values) if region.blocks else [*values]

    def finished(self, results: Sequence[SSAValue]) -> Region:
        finish_body(self.block, results)
        return Region(self.block)

"""sched.rfactor: turn a reduced axis into a parallel axis over partial results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.rewriter import Rewriter

from ....analysis.patterns.combiners import identity
from ....dialects.shape import Dim, Extent, extent_of
from ....dialects.te import Access, ComputeOp, ComputeView, YieldOp, identity_indices
from ....dialects.te.loop_nest import Split
from ....dialects.te.verifier import accumulator_type
from ....dialects.te.view import STORE
from ....support.affine import Index, variable
from ....support.names import Names
from ..buffers.local_buffers import make_buffer, stored_plainly
from ..engine.placement import block_of, drop_region, size_in_kernel
from ..engine.step import Handles, Step


def rfactor(step: Step) -> Handles:
    """Reduce into partial results, one per point of a reduced axis, then combine them.

        te.compute @sum [i: 8, k: 100 red] ins(%X[i, k] ..) outs(%Y[i] add 0.0 : ..) body .. then ..
        %partial, %final = sched.rfactor %c {axis = k, factor = 16, into = [ko, ki]}
    ==>
        %p = loop.alloc "local" : memref<16x8xf32>
        te.compute @sum_rf [i: 8, ko: 6 red, ki: 16]
            ins(%X[i, ko * 16 + ki] ..) outs(%p[ki, i] add 0.0 : ..) body ..
        te.compute @sum_rf [i: 8, ko: 1 red, ki: 4]
            ins(%X[i, ko * 16 + ki + 96] ..) outs(%p[ki, i] add acc : ..) body ..
        te.compute @sum [i: 8, ki: 16 red] ins(%p[ki, i] ..) outs(%Y[i] add 0.0 : ..) then ..

    The partial results start from the identity of the combiner; the initial value, ``then`` and
    post operands move to the final compute. A factor that does not divide the extent makes a second
    compute of partial results. If the extent is symbolic, only an inner part can become parallel.
    axis: a reduced axis, or a loop that ``split`` made from one.
    factor: the axis is first split, into an inner part of this extent and an outer part; only one
    part becomes parallel. By default, the whole axis does.
    part: the part that becomes parallel, inner (the default) or outer.
    into: the names of the outer and the inner part.
    Handles: the computes of partial results, then the compute that combines them.
    Before: every output is reduced, over the same axes; the pending nest has at most the split of
    this axis; the register tile is not declared.
    Errors: ScheduleError otherwise; for an axis that is not reduced.
    """
    partials: list[Operation] = []
    finals: list[Operation] = []
    for op in step.computes():
        view, wanted = _wanted(step, op.view())
        _check(step, view, wanted.axis)
        if isinstance(view.axes[wanted.axis], int):
            factored, count, pieces = _pieces(step, view, wanted)
        else:
            factored, count, pieces = _symbolic_pieces(step, op, view, wanted)
        label = step.fresh_label(f"{view.name}_rf")
        pieces = [replace(p, view=replace(p.view, name=label)) for p in pieces]
        leaves, final = _factor(op, view, factored, count, pieces)
        partials += leaves
        finals.append(final)
    return [partials, finals]


@dataclass(frozen=True)
class _Wanted:
    """The part of a reduced axis that rfactor makes parallel.

    axis: the reduced axis.  factor: the extent of the inner part, 0 for the whole axis.  part:
    inner or outer.  names: the names of the axes over the outer and the inner part; empty for the
    default names.
    """

    axis: str
    factor: int = 0
    part: str = "inner"
    names: Sequence[str] = ()


def _wanted(step: Step, view: ComputeView) -> tuple[ComputeView, _Wanted]:
    """Read the step's options: return the part of the reduced axis to make parallel.

    If the view has a pending split of this axis, the part is a loop of the split. Returns first the
    view without its pending nest, then the part.
    Errors: ScheduleError for other pending loops.
    """
    axis, part = step.word("axis"), step.word("part", "inner")
    if part not in ("inner", "outer"):
        raise step.error("part is inner or outer", expected="inner or outer", got=part)
    if view.nest is None:
        factor = _factor_of(step) if "factor" in step.params else 0
        return view, _Wanted(axis, factor, part, step.words("into"))
    split = view.nest.maker(axis)
    only = [split] if split is not None else []
    marked = [e.axis for e in view.nest.order if e.mark]
    if not isinstance(split, Split) or list(view.nest.relations) != only or marked:
        raise step.error(
            f"other loops of @{view.name} are arranged too",
            expected="split of one reduced axis, and nothing else before rfactor",
            got=view.nest,
        )
    part = "inner" if axis == split.inner else "outer"
    plain = replace(view, nest=None)
    return plain, _Wanted(split.axis, split.factor, part, (split.outer, split.inner))


def _check(step: Step, view: ComputeView, axis: str) -> None:
    step.require_reduced(view, axis, "tile divides the work along a parallel axis")
    step.require_no_register_tile(view)
    if stored := [i for i, o in enumerate(view.outputs) if not o.reduces]:
        raise step.error(
            f"output {stored[0]} of @{view.name} is stored, not reduced",
            expected="a compute whose outputs are all reduced",
        )
    if any(o.combiner == "by" and o.init is None for o in view.outputs):
        raise step.error(
            f"@{view.name} continues from memory, so its combiner has no neutral value",
            hint="use rfactor before split_reduction or decompose_reduction",
        )
    if len({frozenset(o.axes()) for o in view.outputs}) > 1:
        raise step.error(
            f"the outputs of @{view.name} have different axes",
            expected="outputs that are reduced over the same axes",
        )


@dataclass(frozen=True)
class _Piece:
    """A compute of partial results, over a part of the reduced axis.

    view: its definition, which still has the outputs of the original compute.
    first: the number of the first partial result that it computes.
    continues: whether it adds to partial results that an earlier piece has stored; else it
    initializes them.
    """

    view: ComputeView
    first: int = 0
    continues: bool = False


def _pieces(step: Step, view: ComputeView, wanted: _Wanted) -> tuple[str, int, list[_Piece]]:
    """Return the axis that becomes parallel, its extent, and the computes of partial results.

    wanted: the part of a reduced axis that becomes parallel.
    """
    axis, extent = wanted.axis, view.extents[wanted.axis]
    if not wanted.factor:
        return axis, extent, [_Piece(view)]
    factor = min(wanted.factor, extent)
    outer, inner = _names(step, view, wanted)
    position = Index({outer: factor, inner: 1})
    full, rest = divmod(extent, factor)
    pieces = [_Piece(_over(view, axis, {outer: full, inner: factor}, position))]
    is_inner = wanted.part == "inner"
    if rest:
        last = _over(view, axis, {outer: 1, inner: rest}, position + full * factor)
        pieces.append(_Piece(last, 0 if is_inner else full, is_inner))
    return (inner, factor, pieces) if is_inner else (outer, full + (rest > 0), pieces)


def _symbolic_pieces(
    step: Step, op: ComputeOp, view: ComputeView, wanted: _Wanted
) -> tuple[str, int, list[_Piece]]:
    """Return the same as ``_pieces``, for an axis of a symbolic extent.

    These are the axis that becomes parallel, its extent, and two computes of partial results. The
    second one handles the remainder, which may be empty at run time; it does not exist if the
    extent is known to be a multiple of the factor.
    wanted: the part of the reduced axis that becomes parallel.
    """
    axis, factor, extent = wanted.axis, wanted.factor, Dim.of(view.axes[wanted.axis])
    if not factor or wanted.part != "inner":
        raise step.error(
            f"axis {axis} of @{view.name} has a symbolic extent, {extent}",
            expected="factor = .. and the inner part, whose extent is an integer",
        )
    outer, inner = _names(step, view, wanted)
    blocks = extent // factor
    done = size_in_kernel(op, extent_of(blocks * factor))
    position = Index({outer: factor, inner: 1})
    full = _over(view, axis, {outer: extent_of(blocks), inner: factor}, position)
    pieces = [_Piece(full)]
    if rest := extent_of(extent % factor):
        last = _over(view, axis, {outer: 1, inner: rest}, position + done)
        pieces.append(_Piece(last, continues=True))
    return inner, factor, pieces


def _over(
    view: ComputeView, axis: str, parts: Mapping[str, Extent], position: Index
) -> ComputeView:
    """Return a view in which several axes replace one axis.

    axis: the replaced axis.
    parts: the new axes with their extents.
    position: the position on the replaced axis, as an expression of the new axes.
    """
    axes: dict[str, Extent] = {}
    for name, extent in view.axes.items():
        axes |= parts if name == axis else {name: extent}
    wide = replace(view, axes={**view.axes, **parts})
    return replace(wide.substitute({axis: position}), axes=axes)


def _factor_of(step: Step) -> int:
    factor = step.number("factor")
    if factor < 1:
        raise step.error("the factor is too small", expected="at least 1", got=factor)
    return factor


def _names(step: Step, view: ComputeView, wanted: _Wanted) -> Sequence[str]:
    axis = wanted.axis
    fresh = Names(view.axes)
    names = wanted.names or [fresh.fresh(f"{axis}o"), fresh.fresh(f"{axis}i")]
    taken = {a for a in view.axes if a != axis}
    if len(names) != 2 or names[0] == names[1] or taken & set(names):
        raise step.error(
            "the parts of the axis need two names that are free",
            expected=f"into = [outer, inner], none of {', '.join(sorted(taken)) or 'none'}",
            got=", ".join(names),
        )
    return names


def _factor(
    op: ComputeOp, view: ComputeView, axis: str, count: int, pieces: Sequence[_Piece]
) -> tuple[list[ComputeOp], ComputeOp]:
    """Replace an op by the computes of partial results and the compute that combines them.

    axis, count: the axis over partial results, and its extent.  pieces: the computes of partial
    results.
    Returns these computes and the last one.
    """
    stored = view.outputs[0].axes()
    axes: dict[str, Extent] = {axis: count}
    axes |= {a: n for a, n in view.axes.items() if a in stored}
    allocs = [make_buffer(accumulator_type(o), list(axes.values())) for o in view.outputs]
    buffers: list[SSAValue] = [alloc.res for alloc in allocs]
    leaves = [_partial(op, piece, axis, list(axes), buffers) for piece in pieces]
    final = ComputeOp.from_view(_final(view, axis, axes, buffers))
    final.location = op.location
    block_of(op).insert_ops_before([*allocs, *leaves, final], op)
    Rewriter.erase_op(op)
    return leaves, final


def _partial(
    op: ComputeOp, piece: _Piece, axis: str, order: list[str], buffers: list[SSAValue]
) -> ComputeOp:
    """Return a copy of a compute that stores partial results to buffers.

    It reduces over the reduced axes that are left in ``piece``; without any, it stores each term as
    a partial result.
    op: the original compute.
    axis: the axis that counts partial results.
    order: the axes that index the buffers, one per dimension.
    buffers: for each output, the buffer of its partial results.
    """
    view = piece.view
    indices = [variable(a) + (piece.first if a == axis else 0) for a in order]
    outputs = [
        replace(stored_plainly(o, b, indices), init=None if piece.continues else _start(o))
        for o, b in zip(view.outputs, buffers, strict=True)
    ]
    partial = replace(view, post=[], outputs=outputs)
    leaf = op.clone()
    drop_region(leaf, leaf.then)
    if not (piece.continues or partial.reduced_axes()):
        partial.outputs = [replace(o, combiner=STORE, init=None) for o in outputs]
        drop_region(leaf, leaf.combine)
    leaf.update(partial)
    return leaf


def _start(output: Access) -> Attribute | None:
    """Return the value from which partial results start: the identity of the output's combiner.

    For a combiner that is a function (``by``), it is the output's own initial value.
    """
    if output.combiner == "by":
        return output.init
    return identity(output.combiner, accumulator_type(output))


def _final(
    view: ComputeView, axis: str, axes: Mapping[str, Extent], buffers: list[SSAValue]
) -> ComputeView:
    """Return the compute that combines partial results into the outputs.

    axis: the axis over partial results.  axes: the axes of the buffers' dimensions.  buffers: one
    buffer of partial results per output.
    """
    inputs = [Access(b, identity_indices(axes)) for b in buffers]
    body = Block(arg_types=[a.argument_type for a in inputs])
    body.add_op(YieldOp(list(body.args)))
    last = {a: n for a, n in axes.items() if a != axis} | {axis: axes[axis]}
    return replace(
        view,
        axes=last,
        inputs=inputs,
        body=Region(body),
        combine=view.combine.clone(),
        then=view.then.clone(),
    )

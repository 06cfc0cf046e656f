"""sched.split_mask: apply a mask by position only where some point is masked."""

from __future__ import annotations

from dataclasses import dataclass, replace

from xdsl.dialects import arith
from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from ....dialects.te import Access, ComputeOp, ComputeView
from ....dialects.te.view import STORE
from ....support.affine import Index, constant
from ....support.blocks import returned
from ...rewrite.compose import copy_body, finish_body
from ..engine.placement import append_to, insert_loop
from ..engine.step import Handles, Step

_SLT, _SLE, _SGT, _SGE = 2, 3, 4, 5
"""The predicates of arith.cmpi for signed integers."""


def split_mask(step: Step) -> Handles:
    """Apply a mask by position in a separate compute, which runs only if some point is masked.

        te.compute @s [m: 16, n: 32] ins(%x[m, n], index[%q * 16 + m], index[%k * 32 + n]) ..
            outs(%y[m, n]) body { select(%n <= %m, %x * 2.0, -inf) }
        %u = sched.split_mask %s
    ==>
        te.compute @s [m: 16, n: 32] ins(%x[m, n]) outs(%y[m, n]) body { %x * 2.0 }
        loop.for %a = 0 to min(1, %q * -16 + %k * 32 + 31) {
          te.compute @s_mask [m: 16, n: 32] ins(%y[m, n], index[..], index[..]) outs(%y[m, n])
              body { select(%n <= %m, %y, -inf) } }

    The handle holds all these computes.  Several nested masks become one compute each.  A compute
    changes only if its last op selects between a value and a constant, by a comparison of positions
    that are linear in the axes, and if the loops around the compute decide whether a point is
    masked.
    Before: the compute stores one result per point, and has no pending nest.
    Errors: ScheduleError otherwise.
    Exact: the same values are selected.
    """
    leaves: list[Operation] = []
    for op in step.computes():
        view = op.view()
        if view.nest is not None or len(view.outputs) != 1 or view.reduced_axes():
            raise step.error(
                f"@{op.label} has loops that are not made yet, several results, or sums",
                expected="a compute that stores one result per point",
                hint="use split_mask before the loops of the compute are split",
            )
        leaves += _split(step, op)
    return [leaves]


def _split(step: Step, op: ComputeOp) -> list[ComputeOp]:
    """Move each mask of a compute to a new compute after it.

    Returns the compute and the new computes, in program order.
    """
    view = op.view()
    mask = _mask(view)
    if mask is None:
        return [op]
    plain = ComputeOp.from_view(
        replace(view, body=mask.plain, combine=view.combine.clone(), then=view.then.clone())
    )
    plain.location = op.location
    Rewriter.insert_op(plain, InsertPoint.before(op))
    (output,) = view.outputs
    loop = insert_loop(op, [constant(0)], [constant(1), mask.least * -1])
    before = Access(output.value, output.indices)
    indices = [access for access in view.inputs if access.is_index]
    masked = ComputeOp.from_view(
        replace(
            view,
            name=step.fresh_label(f"{view.name}_mask"),
            inputs=[before, *indices],
            outputs=[replace(output, combiner=STORE, init=None)],
            body=mask.masked,
            combine=Region(),
            then=Region(),
        )
    )
    masked.location = op.location
    append_to(loop, masked)
    Rewriter.erase_op(op)
    return [*_split(step, plain), masked]


@dataclass(frozen=True)
class _SelectedMask:
    """A body split at its last op, a select that masks the result by a comparison of positions.

    least: the least difference between the two sides of the comparison, over all points; if it is
    at least 0, no point is masked.
    plain: the body without the select.
    masked: a body with only the select, whose input is the result of ``plain``.
    """

    least: Index
    plain: Region
    masked: Region


def _mask(view: ComputeView) -> _SelectedMask | None:
    """Return the mask that the last op of a compute's body applies; None if it applies none."""
    body = view.body.block
    select = returned(body)[0].owner
    if not isinstance(select, arith.SelectOp) or not isinstance(select.cond.owner, arith.CmpiOp):
        return None
    compare, other = select.cond.owner, select.rhs.owner
    places: dict[SSAValue, Index] = {
        argument: (access.indices or [constant(0)])[0]
        for argument, access in zip(body.args, view.inputs, strict=True)
        if access.is_index
    }
    lhs, rhs = (_place(value, places) for value in compare.operands)
    if lhs is None or rhs is None or not isinstance(other, arith.ConstantOp):
        return None
    distances = {
        _SLT: rhs - lhs - 1, _SLE: rhs - lhs, _SGT: lhs - rhs - 1, _SGE: lhs - rhs
    }  # fmt: skip
    distance = distances.get(compare.predicate.value.data)
    least = None if distance is None else _least(view, distance)
    if least is None or least.is_constant:
        return None
    plain = Block(arg_types=[argument.type for argument in body.args])
    copy_body(plain, body, plain.args)
    copied = list(plain.ops)[list(body.ops).index(select)]
    finish_body(plain, [copied.operands[1]])
    masked = Block(arg_types=[select.result.type, *(argument.type for argument in places)])
    mapping: dict[SSAValue, SSAValue] = dict(zip([select.lhs, *places], masked.args, strict=True))
    # The constants of the comparison, and the ops of the mask.
    for op in (compare.lhs.owner, compare.rhs.owner, other, compare):
        if isinstance(op, Operation) and op.results[0] not in mapping:
            masked.add_op(op.clone(mapping))
    chosen = select.clone(mapping)
    masked.add_op(chosen)
    finish_body(masked, [chosen.result])
    return _SelectedMask(least, Region(plain), Region(masked))


def _place(value: SSAValue, places: dict[SSAValue, Index]) -> Index | None:
    """Return a value of a body as an index expression, if it is a position or an integer constant.

    places: the index expressions of the body's arguments that are positions.
    Returns None for other values.
    """
    owner = value.owner
    if isinstance(owner, arith.ConstantOp) and isinstance(owner.value, IntegerAttr):
        return constant(owner.value.value.data)
    return places.get(value)


def _least(view: ComputeView, distance: Index) -> Index | None:
    """Return the least value that an index expression takes over all points of a compute.

    The result depends only on variables of loops around the compute. None if the expression is not
    linear in the axes, or uses an axis of symbolic extent.
    """
    least = distance
    for axis, extent in view.axes.items():
        factor = distance.coefficient(axis)
        if factor and not isinstance(extent, int):
            return None
        if factor:
            assert isinstance(extent, int), "the axis has a known extent"
            least = least.without(axis) + min(0, factor * (extent - 1))
    return None if any(isinstance(key, str) for key in least.variables()) else least

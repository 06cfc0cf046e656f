"""sched.split_scan: divide a scan into parts that run independently of each other."""

from __future__ import annotations

from dataclasses import replace

from xdsl.ir import Block, Region

from ....dialects.dtypes import is_float
from ....dialects.te import Access, ComputeOp, ComputeView, identity_indices
from ....dialects.te.build import make_region
from ....dialects.te.reductions import FLOAT_COMBINERS, INTEGER_COMBINERS
from ....dialects.te.scalars import Scalars
from ....dialects.te.verifier import accumulator_type
from ....support.names import value_hint
from ...rewrite.compose import copy_body, finish_body
from ..buffers.local_buffers import make_buffer
from ..engine.placement import block_of, erase_compute
from ..engine.step import Handles, Step


def split_scan(step: Step) -> Handles:
    """Divide a scan into parts; each part begins with the combined elements of all parts before it.

        te.compute @c [i: 8, j: 96 scan] ins(%x[i, j]) outs(%y[i, j] add 0.0) ..
        %sums, %before, %scan = sched.split_scan %c {axis = j, factor = 32, into = [p, e]}
    ==>
        @c_sums    [i: 8, p: 3, e: 32 red]  ins(%x[i, p * 32 + e]) outs(%s[i, p] add 0.0) ..
        @c_before  [i: 8, p: 3 scan]        ins(%s[i, p - 1] pad 0.0) outs(%b[i, p] add 0.0) ..
        @c         [i: 8, p: 3, e: 32 scan] ins(%x[i, p * 32 + e]) post(%b[i, p])
                   outs(%y[i, p * 32 + e] add 0.0) .. then { %b[i, p] + sum }

    axis: the scanned axis.  factor: the elements of a part; it divides the axis.  into: the names
    of the axes of the parts, and of the elements of a part.
    Handles: the computes of the combined elements of each part, of those before each part, and of
    the results.
    Before: the only output starts from an initial value, its combiner is a binary operation of
    scalars, and no loop is pending.
    Error: elements are combined in another order: first those of a part.  Exact for integers.
    Errors: ScheduleError otherwise.
    """
    axis, factor = step.word("axis"), step.number("factor")
    op = step.only_compute()
    view = op.view()
    if view.scan is None or axis != view.scan:
        raise step.error(f"axis {axis} of @{view.name} is not scanned", expected=view.scan)
    if view.nest is not None or view.tile:
        raise step.error(f"@{view.name} has loops already", hint="use split_scan first")
    (out, *others) = view.outputs
    element = accumulator_type(out)
    combiners = FLOAT_COMBINERS if is_float(element) else INTEGER_COMBINERS
    if others or out.init is None or out.combiner not in combiners:
        raise step.error(
            f"@{view.name} does not scan one output by an operation of two scalars",
            expected=f"one output with an initial value, and one of {', '.join(combiners)}",
        )
    extent = view.axes[axis]
    if not isinstance(extent, int) or extent % factor:
        raise step.error(
            f"parts of {factor} elements do not divide axis {axis} of @{view.name}",
            expected=f"a divisor of {extent}",
        )
    part, inner = step.new_axes("into", axis, 2)
    split = replace(view.split(axis, factor, part, inner), scan=inner)
    ops = [ComputeOp.from_view(each) for each in _parts(step, op, split, part)]
    for each in ops:
        each.location = op.location
        block_of(op).insert_op_before(each, op)
    erase_compute(op)
    return [[each] for each in ops]


def _parts(step: Step, op: ComputeOp, view: ComputeView, part: str) -> list[ComputeView]:
    """Return the computes of each part's elements, of those before each part, and of the results.

    op: the scan.  view: the scan with an axis of parts, ``part``, and the axis of a part's
    elements, along which it scans.
    """
    (out,), name = view.outputs, view.name
    axes = {axis: extent for axis, extent in view.axes.items() if axis not in (part, view.scan)}
    axes[part] = view.axes[part]
    places = identity_indices(axes)
    element = accumulator_type(out)
    stored: list[Access] = []
    for word in ("sums", "before"):
        alloc = make_buffer(element, list(axes.values()))
        alloc.res.name_hint = value_hint(f"{name}_{word}")
        block_of(op).insert_op_before(alloc, op)
        stored.append(Access(alloc.res, list(places), combiner=out.combiner, init=out.init))
    sums = replace(
        view,
        name=step.fresh_label(f"{name}_sums"),
        axes={**axes, str(view.scan): view.axes[str(view.scan)]},
        scan=None,
        outputs=[stored[0]],
        post=[],
        body=view.body.clone(),
        combine=Region(),
        then=Region(),
    )
    earlier = Access(stored[0].value, [*places[:-1], places[-1] - 1], pad=out.init)
    before = ComputeView(
        step.fresh_label(f"{name}_before"),
        axes,
        [earlier],
        [],
        [stored[1]],
        make_region([element], lambda _, value: value),
        scan=part,
    )
    kinds = FLOAT_COMBINERS if is_float(element) else INTEGER_COMBINERS
    block = Block(arg_types=[element, *(a.argument_type for a in view.post), element])
    own, *posts, offset = block.args
    total = Scalars(block).emit(kinds[out.combiner], [offset, own], element)
    values = [total]
    if view.then.blocks:
        values = copy_body(block, view.then.block, [total, *posts])
    finish_body(block, values)
    read = Access(stored[1].value, list(places))
    results = replace(view, post=[*view.post, read], then=Region(block))
    return [sums, before, replace(results, body=view.body.clone(), combine=Region())]

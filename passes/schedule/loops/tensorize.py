"""sched.tensorize: compute the inner part of a compute with a machine instruction."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from xdsl.ir import BlockArgument

from ....analysis.patterns.collective import match_collective
from ....analysis.patterns.intrinsics import (
    Match,
    Misplaced,
    PatternMismatch,
    match_intrinsic,
    split_reduced,
)
from ....analysis.patterns.tiles import match_tile
from ....dialects.te import ComputeOp, ComputeView, IntrinsicOp, find_intrinsic, intrinsics_around
from ....dialects.te.loop_nest import UNROLL, VECTOR, NestLoop
from ....support.diagnostics import ScheduleError
from ..buffers.layout import store_through
from ..engine.nest import make_nest, nest_of
from ..engine.nest_edit import mark, require_loop
from ..engine.step import Handles, Step
from .vectorize import check_factor


def tensorize(step: Step) -> Handles:
    """Compute the inner part of an innermost compute (leaf) by a te.intrinsic of the module.

        te.compute @mm [m: 4, n: 32, k: 64 red] ins(%A[m, k] : .., %B[k, n] : ..)
            outs(%C[m, n] add 0 : i32 : ..) body { u8 times s8 as i32 }
        %t = sched.tensorize %c {intrinsic = vpdpbusd}
    ==>
        te.compute @mm [m: 4, n: 32, ko: 16 red, ki: 4 red]
            ins(%A[m, ko * 4 + ki] : .., %B[n floordiv 16, ko, n mod 16, ki] : ..)
            outs(%C[m, n] add 0 : i32 : ..) tile(vec = n, lanes = 16, intrinsic = vpdpbusd) ..

    The compute's body must equal the body of the intrinsic's definition, up to the order of inputs
    and operands. A reduced axis that is longer than the definition's axis is split.  An input that
    the instruction reads in another order is packed if it is a constant argument of the kernel
    without a layout.  An input that does not depend on the lanes is read once for all lanes. If the
    compute has a pending nest, the loops outside of the lanes are made; leaves of a remainder that
    do not match the intrinsic become plain vector code.
    axis: the axis, or loop of the pending nest, along the lanes; by default an axis along which the
    output is contiguous.
    <reduced axis>: the number of remaining steps along this axis that are unrolled, 0 for all.

    An intrinsic that several threads execute together (collective) computes whole leaves, whose
    extents are multiples of the extents in its definition; te-to-loop makes a loop over these
    threads around each leaf.  ``axis`` is then the outermost loop of the leaf, and loops outside of
    it may be bound to other threads.

    An intrinsic on tile registers (AMX) computes a leaf of up to four tiles of accumulators, whose
    rows and lanes are multiples of the extents in its definition; nothing is packed.

    Before: the register tile is not declared; reduced extents are multiples of the definition's.
    Errors: ScheduleError otherwise; for an unknown intrinsic; for a compute that differs (the error
    names the first difference) or reads an operand in another order (the error names the layout
    that would match).
    """
    intrinsic = _intrinsic(step)
    axis = step.word("axis") if "axis" in step.params else None
    leaves: list[ComputeOp] = []
    for op in step.computes():
        if intrinsic.is_collective:
            leaves += _tensorize_collective(step, intrinsic, op, axis)
        elif intrinsic.is_tile:
            _tensorize_tiles(step, intrinsic, op, axis)
            leaves.append(op)
        elif op.nest is None:
            _tensorize(step, intrinsic, op, axis)
            leaves.append(op)
        else:
            leaves += _tensorize_nest(step, intrinsic, op, axis)
    return [leaves]


def _tensorize(step: Step, intrinsic: IntrinsicOp, op: ComputeOp, axis: str | None) -> None:
    match = _match(step, intrinsic, op, axis)
    for misplaced in match.misplaced:
        _store_in_order(step, intrinsic, op, misplaced)
    if match.misplaced and (match := _match(step, intrinsic, op, axis)).misplaced:
        raise _cannot_read(step, intrinsic, op.view(), match.misplaced[0])
    _declare(step, intrinsic, op, match)


def _tensorize_nest(
    step: Step, intrinsic: IntrinsicOp, op: ComputeOp, axis: str | None
) -> list[ComputeOp]:
    """Make the pending loops of a compute; tensorize the innermost computes that match.

    intrinsic: the instruction.
    axis: the loop along the lanes.
    Returns all innermost computes. Those that do not match the intrinsic, such as a remainder,
    become vector code.
    Errors: ScheduleError if none matches.
    """
    view = op.view()
    if axis is None:
        raise step.error(
            f"@{view.name} has loops that are not made yet: one of them runs along the lanes",
            expected=f"axis = one of {', '.join(nest_of(view).axes)}",
        )
    require_loop(step, view, axis)
    nest = mark(step, view, nest_of(view), NestLoop(axis, VECTOR, intrinsic.lanes))
    op.update(replace(view, nest=nest))
    leaves = make_nest(op).leaves
    refused: list[ScheduleError] = []
    for leaf in leaves:
        vectors = leaf.view()
        leaf.update(replace(vectors, tile={}, unrolls={}))
        try:
            _tensorize(step, intrinsic, leaf, str(vectors.tile["vec"]))
        except ScheduleError as err:
            leaf.update(vectors)
            refused.append(err)
    if len(refused) == len(leaves):
        raise refused[0]
    return leaves


def _tensorize_collective(
    step: Step, intrinsic: IntrinsicOp, op: ComputeOp, axis: str | None
) -> list[ComputeOp]:
    """Let several threads together compute each innermost compute by an intrinsic.

    intrinsic: the instruction.
    axis: the outermost loop of the innermost computes; pending loops outside of it are made.
    Returns the innermost computes.
    """
    leaves, view = [op], op.view()
    if op.nest is not None or axis is not None:
        nest = nest_of(view)
        if axis is None:
            raise step.error(
                f"@{view.name} has loops that are not made yet: one of them begins the leaf",
                expected=f"axis = one of {', '.join(nest.axes)}",
            )
        require_loop(step, view, axis)
        for entry in nest.order[nest.axes.index(axis) :]:
            nest = mark(step, view, nest, NestLoop(entry.axis, UNROLL))
        op.update(replace(view, nest=nest))
        leaves = make_nest(op).leaves
    for leaf in leaves:
        own = leaf.view()
        found = match_collective(intrinsic, own)
        if isinstance(found, PatternMismatch):
            raise _differs(step, intrinsic, own, found)
        tile: dict[str, int | str] = {"intrinsic": intrinsic.label}
        leaf.update(replace(own, tile=tile, unrolls={}))
    return leaves


def _tensorize_tiles(step: Step, intrinsic: IntrinsicOp, op: ComputeOp, axis: str | None) -> None:
    """Compute an innermost compute (leaf) of a few whole tiles by an intrinsic on tile registers.

    The reduction is split as in the definition of the intrinsic.
    """
    view = op.view()
    if op.nest is not None:
        raise step.error(
            f"@{view.name} has loops that are not made yet",
            expected=f"a leaf of a few tiles for @{intrinsic.label}",
            hint="tile its axes by sched.tile",
        )
    step.require_no_register_tile(view)
    found = match_tile(intrinsic, view, axis)
    if isinstance(found, PatternMismatch):
        raise _differs(step, intrinsic, view, found)
    tile: dict[str, int | str] = {
        "vec": found.axes[intrinsic.lane_axis], "lanes": intrinsic.lanes,
        "intrinsic": intrinsic.label,
    }  # fmt: skip
    op.update(replace(found.view, tile=tile, unrolls={}))


def _intrinsic(step: Step) -> IntrinsicOp:
    name = step.word("intrinsic")
    for place in (step.op, step.kernel):
        found = find_intrinsic(place, name)
        if found is not None:
            return found
    known = [op.label for place in (step.op, step.kernel) for op in intrinsics_around(place)]
    raise step.error(
        f"the module has no intrinsic @{name}",
        expected=f"one of {', '.join(dict.fromkeys(known))}" if known else None,
        hint="put a te.intrinsic of this name next to the script",
    )


def _match(step: Step, intrinsic: IntrinsicOp, op: ComputeOp, axis: str | None) -> Match:
    view = op.view()
    if view.tile:
        raise step.error(
            f"the register tile of @{view.name} is declared", hint="use tensorize in its place"
        )
    found = match_intrinsic(intrinsic.row_view(), view, axis)
    if isinstance(found, PatternMismatch):
        raise _differs(step, intrinsic, view, found)
    return found


def _differs(
    step: Step, intrinsic: IntrinsicOp, view: ComputeView, found: PatternMismatch
) -> ScheduleError:
    return step.error(
        f"@{view.name} is not what @{intrinsic.label} computes: {found.rule}",
        expected=found.expected,
        got=found.got,
    )


def _store_in_order(
    step: Step, intrinsic: IntrinsicOp, op: ComputeOp, misplaced: Misplaced
) -> None:
    """Pack a constant argument into the order in which an instruction reads it.

    misplaced: the operand whose layout does not suit the instruction, with a layout that does.
    """
    view, kernel = op.view(), step.kernel
    value = view.inputs[misplaced.number].value
    is_argument = isinstance(value, BlockArgument) and value.block is kernel.body.block
    position = value.index if is_argument and isinstance(value, BlockArgument) else -1
    is_free = position in kernel.constant_positions and position not in kernel.pack_maps
    if not is_free or misplaced.layout is None or value is None:
        raise _cannot_read(step, intrinsic, view, misplaced)
    store_through(step, value, misplaced.layout)
    kernel.record_pack(position, misplaced.layout)
    kernel.update_function_type()


def _cannot_read(
    step: Step, intrinsic: IntrinsicOp, view: ComputeView, misplaced: Misplaced
) -> ScheduleError:
    hint = ""
    if misplaced.layout is not None:
        hint = (
            f"cache_read {{operand = {misplaced.number}}}, and of the copy "
            f"relayout {{out = 0, map = affine_map<{misplaced.layout.data}>}}"
        )
    return step.error(
        f"@{intrinsic.label} reads input {misplaced.number} of @{view.name} in another order",
        expected=f"distances in memory of {_distances(misplaced.expected)}",
        got=_distances(misplaced.got),
        hint=hint,
    )


def _distances(strides: Mapping[str, int | None] | Mapping[str, int]) -> str:
    return ", ".join(f"{s if s is not None else '?'} along {a}" for a, s in strides.items())


def _declare(step: Step, intrinsic: IntrinsicOp, op: ComputeOp, match: Match) -> None:
    """Split the reduced axes as the intrinsic's definition does, and declare the register tile.

    match: maps the inputs and axes of the definition to those of the compute.
    """
    definition = intrinsic.row_view()
    view, axes = split_reduced(definition, op.view(), match.axes)
    taken = {axes[name] for name in definition.reduced_axes()}
    factors = step.sizes(minimum=0)
    for name, factor in factors.items():
        if name in taken:
            rest = [a for a in view.reduced_axes() if a not in taken]
            raise step.error(
                f"@{intrinsic.label} covers all of axis {name}",
                expected=f"one of {', '.join(rest) or 'none'}",
                got=name,
            )
        check_factor(step, view, name, factor)
    tile: dict[str, int | str] = {
        "vec": axes[intrinsic.lane_axis], "lanes": intrinsic.lanes, "intrinsic": intrinsic.label
    }  # fmt: skip
    op.update(replace(view, tile=tile, unrolls=dict(factors)))

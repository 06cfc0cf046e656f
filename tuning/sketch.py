"""sketch: schedules of any kernel, derived from its definition alone, without a template of a user.

The main compute is the one with the most work.  Its knobs are the vector axis (an axis along which
results, or terms of a sum, are adjacent in memory), the register tile, a second level of tiles for
the caches, the order of loops, the tile of the reduction loop, unrolled terms, partial sums
(rfactor), packed weights, and operands that are copied into panels.  Producers are inlined or
computed in a loop of their reader, consumers in a loop of the main compute, if that is legal.  A
point whose steps a schedule refuses is no schedule; all others are legal by construction.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

from xdsl.dialects.builtin import AffineMapAttr
from xdsl.ir import BlockArgument
from xdsl.ir.affine import AffineExpr, AffineMap

from ..analysis.strides import lane_stride
from ..dialects import sched
from ..dialects.dtypes import bit_width
from ..dialects.te import Access, ComputeView
from ..schedule.schedule import Schedule
from ..schedule.stage import Stage
from ..schedule.stage_buffers import AxisName, StageSchedule
from ..support.affine import variable
from .template_space import Config

VECTORS = (1, 2, 3, 4, 5, 6, 8)
ROWS = (1, 2, 3, 4, 5, 6, 8, 10, 12, 14)
BLOCKS = (1, 2, 4, 8, 16, 32)
PASSES = (0, 64, 128, 256, 512)
UNROLLS = (1, 2, 4, 8)

MOST_CHOICES = 64
"""Largest extent that a register tile may cover whole."""


@dataclass(frozen=True)
class _Axes:
    """The axes of a stage that have more than one iteration.

    free: the parallel axes.
    reduced: the reduction axes.
    """

    free: tuple[str, ...]
    reduced: tuple[str, ...]

    @staticmethod
    def of(view: ComputeView) -> _Axes:
        reduced = view.reduced_axes()
        many = [axis for axis, extent in view.axes.items() if extent != 1]
        return _Axes(
            tuple(axis for axis in many if axis not in reduced),
            tuple(axis for axis in many if axis in reduced),
        )


def sketch(s: Schedule, c: Stage, cfg: Config) -> None:
    """Schedule the kernel of a schedule by its definition, as the module docstring describes.

    s: the schedule.  c: its last stage.  cfg: the choices of knobs.
    """
    stages = [s[name] for name in s.stages]
    main = max(stages, key=lambda stage: _work(stage.view))
    at = [stage.name for stage in stages].index(main.name)
    loop = _tiled(s, main, cfg)
    for producer in reversed(stages[:at]):
        _place_producer(producer, main, loop, s, cfg)
    for consumer in stages[at + 1 :]:
        _place_consumer(consumer, main, loop, s, cfg)


def _work(view: ComputeView) -> int:
    return prod(extent for extent in view.axes.values() if isinstance(extent, int))


def _place_producer(stage: Stage, main: Stage, loop: str, s: Schedule, cfg: Config) -> None:
    choices = ("apart", "at") if stage.view.reduced_axes() else ("apart", "inline", "at")
    match cfg.knob(f"{stage.name}.place", choices):
        case "inline":
            stage.compute_inline()
        case "at" if loop:
            stage.compute_at(main, loop)
            _vectorized(s, stage)
        case _:
            _tiled(s, stage, cfg)


def _place_consumer(stage: Stage, main: Stage, loop: str, s: Schedule, cfg: Config) -> None:
    choices = ("apart",) if stage.view.reduced_axes() else ("apart", "at")
    if loop and cfg.knob(f"{stage.name}.place", choices) == "at":
        stage.reverse_compute_at(main, loop)
        _vectorized(s, stage)
    else:
        _tiled(s, stage, cfg)


def _vectorized(s: Schedule, stage: Stage) -> None:
    """Vectorize a stage along the innermost axis whose results are adjacent in memory, if any."""
    view = stage.view
    axes = _adjacent(view, _Axes.of(view).free, view.outputs[:1], _lanes(s, view))
    if axes:
        stage.vectorize(axes[-1])


def _tiled(s: Schedule, stage: Stage, cfg: Config) -> str:
    """Tile, order, vectorize and distribute the loops of a stage; return its outermost loop."""
    view, name = stage.view, stage.name
    axes, lanes = _Axes.of(view), _lanes(s, view)
    if not axes.free and not axes.reduced:
        return ""
    vectors = _adjacent(view, axes.free, view.outputs[:1], lanes)
    vectors += _adjacent(view, axes.reduced, view.inputs, lanes)
    vector = cfg.knob(
        f"{name}.vector",
        (*reversed(vectors), *(() if vectors else axes.free[-1:] or axes.reduced[-1:])),
    )
    assert isinstance(vector, str), "axes have names"
    width = cfg.number(f"{name}.vectors", VECTORS) * lanes
    if vector in axes.reduced:
        return _tiled_sum(stage, cfg, axes, vector, width)
    copies = _pack(stage, cfg, vector, width)
    return _tiled_rows(stage, cfg, axes, vector, width, copies)


def _tiled_rows(
    stage: Stage, cfg: Config, axes: _Axes, vector: str, width: int, copies: Sequence[Stage]
) -> str:
    """Schedule a stage whose vectors are adjacent results; return its outermost loop.

    copies: stages that copy operands into panels; each is computed once per panel.
    cfg: the choices of knobs.
    axes: the axes of the stage.
    vector: the axis of adjacent results.
    width: the number of these results in a tile.
    """
    name = stage.name
    others = [axis for axis in axes.free if axis != vector]
    outer, inner = _split(stage, vector, width)
    panels, row_loops, tile = [outer], [*others], [inner]
    if others:
        row = cfg.knob(f"{name}.rows", tuple(reversed(others[-2:])))
        assert isinstance(row, str), "axes have names"
        blocks, rows = _split(stage, row, cfg.number(f"{name}.height", ROWS))
        row_loops[others.index(row)] = blocks
        tile.insert(0, rows)
        block = cfg.number(f"{name}.block", BLOCKS)
        if block > 1 and (stage.extents.get(blocks) or 0) > block:
            far, near = stage.split(blocks, factor=block)
            row_loops[others.index(row)] = far
            is_near = bool(copies) or cfg.knob(f"{name}.near", (True, False))
            panels = [*panels, near] if is_near else [near, *panels]
    sums, passes = _sum_loops(stage, cfg, axes.reduced)
    orders = [
        [*row_loops, *panels],
        [*panels, *row_loops],
        [*row_loops[:1], *panels, *row_loops[1:]],
    ]
    # With the panels outermost, each panel is copied once.
    loops = orders[1 if copies else cfg.number(f"{name}.order", range(3))]
    stage.reorder(*loops[:1], *passes, *loops[1:], *sums, *tile)
    for copy in copies:
        copy.compute_at(stage, outer)
        _transpose(copy, width)
    _distribute(stage, cfg, loops[0])
    stage.vectorize(inner)
    if others:
        stage.unroll(tile[0])
    return loops[0]


def _tiled_sum(stage: Stage, cfg: Config, axes: _Axes, vector: str, width: int) -> str:
    """Schedule a stage whose vectors hold adjacent terms of its sums; return its outermost loop.

    cfg: the choices of knobs.
    axes: the axes of the stage.
    vector: the reduction axis along the lanes.
    width: the number of lanes of a vector.
    """
    name = stage.name
    outermost = axes.free[0] if axes.free else ""
    if cfg.knob(f"{name}.rfactor", (False, True)) and (stage.extents.get(vector) or 0) > width:
        part = stage.rfactor(vector, factor=width)
        if outermost:
            part.compute_at(stage, outermost)
            stage.parallel(outermost)
        part.vectorize(part.op.axis[-1])
        stage.vectorize(stage.op.reduce_axis[0])
        return outermost
    steps, inner = _split(stage, vector, width)
    rest = [axis for axis in axes.reduced if axis != vector]
    loops = [*axes.free, *rest, steps, inner]
    if outermost:
        block = cfg.number(f"{name}.height", ROWS)
        outermost, near = _split(stage, axes.free[0], block)
        loops = [outermost, near, *loops[1:]]
    stage.reorder(*loops)
    if outermost:
        _distribute(stage, cfg, outermost)
    stage.vectorize(inner)
    return outermost


def _sum_loops(stage: Stage, cfg: Config, reduced: Sequence[str]) -> tuple[list[str], list[str]]:
    """Order, split and unroll the reduction loops of a stage, as three knobs choose.

    reduced: the reduction loops.
    Returns two lists of loops: the loops that stay inside, outermost first, and the outer part of
    the first loop. The second list is empty if this loop is not split.
    """
    if not reduced:
        return [], []
    name = stage.name
    loops = (
        [*reduced] if cfg.knob(f"{name}.sum", ("given", "turned")) == "given" else [*reduced[::-1]]
    )
    passes: list[str] = []
    size = cfg.number(f"{name}.pass", PASSES)
    if size and (stage.extents.get(loops[0]) or 0) >= 2 * size:
        first, loops[0] = stage.split(loops[0], factor=size)
        passes = [first]
    copies = cfg.number(f"{name}.unroll", UNROLLS)
    if copies > 1 and (stage.extents.get(loops[-1]) or 0) > copies:
        stage.unroll(loops[-1], copies)
    return loops, passes


def _split(stage: Stage, axis: AxisName, size: int) -> tuple[str, str]:
    """Split a loop into blocks of ``size`` iterations; return the outer and the inner loop.

    A size that exceeds the extent counts as the extent.
    """
    extent = stage.extents.get(axis if isinstance(axis, str) else axis.name)
    return stage.split(axis, factor=size if extent is None else min(size, extent))


def _distribute(stage: Stage, cfg: Config, loop: str) -> None:
    if cfg.knob(f"{stage.name}.parallel", (True, False)):
        stage.parallel(loop)


def _transpose(copy: Stage, width: int) -> None:
    """Copy squares of elements, the lanes of a vector in each direction; one loop is unrolled.

    copy: the stage of a copy whose first axis runs along the lanes of panels of ``width``.
    """
    lanes = _lanes(copy.schedule, copy.view)
    first, *others = copy.op.axis
    rows, lane = _split(copy, first, lanes)
    columns, column = _split(copy, others[-1], lanes)
    copy.reorder(rows, *others[:-1], columns, column, lane)
    copy.vectorize(lane)
    copy.unroll(column)


def _pack(stage: Stage, cfg: Config, vector: str, width: int) -> Sequence[Stage]:
    """Pack the operands that vary along the vector axis into panels of a tile's width.

    vector: the vector axis. width: the extent of a tile along this axis.

    Constants are packed before the program runs.  For operands whose elements are not adjacent
    along the vector axis, return the stages that copy them.
    """
    weights = stage.schedule.kernel_of(stage.name).plain.constant_positions
    lanes, copied = _lanes(stage.schedule, stage.view), list[int]()
    for number, access in enumerate(stage.view.reads):
        value, layout = access.value, _panels(access, vector, width)
        if layout is None or not isinstance(value, BlockArgument):
            continue
        if value.index in weights:
            if cfg.knob(f"{stage.name}.pack{number}", (True, False)):
                params: dict[str, sched.Param] = {"operand": number, "map": layout}
                stage.schedule.step(sched.PackOp, [stage.name], params)
        elif (
            lane_stride(stage.view, access, vector, lanes) != 1
            and len(access.extents) > 1
            and cfg.knob(f"{stage.name}.copy{number}", (True, False))
        ):
            copied.append(number)
    return [_copy(stage, number, vector, width) for number in copied]


def _copy(stage: Stage, number: int, vector: str, width: int) -> Stage:
    """Read an operand through a copy in panels; return the stage of the copy.

    number: the number of the read.  vector: the vector axis.  width: the extent of a panel along
    it.
    """
    copy = stage.cache_read(number)
    layout = _panels(stage.view.reads[number], vector, width)
    assert layout is not None, "checked before"
    copy.transform_layout(layout.data)
    return copy


def _panels(access: Access, axis: str, width: int) -> AffineMapAttr | None:
    """Return the layout that stores an operand in panels of ``width`` positions along an axis.

    Return None unless exactly one dimension of the operand has the axis as its index.
    """
    indices = access.indices or []
    dims = [n for n, index in enumerate(indices) if axis in set(index.variables())]
    if len(dims) != 1 or indices[dims[0]] != variable(axis):
        return None
    exprs: list[AffineExpr] = [AffineExpr.dimension(n) for n in range(len(indices))]
    whole = exprs.pop(dims[0])
    made = (whole // width, *exprs, whole % width)
    return AffineMapAttr(AffineMap(len(indices), 0, made))


def _adjacent(
    view: ComputeView, axes: Sequence[str], accesses: Sequence[Access], lanes: int
) -> list[str]:
    """Return the axes along which at least one access has adjacent elements in adjacent lanes.

    accesses: reads or writes of the compute ``view``. lanes: the lanes of a vector.
    """
    return [
        axis
        for axis in axes
        if any(lane_stride(view, access, axis, lanes) == 1 for access in accesses)
    ]


def _lanes(s: StageSchedule[Stage], view: ComputeView) -> int:
    return s.target.lanes(max(8, bit_width(view.outputs[0].element_type)))

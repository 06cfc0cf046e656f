"""Templates for common operators, short enough to be read, copied and changed.

Each template schedules kernels of a single compute. The template `sketch` schedules other kernels,
too, and has a larger space.
"""

from __future__ import annotations

from ..schedule.schedule import Schedule
from ..schedule.stage import Stage
from .template_space import Config

ROWS = (1, 2, 4, 6, 8, 12)
COLUMNS = (8, 16, 32, 48, 64)


def product(s: Schedule, c: Stage, cfg: Config) -> None:
    """Tile the last two axes of a (batched) matrix product, and order the tiles.

    s: the schedule of the kernel.  c: the stage of the product.  cfg: chooses tiles and orders.
    """
    *batch, i, j = c.op.axis
    (k,) = c.op.reduce_axis
    io, ii = cfg.split(c, i, ROWS)
    jo, ji = cfg.split(c, j, COLUMNS)
    cfg.reorder(c, (*batch, jo, io, k, ii, ji), (*batch, io, jo, k, ii, ji))
    c.vectorize(ji)
    c.unroll(ii)
    cfg.annotate(c, c.loops[0], ("parallel", "none"), "tasks")


def convolution(s: Schedule, c: Stage, cfg: Config) -> None:
    """Tile the image rows and channels of a convolution; the last axis is the vector.

    s: the schedule of the kernel.  c: the stage of the convolution.  cfg: chooses the tiles.
    """
    *outer, x = c.op.axis
    xo, xi = cfg.split(c, x, COLUMNS)
    co, ci = cfg.split(c, outer[-2] if len(outer) > 1 else outer[-1], ROWS)
    rest = [axis for axis in outer if axis != (outer[-2] if len(outer) > 1 else outer[-1])]
    terms = c.op.reduce_axis
    cfg.reorder(
        c, (*rest[:-1], co, *rest[-1:], xo, *terms, ci, xi), (co, *rest, xo, *terms, ci, xi)
    )
    c.vectorize(xi)
    c.unroll(ci)
    cfg.annotate(c, c.loops[0], ("parallel", "none"), "tasks")


def reduction(s: Schedule, c: Stage, cfg: Config) -> None:
    """Vectorize the last reduced axis of sums of rows, and unroll several rows.

    s: the schedule of the kernel.  c: the stage of the sums.  cfg: chooses the numbers.
    """
    *outer, k = c.op.reduce_axis
    ko, ki = cfg.split(c, k, (16, 32, 64, 128))
    rows = [*c.op.axis]
    if rows:
        rows[-1:] = cfg.split(c, rows[-1], ROWS)
    c.reorder(*rows, *outer, ko, ki)
    c.vectorize(ki)
    if rows:
        cfg.annotate(c, rows[0], ("parallel", "none"), "tasks")


def elementwise(s: Schedule, c: Stage, cfg: Config) -> None:
    """Vectorize the last axis of an elementwise compute, and divide the compute into tasks.

    s: the schedule of the kernel.  c: the stage of the compute.  cfg: chooses the numbers.
    """
    *outer, x = c.op.axis
    xo, xi = cfg.split(c, x, (8, 16, 32, 64, 128))
    c.vectorize(xi)
    loops = [*outer, xo]
    cfg.annotate(c, loops[0], ("parallel", "none"), "tasks")

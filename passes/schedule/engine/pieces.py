"""Divide a compute into computes over parts of an axis, in parallel or in reduction order.

A piece is a compute and the view that will replace its definition. The functions raise no errors.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TypeAlias

from ....dialects.loop import ForOp
from ....dialects.shape import Extent
from ....dialects.te import ComputeOp, ComputeView
from ....support.affine import Index, constant, variable
from ....support.names import value_hint
from ...rewrite.sections import Run
from .placement import append_to, block_of, drop_region, insert_loop, size_in_kernel

Piece: TypeAlias = tuple[ComputeOp, ComputeView]


def narrow(view: ComputeView, axis: str, first: Index, extent: Extent) -> ComputeView:
    """Return ``view`` restricted to ``extent`` positions of ``axis``, from ``first`` on."""
    smaller = replace(view, axes={**view.axes, axis: extent})
    return smaller.substitute({axis: first + variable(axis)})


def fix(view: ComputeView, axis: str, position: Index) -> ComputeView:
    """Return a view of the points at one position of an axis, without the axis."""
    fixed = view.substitute({axis: position})
    return replace(fixed, axes={a: n for a, n in view.axes.items() if a != axis})


def in_loops(
    op: ComputeOp,
    view: ComputeView,
    axis: str,
    runs: Sequence[Run],
    trips: tuple[Index, Index] | None = None,
) -> list[tuple[Piece, ForOp]]:
    """Divide an axis of a compute into sequences of equal blocks; make a loop for each sequence.

    Each loop contains a compute over one block: the op itself in the last loop, copies in the
    others.
    view: the definition of the op.
    runs: the sequences of blocks of ``axis``.
    trips: the first block and the end block that the loops run over; None: all blocks. An outer
    loop over groups of blocks needs this.
    Returns each loop with its compute, and the view that the caller must set as the compute's
    definition.
    """
    pieces: list[tuple[Piece, ForOp]] = []
    low, ends = (constant(0), []) if trips is None else (trips[0], [trips[1]])
    for run, piece in zip(runs, copies(op, len(runs)), strict=True):
        highs = [size_in_kernel(op, bound) for bound in run.bounds]
        loop = insert_loop(op, [low], [*highs, *ends])
        loop.variable.name_hint = value_hint(axis)
        append_to(loop, piece)
        first = size_in_kernel(op, run.first)
        if isinstance(run.size, int):
            first = Index({loop.variable: run.size}) + first
        pieces.append(((piece, narrow(view, axis, first, run.size)), loop))
    return pieces


def copies(op: ComputeOp, count: int) -> Iterator[ComputeOp]:
    """Insert ``count - 1`` copies of an op before the op; yield the copies, then the op itself."""
    for _ in range(count - 1):
        copy = op.clone()
        block_of(op).insert_op_before(copy, op)
        yield copy
    yield op


def in_order(op: ComputeOp, view: ComputeView, count: int) -> list[Piece]:
    """Return ``count`` computes that each reduce over one of consecutive parts of an axis.

    The first compute initializes the output; all others add to the stored values, and the last one
    applies ``then``. Each is returned with the view that will replace its definition.
    """
    pieces: list[Piece] = []
    continued = replace(view, outputs=[replace(o, init=None) for o in view.outputs])
    for number, piece in enumerate(copies(op, count)):
        part = view if number == 0 else continued
        if number < count - 1:
            drop_region(piece, piece.then)
            part = replace(part, post=[], then=piece.then)
        pieces.append((piece, part))
    return pieces

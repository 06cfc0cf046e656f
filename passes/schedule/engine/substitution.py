"""Substitute loop variables in an op and in the computes and loops inside it."""

from __future__ import annotations

from collections.abc import Mapping

from xdsl.ir import Operation

from ....dialects.loop import ForOp
from ....dialects.te import ComputeOp
from ....dialects.te.view import loop_variable_range
from ....support.affine import Index, Key
from ...rewrite.loops import set_bounds
from .placement import walk_nest


def substitute(op: Operation, values: Mapping[Key, Index]) -> None:
    """Replace variables in an op, in place: in accesses of computes and in bounds of loops.

    values: the index that replaces each variable.
    """
    for inner in [op, *walk_nest(op)]:
        if isinstance(inner, ComputeOp):
            inner.update(inner.view().substitute(values))
        elif isinstance(inner, ForOp):
            lows, highs = (
                [e.substitute(values, loop_variable_range) for e in bounds]
                for bounds in inner.bounds()
            )
            set_bounds(inner, lows, highs)

"""Reference semantics of references: a cell that reads and writes share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, cast

from ...dialects.graph import ReadOp, RefOp, WriteOp
from ..scalar import Array
from .context import RegionEvaluator, RunRegion, Sizes


@dataclass
class Cell:
    """The value of a reference; ``array`` is the tensor that it contains now."""

    array: Array


def ref(op: RefOp, args: tuple[Array, ...], run: RunRegion, sizes: Sizes) -> tuple[Array, ...]:
    """Evaluate graph.ref; its result is a new `Cell` in the place of an array."""
    return (cast(Any, Cell(args[0])),)


def read(op: ReadOp, args: tuple[Array, ...], run: RunRegion, sizes: Sizes) -> tuple[Array, ...]:
    """Evaluate graph.read."""
    return (cast(Cell, args[0]).array,)


def write(op: WriteOp, args: tuple[Array, ...], run: RunRegion, sizes: Sizes) -> tuple[Array, ...]:
    """Evaluate graph.write, which changes the cell."""
    cast(Cell, args[1]).array = args[0]
    return ()


REGION_EVALUATORS: dict[type, RegionEvaluator] = {ReadOp: read, RefOp: ref, WriteOp: write}
"""The evaluators of ops that have an effect."""

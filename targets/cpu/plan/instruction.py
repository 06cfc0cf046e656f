"""Machine instructions for sums of products.

If an intrinsic (targets/cpu/instructions/intrinsics.py) defines a sum of products of narrow types,
that intrinsic computes the sum: vpdpbusd adds four products of bytes to each of 16 lanes in the
time of one FMA.  Of several intrinsics, the plan chooses the one with the fewest cycles for the
number of rows: smmla of AArch64 takes two rows and twice the terms in the time of sdot, but it
takes as long for a single row as for two. One *step* then covers adjacent terms, four bytes for
example; points count steps, and a step of a lane has as many bytes as an f32. The rows must
hold their terms side by side, to be loaded as one broadcast; packed weights hold the terms of a
lane side by side. A computed operand is packed by a copy, panel by panel.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from math import ceil

from xdsl.dialects import arith
from xdsl.dialects.builtin import IntegerType, ModuleOp
from xdsl.ir import Attribute

from ....analysis.patterns.intrinsics import bindings
from ....analysis.strides import axis_stride
from ....dialects.dtypes import bit_width
from ....dialects.sched import ScriptOp
from ....dialects.te import ComputeView, IntrinsicOp
from ....machines.target import Target
from ...library.plans import add_intrinsics, has_features
from ..instructions.intrinsics import INTRINSICS, make_intrinsic
from .contraction import TiledContraction, terms_of

LEAST_ROWS = 8
"""Rows that share the packed copy of a computed operand; it costs as much as about three rows."""


def with_instruction(c: TiledContraction) -> TiledContraction:
    """Return a contraction with the fastest instruction that computes its steps, if any does."""
    if not c.reduced or not _is_narrow(c.view) or not (c.packs or _copies(c)):
        return c
    fitting = [i for i in available(c.target) if i.lanes == c.lanes and _fits(i, c)]
    best = min(fitting, key=lambda i: _row_cycles(i, c), default=None)
    return c if best is None else replace(c, instruction=best)


def _row_cycles(instruction: IntrinsicOp, c: TiledContraction) -> float:
    """Return an instruction's cycles per term of the sums, for all rows and one vector of columns.

    An instruction that multiplies several rows at once takes as long for fewer rows.
    """
    rows = ceil(c.row_count / instruction.rows) * instruction.rows
    return instruction.cycles.value.data * rows / terms_of(instruction)


def fewest_terms(target: Target, stored: Sequence[Attribute]) -> int:
    """Return how many products of adjacent numbers the target's dot products at least add.

    1 if no instruction multiplies and adds the numbers.  stored: the element types of both factors,
    bytes or 16-bit floats.
    """
    if all(isinstance(t, IntegerType) and bit_width(t) == 8 for t in stored):
        return min(map(terms_of, _on_bytes(target)), default=1)
    if not all(map(_is_narrow_type, stored)):
        return 1
    fitting = (i for i in available(target) if _element_types(i) == list(stored))
    return min(map(terms_of, fitting), default=1)


def fewest_lanes(target: Target) -> int:
    """Return the fewest sums that one of the target's dot products of bytes computes at once.

    0 without such an instruction.
    """
    return min((instruction.lanes for instruction in _on_bytes(target)), default=0)


def _element_types(instruction: IntrinsicOp) -> list[Attribute]:
    return [access.element_type for access in instruction.compute.view().inputs]


def byte_blocks(target: Target, lanes: int) -> tuple[int, ...]:
    """Return the channel block sizes that the target's byte instructions need, largest first.

    An instruction on bytes adds several products of adjacent channels to each 32-bit lane, such as
    4 or 8; a block must hold at least this number of channels. Blocks of ``lanes`` channels exist
    in any case, so only numbers above ``lanes`` are returned.
    lanes: the number of 32-bit lanes of a vector.
    """
    sizes = {terms_of(instruction) for instruction in _on_bytes(target)}
    return tuple(sorted((n for n in sizes if n > lanes), reverse=True))


def unsigned_bytes(target: Target) -> set[int]:
    """Return how many of the two operands may be unsigned in the target's instructions on bytes.

    The result contains 0 if an instruction multiplies two signed operands, 1 for signed by unsigned
    ones, and 2 for two unsigned ones.  Only the instructions that add the most terms count; empty
    without instructions on bytes.
    """
    known = [*_on_bytes(target)]
    most = max(map(terms_of, known), default=0)
    return {
        sum(isinstance(op, arith.ExtUIOp) for op in instruction.compute.view().body.block.ops)
        for instruction in known
        if terms_of(instruction) == most
    }


def _on_bytes(target: Target) -> Iterator[IntrinsicOp]:
    for instruction in available(target):
        if all(bit_width(t) == 8 for t in _element_types(instruction)):
            yield instruction


def declare_intrinsics(module: ModuleOp, script: ScriptOp) -> None:
    """Add the intrinsics that a script uses to its module, except those already in the module."""
    add_intrinsics(module, script, make_intrinsic)


def _is_narrow(view: ComputeView) -> bool:
    return all(not x.is_index and _is_narrow_type(x.element_type) for x in view.inputs)


def _is_narrow_type(element: Attribute) -> bool:
    return bit_width(element) < 32


def _fits(instruction: IntrinsicOp, c: TiledContraction) -> bool:
    inner = c.reduced[-1]
    if c.extent(inner) % terms_of(instruction) or _stride(c, inner) != 1:
        return False
    definition = instruction.row_view()
    return any(
        not instruction.is_matrix or inputs[_lane_input(definition)] == c.vector_operand
        for inputs in bindings(definition, c.view)
    )


def _lane_input(definition: ComputeView) -> int:
    """Return the number of the input that depends on the lane, in an intrinsic's definition.

    There is exactly one such input; the other input is broadcast to all lanes.
    """
    (lane,) = definition.parallel_axes()
    return next(n for n, access in enumerate(definition.inputs) if lane in access.axes())


def _copies(c: TiledContraction) -> bool:
    """Return whether to pack the vector operand by a copy.

    This is possible if the operand is a computed value, not a weight, and pays if enough rows read
    it.
    """
    access = c.view.inputs[c.vector_operand]
    if c.has_pixels or c.splits or access.pad is not None or c.has_symbolic_extents:
        return False
    indexed = [set(e.variables()) for e in access.indices or ()]
    alone = [e.variable() for e in access.indices or ()]
    plain = all(alone.count(axis) == 1 for axis in (c.vector_axis, c.reduced[-1]))
    return plain and c.row_count >= LEAST_ROWS and sum(map(len, indexed)) == sum(map(bool, indexed))


def _stride(c: TiledContraction, axis: str) -> int | None:
    """Return the distance in elements between adjacent terms of a row; None if it is not constant.

    axis: the reduction axis along which the terms are adjacent.
    """
    view, split = c.view, c.split_of(axis)
    if split is not None:
        view = view.split(split.axis, split.size, split.outer, split.inner)
    return axis_stride(view.inputs[1 - c.vector_operand], axis)


def available(target: Target) -> Iterator[IntrinsicOp]:
    """Yield the intrinsics that a target supports, in order of preference."""
    return (instruction for instruction in _all() if has_features(target, instruction))


@cache
def _all() -> tuple[IntrinsicOp, ...]:
    return tuple(make_intrinsic(name) for name in INTRINSICS)

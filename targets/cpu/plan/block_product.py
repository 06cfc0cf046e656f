"""Schedules of products of block-quantized matrices.

The activations are signed bytes, called digits (dialects/graph/block_product.py), the weights have
few bits.  If an intrinsic defines the dot product of a block
(targets/cpu/instructions/block_intrinsics.py), it computes whole blocks.  Weights are packed so
that a vector holds a word (4 bytes) of each of 16 columns, in panels of a few vectors, and are read
once for all rows of a register tile.  A single row reads the weights at the speed of memory.  The
scales and zero points of a panel are packed apart from the weights.
"""

from __future__ import annotations

from functools import cache

from xdsl.dialects.builtin import AffineMapAttr, i8
from xdsl.ir import SSAValue
from xdsl.ir.affine import AffineExpr, AffineMap

from ....analysis.patterns.intrinsics import PatternMismatch, match_bodies
from ....dialects.te import ComputeView, IntrinsicOp
from ....machines.cpu_numbers import numbers_of
from ....machines.target import Target
from ....support.names import Names
from ..instructions.block_intrinsics import BLOCKS, FEATURE, LANES, STEP
from ..instructions.intrinsics import make_intrinsic
from .script import Script

LEAST_INPUTS = 5
"""Inputs of the smallest product: digits, bytes of weights, units, shift and scale."""

VECTORS, ROWS = 2, 4
"""Vectors of columns of a panel, and rows of a register tile.

128 x 2048 x 2048 on Zen 4, operations of f32 per second: 4 bits by three digits 120e9, by one
338e9; panels of four vectors 108e9 and 272e9.
"""

STREAMED_VECTORS = 1
"""Vectors of a panel for a single row, whose weights come from memory.  They are prefetched into L2
(``stream_ahead_bytes``): a line of each block, whose other lines the hardware fetches.

Zen 4, 1 x 2048 by 98304 columns of 4 bits, by 65536 of 8; share of the read bandwidth.  By three
digits of 4 bits: two vectors 81 %, one 83, with prefetches 84; of 8 bits: four vectors 53, two 84,
one 93 and 96.  By one digit of 4 bits: four vectors 90, one 91 and 95; of 8 bits: four vectors 91,
one 102.
"""


def plan_block_product(
    script: Script, view: ComputeView, constants: set[SSAValue], target: Target
) -> bool:
    """Plan a product of digits and weights of few bits; return False for any other compute.

    constants: the arguments of the kernel that are weights.
    """
    found = _instruction(view, constants, target)
    if found is None:
        return False
    intrinsic, weights = found
    columns = next(iter(view.inputs[weights].indices or ())).variable()
    rows = [a for a in view.parallel_axes() if a != columns and view.axes[a] != 1]
    width = LANES * (VECTORS if rows else STREAMED_VECTORS)
    sums = view.reduced_axes()[-1]
    leaf = script.match(view.name)
    for position, access in enumerate(view.inputs):
        if columns in access.axes():
            layout = _word_layout(width) if position == weights else _panel_layout(width)
            leaf = script.pack(leaf, position, layout)
    names = Names(view.axes)
    parts = names.fresh(f"{sums}o"), names.fresh(f"{sums}i")
    leaf = script.split_axis(leaf, sums, STEP, parts)
    leaf, loops = script.tile(leaf, {str(columns): width})
    script.parallel(loops[0])
    if rows:
        sizes = {**dict.fromkeys(rows[:-1], 1), rows[-1]: ROWS}
        leaf, _ = script.tile(leaf, sizes, even=rows[-1:])
    leaf = script.tensorize(leaf, intrinsic.label, str(columns), {})
    if not rows:
        script.prefetch(leaf, weights, numbers_of(target).stream_ahead_bytes, 2)
    return True


def _instruction(
    view: ComputeView, constants: set[SSAValue], target: Target
) -> tuple[IntrinsicOp, int] | None:
    """Return the intrinsic that computes the terms of a sum, and the operand number of the weights.

    None if no intrinsic computes them.
    """
    if not target.has(FEATURE) or len(view.inputs) < LEAST_INPUTS:
        return None
    # Making all definitions takes as long as compiling ten kernels.
    if not any(not a.is_index and a.element_type == i8 for a in view.inputs):
        return None
    for intrinsic in _all():
        definition = intrinsic.compute.view()
        bound = match_bodies(definition, view)
        if isinstance(bound, PatternMismatch):
            continue
        reads = {bound[n]: a.axes() for n, a in enumerate(definition.inputs)}
        packed = [n for n, axes in reads.items() if intrinsic.lane_axis in axes]
        if all(view.inputs[n].value in constants for n in packed):
            return intrinsic, next(n for n in packed if len(reads[n]) > 1)
    return None


def _word_layout(width: int) -> AffineMapAttr:
    """Return the packed layout of weights, which the model stores as (columns, blocks, bytes).

    Its dimensions are panels, blocks, vectors, words, columns and bytes.  width: the columns of a
    panel.
    """
    n, b, j = map(AffineExpr.dimension, range(3))
    within = (n % width) // LANES
    return AffineMapAttr(AffineMap(3, 0, (n // width, b, within, j // STEP, n % LANES, j % STEP)))


def _panel_layout(width: int) -> AffineMapAttr:
    """Return the packed layout of scales, which the model stores as (columns, blocks).

    Its dimensions are panels, blocks and columns.  width: the columns of a panel.
    """
    n, b = map(AffineExpr.dimension, range(2))
    return AffineMapAttr(AffineMap(2, 0, (n // width, b, n % width)))


@cache
def _all() -> tuple[IntrinsicOp, ...]:
    return tuple(make_intrinsic(name) for name in BLOCKS)

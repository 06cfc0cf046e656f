"""The instructions that a scheduled kernel executes, from its loop nest.

In: the loops and innermost computes of a kernel (nest.py), and a target.
Out: the number of instructions of a call.

The numbers below are read off the code that LLVM makes for products and convolutions on AArch64,
in vectors of 128 bits; an emulator counts the instructions of both (benchmarks/plan_check.py).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from math import ceil, prod
from operator import mul

from ....machines.target import Target
from ....support.affine import Index, Key
from .cycles import LINE_BYTES
from .nest import CountedLoop, NestLeaf, Node, leaves_of

STEP_LOOP, STEP_OF_ROWS, OUTER_LOOP, TILE_LOOP = 4, 1, 6, 5
"""The instructions of an iteration of the innermost loop over steps (count, compare, branch), those
that advance a second address if a tile has several rows, and the instructions of an iteration of
another loop over steps, and of a loop over tiles."""

NEXT_PASS = 2.5
"""The instructions of a step for addresses if a tile prefetches weights in a pass that continues
sums: 0.8 to 5.  LLVM adds the distance of the pass to each address, often in the step, and then
loads each vector alone if the distance exceeds the offsets of pairs."""

START, START_OF_ROW, STORE = 8, 1, 1.5
"""The instructions that start a register tile, those of each of its rows, and those that store a
vector: two vectors are stored at once."""

EPILOGUE = 1.5
"""The instructions of an operation of an epilogue: a maximum with zero takes two."""

PREFETCH = 1.5
"""The instructions that prefetch a line of the next weights: one address serves two lines."""

PART_OF_VECTOR = 4
"""The instructions that load or store a part of a vector, in addition to one per element, if the
number of its elements is no power of two: they make a zero, and the addresses of the elements."""

ADDRESSES, ADDRESS_BYTES, FREE_ADDRESSES, MOST_ADDRESSES = 5, 8192, 4, 12
"""The instructions of a step for the addresses of scalars, if the sums are unrolled completely.  An
address serves the scalars in ``ADDRESS_BYTES``, at least a group of adjacent ones, such as a block
of channels of a pixel.  Registers hold ``FREE_ADDRESSES`` of them.  From ``MOST_ADDRESSES`` on,
LLVM computes an address for nearly each step, or loads it from the stack."""

MERGED_GROUPS, MERGED = 2, 0.5
"""The most groups of adjacent scalars of unrolled sums that one instruction loads together, and the
instructions per scalar of these loads."""


def counted_instructions(roots: Sequence[Node], target: Target) -> float:
    """Return the instructions that a kernel executes in a call.

    The result is 0 for targets whose code has not been counted: those without an instruction that
    loads two vectors.

    roots: the loop nests of the kernel.
    """
    if not target.pair_bytes:
        return 0.0
    own = sum(_instructions(root, target.pair_bytes) for root in roots)
    return own + _shared_prefetches(roots)


def _instructions(node: Node, pair_bytes: int) -> float:
    if isinstance(node, CountedLoop):
        return node.trips * (TILE_LOOP + sum(_instructions(each, pair_bytes) for each in node.body))
    return _of_elements(node) if node.operations else _of_sums(node, pair_bytes)


def _of_sums(leaf: NestLeaf, pair_bytes: int) -> float:
    """Return the instructions of a register tile that adds products."""
    tile, trips = leaf.rows * leaf.vectors, leaf.trips or (1,)
    *outer, inner = accumulate(trips, mul)
    is_next = leaf.prefetched > 0 and not leaf.starts
    loops = OUTER_LOOP * sum(n for n, each in zip(outer, trips, strict=False) if each > 1)
    if trips[-1] > 1:
        loops += inner * (STEP_LOOP + STEP_OF_ROWS * (leaf.rows > 1) + NEXT_PASS * is_next)
    # The steps inside of the innermost loop are unrolled.
    unrolled = leaf.steps // inner
    lines = ceil(leaf.vectors * leaf.bits / 8 / LINE_BYTES) if leaf.prefetched else 0
    step = tile + _loads(leaf, unrolled, pair_bytes) + _scalars(leaf, unrolled) + lines
    sums = tile if leaf.starts else tile * 2
    ends = START + START_OF_ROW * leaf.rows + tile * (EPILOGUE * leaf.epilogue + STORE)
    ends += leaf.rows * _part_of_vector(leaf.rest)
    return leaf.steps * step + loops + sums + ends


def _loads(leaf: NestLeaf, unrolled: int, pair_bytes: int) -> float:
    """Return the instructions of a step that load vectors.

    unrolled: the steps of an iteration of the innermost loop.
    """
    if leaf.sums_lanes:
        return leaf.loads
    whole = leaf.vectors - (leaf.rest > 0)
    pairs = min(1.0, pair_bytes / (unrolled * leaf.vectors * leaf.bits / 8))
    return whole * (1 - pairs) + ceil(whole / 2) * pairs + _part_of_vector(leaf.rest)


def _part_of_vector(rest: int) -> int:
    """Return the instructions that load or store the elements of a vector that is not full."""
    if not rest or rest & (rest - 1) == 0:
        return int(rest > 0)
    return rest + PART_OF_VECTOR


def _scalars(leaf: NestLeaf, unrolled: int) -> float:
    """Return the instructions of a step that load scalars, and compute their addresses.

    unrolled: the steps of an iteration of the innermost loop.
    """
    if leaf.sums_lanes:
        return 0.0
    if leaf.adjacent > 1 and 1 < unrolled <= leaf.adjacent * MERGED_GROUPS:
        return leaf.rows * MERGED
    addresses = min(unrolled / leaf.adjacent, leaf.span_bytes / ADDRESS_BYTES)
    part = (addresses - FREE_ADDRESSES) / (MOST_ADDRESSES - FREE_ADDRESSES)
    return leaf.rows + ADDRESSES * min(1.0, max(0.0, part))


def _of_elements(leaf: NestLeaf) -> float:
    """Return the instructions of an innermost compute that adds no products."""
    each = leaf.operations + len(leaf.accesses) - 1
    return leaf.rows * leaf.vectors * (leaf.steps * each + leaf.epilogue + 1)


def _shared_prefetches(roots: Sequence[Node]) -> float:
    """Return the prefetches of weights that the tiles of a panel share.

    The tiles that read the same weights prefetch as many lines together as the weights have.
    """
    lines: dict[tuple[Key | Index, ...], float] = {}
    for leaf, trips in (pair for root in roots for pair in leaves_of(root)):
        weights = leaf.ahead
        if weights is None or not leaf.spreads:
            continue
        used = {key for index in weights.indices for key in index.variables()}
        loops = [*trips]
        last = max((n for n, variable in enumerate(loops, 1) if variable in used), default=0)
        runs = prod(trips[variable] for variable in loops[:last])
        key = (*loops[:last], *weights.indices)
        lines[key] = runs * weights.bytes_in({**leaf.extents}) / LINE_BYTES
    return PREFETCH * sum(lines.values())

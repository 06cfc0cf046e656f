"""Sizes of register tiles and blocks: arithmetic on numbers of the target, without IR."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil

from ....dialects.shape import Extent, multiple_of
from ....machines.cpu_numbers import NEAR_LOADS, LoadCosts, numbers_of
from ....machines.target import Target
from ..cost.parts import mean_on_cores

BLOCK_TERMS, MOST_TERMS = 1024, 2048
"""Sums of more than MOST_TERMS terms are split into blocks of about BLOCK_TERMS.

Each block has its own accumulator, so the error grows as the root of the block size and of the
number of blocks: VGG-16 by direct sums 3.1e-6 -> 1.1e-6.  Times are equal: products of 1, 9 and 18
rows over 3072 and 8192 terms, a convolution over 2304.
"""


LEAST_ROWS, ROWS_STEP = 16, 5
"""A tile for a symbolic number of rows is the best for numbers of rows from LEAST_ROWS to four
times as many, in steps of about ROWS_STEP."""

CODE_COST = 0.00035
"""Relative cost of each vector of sums in the code of tiles for symbolic rows."""

NARROW_VECTORS, NARROW_CODE_COST = 2, 0.001
"""Products and convolutions of at most this many vectors of columns take little time, but their
tiles could have 28 heights: 406 vectors of sums, where up to 8 rows have 36.  Convolutions of 64 to
8 channels, 1x1, and of 32 to 16, 3x3, on 6 to 1600 pixels are as fast in 9 rows as in 16, with 60 %
of the code; 3x3 of 64 to 8 channels on 14 x 14 takes 8 % longer (Zen 4)."""

MOST_VECTORS = 8
"""The widest register tile, in vectors."""

LOOP_SUMS = 4
"""Code of the loop around the sums of each height and width, in vectors of sums."""


@dataclass(frozen=True)
class RegisterTile:
    """A tile of ``rows`` x ``vectors`` vector accumulators in registers."""

    rows: int
    vectors: int


def even_sections(extent: int, most: int) -> list[tuple[int, int]]:
    """Split an extent into the fewest parts of nearly equal size, at most ``most``.

    Return pairs (number of parts, their size).
    """
    count = ceil(extent / most)
    size, larger = divmod(extent, count)
    sections = [(count - larger, size), (larger, size + 1)]
    return [s for s in sections if s[0]]


def even_part(extent: int, most: int) -> int:
    """Return the size of the largest part that `even_sections` returns."""
    return ceil(extent / ceil(extent / most))


def block_of_sum(extent: int, terms: int) -> int:
    """Return the block size for a sum that is too long for one accumulator; 0 if one is enough.

    Each block of the sum gets an accumulator of its own.
    extent: the elements of the reduction axis that is divided into blocks.
    terms: the terms of the sum for each of these elements.
    """
    if extent * terms <= MOST_TERMS:
        return 0
    size = even_part(extent, max(1, BLOCK_TERMS // terms))
    return size if size < extent else 0


def block_size(extent: int, most: int, multiple: int) -> int:
    """Return the size of the blocks that cover an extent, of nearly equal sizes.

    most: the largest size, before it is rounded up to a multiple of ``multiple``.  The result is at
    most the extent.  The last block may be smaller.
    """
    return min(extent, ceil(even_part(extent, most) / multiple) * multiple)


def time_on_cores(tasks: int, longest: float, total: float, target: Target) -> float:
    """Return the modelled cycles of a parallel loop, averaged over several numbers of cores.

    The mean is that of `mean_on_cores`, over the core counts of the row of the processor.

    longest: the cycles of the longest task, without its start.
    total: the cycles of all tasks, without their starts.
    """
    numbers = numbers_of(target)
    return mean_on_cores(tasks, longest, total, tasks * numbers.start_of_task, numbers.cores)


def divisor_at_most(extent: int, most: float) -> int:
    """Return the largest divisor of an extent that is at most ``most``, and at least 1."""
    return max(d for d in range(1, max(1, int(most)) + 1) if extent % d == 0)


def step_cycles(rows: int, vectors: int, target: Target, together: int = 1) -> float:
    """Return the cycles of one step of the sums of a register tile of rows x vectors.

    The bottleneck is the FMA ports, the load ports (for vectors and broadcasts) or the FMA latency.
    together: the rows that one instruction multiplies at once; 1 for an FMA.  If several, a step
    loads ``together`` registers of the vector operand per vector of columns, and one more
    instruction joins the rows of the scalar operand in a register.
    """
    groups = ceil(rows / together)
    products = groups * together * vectors
    latency = target.fma_latency if products < target.fma_latency * target.fma_ports else 0
    joins = groups if together > 1 else 0
    loads = rows / target.broadcast_ports + vectors * together / target.load_ports
    return max((products + joins) / target.fma_ports, loads, latency)


def fits_registers(
    rows: int,
    vectors: int,
    target: Target,
    *,
    masked: bool = False,
    temporaries: int = 0,
    together: int = 1,
) -> bool:
    """Return whether a tile of rows x vectors of sums, and its operands, fit in registers.

    The operands are a row of vectors and a broadcast.  Two registers are kept in reserve if the
    target has 32, or for tiles of one vector.  masked: whether the last vector is partial; masks
    that live in vector registers take two.  temporaries: registers that a step needs between a
    product and its addition.  together: the rows that one instruction multiplies at once; 1 for an
    FMA.

    Always True for a tile of 1 x 1, which fixed sums need on a processor without vectors.
    Otherwise, no reduction loop of 123 kernels for 16 registers and 227 for 32 spills under this
    condition.
    """
    if rows == vectors == 1:
        return True
    reserve = max(temporaries, 2 if target.registers > 16 or vectors == 1 else 0)
    mask = 2 if masked and target.registers <= 16 else 0
    sums = ceil(rows / together) * together * vectors
    needed = (sums + vectors * together) * target.registers_per_vector
    return needed + 1 + mask <= target.registers - reserve


def choose_register_tile(
    rows: Extent,
    columns: int,
    lanes: int,
    target: Target,
    costs: LoadCosts = NEAR_LOADS,
    *,
    divides: bool = False,
    rest_cost: float = 0.0,
    code_cost: float = CODE_COST,
    temporaries: int = 0,
    together: int = 1,
) -> RegisterTile:
    """Return the register tile with the fewest modelled cycles over all rows x columns.

    The cycles include those of remainders.
    rows: if symbolic, the cycles are summed over several likely numbers of rows.
    lanes: lanes of a vector.
    costs: the costs of loads.
    divides: whether the tile's columns must divide ``columns``, as for a group of channels.
    rest_cost: relative cost of a narrower last tile, for its code and uneven tasks.
    code_cost: relative cost of each accumulator vector in the code for symbolic rows.
    temporaries: registers that a step needs between a product and its addition.
    together: the rows that one instruction multiplies at once; 1 for an FMA.
    """
    numbers, multiple = _numbers(rows), 0 if isinstance(rows, int) else multiple_of(rows)
    return _best_tile(
        numbers, multiple, columns, lanes, target, costs, divides, rest_cost, code_cost,
        temporaries, together,
    )[1]  # fmt: skip


def tile_and_cycles(
    rows: int, columns: int, lanes: int, target: Target
) -> tuple[RegisterTile, float]:
    """Return the best register tile whose columns divide those of a product, and its cycles.

    The cycles are those of one step of rows x columns sums.
    """
    cycles, tile = _best_tile([rows], 0, columns, lanes, target, NEAR_LOADS, True, 0.0, 0.0)
    return tile, cycles


def tile_cycles(rows: int, columns: int, lanes: int, target: Target) -> float:
    """Return the modelled cycles of one step of rows x columns sums with the best register tile."""
    return _best_tile([rows], 0, columns, lanes, target, NEAR_LOADS, False, 0.0, 0.0)[0]


def _numbers(rows: Extent) -> Sequence[int]:
    if isinstance(rows, int):
        return [rows]
    multiple = multiple_of(rows)
    first = ceil(LEAST_ROWS / multiple) * multiple
    return range(first, 4 * first + 1, multiple * max(1, ROWS_STEP // multiple))


def _best_tile(
    numbers: Sequence[int],
    multiple: int,
    columns: int,
    lanes: int,
    target: Target,
    costs: LoadCosts,
    divides: bool,
    rest_cost: float,
    code_cost: float,
    temporaries: int = 0,
    together: int = 1,
) -> tuple[float, RegisterTile]:
    columns_in_vectors = ceil(columns / lanes)
    best: tuple[tuple[float, int], RegisterTile] | None = None
    for vectors in range(1, min(MOST_VECTORS, columns_in_vectors) + 1):
        if divides and columns_in_vectors % vectors:
            continue
        masked = columns % lanes != 0 and columns_in_vectors % vectors == 0
        for height in range(1, numbers[-1] + 1):
            if not fits_registers(
                height,
                vectors,
                target,
                masked=masked,
                temporaries=temporaries,
                together=together,
            ):
                break
            cycles = sum(
                _total_cycles(rows, columns_in_vectors, height, vectors, target, costs, together)
                * (numbers[-1] / rows)
                for rows in numbers
            )
            if columns_in_vectors % vectors:
                cycles *= 1 + rest_cost
            if multiple % height:
                cycles *= 1 + code_cost * sums_in_code(height, columns, vectors, lanes)
            key = (round(cycles, 3), -vectors)
            if best is None or key < best[0]:
                best = key, RegisterTile(height, vectors)
    assert best is not None, "a tile of one row and one vector always fits"
    return best[0][0], best[1]


def sums_in_code(height: int, columns: int, vectors: int, lanes: int) -> int:
    """Return the number of accumulator vectors in the code of all tiles, a measure of code size.

    height: there are tiles of each height from 1 to this one.
    columns: the columns of the product.
    vectors: the width of the widest tile; a narrower one covers the remaining columns.
    lanes: lanes of a vector. The loop around each tile counts as `LOOP_SUMS` more accumulators.
    """
    full, rest = divmod(columns, vectors * lanes)
    widths = [n for n in (vectors if full else 0, ceil(rest / lanes)) if n]
    return height * (height + 1) // 2 * sum(widths) + LOOP_SUMS * height * len(widths)


def _total_cycles(
    rows: int,
    columns: int,
    height: int,
    vectors: int,
    target: Target,
    costs: LoadCosts,
    together: int,
) -> float:
    full, rest = divmod(columns, vectors)
    cycles = 0.0
    tiles = 0
    for count, size in even_sections(rows, height):
        tiles += count
        for number, width in ((full, vectors), (1, rest)) if rest else ((full, vectors),):
            step = step_cycles(size, width, target, together)
            cycles += count * number * (step + costs.of(size, width * together))
    return cycles + numbers_of(target).start_cycles * tiles * ceil(columns / vectors)

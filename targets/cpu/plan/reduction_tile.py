"""Register tiles of reductions without products, such as sums over the rows of a matrix.

    te.compute @sum [b: 300, j: 200, k: 64 red] ins(%x[b, k, j]) outs(%y[b, j] add 0.0)

In: a reduction, and the axis along which its vectors run.  Out: the accumulators of the tile with
the fewest modelled cycles (targets/cpu/cost).  In each step, an accumulator combines one vector.
The step takes as long as the slowest of the instructions, the loads, and the dependence chain of an
accumulator.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from math import ceil, inf, prod

from xdsl.ir import SSAValue

from ....analysis.patterns.sharing import element_bytes
from ....analysis.strides import lane_stride
from ....dialects.dtypes import is_float
from ....dialects.te import ComputeView
from ....dialects.te.verifier import stores_accumulator
from ....machines.target import Target
from ..cost.cycles import LANES_CYCLES, LINE_BYTES, CycleModel, cycle_model
from ..cost.footprint import buffer_bytes
from ..cost.search import LEAST_GAIN
from .epilogue import operations_of
from .script import Script
from .tiles import (
    BLOCK_TERMS,
    MOST_TERMS,
    even_part,
    even_sections,
    fits_registers,
    time_on_cores,
)

CHAIN = {"max": 3, "min": 3}
"""The dependent instructions by which a combiner of floats combines two vectors, if it is not one
instruction: a NaN in either operand must become the result."""

EPILOGUE_REGISTERS = 4
"""The registers for the intermediate results of an accumulator's epilogue; LLVM interleaves the
epilogues of all accumulators of a tile.  LRN with AVX2: tiles of 2 vectors take 0.88 times as long
as tiles of 10."""

FIXED_PARTIALS = 4
"""The accumulators of a row whose sum has the same order on every processor (``fixed_sums``)."""

SWEPT_TERMS = 256
"""Terms of a block of a long sum for each of its lanes and accumulators: many accumulators make few
blocks.  90,000 equal terms with SSE2: the error is 2e-6, and 9e-6 in blocks of 1024."""

MOST_PARTS = 32
"""The largest part of an axis to try; no register file holds more accumulators."""


@dataclass(frozen=True)
class Accumulators:
    """The numbers of a reduction on which the time of its register tiles depends.

    model: the model of the processor. steps: the steps of a reduction. chain: the dependent
    instructions of a step. operations: all instructions of a step, for one vector. epilogue: the
    instructions after the last step, for one vector. reads: the vectors that a step loads for one
    accumulator. shared: those of them that are the same in all rows of a tile. strided: the
    instructions that assemble the strided elements of these vectors, which take as many registers.
    line_cycles: the cycles until another cache line of the operand is in L1.
    """

    model: CycleModel
    steps: int
    chain: int
    operations: int
    epilogue: int
    reads: int
    shared: int
    strided: int
    line_cycles: float

    def fits(self, count: int, target: Target) -> bool:
        """Return whether a number of accumulators, and what their steps need, fit in registers."""
        registers = count * (1 + self.strided + (EPILOGUE_REGISTERS if self.epilogue else 0))
        return count == 1 or fits_registers(registers, 1, target, temporaries=self.chain)

    def step(self, rows: int, vectors: int) -> float:
        """Return the cycles of a step in which each accumulator of a tile combines a vector."""
        work = rows * vectors * self.operations / self.model.numbers.issues
        reads = vectors * (rows * (self.reads - self.shared) + self.shared)
        return max(work, reads / self.model.loads, self.chain * self.model.latency)

    def tile(self, rows: int, vectors: int, *, is_part: bool) -> float:
        """Return the cycles of a register tile.

        is_part: whether the tile reads a part of each row of the operand.  Such a part begins and
        ends inside cache lines, which the next tile reads again.
        """
        lines = rows * self.line_cycles if is_part else 0.0
        epilogue = rows * vectors * self.epilogue / self.model.numbers.issues
        return self.steps * (self.step(rows, vectors) + lines) + epilogue


def accumulators_of(
    view: ComputeView, vector: str, lanes: int, row: str | None, target: Target
) -> Accumulators:
    """Return the numbers of a reduction with vectors of ``lanes`` elements along an axis.

    vector: the axis of the vectors.  row: the axis of a tile's rows; None: a tile has one row.
    """
    inputs = [a for a in view.inputs if a.value is not None and lane_stride(view, a, vector, lanes)]
    sizes = [element_bytes(a.type) for a in inputs]
    model = cycle_model(target.for_vectors(lanes * 8 * max(sizes, default=4)))
    chain = max(CHAIN.get(o.combiner, 1) if is_float(o.element_type) else 1 for o in view.outputs)
    operand = max((buffer_bytes(a.value) for a in inputs if a.value is not None), default=0)
    is_near = operand <= target.l2_bytes
    strided = lanes * sum(lane_stride(view, a, vector, lanes) != 1 for a in inputs)
    return Accumulators(
        model,
        prod(view.extents[axis] for axis in view.reduced_axes()),
        chain,
        operations_of(view.body, target) + chain + strided,
        operations_of(view.then, target) if view.then.blocks else 0,
        len(inputs),
        sum(row is not None and lane_stride(view, a, row, 1) == 0 for a in inputs),
        strided,
        LINE_BYTES / (model.numbers.l2_rate if is_near else model.numbers.l3_rate),
    )


def choose_tile(
    view: ComputeView,
    vector: str,
    lanes: int,
    row: str | None,
    most: int,
    target: Target,
    *,
    is_inside: bool,
) -> tuple[int, int]:
    """Return the rows and vectors of results that a register tile of a reduction covers.

    vector: the axis of results along which vectors run.
    row: the axis of the tile's rows; None: a tile has one row.
    most: the most vectors of a row of the tile.
    is_inside: whether the reduction is a part of the tasks of several computes, so that its
    operands are in L1; else tasks divide its tiles.

    Of the tiles that take about the least time on one core, it is one that takes about the least
    time on several cores; of these, the one with the fewest rows, and then the fewest vectors.
    """
    numbers = accumulators_of(view, vector, lanes, row, target)
    if is_inside or _is_window(view):
        numbers = replace(numbers, line_cycles=0.0)
    rows = 1 if row is None else view.extents[row]
    columns = ceil(view.extents[vector] / lanes)
    outer = prod(view.extents[a] for a in view.parallel_axes()) // (rows * view.extents[vector])
    costs = {
        (height, width): _time(numbers, outer, rows, columns, height, width, target)
        for height in _even_parts(rows)
        for width in _even_parts(columns)
        if width <= most and numbers.fits(height * width, target)
    }
    bound = min(one for one, _ in costs.values()) * LEAST_GAIN
    fast = {tile: several for tile, (one, several) in costs.items() if one <= bound}
    bound = inf if is_inside else min(fast.values()) * LEAST_GAIN
    return min(tile for tile, several in fast.items() if several <= bound)


def choose_sweep(
    view: ComputeView, along: str, lanes: int, row: str | None, target: Target
) -> tuple[int, int]:
    """Return the rows of a tile whose lanes are terms of a reduction, and its accumulators per row.

    The last terms of a row go to one accumulator.
    along: the reduction axis along which vectors run.
    row: the axis of the tile's rows; None: a tile has one row.
    """
    # The epilogue of a row computes one element, after its accumulators are one.
    numbers = replace(accumulators_of(view, along, lanes, row, target), epilogue=0)
    rows, vectors = 1 if row is None else view.extents[row], max(1, view.extents[along] // lanes)
    outer = numbers.steps // view.extents[along]

    def cycles(height: int, partials: int) -> float:
        passes, rest = divmod(vectors, partials)
        steps = passes * numbers.step(height, partials) + rest * numbers.step(height, 1)
        joins = partials * numbers.chain / numbers.model.numbers.issues + LANES_CYCLES
        return outer * steps / height + joins

    fixed = min(vectors, FIXED_PARTIALS) if target.fixed_sums else 0
    costs = {
        (height, partials): cycles(height, partials)
        for height in _even_parts(rows)
        for partials in ([fixed] if fixed else range(1, min(vectors, MOST_PARTS) + 1))
        if numbers.fits(height * partials, target) or (height == 1 and fixed)
    }
    bound = min(costs.values()) * LEAST_GAIN
    return min(tile for tile, cost in costs.items() if cost <= bound)


def sum_in_blocks(
    script: Script,
    leaf: SSAValue,
    view: ComputeView,
    along: str = "",
    partials: int = 1,
    shares: int = 0,
) -> SSAValue:
    """Sum in blocks if a single accumulator would add up too many terms; return the compute.

    partials: the number of accumulators along the axis ``along``.  shares: the number of equal
    shares of the terms, of which no accumulator gets more than one; 0: one for each accumulator.
    Loops over symbolic axes stay as they are.  Sums of 300,000 squares: the error falls from 1.3e-3
    to 2e-7.
    """
    for axis, size in block_sizes(view, along, partials, shares).items():
        leaf = script.split_reduction(leaf, axis, size)
    return leaf


def block_sizes(
    view: ComputeView, along: str = "", partials: int = 1, shares: int = 0
) -> dict[str, int]:
    """Return the sizes of the blocks of each reduction axis; empty if one accumulator suffices.

    The arguments are those of `sum_in_blocks`.
    """
    sizes: dict[str, int] = {}
    outputs = view.outputs
    if any(o.combiner != "add" or o.clip or not stores_accumulator(o) for o in outputs):
        return sizes
    extents = {a: n for a in view.reduced_axes() if isinstance(n := view.axes[a], int)}
    terms, shares = prod(extents.values()), shares or partials
    most, block = (BLOCK_TERMS, SWEPT_TERMS) if along else (MOST_TERMS, BLOCK_TERMS)
    for axis, extent in extents.items():
        step = partials if axis == along else 1
        if terms <= most * shares:
            break
        inside = terms // extent
        size = max(1, block * shares // (inside * step)) * step
        if size < extent:
            sizes[axis] = size
            terms = inside * size
    return sizes


def _is_window(view: ComputeView) -> bool:
    """Return whether adjacent results reduce overlapping parts of an operand, which stay in L1."""
    reduced, indices = {*view.reduced_axes()}, [i for a in view.inputs for i in a.indices or ()]
    return any(reduced & (axes := {*i.variables()}) and axes - reduced for i in indices)


def _even_parts(extent: int) -> Iterable[int]:
    return sorted({even_part(extent, most) for most in range(1, min(extent, MOST_PARTS) + 1)})


def _time(
    numbers: Accumulators,
    outer: int,
    rows: int,
    columns: int,
    height: int,
    width: int,
    target: Target,
) -> tuple[float, float]:
    """Return the modelled cycles of a reduction: on one core, and a mean over numbers of cores.

    outer: the number of matrices of results.
    rows, columns: the rows of such a matrix, and its columns in vectors.
    height, width: the rows and vectors of a register tile.
    """
    tiles = [
        (outer * many * number, numbers.tile(size, part, is_part=part < columns))
        for many, size in even_sections(rows, height)
        for number, part in even_sections(columns, width)
    ]
    total = sum(count * cycles for count, cycles in tiles)
    least = numbers.model.numbers.task_cycles
    tasks = max(1, min(sum(count for count, _ in tiles), int(total / least)))
    longest = max(total / tasks, *(cycles for _, cycles in tiles))
    return total, time_on_cores(tasks, longest, total, target)

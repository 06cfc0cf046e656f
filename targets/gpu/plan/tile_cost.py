"""The clocks of a matrix product by tiles, in a model of one multiprocessor.

In: the work of a block in one step along k, and the numbers of the GPU.  Out: the clocks of all
blocks.

A step of a block takes as long as the busiest of four parts of a multiprocessor: units that
multiply, shared memory, issue of instructions, and the way to the L2 cache.  Several blocks share
these parts.  A block alone waits in each step for a barrier, then for the first fragments that it
loads, then for its multiply-adds; its copies must arrive in time.  All multiprocessors together
take whole turns.  Of tiles that take nearly the same time, those with the fewest bytes from the L2
cache, and then those with the longest step, are best.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

from ....dialects.simt import WARP
from ....machines.gpu_numbers import GpuNumbers

_REGISTERS, MOST_REGISTERS, _REGISTER_UNIT, _SYSTEM_BYTES = 1 << 16, 256, 8, 1 << 10
"""The registers of a multiprocessor and of a thread, the unit of the latter, and the shared memory
of a block that the system needs.  Source: CUDA C++ Programming Guide, technical specifications;
occupancy calculator."""
ACCURACY = 1.05
"""The model does not distinguish times with a smaller ratio."""
_BARRIER_CLOCKS, _LOAD_CLOCKS = 30, 30
"""The clocks of a barrier, and of a load from shared memory.  Source: H. Abdelkhalik and others,
Demystifying the NVIDIA Ampere Architecture through Microbenchmarking, 2022."""


@dataclass(frozen=True)
class BlockStep:
    """The work of a block in one step along the sum, and the resources of the block.

    multiply_clocks: the clocks of the units that multiply.
    first_bytes: the bytes of shared memory that warps read before their first multiply-add.
    shared_bytes: all bytes of shared memory that warps read and write.
    issues: the instructions of all warps.
    loaded_bytes: the bytes from global memory.
    threads: the threads of the block.
    registers: the registers of a thread.
    block_bytes: the shared memory of the block.
    stages: the number of tiles of each operand; 1 if copies are not asynchronous.
    serial_clocks: the clocks of a warp for dependent instructions that it executes before the
    barrier.
    copy_clocks: the clocks in which the copies of a step arrive, after the latency; 0 if other
    units are slower.
    """

    multiply_clocks: float
    first_bytes: float
    shared_bytes: float
    issues: float
    loaded_bytes: float
    threads: int
    registers: int
    block_bytes: int
    stages: int
    serial_clocks: float = 0
    copy_clocks: float = 0

    def resident(self, gpu: GpuNumbers) -> int:
        """Return how many such blocks a multiprocessor holds at once; 0 if none."""
        registers = -(-self.registers // _REGISTER_UNIT) * _REGISTER_UNIT
        if registers > MOST_REGISTERS:
            return 0
        return min(
            _REGISTERS // (registers * self.threads),
            gpu.threads // self.threads,
            gpu.shared_bytes // (self.block_bytes + _SYSTEM_BYTES),
        )

    def clocks(self, gpu: GpuNumbers, blocks: int) -> float:
        """Return the clocks of one step if a multiprocessor runs several such blocks at once.

        blocks: the number of blocks.
        """
        # Each of the units multiplies for warps of its own.
        warps = -(-self.threads // WARP)
        multiplies = self.multiply_clocks * max(1.0, gpu.issues / (blocks * warps))
        busy = max(
            multiplies,
            self.shared_bytes / gpu.shared_read_bytes,
            self.issues / gpu.issues,
            self.loaded_bytes / gpu.l2_bytes,
        )
        start = _BARRIER_CLOCKS + _LOAD_CLOCKS + self.first_bytes / gpu.shared_read_bytes
        alone = start + self.multiply_clocks * max(1.0, gpu.issues / warps)
        if self.stages > 1:
            alone = max(alone, (gpu.latency_clocks + self.copy_clocks) / (self.stages - 1))
        else:
            alone += _BARRIER_CLOCKS + gpu.latency_clocks + self.serial_clocks
        return max(blocks * busy, alone)


class TileCost(NamedTuple):
    """The modelled cost of a product with given tiles.

    clocks: the clocks of the whole product.  loaded_bytes: the bytes that its blocks load from the
    L2 cache.
    """

    clocks: float
    loaded_bytes: float


def product_cost(
    gpu: GpuNumbers, step: BlockStep, *, blocks: int, steps: int, stored_bytes: int
) -> TileCost:
    """Return the cost of a product; infinite if a multiprocessor cannot hold a block.

    step: the work of a block in one step.
    blocks: the number of blocks of the grid.
    steps: the number of steps of a block.
    stored_bytes: the bytes of the result that a block stores.
    """
    loaded, resident = blocks * steps * step.loaded_bytes, step.resident(gpu)
    if resident < 1:
        return TileCost(float("inf"), loaded)
    turns, rest = divmod(-(-blocks // gpu.multiprocessors), resident)
    # Each turn begins with the first loads, and ends with the stores of the result.
    edges = gpu.latency_clocks + stored_bytes / gpu.l2_bytes
    clocks = turns * (steps * step.clocks(gpu, resident) + edges)
    return TileCost(clocks + (steps * step.clocks(gpu, rest) + edges if rest else 0), loaded)


_Tiles = TypeVar("_Tiles")


def cheapest(
    found: Sequence[_Tiles],
    cost_of: Callable[[_Tiles], TileCost],
    step_of: Callable[[_Tiles], int] = lambda _: 0,
) -> _Tiles:
    """Return the tiles that load the fewest bytes, among those with nearly the fewest clocks.

    found: the tiles to choose from.
    cost_of: returns the modelled cost of tiles.
    step_of: returns the length of a step of tiles. Of tiles that load equally many bytes, the
    longest step wins, then the fewest clocks; without ``step_of``, the fewest clocks.
    """
    costs = [cost_of(each) for each in found]
    most = ACCURACY * min(cost.clocks for cost in costs)
    near = [n for n, cost in enumerate(costs) if cost.clocks <= most]

    def rank(n: int) -> tuple[float, int, float]:
        return costs[n].loaded_bytes, -step_of(found[n]), costs[n].clocks

    return found[min(near, key=rank)]

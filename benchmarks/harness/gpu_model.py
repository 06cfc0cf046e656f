"""What a kernel can reach on a GPU at most: occupancy, and a lower bound of its time.

In: the resources of a kernel (ptxas), its launch, its operations and its traffic. Out: blocks per
SM with the resource that limits them, and the time at the limits of a named GPU. It is a bound, not
an estimate: latencies, instructions of addresses and loops, and launches take no time here. The
assembler may join accesses that the kernel states one by one; the bound counts them as stated.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

from tilewright.codegen.ptx import Resources
from tilewright.machines.gpu_numbers import NUMBERS
from tilewright.targets.backend import KernelRecord

from .gpu_traffic import WARP, Traffic


@dataclass(frozen=True)
class Gpu:
    """The numbers of a GPU, on which the lower bound of a kernel's time depends.

    lanes: f32 multiply-adds of an SM per clock.  tensor_flops: operations per second of matrix
    instructions for f16 and bf16 with sums in f32, for dense matrices.  mma_share: the part of them
    that `mma.sync`, the instruction of our kernels, reaches.  threads, blocks, shared_bytes: the
    limits of an SM.  issues: instructions that an SM issues per clock.
    """

    name: str
    sms: int
    lanes: int
    clock_hz: float
    tensor_flops: float
    memory_bandwidth: float
    shared_bytes: int
    threads: int = 2048
    blocks: int = 32
    registers: int = 65536
    mma_share: float = 1.0
    issues: int = 4

    @property
    def flops(self) -> float:
        """The f32 operations per second; a multiply-add counts as two."""
        return 2 * self.sms * self.lanes * self.clock_hz


def _gpu(
    architecture: str, name: str, clock_hz: float, tensor_flops: float, mma_share: float = 1.0
) -> Gpu:
    known = NUMBERS[architecture]
    return Gpu(
        name, known.multiprocessors, known.lanes, clock_hz, tensor_flops, known.memory_bandwidth,
        known.shared_bytes, known.threads, mma_share=mma_share, issues=known.issues,
    )  # fmt: skip


GPUS = {
    "sm_80": _gpu("sm_80", "A100 SXM 80 GB", 1.41e9, 312e12),
    "sm_90a": _gpu("sm_90a", "H100 SXM", 1.98e9, 989e12, mma_share=0.62),
}
"""The clock is the highest one, and machines/gpu_numbers.py has that under load. Source: NVIDIA's
data sheets of A100 and H100; arXiv 2402.13499 for mma.sync on an H100."""

_REGISTER_UNIT, _WARP_UNIT, _SHARED_UNIT, _SHARED_OF_SYSTEM = 256, 4, 128, 1024
"""Units in which an SM gives registers to a warp, warps to a scheduler, and shared memory to a
block, of which the system keeps some. Source: occupancy calculator of CUDA."""


@dataclass(frozen=True)
class Occupancy:
    """The blocks that an SM holds at once, and the resource that prevents more.

    share: the part of the SM's threads that are in use.  limit: the name of the resource.
    """

    blocks: int
    threads: int
    share: float
    limit: str


def occupancy(gpu: Gpu, resources: Resources, threads: int) -> Occupancy:
    """Return the occupancy of an SM by blocks with a given number of threads."""
    warps = -(-threads // WARP)
    of_warp = _up(resources.registers * WARP, _REGISTER_UNIT)
    held = gpu.registers // max(of_warp, 1) // _WARP_UNIT * _WARP_UNIT
    shared = _up(resources.shared_bytes + _SHARED_OF_SYSTEM, _SHARED_UNIT)
    most = {
        "threads": gpu.threads // (warps * WARP),
        "blocks": gpu.blocks,
        "registers": held // warps,
        "shared memory": gpu.shared_bytes // shared,
    }
    limit = min(most, key=lambda key: most[key])
    blocks = most[limit]
    return Occupancy(blocks, blocks * threads, blocks * warps * WARP / gpu.threads, limit)


def _up(number: int, unit: int) -> int:
    return -(-number // unit) * unit


@dataclass(frozen=True)
class Bound:
    """Seconds of one call of a kernel at the limits of a GPU, by resource.

    l1: the data path that shared memory and L1 have in common.  issue: the slots of instructions.
    """

    compute: float
    memory: float
    l1: float
    issue: float

    @property
    def seconds(self) -> float:
        """The seconds of the resource that takes longest."""
        return max(self.parts.values())

    @property
    def limit(self) -> str:
        """The name of the resource that takes longest."""
        return max(self.parts, key=lambda key: self.parts[key])

    @property
    def parts(self) -> dict[str, float]:
        """The seconds of each resource, by name."""
        return {
            "compute": self.compute,
            "memory": self.memory,
            "L1": self.l1,
            "issue": self.issue,
        }


@dataclass(frozen=True)
class Plan:
    """A kernel and its launch: resources, grid, block, and memory traffic."""

    record: KernelRecord
    resources: Resources
    grid: tuple[int, ...]
    block: tuple[int, ...]
    traffic: Traffic

    @property
    def blocks(self) -> int:
        """The number of blocks of the grid."""
        return prod(self.grid)

    @property
    def threads(self) -> int:
        """The number of threads of a block."""
        return prod(self.block)


def bound(gpu: Gpu, plan: Plan, flops: float) -> Bound:
    """Return the least seconds of a call of a kernel, by resource.

    The SM with the most blocks determines the time of arithmetic, of L1 and of instruction issue; a
    thread does at most one multiply-add per clock, unless its warp multiplies matrices.  flops: the
    number of operations of the call.
    """
    blocks = max(plan.blocks, 1)
    most = -(-blocks // gpu.sms)
    held = max(occupancy(gpu, plan.resources, plan.threads).blocks, 1)
    resident = min(held, most) * plan.threads
    rate = 2 * gpu.clock_hz * min(gpu.lanes, resident)
    if plan.traffic.uses_mma:
        rate = gpu.mma_share * gpu.tensor_flops / gpu.sms
    elif plan.traffic.uses_wgmma:
        rate = gpu.tensor_flops / gpu.sms
    return Bound(
        compute=flops / blocks * most / rate,
        memory=plan.record.moved_bytes / gpu.memory_bandwidth,
        l1=plan.traffic.l1_clocks / blocks * most / gpu.clock_hz,
        issue=plan.traffic.issues / blocks * most / gpu.issues / gpu.clock_hz,
    )


def roofline(gpu: Gpu, flops: float, moved_bytes: float, *, is_half: bool) -> float:
    """Return the seconds that a GPU needs for operations and bytes at its peak rates.

    is_half: whether the products are of f16 or bf16, for which there are matrix instructions.
    """
    peak = gpu.tensor_flops if is_half else gpu.flops
    return max(flops / peak, moved_bytes / gpu.memory_bandwidth)


__all__ = ["GPUS", "Bound", "Gpu", "Occupancy", "Plan", "bound", "occupancy", "roofline"]

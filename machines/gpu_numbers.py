"""The numbers of GPUs on which cost models rely: one row per architecture, with sources.

    numbers_of(Target("cuda -arch=sm_90a")).multiprocessors == 132

A row describes the GPU with the most multiprocessors that is sold for the architecture.  Other
kinds of GPUs have the row of the A100, until rows with sources exist.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from .target import KIB, Target


@dataclass(frozen=True)
class GpuNumbers:
    """The numbers of a GPU.  Rates are per multiprocessor and clock, unless stated otherwise.

    multiprocessors: the number of multiprocessors.
    clock_hz: the clock frequency under load.
    multiplies: the rate of f16 multiply-adds by ``mma.sync`` with sums in f32; the rate for bytes
    is twice as high.
    lanes: the rate of f32 multiply-adds.
    issues: the rate of issued instructions.
    shared_read_bytes: the rate of bytes read from shared memory.
    l2_bytes: the rate of bytes read from the L2 cache.
    cache_bytes: the size of the L2 cache.
    memory_bandwidth: bytes per second that the whole GPU reads from memory.
    latency_clocks: the clocks from a load of global memory to its use.
    shared_bytes: the shared memory of a multiprocessor.
    block_shared_bytes: the most shared memory of one block.
    threads: the threads that a multiprocessor can hold.
    group_multiplies: the rate of f16 multiply-adds by ``wgmma``; 0 for a GPU without ``wgmma``.
    """

    name: str
    multiprocessors: int
    clock_hz: float
    multiplies: int
    lanes: int
    l2_bytes: int
    cache_bytes: int
    memory_bandwidth: float
    shared_bytes: int
    block_shared_bytes: int
    latency_clocks: int = 290
    issues: int = 4
    shared_read_bytes: int = 128
    threads: int = 2048
    group_multiplies: int = 0


def _row(
    name: str, sms: int, ghz: float, multiplies: int, lanes: int, l2: tuple[int, int],
    gigabytes: int, shared: tuple[int, int], latency_clocks: int = 290, threads: int = 2048,
    group_multiplies: int = 0,
) -> GpuNumbers:  # fmt: skip
    """Return a row; ``l2``: bytes per clock and KiB of the L2 cache; ``shared``: KiB."""
    (l2_bytes, l2_kib), (whole, block) = l2, (kib * KIB for kib in shared)
    return GpuNumbers(
        name, sms, ghz * 1e9, multiplies, lanes, l2_bytes, l2_kib * KIB, gigabytes * 1e9, whole,
        block, latency_clocks, threads=threads, group_multiplies=group_multiplies,
    )  # fmt: skip


_MIB = KIB
"""The KiB of a MiB."""

_A100 = _row("A100 SXM", 108, 1.41, 1024, 64, (48, 40 * _MIB), 2039, (164, 163))
_H100 = _row(
    "H100 SXM", 132, 1.755, 1270, 128, (38, 50 * _MIB), 3352, (228, 227), 480,
    group_multiplies=2048,
)  # fmt: skip

NUMBERS: Mapping[str, GpuNumbers] = {
    "sm_70": _row("V100 SXM", 80, 1.53, 512, 64, (48, 6 * _MIB), 900, (96, 96)),
    "sm_72": _row("Jetson AGX Xavier", 8, 1.377, 512, 64, (48, 512), 137, (96, 96)),
    "sm_75": _row("TITAN RTX", 72, 1.77, 512, 64, (48, 6 * _MIB), 672, (64, 64), threads=1024),
    "sm_80": _A100,
    "sm_86": _row(
        "GeForce RTX 3090", 82, 1.695, 256, 128, (48, 6 * _MIB), 936, (100, 99), threads=1536
    ),
    "sm_89": _row(
        "GeForce RTX 4090", 128, 2.52, 256, 128, (48, 72 * _MIB), 1008, (100, 99), threads=1536
    ),
    "sm_90": _H100,
    "sm_90a": _H100,
    "sm_100": _row("B200", 148, 1.85, 1024, 128, (48, 126 * _MIB), 8000, (228, 227), 480),
    "sm_120": _row(
        "GeForce RTX 5090", 170, 2.41, 256, 128, (48, 96 * _MIB), 1792, (100, 99), threads=1536
    ),
}
"""Sources: NVIDIA's whitepapers of the architectures Volta, Turing, A100, H100, GA102, Ada and
Blackwell, and the data sheet of the Jetson AGX Xavier, for the multiprocessors, clocks, bandwidths,
L2 caches and rates of f16 with sums in f32; CUDA C++ Programming Guide, Technical Specifications
per Compute Capability, for the threads of a multiprocessor, the limits of shared memory and its 128
bytes per clock (32 banks of 4 bytes).  The clock of the H100 is measured under load.  mma.sync
reaches 62 % of its 2048 multiply-adds: W. Luo and others, Benchmarking and Dissecting the Nvidia
Hopper GPU Architecture, 2024 (arXiv 2402.13499), which also has its latency.  The latency of the
A100: H. Abdelkhalik and others, Demystifying the NVIDIA Ampere Architecture through
Microbenchmarking, 2022, table IV; GPUs without a source are assumed to have the same.  The
bandwidth of the L2 cache of the A100 is 5120 bytes per clock (whitepaper); the other GPUs are
assumed to have the same, and at most 48 bytes per multiprocessor.  The rate of mma.sync of the B200
is assumed to be that of the A100."""


def numbers_of(target: Target) -> GpuNumbers:
    """Return the numbers of a target's GPU; the numbers of the A100 for other kinds of GPUs."""
    return NUMBERS.get(target.gpu_architecture, _A100)

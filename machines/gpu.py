"""GPUs: the kinds of drivers, the architectures with their features, and the limits of launches.

A kind of driver (``cuda``) takes code for one or more architectures (``cuda -arch=sm_90a``).  A
kind that takes source, such as ``opencl``, has no architectures.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

KIB = 1 << 10

VECTOR_ACCESS = "vector-access"
"""The feature of targets whose threads load and store vectors of up to 16 bytes at once."""

Grid: TypeAlias = tuple[int, int, int]
"""The numbers of blocks along x, y and z."""
BLOCK_INDICES = ("blockIdx.x", "blockIdx.y", "blockIdx.z")
_MOST_BLOCKS = (1 << 31) - 1
"""The largest number of blocks: generated kernels compute block indices as 32-bit integers."""
CUDA_BLOCKS = 65535
"""The largest number of blocks along y, and along z, in CUDA and HIP."""
STATIC_SHARED_BYTES = 48 * KIB
"""The most shared memory that a CUDA kernel can declare; a launch can request more.  Source: CUDA
C++ Programming Guide, section Shared Memory of each compute capability."""
_ROCM_BLOCKS = (1 << 32) // 1024 - 1
"""The most blocks of 1024 threads on AMD's GPUs: a launch has less than 2**32 threads."""


@dataclass(frozen=True)
class GpuLimits:
    """The limits that a GPU sets for launches.

    threads: the most threads per block.
    shared_bytes: the shared memory of a block that all GPUs of the kind have.
    optional_shared_bytes: the shared memory of a block that a launch may request on the target's
    GPU.
    blocks: the most blocks of a grid along x, y and z.
    last_threads: the most threads of a block along z; None if the limit is ``threads``.
    arguments: the most buffers that a kernel may access.
    """

    threads: int = 1024
    shared_bytes: int = 32 * KIB
    blocks: Grid = (_MOST_BLOCKS, _MOST_BLOCKS, _MOST_BLOCKS)
    last_threads: int | None = None
    optional_shared_bytes: int = 0
    arguments: int = 64

    @property
    def most_shared_bytes(self) -> int:
        """The most shared memory of a block, including memory that a launch must request."""
        return max(self.shared_bytes, self.optional_shared_bytes)

    def most(self, thread: str) -> int:
        """Return the largest extent of a loop that may be bound to a thread or block index.

        thread: the index, such as ``threadIdx.x``.
        """
        if thread in BLOCK_INDICES:
            return self.blocks[BLOCK_INDICES.index(thread)]
        if thread == "threadIdx.z" and self.last_threads is not None:
            return min(self.threads, self.last_threads)
        return self.threads

    def exchanged(self, grid: Grid) -> Grid:
        """Return the grid to launch in place of a grid that exceeds the limit of a dimension.

        grid: the numbers of blocks along x, y and z.  If y or z exceeds its limit, it is swapped
        with x.  Kernels compute their block indices accordingly; see lowering/device_kernels.py.
        """
        x, y, z = grid
        if y > self.blocks[1]:
            return y, x, z
        return (z, y, x) if z > self.blocks[2] else grid


@dataclass(frozen=True)
class Gpu:
    """An architecture of GPUs.

    source: the document that lists its features.  features: its features; an option such as
    -mattr=-wgmma removes one.  The possible features are async-copy and mma: instructions cp.async
    and mma.sync of PTX; wgmma: the instruction wgmma.mma_async of PTX; mfma and wmma: the matrix
    instructions of CDNA, and of RDNA 3; mfma-bytes: those of CDNA that multiply 32 bytes; shuffle:
    32 consecutive threads can exchange values.
    """

    features: tuple[str, ...]
    source: str


@dataclass(frozen=True)
class GpuKind:
    """A kind of GPU driver.

    limits: the launch limits that every GPU of the kind supports.
    option: the option of a target that names the architecture; empty if the driver takes source.
    gpus: the architectures by name, the default first.
    features: the features of every GPU of a kind without architectures.
    pattern: a regular expression for the names of known and unknown architectures; its group
    matches the number of the architecture.
    is_compatible: whether code for an older architecture runs on newer ones.
    """

    limits: GpuLimits = GpuLimits()
    option: str = ""
    gpus: Mapping[str, Gpu] = field(default_factory=dict[str, Gpu])
    features: tuple[str, ...] = ()
    pattern: str = ""
    is_compatible: bool = False


_PTX = ("async-copy", "mma", "shuffle", VECTOR_ACCESS)
_CUDA_LIMITS = GpuLimits(blocks=(_MOST_BLOCKS, CUDA_BLOCKS, CUDA_BLOCKS), last_threads=64)
"""Source: CUDA C++ Programming Guide, Technical Specifications per Compute Capability."""
_CUDA_GUIDE = "PTX ISA: cp.async, and mma.sync of 16 elements of a sum, require sm_80 or higher"
_BEFORE_SM_80 = Gpu(("shuffle", VECTOR_ACCESS), _CUDA_GUIDE)
_CDNA, _RDNA = "LLVM, User Guide for AMDGPU Backend", "AMD, RDNA Instruction Set Architecture"

GPU_KINDS: Mapping[str, GpuKind] = {
    "opencl": GpuKind(features=(VECTOR_ACCESS,)),
    "metal": GpuKind(features=("shuffle", VECTOR_ACCESS)),
    "cuda": GpuKind(
        _CUDA_LIMITS,
        "arch",
        {
            "sm_80": Gpu(_PTX, _CUDA_GUIDE),
            "sm_86": Gpu(_PTX, _CUDA_GUIDE),
            "sm_89": Gpu(_PTX, _CUDA_GUIDE),
            "sm_90": Gpu(_PTX, _CUDA_GUIDE),
            "sm_90a": Gpu((*_PTX, "wgmma"), "PTX ISA: wgmma.mma_async requires sm_90a"),
            "sm_100": Gpu(_PTX, _CUDA_GUIDE),
            "sm_120": Gpu(_PTX, _CUDA_GUIDE),
            "sm_70": _BEFORE_SM_80,
            "sm_72": _BEFORE_SM_80,
            "sm_75": _BEFORE_SM_80,
        },
        pattern=r"sm_(\d+)[a-z]?",
        is_compatible=True,
    ),
    "rocm": GpuKind(
        GpuLimits(blocks=(_ROCM_BLOCKS, CUDA_BLOCKS, CUDA_BLOCKS)),
        "mcpu",
        {
            "gfx942": Gpu(("mfma", "mfma-bytes", "shuffle", VECTOR_ACCESS), _CDNA),
            "gfx90a": Gpu(("mfma", "shuffle", VECTOR_ACCESS), _CDNA),
            "gfx950": Gpu(("mfma", "mfma-bytes", "shuffle", VECTOR_ACCESS), _CDNA),
            "gfx1030": Gpu(("shuffle", VECTOR_ACCESS), _RDNA),
            "gfx1100": Gpu(("wmma", "shuffle", VECTOR_ACCESS), _RDNA),
            "gfx1151": Gpu(("wmma", "shuffle", VECTOR_ACCESS), _RDNA),
            "gfx1201": Gpu(("shuffle", VECTOR_ACCESS), _RDNA),
        },
        pattern=r"gfx([0-9a-f]+)",
    ),
    "vulkan": GpuKind(GpuLimits(128, 16 * KIB)),
    "webgpu": GpuKind(GpuLimits(256, 16 * KIB, arguments=8)),
}
"""The kinds of GPU drivers.

All GPUs of the last ten years satisfy the default limits: those of NVIDIA, AMD and Apple allow 1024
threads per block, and 32 KiB of shared memory or more. OpenCL devices on CPUs may allow fewer
threads. WebGPU guarantees 256 threads and 16 KiB, Vulkan 128 and 16 KiB. OpenCL, Vulkan and WebGPU
do not guarantee shuffles. The names of architectures are those of ptxas, or of LLVM.
"""
GPUS: Mapping[str, str] = {name: kind for kind, row in GPU_KINDS.items() for name in row.gpus}
"""The kind of each architecture."""


def limits_of_kind(kind: str) -> GpuLimits:
    """Return the launch limits that every GPU of a kind of target supports.

    kind: the kind, such as ``cuda``; a kind that is not a GPU has the defaults, ``GpuLimits()``.
    Options of a target may change the limits; see `gpu_limits`.
    """
    row = GPU_KINDS.get(kind)
    return GpuLimits() if row is None else row.limits

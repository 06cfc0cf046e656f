"""The differences between LLVM's GPU back ends: one table for NVIDIA, one for AMD.

The LLVM IR of kernels is the same for both, except for the functions of ids and barriers, the
address space of a thread's memory, and the declaration of a kernel.  AMD's barrier does not order
memory accesses, so it is surrounded by fences.  A fence that orders only shared memory does not
invalidate the caches of global memory.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from xdsl.dialects.func import FuncOp
from xdsl.ir import SSAValue

from ...dialects.simt import ASYNC, MFMA, MMA, WMMA, LaunchSizes
from ...machines.target import Target
from ..loop_to_llvm.emitter import KernelEmitter
from .registers import least_blocks


@dataclass(frozen=True)
class LlvmDialect:
    """The parts of a kernel's LLVM IR that depend on the GPU back end.

    triple: the LLVM triple.
    layout: the data layout; empty for LLVM's default.
    convention: the calling convention of kernels.
    thread_id, block_id: the functions that return ids, without the suffix of the dimension.
    barriers: the instructions of a barrier, by the accesses that it orders: ``shared``, ``global``
    or ``async``. GPUs without warpgroups have no ``async``.
    declaration: the line that declares the barrier's function.
    stack_space: the address space of allocas.
    units: the matrix units of simt.mma that the back end has.
    attributes: returns the LLVM function attributes of a kernel with a launch configuration.
    swizzles: whether lanes exchange values by ds_swizzle.
    metadata: further metadata nodes of a module.
    has_async_copies: whether a kernel can fill shared memory while its threads compute.
    has_dynamic_shared: whether the launch allocates the shared memory of a kernel that needs more
    than it can declare.
    approximations: the back end's function for each function of `LaneCode.approximate`.
    converts_bfloat: whether an instruction rounds f32 to bf16.
    """

    triple: str
    layout: str
    convention: str
    thread_id: str
    block_id: str
    barriers: Mapping[str, tuple[str, ...]]
    declaration: str
    stack_space: int
    units: tuple[str, ...]
    attributes: Callable[[FuncOp, LaunchSizes, Target], list[str]]
    swizzles: bool = False
    metadata: tuple[str, ...] = ()
    has_async_copies: bool = False
    has_dynamic_shared: bool = False
    approximations: Mapping[str, str] = field(default_factory=dict[str, str])
    converts_bfloat: bool = False


class DeviceEmitter(KernelEmitter):
    """A kernel emitter for a GPU back end.

    dialect: the description of the back end.
    """

    dialect: LlvmDialect

    def readable(self, buffer: SSAValue) -> str:
        """Return a pointer for loads whose result is dropped because a lane is outside of a buffer.

        It is the start of the buffer, because buffers in device memory are never empty.
        """
        return self.values[buffer]


def _nvptx_attributes(function: FuncOp, launch: LaunchSizes, target: Target) -> list[str]:
    x, y, z = launch.block
    bounds = [f'"nvvm.maxntid"="{x},{y},{z}"']
    if (blocks := least_blocks(function, launch.threads, target.gpu_architecture)) is not None:
        bounds.append(f'"nvvm.minctasm"="{blocks}"')
    return bounds


def _amdgpu_attributes(_function: FuncOp, launch: LaunchSizes, _target: Target) -> list[str]:
    return [f'"amdgpu-flat-work-group-size"="{launch.threads},{launch.threads}"']


def _fenced(barrier: str, order: str) -> tuple[str, ...]:
    """Return the instructions of an AMD barrier between two fences.

    order: the metadata of the fences, which names the memory whose accesses they order; empty for
    all.
    """
    scope = 'fence syncscope("workgroup")'
    return f"{scope} release{order}", barrier, f"{scope} acquire{order}"


_AMDGPU_LAYOUT = (
    "e-m:e-p:64:64-p1:64:64-p2:32:32-p3:32:32-p4:64:64-p5:32:32-p6:32:32-p7:160:256:256:32-"
    "p8:128:128:128:48-p9:192:256:256:32-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-"
    "v256:256-v512:512-v1024:1024-v2048:2048-n32:64-S32-A5-G1-ni:7:8:9"
)
_NVPTX_BARRIER = "void @llvm.nvvm.barrier.cta.sync.aligned.all"
_PROXY_FENCE = (
    'call void asm sideeffect "fence.proxy.async.shared::cta;", "~{memory}"() convergent nounwind'
)
_AMDGPU_BARRIER = "void @llvm.amdgcn.s.barrier()"
NVPTX = LlvmDialect(
    triple="nvptx64-nvidia-cuda",
    layout="",
    convention="ptx_kernel",
    thread_id="@llvm.nvvm.read.ptx.sreg.tid",
    block_id="@llvm.nvvm.read.ptx.sreg.ctaid",
    barriers={
        **dict.fromkeys(("shared", "global"), (f"call {_NVPTX_BARRIER}(i32 0)",)),
        ASYNC: (_PROXY_FENCE, f"call {_NVPTX_BARRIER}(i32 0)"),
    },
    declaration=f"declare {_NVPTX_BARRIER}(i32) convergent nounwind",
    stack_space=0,
    units=(MMA,),
    attributes=_nvptx_attributes,
    has_async_copies=True,
    has_dynamic_shared=True,
    approximations={
        "exp2": "@llvm.nvvm.ex2.approx.f",
        "exp2_of_normals": "@llvm.nvvm.ex2.approx.ftz.f",
        "reciprocal": "@llvm.nvvm.rcp.approx.ftz.f",
    },
    converts_bfloat=True,
)
"""NVIDIA's back end, for PTX.  Source of the errors of approximations: PTX ISA 8.0, ex2 and rcp."""
AMDGPU = LlvmDialect(
    triple="amdgcn-amd-amdhsa",
    layout=_AMDGPU_LAYOUT,
    convention="amdgpu_kernel",
    thread_id="@llvm.amdgcn.workitem.id",
    block_id="@llvm.amdgcn.workgroup.id",
    barriers={
        "shared": _fenced(f"call {_AMDGPU_BARRIER}", ", !mmra !1"),
        "global": _fenced(f"call {_AMDGPU_BARRIER}", ""),
    },
    declaration=f"declare {_AMDGPU_BARRIER} convergent nounwind",
    stack_space=5,
    units=(MFMA, WMMA),
    attributes=_amdgpu_attributes,
    swizzles=True,
    metadata=('!1 = !{!"amdgpu-synchronize-as", !"local"}',),
)
"""AMD's back end, for code objects of ROCm.  Source: LLVM, User Guide for AMDGPU Backend."""

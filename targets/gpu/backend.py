"""Backends of GPUs: kernels of the simt level as source, and a host program that launches them.

A program uses memory of the device only: the arena of its buffers, the weights, which loading
uploads once, and the arguments of a call, which are copied in and out. Compiling needs no device;
the first call opens the device.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from ...machines.target import Target
from ...runtime.abi.device import device
from ...support.lazy import call
from ...support.precision import Precision
from ..backend import Abilities, Ability, Artifact, Backend, SavedModule, check_modules
from ..stages import (
    LEVELS,
    LOOP_DIALECTS,
    LOWER_GRAPH,
    OPT_LEVELS,
    SCHEDULE,
    PipelineStage,
    optimize_graph,
)

if TYPE_CHECKING:
    from ...codegen.resources import Resources


class GpuBackend(Backend):
    """The base class of the backends for GPUs, which all have the same compilation stages."""

    stages = (
        optimize_graph("gpu-quantize", last=("graph-combine-parallel",)),
        LOWER_GRAPH,
        PipelineStage(
            "form-kernels",
            "te",
            (
                "te-fuse-elementwise",
                "gpu-form-attention",
                "gpu-join-sums",
                "te-outline",
                "gpu-plan-layouts",
            ),
        ),
        PipelineStage(
            "plan-kernels",
            "sched",
            (
                "gpu-bufferize",
                "gpu-order-axes",
                "te-merge-axes",
                "te-deduplicate",
                "te-record-costs",
                "gpu-group-calls",
                "gpu-round-operands",
                "gpu-plan",
            ),
        ),
        SCHEDULE,
        PipelineStage(
            "lower-kernels",
            "loop",
            (
                "te-to-loop",
                "loop-drop-unread",
                "gpu-bind-tasks",
                "loop-split-launches",
                "simt-check-threads",
            ),
            applies_schedules=True,
        ),
        PipelineStage(
            "map-threads",
            "simt",
            (
                "simt-repeat-results",
                "simt-combine-lanes",
                "simt-place-barriers",
                "simt-map-threads",
                "simt-expand-intrinsics",
                "simt-form-warpgroups",
                "simt-load-matrices",
                "simt-private-buffers",
                "simt-async-copies",
                "simt-peel-copies",
                "simt-align-loads",
                "simt-branch-single-trips",
                "gpu-serial-launch",
                "simt-merge-launches",
            ),
        ),
        PipelineStage("plan-memory", "packed", ("gpu-copy-to-host", "gpu-plan-memory")),
    )
    levels = {
        **{level: dialects for level, dialects in LEVELS.items() if level != "packed"},
        "simt": (*LOOP_DIALECTS, "simt"),
        "packed": (*LOOP_DIALECTS, "simt"),
    }
    opt_levels = {
        **OPT_LEVELS,
        "gpu-quantize": 2,
        "gpu-form-attention": 2,
        "gpu-join-sums": 2,
        "gpu-plan-layouts": 2,
        "gpu-order-axes": 1,
        "gpu-group-calls": 3,
        # It rounds operands if the precision asks for it, which is no optimization of its own.
        "gpu-round-operands": 0,
        "gpu-plan": 1,
        "simt-combine-lanes": 3,
        "simt-form-warpgroups": 3,
        "simt-load-matrices": 3,
        "simt-async-copies": 3,
        "simt-align-loads": 3,
        "simt-branch-single-trips": 3,
    }
    plan = "gpu-plan"
    split_before = "graph-to-te"
    exports = (".so",)
    import_exports = (".so",)
    loader = "tilewright.targets.gpu.loading:load_program"
    exporter = "tilewright.targets.gpu.export:exported"

    def check_host(self, target: Target) -> None:
        """Accept every host machine; if the device is absent, the first call raises an error."""

    def check_module(self, target: Target) -> None:
        check_modules(target.main_target)

    def abilities(self, target: Target) -> Abilities:
        is_there = device(self.kind).exist
        running = Ability(is_there, "" if is_there else "no device")
        return Abilities(Ability(True), Ability(True), running, Ability(False))

    def with_parts(self, artifact: Artifact, parts: Mapping[str, SavedModule]) -> Artifact:
        return call("tilewright.targets.gpu.export:with_parts", artifact, parts)


class OpenCLBackend(GpuBackend):
    """The backend that emits OpenCL C, for all devices with an OpenCL driver."""

    kind = "opencl"
    emitter = "tilewright.targets.gpu.emission:OpenCLEmitter"
    listings = ("opencl", "gpu")
    text_files = {".cl": "opencl"}


class MetalBackend(GpuBackend):
    """The backend that emits Metal source, for GPUs of Apple; no loader exists yet."""

    kind = "metal"
    emitter = "tilewright.targets.gpu.emission:MetalEmitter"
    listings = ("metal", "gpu")
    text_files = {".metal": "metal"}


class CudaBackend(GpuBackend):
    """The backend that emits PTX, for GPUs of NVIDIA."""

    kind = "cuda"
    emitter = "tilewright.targets.gpu.emission:CudaEmitter"
    listings = ("ll", "ptx", "cuda", "gpu")
    exports = (".so", ".o", ".a", ".tar")
    text_files = {".ptx": "ptx", ".cu": "cuda", ".ll": "ll"}

    def check_precision(self, precision: Precision, target: Target) -> None:
        if precision is not Precision.TF32:
            super().check_precision(precision, target)

    def kernel_resources(self, artifact: Artifact) -> Mapping[str, Resources]:
        return call("tilewright.targets.gpu.resources:resources_of", artifact)


class RocmBackend(GpuBackend):
    """The backend that emits code objects, for GPUs of AMD."""

    kind = "rocm"
    emitter = "tilewright.targets.gpu.rocm:RocmEmitter"
    listings = ("ll", "amdgcn", "hsaco", "gpu")
    exports = (".so", ".o", ".a", ".tar")
    text_files = {".s": "amdgcn", ".ll": "ll"}

    def abilities(self, target: Target) -> Abilities:
        found = super().abilities(target)
        if call("tilewright.codegen.code_object:find_lld") is not None:
            return found
        return replace(found, links=Ability(False, "no ld.lld: pip install tilewright[rocm]"))

    def kernel_resources(self, artifact: Artifact) -> Mapping[str, Resources]:
        return call("tilewright.targets.gpu.rocm:resources_of", artifact)


class VulkanBackend(GpuBackend):
    """The backend that emits SPIR-V, for all devices with a driver of Vulkan."""

    kind = "vulkan"
    emitter = "tilewright.targets.gpu.vulkan:VulkanEmitter"
    listings = ("spvasm", "spirv", "gpu")
    text_files = {".spvasm": "spvasm"}


class WebGPUBackend(GpuBackend):
    """The backend that emits WGSL, for the devices of WebGPU: by Vulkan, Metal and Direct3D."""

    kind = "webgpu"
    emitter = "tilewright.targets.gpu.webgpu:WebGPUEmitter"
    listings = ("wgsl", "gpu")
    text_files = {".wgsl": "wgsl"}


OPENCL, METAL, CUDA = OpenCLBackend(), MetalBackend(), CudaBackend()
ROCM, VULKAN, WEBGPU = RocmBackend(), VulkanBackend(), WebGPUBackend()
"""The only instance of each backend."""

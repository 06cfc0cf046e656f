"""Emission for AMD's GPUs: kernels as LLVM IR, which another process compiles to code objects."""

from __future__ import annotations

from base64 import encodebytes
from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext

from ...codegen.code_object import emit_amdgcn, make_code_object, resources_in
from ...codegen.resources import Resources
from ...lowering.simt_to_llvm import AMDGPU, emit_module
from ..backend import Artifact, Assembler
from .code import DeviceCode
from .emission import GpuEmitter, KernelAssembler, Kernels


class RocmEmitter(GpuEmitter):
    """The emitter that prints kernels as LLVM IR, as assembly, or as a code object.

    The listing of a code object is in base64.
    """

    printed = "ll"

    def print_kernels(self, kernels: Kernels, kind: str) -> str:
        text = emit_module(kernels, self.target, AMDGPU)
        if kind == "hsaco":
            return encodebytes(self._code_object(text)).decode()
        return emit_amdgcn(text, self.target.gpu_architecture) if kind == "amdgcn" else text

    def assembler(self, expected: int) -> AbstractContextManager[Assembler]:
        return nullcontext(KernelAssembler(self._code_object))

    def _code_object(self, text: str) -> bytes:
        return make_code_object(text, self.target.gpu_architecture)


def resources_of(artifact: Artifact) -> Mapping[str, Resources]:
    """Return the resources of each kernel by name, from the metadata of the code object."""
    code = DeviceCode.decoded(artifact.code)
    kernels = code.kernels()
    if not kernels:
        return {}
    found = resources_in(code.kernels_code)
    return {name: found[facts.symbol] for name, facts in kernels.items()}

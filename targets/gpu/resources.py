"""Device resources of the kernels of a program for NVIDIA's GPUs, as the assembler of CUDA reports.

In: an artifact, whose code has the PTX of all kernels. Out: registers, spills and shared memory of
each kernel, by name. ptxas ends with an error if a kernel exceeds the architecture.
"""

from __future__ import annotations

from collections.abc import Mapping

from ...codegen.ptx import assemble
from ...codegen.resources import Resources
from ...machines.target import Target
from ..backend import Artifact
from .code import DeviceCode


def resources_of(artifact: Artifact) -> Mapping[str, Resources]:
    """Return the device resources of each kernel of a program by name, as ptxas reports them.

    Errors: MissingAssembler without ptxas.
    """
    code = DeviceCode.decoded(artifact.code)
    kernels = code.kernels()
    if not kernels:
        return {}
    target = Target(code.manifest.target)
    found = assemble(code.kernels_code.decode(), target.gpu_architecture)
    return {name: found[facts.symbol] for name, facts in kernels.items()}

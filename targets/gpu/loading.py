"""Load programs for GPUs, from artifacts of emission.py or from exported files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ...interp.memory import start_of
from ...interp.signature import valid_parts
from ...runtime.abi.ndarray import Array
from ...runtime.call.device_calls import DeviceCalls
from ...runtime.module.loading import LoadedCode
from ...runtime.module.python_program import load_function
from ...support.checked_file import Buffer
from ..backend import Artifact, process_code
from .program import DeviceProgram


def load_program(artifact: Artifact) -> LoadedCode:
    """Return the callable of a program for a GPU.

    Errors: LoadError for a malformed program, or a function that is not registered.
    """
    program = DeviceProgram(artifact)
    inputs = len(program.manifest.inputs)

    def run(arrays: Sequence[Array]) -> None:
        # An array for a result of a computed size may be larger: the result is at its start.
        for array, result in zip(arrays[inputs:], program.call(arrays)[1], strict=True):
            start_of(array, result.shape)[...] = result

    loaded = load_function(
        run,
        program.manifest,
        output_sizes=program.output_sizes,
        results=lambda arrays: valid_parts(*program.call(arrays)),
        device_calls=DeviceCalls(program.device.kind, program.run_on),
        recorder=program.recorder,
        alive=program,
        process_code=process_code,
    )
    return replace(loaded, modules=(program.kernels_module, *program.parts.values()))


def load_exported(code: bytes, weights: Buffer) -> LoadedCode:
    """Return the callable of an exported program; see `load_program`."""
    return load_program(Artifact(code, b"", weights))


__all__ = ["load_exported", "load_program"]

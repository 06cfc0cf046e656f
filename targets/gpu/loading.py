"""Load programs for GPUs from artifacts of emission.py: link the host program, and load it."""

from __future__ import annotations

from dataclasses import replace

from ...codegen.linker import link
from ...machines.target import Target
from ...runtime.abi.constants import MODULE_SYMBOLS
from ...runtime.abi.library import Library
from ...runtime.abi.threads import process_pool
from ...runtime.module.device_code import with_device
from ...runtime.module.device_parts import functions_of, loaded_parts
from ...runtime.module.exported import load_saved
from ...runtime.module.loading import LoadedCode, bind_code
from ..backend import Artifact, process_code
from ..library.objects import own_objects
from .code import DeviceCode
from .host_program import PARTS, SYMBOLS, kernels_blob, symbols_of
from .profiling import LaunchRecorder


def load_program(artifact: Artifact) -> LoadedCode:
    """Return the code of a program for a GPU, loaded into this process.

    Errors: LoadError for a malformed program, or a function that is not registered.
    """
    code = DeviceCode.decoded(artifact.code)
    loaded = bound_library(artifact, code)
    assert isinstance(loaded.library, Library), "bound_library has loaded it"
    symbols = symbols_of(code.kernels())
    made = with_device(loaded, loaded.library, code.kernels_code, symbols)
    recorder = LaunchRecorder(artifact.kernels, loaded.library, code)
    return replace(made, recorder=recorder, process_code=process_code)


def bound_library(artifact: Artifact, code: DeviceCode) -> LoadedCode:
    """Return the loaded host program, with its weights and the functions of this process."""
    objects = own_objects(code.fields["texts"], PARTS, Target("llvm").triple)
    exports = (*MODULE_SYMBOLS, *SYMBOLS, *code.fields["symbols"])
    library = Library(
        link(objects, blobs=[kernels_blob(code)], exports=exports), code.manifest.name
    )
    parts = loaded_parts(code.parts, load_saved)
    loaded = bind_code(
        library,
        code.manifest,
        memoryview(artifact.weights),
        pool=process_pool(process_code),
        threads=1,
        functions=functions_of(parts),
    )
    return replace(loaded, modules=tuple(parts.values()))

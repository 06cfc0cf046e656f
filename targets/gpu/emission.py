"""Emission for GPUs: the source of all kernels as one file, and the host program as text.

In: a module whose kernels have launches, and whose main has a memory plan. Out: an artifact whose
code is JSON: the manifest, main, the facts of each kernel that a launch needs, and the source.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from io import BytesIO
from typing import Any

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

from ...codegen.signature import describe_main
from ...dialects.functions import ARENA_BYTES, recorded_bytes
from ...dialects.packed import BindOp, CallOp, ExternOp
from ...dialects.shape import size_parameters
from ...dialects.simt import launch_of
from ...dialects.weights import weights_of, write_arrays_to
from ...lowering.simt_to_c import OPENCL, emit_program
from ...support.diagnostics import UnsupportedOp
from ...support.entry import entry_of, kernel_functions
from ...support.target import Target
from ..backend import Artifact, Emitter, Program, Text

KERNELS = "the kernels"
"""The label of the text with the source of all kernels."""


class GpuProgram:
    """A program of kernels with launches, and a main that calls them."""

    def __init__(self, module: ModuleOp, target: Target) -> None:
        self.module, main = module, entry_of(module)
        for op in main.walk():
            if isinstance(op, BindOp):
                raise UnsupportedOp(
                    "a program for a GPU computes no sizes of tensors",
                    got=op.name,
                    hint='compile the model for target="cpu"',
                ).at(op)
        self.calls = [op.kernel_name for op in main.walk() if isinstance(op, CallOp)]
        self.symbols = {
            function.sym_name.data: f"tw_k{number}"
            for number, function in enumerate(kernel_functions(module))
        }
        self._target = target

    @property
    def tasks(self) -> Mapping[str, int | str]:
        """The number of blocks of each kernel."""
        return {function.sym_name.data: _blocks(function) for function in self._kernels()}

    def _kernels(self) -> list[FuncOp]:
        return kernel_functions(self.module)

    def texts(self) -> Iterator[Text]:
        """Yield the host program and the source of the kernels."""
        yield Text("the host program", json.dumps(self._host()))
        kernels = [(self.symbols[f.sym_name.data], f) for f in self._kernels()]
        yield Text(KERNELS, emit_program(kernels, OPENCL))

    def _host(self) -> Mapping[str, Any]:
        main = entry_of(self.module)
        externs = dict.fromkeys(op.function_name for op in main.walk() if isinstance(op, ExternOp))
        entry = describe_main(main, self._target)
        entry = replace(
            entry, externs=tuple(externs), arena_bytes=recorded_bytes(main, ARENA_BYTES)
        )
        kernels = {f.sym_name.data: self._facts(f) for f in self._kernels()}
        return {"manifest": entry.manifest(), "main": str(main), "kernels": kernels}

    def _facts(self, function: FuncOp) -> Mapping[str, Any]:
        """Return what a launch of a kernel needs."""
        launch = launch_of(function)
        assert launch is not None, "the stage map-threads gives each kernel a launch"
        return {
            "symbol": self.symbols[function.sym_name.data],
            "grid": [str(blocks) for blocks in launch.grid],
            "block": list(launch.block),
            "sizes": list(size_parameters(function)),
        }


def _blocks(function: FuncOp) -> int | str:
    launch = launch_of(function)
    assert launch is not None, "the stage map-threads gives each kernel a launch"
    x, y, z = launch.grid
    total = x * y * z
    return str(total) if total.value is None else total.value


class GpuEmitter(Emitter):
    """Source of kernels; no compiler of a driver runs here."""

    def emit(self, module: ModuleOp, max_threads: int) -> GpuProgram:
        return GpuProgram(module, self.target)

    def link(self, program: Program, objects: Sequence[bytes]) -> Artifact:
        assert isinstance(program, GpuProgram), "it was emitted for a GPU"
        host, source = objects
        code = json.dumps({"host": host.decode(), "source": source.decode()})
        file = BytesIO()
        write_arrays_to(weights_of(program.module), file)
        return Artifact(code.encode(), b"", file.getvalue())

    def listing(self, texts: Sequence[Text], kind: str) -> str:
        return "\n".join(text.source for text in texts if text.label == KERNELS)

"""Programs of a GPU: a main whose buffers are memory of a device, run by Python.

In: an artifact of emission.py, and arrays of the host for the arguments of main. Out: the results
in these arrays. Opening the device builds the kernels and uploads the weights; a call copies the
inputs, runs the ops of main in order, and copies the results back. Calls of kernels are launches in
the queue of the device, so main only waits where it reads an element: a condition, a trip count, a
check of indices, the arguments of a function of the process.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Sequence
from functools import cached_property
from typing import cast

import numpy as np
from xdsl.dialects.func import FuncOp

from ...dialects.weights import arrays_in, register_weights
from ...interp.memory import start_of
from ...interp.signature import valid_parts
from ...interp.sizes import output_sizes, with_shapes
from ...runtime.device import device
from ...runtime.loading import LoadedCode, registered_functions
from ...runtime.manifest import Manifest
from ...runtime.ndarray import Array
from ...runtime.python_program import load_function
from ..backend import Artifact
from ..call_errors import errors_of_calls
from .code import DeviceCode
from .device_run import DeviceRun
from .open_device import OpenDevice
from .placement import CallMemory


class DeviceProgram:
    """A program for devices of one kind; the first call opens the first of them."""

    def __init__(self, artifact: Artifact) -> None:
        code = DeviceCode.decoded(artifact.code)
        self.manifest, self._source = Manifest.parse(json.loads(code.host)["manifest"]), code.source
        self._alive = register_weights(arrays_in(np.frombuffer(artifact.weights, np.uint8)))
        self._main, self._kernels = code.main(), code.kernels()
        self._functions = registered_functions(self.manifest)
        self._lock = threading.Lock()

    @cached_property
    def opened(self) -> OpenDevice:
        """The program on its device.

        Errors: ArgumentError without a device, DeviceError if the driver refuses the kernels.
        """
        kind = self.manifest.target.split()[0]
        return OpenDevice(device(kind), self._source, self._kernels, self._main)

    def run(self, arrays: Sequence[Array]) -> None:
        """Run the program on arrays of the host for all its arguments.

        An array for a result of a computed size may be larger: the result is at its start.
        """
        inputs = len(self.manifest.inputs)
        for array, result in zip(arrays[inputs:], self._call(arrays)[1], strict=True):
            start_of(array, result.shape)[...] = result

    def results(self, inputs: Sequence[Array]) -> Sequence[Array]:
        """Run the program on arrays of the host; return its outputs."""
        return valid_parts(*self._call(inputs))

    def _call(self, arrays: Sequence[Array]) -> tuple[FuncOp, list[Array]]:
        """Run the program; return its main function for the sizes, and what main has filled."""
        with self._lock, errors_of_calls():
            main = cast(FuncOp, with_shapes(self._main, arrays, None))
            opened, inputs = self.opened, len(self.manifest.inputs)
            memory = CallMemory(opened, main)
            for argument, array in zip(main.body.block.args[:inputs], arrays, strict=False):
                opened.write(memory.addresses[argument], np.ascontiguousarray(array))
            DeviceRun(opened, self._functions, memory).run(main.body.block)
            filled = main.body.block.args[inputs:]
            return main, [opened.buffer(memory.addresses[value], value.type) for value in filled]

    def output_sizes(self, shapes: Sequence[tuple[int, ...]]) -> list[int]:
        """Return the sizes of all outputs for the shapes of the inputs."""
        with errors_of_calls():
            return output_sizes(self._main, [spec.name for spec in self.manifest.inputs], shapes)


def load_program(artifact: Artifact) -> LoadedCode:
    """Return the callable of a program.

    Errors: LoadError for a malformed program, or a function that is not registered.
    """
    program = DeviceProgram(artifact)
    return load_function(
        program.run,
        program.manifest,
        output_sizes=program.output_sizes,
        results=program.results,
        alive=program,
    )


__all__ = ["DeviceProgram", "load_program"]

"""Programs for a GPU: a main function whose buffers are device memory, executed by Python.

In: an artifact of emission.py, and arrays for the arguments of main. Out: the results in these
arrays. Opening a device builds the kernels and uploads the weights. A call runs the ops of main in
order; arrays of the host are copied to the device before the call, and back after it. Calls of
kernels are launches in the queue of the device, so main waits only where it reads elements: for a
condition, a trip count, a check of indices, or the arguments of a function of the process.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Sequence
from typing import cast

import numpy as np
from xdsl.dialects.func import FuncOp

from ...dialects.weights import arrays_in, register_weights
from ...interp.sizes import output_sizes, with_shapes
from ...machines.gpu import limits_of_kind
from ...runtime.abi.device import Device, device
from ...runtime.abi.ndarray import Array, DeviceArray
from ...runtime.call.device_calls import Placed
from ...runtime.device.device_module import DeviceModule
from ...runtime.file.manifest import Manifest
from ..backend import Artifact
from ..call_errors import errors_of_calls
from .captured_graph import CallKey, KeptCall, key_of
from .code import DeviceCode
from .host_functions import host_functions, loaded_parts
from .open_device import OpenDevice
from .profiling import LaunchRecorder

KEPT_CALLS = 32
"""The number of last calls of a program whose memory plan and graph are stored for repetition."""


class DeviceProgram:
    """A program for devices of one kind; the first call on a device loads the program there."""

    def __init__(self, artifact: Artifact) -> None:
        code = DeviceCode.decoded(artifact.code)
        self.manifest = Manifest.parse(json.loads(code.host)["manifest"])
        self._kernels_code = code.kernels_code
        self._alive = register_weights(arrays_in(np.frombuffer(artifact.weights, np.uint8)))
        self._main, self._kernels = code.main(), code.kernels()
        self.parts = loaded_parts(code.parts)
        self._functions = host_functions(self.manifest, self.parts)
        self._lock = threading.Lock()
        self._opened: dict[Device, OpenDevice] = {}
        self._calls: dict[tuple[Device, tuple[int, ...], CallKey], KeptCall] = {}
        self.device = device(self.manifest.target.split()[0])
        self.recorder = LaunchRecorder(artifact.kernels)

    @property
    def kernels_module(self) -> DeviceModule:
        """The kernels as a module of functions on the device."""
        kind = self.manifest.target.split()[0]
        symbols = tuple(facts.symbol for facts in self._kernels.values())
        return DeviceModule(self.manifest.name, kind, self._kernels_code, symbols)

    def open(self, place: Device) -> OpenDevice:
        """Return the program on a device; the first time, build its kernels and upload its weights.

        Errors: ArgumentError without the device, DeviceError if its driver refuses the kernels.
        """
        if place not in self._opened:
            limits = limits_of_kind(self.manifest.target.split()[0])
            self._opened[place] = OpenDevice(
                place, self._kernels_code, self._kernels, self._main, limits
            )
        return self._opened[place]

    def call(self, arrays: Sequence[Array]) -> tuple[FuncOp, list[Array]]:
        """Run the program on arrays of the host.

        arrays: the inputs, or all arguments.  Return main with the sizes of the call, and the
        arrays of all arguments that follow the inputs.
        """
        with self._lock, errors_of_calls():
            opened = self.open(self.device)
            call = self._run(opened, arrays)
            filled = call.main.body.block.args[len(self.manifest.inputs) :]
            start = call.memory.start
            return call.main, [opened.buffer(start(value), value.type) for value in filled]

    def run_on(self, place: Device, arrays: Sequence[Placed]) -> None:
        """Queue the program on a device; inputs may be on the host, outputs are on the device."""
        with self._lock, errors_of_calls():
            self._run(self.open(place), arrays)

    def _run(self, opened: OpenDevice, arrays: Sequence[Placed]) -> KeptCall:
        call = self._call(opened, arrays)
        inputs = call.main.body.block.args[: len(self.manifest.inputs)]
        for argument, array in zip(inputs, arrays, strict=False):
            if not isinstance(array, DeviceArray):
                opened.write(call.memory.start(argument), np.ascontiguousarray(array))
        call.run(self.recorder.begin(opened))
        return call

    def _call(self, opened: OpenDevice, arrays: Sequence[Placed]) -> KeptCall:
        """Return the stored call with these arguments, or a new one."""
        key = (opened.device, opened.places, key_of(arrays))
        call = self._calls.pop(key, None)
        if call is None:
            main = cast(FuncOp, with_shapes(self._main, arrays, None))
            inputs = len(self.manifest.inputs)
            call = KeptCall(opened, self._functions, main, inputs, arrays)
            key = (opened.device, opened.places, key_of(arrays))
        if call.may_repeat:
            self._calls[key] = call
            if len(self._calls) > KEPT_CALLS:
                del self._calls[next(iter(self._calls))]
        return call

    def output_sizes(self, shapes: Sequence[tuple[int, ...]]) -> list[int]:
        """Return the sizes of all outputs for the shapes of the inputs."""
        with errors_of_calls():
            return output_sizes(self._main, [spec.name for spec in self.manifest.inputs], shapes)


__all__ = ["DeviceProgram"]

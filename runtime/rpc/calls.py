"""The calls of a module in another process, as the code of a module of this process."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

import numpy as np

from ..abi.device import Device
from ..abi.ndarray import Array
from ..call.arguments import arguments_of
from ..call.device_calls import DeviceCalls, Placed
from ..call.states import states_of_manifest
from ..file.manifest import Manifest
from ..module.loading import LoadedCode
from ..module.python_program import load_function
from .connection import Connection, bytes_of, sending
from .functions import RemoteFunc
from .host import RemoteTensor, RemoteValue
from .local_host import dtype_bits


class RemoteCalls:
    """The functions that run a module of another process.

    Their arguments are arrays of this process, or of a device of the session.

    main: the module's main function.  states: the states of the model.
    """

    def __init__(
        self,
        connection: Connection,
        handle: int,
        manifest: Manifest,
        states: Sequence[Mapping[str, Any]],
    ) -> None:
        """Look up the main function of a remote module.

        handle: the handle of the module.  manifest: its manifest.  states: the rows of the manifest
        that describe the states.
        """
        self.states = states_of_manifest(states)
        self._connection, self._handle, self._manifest = connection, handle, manifest
        found = connection.host.find(handle, "main")
        self.main = RemoteFunc.of_handle(connection, found, manifest.name)

    def code(self, device: Device) -> LoadedCode:
        """Return the code of a `Module` of this process whose calls run the remote module.

        device: the device of the session on which the remote module runs.
        """
        host, handle = self._connection.host, self._handle
        return load_function(
            self.run,
            self._manifest,
            output_sizes=lambda shapes: host.shapes(handle, shapes),
            results=self.results,
            device_calls=DeviceCalls(device.kind, self.run_on),
        )

    def run(self, arrays: Sequence[Array]) -> None:
        """Run the program on arrays of this process: inputs, then outputs to fill."""
        inputs, host = len(self._manifest.inputs), self._connection.host
        with self._connection.borrowed([array.nbytes for array in arrays]) as memory:
            values: list[RemoteValue] = []
            for number, (array, place) in enumerate(zip(arrays, memory, strict=True)):
                if number < inputs:
                    host.write(place, 0, bytes_of(np.ascontiguousarray(array)))
                values.append(RemoteTensor(place, dtype_bits(array.dtype), array.shape))
            host.call(self.main.handle, values)
            for array, place in zip(arrays[inputs:], memory[inputs:], strict=True):
                host.read_into(place, 0, bytes_of(array))

    def run_on(self, device: Device, placed: Sequence[Placed]) -> None:
        """Run the program on arrays: the inputs, then the outputs to fill.

        The outputs, and at least some inputs, are on a device of the session. Other inputs may be
        arrays of this process.

        device: the device.  placed: the arrays.
        """
        arguments = arguments_of(self._manifest)
        with sending(self._connection, arguments, placed) as values:
            self._connection.host.call(self.main.handle, values)

    def results(self, inputs: Sequence[Array]) -> list[Array]:
        """Run the program on inputs; return all outputs in the sizes that the program computes."""
        connection = self._connection
        with sending(connection, arguments_of(self._manifest), inputs) as values:
            outputs = cast("list[RemoteTensor]", connection.host.run(self._handle, values))
        made = [
            connection.read(output, spec.dtype)
            for output, spec in zip(outputs, self._manifest.outputs, strict=True)
        ]
        for output in outputs:
            connection.host.free(output.handle)
        return made

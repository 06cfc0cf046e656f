"""Modules in another process, as modules of this process.

    module = remote.load_module("m.tar")
    y = module(x)                              arrays of this process are sent, results received
    executor = GraphModule(module["default"](remote.cpu(0)))

In: the handle and the manifest of a module that the other process has loaded. Out: a `Module`.
Calls with arrays of the session's device leave their data in the other process, and so do the
inputs and results of an executor.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast
from weakref import finalize

from ..abi.device import Device, cpu
from ..abi.ndarray import Array, DeviceArray, NDArray
from ..call.arguments import arguments_of
from ..call.timing import BenchmarkResult, check_measurement
from ..errors import ArgumentError
from ..file.manifest import Manifest
from ..measure.profile import Profile, given_inputs
from ..module.functions import device_kind_of
from ..module.module import Module
from .calls import RemoteCalls
from .connection import Connection, sending
from .functions import RemoteFunc
from .host import RemoteTensor
from .recorder import RemoteRecorder
from .stateful import StatefulRemote


@dataclass(frozen=True)
class RemoteBenchmarkResult(BenchmarkResult):
    """Seconds per call, measured in the other process, so that they do not include the network.

    round_trip_s: the round-trip time of the connection in seconds, as the shortest of several
    pings.  instructions: the number of instructions that one call executes; None if the server does
    not count them.
    """

    round_trip_s: float = 0
    instructions: int | None = None


class RemoteInputs:
    """The inputs of an executor of a remote module, in the memory of the other process."""

    def __init__(self, module: RemoteModule, device: Device) -> None:
        self._module, self._device = module, device
        self._arguments = {each.spec.name: each for each in arguments_of(module.manifest)}
        self._arrays: dict[str, NDArray] = {}

    def set(self, name: str, array: Array | None) -> None:
        """Send an array to the other process as an input.

        Errors: ArgumentError for an unknown input, and for None or an array that does not fit.
        """
        argument = self._arguments.get(name)
        if argument is None or not argument.is_input or array is None:
            raise ArgumentError(
                f"the executor of {self._module.name} has no input {name!r}",
                expected=", ".join(spec.name for spec in self._module.inputs),
                hint="pass the name of an input of the signature",
                signature=self._module.manifest.signature,
            )
        sizes = argument.spec.shape
        if len(sizes) != array.ndim or any(
            isinstance(size, int) and size != given
            for size, given in zip(sizes, array.shape, strict=True)
        ):
            got = f"{array.dtype}[{', '.join(map(str, array.shape))}]"
            raise argument.refused("has the wrong shape", got, "pass this shape")
        known = self._arrays.get(name)
        if known is None or known.shape != array.shape:
            known = self._arrays[name] = DeviceArray(array.shape, array.dtype, self._device)
        known.copyfrom(array)

    def get(self, name: str) -> NDArray:
        """Return the array of an input, in the memory of the other process.

        Errors: ArgumentError for an input that is not set.
        """
        if name not in self._arrays:
            raise ArgumentError(
                f"the executor of {self._module.name} has no value of the input {name!r}",
                hint=f'call set_input("{name}", x) first',
            )
        return self._arrays[name]

    def given(self) -> dict[str, Array]:
        """Return copies of the inputs that are set, by name."""
        return {name: array.numpy() for name, array in self._arrays.items()}

    def check(self) -> None:
        """Raise an error if an input is not set.

        Errors: ArgumentError.
        """
        for spec in self._module.inputs:
            self.get(spec.name)


class RemoteModule(Module):
    """A module that another process has loaded, and that runs there."""

    _connection: Connection
    _remote: int
    _main: RemoteFunc
    _device_kind: int

    @classmethod
    def of_handle(cls, connection: Connection, handle: int, manifest_text: str) -> RemoteModule:
        """Return a module for a handle; the handle is released together with the module.

        manifest_text: the module's manifest, as JSON.

        Errors: NotImplementedError for a library with several programs of one model.
        """
        fields: dict[str, Any] = json.loads(manifest_text)
        manifest = Manifest.parse(manifest_text)
        if "programs" in fields:
            raise NotImplementedError(
                f"{manifest.name} has several programs of one model\n"
                "    hint: export it for one set of values"
            )
        local = device_kind_of(manifest.target)
        device = connection.devices.device(Device(local))
        calls = RemoteCalls(connection, handle, manifest, fields["states"])
        made = cls.of(calls.code(device))
        made.states = calls.states
        made._connection, made._remote, made._main = connection, handle, calls.main
        made._device_kind = local
        finalize(made, connection.drop, "unload", handle).atexit = False
        return made

    def main_function(self) -> RemoteFunc:  # pyright: ignore[reportIncompatibleMethodOverride]
        """Return the main function in the other process, which fills the outputs."""
        return self._main

    def check_device(self, device: Device | None) -> None:
        """Raise an error for a device that is not in the session, or does not run the module.

        Errors: ArgumentError.
        """
        local = self._connection.devices.local(device) if device is not None else cpu(0)
        if local is None or local.kind not in (cpu(0).kind, self._device_kind):
            raise ArgumentError(
                f"{self.name} does not run on {device}",
                expected="a device of its session, such as remote.cpu(0)",
                got=device,
                hint="pass remote.cpu(0) of the session that loaded it",
            )

    def executor_inputs(self, device: Device | None = None) -> RemoteInputs:
        """Return memory for the inputs of a new executor, on a device of the session."""
        made = self._connection.devices.device(Device(self._device_kind))
        return RemoteInputs(self, made if device is None else device)

    @property
    def threads(self) -> int:
        """The number of threads of calls. The other process sets it when it loads the module."""
        return self._threads

    @threads.setter
    def threads(self, count: int) -> None:  # pyright: ignore[reportIncompatibleVariableOverride]
        raise ArgumentError(
            f"{self.name} is in another process, which decided its threads",
            got=count,
            hint="pass threads= to load_module of the session",
        )

    def session(  # pyright: ignore[reportIncompatibleMethodOverride]
        self, initial: Mapping[str, object] | None = None
    ) -> StatefulRemote:
        """Return a new session of a model that was compiled with ``state=``.

        The states stay in the other process.  initial: the first values of some states, by the
        names of their inputs.

        Errors: ArgumentError if the model has no states, or a value does not fit.
        """
        device = self._connection.devices.device(Device(self._device_kind))
        return StatefulRemote(self, device, initial)

    def time_evaluator(  # pyright: ignore[reportIncompatibleMethodOverride]
        self,
        name: str,
        device: Device | None = None,
        *,
        number: int = 10,
        repeat: int = 1,
        min_repeat_ms: float = 0,
        cooldown_interval_ms: float = 0,
    ) -> Callable[..., RemoteBenchmarkResult]:
        """Return a function that measures calls in the other process, without the network.

        The parameters are those of `ModuleFunctions.time_evaluator`.

        Errors: KeyError for an unknown name; ArgumentError for another device, and for a number or
        repeat below 1.
        """
        self.check_device(device)
        check_measurement(number, repeat, min_repeat_ms)
        self.get_function(name)
        connection = self._connection
        nanoseconds = int(1e6 * min_repeat_ms), int(1e6 * cooldown_interval_ms)

        def evaluate(*arguments: object) -> RemoteBenchmarkResult:
            given = self._with_outputs(arguments)
            with sending(connection, self._arguments, given) as values:
                count, elapsed_ns = connection.host.time(
                    self._main.handle, number, repeat, *nanoseconds, values
                )
                executed = connection.instructions(self._main.handle, values)
            seconds = tuple(1e-9 * each / count for each in elapsed_ns)
            return RemoteBenchmarkResult(seconds, count, connection.round_trip_s(), executed)

        return evaluate

    def profile(self, *inputs: object, threads: int | None = None, rounds: int = 20) -> Profile:
        """Measure the time of each kernel in the other process; return a profile.

        inputs: one array per input, in order, or one mapping by name.  rounds: the number of runs
        to record.

        Errors: ArgumentError if the module was exported without ``profile=True``, if ``threads`` is
        given, and for inputs that do not fit.
        """
        if threads is not None:
            self.threads = threads
        check_measurement(1, rounds, 0)
        given = self._with_outputs(tuple(self._given(given_inputs(inputs))))
        recorder = RemoteRecorder(self._connection.host, self._remote, self._main.handle)
        with sending(self._connection, self._arguments, given) as values:
            return recorder.profile(self.name, self.threads, values, rounds)

    def _run_on_device(self, arrays: Sequence[object]) -> tuple[Any, ...] | None:
        if self._allocator is None or len(arrays) != len(self.inputs):
            return super()._run_on_device(arrays)
        # Sizes that elements decide: the other process makes the results.
        device = next(each.device for each in arrays if isinstance(each, DeviceArray))
        with sending(self._connection, self._arguments, arrays) as values:
            outputs = self._connection.host.run(self._remote, values)
        pairs = zip(outputs, self.outputs, strict=True)
        made = tuple(
            self._connection.array_of(cast(RemoteTensor, output), spec.dtype, device)
            for output, spec in pairs
        )
        return self._formed(cast("tuple[NDArray, ...]", made)) if self._forms else made

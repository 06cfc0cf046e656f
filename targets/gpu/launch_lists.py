"""Launch lists of programs whose work does not depend on values of elements.

In: an artifact whose sizes are constants. Out: a `Straight` program: the steps of main as data
(runtime/device/launch_list.py), the kernels, and the weights. No device is needed: `DeviceRun`
executes main on a `RecordedDevice`, whose regions have no memory.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NoReturn

import numpy as np
from xdsl.ir import Attribute

from ...dialects.shape import size_parameters
from ...dialects.weights import WeightAttr, arrays_in, register_weights
from ...machines.gpu import Grid, limits_of_kind
from ...runtime.abi.ndarray import Array
from ...runtime.device.launch_list import IndexCheck, LaunchList, Region, Step
from ...runtime.file.manifest import Manifest
from ...support.diagnostics import UnsupportedOp
from ..backend import Artifact
from .call_memory import CallMemory, DeviceBlock
from .code import DeviceCode
from .device_run import DeviceRun


@dataclass(frozen=True)
class Straight:
    """A launch list, the code of its kernels, and the values of the weights.

    names: the name of each kernel in the program, by its name in the code.
    """

    launches: LaunchList
    kernels_code: bytes
    weights: tuple[Array, ...]
    names: Mapping[str, str]


@dataclass(frozen=True)
class _NoBlock:
    """A block without memory."""

    address: int = 0


class RecordedDevice:
    """A device without memory, on which main queues steps but reads no elements."""

    alignment_bytes = 16

    def __init__(self, code: DeviceCode, kind: str) -> None:
        self.facts, self._limits = code.kernels(), limits_of_kind(kind)

    def weight(self, value: WeightAttr) -> int:
        """Return the start of the region of a weight, which has no memory."""
        return 0

    def room(self, stage: int, size_bytes: int) -> int:
        """Return the start of the regions of a stage, which have no memory."""
        return 0

    def block(self, size_bytes: int) -> DeviceBlock:
        """Return a block without memory."""
        return _NoBlock()

    def grid_of(self, kernel: str, sizes: Mapping[str, int]) -> Grid:
        """Return the grid for a launch of a kernel; see `KernelFacts.launched`."""
        return self.facts[kernel].launched(kernel, sizes, self._limits)

    def queue_step(self, step: Step, starts: Sequence[int]) -> None:
        """Do nothing: `DeviceRun` records the steps."""

    def check(self, check: IndexCheck, starts: Sequence[int]) -> None:
        """Do nothing: `DeviceRun` records the checks of inputs."""

    def buffer(self, address: int, type_: Attribute) -> NoReturn:
        """Refuse to read elements.

        Errors: UnsupportedOp.
        """
        raise _not_straight()

    def read(self, address: int, array: Array) -> NoReturn:
        """Refuse to read elements; see `buffer`."""
        raise _not_straight()

    def write(self, address: int, array: Array) -> NoReturn:
        """Refuse to write elements; see `buffer`."""
        raise _not_straight()


def _not_straight() -> UnsupportedOp:
    return UnsupportedOp(
        "main has no launch list: its steps depend on values of elements, or the host makes some",
        expected="kernels, copies, loops of a constant trip count, and checks of inputs",
        hint="load the module with the package tilewright, which executes main",
    )


def launch_list(artifact: Artifact) -> Straight:
    """Return the launch list of a program.

    Errors: UnsupportedOp if main reads elements, or has sizes that are not constants.
    """
    code = DeviceCode.decoded(artifact.code)
    # The parser of main finds the weights as long as this dictionary holds them.
    held = register_weights(arrays_in(np.frombuffer(artifact.weights, np.uint8)))
    main, manifest = code.main(), Manifest.parse(json.loads(code.host)["manifest"])
    del held
    if size_parameters(main):
        raise UnsupportedOp(
            "main has no launch list: its sizes are not constants",
            got=", ".join(size_parameters(main)),
            hint="compile with the sizes of the inputs, by inputs= or sizes=",
        )
    device = RecordedDevice(code, manifest.target.split()[0])
    memory = CallMemory(device, main, len(manifest.inputs))
    run = DeviceRun(device, {}, memory)
    run.run(main.body.block)
    if not run.is_fixed:
        raise _not_straight()
    symbols = {facts.symbol: name for name, facts in code.kernels().items()}
    launches = LaunchList(
        _regions(memory, manifest), tuple(symbols), tuple(run.checks), tuple(run.steps)
    )
    weights = tuple(weight.stored for weight in memory.weights)
    return Straight(launches, code.kernels_code, weights, symbols)


def _regions(memory: CallMemory, manifest: Manifest) -> tuple[Region, ...]:
    sizes_bytes = iter(memory.sizes_bytes)
    weights = [Region("weight", next(sizes_bytes)) for _ in memory.weights]
    arguments = [
        Region(role, next(sizes_bytes), spec.name, spec.dtype, tuple(map(int, spec.shape)))
        for role, specs in (("input", manifest.inputs), ("output", manifest.outputs))
        for spec in specs
    ]
    return (*weights, *arguments, *(Region("arena", size_bytes) for size_bytes in sizes_bytes))


__all__ = ["RecordedDevice", "Straight", "launch_list"]

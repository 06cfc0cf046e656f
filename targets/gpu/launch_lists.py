"""Launch lists of programs whose work does not depend on values of elements.

In: an artifact whose sizes are constants. Out: a `Straight` program: the steps of main as data
(runtime/device/launch_list.py), the kernels, and the weights. No device is needed: main runs, and a
function of this process records its actions (runtime/native/device.h) in place of a driver.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...runtime.abi.constants import SYMBOL_MAIN_THREADS
from ...runtime.abi.library import Library
from ...runtime.abi.ndarray import Array
from ...runtime.abi.packed import PackedFunc
from ...runtime.device.host_driver import Action, Launched, set_driver
from ...runtime.device.launch_list import (
    BufferAddress,
    CopyStep,
    IndexCheck,
    LaunchList,
    LaunchStep,
    Region,
    Step,
)
from ...support.diagnostics import UnsupportedOp
from ..backend import Artifact
from .code import DeviceCode
from .loading import bound_library


@dataclass(frozen=True)
class Straight:
    """A program whose steps do not depend on values of arrays: a launch list with its data.

    launches: the steps of main.  kernels_code: the code of the kernels.  weights: the values of the
    weights.  names: the name of each kernel in the program, by its name in the code.
    """

    launches: LaunchList
    kernels_code: bytes
    weights: tuple[Array, ...]
    names: Mapping[str, str]


_REGION_BITS = 40
"""The bits of a recorded address that are an offset in its region."""


class _StepRecorder:
    """A driver without a device: it records launches and copies.

    symbols: the names of the kernels in the device code.  sizes_bytes: the size of each allocated
    region, in the order of their allocation.
    """

    def __init__(self, symbols: Sequence[str]) -> None:
        self._symbols = symbols
        self.sizes_bytes: list[int] = []
        self.steps: list[Step] = []

    def __call__(self, action: int, number: int, *given: int) -> int | None:
        """Record a request of main; return what a driver would return for it.

        action: the kind of request, an `Action`.  number: the device.  given: the operands of the
        action, such as the addresses and the size of a copy.
        """
        match action:
            case Action.OPEN:
                return 16
            case Action.ALLOCATE:
                self.sizes_bytes.append(given[0])
                return len(self.sizes_bytes) << _REGION_BITS
            case Action.COPY:
                target, source, size_bytes = given
                self.steps.append(CopyStep(_address(target), _address(source), size_bytes))
            case Action.LAUNCH:
                made = Launched.of(given)
                buffers = tuple((_address(at), size) for at, size in made.buffers)
                symbol, numbers = self._symbols[made.kernel], made.numbers
                self.steps.append(
                    LaunchStep(symbol, made.grid, made.block, buffers, numbers, made.shared_bytes)
                )
            case _:
                pass  # copies of arguments, and waits
        return None


def _address(number: int) -> BufferAddress:
    return BufferAddress((number >> _REGION_BITS) - 1, number & ((1 << _REGION_BITS) - 1))


def launch_list(artifact: Artifact) -> Straight:
    """Return the launch list of a program.

    Errors: UnsupportedOp if main reads elements, or has sizes that are not constants.
    """
    code = DeviceCode.decoded(artifact.code)
    manifest, kernels = code.manifest, code.kernels()
    symbolic = [spec for spec in (*manifest.inputs, *manifest.outputs) if spec.is_symbolic()]
    if symbolic or manifest.computes_sizes:
        raise UnsupportedOp(
            "main has no launch list: its sizes are not constants",
            got=", ".join(spec.name for spec in symbolic) or "sizes that main computes",
            hint="compile with the sizes of the inputs, by inputs= or sizes=",
        )
    if not code.fields["is_fixed"]:
        raise UnsupportedOp(
            "main has no launch list: its steps depend on values of elements, or the host makes "
            "some",
            expected="kernels, copies, loops of a constant trip count, and checks of inputs",
            hint="load the module, whose main reads the elements",
        )
    recorder = _StepRecorder([facts.symbol for facts in kernels.values()])
    library = bound_library(artifact, code).library
    assert isinstance(library, Library), "bound_library has loaded it"
    set_driver(library, recorder)
    arrays = [np.zeros(s.sizes(), s.dtype) for s in (*manifest.inputs, *manifest.outputs)]
    PackedFunc.of_library(library, SYMBOL_MAIN_THREADS, manifest.name)(1, *arrays)
    weights = (np.frombuffer(artifact.weights, np.uint8),) if manifest.weights_bytes else ()
    regions = _regions(recorder.sizes_bytes, code, len(weights))
    checks = tuple(_check(row, len(weights)) for row in code.fields["checks"])
    symbols = {facts.symbol: name for name, facts in kernels.items()}
    launches = LaunchList(regions, tuple(symbols), checks, tuple(recorder.steps))
    return Straight(launches, code.kernels_code, weights, symbols)


def _check(row: Mapping[str, Any], first: int) -> IndexCheck:
    at, shape, sizes = (
        BufferAddress(first + row["input"], 0),
        tuple(row["shape"]),
        tuple(row["sizes"]),
    )
    return IndexCheck(at, row["dtype"], shape, sizes, row["wraps"], row["place"])


def _regions(sizes_bytes: Sequence[int], code: DeviceCode, weights: int) -> tuple[Region, ...]:
    """Return the regions of memory that a program uses.

    These are, in order: the weights, the arguments, the arena, and copies for launches.
    sizes_bytes: their sizes in this order.  weights: the number of regions with weights.
    """
    manifest, sizes = code.manifest, iter(sizes_bytes)
    held = [Region("weight", next(sizes)) for _ in range(weights)]
    arguments = [
        Region(role, next(sizes), spec.name, spec.dtype, tuple(map(int, spec.shape)))
        for role, specs in (("input", manifest.inputs), ("output", manifest.outputs))
        for spec in specs
    ]
    return (*held, *arguments, *(Region("arena", size_bytes) for size_bytes in sizes))

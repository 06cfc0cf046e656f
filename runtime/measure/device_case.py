"""The cases of a device bundle, executed in one process; `device_check.py` starts this process.

A bundle is a folder that `tests/device/bundle.py` wrote:

    bundle.json            the targets, and the cases: `DeviceCase`
    data/CASE.npz          the expected outputs, and inputs that are not random
    ARCH/CASE.json         the launch list for one architecture, and where its weights are
    ARCH/CASE.ptx, .cubin  the kernels: as PTX, and as machine code
    blobs/KEY              parts of weights, compressed
    peers.py               times of the same work in torch: `measure(case, inputs)`

In: a bundle and names of cases. Out: lines of JSON on standard output: the name of each case when
it begins, and a JSON object with its results, the *row* of the case, when it ends. Random inputs
have a fixed seed, all bits of outputs and buffers are set before each run, and a large output is
compared at `SAMPLE` positions. The process ends when the driver reports that the context of the
device is lost.
"""

from __future__ import annotations

import importlib.util
import json
import math
import os
import signal
import statistics
import sys
import time
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from importlib import import_module
from pathlib import Path
from typing import Any, TextIO

import numpy as np

from ..abi.device import Device, device
from ..abi.ndarray import Array, DeviceArray
from ..device.kernels import kernel_api
from ..device.launch_list import LaunchList, LoadedList, Region
from ..errors import DeviceError, Error

DRAWN = 1_000_003
SAMPLE = 1 << 14
"""The number of elements of an output that are compared."""
CASE_LIMIT_S = 60
ROUND_US = 1000
"""The least time of the calls between two events."""
ROUNDS, MOST_CALLS = 5, 100
LOST_CONTEXT = 3
"""The exit status of a process whose context was lost."""
DEFAULT_CACHE_BYTES = 64 << 20


@dataclass(frozen=True)
class DeviceCase:
    """A program with its inputs.

    dtype: the type of its elements, for the table.  inputs: the distribution of each random input,
    by name: a kind and two numbers: normal (mean, deviation), uniform and integers (first, end).
    Other inputs are stored in the bundle.  tolerance: the largest relative L2 error of an output.
    flops, moved_bytes: the work of a call.  is_timed: whether the case is also measured.  peer: the
    same work in torch, as the argument of `measure` in peers.py.
    """

    name: str
    dtype: str
    inputs: Mapping[str, tuple[str, float, float]]
    tolerance: float
    flops: int = 0
    moved_bytes: int = 0
    is_timed: bool = False
    peer: Mapping[str, Any] = field(default_factory=dict[str, Any])


def drawn(case: str, region: Region, draw: tuple[str, float, float]) -> Array:
    """Return random values for an input, in the form in which the device stores them.

    A large input repeats the first `DRAWN` values; as this number is prime, no two rows are equal.

    case: the name of the case, the seed together with the name of the input.  draw: the
    distribution, as in `DeviceCase.inputs`.
    """
    kind, first, second = draw
    rng = np.random.default_rng(zlib.crc32(f"{case}/{region.name}".encode()))
    count = min(DRAWN, math.prod(region.shape))
    if kind == "integers":
        values: Array = rng.integers(int(first), int(second), count)
    elif kind == "uniform":
        values = rng.random(count, np.float32) * np.float32(second - first) + np.float32(first)
    else:
        values = rng.standard_normal(count, np.float32) * np.float32(second) + np.float32(first)
    return np.resize(stored(values, region.dtype), region.shape)


def stored(values: Array, dtype: str) -> Array:
    """Return values as the device stores them: in the dtype, or bfloat16 as 16-bit integers.

    The conversion to bfloat16 rounds to the nearest number, ties to even.
    """
    if dtype != "bfloat16":
        return np.ascontiguousarray(values.astype(dtype))
    bits = np.ascontiguousarray(values, np.float32).view(np.uint32)
    return ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype(np.uint16)


def read_values(array: Array, dtype: str) -> Array:
    """Return the numbers in an array that has the form of `stored`.

    Elements of bfloat16, which are stored as integers of 16 bits, become float32.
    """
    if dtype != "bfloat16":
        return array
    return (array.astype(np.uint32) << 16).view(np.float32)


def sampled(array: Array) -> Array:
    """Return the first and last 16 elements and `SAMPLE` others; all elements of a small array."""
    flat = array.reshape(-1)
    if flat.size <= SAMPLE:
        return flat
    chosen = np.random.default_rng(0).integers(0, flat.size, SAMPLE)
    return flat[np.concatenate([np.arange(16), flat.size - 1 - np.arange(16), chosen])]


def relative_error(got: Array, expected: Array) -> float:
    """Return the L2 norm of the difference, divided by the L2 norm of the expected values."""
    difference = got.astype(np.float64) - expected.astype(np.float64)
    norm = float(np.linalg.norm(expected.astype(np.float64)))
    return float(np.linalg.norm(difference)) / (norm or 1.0)


class OpenCase:
    """A case that is loaded on a device: its launch list, inputs, and expected outputs.

    folder: the folder of the architecture in the bundle.  suffix: ptx or cubin, the file to load.
    """

    def __init__(
        self, bundle: Path, folder: str, case: DeviceCase, place: Device, suffix: str
    ) -> None:
        self.case, self.place = case, place
        program = json.loads((bundle / folder / f"{case.name}.json").read_text())
        self.launches = LaunchList.of(program["launches"])
        self.resources = program["resources"]
        code = (bundle / folder / f"{case.name}.{suffix}").read_bytes()
        weights = [_weight(bundle / "blobs", row) for row in program["weights"]]
        with np.load(bundle / "data" / f"{case.name}.npz") as data:
            arrays = dict(data)
        started = time.perf_counter()
        self.loaded = LoadedList(place, self.launches, code, weights)
        self.load_ms = 1e3 * (time.perf_counter() - started)
        self.expected = {name: arrays[f"out.{name}"] for name in self.loaded.regions("output")}
        self.inputs = {
            name: drawn(case.name, self.launches.regions[number], case.inputs[name])
            if name in case.inputs
            else arrays[f"in.{name}"]
            for name, number in self.loaded.regions("input").items()
        }

    def run(self, queue: Callable[[], None]) -> dict[str, Array]:
        """Fill inputs and other memory, queue a call, and return the outputs in stored form.

        queue: queues the call.
        """
        for name, number in self.loaded.regions("input").items():
            self.loaded.write(number, self.inputs[name])
        for number, region in enumerate(self.launches.regions):
            if region.role in ("output", "arena"):
                self.loaded.write(number, np.full(region.size_bytes, 255, np.uint8))
        queue()
        return {name: self._read(number) for name, number in self.loaded.regions("output").items()}

    def _read(self, number: int) -> Array:
        region = self.launches.regions[number]
        dtype = "uint16" if region.dtype == "bfloat16" else region.dtype
        array = np.empty(region.shape, dtype)
        self.loaded.read(number, array)
        return array

    def error(self, outputs: Mapping[str, Array]) -> float:
        """Return the largest relative error of an output; infinity if a value is not finite."""
        worst = 0.0
        for name, number in self.loaded.regions("output").items():
            values = read_values(outputs[name], self.launches.regions[number].dtype)
            is_finite = bool(np.isfinite(values).all())
            error = relative_error(sampled(values), self.expected[name]) if is_finite else math.inf
            worst = max(worst, error)
        return worst


def _weight(blobs: Path, row: Mapping[str, Any]) -> Array:
    """Return a weight of a case.

    The file of the weight contains its bytes or, if ``row`` lists its distinct values, the index of
    the value for each element: one bit if there are at most two values, else one byte.

    blobs: the folder of the files.  row: the description of the weight in the case's JSON file.
    """
    data = np.frombuffer(zlib.decompress((blobs / row["data"]).read_bytes()), np.uint8)
    if not row["values"]:
        return data
    values = np.frombuffer(bytes.fromhex(row["values"]), np.dtype(row["dtype"]))
    indices = np.unpackbits(data, count=row["count"]) if len(values) <= 2 else data
    return values[indices]


def _bits(array: Array) -> Array:
    return array.reshape(-1).view(np.uint8)


def check(opened: OpenCase) -> dict[str, Any]:
    """Run a case twice, and a third time by a graph if the device has graphs.

    Return the fields of the case's row: error: the largest relative error, or None if it is
    infinite. is_right: whether the error is within the tolerance.  repeats: whether all runs gave
    the same bits.
    """
    first = opened.run(opened.loaded.queue)
    graph = opened.loaded.captured()
    queues = [opened.loaded.queue, opened.loaded.queue if graph is None else graph.launch]
    again = [opened.run(queue) for queue in queues]
    error = opened.error(first)
    repeats = all(
        np.array_equal(_bits(first[name]), _bits(other[name])) for other in again for name in first
    )
    shown = error if math.isfinite(error) else None
    return {"error": shown, "is_right": error <= opened.case.tolerance, "repeats": repeats}


class Clock:
    """A clock for the work that functions queue on a device.

    Before cold measurements, a copy within a block larger than the cache evicts all other data.
    """

    def __init__(self, place: Device) -> None:
        self._api, self._index = kernel_api(place), place.index
        cache_bytes = int(place.attributes.get("cache_bytes", DEFAULT_CACHE_BYTES))
        self._half_bytes = 2 * cache_bytes
        self._block = DeviceArray((2 * self._half_bytes,), np.dtype(np.uint8), place)

    def time_us(self, run: Callable[[], None], *, is_cold: bool = False) -> float:
        """Return the microseconds of the work that ``run`` queues.

        is_cold: whether to evict the caches first.
        """
        if is_cold:
            start = self._block.address
            self._api.copy(self._index, start, start + self._half_bytes, self._half_bytes)
        first = self._api.record(self._index)
        run()
        last = self._api.record(self._index)
        return 1e6 * self._api.take_times(self._index, [first, last])[0]


def measure(loaded: LoadedList, clock: Clock) -> dict[str, float]:
    """Return the microseconds of a call, measured in three ways: warm, cold and host.

    warm: calls follow each other in one graph.  cold: one call after the cache was flushed. host:
    the time in which the host queues the steps one by one.

    loaded: the launch list of the program.  clock: the clock of the device.
    """

    def queued(calls: int) -> Callable[[], None]:
        """Return a function that queues a number of calls, by a graph if the device has graphs."""
        graph = loaded.captured(calls)
        return partial(loaded.queue, calls) if graph is None else graph.launch

    one = queued(1)
    one()
    once_us = min(clock.time_us(one) for _ in range(2))
    calls = max(1, min(MOST_CALLS, round(ROUND_US / max(once_us, 1))))
    many = queued(calls)
    many()
    warm_us = min(clock.time_us(many) for _ in range(ROUNDS)) / calls
    cold_us = statistics.median(clock.time_us(one, is_cold=True) for _ in range(ROUNDS))
    started = time.perf_counter()
    loaded.queue()
    host_us = 1e6 * (time.perf_counter() - started)
    return {"warm": warm_us, "cold": cold_us, "host": host_us}


def peer_of(bundle: Path) -> Callable[..., Mapping[str, float]] | None:
    """Return the function of the bundle that measures torch; None if torch lacks the device."""
    if importlib.util.find_spec("torch") is None:
        return None
    sys.path.insert(0, str(bundle))
    peers = import_module("peers")
    return peers.measure if peers.is_available() else None


class CaseRunner:
    """A runner of the cases of a bundle on a device.

    folder: the folder of the device's architecture in the bundle.  suffix: the suffix of the files
    of kernel code, ptx or cubin.  place: the device.
    """

    def __init__(self, bundle: Path, folder: str, suffix: str, place: Device) -> None:
        self._bundle, self._folder, self._suffix, self._place = bundle, folder, suffix, place

    @cached_property
    def _peer(self) -> Callable[..., Mapping[str, float]] | None:
        return peer_of(self._bundle)

    @cached_property
    def _clock(self) -> Clock:
        return Clock(self._place)

    def row(self, case: DeviceCase) -> dict[str, Any]:
        """Check and measure a case; return its row, which has the error message if the case fails.

        Errors: DeviceError if the context of the device is lost.
        """
        row: dict[str, Any] = {"case": case.name, "dtype": case.dtype}
        try:
            self._fill(row, case)
        except (Error, MemoryError) as err:
            row["failed"] = str(err)
        return row

    def _fill(self, row: dict[str, Any], case: DeviceCase) -> None:
        opened = OpenCase(self._bundle, self._folder, case, self._place, self._suffix)
        row |= {"launches": len(opened.launches.steps), "load_ms": opened.load_ms}
        row |= {"resources": opened.resources, **check(opened)}
        if not case.is_timed:
            return
        row["ours_us"] = measure(opened.loaded, self._clock)
        row |= {"flops": case.flops, "moved_bytes": case.moved_bytes}
        inputs, regions = opened.inputs, opened.launches.regions
        dtypes = {region.name: region.dtype for region in regions if region.role == "input"}
        del opened
        if case.peer and self._peer is not None:
            try:
                row["torch_us"] = self._peer(case.peer, inputs, dtypes)
            except RuntimeError as err:  # torch has no kernel, or not enough memory
                row["torch_failed"] = str(err)


def main(given: Sequence[str]) -> int:
    """Run the cases of a request; return the exit status of the process.

    given: one argument, the request as JSON text, which `device_check` writes.
    """
    request = json.loads(given[0])
    bundle, place = Path(request["bundle"]), device(*request["device"])
    cases = read_cases(bundle)
    runner = CaseRunner(bundle, request["folder"], request["suffix"], place)
    ends = time.monotonic() + request["seconds"]
    # The pipe is for rows alone: what libraries print goes to the standard error.
    rows = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    for name in request["cases"]:
        if time.monotonic() > ends:
            return 0
        _write(rows, {"begins": name})
        signal.alarm(CASE_LIMIT_S)  # a kernel that does not end: the signal ends this process
        _write(rows, runner.row(cases[name]))
        signal.alarm(0)
        try:
            place.sync()
        except DeviceError:
            return LOST_CONTEXT
    return 0


def read_cases(bundle: Path) -> dict[str, DeviceCase]:
    """Return the cases of a bundle by name."""
    rows = json.loads((bundle / "bundle.json").read_text())["cases"]
    return {row["name"]: DeviceCase(**row) for row in rows}


def _write(rows: TextIO, row: Mapping[str, Any]) -> None:
    rows.write(json.dumps(row) + "\n")
    rows.flush()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""The time of calls, measured in a compiled loop: `time_evaluator` of modules.

    evaluate = mod.time_evaluator("main", cpu(0), number=100, repeat=5)
    evaluate(a, b, c).mean                  seconds per call

In: a packed function and its arguments. Out: seconds per call, for each repeat. The loop is C code
(runtime/native/timer.c): a loop in Python would add half a microsecond to each call.
"""

from __future__ import annotations

import ctypes
import statistics
import time
from collections.abc import Callable, Sequence
from ctypes import byref
from dataclasses import dataclass

from ..abi.constants import SYMBOL_TIME_CALLS
from ..abi.library import Library, Symbols
from ..abi.packed import PackedFunc
from ..abi.threads import library_with
from ..errors import ArgumentError
from ..spelling import SuggestsNames, suggests_arguments

_GROWTH = 1.6
"""The smallest factor by which the number of calls grows until a repeat takes long enough."""

# int32 time_calls(function, self, args, count, result, number, elapsed_ns)
_TimeCalls = ctypes.CFUNCTYPE(
    ctypes.c_int32,
    ctypes.c_void_p,
    ctypes.c_void_p,
    ctypes.c_void_p,
    ctypes.c_int32,
    ctypes.c_void_p,
    ctypes.c_int64,
    ctypes.POINTER(ctypes.c_int64),
)


@suggests_arguments
@dataclass(frozen=True)
class BenchmarkResult(SuggestsNames):
    """The result of a measurement, and its statistics.

    results: the seconds per call in each repeat.  number: the number of calls in the last repeat.
    """

    results: tuple[float, ...]
    number: int

    @property
    def mean(self) -> float:
        """The mean of the repeats."""
        return statistics.fmean(self.results)

    @property
    def median(self) -> float:
        """The median of the repeats."""
        return statistics.median(self.results)

    @property
    def min(self) -> float:
        """The fastest repeat."""
        return min(self.results)

    @property
    def max(self) -> float:
        """The slowest repeat."""
        return max(self.results)

    @property
    def std(self) -> float:
        """The standard deviation of the repeats."""
        return statistics.pstdev(self.results)

    def __str__(self) -> str:
        names = ("mean", "median", "max", "min", "std")
        head = "".join(f"{name + ' (ms)':>14}" for name in names)
        return f"{head}\n" + "".join(f"{1e3 * getattr(self, name):14.6f}" for name in names)


class TimeEvaluator(SuggestsNames):
    """Measures calls of a packed function; made by `Module.time_evaluator`."""

    def __init__(
        self,
        function: PackedFunc,
        library: Symbols,
        *,
        number: int = 10,
        repeat: int = 1,
        min_repeat_ms: float = 0,
        cooldown_interval_ms: float = 0,
        completed: Callable[[Sequence[object]], tuple[object, ...]] = tuple,
    ) -> None:
        """Prepare a measurement of ``repeat`` rounds of ``number`` calls each.

        library: the code of the function.  min_repeat_ms: raises the number of calls, so that each
        round takes at least this long.  cooldown_interval_ms: the pause before each round.
        completed: takes the arguments that the caller passed, and returns all arguments of the
        function, with new arrays for the outputs that the caller left out.

        Errors: ArgumentError for a number or repeat below 1, and for functions without machine
        code.
        """
        check_measurement(number, repeat, min_repeat_ms)
        self._function, self._number, self._repeat = function, number, repeat
        self._completed = completed
        self._cooldown_s = 1e-3 * cooldown_interval_ms
        self._min_ns, self._library = 1e6 * min_repeat_ms, library
        # A program that Python runs is not timed, even if the pool's library has the function.
        code = library_with(SYMBOL_TIME_CALLS, library) if isinstance(library, Library) else None
        if code is None:
            raise ArgumentError(
                f"the calls of {function.name} cannot be timed",
                expected="machine code that this process has loaded with its thread pool",
                hint='compile for target="native"',
            )
        self._time_calls = _TimeCalls(code.address(SYMBOL_TIME_CALLS))

    def __call__(self, *arguments: object) -> BenchmarkResult:
        """Measure calls with these arguments, after one call that is not timed.

        Errors: those of a call.
        """
        arguments = self._completed(arguments)
        self._function(*arguments)
        number, rows = self._number, list[float]()
        while len(rows) < self._repeat:
            if self._cooldown_s:
                time.sleep(self._cooldown_s)
            elapsed_ns = self._elapsed_ns(arguments, number)
            if elapsed_ns >= self._min_ns:
                rows.append(1e-9 * elapsed_ns / number)
                continue
            enough = number * self._min_ns / max(1, elapsed_ns)
            number = int(max(enough, _GROWTH * number)) + 1
        return BenchmarkResult(tuple(rows), number)

    def _elapsed_ns(self, arguments: tuple[object, ...], number: int) -> int:
        elapsed, address = ctypes.c_int64(), self._function.code[0]

        def call(handle: int | None, values: int, count: int, result: int) -> int:
            return self._time_calls(address, handle, values, count, result, number, byref(elapsed))

        self._function.call_through(call, arguments)
        return elapsed.value


def check_measurement(number: int, repeat: int, min_repeat_ms: float) -> None:
    """Check the parameters of a measurement.

    Errors: ArgumentError for a number or repeat below 1, and a negative time.
    """
    if min(number, repeat) < 1 or min_repeat_ms < 0:
        raise ArgumentError(
            "time_evaluator measures no call",
            expected="number and repeat of at least 1, min_repeat_ms of at least 0",
            got=f"number={number}, repeat={repeat}, min_repeat_ms={min_repeat_ms}",
            hint="pass number=10, repeat=3",
        )

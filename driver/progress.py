"""Progress of a compilation: stages and kernels, for progress bars and logs.

A `Stopwatch` belongs to one compilation. It adds up the time of each stage, logs stages (level
info) and passes (level debug) to the logger ``tilewright.driver``, and calls the user's function
for progress.
"""

from __future__ import annotations

import contextlib
import logging
import time
from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import dataclass
from typing import TypeAlias, TypeVar

_LOG = logging.getLogger(__package__)
_T = TypeVar("_T")


@dataclass(frozen=True)
class StageProgress:
    """The progress of a compilation: the current stage, and the kernels that it has finished.

    kernels: the number of distinct kernels; 0 while unknown.  done: the number of kernels that this
    stage has finished; 0 if the stage processes all kernels together.
    """

    stage: str
    done: int = 0
    kernels: int = 0


Watcher: TypeAlias = Callable[[StageProgress], None]


class Stopwatch:
    """The timer of one compilation, which also reports its progress.

    watcher: the user's function for progress, or None.
    times: the seconds spent in each stage, in order.  kernels: the number of distinct kernels,
    which the caller sets when it is known.
    """

    def __init__(self, watcher: Watcher | None = None) -> None:
        self.times: dict[str, float] = {}
        self.kernels = 0
        self._watcher = watcher
        self._stage = ""
        self._lap_s = 0.0

    @contextlib.contextmanager
    def stage(self, name: str) -> Generator[None]:
        """Measure the time of a ``with`` block as a stage of the compilation.

        name: the name of the stage; the times of blocks with the same name are added.
        """
        self._stage = name
        self._tell(0)
        start_s = self._lap_s = time.perf_counter()
        yield
        time_s = time.perf_counter() - start_s
        self.times[name] = self.times.get(name, 0.0) + time_s
        _LOG.info("%s: %.3f s", name, time_s)

    def passed(self, pass_name: str) -> None:
        """Log that a pass of the current stage has ended, and its time."""
        now_s = time.perf_counter()
        _LOG.debug("%s: pass %s: %.3f s", self._stage, pass_name, now_s - self._lap_s)
        self._lap_s = now_s

    def each(self, items: Iterable[_T]) -> Iterator[_T]:
        """Yield items, one for each kernel; before each, report the number of finished kernels."""
        for done, item in enumerate(items):
            self._tell(done)
            yield item

    def _tell(self, done: int) -> None:
        if self._watcher is not None:
            self._watcher(StageProgress(self._stage, done, self.kernels))

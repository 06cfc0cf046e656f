"""What a compilation is doing: stages and kernels, for people who wait and for logs.

A `Stopwatch` accompanies one compilation. It adds up the time of each stage, logs stages (level
info) and passes (level debug) as logger ``tilewright.driver``, and calls whoever watches.
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
class Step:
    """Where a compilation is: in a stage, with some of its kernels done.

    kernels: how many different ones the model has; 0 before that is known.  done: those that this
    stage is done with; 0 where a stage treats all at once.
    """

    stage: str
    done: int = 0
    kernels: int = 0


Watcher: TypeAlias = Callable[[Step], None]


class Stopwatch:
    """Times one compilation. Units: ``times`` holds seconds by stage, in order.

    kernels: to be set as soon as the number of kernels is known.
    """

    def __init__(self, watcher: Watcher | None = None) -> None:
        self.times: dict[str, float] = {}
        self.kernels = 0
        self._watcher = watcher
        self._stage = ""
        self._lap_s = 0.0

    @contextlib.contextmanager
    def stage(self, name: str) -> Generator[None]:
        """Time a block as a stage."""
        self._stage = name
        self._tell(0)
        start_s = self._lap_s = time.perf_counter()
        yield
        time_s = time.perf_counter() - start_s
        self.times[name] = self.times.get(name, 0.0) + time_s
        _LOG.info("%s: %.3f s", name, time_s)

    def passed(self, pass_name: str) -> None:
        """Note that a pass of the current stage is done."""
        now_s = time.perf_counter()
        _LOG.debug("%s: pass %s: %.3f s", self._stage, pass_name, now_s - self._lap_s)
        self._lap_s = now_s

    def each(self, items: Iterable[_T]) -> Iterator[_T]:
        """Yield the kernels that a stage goes through one by one, and count those done."""
        for done, item in enumerate(items):
            self._tell(done)
            yield item

    def _tell(self, done: int) -> None:
        if self._watcher is not None:
            self._watcher(Step(self._stage, done, self.kernels))

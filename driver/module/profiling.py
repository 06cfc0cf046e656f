"""Profiling: run a program that records the time of each step; it is compiled on first use.

In: a compiled module, and a function that compiles its model again, with recording code in main
(lowering/main/trace.py) or for a loader that records times (targets/gpu/profiling.py). Out:
a `Profile`. The kernels of both programs are equal, so the object cache contains them; the
recording program uses the weights of the module.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property

from ...runtime.abi.threads import check_threads
from ...runtime.measure.profile import Profile, Recorder, profile_runs
from ...runtime.module.loading import LoadedCode
from ...runtime.module.module import Module
from ...support.collection import paused_collection
from ...targets.backend import Artifact
from ..settings import Settings


class Profiler:
    """Profiles one module.

    compiled: returns the program that records times.  last: the latest profile.
    """

    def __init__(self, settings: Settings, compiled: Callable[[], Artifact]) -> None:
        self._settings, self._compiled = settings, compiled
        self.last: Profile | None = None

    @cached_property
    def _artifact(self) -> Artifact:
        with paused_collection():
            return self._compiled()

    def profile(
        self, module: Module, inputs: Sequence[object], *, threads: int, rounds: int
    ) -> Profile:
        """Return the profile of runs of a module.

        inputs: one array per input, in order.  rounds: the number of runs.
        """
        check_threads(threads)
        backend, target = self._settings.backend, self._settings.target
        loaded = self._loaded(module, threads)
        program = Module.of(loaded)
        self.last = profile_runs(
            module.name,
            loaded.recorder or Recorder(loaded.library),
            lambda: program.run(inputs, threads=threads),
            lambda: module.run(inputs, threads=threads),
            threads=threads,
            rounds=rounds,
            roofline=backend.roofline(target, threads),
        )
        return self.last

    def _loaded(self, module: Module, threads: int) -> LoadedCode:
        made = self._artifact
        if module.weights is not None:
            made = replace(made, weights=module.weights)
        return self._settings.backend.load(made, threads)

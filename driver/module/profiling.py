"""Profiling: run a program that records the time of each step, compiled on first use.

In: a compiled module and its request. The request is compiled again, either with recording code in
main (lowering/main/trace.py) or for a loader that records times (targets/gpu/profiling.py). Out: a
`Profile`. The recording program has the same kernels as the module, so they come from the object
cache; it also uses the weights of the module.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property

from ...runtime.abi.threads import check_threads
from ...runtime.measure.profile import Profile, TraceRecorder, profile_runs
from ...runtime.module.module import Module
from ...support.collection import paused_collection
from ...targets.backend import Artifact, Variant
from ..compilation import variant_of
from ..request import Request


class Profiler:
    """The profiler of the module that was compiled for a request.

    last: the latest profile, or None.
    """

    def __init__(self, request: Request) -> None:
        self._request = request
        self.last: Profile | None = None

    @cached_property
    def _artifact(self) -> Artifact:
        with paused_collection():
            return variant_of(self._request, Variant(is_profiled=True))

    def profile(
        self, module: Module, inputs: Sequence[object], *, threads: int, rounds: int
    ) -> Profile:
        """Run the program with recording code, and return the profile of the runs.

        module: the module without recording code; its runs are timed, too.
        inputs: one array per input, in order.  rounds: the number of runs.
        """
        check_threads(threads)
        settings, made = self._request.settings, self._artifact
        if module.weights is not None:
            made = replace(made, weights=module.weights)
        loaded = settings.backend.load(made, threads)
        program = Module.of(loaded)
        self.last = profile_runs(
            module.name,
            loaded.recorder or TraceRecorder(loaded.library),
            lambda: program.run(inputs, threads=threads),
            lambda: module.run(inputs, threads=threads),
            threads=threads,
            rounds=rounds,
            roofline=settings.roofline(threads),
        )
        return self.last

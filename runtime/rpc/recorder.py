"""Records of the times of a module's steps, which are measured in another process."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ..measure.profile import STEP, TASK, Profile, RecordCapacity, Recorded
from .connection import bytes_of
from .host import Host, RemoteValue
from .local_host import CPU_KIND


class RemoteRecorder:
    """A recorder of a module in another process: it runs the module, and returns its records.

    It implements `RecordedSteps`.
    """

    def __init__(self, host: Host, module: int, function: int) -> None:
        """Ask for the descriptions of a module's steps.

        module, function: the handles of a module and of its main function.

        Errors: ArgumentError if the module was exported without ``profile=True``.
        """
        self._host, self._function, self._capacity = host, function, RecordCapacity()
        self.steps: Sequence[Mapping[str, Any]] = json.loads(host.steps(module))
        self.launches: Sequence[int] = [step["launch"] for step in self.steps]

    def profile(
        self, name: str, threads: int, arguments: Sequence[RemoteValue], rounds: int
    ) -> Profile:
        """Measure calls of the module with some arguments; return the profile.

        name: the name of the module.  threads: the number of threads of its calls.  arguments: the
        arguments of each call.  rounds: the number of calls to record.
        """
        runs = [self.recorded(arguments) for _ in range(1 + rounds)]
        _, elapsed_ns = self._host.time(self._function, 1, rounds, 0, 0, arguments)
        return Profile(name, threads, self, runs[1:], [1e-9 * each for each in elapsed_ns], None)

    def recorded(self, arguments: Sequence[RemoteValue]) -> Recorded:
        """Call the module once with some arguments; return the records of the call."""
        host, function = self._host, self._function

        def record(*counts: int) -> tuple[tuple[int, int], Recorded]:
            found = Recorded(np.empty(counts[0], STEP), np.empty(counts[1], TASK))
            arrays = found.steps, found.tasks
            steps, tasks = handles = [host.allocate(CPU_KIND, 0, array.nbytes) for array in arrays]
            try:
                made = host.record(function, steps, tasks, arguments)
                for count, handle, array in zip(made, handles, arrays, strict=True):
                    host.read_into(handle, 0, bytes_of(array[:count]))
            finally:
                for handle in handles:
                    host.free(handle)
            return made, found

        return self._capacity.records(record)

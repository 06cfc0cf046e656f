"""Records of the times of a module's steps, which are made in another process."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ..measure.profile import STEP, TASK, Recorded, RecordRoom
from .connection import bytes_of
from .host import Host, RemoteValue
from .local_host import CPU_KIND


class RemoteRecorder:
    """Runs a program in another process, and returns its records; see `RecordedSteps`."""

    def __init__(self, host: Host, steps: str) -> None:
        self._host, self._room = host, RecordRoom()
        self.steps: Sequence[Mapping[str, Any]] = json.loads(steps)
        self.launches: Sequence[int] = [step["launch"] for step in self.steps]

    def recorded(self, function: int, arguments: Sequence[RemoteValue]) -> Recorded:
        """Return the records of one call.

        function: the handle of the main function.
        """
        host = self._host

        def record(*rooms: int) -> tuple[tuple[int, int], Recorded]:
            found = Recorded(np.empty(rooms[0], STEP), np.empty(rooms[1], TASK))
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

        return self._room.records(record)


__all__ = ["RemoteRecorder"]

"""Measurements of candidates on another machine: compile here, check and time there, by RPC.

In: a `Job` for the processor of the other machine, and the place of its server, tracker or proxy.
Out: a `Measurement` with facts of that machine. The schedules take turns, as in measuring.py. A
server in QEMU counts instructions in place of times, so that a measurement is the same under any
load.
The weights of all calls are the same, so that caches may hold more of them than in a model.
"""

from __future__ import annotations

from functools import lru_cache, partial
from typing import Any

import numpy as np

from ..dialects.results import RESULT_DTYPES
from ..driver.module.compiled_module import CompiledModule, compiled
from ..interp.signature import recorded_dtypes
from ..nd import array
from ..runtime.rpc.errors import RpcError
from ..runtime.rpc.places import RpcPlace, sent_module
from ..runtime.rpc.session import RPCSession
from ..support.diagnostics import TilewrightError
from ..support.entry import entry_of
from .job import Job, Measurement
from .kernel_program import check_results, kernel_program, kernel_request, random_buffer
from .runner import WorkerRunner

Array = np.ndarray[Any, Any]

MEASURE = f"{__name__}:measure"
"""The function for `WorkerRunner`."""
TIMEOUT_S = 120.0
"""The time limit of a job, in which a client may wait for a server."""
KEPT = 4
"""Modules that a session keeps; a job's reference and incumbent are among them."""


class _Programs:
    """A session on another machine, and the compiled schedules that are loaded there.

    facts: facts about that machine, by name.
    loaded: a function that compiles a schedule, loads it on that machine and returns the
    `_RemoteKernel`; its arguments are the job (`Job.kernel_only`) and the text of the schedule. It
    keeps the last few results.
    """

    def __init__(self, place: RpcPlace) -> None:
        self._session = place.session()
        self.facts = self._session.facts
        self.loaded = lru_cache(maxsize=KEPT)(partial(_RemoteKernel, self._session))

    def close(self) -> None:
        """End the session."""
        self._session.close()


class _RemoteKernel:
    """A compiled schedule of a kernel on another machine, with the arguments of its calls.

    session: the session on that machine.
    job: the measurement, which has the kernel and the target.
    schedule: the text of the schedule.
    """

    def __init__(self, session: RPCSession, job: Job, schedule: str) -> None:
        module = kernel_program(job.kernel, schedule)
        main = entry_of(module)
        program = compiled(kernel_request(module, job.target))
        assert isinstance(program, CompiledModule), "a kernel has no symbolic sizes"
        self._module = sent_module(session, program, job.threads)
        device = session.cpu(0)
        rng = np.random.default_rng(1)
        self._arrays = [array(random_buffer(arg.type, rng), device) for arg in main.args]
        self._outputs = self._arrays[-len(recorded_dtypes(main, RESULT_DTYPES) or ()) :]

    def results(self) -> list[Array]:
        for output in self._outputs:
            output.copyfrom(np.zeros(output.shape, output.dtype))
        self._module["main"](*self._arrays)
        return [output.numpy() for output in self._outputs]

    def instructions(self) -> int:
        """Return the number of instructions of one call.

        Errors: TilewrightError if the server does not count them.
        """
        executed = self._module.time_evaluator("main", number=1)(*self._arrays).instructions
        if executed is None:
            raise TilewrightError(
                "the server does not count instructions",
                hint="start it by tw rpc-server --emulate MACHINE, with a C compiler",
            )
        return executed

    def seconds(self, window_s: float) -> float:
        """Return the mean seconds per call.

        window_s: the time of all calls together; it decides how many calls are made.
        """
        evaluate = self._module.time_evaluator("main", number=1, min_repeat_ms=1e3 * window_s)
        return evaluate(*self._arrays).mean


_PROGRAMS: dict[RpcPlace, _Programs] = {}
"""The sessions of this process."""


def measure(job: Job, place: RpcPlace, unit: str = "s") -> Measurement:
    """Compile the schedules of a job, and check and time them on another machine.

    place: that machine.  unit: ``s``, or ``instructions`` for a server that counts them.

    Errors: ScheduleError for an illegal schedule, TilewrightError for one with other results and
    for a server that does not count, RpcError if the session ends, for example because the code has
    crashed.
    """
    if place not in _PROGRAMS:
        _PROGRAMS[place] = _Programs(place)
    programs = _PROGRAMS[place]
    try:
        loaded = [programs.loaded(job.kernel_only, schedule) for schedule in job.schedules]
        wanted = loaded[0].results()
        for program in loaded[1:]:
            check_results(program.results(), wanted)
        if unit == "s":
            times = job.times_by_turns(lambda n, window_s: loaded[n].seconds(window_s))
        else:
            times = tuple((float(program.instructions()),) for program in loaded)
    except RpcError:
        _PROGRAMS.pop(place).close()
        raise
    facts = {name: programs.facts[name] for name in ("server", "machine", "threads")}
    return Measurement(times, unit, machine=facts)


def remote_runner(place: RpcPlace, devices: int = 1, unit: str = "s") -> WorkerRunner:
    """Return a runner that measures on other machines.

    place: where the machines are.  devices: the number of sessions at the same time, each in a
    worker process; pass it to `tilewright.tune` as ``in_flight``.  unit: ``s``, or ``instructions``
    for servers in QEMU.
    """
    arguments = (place, unit)
    return WorkerRunner(
        threads=devices, measure=MEASURE, arguments=arguments, timeout_s=TIMEOUT_S, unit=unit
    )

"""A compiled model, loaded into this process, with the arguments of its calls.

In: a `Job` of a whole model and the options of passes.  Out: a program to call, and its results.
"""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any

import numpy as np

from ..driver.compile import compile
from ..driver.passes.graph_plans import combined, parse_context
from ..interp.scalar import random_array
from ..runtime.abi.ndarray import numpy_dtype
from ..support.instruments import PassInstrument
from .job import Job
from .model_task import context_of_task, model_of

Array = np.ndarray[Any, Any]


class LoadedModel:
    """A compiled model, loaded into this process, with the arguments of its calls.

    job: the measurement, which has the model and its options.
    schedule: the options of passes, as JSON.

    Errors: see `compile`.
    """

    def __init__(self, job: Job, schedule: str) -> None:
        model, options = model_of(job.kernel, job.target)
        options["threads"] = job.threads
        context = combined(parse_context(schedule, "the candidate"), context_of_task(job.kernel))
        # With an instrument, the cache keeps the objects of kernels, but not the whole model.
        with replace(context, instruments=[PassInstrument()]):
            self._module = compile(model, **options)
        rng = np.random.default_rng(1)
        self._inputs = [
            random_array([int(n) for n in spec.shape], numpy_dtype(spec.dtype), rng)
            for spec in self._module.inputs
        ]

    @property
    def code(self) -> bytes:
        """The machine code of the model."""
        return self._module.code

    def results(self) -> list[Array]:
        """Call the model; return its outputs."""
        return [np.array(each) for each in self._module.run(self._inputs)]

    def call(self) -> float:
        """Call the model; return the seconds of the call."""
        start_s = time.perf_counter()
        self._module.run(self._inputs)
        return time.perf_counter() - start_s

"""A compiled model, loaded into this process, with the arguments of its calls.

In: a `Job` of a whole model and the options of passes.  Out: a program to call, and its results.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from ..driver.compile import compile
from ..driver.passes.graph_plans import parse_context
from ..interp.scalar import random_array
from ..runtime.abi.ndarray import numpy_dtype
from ..support.diagnostics import NeedsBinding
from .graph_space import model_of
from .job import Job

Array = np.ndarray[Any, Any]


class LoadedModel:
    """A compiled model, loaded into this process, with the arguments of its calls.

    job: the measurement, which has the model and its options.
    schedule: the options of passes, as JSON.

    Errors: see `compile`; NeedsBinding for a model with symbolic sizes.
    """

    def __init__(self, job: Job, schedule: str) -> None:
        model, options = model_of(job.kernel, job.target)
        options["threads"] = job.threads
        with parse_context(schedule, "the candidate"):
            self._module = compile(model, **options)
        rng = np.random.default_rng(1)
        self._inputs = [
            random_array(_static(spec.name, spec.shape), numpy_dtype(spec.dtype), rng)
            for spec in self._module.inputs
        ]

    def results(self) -> list[Array]:
        """Call the model; return its outputs."""
        return [np.array(each) for each in self._module.run(self._inputs)]

    def call(self) -> float:
        """Call the model; return the seconds of the call."""
        start_s = time.perf_counter()
        self._module.run(self._inputs)
        return time.perf_counter() - start_s


def _static(name: str, shape: tuple[int | str, ...]) -> tuple[int, ...]:
    sizes = tuple(size for size in shape if isinstance(size, int))
    if len(sizes) < len(shape):
        raise NeedsBinding(
            f"input {name!r} has a size that is not a number",
            expected="every size bound",
            got=str(shape),
            hint="bind the sizes: shapes=, or --shapes",
        )
    return sizes

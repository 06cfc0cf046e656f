"""The runner of the machines that options name: this one, an RPC server, or a Dask cluster.

The cluster needs the extra ``farm``.
"""

from __future__ import annotations

import importlib
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

from ..runtime.errors import ArgumentError
from ..runtime.rpc.places import RpcPlace
from ..support.diagnostics import TilewrightError
from .remote_measuring import remote_runner
from .runner import WorkerRunner

CONNECT_S = 10.0
"""The most seconds until the scheduler of a cluster answers."""


@contextmanager
def machines(
    place: RpcPlace | None, scheduler: str | None, *, is_model: bool
) -> Generator[tuple[WorkerRunner | None, int]]:
    """Return the runner that times schedules in a ``with`` block, and the number of its jobs.

    Without a place and a scheduler, the runner is None: a worker process of this machine then times
    one job at a time.

    place: an RPC server, tracker or proxy.  scheduler: the address of a Dask scheduler, whose
    workers take a job each.  is_model: whether whole models are timed, which only this machine can.

    Errors: ArgumentError for options that contradict each other; see `dask_client`.
    """
    if (place is not None and scheduler) or (is_model and (place or scheduler)):
        raise ArgumentError(
            "the options name two machines, or another machine for whole models",
            expected="one of --rpc and --scheduler, for the kernels of a model",
            hint="--space graph times whole models on this machine",
        )
    if scheduler is not None:
        with dask_client(scheduler) as client, WorkerRunner(client.get_executor()) as runner:
            yield runner, len(client.nthreads())
    elif place is not None:
        with remote_runner(place) as runner:
            yield runner, 1
    else:
        yield None, 1


@contextmanager
def dask_client(address: str) -> Generator[Any]:
    """Return a client (``distributed.Client``) of a Dask scheduler for a ``with`` block.

    address: such as ``tcp://10.0.0.1:8786``.

    Errors: TilewrightError without the package ``distributed``, for an address without a scheduler,
    and for a cluster without workers.
    """
    try:
        distributed: Any = importlib.import_module("distributed")
    except ImportError as err:
        raise TilewrightError(
            "measuring on a Dask cluster needs the package distributed",
            hint='pip install "tilewright[farm]"',
        ) from err
    try:
        client = distributed.Client(address, timeout=CONNECT_S, set_as_default=False)
    except (OSError, ValueError) as err:
        raise TilewrightError(
            "no Dask scheduler answers",
            expected="an address such as tcp://10.0.0.1:8786",
            got=f"{address}: {err}",
            hint="start one: dask scheduler",
        ) from err
    with client:
        if not client.nthreads():
            raise TilewrightError(
                "the Dask cluster has no workers",
                got=address,
                hint=f"start one on each machine: dask worker {address} --nthreads 1",
            )
        yield client

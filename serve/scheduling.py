"""Running requests: a budget of threads, and a queue per model that combines requests to batches.

All methods run in the event loop; only `Servable.run` runs in worker threads.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from http import HTTPStatus
from typing import TypeVar

import numpy as np

from ..runtime.abi.ndarray import Array
from .errors import RequestError
from .metrics import Metrics
from .model import Servable, check_inputs
from .settings import ModelSettings

Result = TypeVar("Result")
_Key = tuple[tuple[int, ...], ...]


class ThreadBudget:
    """A number of threads that all calls share; waiting calls get threads in their order."""

    def __init__(self, total: int) -> None:
        self.total, self._free = total, total
        self._waiting: deque[tuple[int, asyncio.Future[None]]] = deque()

    async def acquire(self, count: int) -> None:
        """Wait until ``count`` threads are free, and take them."""
        if not self._waiting and count <= self._free:
            self._free -= count
            return
        turn = asyncio.get_running_loop().create_future()
        self._waiting.append((count, turn))
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self.release(count)
            raise

    def release(self, count: int) -> None:
        """Return ``count`` threads to the budget, and wake the waiting calls that now fit."""
        self._free += count
        while self._waiting:
            needed, turn = self._waiting[0]
            if turn.cancelled():
                self._waiting.popleft()
            elif needed <= self._free:
                self._waiting.popleft()
                self._free -= needed
                turn.set_result(None)
            else:
                return


@dataclass
class _Waiting:
    """A request in the queue.

    arrays: its inputs.  rows: its batch size, the first size of its inputs.  key: its other sizes;
    only requests with equal keys form a batch.  answer: receives the outputs.  start_s: when it
    arrived.
    """

    arrays: list[Array]
    rows: int
    key: _Key
    answer: asyncio.Future[list[Array]]
    start_s: float


class ModelQueue:
    """The queue of requests for one version of a model, and the workers that answer them.

    The setting `instances` is the number of workers. A queue that closes refuses new requests and
    answers those that it has accepted.

    name, version: the labels of the queue's metrics.
    """

    def __init__(
        self,
        model: Servable,
        settings: ModelSettings,
        budget: ThreadBudget,
        metrics: Metrics,
        *,
        name: str = "model",
        version: int = 1,
    ) -> None:
        self.model, self.settings = model, settings
        self.threads = min(settings.threads or budget.total, budget.total)
        self._budget, self._metrics, self._labels = budget, metrics, (name, str(version))
        self._waiting: deque[_Waiting] = deque()
        self._arrived = asyncio.Event()
        self._executor = ThreadPoolExecutor(settings.instances, f"tw-{name}")
        self._is_closing = False
        loop = asyncio.get_running_loop()
        self._workers = [loop.create_task(self._work()) for _ in range(settings.instances)]

    async def infer(self, arrays: list[Array]) -> list[Array]:
        """Queue the inputs of one request, and wait for the outputs.

        Errors: ArgumentError for wrong inputs; RequestError if the queue is full or closes; and
        the errors of the model.
        """
        check_inputs(self.model, arrays)
        if self._is_closing:
            raise unavailable("the model is being unloaded")
        if len(self._waiting) >= self.settings.queue:
            raise RequestError(
                "the queue of the model is full",
                status=HTTPStatus.TOO_MANY_REQUESTS,
                got=f"{len(self._waiting)} waiting requests",
                hint="send the request again later",
            )
        is_batched = self.settings.max_batch > 1
        rows = arrays[0].shape[0] if is_batched else 1
        key = tuple(array.shape[1:] for array in arrays) if is_batched else ()
        answer = asyncio.get_running_loop().create_future()
        self._waiting.append(_Waiting(arrays, rows, key, answer, time.perf_counter()))
        self._note_length()
        self._arrived.set()
        return await answer

    async def call(self, function: Callable[[], Result]) -> Result:
        """Run a function, such as the call of a session, in a worker thread; return its result.

        The function may use as many threads as one call; they are acquired from the budget first.
        """
        await self._budget.acquire(self.threads)
        if self._is_closing:
            self._budget.release(self.threads)
            raise unavailable("the model is being unloaded")
        loop = asyncio.get_running_loop()
        running = loop.run_in_executor(self._executor, function)
        # The threads are busy until the function returns, even if the client goes away.
        running.add_done_callback(lambda _: self._budget.release(self.threads))
        self._metrics.calls.labels(*self._labels).inc()
        return await asyncio.shield(running)

    async def close(self) -> None:
        """Refuse new requests, answer the accepted ones, and end the workers."""
        if self._is_closing:
            return
        self._is_closing = True
        self._arrived.set()
        await asyncio.gather(*self._workers)
        await asyncio.to_thread(self._executor.shutdown)

    async def _work(self) -> None:
        while True:
            while not self._waiting:
                if self._is_closing:
                    return
                self._arrived.clear()
                await self._arrived.wait()
            await self._wait_for_more()
            await self._budget.acquire(self.threads)
            batch = self._next_batch()
            if not batch:
                self._budget.release(self.threads)
                continue
            await self._answer(batch)

    async def _wait_for_more(self) -> None:
        """Wait until the queued requests fill a batch, but at most ``max_delay_ms``.

        Requests that arrive while a batch waits for threads can still join it.
        """
        if self.settings.max_batch == 1 or not self._waiting:
            return
        end_s = self._waiting[0].start_s + self.settings.max_delay_ms / 1e3
        while self._waiting and not self._is_closing:
            left_s = end_s - time.perf_counter()
            first = self._waiting[0]
            rows = sum(each.rows for each in self._waiting if each.key == first.key)
            if left_s <= 0 or rows >= self.settings.max_batch:
                return
            self._arrived.clear()
            try:
                async with asyncio.timeout(left_s):
                    await self._arrived.wait()
            except TimeoutError:
                return

    def _next_batch(self) -> list[_Waiting]:
        """Remove from the queue the first request, and later requests that fit into its batch.

        Requests whose clients have disconnected are dropped.
        """
        batch: list[_Waiting] = []
        left: deque[_Waiting] = deque()
        rows = 0
        for each in self._waiting:
            if each.answer.done():
                continue
            fits = not batch or (
                self.settings.max_batch > 1
                and each.key == batch[0].key
                and rows + each.rows <= self.settings.max_batch
            )
            if fits:
                batch.append(each)
                rows += each.rows
            else:
                left.append(each)
        self._waiting = left
        self._note_length()
        return batch

    async def _answer(self, batch: Sequence[_Waiting]) -> None:
        """Run a batch and answer its requests.

        Before: the threads for the batch are acquired from the budget.
        """
        now_s = time.perf_counter()
        for each in batch:
            self._metrics.queue_seconds.labels(*self._labels).observe(now_s - each.start_s)
        loop = asyncio.get_running_loop()
        try:
            answers = await loop.run_in_executor(self._executor, self._run, batch)
        finally:
            self._budget.release(self.threads)
        for each, answer in zip(batch, answers, strict=True):
            if each.answer.done():
                continue
            if isinstance(answer, BaseException):
                each.answer.set_exception(answer)
            else:
                each.answer.set_result(answer)

    def _run(self, batch: Sequence[_Waiting]) -> list[list[Array] | BaseException]:
        """Return the outputs of each request of a batch, or its error.

        If a batch fails, its requests run alone, so that a wrong request does not fail the others.
        """
        if len(batch) == 1:
            return [self._run_one(batch[0].arrays, 1)]
        columns = zip(*(each.arrays for each in batch), strict=True)
        outputs = self._run_one([np.concatenate(column) for column in columns], len(batch))
        if isinstance(outputs, BaseException):
            return [self._run_one(each.arrays, 1) for each in batch]
        ends = np.cumsum([each.rows for each in batch])
        starts = [0, *ends[:-1]]
        return [
            # Copies, because a view of one row would keep the whole batch in memory.
            [output[start:end].copy() for output in outputs]
            for start, end in zip(starts, ends, strict=True)
        ]

    def _run_one(self, arrays: Sequence[Array], requests: int) -> list[Array] | BaseException:
        self._metrics.calls.labels(*self._labels).inc()
        self._metrics.batch_requests.labels(*self._labels).observe(requests)
        try:
            return self.model.run(arrays, self.threads)
        # The boundary of the model: any error becomes the answer of its request.
        except Exception as err:
            self._metrics.failures.labels(*self._labels).inc()
            return err

    def _note_length(self) -> None:
        self._metrics.queue_length.labels(*self._labels).set(len(self._waiting))


def unavailable(rule: str) -> RequestError:
    """Return an error with status 503: the server cannot take a request now.

    rule: the first line of the message, which states the reason.
    """
    return RequestError(
        rule, status=HTTPStatus.SERVICE_UNAVAILABLE, hint="send the request again later"
    )

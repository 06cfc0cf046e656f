"""Compile many LLVM IR modules in parallel: in this process, and in worker processes if that pays.

    with CompilePool(options, max_workers=1, expected=40) as pool:
        for label, text in texts:       # workers compile the first texts while others are emitted
            pool.add(text, label)
        objects = [*pool.objects()]     # helps to compile the rest; in the order of the texts

LLVM has one lock per process, so threads would wait for each other.  Only workers compile for
foreign processors or set LLVM options, because such options last as long as the process.  An object
does not depend on the process that compiled it.  If a worker dies or does not answer, this process
compiles the worker's modules.  Workers end on every exit from the ``with`` block, and when this
process dies.
"""

from __future__ import annotations

import logging
import threading
from collections import deque
from collections.abc import Iterator
from typing import Self

from .isolated import CompileProcess, compile_anywhere
from .llvm import CodegenError
from .worker import COMPILED, CompileOptions

_LOG = logging.getLogger(__name__)
# LLVM compiles this many bytes in about the time that a worker needs to start, 0.3 s.
START_BYTES = 700_000
ANSWER_TIMEOUT_S = 30.0
"""If a worker does not answer for this long, this process compiles the worker's modules."""


class CompilePool:
    """A context manager that compiles many LLVM IR modules, also in worker processes.

    max_workers: the maximum number of worker processes.
    expected: the estimated number of modules, by which the pool decides how many workers to start.
    """

    def __init__(self, options: CompileOptions, *, max_workers: int, expected: int) -> None:
        self._options, self._max_workers, self._expected = options, max_workers, expected
        self._texts: list[str] = []
        self._labels: list[str] = []
        self._objects: dict[int, bytes] = {}
        self._waiting: deque[int] = deque()
        self._added_bytes = 0
        self._workers: list[CompileProcess] = []
        self._threads: list[threading.Thread] = []
        self._is_elsewhere, self._alive = options.needs_worker, 0
        self._changed = threading.Condition()
        self._is_over = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        with self._changed:
            self._is_over = True
            self._changed.notify_all()
        for worker in self._workers:
            worker.kill()
        for thread in self._threads:
            thread.join()
        for worker in self._workers:
            worker.close()

    def add(self, text: str, label: str) -> None:
        """Queue an LLVM IR module for compilation.

        label: the part of the program that the module contains, for error messages.
        """
        with self._changed:
            self._waiting.append(len(self._texts))
            self._texts.append(text)
            self._labels.append(label)
            self._added_bytes += len(text)
            self._changed.notify()
        if self._needs_worker():
            self._start_worker()

    def objects(self) -> Iterator[bytes]:
        """Yield the object files of all modules, in the order in which they were added.

        Errors: CodegenError if LLVM refuses a module.
        """
        for wanted in range(len(self._texts)):
            while (index := self._next_for_us(wanted)) is not None:
                made = self._compiled(index)
                with self._changed:
                    self._objects[index] = made
            yield self._objects[wanted]

    def _compiled(self, index: int) -> bytes:
        try:
            return compile_anywhere(self._texts[index], self._options)
        except CodegenError as err:
            raise err.named(self._labels[index]) from None

    def _needs_worker(self) -> bool:
        """Return whether to start another worker, because enough work is left for it.

        The work is estimated from the sizes of the modules so far and the expected number of
        modules.
        """
        if self._is_elsewhere and not self._workers:
            return True
        if len(self._workers) >= self._max_workers:
            return False
        to_come = max(0, self._expected - len(self._texts))
        share = self._added_bytes * (1 + to_come / len(self._texts)) / (len(self._workers) + 2)
        done = sum(len(self._texts[index]) for index in self._objects)
        return share - done > START_BYTES

    def _start_worker(self) -> None:
        try:
            worker = CompileProcess(self._options)
        except OSError as err:  # the system refuses another process
            _LOG.info("no worker process: %s", err)
            self._max_workers = len(self._workers)
            return
        self._workers.append(worker)
        self._alive += 1
        self._threads.append(threading.Thread(target=self._feed, args=(worker,), daemon=True))
        self._threads[-1].start()

    def _feed(self, worker: CompileProcess) -> None:
        """Send queued LLVM IR modules to a worker, one by one, and store the objects.

        The method returns when the ``with`` block is left, or if the worker does not return an
        object.
        """
        while (index := self._next()) is not None:
            answer = worker.ask(self._texts[index])
            is_made = answer[:1] == COMPILED
            with self._changed:
                if is_made:
                    self._objects.setdefault(index, answer[1:])
                else:
                    self._waiting.appendleft(index)
                    self._alive -= 1
                self._changed.notify_all()
            if not is_made:
                return

    def _next(self) -> int | None:
        """Wait for a queued module; return its number, or None once the ``with`` block is left."""
        with self._changed:
            self._changed.wait_for(lambda: self._waiting or self._is_over)
            return None if self._is_over else self._waiting.popleft()

    def _next_for_us(self, wanted: int) -> int | None:
        """Wait for a module that this process should compile; return its number.

        Returns None as soon as the object of module ``wanted`` exists.
        Before: all modules are added.
        """
        with self._changed:
            while wanted not in self._objects:
                if self._waiting and not (self._is_elsewhere and self._alive):
                    return self._waiting.popleft()
                if not self._changed.wait(ANSWER_TIMEOUT_S):
                    _LOG.warning("a worker process does not answer")
                    return wanted
            return None

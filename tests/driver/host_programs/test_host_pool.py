"""Worker pools of the program: a Python function runs the parallel loops of a module."""

from __future__ import annotations

import gc
import threading
import weakref
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

import tilewright
from tilewright.runtime import load_module
from tilewright.runtime.abi.threads import Task
from tilewright.runtime.errors import ArgumentError
from tilewright.testing.models import ffn_model

X = np.random.default_rng(0).standard_normal((256, 128)).astype(np.float32)


class Pool:
    """Runs each worker's tasks on a thread of its own, and records who ran what."""

    def __init__(self) -> None:
        self.tasks: list[int] = []
        self.threads: set[int] = set()

    def __call__(self, run: Task, tasks: int, threads: int) -> None:
        def work(worker: int) -> None:
            self.threads.add(threading.get_ident())
            for task in range(worker, tasks, threads):
                run(task, worker)

        with ThreadPoolExecutor(threads) as executor:
            assert [*executor.map(work, range(threads))] == [None] * threads
        self.tasks.append(tasks)


def test_a_function_runs_the_loops_of_compiled_and_loaded_modules(tmp_path: Path) -> None:
    module = tilewright.compile(ffn_model(m=256, k=128, n=256), threads=2)
    module.export_library(tmp_path / "m.so")
    expected = np.array(module(X))
    for each in (module, load_module(tmp_path / "m.so", threads=2)):
        pool = Pool()
        each.set_pool(pool)
        np.testing.assert_array_equal(np.array(each(X)), expected)
        assert pool.tasks
        assert min(pool.tasks) > 1
        assert threading.get_ident() not in pool.threads
        seen = len(pool.tasks)
        each.set_pool(None)
        np.testing.assert_array_equal(np.array(each(X)), expected)
        assert len(pool.tasks) == seen


def test_an_exception_of_the_function_is_the_error_of_the_call() -> None:
    module = tilewright.compile(ffn_model(m=256, k=128, n=256), threads=2)

    def broken(*_: object) -> None:
        raise LookupError("no threads today")

    module.set_pool(broken)
    with pytest.raises(LookupError, match="no threads today"):
        module(X)
    module.set_pool(None)
    module(X)


def test_a_module_keeps_only_the_function_that_it_uses() -> None:
    module = tilewright.compile(ffn_model(m=256, k=128, n=256), threads=2)
    pools = [Pool() for _ in range(3)]
    kept = [weakref.ref(pool) for pool in pools]
    while pools:
        module.set_pool(pools.pop())
        module(X)
    gc.collect()
    assert [pool() is None for pool in kept] == [False, True, True]
    module.set_pool(None)
    gc.collect()
    assert kept[0]() is None
    module(X)


def test_a_loop_cannot_replace_the_function_that_runs_it() -> None:
    module = tilewright.compile(ffn_model(m=256, k=128, n=256), threads=2)

    def replacing(*_: object) -> None:
        module.set_pool(None)

    module.set_pool(replacing)
    with pytest.raises(ArgumentError, match="a call of the module runs its parallel loop"):
        module(X)
    module.set_pool(None)
    module(X)


def test_a_module_without_machine_code_has_no_loops() -> None:
    module = tilewright.compile(ffn_model(m=2, k=4, n=4), target="interpreter")
    with pytest.raises(ArgumentError, match="no parallel loops of machine code"):
        module.set_pool(None)

"""The thread pool, compiled from its IR: every task once, under all kinds of launches."""

from __future__ import annotations

import ctypes
import os
import threading
import time
from collections.abc import Callable

import numpy as np
import pytest

import tilewright
from tilewright import ArgumentError, te
from tilewright.codegen.linker import link
from tilewright.codegen.llvm import Machine, assembly_of, compile_ir
from tilewright.codegen.prelude import SYSTEM_MACHINES, part_source
from tilewright.runtime.abi.library import Library
from tilewright.runtime.abi.threads import ThreadPool, process_pool
from tilewright.runtime.host import available_threads
from tilewright.runtime.module.module import Module

from .models import ADD_SIZE, MACHINE, add_code, pool_code

# Tasks that count their calls, mark their worker busy, and may launch again.
TASKS = """
; calls per task, calls per worker, pool, clashes, turns to spin, workers allowed
%state = type { ptr, ptr, ptr, i32, i64, i64 }
define internal void @count(ptr %state, i64 %task, i64 %worker) {
entry:
  %calls = load ptr, ptr %state
  %call_at = getelementptr i32, ptr %calls, i64 %task
  %c = atomicrmw add ptr %call_at, i32 1 seq_cst
  %workers_at = getelementptr %state, ptr %state, i32 0, i32 1
  %workers = load ptr, ptr %workers_at
  %busy_at = getelementptr i32, ptr %workers, i64 %worker
  %before = atomicrmw add ptr %busy_at, i32 1 seq_cst
  %spin_at = getelementptr %state, ptr %state, i32 0, i32 4
  %turns = load i64, ptr %spin_at
  br label %spin
spin:
  %i = phi i64 [ 0, %entry ], [ %next, %spin ]
  %seen = load atomic volatile i32, ptr %busy_at seq_cst, align 4
  %next = add i64 %i, 1
  %more = icmp slt i64 %next, %turns
  br i1 %more, label %spin, label %leave
leave:
  %after = atomicrmw sub ptr %busy_at, i32 1 seq_cst
  %shared = icmp ne i32 %after, 1
  %allowed_at = getelementptr %state, ptr %state, i32 0, i32 5
  %allowed = load i64, ptr %allowed_at
  %surplus = icmp uge i64 %worker, %allowed
  %clash = or i1 %shared, %surplus
  %clash_wide = zext i1 %clash to i32
  %clashes_at = getelementptr %state, ptr %state, i32 0, i32 3
  %old = atomicrmw add ptr %clashes_at, i32 %clash_wide seq_cst
  ret void
}
define internal void @nest(ptr %states, i64 %task, i64 %worker) {
  ; Each outer task has a state of its own.
  %state = getelementptr %state, ptr %states, i64 %task
  %pool_at = getelementptr %state, ptr %state, i32 0, i32 2
  %pool = load ptr, ptr %pool_at
  %r = call i32 %pool(ptr @count, ptr %state, i64 5, i32 4)
  ret void
}
define i32 @launch(ptr %pool, ptr %state, i64 %tasks, i32 %threads, i64 %times) {
entry:
  br label %again
again:
  %i = phi i64 [ 0, %entry ], [ %next, %again ]
  %r = call i32 %pool(ptr @count, ptr %state, i64 %tasks, i32 %threads)
  %next = add i64 %i, 1
  %more = icmp slt i64 %next, %times
  br i1 %more, label %again, label %done
done:
  ret i32 %r
}
define i32 @launch_pairs(ptr %pool, ptr %wide, ptr %narrow, i64 %times) {
entry:
  br label %again
again:
  %i = phi i64 [ 0, %entry ], [ %next, %again ]
  %w = call i32 %pool(ptr @count, ptr %wide, i64 50, i32 4)
  %n = call i32 %pool(ptr @count, ptr %narrow, i64 50, i32 2)
  %next = add i64 %i, 1
  %more = icmp slt i64 %next, %times
  br i1 %more, label %again, label %done
done:
  ret i32 %n
}
define i32 @launch_nested(ptr %pool, ptr %states, i64 %tasks, i32 %threads) {
  %r = call i32 %pool(ptr @nest, ptr %states, i64 %tasks, i32 %threads)
  ret i32 %r
}
"""


class State(ctypes.Structure):
    _fields_ = (
        ("calls", ctypes.c_void_p),
        ("workers", ctypes.c_void_p),
        ("pool", ctypes.c_void_p),
        ("clashes", ctypes.c_int32),
        ("spin", ctypes.c_int64),
        ("allowed", ctypes.c_int64),
    )


class Job:
    """Counters of one parallel loop."""

    def __init__(self, pool: ThreadPool, tasks: int, spin: int = 1) -> None:
        self.calls = np.zeros(max(tasks, 1), np.int32)
        self.workers = np.zeros(256, np.int32)
        self.state = State(
            self.calls.ctypes.data, self.workers.ctypes.data, pool.run_address, 0, spin, 4
        )


@pytest.fixture(scope="module")
def tasks() -> Library:
    return Library(link([compile_ir(TASKS, MACHINE)]))


@pytest.fixture
def pool() -> ThreadPool:
    return process_pool(pool_code)


def launch(tasks: Library, pool: ThreadPool, job: Job, count: int, threads: int, times: int = 1):
    pointer, i64, i32 = ctypes.c_void_p, ctypes.c_int64, ctypes.c_int32
    run = ctypes.CFUNCTYPE(i32, pointer, pointer, i64, i32, i64)(tasks.address("launch"))
    job.state.allowed = max(1, threads)
    return run(pool.run_address, ctypes.addressof(job.state), count, threads, times)


@pytest.mark.parametrize("threads", [-1, 0, 1, 2, 3, 8, 31, 40])
@pytest.mark.parametrize("count", [0, 1, 2, 7, 100])
def test_every_task_runs_once_and_workers_never_overlap(tasks, pool, count, threads):
    job = Job(pool, count)
    assert launch(tasks, pool, job, count, threads, times=50) == 0
    assert set(job.calls[:count]) <= {50}
    assert job.state.clashes == 0


def test_helpers_of_wider_launches_stay_out_of_narrow_ones(tasks, pool):
    wide, narrow = Job(pool, 50, spin=1000), Job(pool, 50, spin=1000)
    narrow.state.allowed = 2
    pointer = ctypes.c_void_p
    run = ctypes.CFUNCTYPE(ctypes.c_int32, pointer, pointer, pointer, ctypes.c_int64)(
        tasks.address("launch_pairs")
    )
    states = (ctypes.addressof(job.state) for job in (wide, narrow))
    assert run(pool.run_address, *states, 1500) == 0
    assert set(narrow.calls) == set(wide.calls) == {1500}
    assert narrow.state.clashes == wide.state.clashes == 0


def test_launches_after_pauses_wake_the_helpers(tasks, pool):
    job = Job(pool, 4, spin=2000)
    for i in range(30):
        launch(tasks, pool, job, 4, 2 + i % 2)
        time.sleep(0.001 * (i % 3))
    assert set(job.calls) == {30}
    assert job.state.clashes == 0


def test_long_tasks_put_the_launcher_to_sleep_and_wake_it(tasks, pool):
    job = Job(pool, 2, spin=3_000_000)
    for _ in range(5):
        launch(tasks, pool, job, 2, 2)
    assert set(job.calls) == {5}


def test_a_launch_returns_when_all_workers_have_ended(tasks, pool):
    job = Job(pool, 3, spin=5_000_000)
    for _ in range(10):
        launch(tasks, pool, job, 3, 3)
        assert not job.workers.any()


def test_nested_launches_run_inline(tasks, pool):
    jobs = [Job(pool, 5) for _ in range(6)]
    states = (State * 6)(*(job.state for job in jobs))
    pointer, i64, i32 = ctypes.c_void_p, ctypes.c_int64, ctypes.c_int32
    run = ctypes.CFUNCTYPE(i32, pointer, pointer, i64, i32)(tasks.address("launch_nested"))
    assert run(pool.run_address, ctypes.addressof(states), 6, 3) == 0
    for job in jobs:
        assert set(job.calls) == {1}


def test_concurrent_launches_do_not_wait_for_each_other(tasks, pool):
    jobs = [Job(pool, 16) for _ in range(4)]
    threads = [threading.Thread(target=launch, args=(tasks, pool, job, 16, 3, 500)) for job in jobs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for job in jobs:
        assert set(job.calls) == {500}
        assert job.state.clashes == 0


def test_a_process_has_one_pool(pool):
    assert process_pool(lambda: b"never loaded") is pool
    assert available_threads() >= 1


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_forked_child_has_a_working_pool(pool):
    shape = (2, ADD_SIZE // 2)
    module = Module.load_bytes(add_code(), np.ones(ADD_SIZE, np.float32), pool=pool, threads=2)
    x = np.ones(shape, np.float32)
    for _ in range(20):
        module(x, x)
    child = os.fork()
    if child == 0:
        before = len(os.listdir("/proc/self/task"))
        right = all((module(x, x).numpy() == 3).all() for _ in range(50))
        after = len(os.listdir("/proc/self/task"))
        os._exit(0 if right and (before, after) == (1, 2) else 1)
    deadline = time.monotonic() + 30
    done, status = 0, 0
    while not done and time.monotonic() < deadline:
        done, status = os.waitpid(child, os.WNOHANG)
        time.sleep(0.01)
    if not done:
        os.kill(child, 9)
        os.waitpid(child, 0)
    assert done == child
    assert os.waitstatus_to_exitcode(status) == 0
    assert (module(x, x).numpy() == 3).all()


@pytest.mark.parametrize("machine", SYSTEM_MACHINES)
def test_the_pool_compiles_for_every_machine(machine):
    features = "+m,+a,+d" if machine == "riscv64" else ""
    target = Machine(f"{machine}-unknown-linux-gnu", "", features)
    text = assembly_of(part_source("pool", machine), target, passes=("O2",))
    assert "__tw_pool_run:" in text
    assert "__aarch64_" not in text


def test_a_machine_without_a_pool_is_named():
    with pytest.raises(ValueError, match="no pool for wasm32"):
        part_source("pool", "wasm32")


@pytest.mark.parametrize("symbolic", [False, True])
def test_all_calls_follow_the_threads_of_the_module(symbolic: bool) -> None:
    size = te.var("n") if symbolic else 1 << 18
    a = te.placeholder((size,), name="a")
    module = tilewright.build([a, te.compute((size,), lambda i: te.exp(a[i]), name="b")], threads=2)
    x, y, used = np.ones(1 << 18, np.float32), np.ones(1 << 18, np.float32), set[int]()

    def parallel_for(run: Callable[[int, int], None], tasks: int, threads: int) -> None:
        used.add(threads)
        for task in range(tasks):
            run(task, 0)

    module.set_pool(parallel_for)
    calls = (
        lambda: module(x, y), lambda: module(x), lambda: module["main"](x, y),
        lambda: module.run([x]), lambda: module.fill([x, y]),
    )  # fmt: skip
    for threads in (2, 1, 2):
        module.threads = threads
        for call in calls:
            used.clear()
            call()
            assert used == ({2} if threads == 2 else set())
    with pytest.raises(ArgumentError, match="threads is not a number of threads"):
        module.threads = 0

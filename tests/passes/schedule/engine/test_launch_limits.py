"""Limits of a GPU: the step that goes beyond one is refused."""

from __future__ import annotations

from typing import Any

import pytest

import tilewright
from tilewright import te
from tilewright.support.diagnostics import ScheduleError

from ...simt import schedules

BLOCKS, THREADS = "blockIdx.x", "threadIdx.x"


def doubled(target: str, shape: tuple[int | te.Var, ...], *threads: str) -> Any:
    """Return a schedule that binds the axes of an elementwise compute."""
    a = te.placeholder(shape, name="A")
    b = te.compute(shape, lambda *i: a[i] * 2.0, name="B")
    s = te.create_schedule(b, target=target)
    for axis, thread in zip(b.op.axis, threads, strict=False):
        s[b].bind(axis, thread)
    return s


@pytest.mark.parametrize(
    ("shape", "threads", "rule", "expected", "hint"),
    [
        ((4, 2048), (BLOCKS, THREADS), "block has too many threads along threadIdx.x", 1024,
         "split the loop"),
        ((4, 64, 32), (BLOCKS, "threadIdx.y", THREADS), "block has too many threads", 1024,
         "bind loops of fewer iterations"),
        ((4, 65), (BLOCKS, "threadIdx.z"), "block has too many threads along threadIdx.z", 64,
         "threadIdx.x may have more"),
        ((65536, 4), ("blockIdx.y", THREADS), "grid has too many blocks along blockIdx.y", 65535,
         "blockIdx.x may have more"),
        ((65536, 4), ("blockIdx.z", THREADS), "grid has too many blocks along blockIdx.z", 65535,
         "blockIdx.x may have more"),
    ],
)  # fmt: skip
def test_a_bind_beyond_a_limit_is_refused(
    shape: tuple[int, ...], threads: tuple[str, ...], rule: str, expected: int, hint: str
) -> None:
    with pytest.raises(ScheduleError, match=f"^sched.bind in @B: a {rule}\n") as caught:
        doubled("cuda", shape, *threads)
    assert f"expected: at most {expected}" in str(caught.value)
    assert hint in str(caught.value)


def test_a_refused_step_changes_nothing() -> None:
    s = doubled("cuda", (65536, 2048), BLOCKS)
    script = s.script
    with pytest.raises(ScheduleError, match="too many threads"):
        s["B"].bind("i1", THREADS)
    assert s.script == script
    _, inner = s["B"].split("i1", factor=1024)
    s["B"].bind(inner, THREADS)
    assert "too many" not in s.script


def test_limits_are_those_of_the_target() -> None:
    doubled("cuda", (65535, 64), "blockIdx.y", "threadIdx.z")
    doubled("opencl", (70000, 65), "blockIdx.y", "threadIdx.z")
    doubled("cuda", (te.var("n"), 64), "blockIdx.y", THREADS)
    with pytest.raises(ScheduleError, match="expected: at most 64"):
        doubled("opencl -max-threads=64", (8, 65), BLOCKS, THREADS)
    with pytest.raises(ScheduleError, match="needs a schedule for a GPU"):
        doubled("llvm", (70000, 2048), "blockIdx.y", THREADS)


def test_the_computes_of_a_block_have_its_threads() -> None:
    """64 threads along y of one compute and 32 along x of the other are one block of 2048."""
    a = te.placeholder((8, 64), name="A")
    b = te.compute((8, 64), lambda i, j: a[i, j] + 1.0, name="B")
    c = te.compute((8, 64), lambda i, j: b[i, j] * 2.0, name="C")
    s = te.create_schedule(c, target="opencl")
    s[c].bind(c.op.axis[0], BLOCKS)
    s[c].bind(c.op.axis[1], "threadIdx.y")
    s[b].compute_at(s[c], c.op.axis[0])
    _, inner = s[b].split(b.op.axis[1], factor=32)
    with pytest.raises(ScheduleError, match=r"sched.bind(?s:.*)32 \(threadIdx.x\) \* 64"):
        s[b].bind(inner, THREADS)


def shared(columns: int, *, is_placed: bool) -> Any:
    """Return a schedule of a row in shared memory; is_placed: before it is shared."""
    a = te.placeholder((8, columns), name="A")
    b = te.compute((8, columns), lambda i, j: a[i, j] + 1.0, name="B")
    c = te.compute((8, columns), lambda i, j: b[i, columns - 1 - j] * 2.0, name="C")
    s = te.create_schedule(c, target="opencl -shared-kib=1")
    s[c].bind(c.op.axis[0], BLOCKS)
    s[c].bind(c.op.axis[1], THREADS)
    if not is_placed:
        s[b].set_scope("shared")
    s[b].compute_at(s[c], c.op.axis[0])
    if is_placed:
        s[b].set_scope("shared")
    return s


@pytest.mark.parametrize(("is_placed", "step"), [(False, "compute_at"), (True, "set_scope")])
def test_shared_memory_counts_where_its_compute_is_placed(*, is_placed: bool, step: str) -> None:
    """All 8 rows are too large."""
    shared(256, is_placed=is_placed)
    with pytest.raises(ScheduleError, match=f"^sched.{step} in @") as caught:
        shared(257, is_placed=is_placed)
    assert "got: 1028 bytes: memref<1x257xf32> of @B" in str(caught.value)


def test_a_script_names_the_step_that_made_a_buffer_too_large() -> None:
    s, tensors = schedules.matmul(64, 96, 32)
    with pytest.raises(ScheduleError, match=r"^sched.compute_at in .*too much shared") as caught:
        tilewright.build(s, tensors, "opencl -shared-kib=1", cache=False)
    assert "expected: at most 1024 bytes" in str(caught.value)
    assert "got: 1024 bytes" not in str(caught.value)


@pytest.mark.parametrize("late", [False, True])
def test_stages_of_a_buffer_count_at_their_step(*, late: bool) -> None:
    """Two tiles of 1 KiB become one of 1 and one of 2, then both of 2."""
    s, tensors = schedules.matmul(64, 96, 32, double=True, late=late)
    tilewright.build(s, tensors, "opencl -shared-kib=4", cache=False)
    with pytest.raises(ScheduleError, match=r"^sched.double_buffer in .*too much shared") as caught:
        tilewright.build(s, tensors, "opencl -shared-kib=3", cache=False)
    assert "got: 4096 bytes" in str(caught.value)


def test_a_buffer_of_the_whole_kernel_counts_at_the_end() -> None:
    a = te.placeholder((512,), name="A")
    b = te.compute((512,), lambda i: a[i] + 1.0, name="B")
    c = te.compute((512,), lambda i: b[511 - i] * 2.0, name="C")
    s = te.create_schedule(c)
    for tensor in (b, c):
        s[tensor].bind(tensor.op.axis[0], THREADS)
    s[b].set_scope("shared")
    tilewright.build(s, [a, c], "opencl -shared-kib=2", cache=False)
    with pytest.raises(ScheduleError, match=r"^sched.set_scope in .*too much shared memory") as got:
        tilewright.build(s, [a, c], "opencl -shared-kib=1", cache=False)
    assert "got: 2048 bytes: memref<512xf32> of @B" in str(got.value)

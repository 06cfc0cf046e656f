"""Guarded arrays: they behave like ordinary arrays; an out-of-bounds access ends the process."""

from __future__ import annotations

import gc

import numpy as np
import pytest

from tilewright.testing.guard import guarded, guarded_empty
from tilewright.testing.worker import WorkerDied, WorkerProcess


@pytest.mark.parametrize("shape", [(), (0,), (3,), (1024,), (5, 1000)])
@pytest.mark.parametrize("at_start", [False, True])
def test_a_guarded_array_is_an_ordinary_array(shape, at_start):
    array = np.arange(np.prod(shape, dtype=int), dtype=np.float32).reshape(shape)
    copy = guarded(array, at_start=at_start)
    np.testing.assert_array_equal(copy, array)
    assert copy.dtype == array.dtype
    assert copy.flags.writeable
    edge = copy.ctypes.data if at_start else copy.ctypes.data + copy.nbytes
    assert edge % 4096 == 0


def test_views_keep_the_memory():
    views = [guarded_empty((100,), np.int64)[10:20] for _ in range(10)]
    gc.collect()
    for i, view in enumerate(views):
        view[...] = i
    assert [view.sum() for view in views] == [10 * i for i in range(10)]


def read_behind(at_start: bool, offset: int) -> int:
    array = guarded_empty((7,), np.int32, at_start=at_start)
    array[...] = 1
    wider = np.lib.stride_tricks.as_strided(array[offset % 7 :], (1,))
    return int(wider[0])


def step_over(at_start: bool) -> int:
    array = guarded_empty((7,), np.int32, at_start=at_start)
    step = -1 if at_start else 1
    start = array[:1] if at_start else array[6:]
    return int(np.lib.stride_tricks.as_strided(start, (2,), (4 * step,))[1])


def test_one_element_too_far_ends_the_process():
    with WorkerProcess() as worker:
        assert worker.call(f"{__file__}:read_behind", False, 6) == 1
        for at_start in (False, True):
            with pytest.raises(WorkerDied, match="SIGSEGV"):
                worker.call(f"{__file__}:step_over", at_start)
        assert worker.call(f"{__file__}:read_behind", True, 0) == 1

"""The worker process: answers, exceptions, death and time limits of calls."""

from __future__ import annotations

import ctypes
import os
import time
from pathlib import Path

import numpy as np
import pytest

from tilewright.testing.worker import WorkerDied, WorkerProcess


def add(a, b):
    print("prints do not disturb the replies")
    return a + b


def fail():
    raise KeyError("nothing here")


def crash():
    ctypes.string_at(0)


def leave():
    os._exit(3)


def sleep():
    time.sleep(60)


def process() -> int:
    return os.getpid()


@pytest.fixture(scope="module")
def worker():
    with WorkerProcess() as worker:
        yield worker


def test_calls_run_in_one_other_process(worker):
    first = worker.call(f"{__file__}:process")
    assert first == worker.call(f"{__file__}:process") != os.getpid()
    np.testing.assert_array_equal(worker.call(f"{__file__}:add", np.arange(3), 1), [1, 2, 3])
    assert worker.call("math:hypot", 3, 4) == 5


def test_exceptions_come_back_with_their_traceback(worker):
    before = worker.call(f"{__file__}:process")
    with pytest.raises(KeyError, match="nothing here") as caught:
        worker.call(f"{__file__}:fail")
    assert "in fail" in caught.value.__notes__[0]
    assert worker.call(f"{__file__}:process") == before


@pytest.mark.parametrize(("name", "words"), [("crash", "SIGSEGV"), ("leave", "exit code 3")])
def test_a_worker_that_dies_is_named_and_replaced(worker, name, words):
    before = worker.call(f"{__file__}:process")
    with pytest.raises(WorkerDied, match=words) as caught:
        worker.call(f"{__file__}:{name}")
    assert f":{name}" in str(caught.value)
    assert name != "crash" or "string_at" in str(caught.value)
    assert worker.call(f"{__file__}:process") != before


def test_a_call_that_hangs_is_ended(worker):
    with pytest.raises(WorkerDied, match="SIGKILL"):
        worker.call(f"{__file__}:sleep", timeout_s=1.0)
    assert worker.call("math:sqrt", 4.0) == 2


def test_a_file_imports_the_modules_beside_it_and_fails_alike_twice(
    worker: WorkerProcess, tmp_path: Path
) -> None:
    (tmp_path / "beside.py").write_text("VALUE = 7\n")
    (tmp_path / "good.py").write_text("import beside\ndef read(): return beside.VALUE\n")
    (tmp_path / "bad.py").write_text("import no_such_module\ndef read(): return 0\n")
    assert worker.call(f"{tmp_path}/good.py:read") == 7
    for _ in range(2):
        with pytest.raises(ModuleNotFoundError, match="no_such_module"):
            worker.call(f"{tmp_path}/bad.py:read")

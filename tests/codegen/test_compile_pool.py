"""The worker pool: objects do not depend on the process that makes them; no process remains."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import tilewright
from tilewright.codegen import compile_pool
from tilewright.codegen.compile_pool import CompilePool
from tilewright.codegen.llvm import CodegenError, Machine
from tilewright.codegen.worker import CompileOptions
from tilewright.targets.cpu.emit import emission
from tilewright.testing import models

OPTIONS = CompileOptions(Machine("x86_64-unknown-linux-gnu"))


def text(number: int) -> str:
    return f"define i32 @f{number}(i32 %x) {{\n  %y = mul i32 %x, {number}\n  ret i32 %y\n}}\n"


TEXTS = [text(number) for number in range(24)]


@pytest.fixture(scope="module")
def expected() -> list[bytes]:
    return [OPTIONS.compile(each) for each in TEXTS]


@pytest.fixture
def eager(monkeypatch: pytest.MonkeyPatch) -> None:
    """Start workers for any amount of work."""
    monkeypatch.setattr(compile_pool, "START_BYTES", -1)


def pids(pool: CompilePool) -> list[int]:
    return [worker._process.pid for worker in pool._workers]


def is_running(pid: int) -> bool:
    try:
        return " Z " not in Path(f"/proc/{pid}/stat").read_text()
    except FileNotFoundError:
        return False


def wait_until_gone(pid: int) -> None:
    deadline_s = time.monotonic() + 60
    while is_running(pid):
        assert time.monotonic() < deadline_s, "the worker is still there"
        time.sleep(0.01)


def test_little_work_starts_no_process(expected: list[bytes]) -> None:
    with CompilePool(OPTIONS, max_workers=4, expected=len(TEXTS)) as pool:
        for each in TEXTS:
            pool.add(each, "f")
        assert not pids(pool)
        assert [*pool.objects()] == expected


@pytest.mark.usefixtures("eager")
def test_workers_make_the_same_objects_and_end(expected: list[bytes]) -> None:
    with CompilePool(OPTIONS, max_workers=2, expected=len(TEXTS)) as pool:
        for each in TEXTS:
            pool.add(each, "f")
        assert len(pids(pool)) == 2
        deadline_s = time.monotonic() + 60
        while len(pool._objects) < len(TEXTS):  # before this process helps
            assert time.monotonic() < deadline_s
            time.sleep(0.01)
        assert [*pool.objects()] == expected
    assert not any(map(is_running, pids(pool)))


@pytest.mark.usefixtures("eager")
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGSTOP])
def test_a_worker_that_dies_or_stops_loses_its_work(
    how: signal.Signals, expected: list[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compile_pool, "ANSWER_TIMEOUT_S", 0.05)
    with CompilePool(OPTIONS, max_workers=1, expected=len(TEXTS)) as pool:
        pool.add(TEXTS[0], "f")
        os.kill(pids(pool)[0], how)
        for each in TEXTS[1:]:
            pool.add(each, "f")
        assert [*pool.objects()] == expected
    assert not is_running(pids(pool)[0])


@pytest.mark.usefixtures("eager")
def test_text_that_is_refused_is_explained_here() -> None:
    with CompilePool(OPTIONS, max_workers=1, expected=2) as pool:
        pool.add("define void @f() {\n  nonsense\n}\n", "f")
        with pytest.raises(CodegenError, match="invalid at line 2"):
            list(pool.objects())
    assert not any(map(is_running, pids(pool)))


@pytest.mark.usefixtures("eager")
def test_a_process_that_cannot_be_started_is_not_needed(
    expected: list[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    with CompilePool(OPTIONS, max_workers=3, expected=len(TEXTS)) as pool:
        for each in TEXTS:
            pool.add(each, "f")
        assert [*pool.objects()] == expected


_WAITS = """
import signal, sys, time
signal.signal(signal.SIGINT, signal.default_int_handler)  # background jobs of a shell ignore it
from tilewright.codegen import compile_pool
from tilewright.codegen.llvm import Machine
from tilewright.codegen.worker import CompileOptions
compile_pool.START_BYTES = -1
options = CompileOptions(Machine("x86_64-unknown-linux-gnu"))
with compile_pool.CompilePool(options, max_workers=1, expected=1) as pool:
    pool.add(sys.argv[1], "f")
    assert len(list(pool.objects())) == 1
    print(pool._workers[0]._process.pid, flush=True)
    time.sleep(600)
"""


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_no_worker_stays_when_its_process_ends(how: signal.Signals) -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", _WAITS, TEXTS[0]],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        start_new_session=True,
    )
    assert process.stdout is not None
    with process:
        worker = int(process.stdout.readline())
        assert is_running(worker)
        if how is signal.SIGINT:
            os.killpg(process.pid, how)  # as a terminal does: to all processes of the group
        else:
            process.kill()
        assert process.wait(60) != 0
    wait_until_gone(worker)


@pytest.mark.usefixtures("eager")
def test_models_are_the_same_with_and_without_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    model = models.encoder_model(layers=1, hidden=32, heads=2, ffn=64, seq=8)
    codes: list[bytes] = []
    for max_workers in (0, 2):
        monkeypatch.setattr(emission, "_max_workers", lambda count=max_workers: count)
        module = tilewright.compile(model, cache=False)
        assert not module.reason
        codes.append(module.code)
    assert codes[0] == codes[1]


def test_only_workers_compile_with_options_of_llvm(monkeypatch: pytest.MonkeyPatch) -> None:
    options = CompileOptions(
        Machine("wasm32-unknown-unknown"), llvm_options=("-pre-RA-sched=source",)
    )
    assert CompileOptions.decoded(options.encoded()) == options
    monkeypatch.setattr(CompileOptions, "compile", lambda *_: pytest.fail("compiled here"))
    with CompilePool(options, max_workers=0, expected=3) as pool:
        for number, each in enumerate((text(1), text(2), "define no function")):
            pool.add(each, f"part {number}")
        made = pool.objects()
        first, second = next(made), next(made)
        assert first[:4] == second[:4] == b"\0asm"
        with pytest.raises(CodegenError, match="part 2: generated LLVM IR is invalid"):
            next(made)

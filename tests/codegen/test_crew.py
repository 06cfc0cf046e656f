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
from tilewright.codegen import crew as crews
from tilewright.codegen.crew import Crew
from tilewright.codegen.llvm import CodegenError, Machine
from tilewright.codegen.worker import Recipe
from tilewright.driver.modules import CompiledModule
from tilewright.targets.cpu import emission
from tilewright.testing import models

RECIPE = Recipe(Machine("x86_64-unknown-linux-gnu"))


def text(number: int) -> str:
    return f"define i32 @f{number}(i32 %x) {{\n  %y = mul i32 %x, {number}\n  ret i32 %y\n}}\n"


TEXTS = [text(number) for number in range(24)]


@pytest.fixture(scope="module")
def expected() -> list[bytes]:
    return [RECIPE.make(each) for each in TEXTS]


@pytest.fixture
def eager(monkeypatch: pytest.MonkeyPatch) -> None:
    """Start workers for any amount of work."""
    monkeypatch.setattr(crews, "START_BYTES", -1)


def pids(crew: Crew) -> list[int]:
    return [worker._process.pid for worker in crew._workers]


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
    with Crew(RECIPE, helpers=4, expected=len(TEXTS)) as crew:
        for each in TEXTS:
            crew.add(each, "f")
        assert not pids(crew)
        assert [*crew.objects()] == expected


@pytest.mark.usefixtures("eager")
def test_workers_make_the_same_objects_and_end(expected: list[bytes]) -> None:
    with Crew(RECIPE, helpers=2, expected=len(TEXTS)) as crew:
        for each in TEXTS:
            crew.add(each, "f")
        assert len(pids(crew)) == 2
        deadline_s = time.monotonic() + 60
        while len(crew._objects) < len(TEXTS):  # before this process helps
            assert time.monotonic() < deadline_s
            time.sleep(0.01)
        assert [*crew.objects()] == expected
    assert not any(map(is_running, pids(crew)))


@pytest.mark.usefixtures("eager")
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGSTOP])
def test_a_worker_that_dies_or_stops_loses_its_work(
    how: signal.Signals, expected: list[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(crews, "PATIENCE_S", 0.05)
    with Crew(RECIPE, helpers=1, expected=len(TEXTS)) as crew:
        crew.add(TEXTS[0], "f")
        os.kill(pids(crew)[0], how)
        for each in TEXTS[1:]:
            crew.add(each, "f")
        assert [*crew.objects()] == expected
    assert not is_running(pids(crew)[0])


@pytest.mark.usefixtures("eager")
def test_text_that_is_refused_is_explained_here() -> None:
    with Crew(RECIPE, helpers=1, expected=2) as crew:
        crew.add("define void @f() {\n  nonsense\n}\n", "f")
        with pytest.raises(CodegenError, match="invalid at line 2"):
            list(crew.objects())
    assert not any(map(is_running, pids(crew)))


@pytest.mark.usefixtures("eager")
def test_a_process_that_cannot_be_started_is_not_needed(
    expected: list[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    with Crew(RECIPE, helpers=3, expected=len(TEXTS)) as crew:
        for each in TEXTS:
            crew.add(each, "f")
        assert [*crew.objects()] == expected


_WAITS = """
import signal, sys, time
signal.signal(signal.SIGINT, signal.default_int_handler)  # background jobs of a shell ignore it
from tilewright.codegen import crew as crews
from tilewright.codegen.llvm import Machine
from tilewright.codegen.worker import Recipe
crews.START_BYTES = -1
with crews.Crew(Recipe(Machine("x86_64-unknown-linux-gnu")), helpers=1, expected=1) as crew:
    crew.add(sys.argv[1], "f")
    assert len(list(crew.objects())) == 1
    print(crew._workers[0]._process.pid, flush=True)
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
    for helpers in (0, 2):
        monkeypatch.setattr(emission, "_helpers", lambda count=helpers: count)
        module = tilewright.compile(model, cache=False)
        assert isinstance(module, CompiledModule)
        codes.append(module.code)
    assert codes[0] == codes[1]

"""Random arguments never end the process; refusals name the argument, expected and got."""

from __future__ import annotations

import numpy as np
import pytest

from tilewright.runtime.errors import ArgumentError
from tilewright.testing import argument_fuzz, damaged_files
from tilewright.testing.argument_fuzz import KINDS, main, run_cases
from tilewright.testing.damaged_files import accepted_damage
from tilewright.testing.worker import WorkerProcess

from ..sweeps import NIGHTLY

COUNT = 100_000 // len(KINDS) + 1 if NIGHTLY else 30


@pytest.mark.parametrize("kind", KINDS)
def test_random_arguments_run_or_are_refused(worker: WorkerProcess, kind: str) -> None:
    call = "tilewright.testing.argument_fuzz:run_cases"
    ends, findings = worker.call(call, kind, 0, COUNT, timeout_s=1200)
    assert not findings, "\n".join(map(str, findings[:5]))
    assert ends["done"] > COUNT // 5
    assert ends["refused"] > COUNT // 5


def test_a_module_with_wrong_results_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    class Wrong:
        def __init__(self, module: object) -> None:
            self._module = module

        def __getattr__(self, name: str) -> object:
            return getattr(self._module, name)

        def __getitem__(self, name: str) -> object:
            return self

        def __call__(self, *arrays: object) -> object:
            results = self._module(*arrays)  # pyright: ignore
            return results if results is None else np.asarray(results) + 1

    right = argument_fuzz._modules("elementwise")  # pyright: ignore[reportPrivateUsage]
    monkeypatch.setattr(argument_fuzz, "_modules", lambda kind: (right[0], Wrong(right[1])))
    _, findings = run_cases("elementwise", 0, 40)
    assert any("the results differ" in str(finding) for finding in findings)


def test_the_command_counts_findings(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(len(KINDS)) == 0
    assert "elementwise" in capsys.readouterr().out


def test_a_damaged_archive_that_loads_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    module = KINDS["elementwise"]()
    assert accepted_damage(module, 6) == ""
    monkeypatch.setattr(damaged_files, "load_module", lambda *_, **__: None)
    assert "has another byte" in accepted_damage(module, 1)


def test_a_scalar_of_numpy_is_no_output() -> None:
    module, *_ = argument_fuzz._modules("scalar")  # pyright: ignore[reportPrivateUsage]
    with pytest.raises(ArgumentError, match=r"argument 1 \(y\) cannot be filled"):
        module(np.float32(1), np.float32(0))

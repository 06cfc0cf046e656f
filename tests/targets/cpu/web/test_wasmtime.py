"""WebAssembly modules in wasmtime, a second engine: the bits of node, in a counted call."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tilewright
from tilewright.targets.cpu.emit import program

from ..machine_models import NAMES, compiled
from .test_web import CNN
from .wasmtime_engine import in_wasmtime, needs_wasmtime
from .web_module import TARGET, in_node, needs_web, random_inputs


@needs_wasmtime
@pytest.mark.parametrize("name", NAMES)
def test_a_model_gives_what_another_program_gives(name: str, tmp_path: Path) -> None:
    module, given, wanted = compiled(name, TARGET)
    made, instructions = in_wasmtime(module, given, tmp_path)
    tolerance = 0 if "int8" in name else 2e-5
    np.testing.assert_allclose(made["y"], wanted["y"], rtol=tolerance, atol=tolerance)
    assert 200 < instructions < 3_000_000


@needs_wasmtime
@needs_web
def test_strict_bits_are_those_of_node_and_of_this_machine(tmp_path: Path) -> None:
    here, there = (
        tilewright.compile(CNN, target=target, precision="strict") for target in ("native", TARGET)
    )
    inputs = random_inputs(here)
    made, _ = in_wasmtime(there, inputs, tmp_path)
    assert made["y"].tobytes() == in_node(there, inputs, tmp_path)["y"].tobytes()
    assert made["y"].tobytes() == here.run(inputs)[0].numpy().tobytes()


@needs_wasmtime
def test_a_wrong_kernel_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    right = program.emit_kernel

    def wrong(*arguments: Any, **attributes: Any) -> str:
        return right(*arguments, **attributes).replace("fadd", "fsub")

    monkeypatch.setattr(program, "emit_kernel", wrong)
    module, given, wanted = compiled("vector addition", TARGET)
    assert not np.allclose(in_wasmtime(module, given, tmp_path)[0]["y"], wanted["y"], atol=0.1)

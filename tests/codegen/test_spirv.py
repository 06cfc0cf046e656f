"""Modules of SPIR-V: the assembler compared with spirv-as, validity, constants in texts."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

import tilewright
from tilewright import LoweringError
from tilewright.codegen.spirv import assemble, float_bits
from tilewright.lowering.simt_to_spirv.types import float_constant
from tilewright.runtime.device.vulkan_devices import entries_of
from tilewright.testing import models

from ..ops.cases import CASES

TARGET = "vulkan"


def test_the_kernels_of_a_module_are_read() -> None:
    model = models.encoder_model(layers=1, hidden=32, heads=2, ffn=64, seq="seq", batch=1)
    mod = tilewright.compile(model, target=TARGET, cache=False)
    entries = entries_of(assemble(mod.get_source("spvasm")))
    assert len(entries) == len(mod.kernels)
    assert all(entry.formats.startswith("QQ") for entry in entries.values())
    numbers = {entry.formats.strip("Q") for entry in entries.values()}
    assert numbers >= {"ii"}
    assert numbers <= {"i" * count for count in range(7)}


@pytest.mark.skipif(not shutil.which("spirv-val"), reason="no spirv-val: apt install spirv-tools")
def test_modules_are_valid_and_those_of_another_assembler(tmp_path: Path) -> None:
    ours, theirs = tmp_path / "ours.spv", tmp_path / "theirs.spv"
    text = tmp_path / "module.spvasm"
    for case in CASES[::8]:
        module, _ = case.function()
        mod = tilewright.compile_module(module, target=TARGET, cache=False)
        if mod.kernels:
            text.write_text(mod.get_source("spvasm"))
            ours.write_bytes(assemble(text.read_text()))
            subprocess.run(["spirv-val", "--target-env", "vulkan1.2", ours], check=True)
            subprocess.run(["spirv-as", "--target-env", "spv1.5", text, "-o", theirs], check=True)
            shown = [
                subprocess.run(
                    ["spirv-dis", "--no-header", path], check=True, capture_output=True
                ).stdout
                for path in (ours, theirs)
            ]
            assert shown[0] == shown[1], case.name


@pytest.mark.parametrize("width", [32, 64])
def test_constants_of_floats_keep_their_bits(width: int) -> None:
    kind = np.dtype(f"f{width // 8}")
    values = np.random.default_rng(0).standard_normal(200) * 10.0 ** np.arange(-100, 100)
    values = np.concatenate([values, [0.0, -0.0, np.inf, -np.inf, np.nan, 1e-45, 5e-324]])
    with np.errstate(over="ignore", under="ignore"):
        bits = values.astype(kind).view(f"u{width // 8}").tolist()
    assert [float_bits(float_constant(x, width), width) for x in bits] == bits


@pytest.mark.parametrize(
    ("line", "what"), [("OpFrobnicate %x", "instruction"), ("OpCapability Wings", "operand")]
)
def test_unknown_names_are_refused(line: str, what: str) -> None:
    with pytest.raises(LoweringError, match=f"no number of this (SPIR-V )?{what}"):
        assemble(line)

"""Numbers of a machine: from the operating system, and from a target string."""

from __future__ import annotations

from pathlib import Path

import pytest

from tilewright.support.diagnostics import TargetError
from tilewright.support.target import KIB, Target, host_caches_kib

SYSTEM = Path("/sys/devices/system/cpu/cpu0/cache")


def describe(folder: Path, index: int, **files: str) -> None:
    place = folder / f"index{index}"
    place.mkdir()
    for name, text in files.items():
        (place / name).write_text(text + "\n")


def test_caches_for_data_are_read(tmp_path: Path) -> None:
    describe(tmp_path, 0, level="1", type="Data", size="48K")
    describe(tmp_path, 1, level="1", type="Instruction", size="64K")
    describe(tmp_path, 2, level="2", type="Unified", size="2048K")
    describe(tmp_path, 3, level="4", type="Unified", size="131072K")
    describe(tmp_path, 4, level="3", type="Unified")
    assert host_caches_kib(tmp_path) == {"l1": 48, "l2": 2048}


def test_a_system_that_tells_nothing_leaves_the_defaults(tmp_path: Path) -> None:
    assert host_caches_kib(tmp_path / "nothing") == {}


@pytest.mark.skipif(not SYSTEM.exists(), reason="the system does not tell its caches")
def test_the_host_has_its_own_caches() -> None:
    host, found = Target.host(), host_caches_kib(SYSTEM)
    assert {"l1", "l2"} <= set(found)
    assert (host.l1_bytes, host.l2_bytes) == (found["l1"] * KIB, found["l2"] * KIB)


def test_a_processor_says_its_instruction_set() -> None:
    arm = Target("llvm -mcpu=cortex-a76")
    assert arm.triple == "aarch64-unknown-linux-gnu"
    assert arm.attribute_string == "+dotprod,+neon"
    assert (arm.vector_bits, arm.vector_registers, arm.l1_bytes) == (128, 32, 64 * KIB)
    assert arm.has_fma
    assert Target(str(arm)) == arm
    assert Target("llvm -mcpu=cortex-a76 -mattr=-dotprod").attribute_string == "-dotprod,+neon"
    assert Target("llvm -mcpu=x86-64").triple == "x86_64-unknown-linux-gnu"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("llvm -mattr=+dotprod", "unknown CPU feature of x86_64"),
        ("llvm -mcpu=cortex-a72 -mattr=+avx2", "unknown CPU feature of aarch64"),
    ],
)
def test_features_are_those_of_the_instruction_set(text: str, message: str) -> None:
    with pytest.raises(TargetError, match=message):
        Target(text)

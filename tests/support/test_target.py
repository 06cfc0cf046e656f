"""Numbers of a machine: from the operating system, and from a target string."""

from __future__ import annotations

from pathlib import Path

import pytest

from tilewright.support.diagnostics import TargetError
from tilewright.support.processors import PROCESSORS
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
    assert arm.attribute_string == "-bf16,+dotprod,-i8mm,+neon,-sve"
    assert (arm.vector_bits, arm.vector_registers, arm.l1_bytes) == (128, 32, 64 * KIB)
    assert arm.has_fma
    assert Target(str(arm)) == arm
    assert (
        Target("llvm -mcpu=cortex-a76 -mattr=-dotprod").attribute_string
        == "-bf16,-dotprod,-i8mm,+neon,-sve"
    )
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


@pytest.mark.parametrize(
    ("short", "long"),
    [
        ("znver3", "llvm -mcpu=znver3"),
        ("x86-64-v3 -mattr=-fma -l2-kib=256", "llvm -mcpu=x86-64-v3 -mattr=-fma -l2-kib=256"),
        ("native", "llvm -mcpu=native"),
        ("native -mattr=-sse2", "llvm -mattr=-sse2"),
        ("cortex-a72", "llvm -mcpu=cortex-a72"),
    ],
)
def test_a_processor_alone_is_a_target(short: str, long: str) -> None:
    assert Target(short) == Target(long)
    assert Target(str(Target(short))) == Target(long)


@pytest.mark.parametrize("text", ["native", "llvm", "llvm -mcpu=native"])
def test_this_machine_has_one_meaning(text: str) -> None:
    assert Target(text) == Target.host()


def test_llvm_alone_is_generic_where_this_machine_is_no_target(monkeypatch) -> None:
    monkeypatch.setattr("platform.machine", lambda: "riscv64")
    assert Target("llvm") == Target("llvm -mcpu=x86-64")
    Target.host.cache_clear()
    with pytest.raises(TargetError, match="this host is not supported"):
        Target("native")


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("znver9", "znver"),
        ("llvm -mcpu=znver9", "znver"),
        ("skylake_avx512", "skylake-avx512"),
        ("nativ", "native"),
        ("lvm", "llvm"),
        ("vulkan", '"native" for this machine'),
        ("znver3 -matr=+fma", "-mattr"),
        ("znver3 -mattr=+avx512", "+avx512"),
        ("interpreter -mcpu=znver3", "target option"),
    ],
)
def test_an_error_names_what_was_meant(text: str, meant: str) -> None:
    with pytest.raises(TargetError, match="unknown") as caught:
        Target(text)
    assert meant in caught.value.hint


def test_other_kinds_have_no_processor() -> None:
    target = Target("interpreter")
    assert (target.cpu, target.features, target.needed_features) == ("", (), ())
    assert (str(target), Target(str(target))) == ("interpreter", target)
    own = Target.of_kind("acme", "acme -lanes=8", ("lanes",))
    assert (str(own), own.option("lanes"), own.option("more", "1")) == ("acme -lanes=8", "8", "1")
    with pytest.raises(TargetError, match="unknown target option"):
        Target.of_kind("acme", "acme -lane=8", ("lanes",))


def test_the_numbers_that_plans_were_tuned_with() -> None:
    tuned = {
        "x86-64-v3": (32, 512, 4, 2, 2),
        "x86-64-v4": (32, 512, 4, 2, 2),
        "skylake-avx512": (32, 1024, 4, 2, 2),
    }
    for cpu, numbers in tuned.items():
        row = PROCESSORS[cpu]
        assert numbers == (row.l1_kib, row.l2_kib, row.fma_latency, row.fma_ports, row.load_ports)
    assert all(row.source for row in PROCESSORS.values())
    assert Target("znver1").fma_ports == 1

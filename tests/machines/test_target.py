"""Numbers of a machine: from the operating system, and from a target string."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tilewright.codegen import prelude
from tilewright.codegen.llvm import Machine, assembly_of
from tilewright.machines.cpu import INSTRUCTION_SETS, MACHINES, PROCESSORS
from tilewright.machines.platforms import platform_of
from tilewright.machines.target import KIB, Target
from tilewright.machines.target_text import target_names
from tilewright.machines.this_machine import host_caches_kib
from tilewright.support.diagnostics import TargetError

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
    host, found = Target.native(), host_caches_kib(SYSTEM)
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
    assert Target(text) == Target.native()


def test_llvm_alone_is_generic_where_this_machine_is_no_target(monkeypatch) -> None:
    monkeypatch.setattr("platform.machine", lambda: "riscv64")
    assert Target("llvm") == Target("llvm -mcpu=x86-64")
    Target.native.cache_clear()
    with pytest.raises(TargetError, match="this host is not supported"):
        Target("native")
    monkeypatch.undo()
    # Other tests of this process change the flags of the processor: keep the target without these.
    assert Target.native().cpu in PROCESSORS


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("znver9", "znver"),
        ("llvm -mcpu=znver9", "znver"),
        ("skylake_avx512", "skylake-avx512"),
        ("nativ", "native"),
        ("lvm", "llvm"),
        ("banana", '"native" for this machine'),
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


def test_the_code_of_every_program_exists_for_the_same_machines() -> None:
    assert tuple(prelude.MACHINES) == MACHINES


def test_the_instruction_set_of_every_processor_and_name_is_known() -> None:
    assert {row.architecture for row in PROCESSORS.values()} == {*INSTRUCTION_SETS}
    for name, row in INSTRUCTION_SETS.items():
        assert PROCESSORS[row.generic].architecture == name
    for name in target_names():
        target = Target(name)
        assert Target(str(target)) == target == Target(dict(target.export()))


CLASSIC = {
    # A target of another compiler, and our full form of it.
    "llvm -mcpu=skylake-avx512": "llvm -mcpu=skylake-avx512 -l1-kib=32 -l2-kib=1024 -l3-kib=32768",
    "llvm -mtriple=aarch64-linux-gnu -mattr=+neon": (
        "llvm -mcpu=generic-aarch64 -l1-kib=32 -l2-kib=512 -l3-kib=32768"
    ),
    "llvm -mtriple=aarch64-linux-gnu -mcpu=cortex-a72": (
        "llvm -mcpu=cortex-a72 -l1-kib=32 -l2-kib=512 -l3-kib=32768"
    ),
    "llvm -mtriple=riscv64-unknown-linux-gnu -mabi=lp64d -opt-level=3": (
        "llvm -mcpu=generic-rv64 -l1-kib=32 -l2-kib=512 -l3-kib=32768 -opt-level=3"
    ),
    "llvm -mtriple=aarch64-linux-musl -mcpu=generic -codegen=llvm": (
        "llvm -mtriple=aarch64-unknown-linux-musl -mcpu=generic-aarch64 -l1-kib=32 -l2-kib=512 "
        "-l3-kib=32768"
    ),
    "llvm -mcpu znver3 -fast-math=0": "llvm -mcpu=znver3 -l1-kib=32 -l2-kib=512 -l3-kib=32768",
    "raspberry-pi/4b-aarch64": "llvm -mcpu=cortex-a72 -l1-kib=32 -l2-kib=512 -l3-kib=32768",
    "raspberrypi4 -l2-kib=1024": "llvm -mcpu=cortex-a72 -l1-kib=32 -l2-kib=1024 -l3-kib=32768",
    "c -mcpu=cortex-m4": "c -mcpu=cortex-m4",
    "llvm -mtriple=armv7l-linux-gnueabihf -mattr=+neon": (
        "llvm -mcpu=generic-armv7 -l1-kib=32 -l2-kib=512 -l3-kib=32768"
    ),
    "llvm -mtriple=powerpc64le-linux-gnu": (
        "llvm -mcpu=generic-ppc64le -l1-kib=64 -l2-kib=512 -l3-kib=8192"
    ),
    "hexagon -mcpu=v68": "llvm -mcpu=hexagonv67 -l1-kib=32 -l2-kib=512 -l3-kib=32768",
    "neoverse-v1 -mattr=+sve -vector-bits=512": (
        "llvm -mcpu=neoverse-v1 -mattr=+sve -vector-bits=512 -l1-kib=64 -l2-kib=1024 -l3-kib=32768"
    ),
    "cuda": "cuda",
    "cuda -arch=sm_80": "cuda -arch=sm_80",
    "cuda -arch=sm_72": "cuda -arch=sm_72",
    "nvidia/jetson-agx-xavier": "cuda -arch=sm_72",
    "nvidia/nvidia-h100": "cuda -arch=sm_90a",
    "cuda -max_num_threads=1024": "cuda -max-threads=1024",
    "cuda -max_threads=256 -arch=sm_80": "cuda -arch=sm_80 -max-threads=256",
    "rocm -mcpu=gfx90a": "rocm -mcpu=gfx90a",
    "gfx942 -max-threads=512": "rocm -mcpu=gfx942 -max-threads=512",
    "opencl": "opencl",
    "metal": "metal",
    "webgpu": "webgpu",
    "vulkan -max_threads_per_block=256": "vulkan -max-threads=256",
    '{"kind": "llvm", "mcpu": "cortex-a76", "mattr": ["-dotprod"]}': (
        "llvm -mcpu=cortex-a76 -mattr=-dotprod -l1-kib=64 -l2-kib=512 -l3-kib=32768"
    ),
    '{"tag": "nvidia/nvidia-a100"}': "cuda -arch=sm_80",
}


@pytest.mark.parametrize("text", CLASSIC)
def test_classic_targets_have_a_full_form_that_is_equal(text: str) -> None:
    target = Target(text)
    assert str(target) == CLASSIC[text]
    assert Target(str(target)) == target
    assert Target(target.export()) == target


ABSENT = {
    # A target of another compiler that has no meaning here, and what the error names instead.
    "c -device=micro_dev": ("unknown target option", "-mcpu=NAME"),
    "ext_dev": ("there is no backend for ext_dev", "extensions="),
    "llvm -device=arm_cpu -mtriple=aarch64-linux-gnu": ("unknown target option", "-mcpu=NAME"),
    "llvm -keys=arm_cpu,cpu": ("unknown target option", "-mcpu=NAME"),
    "llvm -libs=cblas": ("unknown target option", "te.extern"),
    "llvm -fast-math": ("unknown target option", "precision="),
    "llvm -fast-math-contract=1": ("unknown target option", "precision="),
    "llvm -num-cores=4": ("unknown target option", "threads="),
    "llvm -mtriple=mips-linux-gnu": ("unknown instruction set", "x86_64-unknown-linux-gnu"),
    "llvm -mtriple=aarch64-linux-gnueabihf": ("unknown system", "linux-gnu"),
    "llvm -mtriple=aarch64-linux-gnu -mcpu=znver3": ("another instruction set", "x86_64"),
    "llvm -mtriple=riscv64-linux-gnu -mabi=lp64": ("calling convention", ""),
    "llvm -opt-level=4": ("-opt-level", ""),
    "llvm -codegen=c": ("-codegen", ""),
    "llvm -mcpu": ("has no value", "-mcpu=VALUE"),
    "aarch64 -vector-bits=256": ("the vectors of the processor have one length", "-mattr=+sve"),
    "znver3 -vector-bits=256": ("the vectors of the processor have one length", ""),
    "aarch64 -mattr=+sve -vector-bits=384": ("target option -vector-bits", ""),
    "llvm -mcpu=znver3 -mcpu=znver4": ("occurs twice", ""),
    "llvm -mcpu=sm_80": ("unknown cpu", "cuda -arch=sm_80"),
    "llvm -mcpu=cortex": ("unknown cpu", "cortex-m"),
    "llvm -mcpu=banana": ("unknown cpu", "tw targets"),
    "rasberrypi4": ("unknown target", "raspberrypi4"),
    "sm_61": ("unknown architecture", "older than sm_70"),
    "cuda -arch=sm_87": ("unknown architecture", "-arch=sm_86"),
    "rocm -mcpu=gfx1101": ("unknown architecture", "-mcpu=gfx1100"),
    "{": ("malformed target", ""),
    '{"mcpu": "znver3"}': ("has a kind or a tag", ""),
}


@pytest.mark.parametrize("text", ABSENT)
def test_an_error_of_a_classic_target_names_ours(text: str) -> None:
    rule, hint = ABSENT[text]
    with pytest.raises(TargetError) as caught:
        Target(text)
    assert rule in caught.value.rule
    assert hint in caught.value.hint


@pytest.mark.parametrize(
    ("triple", "full", "facts"),
    [
        ("aarch64-linux-gnu", "aarch64-unknown-linux-gnu", ("elf", "glibc", 64, True)),
        ("arm64-linux", "aarch64-unknown-linux-gnu", ("elf", "glibc", 64, True)),
        ("aarch64-none-linux-gnu", "aarch64-unknown-linux-gnu", ("elf", "glibc", 64, True)),
        ("aarch64-linux-android", "aarch64-unknown-linux-android", ("elf", "bionic", 64, True)),
        ("arm64-apple-macos", "aarch64-apple-darwin", ("macho", "libSystem", 64, True)),
        ("x86_64-pc-windows-msvc", "x86_64-pc-windows-msvc", ("coff", "ucrt", 64, True)),
        ("riscv64-unknown-elf", "riscv64-unknown-none-elf", ("elf", "", 64, False)),
        ("riscv64", "riscv64-unknown-linux-gnu", ("elf", "glibc", 64, True)),
        ("thumbv7em-none-eabihf", "thumbv7em-unknown-none-eabihf", ("elf", "", 32, False)),
        ("wasm32", "wasm32-unknown-unknown", ("wasm", "", 32, False)),
        ("wasm32-unknown-unknown", "wasm32-unknown-unknown", ("wasm", "", 32, False)),
    ],
)
def test_a_triple_is_a_platform(triple: str, full: str, facts: tuple[object, ...]) -> None:
    platform = Target(f"llvm -mtriple={triple}").platform
    assert platform is not None
    assert platform.triple == full
    assert platform_of(full) == platform
    assert platform.byte_order == "little"
    has = (platform.object_format, platform.libc, platform.pointer_bits, platform.has_threads)
    assert has == facts


def test_processors_without_vectors_have_scalars_of_64_bits() -> None:
    for name in ("riscv64", "cortex-m4", "cortex-m7"):
        assert (Target(name).has_vectors, Target(name).vector_bits) == (False, 64)
        assert Target(name).has_fma
    m55 = Target("cortex-m55")
    assert (m55.vector_bits, m55.vector_registers) == (128, 8)


@pytest.mark.parametrize("name", INSTRUCTION_SETS)
def test_llvm_fuses_and_does_not_call_functions_for_scalars(name: str) -> None:
    target = Target(INSTRUCTION_SETS[name].generic)
    text = """
    define float @f(float %x, float %y, float %z) {
      %p = call float @llvm.fma.f32(float %x, float %y, float %z)
      ret float %p
    }
    declare float @llvm.fma.f32(float, float, float)"""
    assembly = assembly_of(text, Machine.of(target), passes=(), opt_level=2)
    calls = "fmaf" in assembly
    assert calls != target.has_fma


HOST = "llvm -mcpu=cortex-a72 -l1-kib=32 -l2-kib=512 -l3-kib=32768"


def test_the_host_of_a_gpu_is_part_of_the_target() -> None:
    target = Target("cuda -arch=sm_80", host="raspberrypi4")
    assert str(target) == f"cuda -arch=sm_80 '-host={HOST}'"
    assert target.main_target == Target("cortex-a72")
    assert target != Target("cuda -arch=sm_80")
    fields = {"kind": "cuda", "arch": "sm_80", "host": {"kind": "llvm", "mcpu": "cortex-a72"}}
    for same in (str(target), target.export(), fields, json.dumps(fields)):
        assert Target(same) == target


def test_a_host_that_changes_nothing_is_none() -> None:
    assert Target("cuda", host="llvm") == Target("cuda")
    assert Target("cuda").main_target == Target.native()
    cpu = Target("x86-64-v3", host="llvm")
    assert cpu == Target("x86-64-v3") == cpu.main_target


@pytest.mark.parametrize(
    ("text", "host", "rule"),
    [
        ("llvm -mcpu=x86-64", "aarch64", "has no other host"),
        ("interpreter", "llvm", "has no other host"),
        ("cuda", "opencl", "is a CPU"),
        ("cuda -host=llvm", "llvm", "occurs twice"),
        ("cuda", "banana", "unknown target"),
    ],
)
def test_a_host_runs_main(text: str, host: str, rule: str) -> None:
    with pytest.raises(TargetError, match=rule):
        Target(text, host=host)

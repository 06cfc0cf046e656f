"""The features that code for a processor may use, and those that it does use."""

from __future__ import annotations

import errno
import os
import shutil
import subprocess
from collections.abc import Collection
from dataclasses import replace
from functools import partial

import numpy as np
import pytest

import tilewright
from tilewright import te
from tilewright.codegen.llvm import Machine, assembly_of, compile_ir
from tilewright.codegen.x86_features import UnknownInstruction, needed_features, used_features
from tilewright.driver.report.texts import code_of
from tilewright.driver.request import request_for
from tilewright.driver.source import ModelSource
from tilewright.machines import target as targets
from tilewright.machines import this_machine
from tilewright.machines.target import Target, cpu_names
from tilewright.runtime.abi.library import LoadError
from tilewright.runtime.host import cpu_flags, request_tiles
from tilewright.runtime.module import loading
from tilewright.runtime.module.module import Module
from tilewright.support.diagnostics import TargetError
from tilewright.targets.cpu.backend import CPU
from tilewright.targets.cpu.emit.program_code import program_parts

from ..replay.programs import SMALL

COUNT = (
    "declare {0} @llvm.{1}({0})\n"
    "define {0} @f({0} %a) {{ %r = call {0} @llvm.{1}({0} %a)\n ret {0} %r }}"
)
TURN = ", ".join(f"i32 {(37 * lane + 5) % 64}" for lane in range(64))
PROBES = {
    "avx512fp16": (
        "define <32 x half> @f(<32 x half> %a) { %r = fadd <32 x half> %a, %a\n"
        " ret <32 x half> %r }",
        "vaddph",
    ),
    "avx512vpopcntdq": (COUNT.format("<16 x i32>", "ctpop.v16i32"), "vpopcntd"),
    "avx512bitalg": (COUNT.format("<64 x i8>", "ctpop.v64i8"), "vpopcntb"),
    "gfni": (COUNT.format("<16 x i8>", "bitreverse.v16i8"), "gf2p8affineqb"),
    "avx512vbmi2": (
        "declare <16 x i32> @llvm.fshl.v16i32(<16 x i32>, <16 x i32>, <16 x i32>)\n"
        "define <16 x i32> @f(<16 x i32> %a, <16 x i32> %b, <16 x i32> %c) {\n"
        " %r = call <16 x i32> @llvm.fshl.v16i32(<16 x i32> %a, <16 x i32> %b, <16 x i32> %c)\n"
        " ret <16 x i32> %r }",
        "vpshldvd",
    ),
    "avx512vbmi": (
        "define <64 x i8> @f(<64 x i8> %a) {\n"
        f" %r = shufflevector <64 x i8> %a, <64 x i8> poison, <64 x i32> <{TURN}>\n"
        " ret <64 x i8> %r }",
        "vpermb",
    ),
    "sse4a": (
        "define void @f(ptr %p, float %a) { store float %a, ptr %p, align 4, !nontemporal !0\n"
        " ret void }\n!0 = !{i32 1}",
        "movntss",
    ),
}
"""For each feature, a program that LLVM compiles to one of its instructions, if available."""
FLAGS = {flag for cpu in cpu_names() for flag in Target(f"llvm -mcpu={cpu}").needed_flags}
"""The features of all targets, in Linux's names."""


@pytest.mark.parametrize("cpu", [c for c in cpu_names() if Target(f"llvm -mcpu={c}").has("sse2")])
def test_a_target_needs_what_llvm_uses_for_its_processor(cpu: str) -> None:
    target = Target(f"llvm -mcpu={cpu}")
    used = {
        feature
        for feature, (text, instruction) in PROBES.items()
        if instruction in assembly_of(text, Machine.of(target))
    }
    assert used == set(target.needed_features) & set(PROBES)


def test_code_that_this_machine_cannot_run_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    Target.native()  # is cached for later tests, before the patch
    flags = set(Target("llvm -mcpu=sapphirerapids").needed_features) - {"avx512fp16", "amx-tile"}
    monkeypatch.setattr(targets, "host_flags", lambda: flags)
    x = te.placeholder((8,), "float16", name="X")
    y = te.compute((8,), lambda i: x[i] + x[i], name="Y")
    target = "llvm -mcpu=sapphirerapids"
    with pytest.raises(TargetError, match="which needs amx-tile, avx512fp16"):
        CPU.check_host(Target(target))
    monkeypatch.setattr(loading, "cpu_flags", lambda: cpu_flags() - {"avx512_fp16"})
    with pytest.raises(LoadError, match=r"expected: a processor with .*avx512_fp16"):
        tilewright.build(y, target=target)(np.ones(8, np.float16))
    assert targets.missing_features(Target("llvm -mcpu=x86-64-v4 -mattr=+avx512vnni")) == ()


def test_code_for_another_processor_is_not_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    a = te.placeholder((64,), "int32", name="a")
    mod = tilewright.build(te.compute((64,), lambda i: a[i] + a[i]), target="llvm -mcpu=x86-64-v3")
    assert not mod.reason
    flags = {*Module.load_bytes(mod.code).manifest.cpu_flags}
    assert "avx2" in flags < {*Target("llvm -mcpu=x86-64-v3").needed_flags}
    monkeypatch.setattr(loading, "cpu_flags", lambda: cpu_flags() - {"avx2", "abm"})
    with pytest.raises(LoadError, match="expected: a processor with avx2\n"):
        Module.load_bytes(mod.code)


def test_code_with_tiles_asks_the_kernel_for_their_registers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[tuple[int, int]] = []

    def control(error: int, code: int, argument: int) -> int:
        asked.append((code, argument))
        return error

    assert request_tiles({"avx2"}, partial(control, 0)) == ""
    assert not asked
    assert request_tiles({"amx_tile"}, partial(control, 0)) == ""
    assert asked == [(0x1023, 18)]
    a = te.placeholder((64,), "int32", name="a")
    mod = tilewright.build(te.compute((64,), lambda i: a[i] + a[i]), target="llvm -mcpu=x86-64")
    manifest = replace(Module.load_bytes(mod.code).manifest, cpu_flags=("amx_tile",))
    monkeypatch.setattr(loading, "cpu_flags", lambda: {"amx_tile"})
    refused = partial(control, errno.EOPNOTSUPP)
    monkeypatch.setattr(loading, "request_tiles", lambda flags: request_tiles(flags, refused))
    with pytest.raises(LoadError, match=r"refuses the tile registers [^`]*got: Operation not supp"):
        loading.check_processor(manifest)
    for wanted, flag in ((manifest, 1), (replace(manifest, cpu_flags=("avx2",)), 0)):
        tables = {blob.symbol: blob.data for blob in program_parts((), wanted)[1]}
        assert tables["tw_uses_tiles"] == flag.to_bytes(4, "little")


@pytest.mark.parametrize("refusal", ["", "Operation not supported"])
def test_a_machine_whose_kernel_refuses_tiles_has_no_amx(
    monkeypatch: pytest.MonkeyPatch, refusal: str
) -> None:
    flags = frozenset({"avx2", "amx_tile", "amx_int8", "amx_bf16"})
    monkeypatch.setattr(this_machine, "cpu_flags", lambda: flags)
    monkeypatch.setattr(this_machine, "request_tiles", lambda _flags: refusal)
    missing = targets.missing_features(Target("llvm -mcpu=sapphirerapids"))
    assert {"amx-tile", "amx-int8", "amx-bf16"}.isdisjoint(missing) != bool(refusal)


def test_flags_are_named_as_linux_names_them() -> None:
    flags = Target("llvm -mcpu=sapphirerapids").needed_flags
    assert {"avx512_fp16", "avx512f"} <= {*flags}
    assert Target("llvm -mcpu=neoverse-n1").needed_flags == ()


def _assembles(assembly: str, features: Collection[str]) -> bool:
    """Return whether the assembler of GNU takes a listing with these features, in Linux's names."""
    tool = shutil.which("as")
    if tool is None:
        pytest.skip("needs the assembler of binutils")
    names = "".join(f"+{targets.LLVM_NAMES.get(feature, feature)}" for feature in features)
    command = [tool, f"-march=generic64{names}", "-o", os.devnull, "-"]
    done = subprocess.run(command, input=assembly, text=True, capture_output=True, check=False)
    return done.returncode == 0


def _target_of(feature: str) -> Target:
    rows = (Target(f"llvm -mcpu={cpu}") for cpu in reversed(cpu_names()))
    return next(target for target in rows if feature in target.needed_features)


@pytest.mark.parametrize("feature", PROBES)
def test_the_feature_of_an_instruction_is_found_in_machine_code(feature: str) -> None:
    target = _target_of(feature)
    data = compile_ir(PROBES[feature][0], Machine.of(target))
    names = {targets.LLVM_NAMES.get(flag, flag) for flag in needed_features([data], FLAGS)}
    assert feature in names <= {feature, "avx", "avx512f", "avx512vl", "gfni"}


@pytest.mark.one_in(2)
@pytest.mark.parametrize("name", ["ffn_20_odd", "conv_3x3", "cast_half"])
@pytest.mark.parametrize("cpu", ["x86-64-v2", "x86-64-v3", "znver4"])
def test_code_is_assembled_with_just_the_features_that_it_uses(name: str, cpu: str) -> None:
    request = request_for(ModelSource(SMALL[name]()), target=f"llvm -mcpu={cpu}")
    settings = request.settings
    for text in code_of(request):
        machine = Machine.of(settings.target)
        data, assembly = compile_ir(text.source, machine), assembly_of(text.source, machine)
        used = needed_features([data], settings.target.needed_flags)
        assert set(used) < set(settings.target.needed_flags)
        assert _assembles(assembly, used)
        # Instructions of AVX-512 replace others.
        for feature in {*used} & {"fma", "f16c"} if "avx512vl" not in used else ():
            assert not _assembles(assembly, {*used} - {feature})


def test_an_unknown_instruction_needs_the_whole_target() -> None:
    assert used_features(bytes.fromhex("c4e27118c0 c5f877 c3")) == {"avx2", "avx"}
    assert used_features(bytes.fromhex("62f17c48 58c0 62f17c28 58c0")) == {"avx512f", "avx512vl"}
    with pytest.raises(UnknownInstruction, match="got: 0f 01 f9 at byte 1"):
        used_features(bytes.fromhex("c3 0f01f9"))
    with pytest.raises(UnknownInstruction):
        used_features(bytes.fromhex("c3 62f1"))

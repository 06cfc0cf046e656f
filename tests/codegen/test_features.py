"""The features that code for a processor may use: those of its target, and those LLVM implies."""

from __future__ import annotations

import pytest

import tilewright
from tilewright import te
from tilewright.codegen.llvm import Machine, compile_ir
from tilewright.runtime import loading
from tilewright.runtime.host import cpu_flags
from tilewright.runtime.library import LoadError
from tilewright.runtime.module import Module
from tilewright.support import target as targets
from tilewright.support.diagnostics import TargetError
from tilewright.support.target import Target, cpu_names

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


@pytest.mark.parametrize("cpu", [c for c in cpu_names() if Target(f"llvm -mcpu={c}").has("sse2")])
def test_a_target_needs_what_llvm_uses_for_its_processor(cpu: str) -> None:
    target = Target(f"llvm -mcpu={cpu}")
    used = {
        feature
        for feature, (text, instruction) in PROBES.items()
        if instruction in compile_ir(text, Machine.of(target)).assembly()
    }
    assert used == set(target.needed_features) & set(PROBES)


def test_code_that_this_machine_cannot_run_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    flags = set(Target("llvm -mcpu=sapphirerapids").needed_features) - {"avx512fp16", "amx-tile"}
    monkeypatch.setattr(targets, "_host_flags", lambda: flags)
    x = te.placeholder((8,), "float16", name="X")
    y = te.compute((8,), lambda i: x[i] + x[i], name="Y")
    with pytest.raises(TargetError, match="which needs amx-tile, avx512fp16"):
        tilewright.build(y, target="llvm -mcpu=sapphirerapids")
    assert targets.missing_features(Target("llvm -mcpu=x86-64-v4 -mattr=+avx512vnni")) == ()


def test_code_for_another_processor_is_not_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    a = te.placeholder((4,), name="a")
    mod = tilewright.build(te.compute((4,), lambda i: a[i]), target="llvm -mcpu=x86-64-v3")
    assert not mod.reason
    assert (
        Module.load_bytes(mod.code).manifest.cpu_flags
        == Target("llvm -mcpu=x86-64-v3").needed_flags
    )
    monkeypatch.setattr(loading, "cpu_flags", lambda: cpu_flags() - {"avx2", "abm"})
    with pytest.raises(LoadError, match="expected: a processor with abm, avx2\n"):
        Module.load_bytes(mod.code)


def test_flags_are_named_as_linux_names_them() -> None:
    flags = Target("llvm -mcpu=sapphirerapids").needed_flags
    assert {"avx512_fp16", "avx512f"} <= {*flags}
    assert Target("llvm -mcpu=neoverse-n1").needed_flags == ()

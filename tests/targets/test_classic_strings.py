"""Targets as other compilers spell them: each compiles, or the error says what to use instead."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from xdsl.parser import Parser

import tilewright
from tilewright import te
from tilewright.driver.module.compiled_module import CompiledModule
from tilewright.driver.report.texts import source_at, text_of
from tilewright.driver.request import OwnModule, request_for
from tilewright.machines.target import Target
from tilewright.support.diagnostics import TargetError
from tilewright.support.registry import new_context

from ..sweeps import NIGHTLY
from .cpu.machine_models import referenced

CLASSIC: Mapping[str, tuple[str, str]] = {
    # The text that get_source prints, and words of its code.
    "llvm": ("asm", "vfmadd|mulps"),
    "llvm -mcpu=skylake-avx512": ("asm", "zmm"),
    "llvm -mtriple=aarch64-linux-gnu -mcpu=cortex-a72": ("asm", "fmla"),
    "llvm -mtriple=aarch64-linux-android": ("asm", "fmla"),
    "llvm -mtriple=arm64-apple-macos": ("asm", "fmla"),
    "llvm -mtriple=riscv64-unknown-linux-gnu -mcpu=generic-rv64 -mattr=+v": ("asm", "vset"),
    "llvm -mtriple=wasm32 -mattr=+simd128": ("asm", "f32x4.mul"),
    "hexagon -mcpu=v68": ("asm", "sfmpy"),
    "cuda -arch=sm_80": ("cuda", "__global__"),
    "cuda -arch=sm_72": ("ptx", ".target sm_72"),
    "opencl": ("opencl", "__kernel"),
    "c -mcpu=cortex-m4": ("c", "for ("),
    "metal": ("metal", "kernel void"),
    "rocm": ("amdgcn", "s_endpgm"),
    "webgpu": ("wgsl", "@compute"),
}
"""The strings that compile."""
NAMES = ("vector addition", "product", "CNN") if NIGHTLY else ("vector addition", "product")
MISSING = {
    "cuda -arch=sm_61": "opencl",
}
"""The strings that are refused, and what the error suggests."""


def sum_of(size: int, text: str) -> CompiledModule:
    """Return the sum of two vectors, as tensor expressions, for a target."""
    a, b = (te.placeholder((size,), name=each) for each in "ab")
    made = te.compute((size,), lambda i: a[i] + b[i], name="y")
    return tilewright.build([a, b, made], target=text)


def listing(name: str, text: str) -> str:
    """Return the code of a model for a target."""
    kind = CLASSIC[text][0]
    if name == "vector addition":
        # For a system without modules, build does not return one.
        module = Parser(new_context(), sum_of(1027, "llvm").get_source("te")).parse_module()
        request = request_for(OwnModule(module), target=text, cache=False)
        return text_of(request, kind)[0]
    return source_at(referenced(name)[0], kind, target=text, strict_plan=True)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("text", CLASSIC)
def test_a_classic_string_compiles(text: str) -> None:
    words = CLASSIC[text][1].split("|")
    sources = [listing(name, text) for name in NAMES]
    assert any(word in sources[1] for word in words), sources[1][:2000]
    assert len(set(sources)) == len(NAMES)


@pytest.mark.parametrize("text", MISSING)
def test_a_classic_string_without_a_backend_names_another(text: str) -> None:
    with pytest.raises(TargetError) as caught:
        Target(text)
    assert MISSING[text] in str(caught.value)


def test_sources_of_three_targets_begin_differently() -> None:
    texts = "llvm -mcpu=skylake-avx512", "llvm -mtriple=aarch64-linux-gnu", "opencl"
    starts = {sum_of(64, text).get_source()[:500] for text in texts}
    assert len(starts) == 3

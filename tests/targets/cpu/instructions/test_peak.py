"""The peak loops: multiply-adds on registers only, and a sum that reads a whole array."""

from __future__ import annotations

import re

import numpy as np
import pytest

from tilewright.codegen.llvm import Machine, assembly_of
from tilewright.machines.target import Target
from tilewright.runtime.measure.roofline import ComputeLoop, MemoryLoop
from tilewright.targets.cpu.instructions.peak import fma_loop, limit_loops


@pytest.mark.parametrize(("cpu", "sums", "lanes"), [("x86-64-v3", 13, 8), ("x86-64-v4", 29, 16)])
def test_the_loop_touches_no_memory(cpu: str, sums: int, lanes: int) -> None:
    machine = Machine("x86_64-unknown-linux-gnu", cpu=cpu)
    assembly = assembly_of(fma_loop(sums=sums, lanes=lanes), machine)
    loop = re.search(r"^\.LBB0_1:.*?\bjl\b", assembly, re.DOTALL | re.MULTILINE)
    assert loop is not None, assembly
    assert len(re.findall(r"vfmadd\w*ps", loop.group())) == sums
    assert "(%r" not in loop.group()


def test_the_peak_of_this_machine_is_plausible() -> None:
    if not Target.native().has_fma:
        pytest.skip("no fused multiply-add")
    assert 1e9 < ComputeLoop(limit_loops(), steps=1000).peak(2) < 1e12


@pytest.mark.parametrize("count", [1024, 4096 + 777])
def test_reading_adds_up_what_it_says_it_reads(count: int) -> None:
    loop = MemoryLoop(limit_loops(), np.ones(count, np.float32))
    loop()
    assert 4 * sum(loop.sums) == loop.bytes
    assert 0 <= 4 * count - loop.bytes < 4096

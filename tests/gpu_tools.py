"""Tests with the assembler of CUDA and the linker for AMD's GPUs."""

from __future__ import annotations

import pytest

from tilewright import CompiledModule
from tilewright.codegen.code_object import find_lld
from tilewright.codegen.ptx import find_ptxas

needs_ptxas = pytest.mark.skipif(
    find_ptxas() is None, reason="no ptxas: pip install tilewright[cuda]"
)
needs_lld = pytest.mark.skipif(find_lld() is None, reason="no LLD: pip install tilewright[rocm]")


def expect_no_spills(module: CompiledModule, *, kernels: int | None = None) -> None:
    """Check that no kernel of a CUDA module spills registers.

    kernels: the expected number of kernels; None: any.
    """
    used = module.kernel_resources()
    assert kernels is None or len(used) == kernels
    assert {(each.spill_bytes, each.stack_bytes) for each in used.values()} == {(0, 0)}, used

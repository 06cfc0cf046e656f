"""Text to module, and results of main before and after passes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser

from tilewright.dialects.te import ComputeOp, KernelOp, kernels_of
from tilewright.interp.te import run
from tilewright.support.registry import find_pass, new_context
from tilewright.support.verify import verify_module as verify


def parse(text: str) -> ModuleOp:
    """Parse and verify a module."""
    module = Parser(new_context(), text).parse_module()
    verify(module)
    return module


def apply(module: ModuleOp, *names: str) -> ModuleOp:
    """Run passes on a copy, verifying after each; return the copy."""
    module = module.clone()
    for name in names:
        find_pass(name)().apply(Context(), module)
        verify(module)
    return module


def computes(module: ModuleOp) -> list[ComputeOp]:
    """Every compute, in order."""
    return [op for op in module.walk() if isinstance(op, ComputeOp)]


def kernels(module: ModuleOp) -> list[KernelOp]:
    """Every kernel, in order."""
    return kernels_of(module)


def assert_same_results(
    before: ModuleOp, after: ModuleOp, shapes: Sequence[Sequence[int]], *, exact: bool = True
) -> None:
    """Run main of both on equal random inputs and compare."""
    rng = np.random.default_rng(0)
    inputs = [rng.standard_normal(s).astype(np.float32) for s in shapes]
    for left, right in zip(run(before, *inputs), run(after, *inputs), strict=True):
        if exact:
            np.testing.assert_array_equal(left, right)
        else:
            np.testing.assert_allclose(left, right, rtol=1e-5, atol=1e-5)

"""Run passes on modules, and compare the results of main before and after."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from xdsl.dialects.builtin import ModuleOp

from tilewright.dialects.te import ComputeOp, KernelOp, kernels_of
from tilewright.testing.pass_case import check_same_results, parsed, run_passes

parse = parsed


def apply(module: ModuleOp, *names: str) -> ModuleOp:
    """Run passes on a copy, verifying after each; return the copy."""
    return run_passes(module, ",".join(names))


def computes(module: ModuleOp) -> list[ComputeOp]:
    """Return all computes, in order."""
    return [op for op in module.walk() if isinstance(op, ComputeOp)]


def kernels(module: ModuleOp) -> list[KernelOp]:
    """Return all kernels, in order."""
    return kernels_of(module)


def assert_same_results(
    before: ModuleOp, after: ModuleOp, shapes: Sequence[Sequence[int]], *, exact: bool = True
) -> None:
    """Run main of both on equal random inputs and compare."""
    rng = np.random.default_rng(0)
    inputs = [rng.standard_normal(s).astype(np.float32) for s in shapes]
    check_same_results(before, after, inputs, exact=exact)

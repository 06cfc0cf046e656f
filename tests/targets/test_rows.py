"""Plans of reductions, normalizations and movement: vectors for every shape, right in each."""

from __future__ import annotations

import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp

from tilewright.driver.check import random_inputs, validate_pipeline
from tilewright.driver.pipeline import run_pipeline
from tilewright.support.registry import new_context
from tilewright.support.target import Target

from . import programs

TINY_L2 = [
    Target(f"llvm -mcpu={cpu} -l1-kib=1 -l2-kib=4")
    for cpu in ("x86-64", "x86-64-v3", "x86-64-v4", "neoverse-n1")
]
"""Rows of small tensors leave these caches, so that plans prefetch them."""


def check(module: ModuleOp, target: Target) -> None:
    """Every pass keeps the results; inputs of one sign, so that sums agree to rounding."""
    validate_pipeline(module, target, [np.abs(x) for x in random_inputs(module)])


def softmax_of_parts(rows: int, parts: int, size: int) -> ModuleOp:
    """Softmax over rows that are stored as some parts, whose size no vector need divide."""
    return programs.softmax_of_reshaped((rows, parts, size), (rows, parts * size))


@pytest.mark.parametrize("target", TINY_L2, ids=str)
def test_rows_of_a_reshaped_tensor_are_prefetched(target: Target) -> None:
    for parts, size in [(3, 14), (14, 14), (2, 15), (9, 5), (4, 16), (2, 33), (13, 3)]:
        planned = softmax_of_parts(40, parts, size)
        run_pipeline(planned, new_context(), target, to="loop")
        assert "loop.prefetch" in str(planned), (parts, size)


def test_prefetches_of_a_reshaped_tensor_change_nothing() -> None:
    check(softmax_of_parts(40, 3, 14), TINY_L2[1])

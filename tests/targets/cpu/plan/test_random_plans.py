"""The CPU planner on random shapes: every pass keeps what a program computes."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tilewright.driver.passes.check import validate_pipeline
from tilewright.interp.program import random_inputs
from tilewright.machines.target import Target

from ....sweeps import examples
from ... import programs
from .test_plan import AVX2, AVX512, SMALL_CACHES, SSE2, check

TARGETS = st.sampled_from(
    [SSE2, AVX2, AVX512, SMALL_CACHES, Target("llvm -mcpu=x86-64 -l1-kib=1 -l2-kib=4")]
)
FUZZ, FEW = examples(4), examples(2)


def extent(most: int = 40) -> st.SearchStrategy[int]:
    return st.integers(1, most)


@pytest.mark.slow
@FUZZ
@given(TARGETS, extent(), extent(), extent())
def test_random_matmul(target: Target, m: int, n: int, k: int) -> None:
    check(programs.matmul(m, n, k), target)


@pytest.mark.slow
@FUZZ
@given(TARGETS, extent(30), extent(80), extent(40), st.booleans())
def test_random_dynamic_matmul(target: Target, m: int, n: int, k: int, transpose: bool) -> None:
    check(programs.dynamic(m, n, k, transposed=transpose), target)


@pytest.mark.slow
@FUZZ
@given(TARGETS, extent(4), extent(20), extent(), extent(20), st.booleans())
def test_random_batched_matmul(
    target: Target, b: int, m: int, n: int, k: int, transposed: bool
) -> None:
    check(programs.batched(b, m, n, k, transposed=transposed), target)


@pytest.mark.slow
@FEW
@given(
    TARGETS,
    st.sampled_from([1, 3, 4, 8, 12, 16, 24, 40]),
    st.sampled_from([1, 4, 6, 8, 16, 20, 24, 32]),
    st.integers(3, 9),
    st.sampled_from([1, 2, 3]),
    st.sampled_from([1, 2]),
    st.booleans(),
)
def test_random_conv(
    target: Target, c: int, o: int, size: int, kernel: int, stride: int, chain: bool
) -> None:
    # The pool after a chain needs at least two positions.
    size = max(size, 4) if chain else size
    check(programs.conv(c, o, size, kernel, stride=stride, chain=chain), target)


@pytest.mark.slow
@FEW
@given(
    TARGETS,
    st.sampled_from([1, 4, 8, 12, 16]),
    st.sampled_from([1, 4, 8, 16, 24]),
    st.integers(2, 4),
    st.integers(4, 9),
)
def test_random_grouped(target: Target, c: int, o: int, groups: int, size: int) -> None:
    check(programs.conv(c * groups, o * groups, size, 3, groups=groups), target)


@pytest.mark.slow
@FEW
@given(
    TARGETS, st.sampled_from([1, 3, 4, 8, 12, 16, 20]), st.integers(4, 12), st.sampled_from([1, 2])
)
def test_random_depthwise(target: Target, c: int, size: int, stride: int) -> None:
    check(programs.conv(c, c, size, 3, stride=stride, groups=c), target)


@pytest.mark.slow
@FUZZ
@given(
    TARGETS,
    extent(20),
    st.integers(3, 12),
    st.integers(1, 3),
    st.integers(1, 3),
    st.sampled_from(["max", "avg", "sum"]),
)
def test_random_pool(
    target: Target, c: int, size: int, kernel: int, stride: int, kind: str
) -> None:
    pad = 1 if kernel == 3 and size % 2 else 0
    check(programs.pool(c, size, kernel, stride, kind, pad), target)


@pytest.mark.slow
@FUZZ
@given(TARGETS, st.lists(extent(), min_size=1, max_size=2), extent())
def test_random_softmax(target: Target, outer: list[int], columns: int) -> None:
    check(programs.softmax(*(min(n, 12) for n in outer), columns), target)


@pytest.mark.slow
@FUZZ
@given(TARGETS, extent(20), extent())
def test_random_layer_norm(target: Target, rows: int, columns: int) -> None:
    check(programs.layer_norm(rows, columns), target)


@pytest.mark.slow
@FUZZ
@given(TARGETS, st.lists(extent(16), min_size=1, max_size=3))
def test_random_elementwise(target: Target, shape: list[int]) -> None:
    check(programs.elementwise(*shape), target)


@pytest.mark.slow
@FUZZ
@given(
    TARGETS,
    st.lists(extent(14), min_size=1, max_size=3).flatmap(
        lambda shape: st.tuples(st.just(shape), st.permutations(range(len(shape))))
    ),
)
def test_random_transpose(target: Target, case: tuple[list[int], list[int]]) -> None:
    check(programs.transpose(*case), target)


@pytest.mark.slow
@FUZZ
@given(
    TARGETS,
    st.lists(extent(70), min_size=1, max_size=3).flatmap(
        lambda shape: st.tuples(st.just(shape), st.sets(st.integers(0, len(shape) - 1), min_size=1))
    ),
)
def test_random_reduction(target: Target, case: tuple[list[int], set[int]]) -> None:
    shape, axes = case
    module = programs.reduction(shape, sorted(axes))
    # Inputs of one sign, so that reordered sums agree to rounding.
    validate_pipeline(module, target, [np.abs(x) for x in random_inputs(module)])

"""Plans of reductions, normalizations and movement: vectorized and right for every shape."""

from __future__ import annotations

import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

from tilewright import compile_module
from tilewright.dialects.sched import ScriptOp, VectorizeOp
from tilewright.dialects.te import ComputeOp, kernels_of
from tilewright.driver.passes.check import validate_pipeline
from tilewright.driver.passes.pipeline import run_pipeline
from tilewright.interp.program import interpret, random_inputs
from tilewright.machines.target import Target
from tilewright.support.registry import new_context

from ... import programs

SSE2 = Target("llvm -mcpu=x86-64")
AVX2, AVX512 = Target("llvm -mcpu=x86-64-v3"), Target("llvm -mcpu=x86-64-v4")

TINY_L2 = [
    Target(f"llvm -mcpu={cpu} -l1-kib=1 -l2-kib=4")
    for cpu in ("x86-64", "x86-64-v3", "x86-64-v4", "neoverse-n1")
]
"""Caches that small tensors exceed, so that plans prefetch their rows."""


def check(module: ModuleOp, target: Target) -> None:
    """Check that every pass keeps the results; inputs of one sign, for sums equal to rounding."""
    validate_pipeline(module, target, [np.abs(x) for x in random_inputs(module)])


def softmax_of_parts(rows: int, parts: int, size: int) -> ModuleOp:
    """Return softmax over rows stored in parts whose size vectors may not divide."""
    return programs.softmax_of_reshaped((rows, parts, size), (rows, parts * size))


@pytest.mark.parametrize("target", TINY_L2, ids=str)
def test_rows_of_a_reshaped_tensor_are_prefetched(target: Target) -> None:
    for parts, size in [(3, 14), (14, 14), (2, 15), (9, 5), (4, 16), (2, 33), (13, 3)]:
        planned = softmax_of_parts(40, parts, size)
        run_pipeline(planned, new_context(), target, to="loop")
        assert "loop.prefetch" in str(planned), (parts, size)


def test_prefetches_of_a_reshaped_tensor_change_nothing() -> None:
    check(softmax_of_parts(40, 3, 14), TINY_L2[1])


def scalar_computes(module: ModuleOp, target: Target) -> list[str]:
    """Plan every kernel; return the computes that the scripts do not vectorize."""
    run_pipeline(module, new_context(), target, to="sched")
    computes = [o for k in kernels_of(module) for o in k.walk() if isinstance(o, ComputeOp)]
    scripts = [o for o in module.ops if isinstance(o, ScriptOp)]
    steps = [o for s in scripts for o in s.walk() if isinstance(o, VectorizeOp)]
    return [c.label for c in computes[: len(computes) - len(steps)]]


SHORT_ROWS = [(18, 13, 9, 5, 2), (6, 11, 7, 7), (2, 3, 4, 5, 6), (40, 3), (5, 1, 30, 3)]
"""Shapes whose last axis is shorter than a vector."""


@pytest.mark.parametrize("target", [AVX2, AVX512], ids=str)
@pytest.mark.parametrize("shape", SHORT_ROWS, ids=str)
def test_short_contiguous_rows_become_one_axis(shape: tuple[int, ...], target: Target) -> None:
    inner = range(1, len(shape))
    for module in (
        programs.elementwise(*shape),
        programs.reduction(shape, range(len(shape))),
        programs.normalized(shape, range(len(shape))),
        programs.normalized(shape, inner if len(shape) > 2 else [0, 1]),
    ):
        assert scalar_computes(module, target) == []


@pytest.mark.parametrize("shape", SHORT_ROWS[:3], ids=str)
def test_axes_that_became_one_keep_the_results(shape: tuple[int, ...]) -> None:
    check(programs.elementwise(*shape), AVX2)
    check(programs.reduction(shape, range(1, len(shape))), AVX2)
    check(programs.normalized(shape, range(1, len(shape))), AVX2)


@pytest.mark.parametrize(
    ("stored", "groups"), [((1, 6, 7, 9), 3), ((2, 8, 5, 5), 4), ((1, 4, 3, 33), 1)]
)
def test_groups_of_channels_are_normalized_along_memory(
    stored: tuple[int, int, int, int], groups: int
) -> None:
    """Test GroupNorm as exported: the channels and pixels of a group are one row."""
    n, c, h, w = stored
    shape = (n, groups, c // groups * h * w)
    assert scalar_computes(programs.normalized(shape, [2], stored), AVX2) == []
    check(programs.normalized(shape, [2], stored), AVX2)


COLUMNS = [((40, 7), 0), ((3, 9, 33), 1), ((2, 17, 5, 6), 1), ((700, 3), 0), ((2, 300, 70), -2)]
"""Shapes and the axis of a softmax that is not the last."""


@pytest.mark.parametrize("target", [AVX2, AVX512], ids=str)
def test_softmax_over_another_axis_has_vectors_of_columns(target: Target) -> None:
    for shape, axis in COLUMNS:
        assert scalar_computes(programs.softmax(*shape, axis=axis), target) == [], shape


@pytest.mark.parametrize(("shape", "axis"), COLUMNS[:3], ids=str)
def test_softmax_over_another_axis_is_right(shape: tuple[int, ...], axis: int) -> None:
    check(programs.softmax(*shape, axis=axis), TINY_L2[1])


@pytest.mark.parametrize(
    ("shape", "is_merged"),
    [((2, 17, 5, 6), True), ((2, 9, 40, 7), True), ((2, 90, 80, 7), False)],
    ids=str,
)
def test_columns_of_several_axes_are_one_axis_of_a_block(
    shape: tuple[int, ...], is_merged: bool
) -> None:
    planned = programs.softmax(*shape, axis=1)
    run_pipeline(planned, new_context(), AVX512, to="sched")
    assert ("columns" in str(planned)) is is_merged
    check(programs.softmax(*shape, axis=1), AVX512)


NARROW_COLUMNS = [((3, 50, 3), 1), ((2, 5, 17, 2), 2), ((6, 9, 6), 1), ((2, 4, 3), 1)]


@pytest.mark.parametrize(("shape", "axis"), NARROW_COLUMNS, ids=str)
def test_softmax_over_narrow_columns_has_whole_vectors(shape: tuple[int, ...], axis: int) -> None:
    """Vectorize exponentials and scaled results along memory, across the ends of rows."""
    planned = programs.softmax(*shape, axis=axis)
    run_pipeline(planned, new_context(), AVX512, to="sched")
    assert str(planned).count("sched.merge_axes") == 2
    check(programs.softmax(*shape, axis=axis), AVX512)


@pytest.mark.parametrize(("size", "times"), [(255, 3), (252, 2), (21, 2), (7, 5)])
def test_repeated_rows_have_vectors_along_one_copy(size: int, times: int) -> None:
    for target in (AVX2, AVX512):
        planned = programs.repeated_rows(3, 5, size, times)
        assert scalar_computes(planned, target) == []
        assert f"= {size}, into = " in str(planned), "rows are split"
    check(programs.repeated_rows(3, 5, size, times), AVX512)


@pytest.mark.parametrize(("channels", "size"), [(64, 14), (40, 9), (24, 7), (8, 5)])
def test_blocks_of_channels_become_rows_in_registers(channels: int, size: int) -> None:
    for target in (AVX2, AVX512, Target("llvm -mcpu=neoverse-n1")):
        lowered = programs.conv_in_blocks_and_rows(16, channels, size)
        run_pipeline(lowered, new_context(), target, to="loop")
        for kernel in list(lowered.walk()):
            if isinstance(kernel, FuncOp) and kernel.sym_name.data.startswith("copy"):
                assert "loop.transpose" in str(kernel)


def test_rows_that_were_blocks_of_channels_are_right() -> None:
    check(programs.conv_in_blocks_and_rows(1, 24, 3), AVX512)
    check(programs.conv_in_blocks_and_rows(1, 8, 5), AVX2)


GATHERED_ROWS = [((5, 32, 33, 2), 0), ((6, 7, 112, 7), 1), ((4, 9, 3), 0)]
"""Shapes and the axis of the gathered slices."""


@pytest.mark.parametrize(("shape", "axis"), GATHERED_ROWS, ids=str)
def test_slices_that_are_gathered_whole_are_one_row(shape: tuple[int, ...], axis: int) -> None:
    planned = programs.gathered_slices(shape, axis)
    assert scalar_computes(planned, AVX512) == []
    assert "sched.merge_axes" in str(planned)
    assert "lanes = 16" in str(planned), "the index of a slice is no lane"
    check(programs.gathered_slices(shape, axis), AVX2)


CONCATS = [
    ([(7, 5, 3), (4, 5, 3)], 0),
    ([(3, 4, 5), (3, 4, 9), (3, 4, 1)], 2),
    ([(2, 1, 6), (2, 3, 6)], 1),
]
"""Shapes of arguments and the axis of concatenation."""


@pytest.mark.parametrize(("shapes", "axis"), CONCATS, ids=str)
def test_a_concat_of_arguments_copies_each(shapes: list[tuple[int, ...]], axis: int) -> None:
    planned = programs.concatenation(shapes, axis)
    run_pipeline(planned, new_context(), AVX2, to="loop")
    assert "loop.cmp" not in str(planned), "no element looks for its operand"
    check(programs.concatenation(shapes, axis), AVX2)


def test_equal_weights_of_a_product_are_packed_as_others() -> None:
    planned = programs.splat_matmul(64, 48, 96)
    run_pipeline(planned, new_context(), AVX2, to="sched")
    assert "sched.pack" in str(planned)
    check(programs.splat_matmul(5, 7, 9), AVX2)


@pytest.mark.parametrize("shape", [(300, 300), (1, 60000)], ids=str)
def test_long_sums_are_made_in_blocks(shape: tuple[int, int]) -> None:
    """Sum equal terms, which always round in the same direction, so that one long sum drifts."""
    module = programs.reduction(shape, [0, 1])
    run_pipeline(module, new_context(), SSE2, to="packed")
    x = np.full(shape, 0.1, np.float32)
    (total,) = interpret(module, [x])
    exact = x.astype(np.float64).sum()
    assert abs(float(total) - exact) < 3e-6 * exact


@pytest.mark.parametrize(
    ("shape", "axes"),
    [
        ((74, 2049, 4), [0, 1, 2]),
        ((40000, 3), [0]),
        ((100, 600, 3), [0, 1]),
        ((100, 300, 2, 7), [0, 1, 3]),
        ((20, 3, 9000), [0, 2]),
        ((1, 3 * 10**5), [1]),
    ],
    ids=str,
)
def test_no_accumulator_gets_many_terms(shape: tuple[int, ...], axes: list[int]) -> None:
    """Compare with f64: numpy's sums over other dimensions than the last differ by up to 3e-4."""
    x = np.random.default_rng(7).standard_normal(shape).astype(np.float32) ** 2
    program = compile_module(str(programs.reduction(shape, axes)), cache=False)
    total = np.asarray(program(x))
    exact = x.astype(np.float64).sum(tuple(axes))
    assert np.max(np.abs(total - exact) / exact) < 1e-6

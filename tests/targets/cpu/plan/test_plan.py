"""The CPU planner: rules against measured values, and correctness of plans."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pytest
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

from tilewright.dialects.te import ComputeOp, kernels_of
from tilewright.driver.passes.check import validate_pipeline
from tilewright.driver.passes.pipeline import run_pipeline
from tilewright.interp.program import random_inputs
from tilewright.machines.cpu_numbers import LoadCosts
from tilewright.machines.target import Target
from tilewright.passes.schedule.apply_schedule import ApplySchedule
from tilewright.support.instruments import PassInfo, PassInstrument
from tilewright.support.registry import new_context
from tilewright.targets.cpu.plan.attention import AttentionPlan, plan_attention_numbers
from tilewright.targets.cpu.plan.tiles import (
    RegisterTile,
    choose_register_tile,
    divisor_at_most,
    even_part,
    even_sections,
    fits_registers,
)

from ... import programs

SSE2 = Target("llvm -mcpu=x86-64")
AVX2 = Target("llvm -mcpu=x86-64-v3")
AVX512 = Target("llvm -mcpu=x86-64-v4")
LARGE_CACHE = Target("llvm -mcpu=x86-64-v3 -l2-kib=2048")
SMALL_CACHES = Target("llvm -mcpu=x86-64-v3 -l1-kib=1 -l2-kib=8")
"""Small caches, so that the rules about caches fire on shapes that the interpreters can run."""

F32_BYTES = 4


def lanes(target: Target) -> int:
    return target.lanes(32)


# -- register tiles ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("target", "rows", "columns", "expected"),
    [
        # Zen 3: 6x16; 4x24 if the width is 7 or 13 (4 + 3 rows beat it at 16 columns).
        (AVX2, 128, 768, RegisterTile(6, 2)),
        (AVX2, 197, 768, RegisterTile(6, 2)),
        (AVX2, 56, 64, RegisterTile(6, 2)),
        (AVX2, 14, 256, RegisterTile(5, 2)),
        (AVX2, 7, 512, RegisterTile(4, 3)),
        (AVX2, 13, 1000, RegisterTile(4, 3)),
        # 32 registers: the tiles without spills in the measurements.
        (AVX512, 128, 768, RegisterTile(13, 2)),
        (AVX512, 28, 128, RegisterTile(10, 2)),
        (AVX512, 56, 64, RegisterTile(12, 2)),
        (AVX512, 7, 512, RegisterTile(7, 3)),
        (SSE2, 128, 768, RegisterTile(6, 2)),
    ],
)
def test_register_tile(target: Target, rows: int, columns: int, expected: RegisterTile) -> None:
    chosen = choose_register_tile(rows, columns, lanes(target), target, LoadCosts(0.04))
    assert chosen == expected


@pytest.mark.parametrize(
    ("target", "rows", "vectors", "fits"),
    [
        (AVX2, 6, 2, True),
        (AVX2, 4, 3, True),
        (AVX2, 7, 2, False),
        (AVX2, 3, 4, False),
        (AVX2, 12, 1, True),
        (AVX2, 14, 1, False),
        (AVX512, 6, 4, True),
        (AVX512, 8, 3, True),
        (AVX512, 13, 2, True),
        (AVX512, 14, 2, False),
        (AVX512, 7, 4, False),
    ],
)
def test_tile_fits_the_registers(target: Target, rows: int, vectors: int, fits: bool) -> None:
    assert fits_registers(rows, vectors, target) is fits


def test_rows_are_split_evenly() -> None:
    assert even_sections(197, 6) == [(1, 5), (32, 6)]
    assert even_sections(14, 5) == [(1, 4), (2, 5)]
    assert even_sections(12, 6) == [(2, 6)]
    assert even_part(3072, 384) == 384
    assert divisor_at_most(128, 16) == 16


# -- matrix products --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("module", "steps"),
    [
        # Row pitches of 4 KB cause cache-conflict misses: copy a panel of 24 columns at a time.
        (lambda: programs.dynamic(256, 1024, 1024), ("cache_read", "{c1 = 24, c0 = 4}")),
        # Row pitches of 3 KB do not.
        (lambda: programs.dynamic(64, 768, 64), ("{n = 16}",)),
        # Non-contiguous columns: copy square tiles of one vector.
        (lambda: programs.dynamic(64, 64, 64, transposed=True), ("cache_read", "{c1 = 8, c0 = 8}")),
    ],
    ids=["far", "near", "transposed"],
)
def test_dynamic_operands_are_packed(
    module: Callable[[], ModuleOp], steps: tuple[str, ...]
) -> None:
    planned = module()
    run_pipeline(planned, new_context(), AVX2, to="sched")
    script = str(planned)
    assert all(step in script for step in steps)
    assert ("cache_read" in script) is ("cache_read" in steps)


@pytest.mark.parametrize("k", [1100, 1101, 1103, 2048, 4096])
def test_blocks_of_the_reduction_are_whole_unrolled_steps(k: int) -> None:
    run_pipeline(programs.matmul(128, 32, k), new_context(), AVX2, to="scheduled")


# -- Whole plans -------------------------------------------------------------------------------


@dataclass(frozen=True)
class Shape:
    """A full-size program with bounds on its code size, and a small one to run.

    leaves: computes of one kernel after scheduling.  loop_ops: ops of its function.
    """

    name: str
    full: Callable[[], ModuleOp]
    small: Callable[[], ModuleOp]
    leaves: int = 6
    loop_ops: int = 800


P = programs
SHAPES = [
    Shape("matmul", lambda: P.matmul(128, 768, 768), lambda: P.matmul(16, 48, 24)),
    Shape("matmul ragged", lambda: P.matmul(125, 333, 700), lambda: P.matmul(13, 35, 22)),
    Shape("matmul k blocks", lambda: P.matmul(128, 768, 3072), lambda: P.matmul(5, 16, 1030)),
    Shape("matmul square", lambda: P.matmul(1024, 1024, 1024), lambda: P.matmul(40, 24, 40)),
    Shape("gemv", lambda: P.matmul(1, 1000, 2048), lambda: P.matmul(1, 100, 30)),
    Shape("batched", lambda: P.batched(12, 128, 64, 128), lambda: P.batched(3, 13, 20, 9)),
    Shape(
        "batched transposed",
        lambda: P.batched(12, 197, 197, 64, transposed=True),
        lambda: P.batched(2, 13, 21, 10, transposed=True),
    ),
    Shape("transposed", lambda: P.transposed(100, 200, 300), lambda: P.transposed(7, 18, 13)),
    Shape("conv 1x1", lambda: P.conv(256, 64, 56, 1), lambda: P.conv(16, 24, 6, 1)),
    Shape("conv 1x1 blocks", lambda: P.conv(1024, 256, 14, 1), lambda: P.conv(136, 8, 4, 1)),
    Shape(
        "conv 1x1 stride 2",
        lambda: P.conv(256, 512, 56, 1, stride=2),
        lambda: P.conv(8, 16, 7, 1, stride=2),
    ),
    # The leaves of two widths, ragged channels and three reduction parts multiply.
    Shape("conv 1x1 7", lambda: P.conv(512, 2048, 7, 1), lambda: P.conv(72, 32, 7, 1), 12),
    Shape("conv 3x3", lambda: P.conv(64, 64, 56, 3), lambda: P.conv(8, 16, 6, 3)),
    Shape(
        "conv 3x3 stride 2",
        lambda: P.conv(128, 128, 56, 3, stride=2),
        lambda: P.conv(8, 16, 7, 3, stride=2),
    ),
    Shape("conv by tiles", lambda: P.conv(128, 64, 112, 3), lambda: P.conv(32, 32, 30, 3)),
    Shape("conv by tiles, apart", lambda: P.conv(64, 64, 28, 3), lambda: P.conv(32, 32, 9, 3)),
    Shape("conv 3x3 14", lambda: P.conv(256, 256, 14, 3), lambda: P.conv(16, 8, 14, 3)),
    Shape("conv 3x3 7", lambda: P.conv(512, 512, 7, 3), lambda: P.conv(16, 24, 7, 3), 12),
    Shape(
        "conv first layer",
        lambda: P.conv(3, 64, 224, 7, stride=2, chain=False),
        lambda: P.conv(3, 16, 11, 7, stride=2, chain=False),
        8,
    ),
    Shape(
        "conv first layer 3x3",
        lambda: P.conv(3, 32, 224, 3, chain=False),
        lambda: P.conv(3, 8, 9, 3, chain=False),
    ),
    Shape(
        "depthwise",
        lambda: P.conv(144, 144, 56, 3, groups=144),
        lambda: P.conv(8, 8, 7, 3, groups=8),
        8,  # The rows of the copy of the result are divided unevenly among the cores.
    ),
    Shape(
        "conv grouped 5x5",
        lambda: P.conv(96, 256, 27, 5, groups=2),
        lambda: P.conv(32, 48, 7, 3, groups=2),
    ),
    Shape(
        "conv grouped, no block fits",
        lambda: P.conv(136, 136, 28, 1, groups=4),
        lambda: P.conv(12, 12, 7, 1, groups=2),
    ),
    Shape(
        "conv grouped of blocks",
        lambda: P.conv(64, 112, 28, 1, groups=4),
        lambda: P.conv(16, 20, 7, 3, groups=2),
    ),
    Shape("pool", lambda: P.pool(64, 112, 3, 2), lambda: P.pool(8, 11, 3, 2)),
    Shape("pool padded", lambda: P.pool(64, 56, 3, 2, pad=1), lambda: P.pool(3, 9, 3, 2, pad=1)),
    Shape(
        "local response",
        lambda: P.local_response(64, 56, 5),
        lambda: P.local_response(9, 7, 5),
    ),
    Shape("softmax", lambda: P.softmax(1536, 128), lambda: P.softmax(5, 37)),
    Shape("layer norm", lambda: P.layer_norm(128, 768), lambda: P.layer_norm(6, 50)),
    Shape("elementwise", lambda: P.elementwise(1024, 1024), lambda: P.elementwise(19, 40)),
    Shape(
        "transpose",
        lambda: P.transpose((12, 128, 64), (1, 0, 2)),
        lambda: P.transpose((5, 6, 35), (1, 0, 2)),
    ),
    Shape(
        "transpose inner",
        lambda: P.transpose((768, 128), (1, 0)),
        lambda: P.transpose((21, 34), (1, 0)),
    ),
]


def check(module: ModuleOp, target: Target) -> None:
    """Check that every pass keeps the program's results."""
    validate_pipeline(module, target, random_inputs(module))


def code_sizes(module: ModuleOp, target: Target) -> dict[str, tuple[int, int]]:
    """Lower to loops; return leaves (without halo fills) and loop ops of every kernel."""
    leaves: dict[str, int] = {}

    class Count(PassInstrument):
        def run_after_pass(self, module: ModuleOp, info: PassInfo) -> None:
            if isinstance(info.step, ApplySchedule):
                for kernel in kernels_of(module):
                    computes = [op for op in kernel.walk() if isinstance(op, ComputeOp)]
                    leaves[kernel.label] = sum(op.label != "halo" for op in computes)

    run_pipeline(module, new_context(), target, to="loop", instruments=[Count()])
    functions = [op for op in module.ops if isinstance(op, FuncOp)]
    sizes = {f.sym_name.data: sum(1 for _ in f.walk()) for f in functions}
    return {name: (leaves[name], sizes[name]) for name in leaves}


@pytest.mark.parametrize("target", [AVX2, AVX512], ids=["avx2", "avx512"])
@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.name)
def test_code_stays_small(shape: Shape, target: Target) -> None:
    for name, (leaves, ops) in code_sizes(shape.full(), target).items():
        assert leaves <= shape.leaves, name
        assert ops <= shape.loop_ops, name


HEAVY = (
    "matmul k blocks",
    "conv 1x1 blocks",
    "conv 1x1 7",
    "conv by tiles",
    "conv by tiles, apart",
    "conv 3x3 14",
    "conv 3x3 7",
    "conv first layer",
)


# "conv by tiles, apart" has the same kernels for fewer pixels; the others have shapes of a kind.
LONGEST = ("conv by tiles", "conv 1x1 7", "conv 3x3 7", "conv grouped 5x5")


def marks_of(shape: Shape) -> list[pytest.MarkDecorator]:
    """Return the markers of a shape by the time that it takes."""
    return [pytest.mark.slow] * (shape.name in HEAVY) + [pytest.mark.nightly] * (
        shape.name in LONGEST
    )


RATED = [pytest.param(shape, id=shape.name, marks=marks_of(shape)) for shape in SHAPES]


@pytest.mark.parametrize("shape", RATED)
def test_plans_keep_the_results(shape: Shape) -> None:
    check(shape.small(), AVX2)


@pytest.mark.nightly
@pytest.mark.parametrize("shape", RATED)
def test_plans_for_small_caches_keep_the_results(shape: Shape) -> None:
    check(shape.small(), SMALL_CACHES)


# -- Shapes of one rule -------------------------------------------------------------------------


def test_a_group_that_no_block_fits_is_a_product_of_rows() -> None:
    module = programs.conv(136, 136, 28, 1, groups=4, chain=False)
    run_pipeline(module, new_context(), AVX512, to="sched")
    script = str(module)
    assert "{o = 34, into = [oo, oi]}" in script
    # 12 rows by both vectors of a line of pixels.
    assert "{oi = 12, even = [oi]}" in script
    assert "{axis = w, lanes = 16" in script


@pytest.mark.parametrize(
    ("module", "rows"),
    [
        # The window slides along the width.
        (lambda: programs.pool(16, 33, 3, 1), "h = 8"),
        # The window slides along channels, and rows share nothing.
        (lambda: programs.local_response(16, 32, 5), "h = 1"),
    ],
    ids=["pool", "channels"],
)
def test_rows_that_share_taps_are_taken_together(module: Callable[[], ModuleOp], rows: str) -> None:
    planned = module()
    run_pipeline(planned, new_context(), AVX2, to="sched")
    assert rows in str(planned)


@pytest.mark.parametrize(
    ("module", "step"),
    [
        # Vectorize along the row, not along a column.  Eight partial sums hide the latency of adds:
        # 4 cycles on 2 ports.
        (lambda: programs.reduction((64, 1024), [1]), "{axis = j, lanes = 8, j = 8}"),
        # Rows shorter than a vector: one row per lane, in blocks of rows.
        (lambda: programs.softmax(64, 7), "{axis = i, lanes = 8, j = 0}"),
        # Rows that fill a vector: along the row.
        (lambda: programs.softmax(64, 8), "{axis = j, lanes = 8, j = 1}"),
        # Vectorize along as many vectors of columns as registers hold: 11 equal parts of 12.
        (lambda: programs.reduction((1024, 1024), [0]), "{j = 96}"),
        # Several rows of narrow results hide the latency of adds.
        (lambda: programs.reduction((40, 62, 13), [1]), "{b = 4, j = 13, even = [b]}"),
        # Square tiles of one vector by as many rows, the rows innermost.
        (lambda: programs.transpose((256, 256), (1, 0)), "{j = 8, i = 8, even = [i]}"),
    ],
    ids=["rows", "short rows", "full vectors", "columns", "narrow columns", "transpose"],
)
def test_memory_is_read_along_its_rows(module: Callable[[], ModuleOp], step: str) -> None:
    planned = module()
    run_pipeline(planned, new_context(), AVX2, to="sched")
    assert step in str(planned)


@pytest.mark.parametrize("axis", range(3))
def test_a_scanned_axis_is_not_split_into_tasks(axis: int) -> None:
    """Split the other axes into tasks; run the scanned axis in order."""
    check(programs.scan((9, 36, 43), axis), Target.native())


@pytest.mark.parametrize("axis", range(3))
def test_a_scanned_axis_is_not_shared(axis: int) -> None:
    check(programs.reduce_then_scan((2, 9, 10), axis), Target.native())


@pytest.mark.parametrize(
    ("target", "queries", "keys", "expected"),
    [
        # All rows of a block are in tiles of one height.
        (AVX512, 128, 128, AttentionPlan(64, 128, RegisterTile(8, 2), RegisterTile(8, 2), 4)),
        (AVX512, 384, 384, AttentionPlan(64, 384, RegisterTile(12, 2), RegisterTile(8, 2), 4)),
        (AVX2, 128, 128, AttentionPlan(32, 128, RegisterTile(6, 2), RegisterTile(6, 2), 4)),
        # Products without FMA need additional registers.
        (SSE2, 128, 128, AttentionPlan(32, 128, RegisterTile(4, 2), RegisterTile(4, 2), 4)),
        # The last block has another size: shorter loops, or the code would double.
        (AVX512, 197, 197, AttentionPlan(64, 197, RegisterTile(13, 2), RegisterTile(8, 2), 2)),
        # A block has at most all queries.
        (AVX512, 20, 64, AttentionPlan(20, 64, RegisterTile(8, 2), RegisterTile(10, 2), 4)),
        # Rows of scores and exponentials do not fit in half of L2: use blocks of keys.
        (AVX2, 4096, 4096, AttentionPlan(32, 128, RegisterTile(6, 2), RegisterTile(6, 2), 2)),
        # No size near the block size divides the keys: the last block is smaller.
        (AVX2, 64, 4099, AttentionPlan(32, 128, RegisterTile(6, 2), RegisterTile(6, 2), 2)),
        (AVX512, 64, 5003, AttentionPlan(64, 128, RegisterTile(8, 2), RegisterTile(8, 2), 4)),
    ],
)
def test_attention(target: Target, queries: int, keys: int, expected: AttentionPlan) -> None:
    lanes = target.lanes(32)
    assert plan_attention_numbers(queries, keys, 64, lanes, 4, target) == expected


@pytest.mark.parametrize(("keys", "queries"), [(128, 64), (9000, 16)])
def test_sums_that_are_rounded_take_all_keys_at_once(keys: int, queries: int) -> None:
    plan = plan_attention_numbers(512, keys, 64, 16, 2, AVX512, 0.5, online=False)
    assert (plan.queries, plan.keys) == (queries, keys)


def test_values_that_leave_the_cache_are_read_in_blocks() -> None:
    assert plan_attention_numbers(512, 512, 128, 16, 4, AVX512).keys == 512
    assert plan_attention_numbers(512, 512, 512, 16, 4, AVX512).keys == 128


@pytest.mark.parametrize(
    ("target", "queries", "keys", "seen", "expected"),
    [
        (AVX512, 1024, 1024, 0.5, (32, 32)),
        (AVX2, 1024, 1024, 0.5, (32, 32)),
        (AVX512, 64, 64, 0.5, (16, 16)),
        # A chunk after a long cache reads nearly all of the cache.
        (AVX512, 64, 448, 0.93, (64, 448)),
        # Blocks need not divide the keys or the queries.
        (AVX512, 197, 197, 0.5, (32, 32)),
        (AVX2, 1000, 1000, 0.5, (32, 32)),
    ],
)
def test_masked_attention(
    target: Target, queries: int, keys: int, seen: float, expected: tuple[int, int]
) -> None:
    lanes = target.lanes(32)
    plan = plan_attention_numbers(queries, keys, 64, lanes, 4, target, seen)
    assert (plan.queries, plan.keys) == expected

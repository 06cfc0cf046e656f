"""Op cases, larger shapes and random programs as machine code, against the graph interpreter.

The code runs in a worker process on arrays that touch inaccessible pages, first before, then after
them, so that a read or write outside an argument fails the test. Code that the host cannot run is
only compiled.

Elementwise ops and movements have the exactness of their case: integers, bools and results rounded
once (also in f16 and bf16) bit by bit, math functions to one epsilon. The compiler chooses the
order of a sum: interp.compare.relative_bound, 1e-5 for f32.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given
from xdsl.dialects.builtin import f32

from tilewright.dialects.graph import (
    ArgReduceOp,
    CumulativeOp,
    MatmulOp,
    NormalizeOp,
    ReduceOp,
    SoftmaxOp,
    TransposeOp,
)
from tilewright.interp.compare import expect_close
from tilewright.interp.graph import run_graph
from tilewright.machines.target import Target
from tilewright.testing.emulator import emulate
from tilewright.testing.native import Native
from tilewright.testing.op_case import check_native

from ..passes.graph.programs import Sample, inputs_for, main_of, programs
from ..sweeps import examples, in_turn, sampled
from .case import Input, OpCase, float_input
from .cases import CASES, conv_case, pool_case

TARGETS = {
    "host": str(Target.native()),
    "sse2": "llvm -mcpu=x86-64",
    "avx2": "llvm -mcpu=x86-64-v3",
    "avx512": "llvm -mcpu=skylake-avx512",
    "amx": "llvm -mcpu=sapphirerapids",
}
BY_NAME = {case.name: case for case in CASES}
ARM = "llvm -mcpu=cortex-a72"
"""NEON without any extension."""


def matmul_cases(m: int, n: int, k: int) -> list[OpCase]:
    """Return matrix products with remainders in every direction, in each operand layout."""
    size = f"{m}x{n}x{k}"
    halves = Input("float16", (m, k)), Input("float16", (k, n))
    bytes_ = Input("uint8", (m, k), 0, 255), Input("int8", (k, n), -128, 127)
    return [
        OpCase(f"matmul_{size}", MatmulOp, (float_input(m, k), float_input(k, n)), np.matmul, 16),
        OpCase(
            f"matmul_transposed_{size}",
            lambda a, b: MatmulOp(a, b, transpose_lhs=True, transpose_rhs=True),
            (float_input(k, m), float_input(n, k)),
            lambda a, b: a.T @ b.T,
            16,
        ),
        OpCase(
            f"matmul_batch_{size}",
            lambda a, b: MatmulOp(a, b, transpose_rhs=True),
            (float_input(3, m, k), float_input(3, n, k)),
            lambda a, b: a @ b.swapaxes(1, 2),
            16,
        ),
        OpCase(f"matmul_f16_{size}", lambda a, b: MatmulOp(a, b, acc=f32), halves, np.matmul, 16),
        OpCase(f"matmul_u8_i8_{size}", MatmulOp, bytes_, np.matmul),
    ]


def row_cases(*shape: int, axis: int) -> list[OpCase]:
    """Return ops along one axis."""
    name = f"{'x'.join(map(str, shape))}_{axis}"
    ops = {
        "softmax": lambda v: SoftmaxOp(v, axis),
        "normalize": lambda v: NormalizeOp(v, axes=[axis], eps=1e-5),
        "sum": lambda v: ReduceOp(v, kind="sum", axes=[axis]),
        "max": lambda v: ReduceOp(v, kind="max", axes=[axis]),
        "arg_max": lambda v: ArgReduceOp(v, kind="max", axis=axis),
        "running_sum": lambda v: CumulativeOp(v, kind="sum", axis=axis),
        "turn": lambda v: TransposeOp(v, [*range(len(shape))][::-1]),
    }
    inputs = (float_input(*shape),)
    return [OpCase(f"{op}_{name}", build, inputs, np.copy, 16) for op, build in ops.items()]


def conv_cases() -> list[OpCase]:
    """Return convolutions of the kinds that networks have, with remainders."""
    x = float_input(1, 16, 15, 13)
    around = {"pads": [1] * 4}
    return [
        conv_case("conv_3x3", (x, float_input(33, 16, 3, 3)), **around),
        conv_case("conv_1x1", (x, float_input(48, 16, 1, 1))),
        conv_case("conv_1x1_stride", (x, float_input(17, 16, 1, 1)), strides=[2, 3]),
        conv_case(
            "conv_7x7_stride",
            (float_input(2, 3, 31, 29), float_input(17, 3, 7, 7)),
            strides=[2, 2],
            pads=[3] * 4,
        ),
        conv_case("conv_groups", (x, float_input(24, 8, 3, 3)), groups=2, **around),
        conv_case("conv_depthwise", (x, float_input(16, 1, 3, 3)), groups=16, **around),
        conv_case("conv_multiplier", (x, float_input(32, 1, 5, 5)), groups=16, pads=[2] * 4),
        conv_case("conv_whole_image", (x, float_input(3, 16, 15, 13))),
        conv_case("conv_1d", (float_input(2, 20, 33), float_input(24, 20, 4)), strides=[3]),
        pool_case("pool_max_large", x, [3, 3], kind="max", strides=[2, 2], **around),
        pool_case("pool_avg_large", x, [3, 3], kind="avg", **around),
    ]


SHAPES = [
    *(c for sizes in ((1, 64, 300), (7, 17, 33), (65, 49, 2)) for c in matmul_cases(*sizes)),
    *row_cases(3, 1000, axis=1),
    *row_cases(5, 33, 7, axis=1),
    *row_cases(40, 3, axis=0),
    *conv_cases(),
]
"""Shapes beyond those of the op table: several tiles and a remainder."""


@pytest.fixture(scope="module")
def native() -> Iterator[Native]:
    """Yield one worker process for the tests of this file."""
    with Native() as started:
        yield started


def check(case: OpCase, target: str, native: Native) -> None:
    check_native(case, Target(TARGETS[target]), native)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_machine_code_gives_what_the_interpreter_gives(case, native) -> None:
    check(case, "host", native)


@pytest.mark.parametrize(
    ("name", "target"), in_turn(BY_NAME, [(name,) for name in TARGETS if name != "host"])
)
def test_code_for_other_vector_lengths_gives_what_the_interpreter_gives(
    name: str, target: str, native: Native
) -> None:
    check(BY_NAME[name], target, native)


@pytest.mark.parametrize(
    "case", sampled(CASES, lambda case: case.name, one_in=4, each_family=False)
)
def test_code_for_arm_gives_what_the_interpreter_gives(case) -> None:
    check_native(case, Target(ARM), emulate)


@pytest.mark.slow
@pytest.mark.parametrize("case", sampled(SHAPES, lambda case: case.name, one_in=8))
def test_larger_shapes_with_rests_on_arm(case) -> None:
    check_native(case, Target(ARM), emulate)


@pytest.mark.slow
@pytest.mark.parametrize("target", ["host", pytest.param("sse2", marks=pytest.mark.nightly)])
@pytest.mark.parametrize("case", SHAPES, ids=lambda case: case.name)
def test_larger_shapes_with_rests(case, target, native) -> None:
    check(case, target, native)


@pytest.mark.slow
@pytest.mark.parametrize("target", ["host", pytest.param("sse2", marks=pytest.mark.nightly)])
def test_random_programs(target, native) -> None:
    @given(programs(largest=6))
    @examples(5)
    def run(sample: Sample) -> None:
        inputs = inputs_for(sample.module)
        expected = run_graph(main_of(sample.module), *inputs)
        for results in native(sample.module, tuple(inputs), TARGETS[target]):
            for n, (got, want) in enumerate(zip(results, expected, strict=True)):
                expect_close(got, want, f"result {n}")

    run()

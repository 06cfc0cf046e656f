"""cpu-plan-graph blocks the channels of convolutions and of their consumers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from xdsl.dialects.builtin import AffineMapAttr, ModuleOp, i1, i32
from xdsl.ir import Block, SSAValue

from tilewright.analysis.verify import verify_module
from tilewright.dialects.graph import (
    CastOp,
    ConcatOp,
    ConstantOp,
    ConvOp,
    ConvTransposeOp,
    GatherOp,
    NormalizeOp,
    PadOp,
    PoolOp,
    ReduceOp,
    ResampleOp,
    ReshapeOp,
    SelectOp,
    SliceOp,
    TransposeOp,
)
from tilewright.dialects.te.layout import block_sizes, blocked_layout
from tilewright.machines.target import Target
from tilewright.support.registry import new_context
from tilewright.targets.cpu.choices.plan_graph import CpuPlanGraph, is_depthwise

from ....passes.graph.programs import Body, Graph, Sample, check_pass, main_of, program, programs
from ....sweeps import examples

AVX2, AVX512 = "llvm -mcpu=x86-64-v3", "llvm -mcpu=x86-64-v4"
SSE2 = "llvm -mcpu=x86-64"


def conv(g: Graph, x: SSAValue, outputs: int, *, groups: int = 1, size: int = 1) -> SSAValue:
    shape = x.type.get_shape()
    rank = len(shape) - 2
    w = g.constant(np.ones((outputs, shape[1] // groups, *(size,) * rank)))
    pads = (size // 2,) * rank * 2
    window: dict[str, Any] = {"strides": (1,) * rank, "dilations": (1,) * rank, "pads": pads}
    return g.add(ConvOp(x, w, groups=groups, **window))


def relu(g: Graph, x: SSAValue) -> SSAValue:
    return g.apply("max", x, g.full(0, x))


def blocks(module: ModuleOp, target: str = AVX2) -> list[tuple[str, int]]:
    """Run the pass; return each annotated op with its block of channels, in order."""
    after = check_pass(module, CpuPlanGraph(Target(target)))
    found: list[tuple[str, int]] = []
    for op in main_of(after).body.block.ops:
        layout = op.attributes.get("layout")
        if isinstance(layout, AffineMapAttr):
            found.append((op.name.removeprefix("graph."), block_sizes(layout)[1]))
    return found


def test_the_layout_splits_channels_at_any_rank() -> None:
    assert str(blocked_layout(4, 1, 8).data) == (
        "(d0, d1, d2, d3) -> (d0, (d1 floordiv 8), d2, d3, (d1 mod 8))"
    )
    assert str(blocked_layout(2, 0, 4).data) == "(d0, d1) -> ((d0 floordiv 4), d1, (d0 mod 4))"


def test_wide_rows_that_main_returns_take_no_blocks() -> None:
    def returned(outputs: int, width: int, target: str = AVX2, size: int = 1) -> list[int]:
        def body(g: Graph, x: SSAValue) -> list[SSAValue]:
            return [relu(g, conv(g, x, outputs, size=size))]

        return [block for _, block in blocks(program(body, (1, 3, 24, width)), target)]

    assert returned(12, 40) == []
    assert returned(12, 9) == [4, 4]
    assert returned(16, 40) == []
    assert returned(16, 39) == [8, 8]
    assert returned(16, 60, AVX512) == []
    assert returned(16, 36, AVX512) == [16, 16]


def test_wide_rows_stay_in_blocks_for_long_sums_for_winograd_and_from_blocks() -> None:
    def winograd(g: Graph, x: SSAValue) -> list[SSAValue]:
        return [conv(g, x, 64, size=3)]

    def chain(g: Graph, x: SSAValue) -> list[SSAValue]:
        return [conv(g, conv(g, x, 16), 16)]

    assert blocks(program(winograd, (1, 3, 64, 64)), "llvm -mcpu=znver4") == [("conv", 16)]
    assert blocks(program(winograd, (1, 3, 64, 64)), AVX512) == []
    assert blocks(program(winograd, (1, 8, 64, 64)), AVX512) == [("conv", 16)]
    assert blocks(program(chain, (1, 8, 40, 40))) == [("conv", 8), ("conv", 8)]


def test_short_blocks_stay_where_a_convolution_reads_them() -> None:
    def body(g: Graph, x: SSAValue) -> list[SSAValue]:
        return [conv(g, relu(g, conv(g, x, 12)), 16)]

    assert [block for _, block in blocks(program(body, (1, 3, 6, 40)))] == [4, 4, 8]


def test_a_chain_is_blocked() -> None:
    def body(g: Graph, x: SSAValue) -> list[SSAValue]:
        y = relu(g, conv(g, x, 16, size=3))
        window: dict[str, Any] = {"strides": (2, 2), "dilations": (1, 1), "pads": (0,) * 4}
        y = g.add(PoolOp(y, kind="max", kernel=(2, 2), **window))
        y = g.add(PadOp(y, (0, 0, 1, 1), (0, 0, 1, 1)))
        mask = g.apply("lt", y, g.full(1, y))
        y = g.add(SelectOp(mask, y, g.add(CastOp(mask, y.type.element_type))))
        return [conv(g, y, 32)]

    names = ["conv", "max", "pool", "pad", "lt", "cast", "select", "conv"]
    assert blocks(program(body, (1, 3, 8, 8))) == [(name, 8) for name in names]


@pytest.mark.parametrize(
    ("target", "channels", "block"),
    [
        (AVX512, 32, 16),
        (AVX512, 24, 8),
        (AVX512, 4, 4),
        (AVX512, 2, None),
        (AVX2, 16, 8),
        (AVX2, 12, 4),
        (AVX2, 6, None),
        (SSE2, 12, 4),
        (SSE2, 2, None),
    ],
)
def test_a_block_is_a_vector_or_a_half_or_a_quarter(
    target: str, channels: int, block: int | None
) -> None:
    def body(g: Graph, x: SSAValue) -> list[SSAValue]:
        return [conv(g, conv(g, x, channels), 1)]

    expected = [] if block is None else [("conv", block)]
    assert blocks(program(body, (1, 3, 2, 2)), target) == expected


def test_one_block_has_all_channels_where_other_vectors_are_idle_or_have_no_winograd() -> None:
    def chain(channels: int, size: int, height: int, width: int, target: str) -> list[int]:
        def body(g: Graph, x: SSAValue) -> list[SSAValue]:
            return [conv(g, conv(g, x, channels, size=size), 1)]

        return [block for _, block in blocks(program(body, (1, 40, height, width)), target)]

    assert chain(18, 1, 2, 2, AVX512) == [32]
    assert chain(20, 1, 2, 2, AVX512) == [4]
    assert chain(18, 1, 8, 32, AVX512) == []
    assert chain(58, 3, 28, 28, AVX512) == [64]
    assert chain(58, 3, 28, 28, AVX2) == [64]
    assert chain(58, 1, 28, 28, AVX512) == []
    assert chain(52, 3, 28, 28, AVX512) == [64]
    assert chain(56, 3, 28, 28, AVX512) == [8]


@pytest.mark.parametrize("rank", [1, 2, 3])
def test_any_number_of_spatial_dimensions(rank: int) -> None:
    def body(g: Graph, x: SSAValue) -> list[SSAValue]:
        return [conv(g, conv(g, x, 8), 6)]

    assert blocks(program(body, (1, 3, *(4,) * rank))) == [("conv", 8)]


def test_reshapes_transposes_and_reductions_end_a_chain() -> None:
    def body(g: Graph, x: SSAValue) -> list[SSAValue]:
        y = conv(g, x, 8)
        moved = g.apply("neg", g.transpose(y, 0, 1, 3, 2))
        reshaped = g.apply("neg", g.add(ReshapeOp(y, (1, 8, 2, 8))))
        mean = g.apply("neg", g.add(ReduceOp(y, kind="sum", axes=(2, 3), keep=True)))
        return [g.apply("neg", v) for v in (moved, reshaped, mean)]

    assert blocks(program(body, (1, 3, 4, 4))) == [("conv", 8)]


def test_elementwise_results_are_blocked_for_convolutions_alone() -> None:
    """Imitate a group normalization, whose reshape leaves rows."""

    def body(g: Graph, x: SSAValue) -> list[SSAValue]:
        rows = g.add(ReshapeOp(x, (1, 16, 4, 4)))
        read = g.apply("neg", rows)
        summed = g.apply("exp", rows)
        grouped = g.apply("abs", rows)
        mean = g.add(ReduceOp(summed, kind="sum", axes=(2, 3), keep=True))
        in_groups = conv(g, grouped, 24, groups=8)
        return [
            conv(g, read, 8, size=3),
            conv(g, read, 8),
            conv(g, summed, 8),
            mean,
            conv(g, relu(g, in_groups), 8),
        ]

    found = blocks(program(body, (1, 16, 2, 8)))
    assert found == [("neg", 8), ("conv", 8), ("conv", 8), ("conv", 8), ("conv", 8)]


@pytest.mark.parametrize("returned", [False, True])
def test_the_pass_walks_long_chains_and_many_paths(returned: bool) -> None:
    """Elementwise ops read a value twice; there are 2**500 paths through them."""

    def body(g: Graph, x: SSAValue) -> list[SSAValue]:
        y = conv(g, x, 58, size=3)
        for _ in range(500):
            y = g.apply("mul", y, g.apply("neg", y))
        return [y if returned else conv(g, y, 8)]

    module = program(body, (1, 16, 28, 28))
    CpuPlanGraph(Target(AVX2)).apply(new_context(), module)
    found = sum("layout" in op.attributes for op in module.walk())
    assert found == 1002 - returned


def test_transposed_convolutions_and_affine_resampling_keep_a_chain() -> None:
    def body(g: Graph, x: SSAValue) -> list[SSAValue]:
        y = conv(g, x, 16)
        window: dict[str, Any] = {"strides": (2, 2), "dilations": (1, 1), "pads": (0,) * 4}
        y = g.add(ConvTransposeOp(y, g.constant(np.ones((16, 8, 2, 2))), **window))
        doubled = ConstantOp(np.arange(8, dtype=np.int64)[:, None] // 2)
        y = g.add(ResampleOp(y, g.add(doubled), axis=2))
        jumps = ConstantOp(np.array([[3], [0], [2]], np.int64))
        return [g.add(ResampleOp(y, g.add(jumps), axis=3))]

    expected = [("conv", 8), ("conv_transpose", 8), ("resample", 8)]
    assert blocks(program(body, (1, 3, 2, 2))) == expected


def test_lookups_and_normalizations_of_channels_keep_a_chain() -> None:
    def body(g: Graph, x: SSAValue) -> list[SSAValue]:
        y = conv(g, x, 8)
        y = g.add(NormalizeOp(y, axes=(2, 3), eps=1e-5))
        places = g.add(CastOp(y, i32))
        read = g.add(GatherOp(g.constant(np.arange(5)), places, 0))
        rows = g.add(NormalizeOp(read, axes=(1, 3), eps=1e-5))
        table = g.constant(np.ones((4, 2)))
        return [rows, g.add(GatherOp(table, places, 0))]

    expected = [("conv", 8), ("normalize", 8), ("cast", 8), ("gather", 8)]
    assert blocks(program(body, (1, 3, 2, 2))) == expected


def test_a_concat_needs_the_same_block_everywhere() -> None:
    def joined(*channels: int) -> ModuleOp:
        def body(g: Graph, x: SSAValue) -> list[SSAValue]:
            parts = [conv(g, x, n) for n in channels]
            return [g.add(ConcatOp(parts, 1))]

        return program(body, (1, 3, 2, 2))

    assert blocks(joined(8, 16)) == [("conv", 8), ("conv", 8), ("concat", 8)]
    assert blocks(joined(8, 12)) == [("conv", 8), ("conv", 4)]
    assert blocks(joined(8, 6)) == [("conv", 8)]


def test_parts_of_channels_are_blocked_where_seams_lie_between_blocks() -> None:
    def body(g: Graph, x: SSAValue) -> list[SSAValue]:
        y = conv(g, x, 24)
        parts = [(0, 8), (8, 16), (4, 8)]
        sizes = [(1, size, 2, 2) for _, size in parts]
        cut = [
            g.add(SliceOp(y, (0, start, 0, 0), size, (1, 1, 1, 1)))
            for (start, _), size in zip(parts, sizes, strict=True)
        ]
        return [g.add(ConcatOp(cut[:2], 1)), cut[2]]

    found = blocks(program(body, (1, 3, 2, 2)))
    assert found == [("conv", 8), ("slice", 8), ("slice", 8), ("concat", 8)]


def test_a_pad_of_channels_ends_a_chain() -> None:
    def body(g: Graph, x: SSAValue) -> list[SSAValue]:
        return [g.apply("neg", g.add(PadOp(conv(g, x, 8), (0, 8, 0, 0), (0, 0, 0, 0))))]

    assert blocks(program(body, (1, 3, 2, 2))) == [("conv", 8)]


def test_a_depthwise_convolution_has_its_input_blocked() -> None:
    def body(g: Graph, x: SSAValue) -> list[SSAValue]:
        shuffled = g.add(ReshapeOp(x, (1, 16, 4, 4)))
        return [conv(g, conv(g, shuffled, 16, groups=16, size=3), 1)]

    assert blocks(program(body, (1, 4, 8, 8))) == [("reshape", 8), ("conv", 8)]


def test_depthwise_convolutions_of_wide_rows_of_an_argument_stay() -> None:
    def body(g: Graph, x: SSAValue) -> list[SSAValue]:
        y = conv(g, x, 16, groups=16, size=3)
        return [g.apply("neg", conv(g, y, 16, groups=16, size=3))]

    assert blocks(program(body, (1, 16, 4, 9))) == []
    assert blocks(program(body, (1, 16, 4, 1))) == [("conv", 8), ("conv", 8), ("neg", 8)]


def test_a_depthwise_convolution_of_an_argument_is_blocked_for_a_reader_of_channels() -> None:
    def body(g: Graph, x: SSAValue) -> list[SSAValue]:
        return [g.add(TransposeOp(conv(g, x, 16, groups=16, size=3), [0, 2, 3, 1]))]

    assert blocks(program(body, (1, 16, 4, 9))) == [("conv", 8)]


def test_blocks_of_a_grouped_convolution_divide_its_groups() -> None:
    def body(groups: int) -> Body:
        return lambda g, x: [conv(g, conv(g, x, 16, groups=groups), 16, groups=groups)]

    assert blocks(program(body(2), (1, 16, 4, 4))) == [("conv", 8), ("conv", 8)]
    assert blocks(program(body(4), (1, 16, 4, 4))) == [("conv", 4), ("conv", 4)]
    assert blocks(program(body(8), (1, 16, 4, 4))) == []


def test_a_depthwise_convolution_leaves_rows_to_a_reader_that_no_block_fits() -> None:
    def body(groups: int) -> Body:
        def build(g: Graph, x: SSAValue) -> list[SSAValue]:
            middle = conv(g, g.add(ReshapeOp(x, (1, 24, 4, 4))), 24, groups=24, size=3)
            return [conv(g, middle, 24, groups=groups)]

        return build

    assert blocks(program(body(3), (1, 6, 8, 8))) == [("reshape", 8), ("conv", 8), ("conv", 8)]
    assert blocks(program(body(4), (1, 6, 8, 8))) == []


def test_returned_values_have_a_layout_too() -> None:
    def body(g: Graph, x: SSAValue) -> list[SSAValue]:
        y = conv(g, x, 8)
        return [y, relu(g, y)]

    assert blocks(program(body, (1, 3, 4, 4))) == [("conv", 8), ("max", 8)]


def test_arguments_stay_row_major() -> None:
    def body(g: Graph, x: SSAValue) -> list[SSAValue]:
        return [relu(g, x)]

    assert blocks(program(body, (1, 8, 4, 4))) == []


def test_a_layout_written_by_hand_stays_and_spreads() -> None:
    def body(g: Graph, x: SSAValue) -> list[SSAValue]:
        y = conv(g, x, 16)
        y.owner.attributes["layout"] = blocked_layout(4, 1, 4)
        return [conv(g, relu(g, y), 6)]

    assert blocks(program(body, (1, 3, 4, 4))) == [("conv", 4), ("max", 4)]


def test_the_default_target_is_the_host() -> None:
    def body(g: Graph, x: SSAValue) -> list[SSAValue]:
        return [conv(g, conv(g, x, 64), 1)]

    module = program(body, (1, 3, 2, 2))
    CpuPlanGraph(Target(AVX2)).apply(new_context(), module)
    verify_module(module)
    assert sum("layout" in op.attributes for op in module.walk()) == 1


@st.composite
def networks(draw: Any) -> Sample:
    """Draw random networks of convolutions and layout-preserving ops."""

    def any_of(values: list[SSAValue]) -> SSAValue:
        return values[draw(st.integers(0, len(values) - 1))]

    def body(g: Graph, x: SSAValue) -> list[SSAValue]:
        values = [x]
        for _ in range(draw(st.integers(1, 6))):
            y = any_of(values)
            match draw(st.sampled_from(("conv", "depthwise", "relu", "add", "concat", "reshape"))):
                case "conv":
                    values.append(conv(g, y, draw(st.sampled_from((4, 6, 8, 16)))))
                case "depthwise":
                    values.append(conv(g, y, y.type.get_shape()[1], groups=y.type.get_shape()[1]))
                case "relu":
                    values.append(relu(g, y))
                case "add":
                    other = any_of([v for v in values if v.type == y.type])
                    values.append(g.apply("add", y, other))
                case "concat":
                    values.append(g.add(ConcatOp([y, any_of(values)], 1)))
                case _:
                    values.append(g.add(ReshapeOp(y, y.type.get_shape())))
        return [values[-1]]

    return Sample(program(body, (1, 8, 2, 2)))


def check_after(module: ModuleOp) -> None:
    after = check_pass(module, CpuPlanGraph(Target(AVX2)))
    block = main_of(after).body.block
    for op in block.ops:
        layout = op.attributes.get("layout")
        if layout is None:
            continue
        assert isinstance(layout, AffineMapAttr)
        channels = op.results[0].type.get_shape()[1]
        size = block_sizes(layout)[1]
        assert channels % size == 0 or size == -(-channels // 8) * 8
        assert op.name != "graph.constant"
        if isinstance(op, ConvOp) and is_depthwise(op):
            assert isinstance(op.x.owner, Block) or op.x.owner.attributes["layout"] == layout


@examples(60)
@given(networks())
def test_random_networks_keep_the_rules(sample: Sample) -> None:
    check_after(sample.module)


@examples(30)
@given(programs())
def test_random_programs_keep_the_rules(sample: Sample) -> None:
    check_after(sample.module)


def test_masks_are_stored_like_what_they_compare() -> None:
    def body(g: Graph, x: SSAValue) -> list[SSAValue]:
        y = conv(g, x, 8)
        mask = g.apply("lt", y, g.full(0, y))
        assert mask.type.element_type == i1
        return [g.apply("not", mask)]

    assert blocks(program(body, (1, 3, 2, 2))) == [("conv", 8), ("lt", 8), ("not", 8)]

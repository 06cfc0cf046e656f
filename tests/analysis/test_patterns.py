"""Every kernel is recognised as one of six patterns, with the roles of its axes."""

from __future__ import annotations

import pytest

from tilewright.analysis.patterns.attention import Attention
from tilewright.analysis.patterns.contraction import (
    Contraction,
    contraction_of,
    group_of,
    sliding_axes,
    sums_products,
)
from tilewright.analysis.patterns.convolution import Convolution
from tilewright.analysis.patterns.pattern import Irregular, Pointwise, Reduction, pattern_of
from tilewright.dialects.te import ComputeOp, ComputeView, kernels_of
from tilewright.testing.pass_case import parsed, run_passes

KERNELS = "graph-to-te,te-fuse-elementwise,te-form-attention,te-outline"
X, HALVES, IMAGE = "tensor<2x20x24xf32>", "tensor<2x20x24xf16>", "tensor<1x8x9x9xf32>"
SYMBOLIC = "tensor<?x24xf32, #te.dims<n, 24>>"


def program(arguments: str, result: str, body: str) -> str:
    return f"func.func @main({arguments}) -> {result} {{\n{body}\n func.return %y : {result}\n}}"


PRODUCT = program(
    f"%x: {X}, %w: {X}", "tensor<2x20x20xf32>",
    f"%y = graph.matmul %x, %w transpose_rhs : {X}, {X} -> tensor<2x20x20xf32>",
)  # fmt: skip
GROUPED = program(
    f"%x: {IMAGE}, %w: tensor<6x4x3x3xf32>", "tensor<1x6x4x4xf32>",
    "%y = graph.conv %x, %w strides [2, 2] dilations [1, 1] pads [0, 0, 0, 0] groups 2 "
    f": {IMAGE}, tensor<6x4x3x3xf32> -> tensor<1x6x4x4xf32>",
)  # fmt: skip
ATTENTION = program(
    f"%q: {X}, %k: {X}, %v: {X}", X,
    f"""%s = graph.matmul %q, %k transpose_rhs : {X}, {X} -> tensor<2x20x20xf32>
    %p = graph.softmax %s axis 2 : tensor<2x20x20xf32> -> tensor<2x20x20xf32>
    %y = graph.matmul %p, %v : tensor<2x20x20xf32>, {X} -> {X}""",
)  # fmt: skip


TOP = f"%y, %p = graph.top_k %x axis 2 largest : {X} -> tensor<2x20x3xf32>, tensor<2x20x3xi64>"


def view_of(text: str) -> ComputeView:
    """Return the only compute of a program."""
    (view,) = (
        op.view() for op in run_passes(parsed(text), KERNELS).walk() if type(op) is ComputeOp
    )
    return view


@pytest.mark.parametrize(
    ("text", "pattern"),
    [
        (PRODUCT, Contraction),
        (GROUPED, Convolution),
        (ATTENTION, Attention),
        (program(f"%x: {X}", X, f"%y = graph.softmax %x axis 2 : {X} -> {X}"), Reduction),
        (program(f"%x: {SYMBOLIC}", SYMBOLIC,
                 f"%y = graph.softmax %x axis 1 : {SYMBOLIC} -> {SYMBOLIC}"), Reduction),
        (program(f"%x: {X}", X, f"%y = graph.exp %x : {X}"), Pointwise),
        (program(f"%x: {X}", "tensor<2x20x3xf32>", TOP), Irregular),
    ],
)  # fmt: skip
def test_a_kernel_has_the_pattern_of_its_operator(text: str, pattern: type) -> None:
    (kernel,) = kernels_of(run_passes(parsed(text), KERNELS))
    assert isinstance(pattern_of(kernel), pattern)


def test_a_product_has_rows_columns_and_a_batch() -> None:
    """They are the letters of ``bmk,bnk->bmn`` that numpy's einsum keeps and sums."""
    found = contraction_of(view_of(PRODUCT))
    assert found is not None
    (first, second), (out,) = found.view.inputs, found.view.outputs
    (batch,), (row,), (column,), (sum_,) = found.batch, found.rows, found.columns, found.sums
    assert [e.variable() for e in out.indices or ()] == [batch, row, column]
    assert [e.variable() for e in first.indices or ()] == [batch, row, sum_]
    assert [e.variable() for e in second.indices or ()] == [batch, column, sum_]


def test_a_grouped_convolution_slides_over_its_image() -> None:
    view = view_of(GROUPED)
    image = next(access for access in view.inputs if sliding_axes(view, access))
    assert [(s.stride, s.dilation) for s in sliding_axes(view, image)] == [(2, 1), (2, 1)]
    found = [group_of(view, image, axis) for axis in view.parallel_axes()]
    assert sorted(found) == [0, 0, 0, 3]


def test_only_widening_products_have_16_bit_factors() -> None:
    text = PRODUCT.replace("f32>", "f16>")
    view = view_of(text)
    assert sums_products(view, widens=True)
    assert not sums_products(view)
    assert sums_products(view_of(PRODUCT))

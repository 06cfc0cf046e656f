"""te-merge-axes: axes that every access walks together become one axis, by views of arguments."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from tilewright.dialects.packed import ViewOp
from tilewright.dialects.sched import ScriptOp
from tilewright.dialects.shape import Dim, dims_of
from tilewright.dialects.sizes import record_sizes
from tilewright.dialects.te import SortOp
from tilewright.interp.packed import run
from tilewright.support.entry import entry_of
from tilewright.testing.pass_case import run_passes

from ...sweeps import examples
from ..graph.programs import Sample, inputs_for, programs
from .ir import apply, computes, kernels, parse

MERGE, ALL = "te-merge-axes", "te-merge-all-axes"


def product(
    *,
    x: str = "[b, m, k] : tensor<2x7x4xf32>",
    w: str = "[k, n] : tensor<4x5xf32>",
    post: str = "",
    out: str = "[b, m, n]",
) -> str:
    """Return main with one product of rows, and an addend after the sum."""
    post = post or "[b, m, n] : tensor<2x7x5xf32>"
    shapes = [read.partition(" : ")[2] for read in (x, w, post)]
    result = "tensor<2x7x5xf32>" if out == "[b, m, n]" else "tensor<7x2x5xf32>"
    arguments = ", ".join(f"%{n}: {s}" for n, s in zip("xwp", shapes, strict=True))
    return f"""
func.func @main({arguments}) -> {result} {{
  %y = te.compute @product [b: 2, m: 7, n: 5, k: 4 red] ins(%x{x}, %w{w}) post(%p{post})
      outs({out} add 0.0 : f32 : {result}) body(%i: f32, %j: f32) {{
    %q = arith.mulf %i, %j : f32
    te.yield %q : f32
  }} then(%s: f32, %a: f32) {{
    %t = arith.addf %s, %a : f32
    te.yield %t : f32
  }}
  func.return %y : {result}
}}"""


def merged(text: str, merge: str = MERGE) -> list[dict[str, int]]:
    """Merge the axes of a program, check that it computes the same; return the axes of computes.

    merge: the pass.
    """
    before = apply(parse(text), "te-outline", "te-bufferize")
    after = apply(before, merge)
    shapes = [tuple(a.type.get_shape()) for a in before.body.block.last_op.body.block.args]
    rng = np.random.default_rng(0)
    inputs = [rng.standard_normal(s).astype(np.float32) for s in shapes[:-1]]
    for left, right in zip(run(before, *inputs), run(after, *inputs), strict=True):
        np.testing.assert_array_equal(left, right)
    return [dict(op.view().axes) for op in computes(after)]


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"post": "[n] : tensor<5xf32>"},
        {"x": "[b * 7 + m, k] : tensor<14x4xf32>"},
        {"post": "[b * 7 + m, n] : tensor<14x5xf32>"},
        {"x": "[0, b, m, k] : tensor<1x2x7x4xf32>"},
    ],
)
def test_rows_of_a_product_become_one_axis(changes: dict[str, str]) -> None:
    assert merged(product(**changes)) == [{"m": 14, "n": 5, "k": 4}]


@pytest.mark.parametrize(
    "changes",
    [
        {"w": "[b, k, n] : tensor<2x4x5xf32>"},
        {"post": "[m, n] : tensor<7x5xf32>"},
        {"x": "[m, b, k] : tensor<7x2x4xf32>"},
        {"x": "[b, m, k] : tensor<2x8x4xf32>"},
        {"x": "[b, m + 1, k] : tensor<2x8x4xf32>"},
        {"x": "[b, m - 1, k] pad 0.0 : tensor<2x7x4xf32>"},
        {"x": "[k, b, m] : tensor<4x2x7xf32>"},
        {"x": "[b * 8 + m, k] : tensor<16x4xf32>"},
        {"out": "[m, b, n]"},
    ],
)
def test_axes_that_an_access_walks_in_another_way_stay(changes: dict[str, str]) -> None:
    assert merged(product(**changes)) == [{"b": 2, "m": 7, "n": 5, "k": 4}]


def test_dimensions_that_are_read_by_quotient_and_remainder_become_one() -> None:
    text = """
func.func @main(%x: tensor<2x7x3x4xf32>) -> tensor<42x4xf32> {
  %y = te.compute @copy [i: 42, j: 4]
      ins(%x[i floordiv 21, i floordiv 3 mod 7, i mod 3, j] : tensor<2x7x3x4xf32>)
      outs([i, j] : tensor<42x4xf32>) body(%e: f32) { te.yield %e : f32 }
  func.return %y : tensor<42x4xf32>
}"""
    assert merged(text) == [{"i": 42, "j": 4}]
    after = apply(parse(text), "te-outline", "te-bufferize", MERGE)
    (access,) = computes(after)[0].view().inputs
    assert access.shape == (42, 4)
    assert not any(atom for index in access.indices or () for atom in index.atoms())


def test_an_index_of_both_parts_of_an_axis_merges_no_dimension() -> None:
    text = """
func.func @main(%x: tensor<6x3x5xf32>) -> tensor<6x3x5xf32> {
  %y = te.compute @same [c: 6, h: 3, w: 5]
      ins(%x[(c floordiv 2) * 2 + c mod 2, h, w] : tensor<6x3x5xf32>)
      outs([c, h, w] : tensor<6x3x5xf32>) body(%e: f32) { te.yield %e : f32 }
  func.return %y : tensor<6x3x5xf32>
}"""
    assert merged(text) == [{"c": 6, "h": 3, "w": 5}]


@pytest.mark.parametrize("merge", [MERGE, ALL])
@examples(30)
@given(sample=programs())
def test_random_programs_compute_the_same(merge: str, sample: Sample) -> None:
    passes = ("graph-to-te", "te-fuse-elementwise", "te-outline", "te-bufferize")
    before = run_passes(sample.module, ",".join(passes))
    after = apply(before, merge)
    inputs = inputs_for(sample.module)
    for left, right in zip(run(before, *inputs), run(after, *inputs), strict=True):
        np.testing.assert_array_equal(left, right)


ROWS = """
func.func @main(%x: tensor<2x7x5xf32>) -> tensor<2x7x5xf32> {
  %w = packed.constant <[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 8.0, 7.0, 6.0,
    5.0, 4.0] : tensor<2x7x1xf32>> : tensor<2x7x1xf32>
  %s = te.compute @total [i: 2, j: 7, k: 5 red] ins(%x[i, j, k] : tensor<2x7x5xf32>)
      outs([i, j] add 0.0 : f32 : tensor<2x7xf32>) body(%e: f32) { te.yield %e : f32 }
  %y = te.compute @scaled [a: 2, b: 7, c: 5]
      ins(%x[a, b, c] : tensor<2x7x5xf32>, %s[a, b] : tensor<2x7xf32>,
          %w[a, b, 0] : tensor<2x7x1xf32>)
      outs([a, b, c] : tensor<2x7x5xf32>) body(%e: f32, %f: f32, %g: f32) {
    %h = arith.mulf %f, %g : f32
    %t = arith.addf %e, %h : f32
    te.yield %t : f32
  }
  func.return %y : tensor<2x7x5xf32>
}"""


def test_computes_of_a_kernel_share_the_merged_axis_and_constants_change_shape() -> None:
    assert merged(ROWS) == [{"j": 14, "k": 5}, {"b": 14, "c": 5}]
    after = apply(parse(ROWS), "te-outline", "te-bufferize", MERGE)
    shapes = [a.type.get_shape() for a in kernels(after)[0].body.block.args]
    assert shapes == [(14, 5), (14, 1), (14, 5)]
    assert len([op for op in after.walk() if isinstance(op, ViewOp)]) == 2


def test_the_innermost_axis_of_an_elementwise_result_stays() -> None:
    text = """
func.func @main(%x: tensor<2x7x5xf32>) -> tensor<2x7x5xf32> {
  %y = te.compute @same [a: 2, b: 7, c: 5] ins(%x[a, b, c] : tensor<2x7x5xf32>)
      outs([a, b, c] : tensor<2x7x5xf32>) body(%e: f32) { te.yield %e : f32 }
  func.return %y : tensor<2x7x5xf32>
}"""
    assert merged(text) == [{"b": 14, "c": 5}]


GROUPS = """
func.func @main(%x: tensor<2x6x4x5xf32>) -> tensor<2x3xf32> {
  %y = te.compute @sum [n: 2, g: 3, c: 2 red, h: 4 red, w: 5 red]
      ins(%x[n, g * 2 + c, h, w] : tensor<2x6x4x5xf32>)
      outs([n, g] add 0.0 : f32 : tensor<2x3xf32>) body(%e: f32) { te.yield %e : f32 }
  func.return %y : tensor<2x3xf32>
}"""


def test_all_axes_of_images_and_their_sums_become_one_axis() -> None:
    """The sum keeps its order: channels, then pixels."""
    assert merged(GROUPS, ALL) == [{"n": 2, "g": 3, "c": 2, "w": 20}]
    assert merged(GROUPS) == [{"n": 2, "g": 3, "c": 2, "h": 4, "w": 5}]
    same = """
func.func @main(%x: tensor<2x6x4x5xf32>, %s: tensor<6xf32>) -> tensor<2x6x4x5xf32> {
  %y = te.compute @scaled [n: 2, c: 6, h: 4, w: 5]
      ins(%x[n, c, h, w] : tensor<2x6x4x5xf32>, %s[c] : tensor<6xf32>)
      outs([n, c, h, w] : tensor<2x6x4x5xf32>) body(%e: f32, %f: f32) {
    %p = arith.mulf %e, %f : f32
    te.yield %p : f32
  }
  func.return %y : tensor<2x6x4x5xf32>
}"""
    assert merged(same, ALL) == [{"n": 2, "c": 6, "w": 20}]


def test_axes_behind_channels_and_values_that_are_read_whole_stay() -> None:
    image = """
func.func @main(%x: tensor<2x3x4x5xf32>) -> tensor<2x6x4x5xf32> {
  %y = te.compute @repeat [n: 2, c: 6, h: 4, w: 5]
      ins(%x[n, c floordiv 2, h, w] : tensor<2x3x4x5xf32>)
      outs([n, c, h, w] : tensor<2x6x4x5xf32>) body(%e: f32) { te.yield %e : f32 }
  func.return %y : tensor<2x6x4x5xf32>
}"""
    assert merged(image) == [{"n": 2, "c": 6, "h": 4, "w": 5}]
    gather = """
func.func @main(%x: tensor<2x7x5xf32>) -> tensor<2x7x5xf32> {
  %y = te.compute @turn [a: 2, b: 7, c: 5]
      ins(%x : tensor<2x7x5xf32>, index[a], index[6 - b], index[c])
      outs([a, b, c] : tensor<2x7x5xf32>)
      body(%e: tensor<2x7x5xf32>, %i: index, %j: index, %k: index) {
    %v = te.at %e[%i, %j, %k] : tensor<2x7x5xf32> -> f32
    te.yield %v : f32
  }
  func.return %y : tensor<2x7x5xf32>
}"""
    assert merged(gather) == [{"a": 2, "b": 7, "c": 5}]


OPEN = """
!x = tensor<?x?x4xf32, #te.dims<b, s, 4>>
!p = tensor<?x?x5xf32, #te.dims<PLACES, 5>>
!y = tensor<?x?x5xf32, #te.dims<b, s, 5>>
func.func @main(%x: !x, %w: tensor<4x5xf32>, %p: !p) -> !y {
  %y = te.compute @product [b: b, m: s, n: 5, k: 4 red]
      ins(%x[b, m, k] : !x, %w[k, n] : tensor<4x5xf32>) post(%p[INDICES, n] : !p)
      outs([b, m, n] add 0.0 : f32 : !y) body(%i: f32, %j: f32) {
    %q = arith.mulf %i, %j : f32
    te.yield %q : f32
  } then(%t: f32, %a: f32) {
    %u = arith.addf %t, %a : f32
    te.yield %u : f32
  }
  func.return %y : !y
}"""


@pytest.mark.parametrize(
    ("places", "indices", "axes"),
    [
        ("b, s", "b, m", {"m": "b * s", "n": "5", "k": "4"}),
        ("b, s + 1", "b, m", {"b": "b", "m": "s", "n": "5", "k": "4"}),
        ("s, b", "m, b", {"b": "b", "m": "s", "n": "5", "k": "4"}),
    ],
)
def test_symbolic_axes_become_one(places: str, indices: str, axes: dict[str, str]) -> None:
    module = parse(OPEN.replace("PLACES", places).replace("INDICES", indices))
    record_sizes(entry_of(module))
    before = apply(module, "te-outline", "te-bufferize")
    after = apply(before, MERGE)
    assert {a: str(n) for a, n in computes(after)[0].view().axes.items()} == axes
    rng = np.random.default_rng(0)
    for b, s in ((1, 1), (2, 7), (5, 3)):
        sizes = [Dim.parse(size.strip()) for size in places.split(",")]
        addend = [size.evaluate({"b": b, "s": s}) for size in sizes]
        shapes = ((b, s, 4), (4, 5), (*addend, 5))
        inputs = [rng.standard_normal(shape).astype(np.float32) for shape in shapes]
        for left, right in zip(run(before, *inputs), run(after, *inputs), strict=True):
            np.testing.assert_array_equal(left, right)


IMAGES = """
!x = tensor<?x3x?x?xf32, #te.dims<b, 3, h, w>>
!m = tensor<?x3xf32, #te.dims<b, 3>>
func.func @main(%x: !x) -> (!m, !x) {
  %m = te.compute @sum [n: b, c: 3, i: h red, j: w red] ins(%x[n, c, i, j] : !x)
      outs([n, c] add 0.0 : f32 : !m) body(%e: f32) { te.yield %e : f32 }
  %y = te.compute @scale [n: b, c: 3, i: h, j: w]
      ins(%x[n, c, i, j] : !x, %w[c] : tensor<3xf32>) outs([n, c, i, j] : !x)
      body(%e: f32, %f: f32) {
    %p = arith.mulf %e, %f : f32
    te.yield %p : f32
  }
  func.return %m, %y : !m, !x
}""".replace("(%x: !x)", "(%x: !x, %w: tensor<3xf32>)")


def test_rows_and_columns_of_open_images_become_one_axis() -> None:
    module = parse(IMAGES)
    record_sizes(entry_of(module))
    before = apply(module, "te-outline", "te-bufferize")
    after = apply(before, MERGE)
    found = [{a: str(n) for a, n in op.view().axes.items()} for op in computes(after)]
    assert found == [{"c": "3 * b", "j": "h * w"}, {"n": "b", "c": "3", "j": "h * w"}]
    rng = np.random.default_rng(0)
    for b, h, w in ((1, 1, 1), (2, 7, 3)):
        inputs = [rng.standard_normal(n).astype(np.float32) for n in ((b, 3, h, w), (3,))]
        for left, right in zip(run(before, *inputs), run(after, *inputs), strict=True):
            np.testing.assert_array_equal(left, right)


def test_images_whose_number_of_pixels_has_no_lower_bound_stay() -> None:
    module = parse(
        IMAGES.replace("h, w>", "h - 4, w - 4>")
        .replace("i: h", "i: h - 4")
        .replace("j: w", "j: w - 4")
    )
    record_sizes(entry_of(module))
    after = apply(module, "te-outline", "te-bufferize", MERGE)
    assert {"i", "j"} <= {*computes(after)[0].view().axes}


def test_a_static_batch_and_a_symbolic_length_become_one_axis() -> None:
    text = OPEN.replace("PLACES", "b, s").replace("INDICES", "b, m")
    text = text.replace("?x?x", "3x?x").replace("dims<b, ", "dims<3, ").replace("b: b", "b: 3")
    after = apply(parse(text), "te-outline", "te-bufferize", MERGE)
    assert {a: str(n) for a, n in computes(after)[0].view().axes.items()} == {
        "m": "3 * s", "n": "5", "k": "4"
    }  # fmt: skip


def test_static_dimensions_before_and_after_the_axis_of_a_sort_become_one() -> None:
    text = """
    !x = tensor<2x3x?x3x9x4x5xf32, #te.dims<2, 3, b, 3, 9, 4, 5>>
    !v = tensor<2x3x?x3x6x4x5xf32, #te.dims<2, 3, b, 3, 6, 4, 5>>
    !p = tensor<2x3x?x3x6x4x5xi64, #te.dims<2, 3, b, 3, 6, 4, 5>>
    func.func @main(%x: !x) -> (!v, !p) {
      %v, %p = te.sort @order %x axis 4 descending : !x -> !v, !p
      func.return %v, %p : !v, !p
    }"""
    module = parse(text)
    record_sizes(entry_of(module))
    before = apply(module, "te-outline", "te-bufferize")
    after = apply(before, MERGE)
    (sort,) = [op for op in after.walk() if isinstance(op, SortOp)]
    assert [str(dim) for dim in dims_of(sort.x.type)] == ["6", "b", "3", "9", "20"]
    assert sort.axis.data == 3
    x = np.random.default_rng(0).standard_normal((2, 3, 4, 3, 9, 4, 5)).astype(np.float32)
    for left, right in zip(run(before, x), run(after, x), strict=True):
        np.testing.assert_array_equal(left, right)


def test_a_kernel_with_a_schedule_stays() -> None:
    before = apply(parse(product()), "te-outline", "te-bufferize")
    before.body.block.add_op(ScriptOp("product", []))
    after = apply(before, MERGE)
    assert [dict(op.view().axes) for op in computes(after)] == [{"b": 2, "m": 7, "n": 5, "k": 4}]

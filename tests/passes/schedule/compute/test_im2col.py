"""sched.im2col: results, the loops of its copies, and what it refuses."""

from __future__ import annotations

import pytest

from tilewright.support.diagnostics import ScheduleError

from ..kernels import assert_same_loops, conv_chain, schedule

MATCH = "%c = sched.match {name = conv}\n"


@pytest.mark.parametrize("stride", [1, 2])
@pytest.mark.parametrize(
    "sizes", ["", "p = 8", "o = 3, p = 5, k = 8", "lhs = [k, o], rhs = [p, k]"]
)
def test_a_convolution_becomes_a_product(stride: int, sizes: str) -> None:
    done = assert_same_loops(
        conv_chain(7, 6, stride, 1), f"{MATCH}%p = sched.im2col %c {{{sizes}}}"
    )
    (product,) = done.computes("conv")
    assert list(product.view().axes) == ["o", "p", "k"]
    assert all(len(access.axes()) == 2 for access in product.view().inputs)
    assert done.computes("conv_lhs")
    assert done.computes("conv_rhs")


def test_blocks_of_pixels_are_the_columns_of_products() -> None:
    done = assert_same_loops(
        conv_chain(7, 6, 1, 0), f"{MATCH}%p = sched.im2col %c {{pixels = [h, w], blocks = [4, 2]}}"
    )
    (product,) = done.computes("conv")
    assert dict(product.view().axes) == {"h_blocks": 2, "w_blocks": 2, "o": 4, "p": 8, "k": 27}
    (output,) = product.view().outputs
    assert output.clip == ((0, 4), (0, 5), (0, 4)), "the last block of rows is not full"


def test_copies_are_made_tile_by_tile() -> None:
    """A tile of the image has the elements of a step along k."""
    done = assert_same_loops(
        conv_chain(8, 8, 1, 1),
        MATCH + "%p = sched.im2col %c {p = 16, k = 9}\n"
        "%s = sched.split %p {axis = p, factor = 16, into = [po, pi]}\n"
        "%t = sched.split %s {axis = k, factor = 9, into = [ko, ki]}\n"
        "%r = sched.reorder %t {axes = [po, ko, o, pi, ki]}\n"
        "%i = sched.match {name = conv_rhs}\n%j, %q = sched.compute_at %i, %r {axis = ko}\n",
    )
    tile, *_ = done.computes("conv_rhs")
    assert tile.view().outputs[0].extents == (9, 16)


def test_the_order_of_a_buffer_of_sums() -> None:
    script = "%c = sched.match {name = conv}\n%b, %o = sched.cache_write %c {axes = [w, o, h]}"
    done = assert_same_loops(conv_chain(7, 6, 1, 1), script)
    (sums,) = done.computes("conv_local")
    assert sums.view().outputs[0].extents == (6, 4, 7)
    with pytest.raises(ScheduleError, match="other axes"):
        schedule(conv_chain(7, 6, 1, 1), script.replace("[w, o, h]", "[w, o]"))


def grouped(filters: int) -> str:
    """Return a convolution of two groups."""
    x, w, y = (
        "memref<6x7x6xf32>",
        f"memref<{2 * filters}x3x3x3xf32>",
        f"memref<{2 * filters}x5x4xf32>",
    )
    return f"""
te.kernel @k(%X: {x}, %W: {w}, %Y: {y}) attributes {{constants = array<i64: 1>}} {{
  te.compute @conv [o: {2 * filters}, h: 5, w: 4, c: 3 red, r: 3 red, s: 3 red]
    ins(%X[o floordiv {filters} * 3 + c, h + r, w + s] : {x}, %W[o, c, r, s] : {w})
    outs(%Y[o, h, w] add 0.0 : f32 : {y})
    body(%x: f32, %v: f32) {{
      %p = arith.mulf %x, %v : f32
      te.yield %p : f32
    }}
  te.return
}}"""


@pytest.mark.parametrize("sizes", ["o = 4", "p = 8", "o = 2, p = 16, k = 9"])
def test_groups_become_products(sizes: str) -> None:
    assert_same_loops(grouped(4), f"{MATCH}%p = sched.im2col %c {{{sizes}}}")


def test_filters_of_a_group_are_not_rounded_up() -> None:
    """Filter 5 of the first group is filter 0 of the second one."""
    with pytest.raises(
        ScheduleError, match=r"axis o, stores go to(?s:.*)divisor of 5(?s:.*)got: 4"
    ):
        schedule(grouped(5), f"{MATCH}%p = sched.im2col %c {{o = 4}}")


@pytest.mark.parametrize("step", ["im2col", "pad_einsum"])
def test_blocks_of_pixels_are_not_rounded_up(step: str) -> None:
    """Pixel 8 of a block of 4 x 2 is pixel 0 of another one."""
    script = f"{MATCH}%b = sched.im2col %c {{pixels = [h, w], blocks = [4, 2]"
    script += ", p = 16}" if step == "im2col" else "}\n%p = sched.pad_einsum %b {clip = 1, p = 16}"
    with pytest.raises(ScheduleError, match=r"beyond the end of axis p"):
        schedule(conv_chain(7, 6, 1, 0), script)

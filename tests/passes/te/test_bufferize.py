"""te-bufferize: layouts, halos and concat slices change the storage of values, not the values."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tilewright.dialects.packed import AllocOp, CallOp, CopyOp
from tilewright.interp.packed import run as run_buffers
from tilewright.interp.te import run

from .ir import apply, computes, kernels, parse
from .windows import BLOCKED, CONCAT, main, scale, window


def check(text: str, *, shape: tuple[int, ...] = (1, 8, 5, 6)):
    """Outline and bufferize, check that both forms agree, and return the buffer form."""
    before = apply(parse(text), "te-outline")
    after = apply(before, "te-bufferize")
    x = np.random.default_rng(0).standard_normal(shape).astype(np.float32)
    for left, right in zip(run(before, x), run_buffers(after, x), strict=True):
        np.testing.assert_array_equal(left, right)
    return after


def alloc_types(module) -> list[str]:
    return [str(op.res.type) for op in module.walk() if isinstance(op, AllocOp)]


def test_layout_is_realized_between_kernels() -> None:
    body = scale("a", "b", "1x8x5x6", BLOCKED) + window("b", "c", "1x8x5x6")
    after = check(main(body, "c"))
    (buffer,) = alloc_types(after)
    assert buffer == "memref<1x2x7x8x4xf32>"


def test_halo_is_as_wide_as_the_reads_and_drops_their_pads() -> None:
    after = check(main(scale("a", "b", "1x8x5x6") + window("b", "c", "1x8x5x6"), "c"))
    assert alloc_types(after) == ["memref<1x8x7x8xf32>"]
    reads = [a for op in computes(after) for a in op.view().inputs]
    assert all(a.pad is None for a in reads)
    assert any(op.label == "halo" for op in computes(after))


def test_values_that_a_body_reads_whole_are_plain() -> None:
    body = scale("a", "b", "1x8x5x6", BLOCKED) + window("b", "c", "1x8x5x6")
    body += """
  %d = te.compute @flip [n: 1, c: 8, h: 5, w: 6]
    ins(%b : tensor<1x8x5x6xf32>, %c[n, c, h, w] : tensor<1x8x5x6xf32>,
        index[0], index[7 - c], index[h], index[w])
    outs([n, c, h, w] : tensor<1x8x5x6xf32>)
    body(%x: tensor<1x8x5x6xf32>, %y: f32, %i: index, %j: index, %k: index, %l: index) {
      %v = te.at %x[%i, %j, %k, %l] : tensor<1x8x5x6xf32> -> f32
      %r = arith.addf %v, %y : f32
      te.yield %r : f32
    }
"""
    after = check(main(body, "d"))
    assert alloc_types(after)[0] == "memref<1x8x5x6xf32>"


def test_a_value_that_a_then_region_reads_whole_is_plain() -> None:
    body = (
        scale("a", "b", "1x8x5x6", BLOCKED)
        + """
  %d = te.compute @sum [n: 1, c: 8, h: 5, w: 6 red]
    ins(%b[n, c, h, w] : tensor<1x8x5x6xf32>)
    post(%b : tensor<1x8x5x6xf32>, index[h])
    outs([n, c, h] add 0.0 : f32 : tensor<1x8x5xf32>)
    body(%x: f32) { te.yield %x : f32 } then(%s: f32, %whole: tensor<1x8x5x6xf32>, %i: index) {
      %zero = arith.constant 0 : index
      %v = te.at %whole[%zero, %zero, %i, %zero] : tensor<1x8x5x6xf32> -> f32
      %r = arith.addf %s, %v : f32
      te.yield %r : f32
    }
"""
    )
    after = check(main(body, "d", out="1x8x5"))
    (summed,) = (op for op in computes(after) if op.label == "sum")
    assert str(summed.view().then.block.args[1].type) == "memref<1x8x5x6xf32>"
    assert alloc_types(after)[0] == "memref<1x8x5x6xf32>"


def test_one_sided_halo() -> None:
    after = check(main(scale("a", "b", "1x8x5x6") + window("b", "c", "1x8x5x6", low=2), "c"))
    assert alloc_types(after) == ["memref<1x8x7x8xf32>"]


def test_readers_that_disagree_on_the_pad_keep_their_padded_reads() -> None:
    body = (
        scale("a", "b", "1x8x5x6")
        + window("b", "c", "1x8x5x6")
        + window("b", "d", "1x8x5x6", "-inf")
        + """
  %e = te.compute @add [n: 1, c: 8, h: 5, w: 6]
    ins(%c[n, c, h, w] : tensor<1x8x5x6xf32>, %d[n, c, h, w] : tensor<1x8x5x6xf32>)
    outs([n, c, h, w] : tensor<1x8x5x6xf32>)
    body(%x: f32, %y: f32) { %r = arith.addf %x, %y : f32  te.yield %r : f32 }
"""
    )
    after = check(main(body, "e"))
    assert "memref<1x8x5x6xf32>" in alloc_types(after)
    assert not any(op.label == "halo" for op in computes(after))


@pytest.mark.parametrize(("first", "stored"), [("c + r - 1", "1x2x5x6x4"), ("c + r", "1x3x5x8x4")])
def test_a_blocked_dimension_has_a_halo_at_its_end_only(first: str, stored: str) -> None:
    channels = window("b", "c", "1x8x5x6").replace(
        "%b[n, c, h + r - 1, w + s - 1]", f"%b[n, {first}, h, w + s - 1]"
    )
    after = check(main(scale("a", "b", "1x8x5x6", BLOCKED) + channels, "c"))
    assert alloc_types(after) == [f"memref<{stored}xf32>"]


def test_operands_of_a_concat_are_slices_of_one_block_that_holds_all() -> None:
    whole = BLOCKED.replace("4", "16")
    body = (
        scale("a", "b", "1x8x5x6", BLOCKED)
        + window("a", "c", "1x8x5x6")
        + CONCAT.replace("LAYOUT", whole)
        + window("j", "d", "1x16x5x6")
    )
    after = check(main(body, "d", out="1x16x5x6"))
    assert alloc_types(after) == ["memref<1x1x7x8x16xf32>"]


@pytest.mark.parametrize("layout", ["", BLOCKED])
def test_operands_of_a_concat_become_slices(layout: str) -> None:
    body = (
        scale("a", "b", "1x8x5x6", layout)
        + window("a", "c", "1x8x5x6")
        + CONCAT.replace("LAYOUT", layout)
        + window("j", "d", "1x16x5x6")
    )
    after = check(main(body, "d", out="1x16x5x6"))
    assert len(alloc_types(after)) == 1
    assert all(k.label != "concat" for k in kernels(after))


def test_an_operand_with_other_readers_is_still_a_slice() -> None:
    body = (
        scale("a", "b", "1x8x5x6")
        + window("b", "c", "1x8x5x6")
        + CONCAT.replace("LAYOUT", "")
        + scale("j", "d", "1x16x5x6")
    )
    after = check(main(body, "d", out="1x16x5x6"))
    assert len(alloc_types(after)) == 1


def test_the_same_operand_twice_is_copied_and_has_no_border() -> None:
    body = scale("a", "b", "1x8x5x6") + CONCAT.replace("LAYOUT", "").replace("%c[", "%b[")
    after = check(main(body, "j", out="1x16x5x6"))
    assert any(k.label == "concat" for k in kernels(after))
    assert alloc_types(after) == ["memref<1x8x5x6xf32>"]


@pytest.mark.parametrize(
    ("operand", "layout", "slices"), [("", "", 1), ("", BLOCKED, 0), (BLOCKED, "", 0)]
)
def test_a_concat_without_blocks_copies_an_argument_alone(
    operand: str, layout: str, slices: int
) -> None:
    """Borders around the result are those of an operand that is a slice, too."""
    body = (
        scale("a", "b", "1x8x5x6", operand)
        + CONCAT.replace("LAYOUT", layout).replace("%c[", "%a[")
        + window("j", "d", "1x16x5x6")
    )
    after = check(main(body, "d", out="1x16x5x6"))
    (concat,) = (k for k in kernels(after) if k.label == "concat")
    assert len(alloc_types(after)) == 2 - slices
    assert len(concat.body.block.args) == 3 - slices


def test_a_concat_copies_a_slice_of_a_concat_that_contains_it() -> None:
    """The operand is stored in the same buffer, but at another place."""
    outer = CONCAT.replace("%j =", "%k =").replace("c: 16", "c: 24").replace("%b[", "%j[")
    outer = outer.replace("c - 8", "c - 16").replace("constant 8", "constant 16")
    outer = outer.replace(
        "%j[n, c, h, w] pad 0.0 : tensor<1x8", "%j[n, c, h, w] pad 0.0 : tensor<1x16"
    )
    outer = outer.replace("tensor<1x16x5x6xf32>) role", "tensor<1x24x5x6xf32>) role")
    inner = scale("a", "b", "1x8x5x6") + window("a", "c", "1x8x5x6") + CONCAT
    text = inner + outer + scale("k", "d", "1x24x5x6")
    after = check(main(text.replace("LAYOUT", ""), "d", out="1x24x5x6"))
    assert any(k.label == "concat" for k in kernels(after))


def test_a_scatter_leaves_the_slices_of_its_base_as_they_are() -> None:
    put = """
  %p = te.scatter @put [n: 1, c: 2, h: 5, w: 6] into(%j : tensor<1x16x5x6xf32>)
    ins(index[n], index[c], index[h], index[w])
    body(%n: index, %c: index, %h: index, %w: index) {
      %zero = arith.constant 0.0 : f32
      te.yield %n, %c, %h, %w, %zero : index, index, index, index, f32
    }
"""
    body = scale("a", "b", "1x8x5x6") + CONCAT.replace("LAYOUT", "").replace("%c[", "%a[")
    reads = window("p", "q", "1x16x5x6") + scale("b", "d", "1x8x5x6")
    text = main(body + put + reads, "d")
    text = text.replace(
        "-> tensor<1x8x5x6xf32> {", "-> (tensor<1x8x5x6xf32>, tensor<1x16x5x6xf32>) {", 1
    )
    text = text.replace(
        "return %d : tensor<1x8x5x6xf32>",
        "return %d, %q : tensor<1x8x5x6xf32>, tensor<1x16x5x6xf32>",
    )
    after = check(text)
    assert sum(isinstance(op, CopyOp) for op in after.walk()) == 1


def test_results_that_no_kernel_writes_are_copied() -> None:
    text = (
        "func.func @main(%a: tensor<4xf32>) -> (tensor<4xf32>) { func.return %a : tensor<4xf32> }"
    )
    after = check(text, shape=(4,))
    assert sum(isinstance(op, CopyOp) for op in after.walk()) == 1
    assert not any(isinstance(op, CallOp) for op in after.walk())


def test_a_result_returned_twice_has_two_buffers() -> None:
    body = scale("a", "b", "1x8x5x6")
    text = main(body, "b").replace("-> tensor<1x8x5x6xf32>", "-> (tensor<1x8x5x6xf32>, TYPE)")
    text = text.replace("TYPE", "tensor<1x8x5x6xf32>").replace(
        "func.return %b : tensor<1x8x5x6xf32>",
        "func.return %b, %b : tensor<1x8x5x6xf32>, tensor<1x8x5x6xf32>",
    )
    after = check(text)
    assert sum(isinstance(op, CopyOp) for op in after.walk()) == 1


@given(st.lists(st.sampled_from(["scale", "blocked", "window", "early"]), min_size=1, max_size=4))
def test_random_chains(steps: list[str]) -> None:
    lines, value = "", "a"
    for i, step in enumerate(steps):
        result = f"v{i}"
        if step in ("scale", "blocked"):
            lines += scale(value, result, "1x8x5x6", BLOCKED if step == "blocked" else "")
        else:
            lines += window(value, result, "1x8x5x6", low=1 if step == "window" else 2)
        value = result
    check(main(lines, value))

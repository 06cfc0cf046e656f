"""sched.pack, relayout and cache_read: the storage of data."""

from __future__ import annotations

import pytest
from xdsl.dialects.builtin import AffineMapAttr, MemRefType
from xdsl.parser import Parser

from tilewright.dialects.loop import AllocOp
from tilewright.dialects.shape import Dim, dims_of
from tilewright.dialects.te.layout import layout_shape
from tilewright.support.diagnostics import ScheduleError
from tilewright.support.registry import new_context

from ..kernels import assert_same_results, conv_chain, matmul, schedule, softmax

PACK = "%c = sched.match {{name = mm}}\n%p = sched.pack %c {{operand = {0}, map = affine_map<{1}>}}"


def layout(text: str) -> AffineMapAttr:
    attribute = Parser(new_context(), f"affine_map<{text}>").parse_attribute()
    assert isinstance(attribute, AffineMapAttr)
    return attribute


@pytest.mark.parametrize(
    ("text", "shape", "stored"),
    [
        ("(k, n) -> (n floordiv 16, k, n mod 16)", (40, 50), (4, 40, 16)),
        ("(k, n) -> (n floordiv 16, k, n mod 16)", (40, 5), (1, 40, 16)),
        ("(c, d) -> (c floordiv 8, d, (c mod 8) floordiv 2, c mod 2)", (3, 4), (1, 4, 4, 2)),
        ("(i, j) -> (j, 0, i)", (3, 4), (4, 1, 3)),
    ],
)
def test_blocks_stay_whole(text: str, shape: tuple[int, ...], stored: tuple[int, ...]) -> None:
    assert layout_shape(layout(text), shape) == stored


@pytest.mark.parametrize("n", [5, 16, 50])
def test_pack_rewrites_the_kernel_and_records_the_map(n: int) -> None:
    text = "(k, n) -> (n floordiv 16, k, n mod 16)"
    done = assert_same_results(matmul(3, n, 6), PACK.format(1, text))
    kernel = done.kernel
    assert kernel.pack_maps == {1: layout(text)}
    type_ = kernel.body.block.args[1].type
    assert type_ == kernel.function_type.inputs.data[1]
    assert isinstance(type_, MemRefType)
    assert type_.get_shape() == (-(-n // 16), 6, 16)


BATCHED = """
te.kernel @k(%x: memref<?x3x6xf32, #te.dims<b, 3, 6>>,
    %w: memref<?x6x8xf32, #te.dims<b, 6, 8>>, %out: memref<?x3x8xf32, #te.dims<b, 3, 8>>)
    attributes {constants = array<i64: 1>, sizes = ["b"]} {
  te.compute @mm [b: b, m: 3, n: 8, k: 6 red]
    ins(%x[b, m, k] : memref<?x3x6xf32, #te.dims<b, 3, 6>>,
        %w[b, k, n] : memref<?x6x8xf32, #te.dims<b, 6, 8>>)
    outs(%out[b, m, n] add 0.0 : f32 : memref<?x3x8xf32, #te.dims<b, 3, 8>>)
    body(%p: f32, %q: f32) {
      %r = arith.mulf %p, %q : f32
      te.yield %r : f32
    }
  te.return
}
"""


def test_pack_keeps_a_symbolic_dimension() -> None:
    done = schedule(BATCHED, PACK.format(1, "(b, k, n) -> (n floordiv 4, b, k, n mod 4)"))
    type_ = done.kernel.body.block.args[1].type
    assert isinstance(type_, MemRefType)
    assert dims_of(type_) == (Dim.const(2), Dim.sym("b"), Dim.const(6), Dim.const(4))


@pytest.mark.parametrize("text", ["(b, k, n) -> (b mod 4, k, n)", "(b, k, n) -> (k, n)"])
def test_pack_refuses_to_lose_a_symbolic_dimension(text: str) -> None:
    with pytest.raises(ScheduleError, match="several positions of dimension 0 one place"):
        schedule(BATCHED, PACK.format(1, text))


def test_pack_rewrites_every_user() -> None:
    two = matmul(3, 8, 6)
    body = two[two.index("  te.compute") : two.index("  te.return")]
    again = body.replace("@mm", "@again")
    done = schedule(two.replace("  te.return", again + "  te.return"), PACK.format(
        1, "(k, n) -> (n floordiv 4, k, n mod 4)"
    ))  # fmt: skip
    assert all(len(op.view().inputs[1].indices or []) == 3 for op in done.computes())


@pytest.mark.parametrize(
    ("operand", "text", "message"),
    [
        (
            0,
            "(k, n) -> (n, k)",
            "argument 0, which is not constant\n    expected: one of arguments 1",
        ),
        (2, "(n) -> (n)", "argument 2, which is not constant"),
        (3, "(k, n) -> (n, k)", "@mm has no input 3"),
        (1, "(k) -> (k)", "the layout map does not fit the buffer"),
        (1, "(k, n) -> (k)", "several positions of dimension 1 one place"),
        (1, "(k, n) -> (k, n mod 4)", "several positions of dimension 1 one place"),
        (1, "(k, n) -> (k, n floordiv 4, n mod 2)", "several positions of dimension 1"),
        (1, "(k, n) -> (k, n + 1)", "keeps dimensions or cuts them into blocks"),
    ],
)
def test_refusals_of_pack(operand: int, text: str, message: str) -> None:
    with pytest.raises(ScheduleError, match=message):
        schedule(matmul(3, 8, 6), PACK.format(operand, text))


def test_a_weight_is_packed_once() -> None:
    with pytest.raises(ScheduleError, match="argument 1 is packed"):
        schedule(
            matmul(3, 8, 6),
            PACK.format(1, "(k, n) -> (n, k)")
            + "\n%q = sched.pack %p {operand = 1, map = affine_map<(n, k) -> (k, n)>}",
        )


def test_relayout_of_a_local_buffer() -> None:
    done = assert_same_results(
        softmax(5, 9),
        "%e = sched.match {name = ex}\n"
        "%r = sched.relayout %e {out = 0, map = affine_map<(i, j) -> (j floordiv 4, i, j mod 4)>}",
        rtol=1e-6,
    )
    shapes = [op.res.type.get_shape() for op in done.kernel.walk() if isinstance(op, AllocOp)]
    assert shapes == [(5,), (3, 5, 4), (5,)]


def test_relayout_of_an_argument_is_refused() -> None:
    with pytest.raises(ScheduleError, match="output 0 of @dv is not a local buffer"):
        schedule(
            softmax(5, 9),
            "%e = sched.match {name = dv}\n"
            "%r = sched.relayout %e {out = 0, map = affine_map<(i, j) -> (j, i)>}",
        )


RELAYOUT_CHANNELS = (
    "%e = sched.match {{name = double}}\n%r = sched.relayout %e "
    "{{map = affine_map<(c, h, w) -> (h floordiv {0}, c, h mod {0}, w)>}}"
)


def test_padded_reads_need_full_blocks() -> None:
    assert_same_results(conv_chain(8, 6, 1, 1), RELAYOUT_CHANNELS.format(4))
    with pytest.raises(ScheduleError) as err:
        schedule(conv_chain(8, 6, 1, 1), RELAYOUT_CHANNELS.format(3))
    assert "@conv pads dimension 1, whose last block is not full" in str(err.value)


DYNAMIC_PACKING = """
%c = sched.match {{name = mm}}
%t, %j = sched.tile %c {{n = {n}}}
%copy, %read = sched.cache_read %t {{operand = 1}}
%in = sched.fuse_into %copy, %j
%r = sched.relayout %in {{map = affine_map<(k, n) -> (n, k)>}}
"""


@pytest.mark.parametrize("n", [8, 7, 40])
def test_cache_read_shares_one_copy_between_leaves(n: int) -> None:
    done = assert_same_results(matmul(5, 24, 6), DYNAMIC_PACKING.format(n=n))
    assert {op.label for op in done.computes()} == {"mm", "mm_in1"}


def test_cache_read_of_a_padded_operand() -> None:
    assert_same_results(
        conv_chain(6, 5, 1, 1),
        "%c = sched.match {name = conv}\n%copy, %read = sched.cache_read %c {operand = 0}",
    )


KEPT = (
    "%s0 = sched.match {{name = sm}}\n%s, %i = sched.tile %s0 {{i = {0}}}\n"
    "%e0 = sched.match {{name = ex}}\n%e = sched.fuse_into %e0, %i\n"
    "%copy, %read = sched.cache_read %s {{operand = 0}}"
)


def test_a_copy_stays_behind_the_writer_of_the_operand() -> None:
    assert_same_results(softmax(12, 9), KEPT.format(4), rtol=1e-6)
    with pytest.raises(ScheduleError, match="@ex still writes the operand there"):
        schedule(softmax(12, 9), KEPT.format(5))


def test_cache_read_needs_a_buffer() -> None:
    with pytest.raises(ScheduleError, match="@mm has no buffer input 7"):
        schedule(
            matmul(3, 8, 6),
            "%c = sched.match {name = mm}\n%a, %b = sched.cache_read %c {operand = 7}",
        )

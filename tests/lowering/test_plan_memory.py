"""Places of buffers whose sizes are known at the call: the stacking order, and its machine code."""

from __future__ import annotations

import ctypes

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from xdsl.context import Context
from xdsl.dialects.func import FuncOp
from xdsl.utils.exceptions import VerifyException

from tilewright.analysis.verify import verify_module
from tilewright.dialects.dtypes import buffer_size
from tilewright.dialects.packed import AllocOp
from tilewright.dialects.packed.arena import (
    Life,
    aligned,
    assign_offsets,
    sample_sizes,
    stack,
    stacked_bytes,
)
from tilewright.dialects.shape import Dim
from tilewright.lowering.loop_to_llvm import emit_kernel, kernel_info
from tilewright.lowering.main.main_program import emit_main
from tilewright.passes.packed.plan_memory import PlanMemory

from .native import HOST, Compiled, llvm_printer, parse

B, S, P = map(Dim.sym, "bsp")
SIZES = [
    Dim.const(0), Dim.const(3000), S * 4, B * S * 64, B * S * S, (P + S) * B * 8,
    S.ceildiv(16) * 64, S - 1, B.max(S) * 128, (P + S) % 7 * 100,
]  # fmt: skip

buffers = st.tuples(st.sampled_from(SIZES), st.integers(0, 30), st.integers(0, 12))
values = st.fixed_dictionaries({name: st.integers(1, 3000) for name in "bsp"})


def offsets_of(order: dict[int, list[int]], sizes: list[int]) -> dict[int, int]:
    found: dict[int, int] = {}
    for position, below in order.items():
        found[position] = max((found[b] + aligned(sizes[b]) for b in below), default=0)
    return found


@given(st.lists(buffers, max_size=30), values)
def test_live_buffers_never_overlap_at_any_sizes(rows, sizes):
    lives = [[Life(d.evaluate(at), a, a + n) for d, a, n in rows] for at in sample_sizes("bsp")]
    order = stack(lives)
    assert sorted(order) == list(range(len(rows)))
    chosen = [Life(d.evaluate(sizes), a, a + n) for d, a, n in rows]
    offsets = offsets_of(order, [life.size_bytes for life in chosen])
    for i, one in enumerate(chosen):
        for j, other in enumerate(chosen[:i]):
            if one.overlaps(other):
                apart = offsets[i] >= offsets[j] + aligned(other.size_bytes)
                assert apart or offsets[j] >= offsets[i] + aligned(one.size_bytes)
    ends = (offsets[i] + aligned(life.size_bytes) for i, life in enumerate(chosen))
    assert stacked_bytes(order, chosen) == max(ends, default=0)


def test_a_chain_of_equal_buffers_takes_two_places():
    lives = [[Life(size, t, t + 1) for t in range(10)] for size in (256, 4096, 65536)]
    order = stack(lives)
    for sample in lives:
        assert stacked_bytes(order, sample) == assign_offsets(sample)[1]
    # Edges that follow from others are dropped.
    assert sum(map(len, order.values())) <= 9


MAIN = """
!s = memref<?xf32, #te.dims<s>>
!t = memref<?xf32, #te.dims<2 * s>>
!n = memref<?xf32, #te.dims<n>>
func.func @main(%x: !s, %c: memref<i1>, %y: !t)
    attributes {sizes = ["s"]} {
  %a = packed.alloc : !s
  packed.call @f(%x, %a) sizes [s] : (!s, !s) -> ()
  packed.if %c {
    %b = packed.alloc : !s
    packed.call @f(%a, %b) sizes [s] : (!s, !s) -> ()
    %d = packed.alloc : memref<100xf32>
    packed.copy %b to %a : !s, !s
    packed.copy %d to %d : memref<100xf32>, memref<100xf32>
    packed.yield
  } else {
    packed.yield
  } : memref<i1> ->
  %e = packed.alloc : !t
  packed.concat %a, %x along 0 to %e : !t of !s, !s
  packed.copy %e to %y : !t, !t
  func.return
}
func.func @f(%x: !n, %y: !n)
    attributes {sizes = ["n"]} {
  func.return
}"""


def planned() -> tuple[FuncOp, dict[str, AllocOp]]:
    module = parse(MAIN)
    PlanMemory().apply(Context(), module)
    module.verify()
    assert str(parse(str(module))) == str(module)
    main, _ = module.ops
    assert isinstance(main, FuncOp)
    return main, {op.res.name_hint or "": op for op in main.walk() if isinstance(op, AllocOp)}


def test_buffers_move_to_the_start_in_the_order_of_their_places():
    main, allocs = planned()
    assert all(op.parent_block() is main.body.block for op in allocs.values())
    below = {name: {value.name_hint for value in op.below} for name, op in allocs.items()}
    # At some sizes each of these pairs is alive at once; the others share bytes.
    pairs = {frozenset((name, other)) for name, others in below.items() for other in others}
    assert pairs <= {frozenset(pair) for pair in ("ab", "bd", "ae", "ad")}
    bottom = [name for name, op in allocs.items() if op.offset is not None]
    assert bottom == [name for name in below if not below[name]]


def test_a_static_buffer_may_be_the_lowest_one():
    static, symbolic = "memref<100xf32>", "memref<?xf32, #te.dims<s>>"
    module = parse(f"""
    func.func @main(%x: {symbolic}, %z: {static}) attributes {{sizes = ["s"],
        tw.arg_dtypes = ["float32"], tw.result_dtypes = ["float32"]}} {{
      %a = packed.alloc : {static}
      %b = packed.alloc : {symbolic}
      packed.copy %x to %b : {symbolic}, {symbolic}
      packed.copy %a to %z : {static}, {static}
      packed.copy %b to %x : {symbolic}, {symbolic}
      func.return
    }}""")
    PlanMemory().apply(Context(), module)
    verify_module(module)
    assert f"packed.alloc at 0 : {static}" in str(module)


def derived(s: int) -> tuple[int, list[int]]:
    """Return the status and the table of sizes that the machine code computes."""
    main, _ = planned()
    kernel = main.next_op
    assert isinstance(kernel, FuncOp)
    made = emit_main(main, {"f": kernel_info(kernel)}, {}, llvm_printer(), max_threads=1)
    text = made.text.replace("external global ptr", "global ptr null")
    text = text.replace("declare hidden void @tw.k.0(ptr, i64, i64)\n", "")
    code = Compiled(text + emit_kernel(kernel, HOST), HOST)
    table = np.zeros(made.size_count, np.int64)
    table[0] = s
    derive = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p)(code.address("tw_derive"))
    return derive(table.ctypes.data), table.tolist()


@pytest.mark.parametrize("s", [1, 15, 16, 17, 1000])
def test_the_machine_code_computes_the_same_arena(s):
    status, table = derived(s)
    assert status == 0
    ends: dict[str, int] = {}
    for name, op in planned()[1].items():
        start = max((ends[value.name_hint or ""] for value in op.below), default=0)
        ends[name] = start + aligned(Dim.of(buffer_size(op.res.type)).evaluate({"s": s}))
    assert table[:3] == [s, 2 * s, max(ends.values())]


def test_sizes_beyond_64_bits_are_reported():
    assert derived(1 << 40)[0] == 0
    assert derived(1 << 62)[0] == 1
    # 2 * s floats: as many bytes as a process may have, and more.
    assert derived(1 << 47)[0] == 0
    assert derived((1 << 47) + 1)[0] == 1


def test_a_buffer_has_an_offset_or_buffers_below_it():
    text = MAIN.replace("%e = packed.alloc :", "%e = packed.alloc at 64 above (%a : !s) :")
    with pytest.raises(VerifyException, match="an offset and buffers below"):
        parse(text)


def test_a_buffer_of_the_host_is_not_in_the_arena() -> None:
    text = """
    func.func @main(%x: memref<4xf32>) {
      %a = packed.alloc host : memref<1024xf32>
      %b = packed.alloc : memref<4xf32>
      packed.call @f(%x, %a, %b) : (memref<4xf32>, memref<1024xf32>, memref<4xf32>) -> ()
      func.return
    }
    """
    module = parse(text)
    PlanMemory().apply(Context(), module)
    assert "%a = packed.alloc host : memref<1024xf32>" in str(module)
    assert "tw.arena_bytes = 64 : i64" in str(module)
    placed = text.replace("host", "host at 64")
    with pytest.raises(VerifyException, match="a buffer of the host has a place in the arena"):
        parse(placed)


@given(
    st.lists(st.tuples(st.integers(0, 700), st.integers(0, 30), st.integers(0, 12)), max_size=30)
)
def test_live_buffers_of_known_sizes_never_overlap(rows):
    lives = [Life(size, first, first + n) for size, first, n in rows]
    offsets, size = assign_offsets(lives)
    placed = list(zip(offsets, lives, strict=True))
    assert size == max((at + aligned(life.size_bytes) for at, life in placed), default=0)
    for i, (at, one) in enumerate(placed):
        assert at % 64 == 0
        for other_at, other in placed[:i]:
            if max(one.first, other.first) <= min(one.last, other.last):
                assert at >= other_at + other.size_bytes or other_at >= at + one.size_bytes


CHAIN = """
func.func @main(%x: memref<24xf32>, %y: memref<24xf32>) attributes {
    tw.arg_dtypes = ["float32"], tw.result_dtypes = ["float32"]} {
  %a = packed.alloc : memref<24xf32>
  packed.call @f(%x, %a) : (memref<24xf32>, memref<24xf32>) -> ()
  %v = packed.view %a : memref<24xf32> -> memref<24xf32>
  %b = packed.alloc : memref<24xf32>
  packed.call @f(%x, %b) : (memref<24xf32>, memref<24xf32>) -> ()
  packed.call @f(%v, %b) : (memref<24xf32>, memref<24xf32>) -> ()
  packed.copy %b to %y : memref<24xf32>, memref<24xf32>
  func.return
}
func.func @f(%x: memref<24xf32>, %y: memref<24xf32>) {
  func.return
}"""


def test_a_view_keeps_its_buffer_alive() -> None:
    module = parse(CHAIN)
    PlanMemory().apply(Context(), module)
    assert "%a = packed.alloc at 0 " in str(module)
    assert "%b = packed.alloc at 128 " in str(module)

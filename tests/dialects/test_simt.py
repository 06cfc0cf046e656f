"""Verifier errors of simt and of launches, and the ranges of ids in the proof of positions."""

from __future__ import annotations

import re

import pytest
from xdsl.utils.exceptions import ParseError, VerifyException

from tilewright.analysis.bounds.positions import OutsideBuffer, verify_positions
from tilewright.analysis.verify import verify_module
from tilewright.dialects.shape import Dim
from tilewright.dialects.simt import LaunchAttr, LaunchSizes, launch_of
from tilewright.support.diagnostics import TilewrightError

from ..passes.te.ir import parse

KERNEL = """
func.func @k(%x: memref<100xf32>) attributes {{tw.launch = #simt.launch<{launch}>}} {{
  {body}
  func.return
}}
"""


def kernel(body: str, launch: str = "grid [8], block [128], shared 0") -> str:
    return KERNEL.format(launch=launch, body=body)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            kernel("%t = simt.thread_id x below 64"),
            "the bound is not the size of the launch.*expected: 128.*got: 64",
        ),
        (kernel("%t = simt.block_id x below n"), "the bound is not the size of the launch"),
        (kernel("%t = simt.thread_id w below 128"), "a thread has no such dimension"),
        (kernel("simt.barrier local"), "no such memory.*expected: shared"),
        (
            kernel("loop.for bind threadIdx.x %i = 0 to 4 { simt.barrier shared }"),
            "not all threads of the block reach the barrier",
        ),
        (
            kernel(
                '%t = simt.thread_id x below 128  %c = loop.cmp "slt" %t, %t : index, index, i1\n'
                "loop.if %c { simt.barrier shared }"
            ),
            "not all threads of the block reach the barrier.*got: a loop.if",
        ),
        (
            kernel(
                "%v = loop.load %x[0] : memref<100xf32>, f32\n %w = simt.shuffle xor 32 %v : f32"
            ),
            "a warp has no such lane.*expected: a mask from 1 to 31.*got: 32",
        ),
        (
            kernel("%v = arith.constant 1.0 : f64\n %w = simt.shuffle xor 1 %v : f64"),
            "the threads of a warp exchange no such values.*expected: f32 or i32",
        ),
        (
            kernel(
                "%v = arith.constant 1.0 : f32\n %w = simt.shuffle xor 1 %v : f32",
                "grid [8], block [16, 2], shared 0",
            ),
            "along x are no whole warps.*got: 16",
        ),
        (
            kernel(
                "%v = arith.constant 1.0 : f32\n %t = simt.thread_id x below 128\n"
                '%c = loop.cmp "slt" %t, %t : index, index, i1\n'
                "loop.if %c { %w = simt.shuffle xor 1 %v : f32 }"
            ),
            "not all threads of the warp reach the shuffle.*got: loop.if",
        ),
        (kernel("", "grid [8], block [0], shared 0"), "a launch has an impossible size"),
        (kernel("", "grid [-1], block [1], shared 0"), "a launch has an impossible size"),
        (kernel("", "grid [1], block [1, 1, 1, 1], shared 0"), "at most three sizes"),
        (
            "func.func @k() attributes {tw.launch = 4 : i64} { func.return }",
            "tw.launch has a wrong value",
        ),
    ],
)
def test_wrong_programs_are_refused(text: str, message: str) -> None:
    errors = (TilewrightError, ParseError, VerifyException)
    with pytest.raises(errors, match=re.compile(message, re.DOTALL)):
        verify_module(parse(text))


def test_a_launch_has_three_sizes_per_list() -> None:
    launch = LaunchSizes.of(["n", 2], [16], 64)
    assert launch.grid == (Dim.sym("n"), Dim.const(2), Dim.const(1))
    assert (launch.block, launch.threads) == ((16, 1, 1), 16)
    assert str(LaunchAttr(launch)) == "#simt.launch<grid [n, 2], block [16], shared 64>"


def test_the_launch_is_found_from_inside() -> None:
    module = parse(kernel("%t = simt.thread_id x below 128"))
    launches = {op.name: launch_of(op) for op in module.walk()}
    assert launches["builtin.module"] is None
    assert launches["simt.thread_id"] == LaunchSizes.of([8], [128])


ACCESS = """
  %t = simt.thread_id x below {threads}
  %v = loop.load %x[%t] : memref<100xf32>, f32
  loop.store %v, %x[%t] : memref<100xf32>, f32"""


def test_the_range_of_ids_proves_positions() -> None:
    inside = kernel(ACCESS.format(threads=100), "grid [1], block [100], shared 0")
    verify_positions(parse(inside))
    with pytest.raises(OutsideBuffer, match=r"0\.\.127"):
        verify_positions(parse(kernel(ACCESS.format(threads=128))))

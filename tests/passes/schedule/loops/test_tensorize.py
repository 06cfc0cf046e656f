"""sched.tensorize: matching, packing, the resulting leaf, and mismatches."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from xdsl.dialects.func import FuncOp

from tilewright.dialects.te import ComputeOp, kernels_of
from tilewright.interp.loop import run_function
from tilewright.interp.te import run_kernel
from tilewright.lowering.te_to_loop import TeToLoop
from tilewright.machines.target import Target
from tilewright.passes.schedule.apply_schedule import ApplySchedule, check_scripts
from tilewright.support.diagnostics import LoweringError, ScheduleError
from tilewright.support.registry import new_context
from tilewright.targets.cpu.instructions.intrinsics import INTRINSICS

from ....lowering.native import Kernel
from ..kernels import packed, parse

HOST = Target.native()
FEATURES = {"vpdpbusd": "avx512vnni", "vpmaddubsw": "avx2"}

BODY = """%u = arith.extui %x : i8 to i32
      %v = arith.extsi %y : i8 to i32
      %p = arith.muli %u, %v : i32
      te.yield %p : i32"""
SWAPPED = """%v = arith.extsi %x : i8 to i32
      %u = arith.extui %y : i8 to i32
      %p = arith.muli %v, %u : i32
      te.yield %p : i32"""


def product(m: int, n: int, k: int, *, constant: bool = True, body: str = BODY) -> str:
    """Return C = A * B of bytes as 32-bit integers, then doubled; B is constant."""
    a, b, c = f"memref<{m}x{k}xi8>", f"memref<{k}x{n}xi8>", f"memref<{m}x{n}xi32>"
    first, second = (f"%A[m, k] : {a}", f"%B[k, n] : {b}")
    if body == SWAPPED:
        first, second = second, first
    marked = " attributes {constants = array<i64: 1>}" if constant else ""
    return f"""
te.kernel @k(%A: {a}, %B: {b}, %C: {c}){marked} {{
  te.compute @mm [m: {m}, n: {n}, k: {k} red]
    ins({first}, {second})
    outs(%C[m, n] add 0 : i32 : {c})
    body(%x: i8, %y: i8) {{
      {body}
    }} then(%s: i32) {{
      %d = arith.addi %s, %s : i32
      te.yield %d : i32
    }}
  te.return
}}
"""


CONVOLUTION = """
te.kernel @k(%A: memref<8x5x5xi8>, %B: memref<20x8x3x3xi8>, %C: memref<20x3x3xi32>)
    attributes {constants = array<i64: 1>} {
  te.compute @conv [o: 20, h: 3, w: 3, c: 8 red, r: 3 red, s: 3 red]
    ins(%A[c, h + r, w + s] : memref<8x5x5xi8>, %B[o, c, r, s] : memref<20x8x3x3xi8>)
    outs(%C[o, h, w] add 0 : i32 : memref<20x3x3xi32>)
    body(%x: i8, %y: i8) {
      BODY
    }
  te.return
}
""".replace("BODY", BODY)


def program(kernel: str, steps: str, intrinsic: str = "vpdpbusd"):
    text = f"{INTRINSICS[intrinsic]}\n{kernel}\nsched.script @k {{\n{steps}\n}}\n"
    module = parse(text)
    assert str(parse(str(module))) == str(module)
    return module


def plain(intrinsic: str = "vpdpbusd") -> str:
    return f"%c = sched.match {{name = mm}}\n%t = sched.tensorize %c {{intrinsic = {intrinsic}}}"


def run(kernel: str, steps: str, intrinsic: str = "vpdpbusd") -> str:
    """Check that every step, the lowering and the machine keep the results; return the text."""
    module = program(kernel, steps, intrinsic)
    check_scripts(module)
    rng = np.random.default_rng(0)
    (before,) = kernels_of(module)
    arrays = [
        rng.integers(-128, 128, a.type.get_shape()).astype(np.int8 if i < 2 else np.int32)
        for i, a in enumerate(before.body.block.args)
    ]
    expected = [a.copy() for a in arrays]
    run_kernel(before, *expected)
    ApplySchedule().apply(new_context(), module)
    scheduled = str(module)
    (kernel_op,) = kernels_of(module)
    for position, layout in kernel_op.pack_maps.items():
        arrays[position] = packed(arrays[position], layout).astype(np.int8)
    TeToLoop().apply(new_context(), module)
    module.verify()
    assert str(parse(str(module))) == str(module)
    (function,) = (op for op in module.ops if isinstance(op, FuncOp))
    assert "loop.intrinsic" in str(function)
    results = [a.copy() for a in arrays]
    run_function(function, *results)
    np.testing.assert_array_equal(results[2], expected[2])
    if HOST.has(FEATURES[intrinsic]):
        Kernel(function, HOST)(*arrays)
        np.testing.assert_array_equal(arrays[2], expected[2])
    return scheduled


@pytest.mark.parametrize("intrinsic", ["vpdpbusd", "vpmaddubsw"])
@pytest.mark.parametrize("body", [BODY, SWAPPED])
def test_a_product_is_tensorized_and_its_weight_packed(intrinsic: str, body: str) -> None:
    text = run(product(5, 32, 24, body=body), plain(intrinsic), intrinsic)
    lanes = {"vpdpbusd": 16, "vpmaddubsw": 8}[intrinsic]
    assert f"tile(vec = n, lanes = {lanes}, intrinsic = {intrinsic})" in text
    assert "ko: 6 red, ki: 4 red" in text
    assert f"%B[n floordiv {lanes}, ko, n mod {lanes}, ki]" in text


def test_a_convolution_is_tensorized_along_its_channels() -> None:
    steps = (
        "%c = sched.match {name = conv}\n"
        "%a, %u = sched.cache_read %c {operand = 0}\n"
        "%l = sched.relayout %a {out = 0, map = "
        "affine_map<(c, h, w) -> (c floordiv 4, h, w, c mod 4)>}\n"
        "%v = sched.tensorize %u {intrinsic = vpdpbusd, axis = o}"
    )
    text = run(CONVOLUTION, steps)
    assert "%B[o floordiv 16, co, r, s, o mod 16, ci]" in text


def test_around_it_stand_tiles_and_loops() -> None:
    steps = (
        "%c = sched.match {name = mm}\n%t, %n = sched.tile %c {n = 32}\n"
        "%p = sched.parallel %n\n%u, %m = sched.tile %t {m = 3, even = [m]}\n"
        "%v = sched.tensorize %u {intrinsic = vpdpbusd, ko = 2}"
    )
    text = run(product(7, 64, 16), steps)
    assert "tile(vec = n, lanes = 16, intrinsic = vpdpbusd, ko = 2)" in text


@settings(max_examples=8, deadline=None, derandomize=True)
@given(m=st.integers(1, 5), n=st.integers(2, 20), k=st.integers(1, 3), tile=st.integers(1, 3))
def test_any_shape_gives_the_same_results(m: int, n: int, k: int, tile: int) -> None:
    steps = (
        "%c = sched.match {name = mm}\n"
        f"%t, %i = sched.tile %c {{m = {tile}}}\n"
        "%v = sched.tensorize %t {intrinsic = vpmaddubsw}"
    )
    run(product(m, n, 4 * k), steps, "vpmaddubsw")


def message(kernel: str, steps: str) -> str:
    with pytest.raises(ScheduleError) as err:
        check_scripts(program(kernel, steps))
    return str(err.value)


WHERE = "sched.tensorize in @k: "
DIFFERS = WHERE + "@mm is not what @vpdpbusd computes: "


@pytest.mark.parametrize(
    ("kernel", "steps", "expected"),
    [
        (product(4, 16, 8), plain("vnni"),
         "the module has no intrinsic @vnni\n    expected: one of vpdpbusd\n"
         "    hint: put a te.intrinsic of this name next to the script"),
        (product(4, 16, 8, body=BODY.replace("extui", "extsi")), plain(),
         "@mm is not what @vpdpbusd computes: bodies are the same\n"
         "    expected: arith.extui : i32\n    got: arith.extsi : i32"),
        (product(4, 16, 8, body=BODY.replace("muli", "addi")), plain(),
         "@mm is not what @vpdpbusd computes: bodies are the same\n"
         "    expected: arith.muli : i32\n    got: arith.addi : i32"),
        (product(4, 16, 8, body=BODY.replace("%u, %v", "%u, %u")), plain(),
         "@mm is not what @vpdpbusd computes: bodies are the same\n"
         "    expected: arith.extsi : i32\n    got: arith.extui : i32"),
        (product(4, 16, 8).replace("add 0 : i32", "max 0 : i32"), plain(),
         "@mm is not what @vpdpbusd computes: outputs are combined alike\n"
         "    expected: add\n    got: max"),
        (product(4, 16, 8).replace("%A[m, k] :", "%A[m, k + 1] pad 0 :"), plain(),
         "@mm is not what @vpdpbusd computes: input 0 is read plainly\n"
         "    expected: an element\n    got: an element with a pad value"),
        (product(4, 16, 6), plain(),
         "@mm is not what @vpdpbusd computes: reduced axes are multiples of the definition's\n"
         "    expected: r: 4\n    got: k: 6"),
        (product(4, 16, 8), plain().replace("vpdpbusd", "vpdpbusd, axis = k"),
         "@mm is not what @vpdpbusd computes: k is an axis of the output\n"
         "    expected: one of m, n\n    got: k"),
        (product(1, 1, 8), plain(),
         "@mm is not what @vpdpbusd computes: an axis runs along the lanes\n"
         "    expected: one of the output\n    got: m: 1, n: 1"),
        (product(4, 16, 8, constant=False), plain(),
         "@vpdpbusd reads input 1 of @mm in another order\n"
         "    expected: distances in memory of 4 along n, 1 along ki\n"
         "    got: 1 along n, 16 along ki\n"
         "    hint: cache_read {operand = 1}, and of the copy relayout {out = 0, map = "
         "affine_map<(d0, d1) -> ((d1 floordiv 16), (d0 floordiv 4), (d1 mod 16), (d0 mod 4))>}"),
        (product(4, 16, 8), plain().replace("vpdpbusd", "vpdpbusd, ki = 2"),
         "@vpdpbusd covers all of axis ki\n    expected: one of ko\n    got: ki"),
        (product(4, 16, 8), plain().replace("vpdpbusd", "vpdpbusd, m = 2"),
         "unroll factor of axis m, which @mm does not reduce\n    expected: one of ko, ki\n"
         "    hint: tile sets how many positions of a parallel axis the leaf holds"),
        (product(4, 16, 8), plain() + "\n%v = sched.tensorize %t {intrinsic = vpdpbusd}",
         "the register tile of @mm is declared\n    hint: use tensorize in its place"),
    ],
)  # fmt: skip
def test_an_illegal_step_says_what_would_be_legal(kernel: str, steps: str, expected: str) -> None:
    assert message(kernel, steps) == WHERE + expected


def test_what_the_error_names_can_be_done() -> None:
    steps = (
        "%c = sched.match {name = mm}\n%a, %u = sched.cache_read %c {operand = 1}\n"
        "%l = sched.relayout %a {out = 0, map = affine_map<(d0, d1) -> "
        "((d1 floordiv 16), (d0 floordiv 4), (d1 mod 16), (d0 mod 4))>}\n"
        "%v = sched.tensorize %u {intrinsic = vpdpbusd}"
    )
    run(product(4, 16, 8, constant=False), steps)


def test_a_leaf_that_is_changed_after_it_is_an_error_of_the_lowering() -> None:
    module = program(product(4, 16, 8), plain())
    ApplySchedule().apply(new_context(), module)
    leaf = next(op for op in module.walk() if isinstance(op, ComputeOp) and op.label == "mm")
    view = leaf.view()
    leaf.update(view.split("ki", 2, "kio", "kii"))
    with pytest.raises(LoweringError, match=r"is not what @vpdpbusd computes|does not fit"):
        TeToLoop().apply(new_context(), module)


def test_the_intrinsic_must_stay_in_the_module() -> None:
    module = program(product(4, 16, 8), plain())
    ApplySchedule().apply(new_context(), module)
    text = re.sub(r"  te\.intrinsic(.|\n)*?\n  te\.kernel", "  te.kernel", str(module), count=1)
    with pytest.raises(LoweringError, match="the module has no intrinsic @vpdpbusd"):
        TeToLoop().apply(new_context(), parse(text))

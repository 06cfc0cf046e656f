"""Intrinsics on tiles (AMX): definition, assembly, and products on the emulator.

No machine of CI has these instructions, so tests/amx computes them where the processor refuses.
"""

from __future__ import annotations

import re

import numpy as np
import pytest
from xdsl.dialects.func import FuncOp
from xdsl.utils.exceptions import VerifyException

from tilewright.analysis.bounds.positions import OutsideBuffer, verify_positions
from tilewright.analysis.threads.statements import statements_of
from tilewright.dialects.te import kernels_of
from tilewright.interp.loop import run_function
from tilewright.interp.te import run_kernel
from tilewright.lowering.loop_to_llvm import emit_kernel
from tilewright.lowering.te_to_loop import TeToLoop
from tilewright.machines.target import Target
from tilewright.passes.schedule.apply_schedule import ApplySchedule, check_scripts
from tilewright.support.diagnostics import (
    LoweringError,
    ScheduleError,
    TilewrightError,
    TypeMismatch,
)
from tilewright.support.registry import new_context
from tilewright.targets.cpu.instructions.intrinsics import make_intrinsic
from tilewright.targets.cpu.instructions.tile_intrinsics import TILE_INTRINSICS, tile_text
from tilewright.testing.intrinsics import check_intrinsic, use_of

from ..lowering.native import Kernel, assembly, only_function, parse
from .emulator import TileEmulator

TILES = Target("llvm -mcpu=sapphirerapids")
LOADS = re.compile(r"\ttile(?:loadd|stored)\t")


@pytest.fixture(scope="module")
def emulator(tmp_path_factory: pytest.TempPathFactory) -> TileEmulator:
    return TileEmulator(tmp_path_factory.mktemp("tiles"))


@pytest.mark.parametrize("name", [*TILE_INTRINSICS, "tdpbusd_14x12", "tdpbf16ps_3x5"])
def test_the_instruction_computes_its_definition(name: str, emulator: TileEmulator) -> None:
    with emulator:
        check_intrinsic(make_intrinsic(name), target=TILES, rounds=16)
    assert emulator.count("multiplied") == 16


@pytest.mark.parametrize("name", TILE_INTRINSICS)
def test_it_becomes_the_instruction(name: str) -> None:
    text = assembly(emit_kernel(use_of(make_intrinsic(name)), TILES), TILES)
    assert f"{name}\t%tmm2, %tmm1, %tmm0" in text
    assert text.count("ldtilecfg") == text.count("tilerelease") == 1


def test_a_target_without_tiles_is_an_error() -> None:
    use = use_of(make_intrinsic("tdpbusd"))
    with pytest.raises(LoweringError, match="no registers for this tile\n    expected: amx-tile"):
        emit_kernel(use, Target("llvm -mcpu=cascadelake"))


# ---- scheduled products

PACKED = """
  %c = sched.match {name = mm}
  %p = sched.pack %c {operand = 1, map = affine_map<(d0, d1) ->
    (d1 floordiv 32, d0 floordiv 4, d1 mod 32, d0 mod 4)>}
"""
TILED = f"""{PACKED}
  %t, %n, %m = sched.tile %p {{n = 32, m = 32}}
  %q = sched.parallel %n
"""
PLAIN = f"{TILED}  %v = sched.tensorize %t {{intrinsic = tdpbusd, axis = n}}"
FINISHED = f"""{TILED}
  %s, %f = sched.cache_write %t {{sums = 1}}
  %v = sched.tensorize %s {{intrinsic = tdpbusd, axis = n}}
  %w, %r = sched.tile %f {{m = 1}}
  %x = sched.vectorize %w {{axis = n, lanes = 16}}
"""
DOUBLED = """then(%s: i32) {
      %d = arith.addi %s, %s : i32
      te.yield %d : i32
    }"""


def product(m: int, n: int, k: int, steps: str, then: str = "") -> str:
    """Return C = A * B of unsigned by constant signed bytes, and its schedule."""
    a, b, c = f"memref<{m}x{k}xi8>", f"memref<{k}x{n}xi8>", f"memref<{m}x{n}xi32>"
    return f"""{tile_text("tdpbusd")}
te.kernel @k(%A: {a}, %B: {b}, %C: {c}) attributes {{constants = array<i64: 1>}} {{
  te.compute @mm [m: {m}, n: {n}, k: {k} red]
    ins(%A[m, k] : {a}, %B[k, n] : {b})
    outs(%C[m, n] add 0 : i32 : {c})
    body(%x: i8, %y: i8) {{
      %u = arith.extui %x : i8 to i32
      %v = arith.extsi %y : i8 to i32
      %p = arith.muli %u, %v : i32
      te.yield %p : i32
    }} {then}
  te.return
}}
sched.script @k {{
{steps}
}}
"""


@pytest.mark.parametrize(("steps", "then"), [(PLAIN, ""), (FINISHED, DOUBLED)])
def test_a_scheduled_product_is_the_same_at_all_levels(
    steps: str, then: str, emulator: TileEmulator
) -> None:
    m, n, k = 64, 96, 256
    module = parse(product(m, n, k, steps, then))
    check_scripts(module)
    rng = np.random.default_rng(0)
    a, b = (rng.integers(-128, 128, shape).astype(np.int8) for shape in ((m, k), (k, n)))
    expected = (a.view(np.uint8).astype(np.int32) @ b.astype(np.int32)) * (2 if then else 1)
    panels = np.ascontiguousarray(b.reshape(k // 4, 4, n // 32, 32).transpose(2, 0, 3, 1))
    ApplySchedule().apply(new_context(), module)
    (kernel,) = kernels_of(module)
    run_kernel(kernel, a, panels, scheduled := np.zeros((m, n), np.int32))
    np.testing.assert_array_equal(scheduled, expected)
    TeToLoop().apply(new_context(), module)
    module.verify()
    assert str(parse(str(module))) == str(module)
    (function,) = (op for op in module.ops if isinstance(op, FuncOp))
    verify_positions(module)
    run_function(function, a, panels, lowered := np.zeros((m, n), np.int32))
    np.testing.assert_array_equal(lowered, expected)
    native = Kernel(function, TILES)
    with emulator:
        native(a, panels, computed := np.zeros((m, n), np.int32))
    np.testing.assert_array_equal(computed, expected)
    products = m * n * k // (16 * 16 * 64)
    assert emulator.count("multiplied") == emulator.count("loaded") == products
    assert emulator.count("configured") == 3, "once per task"
    expect_short_loop(assembly(native.text, TILES))


def expect_short_loop(text: str) -> None:
    """Expect one configuration, and an inner loop of four products with four loads."""
    assert text.count("ldtilecfg") == text.count("tilerelease") == 1
    (inner,) = (part for part in re.split(r"\n\.LBB", text) if "tdpb" in part)
    assert len(LOADS.findall(inner.partition("\tjl\t")[0])) == 4
    assert inner.count("\ttdpbusd\t") == 4


def schedule(text: str) -> str:
    module = parse(text)
    ApplySchedule().apply(new_context(), module)
    TeToLoop().apply(new_context(), module)
    return str(module)


def test_a_leaf_of_more_tiles_than_registers_is_an_error() -> None:
    steps = PACKED + "%v = sched.tensorize %p {intrinsic = tdpbusd, axis = n}"
    with pytest.raises(LoweringError, match="more tiles than registers\n    expected: at most 4"):
        schedule(product(64, 32, 64, steps))


@pytest.mark.parametrize(
    ("m", "n", "k", "pack", "message"),
    [
        (40, 32, 64, True, "an axis is a multiple of m\n    expected: a multiple of 16"),
        (32, 32, 96, True, "the innermost reduced axis has whole tiles"),
        (32, 32, 64, False, "a row of the tile is contiguous in memref<64x32xi8>"),
    ],
)
def test_a_leaf_that_is_no_whole_tiles_is_an_error(
    m: int, n: int, k: int, pack: bool, message: str
) -> None:
    steps = PACKED if pack else PACKED[: PACKED.index("  %p")].replace("%c", "%p")
    steps += "%v = sched.tensorize %p {intrinsic = tdpbusd, axis = n}"
    with pytest.raises(ScheduleError, match=re.escape(message)):
        schedule(product(m, n, k, steps))


# ---- tiles in memory


def moves(load: str, store: str) -> str:
    """Return a function that copies a tile of 4 rows of 8 bytes."""
    return f"""
func.func @f(%A: memref<8x2x16xi8>, %C: memref<8x2x16xi8>) {{
  %t = loop.load %A{load} : memref<8x2x16xi8>, vector<4x8xi8>
  loop.store %t, %C{store} : memref<8x2x16xi8>, vector<4x8xi8>
  func.return
}}
"""


@pytest.mark.parametrize(
    ("load", "store"),
    [
        ("[1, 1, 4] rows 0 stride 2", "[4, 0, 8] rows 0"),
        ("[0, 1, 10] rows 0", "[0, 1, 0] rows 0 stride 2"),  # rows that continue in the next one
    ],
)
def test_the_rows_of_a_tile_are_anywhere_in_memory(
    load: str, store: str, emulator: TileEmulator
) -> None:
    function = only_function(moves(load, store))
    verify_positions(function)
    a = np.arange(256).astype(np.int8).reshape(8, 2, 16)
    run_function(function, a, expected := np.zeros_like(a))
    assert np.count_nonzero(expected) >= 31
    with emulator:
        Kernel(function, TILES)(a, computed := np.zeros_like(a))
    np.testing.assert_array_equal(computed, expected)


@pytest.mark.parametrize(
    "load", ["[2, 0, 0] rows 0 stride 2", "[4, 1, 10] rows 0", "[5, 0, 0] rows 0"]
)
def test_a_row_outside_of_the_buffer_is_refused(load: str) -> None:
    function = only_function(moves(load, "[0, 0, 0] rows 0"))
    with pytest.raises(OutsideBuffer):
        verify_positions(function)
    a = np.zeros((8, 2, 16), np.int8)
    with pytest.raises(TilewrightError, match="access outside of %A"):
        run_function(function, a, a.copy())


@pytest.mark.parametrize(
    ("second", "is_apart"),
    [("[4, 0, 0] rows 0", True), ("[3, 0, 0] rows 0", False), ("[0, 1, 0] rows 0 stride 2", True)],
)
def test_rows_count_in_the_dependences_of_statements(second: str, is_apart: bool) -> None:
    function = only_function(f"""
func.func @f(%A: memref<8x2x16xi8>, %C: memref<8x2x16xi8>) {{
  %s = loop.load %A[0, 0, 0] rows 0 : memref<8x2x16xi8>, vector<4x8xi8>
  loop.store %s, %C[0, 0, 0] rows 0 : memref<8x2x16xi8>, vector<4x8xi8>
  %t = loop.load %A[0, 0, 0] rows 0 : memref<8x2x16xi8>, vector<4x8xi8>
  loop.store %t, %C{second} : memref<8x2x16xi8>, vector<4x8xi8>
  func.return
}}
""")
    _, (first, other) = statements_of(function.body.block)
    assert (first.conflict([other]) is None) is is_apart


@pytest.mark.parametrize("load", ["[0, 0, 0]", "[0, 0, 0] rows 2", "[0, 0, 0] rows 0 lanes 4"])
def test_a_tile_needs_a_dimension_of_rows(load: str) -> None:
    with pytest.raises(
        (TypeMismatch, VerifyException), match="a tile is a vector of two dimensions"
    ):
        parse(moves(load, "[0, 0, 0] rows 0"))

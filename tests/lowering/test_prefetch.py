"""Prefetches of a register tile's input: the prefetched positions over all iterations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import pytest
from xdsl.dialects import arith
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block
from xdsl.parser import Parser

from tilewright.dialects import loop
from tilewright.lowering.te_to_loop import TeToLoop
from tilewright.support.affine import Index, Key, constant
from tilewright.support.registry import new_context

LINE = 16
"""Elements of f32 in a cache line."""


def function_text(tile: str, *, rows: int, pixels: int, steps: int = 4) -> str:
    """Return a function of rows x pixels tiles with the same 2 x steps x 32 weights per group."""
    return f"""
te.kernel @k(%X: memref<{rows}x{pixels}x2x{steps}xf32>, %W: memref<3x2x{steps}x32xf32>,
             %Y: memref<3x{rows}x{pixels}x32xf32>) {{
  loop.for %g = 0 to 3 {{ loop.for %r = 0 to {rows} {{ loop.for %p = 0 to {pixels} {{
    te.compute @conv [n: 32, o: 2 red, k: {steps} red]
      ins(%X[%r, %p, o, k] : memref<{rows}x{pixels}x2x{steps}xf32>,
          %W[%g, o, k, n] : memref<3x2x{steps}x32xf32>)
      outs(%Y[%g, %r, %p, n] add 0.0 : f32 : memref<3x{rows}x{pixels}x32xf32>)
      tile(vec = n, lanes = 16, prefetch_operand = 1, {tile})
      body(%a: f32, %b: f32) {{ %m = arith.mulf %a, %b : f32 te.yield %m : f32 }}
  }} }} }}
  te.return
}}"""


def lowered(text: str) -> ModuleOp:
    module = Parser(new_context(), text).parse_module()
    TeToLoop().apply(new_context(), module)
    module.verify()
    return module


def points(
    block: Block, fixed: dict[Key, Index], sizes: Mapping[str, int] | None = None
) -> Iterator[tuple[loop.PrefetchOp, list[int]]]:
    """Yield every execution of a prefetch with its index values.

    fixed: values so far.  sizes: of symbols.
    """
    for op in block.ops:
        match op:
            case loop.PrefetchOp():
                yield op, [number(e, fixed) for e in op.indices()]
            case loop.ForOp():
                lows, highs = ([number(e, fixed) for e in ends] for ends in op.bounds())
                for i in range(max(lows), min(highs)):
                    yield from points(op.body.block, {**fixed, op.variable: constant(i)}, sizes)
            case loop.SizeOp():
                fixed[op.res] = constant(op.dim.evaluate(sizes or {}))
            case loop.IndexOp():
                fixed[op.results[0]] = constant(number(op.index(), fixed))
            case arith.MuliOp():
                fixed[op.result] = constant(fixed[op.lhs].const * fixed[op.rhs].const)
            case _:
                pass


def number(index: Index, fixed: Mapping[Key, Index]) -> int:
    exact = index.substitute(fixed, lambda _: (0, 0))
    assert exact.is_constant, "all variables are fixed"
    return exact.const


def asked(text: str, group: int, steps: int = 4) -> list[int]:
    """Return the flat positions in W that the tiles of a group prefetch, relative to its start."""
    (function,) = lowered(text).body.block.ops
    strides = (2 * steps * 32, steps * 32, 32, 1)
    found = points(function.regions[0].block, {})
    flat = [(i[0], sum(x * s for x, s in zip(i, strides, strict=True))) for _, i in found]
    return [position - group * strides[0] for first, position in flat if first == group]


@pytest.mark.parametrize(("rows", "pixels"), [(1, 1), (1, 3), (2, 3), (5, 7)])
@pytest.mark.parametrize("steps", [4, 20, 200])
def test_iterations_share_the_next_block(rows: int, pixels: int, steps: int) -> None:
    size = 2 * steps * 32
    text = function_text(
        f"prefetch = {size}, prefetch_spread = 1", rows=rows, pixels=pixels, steps=steps
    )
    positions = asked(text, 1, steps)
    lines = {p // LINE for p in positions}
    assert lines >= set(range(size // LINE, 2 * size // LINE)), "the next group, every line of it"
    # At most one line too many per iteration and block.
    blocks = 2 * rows * pixels * (steps if steps == 200 and rows * pixels < 25 else 1)
    assert len(positions) < size // LINE + blocks


def test_without_spread_each_load_asks_for_itself() -> None:
    text = function_text("prefetch = 64", rows=2, pixels=3)
    positions = asked(text, 1)
    expected = [p + 64 for p in range(0, 256, LINE)]
    assert sorted(positions) == sorted(expected * 6)


def test_loops_in_which_the_input_moves_do_not_share() -> None:
    text = function_text("prefetch = 256, prefetch_spread = 1", rows=1, pixels=1)
    assert sorted(asked(text, 0)) == [p + 256 for p in range(0, 256, LINE)]
    assert sorted(asked(text, 2)) == [p + 256 for p in range(0, 256, LINE)]


def test_loops_side_by_side_share_what_both_read() -> None:
    def tiles(var: str, count: int, first: int, group: str) -> str:
        return f"""loop.for %{var} = 0 to {count} {{
      te.compute @mm [n: 32, o: 2 red, k: 4 red]
        ins(%X[%{var} + {first}, o, k] : memref<9x2x4xf32>,
            %W[{group}, o, k, n] : memref<4x2x4x32xf32>)
        outs(%Y[{group}, %{var} + {first}, n] add 0.0 : f32 : memref<4x9x32xf32>)
        tile(vec = n, lanes = 16, prefetch_operand = 1, prefetch = 256, prefetch_spread = 1)
        body(%a: f32, %b: f32) {{ %m = arith.mulf %a, %b : f32 te.yield %m : f32 }}
    }}"""

    text = f"""
te.kernel @k(%X: memref<9x2x4xf32>, %W: memref<4x2x4x32xf32>, %Y: memref<4x9x32xf32>) {{
  loop.for %g = 0 to 3 {{
    {tiles("p", 5, 0, "%g")} {tiles("q", 2, 5, "%g")} {tiles("r", 2, 7, "%g + 1")}
  }}
  te.return
}}"""
    (function,) = lowered(text).body.block.ops
    found = [i for _, i in points(function.regions[0].block, {}) if i[0] == 1]
    flat = [o * 128 + k * 32 + n for _, o, k, n in found]
    # In two blocks of eight lines: four lines by each of two tiles, then two by seven others.
    assert len(flat) == 2 * (7 * 2 + 2 * 4)
    assert {p // LINE for p in flat[:16]} == set(range(16, 32))
    assert {p // LINE for p in flat[16:]} >= set(range(16, 32))


def lines_of_rows(rows: int) -> list[int]:
    """Return the lines of W that a symbolic number of rows prefetches for the next group."""
    text = """
te.kernel @k(%X: memref<?x2x24xf32, #te.dims<m, 2, 24>>, %W: memref<3x2x24x32xf32>,
             %Y: memref<3x?x32xf32, #te.dims<3, m, 32>>) attributes {sizes = ["m"]} {
  %t = loop.size floordiv(m, 8)
  loop.for %g = 0 to 3 { loop.for %r = 0 to %t {
    te.compute @mm [m: 8, n: 32, o: 2 red, k: 24 red]
      ins(%X[%r * 8 + m, o, k] : memref<?x2x24xf32, #te.dims<m, 2, 24>>,
          %W[%g, o, k, n] : memref<3x2x24x32xf32>)
      outs(%Y[%g, %r * 8 + m, n] add 0.0 : f32 : memref<3x?x32xf32, #te.dims<3, m, 32>>)
      tile(vec = n, lanes = 16, prefetch_operand = 1, prefetch = 1536, prefetch_spread = 1)
      body(%a: f32, %b: f32) { %m = arith.mulf %a, %b : f32 te.yield %m : f32 }
  } }
  te.return
}"""
    (function,) = lowered(text).body.block.ops
    found = [i for _, i in points(function.regions[0].block, {}, {"m": rows}) if i[0] == 1]
    return [(o * 768 + k * 32 + n) // LINE for _, o, k, n in found]


@pytest.mark.parametrize("rows", [24, 40, 48])
def test_few_rows_prefetch_all_lines_of_the_next_group(rows: int) -> None:
    lines = lines_of_rows(rows)
    assert set(lines) >= set(range(96, 192))
    assert len(lines) <= 96 + rows // 8 * 2, "a line too many in each of two blocks at most"


def test_more_rows_prefetch_the_lines_again() -> None:
    lines = lines_of_rows(96)
    half = len(lines) // 2
    assert set(lines[:half]) >= set(range(96, 192)), "48 rows prefetch all lines of the next group"
    assert lines[:half] == lines[half:], "the next 48 rows prefetch them again"


@pytest.mark.parametrize("rows", [8, 16])
def test_tiles_that_would_prefetch_too_much_at_once_prefetch_nothing(rows: int) -> None:
    assert not lines_of_rows(rows)


@pytest.mark.parametrize("level", [0, 2])
def test_level_is_kept(level: int) -> None:
    tile = f"prefetch = 256, prefetch_spread = 1, prefetch_level = {level}"
    (function,) = lowered(function_text(tile, rows=2, pixels=2)).body.block.ops
    assert {op.locality.data for op, _ in points(function.regions[0].block, {})} == {level}

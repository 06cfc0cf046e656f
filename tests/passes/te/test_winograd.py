"""te-winograd: tiles of both sizes give the results of the direct sum, also on ragged images."""

from __future__ import annotations

from math import ceil

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tilewright.dialects.packed import CallOp, ConstantOp
from tilewright.dialects.sizes import record_sizes
from tilewright.dialects.te import role
from tilewright.dialects.weights import WeightAttr
from tilewright.interp.packed import run as run_buffers
from tilewright.passes.te.toom_cook import TILES
from tilewright.support.accuracy import WINOGRAD_ERROR
from tilewright.support.entry import entry_of

from ...sweeps import examples
from .ir import apply, computes, kernels, parse

LAYOUT = "layout affine_map<(n, c, h, w) -> (n, c floordiv 4, h, w, c mod 4)>"


def convolution(
    n: int, c: int, o: int, h: int, w: int, pad: int, mark: tuple[int, int], key: str, layout: str
) -> str:
    """Return a marked convolution of a computed input, with bias and a residual."""
    oh, ow = h + 2 * pad - 2, w + 2 * pad - 2
    border = "pad 0.0" if pad else ""
    return f"""
func.func @main(
    %x: tensor<{n}x{c}x{h}x{w}xf32>, %r: tensor<{n}x{o}x{oh}x{ow}xf32>, %b: tensor<{o}xf32>
) -> tensor<{n}x{o}x{oh}x{ow}xf32> {{
  %k = packed.constant <"{key}"> : tensor<{o}x{c}x3x3xf32>
  %d = te.compute @double [n: {n}, c: {c}, h: {h}, w: {w}]
    ins(%x[n, c, h, w] : tensor<{n}x{c}x{h}x{w}xf32>)
    outs([n, c, h, w] {layout} : tensor<{n}x{c}x{h}x{w}xf32>)
    body(%v: f32) {{
      %t = arith.addf %v, %v : f32
      te.yield %t : f32
    }}
  %y = te.compute @conv [n: {n}, o: {o}, h: {oh}, w: {ow}, i: {c} red, p: 3 red, q: 3 red]
    ins(%d[n, i, h + p - {pad}, w + q - {pad}] {border} : tensor<{n}x{c}x{h}x{w}xf32>,
        %k[o, i, p, q] : tensor<{o}x{c}x3x3xf32>)
    post(%b[o] : tensor<{o}xf32>, %r[n, o, h, w] : tensor<{n}x{o}x{oh}x{ow}xf32>)
    outs([n, o, h, w] add 0.0 : f32 {layout} : tensor<{n}x{o}x{oh}x{ow}xf32>)
    role(winograd {mark[0]} {mark[1]})
    body(%u: f32, %v: f32) {{
      %t = arith.mulf %u, %v : f32
      te.yield %t : f32
    }} then(%s: f32, %u: f32, %v: f32) {{
      %t = arith.addf %s, %u : f32
      %z = arith.addf %t, %v : f32
      te.yield %z : f32
    }}
  func.return %y : tensor<{n}x{o}x{oh}x{ow}xf32>
}}
"""


def direct(x: np.ndarray, w: np.ndarray, pad: int) -> np.ndarray:
    """Compute the sum of products in float64."""
    padded = np.pad(x.astype(np.float64), ((0, 0), (0, 0), (pad, pad), (pad, pad)))
    windows = np.lib.stride_tricks.sliding_window_view(padded, (3, 3), axis=(2, 3))
    return np.einsum("nihwpq,oipq->nohw", windows, w.astype(np.float64))


@st.composite
def cases(draw: st.DrawFn) -> tuple[tuple[int, ...], tuple[int, int], str]:
    """Draw sizes (n, c, o, h, w, pad), the mark, and a layout whose blocks divide the channels."""
    tile, pad = draw(st.sampled_from(sorted(TILES))), draw(st.integers(0, 1))
    blocked = draw(st.booleans())
    step = 4 if blocked else 1
    c, o = (step * draw(st.integers(1 + (step == 1), 3)) for _ in range(2))
    h, w = (draw(st.integers(3, 14)) for _ in range(2))
    rows = ceil((h + 2 * pad - 2) / tile)
    per_task = draw(st.sampled_from([0, *(r for r in range(1, rows + 1) if rows % r == 0)]))
    sizes = draw(st.integers(1, 2)), c, o, h, w, pad
    return sizes, (tile, per_task), LAYOUT if blocked else ""


@examples(15)
@given(cases())
def test_tiles_give_what_the_direct_sum_gives(
    case: tuple[tuple[int, ...], tuple[int, int], str],
) -> None:
    (n, c, o, h, w, pad), mark, layout = case
    rng = np.random.default_rng(0)
    weights = rng.standard_normal((o, c, 3, 3)).astype(np.float32)
    held = WeightAttr.of(weights)
    before = parse(convolution(n, c, o, h, w, pad, mark, held.key, layout))
    after = apply(before, "te-outline", "te-bufferize", "te-winograd")
    assert not any(op.has_role(role.WinogradTiles) for op in computes(after))
    assert str(parse(str(after))) == str(after)
    x = rng.standard_normal((n, c, h, w)).astype(np.float32)
    r = rng.standard_normal((n, o, h + 2 * pad - 2, w + 2 * pad - 2)).astype(np.float32)
    b = rng.standard_normal(o).astype(np.float32)
    (y,) = run_buffers(after, x, r, b)
    expected = direct(2 * x, weights, pad) + b[:, None, None] + r
    assert np.linalg.norm(y - expected) <= WINOGRAD_ERROR * np.linalg.norm(expected)


OPEN = """
!x = tensor<?x8x?x?xf32, #te.dims<b, 8, h, w>>
!y = tensor<?x8x?x?xf32, #te.dims<b, 8, 2 * h, w>>
func.func @main(%x: !x, %r: !y, %s: !y) -> !y {
  %k = packed.constant <"KEY"> : tensor<8x8x3x3xf32>
  %d = te.compute @twice [n: b, c: 8, h: 2 * h, w: w] ins(%x[n, c, h floordiv 2, w] : !x)
    outs([n, c, h, w] LAYOUT : !y) body(%v: f32) { te.yield %v : f32 }
  %e = te.compute @inner [n: b, c: 8, h: 2 * h, w: w] ins(%r[n, c, h, w] : !y)
    outs([n, c, h, w] LAYOUT : !y) body(%v: f32) { te.yield %v : f32 }
  %z = te.compute @conv [n: b, o: 8, h: 2 * h, w: w, i: 8 red, p: 3 red, q: 3 red]
    ins(%d[n, i, h + p - 1, w + q - 1] pad 0.0 : !y, %k[o, i, p, q] : tensor<8x8x3x3xf32>)
    post(%e[n, o, h, w] : !y, %s[n, o, h, w] : !y)
    outs([n, o, h, w] add 0.0 : f32 LAYOUT : !y)
    role(winograd TILE 0WHEN)
    body(%u: f32, %v: f32) {
      %t = arith.mulf %u, %v : f32
      te.yield %t : f32
    } then(%a: f32, %u: f32, %v: f32) {
      %t = arith.addf %a, %u : f32
      %z = arith.addf %t, %v : f32
      te.yield %z : f32
    }
  %y = te.compute @next [n: b, o: 8, h: 2 * h, w: w, p: 3 red, q: 3 red]
    ins(%z[n, o, h + p - 1, w + q - 1] pad 0.0 : !y)
    outs([n, o, h, w] add 0.0 : f32 LAYOUT : !y) body(%v: f32) { te.yield %v : f32 }
  func.return %y : !y
}"""


@pytest.mark.one_in(2)
@pytest.mark.parametrize(
    ("when", "layout", "to"),
    [
        ("", LAYOUT, "te"),
        (" when min(1, floordiv(b * h * w, 12))", "", "loop"),
        (" when min(1, floordiv(b * h * w, 12)) else 2", LAYOUT, "te"),
    ],
)
@pytest.mark.parametrize("tile", sorted(TILES))
def test_tiles_cover_images_of_any_symbolic_size(
    tile: int, when: str, layout: str, to: str
) -> None:
    weights = np.random.default_rng(0).standard_normal((8, 8, 3, 3)).astype(np.float32)
    held = WeightAttr.of(weights)
    text = OPEN.replace("KEY", held.key).replace("LAYOUT", layout)
    module = parse(text.replace("TILE", str(tile)).replace("WHEN", when))
    record_sizes(entry_of(module))
    made = apply(module, "te-outline", "te-bufferize", "te-winograd")
    assert str(parse(str(made))) == str(made)
    after = made if to == "te" else apply(made, "te-to-loop", "packed-plan-memory")
    calls = [op for op in made.walk() if isinstance(op, CallOp)]
    conditional = [op.condition for op in calls if op.when is not None]
    assert len(conditional) == (6 if "else" in when else 4 if when else 0)
    rng = np.random.default_rng(0)
    images = ((1, 1, 1), (1, 3, 5), (2, 2, 4), (1, 1, 13))
    for b, h, w in images[: 2 if to == "loop" else None]:
        sizes = {"b": b, "h": h, "w": w}
        assert {*(c.evaluate(sizes) for c in conditional)} == ({0, 1} if when else set())
        x = rng.standard_normal((b, 8, h, w)).astype(np.float32)
        r, s = rng.standard_normal((2, b, 8, 2 * h, w)).astype(np.float32)
        (y,) = run_buffers(after, x, r, s)
        z = direct(np.repeat(x, 2, axis=2), weights, 1) + r + s
        expected = direct(z, np.eye(8)[:, :, None, None] + np.zeros((3, 3)), 1)
        assert np.linalg.norm(y - expected) <= WINOGRAD_ERROR * np.linalg.norm(expected)


@pytest.mark.parametrize("rows", [0, 1])
def test_weights_are_transformed_once_for_all_that_share_them(rows: int) -> None:
    weights = np.random.default_rng(0).standard_normal((8, 4, 3, 3)).astype(np.float32)
    held = WeightAttr.of(weights)
    text = convolution(1, 4, 8, 8, 8, 1, (4, rows), held.key, LAYOUT)
    after = apply(parse(text), "te-outline", "te-bufferize", "te-winograd")
    constants = [op.value.array for op in after.walk() if isinstance(op, ConstantOp)]
    assert [a.shape for a in constants] == [(36, 4, 8)]
    calls = [op.kernel_name for op in after.walk() if isinstance(op, CallOp)]
    assert len(calls) == len(kernels(after)) == (2 if rows else 4)


@pytest.mark.parametrize("size", sorted(TILES))
def test_weights_are_rounded_once(size: int) -> None:
    tile = TILES[size]
    weights = np.random.default_rng(0).standard_normal((3, 3, 5, 7))
    exact = np.einsum("ap,bq,pqio->abio", tile.weights, tile.weights, weights)
    made = tile.transformed(WeightAttr.of(weights)).stored
    assert made.dtype == np.float32
    np.testing.assert_array_equal(made, exact.reshape(-1, 5, 7).astype(np.float32))

"""Programs of scales, 3x3 windows and concats over images, as text."""

from __future__ import annotations

BLOCKED = "layout affine_map<(n, c, h, w) -> (n, c floordiv 4, h, w, c mod 4)>"


def scale(source: str, result: str, shape: str, layout: str = "", factor: float = 2.0) -> str:
    """Return result = factor * source over four axes."""
    n, c, h, w = shape.split("x")
    return f"""
  %{result} = te.compute @scale [n: {n}, c: {c}, h: {h}, w: {w}]
    ins(%{source}[n, c, h, w] : tensor<{shape}xf32>)
    outs([n, c, h, w] {layout} : tensor<{shape}xf32>)
    body(%x: f32) {{
      %k = arith.constant {factor} : f32
      %r = arith.mulf %x, %k : f32
      te.yield %r : f32
    }}
"""


def window(source: str, result: str, shape: str, pad: str = "0.0", low: int = 1) -> str:
    """Return 3x3 sums with padding; ``low``: rows of padding at the start."""
    n, c, h, w = shape.split("x")
    combiner = "add 0.0" if pad == "0.0" else "max -inf"
    return f"""
  %{result} = te.compute @window [n: {n}, c: {c}, h: {h}, w: {w}, r: 3 red, s: 3 red]
    ins(%{source}[n, c, h + r - {low}, w + s - 1] pad {pad} : tensor<{shape}xf32>)
    outs([n, c, h, w] {combiner} : f32 : tensor<{shape}xf32>)
    body(%x: f32) {{ te.yield %x : f32 }}
"""


def main(body: str, result: str, shape: str = "1x8x5x6", out: str = "1x8x5x6") -> str:
    return (
        f"func.func @main(%a: tensor<{shape}xf32>) -> tensor<{out}xf32> {{{body}\n"
        f"  func.return %{result} : tensor<{out}xf32>\n}}"
    )


CONCAT = """
  %j = te.compute @concat [n: 1, c: 16, h: 5, w: 6]
    ins(%b[n, c, h, w] pad 0.0 : tensor<1x8x5x6xf32>,
        %c[n, c - 8, h, w] pad 0.0 : tensor<1x8x5x6xf32>, index[c])
    outs([n, c, h, w] LAYOUT : tensor<1x16x5x6xf32>) role(concat 1)
    body(%x: f32, %y: f32, %i: index) {
      %k = arith.constant 8 : index
      %first = arith.cmpi slt, %i, %k : index
      %r = arith.select %first, %x, %y : f32
      te.yield %r : f32
    }
"""

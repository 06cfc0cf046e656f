"""Nested text: values with one use stand in the place of their use."""

from __future__ import annotations

from pathlib import Path

import pytest

from tilewright import ir
from tilewright.testing.pass_case import parsed
from tilewright.tools.opt.main import main

PROGRAM = """
func.func @square(%x: tensor<2xf32>) -> tensor<2xf32> {
  %y = graph.mul %x, %x : tensor<2xf32>
  func.return %y : tensor<2xf32>
}
func.func @main(%c: tensor<i1>, %x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %a = graph.exp %x : tensor<2xf32>
  %b = graph.neg %a : tensor<2xf32>
  %s = graph.call @square(%b) : (tensor<2xf32>) -> tensor<2xf32>
  %d = graph.sin %x : tensor<2xf32>
  %r = graph.if %c {
    %e = graph.add %d, %s : tensor<2xf32>
    graph.yield %e : tensor<2xf32>
  } else {
    %t = graph.reduce %s "sum" axes [0] keep : tensor<2xf32> -> tensor<1xf32>
    %y = graph.concat %t, %t axis 0 : tensor<1xf32>, tensor<1xf32> -> tensor<2xf32>
    graph.yield %y : tensor<2xf32>
  } : tensor<i1> -> tensor<2xf32>
  func.return %r, %d : tensor<2xf32>, tensor<2xf32>
}"""

TEXT = """\
func square(x: tensor<2xf32>) -> tensor<2xf32> {
  return mul(x, x)
}
func main(c: tensor<i1>, x: tensor<2xf32>) -> tensor<2xf32>, tensor<2xf32> {
  s = call @square(neg(exp(x)))
  d = sin(x)
  r = if(c) {
    yield add(d, s)
  } {
    t = reduce(s, kind="sum", axes=array<i64: 0>, keep)
    yield concat(t, t, axis=0 : i64)
  }
  return r, d
}
"""


def test_a_program_as_nested_expressions() -> None:
    assert ir.to_nested_text(parsed(PROGRAM)) == TEXT


def test_long_expressions_have_a_name() -> None:
    lines = "".join(
        f"  %{chr(98 + n)} = graph.log1p %{chr(97 + n)} : tensor<f32>\n" for n in range(20)
    )
    head, end = (
        "func.func @main(%a: tensor<f32>) -> tensor<f32> {\n",
        "  func.return %u : tensor<f32>\n}",
    )
    text = head + lines + end
    made = ir.to_nested_text(parsed(text)).splitlines()
    assert len(made) == 4
    assert made[1].count("log1p(") + made[2].count("log1p(") == 20
    assert max(map(len, made)) < 100


def test_tw_opt_prints_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "program.mlir").write_text(PROGRAM)
    assert main([str(tmp_path / "program.mlir"), "-t", "nested"]) == 0
    assert capsys.readouterr().out.strip() == TEXT.strip()

"""Roles of te.compute: printed, parsed, verified, and kept when a compute is rebuilt."""

from __future__ import annotations

from dataclasses import replace

import pytest
from xdsl.dialects.builtin import AffineMapAttr
from xdsl.ir.affine import AffineMap

from tilewright.dialects.shape import Dim
from tilewright.dialects.te import ComputeOp
from tilewright.dialects.te.role import Border, Concat, JoinsReader, Role, Transform, WinogradTiles
from tilewright.support.diagnostics import TypeMismatch

from ..passes.schedule.kernels import parse

STORED = """
func.func @main(%x: tensor<4x9xf32>) -> tensor<4x9xf32> {
  %y = te.compute @y [i: 4, j: 9] ins(%x[i, j] : tensor<4x9xf32>)
    outs([i, j] : tensor<4x9xf32>) ROLE body(%v: f32) { te.yield %v : f32 }
  func.return %y : tensor<4x9xf32>
}"""

REDUCED = """
func.func @main(%x: tensor<4x9xf32>) -> tensor<4xf32> {
  %y = te.compute @y [i: 4, j: 9 red] ins(%x[i, j] : tensor<4x9xf32>)
    outs([i] add 0.0 : f32 : tensor<4xf32>) ROLE body(%v: f32) { te.yield %v : f32 }
  func.return %y : tensor<4xf32>
}"""


def compute_of(text: str, role: str) -> ComputeOp:
    module = parse(text.replace("ROLE", f"role({role})"))
    return next(op for op in module.walk() if isinstance(op, ComputeOp))


@pytest.mark.parametrize(
    ("text", "role"),
    [
        (STORED, Concat(1)),
        (REDUCED, JoinsReader()),
        (REDUCED, WinogradTiles(4, 2)),
        (REDUCED, WinogradTiles(4, 2, 8)),
        (REDUCED, WinogradTiles(4, 0, when=Dim.sym("h").min(1))),
        (REDUCED, WinogradTiles(4, 1, 8, Dim.sym("h") // 9, 2)),
    ],
)
def test_a_role_is_printed_parsed_and_kept(text: str, role: Role) -> None:
    op = compute_of(text, str(role))
    assert op.role is not None
    assert op.role.data == role
    assert f"role({role})" in str(op)
    view = op.view()
    assert view.role == role
    assert op.clone().view().role == role
    op.update(replace(view, name="other"))
    assert op.has_role(type(role))
    assert ComputeOp.from_view(view.split("j", 3, "a", "b")).has_role(type(role))


@pytest.mark.parametrize(
    ("text", "role"),
    [
        (STORED, Border()),
        (STORED, Concat(2)),
        (STORED, JoinsReader()),
        (STORED, Transform()),
        (STORED, WinogradTiles(4, 2)),
        (REDUCED, Concat(0)),
        (REDUCED, WinogradTiles(3, 0)),
    ],
)
def test_a_compute_that_is_not_what_its_role_says_is_refused(text: str, role: Role) -> None:
    with pytest.raises(TypeMismatch, match="the definition contradicts the role"):
        compute_of(text, str(role)).verify()


def test_a_layout_is_kept_and_fits_the_output() -> None:
    layout = AffineMapAttr(AffineMap.from_callable(lambda i, j: (j, i)))
    op = compute_of(STORED, "concat 1")
    view = op.view()
    view.outputs[0].layout = layout
    op.update(view)
    op.verify()
    assert op.clone().view().outputs[0].layout == layout
    rebuilt = ComputeOp.from_view(op.clone().view().substitute({}))
    assert rebuilt.view().outputs[0].layout == layout
    assert "layout affine_map" in str(rebuilt)
    view.outputs[0].layout = AffineMapAttr(AffineMap.identity(3))
    op.update(view)
    with pytest.raises(TypeMismatch, match="not a map from the dimensions of the output") as error:
        op.verify()
    assert error.value.expected == "a map from 2 dimensions"
    assert error.value.hint

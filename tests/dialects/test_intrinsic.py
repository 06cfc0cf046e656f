"""te.intrinsic: text and verifier errors."""

from __future__ import annotations

import pytest
from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser

from tilewright.dialects.te import IntrinsicOp
from tilewright.support.diagnostics import TypeMismatch
from tilewright.support.registry import new_context
from tilewright.targets.cpu.instructions.intrinsics import INTRINSICS

DOT = INTRINSICS["vpdpbusd"]


def parse(text: str) -> ModuleOp:
    return Parser(new_context(), text).parse_module()


@pytest.mark.parametrize("name", INTRINSICS)
def test_prints_and_parses_back(name: str) -> None:
    module = parse(INTRINSICS[name])
    module.verify()
    again = parse(str(module))
    again.verify()
    assert again.is_structurally_equivalent(module)
    assert str(again) == str(module)
    (op,) = module.ops
    assert isinstance(op, IntrinsicOp)
    assert (op.lane_axis, op.label) == ("i", name)


def test_a_matrix_has_rows_that_share_a_vector() -> None:
    (op,) = parse(INTRINSICS["smmla"]).ops
    assert isinstance(op, IntrinsicOp)
    assert (op.is_matrix, op.is_tile, op.rows, op.lanes) == (True, False, 2, 4)
    row = op.row_view()
    assert (dict(row.axes), row.inputs[0].axes()) == ({"i": 4, "r": 8}, {"r"})
    (dot,) = parse(DOT).ops
    assert isinstance(dot, IntrinsicOp)
    assert (dot.is_matrix, dot.rows, dot.lanes) == (False, 1, 16)
    wrong = INTRINSICS["smmla"].replace("vector<16xi8>", "vector<8xi8>")
    with pytest.raises(TypeMismatch, match="the emission takes a vector per buffer"):
        parse(wrong).verify()


def test_the_result_of_a_join_has_both_vectors() -> None:
    text = """
func.func @two(%x: vector<4xi8>, %y: vector<4xi8>) -> vector<8xi8> {
  %j = loop.join %x, %y : vector<4xi8> to vector<8xi8>
  func.return %j : vector<8xi8>
}"""
    parse(text).verify()
    with pytest.raises(Exception, match="does not have the lanes of both vectors"):
        parse(text.replace("8xi8", "6xi8")).verify()


@pytest.mark.parametrize(
    ("old", "new", "rule"),
    [
        ("add acc", "add 0 : i32", "the definition continues one output"),
        (" add acc", "", "store|the definition continues one output"),
        ("%b[i, r]", "%b[r, i]", "index i leaves"),
        ("ins(%a[i, r] : memref<16x4xi8>, %b[i, r]", "ins(%a[i, r] : memref<16x4xi8>, %a[i, r]",
         "the definition uses each buffer once"),
        ("(%c: vector<16xi32>, %a: vector<64xi8>", "(%a: vector<64xi8>, %c: vector<16xi32>",
         "the emission takes a vector per buffer"),
        ("te.yield %r : vector<16xi32>", "te.yield %a : vector<64xi8>",
         "the emission yields the output"),
        ("llvm.x86", "x86", "only LLVM intrinsics can be called"),
        ("r: 4 red]", "r: 3 red]", "a buffer is as large as its axes"),
    ],
)  # fmt: skip
def test_what_is_no_intrinsic_is_refused(old: str, new: str, rule: str) -> None:
    assert old in DOT
    with pytest.raises(Exception, match=rule):
        parse(DOT.replace(old, new)).verify()


def test_an_intrinsic_has_one_compute() -> None:
    text = DOT.replace("definition(%c", "definition(%d: memref<16xi32>, %c")
    with pytest.raises(TypeMismatch, match="uses each buffer once"):
        parse(text).verify()

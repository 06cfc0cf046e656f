"""te.scatter, te.sort and te.loops: text, verifier errors, reference semantics."""

from __future__ import annotations

import re

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from xdsl.dialects.builtin import ModuleOp, TensorType, f32
from xdsl.parser import Parser

from tilewright.analysis.verify import verify_module
from tilewright.dialects.te.loops_builder import LoopsBuilder
from tilewright.interp import te
from tilewright.support.diagnostics import TilewrightError
from tilewright.support.registry import new_context

SCATTER = """
func.func @main(%t: tensor<4x3xf32>, %k: tensor<5xi64>, %u: tensor<5x3xf32>) -> tensor<4x3xf32> {
  %s = te.scatter @rows [i: 5, j: 3] UNIQUE
      into(%t : tensor<4x3xf32>)
      ins(%k[i] : tensor<5xi64>, index[j], %u[i, j] : tensor<5x3xf32>)
      body(%a: i64, %j: index, %v: f32) {
    %r = arith.index_cast %a : i64 to index
    te.yield BODY
  } COMBINE
  func.return %s : tensor<4x3xf32>
}
"""
ADD = "combine(%o: f32, %n: f32) { %w = arith.addf %o, %n : f32  te.yield %w : f32 }"
SORT = """
func.func @main(%x: tensor<3x9xf32>) -> (tensor<3x4xf32>, tensor<3x4xi64>) {
  %v, %p = te.sort @order %x axis 1 : tensor<3x9xf32> -> tensor<3x4xf32>, tensor<3x4xi64>
  func.return %v, %p : tensor<3x4xf32>, tensor<3x4xi64>
}
"""
LOOPS = """
func.func @main(%x: tensor<3x9xf32>) -> tensor<3xf32> {
  %y = te.loops @first (%x : tensor<3x9xf32>) -> tensor<3xf32> {
  ^bb0(%rows: memref<3x9xf32>, %out: memref<3xf32>):
    loop.for parallel %i = 0 to 3 {
      %a = loop.load %rows[%i, 0] : memref<3x9xf32>, f32
      loop.store %a, %out[%i] : memref<3xf32>, f32
    }
  }
  func.return %y : tensor<3xf32>
}
"""


def scatter(body="%r, %j, %v : index, index, f32", combine="", unique="") -> str:
    return SCATTER.replace("BODY", body).replace("COMBINE", combine).replace("UNIQUE", unique)


def parse(text: str) -> ModuleOp:
    return Parser(new_context(), text).parse_module()


@pytest.mark.parametrize("text", [scatter(), scatter(combine=ADD, unique="unique"), SORT, LOOPS])
def test_text_parses_back_equal(text):
    module = parse(text)
    verify_module(module)
    again = parse(str(module))
    assert str(again) == str(module)
    assert again.is_structurally_equivalent(module)


WRONG = [
    (scatter("%r, %v : index, f32"), "one position per dimension"),
    (scatter("%r, %j, %a : index, index, i64"), "one position per dimension"),
    (scatter(combine=ADD.replace("%o: f32, %n: f32", "%o: f32, %n: f32, %q: f32")), "combine arg"),
    (scatter().replace("%u[i, j] :", "%u[i + 1, j] :"), "leaves"),
    (SORT.replace("axis 1 :", "axis 2 :"), "outside the rank"),
    (SORT.replace("3x4x", "3x10x"), "length along the axis"),
    (SORT.replace("tensor<3x4xi64>", "tensor<3x4xf32>"), "positions"),
    (
        LOOPS.replace("%a, %out[%i] : memref<3xf32>", "%a, %rows[%i, 0] : memref<3x9xf32>"),
        "only re",
    ),
    (re.sub(r"(-> |y : )tensor<3xf32>", r"\1tensor<4xf32>", LOOPS), "region arguments"),
]


@pytest.mark.parametrize(("text", "rule"), WRONG, ids=[rule for _, rule in WRONG])
def test_errors_say_what_is_wrong(text, rule):
    with pytest.raises(TilewrightError, match=rule):
        parse(text).verify()


def test_scattered_rows_outside_the_base_are_dropped():
    t, u = np.zeros((4, 3), np.float32), np.arange(15, dtype=np.float32).reshape(5, 3)
    k = np.array([2, -1, 4, 0, 2])
    (got,) = te.run(parse(scatter()), t, k, u)
    expected = t.copy()
    expected[2], expected[0] = u[4], u[3]
    np.testing.assert_array_equal(got, expected)
    (got,) = te.run(parse(scatter(combine=ADD)), t, k, u)
    expected[2] = u[0] + u[4]
    np.testing.assert_array_equal(got, expected)


def test_a_broken_promise_of_unique_positions_is_an_error():
    t, u = np.zeros((4, 3), np.float32), np.zeros((5, 3), np.float32)
    with pytest.raises(TilewrightError, match="write the same position"):
        te.run(parse(scatter(unique="unique")), t, np.array([0, 1, 2, 3, 3]), u)


@given(st.lists(st.sampled_from([0.0, -0.0, 1.0, -1.0, np.nan, np.inf]), min_size=9, max_size=9))
def test_equal_elements_keep_their_order(row):
    x = np.tile(np.array(row, np.float32), (3, 1))

    def rank(position: int) -> tuple[bool, float]:
        value = row[position]
        return bool(np.isnan(value)), 0.0 if np.isnan(value) else value

    up = sorted(range(9), key=rank)[:4]
    down = sorted(range(9), key=lambda p: (not rank(p)[0], -rank(p)[1]))[:4]
    for text, order in ((SORT, up), (SORT.replace("axis 1 :", "axis 1 descending :"), down)):
        values, positions = te.run(parse(text), x)
        assert positions.tolist() == [order] * 3
        np.testing.assert_array_equal(values, x[:, order])


def test_narrow_floats_are_sorted_too():
    module = parse(SORT.replace("f32", "bf16"))
    x = np.arange(27)[::-1].reshape(3, 9).astype(ml_dtypes.bfloat16)
    x[:, 4] = np.nan
    _, positions = te.run(module, x)
    assert positions.tolist() == [[8, 7, 6, 5]] * 3


def test_a_nest_written_in_python():
    module = parse(LOOPS)
    function = module.body.block.first_op
    block = function.body.block
    loops = LoopsBuilder("row_sums", [block.args[0]], [TensorType(f32, [3])])
    rows, out = loops.buffers
    with loops.loop(0, 3) as i:
        with loops.fold(0, 9, loops.constant(0.0, f32)) as total:
            (so_far,) = total.carried
            total.next(loops.add(so_far, loops.get(rows, i, total.index)))
        loops.put(loops.constant(-1.0, f32), out, i)
        with loops.when(loops.compare("gt", total.results[0], loops.constant(0.0, f32))):
            loops.put(total.results[0], out, i)
    old = block.first_op
    new = loops.build()
    block.insert_op_before(new, old)
    old.results[0].replace_all_uses_with(new.results[0])
    old.detach()
    old.erase()
    verify_module(module)
    x = np.array([[1.0] * 9, [-1.0] * 9, [0.5] * 9], np.float32)
    (got,) = te.run(parse(str(module)), x)
    assert got.tolist() == [9.0, -1.0, 4.5]

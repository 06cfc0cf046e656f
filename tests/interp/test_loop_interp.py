"""The loop interpreter: checks of bounds and races, vectors, rounding."""

from __future__ import annotations

import numpy as np
import pytest
from xdsl.dialects.func import FuncOp
from xdsl.parser import Parser

from tilewright.interp.loop import run_function
from tilewright.support.diagnostics import TilewrightError
from tilewright.support.registry import new_context


def function(arguments: str, body: str) -> FuncOp:
    text = f"func.func @f({arguments}) {{\n{body}\n func.return }}"
    module = Parser(new_context(), text).parse_module()
    module.verify()
    assert str(Parser(new_context(), str(module)).parse_module()) == str(module)
    (op,) = module.body.block.ops
    assert isinstance(op, FuncOp)
    return op


def floats(*numbers: float) -> np.ndarray:
    return np.array(numbers, np.float32)


def test_loops_carry_values():
    op = function(
        "%x: memref<4xf32>, %y: memref<1xf32>",
        "%zero = arith.constant 0.0 : f32\n"
        "%sum = loop.for %i = 0 to 4 iter_args(%s = %zero : f32) {\n"
        "  %v = loop.load %x[%i] : memref<4xf32>, f32\n"
        "  %t = arith.addf %s, %v : f32\n"
        "  loop.yield %t : f32\n"
        "}\n"
        "loop.store %sum, %y[0] : memref<1xf32>, f32",
    )
    y = floats(0)
    run_function(op, floats(1, 2, 3, 4), y)
    assert y[0] == 10


def test_bounds_are_the_largest_lower_and_the_smallest_upper():
    op = function(
        "%y: memref<5x5xf32>",
        "%one = arith.constant 1.0 : f32\n"
        "loop.for %i = 0 to 5 { loop.for %j = max(0, %i - 1) to min(5, %i + 2) {\n"
        "  loop.store %one, %y[%i, %j] : memref<5x5xf32>, f32\n} }",
    )
    y = np.zeros((5, 5), np.float32)
    run_function(op, y)
    expected = np.tri(5, k=1) - np.tri(5, k=-2)
    np.testing.assert_array_equal(y, expected)


def test_f32_rounds_at_every_op():
    op = function(
        "%y: memref<1xf32>",
        "%a = arith.constant 16777216.0 : f32\n"
        "%b = arith.constant 1.0 : f32\n"
        "%s = arith.addf %a, %b : f32\n"
        "%t = arith.addf %s, %b : f32\n"
        "loop.store %t, %y[0] : memref<1xf32>, f32",
    )
    y = floats(0)
    run_function(op, y)
    assert y[0] == 16777216


def test_vectors_with_tails_strides_and_pads():
    op = function(
        "%x: memref<6xf32>, %y: memref<4x4xf32>",
        "%a = loop.load %x[1] lanes 3 : memref<6xf32>, vector<4xf32>\n"
        "%b = loop.load %x[5] stride -1 : memref<6xf32>, vector<4xf32>\n"
        "%c = loop.load %x[4] pad -1.0 : memref<6xf32>, vector<4xf32>\n"
        "%d = loop.keep_lanes 1 of %a else %b : vector<4xf32>\n"
        "loop.store %a, %y[0, 0] : memref<4x4xf32>, vector<4xf32>\n"
        "loop.store %b, %y[1, 0] : memref<4x4xf32>, vector<4xf32>\n"
        "loop.store %c, %y[2, 0] : memref<4x4xf32>, vector<4xf32>\n"
        "loop.store %d, %y[3, 0] lanes 3 : memref<4x4xf32>, vector<4xf32>",
    )
    y = np.full((4, 4), 9, np.float32)
    run_function(op, np.arange(6, dtype=np.float32), y)
    expected = [[1, 2, 3, 0], [5, 4, 3, 2], [4, 5, -1, -1], [1, 4, 3, 9]]
    np.testing.assert_array_equal(y, expected)


def test_values_of_vectors():
    op = function(
        "%x: memref<4xi32>, %y: memref<4xf32>, %z: memref<2xi32>",
        "%v = loop.load %x[0] : memref<4xi32>, vector<4xi32>\n"
        '%f = loop.cast "sitofp" %v : vector<4xi32> to vector<4xf32>\n'
        "%j = loop.index [3] step 2 : vector<4xindex>\n"
        '%i = loop.cast "index_cast" %j : vector<4xindex> to vector<4xi32>\n'
        '%c = loop.cmp "slt" %v, %i : vector<4xi32>, vector<4xi32>, vector<4xi1>\n'
        "%n = arith.negf %f : vector<4xf32>\n"
        "%s = loop.select %c, %f, %n : vector<4xi1>, vector<4xf32>, vector<4xf32>, vector<4xf32>\n"
        "loop.store %s, %y[0] : memref<4xf32>, vector<4xf32>\n"
        '%m = loop.reduce "max" %v : vector<4xi32> to i32\n'
        "%l = loop.extract %v 2 : vector<4xi32>\n"
        "%p = loop.pack %m, %l : i32, i32 to vector<2xi32>\n"
        "loop.store %p, %z[0] : memref<2xi32>, vector<2xi32>",
    )
    y, z = np.zeros(4, np.float32), np.zeros(2, np.int32)
    run_function(op, np.array([7, 4, -3, 9], np.int32), y, z)
    np.testing.assert_array_equal(y, [-7, 4, -3, -9])
    np.testing.assert_array_equal(z, [9, -3])


def test_each_of_several_vectors_is_reduced():
    op = function(
        "%x: memref<2x4xf32>, %y: memref<2xf32>",
        "%a = loop.load %x[0, 0] : memref<2x4xf32>, vector<4xf32>\n"
        "%b = loop.load %x[1, 0] : memref<2x4xf32>, vector<4xf32>\n"
        '%s = loop.reduce_rows "add" %a, %b : vector<4xf32>, vector<4xf32> to vector<2xf32>\n'
        "loop.store %s, %y[0] : memref<2xf32>, vector<2xf32>",
    )
    y = np.zeros(2, np.float32)
    run_function(op, np.array([[1, 2, 3, 4], [5, 6, 7, 9]], np.float32), y)
    np.testing.assert_array_equal(y, [10, 27])


def test_a_square_of_vectors_is_turned():
    op = function(
        "%x: memref<2x2xi32>, %y: memref<2x2xi32>",
        "%a = loop.load %x[0, 0] : memref<2x2xi32>, vector<2xi32>\n"
        "%b = loop.load %x[1, 0] : memref<2x2xi32>, vector<2xi32>\n"
        "%c, %d = loop.transpose %a, %b : vector<2xi32>\n"
        "loop.store %c, %y[0, 0] : memref<2x2xi32>, vector<2xi32>\n"
        "loop.store %d, %y[1, 0] : memref<2x2xi32>, vector<2xi32>",
    )
    x, y = np.array([[1, 2], [3, 4]], np.int32), np.zeros((2, 2), np.int32)
    run_function(op, x, y)
    np.testing.assert_array_equal(y, x.T)


@pytest.mark.parametrize(
    ("access", "got"),
    [
        ("%v = loop.load %x[%i, 0] : memref<2x3xf32>, f32", r"\[2, 0\]"),
        ("%v = loop.load %x[%i, 1 - %i] : memref<2x3xf32>, f32", r"\[2, -1\]"),
        ("%v = loop.load %x[1, %i] : memref<2x3xf32>, vector<4xf32>", r"\[1, 3\]"),
        ("loop.store %one, %x[%i, 0] : memref<2x3xf32>, f32", r"\[2, 0\]"),
    ],
)
def test_access_outside_is_an_error(access: str, got: str):
    op = function(
        "%x: memref<2x3xf32>",
        f"%one = arith.constant 1.0 : f32\nloop.for %i = 0 to 3 {{ {access} }}",
    )
    with pytest.raises(TilewrightError, match=rf"(?s)outside of %x.*below \[2, 3\].*{got}"):
        run_function(op, np.zeros((2, 3), np.float32))


def test_two_iterations_writing_one_element_race():
    op = function(
        "%y: memref<2xf32>",
        "%one = arith.constant 1.0 : f32\n"
        "loop.for parallel %i = 0 to 4 {"
        " loop.store %one, %y[%i floordiv 2] : memref<2xf32>, f32 }",
    )
    with pytest.raises(TilewrightError, match=r"iteration 1 writes %y.*\[0\], which 0 wrote"):
        run_function(op, floats(0, 0))


@pytest.mark.parametrize("offset", [1, -1])
def test_reading_what_another_iteration_writes_races(offset: int):
    op = function(
        "%y: memref<6xf32>",
        f"loop.for parallel %i = 1 to 5 {{ %v = loop.load %y[%i + {offset}] : memref<6xf32>, f32\n"
        "loop.store %v, %y[%i] : memref<6xf32>, f32 }",
    )
    with pytest.raises(TilewrightError, match="not independent"):
        run_function(op, np.zeros(6, np.float32))


def test_serial_loops_and_buffers_of_one_iteration_do_not_race():
    op = function(
        "%y: memref<4xf32>",
        "%one = arith.constant 1.0 : f32\n"
        "loop.for parallel %i = 0 to 4 {\n"
        '  %t = loop.alloc "local" : memref<1xf32>\n'
        "  loop.for %j = 0 to 3 { loop.store %one, %t[0] : memref<1xf32>, f32 }\n"
        "  %v = loop.load %t[0] : memref<1xf32>, f32\n"
        "  loop.store %v, %y[%i] : memref<4xf32>, f32\n}",
    )
    y = np.zeros(4, np.float32)
    run_function(op, y)
    np.testing.assert_array_equal(y, 1)


def test_buffer_shared_by_all_iterations_races():
    op = function(
        "%y: memref<4xf32>",
        "%one = arith.constant 1.0 : f32\n"
        '%t = loop.alloc "local" : memref<1xf32>\n'
        "loop.for parallel %i = 0 to 4 { loop.store %one, %t[0] : memref<1xf32>, f32 }",
    )
    with pytest.raises(TilewrightError, match="not independent"):
        run_function(op, np.zeros(4, np.float32))


def test_fresh_buffers_are_not_zero():
    op = function(
        "%y: memref<1xf32>",
        '%t = loop.alloc "local" : memref<1xf32>\n'
        "%v = loop.load %t[0] : memref<1xf32>, f32\n"
        "loop.store %v, %y[0] : memref<1xf32>, f32",
    )
    y = floats(0)
    run_function(op, y)
    assert np.isnan(y[0])


def test_if_runs_its_body_on_true():
    op = function(
        "%y: memref<4xi32>",
        "%n = arith.constant 2 : index\n%seven = arith.constant 7 : i32\n"
        "loop.for %i = 0 to 4 {\n"
        '  %c = loop.cmp "slt" %i, %n : index, index, i1\n'
        "  loop.if %c { loop.store %seven, %y[%i] : memref<4xi32>, i32 }\n}",
    )
    y = np.zeros(4, np.int32)
    run_function(op, y)
    np.testing.assert_array_equal(y, [7, 7, 0, 0])


def test_arguments_are_checked():
    op = function("%y: memref<4xf32>", "")
    with pytest.raises(TilewrightError, match="wrong number of arguments"):
        run_function(op)
    with pytest.raises(TilewrightError, match="%y of @f has the wrong type"):
        run_function(op, np.zeros(4, np.float64))
    with pytest.raises(TilewrightError, match="contiguous"):
        run_function(op, np.zeros(8, np.float32)[::2])

"""The interpreter of host programs: buffers, kernels of both levels, the planned arena."""

from __future__ import annotations

import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser

from tilewright.interp import packed
from tilewright.support.diagnostics import TilewrightError
from tilewright.support.registry import new_context

BUFFER = "memref<8xf32>"
KERNEL = f"""
te.kernel @double(%x: {BUFFER}, %y: {BUFFER}) {{
  te.compute @double [i: 8] ins(%x[i] : {BUFFER}) outs(%y[i] : {BUFFER})
    body(%a: f32) {{ %b = arith.addf %a, %a : f32 te.yield %b : f32 }}
  te.return
}}
func.func @triple(%x: {BUFFER}, %y: {BUFFER}) {{
  %c = arith.constant 3.0 : f32
  loop.for parallel %i = 0 to 8 {{
    %a = loop.load %x[%i] : {BUFFER}, f32
    %b = arith.mulf %a, %c : f32
    loop.store %b, %y[%i] : {BUFFER}, f32
  }}
  func.return
}}
"""
X = np.arange(8, dtype=np.float32)


def parse(text: str) -> ModuleOp:
    module = Parser(new_context(), KERNEL + text).parse_module()
    module.verify()
    return module


def chain(first: str, second: str) -> ModuleOp:
    """Return a program of three calls over two buffers."""
    call = f"({BUFFER}, {BUFFER}) -> ()"
    return parse(f"""
      func.func @main(%x: {BUFFER}, %z: {BUFFER}) {{
        %a = packed.alloc {first} : {BUFFER}
        %b = packed.alloc {second} : {BUFFER}
        packed.call @double(%x, %a) : {call}
        packed.call @triple(%a, %b) : {call}
        packed.call @double(%a, %a) : {call}
        packed.call @double(%b, %z) : {call}
        func.return
      }}""")


def place(offset_bytes: int) -> str:
    return f"at {offset_bytes}"


def test_kernels_of_both_levels_run_in_order() -> None:
    (out,) = packed.run(chain("", ""), X)
    np.testing.assert_array_equal(out, X * 12)


def test_planned_buffers_share_one_arena() -> None:
    np.testing.assert_array_equal(packed.run(chain(place(0), place(64)), X)[0], X * 12)
    with pytest.raises(TilewrightError, match="overlap in the arena"):
        packed.run(chain(place(0), place(0)), X)


def test_constants_views_and_copies() -> None:
    module = parse(f"""
      func.func @main(%z: {BUFFER}) {{
        %w = packed.constant <[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0] : tensor<2x4xf32>>
          : memref<2x4xf32>
        %v = packed.view %w : memref<2x4xf32> -> {BUFFER}
        packed.copy %v to %z : {BUFFER}, {BUFFER}
        func.return
      }}""")
    np.testing.assert_array_equal(packed.run(module)[0], X + 1)


def test_concats_are_parsed_run_and_checked() -> None:
    text = """
    func.func @main(%x: memref<2x2xf32>, %z: memref<2x1xf32>, %y: memref<2x5xf32>) {
      packed.concat %x, %z, %x along 1 to %y : memref<2x5xf32> of memref<2x2xf32>,
        memref<2x1xf32>, memref<2x2xf32>
      func.return
    }"""
    x, z = np.arange(4, dtype=np.float32).reshape(2, 2), np.full((2, 1), 9, np.float32)
    again = Parser(new_context(), str(parse(text))).parse_module()
    (y,) = packed.run(again, x, z)
    np.testing.assert_array_equal(y, np.concatenate([x, z, x], 1))
    with pytest.raises(TilewrightError, match="not the concatenation"):
        parse(text.replace("2x5xf32", "2x6xf32"))
    with pytest.raises(TilewrightError, match="axis"):
        parse(text.replace("along 1", "along 2"))


def test_recorded_dtypes_come_back() -> None:
    module = parse("""
      func.func @main(%x: memref<2xi8>, %z: memref<2xi8>)
          attributes {tw.arg_dtypes = ["uint8"], tw.result_dtypes = ["uint8"]} {
        packed.copy %x to %z : memref<2xi8>, memref<2xi8>
        func.return
      }""")
    (out,) = packed.run(module, np.array([200, 3], np.uint8))
    assert out.dtype == np.uint8
    assert out.tolist() == [200, 3]


def test_errors() -> None:
    with pytest.raises(TilewrightError, match="no function to compile"):
        packed.run(parse(""))
    missing = parse(f"""
      func.func @main(%x: {BUFFER}, %z: {BUFFER}) {{
        packed.call @nowhere(%x, %z) : ({BUFFER}, {BUFFER}) -> ()
        func.return
      }}""")
    with pytest.raises(TilewrightError, match="the module has no such kernel"):
        packed.run(missing, X)
    tensors = parse("func.func @main(%x: tensor<8xf32>) { func.return }")
    with pytest.raises(TilewrightError, match="not bufferized"):
        packed.run(tensors, X)


def test_sections_run_every_call_and_hold_nothing_else():
    call = f"({BUFFER}, {BUFFER}) -> ()"
    text = """
      func.func @main(%x: BUFFER, %y: BUFFER, %z: BUFFER) {
        packed.sections {
          packed.call @double(%x, %y) : CALL
          INNER
        }
        func.return
      }""".replace("BUFFER", BUFFER).replace("CALL", call)
    module = parse(text.replace("INNER", f"packed.call serial @triple(%x, %z) : {call}"))
    again = Parser(new_context(), str(module)).parse_module()
    assert str(again) == str(module)
    doubled, tripled = packed.run(module, X)
    np.testing.assert_array_equal(doubled, 2 * X)
    np.testing.assert_array_equal(tripled, 3 * X)
    with pytest.raises(Exception, match="a section may hold only calls"):
        parse(text.replace("INNER", f"%a = packed.alloc : {BUFFER}"))

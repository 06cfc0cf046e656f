"""loop-workspace: the buffers that move, and their new places."""

from __future__ import annotations

from xdsl.context import Context
from xdsl.dialects.func import FuncOp
from xdsl.parser import Parser

from tilewright.analysis.verify import verify_module
from tilewright.dialects.functions import WORKSPACE_BYTES, recorded_bytes
from tilewright.dialects.loop import AllocOp
from tilewright.passes.loop.workspace import Workspace
from tilewright.support.registry import new_context

TEXT = """
func.func @k() {
  %a = loop.alloc "local" : memref<1024xf32>
  %b = loop.alloc "local" : memref<1025xf32>
  loop.for parallel %i = 0 to 4 {
    %c = loop.alloc "local" : memref<5000xi8>
    loop.for %j = 0 to 4 {
      %d = loop.alloc "local" : memref<4097xi1>
    }
  }
  loop.for %i = 0 to 4 {
    %e = loop.alloc "local" : memref<1000x5xf64>
  }
  %f = loop.alloc "local" : memref<3000xf16>
  func.return
}"""


def test_large_buffers_get_places_that_nested_scopes_share():
    module = Parser(new_context(), TEXT).parse_module()
    Workspace().apply(Context(), module)
    verify_module(module)
    places = {}
    for op in module.walk():
        if isinstance(op, AllocOp):
            places[op.res.name_hint] = None if op.offset is None else op.offset.value.data
    outer = 4160 + 6016
    assert places == {"a": None, "b": 0, "c": outer, "d": outer + 5056, "e": outer, "f": 4160}
    (function,) = module.ops
    assert isinstance(function, FuncOp)
    assert recorded_bytes(function, WORKSPACE_BYTES) == outer + 40000
    assert str(Parser(new_context(), str(module)).parse_module()) == str(module)


def test_small_kernels_are_left_alone():
    text = TEXT.replace("1025", "10").replace("5000", "10").replace("4097", "10")
    text = text.replace("1000x5", "10").replace("3000", "10")
    module = Parser(new_context(), text).parse_module()
    before = str(module)
    Workspace().apply(Context(), module)
    assert str(module) == before

"""Control flow on buffers: which copies it needs, and which buffers may share bytes."""

from __future__ import annotations

import pytest
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser

from tilewright.analysis.verify import verify_module
from tilewright.dialects.packed import AllocOp, CopyOp, LoopOp
from tilewright.driver.passes.pipeline import run_pipeline
from tilewright.machines.target import Target
from tilewright.passes.packed.plan_memory import PlanMemory
from tilewright.support.registry import new_context

SSE2 = Target("llvm -mcpu=x86-64")
T, XS = "tensor<8xf32>", "tensor<5x8xf32>"


def lowered(results: str, body: str) -> ModuleOp:
    """Return a function of x, y, xs on buffers with places."""
    types = ", ".join(XS if name.endswith("s") else T for name in results.split(", "))
    text = f"""
    func.func @main(%x: {T}, %y: {T}, %xs: {XS}) -> ({types}) {{
      {body}
      func.return {results} : {types}
    }}"""
    module = Parser(new_context(), text.replace("T,", f"{T},")).parse_module()
    run_pipeline(module, new_context(), SSE2)
    verify_module(module)
    return module


def copies(module: ModuleOp) -> list[str]:
    """Return where copies are: in main or in a loop."""
    return [op.parent_op().name for op in module.walk() if isinstance(op, CopyOp)]


def test_a_carried_value_changes_places_with_a_second_buffer() -> None:
    module = lowered(
        "%h",
        f"""%h = graph.scan <5> carry(%a = %x : {T}) {{
          %b = graph.add %a, %y : {T}
          graph.yield %b : {T}
        }}""",
    )
    # Copy x to the first buffer, and the last buffer to the result.
    assert copies(module) == ["func.func", "func.func"]


def test_a_carried_value_that_is_computed_before_needs_no_copy() -> None:
    module = lowered(
        "%hs",
        f"""%h0 = graph.exp %x : {T}
        %h, %hs = graph.scan <5> carry(%a = %h0 : {T}) {{
          %b = graph.add %a, %y : {T}
          %c = graph.exp %b : {T}
          graph.yield %b, %c : {T}, {T}
        }}""",
    )
    assert copies(module) == []


def test_a_stacked_state_is_read_where_it_was_written() -> None:
    module = lowered(
        "%hs",
        f"""%h, %hs = graph.scan <5> carry(%a = %x : {T}) over(%e = %xs : {XS}) {{
          %b = graph.add %a, %e : {T}
          graph.yield %b, %b : {T}, {T}
        }}""",
    )
    (loop,) = [op for op in module.walk() if isinstance(op, LoopOp)]
    assert copies(module) == []
    assert len(loop.inits) == 1
    assert not [op for op in module.walk() if isinstance(op, AllocOp)]


def test_values_that_change_places_are_copied() -> None:
    module = lowered(
        "%h, %k",
        f"""%h, %k = graph.scan <5> carry(%a = %x : {T}, %b = %y : {T}) {{
          graph.yield %b, %a : {T}, {T}
        }}""",
    )
    assert copies(module).count("packed.loop") == 2


def test_values_from_outside_are_passed_on_as_they_are() -> None:
    module = lowered(
        "%h, %k",
        f"""%h, %k = graph.scan <5> carry(%a = %x : {T}, %b = %y : {T}) over(%e = %xs : {XS}) {{
          graph.yield %x, %e : {T}, {T}
        }}""",
    )
    assert copies(module) == ["func.func", "func.func"]


CHAIN = """
    %b = packed.alloc : memref<8xf32>
    packed.call @f(%a, %b) : (memref<8xf32>, memref<8xf32>) -> ()
    %c = packed.alloc : memref<8xf32>
    packed.call @f(%b, %c) : (memref<8xf32>, memref<8xf32>) -> ()
    %d = packed.alloc : memref<8xf32>
    packed.call @f(%c, %d) : (memref<8xf32>, memref<8xf32>) -> ()
    packed.call @f(%d, %out) : (memref<8xf32>, memref<8xf32>) -> ()
    packed.yield
"""


@pytest.mark.parametrize(
    ("control", "buffers"),
    [
        # The next iteration needs %a again; of the others, two are live at a time.
        (f"packed.loop %t to 4 {{ {CHAIN} }}", 3),
        # Only one of two branches runs, so their buffers share the same places.
        (f"packed.if %k {{ {CHAIN} }} else {{ {CHAIN} }} : memref<i1> ->", 3),
    ],
    ids=["loop", "if"],
)
def test_buffers_share_bytes_unless_an_iteration_needs_them_again(
    control: str, buffers: int
) -> None:
    text = f"""
    func.func @main(%k: memref<i1>, %x: memref<8xf32>, %out: memref<8xf32>) {{
      %a = packed.alloc : memref<8xf32>
      packed.call @f(%x, %a) : (memref<8xf32>, memref<8xf32>) -> ()
      {control}
      func.return
    }}"""
    module = Parser(new_context(), text).parse_module()
    PlanMemory().apply(Context(), module)
    places = [op.offset for op in module.walk() if isinstance(op, AllocOp)]
    assert len(set(places)) == buffers

"""loop-split-phases: new kernels, their callers, and unchanged programs."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

from tilewright.analysis.threads.statements import statements_of
from tilewright.analysis.verify import verify_module
from tilewright.dialects.packed import CallOp, SectionsOp
from tilewright.interp import packed
from tilewright.lowering.loop_to_llvm import emit_kernel
from tilewright.machines.target import Target
from tilewright.passes.loop.split_phases import SplitPhases
from tilewright.passes.packed.plan_memory import PlanMemory
from tilewright.support.diagnostics import LoweringError
from tilewright.testing.pass_case import parsed as parse

from ...sweeps import examples

HOST = Target.native()


def split(text: str) -> ModuleOp:
    """Return the module after the pass, which verifies and parses back equal."""
    module = parse(text)
    SplitPhases(HOST).apply(Context(), module)
    verify_module(module)
    assert str(parse(str(module))) == str(module)
    for function in module.ops:
        assert isinstance(function, FuncOp)
        if function.sym_name.data != "main":
            emit_kernel(function, HOST)
    return module


def names(module: ModuleOp) -> list[str]:
    return [op.sym_name.data for op in module.ops if isinstance(op, FuncOp)]


def copy(source: str, target: str, *, parallel: bool, mirrored: bool = False) -> str:
    """Return a statement: twice a row of 8 into another."""
    at = "7 - %i" if mirrored else "%i"
    return f"""
  loop.for {"parallel " if parallel else ""}%i = 0 to 8 {{
    %v = loop.load %{source}[{at}] : memref<8xf32>, f32
    %w = arith.addf %v, %v : f32
    loop.store %w, %{target}[%i] : memref<8xf32>, f32
  }}"""


def kernel(name: str, *statements: str, buffers: str = "", attributes: str = "") -> str:
    allocs = "".join(f'\n  %{b} = loop.alloc "local" : memref<8xf32>' for b in buffers)
    return f"""
func.func @{name}(%x: memref<8xf32>, %y: memref<8xf32>) {attributes} {{{allocs}
  {"".join(statements)}
  func.return
}}"""


def call(name: str, x: str, y: str) -> str:
    return f"  packed.call @{name}(%{x}, %{y}) : (memref<8xf32>, memref<8xf32>) -> ()\n"


def main(*body: str) -> str:
    arguments = "%x: memref<8xf32>, %y: memref<8xf32>"
    return f"\nfunc.func @main({arguments}) {{\n{''.join(body)}  func.return\n}}"


THREE = kernel(
    "f",
    copy("x", "a", parallel=True),
    copy("a", "b", parallel=True, mirrored=True),
    copy("b", "y", parallel=True, mirrored=True),
    buffers="ab",
)
X = np.arange(8, dtype=np.float32)


def run(text: str, *arrays: np.ndarray) -> tuple[np.ndarray, ...]:
    """Return a program's results, equal before the pass, after it, and with planned memory."""
    module = split(text)
    before, after = packed.run(parse(text), *arrays), packed.run(module, *arrays)
    PlanMemory().apply(Context(), module)
    for array in (after, packed.run(module, *arrays)):
        np.testing.assert_array_equal(array, before)
    return before


def test_each_caller_calls_the_phases() -> None:
    text = THREE + main(
        "  %t = packed.alloc : memref<8xf32>\n", call("f", "x", "t"), call("f", "t", "y")
    )
    np.testing.assert_array_equal(run(text, X)[0], X * 64)
    module = split(text)
    assert names(module) == ["f_phase0", "f_phase1", "f_phase2", "main"]
    calls = [op.kernel_name for op in module.walk() if isinstance(op, CallOp)]
    assert calls == ["f_phase0", "f_phase1", "f_phase2"] * 2


def test_a_call_inside_of_a_loop() -> None:
    body = f"""  %t = packed.alloc : memref<8xf32>
  packed.copy %x to %t : memref<8xf32>, memref<8xf32>
  %r = packed.loop %n to 3 carry(%h = %t : memref<8xf32>) {{
    %u = packed.alloc : memref<8xf32>
    {call("f", "h", "u")}
    packed.copy %u to %h : memref<8xf32>, memref<8xf32>
    packed.yield %h : memref<8xf32>
  }}
  packed.copy %r to %y : memref<8xf32>, memref<8xf32>
"""
    np.testing.assert_array_equal(run(THREE + main(body), X)[0], X * 512)


def test_sections_run_phase_by_phase() -> None:
    one = kernel("h", copy("x", "y", parallel=True))
    two = kernel(
        "g",
        copy("x", "a", parallel=True),
        copy("a", "y", parallel=True, mirrored=True),
        buffers="a",
    )
    calls = [call("f", "x", "a"), call("g", "x", "b"), call("h", "x", "y")]
    allocs = "".join(f"  %{b} = packed.alloc : memref<8xf32>\n" for b in "ab")
    text = THREE + two + one + main(allocs, "  packed.sections {\n", *calls, "  }\n")
    np.testing.assert_array_equal(run(text, X)[0], X * 2)
    module = split(text)
    sections = [op for op in module.walk() if isinstance(op, SectionsOp)]
    assert [[c.kernel_name for c in op.calls] for op in sections] == [
        ["f_phase0", "g_phase0", "h"],
        ["f_phase1", "g_phase1"],
    ]
    (last,) = [
        op for op in module.walk() if isinstance(op, CallOp) and op.kernel_name == "f_phase2"
    ]
    assert last.parent_op() is not sections[1]
    assert last.serial is not None


def test_phases_keep_the_attributes_of_their_kernel() -> None:
    text = kernel(
        "f",
        copy("x", "a", parallel=True),
        copy("a", "y", parallel=True, mirrored=True),
        buffers="a",
        attributes='attributes {"tw.strict_math"}',
    )
    phases = list(split(text + main(call("f", "x", "y"))).ops)[:2]
    assert all("tw.strict_math" in phase.attributes for phase in phases)


def test_names_that_are_taken_are_left_alone() -> None:
    other = kernel("f_phase1", copy("x", "y", parallel=True))
    module = split(other + THREE + main(call("f", "x", "y"), call("f_phase1", "x", "y")))
    assert names(module) == ["f_phase1", "f_phase0", "f_phase1_1", "f_phase2", "main"]


@pytest.mark.parametrize(
    "text",
    [
        kernel("f", copy("x", "a", parallel=False), copy("a", "y", parallel=False), buffers="a"),
        kernel("f", copy("x", "y", parallel=True), copy("x", "a", parallel=True), buffers="a"),
        kernel("f", copy("x", "y", parallel=True).replace("0 to 8", "0 to 4")
               + copy("x", "y", parallel=True).replace("0 to 8", "4 to 8")),
    ],
    ids=["serial", "independent", "parts"],
)  # fmt: skip
def test_what_needs_no_phases_stays_as_it_was(text: str) -> None:
    text += main(call("f", "x", "y"))
    assert str(split(text)) == str(parse(text))


def test_what_nobody_calls_stays_as_it_was() -> None:
    module = parse(THREE)
    SplitPhases(HOST).apply(Context(), module)
    assert str(module) == str(parse(THREE))
    (function,) = module.ops
    assert isinstance(function, FuncOp)
    with pytest.raises(LoweringError, match="must be independent") as caught:
        emit_kernel(function, HOST)
    assert "loop-split-phases" in caught.value.hint


def test_memory_that_kernels_cannot_share_is_refused() -> None:
    text = THREE.replace('"local"', '"warp"') + main(call("f", "x", "y"))
    with pytest.raises(
        LoweringError, match="%a of scope warp is used by several kernels"
    ) as caught:
        SplitPhases(HOST).apply(Context(), parse(text))
    assert caught.value.expected == "one of local, shared, global"


VALUE = """
  %first = loop.load %x[0] : memref<8xf32>, f32
  %s = loop.for %i = 0 to 8 iter_args(%r = %first : f32) {
    %w = loop.load %x[%i] : memref<8xf32>, f32
    %t = arith.addf %r, %w : f32
    loop.yield %t : f32
  }
  loop.for parallel %i = 0 to 8 {
    loop.store %s, %y[%i] : memref<8xf32>, f32
  }
"""


def test_a_parallel_loop_that_takes_a_value_is_refused() -> None:
    module = parse(kernel("f", VALUE) + main(call("f", "x", "y")))
    SplitPhases(HOST).apply(Context(), module)
    function = module.body.block.first_op
    assert isinstance(function, FuncOp)
    with pytest.raises(LoweringError, match="passes on no values") as caught:
        emit_kernel(function, HOST)
    assert "store the value in a buffer" in caught.value.hint


def test_statements_are_what_values_hold_together() -> None:
    stored = VALUE.replace("parallel ", "") + copy("x", "y", parallel=True)
    function = parse(kernel("f", stored, buffers="a")).body.block.first_op
    assert isinstance(function, FuncOp)
    shared, statements = statements_of(function.body.block)
    assert [op.name for op in shared] == ["loop.alloc"]
    assert [[op.name for op in s.ops] for s in statements] == [
        ["loop.load", "loop.for", "loop.for"],
        ["loop.for"],
    ]
    assert [s.is_parallel for s in statements] == [False, True]


BUFFERS = "xaby"
STATEMENTS = st.tuples(
    st.sampled_from(BUFFERS), st.sampled_from(BUFFERS[1:]), st.booleans(), st.booleans()
).filter(lambda s: s[0] != s[1])


@examples(40)
@given(st.lists(STATEMENTS, min_size=1, max_size=6))
def test_random_kernels_mean_the_same(drawn: list[tuple[str, str, bool, bool]]) -> None:
    fills = "".join(copy("x", b, parallel=False) for b in "aby")
    body = "".join(copy(s, t, parallel=p, mirrored=m) for s, t, p, m in drawn)
    text = kernel("f", fills, body, buffers="ab") + main(call("f", "x", "y"))
    run(text, X)

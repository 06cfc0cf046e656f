"""Costs: te-record-costs sets them, schedules and lowerings keep them, phases get their own."""

from __future__ import annotations

import re

import pytest
from xdsl.parser import Parser

from tilewright.analysis.cost import kernel_cycles, recorded_costs
from tilewright.dialects.shape import LIKELY_SIZE, Dim
from tilewright.dialects.te import Cost, CostAttr, kernels_of
from tilewright.machines.target import Target
from tilewright.support.diagnostics import TypeMismatch
from tilewright.support.registry import new_context

from .ir import apply, parse

DENSE = """
func.func @main(%x: tensor<4x8xf32>, %w: tensor<8x16xf32>) -> tensor<4x16xf32> {
  %p = graph.matmul %x, %w : tensor<4x8xf32>, tensor<8x16xf32> -> tensor<4x16xf32>
  %y = graph.neg %p : tensor<4x16xf32>
  func.return %y : tensor<4x16xf32>
}
"""
KERNELS = ("graph-to-te", "te-outline", "te-bufferize", "te-record-costs")
PRODUCT = 2 * 4 * 16 * 8
"""Scalar operations of the product: one multiplication and one addition per triple."""


def test_a_cost_counts_the_operations_and_names_the_computes() -> None:
    after = apply(parse(DENSE), *KERNELS)
    assert recorded_costs(after) == {
        "matmul": Cost(PRODUCT, ("matmul",)),
        "neg": Cost(4 * 16, ("neg",)),
    }


def test_schedules_and_lowerings_keep_the_cost() -> None:
    fused = apply(parse(DENSE), "graph-to-te", "te-fuse-elementwise", *KERNELS[1:])
    (cost,) = recorded_costs(fused).values()
    assert cost.flops == PRODUCT + 4 * 16
    plan = 'cpu-plan{target="llvm -mcpu=x86-64-v3"}'
    lowered = apply(fused, plan, "te-apply-schedule", "packed-pack-constants", "te-to-loop")
    split = 'loop-split-phases{target="llvm -mcpu=x86-64-v3"}'
    final = apply(lowered, split, "loop-workspace", "packed-plan-memory")
    assert list(recorded_costs(final).values()) == [cost]


def test_cycles_of_symbolic_sizes_are_those_of_likely_sizes() -> None:
    text = DENSE.replace("tensor<4x8xf32>", "tensor<?x8xf32, #te.dims<n, 8>>")
    text = text.replace("tensor<4x16xf32>", "tensor<?x16xf32, #te.dims<n, 16>>")
    cycles: list[list[float]] = []
    for program in (text, DENSE.replace("<4x", f"<{LIKELY_SIZE}x")):
        kernels = kernels_of(apply(parse(program), *KERNELS))
        cycles.append([kernel_cycles(k, Target("llvm -mcpu=x86-64-v3")) for k in kernels])
    assert cycles[0] == cycles[1]
    assert all(cycles[0])


PHASES = """
func.func @f(%x: memref<64xf32>, %y: memref<64xf32>) attributes {
    tw.cost = #te.cost<flops = 9, computes = [f]>} {
  %b = loop.alloc "local" : memref<64xf32>
  loop.for parallel %i = 0 to 64 {
    %v = loop.load %x[%i] : memref<64xf32>, f32
    %s = arith.addf %v, %v : f32
    loop.store %s, %b[%i] : memref<64xf32>, f32
  }
  loop.for parallel %i = 0 to 64 {
    %v = loop.load %b[-%i + 63] : memref<64xf32>, f32
    %s = arith.mulf %v, %v : f32
    %t = arith.mulf %s, %v : f32
    loop.store %t, %y[%i] : memref<64xf32>, f32
  }
  func.return
}
func.func @main(%x: memref<64xf32>, %y: memref<64xf32>) {
  packed.call @f(%x, %y) : (memref<64xf32>, memref<64xf32>) -> ()
  func.return
}
"""


def test_phases_have_costs_of_their_own() -> None:
    after = apply(parse(PHASES), 'loop-split-phases{target="llvm -mcpu=x86-64-v3"}')
    flops = {name: cost.flops for name, cost in recorded_costs(after).items()}
    assert flops == {"f_phase0": 64, "f_phase1": 2 * 64}


DYNAMIC_PHASES = (
    PHASES.replace("memref<64xf32>", "memref<?xf32, #te.dims<n>>")
    .replace("tw.cost =", 'sizes = ["n"], tw.cost =')
    .replace("-%i + 63", "-%i + %n - 1")
    .replace("0 to 64", "0 to %n")
    .replace("  %b = loop.alloc", "  %n = loop.size n\n  %b = loop.alloc")
    .replace("packed.call @f(%x, %y)", "packed.call @f(%x, %y) sizes[n]")
)


def test_phases_of_symbolic_sizes_have_the_costs_of_likely_sizes() -> None:
    after = apply(parse(DYNAMIC_PHASES), 'loop-split-phases{target="llvm -mcpu=x86-64-v3"}')
    flops = {name: cost.flops for name, cost in recorded_costs(after).items()}
    assert flops == {"f_phase0": LIKELY_SIZE, "f_phase1": 2 * LIKELY_SIZE}


@pytest.mark.parametrize("names", [(), ("a", "b c", "ä", 'quo"te')])
@pytest.mark.parametrize("work", [None, Dim.parse("3 * b * s + 7")])
def test_a_cost_is_printed_and_parsed_back(names: tuple[str, ...], work: Dim | None) -> None:
    attribute = CostAttr(Cost(1 << 40, names, work))
    assert Parser(new_context(), str(attribute)).parse_attribute() == attribute


def test_a_negative_cost_is_refused() -> None:
    rule = "a kernel cannot have a negative number of operations"
    expected = re.escape(f"te.cost: {rule}\n    expected: 0 or more\n    got: -1\n    hint: ")
    with pytest.raises(TypeMismatch, match=expected):
        Parser(new_context(), "#te.cost<flops = -1, computes = []>").parse_attribute()


TWINS = """
te.kernel @NAME(%x: memref<4xf32>, %y: memref<4xf32>) attributes {
    cost = #te.cost<flops = 4, computes = [NAME]>} {
  te.compute @NAME [i: 4] ins(%x[i] : memref<4xf32>) outs(%y[i] : memref<4xf32>) body(%v: f32) {
    %n = arith.negf %v : f32
    te.yield %n : f32
  }
  te.return
}
"""


def test_equal_kernels_are_merged_whatever_their_costs_name() -> None:
    twins = parse(TWINS.replace("NAME", "a") + TWINS.replace("NAME", "b"))
    assert [*recorded_costs(apply(twins, "te-deduplicate"))] == ["a"]

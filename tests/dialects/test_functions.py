"""Attributes and properties that passes leave for others: accepted, refused, and carried on."""

from __future__ import annotations

import re

import pytest
from xdsl.dialects.func import FuncOp

from tilewright.analysis.verify import verify_module
from tilewright.dialects.functions import (
    ARENA_BYTES,
    RULES,
    WORKSPACE_BYTES,
    recorded_bytes,
    recorded_cost,
)
from tilewright.dialects.te import Cost
from tilewright.machines.target import Target
from tilewright.support.diagnostics import TypeMismatch

from ..passes.te.ir import apply, parse

VALUES = {
    "tw.entry": "unit",
    "tw.strict_math": "unit",
    "tw.cost": "#te.cost<flops = 1, computes = [f]>",
    "tw.workspace_bytes": "128 : i64",
    "tw.arena_bytes": "0 : i64",
    "tw.arena_alignment": "512 : i64",
    "tw.launch": "#simt.launch<grid [2], block [32], shared 0>",
    "tw.name": '"f"',
    "tw.arg_names": '["x"]',
    "tw.result_names": '["\\C3\\A4"]',
    "tw.arg_dtypes": '["float32"]',
    "tw.result_dtypes": "[]",
    "tw.result_dims": "[array<i64: -1, 0>]",
    "tw.size_limits": "[[#te.dims<p + s>, array<i64: 1, 8>]]",
    "tw.sizes_required_by": '[[#te.dims<n>, "ArgMax"]]',
    "tw.sizes_not_negative": "#te.dims<h - 2, w - 2>",
    "tw.computed_sizes": '["u0"]',
    "tw.size_bounds": "[#te.dims<u0, 2 * s>]",
    "tw.states": '[["past", "k"]]',
    "tw.appends": "[array<i64: 0, 1, 2>]",
    "tw.most_calls": "8 : i64",
    "tw.total_calls": "64 : i64",
    "tw.result_forms": "[0 : i64, array<i64: 1, 2>, unit]",
}
WRONG = {
    "tw.entry": "1 : i64",
    "tw.strict_math": "true",
    "tw.cost": "512 : i64",
    "tw.workspace_bytes": "100 : i64",
    "tw.arena_bytes": "-64 : i64",
    "tw.arena_alignment": "100 : i64",
    "tw.launch": "array<i64: 2, 32>",
    "tw.name": "1 : i64",
    "tw.arg_names": '"x"',
    "tw.result_names": "[1 : i64]",
    "tw.arg_dtypes": "[f32]",
    "tw.result_dtypes": "f32",
    "tw.result_dims": "[1 : i64]",
    "tw.size_limits": "[[#te.dims<p>, 8 : i64]]",
    "tw.sizes_required_by": '[["n", "ArgMax"]]',
    "tw.sizes_not_negative": "[#te.dims<h - 2>]",
    "tw.computed_sizes": "[0 : i64]",
    "tw.size_bounds": "[#te.dims<u0>]",
    "tw.states": '[["past"]]',
    "tw.appends": "[array<i64: 0, 1>]",
    "tw.most_calls": "0 : i64",
    "tw.total_calls": "0 : i64",
    "tw.result_forms": '["x"]',
}


def function(attributes: str, body: str = "") -> str:
    return f"func.func @f() attributes {{{attributes}}} {{ {body} func.return }}"


def refusal(text: str) -> TypeMismatch:
    """Return the error that verifying a module raises; it has all parts of a message."""
    with pytest.raises(TypeMismatch) as caught:
        parse(text)
    error = caught.value
    assert all((error.rule, error.expected, error.hint, error.where))
    assert error.got is not None
    return error


def test_the_tables_are_complete() -> None:
    assert set(VALUES) == set(WRONG) == set(RULES)


@pytest.mark.parametrize("key", VALUES)
def test_an_attribute_is_accepted_and_printed(key: str) -> None:
    module = parse(function(f"{key} = {VALUES[key]}"))
    verify_module(module)
    assert parse(str(module)).is_structurally_equivalent(module)


@pytest.mark.parametrize("key", [key for key in WRONG if key != "tw.entry"])
def test_a_wrong_value_is_refused(key: str) -> None:
    error = refusal(function(f"{key} = {WRONG[key]}"))
    assert error.rule == f"{key} has a wrong value"


def test_unknown_attributes_and_other_ops_are_refused() -> None:
    assert "no attribute has the name tw.arena" in refusal(function("tw.arena = 1 : i64")).rule
    kernel = "te.kernel @k() attributes {tw.arena_bytes = 0 : i64} {te.return}"
    assert "is an attribute of functions" in refusal(kernel).rule


@pytest.mark.parametrize(
    ("key", "op"),
    [
        (WORKSPACE_BYTES, '%b = loop.alloc "workspace" at 64 : memref<16xf32>'),
        (ARENA_BYTES, "%b = packed.alloc at 64 : memref<16xf32>"),
    ],
)
def test_allocations_fit_their_room(key: str, op: str) -> None:
    verify_module(parse(function(f"{key} = 128 : i64", op)))
    small = refusal(function(f"{key} = 64 : i64", op))
    assert (small.expected, small.got) == ("at most 64", 128)
    assert refusal(function("", op)).expected == "at most 0"
    unaligned = op.replace("at 64", "at 32")
    assert refusal(function(f"{key} = 128 : i64", unaligned)).got == 32


@pytest.mark.parametrize("text", ['"workspace"', '"local" at 64'])
def test_an_offset_goes_with_the_workspace(text: str) -> None:
    error = refusal(function("", f"%b = loop.alloc {text} : memref<4xf32>"))
    assert "only allocations of scope workspace have an offset" in error.rule


KERNEL = """
te.kernel @k(%x: memref<4x8xf32>, %y: memref<4x8xf32>) attributes {PROPERTIES} { te.return }
"""


@pytest.mark.parametrize(
    ("properties", "rule"),
    [
        ("constants = array<i64: 2>", "constants are not positions"),
        ("constants = array<i64: 1, 0>", "constants are not positions"),
        ("constants = array<i64: 0, 0>", "constants are not positions"),
        ("constants = array<i64: -1>", "constants are not positions"),
        ('packs = {"2" = affine_map<(i, j) -> (i, j)>}', "packs do not give argument 2"),
        ('packs = {"x" = affine_map<(i, j) -> (i, j)>}', "packs do not give argument x"),
        ('packs = {"0" = affine_map<(i, j) -> (i)>}', "packs do not give argument 0"),
        ('packs = {"0" = 1 : i64}', "packs do not give argument 0"),
    ],
)
def test_a_wrong_property_of_a_kernel_is_refused(properties: str, rule: str) -> None:
    assert rule in refusal(KERNEL.replace("PROPERTIES", properties)).rule


LARGE = """
func.func @main(%x: memref<64x64xf32>, %y: memref<64x64xf32>) attributes {
    tw.arg_dtypes = ["float32"], tw.result_dtypes = ["float32"]} {
  packed.call @k(%x, %y) : (memref<64x64xf32>, memref<64x64xf32>) -> ()
  func.return
}
te.kernel @k(%x: memref<64x64xf32>, %y: memref<64x64xf32>) attributes {
    cost = #te.cost<flops = 8192, computes = [a, b]>} {
  %t = loop.alloc "local" : memref<64x64xf32>
  te.compute @a [i: 64, j: 64] ins(%x[i, j] : memref<64x64xf32>)
    outs(%t[i, j] : memref<64x64xf32>) body(%v: f32) {
    %r = math.exp %v : f32
    te.yield %r : f32
  }
  te.compute @b [i: 64, j: 64] ins(%t[j, i] : memref<64x64xf32>)
    outs(%y[i, j] : memref<64x64xf32>) body(%v: f32) {
    %r = arith.negf %v : f32
    te.yield %r : f32
  }
  te.return
}
"""


def test_passes_carry_the_attributes_to_the_last_level() -> None:
    module = apply(
        parse(LARGE),
        'te-to-loop{precision="strict"}',
        f'loop-split-phases{{target="{Target("llvm -mcpu=x86-64-v3")}"}}',
        "loop-workspace",
        "packed-plan-memory",
    )
    verify_module(module)
    functions = {op.sym_name.data: op for op in module.ops if isinstance(op, FuncOp)}
    kernel = functions["k"]
    assert recorded_cost(kernel) == Cost(8192, ("a", "b"))
    assert recorded_bytes(kernel, WORKSPACE_BYTES) == 64 * 64 * 4
    assert "tw.strict_math" in kernel.attributes
    assert re.search(r'loop.alloc "workspace" at 0 : memref<64x64xf32>', str(module))
